/** What the screen of those who fill in a forecast shares with the one of those who read it. */
import type { ReactNode } from 'react';
import type { ForecastWorksheet } from '#data/business-worksheets.ts';
import {
  type Figures,
  type Forecast,
  figuresOf,
  hasWhatIf,
  withWhatIfs,
} from '#domain/forecast.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';

export interface ForecastInitial {
  worksheet: ForecastWorksheet;
  userId: string;
  timeZone: string;
  /** Today in the reader's time zone, `2026-11-21`. */
  today: string;
}

interface HeadProps {
  worksheet: ForecastWorksheet;
  children: ReactNode;
  buttons: ReactNode;
}

/** The business, the title, when it was saved, and buttons. */
export function ForecastHead({ worksheet, children, buttons }: HeadProps) {
  const href = hrefFor('/dashboard/businesses/[id]', { id: worksheet.business_id });
  return (
    <header className="flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <p className="text-sm [overflow-wrap:anywhere]">
          <a className="link" href={href}>
            {worksheet.name}
          </a>
        </p>
        <h1 className="mt-1">12-month cash forecast</h1>
        <div className="mt-2 text-sm text-muted">{children}</div>
      </div>
      <div className="flex flex-wrap gap-2 print:hidden">{buttons}</div>
    </header>
  );
}

/** When it was last saved and who saved it. */
export function savedWords({ sheet: { saved_at, saved_by } }: ForecastWorksheet, timeZone: string) {
  if (saved_at === null) return 'Everything is saved as you type.';
  return `Saved ${dayText(saved_at, timeZone)} by ${saved_by ?? 'a former member'}`;
}

/** The figures as they are, and with the what-ifs that are on. */
export function bothFigures(forecast: Forecast): { figures: Figures; others: Figures | null } {
  return {
    figures: figuresOf(forecast),
    others: hasWhatIf(forecast) ? figuresOf(withWhatIfs(forecast)) : null,
  };
}

import { useStore } from '@nanostores/react';
import { type ReactNode, useState } from 'react';
import type { ForecastWorksheet } from '#data/business-worksheets.ts';
import {
  addMonths,
  type Figures,
  type Forecast,
  figuresOf,
  hasWhatIf,
  monthText,
  newForecast,
  withWhatIfs,
} from '#domain/forecast.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Button } from '#ui/Button.tsx';
import { Field } from '#ui/forms/Field.tsx';
import { ReadySelect } from '#ui/forms/ready-inputs.tsx';
import { Notice } from '#ui/Notice.tsx';
import { SaveConflict } from '#ui/SaveConflict.tsx';
import { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { useOpenedPart } from '#ui/use-part.ts';
import { useSavingStore } from '#ui/use-saving-store.ts';
import { DownloadButton } from './forecast/DownloadButton.tsx';
import { CentsField } from './forecast/FigureField.tsx';
import { FilledMonths } from './forecast/FilledMonths.tsx';
import {
  createForecastStore,
  type ForecastStore,
  forecastDeps,
} from './forecast/forecast-store.ts';
import { ReadMonths } from './forecast/Months.tsx';
import { lowestWords, Outlook } from './forecast/Outlook.tsx';
import { PastMonths } from './forecast/PastMonths.tsx';
import { WhatIfs } from './forecast/WhatIfs.tsx';

const loadRollDialog = () => import('./forecast/RollDialog.tsx');
const loadHistory = () => import('./forecast/ForecastHistory.tsx');

export interface ForecastInitial {
  worksheet: ForecastWorksheet;
  userId: string;
  timeZone: string;
  /** Today in the reader's time zone, `2026-11-21`. */
  today: string;
}

/** The cash forecast of a business: members fill it in, its coach reads it. */
function ForecastScreen({ initial }: { initial: ForecastInitial }) {
  const { role, archived } = initial.worksheet;
  return role !== null && !archived ? <Written initial={initial} /> : <Read initial={initial} />;
}

interface HeadProps {
  worksheet: ForecastWorksheet;
  children: ReactNode;
  buttons: ReactNode;
}

function Head({ worksheet, children, buttons }: HeadProps) {
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
function savedWords({ sheet: { saved_at, saved_by } }: ForecastWorksheet, timeZone: string) {
  if (saved_at === null) return 'Everything is saved as you type.';
  return `Saved ${dayText(saved_at, timeZone)} by ${saved_by ?? 'a former member'}`;
}

/** The figures as they are, and with the what-ifs that are on. */
function useFigures(forecast: Forecast): { figures: Figures; others: Figures | null } {
  return {
    figures: figuresOf(forecast),
    others: hasWhatIf(forecast) ? figuresOf(withWhatIfs(forecast)) : null,
  };
}

const method = `${hrefFor('/dashboard/toolbox')}?item=cash-forecast`;

function Written({ initial }: { initial: ForecastInitial }) {
  const { worksheet, userId, timeZone, today } = initial;
  const store = useSavingStore(() =>
    createForecastStore(worksheet, today, forecastDeps(worksheet.business_id, userId)),
  );
  const status = useStore(store.$status, { ssr: 'initial' });
  const forecast = useStore(store.$forecast, { ssr: 'initial' });
  const { figures, others } = useFigures(forecast);
  const [history, setHistory] = useState(false);
  const historyPart = useOpenedPart(loadHistory, history, () => setHistory(false));
  return (
    <div className="flex flex-col gap-8">
      <Head
        worksheet={worksheet}
        buttons={
          <>
            <DownloadButton forecast={forecast} business={worksheet.name} />
            <Button
              variant="secondary"
              needsScript
              onClick={() => {
                // The history should include what was just typed.
                store.flush();
                setHistory(true);
              }}
            >
              History
            </Button>
          </>
        }
      >
        <p role="status">
          {status ? <SaveWords status={status} /> : savedWords(worksheet, timeZone)}
        </p>
      </Head>
      {status?.name === 'conflict' ? (
        <SaveConflict name={status.theirs.saved_by} onChoose={store.choose}>
          <Theirs forecast={status.theirs.document ?? newForecast(today)} />
        </SaveConflict>
      ) : (
        <SaveNotice status={status} isTitled={false} />
      )}
      <p className="max-w-[68ch] text-sm text-muted">
        Put money in the month it arrives or leaves, not the month you earn or order it.{' '}
        <a className="link" href={method}>
          How it works, with an example
        </a>
      </p>
      <Basics store={store} forecast={forecast} today={today} />
      <Outlook forecast={forecast} figures={figures} others={others} />
      <FilledMonths store={store} forecast={forecast} figures={figures} others={others} />
      <WhatIfs
        whatIf={forecast.whatIf}
        months={figures.months}
        onChange={(whatIf, field) => store.edit((now) => ({ ...now, whatIf }), field)}
      >
        {others && (
          <p>
            <strong>With these on:</strong> {lowestWords(others, forecast.floor)}
          </p>
        )}
      </WhatIfs>
      <Rolling store={store} forecast={forecast} figures={figures} />
      <PastMonths past={forecast.past} />
      {history && historyPart && (
        <historyPart.ForecastHistory
          businessId={worksheet.business_id}
          current={forecast}
          timeZone={timeZone}
          onRestore={store.restore}
          onClose={() => setHistory(false)}
        />
      )}
    </div>
  );
}

interface PartProps {
  store: ForecastStore;
  forecast: Forecast;
}

/** How far back and ahead a forecast can start. */
const MONTHS_AROUND = 12;

/** The first month, the money in the bank then, and the floor. */
function Basics({ store, forecast, today }: PartProps & { today: string }) {
  const { start, opening, floor } = forecast;
  const now = today.slice(0, 7);
  const near = Array.from({ length: 2 * MONTHS_AROUND + 1 }, (_, at) =>
    addMonths(now, at - MONTHS_AROUND),
  );
  const months = near.includes(start) ? near : [start, ...near];
  return (
    <div className="grid items-end gap-4 sm:grid-cols-3">
      <Field
        label="First month"
        hint="Changing it only renames the columns."
        as={ReadySelect}
        value={start}
        options={months.map((month) => ({ value: month, label: monthText(month) }))}
        onChange={(event: { currentTarget: { value: string } }) => {
          const chosen = event.currentTarget.value;
          store.edit((it) => ({ ...it, start: chosen }));
        }}
      />
      <CentsField
        label="In the bank at the start"
        hint="Your balance on its first day."
        value={opening}
        onChange={(cents) => store.edit((it) => ({ ...it, opening: cents }), 'opening')}
      />
      <CentsField
        label="Your floor"
        hint="The balance where you’ll act."
        value={floor}
        onChange={(cents) => store.edit((it) => ({ ...it, floor: cents }), 'floor')}
      />
    </div>
  );
}

/** Moves on by a month. */
function Rolling({ store, forecast, figures }: PartProps & { figures: Figures }) {
  const [open, setOpen] = useState(false);
  const part = useOpenedPart(loadRollDialog, open, () => setOpen(false));
  const month = monthText(forecast.start);
  return (
    <section aria-labelledby="next" className="border-t border-line pt-6 print:hidden">
      <h2 id="next" className="text-lg">
        When {month} is over
      </h2>
      <p className="mt-1 max-w-[68ch] text-sm text-muted">
        Note what really happened, and the forecast moves up by a month.
      </p>
      <Button variant="secondary" className="mt-4" needsScript onClick={() => setOpen(true)}>
        Start the next twelve months
      </Button>
      {open && part && (
        <part.RollDialog
          forecast={forecast}
          planned={figures.closes[0] ?? 0}
          onSave={(change) => store.edit(change)}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

/** Someone else's version in brief, to choose between it and one's own. */
function Theirs({ forecast }: { forecast: Forecast }) {
  const figures = figuresOf(forecast);
  return (
    <>
      <p className="mb-3 text-sm">{lowestWords(figures, forecast.floor)}</p>
      <ReadMonths forecast={forecast} figures={figures} others={null} />
    </>
  );
}

function Read({ initial }: { initial: ForecastInitial }) {
  const { worksheet, timeZone, today } = initial;
  const { document } = worksheet.sheet;
  const [history, setHistory] = useState(false);
  const part = useOpenedPart(loadHistory, history, () => setHistory(false));
  const forecast = document ?? newForecast(today);
  const { figures, others } = useFigures(forecast);
  return (
    <div className="flex flex-col gap-8">
      <Head
        worksheet={worksheet}
        buttons={
          document && (
            <>
              <DownloadButton forecast={document} business={worksheet.name} />
              <Button variant="secondary" needsScript onClick={() => setHistory(true)}>
                History
              </Button>
            </>
          )
        }
      >
        <p>
          {worksheet.archived
            ? 'This business is archived, so its forecast is read-only.'
            : 'You’re viewing this as the coach.'}{' '}
          {document && `${savedWords(worksheet, timeZone)}.`}
        </p>
      </Head>
      {document ? (
        <>
          <Outlook forecast={forecast} figures={figures} others={others} />
          <ReadMonths forecast={forecast} figures={figures} others={others?.closes ?? null} />
          <PastMonths past={forecast.past} />
        </>
      ) : (
        <Notice title="Nothing filled in yet">The forecast will show up here.</Notice>
      )}
      {history && part && (
        <part.ForecastHistory
          businessId={worksheet.business_id}
          current={forecast}
          timeZone={timeZone}
          onRestore={null}
          onClose={() => setHistory(false)}
        />
      )}
    </div>
  );
}

export default screen(ForecastScreen);

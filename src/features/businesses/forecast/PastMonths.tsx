import { useState } from 'react';
import { type Forecast, monthText, type PastMonth } from '#domain/forecast.ts';
import { PAST_VIEWS, type PastView } from '#domain/forecast-past.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { enabledWhenReady } from '#ui/until-ready.ts';
import { useOpenedPart } from '#ui/use-part.ts';
import { monthWords, VIEW_LABELS } from './past-words.ts';

const loadCorrectDialog = () => import('./CorrectDialog.tsx');

interface PastMonthsProps {
  past: readonly PastMonth[];
  /** Changes the forecast; null for people who can only read it. */
  onSave: ((change: (forecast: Forecast) => Forecast) => void) | null;
}

/** The months that are over, newest first, each in a sentence or two, to change in place. */
export function PastMonths({ past, onSave }: PastMonthsProps) {
  const [open, setOpen] = useState<PastMonth | null>(null);
  const close = () => setOpen(null);
  const part = useOpenedPart(loadCorrectDialog, open !== null, close, false);
  if (past.length === 0) return null;
  return (
    <Section id="past" title="Months that are over">
      <ul className="mt-3 flex max-w-[68ch] list-disc flex-col gap-2 pl-5 text-sm">
        {past.toReversed().map((each) => (
          <li key={each.month} className="[overflow-wrap:anywhere]">
            {monthWords(each)}
            {onSave && (
              <>
                {' '}
                {/* In the line like a link: a button's height would push the lines apart. */}
                <button
                  type="button"
                  className="link print:hidden"
                  {...enabledWhenReady()}
                  onClick={() => setOpen(each)}
                >
                  {each.actual === null ? 'Enter what happened' : 'Change the figures'}
                  <span className="sr-only"> of {monthText(each.month)}</span>
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {onSave && open && part && (
        <part.CorrectDialog month={open} onSave={onSave} onClose={close} />
      )}
    </Section>
  );
}

interface SwitchProps {
  view: PastView;
  onView: (view: PastView) => void;
}

/** Chooses what the months that are over show. */
export const PastSwitch = ({ view, onView }: SwitchProps) => (
  <fieldset className="flex flex-wrap items-center gap-2 text-sm print:hidden">
    <legend className="float-left mr-2 text-muted">Months that are over:</legend>
    {PAST_VIEWS.map((each) => (
      <Button
        key={each}
        size="small"
        variant={each === view ? 'primary' : 'secondary'}
        needsScript
        aria-pressed={each === view}
        onClick={() => onView(each)}
      >
        {VIEW_LABELS[each]}
      </Button>
    ))}
  </fieldset>
);

import type { PastMonth } from '#domain/forecast.ts';
import { PAST_VIEWS, type PastView } from '#domain/forecast-past.ts';
import { Button } from '#ui/Button.tsx';
import { Section } from '#ui/Section.tsx';
import { monthWords, VIEW_LABELS } from './past-words.ts';

/** The months that are over, newest first, each in a sentence or two. */
export function PastMonths({ past }: { past: readonly PastMonth[] }) {
  if (past.length === 0) return null;
  return (
    <Section id="past" title="Months that are over">
      <ul className="mt-3 flex max-w-[68ch] list-disc flex-col gap-2 pl-5 text-sm">
        {past.toReversed().map((each) => (
          <li key={each.month} className="[overflow-wrap:anywhere]">
            {monthWords(each)}
          </li>
        ))}
      </ul>
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

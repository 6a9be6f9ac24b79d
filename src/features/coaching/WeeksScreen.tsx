import type { CoachToday } from '#data/coach-today.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { SparkFigure } from '#ui/charts/SparkFigure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';

const FIGURES = [
  { name: 'sessions', label: 'Sessions held' },
  { name: 'clients', label: 'Clients you met' },
  { name: 'messages', label: 'Messages you wrote' },
] as const;

/** "1 the week before, 14 in 12 weeks" */
const wordsOf = (weeks: readonly number[]): string =>
  `${wholeText(weeks.at(-2) ?? 0)} the week before, ${wholeText(weeks.reduce((sum, week) => sum + week, 0))} in 12 weeks`;

/**
 * What a coach did in the last 7 days, with the 12 weeks before as lines; nothing if there's nothing
 * in any of them. Rendered on the server only; it needs no scripts.
 */
function WeeksScreen({ weeks }: Pick<CoachToday, 'weeks'>) {
  if (FIGURES.every(({ name }) => weeks[name].every((count) => count === 0))) return null;
  return (
    <Section id="weeks" title="Your last 7 days" className="mt-8">
      <dl className="mt-4 grid gap-4 sm:grid-cols-3">
        {FIGURES.map(({ name, label }) => (
          <SparkFigure
            key={name}
            label={label}
            figure={wholeText(weeks[name].at(-1) ?? 0)}
            weeks={weeks[name]}
          >
            {wordsOf(weeks[name])}
          </SparkFigure>
        ))}
      </dl>
    </Section>
  );
}

export default screen(WeeksScreen);

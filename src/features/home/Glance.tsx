import type { Dashboard } from '#data/dashboard.ts';
import type { Standing } from '#data/skills.ts';
import { type AreaTrend, areaTrends } from '#domain/trend.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { Sparkline } from '#ui/charts/Sparkline.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';

interface GlanceProps extends Pick<Dashboard, 'latest' | 'trend'> {
  timeZone: string;
}

/** Skills at a glance, as a flower and a table, with how they changed from quiz to quiz. */
export function Glance({ latest, trend, timeZone }: GlanceProps) {
  return (
    <section aria-labelledby="skills">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <h2 id="skills" className="text-xl">
          Skills at a glance
        </h2>
        {latest && (
          <a className="link text-sm" href={hrefFor('/dashboard/skills')}>
            All your results
          </a>
        )}
      </div>
      {latest ? (
        <Result latest={latest} trend={trend} timeZone={timeZone} />
      ) : (
        <EmptyState title="Eight petals will grow here">
          One for each skill, as long as its score. Take the full quiz, or the eight-question first
          look, to see yours.
        </EmptyState>
      )}
    </section>
  );
}

/** It labels the result of a first look as one. */
function Result({ latest, trend, timeZone }: GlanceProps & { latest: Standing }) {
  const first = latest.attempt.kind === 'first_look';
  const compared = trend.length > 1 ? trendsOf(trend) : null;
  const trends = compared?.since ? compared : null;
  return (
    <div className="card grid items-center gap-6 p-5 sm:p-6 lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
      <Bloom petals={latest.areas} className="mx-auto w-full max-w-80" />
      <div className="flex min-w-0 flex-col gap-3">
        {first && <p className="eyebrow">First look</p>}
        <BloomTable
          petals={latest.areas}
          caption={first ? 'First look at your eight skills' : 'Your eight skills'}
          {...(trends && {
            extra: {
              title: 'Over time',
              of: (key) => <Trend of={trends.byArea.get(key)} range={trends.range} />,
            },
          })}
        />
        <p className="text-xs text-muted">
          From {dayText(latest.attempt.submitted_at, timeZone)}.
          {trends?.since && (
            <>
              {' '}
              The lines start on {dayText(trends.since.submitted_at, timeZone)}, the first full quiz
              with the same questions.
            </>
          )}
          {first && ' One question per skill is only a sketch; the full quiz asks four.'}
        </p>
      </div>
    </div>
  );
}

/** The areas' scores over time, and the range that all of their lines share. */
function trendsOf(trend: Dashboard['trend']) {
  const areas = areaTrends(trend);
  const scores = areas.flatMap((of) => comparable(of).flatMap(({ score }) => score ?? []));
  const oldest = Math.max(...areas.map((of) => comparable(of).length));
  return {
    /** The first quiz that any of the lines starts with; none if there's nothing to compare. */
    since: oldest > 1 ? trend.at(-oldest) : undefined,
    byArea: new Map(areas.map((of) => [of.key, of])),
    range: [Math.min(...scores), Math.max(...scores)] as const,
  };
}

/** An area's latest scores that answer the same questions. */
const comparable = ({ values }: AreaTrend) =>
  values.slice(
    Math.max(
      0,
      values.findLastIndex(({ joined }) => !joined),
    ),
  );

interface TrendProps {
  of: AreaTrend | undefined;
  range: readonly [low: number, high: number];
}

/** Scores over time as a line, and for screen readers as numbers. */
function Trend({ of, range }: TrendProps) {
  if (!of) return null;
  // Older scores, for other questions, would be dots before the line that nothing can be read from.
  const same = comparable(of);
  const scores = same.map(({ score }) => score);
  return (
    <>
      <Sparkline values={scores} range={range} />
      <span className="sr-only">{scores.map(scoreText).join(', then ')}</span>
    </>
  );
}

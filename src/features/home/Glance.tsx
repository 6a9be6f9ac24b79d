import type { Dashboard } from '#data/dashboard.ts';
import type { Standing } from '#data/skills.ts';
import { type AreaTrend, areaTrends } from '#domain/trend.ts';
import { dayText, shortDayText } from '#lib/locale/dates.ts';
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
  const since = trend.at(0);
  const trends = trend.length > 1 ? trendsOf(trend) : null;
  return (
    <div className="card grid items-center gap-6 p-5 sm:p-6 md:grid-cols-[minmax(0,15rem)_minmax(0,1fr)] lg:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]">
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
          {trends && since && (
            <>
              {' '}
              The lines show your {trend.length} full quizzes since{' '}
              {shortDayText(since.submitted_at, timeZone)}; a line ends where the questions changed.
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
  const scores = areas.flatMap(({ values }) => values.flatMap(({ score }) => score ?? []));
  return {
    byArea: new Map(areas.map((of) => [of.key, of])),
    range: [Math.min(...scores), Math.max(...scores)] as const,
  };
}

interface TrendProps {
  of: AreaTrend | undefined;
  range: readonly [low: number, high: number];
}

/** Scores over time as a line, and for screen readers as numbers. */
function Trend({ of, range }: TrendProps) {
  if (!of) return null;
  const scores = of.values.map(({ score }) => score);
  return (
    <>
      <Sparkline values={scores} joined={of.values.map(({ joined }) => joined)} range={range} />
      <span className="sr-only">{scores.map(scoreText).join(', then ')}</span>
    </>
  );
}

import { Fragment } from 'react';
import type { Benchmark, Standing } from '#data/skills.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { scoreText } from '#ui/charts/levels.ts';
import { Section } from '#ui/Section.tsx';

interface BenchmarkProps {
  benchmark: Benchmark;
  /** The current business. */
  businessId: string;
  latest: Standing;
  timeZone: string;
}

/** Quartiles of the scores in the same industry and stage; needs at least 20 businesses. */
export function BenchmarkSection(props: BenchmarkProps) {
  const { benchmark, businessId, latest, timeZone } = props;
  return (
    <Section
      id="benchmark"
      title="Compared with businesses like yours"
      titleClass=""
      className="card p-5 md:p-8"
    >
      {benchmark.areas.length === 0 ? (
        <NoBenchmark benchmark={benchmark} businessId={businessId} />
      ) : (
        <>
          <Explanation benchmark={benchmark} timeZone={timeZone} />
          <BenchmarkTable benchmark={benchmark} latest={latest} />
        </>
      )}
    </Section>
  );
}

interface NoBenchmarkProps {
  benchmark: Benchmark;
  businessId: string;
}

function NoBenchmark({ benchmark, businessId }: NoBenchmarkProps) {
  const { industry, stage, is_current } = benchmark;
  if (!is_current) {
    return (
      <p className="mt-2 max-w-[60ch] text-muted">
        The quiz has a new version since your last result, and scores from two versions don’t mean
        the same. Take it again to compare yourself with others.
      </p>
    );
  }
  return (
    <p className="mt-2 max-w-[60ch] text-muted">
      {industry && stage ? (
        <>
          Fewer than 20 businesses in “{industry}, {stage.toLowerCase()}” have taken the full quiz.
          We show nothing below that number, so no one can be identified.
        </>
      ) : (
        <>
          Add your {industry ? 'stage' : stage ? 'industry' : 'industry and stage'}, and we’ll
          compare you with similar businesses once there are 20 of them.{' '}
          <a className="link" href={hrefFor('/dashboard/businesses/[id]/edit', { id: businessId })}>
            Edit your business
          </a>
        </>
      )}
    </p>
  );
}

function Explanation({ benchmark, timeZone }: { benchmark: Benchmark; timeZone: string }) {
  const { industry, stage, computed_at } = benchmark;
  return (
    <p className="mt-2 max-w-[64ch] text-sm text-muted">
      {industry}, {stage?.toLowerCase()}: at least 20 businesses, the latest full quiz from each
      {computed_at && `, as of ${dayText(computed_at, timeZone)}`}. The bar is the middle half of
      the scores, the line in it is the median, and the dot is you.
    </p>
  );
}

function BenchmarkTable({ benchmark, latest }: { benchmark: Benchmark; latest: Standing }) {
  return (
    <table className="rows mt-4 w-full text-left text-sm">
      <caption className="sr-only">Your scores compared with businesses like yours</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="pb-2 font-medium">
            Skill
          </th>
          <th scope="col" className="pb-2 pl-4 font-medium max-sm:hidden">
            <span className="sr-only">Chart</span>
          </th>
          {['You', 'Median', 'Middle half'].map((title) => (
            <th key={title} scope="col" className="pb-2 pl-3 text-right font-medium">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {benchmark.areas.map((row) => {
          const own = latest.areas.find(({ key }) => key === row.area_key);
          const overall = row.area_key === 'overall';
          const score = overall ? latest.attempt.overall_score : (own?.score ?? null);
          return (
            <Fragment key={row.area_key}>
              <tr className="max-sm:*:pb-0">
                <th scope="row" className={overall ? 'font-semibold' : 'font-normal'}>
                  {overall ? 'Overall' : (own?.label ?? row.area_key)}
                </th>
                <td className="w-2/5 pl-4 max-sm:hidden" aria-hidden="true">
                  <Place {...row} score={score} />
                </td>
                <td className="pl-3 text-right font-semibold figures">{scoreText(score)}</td>
                <td className="pl-3 text-right figures">{row.middle}</td>
                <td className="pl-3 text-right whitespace-nowrap text-muted figures">
                  {row.lower}–{row.upper}
                </td>
              </tr>
              {/* On a phone there's no room for the chart beside the numbers, so it's below them. */}
              <tr className="sm:hidden">
                <td colSpan={4} className="border-t-0 pt-1" aria-hidden="true">
                  <Place {...row} score={score} />
                </td>
              </tr>
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

interface PlaceProps {
  lower: number;
  middle: number;
  upper: number;
  score: number | null;
}

/** Where a score falls among the others, on a line from 0 to 100. */
function Place({ lower, middle, upper, score }: PlaceProps) {
  return (
    <svg viewBox="0 0 212 20" className="block w-full" aria-hidden="true">
      <rect x="6" y="8.5" width="200" height="3" rx="1.5" className="fill-petal" />
      <rect
        x={6 + 2 * lower}
        y="5"
        width={Math.max(2, 2 * (upper - lower))}
        height="10"
        rx="3"
        className="fill-leaf-light"
      />
      <path d={`M${6 + 2 * middle} 3v14`} className="stroke-ink" strokeWidth="2" />
      {score !== null && (
        <circle
          cx={Math.round((6 + 2 * score) * 10) / 10}
          cy="10"
          r="4.5"
          className="fill-ink stroke-surface"
          strokeWidth="2"
        />
      )}
    </svg>
  );
}

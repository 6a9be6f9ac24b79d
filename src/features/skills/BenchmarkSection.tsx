import { Fragment, type ReactNode } from 'react';
import type { Benchmark, Standing } from '#data/skills.ts';
import { dayText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { scoreText } from '#ui/charts/levels.ts';
import { Section } from '#ui/Section.tsx';
import { benchmarkSentence } from './benchmark.ts';

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
          <p className="mt-3 max-w-[44ch] font-display text-lg leading-snug font-heading">
            {benchmarkSentence(benchmark.areas, latest.areas)}
          </p>
          <BenchmarkTable benchmark={benchmark} latest={latest} />
          <Explanation benchmark={benchmark} timeZone={timeZone} />
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
    <div className="mt-4 max-w-[64ch] text-xs text-muted">
      <ul className="flex flex-wrap items-center gap-x-6 gap-y-1" aria-label="What the chart shows">
        <Key shape={<rect y="5" width="24" height="10" rx="3" className="fill-leaf-light" />}>
          half of the businesses
        </Key>
        <Key shape={<path d="M12 3v14" className="stroke-ink" strokeWidth="2" />}>
          the middle score
        </Key>
        <Key shape={<circle cx="12" cy="10" r="4.5" className="fill-ink" />}>you</Key>
      </ul>
      <p className="mt-2">
        At least 20 businesses in “{industry}, {stage?.toLowerCase()}”, with the latest full quiz of
        each{computed_at && `, as of ${dayText(computed_at, timeZone)}`}.
      </p>
    </div>
  );
}

/** An entry of the key: the shape as it's drawn in the chart, 24 × 20, and what it stands for. */
const Key = ({ shape, children }: { shape: ReactNode; children: ReactNode }) => (
  <li className="flex items-center gap-2">
    <svg viewBox="0 0 24 20" className="h-4 w-5" aria-hidden="true">
      {shape}
    </svg>
    {children}
  </li>
);

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
            <Scale />
          </th>
          {['You', 'Middle', 'Half are at'].map((title) => (
            <th
              key={title}
              scope="col"
              className="pb-2 pl-3 text-right align-bottom font-medium whitespace-nowrap"
            >
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

/** 0, 50 and 100 above the chart's line, which starts and ends 6 of 212 from the edges. */
const Scale = () => (
  <span className="flex justify-between px-[2.83%]" aria-hidden="true">
    {[0, 50, 100].map((score) => (
      <span key={score} className="flex w-0 justify-center">
        {score}
      </span>
    ))}
  </span>
);

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

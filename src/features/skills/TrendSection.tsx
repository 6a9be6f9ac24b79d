import type { StandingArea, TrendPoint } from '#data/skills.ts';
import { areaTrends, overallLines } from '#domain/trend.ts';
import { shortDayText } from '#lib/locale/dates.ts';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { scoreText } from '#ui/charts/levels.ts';

interface TrendProps {
  trend: TrendPoint[];
  areas: StandingArea[];
  timeZone: string;
}

/** The most attempts the table has columns for. */
const COLUMNS = 6;

// Newest first, because on a phone the others are only reached by scrolling sideways.
const columnsOf = <T,>(values: readonly T[]) => values.slice(-COLUMNS).toReversed();

/** Full quizzes over time: the overall score as a line chart, and every area in numbers. */
export function TrendSection({ trend, areas, timeZone }: TrendProps) {
  if (trend.length < 2) return null;
  const lines = overallLines(trend);
  return (
    <section aria-labelledby="trend" className="card p-5 md:p-8">
      <h2 id="trend">Over time</h2>
      <p className="mt-1 mb-5 max-w-[60ch] text-sm text-muted">
        The overall score from each full quiz.
        {lines.length > 1 && ' Where the questions changed, a new line starts.'} First looks aren’t
        included. In the table, the newest comes first.
      </p>
      <LineChart
        levels
        labels={trend.map(({ submitted_at }) => shortDayText(submitted_at, timeZone))}
        times={trend.map(({ submitted_at }) => Date.parse(submitted_at))}
        series={lines.map((values, index) => ({
          name: nameOf(index, lines.length),
          values,
        }))}
      />
      <section
        className="mt-6 overflow-x-auto"
        aria-label="Every area over time, scrolls sideways"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling by keyboard needs the focus
        tabIndex={0}
      >
        <TrendTable trend={trend} areas={areas} timeZone={timeZone} />
      </section>
    </section>
  );
}

/** What a line is of, if there are several because the questions changed. */
function nameOf(index: number, count: number): string {
  if (count === 1) return 'Overall';
  if (index === count - 1) return 'Today’s questions';
  return count === 2 ? 'Earlier questions' : `Earlier questions, set ${index + 1}`;
}

function TrendTable({ trend, areas, timeZone }: TrendProps) {
  const attempts = columnsOf(trend);
  return (
    <table className="rows w-full text-left text-sm">
      <caption className="sr-only">Scores by area and date, newest first</caption>
      <thead className="text-xs text-muted">
        <tr>
          <th scope="col" className="pb-2 align-bottom font-medium">
            Skill
          </th>
          {attempts.map(({ id, submitted_at }) => (
            <th
              key={id}
              scope="col"
              className="pb-2 pl-3 text-right align-bottom font-medium sm:pl-4 sm:whitespace-nowrap"
            >
              {/* On a phone, the year goes below the day, but the day stays whole. */}
              {shortDayText(submitted_at, timeZone).replace(' ', '\u00a0')}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {areaTrends(trend).map((each) => (
          <tr key={each.key}>
            <th scope="row" className="font-normal">
              {areas.find(({ key }) => key === each.key)?.label ?? each.key}
            </th>
            {columnsOf(each.values).map(({ id, score }) => (
              <ScoreCell key={id} score={score} />
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row" className="font-semibold">
            Overall
          </th>
          {attempts.map(({ id, overall_score }) => (
            <ScoreCell key={id} score={overall_score} />
          ))}
        </tr>
      </tbody>
    </table>
  );
}

const ScoreCell = ({ score }: { score: number | null }) => (
  <td className="pl-3 text-right text-muted figures sm:pl-4 nth-2:font-semibold nth-2:text-ink">
    {scoreText(score)}
  </td>
);

import type { StandingArea, TrendPoint } from '#data/skills.ts';
import { shortDayText } from '#lib/dates.ts';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { scoreText } from '#ui/charts/levels.ts';
import { type AreaTrend, areaTrends, overallLines } from './trend.ts';

interface TrendProps {
  trend: TrendPoint[];
  areas: StandingArea[];
  timeZone: string;
}

/** How many attempts stand side by side in the table. */
const COLUMNS = 6;

/** Full quizzes over time: the overall number as a line, and every area in numbers. */
export function TrendSection({ trend, areas, timeZone }: TrendProps) {
  if (trend.length < 2) return null;
  const lines = overallLines(trend);
  const labels = trend.map(({ submitted_at }) => shortDayText(submitted_at, timeZone));
  // The newest first: on a phone the others are a push to the side away.
  const shown = trend.slice(-COLUMNS).toReversed();
  const trends = areaTrends(trend);
  return (
    <section aria-labelledby="trend" className="card p-5 md:p-8">
      <h2 id="trend">Over time</h2>
      <p className="mt-1 mb-5 max-w-[60ch] text-sm text-muted">
        The overall number of each full quiz
        {lines.length > 1 && '; a line ends where the quiz began to ask something else'}. First
        looks are not part of it.
      </p>
      <LineChart
        levels
        labels={labels}
        times={trend.map(({ submitted_at }) => Date.parse(submitted_at))}
        series={lines.map((values, index) => ({
          name: lines.length === 1 ? 'Overall' : `Questions of time ${index + 1}`,
          values,
        }))}
      />
      <section
        className="mt-6 overflow-x-auto"
        aria-label="Every area over time, scrolls sideways"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by keyboard
        tabIndex={0}
      >
        <table className="rows w-full text-left text-sm">
          <caption className="sr-only">Scores by area and date, newest first</caption>
          <thead className="text-xs text-muted">
            <tr>
              <th scope="col" className="pb-2 align-bottom font-medium">
                Skill
              </th>
              <th scope="col" className="hidden pb-2 pl-4 font-medium sm:table-cell">
                <span className="sr-only">As a line</span>
              </th>
              {shown.map(({ id, submitted_at }) => (
                <th
                  key={id}
                  scope="col"
                  className="pb-2 pl-3 text-right align-bottom font-medium sm:pl-4 sm:whitespace-nowrap"
                >
                  {shortDayText(submitted_at, timeZone)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {trends.map((each) => (
              <tr key={each.key}>
                <th scope="row" className="font-normal">
                  {areas.find(({ key }) => key === each.key)?.label ?? each.key}
                </th>
                <td className="hidden pl-4 sm:table-cell" aria-hidden="true">
                  <SmallLine trend={each} />
                </td>
                {each.values
                  .slice(-COLUMNS)
                  .toReversed()
                  .map(({ id, score }) => (
                    <td
                      key={id}
                      className="pl-3 text-right text-muted figures sm:pl-4 nth-3:font-semibold nth-3:text-ink"
                    >
                      {scoreText(score)}
                    </td>
                  ))}
              </tr>
            ))}
            <tr>
              <th scope="row" className="font-semibold">
                Overall
              </th>
              <td className="hidden sm:table-cell" />
              {shown.map(({ id, overall_score }) => (
                <td
                  key={id}
                  className="pl-3 text-right text-muted figures sm:pl-4 nth-3:font-semibold nth-3:text-ink"
                >
                  {scoreText(overall_score)}
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </section>
    </section>
  );
}

/** One area as a line, broken where its questions changed; the numbers stand beside it. */
function SmallLine({ trend }: { trend: AreaTrend }) {
  const wide = Math.max(1, trend.values.length - 1);
  const x = (index: number) => Math.round((2 + (76 * index) / wide) * 10) / 10;
  const y = (score: number) => Math.round((26 - 0.24 * score) * 10) / 10;
  let path = '';
  for (const [index, { score, joined }] of trend.values.entries()) {
    if (score === null) continue;
    const before = trend.values[index - 1]?.score ?? null;
    path += `${joined && before !== null ? 'L' : 'M'}${x(index)} ${y(score)}${joined && before !== null ? '' : 'h0'}`;
  }
  const last = trend.values.at(-1)?.score ?? null;
  return (
    <svg viewBox="0 0 80 28" className="h-7 w-20" fill="none" aria-hidden="true">
      <path d="M0 26h80" className="stroke-line" />
      <path
        d={path}
        className="stroke-leaf-deep"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      {last !== null && <circle cx={x(wide)} cy={y(last)} r="2.6" className="fill-leaf-deep" />}
    </svg>
  );
}

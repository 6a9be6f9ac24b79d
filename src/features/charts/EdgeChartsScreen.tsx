import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { LiveBoxChart } from '#ui/charts/live/LiveBoxChart.tsx';
import { LiveColumnChart } from '#ui/charts/live/LiveColumnChart.tsx';
import { LiveHistogram } from '#ui/charts/live/LiveHistogram.tsx';
import { LiveLineChart } from '#ui/charts/live/LiveLineChart.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { CHART_GRID } from './chart-grid.ts';
import { edges } from './edge-samples.ts';

/** The edge cases of line and column charts, and of those that show other people. */
function EdgeChartsScreen() {
  return (
    <section aria-labelledby="edges">
      <h2 id="edges">Edge cases</h2>
      <div className={CHART_GRID}>
        {edges.map((edge) => (
          <ChartCard key={edge.title} title={edge.title} numbers={edge}>
            <LiveLineChart {...edge} title={`${edge.title}, as a line`} />
            <LiveColumnChart
              title={`${edge.title}, as columns`}
              labels={edge.labels}
              values={edge.series[0]?.values ?? []}
              unit={edge.unit}
            />
          </ChartCard>
        ))}
        <ChartCard title="A benchmark with too few businesses">
          <LiveBoxChart title="A benchmark with too few businesses" rows={[]} />
        </ChartCard>
        <ChartCard title="A distribution with no values">
          <LiveHistogram title="A distribution with no values" many="businesses" bins={[]} />
        </ChartCard>
      </div>
    </section>
  );
}

export default screen(EdgeChartsScreen);

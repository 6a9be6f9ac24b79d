import { Bars } from '#ui/charts/Bars.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { boxSeries } from '#ui/charts/BoxChart.tsx';
import { binText } from '#ui/charts/bins.ts';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { LiveBloom } from '#ui/charts/live/LiveBloom.tsx';
import { LiveBoxChart } from '#ui/charts/live/LiveBoxChart.tsx';
import { LiveHistogram } from '#ui/charts/live/LiveHistogram.tsx';
import { LiveLineChart } from '#ui/charts/live/LiveLineChart.tsx';
import { Ordered } from '#ui/charts/Ordered.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { CHART_GRID } from './chart-grid.ts';
import {
  attempts,
  benchmark,
  confidence,
  earlier,
  OWN,
  peerBins,
  petals,
} from './skill-samples.ts';

/** The charts of skills with sample data: server-rendered, usable by pointer and keyboard. */
function SkillChartsScreen() {
  return (
    <section aria-labelledby="skills">
      <h2 id="skills">Skills</h2>
      <div className={CHART_GRID}>
        <ChartCard title="Eight skills" note="Bloom: results, dashboard, home page.">
          <LiveBloom title="Eight skills" petals={petals} earlier={earlier} />
          <BloomTable petals={petals} earlier={earlier} caption="Eight skills" />
        </ChartCard>
        <ChartCard title="Scores and confidence" note="Bars: results.">
          <Ordered
            rows={petals.map((petal, index) => ({ ...petal, mark: confidence[index] ?? null }))}
            by={({ score }) => score}
          >
            {(bars) => <Bars bars={bars} label="Scores" markLabel="Confidence" />}
          </Ordered>
        </ChartCard>
        <ChartCard title="Skills over time" note="Level line: skills." numbers={attempts}>
          <LiveLineChart title="Skills over time" {...attempts} levels />
        </ChartCard>
        <ChartCard
          title="Skills among other businesses"
          note="Box chart: the benchmark, once there are 20 businesses."
          numbers={{ labels: benchmark.map(({ label }) => label), series: boxSeries(benchmark) }}
        >
          <LiveBoxChart title="Skills among other businesses" rows={benchmark} domain={[0, 100]} />
        </ChartCard>
        <ChartCard
          title="Overall scores of 30 businesses"
          note="Histogram: the benchmark and survey results. The line marks your score, 52."
          numbers={{
            labels: peerBins.map((bin) => binText(bin)),
            series: [{ name: 'Businesses', values: peerBins.map(({ count }) => count) }],
          }}
        >
          <LiveHistogram
            title="Overall scores of 30 businesses"
            many="businesses"
            bins={peerBins}
            own={OWN}
          />
        </ChartCard>
      </div>
    </section>
  );
}

export default screen(SkillChartsScreen);

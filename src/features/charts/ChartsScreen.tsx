/** Every chart in the product with sample data: server-rendered, usable by pointer and keyboard. */

import type { ReactNode } from 'react';
import { Bars } from '#ui/charts/Bars.tsx';
import { BarTable } from '#ui/charts/BarTable.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import { boxSeries } from '#ui/charts/BoxChart.tsx';
import { binText } from '#ui/charts/bins.ts';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import {
  LiveBloom,
  LiveBoxChart,
  LiveColumnChart,
  LiveHistogram,
  LiveLineChart,
  LiveStackChart,
} from '#ui/charts/live.tsx';
import { Ordered } from '#ui/charts/Ordered.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import {
  answers,
  attempts,
  benchmark,
  cash,
  channels,
  confidence,
  earlier,
  edges,
  hours,
  OWN,
  peerBins,
  petals,
  profit,
  revenue,
} from './samples.ts';

interface ChartsProps {
  /** A table that needs no scripts, rendered on the server. */
  snapshots?: ReactNode;
}

const grid = 'mt-5 grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-[repeat(2,minmax(0,1fr))]';

function Skills() {
  return (
    <section aria-labelledby="skills">
      <h2 id="skills">Skills</h2>
      <div className={grid}>
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

function Money({ snapshots }: ChartsProps) {
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Business figures</h2>
      <div className={grid}>
        <ChartCard
          title="Cash at the end of each month"
          note="Lines: articles, the toolbox."
          numbers={{ ...cash, unit: '$' }}
        >
          <LiveLineChart title="Cash at the end of each month" {...cash} unit="$" />
        </ChartCard>
        <ChartCard
          title="Monthly profit"
          note="Columns: figures above or below zero."
          numbers={{
            labels: profit.labels,
            series: [{ name: 'Profit', values: profit.values }],
            unit: '$',
          }}
        >
          <LiveColumnChart title="Monthly profit" {...profit} unit="$" />
        </ChartCard>
        <ChartCard
          title="Annual revenue"
          note="Area: a business’s snapshots."
          numbers={{ ...revenue, unit: '$' }}
        >
          <LiveLineChart title="Annual revenue" {...revenue} unit="$" filled />
        </ChartCard>
        <ChartCard title="Snapshots" note="Sparklines: a business’s snapshots at a glance.">
          {snapshots}
        </ChartCard>
        <ChartCard title="Left per hour of work" note="Bar table: articles, admin lists.">
          <Ordered rows={hours} by={({ value }) => value}>
            {(rows) => <BarTable rows={rows} caption="Left per hour of work" unit="$" />}
          </Ordered>
        </ChartCard>
        <ChartCard
          title="Where sales come from"
          note="Stack: articles."
          numbers={{ ...channels, unit: '$' }}
        >
          <LiveStackChart title="Where sales come from" {...channels} unit="$" />
        </ChartCard>
        <ChartCard
          title="Answers to a survey"
          note="Stack of shares: the engagement survey."
          numbers={answers}
        >
          <LiveStackChart title="Answers to a survey" {...answers} shares />
        </ChartCard>
      </div>
    </section>
  );
}

function Edges() {
  return (
    <section aria-labelledby="edges">
      <h2 id="edges">Edge cases</h2>
      <div className={grid}>
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

function ChartsScreen({ snapshots }: ChartsProps) {
  return (
    <div className="flex flex-col gap-14">
      <Skills />
      <Money snapshots={snapshots} />
      <Edges />
    </div>
  );
}

export default screen(ChartsScreen);

import type { ReactNode } from 'react';
import { BarTable } from '#ui/charts/BarTable.tsx';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { LiveColumnChart } from '#ui/charts/live/LiveColumnChart.tsx';
import { LiveLineChart } from '#ui/charts/live/LiveLineChart.tsx';
import { LiveStackChart } from '#ui/charts/live/LiveStackChart.tsx';
import { Ordered } from '#ui/charts/Ordered.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { CHART_GRID } from './chart-grid.ts';
import { answers, cash, channels, hours, profit, revenue } from './figure-samples.ts';

interface FiguresProps {
  /** A table that needs no scripts, rendered on the server. */
  snapshots?: ReactNode;
}

/** The charts of business figures with sample data. */
function FigureChartsScreen({ snapshots }: FiguresProps) {
  return (
    <section aria-labelledby="figures">
      <h2 id="figures">Business figures</h2>
      <div className={CHART_GRID}>
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

export default screen(FigureChartsScreen);

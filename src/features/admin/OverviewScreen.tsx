import type { AdminOverview } from '#data/overview.ts';
import {
  FIGURES,
  type OverviewFilter,
  overviewFilter,
  TASKS,
  VIEW_DAYS,
} from '#domain/overview.ts';
import { shortCalendarDayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { routeName } from '#lib/routing/route-name.ts';
import { hrefIfExists } from '#lib/routing/routes.ts';
import { ChoiceLinks } from '#ui/ChoiceLinks.tsx';
import { ChartCard } from '#ui/charts/ChartCard.tsx';
import { LineChart } from '#ui/charts/LineChart.tsx';
import { SparkFigure } from '#ui/charts/SparkFigure.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';

interface OverviewProps {
  overview: AdminOverview;
  filter: OverviewFilter;
}

const PATH = hrefFor('/admin');

/** What needs doing, and the product in numbers. Rendered on the server only; it needs no scripts. */
function OverviewScreen({ overview, filter }: OverviewProps) {
  return (
    <div data-wide className="flex flex-col gap-10">
      <h1>Overview</h1>
      <Tasks tasks={overview.tasks} />
      <Figures figures={overview.figures} />
      <PageViews views={overview.views} filter={filter} />
    </div>
  );
}

/** A label that links to its list, if there's a page for it. */
function ListLink({ list, children }: { list: string | null; children: string }) {
  const href = list && hrefIfExists(list);
  return href ? (
    <a className="link" href={href}>
      {children}
    </a>
  ) : (
    children
  );
}

function Tasks({ tasks }: Pick<AdminOverview, 'tasks'>) {
  const waiting = TASKS.filter(({ name }) => tasks[name] > 0);
  return (
    <Section id="today" title="To do today" titleClass="text-xl">
      {waiting.length === 0 ? (
        <p className="mt-3 text-muted">Nothing’s waiting for an admin.</p>
      ) : (
        <ul className="mt-4 grid gap-x-6 card px-4 py-2 sm:grid-cols-2 xl:grid-cols-3">
          {waiting.map(({ name, label, list }) => (
            <li key={name} className="flex items-baseline gap-3 py-2">
              <span className="min-w-8 text-right font-display text-xl tabular-nums">
                {wholeText(tasks[name])}
              </span>
              <span className="text-sm">
                <ListLink list={list}>{label}</ListLink>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Figures({ figures }: Pick<AdminOverview, 'figures'>) {
  return (
    <Section id="figures" title="Figures" titleClass="text-xl">
      <dl className="mt-4 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {FIGURES.map(({ name, label, list, each }) => {
          const { total, weeks } = figures[name];
          return (
            <SparkFigure
              key={name}
              label={<ListLink list={list}>{label}</ListLink>}
              figure={wholeText(total)}
              weeks={weeks}
            >
              {wholeText(weeks.at(-1) ?? 0)} {each} in 7 days,{' '}
              {wholeText(weeks.reduce((sum, week) => sum + week, 0))} in 12 weeks
            </SparkFigure>
          );
        })}
      </dl>
    </Section>
  );
}

const RANGES: Record<(typeof VIEW_DAYS)[number], string> = {
  7: '7 days',
  28: '4 weeks',
  90: '90 days',
  365: '1 year',
};

/** As many as are next to the chart. */
const MOST_READ = 10;

function PageViews({ views, filter }: Pick<AdminOverview, 'views'> & { filter: OverviewFilter }) {
  const hrefOf = (change: Partial<OverviewFilter>) =>
    `${PATH}${overviewFilter.write({ ...filter, ...change })}#views`;
  const labels = views.days.map(({ day }) => shortCalendarDayText(day));
  const series = [
    { name: routeName(filter.route), values: views.days.map(({ views: count }) => count) },
  ];
  const shown = series[0]?.values.reduce((sum, count) => sum + count, 0) ?? 0;
  return (
    <Section id="views" title="Page views" titleClass="text-xl">
      <ChoiceLinks
        label="Time range"
        options={VIEW_DAYS.map((days) => ({
          name: RANGES[days],
          href: hrefOf({ days }),
          isChosen: days === filter.days,
        }))}
        className="mt-4"
      />
      <div className="mt-5 grid grid-cols-[minmax(0,1fr)] items-start gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <ChartCard
          title={`${routeName(filter.route)}: ${wholeText(shown)} ${shown === 1 ? 'view' : 'views'}`}
          note="Views a day, in UTC. Nobody is tracked."
          numbers={{ labels, series }}
        >
          <LineChart labels={labels} series={series} filled bare />
        </ChartCard>
        <div className="card p-5">
          <h3>Most read</h3>
          {views.routes.length === 0 ? (
            <p className="mt-2 text-sm text-muted">No page was opened in this time.</p>
          ) : (
            <ol className="mt-3 flex flex-col text-sm">
              {views.routes.slice(0, MOST_READ).map(({ route, views: count }) => (
                <li key={route} className="flex items-baseline justify-between gap-4">
                  <a
                    href={hrefOf({ route })}
                    aria-current={route === filter.route ? 'true' : undefined}
                    className="link inline-flex min-h-8 items-center wrap-anywhere aria-[current]:font-semibold"
                  >
                    {routeName(route)}
                  </a>
                  <span className="tabular-nums">{wholeText(count)}</span>
                </li>
              ))}
            </ol>
          )}
          {filter.route && (
            <p className="mt-3 text-sm">
              <a className="link" href={hrefOf({ route: '' })}>
                Show all pages
              </a>
            </p>
          )}
        </div>
      </div>
    </Section>
  );
}

export default screen(OverviewScreen);

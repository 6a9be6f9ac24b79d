import { useMemo } from 'react';
import type { RecommendedTool, ToolList, ToolSummary } from '#data/toolbox.ts';
import { isNarrowed, kindLabel, levelsLabel, type ToolFilter, toolFilter } from '#domain/tool.ts';
import { dayText } from '#lib/dates.ts';
import { hrefFor } from '#lib/routes.ts';
import { scoreText } from '#ui/charts/levels.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Pager } from '#ui/table/Pager.tsx';
import { MarkButtons, useMarks } from './MarkButtons.tsx';
import type { MarksStore } from './marks-store.ts';
import { ToolFilters } from './ToolFilters.tsx';

interface ToolboxProps {
  list: ToolList;
  filter: ToolFilter;
  /** The current business, whose copies are shown. */
  businessName: string | null;
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** The toolbox: what fits the weak areas, what is being filled in, and everything to search in. */
function ToolboxScreen({ list, filter, businessName, timeZone }: ToolboxProps) {
  const all = useMemo(() => [...list.items, ...list.recommended], [list]);
  const store = useMarks(all);
  const areaName = (key: string) => list.areas.find((area) => area.key === key)?.name ?? null;
  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1>Toolbox</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Templates, worksheets and lists, each written to be filled in at one sitting with your own
          figures.
        </p>
      </header>
      {list.recommended.length > 0 && (
        <section aria-labelledby="recommended">
          <h2 id="recommended" className="text-lg">
            For what your results name
          </h2>
          <ul className="mt-3 grid gap-4 lg:grid-cols-3">
            {list.recommended.map((tool) => (
              <Recommended
                key={tool.slug}
                tool={tool}
                areaName={areaName(tool.area_key)}
                store={store}
              />
            ))}
          </ul>
        </section>
      )}
      <Copies list={list} businessName={businessName} timeZone={timeZone} />
      <section aria-labelledby="all" className="flex flex-col gap-5">
        <h2 id="all" className="text-lg">
          {isNarrowed(filter) ? 'What fits' : 'Everything'}
        </h2>
        <ToolFilters list={list} filter={filter} />
        <p role="status" className="text-sm text-muted">
          {countText(list)}
        </p>
        {list.items.length === 0 ? (
          <NothingFits filter={filter} />
        ) : (
          <ul className="grid gap-4 md:grid-cols-2">
            {list.items.map((tool) => (
              <Entry key={tool.slug} tool={tool} areaName={areaName(tool.area_key)} store={store} />
            ))}
          </ul>
        )}
        <Pager
          previous={list.page > 1 ? hrefOf({ ...filter, page: list.page - 1 }) : null}
          next={list.more ? hrefOf({ ...filter, page: list.page + 1 }) : null}
        >
          Page {list.page}
        </Pager>
      </section>
    </div>
  );
}

const hrefOf = (filter: ToolFilter) => hrefFor('/dashboard/toolbox') + toolFilter.write(filter);

function countText({ total, counted_to }: ToolList): string {
  if (total >= counted_to) return `More than ${counted_to.toLocaleString('en-US')} tools`;
  return `${total} ${total === 1 ? 'tool' : 'tools'}`;
}

function NothingFits({ filter }: { filter: ToolFilter }) {
  const all = (
    <a className="link" href={hrefFor('/dashboard/toolbox')}>
      See all tools
    </a>
  );
  if (filter.mark === 'saved' && !filter.query) {
    return (
      <EmptyState title="Nothing is saved yet">
        Press “Save” on a tool to find it here again. {all}
      </EmptyState>
    );
  }
  if (filter.mark === 'done' && !filter.query) {
    return (
      <EmptyState title="Nothing is done yet">
        Mark a tool as done when you have worked through it, and it stands here. {all}
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No tool fits all of that">
      Take a word or a filter away, or begin again. {all}
    </EmptyState>
  );
}

interface EntryProps {
  tool: ToolSummary;
  areaName: string | null;
  store: MarksStore;
}

const card =
  'card relative flex scroll-mt-24 flex-col gap-1.5 p-5 target:border-primary hover:border-edge';

/** The whole card is the link's to press; the buttons lie above it. */
function ToolLink({ tool }: { tool: ToolSummary }) {
  return (
    <a
      className="hover:underline before:absolute before:inset-0 before:rounded-card focus-visible:outline-none focus-visible:before:outline-[2.5px] focus-visible:before:outline-focus"
      href={`${hrefFor('/dashboard/toolbox')}?item=${tool.slug}`}
    >
      {tool.title}
    </a>
  );
}

function Entry({ tool, areaName, store }: EntryProps) {
  return (
    <li id={tool.slug} className={card}>
      <p className="text-xs text-muted">
        {areaName} · {kindLabel(tool)}
      </p>
      <h3 className="text-base leading-snug">
        <ToolLink tool={tool} />
      </h3>
      <p className="text-sm text-muted">{tool.summary}</p>
      <p className="text-xs text-muted">
        {levelsLabel(tool.levels)} · {tool.format}
      </p>
      <MarkButtons store={store} slug={tool.slug} title={tool.title} className="mt-auto pt-3" />
    </li>
  );
}

function Recommended({ tool, areaName, store }: EntryProps & { tool: RecommendedTool }) {
  return (
    <li className={card}>
      <p className="eyebrow">{areaName}</p>
      <h3 className="text-base leading-snug">
        <ToolLink tool={tool} />
      </h3>
      <p className="text-sm text-muted">{tool.summary}</p>
      <p className="text-xs text-muted">
        You scored {scoreText(tool.score)} of 100 here · {kindLabel(tool)}
      </p>
      <MarkButtons store={store} slug={tool.slug} title={tool.title} className="mt-auto pt-3" />
    </li>
  );
}

interface CopiesProps {
  list: ToolList;
  businessName: string | null;
  timeZone: string;
}

function Copies({ list, businessName, timeZone }: CopiesProps) {
  if (list.copies.length === 0 || businessName === null) return null;
  return (
    <section aria-labelledby="copies">
      <h2 id="copies" className="text-lg">
        Being filled in for {businessName}
      </h2>
      <ul className="card mt-3 divide-y divide-line">
        {list.copies.map(({ id, title, item_title, updated_at }) => (
          <li key={id} className="relative flex flex-wrap items-baseline gap-x-4 px-5 py-3">
            <a
              className="grow font-semibold hover:underline before:absolute before:inset-0"
              href={`${hrefFor('/dashboard/toolbox')}?copy=${id}`}
            >
              {title}
            </a>
            <span className="text-xs text-muted">
              {item_title !== null && item_title !== title && `${item_title} · `}
              {dayText(updated_at, timeZone)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default screen(ToolboxScreen);

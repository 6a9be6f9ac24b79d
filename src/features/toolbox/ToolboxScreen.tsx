import { useStore } from '@nanostores/react';
import { type ReactNode, useMemo } from 'react';
import type { ToolList, ToolSummary } from '#data/toolbox.ts';
import { isNarrowed, kindLabel, levelsLabel, type ToolFilter, toolFilter } from '#domain/tool.ts';
import { dayText } from '#lib/locale/dates.ts';
import { wholeText } from '#lib/locale/numbers.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { scoreText } from '#ui/charts/levels.ts';
import { classNames } from '#ui/class-names.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import { Section } from '#ui/Section.tsx';
import { Pager } from '#ui/table/Pager.tsx';
import { type Marks, type MarksStore, renderMarks, useMarks } from './MarkButtons.tsx';
import { SkillStrip, ToolFilters } from './ToolFilters.tsx';

interface ToolboxProps {
  list: ToolList;
  filter: ToolFilter;
  /** The name of the current business, whose copies are listed. */
  businessName: string | null;
  /** The reader's IANA time zone. */
  timeZone: string;
}

/** The toolbox: recommended tools, copies in progress, and all tools to search and filter. */
function ToolboxScreen({ list, filter, businessName, timeZone }: ToolboxProps) {
  const all = useMemo(() => [...list.items, ...list.recommended], [list]);
  const store = useMarks(all);
  const marks = useStore(store.$shown);
  return (
    <div className="flex flex-col gap-8">
      <header>
        <h1>Toolbox</h1>
        <p className="mt-2 max-w-[60ch] text-muted">
          Templates, worksheets and checklists you can finish in one sitting with your own numbers.
        </p>
      </header>
      <Recommended list={list} marks={marks} store={store} />
      <Copies list={list} businessName={businessName} timeZone={timeZone} />
      <Section
        id="all"
        title={isNarrowed(filter) ? 'Matching tools' : 'All tools'}
        className="flex flex-col gap-5"
      >
        <SkillStrip list={list} filter={filter} />
        <ToolFilters list={list} filter={filter} />
        <p role="status" className="text-sm text-muted">
          {countText(list)}
        </p>
        {list.items.length === 0 ? (
          <NothingFits filter={filter} />
        ) : (
          <ul className={classNames(rows, 'sm:grid sm:gap-4 md:grid-cols-2')}>
            {list.items.map((tool) => (
              <li key={tool.slug} id={tool.slug} className={card}>
                {entryOf(marks, {
                  tool,
                  store,
                  eyebrow: false,
                  above: filter.area ? kindLabel(tool) : inSkill(list, tool),
                  below: tool.archived
                    ? 'No longer offered'
                    : `${levelsLabel(tool.levels)} · ${tool.format}`,
                  isMinor: !tool.archived,
                })}
              </li>
            ))}
          </ul>
        )}
        <Pager
          previous={list.page > 1 ? hrefOf({ ...filter, page: list.page - 1 }) : null}
          next={list.more ? hrefOf({ ...filter, page: list.page + 1 }) : null}
        >
          Page {list.page}
        </Pager>
      </Section>
    </div>
  );
}

/** "Operations and workflows · Template, 30 minutes", with the skill's short name on a phone. */
function inSkill({ areas }: ToolList, tool: ToolSummary): ReactNode {
  const area = areas.find(({ key }) => key === tool.area_key);
  return (
    <>
      {area && (
        <>
          <span className="sm:hidden">{area.short_name}</span>
          <span className="max-sm:hidden">{area.name}</span>
          {' · '}
        </>
      )}
      {kindLabel(tool)}
    </>
  );
}

const areaName = ({ areas }: ToolList, { area_key }: ToolSummary) =>
  areas.find(({ key }) => key === area_key)?.name ?? null;

interface RecommendedProps {
  list: ToolList;
  marks: Marks;
  store: MarksStore;
}

function Recommended({ list, marks, store }: RecommendedProps) {
  if (list.recommended.length === 0) return null;
  return (
    <Section id="recommended" title="Recommended from your results">
      <ul className={classNames(rows, 'mt-3 sm:grid sm:gap-4 lg:grid-cols-3')}>
        {list.recommended.map((tool) => (
          <li key={tool.slug} className={card}>
            {entryOf(marks, {
              tool,
              store,
              eyebrow: true,
              above: areaName(list, tool) ?? '',
              below: (
                <>
                  You scored {scoreText(tool.score)} out of 100 here
                  <span className="max-sm:hidden"> · </span>
                  <span className="max-sm:block">{kindLabel(tool)}</span>
                </>
              ),
              isMinor: false,
            })}
          </li>
        ))}
      </ul>
    </Section>
  );
}

const hrefOf = (filter: ToolFilter) => hrefFor('/dashboard/toolbox') + toolFilter.write(filter);

function countText({ total, counted_to }: ToolList): string {
  if (total >= counted_to) return `More than ${wholeText(counted_to)} tools`;
  return `${total} ${total === 1 ? 'tool' : 'tools'}`;
}

const NOTHING = {
  saved: ['Nothing saved yet', 'Click “Save” on a tool and you’ll find it here.'],
  done: ['Nothing done yet', 'Mark a tool as done and you’ll find it here.'],
} as const;

function NothingFits({ filter: { mark, query } }: { filter: ToolFilter }) {
  const [title, text] = (!query && (mark === 'saved' || mark === 'done') && NOTHING[mark]) || [
    'No tools match',
    'Try fewer words or filters.',
  ];
  return (
    <EmptyState title={title}>
      {text}{' '}
      <a className="link" href={hrefFor('/dashboard/toolbox')}>
        See all tools
      </a>
    </EmptyState>
  );
}

interface Entry {
  tool: ToolSummary;
  store: MarksStore;
  above: ReactNode;
  /** Whether the line above the title is set apart from it. */
  eyebrow: boolean;
  below: ReactNode;
  /** Whether a phone has no room for `below`; the tool's page says the same. */
  isMinor: boolean;
}

/**
 * A tool as a card, and on a phone as a row of one with the buttons' icons at its end. The whole card is a link, and the buttons sit on top of it. */
const entryOf = (marks: Marks, { tool, store, above, eyebrow, below, isMinor }: Entry) => (
  <>
    <div className="min-w-0 sm:contents">
      <p className={eyebrow ? 'eyebrow' : 'text-xs text-muted'}>{above}</p>
      <h3 className="text-base leading-snug">
        <a
          className="hover:underline before:absolute before:inset-0 before:rounded-card focus-visible:outline-none focus-visible:before:outline-[2.5px] focus-visible:before:outline-focus"
          href={`${hrefFor('/dashboard/toolbox')}?item=${tool.slug}`}
        >
          {tool.title}
        </a>
      </h3>
      <p className="text-sm text-muted max-sm:line-clamp-2">{tool.summary}</p>
      <p className={classNames('text-xs text-muted', isMinor && 'max-sm:hidden')}>{below}</p>
    </div>
    {renderMarks(marks, { store, slug: tool.slug, title: tool.title, isRow: true })}
  </>
);

/** A list of tools is one card on a phone, with a row for each; from 640 px, each is a card. */
const rows = 'max-sm:rounded-card max-sm:border max-sm:border-line max-sm:bg-surface';
const card =
  'card relative flex scroll-mt-24 gap-1.5 max-sm:items-center max-sm:gap-x-2 max-sm:rounded-none max-sm:border-x-0 max-sm:border-b-0 max-sm:bg-transparent max-sm:py-2.5 max-sm:pr-1.5 max-sm:pl-4 max-sm:shadow-none max-sm:first:border-t-0 max-sm:target:bg-primary-soft sm:flex-col sm:p-5 sm:target:border-primary sm:hover:border-edge';

interface CopiesProps {
  list: ToolList;
  businessName: string | null;
  timeZone: string;
}

function Copies({ list, businessName, timeZone }: CopiesProps) {
  if (list.copies.length === 0 || businessName === null) return null;
  return (
    <Section id="copies" title={`In progress for ${businessName}`}>
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
    </Section>
  );
}

export default screen(ToolboxScreen);

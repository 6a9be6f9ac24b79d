import { useMemo } from 'react';
import type { ListChoices } from '#data/admin-lists.ts';
import { createTool, type ListedTool, listAdminTools } from '#data/admin-tools.ts';
import {
  type AdminToolFilter,
  adminToolFilter,
  isOverdue,
  TOOL_KIND_LABELS,
  TOOL_STATE_LABELS,
  TOOL_STATES,
} from '#domain/admin-tools.ts';
import type { ListPage } from '#domain/list.ts';
import { levelsLabel, TOOL_KINDS } from '#domain/tool.ts';
import { db } from '#lib/db.ts';
import { shortCalendarDayText } from '#lib/locale/dates.ts';
import { newId } from '#lib/new-id.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { reportError } from '#stores/session.ts';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { Failure } from '#ui/Failure.tsx';
import { Notice } from '#ui/Notice.tsx';
import { screen } from '#ui/ScreenBoundary.tsx';
import type { DataColumn } from '#ui/table/columns.ts';
import { useAction } from '#ui/use-action.ts';
import { AdminList, useAdminList } from './list/AdminList.tsx';

interface ToolsProps {
  filter: AdminToolFilter;
  page: ListPage<ListedTool> & { choices: ListChoices | null };
  /** The day where the admin is. */
  today: string;
}

const columnsOn = (today: string): DataColumn<ListedTool>[] => [
  {
    id: 'title',
    header: 'Tool',
    isRowHeader: true,
    sort: { ascending: 'title' },
    cell: ({ id, title }) => (
      <a className="link wrap-anywhere" href={hrefFor('/admin/toolbox/[id]', { id })}>
        {title}
      </a>
    ),
    csv: ({ title }) => title,
  },
  {
    id: 'practice',
    header: 'Skill and practice',
    onCard: 'hidden',
    cell: ({ area, practice }) => (
      <>
        {area}
        {practice && <span className="text-xs text-muted max-lg:hidden lg:block">{practice}</span>}
      </>
    ),
    csv: ({ area, practice }) => (practice ? `${area}: ${practice}` : area),
  },
  {
    id: 'kind',
    header: 'Kind',
    onCard: 'bare',
    cell: ({ type, levels }) => (
      <>
        {TOOL_KIND_LABELS[type]}
        <span className="block text-xs text-muted max-md:hidden">{levelsLabel(levels)}</span>
      </>
    ),
    csv: ({ type, levels }) => `${TOOL_KIND_LABELS[type]}, ${levelsLabel(levels)}`,
    from: 'wide',
  },
  {
    id: 'state',
    header: 'State',
    onCard: 'bare',
    cell: (tool) => (
      <>
        <span className="whitespace-nowrap">{stateText(tool)}</span>
        {tool.has_draft && <span className="block text-xs text-muted">Next one is a draft</span>}
      </>
    ),
    csv: stateText,
  },
  {
    id: 'review',
    header: 'Next review',
    breaks: 'never',
    sort: { ascending: 'review' },
    none: 'Not published',
    cell: (tool) => tool.state === 'published' && <Review tool={tool} today={today} />,
    csv: ({ review_due_on }) => review_due_on,
  },
  {
    id: 'reviewed',
    header: 'Last reviewed',
    from: 'wide',
    onCard: 'hidden',
    breaks: 'never',
    cell: ({ reviewed_on }) => shortCalendarDayText(reviewed_on),
    csv: ({ reviewed_on }) => reviewed_on,
  },
  {
    id: 'use',
    header: 'Used',
    align: 'right',
    none: 'Not used yet',
    cell: ({ saved, done, copies }) => saved + done + copies || null,
  },
  { id: 'saved', header: 'Saved', csv: ({ saved }) => saved },
  { id: 'done', header: 'Done', csv: ({ done }) => done },
  { id: 'copies', header: 'Copied', csv: ({ copies }) => copies },
];

const stateText = ({ state, version }: ListedTool) =>
  state === 'draft' ? TOOL_STATE_LABELS.draft : `${TOOL_STATE_LABELS[state]}, version ${version}`;

/** When the next review is due, and whether that has passed. */
function Review({ tool, today }: { tool: ListedTool; today: string }) {
  const isLate = isOverdue(tool, today);
  return (
    <time
      dateTime={tool.review_due_on}
      className={isLate ? 'font-medium text-danger' : 'whitespace-nowrap'}
    >
      {`${isLate ? 'Was due ' : ''}${shortCalendarDayText(tool.review_due_on)}`}
    </time>
  );
}

/** All tools: drafts, what's published, what was archived, and what has to be reviewed. */
function ToolsScreen({ filter, page, today }: ToolsProps) {
  const list = useAdminList<ListedTool, AdminToolFilter>(
    { path: hrefFor('/admin/toolbox'), codec: adminToolFilter, read: listAdminTools },
    { filter, page },
  );
  const columns = useMemo(() => columnsOn(today), [today]);
  const { pending, failure, run } = useAction(reportError);
  const write = (practice?: string) =>
    void run(async () => {
      const id = newId();
      await createTool(await db(), id, practice);
      location.assign(hrefFor('/admin/toolbox/[id]', { id }));
      return 'leaving';
    });
  const missing = page.choices?.missing ?? [];
  return (
    <div className="flex flex-col gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div>
          <h1>Tools</h1>
          <p className="mt-2 max-w-[60ch] text-muted">
            What’s in the{' '}
            <a className="link" href={hrefFor('/toolbox')}>
              toolbox
            </a>{' '}
            and what results recommend. A published tool only changes with a new version.
          </p>
        </div>
        <Button needsScript pending={pending} onClick={() => write()}>
          Write a tool
        </Button>
      </header>
      <Failure failure={failure} />
      {missing.length > 0 && (
        <Notice tone="caution" title="No published tool does these practices">
          <p>Owners who are weakest there are sent to another tool for the skill.</p>
          <ul className="mt-2 flex flex-col items-start gap-2">
            {missing.map(({ value, label }) => (
              <li key={value} className="flex flex-wrap items-center gap-x-3 gap-y-1">
                {label}
                <Button
                  size="small"
                  variant="secondary"
                  needsScript
                  pending={pending}
                  aria-label={`Write a tool for: ${label}`}
                  onClick={() => write(value)}
                >
                  Write one
                </Button>
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <AdminList
        list={list}
        codec={adminToolFilter}
        caption="Tools"
        noun={['tool', 'tools']}
        columns={columns}
        nameOf={({ title }) => title}
        onlyLinks
        searchBy="title, summary or text"
        choices={[
          {
            key: 'state',
            label: 'State',
            any: 'Any',
            options: TOOL_STATES.map((value) => ({ value, label: TOOL_STATE_LABELS[value] })),
          },
          {
            key: 'review',
            label: 'Review',
            any: 'Any',
            options: [{ value: 'due', label: 'Overdue' }],
          },
          { key: 'area', label: 'Skill', any: 'Any', options: page.choices?.area ?? [] },
          {
            key: 'type',
            label: 'Kind',
            any: 'Any',
            options: TOOL_KINDS.map((value) => ({ value, label: TOOL_KIND_LABELS[value] })),
          },
          {
            key: 'sort',
            label: 'Sort by',
            options: [
              { value: 'title', label: 'Title' },
              { value: 'review', label: 'Next review' },
              { value: 'newest', label: 'Last changed' },
            ],
          },
        ]}
        name="tools"
        empty={
          <EmptyState title="No tools yet">Write the first one with the button above.</EmptyState>
        }
      />
    </div>
  );
}

export default screen(ToolsScreen);

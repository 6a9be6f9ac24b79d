/**
 * The dashboard's sections below the next step. Empty sections aren't rendered, so they take no
 * room. To add a section, write a component and list it in PLACES.
 */
import type { ReactNode } from 'react';
import type { Dashboard, NextProject } from '#data/dashboard.ts';
import { countText } from '#lib/browser/unread-title.ts';
import { dayText, startText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { Progress } from '#ui/Progress.tsx';
import { isWorkDone } from './agenda.ts';
import { Cash } from './Cash.tsx';
import { Frame, type FrameProps } from './Frame.tsx';

interface PlaceProps {
  dashboard: Dashboard;
  /** The business that it's about; null if there's none yet. */
  businessId: string | null;
  timeZone: string;
  /** The current time, in ISO 8601. */
  now: string;
}

interface ListProps<Item> extends Omit<FrameProps, 'children'> {
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}

/** A card with a list; renders nothing if the list is empty. */
function List<Item extends { id: string }>({ items, children, ...frame }: ListProps<Item>) {
  if (items.length === 0) return null;
  return (
    <Frame {...frame}>
      <ul className="flex flex-col divide-y divide-line">
        {items.map((item) => (
          <li key={item.id} className="flex flex-col gap-0.5 py-3 first:pt-1 last:pb-0">
            {children(item)}
          </li>
        ))}
      </ul>
    </Frame>
  );
}

/** The most items these lists show. */
const NAMED = 4;

interface InvitationsProps extends Pick<Dashboard, 'invitations'> {
  timeZone: string;
}

/** Businesses that invited the user, who accepts or declines on the businesses page. */
export const Invitations = ({ invitations, timeZone }: InvitationsProps) => (
  <List
    id="invited"
    title="You’re invited"
    href={hrefFor('/dashboard/businesses')}
    label="Join or decline"
    items={invitations.slice(0, NAMED)}
  >
    {({ business, invited_by, expires_at, role }) => (
      <>
        <p className="text-sm font-semibold [overflow-wrap:anywhere]">{business}</p>
        <p className="text-xs text-muted [overflow-wrap:anywhere]">
          {role === 'owner'
            ? 'We’ve added it for you.'
            : `${invited_by ?? 'The owner'} invited you to work on it together.`}{' '}
          Works until {dayText(expires_at, timeZone)}.
        </p>
      </>
    )}
  </List>
);

/** Conversations with unread messages, and an excerpt of the last one. */
export const Unread = ({ dashboard }: Pick<PlaceProps, 'dashboard'>) => (
  <List
    id="unread"
    title="Unread messages"
    href={hrefFor('/dashboard/messages')}
    label="All messages"
    items={dashboard.unread}
  >
    {({ id, title, unread: count, last_message: last }) => (
      <>
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <a
            className="link min-w-0 [overflow-wrap:anywhere]"
            href={hrefFor('/dashboard/messages/conversations/[id]', { id })}
          >
            {title}
          </a>
          <span className="shrink-0 text-xs text-muted figures">{countText(count)} unread</span>
        </p>
        {last && !last.removed && (
          <p className="line-clamp-2 text-xs text-muted [overflow-wrap:anywhere]">
            {last.excerpt || 'A file'}
          </p>
        )}
      </>
    )}
  </List>
);

/** What a project waits for, in words. */
function whatIsNext(project: Omit<NextProject, 'id' | 'title'>): string {
  if (isWorkDone(project)) return 'All tasks are done. Mark the project as done?';
  const next = project.next_task && `Next: ${project.next_task.title}`;
  if (project.status === 'blocked') return next ? `Blocked. ${next}` : 'Blocked';
  return next ?? 'No open tasks';
}

function Projects({ dashboard }: PlaceProps) {
  const { items, open } = dashboard.projects;
  const isMore = open > items.length && open < 100;
  return (
    <List
      id="projects"
      title="Projects"
      href={hrefFor('/dashboard/projects')}
      label={isMore ? `All ${open} open projects` : 'All projects'}
      items={items}
    >
      {({ id, title, ...project }) => (
        <>
          <a
            className="link self-start text-sm [overflow-wrap:anywhere]"
            href={hrefFor('/dashboard/projects/[id]', { id })}
          >
            {title}
          </a>
          <p className="text-xs text-muted [overflow-wrap:anywhere]">{whatIsNext(project)}</p>
          {project.task_count > 0 && (
            <div className="mt-1 flex items-center gap-3">
              <Progress
                label={`Tasks done in “${title}”`}
                value={project.done_count}
                max={project.task_count}
                className="grow"
              />
              <span className="text-xs text-muted figures" aria-hidden="true">
                {project.done_count} of {project.task_count}
              </span>
            </div>
          )}
        </>
      )}
    </List>
  );
}

const CashPlace = ({ dashboard, businessId }: PlaceProps) => (
  <Cash forecast={dashboard.forecast} businessId={businessId} />
);

function SavedTools({ dashboard }: PlaceProps) {
  const toolbox = hrefFor('/dashboard/toolbox');
  return (
    <List
      id="tools"
      title="Saved tools"
      href={toolbox}
      label="Toolbox"
      items={dashboard.tools.map((tool) => ({ ...tool, id: tool.slug }))}
    >
      {({ slug, title, type, minutes }) => (
        <>
          <a className="link self-start text-sm" href={`${toolbox}?item=${slug}`}>
            {title}
          </a>
          <p className="text-xs text-muted">
            <span className="capitalize">{type}</span> · {minutes} minutes
          </p>
        </>
      )}
    </List>
  );
}

function Coach({ dashboard: { coaching, session }, timeZone, now }: PlaceProps) {
  if (!coaching) return null;
  const { state, coach_name, results_shared } = coaching;
  return (
    <Frame id="coach" title="Your coach" href={hrefFor('/dashboard/coaching')} label="Coaching">
      <p className="text-sm">
        {state === 'requested'
          ? 'You’ve asked for a coach. We’re looking for one who knows the subject and has time.'
          : `${coach_name ?? 'Your coach'} ${state === 'assigned' ? 'has your request.' : 'is working with you.'}`}
      </p>
      {state !== 'requested' && (
        <p className="text-sm">
          {session
            ? `You meet ${startText(session.starts_at, timeZone, now)}.`
            : 'No session is planned.'}
        </p>
      )}
      <p className="text-xs text-muted">
        {results_shared ? 'You’re sharing your results.' : 'You’re not sharing your results.'}
      </p>
    </Frame>
  );
}

/** The sections, in order. */
export const PLACES: ((props: PlaceProps) => ReactNode)[] = [
  Unread,
  Projects,
  CashPlace,
  Coach,
  SavedTools,
];

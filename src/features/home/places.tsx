/**
 * The places of the dashboard below what to do next. Each shows something or is not there at all:
 * what a person has not begun takes no room. A new one is a component and its line in PLACES.
 */
import type { ReactNode } from 'react';
import type { Conversation } from '#data/conversations.ts';
import type { Dashboard } from '#data/skills.ts';
import { calendarDayText, dayText, dueText } from '#lib/dates.ts';
import { hrefFor } from '#lib/routes.ts';
import { countText } from '#lib/unread-title.ts';
import { writeHref } from '#lib/write-href.ts';

interface PlaceProps {
  dashboard: Dashboard;
  /** Conversations in which something is unread, the newest first. */
  unread: readonly Conversation[];
  /** Today where the person is: `2026-11-21`. */
  today: string;
}

/** The places in their order. */
export const PLACES: ((props: PlaceProps) => ReactNode)[] = [
  Unread,
  Focus,
  Projects,
  SavedTools,
  Coach,
];

interface FrameProps {
  id: string;
  title: string;
  link?: { href: string; label: string };
  children: ReactNode;
}

/** A card with its heading and where it leads. */
function Frame({ id, title, link, children }: FrameProps) {
  return (
    <section aria-labelledby={id} className="card flex flex-col gap-3 p-6">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 id={id} className="text-lg">
          {title}
        </h2>
        {link && (
          <a className="link text-sm" href={link.href}>
            {link.label}
          </a>
        )}
      </div>
      {children}
    </section>
  );
}

const list = 'flex flex-col divide-y divide-line';
const entry = 'flex flex-col gap-0.5 py-3 first:pt-1 last:pb-0';

/** As many as are named here. */
const NAMED = 4;

/** Businesses that ask the person to join; they are answered on their page. */
export function Invitations({
  invitations,
  timeZone,
}: Pick<Dashboard, 'invitations'> & { timeZone: string }) {
  if (invitations.length === 0) return null;
  return (
    <Frame
      id="invited"
      title="You are invited"
      link={{ href: hrefFor('/dashboard/businesses'), label: 'Join, or say no' }}
    >
      <ul className={list}>
        {invitations.slice(0, NAMED).map(({ id, business, invited_by, expires_at }) => (
          <li key={id} className={entry}>
            <p className="text-sm font-semibold [overflow-wrap:anywhere]">{business}</p>
            <p className="text-xs text-muted [overflow-wrap:anywhere]">
              {invited_by ?? 'The owner'} asks you to work on it together, until{' '}
              {dayText(expires_at, timeZone)}
            </p>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

/** What others wrote that was not read yet, and who. */
export function Unread({ unread }: Pick<PlaceProps, 'unread'>) {
  if (unread.length === 0) return null;
  return (
    <Frame
      id="unread"
      title="Unread messages"
      link={{ href: hrefFor('/dashboard/messages'), label: 'All messages' }}
    >
      <ul className={list}>
        {unread.slice(0, NAMED).map(({ id, title, unread: count, last_message: last }) => (
          <li key={id} className={entry}>
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
          </li>
        ))}
      </ul>
    </Frame>
  );
}

function Focus({ dashboard, today }: PlaceProps) {
  const open = dashboard.focus.filter(({ state }) => state === 'open');
  if (open.length === 0) return null;
  return (
    <Frame
      id="working-on"
      title="What you work on"
      link={{ href: `${hrefFor('/dashboard/skills')}#focus`, label: 'All of it' }}
    >
      <ul className={list}>
        {open.map(({ id, area_name, actions }) => {
          const action = actions.find(({ state }) => state === 'open');
          return (
            <li key={id} className={entry}>
              <p className="text-sm [overflow-wrap:anywhere]">
                {action ? action.body : 'Nothing is chosen at the moment.'}
              </p>
              <p className="text-xs text-muted">
                {area_name}
                {action && ` · due ${dueText(action.due_on, today)}`}
              </p>
            </li>
          );
        })}
      </ul>
    </Frame>
  );
}

function Projects({ dashboard, today }: PlaceProps) {
  const { items, open } = dashboard.projects;
  const all = hrefFor('/dashboard/projects');
  if (items.length === 0) return null;
  return (
    <Frame
      id="projects"
      title="Projects"
      link={{
        href: all,
        label: open > items.length && open < 100 ? `All ${open} that are open` : 'All projects',
      }}
    >
      <ul className={list}>
        {items.map(({ id, title, status, due_on, next_task }) => {
          const due = next_task?.due_on ?? due_on;
          return (
            <li key={id} className={entry}>
              <a
                className="link self-start text-sm [overflow-wrap:anywhere]"
                href={hrefFor('/dashboard/projects/[id]', { id })}
              >
                {title}
              </a>
              <p className="text-xs text-muted [overflow-wrap:anywhere]">
                {next_task
                  ? `Next: ${next_task.title}`
                  : status === 'blocked'
                    ? 'Blocked'
                    : 'No task is open'}
                {due && ` · due ${dueText(due, today)}, ${calendarDayText(due)}`}
              </p>
            </li>
          );
        })}
      </ul>
    </Frame>
  );
}

function SavedTools({ dashboard }: PlaceProps) {
  const { tools } = dashboard;
  if (tools.length === 0) return null;
  const toolbox = hrefFor('/dashboard/toolbox');
  return (
    <Frame id="tools" title="Saved tools" link={{ href: toolbox, label: 'Toolbox' }}>
      <ul className={list}>
        {tools.map(({ slug, title, type, minutes }) => (
          <li key={slug} className={entry}>
            <a className="link self-start text-sm" href={`${toolbox}?item=${slug}`}>
              {title}
            </a>
            <p className="text-xs text-muted">
              <span className="capitalize">{type}</span> · {minutes} minutes
            </p>
          </li>
        ))}
      </ul>
    </Frame>
  );
}

function Coach({ dashboard: { coaching } }: PlaceProps) {
  if (!coaching) return null;
  return (
    <Frame
      id="coach"
      title="Your coach"
      link={{ href: hrefFor('/dashboard/coaching'), label: 'Coaching' }}
    >
      <p className="text-sm">
        {coaching.state === 'requested'
          ? 'You have asked for a coach. We look for one who knows the subject and has time.'
          : `${coaching.coach_name ?? 'Your coach'} ${coaching.state === 'assigned' ? 'has your request.' : 'coaches you.'}`}
      </p>
      <p className="text-xs text-muted">
        {coaching.results_shared
          ? 'Your results are shared with them.'
          : 'Your results are not shared with them.'}
      </p>
      {coaching.state !== 'requested' && (
        <p className="text-sm">
          <a className="link" href={writeHref('engagement', coaching.id)}>
            Write to them
          </a>
        </p>
      )}
    </Frame>
  );
}

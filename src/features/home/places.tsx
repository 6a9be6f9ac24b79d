/**
 * The dashboard's sections below the next step. Empty sections aren't rendered, so they take no
 * room. To add a section, write a component and list it in PLACES.
 */
import type { ReactNode } from 'react';
import type { Dashboard } from '#data/skills.ts';
import { openActionOf, openAreas } from '#domain/focus.ts';
import { countText } from '#lib/browser/unread-title.ts';
import { calendarDayText, dayText, dueText, momentText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { writeHref } from '#lib/routing/write-href.ts';

interface PlaceProps {
  dashboard: Dashboard;
  /** Today in the user's time zone, such as `2026-11-21`. */
  today: string;
}

interface FrameProps {
  id: string;
  title: string;
  /** The link in the card's header. */
  href: string;
  label: string;
  children: ReactNode;
}

/** A card with a heading and a link to the full page. */
const Frame = ({ id, title, href, label, children }: FrameProps) => (
  <section aria-labelledby={id} className="card flex flex-col gap-3 p-6">
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
      <h2 id={id} className="text-lg">
        {title}
      </h2>
      <a className="link text-sm" href={href}>
        {label}
      </a>
    </div>
    {children}
  </section>
);

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

const PLACE_WORDS = {
  held: 'Confirm your place',
  offered: 'A place is free: take it',
  taken: 'You have a place',
  waiting: 'On the waiting list',
} as const;

/** Events that the user has, is offered or waits for a place at. */
export const Events = ({ events, timeZone }: Pick<Dashboard, 'events'> & { timeZone: string }) => (
  <List id="events" title="Your events" href={hrefFor('/events')} label="All events" items={events}>
    {({ id, title, starts_at, place, state, due_at }) => (
      <>
        <p className="text-sm [overflow-wrap:anywhere]">
          <a className="link" href={hrefFor('/dashboard/events/[id]', { id })}>
            {title}
          </a>
        </p>
        <p className="text-xs text-muted [overflow-wrap:anywhere]">
          {momentText(starts_at, timeZone)}, {place}
        </p>
        <p className="text-xs text-muted">
          {PLACE_WORDS[state]}
          {due_at && ` by ${momentText(due_at, timeZone)}`}.
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

const Focus = ({ dashboard, today }: PlaceProps) => (
  <List
    id="working-on"
    title="What you’re working on"
    href={`${hrefFor('/dashboard/skills')}#focus`}
    label="All your actions"
    items={openAreas(dashboard.focus)}
  >
    {(area) => {
      const action = openActionOf(area);
      return (
        <>
          <p className="text-sm [overflow-wrap:anywhere]">
            {action ? action.body : 'No action chosen right now.'}
          </p>
          <p className="text-xs text-muted">
            {area.area_name}
            {action && ` · due ${dueText(action.due_on, today)}`}
          </p>
        </>
      );
    }}
  </List>
);

function Projects({ dashboard, today }: PlaceProps) {
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
      {({ id, title, status, due_on, next_task }) => {
        const due = next_task?.due_on ?? due_on;
        const state = status === 'blocked' ? 'Blocked' : 'No open tasks';
        return (
          <>
            <a
              className="link self-start text-sm [overflow-wrap:anywhere]"
              href={hrefFor('/dashboard/projects/[id]', { id })}
            >
              {title}
            </a>
            <p className="text-xs text-muted [overflow-wrap:anywhere]">
              {next_task ? `Next: ${next_task.title}` : state}
              {due && ` · due ${dueText(due, today)}, ${calendarDayText(due)}`}
            </p>
          </>
        );
      }}
    </List>
  );
}

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

function Coach({ dashboard: { coaching } }: PlaceProps) {
  if (!coaching) return null;
  const { state, coach_name, results_shared, id } = coaching;
  return (
    <Frame id="coach" title="Your coach" href={hrefFor('/dashboard/coaching')} label="Coaching">
      <p className="text-sm">
        {state === 'requested'
          ? 'You’ve asked for a coach. We’re looking for one who knows the subject and has time.'
          : `${coach_name ?? 'Your coach'} ${state === 'assigned' ? 'has your request.' : 'is working with you.'}`}
      </p>
      <p className="text-xs text-muted">
        {results_shared ? 'You’re sharing your results.' : 'You’re not sharing your results.'}
      </p>
      {state !== 'requested' && (
        <p className="text-sm">
          <a className="link" href={writeHref('engagement', id)}>
            Message {coach_name ?? 'your coach'}
          </a>
        </p>
      )}
    </Frame>
  );
}

/** The sections, in order. */
export const PLACES: ((props: PlaceProps) => ReactNode)[] = [
  Unread,
  Focus,
  Projects,
  SavedTools,
  Coach,
];

/** What has a time or a date, in the order in which it comes. */
import type { Dashboard, NextProject } from '#data/dashboard.ts';
import { openActionOf, openAreas } from '#domain/focus.ts';
import { dayOf, dueDayText, startText } from '#lib/locale/dates.ts';
import { hrefFor } from '#lib/routing/href.ts';

/** The most that's listed. */
const MOST = 6;

export interface AgendaItem {
  /** Unique among the items. */
  key: string;
  /** When, in words: "Tuesday at 2:00 PM", "Due Friday, in 3 days". */
  when: string;
  isLate: boolean;
  title: string;
  /** What it belongs to, or where it is. */
  detail: string | null;
  href: string;
}

/** What the list is made of. */
export interface AgendaOf
  extends Pick<Dashboard, 'focus' | 'projects' | 'session' | 'agreed' | 'events' | 'coaching'> {
  timeZone: string;
  /** Today in the user's time zone, such as `2026-11-21`. */
  today: string;
  /** The current time, in ISO 8601. */
  now: string;
}

const PLACE_WORDS = {
  held: 'Confirm your place',
  offered: 'A place is free: take it',
  taken: 'You have a place',
  waiting: 'You’re on the waiting list',
} as const;

const KIND_WORDS = { in_person: 'In person', online: 'Online', phone: 'By phone' } as const;

type Dated = AgendaItem & {
  /** What it's sorted by: a day, or a day and a time in the user's time zone. */
  at: string;
};

const sentence = (text: string) => text.replace(/^\p{L}/u, (letter) => letter.toUpperCase());

/** The key of the agenda's item. */
export const keyOf = (
  kind: 'action' | 'agreed' | 'project' | 'session' | 'event',
  id: string,
): string => `${kind}-${id}`;

function sessionOf({ session, coaching, timeZone, now }: AgendaOf): Dated[] {
  if (!session) return [];
  const { id, starts_at, kind, place } = session;
  return [
    {
      key: keyOf('session', id),
      at: dayOf(starts_at, timeZone),
      when: sentence(startText(starts_at, timeZone, now)),
      isLate: false,
      title: coaching?.coach_name ? `Session with ${coaching.coach_name}` : 'Coaching session',
      detail: [KIND_WORDS[kind], place && !/^https?:/.test(place) && place]
        .filter(Boolean)
        .join(' · '),
      href: hrefFor('/dashboard/coaching'),
    },
  ];
}

const eventsOf = ({ events, timeZone, now }: AgendaOf): Dated[] =>
  events.map(({ id, title, starts_at, place, state, due_at }) => ({
    key: keyOf('event', id),
    at: dayOf(starts_at, timeZone),
    when: sentence(startText(starts_at, timeZone, now)),
    isLate: false,
    title,
    detail: `${PLACE_WORDS[state]}${due_at ? ` by ${startText(due_at, timeZone, now)}` : ''}. ${place}`,
    href: hrefFor('/dashboard/events/[id]', { id }),
  }));

const due = (day: string, today: string) => ({
  at: day,
  when: `${day < today ? 'Was due' : 'Due'} ${dueDayText(day, today)}`,
  isLate: day < today,
});

const actionsOf = ({ focus, today }: AgendaOf): Dated[] =>
  openAreas(focus).flatMap((area) => {
    const action = openActionOf(area);
    if (!action) return [];
    return [
      {
        ...due(action.due_on, today),
        key: keyOf('action', action.id),
        title: action.body,
        detail: area.area_name,
        href: `${hrefFor('/dashboard/skills')}#focus`,
      },
    ];
  });

const agreedOf = ({ agreed, coaching, today }: AgendaOf): Dated[] =>
  agreed.map(({ id, body, due_on }) => ({
    ...due(due_on, today),
    key: keyOf('agreed', id),
    title: body,
    detail: coaching?.coach_name ? `Agreed with ${coaching.coach_name}` : 'Agreed in coaching',
    href: hrefFor('/dashboard/coaching'),
  }));

/** Whether a project has no task left to do: it isn't late anymore, only open. */
export const isWorkDone = ({
  task_count,
  done_count,
}: Pick<NextProject, 'task_count' | 'done_count'>): boolean =>
  task_count > 0 && done_count >= task_count;

const projectsOf = ({ projects, today }: AgendaOf): Dated[] =>
  projects.items.flatMap((project) => {
    const { id, title, due_on, next_task: task } = project;
    const day = task?.due_on ?? due_on;
    if (day === null || isWorkDone(project)) return [];
    return [
      {
        ...due(day, today),
        key: keyOf('project', id),
        title: task?.title ?? title,
        detail: task ? title : null,
        href: hrefFor('/dashboard/projects/[id]', { id }),
      },
    ];
  });

/**
 * What comes next, the earliest first, at most six: late work, then sessions, events, actions and
 * projects by their day.
 * @param except the key of the item that's shown elsewhere, if any
 */
export function agendaOf(of: AgendaOf, except: string | undefined): AgendaItem[] {
  return [...sessionOf(of), ...eventsOf(of), ...actionsOf(of), ...agreedOf(of), ...projectsOf(of)]
    .filter(({ key }) => key !== except)
    .toSorted((a, b) => a.at.localeCompare(b.at))
    .slice(0, MOST);
}

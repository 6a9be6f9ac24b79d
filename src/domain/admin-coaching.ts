/** Coaching as admins see it: the list's filters, and what states, steps and absences are called. */
import { type DueKind, ENGAGEMENT_STATES, type EngagementState } from './engagement.ts';
import {
  choiceParam,
  type FilterOf,
  filterCodec,
  idParam,
  keyParam,
  placeParam,
  textParam,
} from './list.ts';
import type { TimelineKind } from './session.ts';

export const engagementFilter = filterCodec({
  words: textParam('q'),
  /** Open ones unless something else was chosen. */
  state: choiceParam('state', ['open', 'all', ...ENGAGEMENT_STATES], 'open'),
  /** Only those whose next step should have happened by now. */
  late: choiceParam('late', ['1'], null),
  /** Only those whose coach is away, or whose owner asked for another coach. */
  show: choiceParam('show', ['away', 'change'], null),
  coach: idParam('coach'),
  /** A skill area that the owner wants help with. */
  area: keyParam('area'),
  sort: choiceParam('sort', ['due', 'requested'], 'due'),
  place: placeParam(),
});
export type EngagementFilter = FilterOf<typeof engagementFilter>;

export const ATTENTION_LABELS = {
  away: 'Coach is away',
  change: 'Wants another coach',
} as const;

/** What has to happen next. */
export const NEXT_STEP_LABELS: Record<DueKind, string> = {
  assign: 'Find a coach',
  accept: 'Coach answers',
  contact: 'Coach gets in touch',
  pick: 'Owner picks a time',
  session: 'Session',
  write_up: 'Coach writes up the session',
  plan: 'Plan the next session',
  resume: 'Resume',
};

/** Why a coach isn't there for a client. */
export const AWAY_REASONS = ['leaving', 'paused', 'time_off', 'gone'] as const;
export type AwayReason = (typeof AWAY_REASONS)[number];

export interface Away {
  why: AwayReason;
  /** The last day, `2026-12-04`; null if it isn't known. */
  until: string | null;
}

/**
 * Why a coach isn't there, in words that follow their name.
 * @param day writes a date as people read it
 */
export function awayText({ why, until }: Away, day: (date: string) => string): string {
  if (why === 'leaving') return 'hands over their clients';
  if (why === 'gone') return 'can’t coach anymore';
  const what = why === 'paused' ? 'takes no new clients' : 'is away';
  return until === null ? what : `${what} until ${day(until)}`;
}

/** How long something has lasted, in one unit: "5 hours", "3 days", "7 weeks". */
export function hoursText(hours: number): string {
  const amount = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`;
  if (hours < 1) return 'less than an hour';
  if (hours < 36) return amount(Math.round(hours), 'hour');
  const days = Math.round(hours / 24);
  return days < 21 ? amount(days, 'day') : amount(Math.round(days / 7), 'week');
}

/** A step of an engagement, with the names of the people in it. */
export interface StepEvent {
  kind: string;
  from_state: EngagementState | null;
  to_state: EngagementState | null;
  coach: string | null;
  from_coach: string | null;
  /** Why it went back to requested or was reopened. */
  why: string | null;
  shared: boolean | null;
}

const RETURNS: Record<string, string> = {
  declined: 'declined',
  lapsed: 'didn’t answer in time',
  coach_left: 'no longer coaches them',
};

function stateStep({ from_state, to_state, coach, from_coach, why }: StepEvent): string {
  const who = coach ?? 'the coach';
  switch (to_state) {
    case 'requested':
      return why && RETURNS[why]
        ? `${from_coach ?? 'The coach'} ${RETURNS[why]}: back to finding a coach`
        : 'Back to finding a coach';
    case 'assigned':
      return `${who} was asked to coach`;
    case 'accepted':
      return from_state === 'unreachable' ? 'The owner replied: reopened' : `${who} accepted`;
    case 'active':
      if (from_state === 'paused') return 'Resumed';
      return from_state === 'completed' ? 'Reopened' : 'First session held: in progress';
    case 'paused':
      return 'Paused';
    case 'completed':
      return 'Completed';
    case 'withdrawn':
      return 'Withdrawn';
    case 'unreachable':
      return `${who} couldn’t reach the owner`;
    case 'ineligible':
      return 'Referred elsewhere';
    default:
      return 'Changed';
  }
}

/** What happened, as one line of the history. */
export function stepText(event: StepEvent): string {
  switch (event.kind) {
    case 'requested':
      return 'Asked for a coach';
    case 'coach_changed':
      return `${event.coach ?? 'Another coach'} took over from ${event.from_coach ?? 'the coach before'}`;
    case 'sharing_changed':
      return event.shared ? 'Results shared with the coach' : 'Results no longer shared';
    case 'change_requested':
      return 'Asked for another coach';
    case 'change_dropped':
      return 'Keeps the coach after all';
    default: {
      const text = stateStep(event);
      return text.slice(0, 1).toUpperCase() + text.slice(1);
    }
  }
}

/** A coach compared with an engagement: what speaks for them. */
export interface Fit {
  /** Names of the areas that they're good at and the owner asked about. */
  areas: readonly string[];
  /** The business's industry, if they know it. */
  industry: string | null;
  /** Names of the languages that both speak. */
  languages: readonly string[];
  /** Hours between their time zones; null if one of them is unknown. */
  hours: number | null;
}

/** What speaks for a coach, one reason each: "Good at financial projection". */
export function fitReasons({ areas, industry, languages, hours }: Fit): string[] {
  const reasons: string[] = [];
  if (areas.length > 0) reasons.push(`Good at ${areas.join(', ')}`);
  if (industry) reasons.push(`Knows the industry: ${industry}`);
  if (languages.length > 0) reasons.push(`Also speaks ${languages.join(', ')}`);
  if (hours !== null) {
    const apart = Math.abs(hours);
    reasons.push(
      apart === 0
        ? 'In the same time zone'
        : `${apart} ${apart === 1 ? 'hour' : 'hours'} apart by time zone`,
    );
  }
  return reasons;
}

/** How many clients a coach has, and how many they take: "5 of 8 clients", "5 clients, no limit". */
export function loadText(clients: number, capacity: number | null): string {
  if (capacity !== null) return `${clients} of ${capacity} clients`;
  if (clients === 0) return 'No clients, no limit';
  return `${clients} ${clients === 1 ? 'client' : 'clients'}, no limit`;
}

export const CHANNEL_LABELS = {
  message: 'Message',
  email: 'Email',
  phone: 'Phone',
  text: 'Text message',
  in_person: 'In person',
} as const;
export const CHANNELS = Object.keys(CHANNEL_LABELS) as (keyof typeof CHANNEL_LABELS)[];

/** What happened besides the steps of the engagement, before the title of what it's about. */
export const TIMELINE_TEXTS: Record<
  Exclude<TimelineKind, 'requested' | 'assigned' | 'accepted' | 'paused' | 'resumed' | 'completed'>,
  string
> = {
  session: 'Session',
  action_added: 'Agreed on',
  action_done: 'Done',
  recommended: 'Recommended',
  recommendation_taken: 'Took up',
  focus_chosen: 'Focus',
  attempt: 'Quiz finished',
  project_started: 'Project started',
  project_done: 'Project done',
  figure: 'New figures',
};

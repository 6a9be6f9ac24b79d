/** Explains coaching engagements, their steps and their states to the owner and the coach. */
import type { DueKind, EngagementState } from './engagement.ts';

/** The fields the owner's texts depend on. */
interface OwnEngagement {
  state: EngagementState;
  /** Null until someone is assigned, and once they left. */
  coach: { full_name: string } | null;
  assigned_at: string | null;
}

export interface StateText {
  title: string;
  /** What happens next, and who does it. */
  next: string;
}

/** The coach's name for the middle of a sentence. */
export const coachName = ({ coach }: Pick<OwnEngagement, 'coach'>): string =>
  coach?.full_name || 'your coach';

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Explains an engagement's state to the owner. */
export function ownerText(engagement: OwnEngagement): StateText {
  const { state, assigned_at } = engagement;
  const name = coachName(engagement);
  const coach = capital(name);
  const text: Record<EngagementState, StateText> = {
    requested: {
      title: 'We’re looking for a coach',
      next: 'A person reads your request and finds a coach who knows the subject and has room. You can also choose one yourself.',
    },
    assigned: {
      title: `${coach} has your request`,
      next: 'They’ll read it and say yes or no. If they can’t take it on, we’ll look for someone else, and you keep your place.',
    },
    accepted: {
      title: `${coach} said yes`,
      next: 'The next thing is a first session. They’ll suggest two or three times, and you pick one here.',
    },
    active: {
      title: `You’re working with ${name}`,
      next: 'Everything you agree on is on this page: sessions, summaries and who does what.',
    },
    paused: {
      title: 'Coaching is paused',
      next: `You or ${name} will pick it up again. Either of you can do it earlier.`,
    },
    completed: {
      title: 'Coaching is complete',
      next: 'You can pick it up again within 90 days. After that, send a new request.',
    },
    withdrawn: {
      title: assigned_at ? 'You withdrew from coaching' : 'You withdrew this request',
      next: 'You can ask again anytime.',
    },
    unreachable: {
      title: `${coach} couldn’t reach you`,
      next: 'They tried at least three times over at least ten days. Say you’re here, and you can continue.',
    },
    ineligible: {
      title: 'We couldn’t take this on',
      next: 'We can’t coach you on this. Here’s why, and who might help instead.',
    },
  };
  return text[state];
}

export interface NextStep {
  /** Who does it. */
  who: string;
  what: string;
  /** What happens if it's late; null if nothing does. */
  late: string | null;
}

const STAFF_SEE = 'It’s late. Our staff have it on their list.';

/** What has to happen next in an engagement, as the owner reads it. */
export function ownerNext(
  due: DueKind,
  engagement: Pick<OwnEngagement, 'coach' | 'state'>,
): NextStep {
  const name = coachName(engagement);
  const coach = capital(name);
  const both = `You and ${name}`;
  const steps: Record<DueKind, NextStep> = {
    assign: { who: 'Our staff', what: 'Ask a coach who has room', late: STAFF_SEE },
    accept: {
      who: coach,
      what: 'Read your request and say yes or no',
      late: 'They haven’t answered, so we’ll ask someone else.',
    },
    contact: { who: coach, what: 'Write to you about a first session', late: STAFF_SEE },
    pick: {
      who: 'You',
      what: `Pick one of the times ${name} offers`,
      late: 'These times are over. Ask for others.',
    },
    session: { who: both, what: 'Your next session', late: null },
    write_up: { who: coach, what: 'Write up your session', late: STAFF_SEE },
    plan: {
      who: both,
      what: `Agree on a ${engagement.state === 'accepted' ? 'first' : 'next'} session`,
      late: 'It’s been a while. A message is enough.',
    },
    resume: { who: `You or ${name}`, what: 'Pick it up again', late: 'The break is over.' },
  };
  return steps[due];
}

/** The steps from asking to working together, as the owner's page shows them. */
export const COACHING_STEPS = [
  'asked',
  'coach_asked',
  'accepted',
  'first_session',
  'working',
] as const;
export type CoachingStep = (typeof COACHING_STEPS)[number];

export const COACHING_STEP_LABELS: Record<CoachingStep, string> = {
  asked: 'You asked',
  coach_asked: 'Coach asked',
  accepted: 'Coach said yes',
  first_session: 'First session',
  working: 'Working together',
};

/** The step an open engagement is at: the first one that isn't behind it. */
export function stepAt(state: EngagementState): CoachingStep {
  if (state === 'requested') return 'coach_asked';
  if (state === 'assigned') return 'accepted';
  return state === 'accepted' || state === 'unreachable' ? 'first_session' : 'working';
}

/** The withdraw button's label, and the confirmation that the owner sees after clicking it. */
export function withdrawText(engagement: OwnEngagement, business: string | null) {
  if (!engagement.coach) {
    return {
      button: 'Withdraw request',
      title: 'Withdraw this request?',
      text: 'We’ll stop looking for a coach. You can ask again anytime.',
    };
  }
  const coach = capital(coachName(engagement));
  return {
    button: 'Withdraw from coaching',
    title: 'Withdraw from coaching?',
    text: `${coach} will hear of it and lose access right away to ${business ?? 'your business'}, its projects, your results and your conversation about coaching. Sessions that are planned are canceled. You keep all of it, and you can ask for a coach again anytime.`,
  };
}

/** Explains each state to the coach. */
export const COACH_TEXT: Record<EngagementState, StateText> = {
  requested: { title: 'Not assigned', next: 'We’re looking for another coach.' },
  assigned: {
    title: 'Wants you as a coach',
    next: 'Read what they ask, then accept or decline. If you don’t answer in time, we ask someone else.',
  },
  accepted: {
    title: 'Accepted',
    next: 'Get in touch and agree on a first session. Coaching starts when you close it.',
  },
  active: { title: 'In progress', next: 'Keep the next session in the calendar.' },
  paused: { title: 'Paused', next: 'You or the owner can pick it up again at any time.' },
  completed: {
    title: 'Completed',
    next: 'You or the owner can pick it up again within 90 days.',
  },
  withdrawn: { title: 'Withdrawn by the owner', next: '' },
  unreachable: { title: 'Couldn’t reach them', next: 'It reopens when they reply.' },
  ineligible: { title: 'Not taken on', next: '' },
};

/** How a coach tried to reach an owner. */
export const CONTACT_CHANNELS = ['message', 'email', 'phone', 'text', 'in_person'] as const;
export type ContactChannel = (typeof CONTACT_CHANNELS)[number];

export const CONTACT_CHANNEL_LABELS: Record<ContactChannel, string> = {
  phone: 'Phone call',
  message: 'Message here',
  email: 'Email',
  text: 'Text message',
  in_person: 'In person',
};

/** The attempts in vain, and the days from the first to the last, after which an owner counts as unreachable. */
export const UNREACHABLE_AFTER = { attempts: 3, days: 10 } as const;

const DAY_MS = 86_400_000;

/**
 * How far a coach is from being allowed to say that they can't reach an owner. It counts attempts
 * in vain since the request was accepted and since the owner last answered, and the days from the
 * first of them to the last.
 */
export function unreachableProgress(
  contacts: readonly { at: string; reached: boolean }[],
  acceptedAt: string | null,
): { attempts: number; days: number; isAllowed: boolean } {
  const since = Math.max(
    Date.parse(acceptedAt ?? '1970-01-01'),
    ...contacts.filter(({ reached }) => reached).map(({ at }) => Date.parse(at)),
  );
  const times = contacts
    .filter(({ at, reached }) => !reached && Date.parse(at) >= since)
    .map(({ at }) => Date.parse(at));
  const days =
    times.length === 0 ? 0 : Math.floor((Math.max(...times) - Math.min(...times)) / DAY_MS);
  const { attempts, days: needed } = UNREACHABLE_AFTER;
  return {
    attempts: times.length,
    days,
    isAllowed: times.length >= attempts && days >= needed,
  };
}

/** The most characters in each text of a step. */
export const STEP_LENGTHS = { reason: 500, contactNote: 500, closingSummary: 2000 } as const;

/** Coaching engagements: their states, and what these mean to an owner and to a coach. */

/** Under way, or waiting for a coach. */
export const OPEN_ENGAGEMENT_STATES = [
  'requested',
  'assigned',
  'accepted',
  'active',
  'paused',
] as const;
export const ENGAGEMENT_STATES = [
  ...OPEN_ENGAGEMENT_STATES,
  'completed',
  'withdrawn',
  'unreachable',
  'ineligible',
] as const;
export type EngagementState = (typeof ENGAGEMENT_STATES)[number];

/** Whether an engagement is under way or waits for a coach. */
export const isOpenEngagement = ({ state }: { state: EngagementState }): boolean =>
  OPEN_ENGAGEMENT_STATES.some((open) => open === state);

/** What an owner is told about an engagement from. */
interface OwnEngagement {
  state: EngagementState;
  /** Null until somebody is assigned. */
  coach_id: string | null;
  coach_name: string | null;
  assigned_at: string | null;
}

export interface StateText {
  title: string;
  /** What happens next, and who does it. */
  next: string;
}

/** What a state means to the owner. */
export function ownerText({ state, coach_name, assigned_at }: OwnEngagement): StateText {
  const coach = coach_name || 'Your coach';
  const text: Record<EngagementState, StateText> = {
    requested: {
      title: 'We are looking for a coach',
      next: 'Somebody reads your request and finds a coach who knows the subject and has time. The name will stand here; you need not do anything.',
    },
    assigned: {
      title: `${coach} has your request`,
      next: 'They read it and get in touch with you to agree on a first session. If they cannot take it on, we look for somebody else.',
    },
    accepted: {
      title: `${coach} coaches you`,
      next: 'They contact you within two business days to agree on a first session.',
    },
    active: {
      title: `You work with ${coach_name || 'your coach'}`,
      next: 'What you agree on in a session is what comes next.',
    },
    paused: {
      title: 'Coaching is paused',
      next: `You or ${coach_name || 'your coach'} take it up again on the day you agreed on.`,
    },
    completed: {
      title: 'Coaching is completed',
      next: 'Within 90 days it can be taken up again; later, ask anew.',
    },
    withdrawn: {
      title: assigned_at ? 'You withdrew from coaching' : 'You withdrew this request',
      next: 'You can ask again at any time.',
    },
    unreachable: {
      title: `${coach} could not reach you`,
      next: 'Answer their last message and it goes on, or ask again.',
    },
    ineligible: {
      title: 'We could not take this on',
      next: 'We tell you the reason, and who can help instead.',
    },
  };
  return text[state];
}

/** What an owner is asked before withdrawing, and the words of the button that leads there. */
export function withdrawText(engagement: OwnEngagement, business: string | null) {
  const { coach_id, coach_name } = engagement;
  if (!coach_id) {
    return {
      button: 'Withdraw request',
      title: 'Withdraw this request?',
      text: 'We stop looking for a coach. You can ask again at any time.',
    };
  }
  const coach = coach_name || 'Your coach';
  return {
    button: 'Withdraw from coaching',
    title: 'Withdraw from coaching?',
    text: `${coach} gets an email and right away loses access to ${business ?? 'your business'}, its projects, your results and your conversation about coaching. You keep all of it, and you can ask for a coach again at any time.`,
  };
}

/** What a state means to the coach. */
export const COACH_TEXT: Record<EngagementState, StateText> = {
  requested: { title: 'Not assigned', next: '' },
  assigned: { title: 'Assigned to you', next: 'Get in touch to agree on a first session.' },
  accepted: { title: 'Accepted', next: 'Contact them within two business days.' },
  active: { title: 'Under way', next: '' },
  paused: { title: 'Paused', next: 'Waits for the day you agreed on.' },
  completed: { title: 'Completed', next: '' },
  withdrawn: { title: 'Withdrawn by the owner', next: '' },
  unreachable: { title: 'Not reached', next: 'Reopens when they answer.' },
  ineligible: { title: 'Not taken on', next: '' },
};

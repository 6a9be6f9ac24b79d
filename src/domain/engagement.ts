/** Coaching engagements: their states, and how each is explained to the owner and the coach. */

/** In progress, or waiting for a coach. */
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

export const isOpenEngagement = ({ state }: { state: EngagementState }): boolean =>
  OPEN_ENGAGEMENT_STATES.some((open) => open === state);

/** The fields the owner's texts depend on. */
interface OwnEngagement {
  state: EngagementState;
  /** Null until someone is assigned. */
  coach_id: string | null;
  coach_name: string | null;
  assigned_at: string | null;
}

export interface StateText {
  title: string;
  /** What happens next, and who does it. */
  next: string;
}

/** Explains an engagement's state to the owner. */
export function ownerText({ state, coach_name, assigned_at }: OwnEngagement): StateText {
  const coach = coach_name || 'Your coach';
  const text: Record<EngagementState, StateText> = {
    requested: {
      title: 'We’re looking for a coach',
      next: 'A person reads your request and finds a coach who knows the subject and has time. We’ll show the name here. You don’t need to do anything.',
    },
    assigned: {
      title: `${coach} has your request`,
      next: 'They’ll read it and get in touch to set up a first session. If they can’t take it on, we’ll look for someone else.',
    },
    accepted: {
      title: `${coach} said yes`,
      next: 'They’ll contact you within two business days to set up a first session.',
    },
    active: {
      title: `You’re working with ${coach_name || 'your coach'}`,
      next: 'Your next step is whatever you agree on in a session.',
    },
    paused: {
      title: 'Coaching is paused',
      next: `You or ${coach_name || 'your coach'} will pick it up again on the date you agreed on.`,
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
      next: 'Reply to their last message to continue, or ask again.',
    },
    ineligible: {
      title: 'We couldn’t take this on',
      next: 'We’ll tell you why, and who can help instead.',
    },
  };
  return text[state];
}

/** The withdraw button's label, and the confirmation that the owner sees after clicking it. */
export function withdrawText(engagement: OwnEngagement, business: string | null) {
  const { coach_id, coach_name } = engagement;
  if (!coach_id) {
    return {
      button: 'Withdraw request',
      title: 'Withdraw this request?',
      text: 'We’ll stop looking for a coach. You can ask again anytime.',
    };
  }
  const coach = coach_name || 'Your coach';
  return {
    button: 'Withdraw from coaching',
    title: 'Withdraw from coaching?',
    text: `${coach} will get an email and lose access right away to ${business ?? 'your business'}, its projects, your results and your conversation about coaching. You keep all of it, and you can ask for a coach again anytime.`,
  };
}

/** Explains each state to the coach. */
export const COACH_TEXT: Record<EngagementState, StateText> = {
  requested: { title: 'Not assigned', next: '' },
  assigned: { title: 'Assigned to you', next: 'Get in touch to set up a first session.' },
  accepted: { title: 'Accepted', next: 'Contact them within two business days.' },
  active: { title: 'In progress', next: '' },
  paused: { title: 'Paused', next: 'Pick it up again on the date you agreed on.' },
  completed: { title: 'Completed', next: '' },
  withdrawn: { title: 'Withdrawn by the owner', next: '' },
  unreachable: { title: 'Couldn’t reach them', next: 'Reopens when they reply.' },
  ineligible: { title: 'Not taken on', next: '' },
};

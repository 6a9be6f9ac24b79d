/** The states of an engagement as an owner and a coach read them. */
import type { Engagement, EngagementState } from '#data/coaching.ts';

export interface StateWords {
  title: string;
  /** What happens next, and who does it. */
  next: string;
}

/** What a state means to the owner. */
export function ownerWords({ state, coach_name }: Engagement): StateWords {
  const coach = coach_name || 'Your coach';
  const words: Record<EngagementState, StateWords> = {
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
    withdrawn: { title: 'You withdrew this request', next: 'You can ask again at any time.' },
    unreachable: {
      title: `${coach} could not reach you`,
      next: 'Answer their last message and it goes on, or ask again.',
    },
    ineligible: {
      title: 'We could not take this on',
      next: 'We tell you the reason, and who can help instead.',
    },
  };
  return words[state];
}

/** What a state means to the coach. */
export const COACH_WORDS: Record<EngagementState, StateWords> = {
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

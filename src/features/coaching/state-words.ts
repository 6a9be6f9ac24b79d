/** The states of an engagement as an owner and a coach read them. */
import type { Engagement, EngagementState } from '#data/coaching.ts';

export interface StateWords {
  title: string;
  /** What happens next, and who does it. */
  next: string;
}

/** What a state means to the owner. */
export function ownerWords({ state, coach_name, assigned_at }: Engagement): StateWords {
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
  return words[state];
}

/** What an owner is asked before withdrawing, and the words of the button that leads there. */
export function withdrawWords(engagement: Engagement, business: string | null) {
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

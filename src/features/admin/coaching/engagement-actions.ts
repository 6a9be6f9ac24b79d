/** What an admin can do about an engagement with a reason, as far as its state allows it. */
import {
  type AdminEngagement,
  closeEngagement,
  referElsewhere,
  unassignCoach,
} from '#data/admin-engagement.ts';
import type { Db } from '#lib/supabase.ts';
import type { ReasonedAction } from '../ReasonDialog.tsx';

export interface EngagementAction extends Omit<ReasonedAction, 'onSubmit'> {
  key: string;
  /** The label of the button that opens the dialog. */
  label: string;
  /** What's announced once it's done. */
  done: string;
  run: (db: Db, reason: string, answer: string) => Promise<unknown>;
}

type Engagement = AdminEngagement['engagement'];

const referral = ({ id, business, owner }: Engagement): EngagementAction => ({
  key: 'refer',
  label: 'Refer elsewhere',
  title: `Refer ${business.name} elsewhere?`,
  description: `For requests that we can’t take on. The request ends, and ${owner?.name ?? 'the owner'} gets what you write here, in the app and by email.`,
  action: 'Send the referral',
  done: `${business.name} is referred elsewhere.`,
  danger: true,
  words: {
    label: 'Who can help instead',
    hint: 'The owner reads it. Name the organization, what it does, and how to reach it.',
    most: 1000,
  },
  run: (db, reason, answer) => referElsewhere(db, id, reason, answer),
});

const takingBack = ({ id, business, coach }: Engagement): EngagementAction => ({
  key: 'unassign',
  label: 'Back to requests',
  title: `Take ${business.name} back from ${coach?.name ?? 'the coach'}?`,
  description:
    'For when there’s nobody to hand over to yet. It waits for a coach again, and we tell the owner. The coach loses access right away. What they worked on stays for the next one.',
  action: 'Take the client back',
  done: `${business.name} is waiting for a coach.`,
  danger: true,
  run: (db, reason) => unassignCoach(db, id, reason),
});

const closing = ({ id, business }: Engagement): EngagementAction => ({
  key: 'close',
  label: 'Close',
  title: `Close coaching for ${business.name}?`,
  description:
    'Coaching is complete, and the coach loses access. The owner can pick it up again for 90 days.',
  action: 'Close',
  done: `Coaching for ${business.name} is complete.`,
  danger: true,
  words: {
    label: 'Closing summary',
    hint: 'The owner reads it: what you did together, and what comes next.',
    most: 2000,
    isOptional: true,
  },
  run: (db, reason, answer) => closeEngagement(db, id, reason, answer),
});

/** In the order of their buttons. */
export function actionsFor(engagement: Engagement): EngagementAction[] {
  switch (engagement.state) {
    case 'requested':
      return [referral(engagement)];
    case 'assigned':
    case 'accepted':
      return [takingBack(engagement)];
    case 'active':
    case 'paused':
      return [takingBack(engagement), closing(engagement)];
    default:
      return [];
  }
}

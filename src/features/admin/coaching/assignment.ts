/** Assigning a coach: the words that the form starts with. */
import type { AdminEngagement, Match } from '#data/admin-engagement.ts';
import { fitReasons } from '#domain/admin-coaching.ts';
import type { EngagementNames } from './names.ts';

type Engagement = AdminEngagement['engagement'];

/** Whether the coach before has worked with the owner, so that there's something to hand over. */
export const isHandover = ({ coach, state }: Engagement): boolean =>
  coach !== null && (state === 'accepted' || state === 'active' || state === 'paused');

/** The reason that a suggestion brings along: "Good at sales; in the same time zone; has room." */
export function reasonFor(match: Match | undefined, names: EngagementNames): string {
  if (!match) return '';
  const [first, ...others] = [...fitReasons(names.fitOf(match)), 'Has room'];
  const lower = others.map((text) => text.slice(0, 1).toLowerCase() + text.slice(1));
  return `${[first, ...lower].join('; ')}.`;
}

const firstName = (name: string | null | undefined) => name?.trim().split(/\s+/)[0];

/** The most characters of a message to the owner, which is a notification. */
export const MESSAGE_LENGTH = 400;

/** What the owner reads when their coach changes, for the admin to make their own. */
export function messageFor({ owner, coach }: Engagement, match: Match | undefined): string {
  const hello = firstName(owner?.name) ? `Hi ${firstName(owner?.name)},` : 'Hello,';
  const next = match?.name || 'Another coach';
  const before = coach?.name ? ` with ${coach.name}` : '';
  return [
    hello,
    `${next} is your coach from now on. They know your goals and what you agreed on${before}, so you don’t have to start over. They’ll get in touch to plan the next session.`,
    'If it doesn’t work out, tell us. It’s fine to ask for someone else.',
  ].join('\n\n');
}

/** Issues of the newsletter: their states, limits and filters. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const ISSUE_STATES = ['draft', 'scheduled', 'sending', 'stopped', 'sent'] as const;
export type IssueState = (typeof ISSUE_STATES)[number];

export const ISSUE_STATE_LABELS: Record<IssueState, string> = {
  draft: 'Draft',
  scheduled: 'Scheduled',
  sending: 'Being sent',
  stopped: 'Stopped',
  sent: 'Sent',
};

/** The longest subject, preview line and text, in characters. */
export const ISSUE_LIMITS = { subject: 120, preview: 160, body: 30_000 } as const;

/** How long to wait between issues, in days: we promise at most one a month. */
const MONTH = 28;

/** Whole days since the issue before; null if there's none, or it's at least a month ago. */
export function daysSinceLast(lastBegunAt: string | null, now: Date): number | null {
  if (lastBegunAt === null) return null;
  const days = Math.floor((now.getTime() - Date.parse(lastBegunAt)) / 86_400_000);
  return days < MONTH ? days : null;
}

export const issueFilter = filterCodec({
  words: textParam('q'),
  state: choiceParam('state', ISSUE_STATES, null),
  sort: choiceParam('sort', ['newest'], 'newest'),
  place: placeParam(),
});
export type IssueFilter = FilterOf<typeof issueFilter>;

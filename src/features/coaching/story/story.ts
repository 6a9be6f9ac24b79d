/** The words of a coaching timeline, for both the owner and the coach. */
import type { TimelineEntry } from '#data/coaching-timeline.ts';
import type { TimelineKind } from '#domain/session.ts';
import { hrefFor } from '#lib/routing/href.ts';

type Words = (title: string | null, area: string | null) => string;

/** "Action done: Call three clients", or only what happened if it has no title. */
const titled =
  (what: string): Words =>
  (title) =>
    title ? `${what}: ${title}` : what;

const WORDS: Record<TimelineKind, Words> = {
  requested: () => 'Asked for a coach',
  assigned: titled('Coach asked'),
  accepted: titled('Coach said yes'),
  session: (_, area) => (area ? `Session about ${area.toLowerCase()}` : 'Session'),
  action_added: titled('Agreed to do'),
  action_done: titled('Done'),
  recommended: titled('Recommended'),
  recommendation_taken: titled('Started'),
  focus_chosen: (title, area) => `Chose to work on ${(area ?? title ?? 'a skill').toLowerCase()}`,
  attempt: titled('Took the quiz'),
  project_started: titled('Project started'),
  project_done: titled('Project done'),
  figure: titled('New figures'),
  paused: () => 'Coaching paused',
  resumed: () => 'Coaching picked up again',
  completed: () => 'Coaching complete',
};

/** What happened, in a line. */
export const storyText = ({ kind, title }: TimelineEntry, area: string | null): string =>
  WORDS[kind](title, area);

/**
 * The page that an entry leads to; null if there's none.
 * @param sessionHref a session's address for the reader, by its id
 */
export function storyHref(
  { href_kind, id }: TimelineEntry,
  sessionHref: (id: string) => string,
): string | null {
  if (!href_kind || !id) return null;
  const hrefs: Record<typeof href_kind, () => string> = {
    session: () => sessionHref(id),
    tool: () => `${hrefFor('/dashboard/toolbox')}?item=${encodeURIComponent(id)}`,
    attempt: () => hrefFor('/dashboard/skills/quiz/[id]', { id }),
    project: () => hrefFor('/dashboard/projects/[id]', { id }),
    business: () => hrefFor('/dashboard/businesses/[id]', { id }),
  };
  return hrefs[href_kind]();
}

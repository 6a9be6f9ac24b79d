/** What happened in an engagement, as the owner and the coach both read it. */
import * as v from 'valibot';
import { TIMELINE_KINDS, TIMELINE_LINKS } from '#domain/session.ts';

export const timelineEntry = v.object({
  at: v.string(),
  kind: v.picklist(TIMELINE_KINDS),
  /** Of what it's about; null for steps of the engagement. A tool's is its slug. */
  id: v.nullable(v.string()),
  title: v.nullable(v.string()),
  area_key: v.nullable(v.string()),
  /** What the id leads to; null if there's no page for it. */
  href_kind: v.nullable(v.picklist(TIMELINE_LINKS)),
});
export type TimelineEntry = v.InferOutput<typeof timelineEntry>;

/** An area that they worked on: from the score over focus, actions, sessions and tools to the next. */
export const loopArea = v.object({
  area_key: v.string(),
  area_name: v.string(),
  /** Oldest first. Empty for a coach if results aren't shared. */
  scores: v.array(v.object({ at: v.string(), score: v.number(), version_number: v.number() })),
  focus_at: v.nullable(v.string()),
  actions: v.array(v.object({ at: v.string(), done_at: v.nullable(v.string()) })),
  sessions: v.array(v.string()),
  tools: v.array(v.object({ slug: v.string(), at: v.string() })),
});
export type LoopArea = v.InferOutput<typeof loopArea>;

export const coachingStory = v.object({
  /** Newest first, at most 100. */
  timeline: v.array(timelineEntry),
  loop: v.array(loopArea),
});

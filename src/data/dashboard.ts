/** An owner's first page. */
import * as v from 'valibot';
import { SESSION_KINDS } from '#domain/session-values.ts';
import { ownInvitation } from './business-members.ts';
import { forecastDocument } from './business-worksheets.ts';
import { conversation } from './conversations.ts';
import { eventPlace } from './events.ts';
import { skills, toolLink } from './skills.ts';

/** A project on the dashboard. */
export const nextProject = v.object({
  id: v.string(),
  title: v.string(),
  status: v.string(),
  due_on: v.nullable(v.string()),
  task_count: v.number(),
  done_count: v.number(),
  next_task: v.nullable(
    v.object({ id: v.string(), title: v.string(), due_on: v.nullable(v.string()) }),
  ),
});
export type NextProject = v.InferOutput<typeof nextProject>;

export const dashboard = v.object({
  ...v.pick(skills, ['open_attempt', 'latest', 'trend', 'focus', 'coaching']).entries,
  /** The user's preferred name, or else the first word of their name; null without one. */
  called: v.nullable(v.string()),
  /** Their next session about this business, or the one that's taking place. */
  session: v.nullable(
    v.object({
      id: v.string(),
      starts_at: v.string(),
      minutes: v.number(),
      kind: v.picklist(SESSION_KINDS),
      place: v.nullable(v.string()),
    }),
  ),
  /** What they agreed to do in coaching, the six due first. */
  agreed: v.array(v.object({ id: v.string(), body: v.string(), due_on: v.string() })),
  /** The business's cash forecast. */
  forecast: v.nullable(forecastDocument),
  /** Open invitations to businesses, newest first. */
  invitations: v.array(ownInvitation),
  /** The next four events they have, are offered or wait for a place at. */
  events: v.array(
    v.object({
      ...v.pick(eventPlace, ['id', 'title', 'starts_at', 'place', 'due_at']).entries,
      state: v.picklist(['held', 'offered', 'taken', 'waiting']),
    }),
  ),
  /** The next four due; `open` is counted up to 100. */
  projects: v.object({ open: v.number(), items: v.array(nextProject) }),
  /** The four most recently active conversations with something unread. */
  unread: v.array(v.pick(conversation, ['id', 'title', 'unread', 'last_message'])),
  /** Saved and not done yet, newest first. */
  tools: v.array(toolLink),
});
export type Dashboard = v.InferOutput<typeof dashboard>;

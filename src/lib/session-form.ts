/** What a coach writes down about a session, as fields have it. */
import * as v from 'valibot';
import { ACTION_DOERS, SESSION_KINDS, SESSION_OUTCOMES } from '#domain/session-values.ts';

/** When and where a session is, as fields have it. */
const plan = v.object({
  /** `2026-11-28` and `14:30`, on the coach's clock. */
  day: v.string(),
  time: v.string(),
  minutes: v.number(),
  kind: v.picklist(SESSION_KINDS),
  place: v.string(),
});
export type PlanInput = v.InferOutput<typeof plan>;

/** The form for closing a session. Ids are created by the browser, so that it's stored once. */
export const sessionForm = v.object({
  ...plan.entries,
  outcome: v.picklist(SESSION_OUTCOMES),
  /** Keys of skill areas. */
  topics: v.array(v.string()),
  summary: v.string(),
  note: v.string(),
  /** Those without a text are left out. */
  actions: v.array(
    v.object({
      id: v.string(),
      body: v.string(),
      doer: v.picklist(ACTION_DOERS),
      /** A date, or empty. */
      due_on: v.string(),
    }),
  ),
  /** Null while nobody said that they changed. */
  figures: v.nullable(
    v.object({
      id: v.string(),
      full_time: v.string(),
      part_time: v.string(),
      revenue: v.string(),
      profit: v.string(),
      currency: v.string(),
    }),
  ),
  /** The next session; null without one. */
  next: v.nullable(v.object({ id: v.string(), ...plan.entries })),
});
export type SessionForm = v.InferOutput<typeof sessionForm>;

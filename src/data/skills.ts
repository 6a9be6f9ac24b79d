/** Skills over time: a business's latest result, what has changed, and what its owner works on. */
import * as v from 'valibot';
import { ATTEMPT_STATES, QUIZ_KINDS } from '#domain/attempt.ts';
import { ENGAGEMENT_STATES } from '#domain/engagement.ts';
import { ACTION_STATES, FOCUS_STATES } from '#domain/focus.ts';
import { LEVELS } from '#domain/level.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { attemptView } from './attempts.ts';

/** The open quiz and its progress. */
export const openAttempt = v.object({
  id: v.string(),
  answered: v.number(),
  asked: v.number(),
  started_at: v.string(),
});
export type OpenAttempt = v.InferOutput<typeof openAttempt>;

export const attemptSummary = v.object({
  id: v.string(),
  kind: v.picklist(QUIZ_KINDS),
  state: v.picklist(ATTEMPT_STATES),
  version_number: v.number(),
  started_at: v.string(),
  submitted_at: v.nullable(v.string()),
  /** 0 to 100, unrounded; null with fewer than six scored areas. */
  overall_score: v.nullable(v.number()),
});
export type AttemptSummary = v.InferOutput<typeof attemptSummary>;

/** One page of attempts, newest first. */
export const attemptPage = v.object({ items: v.array(attemptSummary), more: v.boolean() });
export type AttemptPage = v.InferOutput<typeof attemptPage>;

/** What a link to a tool needs. */
export const toolLink = v.object({
  slug: v.string(),
  title: v.string(),
  type: v.string(),
  minutes: v.number(),
});

/** One area of the latest result, in the shape charts use. */
export const standingArea = v.object({
  key: v.string(),
  label: v.string(),
  short_label: v.string(),
  /** 0 to 100, unrounded; null without enough answers. */
  score: v.nullable(v.number()),
  level: v.nullable(v.picklist(LEVELS)),
  /** Whether none of its questions applies, so that there's nothing to score. */
  left_out: v.boolean(),
  /** Rank among the recommended areas, 1 to 3. */
  recommended: v.nullable(v.number()),
  /** The weakest practice, and what to do about it in the next 30 days. */
  practice: v.nullable(
    v.object({ question_key: v.string(), name: v.string(), action: v.string() }),
  ),
  /** For the weakest practice; null if the area has no score, too. */
  tool: v.nullable(toolLink),
});
export type StandingArea = v.InferOutput<typeof standingArea>;

/** The latest result: a full quiz's if there is one, otherwise a first look's. */
export const standing = v.object({
  attempt: v.object({
    id: v.string(),
    kind: v.picklist(QUIZ_KINDS),
    submitted_at: v.string(),
    retake_after: v.string(),
    overall_score: v.nullable(v.number()),
  }),
  areas: v.array(standingArea),
});
export type Standing = v.InferOutput<typeof standing>;

/** One full result in the trend; `meaning` is equal if two versions ask the same about an area. */
export const trendPoint = v.object({
  id: v.string(),
  submitted_at: v.string(),
  version_number: v.number(),
  overall_score: v.nullable(v.number()),
  areas: v.array(
    v.object({ area_key: v.string(), score: v.nullable(v.number()), meaning: v.string() }),
  ),
});
export type TrendPoint = v.InferOutput<typeof trendPoint>;

/** An answer to a question; all null if it wasn't answered. */
export const comparedAnswer = v.object({
  value: v.nullable(v.number()),
  applies: v.nullable(v.boolean()),
  /** The text of the chosen anchor. */
  words: v.nullable(v.string()),
});
export type ComparedAnswer = v.InferOutput<typeof comparedAnswer>;

export const changedAnswer = v.object({
  question_key: v.string(),
  practice: v.string(),
  text: v.string(),
  /** Whether it counts: answered with a value both times. */
  counts: v.boolean(),
  earlier: comparedAnswer,
  later: comparedAnswer,
});
export type ChangedAnswer = v.InferOutput<typeof changedAnswer>;

/** Decided by the database: `improved` or `lower` takes a change of at least two answer steps. */
export const verdict = v.picklist(['improved', 'lower', 'steady', 'not-compared']);
export type Verdict = v.InferOutput<typeof verdict>;

export const comparedArea = v.object({
  area_key: v.string(),
  name: v.string(),
  short_name: v.string(),
  /** Questions in the later version; those with the same meaning in both; those answered twice. */
  asked: v.number(),
  same: v.number(),
  compared: v.number(),
  /** Answer steps up minus steps down; null if the area isn't compared. */
  steps: v.nullable(v.number()),
  /** Scores on the compared questions alone. */
  earlier: v.nullable(v.number()),
  later: v.nullable(v.number()),
  verdict: verdict,
  changed: v.array(changedAnswer),
});
export type ComparedArea = v.InferOutput<typeof comparedArea>;

const comparedAttempt = v.object({
  id: v.string(),
  submitted_at: v.string(),
  version_number: v.number(),
  overall_score: v.nullable(v.number()),
});

/** Two full results of the same person and business, compared. */
export const comparison = v.object({
  earlier: comparedAttempt,
  later: comparedAttempt,
  areas: v.array(comparedArea),
});
export type Comparison = v.InferOutput<typeof comparison>;

/** Scores of at least twenty businesses of the same industry and stage, in whole numbers. */
export const benchmark = v.object({
  industry: v.nullable(v.string()),
  stage: v.nullable(v.string()),
  computed_at: v.nullable(v.string()),
  /** Whether the latest full result is in the version of the quiz that's compared. */
  is_current: v.boolean(),
  /** Empty if it isn't, or if there are too few businesses; `area_key` is an area or "overall". */
  areas: v.array(
    v.object({
      area_key: v.string(),
      lower: v.number(),
      middle: v.number(),
      upper: v.number(),
    }),
  ),
});
export type Benchmark = v.InferOutput<typeof benchmark>;

export const focusAction = v.object({
  id: v.string(),
  question_key: v.nullable(v.string()),
  body: v.string(),
  /** `2026-12-21` */
  due_on: v.string(),
  remind: v.boolean(),
  state: v.picklist(ACTION_STATES),
  created_at: v.string(),
  settled_at: v.nullable(v.string()),
});
export type FocusAction = v.InferOutput<typeof focusAction>;

/** An area the owner is working on. Its actions are newest first, with the open one at the top. */
export const focusArea = v.object({
  id: v.string(),
  area_key: v.string(),
  area_name: v.string(),
  attempt_id: v.string(),
  state: v.picklist(FOCUS_STATES),
  chosen_at: v.string(),
  ended_at: v.nullable(v.string()),
  actions: v.array(focusAction),
});
export type FocusArea = v.InferOutput<typeof focusArea>;

/** An open project that works on an area. */
export const areaProject = v.object({
  id: v.string(),
  title: v.string(),
  area_key: v.string(),
  /** `2026-12-21` */
  due_on: v.nullable(v.string()),
  task_count: v.number(),
  done_count: v.number(),
});
export type AreaProject = v.InferOutput<typeof areaProject>;

/** Coaching in progress or requested. */
export const coaching = v.object({
  id: v.string(),
  state: v.picklist(ENGAGEMENT_STATES),
  results_shared: v.boolean(),
  coach_name: v.nullable(v.string()),
});
export type Coaching = v.InferOutput<typeof coaching>;

export const skills = v.object({
  open_attempt: v.nullable(openAttempt),
  attempts: attemptPage,
  latest: v.nullable(standing),
  /** Oldest first. */
  trend: v.array(trendPoint),
  comparison: v.nullable(comparison),
  /** Null while the user has no business. */
  benchmark: v.nullable(benchmark),
  focus: v.array(focusArea),
  /** The next due first. */
  projects: v.array(areaProject),
  coaching: v.nullable(coaching),
  /** Whether the user wants reminder emails at all. */
  reminders: v.boolean(),
});
export type Skills = v.InferOutput<typeof skills>;

/** A result, its comparison with the previous one, what's being worked on, and other results. */
export const result = v.object({
  ...attemptView.entries,
  comparison: v.nullable(comparison),
  focus: v.array(focusArea),
  projects: v.array(areaProject),
  others: v.array(
    v.object({
      id: v.string(),
      kind: v.picklist(QUIZ_KINDS),
      submitted_at: v.string(),
      overall_score: v.nullable(v.number()),
    }),
  ),
});
export type Result = v.InferOutput<typeof result>;

/** Asks only for what a schema has; each page shows a part of what is known about skills. */
const getParts = <Entries extends v.ObjectEntries>(
  db: Db,
  businessId: string | null,
  parts: v.ObjectSchema<Entries, undefined>,
  pair: { earlier?: string; later?: string } = {},
) =>
  rpc(db, 'get_skills', parts, {
    p_business_id: businessId,
    p_parts: Object.keys(parts.entries),
    ...(pair.earlier ? { p_earlier: pair.earlier } : {}),
    ...(pair.later ? { p_later: pair.later } : {}),
  });

const current = v.object(v.omit(skills, ['attempts', 'trend', 'benchmark']).entries);
const overTime = v.object(v.pick(skills, ['latest', 'trend', 'comparison', 'attempts']).entries);
const benchmarked = v.object(v.pick(skills, ['latest', 'benchmark']).entries);
const sharing = v.object(v.pick(skills, ['latest', 'coaching']).entries);

/** What one business's skills page shows (null: no business yet). */
export const getSkills = (db: Db, businessId: string | null) => getParts(db, businessId, current);

/**
 * What a business's results over time show.
 * @param pair the attempts to compare; by default the newest two
 */
export const getSkillsOverTime = (
  db: Db,
  businessId: string | null,
  pair: { earlier?: string; later?: string },
) => getParts(db, businessId, overTime, pair);

/** The latest result of a business, and that of businesses like it. */
export const getBenchmark = (db: Db, businessId: string | null) =>
  getParts(db, businessId, benchmarked);

/** The latest result of a business, and whether its coach may see results. */
export const getSharing = (db: Db, businessId: string | null) => getParts(db, businessId, sharing);

/** One result and its context; null if it doesn't exist or the user can't read it. */
export async function getResult(db: Db, id: string): Promise<Result | null> {
  return rpc(db, 'get_result', v.nullable(result), { p_attempt_id: id });
}

/** Twenty closed attempts, newest first. @param before the id of the last one shown */
export async function listAttempts(
  db: Db,
  businessId: string | null,
  before: string,
): Promise<AttemptPage> {
  return rpc(db, 'list_attempts', attemptPage, {
    p_business_id: businessId,
    p_before: before,
  });
}

/** The fields of an action that its owner can edit. */
export interface ActionInput {
  body: string;
  /** `2026-12-21` */
  dueOn: string;
  remind: boolean;
}

/** A new action, with an id generated by the caller. */
export interface NewAction extends ActionInput {
  id: string;
  questionKey: string | null;
}

/**
 * Chooses an area of a result to work on, with its first action. Idempotent by id. Screens create a
 * project instead; the demo data has areas chosen like this, as people have from before.
 * Throws `conflict` if it's already chosen, or three are.
 * @returns all focus areas of that business, as do the functions below
 */
export async function createFocusArea(
  db: Db,
  area: { id: string; attemptId: string; areaKey: string },
  action: NewAction,
): Promise<FocusArea[]> {
  const areas = await rpc(db, 'choose_focus_area', v.array(focusArea), {
    ...argsOf(action),
    p_id: area.id,
    p_attempt_id: area.attemptId,
    p_area_key: area.areaKey,
    p_action_id: action.id,
    p_question_key: action.questionKey,
  });
  return asTyped(db, action, areas);
}

const argsOf = ({ body, dueOn, remind }: ActionInput) => ({
  p_body: body,
  p_due_on: dueOn,
  p_remind: remind,
});

/** Saves the latest input if an earlier try, whose response was lost, stored a different one. */
async function asTyped(db: Db, action: NewAction, areas: FocusArea[]): Promise<FocusArea[]> {
  const stored = areas.flatMap(({ actions }) => actions).find(({ id }) => id === action.id);
  const same =
    stored?.body === action.body.trim() &&
    stored.due_on === action.dueOn &&
    stored.remind === action.remind;
  return !stored || same ? areas : saveFocusAction(db, action.id, action);
}

/** Adds a focus area's next action. Throws `conflict` while another one is open. */
export async function createFocusAction(
  db: Db,
  focusAreaId: string,
  action: NewAction,
): Promise<FocusArea[]> {
  const areas = await rpc(db, 'add_focus_action', v.array(focusArea), {
    p_id: action.id,
    p_focus_area_id: focusAreaId,
    p_question_key: action.questionKey,
    ...argsOf(action),
  });
  return asTyped(db, action, areas);
}

/** Edits an open action. Throws `conflict` if it's been closed since. */
export async function saveFocusAction(
  db: Db,
  id: string,
  action: ActionInput,
): Promise<FocusArea[]> {
  const args = { p_id: id, ...argsOf(action) };
  return rpc(db, 'change_focus_action', v.array(focusArea), args);
}

/** Marks an action as done or dropped, or reopens it. */
export async function settleFocusAction(
  db: Db,
  id: string,
  state: FocusAction['state'],
): Promise<FocusArea[]> {
  return rpc(db, 'settle_focus_action', v.array(focusArea), { p_id: id, p_state: state });
}

/** Stops working on an area; its open action is dropped. */
export async function endFocusArea(db: Db, id: string): Promise<FocusArea[]> {
  return rpc(db, 'end_focus_area', v.array(focusArea), { p_id: id });
}

/** Skills over time: where a business stands, what has changed, and what its owner works on. */

import type { AttemptState, QuizKind } from '#domain/attempt.ts';
import type { EngagementState } from '#domain/engagement.ts';
import type { ActionState, FocusState } from '#domain/focus.ts';
import type { Level } from '#domain/level.ts';
import { dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import type { AttemptView } from './attempts.ts';
import type { OwnInvitation } from './business-members.ts';

/** The quiz that is open, and how far it is. */
export type OpenAttempt = { id: string; answered: number; asked: number; started_at: string };

export type AttemptSummary = {
  id: string;
  kind: QuizKind;
  state: AttemptState;
  version_number: number;
  started_at: string;
  submitted_at: string | null;
  /** 0 to 100, unrounded; null with fewer than six scored areas. */
  overall_score: number | null;
};

/** One page of attempts, newest first. */
export type AttemptPage = { items: AttemptSummary[]; more: boolean };

/** One area of the latest result, as a chart takes it. */
export type StandingArea = {
  key: string;
  label: string;
  short_label: string;
  /** 0 to 100, unrounded; null where there are not enough answers. */
  score: number | null;
  level: Level | null;
  /** Its place among the recommended areas, 1 to 3. */
  recommended: number | null;
  /** The weakest practice, and what to do about it in the next 30 days. */
  practice: { question_key: string; name: string; action: string } | null;
  tool: { slug: string; title: string; type: string; minutes: number } | null;
};

/** The latest result: of a full quiz where there is one. */
export type Standing = {
  attempt: {
    id: string;
    kind: QuizKind;
    submitted_at: string;
    retake_after: string;
    overall_score: number | null;
  };
  areas: StandingArea[];
};

/** A full result in the course of time; `meaning` is equal where versions ask the same of an area. */
export type TrendPoint = {
  id: string;
  submitted_at: string;
  version_number: number;
  overall_score: number | null;
  areas: { area_key: string; score: number | null; meaning: string }[];
};

/** What was said to a question; all null where nothing was. */
export type ComparedAnswer = {
  value: number | null;
  applies: boolean | null;
  /** The anchor that was chosen. */
  words: string | null;
};

export type ChangedAnswer = {
  question_key: string;
  practice: string;
  text: string;
  /** Whether it counts: answered with a value both times. */
  counts: boolean;
  earlier: ComparedAnswer;
  later: ComparedAnswer;
};

/** `improved` and `lower` from two answer steps on; the database decides. */
export type Verdict = 'improved' | 'lower' | 'steady' | 'not-compared';

export type ComparedArea = {
  area_key: string;
  name: string;
  short_name: string;
  /** Questions of the later version; of those with the same meaning in both; answered both times. */
  asked: number;
  same: number;
  compared: number;
  /** Answer steps up less steps down; null where the area is not compared. */
  steps: number | null;
  /** Scores on the compared questions alone. */
  earlier: number | null;
  later: number | null;
  verdict: Verdict;
  changed: ChangedAnswer[];
};

type ComparedAttempt = {
  id: string;
  submitted_at: string;
  version_number: number;
  overall_score: number | null;
};

/** Two full results of one person and business. */
export type Comparison = {
  earlier: ComparedAttempt;
  later: ComparedAttempt;
  areas: ComparedArea[];
};

/** What businesses of the same industry and stage reach: whole numbers, of at least twenty of them. */
export type Benchmark = {
  industry: string | null;
  stage: string | null;
  computed_at: string | null;
  /** Empty where there are too few; `area_key` is an area or "overall". */
  areas: { area_key: string; lower: number; middle: number; upper: number }[];
};

export type FocusAction = {
  id: string;
  question_key: string | null;
  body: string;
  /** `2026-12-21` */
  due_on: string;
  remind: boolean;
  state: ActionState;
  created_at: string;
  settled_at: string | null;
};

/** An area that the owner works on. Its actions stand newest first, the open one before all. */
export type FocusArea = {
  id: string;
  area_key: string;
  area_name: string;
  attempt_id: string;
  state: FocusState;
  chosen_at: string;
  ended_at: string | null;
  actions: FocusAction[];
};

/** Coaching that is under way or asked for. */
export type Coaching = {
  id: string;
  state: EngagementState;
  results_shared: boolean;
  coach_name: string | null;
};

export type Skills = {
  open_attempt: OpenAttempt | null;
  attempts: AttemptPage;
  latest: Standing | null;
  /** Oldest first. */
  trend: TrendPoint[];
  comparison: Comparison | null;
  /** Null while the person has no business. */
  benchmark: Benchmark | null;
  focus: FocusArea[];
  coaching: Coaching | null;
  /** Whether the person wants mails that remind at all. */
  reminders: boolean;
};

/** A project as the dashboard shows it. */
export type NextProject = {
  id: string;
  title: string;
  status: string;
  due_on: string | null;
  next_task: { id: string; title: string; due_on: string | null } | null;
};

export type Dashboard = Pick<Skills, 'open_attempt' | 'latest' | 'focus' | 'coaching'> & {
  /** What the person is called: as they like it, or the first word of their name; null without one. */
  called: string | null;
  /** Businesses that ask the person to join, newest first. */
  invitations: OwnInvitation[];
  /** The four that are due next; `open` is counted up to 100. */
  projects: { open: number; items: NextProject[] };
  /** Saved and not done yet, newest first. */
  tools: { slug: string; title: string; type: string; minutes: number }[];
};

/** A result with what stands around it: the one before, focus areas, and the person's other results. */
export type Result = AttemptView & {
  comparison: Comparison | null;
  focus: FocusArea[];
  others: {
    id: string;
    kind: QuizKind;
    submitted_at: string;
    overall_score: number | null;
  }[];
};

/**
 * Everything of the skills page for one business (null: for none yet).
 * @param pair the attempts to compare; the newest two where it is left out
 */
export async function getSkills(
  db: Db,
  businessId: string | null,
  pair: { earlier?: string; later?: string } = {},
): Promise<Skills> {
  const answer = await db.rpc('get_skills', {
    p_business_id: businessId as string,
    ...(pair.earlier ? { p_earlier: pair.earlier } : {}),
    ...(pair.later ? { p_later: pair.later } : {}),
  });
  return dataOf(answer) as unknown as Skills;
}

/** Everything of the first page after signing in, for one business (null: for none yet). */
export async function getDashboard(db: Db, businessId: string | null): Promise<Dashboard> {
  return dataOf(
    await db.rpc('get_dashboard', { p_business_id: businessId as string }),
  ) as unknown as Dashboard;
}

/** One result with what stands around it; null when it is not there or not theirs to see. */
export async function getResult(db: Db, id: string): Promise<Result | null> {
  const { data, error, status } = await db.rpc('get_result', { p_attempt_id: id });
  if (error) throw toAppError(error, status);
  return data as unknown as Result | null;
}

/** Twenty attempts that are over, newest first. @param before the id of the last one shown */
export async function listAttempts(
  db: Db,
  businessId: string | null,
  before: string,
): Promise<AttemptPage> {
  const answer = await db.rpc('list_attempts', {
    p_business_id: businessId as string,
    p_before: before,
  });
  return dataOf(answer) as unknown as AttemptPage;
}

/** What an owner says about an action. */
export interface ActionInput {
  body: string;
  /** `2026-12-21` */
  dueOn: string;
  remind: boolean;
}

/** An action that is new, under an id made by the sender. */
export interface NewAction extends ActionInput {
  id: string;
  questionKey: string | null;
}

/**
 * Chooses an area of a result to work on, with its first action; sent twice with one id it stays one.
 * Throws `conflict` when it is chosen already or three are.
 * @returns the focus areas of that business, as all of these do
 */
export async function createFocusArea(
  db: Db,
  area: { id: string; attemptId: string; areaKey: string },
  action: NewAction,
): Promise<FocusArea[]> {
  const answer = await db.rpc('choose_focus_area', {
    p_id: area.id,
    p_attempt_id: area.attemptId,
    p_area_key: area.areaKey,
    p_action_id: action.id,
    p_body: action.body,
    p_due_on: action.dueOn,
    p_question_key: action.questionKey as string,
    p_remind: action.remind,
  });
  return asTyped(db, action, dataOf(answer) as unknown as FocusArea[]);
}

/** What is stored of an action that was sent before, and typed anew when its answer had been lost. */
async function asTyped(db: Db, action: NewAction, areas: FocusArea[]): Promise<FocusArea[]> {
  const stored = areas.flatMap(({ actions }) => actions).find(({ id }) => id === action.id);
  const same =
    stored?.body === action.body.trim() &&
    stored.due_on === action.dueOn &&
    stored.remind === action.remind;
  return !stored || same ? areas : saveFocusAction(db, action.id, action);
}

/** The next action of a focus area. Throws `conflict` while another one is open. */
export async function createFocusAction(
  db: Db,
  focusAreaId: string,
  action: NewAction,
): Promise<FocusArea[]> {
  const answer = await db.rpc('add_focus_action', {
    p_id: action.id,
    p_focus_area_id: focusAreaId,
    p_body: action.body,
    p_due_on: action.dueOn,
    p_question_key: action.questionKey as string,
    p_remind: action.remind,
  });
  return asTyped(db, action, dataOf(answer) as unknown as FocusArea[]);
}

/** Changes an open action. Throws `conflict` when it was settled in the meantime. */
export async function saveFocusAction(
  db: Db,
  id: string,
  action: ActionInput,
): Promise<FocusArea[]> {
  const answer = await db.rpc('change_focus_action', {
    p_id: id,
    p_body: action.body,
    p_due_on: action.dueOn,
    p_remind: action.remind,
  });
  return dataOf(answer) as unknown as FocusArea[];
}

/** Marks an action as done or dropped, or opens it again. */
export async function settleFocusAction(
  db: Db,
  id: string,
  state: FocusAction['state'],
): Promise<FocusArea[]> {
  const answer = await db.rpc('settle_focus_action', { p_id: id, p_state: state });
  return dataOf(answer) as unknown as FocusArea[];
}

/** Stops working on an area; its open action is dropped. */
export async function endFocusArea(db: Db, id: string): Promise<FocusArea[]> {
  return dataOf(await db.rpc('end_focus_area', { p_id: id })) as unknown as FocusArea[];
}

/** What owners and coaches agree to do, and the tools and projects that coaches recommend. */
import * as v from 'valibot';
import type { ActionState } from '#domain/focus.ts';
import {
  RECOMMENDATION_KINDS,
  RECOMMENDATION_STATES,
  type RecommendationKind,
  type RecommendationState,
} from '#domain/session.ts';
import type { ActionDoer } from '#domain/session-values.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { coachingAction, recommendedTool } from './coaching-sessions.ts';

/** A tool or a project that a coach recommends, with a note. */
export const coachRecommendation = v.object({
  id: v.string(),
  kind: v.picklist(RECOMMENDATION_KINDS),
  /** Null for a project, or once it's no longer in the toolbox. */
  tool: v.nullable(recommendedTool),
  /** The project's; null for a tool. */
  title: v.nullable(v.string()),
  area_key: v.nullable(v.string()),
  note: v.nullable(v.string()),
  state: v.picklist(RECOMMENDATION_STATES),
  /** The project that the owner started from it. */
  project_id: v.nullable(v.string()),
  created_at: v.string(),
  settled_at: v.nullable(v.string()),
});
export type CoachRecommendation = v.InferOutput<typeof coachRecommendation>;

/** Adds an action, as the owner or the coach. Idempotent by id. */
export const createCoachingAction = (
  db: Db,
  action: {
    id: string;
    engagementId: string;
    body: string;
    doer: ActionDoer;
    dueOn: string | null;
    areaKey?: string | null;
    toolSlug?: string | null;
    focusAreaId?: string | null;
  },
) =>
  rpc(db, 'add_coaching_action', coachingAction, {
    p_id: action.id,
    p_engagement_id: action.engagementId,
    p_body: action.body,
    p_doer: action.doer,
    p_due_on: action.dueOn,
    p_area_key: action.areaKey ?? null,
    p_tool_slug: action.toolSlug ?? null,
    p_focus_area_id: action.focusAreaId ?? null,
  });

/** Marks an action as done or dropped, or reopens it: its doer, or the coach. */
export const settleCoachingAction = (db: Db, id: string, state: ActionState) =>
  rpc(db, 'settle_coaching_action', coachingAction, { p_id: id, p_state: state });

/** A coach recommends a tool (`toolSlug`) or a project (`title`). Idempotent by id. */
export const createCoachRecommendation = (
  db: Db,
  recommended: {
    id: string;
    engagementId: string;
    kind: RecommendationKind;
    toolSlug: string | null;
    title: string | null;
    areaKey: string | null;
    note: string;
  },
) =>
  rpc(db, 'recommend', coachRecommendation, {
    p_id: recommended.id,
    p_engagement_id: recommended.engagementId,
    p_kind: recommended.kind,
    p_tool_slug: recommended.toolSlug,
    p_title: recommended.title,
    p_area_key: recommended.areaKey,
    p_note: recommended.note,
  });

/** The owner takes a recommendation, with the project started from it, or dismisses it. */
export const settleRecommendation = (
  db: Db,
  id: string,
  state: Exclude<RecommendationState, 'open'>,
  projectId: string | null = null,
) =>
  rpc(db, 'settle_recommendation', coachRecommendation, {
    p_id: id,
    p_state: state,
    ...(projectId ? { p_project_id: projectId } : {}),
  });

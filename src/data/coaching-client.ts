/** One client of a coach, with everything their page shows. */
import * as v from 'valibot';
import { isOpenEngagement } from '#domain/engagement.ts';
import { CONTACT_CHANNELS } from '#domain/engagement-text.ts';
import { LEVELS } from '#domain/level.ts';
import { PROJECT_STATUSES } from '#domain/project.ts';
import { ACTION_DOERS, type SessionKind } from '#domain/session-values.ts';
import { rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { snapshot } from './business-snapshots.ts';
import { facts } from './businesses.ts';
import type { SessionPage } from './coaching-sessions.ts';
import { coachingStory } from './coaching-timeline.ts';
import { sharedEngagement } from './own-coaching.ts';
import { projectFile } from './projects.ts';
import { focusArea } from './skills.ts';

/** A file of one of a client's projects. */
const clientFile = v.object({
  ...projectFile.entries,
  project_id: v.string(),
  project_title: v.string(),
});
export type ClientFile = v.InferOutput<typeof clientFile>;

/** One of the coach's clients. */
export const client = v.object({
  ...sharedEngagement.entries,
  owner: v.object({
    user_id: v.string(),
    full_name: v.string(),
    preferred_name: v.nullable(v.string()),
    phone: v.nullable(v.string()),
    languages: v.array(v.string()),
    time_zone: v.nullable(v.string()),
    avatar_path: v.nullable(v.string()),
  }),
  /** Null once the engagement is closed, because the coach can't open the business then. */
  business: v.nullable(
    v.object({
      id: v.string(),
      facts,
      /** The latest, newest first, at most 5. */
      snapshots: v.array(snapshot),
    }),
  ),
  business_name: v.string(),
  /** The latest result, if it's shared. */
  standing: v.nullable(
    v.object({
      attempt_id: v.string(),
      submitted_at: v.string(),
      overall_score: v.nullable(v.number()),
      areas: v.array(
        v.object({
          area_key: v.string(),
          name: v.string(),
          short_name: v.string(),
          score: v.nullable(v.number()),
          level: v.nullable(v.picklist(LEVELS)),
          /** Whether none of its questions applies. */
          left_out: v.boolean(),
        }),
      ),
    }),
  ),
  /** Empty unless results are shared. */
  focus: v.array(focusArea),
  /** The last changed, at most 10. */
  projects: v.array(
    v.object({
      id: v.string(),
      title: v.string(),
      status: v.picklist(PROJECT_STATUSES),
      due_on: v.nullable(v.string()),
      area_key: v.nullable(v.string()),
    }),
  ),
  /** The newest, at most 10; empty once the engagement is closed. */
  files: v.array(clientFile),
  /** What the coach before wrote down for this one; null without a handover. */
  handover: v.nullable(
    v.object({
      id: v.string(),
      note: v.nullable(v.string()),
      /** As it was then: what the owner asked for, open actions, and summaries of sessions. */
      packet: v.object({
        goals: v.object({ note: v.nullable(v.string()), areas: v.array(v.string()) }),
        actions: v.array(
          v.object({
            body: v.string(),
            doer: v.picklist(ACTION_DOERS),
            due_on: v.nullable(v.string()),
          }),
        ),
        summaries: v.array(
          v.object({
            starts_at: v.string(),
            topics: v.array(v.string()),
            summary: v.string(),
          }),
        ),
      }),
      created_at: v.string(),
      handed_at: v.nullable(v.string()),
      /** The names of the coaches. */
      from: v.nullable(v.string()),
      to: v.nullable(v.string()),
    }),
  ),
  /** Newest first, at most 50. */
  contacts: v.array(
    v.object({
      id: v.string(),
      at: v.string(),
      channel: v.picklist(CONTACT_CHANNELS),
      reached: v.boolean(),
      note: v.nullable(v.string()),
    }),
  ),
  /** The coach's own private notes, by session. */
  notes: v.array(v.object({ session_id: v.string(), body: v.string(), updated_at: v.string() })),
  /** The conversation about the engagement, if there is one. */
  conversation: v.nullable(v.object({ id: v.string(), unread: v.number() })),
  skill_areas: v.array(
    v.object({ key: v.string(), name: v.string(), short_name: v.string(), position: v.number() }),
  ),
  /** Dates of the next 120 days, `2026-12-25`. */
  holidays: v.array(v.string()),
  ...coachingStory.entries,
});
export type Client = v.InferOutput<typeof client>;
/** The same without what the page only draws. */
export type ClientRecord = Omit<Client, 'standing' | 'focus' | 'timeline' | 'loop'>;

/** One client; null if the engagement doesn't exist or isn't this coach's. */
export const getClient = (db: Db, engagementId: string): Promise<Client | null> =>
  rpc(db, 'get_client', v.nullable(client), { p_engagement_id: engagementId });

/** What writing a session down needs to know of its client. */
export interface SessionClient {
  engagementId: string;
  business: string;
  /** What the page calls the owner. */
  name: string;
  /** Skill areas by their short names, those that the owner asked about first. */
  areas: { key: string; name: string }[];
  /** The currency of the newest figures. */
  currency: string;
  /** How they met last. */
  last: { minutes: number; kind: SessionKind; place: string | null } | null;
  /** When another session is planned. */
  planned: string | null;
  /** Open actions, as a reminder, at most 6. */
  actions: string[];
  /** Dates on which no session is suggested. */
  holidays: string[];
  /** Whether their coaching has ended: then there's only the session to write down. */
  isOver: boolean;
  /** Whether the coach could read a private note later. */
  keepsNotes: boolean;
}

/** @param sessionId the session that's written down */
export function sessionClientOf(of: Client, sessionId: string): SessionClient {
  const { skill_areas, sessions, business, owner, actions } = of;
  const others = sessions.filter(({ id }) => id !== sessionId);
  const isAsked = ({ key }: { key: string }) => of.areas.includes(key);
  const ordered = [...skill_areas.filter(isAsked), ...skill_areas.filter((each) => !isAsked(each))];
  const last = others.find(({ state }) => state === 'completed');
  return {
    engagementId: of.id,
    business: of.business_name,
    name: owner.preferred_name || owner.full_name || of.business_name,
    areas: ordered.map(({ key, short_name }) => ({ key, name: short_name })),
    currency: business?.snapshots.find(({ currency }) => currency)?.currency ?? 'USD',
    last: last ? { minutes: last.minutes, kind: last.kind, place: last.place } : null,
    planned: others.findLast(({ state }) => state === 'scheduled')?.starts_at ?? null,
    actions: actions
      .filter(({ state }) => state === 'open')
      .map(({ body }) => body)
      .slice(0, 6),
    holidays: of.holidays,
    isOver: !isOpenEngagement(of),
    keepsNotes: true,
  };
}

/** The same for a session of someone who isn't the coach's client anymore; null if it's too late. */
export function formerClientOf(session: SessionPage): SessionClient | null {
  const { can_write_up, engagement_id, business, owner_name } = session;
  if (!can_write_up) return null;
  return {
    engagementId: engagement_id,
    business: business.name,
    name: owner_name ?? business.name,
    areas: [],
    currency: 'USD',
    last: null,
    planned: null,
    actions: [],
    holidays: [],
    isOver: true,
    keepsNotes: false,
  };
}

import { type RawBuilder, sql } from 'kysely';
import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';

/** A statement that moves dates back. Run it once everything has been created. */
export type DateChange = RawBuilder<unknown>;

/** Tables whose triggers reject changed dates, so they're disabled while dates are moved back. */
const datedTables = [
  'profiles',
  'businesses',
  'business_members',
  'business_snapshots',
  'attempts',
  'answers',
  'attempt_confidences',
  'engagements',
  'engagement_events',
  'coaching_sessions',
  'coaching_actions',
  'projects',
  'project_tasks',
  'project_events',
  'project_updates',
  'focus_areas',
  'focus_actions',
  'orders',
  'order_events',
  'payments',
  'session_grants',
  'programs',
  'program_consents',
  'seat_codes',
  'seats',
  'survey_responses',
  'newsletter_issues',
  'quiz_versions',
  'prices',
];

/** This many days before now, during working hours. */
export function daysAgo(days: number): Date {
  const then = new Date(Date.now() - days * 86_400_000);
  if (days >= 1) then.setUTCHours(15 + (Math.round(days) % 6), (Math.round(days) * 7) % 60, 0, 0);
  return then;
}

/** The date this many days ago, such as `2026-11-21`. */
export function dayAgo(days: number): string {
  return isoDay(daysAgo(days));
}

export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Moves dates back with the triggers of those tables disabled. */
export async function moveBack(db: Database, changes: DateChange[]): Promise<void> {
  const set = async (state: 'disable' | 'enable') => {
    for (const table of datedTables) {
      await query(db)`alter table public.${sql.id(table)} ${sql.raw(state)} trigger user`;
    }
  };
  // A trigger with pending events can't be disabled.
  await query(db)`set constraints all immediate`;
  await set('disable');
  for (const change of changes) await change.execute(db);
  await query(db)`
    update public.profiles p set created_at = u.created_at, updated_at = u.created_at
    from auth.users u where u.id = p.user_id`;
  await set('enable');
}

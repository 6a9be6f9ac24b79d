import { type Database, query } from '#backend/supabase/functions/_shared/connection.ts';

/** Everyone last signed in when they last did something, which is also a contact's last activity. */
export async function dateSignIns(db: Database): Promise<void> {
  await query(db)`
    update auth.users u set last_sign_in_at = d.at
    from (
      select a.user_id, max(a.at) as at
      from (
        select user_id, coalesce(submitted_at, started_at) as at from public.attempts
        union all select actor_id, at from public.engagement_events
        union all select actor_id, at from public.order_events
        union all select actor_id, at from public.project_events
        union all select author_id, sent_at from public.messages
        union all select owner_id, activated_at from public.seats
      ) a
      group by a.user_id
    ) d
    where d.user_id = u.id and d.at >= u.created_at`;
}

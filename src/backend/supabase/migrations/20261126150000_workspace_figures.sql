SET local check_function_bodies = off;

DROP INDEX "public"."messages_author_id_idx";

CREATE OR REPLACE FUNCTION private.coach_weeks (
  p_coach_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'sessions', jsonb_agg(s.held order by w.until),
    'clients', jsonb_agg(s.clients order by w.until),
    'messages', jsonb_agg((
      select count(*) from public.messages m
      where m.author_id = p_coach_id and m.removed_at is null
        and m.sent_at > w.until - interval '1 week' and m.sent_at <= w.until
    ) order by w.until)
  )
  from (
    select now() - ago * interval '1 week' as until from generate_series(0, 11) as ago
  ) w
  -- Week by week, each a range of an index.
  cross join lateral (
    select count(*) as held, count(distinct x.engagement_id) as clients
    from public.coaching_sessions x
    where x.coach_id = p_coach_id and x.state = 'completed'
      and x.starts_at > w.until - interval '1 week' and x.starts_at <= w.until
  ) s
$function$;

CREATE OR REPLACE FUNCTION private.next_projects_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with open_ones as (
    -- The first of each status by their index, and the first of those together: what is read does
    -- not grow with the projects.
    select p.id, p.title, p.status, p.due_on, p.task_count, p.done_count
    from unnest(array['draft', 'planned', 'in_progress', 'blocked', 'in_review']) as s (status)
    cross join lateral (
      select x.id, x.title, x.status, x.due_on, x.task_count, x.done_count
      from public.projects x
      where x.business_id = p_business_id and x.status = s.status
      order by coalesce(x.due_on, 'infinity'::date), x.id
      limit 4
    ) p
    where (select private.session_ok())
      and p_business_id = any (array(select private.my_business_ids()))
    order by coalesce(p.due_on, 'infinity'::date), p.id
    limit 4
  )
  select jsonb_build_object(
    -- Beyond this many nobody needs the number.
    'open', (
      select count(*) from (
        select from public.projects p
        where p.business_id = p_business_id
          and p.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
          and exists (select from open_ones)
        limit 100
      ) n
    ),
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'id', o.id, 'title', o.title, 'status', o.status, 'due_on', o.due_on,
      'task_count', o.task_count, 'done_count', o.done_count,
      'next_task', (
        select jsonb_build_object('id', k.id, 'title', k.title, 'due_on', k.due_on)
        from public.project_tasks k
        where k.project_id = o.id and k.removed_at is null and k.state <> 'done'
        order by k.position, k.id
        limit 1
      )
    ) order by coalesce(o.due_on, 'infinity'::date), o.id), '[]')
  )
  from open_ones o
$function$;

CREATE OR REPLACE FUNCTION private.next_session_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', s.id, 'starts_at', s.starts_at, 'minutes', s.minutes, 'kind', s.kind, 'place', s.place
  )
  from public.engagements e
  join public.coaching_sessions s on s.engagement_id = e.id and s.state = 'scheduled'
  where (select private.session_ok())
    and e.owner_id = (select auth.uid()) and e.business_id = p_business_id and e.closed_at is null
    and s.starts_at > now() - s.minutes * interval '1 minute'
  order by s.starts_at, s.id
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.own_forecast_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select w.document
  from public.business_worksheets w
  where (select private.session_ok())
    and p_business_id = any (array(select private.my_business_ids()))
    and w.business_id = p_business_id and w.kind = 'forecast'
$function$;

CREATE OR REPLACE FUNCTION public.admin_overview (
  p_days  integer DEFAULT 28,
  p_route text    DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
begin
  perform private.audit('overview.read', 'overview', null);
  return jsonb_build_object(
    'tasks', private.overview_tasks(v_admin_id),
    'figures', jsonb_build_object(
      'people', jsonb_build_object(
        'total', (select count(*) from public.profiles),
        'weeks', private.weekly_counts('public.profiles p where true', 'p.created_at')
      ),
      'businesses', jsonb_build_object(
        'total', (select count(*) from public.businesses b where b.archived_at is null),
        'weeks', private.weekly_counts(
          'public.businesses b where b.archived_at is null', 'b.created_at'
        )
      ),
      'attempts', jsonb_build_object(
        'total', (select count(*) from public.attempts t where t.state = 'submitted'),
        'weeks', private.weekly_counts(
          'public.attempts t where t.state = ''submitted''', 't.submitted_at'
        )
      ),
      'engagements', jsonb_build_object(
        'total', (select count(*) from public.engagements e where e.closed_at is null),
        'weeks', private.weekly_counts('public.engagements e where true', 'e.requested_at')
      ),
      'sessions', jsonb_build_object(
        'total', (select count(*) from public.coaching_sessions s where s.state = 'completed'),
        'weeks', private.weekly_counts(
          'public.coaching_sessions s where s.state = ''completed''', 's.starts_at'
        )
      ),
      'projects', jsonb_build_object(
        'total', (
          select count(*) from public.projects p
          where p.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
        ),
        'weeks', private.weekly_counts('public.projects p where true', 'p.created_at')
      ),
      'contacts', jsonb_build_object(
        'total', (select count(*) from public.contacts),
        'weeks', private.weekly_counts('public.contacts c where true', 'c.created_at')
      ),
      'orders', jsonb_build_object(
        'total', (select count(*) from public.orders),
        'weeks', private.weekly_counts('public.orders o where true', 'o.created_at')
      )
    ),
    'views', private.page_views_json(least(greatest(coalesce(p_days, 28), 7), 365), p_route)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.coach_today()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_until timestamptz := private.day_start(v_user_id, 2);
begin
  if not private.is_coach() then
    return null;
  end if;
  return jsonb_build_object(
    'due', (
      select coalesce(jsonb_agg(
        private.client_row(d.id) || jsonb_build_object('key', d.due_at) order by d.due_at, d.id
      ), '[]')
      from (
        select e.id, e.at as due_at from private.engagement_names e
        where e.coach_id = v_user_id and e.at < v_until
          and e.state in ('assigned', 'accepted', 'active', 'paused')
        order by e.at, e.id limit 20
      ) d
    ),
    'sessions', private.sessions_today(v_user_id, v_until),
    'offers_waiting', (
      select count(*) from (
        select from public.session_offers o
        where o.coach_id = v_user_id and o.state = 'open' limit 100
      ) n
    ),
    'counts', private.client_counts(v_user_id),
    'weeks', private.coach_weeks(v_user_id),
    'unread', private.unread_json(v_user_id),
    'calendar_since', private.calendar_since(v_user_id),
    'holidays', private.coming_holidays()
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_dashboard (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'called', (
      select coalesce(p.preferred_name, nullif(split_part(p.full_name, ' ', 1), ''))
      from public.profiles p where p.user_id = (select auth.uid())
    ),
    'open_attempt', private.open_attempt_json(p_business_id),
    'latest', private.standing_json(p_business_id),
    'trend', private.trend_json(p_business_id),
    'focus', private.focus_json((select auth.uid()), p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'session', private.next_session_json(p_business_id),
    'forecast', private.own_forecast_json(p_business_id),
    'invitations', private.invitations_to_me(),
    'events', private.my_event_places(),
    'projects', private.next_projects_json(p_business_id),
    'unread', private.unread_json((select auth.uid())),
    'tools', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc
        limit 4
      ) s
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.use_recovery_code (
  p_code text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
  v_left int;
begin
  if v_user_id is null or private.session_state() <> 'required' then
    raise exception 'Sign in with your password first.' using errcode = '42501';
  end if;
  perform private.require_rate_limit(
    'recovery-code:' || v_user_id, 10, interval '1 hour',
    'Too many tries. Try again %s.', 'code'
  );
  delete from private.recovery_codes c
  where c.user_id = v_user_id and c.hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    -- An answer instead of an error, which would undo that the try was counted.
    return jsonb_build_object('used', false);
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- Whoever found the phone may be signed in on it.
  delete from auth.sessions s
  where s.user_id = v_user_id and s.id::text is distinct from auth.jwt() ->> 'session_id';
  select count(*) into v_left from private.recovery_codes c where c.user_id = v_user_id;
  perform private.audit(
    'recovery_codes.use', 'user', v_user_id::text, null, jsonb_build_object('left', v_left)
  );
  perform private.notify(
    v_user_id, 'account', 'recovery_code:' || now(), 'Someone signed in with a recovery code',
    E'It removed your authenticator apps and signed out your other devices. Until you add an app again, your password alone signs you in.\nIf this wasn’t you, choose a new password right away and write to us.',
    '/dashboard/profile/security#second-factor', 'Add an app'
  );
  return jsonb_build_object('used', true);
end
$function$;

CREATE INDEX coaching_sessions_held_idx ON public.coaching_sessions USING btree (starts_at)
  WHERE (state = 'completed'::text);

CREATE INDEX contacts_created_at_idx ON public.contacts USING btree (created_at);

CREATE INDEX messages_author_id_idx ON public.messages USING btree (author_id, sent_at);

COMMENT ON FUNCTION "private"."coach_weeks"(uuid) IS 'What a coach did in each of the last 12 weeks, oldest first; a week is 7 days that end now: {sessions (held), clients (met in them), messages (written and not deleted)}.';

COMMENT ON FUNCTION "private"."next_projects_json"(uuid) IS 'A business''s four open projects that are due next, each with its next task and how many are done, for a member; and the number of open ones, up to 100.';

COMMENT ON FUNCTION "private"."next_session_json"(uuid) IS 'The caller''s next session about a business, or the one that''s taking place: {id, starts_at, minutes, kind, place}; null if none is planned.';

COMMENT ON FUNCTION "private"."own_forecast_json"(uuid) IS 'The cash forecast of a business, for a member; null if there''s none.';

COMMENT ON FUNCTION "public"."admin_overview"(integer, text) IS 'An admin''s first screen: {tasks: what waits, by kind; figures: {total, weeks (new ones in each of 12 weeks)} of people, businesses, attempts (submitted), engagements (total: open), sessions (held), projects (total: open), contacts and orders; views of the last p_days (7 to 365), by day for one route or all}. Writes an audit row.';

COMMENT ON FUNCTION "public"."coach_today"() IS 'What the calling coach does today: {due (clients with something due by the end of tomorrow or late, at most 20), sessions (today''s and tomorrow''s), offers_waiting, counts, weeks, unread, calendar_since, holidays}. Null for everyone else.';

COMMENT ON FUNCTION "public"."get_dashboard"(uuid) IS 'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result and those before it, focus areas, coaching, the next session, the cash forecast, open invitations, places at events, the projects due next, conversations with unread messages, and saved tools that aren''t done.';

REVOKE ALL ON FUNCTION "private"."coach_weeks"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_session_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."next_session_json"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."own_forecast_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."own_forecast_json"(uuid) TO "authenticated";

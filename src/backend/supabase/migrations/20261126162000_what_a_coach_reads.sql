SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.client_of (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'id', c.engagement_id, 'name', coalesce(nullif(p.preferred_name, ''), nullif(p.full_name, ''))
  )
  from private.my_clients() c
  join public.profiles p on p.user_id = c.owner_id
  where c.business_id = p_business_id
$function$;

CREATE OR REPLACE FUNCTION private.request_answer (
  p_user_id uuid,
  p_key     text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object('at', a.at, 'is_yes', a.to_state = 'accepted')
  from public.engagement_events q
  join public.engagements e
    on e.id = q.engagement_id and e.owner_id is distinct from p_user_id
  cross join lateral (
    select ev.at, ev.to_state from public.engagement_events ev
    where ev.engagement_id = q.engagement_id and ev.id > q.id and ev.from_state = 'assigned'
    order by ev.id limit 1
  ) a
  where q.to_state = 'assigned'
    -- As private.step_key makes it.
    and p_key = 'step:' || q.engagement_id || ':' || q.id
    and q.id = case when p_key ~ '^step:[0-9a-f-]{36}:[0-9]{1,18}$'
      then split_part(p_key, ':', 3)::bigint end
$function$;

CREATE OR REPLACE FUNCTION public.get_business (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_business public.businesses;
  v_role text;
begin
  select * into v_business from public.businesses b
  where b.id = p_id and b.id = any (array(select private.readable_business_ids()));
  if not found then
    return null;
  end if;
  select m.role into v_role from public.business_members m
  where m.business_id = p_id and m.user_id = v_user_id;
  return jsonb_build_object(
    'id', v_business.id, 'role', v_role, 'archived_at', v_business.archived_at,
    'merged_into', private.merged_into(p_id),
    'facts', private.business_facts(v_business),
    'snapshots', private.snapshots_json(p_id, null, 24),
    -- Who belongs to it is for its members.
    'members', case when v_role is null then '[]'::jsonb else coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'user_id', m.user_id, 'name', private.name_of(m.user_id), 'role', m.role,
          'joined_at', m.joined_at
        ) order by m.role desc, m.joined_at, m.user_id
      )
      from (
        select * from public.business_members a where a.business_id = p_id
        order by a.role desc, a.joined_at limit 200
      ) m
    ), '[]') end,
    'invitations', case when v_role is distinct from 'owner' then '[]'::jsonb else coalesce((
      select jsonb_agg(private.invitation_json(i.id) order by i.created_at desc, i.id)
      from public.business_invitations i where i.business_id = p_id and i.ended is null
    ), '[]') end,
    'plan', private.plan_progress(p_id),
    'forecast', (
      select jsonb_build_object('saved_at', w.saved_at)
      from public.business_worksheets w where w.business_id = p_id and w.kind = 'forecast'
    ),
    'calculators', (
      select count(*)
      from public.business_worksheets w where w.business_id = p_id and w.kind <> 'forecast'
    ),
    'client', private.client_of(p_id)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_plan (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'business_id', b.id, 'name', b.name, 'archived', b.archived_at is not null,
      'role', (
        select m.role from public.business_members m
        where m.business_id = b.id and m.user_id = v_user_id
      ),
      'fields', coalesce((
        select jsonb_agg(private.plan_field_json(f) order by f.field)
        from public.business_plan_fields f where f.business_id = b.id
      ), '[]'),
      'client', private.client_of(b.id)
    )
    from public.businesses b
    where b.id = p_business_id and b.id = any (array(select private.readable_business_ids()))
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.get_worksheet (
  p_business_id uuid,
  p_kind        text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'business_id', b.id, 'name', b.name, 'archived', b.archived_at is not null,
      'role', (
        select m.role from public.business_members m
        where m.business_id = b.id and m.user_id = v_user_id
      ),
      'sheet', private.worksheet_json(b.id, p_kind),
      'client', private.client_of(b.id)
    )
    from public.businesses b
    where b.id = p_business_id and b.id = any (array(select private.readable_business_ids()))
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.list_notifications (
  p_place jsonb   DEFAULT NULL::jsonb,
  p_limit integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  return private.list_page(
    'public.notifications r',
    'jsonb_build_object(
      ''kind'', r.kind, ''title'', r.title, ''body'', r.body, ''created_at'', r.created_at,
      ''is_unread'', r.read_at is null, ''answer'', private.request_answer(r.user_id, r.key)
    )',
    array['r.user_id = (select auth.uid())'],
    'r.created_at', 'timestamptz', true, '{}', p_place, p_limit
  );
end
$function$;

COMMENT ON FUNCTION "private"."client_of"(uuid) IS 'Who the caller coaches at a business: {id, name}, of the engagement and as the owner wants to be called; null if nobody.';

COMMENT ON FUNCTION "private"."request_answer"(uuid, text) IS 'What came of a request for coaching that a coach was notified of by this key: {at, is_yes}; is_yes is false if it went to someone else. Null while it waits, and for everything else.';

COMMENT ON FUNCTION "public"."get_business"(uuid) IS 'A business with its figures, members, open invitations (for its owner) and its plan''s progress; null if the caller can''t read it. role is null for the coach, who gets client: {id, name} of the engagement and its owner.';

COMMENT ON FUNCTION "public"."get_plan"(uuid) IS 'The plan of a business: {business_id, name, archived, role, fields, client}; null if the caller can''t read it. role is null for the coach, who gets client, and fields never filled in are left out.';

COMMENT ON FUNCTION "public"."get_worksheet"(uuid, text) IS 'A worksheet of a business: {business_id, name, archived, role, sheet, client}; null if the caller can''t read it. role is null for the coach, who gets client.';

COMMENT ON FUNCTION "public"."list_notifications"(jsonb, integer) IS 'The caller''s notifications, newest first, a page at a time: {rows: [{id, key, kind, title, body, created_at, is_unread, answer}], more, count}; see private.list_page.';

REVOKE ALL ON FUNCTION "private"."client_of"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_answer"(uuid, text) FROM PUBLIC;

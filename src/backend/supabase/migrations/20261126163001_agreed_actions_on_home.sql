SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.agreed_actions_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(to_jsonb(n) order by n.due_on, n.id), '[]')
  from (
    select a.id, a.body, a.due_on
    from public.engagements e
    join public.coaching_actions a on a.engagement_id = e.id
    where (select private.session_ok())
      and e.owner_id = (select auth.uid()) and e.business_id = p_business_id
      and e.closed_at is null
      and a.state = 'open' and a.doer = 'owner' and a.due_on is not null
    order by a.due_on, a.id
    limit 6
  ) n
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
    'agreed', private.agreed_actions_json(p_business_id),
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

COMMENT ON FUNCTION "private"."agreed_actions_json"(uuid) IS 'What the caller agreed to do in coaching about a business, the six due first: [{id, body, due_on}].';

COMMENT ON FUNCTION "public"."get_dashboard"(uuid) IS 'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result and those before it, focus areas, coaching, the next session, what was agreed in coaching, the cash forecast, open invitations, places at events, the projects due next, conversations with unread messages, and saved tools that aren''t done.';

REVOKE ALL ON FUNCTION "private"."agreed_actions_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."agreed_actions_json"(uuid) TO "authenticated";

SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.orders_of (
  p_business_id uuid,
  p_buyer_id    uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.list_page(
    'public.orders r', private.order_row(),
    array[
      case when p_business_id is not null then 'r.business_id = ($1 ->> ''business'')::uuid' end,
      case when p_buyer_id is not null then 'r.buyer_id = ($1 ->> ''buyer'')::uuid' end
    ],
    'r.created_at', 'timestamptz', true,
    jsonb_build_object('business', p_business_id, 'buyer', p_buyer_id), null, 50
  ) -> 'rows'
$function$;

CREATE OR REPLACE FUNCTION private.overview_tasks (
  p_admin_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'unassigned', (select count(*) from public.engagements e where e.state = 'requested'),
    -- The rule of private.is_late, in a form that an index answers.
    'late', (
      select count(*) from public.engagements e
      where e.closed_at is null and e.due_at < now() and e.due_what <> 'session'
    ),
    'quotes', (
      select count(*) from public.orders o where o.state = 'draft' and o.method = 'purchase_order'
    ),
    'purchase_orders', (select count(*) from public.orders o where o.state = 'po_received'),
    'overdue', (
      select count(*) from public.orders o
      where o.state = 'invoiced' and o.invoice_due_on < private.coaching_day()
    ),
    'support', (select count(*) from private.unread_support(p_admin_id)),
    'contacts', (select count(*) from public.contacts c where c.waiting > 0),
    'reports', (select count(*) from public.message_reports r where r.state = 'open'),
    'jobs', (
      select count(*) from private.jobs j
      where j.kind <> 'mail'
        and (j.state = 'failed' or j.every is not null and j.last_error is not null)
    ),
    'mails', (select count(*) from private.jobs j where j.state = 'failed' and j.kind = 'mail'),
    'toggles', (
      select count(*) from private.toggles t where t.expires_on <= current_date + 14
    ),
    'old_tools', (
      select count(*) from public.toolbox_items i
      where i.state = 'published' and i.reviewed_on < now() - interval '1 year'
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.admin_business (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_business public.businesses;
begin
  perform private.require_admin();
  select * into v_business from public.businesses b where b.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit(
    'business.read', 'business', p_id::text, null, jsonb_build_object('business_id', p_id)
  );
  return jsonb_build_object(
    'id', v_business.id, 'name', v_business.name, 'created_at', v_business.created_at,
    'updated_at', v_business.updated_at, 'archived_at', v_business.archived_at,
    'facts', private.business_facts(v_business),
    'merged_into', private.merged_into(p_id),
    'merges', private.merges_json(p_id),
    'sessions_left', private.sessions_left_json(p_id),
    'orders', private.orders_of(p_id, null)
  ) || private.business_belongings(p_id);
end
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
      'orders', jsonb_build_object(
        'total', (select count(*) from public.orders),
        'weeks', private.weekly_counts('public.orders o where true', 'o.created_at')
      )
    ),
    'views', private.page_views_json(least(greatest(coalesce(p_days, 28), 7), 365), p_route)
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_person (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user auth.users;
begin
  perform private.require_admin();
  select * into v_user from auth.users u where u.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit('person.read', 'user', p_id::text);
  return (
    select jsonb_build_object(
      'id', p.user_id, 'name', p.full_name, 'preferred_name', p.preferred_name, 'phone', p.phone,
      'time_zone', p.time_zone, 'languages', p.languages,
      'email', v_user.email, 'new_email', nullif(v_user.email_change, ''),
      'joined_at', p.created_at, 'confirmed_at', v_user.email_confirmed_at,
      'seen_at', v_user.last_sign_in_at, 'state', private.account_state(p.user_id),
      'deletion_due_at', (select d.due_at from public.account_deletions d where d.user_id = p_id),
      'role', private.role_of(p_id),
      'role_since', (select s.granted_at from public.staff_roles s where s.user_id = p_id),
      'coach', case when private.role_of(p_id) = 'coach' then private.coach_profile_json(p_id) end,
      'skill_areas', (
        select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
        from public.skill_areas a
      ),
      'sessions', (select count(*) from auth.sessions s where s.user_id = p_id),
      'second_factor', exists (
        select from auth.mfa_factors f where f.user_id = p_id and f.status = 'verified'
      ),
      'businesses', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', b.id, 'name', b.name, 'role', m.role, 'archived', b.archived_at is not null
        ) order by m.joined_at, b.id), '[]')
        from public.business_members m
        join public.businesses b on b.id = m.business_id
        where m.user_id = p_id
      ),
      -- How many and when, and nothing of what was answered.
      'attempts', (
        select jsonb_build_object(
          'open', count(*) filter (where t.state = 'in_progress'),
          'finished', count(*) filter (where t.state = 'submitted'),
          'latest_at', max(t.submitted_at)
        )
        from public.attempts t where t.user_id = p_id
      ),
      'coaching', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', e.id, 'state', e.state, 'requested_at', e.requested_at,
          'business', (select b.name from public.businesses b where b.id = e.business_id),
          'owner', (select o.full_name from public.profiles o where o.user_id = e.owner_id),
          'coach', (select c.full_name from public.profiles c where c.user_id = e.coach_id)
        ) order by e.requested_at desc, e.id), '[]')
        from (
          select * from public.engagements x
          where x.owner_id = p_id or x.coach_id = p_id
          order by x.requested_at desc, x.id limit 50
        ) e
      ),
      'orders', private.orders_of(null, p_id),
      'contact', (
        select jsonb_build_object('id', c.id, 'messages', c.messages, 'consent', c.newsletter)
        from public.contacts c where c.user_id = p_id
      ),
      'reports', (
        select count(*) from public.message_reports x where x.author_id = p_id
      )
    )
    from public.profiles p where p.user_id = p_id
  );
end
$function$;

COMMENT ON FUNCTION "private"."orders_of"(uuid, uuid) IS 'The latest 50 orders for a business or of a buyer, as private.order_row.';

COMMENT ON FUNCTION "public"."admin_overview"(integer, text) IS 'An admin''s first screen: {tasks: what waits, by kind; figures: {total, weeks (new ones in each of 12 weeks)} of people, businesses, attempts (submitted), engagements (total: open) and orders; views of the last p_days (7 to 365), by day for one route or all}. Writes an audit row.';

COMMENT ON FUNCTION "public"."admin_person"(uuid) IS 'One person as an admin sees them: the account, profile, role, businesses, coaching, orders, contact, and how many quizzes and reports; null if there''s no such account.';

REVOKE ALL ON FUNCTION "private"."orders_of"(uuid, uuid) FROM PUBLIC;

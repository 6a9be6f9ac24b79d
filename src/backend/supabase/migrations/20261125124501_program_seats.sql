SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.admin_program_json (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.program_json(p) || jsonb_build_object(
    'order', (
      select jsonb_build_object('id', o.id, 'state', o.state) from public.orders o where o.id = p.order_id
    ),
    'reason', p.reason, 'consent_version', p.consent_version,
    'consent', (
      select c.body from public.program_consents c
      where c.program_id = p.id and c.version = p.consent_version
    ),
    'sponsors', array(
      select s.address from public.program_sponsors s where s.program_id = p.id order by s.address
    ),
    'waiting_list', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', w.user_id, 'name', private.name_of(w.user_id), 'joined_at', w.joined_at
      ) order by w.joined_at, w.user_id), '[]')
      from (
        select * from public.seat_waits x where x.program_id = p.id and x.offered_at is null
        order by x.joined_at, x.user_id limit 50
      ) w
    )
  )
  from public.programs p where p.id = p_id
$function$;

CREATE OR REPLACE FUNCTION public.admin_seats (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('program.seats', 'program', p_filter ->> 'program', null, p_filter);
  return private.list_page(
    'public.seats r',
    $row$
      (
        select jsonb_build_object(
          'number', r.number, 'state', r.state, 'since', r.state_since,
          'address', r.address, 'reserved_until', r.reserved_until,
          'business', (
            select jsonb_build_object('id', b.id, 'name', b.name)
            from public.businesses b where b.id = r.business_id
          ),
          'used', u.used, 'of', p.sessions, 'counted', r.withdrawn_at is null,
          'can_pass_on', r.state = 'assigned' or r.state = 'activated' and u.used = 0
            and greatest(r.activated_at, p.starts_on) <= now() - interval '90 days'
        )
        from public.programs p
        cross join lateral (select private.sessions_of_seat(r.id) as used) u
        where p.id = r.program_id
      )
    $row$,
    array[
      'r.program_id = ($1 ->> ''program'')::uuid',
      case when p_filter ? 'state' then 'r.state = $1 ->> ''state''' end
    ],
    'r.number', 'int', false, p_filter, p_place, p_limit
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_seats"(jsonb, jsonb, integer) FROM PUBLIC, "anon", "service_role";

COMMENT ON FUNCTION "public"."admin_get_program"(uuid) IS 'A program for an admin: as its sponsors see it, with its order, the text owners agree to, sponsors and the first 50 of the waiting list; null if there''s none. Its seats: admin_seats.';

COMMENT ON FUNCTION "public"."admin_seats"(jsonb, jsonb, integer) IS 'A page of a program''s seats by {program, state}, as private.list_page: {number, state, since, address, reserved_until, business, used, of (sessions), counted, can_pass_on}.';

GRANT EXECUTE ON FUNCTION "public"."admin_seats"(jsonb, jsonb, integer) TO "authenticated";

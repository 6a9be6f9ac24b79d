SET local check_function_bodies = off;

DROP FUNCTION "private"."free_clients"(uuid, text);

CREATE OR REPLACE FUNCTION private.free_clients (
  p_coach_id      uuid,
  p_note          text,
  p_becomes_admin boolean DEFAULT false
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
  v_ids uuid[];
  v_count int := 0;
begin
  -- As everywhere: engagements, then their coach.
  perform from public.engagements e
  where e.coach_id = p_coach_id and e.closed_at is null order by e.id for update;
  perform private.one_at_a_time('coach', p_coach_id);
  -- Again, because they may have got a client until it was their turn.
  v_ids := array(
    select e.id from public.engagements e
    where e.coach_id = p_coach_id and e.closed_at is null order by e.id for update
  );
  perform private.hold_coaching(v_ids, p_becomes_admin);
  for v_engagement in select * from public.engagements e where e.id = any (v_ids) order by e.id loop
    perform private.return_request(v_engagement, 'system', p_note, 'coach_left');
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.hold_coaching (
  p_engagement_ids uuid[],
  p_with_support   boolean DEFAULT false
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.hold_conversations(array(
    select c.id from public.conversations c where c.engagement_id = any (p_engagement_ids)
    union all
    select c.id from public.projects j join public.conversations c on c.project_id = j.id
    where j.engagement_id = any (p_engagement_ids)
    union all
    select c.id from public.engagements e
    join public.conversations c on c.direct_pair = private.pair_of(e.owner_id, e.coach_id)
    where e.id = any (p_engagement_ids)
    union all
    select c.id from public.conversations c where p_with_support and c.kind = 'support'
  ));
end
$function$;

CREATE OR REPLACE FUNCTION private.lapse_requests()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
  v_names record;
  v_ids uuid[];
  v_count int := 0;
begin
  v_ids := array(
    select e.id from public.engagements e
    where e.closed_at is null and e.state = 'assigned' and e.due_at <= now()
    order by e.id limit 500
    for update skip locked
  );
  perform private.hold_coaching(v_ids);
  for v_engagement in select * from public.engagements e where e.id = any (v_ids) order by e.id loop
    perform private.return_request(v_engagement, 'system', 'lapsed', 'lapsed');
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      v_engagement.id, v_engagement.coach_id, 'Someone else will coach ' || v_names.business,
      'You didn’t say yes or no in time, so we’re looking for someone else. If you take no new clients right now, say so in your settings.',
      '/dashboard/coaching/settings', 'Your settings'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.role_frees_clients()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.free_clients(
    old.user_id, 'No longer a coach.', tg_op = 'UPDATE' and new.role is not distinct from 'admin'
  );
  return null;
end
$function$;

COMMENT ON FUNCTION "private"."free_clients"(uuid, text, boolean) IS 'All clients of a coach go back to looking for a coach, because that coach is gone, or an admin from now on; how many.';

COMMENT ON FUNCTION "private"."hold_coaching"(uuid[], boolean) IS 'Before several engagements change in one transaction: locks everything that settle_coaching, and on request settle_support, will lock one after the other.';

REVOKE ALL ON FUNCTION "private"."free_clients"(uuid, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."hold_coaching"(uuid[], boolean) FROM PUBLIC;

SET local check_function_bodies = off;

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
  -- As in choose_coach and assign_coach: first the coach, who gets no client from now on, then the
  -- engagements.
  perform private.one_at_a_time('coach', p_coach_id);
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

CREATE OR REPLACE FUNCTION public.assign_coach (
  p_engagement_id uuid,
  p_coach_id      uuid,
  p_reason        text,
  p_handover      text DEFAULT NULL::text,
  p_message       text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_handover text := private.clean_text(p_handover, 4000, 'handover');
  v_message text := private.clean_text(p_message, 400, 'message');
  v_before public.engagements;
begin
  -- First the coach, then the engagement: as in free_clients, which would wait for this one otherwise.
  perform private.one_at_a_time('coach', p_coach_id);
  v_before := private.any_engagement(p_engagement_id);
  if v_before.closed_at is not null then
    raise exception 'This coaching has ended.' using errcode = '55000';
  end if;
  if v_before.coach_id is distinct from p_coach_id or p_coach_id is null then
    if v_handover is not null then
      perform private.leave_handover(p_engagement_id, v_before.coach_id, v_handover);
    end if;
    if v_before.state = 'requested' then
      perform private.ask_coach(v_before, p_coach_id, 'admin', v_reason);
      perform private.notify(
        v_before.owner_id, 'coaching', private.step_key(p_engagement_id),
        coalesce(private.name_of(p_coach_id), 'A coach') || ' has your request',
        coalesce(v_message, 'We asked them because we think they’re right for you. They’ll say yes or no soon.'),
        '/dashboard/coaching', 'Your coaching'
      );
    else
      perform private.reassign(v_before, p_coach_id, v_reason, v_message);
    end if;
    perform private.audit(
      'engagement.assign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_before.coach_id, 'after', p_coach_id)
    );
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

CREATE OR REPLACE FUNCTION public.choose_coach (
  p_engagement_id uuid,
  p_coach_id      uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_engagement public.engagements;
begin
  -- First the coach, then the engagement: as in free_clients, which would wait for this one otherwise.
  perform private.one_at_a_time('coach', p_coach_id);
  v_engagement := private.hold_engagement(p_engagement_id, '{owner}');
  if v_engagement.state <> 'assigned' or v_engagement.coach_id is distinct from p_coach_id then
    if v_engagement.coach_id is not null and v_engagement.closed_at is null then
      raise exception 'You already have a coach. You can ask for another one.' using errcode = '55000';
    end if;
    if private.was_coach(p_coach_id, p_engagement_id) then
      raise exception 'This coach couldn’t take on your request. Choose someone else.'
        using errcode = '55000', hint = 'coach_id';
    end if;
    perform private.ask_coach(v_engagement, p_coach_id, 'owner', null);
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$function$;

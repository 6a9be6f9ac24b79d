-- What admins do about coaching: find a coach, find another one, send someone elsewhere, end it. Each
-- step has a reason and a row in the audit log.

create function private.reassign(
  p_engagement public.engagements, p_coach_id uuid, p_reason text, p_message text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements;
  v_names record;
begin
  perform private.require_coach(p_engagement, p_coach_id);
  perform set_config('trellis.reason', p_reason, true);
  update public.engagements e set coach_id = p_coach_id
  where e.id = p_engagement.id returning * into v_engagement;
  perform set_config('trellis.reason', '', true);
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, p_coach_id, 'You’re the new coach of ' || v_names.business,
    case v_engagement.state when 'assigned' then 'Say yes or no.' else 'Read what the last coach left for you, and get in touch.' end,
    '/dashboard/coaching/' || v_engagement.id, 'Open the client'
  );
  perform private.tell_of_step(
    v_engagement.id, p_engagement.coach_id, 'Someone else coaches ' || v_names.business || ' now',
    'You can’t open the business or its results anymore. Thank you for your work.',
    '/dashboard/coaching', 'Your clients'
  );
  perform private.tell_of_step(
    v_engagement.id, v_engagement.owner_id, v_names.coach || ' is your new coach',
    concat_ws(
      E'\n', coalesce(p_message, v_names.coach || ' will get in touch with you.'),
      case when p_engagement.results_shared
        then 'Your quiz results aren’t shared with them. You can change that on the page of your coaching.' end
    ),
    '/dashboard/coaching', 'Your coaching'
  );
end
$$;
comment on function private.reassign(public.engagements, uuid, text, text) is
  'Another coach takes over open coaching, which is locked; its state stays. Everyone is notified.';

create function public.assign_coach(
  p_engagement_id uuid, p_coach_id uuid, p_reason text, p_handover text default null,
  p_message text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.assign_coach(uuid, uuid, text, text, text) is
  'An admin assigns a request to a coach who has room, or open coaching to another one, with a reason, what the coach should know (p_handover) and a message to the owner; the engagement (see private.engagement_json).';

create function public.unassign_coach(p_engagement_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'requested' then
    perform private.return_request(v_engagement, 'admin', v_reason, 'coach_left');
    perform private.tell_of_step(
      p_engagement_id, v_engagement.coach_id,
      'You no longer coach ' || (private.coaching_names(v_engagement)).business,
      'We’re looking for someone else for them. You can’t open the business or its results anymore.',
      '/dashboard/coaching', 'Your clients'
    );
    perform private.audit(
      'engagement.unassign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_engagement.coach_id, 'after', null)
    );
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$$;
comment on function public.unassign_coach(uuid, text) is
  'An admin takes open coaching away from a coach before there''s another one; the engagement. Owner and coach are notified.';

create function public.refer_elsewhere(p_engagement_id uuid, p_reason text, p_referral text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_referral text := private.clean_text(
    p_referral, 1000, 'referral', 'Tell the owner who can help instead.'
  );
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'ineligible' then
    perform private.begin_step(v_engagement, 'ineligible', 'admin', v_reason);
    update public.engagements e set state = 'ineligible', referral = v_referral
    where e.id = p_engagement_id returning * into v_engagement;
    perform private.end_step();
    perform private.tell_of_step(
      p_engagement_id, v_engagement.owner_id, 'We can’t coach you on this', private.excerpt(v_referral),
      '/dashboard/coaching', 'Who can help'
    );
    perform private.audit('engagement.refer', 'engagement', p_engagement_id::text, v_reason);
  end if;
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.refer_elsewhere(uuid, text, text) is
  'An admin doesn''t take on a request, with a reason for staff and a text for the owner about who can help instead; the engagement.';

create function public.close_engagement(
  p_engagement_id uuid, p_reason text, p_summary text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_summary text := private.clean_text(p_summary, 2000, 'summary');
  v_engagement public.engagements := private.any_engagement(p_engagement_id);
begin
  if v_engagement.state <> 'completed' then
    v_engagement := private.complete(v_engagement, 'admin', v_reason, v_summary);
    perform private.audit('engagement.close', 'engagement', p_engagement_id::text, v_reason);
  end if;
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.close_engagement(uuid, text, text) is
  'An admin ends coaching that''s active or paused, with a reason for staff and, if there''s something to say, a summary for the owner; the engagement.';

grant execute on function
  public.assign_coach(uuid, uuid, text, text, text), public.unassign_coach(uuid, text),
  public.refer_elsewhere(uuid, text, text), public.close_engagement(uuid, text, text)
to authenticated;

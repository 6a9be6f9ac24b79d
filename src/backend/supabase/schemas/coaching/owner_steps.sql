-- What owners do about their coaching: ask for it, choose a coach, ask for another one, say who may
-- see their results, answer, and withdraw.

create function private.require_coach(p_engagement public.engagements, p_coach_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- They stay a coach, and nobody takes their last place, until this is done.
  perform private.one_at_a_time('coach', p_coach_id);
  if p_coach_id is null or private.role_of(p_coach_id) <> 'coach' then
    raise exception 'Choose someone who’s a coach.' using errcode = '22023', hint = 'coach_id';
  end if;
  if p_engagement.owner_id = p_coach_id then
    raise exception 'People can’t coach themselves.' using errcode = '22023', hint = 'coach_id';
  end if;
  perform private.require_room(p_coach_id);
end
$$;
comment on function private.require_coach(public.engagements, uuid) is
  'An error unless this person is a coach, not the owner, and has room for one more.';

create function private.ask_coach(
  p_engagement public.engagements, p_coach_id uuid, p_who text, p_note text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_names record;
  v_engagement public.engagements;
begin
  perform private.begin_step(p_engagement, 'assigned', p_who, p_note);
  perform private.require_coach(p_engagement, p_coach_id);
  update public.engagements e set state = 'assigned', coach_id = p_coach_id
  where e.id = p_engagement.id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, p_coach_id, v_names.business || ' would like you as their coach',
    -- Without the owner's words, which go with the owner's account.
    'Read what they ask for, and say yes or no by '
      || private.day_words(v_engagement.due_at, p_coach_id) || '.',
    '/dashboard/coaching/' || v_engagement.id, 'Read the request'
  );
end
$$;
comment on function private.ask_coach(public.engagements, uuid, text, text) is
  'A request, which is locked, goes to a coach who has room; they''re notified.';

create function public.request_coaching(
  p_id uuid,
  p_business_id uuid,
  p_note text default null,
  p_areas text[] default '{}',
  p_share_results boolean default false,
  p_coach_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_new public.engagements;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select * into v_new from public.engagements e where e.id = p_id;
  if found then
    if v_new.owner_id is distinct from v_user_id then
      raise exception 'This request already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.engagement_json(v_new);
  end if;

  if p_id is null then
    raise exception 'A request needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_member(p_business_id);
  if not private.toggle_on('coaching-requests') then
    raise exception 'We aren’t taking coaching requests right now. Try again later.'
      using errcode = '55000';
  end if;
  if exists (
    select from unnest(p_areas) as chosen (key)
    where not exists (select from public.skill_areas s where s.key = chosen.key)
  ) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'areas';
  end if;
  if exists (
    select from public.engagements e
    where e.owner_id = v_user_id and e.business_id = p_business_id
      and e.closed_at is null
  ) then
    raise exception 'You’ve already asked for a coach for this business.'
      using errcode = '23505', hint = 'business_id';
  end if;

  insert into public.engagements (id, business_id, owner_id, areas, note, results_shared)
  values (
    p_id, p_business_id, v_user_id,
    array(select distinct key from unnest(p_areas) as chosen (key) order by key),
    private.clean_text(p_note, 2000, 'note'), coalesce(p_share_results, false)
  )
  returning * into v_new;
  if p_coach_id is not null then
    perform private.ask_coach(v_new, p_coach_id, 'owner', null);
  else
    perform private.notify_admins(
      'coaching', 'requested:' || p_id,
      (private.coaching_names(v_new)).business || ' asks for a coach',
      'Find someone by ' || to_char(v_new.due_at at time zone private.coaching_zone(), 'FMMonth FMDD') || '.',
      '/admin/coaching/' || p_id, 'Find a coach'
    );
  end if;
  return private.engagement_json(private.any_engagement(p_id));
end
$$;
comment on function public.request_coaching(uuid, uuid, text, text[], boolean, uuid) is
  'An owner asks for a coach for a business, by name if they like (then it''s assigned right away); the engagement (see private.engagement_json). One open request per business and owner.';

create function public.choose_coach(p_engagement_id uuid, p_coach_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.choose_coach(uuid, uuid) is
  'An owner asks a coach who has room, and wasn''t asked before, to take on a request that nobody has; the engagement.';

create function public.set_results_shared(p_engagement_id uuid, p_shared boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_shared is null then
    raise exception 'Say whether to share the results.' using errcode = '22023', hint = 'shared';
  end if;
  -- Nothing keeps anyone from taking it back.
  if p_shared then
    perform private.limit_daily('share', p_engagement_id, 20);
  end if;
  update public.engagements e set results_shared = p_shared
  where e.id = p_engagement_id and e.owner_id = v_user_id;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return jsonb_build_object('id', p_engagement_id, 'results_shared', p_shared);
end
$$;
comment on function public.set_results_shared(uuid, boolean) is
  'An owner lets the coach read quiz results, or stops sharing them, at any time. It''s for one coach: the next one starts without.';

create function public.withdraw_coaching(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
  v_names record;
begin
  -- Sent again after a lost answer, it is done already.
  if v_engagement.state <> 'withdrawn' then
    if private.is_closed(v_engagement.state) then
      raise exception 'This coaching has already ended.' using errcode = '55000';
    end if;
    perform private.begin_step(v_engagement, 'withdrawn', 'owner');
    update public.engagements e set state = 'withdrawn' where e.id = p_engagement_id;
    perform private.end_step();
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      p_engagement_id, v_engagement.coach_id, v_names.business || ' has withdrawn from coaching',
      v_names.owner || ' has withdrawn from coaching for ' || v_names.business
        || '. You can’t open the business or its results anymore.',
      '/dashboard/coaching', 'Your clients'
    );
  end if;
  return jsonb_build_object('id', p_engagement_id, 'state', 'withdrawn');
end
$$;
comment on function public.withdraw_coaching(uuid) is
  'An owner withdraws from coaching in any open state; {id, state}. The coach loses access immediately and is notified.';

create function public.resume_contact(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
begin
  if v_engagement.state <> 'accepted' then
    if v_engagement.state <> 'unreachable' then
      raise exception 'Your coach isn’t trying to reach you.' using errcode = '55000';
    end if;
    perform private.hear_from_owner(p_engagement_id);
  end if;
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$$;
comment on function public.resume_contact(uuid) is
  'An owner whose coach couldn''t reach them says that they''re here: the coaching is open again; the engagement.';

create function public.ask_for_other_coach(p_engagement_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
  v_reason text := private.require_reason(p_reason);
begin
  if v_engagement.coach_id is null or v_engagement.closed_at is not null then
    raise exception 'You don’t have a coach for this business.' using errcode = '55000';
  end if;
  if v_engagement.change_requested_at is null then
    perform private.limit_daily('step', p_engagement_id, 10);
    update public.engagements e set change_requested_at = now()
    where e.id = p_engagement_id returning * into v_engagement;
    insert into public.engagement_events (engagement_id, actor_id, kind, from_state, to_state, note)
    values (
      p_engagement_id, auth.uid(), 'change_requested', v_engagement.state, v_engagement.state, v_reason
    );
    perform private.notify_admins(
      'coaching', private.step_key(p_engagement_id),
      (private.coaching_names(v_engagement)).business || ' asks for another coach',
      'The reason is on the page of this coaching. Their coach doesn’t know.',
      '/admin/coaching/' || p_engagement_id, 'Open the coaching'
    );
  end if;
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.ask_for_other_coach(uuid, text) is
  'An owner asks the admins for another coach, with a reason that only they read; the engagement. The coach isn''t told.';

create function public.keep_coach(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner}');
begin
  if v_engagement.change_requested_at is not null then
    update public.engagements e set change_requested_at = null
    where e.id = p_engagement_id returning * into v_engagement;
    insert into public.engagement_events (engagement_id, actor_id, kind, from_state, to_state)
    values (p_engagement_id, auth.uid(), 'change_dropped', v_engagement.state, v_engagement.state);
  end if;
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.keep_coach(uuid) is
  'An owner no longer asks for another coach; the engagement.';

grant execute on function
  public.request_coaching(uuid, uuid, text, text[], boolean, uuid), public.choose_coach(uuid, uuid),
  public.set_results_shared(uuid, boolean), public.withdraw_coaching(uuid),
  public.resume_contact(uuid), public.ask_for_other_coach(uuid, text), public.keep_coach(uuid)
to authenticated;

-- Moving and canceling sessions, and what becomes of them when the coach changes or coaching ends.

create function public.move_session(
  p_id uuid, p_starts_at timestamptz, p_minutes int, p_kind text, p_place text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_id, '{coach}');
  v_place text := private.clean_text(p_place, 300, 'place');
begin
  if v_session.state <> 'scheduled' then
    raise exception 'This session is over or canceled. Schedule another one.' using errcode = '55000';
  end if;
  perform private.require_under_way(e) from public.engagements e where e.id = v_session.engagement_id;
  perform private.check_session_plan(
    p_starts_at, v_session.time_zone, p_minutes, p_kind, p_place
  );
  -- Sent again after a lost answer, it's done already.
  if (v_session.starts_at, v_session.minutes, v_session.kind, v_session.place)
    is not distinct from (p_starts_at, p_minutes, p_kind, v_place)
  then
    return private.session_state_json(p_id);
  end if;
  perform private.require_free(v_session.coach_id, p_id, p_starts_at, p_minutes);
  update public.coaching_sessions s set
    starts_at = p_starts_at, minutes = p_minutes, kind = p_kind,
    place = v_place, revision = s.revision + 1
  where s.id = p_id;
  perform private.notify(
    e.owner_id, 'session', 'session:' || p_id || ':' || v_session.revision + 1,
    'Your coaching session is now on ' || private.when_words(p_starts_at, e.owner_id),
    coalesce(private.name_of(v_user_id), 'Your coach') || ' changed it. It was going to be on '
      || private.when_words(v_session.starts_at, e.owner_id) || '.',
    '/dashboard/coaching', 'Your coaching'
  )
  from public.engagements e where e.id = v_session.engagement_id;
  return private.session_state_json(p_id);
end
$$;
comment on function public.move_session(uuid, timestamptz, int, text, text) is
  'A coach changes the time, length, kind or place of a scheduled session; {id, state}. The owner is notified.';
grant execute on function public.move_session(uuid, timestamptz, int, text, text) to authenticated;

create function public.cancel_session(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions := private.hold_session(p_id, '{owner,coach}');
  v_reason text := private.clean_text(p_reason, 500, 'reason');
  v_engagement public.engagements;
  v_is_owner boolean;
begin
  select * into v_engagement from public.engagements e where e.id = v_session.engagement_id;
  v_is_owner := v_engagement.owner_id = v_user_id;
  if v_session.state = 'canceled' then
    return private.session_state_json(p_id);
  end if;
  if v_session.state <> 'scheduled' then
    raise exception 'This session is over.' using errcode = '55000';
  end if;
  if v_is_owner and v_session.starts_at <= now() then
    raise exception 'This session has already started. Write to your coach instead.'
      using errcode = '55000';
  end if;
  update public.coaching_sessions s set
    state = 'canceled', cancel_reason = v_reason, revision = s.revision + 1
  where s.id = p_id;
  perform private.notify(
    t.user_id, 'session', 'session:' || p_id || ':canceled',
    'The session on ' || private.when_words(v_session.starts_at, t.user_id) || ' is canceled',
    coalesce(private.name_of(v_user_id), case when v_is_owner then 'Your client' else 'Your coach' end)
      || ' canceled it.' || coalesce(E'\n' || v_reason, ''),
    case when v_is_owner then '/dashboard/coaching/' || v_engagement.id else '/dashboard/coaching' end,
    case when v_is_owner then 'Open the client' else 'Your coaching' end
  )
  from (
    select case when v_is_owner then v_engagement.coach_id else v_engagement.owner_id end as user_id
  ) t;
  return private.session_state_json(p_id);
end
$$;
comment on function public.cancel_session(uuid, text) is
  'An owner (before it starts) or the coach cancels a scheduled session, which then uses none; {id, state}. The other one is notified.';
grant execute on function public.cancel_session(uuid, text) to authenticated;

create function private.end_sessions() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.coaching_sessions s set
    state = 'canceled', revision = s.revision + 1,
    cancel_reason = case when new.closed_at is null then 'The coach changed.' else 'The coaching ended.' end
  -- One that has begun may have taken place.
  where s.engagement_id = new.id and s.state = 'scheduled' and s.starts_at > now();
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = new.id and o.state = 'open';
  return null;
end
$$;
comment on function private.end_sessions() is
  'Trigger: what was planned ends with the coaching, or with the coach who planned it.';
create trigger engagements_end_sessions after update of coach_id, state, closed_at on public.engagements
  for each row
  when (
    old.coach_id is distinct from new.coach_id and old.coach_id is not null
    or old.closed_at is null and new.closed_at is not null
  )
  execute function private.end_sessions();

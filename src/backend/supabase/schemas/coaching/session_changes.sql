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
  perform private.limit_daily('plan', v_session.engagement_id, 50);
  if p_starts_at <> v_session.starts_at then
    perform private.require_sessions_left(e.business_id, p_starts_at, p_id)
    from public.engagements e where e.id = v_session.engagement_id;
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

create function private.ask_for_write_up(p_session public.coaching_sessions, p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_session.starts_at > now() or private.write_up_until(p_session) <= now()
    or private.role_of(p_session.coach_id) <> 'coach'
  then
    return;
  end if;
  perform private.notify(
    p_session.coach_id, 'session', 'session:' || p_session.id || ':write-up',
    'Write up your session with ' || (select b.name from public.businesses b where b.id = p_business_id),
    'Your coaching of them has ended. You can still write up the session on '
      || private.when_words(p_session.starts_at, p_session.coach_id) || ' until '
      || private.day_words(private.write_up_until(p_session), p_session.coach_id)
      || '. After that we’ll cancel it, and it won’t count.',
    '/dashboard/coaching/sessions/' || p_session.id, 'Write it up'
  );
end
$$;
comment on function private.ask_for_write_up(public.coaching_sessions, uuid) is
  'Tells a coach whose coaching has ended that a session that had started can still be written up.';

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
  perform private.ask_for_write_up(s, new.business_id)
  from public.coaching_sessions s where s.engagement_id = new.id and s.state = 'scheduled';
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

create function private.cancel_unwritten() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_lost record;
  v_count int := 0;
begin
  for v_lost in
    select s.id, s.starts_at, e.id as engagement_id, e.owner_id, b.name as business,
      case when e.closed_at is null then e.coach_id end as next_coach_id
    from public.coaching_sessions s
    join public.engagements e on e.id = s.engagement_id
    join public.businesses b on b.id = e.business_id
    where s.state = 'scheduled' and s.starts_at <= now() - interval '14 days'
      and private.write_up_until(s) <= now()
      and (e.closed_at is not null or e.coach_id is null or s.coach_id is distinct from e.coach_id)
    order by e.id, s.id limit 500
    for update of e skip locked
  loop
    update public.coaching_sessions s set
      state = 'canceled', revision = s.revision + 1, cancel_reason = 'The coach didn’t write it up.'
    where s.id = v_lost.id and s.state = 'scheduled';
    perform private.notify(
      p.person_id, 'session', 'session:' || v_lost.id || ':canceled',
      format(p.title, private.when_words(v_lost.starts_at, p.person_id)), p.body, p.path, 'Open coaching'
    )
    from (values
      (
        v_lost.owner_id, 'The session on %s doesn’t count',
        'The coach you had then didn’t write it up, so it hasn’t used one of your sessions.',
        '/dashboard/coaching'
      ),
      (
        v_lost.next_coach_id, 'The session on %s doesn’t count',
        'The coach before you didn’t write up their session with ' || v_lost.business
          || '. Ask the owner what came of it.',
        '/dashboard/coaching/' || v_lost.engagement_id
      )
    ) as p (person_id, title, body, path)
    where p.person_id is not null;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.cancel_unwritten() is
  'Cancels sessions that a coach whose coaching has ended didn''t write up in time, and tells the owner and the coach they have now; how many.';

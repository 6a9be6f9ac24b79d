-- Offers: two or three times that a coach suggests for a session, of which the owner picks one.
--
--   offer:  open → picked | declined | withdrawn | expired

create table public.session_offers (
  id uuid primary key,
  engagement_id uuid not null references public.engagements (id),
  coach_id uuid references auth.users (id) on delete set null,
  -- Soonest first.
  times timestamptz[] not null check (cardinality(times) between 2 and 3),
  time_zone text not null check (char_length(time_zone) <= 64),
  minutes int not null check (minutes between 15 and 240),
  kind text not null check (kind in ('in_person', 'online', 'phone')),
  place text check (char_length(place) <= 300),
  state text not null default 'open' check (
    state in ('open', 'picked', 'declined', 'withdrawn', 'expired')
  ),
  session_id uuid references public.coaching_sessions (id),
  -- Why none of them works, as the owner says.
  note text check (char_length(note) <= 500),
  created_at timestamptz not null default now(),
  check ((state = 'picked') = (session_id is not null))
);
comment on table public.session_offers is
  'Times that coaches offer for a session, and what became of them. Read through procedures.';

create index session_offers_engagement_id_idx on public.session_offers (engagement_id, state);
create index session_offers_coach_id_idx on public.session_offers (coach_id, state);
create index session_offers_session_id_idx on public.session_offers (session_id);
create unique index session_offers_one_open_idx on public.session_offers (engagement_id)
  where state = 'open';

alter table public.session_offers enable row level security;

create trigger session_offers_move_the_clock after insert or update on public.session_offers
  for each row execute function private.move_clock();

create function private.offer_state_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', o.id, 'state', o.state)
  from public.session_offers o where o.id = p_id
$$;

create function public.offer_times(
  p_id uuid, p_engagement_id uuid, p_times timestamptz[], p_time_zone text, p_minutes int,
  p_kind text, p_place text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_times timestamptz[] := array(select distinct t from unnest(p_times) t order by t);
  v_found public.session_offers;
  v_time timestamptz;
begin
  select * into v_found from public.session_offers o where o.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement_id then
      raise exception 'This offer already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.offer_state_json(p_id);
  end if;
  if p_id is null then
    raise exception 'An offer needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_under_way(v_engagement);
  if cardinality(v_times) <> cardinality(p_times) or cardinality(v_times) not between 2 and 3
    or v_times[1] <= now() or array_position(v_times, null) is not null
  then
    raise exception 'Offer two or three different times in the future.'
      using errcode = '22023', hint = 'times';
  end if;
  perform private.limit_daily('plan', p_engagement_id, 50);
  foreach v_time in array v_times loop
    perform private.require_sessions_left(v_engagement.business_id, v_time);
    perform private.check_session_plan(v_time, p_time_zone, p_minutes, p_kind, p_place);
    perform private.require_free(v_user_id, p_id, v_time, p_minutes);
  end loop;
  -- There's one question at a time.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement_id and o.state = 'open';
  insert into public.session_offers (
    id, engagement_id, coach_id, times, time_zone, minutes, kind, place
  ) values (
    p_id, p_engagement_id, v_user_id, v_times, p_time_zone, p_minutes, p_kind,
    private.clean_text(p_place, 300, 'place')
  );
  perform private.notify(
    v_engagement.owner_id, 'session', 'offer:' || p_id, 'Choose a time for your coaching session',
    coalesce(private.name_of(v_user_id), 'Your coach') || ' offers you these times:' || E'\n' || (
      select string_agg(private.when_words(t, v_engagement.owner_id), E'\n' order by t)
      from unnest(v_times) t
    ),
    '/dashboard/coaching', 'Choose a time'
  );
  return private.offer_state_json(p_id);
end
$$;
comment on function public.offer_times(uuid, uuid, timestamptz[], text, int, text, text) is
  'A coach offers a client two or three times for a session, instead of what was offered before; {id, state}. The owner is notified.';
grant execute on function public.offer_times(uuid, uuid, timestamptz[], text, int, text, text)
  to authenticated;

create function private.hold_offer(p_id uuid, p_who text[]) returns public.session_offers
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers;
begin
  select * into v_offer from public.session_offers o where o.id = p_id;
  perform from public.engagements e where e.id = v_offer.engagement_id for update;
  select o.* into v_offer
  from public.session_offers o join public.engagements e on e.id = o.engagement_id
  where o.id = p_id and (
    'owner' = any (p_who) and e.owner_id = v_user_id
    or 'coach' = any (p_who) and e.coach_id = v_user_id and o.coach_id = v_user_id
      and e.owner_id is not null and private.is_coach()
  )
  for update of o;
  if not found then
    raise exception 'We can’t find these times.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_offer;
end
$$;
comment on function private.hold_offer(uuid, text[]) is
  'An offer for the caller as its owner or its coach, locked; an error (P0002) for everyone else.';

create function public.withdraw_offer(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers := private.hold_offer(p_id, '{coach}');
begin
  if v_offer.state = 'picked' then
    raise exception 'They’ve already picked a time. Move or cancel the session instead.'
      using errcode = '55000';
  end if;
  update public.session_offers o set state = 'withdrawn' where o.id = p_id and o.state = 'open';
  return private.offer_state_json(p_id);
end
$$;
comment on function public.withdraw_offer(uuid) is
  'A coach takes offered times back, unless the owner has picked one; {id, state}. Idempotent.';
grant execute on function public.withdraw_offer(uuid) to authenticated;

create function public.pick_time(p_offer_id uuid, p_session_id uuid, p_time timestamptz)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers := private.hold_offer(p_offer_id, '{owner}');
  v_engagement public.engagements;
begin
  if v_offer.state = 'picked' then
    if v_offer.session_id <> p_session_id then
      raise exception 'You’ve already picked a time.' using errcode = '55000';
    end if;
    return private.session_state_json(p_session_id);
  end if;
  if v_offer.state <> 'open' then
    raise exception 'These times aren’t offered anymore.' using errcode = '55000';
  end if;
  if (p_time = any (v_offer.times)) is not true then
    raise exception 'Choose one of the times that are offered.'
      using errcode = '22023', hint = 'time';
  end if;
  if p_time <= now() then
    raise exception 'This time has passed. Choose a later one.' using errcode = '22023', hint = 'time';
  end if;
  if exists (select from public.coaching_sessions s where s.id = p_session_id) then
    raise exception 'This session already exists.' using errcode = '23505', hint = 'session_id';
  end if;
  select * into v_engagement from public.engagements e where e.id = v_offer.engagement_id;
  perform private.require_under_way(v_engagement);
  perform private.require_sessions_left(v_engagement.business_id, p_time);
  perform private.put_session(
    p_session_id, v_engagement, p_time, v_offer.time_zone, v_offer.minutes, v_offer.kind,
    v_offer.place
  );
  perform private.require_free(v_engagement.coach_id, p_session_id, p_time, v_offer.minutes);
  update public.session_offers o set state = 'picked', session_id = p_session_id
  where o.id = p_offer_id;
  perform private.notify(
    v_engagement.coach_id, 'session', 'session:' || p_session_id,
    coalesce(private.name_of(v_user_id), 'Your client') || ' picked '
      || private.when_words(p_time, v_engagement.coach_id),
    'The session is in your calendar.', '/dashboard/coaching/' || v_engagement.id, 'Open the client'
  );
  return private.session_state_json(p_session_id);
end
$$;
comment on function public.pick_time(uuid, uuid, timestamptz) is
  'An owner picks one of the offered times, which schedules the session under the given id; {id, state}. Idempotent. The coach is notified.';
grant execute on function public.pick_time(uuid, uuid, timestamptz) to authenticated;

create function public.decline_times(p_offer_id uuid, p_note text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_offer public.session_offers := private.hold_offer(p_offer_id, '{owner}');
  v_note text := private.clean_text(p_note, 500, 'note');
begin
  if v_offer.state = 'declined' then
    return private.offer_state_json(p_offer_id);
  end if;
  if v_offer.state = 'picked' then
    raise exception 'You’ve already picked a time. Cancel the session instead.' using errcode = '55000';
  end if;
  if v_offer.state <> 'open' then
    raise exception 'These times aren’t offered anymore.' using errcode = '55000';
  end if;
  update public.session_offers o set state = 'declined', note = v_note
  where o.id = p_offer_id;
  perform private.notify(
    v_offer.coach_id, 'session', 'offer:' || p_offer_id || ':declined',
    'None of the times works for ' || coalesce(private.name_of(v_user_id), 'your client'),
    coalesce(v_note, 'Offer other times, or write to them.'),
    '/dashboard/coaching/' || v_offer.engagement_id, 'Offer other times'
  );
  return private.offer_state_json(p_offer_id);
end
$$;
comment on function public.decline_times(uuid, text) is
  'An owner says that none of the offered times works, with a note for the coach; {id, state}. Idempotent. The coach is notified.';
grant execute on function public.decline_times(uuid, text) to authenticated;

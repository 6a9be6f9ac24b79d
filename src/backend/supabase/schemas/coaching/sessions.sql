-- Sessions: when an owner and their coach meet, what came of it, and what it used up.
--
--   session:  scheduled → completed | no_show | canceled
--
-- A session belongs to an engagement and to the coach who ran it. Its owner reads the summary; the
-- coach's private notes are in a table of their own. Only procedures write rows.

create table public.coaching_sessions (
  -- Created by the browser, so that a session closed offline is stored once.
  id uuid primary key,
  engagement_id uuid not null references public.engagements (id),
  coach_id uuid references auth.users (id) on delete set null,
  state text not null default 'scheduled' check (
    state in ('scheduled', 'completed', 'no_show', 'canceled')
  ),
  starts_at timestamptz not null,
  -- The IANA name of the zone in which the coach planned it.
  time_zone text not null check (char_length(time_zone) <= 64),
  minutes int not null check (minutes between 15 and 240),
  kind text not null check (kind in ('in_person', 'online', 'phone')),
  place text check (char_length(place) <= 300),
  -- Keys of skill areas.
  topics text[] not null default '{}' check (cardinality(topics) <= 8),
  -- The owner reads it.
  summary text check (char_length(summary) <= 1000),
  cancel_reason text check (char_length(cancel_reason) <= 500),
  -- Whether it used one of the owner's sessions: one that took place, or that the owner missed
  -- without a word. Whoever can't come cancels it.
  uses_one boolean not null generated always as (state in ('completed', 'no_show')) stored,
  -- Counts changes that calendars have to know of.
  revision int not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  closed_at timestamptz,
  check ((state = 'scheduled') = (closed_at is null))
);
comment on table public.coaching_sessions is
  'Sessions of an engagement: when and where, how they ended, and the summary that the owner reads.';

create index coaching_sessions_engagement_id_idx
  on public.coaching_sessions (engagement_id, state, starts_at);
create index coaching_sessions_coach_id_idx on public.coaching_sessions (coach_id, starts_at);
create index coaching_sessions_scheduled_idx on public.coaching_sessions (starts_at)
  where state = 'scheduled';

alter table public.coaching_sessions enable row level security;
create policy "Sessions are read with their engagement"
  on public.coaching_sessions for select to authenticated
  using (
    (select private.session_ok())
    and engagement_id = any (array(select e.id from public.engagements e))
  );
grant select on public.coaching_sessions to authenticated;

-- Triggers --------------------------------------------------------------------------------------

create trigger coaching_sessions_touch before update on public.coaching_sessions
  for each row execute function private.touch_updated_at();

create function private.guard_session() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.engagement_id <> old.engagement_id
    or (new.coach_id is distinct from old.coach_id and new.coach_id is not null)
  then
    raise exception 'A session stays with its coaching and its coach.' using errcode = '55000';
  end if;
  if new.state <> old.state then
    new.closed_at := now();
  end if;
  return new;
end
$$;
create trigger coaching_sessions_stay_as_they_are before update on public.coaching_sessions
  for each row execute function private.guard_session();
create trigger coaching_sessions_take_known_steps
  before insert or update of state on public.coaching_sessions
  for each row execute function private.check_transition('session', 'state');

create trigger coaching_sessions_move_the_clock after insert or update on public.coaching_sessions
  for each row execute function private.move_clock();

-- When a session can be planned ------------------------------------------------------------------

create function private.require_under_way(p_engagement public.engagements) returns void
language plpgsql stable set search_path = '' as $$
begin
  if p_engagement.state not in ('accepted', 'active', 'paused') then
    raise exception '%', case p_engagement.state
      when 'assigned' then 'Accept this client first.'
      else 'This coaching has ended.'
    end using errcode = '55000';
  end if;
end
$$;
comment on function private.require_under_way(public.engagements) is
  'An error (55000) unless a coach has accepted and the coaching is open.';

create function private.check_session_plan(
  p_starts_at timestamptz, p_time_zone text, p_minutes int, p_kind text, p_place text
) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_starts_at is null
    or p_starts_at not between now() - interval '60 days' and now() + interval '365 days'
  then
    raise exception 'Choose a time within the last 60 days or the next year.'
      using errcode = '22023', hint = 'starts_at';
  end if;
  if private.known_time_zone(p_time_zone) is null then
    raise exception 'We don’t know this time zone. Choose one from the list.'
      using errcode = '22023', hint = 'time_zone';
  end if;
  if p_minutes is null or p_minutes not between 15 and 240 then
    raise exception 'A session takes 15 to 240 minutes.' using errcode = '22023', hint = 'minutes';
  end if;
  if p_kind is null or p_kind not in ('in_person', 'online', 'phone') then
    raise exception 'Say whether it’s in person, online or by phone.'
      using errcode = '22023', hint = 'kind';
  end if;
  perform private.clean_text(p_place, 300, 'place');
end
$$;

create function private.write_up_until(p_session public.coaching_sessions) returns timestamptz
language sql immutable set search_path = '' as $$
  select p_session.starts_at + make_interval(mins => p_session.minutes) + interval '14 days'
$$;
comment on function private.write_up_until(public.coaching_sessions) is
  'Until when a session can be written up once its coach isn''t the coach anymore.';

create function private.require_free(
  p_coach_id uuid, p_session_id uuid, p_starts_at timestamptz, p_minutes int
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_other record;
begin
  -- Two sessions scheduled at once would both find the time free.
  perform private.one_at_a_time('coach_times', p_coach_id);
  select s.starts_at, b.name as business into v_other
  from public.coaching_sessions s
  join public.engagements e on e.id = s.engagement_id
  join public.businesses b on b.id = e.business_id
  where s.coach_id = p_coach_id and s.state = 'scheduled' and s.id <> p_session_id
    and s.starts_at > p_starts_at - interval '240 minutes'
    and s.starts_at < p_starts_at + make_interval(mins => p_minutes)
    and s.starts_at + make_interval(mins => s.minutes) > p_starts_at
  order by s.starts_at limit 1;
  if not found then
    return;
  end if;
  -- An owner isn't told whom else their coach meets.
  raise exception '%', case
    when p_coach_id = auth.uid() then format(
      'You already have a session with %s on %s at %s. Choose another time.', v_other.business,
      private.day_words(v_other.starts_at, p_coach_id), private.time_words(v_other.starts_at, p_coach_id)
    )
    else 'Your coach has another session then. Choose another time.'
  end using errcode = '55000', hint = 'starts_at';
end
$$;
comment on function private.require_free(uuid, uuid, timestamptz, int) is
  'An error (55000) if a session at this time would overlap another scheduled one of the coach.';

create function private.when_words(p_at timestamptz, p_user_id uuid) returns text
language sql volatile security definer set search_path = '' as $$
  select private.day_words(p_at, p_user_id) || ' at ' || private.time_words(p_at, p_user_id)
$$;
comment on function private.when_words(timestamptz, uuid) is
  'A moment where a person is, for a message to them: December 22, 2026 at 3:00 PM MST.';

-- Scheduling, moving and canceling --------------------------------------------------------------

create function private.put_session(
  p_id uuid, p_engagement public.engagements, p_starts_at timestamptz, p_time_zone text,
  p_minutes int, p_kind text, p_place text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_id is null then
    raise exception 'A session needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.check_session_plan(p_starts_at, p_time_zone, p_minutes, p_kind, p_place);
  insert into public.coaching_sessions (
    id, engagement_id, coach_id, starts_at, time_zone, minutes, kind, place
  ) values (
    p_id, p_engagement.id, p_engagement.coach_id, p_starts_at, p_time_zone, p_minutes, p_kind,
    private.clean_text(p_place, 300, 'place')
  );
end
$$;
comment on function private.put_session(uuid, public.engagements, timestamptz, text, int, text, text) is
  'Adds a scheduled session of an engagement''s coach, after checking it.';

create function private.plan_session(
  p_id uuid, p_engagement public.engagements, p_starts_at timestamptz, p_time_zone text,
  p_minutes int, p_kind text, p_place text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_found public.coaching_sessions;
begin
  select * into v_found from public.coaching_sessions s where s.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement.id then
      raise exception 'This session already exists.' using errcode = '23505', hint = 'id';
    end if;
    return;
  end if;
  perform private.require_under_way(p_engagement);
  perform private.limit_daily('plan', p_engagement.id, 50);
  perform private.require_sessions_left(p_engagement.business_id, p_starts_at);
  perform private.put_session(
    p_id, p_engagement, p_starts_at, p_time_zone, p_minutes, p_kind, p_place
  );
  perform private.require_free(p_engagement.coach_id, p_id, p_starts_at, p_minutes);
  -- What the owner could still have picked is settled by this.
  update public.session_offers o set state = 'withdrawn'
  where o.engagement_id = p_engagement.id and o.state = 'open';
  perform private.notify(
    p_engagement.owner_id, 'session', 'session:' || p_id,
    'Your coaching session is on ' || private.when_words(p_starts_at, p_engagement.owner_id),
    coalesce(private.name_of(p_engagement.coach_id), 'Your coach') || ' scheduled it.',
    '/dashboard/coaching', 'Your coaching'
  );
end
$$;
comment on function private.plan_session(uuid, public.engagements, timestamptz, text, int, text, text) is
  'Schedules a session once under its id, at a time when the coach is free, and tells the owner.';

create function private.session_state_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', s.id, 'state', s.state)
  from public.coaching_sessions s where s.id = p_id
$$;

create function public.schedule_session(
  p_id uuid, p_engagement_id uuid, p_starts_at timestamptz, p_time_zone text, p_minutes int,
  p_kind text, p_place text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.plan_session(
    p_id, private.hold_engagement(p_engagement_id, '{coach}'), p_starts_at, p_time_zone, p_minutes,
    p_kind, p_place
  );
  return private.session_state_json(p_id);
end
$$;
comment on function public.schedule_session(uuid, uuid, timestamptz, text, int, text, text) is
  'A coach schedules a session with a client; {id, state}. Once, however often it''s sent; an error (55000) if they have another one then. The owner is notified.';
grant execute on function public.schedule_session(uuid, uuid, timestamptz, text, int, text, text)
  to authenticated;

create function private.hold_session(p_id uuid, p_who text[]) returns public.coaching_sessions
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions;
begin
  select * into v_session from public.coaching_sessions s where s.id = p_id;
  -- The engagement first: everything that changes it or its sessions locks in this order.
  perform from public.engagements e where e.id = v_session.engagement_id for update;
  select s.* into v_session
  from public.coaching_sessions s join public.engagements e on e.id = s.engagement_id
  where s.id = p_id and (
    'owner' = any (p_who) and e.owner_id = v_user_id
    or 'coach' = any (p_who) and e.coach_id = v_user_id and s.coach_id = v_user_id
      and e.owner_id is not null and private.is_coach()
  )
  for update of s;
  if not found then
    raise exception 'We can’t find this session.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_session;
end
$$;
comment on function private.hold_session(uuid, text[]) is
  'A session of the caller as its owner or its coach, locked; an error (P0002) for everyone else, including a former coach.';

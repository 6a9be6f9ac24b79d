-- Coach profiles: what a coach is good at, how many clients they take and when they're away. Coaches
-- and admins edit them.

create table public.coach_profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  about text not null default '' check (char_length(about) <= 2000),
  -- Keys of skill areas.
  areas text[] not null default '{}' check (cardinality(areas) <= 8),
  -- The most clients at once; null: no limit.
  capacity int check (capacity between 0 and 200),
  -- Whether they take new clients.
  accepting boolean not null default true,
  updated_at timestamptz not null default now(),
  -- As businesses name theirs.
  industries text[] not null default '{}' check (cardinality(industries) <= 16),
  -- The last day without new clients.
  paused_until date
);
comment on table public.coach_profiles is
  'What a coach is good at and how many clients they take; no row: nothing said, no limit.';
alter table public.coach_profiles enable row level security;
create policy "Coaches read their own coach profile"
  on public.coach_profiles for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.coach_profiles to authenticated;

create table public.coach_time_off (
  -- Created by the browser, so that sending it twice stores it once.
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  starts_on date not null,
  ends_on date not null,
  note text check (char_length(note) between 1 and 200),
  created_at timestamptz not null default now(),
  check (ends_on between starts_on and starts_on + 366)
);
comment on table public.coach_time_off is
  'Days when a coach is away and takes no new clients. No API role reads it.';
create index coach_time_off_user_id_idx on public.coach_time_off (user_id, ends_on);
alter table public.coach_time_off enable row level security;

create function private.client_count(p_coach_id uuid) returns int
language plpgsql stable security definer set search_path = '' as $$
begin
  -- plpgsql, because the table is created in a later file.
  return (
    select count(*) from public.engagements e
    where e.coach_id = p_coach_id and e.closed_at is null
  );
end
$$;
comment on function private.client_count(uuid) is 'How many open engagements a coach runs.';

create function private.away_until(p_coach_id uuid) returns date
language sql stable security definer set search_path = '' as $$
  select max(o.ends_on) from public.coach_time_off o
  where o.user_id = p_coach_id and private.coaching_day() between o.starts_on and o.ends_on
$$;
comment on function private.away_until(uuid) is
  'The last day of a coach''s present time off; null if they''re there today.';

create function private.is_leaving(p_coach_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  -- plpgsql, because the tables are created in later files.
  return exists (
    select from public.handovers h
    join public.engagements e on e.id = h.engagement_id and e.coach_id = h.from_coach_id
    where h.from_coach_id = p_coach_id and h.handed_at is null
  );
end
$$;
comment on function private.is_leaving(uuid) is
  'Whether a coach has left notes about their clients for the next coach, and there isn''t one yet.';

create function private.coach_away(p_coach_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_paused_until date := (
    select c.paused_until from public.coach_profiles c
    where c.user_id = p_coach_id and c.paused_until >= private.coaching_day()
  );
begin
  return case
    when p_coach_id is null then null
    when private.role_of(p_coach_id) <> 'coach' or private.account_state(p_coach_id) = 'blocked'
      then jsonb_build_object('why', 'gone', 'until', null)
    when private.is_leaving(p_coach_id) then jsonb_build_object('why', 'leaving', 'until', null)
    when private.away_until(p_coach_id) is not null
      then jsonb_build_object('why', 'time_off', 'until', private.away_until(p_coach_id))
    when v_paused_until is not null then jsonb_build_object('why', 'paused', 'until', v_paused_until)
  end;
end
$$;
comment on function private.coach_away(uuid) is
  'Why a coach isn''t there today for clients or new ones: {why: gone, leaving, time_off or paused, until (the last day, or null)}; null if they are.';

create function private.why_no_room(p_coach_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_profile public.coach_profiles;
begin
  select * into v_profile from public.coach_profiles c where c.user_id = p_coach_id;
  return case
    when private.account_state(p_coach_id) in ('blocked', 'leaving') or not v_profile.accepting
      or v_profile.paused_until >= private.coaching_day()
      then 'This coach isn’t taking new clients. Choose someone else.'
    when private.away_until(p_coach_id) is not null
      then 'This coach is away right now. Choose someone else.'
    when private.client_count(p_coach_id) >= v_profile.capacity then format(
      'This coach already has as many clients as they take (%s). Choose someone else.',
      v_profile.capacity
    )
  end;
end
$$;
comment on function private.why_no_room(uuid) is
  'Why a coach can''t take one more client today, in words; null if they can.';

create function private.has_room(p_coach_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.why_no_room(p_coach_id) is null
$$;
comment on function private.has_room(uuid) is 'Whether a coach can take one more client today.';

create function private.require_room(p_coach_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_why text := private.why_no_room(p_coach_id);
begin
  if v_why is not null then
    raise exception '%', v_why using errcode = '55000', hint = 'coach_id';
  end if;
end
$$;
comment on function private.require_room(uuid) is
  'An error (55000) if a coach can''t take one more client today.';

create function private.put_coach_profile(
  p_id uuid, p_about text, p_areas text[], p_industries text[], p_capacity int,
  p_accepting boolean, p_paused_until date
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_areas text[] := array(select distinct a from unnest(p_areas) a order by a);
  v_industries text[] := array(
    select distinct private.clean_line(i, 120) from unnest(p_industries) i
    where private.clean_line(i, 120) is not null order by 1
  );
begin
  if char_length(p_about) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'about';
  end if;
  if exists (
    select from unnest(v_areas) a where a is null or a not in (select s.key from public.skill_areas s)
  ) then
    raise exception 'Choose areas from the list.' using errcode = '22023', hint = 'areas';
  end if;
  if cardinality(v_industries) > 16 then
    raise exception 'Choose at most 16 industries.' using errcode = '22023', hint = 'industries';
  end if;
  if p_capacity not between 0 and 200 then
    raise exception 'Enter a number from 0 to 200.' using errcode = '22023', hint = 'capacity';
  end if;
  if p_paused_until > private.coaching_day() + 366 then
    raise exception 'Choose a day within a year.' using errcode = '22023', hint = 'paused_until';
  end if;
  insert into public.coach_profiles (
    user_id, about, areas, industries, capacity, accepting, paused_until
  ) values (
    p_id, btrim(coalesce(p_about, '')), v_areas, v_industries, p_capacity,
    coalesce(p_accepting, true), p_paused_until
  )
  on conflict (user_id) do update set
    about = excluded.about, areas = excluded.areas, industries = excluded.industries,
    capacity = excluded.capacity, accepting = excluded.accepting,
    paused_until = excluded.paused_until, updated_at = now();
end
$$;
comment on function private.put_coach_profile(uuid, text, text[], text[], int, boolean, date) is
  'Saves what a coach or an admin says about a coach; an error (22023) for what doesn''t fit.';

create function public.save_coach_profile(
  p_id uuid, p_about text, p_areas text[], p_capacity int, p_accepting boolean,
  p_industries text[] default '{}', p_paused_until date default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
begin
  if private.role_of(p_id) <> 'coach' then
    raise exception 'They aren’t a coach.' using errcode = '55000';
  end if;
  perform private.put_coach_profile(
    p_id, p_about, p_areas, p_industries, p_capacity, p_accepting, p_paused_until
  );
  perform private.audit(
    'coach_profile.save', 'user', p_id::text, null,
    jsonb_build_object('capacity', p_capacity, 'accepting', coalesce(p_accepting, true))
  );
  return private.coach_profile_json(p_id);
end
$$;
comment on function public.save_coach_profile(uuid, text, text[], int, boolean, text[], date) is
  'An admin says what a coach is good at, how many clients they take (null: no limit) and until when they take no new ones; see private.coach_profile_json.';

create function private.coach_profile_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'about', coalesce(c.about, ''), 'areas', coalesce(c.areas, '{}'), 'capacity', c.capacity,
    'accepting', coalesce(c.accepting, true), 'clients', private.client_count(p_id),
    'industries', coalesce(c.industries, '{}'), 'paused_until', c.paused_until
  )
  from (select p_id as id) asked left join public.coach_profiles c on c.user_id = asked.id
$$;
comment on function private.coach_profile_json(uuid) is
  'A coach''s profile, also for one without a row: {about, areas, capacity (null: no limit), accepting, clients (how many now), industries, paused_until (the last day, or null)}.';

grant execute on function public.save_coach_profile(uuid, text, text[], int, boolean, text[], date)
to authenticated;

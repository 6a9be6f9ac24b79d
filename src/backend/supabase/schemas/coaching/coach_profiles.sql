-- Coach profiles: what a coach is good at and how many clients they take. Admins edit them.

create table public.coach_profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  about text not null default '' check (char_length(about) <= 2000),
  -- Keys of skill areas.
  areas text[] not null default '{}' check (cardinality(areas) <= 8),
  -- The most clients at once; null: no limit.
  capacity int check (capacity between 0 and 200),
  -- Whether they take new clients.
  accepting boolean not null default true,
  updated_at timestamptz not null default now()
);
comment on table public.coach_profiles is
  'What a coach is good at and how many clients they take; no row: nothing said, no limit.';
alter table public.coach_profiles enable row level security;
create policy "Coaches read their own coach profile"
  on public.coach_profiles for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.coach_profiles to authenticated;

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

create function private.require_room(p_coach_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_profile public.coach_profiles;
begin
  select * into v_profile from public.coach_profiles c where c.user_id = p_coach_id;
  if not v_profile.accepting then
    raise exception 'This coach isn’t taking new clients. Choose someone else.'
      using errcode = '55000', hint = 'coach_id';
  end if;
  if private.client_count(p_coach_id) >= v_profile.capacity then
    raise exception 'This coach already has as many clients as they take (%). Choose someone else.',
      v_profile.capacity using errcode = '55000', hint = 'coach_id';
  end if;
end
$$;
comment on function private.require_room(uuid) is
  'An error (55000) if a coach takes no new clients or has as many as they take.';

create function public.save_coach_profile(
  p_id uuid, p_about text, p_areas text[], p_capacity int, p_accepting boolean
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_areas text[] := array(select distinct a from unnest(coalesce(p_areas, '{}')) a order by a);
begin
  if private.role_of(p_id) <> 'coach' then
    raise exception 'They aren’t a coach.' using errcode = '55000';
  end if;
  if char_length(coalesce(p_about, '')) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'about';
  end if;
  if exists (
    select from unnest(v_areas) a where a is null or a not in (select s.key from public.skill_areas s)
  ) then
    raise exception 'Choose areas from the list.' using errcode = '22023', hint = 'areas';
  end if;
  if p_capacity not between 0 and 200 then
    raise exception 'Enter a number from 0 to 200.' using errcode = '22023', hint = 'capacity';
  end if;
  insert into public.coach_profiles (user_id, about, areas, capacity, accepting)
  values (p_id, btrim(coalesce(p_about, '')), v_areas, p_capacity, coalesce(p_accepting, true))
  on conflict (user_id) do update set
    about = excluded.about, areas = excluded.areas, capacity = excluded.capacity,
    accepting = excluded.accepting, updated_at = now();
  perform private.audit(
    'coach_profile.save', 'user', p_id::text, null,
    jsonb_build_object('capacity', p_capacity, 'accepting', coalesce(p_accepting, true))
  );
  return private.coach_profile_json(p_id);
end
$$;
comment on function public.save_coach_profile(uuid, text, text[], int, boolean) is
  'An admin says what a coach is good at and how many clients they take (null: no limit): {about, areas, capacity, accepting, clients}.';

create function private.coach_profile_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'about', coalesce(c.about, ''), 'areas', coalesce(c.areas, '{}'), 'capacity', c.capacity,
    'accepting', coalesce(c.accepting, true), 'clients', private.client_count(p_id)
  )
  from (select p_id as id) asked left join public.coach_profiles c on c.user_id = asked.id
$$;
comment on function private.coach_profile_json(uuid) is
  'A coach''s profile, also for one without a row: {about, areas, capacity (null: no limit), accepting, clients (how many now)}.';

grant execute on function public.save_coach_profile(uuid, text, text[], int, boolean)
to authenticated;

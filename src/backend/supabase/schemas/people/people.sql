-- People: a profile for every account, and who is a coach or an admin.

create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text not null default '' check (char_length(full_name) <= 120),
  -- An IANA name; null until the person or their browser sets it. Until then, times are in UTC.
  time_zone text,
  locale text not null default 'en' check (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
  -- A file in the person's own folder, never someone else's.
  avatar_path text check (
    char_length(avatar_path) <= 300
    and starts_with(avatar_path, user_id::text || '/')
    and avatar_path not like '%..%'
  ),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  preferred_name text check (char_length(btrim(preferred_name)) between 1 and 60),
  phone text check (phone ~ '^\+?[0-9 ().\-]{5,30}( ?x ?[0-9]{1,6})?$'),
  -- BCP 47, best first.
  languages text[] not null default '{}' check (
    cardinality(languages) <= 8
    and array_to_string(languages, ' ') ~ '^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*( |$))*$'
  )
);
comment on table public.profiles is 'What a person shows of themselves; one row for each account.';
comment on column public.profiles.locale is 'The language that the person wants the quiz and its results in, as a BCP 47 name.';
comment on column public.profiles.preferred_name is 'What to call the person; null: the first word of the name.';
comment on column public.profiles.languages is 'Languages the person speaks, as BCP 47 names, best first.';

create table public.staff_roles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role text not null check (role in ('coach', 'admin')),
  granted_by uuid references auth.users (id) on delete set null,
  granted_at timestamptz not null default now()
);
comment on table public.staff_roles is
  'Who is a coach or an admin; everyone else is an owner. Only set_staff_role changes it.';

create index staff_roles_granted_by_idx on public.staff_roles (granted_by);

-- Roles -----------------------------------------------------------------------------------------

create function private.role_of(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select s.role from public.staff_roles s where s.user_id = p_user_id), 'owner')
$$;
comment on function private.role_of(uuid) is 'owner, coach or admin.';

create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.staff_roles s where s.user_id = (select auth.uid()) and s.role = 'admin'
  )
$$;
grant execute on function private.is_admin() to authenticated;

create function private.is_coach() returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.staff_roles s where s.user_id = (select auth.uid()) and s.role = 'coach'
  )
$$;
grant execute on function private.is_coach() to authenticated;

create function private.require_admin() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if not private.is_admin() then
    raise exception 'Only an admin can do this.' using errcode = '42501';
  end if;
  return v_user_id;
end
$$;
comment on function private.require_admin() is 'The calling admin, or an error (42501).';

create function private.require_coach() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if not private.is_coach() then
    raise exception 'Only a coach can do this.' using errcode = '42501';
  end if;
  return v_user_id;
end
$$;
comment on function private.require_coach() is 'The calling coach, or an error (42501).';

-- plpgsql, because the tables it reads are created in later files.
create function private.ids_of_my_people() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
begin
  return query
    select other.user_id
    from public.business_members mine
    join public.business_members other on other.business_id = mine.business_id
    where mine.user_id = v_user_id
    union
    select c.owner_id from private.my_clients() c where c.owner_id is not null
    union
    select e.coach_id
    from public.engagements e
    -- Not of those who coached them once.
    where e.owner_id = v_user_id and e.coach_id is not null and e.closed_at is null;
end
$$;
comment on function private.ids_of_my_people() is
  'Members of the same business, a coach''s clients, an owner''s present coaches.';
grant execute on function private.ids_of_my_people() to authenticated;

-- Row-level security ----------------------------------------------------------------------------

alter table public.profiles enable row level security;
alter table public.staff_roles enable row level security;

create policy "People read their own profile and those of the people they work with"
  on public.profiles for select to authenticated
  using (
    (select private.session_ok())
    and (
      user_id = (select auth.uid())
      or user_id = any (array(select private.ids_of_my_people()))
    )
  );

create policy "People edit their own profile"
  on public.profiles for update to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()))
  with check ((select private.session_ok()) and user_id = (select auth.uid()));

create policy "Coaches and admins see their own role"
  on public.staff_roles for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));

grant select on public.profiles to authenticated;
-- avatar_path isn't included: set_avatar changes it, after checking that the file is stored.
grant update (full_name, time_zone, locale, preferred_name, phone, languages)
  on public.profiles to authenticated;
grant select (user_id, role, granted_at) on public.staff_roles to authenticated;

-- Triggers --------------------------------------------------------------------------------------

create trigger profiles_touch before update on public.profiles
  for each row execute function private.touch_updated_at();

-- Names appear in email subjects and next to other people's names.
create function private.clean_full_name() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  new.full_name := coalesce(private.clean_line(new.full_name, 10000), '');
  return new;
end
$$;
create trigger profiles_clean_full_name before update of full_name on public.profiles
  for each row execute function private.clean_full_name();

create function private.known_time_zone(p_name text) returns text
language sql stable set search_path = '' as $$
  -- Names in lower case are files of the time zone database, not places.
  select z.name from pg_catalog.pg_timezone_names z
  where z.name = p_name and z.name ~ '^[A-Z]' and z.name <> 'Factory'
$$;
comment on function private.known_time_zone(text) is
  'The name of a time zone as given, including older names; null if there''s no such zone.';

create function private.check_time_zone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if private.known_time_zone(new.time_zone) is null then
    raise exception 'We don’t know this time zone. Choose one from the list.'
      using errcode = '22023', hint = 'time_zone';
  end if;
  return new;
end
$$;
create trigger profiles_check_time_zone before update of time_zone on public.profiles
  for each row
  when (new.time_zone is not null and new.time_zone is distinct from old.time_zone)
  execute function private.check_time_zone();

create function private.time_zone_of(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce(
    (select p.time_zone from public.profiles p where p.user_id = p_user_id), 'UTC'
  )
$$;
comment on function private.time_zone_of(uuid) is
  'The person''s time zone for dates and times: UTC until it''s known.';

create function private.my_today() returns date
language sql stable security definer set search_path = '' as $$
  select (now() at time zone private.time_zone_of((select auth.uid())))::date
$$;
comment on function private.my_today() is 'Today''s date where the caller is.';

create function private.day_words(p_at timestamptz, p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select to_char(p_at at time zone private.time_zone_of(p_user_id), 'FMMonth FMDD, YYYY')
$$;
comment on function private.day_words(timestamptz, uuid) is
  'A moment''s date where a person is, for an email to them: December 22, 2026.';

create function private.time_words(p_at timestamptz, p_user_id uuid) returns text
language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
declare
  v_words text;
begin
  -- Until the function ends; only to_char with the session's zone can name it.
  perform set_config('timezone', private.time_zone_of(p_user_id), true);
  v_words := to_char(p_at, 'FMHH12:MI AM TZ');
  -- Zones without a name of their own have only their offset, +0545.
  v_words := regexp_replace(v_words, ' ([+-])0?(\d{1,2})(\d\d)$', ' GMT\1\2:\3');
  return regexp_replace(v_words, ' ([+-])0?(\d{1,2})$', ' GMT\1\2');
end
$$;
comment on function private.time_words(timestamptz, uuid) is
  'A moment''s time where a person is, with its zone, for an email to them: 3:00 PM MST.';

create function private.known_locale(p_code text) returns text
language sql immutable set search_path = '' as $$
  select case when p_code ~ '^[a-z]{2,3}$' then p_code else 'en' end
$$;
comment on function private.known_locale(text) is
  'The code of a language as given; en if it can''t be one. The site is in English where it hasn''t that language.';

create function private.welcome() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_business_name text := private.clean_line(new.raw_user_meta_data ->> 'business_name', 120);
  v_business_id uuid;
begin
  -- The auth service says so first where it can; this is for those that can't.
  if not private.may_register(new.email) then
    raise exception 'Registration is closed right now.' using errcode = '55000';
  end if;
  insert into public.profiles (user_id, full_name, time_zone, locale)
  values (
    new.id, coalesce(private.clean_line(new.raw_user_meta_data ->> 'full_name', 120), ''),
    private.known_time_zone(new.raw_user_meta_data ->> 'time_zone'),
    private.known_locale(new.raw_user_meta_data ->> 'locale')
  );

  if v_business_name is not null then
    insert into public.businesses (id, name, created_by)
    values (gen_random_uuid(), v_business_name, new.id)
    returning id into v_business_id;
    insert into public.business_members (business_id, user_id, role)
    values (v_business_id, new.id, 'owner');
  end if;
  return new;
end
$$;
comment on function private.welcome() is
  'Creates a new account''s profile and, if a name was given, its first business. Sign-up data isn''t trusted: names are shortened to fit, a time zone is used only if it exists, a language only if its code could be one, and nothing else is read from it.';
create trigger welcome after insert on auth.users
  for each row execute function private.welcome();

-- Procedures ------------------------------------------------------------------------------------

create function public.set_staff_role(p_user_id uuid, p_role text, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before text;
begin
  if p_role is not null and p_role not in ('coach', 'admin') then
    raise exception 'A role is coach, admin or none.' using errcode = '22023', hint = 'role';
  end if;
  if not exists (select from auth.users u where u.id = p_user_id) then
    raise exception 'We can’t find this account.' using errcode = 'P0002', hint = 'user_id';
  end if;

  -- Two admins who remove each other at once would leave none.
  lock table public.staff_roles in share row exclusive mode;
  if p_role is not null then
    -- Nobody knows who chose the password of an address that isn't confirmed, and the last admin
    -- has to be someone who can sign in.
    case private.account_state(p_user_id)
      when 'unconfirmed' then
        raise exception 'They haven’t confirmed their email yet.' using errcode = '55000';
      when 'blocked' then
        raise exception 'Their account is blocked. Let them in again first.' using errcode = '55000';
      else null;
    end case;
  end if;
  v_before := private.role_of(p_user_id);
  if v_before = 'admin' and p_role is distinct from 'admin'
    and not exists (select from public.staff_roles s where s.role = 'admin' and s.user_id <> p_user_id)
  then
    raise exception 'They’re the last admin. Make someone else an admin first.' using errcode = '55000';
  end if;

  if p_role is null then
    delete from public.staff_roles s where s.user_id = p_user_id;
  else
    insert into public.staff_roles as s (user_id, role, granted_by)
    values (p_user_id, p_role, v_admin_id)
    on conflict (user_id) do update
      set role = excluded.role, granted_by = excluded.granted_by, granted_at = now()
      where s.role <> excluded.role;
  end if;

  perform private.audit(
    'staff_role.set', 'user', p_user_id::text, v_reason,
    jsonb_build_object('before', v_before, 'after', private.role_of(p_user_id))
  );
  return jsonb_build_object('user_id', p_user_id, 'role', private.role_of(p_user_id));
end
$$;
comment on function public.set_staff_role(uuid, text, text) is
  'An admin makes someone a coach or an admin, or (null) an owner again.';
grant execute on function public.set_staff_role(uuid, text, text) to authenticated;

create function private.make_admin(p_email text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid;
begin
  select u.id into v_user_id from auth.users u where lower(u.email) = lower(btrim(p_email));
  if v_user_id is null then
    raise exception 'There’s no account with the address %.', p_email using errcode = 'P0002', hint = 'email';
  end if;
  insert into public.staff_roles (user_id, role) values (v_user_id, 'admin')
  on conflict (user_id) do update set role = 'admin', granted_by = null, granted_at = now();
  perform private.audit('staff_role.set', 'user', v_user_id::text, 'named on the server',
    jsonb_build_object('after', 'admin'));
  return v_user_id;
end
$$;
comment on function private.make_admin(text) is
  'For the server''s operator, to create the first admin: select private.make_admin(''someone@example.org''). No API role can call it.';

-- Businesses: what people work on, who belongs to them, and their figures on a date.
--
-- A business starts from four fields; everything else is optional and null while unknown.

create table public.businesses (
  id uuid primary key,
  name text not null check (char_length(btrim(name)) between 1 and 120),
  trading text check (trading in ('trading', 'not-yet')),
  postal_code text check (char_length(postal_code) <= 16),
  help_wanted text check (char_length(help_wanted) <= 2000),
  legal_name text check (char_length(legal_name) <= 200),
  entity_type text check (char_length(entity_type) <= 80),
  industry text check (char_length(industry) <= 120),
  stage text check (char_length(stage) <= 80),
  start_date date,
  address_line1 text check (char_length(address_line1) <= 200),
  address_line2 text check (char_length(address_line2) <= 200),
  city text check (char_length(city) <= 120),
  region text check (char_length(region) <= 120),
  country text check (country ~ '^[A-Z]{2}$'),
  phone text check (char_length(phone) <= 40),
  website text check (website ~ '^https?://' and char_length(website) <= 300),
  home_based boolean,
  description text check (char_length(description) <= 4000),
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  archived_at timestamptz,
  -- For admins who look for it.
  words tsvector not null generated always as (
    private.name_words(
      name || ' ' || coalesce(legal_name, '') || ' ' || coalesce(city, '') || ' '
      || coalesce(postal_code, '') || ' ' || coalesce(industry, '')
    )
  ) stored
);
comment on table public.businesses is 'A business that its members work on; unknown stays null.';

create index businesses_created_by_idx on public.businesses (created_by);
-- For lists that name the same business again.
create index businesses_plain_name_idx on public.businesses (private.plain_words(name))
  where created_by is null;
create index businesses_words_idx on public.businesses using gin (words);

create table public.business_members (
  business_id uuid not null references public.businesses (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'member')),
  joined_at timestamptz not null default now(),
  primary key (business_id, user_id)
);
comment on table public.business_members is 'Members of businesses.';

create index business_members_user_id_idx on public.business_members (user_id);

create table public.business_snapshots (
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  taken_on date not null check (taken_on >= date '1900-01-01'),
  full_time int check (full_time >= 0),
  part_time int check (part_time >= 0),
  -- Per year, in minor units of the currency.
  revenue_minor bigint check (revenue_minor >= 0),
  profit_minor bigint,
  currency text check (currency ~ '^[A-Z]{3}$'),
  created_by uuid default auth.uid() references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(revenue_minor, profit_minor) = 0 or currency is not null)
);
comment on table public.business_snapshots is
  'Figures of a business on a date. A new figure is a new row; unknown is null, never 0.';

-- A correction is a new row for the same day; the newest one counts, the older ones are kept.
create index business_snapshots_current_idx
  on public.business_snapshots (business_id, taken_on desc, created_at desc, id);
create index business_snapshots_created_by_idx on public.business_snapshots (created_by);

-- Who sees which business -----------------------------------------------------------------------

create function private.my_business_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select m.business_id from public.business_members m where m.user_id = (select auth.uid())
$$;
comment on function private.my_business_ids() is 'Businesses that the person belongs to.';
grant execute on function private.my_business_ids() to authenticated;

-- plpgsql, because engagements are created in a later file.
create function private.readable_business_ids() returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  return query
    select m.business_id from public.business_members m where m.user_id = auth.uid()
    union
    select c.business_id from private.my_clients() c;
end
$$;
comment on function private.readable_business_ids() is
  'Businesses that the person belongs to or is assigned to as a coach.';
grant execute on function private.readable_business_ids() to authenticated;

-- Row-level security ----------------------------------------------------------------------------

alter table public.businesses enable row level security;
alter table public.business_members enable row level security;
alter table public.business_snapshots enable row level security;

create policy "Members and the assigned coach read a business"
  on public.businesses for select to authenticated
  using (
    (select private.session_ok()) and id = any (array(select private.readable_business_ids()))
  );

create policy "Members see who belongs to their business"
  on public.business_members for select to authenticated
  using (
    (select private.session_ok()) and business_id = any (array(select private.my_business_ids()))
  );

create policy "Members and the assigned coach read the figures of a business"
  on public.business_snapshots for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );

-- Writes go through procedures: a plain update would silently overwrite a colleague's change.
grant select on public.businesses, public.business_members, public.business_snapshots
  to authenticated;

-- Triggers --------------------------------------------------------------------------------------

create trigger businesses_touch before update on public.businesses
  for each row when (not private.merging()) execute function private.touch_updated_at();

create function private.keep_snapshot() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- The one change there is: an account is deleted and its name leaves the figures.
  if tg_op = 'UPDATE' and new.created_by is null
    and to_jsonb(new) - 'created_by' = to_jsonb(old) - 'created_by'
  then
    return new;
  end if;
  raise exception 'Figures can’t be changed or removed. Add new ones instead.' using errcode = '55000';
end
$$;
create trigger business_snapshots_are_kept before update on public.business_snapshots
  for each row when (not private.merging()) execute function private.keep_snapshot();
create trigger business_snapshots_are_never_removed before delete on public.business_snapshots
  for each row when (not private.erasing()) execute function private.keep_snapshot();

-- Procedures ------------------------------------------------------------------------------------

create function private.current_business_id(p_user_id uuid, p_but uuid default null) returns uuid
language sql stable security definer set search_path = '' as $$
  select b.id
  from public.business_members m
  join public.businesses b on b.id = m.business_id
  where m.user_id = p_user_id and b.archived_at is null and b.id is distinct from p_but
  order by m.joined_at, b.name, b.id
  limit 1
$$;
comment on function private.current_business_id(uuid, uuid) is
  'A person''s first business that isn''t archived, other than p_but, in the order of session_context(); null if they have none.';

create function private.require_unarchived(p_business_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from public.businesses b where b.id = p_business_id and b.archived_at is not null
  ) then
    raise exception 'This business is archived. Restore it before you change anything.'
      using errcode = '55000', hint = 'business_id';
  end if;
end
$$;
comment on function private.require_unarchived(uuid) is
  'An error (55000) while the business is archived and therefore read-only.';

create function private.require_member(p_business_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_business_id is null or p_business_id not in (select private.my_business_ids()) then
    raise exception 'You don’t belong to this business.'
      using errcode = '42501', hint = 'business_id';
  end if;
  perform private.require_unarchived(p_business_id);
end
$$;
comment on function private.require_member(uuid) is
  'An error if the caller doesn''t belong to the business (42501), or while it''s archived (55000).';

create function public.create_business(
  p_id uuid,
  p_name text,
  p_trading text default null,
  p_postal_code text default null,
  p_help_wanted text default null,
  p_industry text default null,
  p_stage text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_name text := private.clean_line(p_name, 10000);
  v_found record;
begin
  perform private.one_at_a_time('businesses', v_user_id);

  select b.id, b.name, b.created_by into v_found from public.businesses b where b.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.created_by is distinct from v_user_id then
      raise exception 'This business already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'name', v_found.name);
  end if;

  if p_id is null then
    raise exception 'A business needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_name is null or char_length(v_name) > 120 then
    raise exception 'Give the business a name of 1 to 120 characters.'
      using errcode = '22023', hint = 'name';
  end if;
  if p_trading not in ('trading', 'not-yet') then
    raise exception 'Say whether the business is open yet.'
      using errcode = '22023', hint = 'trading';
  end if;
  if char_length(p_postal_code) > 16 then
    raise exception 'Keep it to 16 characters.'
      using errcode = '22023', hint = 'postal_code';
  end if;
  if char_length(p_help_wanted) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'help_wanted';
  end if;

  insert into public.businesses (
    id, name, trading, postal_code, help_wanted, industry, stage, created_by
  ) values (
    p_id, v_name, p_trading, private.clean_line(p_postal_code, 16),
    nullif(btrim(p_help_wanted, e' \t\r\n'), ''),
    private.check_business_fact('industry', p_industry),
    private.check_business_fact('stage', p_stage), v_user_id
  );
  insert into public.business_members (business_id, user_id, role)
  values (p_id, v_user_id, 'owner');
  return jsonb_build_object('id', p_id, 'name', v_name);
end
$$;
comment on function public.create_business(uuid, text, text, text, text, text, text) is
  'Creates a business that the caller owns; {id, name}.';
grant execute on function public.create_business(uuid, text, text, text, text, text, text) to authenticated;

-- Programs: seats that an organization buys for the businesses it serves.
--
-- A program has seats (seats.sql), codes to take them (seat_codes.sql), and sponsors: people named by
-- the organization who run it. A sponsor reads totals (sponsor_report.sql), never a business. So
-- nobody reads these tables directly.

create table public.programs (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 120),
  -- The organization that pays.
  sponsor text not null check (char_length(sponsor) between 1 and 160),
  order_id uuid unique references public.orders (id),
  -- Why an admin made it without an order.
  reason text check (char_length(reason) <= 500),
  -- For each seat.
  sessions smallint not null check (sessions between 1 and 100),
  starts_on date not null,
  -- Its last day.
  ends_on date not null check (ends_on > starts_on),
  state text not null default 'open' check (state in ('open', 'closed')),
  -- Who can have a seat; empty: any business, any address.
  postal_prefixes text[] not null default '{}' check (cardinality(postal_prefixes) <= 200),
  email_domains text[] not null default '{}' check (cardinality(email_domains) <= 50),
  -- What the report groups businesses by: one thing only, because two overlapping groupings
  -- could be subtracted from each other.
  groups_by text not null default 'postal' check (groups_by in ('none', 'postal', 'industry')),
  -- A small group that bought packs together gets no report.
  has_report boolean not null default true,
  -- Of the text that owners agree to now.
  consent_version int not null default 1,
  created_by uuid,
  created_at timestamptz not null default now(),
  words tsvector not null generated always as (private.name_words(name || ' ' || sponsor)) stored,
  check (order_id is not null or reason is not null)
);
comment on table public.programs is
  'Seats that an organization pays for: who can have one, what it gives, from when to when.';
create index programs_created_at_idx on public.programs (created_at, id);
create index programs_ends_on_idx on public.programs (ends_on, id);
create index programs_closed_idx on public.programs (created_at, id) where state = 'closed';
create index programs_words_idx on public.programs using gin (words);

create table public.program_consents (
  program_id uuid not null references public.programs (id),
  version int not null check (version > 0),
  body text not null check (char_length(body) between 40 and 4000),
  created_by uuid,
  created_at timestamptz not null default now(),
  primary key (program_id, version)
);
comment on table public.program_consents is
  'What owners agree to when they take a seat. A text never changes; each seat says which one it was.';

create table public.program_sponsors (
  program_id uuid not null references public.programs (id),
  -- The person with an account at this confirmed address.
  address text not null check (address = lower(address) and char_length(address) between 3 and 254),
  added_by uuid,
  added_at timestamptz not null default now(),
  primary key (program_id, address)
);
comment on table public.program_sponsors is
  'People who see a program''s totals and hand out its seats, by email address.';
create index program_sponsors_address_idx on public.program_sponsors (address);

alter table public.programs enable row level security;
alter table public.program_consents enable row level security;
alter table public.program_sponsors enable row level security;

create trigger program_consents_never_change before update or delete on public.program_consents
  for each row execute function private.refuse_change();

-- Who a sponsor is ------------------------------------------------------------------------------

create function private.my_address() returns text
language sql stable security definer set search_path = '' as $$
  select lower(u.email) from auth.users u
  where u.id = (select auth.uid()) and u.email_confirmed_at is not null
$$;
comment on function private.my_address() is 'The caller''s confirmed address, in lowercase, or null.';

create function private.is_sponsor_of(p_program_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.program_sponsors s
    where s.program_id = p_program_id and s.address = private.my_address()
  )
$$;

create function private.run_program(p_program_id uuid) returns public.programs
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_program public.programs;
begin
  perform private.require_session();
  select * into v_program from public.programs p where p.id = p_program_id for update;
  if not found or not (private.is_sponsor_of(p_program_id) or private.is_admin()) then
    raise exception 'We can’t find this program.' using errcode = 'P0002', hint = 'program_id';
  end if;
  return v_program;
end
$$;
comment on function private.run_program(uuid) is
  'A program, locked, for its sponsors and admins; an error (P0002) for everyone else.';

create function private.is_open(p_program public.programs) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_program.state = 'open' and private.coaching_day() <= p_program.ends_on
$$;
comment on function private.is_open(public.programs) is
  'Whether seats of a program can be taken; before its first day, too.';

create function private.require_open(p_program public.programs) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not private.is_open(p_program) then
    raise exception 'This program is over.' using errcode = '55000', hint = 'state';
  end if;
end
$$;

create function private.is_address(p_text text) returns boolean
language sql immutable set search_path = '' as $$
  select char_length(p_text) <= 254 and p_text ~
    '^[^][:space:][:cntrl:]@<>"(),;:\\[]+@[^][:space:][:cntrl:]@<>"(),;:\\[]+[.][^][:space:][:cntrl:]@.<>"(),;:\\[]+$'
$$;
comment on function private.is_address(text) is 'Whether a text is one email address.';

create function private.clean_address(p_address text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_address text := lower(btrim(coalesce(p_address, '')));
begin
  if not private.is_address(v_address) then
    raise exception 'An email address looks like name@example.com.'
      using errcode = '22023', hint = 'address';
  end if;
  return v_address;
end
$$;
comment on function private.clean_address(text) is
  'One email address in lowercase, or an error (22023).';

create function private.end_of_day(p_day date) returns timestamptz
language sql stable security definer set search_path = '' as $$
  -- Its last second, so that it's shown as the same day.
  select (p_day + time '23:59:59') at time zone private.coaching_zone()
$$;
comment on function private.end_of_day(date) is 'The last second of a day in the organization''s time zone.';

-- Making one ------------------------------------------------------------------------------------

create function private.first_consent(p_sponsor text, p_has_report boolean) returns text
language sql immutable set search_path = '' as $$
  select p_sponsor || E' pays for this seat.\n\n' || case when p_has_report then
    'They see totals of all businesses in the program: how many asked for a coach and met one, how many sessions took place, how the skills moved, and results of the survey. No figure is shown for fewer than five businesses.'
    else 'They see how many seats are free, and nothing else.' end
    || E'\n\nThey never see who you are, your answers, your scores, your messages, or what you and your coach talked about.\n\nYou can stop being counted, or leave the program, at any time on this page. Totals that were made before stay as they are, because taking one business out of them would show its figures.'
$$;
comment on function private.first_consent(text, boolean) is
  'What owners agree to until an admin writes another text.';

create function private.make_program(
  p_id uuid, p_name text, p_sponsor text, p_order_id uuid, p_reason text, p_sessions int,
  p_starts_on date, p_ends_on date, p_has_report boolean
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into public.programs (
    id, name, sponsor, order_id, reason, sessions, starts_on, ends_on, has_report, created_by
  ) values (
    p_id, p_name, p_sponsor, p_order_id, p_reason, p_sessions, p_starts_on, p_ends_on, p_has_report,
    auth.uid()
  );
  insert into public.program_consents (program_id, version, body, created_by)
  values (p_id, 1, private.first_consent(p_sponsor, p_has_report), auth.uid());
end
$$;

create function private.add_sponsor(p_program_id uuid, p_address text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_address text := private.clean_address(p_address);
  v_program public.programs;
begin
  insert into public.program_sponsors (program_id, address, added_by)
  values (p_program_id, v_address, auth.uid()) on conflict do nothing;
  if not found then
    return;
  end if;
  select * into v_program from public.programs p where p.id = p_program_id;
  perform private.send_mail(v_address, 'program-sponsor', jsonb_build_object(
    'program', v_program.name, 'path', '/dashboard/programs/' || p_program_id
  ));
end
$$;
comment on function private.add_sponsor(uuid, text) is
  'Makes the person with this address a sponsor of the program, and tells them by email, once.';

-- The organization's calendar: which days are business days, and how long each step of coaching may
-- take. The content of content/coaching.yaml is loaded into it.

create table private.coaching_rules (
  -- There's one row.
  id boolean primary key default true check (id),
  -- Business days are days of this zone, and end at 17:00 there.
  time_zone text not null default 'America/Denver',
  -- Business days until someone is asked to coach, until they answer, until they get in touch, and
  -- until a session is written up.
  assign_days int not null default 3 check (assign_days between 1 and 60),
  accept_days int not null default 5 check (accept_days between 1 and 60),
  contact_days int not null default 2 check (contact_days between 1 and 60),
  write_up_days int not null default 2 check (write_up_days between 1 and 60),
  -- Calendar days without a next session.
  stale_days int not null default 14 check (stale_days between 1 and 365)
);
comment on table private.coaching_rules is
  'How long each step of coaching may take, in business days of a time zone. One row, from content/coaching.yaml.';
alter table private.coaching_rules enable row level security;
insert into private.coaching_rules default values;

create table private.holidays (
  day date primary key,
  name text not null check (char_length(name) between 1 and 80)
);
comment on table private.holidays is
  'Days from Monday to Friday that aren''t business days, from content/coaching.yaml.';
alter table private.holidays enable row level security;

create function private.coaching_zone() returns text
language sql stable security definer set search_path = '' as $$
  select r.time_zone from private.coaching_rules r
$$;
comment on function private.coaching_zone() is 'The organization''s time zone.';

create function private.coaching_day(p_at timestamptz default now()) returns date
language sql stable security definer set search_path = '' as $$
  select (p_at at time zone private.coaching_zone())::date
$$;
comment on function private.coaching_day(timestamptz) is 'A moment''s date where the organization is.';

create function private.day_end(p_day date) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select (p_day + time '17:00') at time zone private.coaching_zone()
$$;
comment on function private.day_end(date) is 'The end of a day where the organization is: 17:00.';

create function private.is_business_day(p_day date) returns boolean
language sql stable security definer set search_path = '' as $$
  select extract(isodow from p_day) < 6
    and not exists (select from private.holidays h where h.day = p_day)
$$;
comment on function private.is_business_day(date) is
  'Whether a day is from Monday to Friday and not a holiday.';

create function private.coming_holidays() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(h.day order by h.day), '[]')
  from private.holidays h where h.day between private.coaching_day() and private.coaching_day() + 120
$$;
comment on function private.coming_holidays() is 'The holidays of the next 120 days, to suggest times on other days.';

create function private.business_day_end(p_from timestamptz, p_days int) returns timestamptz
-- By dates where the organization is, so that a day with 23 or 25 hours counts as one.
language sql stable security definer set search_path = '' as $$
  select private.day_end(d.day)
  from (
    select private.coaching_day(p_from) + n as day
    -- Two weeks for every five days, and four more: holidays never come that thick.
    from generate_series(1, p_days / 5 * 14 + 28) as n
  ) d
  where private.is_business_day(d.day)
  order by d.day
  offset p_days - 1 limit 1
$$;
comment on function private.business_day_end(timestamptz, int) is
  'The end (17:00 where the organization is) of the p_days-th business day after a moment''s date; p_days from 1.';

create function private.business_days_between(p_from date, p_to date) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int
  from generate_series(1, p_to - p_from) as n
  where private.is_business_day(p_from + n)
$$;
comment on function private.business_days_between(date, date) is
  'How many business days there are after p_from up to and including p_to; 0 if that isn''t later.';

create function private.stale_after(p_at timestamptz) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select (p_at at time zone r.time_zone + make_interval(days => r.stale_days)) at time zone r.time_zone
  from private.coaching_rules r
$$;
comment on function private.stale_after(timestamptz) is
  'When coaching without a next session is stale: so many calendar days later, at the same time of day.';

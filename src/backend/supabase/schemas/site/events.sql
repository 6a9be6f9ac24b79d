-- Places at events: who comes, who waits, and what time does to both.
--
--   (nothing) → held → taken; (nothing) → waiting → offered → taken; held and offered lapse;
--   canceled from any of them; who canceled or let it lapse can ask again
--
-- An event in content/ with places has a row here for each of its dates. Anyone can ask for a place
-- with a name and an email address (the edge function `event`). It's held at once, and theirs when
-- they confirm it by the link in the email; otherwise the next in line is offered it. Whoever changes
-- who has a place locks the event's row first, so there are never more people than places.
--
-- No API role can access these tables.

create table public.events (
  id uuid primary key default gen_random_uuid(),
  -- Its file in content/events.
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 100),
  -- Of an event that repeats, the month, as YYYY-MM; otherwise ''.
  occasion text not null check (occasion ~ '^([0-9]{4}-[0-9]{2})?$'),
  title text not null check (char_length(title) between 1 and 120),
  starts_at timestamptz not null,
  minutes int not null check (minutes between 15 and 600),
  time_zone text not null check (char_length(time_zone) between 1 and 60),
  -- The venue and its address; of an event online, what the page says.
  place text not null check (char_length(place) between 1 and 300),
  -- For a map; null if it's held online.
  address text check (char_length(address) <= 200),
  -- Only people with a place get to see it.
  online_link text check (online_link ~ '^https://' and char_length(online_link) <= 500),
  places int not null check (places between 1 and 1000),
  state text not null default 'planned' check (state in ('planned', 'canceled')),
  canceled_at timestamptz,
  cancel_reason text check (char_length(cancel_reason) <= 2000),
  -- Counts changes of its date or place, as calendars want to know.
  revision int not null default 1,
  created_at timestamptz not null default now(),
  words tsvector not null generated always as (private.name_words(title || ' ' || place)) stored,
  unique (slug, occasion),
  check ((state = 'canceled') = (canceled_at is not null))
);
comment on table public.events is
  'Dates of events that people can take places at, from content/.';
create index events_starts_at_idx on public.events (starts_at, id);
create index events_words_idx on public.events using gin (words);
alter table public.events enable row level security;

create table public.event_signups (
  id uuid primary key default gen_random_uuid(),
  event_id uuid not null references public.events (id) on delete cascade,
  -- Null once we've forgotten who it was; the row stays for the counts.
  email text check (char_length(email) <= 254 and email = lower(email)),
  name text check (char_length(name) <= 120),
  -- What they'd like to get out of it.
  wish text check (char_length(wish) <= 500),
  state text not null
    check (state in ('held', 'waiting', 'offered', 'taken', 'canceled', 'lapsed')),
  -- Until when the place is held for them.
  due_at timestamptz,
  -- Their turn on the waiting list.
  queued_at timestamptz not null default clock_timestamp(),
  taken_at timestamptz,
  -- Whether they came; null until someone says.
  came boolean,
  -- Why an admin canceled their place.
  cancel_reason text check (char_length(cancel_reason) <= 2000),
  -- The start that they were last reminded of, the day before and the hour before.
  day_reminder_for timestamptz,
  hour_reminder_for timestamptz,
  created_at timestamptz not null default now(),
  words tsvector not null
    generated always as (private.name_words(coalesce(name, '') || ' ' || coalesce(email, ''))) stored,
  unique (event_id, email),
  check ((state in ('held', 'offered')) = (due_at is not null)),
  check (state <> 'taken' or taken_at is not null)
);
comment on table public.event_signups is
  'Who has, is offered or waits for a place at an event, one row per event and address; without names a year after it.';
create index event_signups_created_at_idx on public.event_signups (event_id, created_at, id);
create index event_signups_queue_idx on public.event_signups (event_id, queued_at, id)
  where state = 'waiting';
create index event_signups_due_at_idx on public.event_signups (due_at) where due_at is not null;
create index event_signups_email_idx on public.event_signups (email);
create index event_signups_words_idx on public.event_signups using gin (words);
alter table public.event_signups enable row level security;

-- Each email has a link with a secret of its own.
create table private.event_links (
  secret_hash bytea primary key check (octet_length(secret_hash) = 32),
  signup_id uuid not null references public.event_signups (id) on delete cascade,
  created_at timestamptz not null default now()
);
comment on table private.event_links is
  'Hashes of the secrets in links that show and cancel a place at an event.';
create index event_links_signup_id_idx on private.event_links (signup_id);
alter table private.event_links enable row level security;

create trigger events_take_steps before insert or update of state on public.events
  for each row execute function private.check_transition('event', 'state');
create trigger event_signups_take_steps before insert or update of state on public.event_signups
  for each row execute function private.check_transition('place', 'state');

-- Words and times -------------------------------------------------------------------------------

create function private.event_moment(p_at timestamptz, p_time_zone text) returns text
language plpgsql volatile security definer set search_path = '' set timezone = 'UTC' as $$
begin
  -- Until the function ends; only to_char with the session's zone can name it.
  perform set_config('timezone', p_time_zone, true);
  return to_char(p_at, 'FMDay, FMMonth FMDD, YYYY, FMHH12:MI AM TZ');
end
$$;
comment on function private.event_moment(timestamptz, text) is
  'A moment where an event is: Tuesday, December 8, 2026, 5:30 PM MST.';

create function private.event_deadline(p_starts_at timestamptz, p_most interval) returns timestamptz
language sql stable set search_path = '' as $$
  select least(now() + p_most, now() + (p_starts_at - now()) / 2)
$$;
comment on function private.event_deadline(timestamptz, interval) is
  'How long a place is kept for someone: at most p_most, and shortly before an event half of what''s left, so that the next in line has a chance.';

create function private.held_places(p_event_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from public.event_signups s
  where s.event_id = p_event_id and s.state in ('held', 'offered', 'taken')
$$;
comment on function private.held_places(uuid) is
  'How many places of an event are taken, held or offered.';

create function private.event_position(p_signup public.event_signups) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from public.event_signups s
  where s.event_id = p_signup.event_id and s.state = 'waiting'
    and (s.queued_at, s.id) <= (p_signup.queued_at, p_signup.id)
$$;

-- Telling people --------------------------------------------------------------------------------

create function private.new_event_link(p_signup_id uuid) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_secret text := private.new_secret();
begin
  insert into private.event_links (secret_hash, signup_id)
  values (private.secret_hash(v_secret), p_signup_id);
  return '/confirm/place/' || v_secret;
end
$$;
comment on function private.new_event_link(uuid) is
  'The path of the page with someone''s place; only its hash is stored.';

create function private.tell_about_place(
  p_signup_id uuid, p_template text, p_title text, p_key text, p_data jsonb default '{}'
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_signup public.event_signups;
  v_event public.events;
  v_goes boolean;
begin
  select * into v_signup from public.event_signups s where s.id = p_signup_id;
  select * into v_event from public.events e where e.id = v_signup.event_id;
  if v_signup.email is null then
    return false;
  end if;
  v_goes := private.send_mail(v_signup.email, p_template, jsonb_build_object(
    'title', v_event.title,
    'when', private.event_moment(v_event.starts_at, v_event.time_zone),
    'minutes', v_event.minutes,
    'where', v_event.place,
    'event_path', '/events/' || v_event.slug,
    'path', private.new_event_link(p_signup_id)
  ) || p_data, case when v_event.state = 'planned' then v_event.starts_at end);
  perform private.add_notification(
    u.id, 'event', format('event:%s:%s', p_signup_id, p_key), format(p_title, v_event.title),
    private.event_moment(v_event.starts_at, v_event.time_zone) || '. ' || v_event.place,
    '/dashboard/events/' || p_signup_id
  )
  from auth.users u
  where lower(u.email) = v_signup.email and u.email_confirmed_at is not null;
  return v_goes;
end
$$;
comment on function private.tell_about_place(uuid, text, text, text, jsonb) is
  'Emails someone about their place and, if the address has an account, notifies them in the app. In p_title, %s is the event. Returns whether the email goes.';

create function private.tell_of_state(p_signup_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_signup public.event_signups;
  v_event public.events;
  -- The same occasion isn't told twice in the app; an email that someone asks for again goes.
  v_key text;
begin
  select * into v_signup from public.event_signups s where s.id = p_signup_id;
  select * into v_event from public.events e where e.id = v_signup.event_id;
  v_key := v_signup.state || ':'
    || extract(epoch from coalesce(v_signup.due_at, v_signup.taken_at, v_signup.queued_at));
  return case v_signup.state
    when 'held' then private.tell_about_place(
      p_signup_id, 'event-held', 'Confirm your place: %s', v_key,
      jsonb_build_object('until', private.event_moment(v_signup.due_at, v_event.time_zone))
    )
    when 'offered' then private.tell_about_place(
      p_signup_id, 'event-offer', 'A place is free: %s', v_key,
      jsonb_build_object('until', private.event_moment(v_signup.due_at, v_event.time_zone))
    )
    when 'waiting' then private.tell_about_place(
      p_signup_id, 'event-waiting', 'You’re on the waiting list: %s', v_key,
      jsonb_build_object('position', private.event_position(v_signup))
    )
    when 'taken' then private.tell_about_place(
      p_signup_id, 'event-taken', 'You have a place: %s', v_key,
      jsonb_build_object('online_link', v_event.online_link)
    )
  end;
end
$$;
comment on function private.tell_of_state(uuid) is
  'Tells someone what they have now: a place to confirm, a place, an offer, or their turn on the waiting list.';

-- Free places -----------------------------------------------------------------------------------

create function private.hold_event(p_id uuid) returns public.events
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event public.events;
begin
  select * into v_event from public.events e where e.id = p_id for update;
  return v_event;
end
$$;
comment on function private.hold_event(uuid) is
  'An event, locked until the transaction ends: what gives or frees a place calls this first.';

create function private.offer_places(p_event_id uuid) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Later, nobody would see the offer in time; then a free place goes to the next person who asks.
  c_last constant interval := interval '1 hour';
  v_event public.events := private.hold_event(p_event_id);
  v_id uuid;
  v_count int := 0;
begin
  while v_event.state = 'planned' and v_event.starts_at > now() + c_last
    and private.held_places(p_event_id) < v_event.places
  loop
    update public.event_signups u
    set state = 'offered', due_at = private.event_deadline(v_event.starts_at, interval '48 hours')
    where u.id = (
      select s.id from public.event_signups s
      where s.event_id = p_event_id and s.state = 'waiting' order by s.queued_at, s.id limit 1
    )
    returning u.id into v_id;
    exit when v_id is null;
    perform private.tell_of_state(v_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.offer_places(uuid) is
  'Offers each free place to the next on the waiting list, for at most 48 hours; how many.';

create function private.cancel_event(p_id uuid, p_reason text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event public.events := private.hold_event(p_id);
begin
  if v_event.state = 'canceled' then
    return;
  end if;
  update public.events e set state = 'canceled', canceled_at = now(), cancel_reason = p_reason
  where e.id = p_id;
  perform private.tell_about_place(
    s.id, 'event-canceled', 'Canceled: %s', 'event-canceled', jsonb_build_object('reason', p_reason)
  )
  from public.event_signups s
  where s.event_id = p_id and s.state in ('held', 'offered', 'taken', 'waiting')
    and v_event.starts_at > now()
  order by s.queued_at;
end
$$;
comment on function private.cancel_event(uuid, text) is
  'Cancels an event for good and tells everyone who has or waits for a place; the reason, if any, is for them.';

-- From the site's forms -------------------------------------------------------------------------

create function private.ask_for_place(
  p_caller text, p_slug text, p_occasion text, p_email text, p_name text, p_wish text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_many constant text := 'That’s too many at once. Try again %s, or send us an email.';
  c_email constant text := lower(btrim(p_email));
  v_event public.events;
  v_signup public.event_signups;
  v_state text;
begin
  perform private.require_fair_share(
    'event', p_caller, split_part(p_caller, ':', 1), 8, 500, interval '1 hour', c_many
  );
  select * into v_event from public.events e where e.slug = p_slug and e.occasion = p_occasion;
  if not found then
    raise exception 'You can’t sign up for this date here. Choose another one, or write to us.'
      using errcode = '22023', hint = 'occasion';
  end if;
  if p_caller is not null then
    -- Nobody fills a room from one place.
    perform private.require_rate_limit(
      format('event:%s:%s', v_event.id, p_caller), 10, interval '1 day', c_many
    );
  end if;
  v_event := private.hold_event(v_event.id);
  if v_event.state = 'canceled' then
    raise exception 'This event was canceled.' using errcode = '22023', hint = 'occasion';
  elsif v_event.starts_at <= now() then
    raise exception 'This event has already started.' using errcode = '22023', hint = 'occasion';
  end if;

  select * into v_signup from public.event_signups s
  where s.event_id = v_event.id and s.email = c_email for update;
  if v_signup.state in ('held', 'offered', 'taken', 'waiting') then
    -- Only the mailbox learns that, and what it has doesn't change.
    if private.take_rate_limit(private.mailbox_key('event-again', c_email), 3, interval '1 day') then
      perform private.tell_of_state(v_signup.id);
    end if;
    return;
  end if;
  perform private.offer_places(v_event.id);
  v_state := case when private.held_places(v_event.id) < v_event.places then 'held' else 'waiting' end;
  insert into public.event_signups as s (event_id, email, name, wish, state, due_at)
  values (
    v_event.id, c_email, private.clean_line(p_name, 120), nullif(private.clean_body(p_wish), ''), v_state,
    case v_state when 'held' then private.event_deadline(v_event.starts_at, interval '24 hours') end
  )
  on conflict (event_id, email) do update set
    name = excluded.name, wish = excluded.wish, state = excluded.state, due_at = excluded.due_at,
    queued_at = clock_timestamp(), cancel_reason = null
  returning * into v_signup;
  if not private.tell_of_state(v_signup.id) then
    -- Their mailbox has reached its limit for today, so they couldn't confirm it.
    update public.event_signups s set state = 'lapsed', due_at = null where s.id = v_signup.id;
  end if;
end
$$;
comment on function private.ask_for_place(text, text, text, text, text, text) is
  'Holds a place at an event for an email address, or puts it on the waiting list, and emails it the link; an address that has one already gets its email again. Raises 22023 and PT429 with words for people.';

create function private.use_event_link(p_secret text, p_what text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event public.events;
  v_signup public.event_signups;
begin
  select s.* into v_signup
  from private.event_links l join public.event_signups s on s.id = l.signup_id
  where l.secret_hash = private.secret_hash(p_secret);
  if not found then
    return false;
  end if;
  v_event := private.hold_event(v_signup.event_id);
  select * into v_signup from public.event_signups s where s.id = v_signup.id for update;
  if v_event.state = 'canceled' or v_event.starts_at <= now() then
    return true;
  end if;
  if p_what = 'confirm' and v_signup.state in ('held', 'offered') then
    -- What nobody has freed yet is still theirs, even if they're late.
    update public.event_signups s
    set state = 'taken', taken_at = now(), due_at = null where s.id = v_signup.id;
    perform private.tell_of_state(v_signup.id);
  elsif p_what = 'cancel' and v_signup.state in ('held', 'offered', 'taken', 'waiting') then
    update public.event_signups s
    set state = 'canceled', due_at = null where s.id = v_signup.id;
    perform private.offer_places(v_event.id);
  end if;
  return true;
end
$$;
comment on function private.use_event_link(text, text) is
  'Confirms (p_what "confirm") or cancels ("cancel") the place behind an emailed link; what doesn''t fit its state changes nothing. False if there''s no such link.';

-- What everyone sees ----------------------------------------------------------------------------

create function public.list_event_places(p_slug text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'occasion', e.occasion, 'starts_at', e.starts_at, 'places', e.places, 'state', e.state,
    'left', case
      when exists (
        select from public.event_signups w where w.event_id = e.id and w.state = 'waiting'
      ) then 0
      else greatest(e.places - private.held_places(e.id), 0)
    end
  ) order by e.starts_at), '[]')
  from (
    select * from public.events o
    where o.slug = p_slug and o.starts_at > now() order by o.starts_at limit 24
  ) e
$$;
comment on function public.list_event_places(text) is
  'How many places each coming date of an event has, and how many are left: [{occasion, starts_at, places, left, state}].';
grant execute on function public.list_event_places(text) to anon, authenticated;

create function public.get_event_place(p_secret text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'slug', e.slug, 'title', e.title, 'starts_at', e.starts_at, 'minutes', e.minutes,
    'time_zone', e.time_zone, 'place', e.place, 'address', e.address, 'revision', e.revision,
    'event_state', e.state, 'event_reason', e.cancel_reason,
    'online_link', case when s.state = 'taken' then e.online_link end,
    'id', s.id, 'name', s.name, 'state', s.state, 'due_at', s.due_at, 'reason', s.cancel_reason,
    'position', case s.state when 'waiting' then private.event_position(s) end
  )
  from private.event_links l
  join public.event_signups s on s.id = l.signup_id
  join public.events e on e.id = s.event_id
  where l.secret_hash = private.secret_hash(p_secret)
$$;
comment on function public.get_event_place(text) is
  'The place behind an emailed link: {slug, title, starts_at, minutes, time_zone, place, address, revision, event_state, event_reason, online_link (with a place), id, name, state, due_at, reason, position (on the waiting list)}; null if there''s no such link.';
grant execute on function public.get_event_place(text) to anon, authenticated;

-- For signed-in people: what's under their confirmed address --------------------------------------

create function private.event_email_of(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select lower(u.email) from auth.users u
  where u.id = p_user_id and u.email_confirmed_at is not null
$$;

create function private.my_event_places() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'title', p.title, 'starts_at', p.starts_at, 'place', p.place, 'state', p.state,
    'due_at', p.due_at
  ) order by p.starts_at, p.id), '[]')
  from (
    select s.id, e.title, e.starts_at, e.place, s.state, s.due_at
    from public.event_signups s
    join public.events e on e.id = s.event_id
    where s.email = private.event_email_of((select auth.uid())) and (select private.session_ok())
      and s.state in ('held', 'offered', 'taken', 'waiting') and e.state = 'planned'
      and e.starts_at + make_interval(mins => e.minutes) > now()
    order by e.starts_at, s.id limit 4
  ) p
$$;
comment on function private.my_event_places() is
  'The next four events that the caller has, is offered or waits for a place at.';

create function public.open_event_place(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_path text;
begin
  perform private.count_writes('event_links');
  select private.new_event_link(s.id) into v_path
  from public.event_signups s
  where s.id = p_id and s.email = private.event_email_of(v_user_id);
  return jsonb_build_object('path', v_path);
end
$$;
comment on function public.open_event_place(uuid) is
  'The page of a place under the caller''s address: {path}, or null if there''s no such place.';
grant execute on function public.open_event_place(uuid) to authenticated;

create function private.events_in_calendar(p_user_id uuid) returns table (
  uid text, sequence int, starts_at timestamptz, minutes int, title text, place text,
  description text, canceled boolean
)
language sql stable security definer set search_path = '' as $$
  select 'place-' || s.id, e.revision, e.starts_at, e.minutes, e.title,
    coalesce(e.online_link, e.place), 'You have a place.', e.state = 'canceled' or s.state = 'canceled'
  from public.event_signups s
  join public.events e on e.id = s.event_id
  where s.email = private.event_email_of(p_user_id) and s.taken_at is not null
    and s.state in ('taken', 'canceled') and e.starts_at > now() - interval '60 days'
  order by e.starts_at desc
  limit 100
$$;

create function private.forget_event_places(p_email text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event record;
begin
  for v_event in
    select s.event_id, s.id from public.event_signups s where s.email = p_email order by s.event_id
  loop
    perform private.hold_event(v_event.event_id);
    update public.event_signups s set state = 'canceled', due_at = null
    from public.events e
    where s.id = v_event.id and e.id = s.event_id and e.starts_at > now()
      and s.state in ('held', 'offered', 'taken', 'waiting');
    update public.event_signups s set email = null, name = null, wish = null, cancel_reason = null
    where s.id = v_event.id;
    delete from private.event_links l where l.signup_id = v_event.id;
    perform private.offer_places(v_event.event_id);
  end loop;
end
$$;
comment on function private.forget_event_places(text) is
  'Frees the places of an address and forgets whose they were; what''s left are the counts.';

-- What time does --------------------------------------------------------------------------------

create function private.lapse_places() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_event record;
  v_count int := 0;
  v_here int;
begin
  for v_event in
    select e.id from public.events e
    where exists (
      select from public.event_signups s where s.event_id = e.id and s.due_at <= now()
    )
    order by e.id for update skip locked
  loop
    update public.event_signups s set state = 'lapsed', due_at = null
    where s.event_id = v_event.id and s.due_at <= now();
    get diagnostics v_here = row_count;
    v_count := v_count + v_here;
    perform private.offer_places(v_event.id);
  end loop;
  return v_count;
end
$$;
comment on function private.lapse_places() is
  'Frees places that nobody confirmed or accepted in time, and offers them to the next; how many.';

create function private.remind_of_event(p_stage text, p_from interval, p_to interval) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select s.id, e.id as event_id, e.starts_at, e.online_link
    from public.events e
    join public.event_signups s on s.event_id = e.id and s.state = 'taken' and s.email is not null
    where e.state = 'planned' and e.starts_at > now() + p_from and e.starts_at <= now() + p_to
      -- The person who has just taken it knows.
      and s.taken_at < e.starts_at - p_to
      and e.starts_at is distinct from
        case p_stage when 'day' then s.day_reminder_for else s.hour_reminder_for end
    order by e.id, s.id limit 1000
    for update of s skip locked
  loop
    update public.event_signups s set
      day_reminder_for = case p_stage when 'day' then v_due.starts_at else s.day_reminder_for end,
      hour_reminder_for = case p_stage when 'hour' then v_due.starts_at else s.hour_reminder_for end
    where s.id = v_due.id;
    perform private.tell_about_place(
      v_due.id, 'event-reminder',
      case p_stage when 'day' then 'Coming up: %s' else 'Starting soon: %s' end,
      format('%s:%s', p_stage, extract(epoch from v_due.starts_at)),
      jsonb_build_object('stage', p_stage, 'online_link', v_due.online_link)
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.remind_of_event(text, interval, interval) is
  'Reminds everyone with a place at an event that starts within p_from and p_to from now, once for each start; how many.';

create function private.keep_event_places() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'lapsed', private.lapse_places(),
    -- If we were away until shortly before, one reminder is enough.
    'day', private.remind_of_event('day', interval '2 hours', interval '24 hours'),
    'hour', private.remind_of_event('hour', interval '0', interval '1 hour')
  );
end
$$;
comment on function private.keep_event_places() is
  'What time does to places at events: {lapsed (places), day, hour (reminders)}.';
insert into private.jobs (kind, every) values ('keep_event_places', interval '5 minutes');

create function private.delete_old_event_people() returns bigint
language sql volatile security definer set search_path = '' as $$
  with old as (
    select s.id from public.event_signups s join public.events e on e.id = s.event_id
    where e.starts_at < now() - interval '1 year' and s.email is not null
  ), links as (
    delete from private.event_links l using old where l.signup_id = old.id
  ), people as (
    update public.event_signups s set email = null, name = null, wish = null, cancel_reason = null
    from old where s.id = old.id
    returning 1
  )
  select count(*) from people
$$;
comment on function private.delete_old_event_people() is
  'Forgets who was at events a year ago; how many people came is kept.';
insert into private.jobs (kind, every) values ('delete_old_event_people', interval '1 day');

-- From content/ ---------------------------------------------------------------------------------

create function private.seed_event(p_event jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_new public.events;
  v_old public.events;
  v_moved boolean;
begin
  v_new := jsonb_populate_record(null::public.events, p_event);
  select * into v_old from public.events e
  where e.slug = v_new.slug and e.occasion = v_new.occasion for update;
  if not found then
    if not coalesce((p_event ->> 'canceled')::boolean, false) then
      insert into public.events (
        slug, occasion, title, starts_at, minutes, time_zone, place, address, online_link, places
      ) values (
        v_new.slug, v_new.occasion, v_new.title, v_new.starts_at, v_new.minutes, v_new.time_zone,
        v_new.place, v_new.address, v_new.online_link, v_new.places
      );
    end if;
    return;
  end if;
  v_moved := (v_old.starts_at, v_old.place) <> (v_new.starts_at, v_new.place);
  update public.events e set
    title = v_new.title, starts_at = v_new.starts_at, minutes = v_new.minutes,
    time_zone = v_new.time_zone, place = v_new.place, address = v_new.address, online_link = v_new.online_link,
    places = v_new.places, revision = e.revision + v_moved::int
  where e.id = v_old.id;
  if coalesce((p_event ->> 'canceled')::boolean, false) then
    perform private.cancel_event(v_old.id, null);
    return;
  end if;
  if v_moved and v_old.state = 'planned' then
    -- Nobody is held to a deadline after the event.
    update public.event_signups s
    set due_at = least(s.due_at, greatest(private.event_deadline(v_new.starts_at, interval '48 hours'), now()))
    where s.event_id = v_old.id and s.due_at is not null;
    perform private.tell_about_place(
      s.id, 'event-moved', 'A new date or place: %s', 'moved:' || (v_old.revision + 1),
      jsonb_build_object(
        'was_when', private.event_moment(v_old.starts_at, v_old.time_zone), 'was_where', v_old.place
      )
    )
    from public.event_signups s
    where s.event_id = v_old.id and s.state in ('held', 'offered', 'taken', 'waiting')
    order by s.queued_at;
  end if;
  perform private.offer_places(v_old.id);
end
$$;
comment on function private.seed_event(jsonb) is
  'Brings a date of an event in line with content/: people keep their places, and hear of another date or place and of a canceled event.';

create function private.seed_events(p_events jsonb) returns text[]
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.seed_event(e.event) from jsonb_array_elements(p_events) as e (event);
  -- What's gone from content/ and nobody asked for goes; the others stay, and are returned.
  delete from public.events o
  where o.starts_at > now()
    and not exists (select from public.event_signups s where s.event_id = o.id)
    and (o.slug, o.occasion) not in (
      select e.event ->> 'slug', e.event ->> 'occasion' from jsonb_array_elements(p_events) as e (event)
    );
  return array(
    select distinct o.slug from public.events o
    where o.starts_at > now() and o.state = 'planned'
      and (o.slug, o.occasion) not in (
        select e.event ->> 'slug', e.event ->> 'occasion'
        from jsonb_array_elements(p_events) as e (event)
      )
    order by 1
  );
end
$$;
comment on function private.seed_events(jsonb) is
  'Brings coming events in line with content/; returns those that are gone from it although people have places.';

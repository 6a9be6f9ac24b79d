-- Release 0.1.0: what a database held when the release was made, from the 47 files before it.
-- Never edit it. What has changed since is in the files after it; what is so now is in schemas/.

-- From 20261120000100_foundation.sql
-- Foundation: what every later file stands on.
--
-- Two schemas hold the product. `public` is what the REST interface shows: tables under row-level
-- security, and the procedures that people may call. `private` is shown to nobody: the rules that
-- policies and procedures share live there, as functions that see past row-level security.

create schema private;
comment on schema private is
  'Rules shared by policies and procedures. Never exposed through the REST interface.';

grant usage on schema private to anon, authenticated, service_role;

-- Nothing is allowed by default -----------------------------------------------------------------
-- Whatever a later file creates can be read, changed or called by nobody until that file grants it.

alter default privileges revoke execute on functions from public;
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke execute on functions from anon, authenticated, service_role;

-- Names in order -------------------------------------------------------------------------------

create collation private.by_name (provider = icu, locale = 'en-US-u-kn-true');
comment on collation private.by_name is
  'The order in which people look for names: "Step 2" before "Step 10", capitals beside small letters.';

-- Who is asking ---------------------------------------------------------------------------------

create function private.second_factor(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case
    when auth.jwt() ->> 'aal' = 'aal2' then 'verified'
    when exists (
      select from auth.mfa_factors f where f.user_id = p_user_id and f.status = 'verified'
    ) then 'required'
    else 'none'
  end
$$;
comment on function private.second_factor(uuid) is
  'none: no factor is enrolled. required: one is, and this session has not shown it. verified: it has.';

create function private.session_open() returns boolean
language sql stable security definer set search_path = '' as $$
  select auth.jwt() ->> 'session_id' is null or exists (
    select from auth.sessions s
    where s.id = (auth.jwt() ->> 'session_id')::uuid and s.user_id = auth.uid()
  )
$$;
comment on function private.session_open() is
  'False once the session was ended (signed out, password changed), though its token lasts an hour.';

create function private.session_ok() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  -- An error and not false: nobody should take an empty list for the truth, or a refused answer
  -- for one that is not wanted. The REST interface makes it status 401.
  if not private.session_open() then
    raise exception 'Your session was ended. Sign in again.' using errcode = 'PT401';
  end if;
  return private.second_factor(auth.uid()) <> 'required';
end
$$;
comment on function private.session_ok() is
  'False for a session that still owes its second factor, an error (PT401) for one that was ended. Stands in every policy.';
grant execute on function private.session_ok() to anon, authenticated;

create function private.require_session() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
begin
  if v_user_id is null then
    raise exception 'Sign in to do this.' using errcode = '42501';
  end if;
  if not private.session_ok() then
    raise exception 'Enter the code of your second factor first.' using errcode = '42501';
  end if;
  return v_user_id;
end
$$;
comment on function private.require_session() is
  'The person who asks, or an error (42501): the first line of every procedure for signed-in people.';

-- Small rules that several tables share ---------------------------------------------------------

create function private.one_at_a_time(p_what text, p_id uuid) returns void
language sql volatile set search_path = '' as $$
  select pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended(p_what || ':' || p_id, 0))
$$;
comment on function private.one_at_a_time(text, uuid) is
  'Makes the same procedure for the same person wait for its twin until the transaction ends.';

create function private.touch_updated_at() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.updated_at := now();
  return new;
end
$$;

create function private.refuse_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'Rows of % are never changed or removed.', tg_table_name using errcode = '55000';
end
$$;
comment on function private.refuse_change() is 'Trigger of append-only tables.';

-- What is otherwise never removed may go with the last person who could see it. The setting is made
-- by erase_business alone, for one transaction; API roles have no right to remove such rows anyway.
create function private.erasing() returns boolean
language sql stable set search_path = '' as $$
  select coalesce(current_setting('trellis.erasing', true), '') = 'on'
$$;

create function private.refuse_change_unless_erased() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' and private.erasing() then
    return old;
  end if;
  raise exception 'Rows of % are never changed or removed.', tg_table_name using errcode = '55000';
end
$$;

create function private.clean_line(p_text text, p_length int) returns text
language sql immutable set search_path = '' as $$
  select nullif(
    btrim(pg_catalog.left(
      regexp_replace(
        coalesce(p_text, ''), '[[:cntrl:][:space:]\u202a-\u202e\u2066-\u2069]+', ' ', 'g'
      ),
      p_length
    )),
    ''
  )
$$;
comment on function private.clean_line(text, int) is
  'One line of at most p_length characters, without control characters and those that make words run backwards; null when nothing is left.';

-- Files that people bring: a row says which one comes, an object in a private bucket follows ----------

create function private.file_name(p_name text, p_type text) returns text
language sql immutable set search_path = '' as $$
  select case
    when n.name ~* ('\.(' || e.endings || ')$') then pg_catalog.right(n.name, 200)
    else pg_catalog.left(n.name, 195) || '.' || split_part(e.endings, '|', 1)
  end
  from (select private.clean_line(p_name, 300) as name) n
  cross join (
    select case p_type
      when 'application/pdf' then 'pdf'
      when 'image/png' then 'png'
      when 'image/jpeg' then 'jpg|jpeg|jfif'
      when 'image/webp' then 'webp'
      when 'text/csv' then 'csv'
      when 'text/plain' then 'txt|md|text'
      when 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' then 'docx'
      when 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' then 'xlsx'
      when 'application/vnd.openxmlformats-officedocument.presentationml.presentation' then 'pptx'
    end as endings
  ) e
$$;
comment on function private.file_name(text, text) is
  'The name under which a file of a type is saved, at most 200 characters: its ending is one of the type, so that nothing is opened as something else. Null without a name, or for a type that is not kept.';

create function private.check_file(p_bucket text, p_name text, p_type text, p_size int) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_bucket storage.buckets;
begin
  select * into strict v_bucket from storage.buckets b where b.id = p_bucket;
  if private.clean_line(p_name, 200) is null then
    raise exception 'A file needs a name.' using errcode = '22023', hint = 'name';
  end if;
  if p_size is null or p_size < 1 then
    raise exception 'This file is empty.' using errcode = '22023', hint = 'size';
  end if;
  if p_size > v_bucket.file_size_limit then
    raise exception 'A file may have at most % MB.', v_bucket.file_size_limit / 1048576
      using errcode = '22023', hint = 'size';
  end if;
  if (p_type = any (v_bucket.allowed_mime_types)) is not true then
    raise exception 'Files of this kind are not taken here.' using errcode = '22023', hint = 'type';
  end if;
end
$$;
comment on function private.check_file(text, text, text, int) is
  'Refuses (22023) a file without a name or a byte, and one that is larger or of another type than its bucket takes.';

create function private.is_stored(
  p_bucket text, p_path text, p_type text default null, p_size int default null
) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from storage.objects o
    where o.bucket_id = p_bucket and o.name = p_path
      and (p_type is null or o.metadata ->> 'mimetype' = p_type)
      and (p_size is null or (o.metadata ->> 'size')::bigint = p_size)
  )
$$;
comment on function private.is_stored(text, text, text, int) is
  'Whether an object lies under a path; where they are said, whether it is of this type and has this many bytes.';

-- From 20261120000200_audit_log.sql
-- Audit log: who did what, when, and why. Rows are added and never change.
--
-- Procedures of admins write it in the transaction of what they do or read; no API role reads or
-- writes it directly.

create table public.audit_log (
  id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  -- No foreign key: the row outlives the account.
  actor_id uuid,
  action text not null check (action ~ '^[a-z_]+\.[a-z_]+$'),
  entity text not null,
  entity_id text,
  reason text check (char_length(reason) <= 2000),
  details jsonb not null default '{}'
);
comment on table public.audit_log is
  'Append-only record of what admins and the system did and read, with the reason where one is asked.';

create index audit_log_entity_idx on public.audit_log (entity, entity_id, at desc);
create index audit_log_actor_idx on public.audit_log (actor_id, at desc);

alter table public.audit_log enable row level security;

create trigger audit_log_is_append_only before update or delete on public.audit_log
  for each row execute function private.refuse_change();
create trigger audit_log_is_never_emptied before truncate on public.audit_log
  for each statement execute function private.refuse_change();

create function private.audit(
  p_action text,
  p_entity text,
  p_entity_id text,
  p_reason text default null,
  p_details jsonb default '{}'
) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.audit_log (actor_id, action, entity, entity_id, reason, details)
  values (auth.uid(), p_action, p_entity, p_entity_id, p_reason, p_details)
$$;
comment on function private.audit(text, text, text, text, jsonb) is
  'Adds a row for the person who asks; action reads "<entity>.<verb>".';

create function private.require_reason(p_reason text) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_reason text := btrim(coalesce(p_reason, ''));
begin
  if char_length(v_reason) not between 3 and 2000 then
    raise exception 'Give a reason of 3 to 2,000 characters.' using errcode = '22023', hint = 'reason';
  end if;
  return v_reason;
end
$$;

-- From 20261120000300_schedule.sql
-- Schedule: what the product does by itself, as one idempotent tick.
--
-- A job is a function of schema private that takes nothing and gives back what it did; the file of
-- an entity adds its own row here. A timer calls the tick on the embedded stack, pg_cron on
-- Supabase; any number of callers at once is harmless, because each job is taken by one of them.

create table public.schedule_jobs (
  name text primary key check (name ~ '^[a-z_]+$'),
  every interval not null check (every > interval '0'),
  last_run_at timestamptz,
  next_run_at timestamptz not null default now(),
  last_error text
);
comment on table public.schedule_jobs is
  'Jobs of the tick: name is a function in schema private. No API role reads or writes it.';

alter table public.schedule_jobs enable row level security;

create function private.tick() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_job record;
  v_result jsonb;
  v_error text;
  v_done jsonb := '{}';
begin
  for v_job in
    select j.name, j.every from public.schedule_jobs j
    -- Planned further ahead than ever happens: the clock was put back since.
    where j.next_run_at <= now() or j.next_run_at > now() + j.every
    order by j.name
    for update skip locked
  loop
    v_error := null;
    -- A job that fails says so in its row and does not stop the others.
    begin
      execute format('select to_jsonb(private.%I())', v_job.name) into v_result;
    exception when others then
      v_error := sqlerrm;
      v_result := jsonb_build_object('error', sqlerrm);
    end;
    update public.schedule_jobs j
    set last_run_at = now(), next_run_at = now() + v_job.every, last_error = v_error
    where j.name = v_job.name;
    v_done := v_done || jsonb_build_object(v_job.name, v_result);
  end loop;
  return v_done;
end
$$;
comment on function private.tick() is
  'Runs every job that is due and returns {job: what it did}; {} when nothing was due.';

-- On Supabase the tick runs every minute by pg_cron; where that is missing, a timer calls it.
do $$
begin
  if current_setting('shared_preload_libraries', true) like '%pg_cron%' then
    create extension if not exists pg_cron;
    perform cron.schedule('tick', '* * * * *', 'select private.tick()');
  end if;
exception when others then
  raise notice 'pg_cron is not used: %', sqlerrm;
end
$$;

-- From 20261120000400_rate_limits.sql
-- Rate limits: how often something may happen, right across processes.

create table public.rate_limits (
  key text primary key check (char_length(key) <= 300),
  hits int not null,
  expires_at timestamptz not null,
  -- The same key counted by the minute as well, where a limit has both.
  minute_hits int not null default 0,
  minute_ends_at timestamptz not null default '-infinity'
);
comment on table public.rate_limits is
  'One counter a key, which starts anew when its window ends. No API role reads or writes it.';

create index rate_limits_expires_at_idx on public.rate_limits (expires_at);

alter table public.rate_limits enable row level security;

create function private.is_over(p_ends_at timestamptz, p_window interval) returns boolean
language sql volatile set search_path = '' as $$
  -- A minute, because somebody else may have begun the window after this statement read the clock.
  select p_ends_at <= clock_timestamp()
    or p_ends_at > clock_timestamp() + p_window + interval '1 minute'
$$;
comment on function private.is_over(timestamptz, interval) is
  'Whether a window has ended, or began at a time that the clock has since been put back behind.';

create function private.take_rate_limit(p_key text, p_limit int, p_window interval) returns boolean
language sql volatile security definer set search_path = '' as $$
  insert into public.rate_limits as r (key, hits, expires_at)
  values (p_key, 1, clock_timestamp() + p_window)
  on conflict (key) do update set
    -- One more than the limit is enough to know: the number cannot overflow. A key with several
    -- limits keeps what the highest of them counted.
    hits = case
      when private.is_over(r.expires_at, p_window) then 1
      else greatest(r.hits, least(r.hits + 1, p_limit + 1))
    end,
    expires_at = case
      when private.is_over(r.expires_at, p_window) then clock_timestamp() + p_window
      else r.expires_at
    end
  returning hits <= p_limit
$$;
comment on function private.take_rate_limit(text, int, interval) is
  'Counts one use of the key and says whether it is within p_limit a window; refused uses do not prolong the window.';

create function private.wait_words(p_wait interval) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_wait <= interval '1 minute' then 'in a minute'
    when p_wait <= interval '59 minutes'
      then format('in %s minutes', ceil(extract(epoch from p_wait) / 60))
    when p_wait <= interval '1 hour' then 'in an hour'
    else format('in %s hours', ceil(extract(epoch from p_wait) / 3600))
  end
$$;
comment on function private.wait_words(interval) is
  'How long to wait, as the end of a sentence: "in a minute", "in 5 minutes", "in 3 hours".';

create function private.refuse_for_now(p_message text, p_wait interval, p_field text default null)
returns void
language plpgsql volatile set search_path = '' as $$
begin
  raise exception '%', format(p_message, private.wait_words(p_wait)) using
    errcode = 'PT429',
    detail = greatest(ceil(extract(epoch from p_wait)), 1)::int::text,
    hint = coalesce(p_field, '');
end
$$;
comment on function private.refuse_for_now(text, interval, text) is
  'Raises PT429, which the REST interface answers with 429. %s in the sentence p_message becomes the time to wait, and the detail is the same in seconds. p_field names the form field that the sentence belongs to.';

create function private.require_rate_limit(
  p_key text, p_limit int, p_window interval, p_message text, p_field text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.take_rate_limit(p_key, p_limit, p_window) then
    perform private.refuse_for_now(p_message, r.expires_at - clock_timestamp(), p_field)
    from public.rate_limits r where r.key = p_key;
  end if;
end
$$;
comment on function private.require_rate_limit(text, int, interval, text, text) is
  'Counts one use of the key, and refuses it for now over p_limit a window.';

create function private.delete_old_rate_limits() returns bigint
language sql volatile security definer set search_path = '' as $$
  -- Without waiting: a person who is writing may hold one counter and be waiting for the next.
  with old as (
    select r.key from public.rate_limits r where r.expires_at < now() for update skip locked
  ), gone as (
    delete from public.rate_limits r using old where r.key = old.key returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_rate_limits', interval '1 hour');

-- From 20261120000450_client_address.sql
-- Where a caller is, for limits. Any caller can write a header; only a proxy that writes it over is to
-- be believed. Ours and Supabase's write `x-forwarded-for`, whose last entry is theirs. Another header
-- counts where whoever runs the server says that every request comes through a proxy that sets it.

create table private.trusted_headers (
  -- At most one.
  singleton boolean primary key default true check (singleton),
  name text not null check (name ~ '^[a-z][a-z0-9-]{0,60}$')
);
comment on table private.trusted_headers is
  'The header in which the proxy in front of the backend names its client, where it is not x-forwarded-for.';

create function private.trust_address_header(p_name text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_name is null then
    delete from private.trusted_headers where singleton;
  else
    insert into private.trusted_headers (name) values (lower(p_name))
    on conflict (singleton) do update set name = excluded.name;
  end if;
end
$$;
comment on function private.trust_address_header(text) is
  'Limits count by this header from now on: select private.trust_address_header(''cf-connecting-ip''). Null: by x-forwarded-for again. No API role may call it.';

create function private.trusted_header() returns text
language sql stable security definer set search_path = '' as $$
  select name from private.trusted_headers
$$;

create function private.network_of(p_address text, p_bits_4 int, p_bits_6 int) returns text
language plpgsql immutable set search_path = '' as $$
declare
  v_address inet;
begin
  v_address := regexp_replace(p_address, '^::ffff:(?=[0-9]+[.])', '', 'i')::inet;
  return host(network(
    set_masklen(v_address, case family(v_address) when 4 then p_bits_4 else p_bits_6 end)
  ));
exception when invalid_text_representation then
  return p_address;
end
$$;
comment on function private.network_of(text, int, int) is
  'The first address of the network of so many bits (IPv4, IPv6) that an address is in; what is no address comes back as it is.';

create function private.client_address() returns text
language sql stable set search_path = '' as $$
  -- One client has the whole network of 64 bits of its IPv6 address.
  select private.network_of(pg_catalog.left(coalesce(
    h.headers ->> private.trusted_header(),
    -- The last entry is the one that our own proxy wrote.
    btrim(regexp_replace(h.headers ->> 'x-forwarded-for', '^.*,', ''))
  ), 64), 32, 64)
  from (select nullif(current_setting('request.headers', true), '')::jsonb as headers) h
$$;
comment on function private.client_address() is
  'Address of the caller as far as the REST interface passes it on, of IPv6 its network of 64 bits; null otherwise.';

create function private.require_fair_share(
  p_what text, p_sender text, p_network text, p_each int, p_all int, p_window interval,
  p_message text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_sender is not null then
    perform private.require_rate_limit(p_what || ':' || p_sender, p_each, p_window, p_message);
  end if;
  -- A sender with many addresses mostly has them in one network, which can't use up the whole.
  perform private.require_rate_limit(
    p_what || '-network:' || coalesce(p_network, 'unknown'), p_all / 10, p_window, p_message
  );
  perform private.require_rate_limit(p_what, p_all, p_window, p_message);
end
$$;
comment on function private.require_fair_share(text, text, text, int, int, interval, text) is
  'Counts one use by a sender, who may have p_each a window, and by the network of the sender, which may have a tenth of p_all. Only then it counts for all visitors together. Refused for now over any of them; what is refused does not count for the others.';

-- From 20261120000500_mail_outbox.sql
-- Mail outbox: everything that is to be sent is first a row here, in the transaction of what caused
-- it. One sender, connected as the owner of the database, takes rows that are due, renders template
-- and data, sends, and writes down how it went. No API role touches them.

create table public.mail_outbox (
  id uuid primary key default gen_random_uuid(),
  to_address text not null check (char_length(to_address) between 3 and 320),
  template text not null check (template ~ '^[a-z][a-z0-9-]*$'),
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  -- What was sent, filled in by the sender.
  subject text,
  html text,
  body_text text,
  -- dropped: when its turn came there was nothing left to say.
  state text not null default 'queued' check (
    state in ('queued', 'sending', 'sent', 'failed', 'dropped')
  ),
  attempts int not null default 0 check (attempts >= 0),
  -- For a queued row: when to try. For a row that is being sent: when its sender counts as dead.
  next_attempt_at timestamptz not null default now(),
  last_error text,
  -- Since when it fails for a reason that may pass; 48 hours later it stops.
  failing_since timestamptz,
  -- The mail server itself is away: as soon as it takes a mail again, this one is due.
  awaits_server boolean not null default false,
  -- Later than this there is nothing left to say: its link or code is no longer good.
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  check ((state = 'sent') = (sent_at is not null))
);
comment on table public.mail_outbox is
  'Mail to send and mail sent. The data of a row can hold a sign-in link: no person may read it.';

create index mail_outbox_due_idx on public.mail_outbox (next_attempt_at)
  where state in ('queued', 'sending');
create index mail_outbox_awaits_server_idx on public.mail_outbox (id) where awaits_server;
create index mail_outbox_created_at_idx on public.mail_outbox (created_at desc);

alter table public.mail_outbox enable row level security;

create function private.announce_mail() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('mail_outbox', '');
  return null;
end
$$;
create trigger mail_outbox_wakes_the_sender after insert on public.mail_outbox
  for each statement execute function private.announce_mail();

create function private.delete_old_mail() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.mail_outbox
    where state in ('sent', 'failed', 'dropped') and created_at < now() - interval '30 days'
    returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_mail', interval '1 day');

-- What has stopped ------------------------------------------------------------------------------

create function private.replay_mail(p_id uuid) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count bigint;
begin
  update public.mail_outbox m
  set state = 'queued', attempts = 0, failing_since = null, awaits_server = false,
    next_attempt_at = now(), last_error = null
  where m.state = 'failed' and (p_id is null or m.id = p_id);
  get diagnostics v_count = row_count;
  if p_id is not null and v_count = 0 then
    raise exception 'There is no failed email with this id.'
      using errcode = 'P0002', hint = 'id';
  end if;
  perform pg_catalog.pg_notify('mail_outbox', '');
  perform private.audit(
    'mail.replay', 'mail', p_id::text, null, jsonb_build_object('count', v_count)
  );
  return v_count;
end
$$;
comment on function private.replay_mail(uuid) is
  'Sends a mail that has stopped once more, or (null) all of them, and says how many. By whoever runs the server: npm run mail -- replay. No API role may call it.';

create function public.replay_mail(p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object('replayed', private.replay_mail(p_id));
end
$$;
comment on function public.replay_mail(uuid) is
  'An admin sends a mail that has stopped once more, or (null) all of them: {replayed}. Writes an audit row.';
grant execute on function public.replay_mail(uuid) to authenticated;

-- From 20261120000600_people.sql
-- People: a profile for everyone who has an account, and who of them is a coach or an admin.

create table public.profiles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  full_name text not null default '' check (char_length(full_name) <= 120),
  -- An IANA name; null until the person or their browser has said it, and then times are in UTC.
  time_zone text,
  locale text not null default 'en' check (locale ~ '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$'),
  -- A file of the person's own folder, never somebody else's.
  avatar_path text check (
    char_length(avatar_path) <= 300
    and starts_with(avatar_path, user_id::text || '/')
    and avatar_path not like '%..%'
  ),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.profiles is 'What a person shows of themselves; one row for each account.';

create table public.staff_roles (
  user_id uuid primary key references auth.users (id) on delete cascade,
  role text not null check (role in ('coach', 'admin')),
  granted_by uuid references auth.users (id) on delete set null,
  granted_at timestamptz not null default now()
);
comment on table public.staff_roles is
  'Who is a coach or an admin; everyone else is an owner. Only set_staff_role changes it.';

create index staff_roles_granted_by_idx on public.staff_roles (granted_by);

-- Who is what -----------------------------------------------------------------------------------

create function private.role_of(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select coalesce((select s.role from public.staff_roles s where s.user_id = p_user_id), 'owner')
$$;
comment on function private.role_of(uuid) is 'owner, coach or admin.';

create function private.is_admin() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.role_of((select auth.uid())) = 'admin'
$$;
grant execute on function private.is_admin() to authenticated;

create function private.is_coach() returns boolean
language sql stable security definer set search_path = '' as $$
  select private.role_of((select auth.uid())) = 'coach'
$$;
grant execute on function private.is_coach() to authenticated;

create function private.require_admin() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if not private.is_admin() then
    raise exception 'Only an admin may do this.' using errcode = '42501';
  end if;
  return v_user_id;
end
$$;
comment on function private.require_admin() is 'The admin who asks, or an error (42501).';

-- plpgsql, because the tables that it reads come in later files.
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
    where e.owner_id = v_user_id and e.coach_id is not null;
end
$$;
comment on function private.ids_of_my_people() is
  'Members of the same business, a coach''s clients, an owner''s coaches.';
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
grant update (full_name, time_zone, locale) on public.profiles to authenticated;
grant select (user_id, role, granted_at) on public.staff_roles to authenticated;

-- Triggers --------------------------------------------------------------------------------------

create trigger profiles_touch before update on public.profiles
  for each row execute function private.touch_updated_at();

-- A name stands in the subjects of mails and beside the names of others.
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
  'The name of a time zone as it was given, older names included; null where there is no such zone.';

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
  'The zone in which a person reads dates and times: UTC while it is not known.';

create function private.my_today() returns date
language sql stable security definer set search_path = '' as $$
  select (now() at time zone private.time_zone_of((select auth.uid())))::date
$$;
comment on function private.my_today() is 'The day it is where the caller is.';

create function private.day_words(p_at timestamptz, p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select to_char(p_at at time zone private.time_zone_of(p_user_id), 'FMMonth FMDD, YYYY')
$$;
comment on function private.day_words(timestamptz, uuid) is
  'The day of a moment where a person is, for a mail to them: December 22, 2026.';

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
  'The time of a moment where a person is, with its zone, for a mail to them: 3:00 PM MST.';

create function private.welcome() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_business_name text := private.clean_line(new.raw_user_meta_data ->> 'business_name', 120);
  v_business_id uuid;
begin
  insert into public.profiles (user_id, full_name, time_zone)
  values (
    new.id, coalesce(private.clean_line(new.raw_user_meta_data ->> 'full_name', 120), ''),
    private.known_time_zone(new.raw_user_meta_data ->> 'time_zone')
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
  'Makes the profile and, where a name was given, the first business of a new account. Sign-up data is what a stranger sent: names are cut to fit, a time zone is taken only if there is one of that name, and nothing else is read from it.';
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
    raise exception 'There is no such account.' using errcode = 'P0002', hint = 'user_id';
  end if;

  -- Two admins who remove each other at once would leave none.
  lock table public.staff_roles in share row exclusive mode;
  v_before := private.role_of(p_user_id);
  if v_before = 'admin' and p_role is distinct from 'admin'
    and not exists (select from public.staff_roles s where s.role = 'admin' and s.user_id <> p_user_id)
  then
    raise exception 'The last admin stays admin: name another one first.' using errcode = '55000';
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
    raise exception 'No account has the address %.', p_email using errcode = 'P0002', hint = 'email';
  end if;
  insert into public.staff_roles (user_id, role) values (v_user_id, 'admin')
  on conflict (user_id) do update set role = 'admin', granted_by = null, granted_at = now();
  perform private.audit('staff_role.set', 'user', v_user_id::text, 'named on the server',
    jsonb_build_object('after', 'admin'));
  return v_user_id;
end
$$;
comment on function private.make_admin(text) is
  'The first admin, by whoever runs the server: select private.make_admin(''someone@example.org''). No API role may call it.';

-- From 20261120000700_businesses.sql
-- Businesses: what people work on, who belongs to them, and their figures at a date.
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
  archived_at timestamptz
);
comment on table public.businesses is 'A business that its members work on; unknown stays null.';

create index businesses_created_by_idx on public.businesses (created_by);

create table public.business_members (
  business_id uuid not null references public.businesses (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  role text not null check (role in ('owner', 'member')),
  joined_at timestamptz not null default now(),
  primary key (business_id, user_id)
);
comment on table public.business_members is 'Who belongs to which business.';

create index business_members_user_id_idx on public.business_members (user_id);

create table public.business_snapshots (
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  taken_on date not null check (taken_on >= date '1900-01-01'),
  full_time int check (full_time >= 0),
  part_time int check (part_time >= 0),
  -- A year, in minor units of the currency.
  revenue_minor bigint check (revenue_minor >= 0),
  profit_minor bigint,
  currency text check (currency ~ '^[A-Z]{3}$'),
  created_by uuid default auth.uid() references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  check (num_nonnulls(revenue_minor, profit_minor) = 0 or currency is not null)
);
comment on table public.business_snapshots is
  'Figures of a business at a date. A new figure is a new row; unknown is null, never 0.';

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

-- plpgsql, because engagements come in a later file.
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

-- What is written goes through procedures: a plain update would overwrite in silence what a colleague
-- wrote.
grant select on public.businesses, public.business_members, public.business_snapshots
  to authenticated;

-- Triggers --------------------------------------------------------------------------------------

create trigger businesses_touch before update on public.businesses
  for each row execute function private.touch_updated_at();

create function private.keep_snapshot() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- The one change there is: an account is deleted and its name leaves the figures.
  if tg_op = 'UPDATE' and new.created_by is null
    and to_jsonb(new) - 'created_by' = to_jsonb(old) - 'created_by'
  then
    return new;
  end if;
  raise exception 'Figures are never changed or removed: add new ones.' using errcode = '55000';
end
$$;
create trigger business_snapshots_are_kept before update on public.business_snapshots
  for each row execute function private.keep_snapshot();
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
  'The first business of a person that is not archived, other than p_but, in the order of session_context(); null while they have none.';

create function private.require_unarchived(p_business_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from public.businesses b where b.id = p_business_id and b.archived_at is not null
  ) then
    raise exception 'This business is archived. Bring it back before you change anything.'
      using errcode = '55000', hint = 'business_id';
  end if;
end
$$;
comment on function private.require_unarchived(uuid) is
  'An error (55000) while the business is archived: what belongs to it is read then and not changed.';

create function private.require_member(p_business_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_business_id is null or p_business_id not in (select private.my_business_ids()) then
    raise exception 'You do not belong to this business.'
      using errcode = '42501', hint = 'business_id';
  end if;
  perform private.require_unarchived(p_business_id);
end
$$;
comment on function private.require_member(uuid) is
  'An error for whoever does not belong to the business (42501), and while it is archived (55000).';

create function public.create_business(
  p_id uuid,
  p_name text,
  p_trading text default null,
  p_postal_code text default null,
  p_help_wanted text default null
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
      raise exception 'This business exists already.' using errcode = '23505', hint = 'id';
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
    raise exception 'Say whether the business is trading yet.'
      using errcode = '22023', hint = 'trading';
  end if;
  if char_length(p_postal_code) > 16 then
    raise exception 'A postal code has at most 16 characters.'
      using errcode = '22023', hint = 'postal_code';
  end if;
  if char_length(p_help_wanted) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'help_wanted';
  end if;

  insert into public.businesses (id, name, trading, postal_code, help_wanted, created_by)
  values (
    p_id, v_name, p_trading, private.clean_line(p_postal_code, 16),
    nullif(btrim(p_help_wanted, e' \t\r\n'), ''), v_user_id
  );
  insert into public.business_members (business_id, user_id, role)
  values (p_id, v_user_id, 'owner');
  return jsonb_build_object('id', p_id, 'name', v_name);
end
$$;
comment on function public.create_business(uuid, text, text, text, text) is
  'Makes a business that the person owns; {id, name}.';
grant execute on function public.create_business(uuid, text, text, text, text) to authenticated;

-- From 20261120000900_skill_areas.sql
-- Skill areas: the eight things that an owner can be good at. Words come from the seed.

create table public.skill_areas (
  key text primary key check (key ~ '^[a-z]+(-[a-z]+)*$'),
  name text not null check (char_length(name) between 1 and 80),
  short_name text not null check (char_length(short_name) between 1 and 40),
  position smallint not null unique check (position > 0),
  summary text not null
);
comment on table public.skill_areas is 'The areas of the quiz, the case studies and the toolbox, in order.';

alter table public.skill_areas enable row level security;

create policy "Everyone signed in reads the skill areas"
  on public.skill_areas for select to authenticated
  using ((select private.session_ok()));

grant select on public.skill_areas to authenticated;

-- From 20261120001000_toolbox_items.sql
-- Toolbox items: templates, guides and worksheets, each for one area and some levels of it.

create table public.toolbox_items (
  id uuid primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  title text not null check (char_length(title) between 1 and 160),
  summary text not null check (char_length(summary) <= 600),
  type text not null check (
    type in ('template', 'guide', 'worksheet', 'calculator', 'checklist', 'video', 'link')
  ),
  area_key text not null references public.skill_areas (key),
  levels text[] not null check (
    levels <@ array['starting', 'developing', 'established', 'strong']
    and cardinality(levels) > 0
  ),
  minutes int not null check (minutes > 0),
  format text not null,
  version int not null default 1 check (version > 0),
  reviewed_on date not null,
  state text not null default 'draft' check (state in ('draft', 'published', 'archived')),
  body_markdown text not null default '',
  updated_at timestamptz not null default now()
);
comment on table public.toolbox_items is 'What the toolbox offers; people see the published items.';

create index toolbox_items_area_key_idx on public.toolbox_items (area_key, state, minutes);

alter table public.toolbox_items enable row level security;

create policy "Everyone signed in reads published items, admins read all"
  on public.toolbox_items for select to authenticated
  using (
    (select private.session_ok()) and (state = 'published' or (select private.is_admin()))
  );

grant select on public.toolbox_items to authenticated;

create trigger toolbox_items_touch before update on public.toolbox_items
  for each row execute function private.touch_updated_at();

create function private.tool_for(p_area_key text, p_level text) returns text
language sql stable security definer set search_path = '' as $$
  select t.slug
  from public.toolbox_items t
  where t.area_key = p_area_key and t.state = 'published'
  order by (p_level = any (t.levels)) desc, t.minutes, t.slug
  limit 1
$$;
comment on function private.tool_for(text, text) is
  'Slug of the shortest published item that fits the level of the area, else of the shortest of the area, else null.';

-- From 20261120001100_quiz_versions.sql
-- Quiz versions: draft → published → retired. At most one is published; what was published never
-- changes again, so that an attempt can always be read as it was taken.
--
-- There is one quiz. The first look is its questions that are flagged so, one an area.

create table public.quiz_versions (
  id uuid primary key,
  number int not null unique check (number > 0),
  state text not null default 'draft' check (state in ('draft', 'published', 'retired')),
  title text not null check (char_length(title) between 1 and 160),
  published_at timestamptz,
  created_from uuid references public.quiz_versions (id),
  created_at timestamptz not null default now(),
  check ((state = 'draft') = (published_at is null))
);
comment on table public.quiz_versions is
  'Editions of the quiz. Publishing one retires the one before; a published one cannot change.';

create unique index quiz_versions_one_published_idx on public.quiz_versions (state)
  where state = 'published';
create index quiz_versions_created_from_idx on public.quiz_versions (created_from);

create table public.quiz_version_areas (
  version_id uuid not null references public.quiz_versions (id) on delete cascade,
  area_key text not null references public.skill_areas (key),
  importance smallint not null check (importance between 1 and 3),
  primary key (version_id, area_key)
);
comment on table public.quiz_version_areas is 'Areas of a version, and how much each matters (1 to 3).';

create index quiz_version_areas_area_key_idx on public.quiz_version_areas (area_key);

create table public.quiz_questions (
  version_id uuid not null,
  key text not null check (char_length(key) between 1 and 120),
  area_key text not null,
  practice text not null,
  position smallint not null check (position > 0),
  text text not null,
  help text,
  -- What 0, 1, 2, 3 and 4 mean for this question.
  anchors text[] not null check (cardinality(anchors) = 5 and array_position(anchors, null) is null),
  weight numeric not null check (weight > 0 and weight <= 100),
  -- What to do in the next 30 days when this practice is the weakest.
  action text not null,
  -- Changes when the question asks something else under the same key; retakes compare equal ones.
  meaning int not null default 1 check (meaning > 0),
  first_look boolean not null default false,
  primary key (version_id, key),
  unique (version_id, position),
  foreign key (version_id, area_key) references public.quiz_version_areas (version_id, area_key)
    on delete cascade
);
comment on table public.quiz_questions is 'Questions of a version, each answered 0 to 4 or "doesn''t apply".';

create index quiz_questions_area_idx on public.quiz_questions (version_id, area_key);
create unique index quiz_questions_one_first_look_idx on public.quiz_questions (version_id, area_key)
  where first_look;

-- Row-level security ----------------------------------------------------------------------------

alter table public.quiz_versions enable row level security;
alter table public.quiz_version_areas enable row level security;
alter table public.quiz_questions enable row level security;

create policy "Everyone signed in reads what was published, admins read drafts"
  on public.quiz_versions for select to authenticated
  using ((select private.session_ok()) and (state <> 'draft' or (select private.is_admin())));

create policy "The areas of a version are read with it"
  on public.quiz_version_areas for select to authenticated
  using (
    (select private.session_ok()) and version_id in (select v.id from public.quiz_versions v)
  );

create policy "The questions of a version are read with it"
  on public.quiz_questions for select to authenticated
  using (
    (select private.session_ok()) and version_id in (select v.id from public.quiz_versions v)
  );

grant select on public.quiz_versions, public.quiz_version_areas, public.quiz_questions
  to authenticated;

-- What was published stays as it is -------------------------------------------------------------

create function private.guard_quiz_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'draft' then
      raise exception 'A quiz version starts as a draft.' using errcode = '55000';
    end if;
    return new;
  end if;

  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'A published version of the quiz cannot be removed.' using errcode = '55000';
    end if;
    return old;
  end if;

  if old.state = 'draft' and new.state = 'draft' then
    return new;
  end if;

  if old.state = 'draft' and new.state = 'published' then
    if not exists (select from public.quiz_version_areas a where a.version_id = new.id)
      or exists (
        select from public.quiz_version_areas a
        where a.version_id = new.id
          and (
            select count(*) < 2 or count(*) filter (where q.first_look) <> 1
            from public.quiz_questions q
            where q.version_id = a.version_id and q.area_key = a.area_key
          )
      )
    then
      raise exception 'Each area needs two questions, one of them in the first look.'
        using errcode = '22023', hint = 'questions';
    end if;
    update public.quiz_versions v set state = 'retired' where v.state = 'published';
    new.published_at := now();
    return new;
  end if;

  if old.state = 'published' and new.state = 'retired'
    and to_jsonb(new) - 'state' = to_jsonb(old) - 'state'
  then
    return new;
  end if;

  raise exception 'A published version of the quiz cannot change.' using errcode = '55000';
end
$$;
comment on function private.guard_quiz_version() is
  'draft → published → retired and nothing else. Publishing checks that the version is complete and retires the one before.';
create trigger quiz_versions_are_kept before insert or update or delete on public.quiz_versions
  for each row execute function private.guard_quiz_version();

create function private.guard_quiz_words() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_version_id uuid := case when tg_op = 'DELETE' then old.version_id else new.version_id end;
  v_state text;
begin
  if tg_op = 'UPDATE' and new.version_id <> old.version_id then
    raise exception 'A question stays in its version.' using errcode = '55000';
  end if;
  -- The lock makes publishing wait for a change that is under way, and the other way round. A
  -- version that is gone is being removed as a draft, with all that is in it.
  select v.state into v_state from public.quiz_versions v where v.id = v_version_id for share;
  if v_state <> 'draft' then
    raise exception 'A published version of the quiz cannot change.' using errcode = '55000';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;
create trigger quiz_version_areas_are_kept
  before insert or update or delete on public.quiz_version_areas
  for each row execute function private.guard_quiz_words();
create trigger quiz_questions_are_kept before insert or update or delete on public.quiz_questions
  for each row execute function private.guard_quiz_words();

create trigger quiz_versions_are_never_emptied before truncate on public.quiz_versions
  for each statement execute function private.refuse_change();
create trigger quiz_version_areas_are_never_emptied before truncate on public.quiz_version_areas
  for each statement execute function private.refuse_change();
create trigger quiz_questions_are_never_emptied before truncate on public.quiz_questions
  for each statement execute function private.refuse_change();

-- Reading the quiz ------------------------------------------------------------------------------

create function private.quiz_version_json(p_version_id uuid) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_build_object(
    'id', v.id,
    'number', v.number,
    'title', v.title,
    'areas', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'key', s.key, 'name', s.name, 'short_name', s.short_name, 'position', s.position,
          'importance', a.importance
        ) order by s.position
      ), '[]')
      from public.quiz_version_areas a
      join public.skill_areas s on s.key = a.area_key
      where a.version_id = v.id
    ),
    'questions', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'key', q.key, 'area_key', q.area_key, 'practice', q.practice, 'position', q.position,
          'text', q.text, 'help', q.help, 'anchors', q.anchors, 'weight', q.weight,
          'action', q.action, 'first_look', q.first_look
        ) order by q.position
      ), '[]')
      from public.quiz_questions q
      where q.version_id = v.id
    )
  )
  from public.quiz_versions v
  where v.id = p_version_id
$$;
comment on function private.quiz_version_json(uuid) is
  'A version with its areas and questions in order, as far as the caller may read them.';
grant execute on function private.quiz_version_json(uuid) to authenticated;

create function public.get_quiz() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.quiz_version_json(v.id) from public.quiz_versions v where v.state = 'published'
$$;
comment on function public.get_quiz() is 'The published quiz, for everyone; null before the first one.';
grant execute on function public.get_quiz() to anon, authenticated;

-- From 20261120001200_engagements.sql
-- Engagements: an owner asks for a coach, an admin assigns one. What follows (accepting, sessions,
-- pausing, completing) has its place in the states; the database refuses those steps until they
-- have their procedures.

create table public.engagements (
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  owner_id uuid references auth.users (id) on delete set null,
  coach_id uuid references auth.users (id) on delete set null,
  state text not null default 'requested' check (
    state in (
      'requested', 'assigned', 'accepted', 'active', 'paused', 'completed', 'withdrawn',
      'unreachable', 'ineligible'
    )
  ),
  areas text[] not null default '{}' check (cardinality(areas) <= 8),
  note text check (char_length(note) <= 2000),
  results_shared boolean not null default false,
  requested_at timestamptz not null default now(),
  assigned_at timestamptz,
  updated_at timestamptz not null default now(),
  closed_at timestamptz
);
comment on table public.engagements is
  'Who coaches whom about which business, and whether the coach may read quiz results.';

create index engagements_business_id_idx on public.engagements (business_id);
create index engagements_owner_id_idx on public.engagements (owner_id);
create index engagements_coach_id_idx on public.engagements (coach_id);
create unique index engagements_one_open_idx on public.engagements (business_id, owner_id)
  where state in ('requested', 'assigned', 'accepted', 'active', 'paused');

create table public.engagement_events (
  id bigint generated always as identity primary key,
  engagement_id uuid not null references public.engagements (id),
  at timestamptz not null default now(),
  -- No foreign key: what happened outlives the account.
  actor_id uuid,
  kind text not null check (
    kind in ('requested', 'state_changed', 'coach_changed', 'sharing_changed')
  ),
  from_state text,
  to_state text,
  -- For staff: reasons and handover notes. Not readable through the API.
  note text,
  details jsonb not null default '{}'
);
comment on table public.engagement_events is 'What happened to an engagement, append-only.';

create index engagement_events_engagement_id_idx on public.engagement_events (engagement_id, at);

-- Who coaches whom ------------------------------------------------------------------------------

create function private.my_clients()
returns table (engagement_id uuid, owner_id uuid, business_id uuid, results_shared boolean)
language sql stable security definer set search_path = '' as $$
  select e.id, e.owner_id, e.business_id, e.results_shared
  from public.engagements e
  where e.coach_id = (select auth.uid())
    -- Null once the owner deleted the account: their business is nobody's to read then.
    and e.owner_id is not null
    and e.state in ('assigned', 'accepted', 'active', 'paused')
    and (select private.is_coach())
$$;
comment on function private.my_clients() is
  'Open engagements that the person runs, as long as they are a coach and the owner has an account.';

create function private.my_client_engagement_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select c.engagement_id from private.my_clients() c
$$;
grant execute on function private.my_client_engagement_ids() to authenticated;

-- Row-level security ----------------------------------------------------------------------------

alter table public.engagements enable row level security;
alter table public.engagement_events enable row level security;

create policy "Owners read their engagements, coaches those that they run"
  on public.engagements for select to authenticated
  using (
    (select private.session_ok())
    and (
      owner_id = (select auth.uid())
      or id = any (array(select private.my_client_engagement_ids()))
    )
  );

create policy "What happened to an engagement is read with it"
  on public.engagement_events for select to authenticated
  using (
    (select private.session_ok())
    and engagement_id = any (array(select e.id from public.engagements e))
  );

grant select on public.engagements to authenticated;
grant select (id, engagement_id, at, actor_id, kind, from_state, to_state, details)
  on public.engagement_events to authenticated;

-- Only these steps, each of them written down ---------------------------------------------------

create trigger engagements_touch before update on public.engagements
  for each row execute function private.touch_updated_at();

create function private.guard_engagement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'An engagement is closed, never removed.' using errcode = '55000';
  end if;

  if tg_op = 'INSERT' then
    if new.state <> 'requested' or new.coach_id is not null then
      raise exception 'Coaching starts with a request.' using errcode = '55000';
    end if;
    return new;
  end if;

  if new.id <> old.id or new.business_id <> old.business_id
    or (new.owner_id is distinct from old.owner_id and new.owner_id is not null)
  then
    raise exception 'An engagement stays with its owner and business.' using errcode = '55000';
  end if;

  if new.state = old.state then
    -- Another coach takes over, or an account was deleted.
    if new.state = 'requested' and new.coach_id is not null then
      raise exception 'A coach is assigned to a request.' using errcode = '55000';
    end if;
    return new;
  end if;

  if old.state = 'requested' and new.state = 'assigned' and new.coach_id is not null then
    new.assigned_at := now();
    return new;
  end if;

  -- What an owner may do at any time.
  if new.state = 'withdrawn'
    and old.state in ('requested', 'assigned', 'accepted', 'active', 'paused')
  then
    new.closed_at := now();
    return new;
  end if;

  raise exception 'Coaching cannot go from % to %.', old.state, new.state using errcode = '55000';
end
$$;
comment on function private.guard_engagement() is
  'requested → assigned, any open state → withdrawn, and a change of coach while open; every other step is refused.';
create trigger engagements_keep_to_their_states
  before insert or update or delete on public.engagements
  for each row execute function private.guard_engagement();

create trigger engagement_events_are_append_only before update or delete on public.engagement_events
  for each row execute function private.refuse_change();
create trigger engagement_events_are_never_emptied before truncate on public.engagement_events
  for each statement execute function private.refuse_change();

create function private.record_engagement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    insert into public.engagement_events (engagement_id, actor_id, kind, to_state)
    values (new.id, auth.uid(), 'requested', new.state);
  elsif new.state <> old.state then
    insert into public.engagement_events (engagement_id, actor_id, kind, from_state, to_state, note)
    values (
      new.id, auth.uid(), 'state_changed', old.state, new.state,
      nullif(current_setting('trellis.reason', true), '')
    );
  elsif new.coach_id is distinct from old.coach_id then
    insert into public.engagement_events (
      engagement_id, actor_id, kind, from_state, to_state, note
    ) values (
      new.id, auth.uid(), 'coach_changed', old.state, new.state,
      nullif(current_setting('trellis.reason', true), '')
    );
  elsif new.results_shared <> old.results_shared then
    insert into public.engagement_events (
      engagement_id, actor_id, kind, from_state, to_state, details
    ) values (
      new.id, auth.uid(), 'sharing_changed', old.state, new.state,
      jsonb_build_object('results_shared', new.results_shared)
    );
  end if;
  return null;
end
$$;
create trigger engagements_are_recorded after insert or update on public.engagements
  for each row execute function private.record_engagement();

-- Procedures ------------------------------------------------------------------------------------

create function public.request_coaching(
  p_id uuid,
  p_business_id uuid,
  p_note text default null,
  p_areas text[] default '{}',
  p_share_results boolean default false
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found record;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select e.id, e.owner_id, e.state into v_found from public.engagements e where e.id = p_id;
  if found then
    if v_found.owner_id is distinct from v_user_id then
      raise exception 'This request exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;

  if p_id is null then
    raise exception 'A request needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_member(p_business_id);
  if char_length(p_note) > 2000 then
    raise exception 'Keep the note to 2,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if exists (
    select from unnest(p_areas) as chosen (key)
    where not exists (select from public.skill_areas s where s.key = chosen.key)
  ) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'areas';
  end if;
  if exists (
    select from public.engagements e
    where e.owner_id = v_user_id and e.business_id = p_business_id
      and e.state in ('requested', 'assigned', 'accepted', 'active', 'paused')
  ) then
    raise exception 'You have already asked for a coach for this business.'
      using errcode = '23505', hint = 'business_id';
  end if;

  insert into public.engagements (id, business_id, owner_id, areas, note, results_shared)
  values (
    p_id, p_business_id, v_user_id,
    array(select distinct key from unnest(p_areas) as chosen (key) order by key),
    nullif(btrim(p_note), ''), coalesce(p_share_results, false)
  );
  return jsonb_build_object('id', p_id, 'state', 'requested');
end
$$;
comment on function public.request_coaching(uuid, uuid, text, text[], boolean) is
  'An owner asks for a coach for a business; {id, state}. One open request a business and owner.';
grant execute on function public.request_coaching(uuid, uuid, text, text[], boolean)
  to authenticated;

create function public.assign_coach(p_engagement_id uuid, p_coach_id uuid, p_reason text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before record;
begin
  select e.id, e.state, e.coach_id, e.owner_id into v_before
  from public.engagements e where e.id = p_engagement_id for update;
  if not found then
    raise exception 'There is no such engagement.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- They stay a coach until this is done.
  perform private.one_at_a_time('coach', p_coach_id);
  if private.role_of(p_coach_id) <> 'coach' then
    raise exception 'Choose somebody who is a coach.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.owner_id = p_coach_id then
    raise exception 'Nobody coaches themselves.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.state not in ('requested', 'assigned', 'accepted', 'active', 'paused') then
    raise exception 'This engagement is closed.' using errcode = '55000';
  end if;

  if v_before.coach_id is distinct from p_coach_id then
    -- The trigger that records the step reads the reason from here.
    perform set_config('trellis.reason', v_reason, true);
    update public.engagements e
    set coach_id = p_coach_id,
      state = case when e.state = 'requested' then 'assigned' else e.state end
    where e.id = p_engagement_id;
    perform set_config('trellis.reason', '', true);
    perform private.audit(
      'engagement.assign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_before.coach_id, 'after', p_coach_id)
    );
  end if;
  return (
    select jsonb_build_object('id', e.id, 'state', e.state, 'coach_id', e.coach_id)
    from public.engagements e where e.id = p_engagement_id
  );
end
$$;
comment on function public.assign_coach(uuid, uuid, text) is
  'An admin gives a request to a coach, or an open engagement to another one, with a reason.';
grant execute on function public.assign_coach(uuid, uuid, text) to authenticated;

create function public.set_results_shared(p_engagement_id uuid, p_shared boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_shared is null then
    raise exception 'Say whether results are shared.' using errcode = '22023', hint = 'shared';
  end if;
  update public.engagements e set results_shared = p_shared
  where e.id = p_engagement_id and e.owner_id = v_user_id;
  if not found then
    raise exception 'There is no such engagement.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return jsonb_build_object('id', p_engagement_id, 'results_shared', p_shared);
end
$$;
comment on function public.set_results_shared(uuid, boolean) is
  'An owner lets the coach read quiz results, or takes that back, at any time.';
grant execute on function public.set_results_shared(uuid, boolean) to authenticated;

create function public.withdraw_coaching(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_before record;
begin
  select e.state, e.coach_id, b.name as business into v_before
  from public.engagements e join public.businesses b on b.id = e.business_id
  where e.id = p_engagement_id and e.owner_id = v_user_id
  for update of e;
  if not found then
    raise exception 'There is no such engagement.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  if v_before.state in ('completed', 'unreachable', 'ineligible') then
    raise exception 'This coaching has already ended.' using errcode = '55000';
  end if;

  -- Sent again after a lost answer, it is done already.
  if v_before.state <> 'withdrawn' then
    update public.engagements e set state = 'withdrawn' where e.id = p_engagement_id;
    if v_before.coach_id is not null then
      perform private.notify_person(
        v_before.coach_id, 'Coaching for ' || v_before.business || ' was withdrawn',
        coalesce(private.name_of(v_user_id), 'The owner') || ' has withdrawn from coaching for '
          || v_before.business || '. It''s no longer one of your clients, and you can''t open the business or its results anymore.',
        'You get this email because you were the coach.', 'Your clients', '/dashboard/coaching'
      );
    end if;
  end if;
  return jsonb_build_object('id', p_engagement_id, 'state', 'withdrawn');
end
$$;
comment on function public.withdraw_coaching(uuid) is
  'An owner withdraws from coaching in any open state; {id, state}. The coach loses access at once and gets an email.';
grant execute on function public.withdraw_coaching(uuid) to authenticated;

-- From 20261120001300_attempts.sql
-- Attempts: one person's pass through the quiz, with its answers, and, once submitted, its scores
-- and recommendations, for good.
--
--   in_progress → submitted → voided (by an admin, with a reason)
--   in_progress → expired   (after 180 days, the answers are kept)
--
-- An attempt belongs to a person, and to a business or to none yet. Members of a business do not see
-- each other's attempts. The browser writes answers; it never writes a state or a score.

create table public.attempts (
  id uuid primary key,
  -- Null once the account is deleted: the attempt stays for statistics.
  user_id uuid references auth.users (id) on delete set null,
  business_id uuid references public.businesses (id),
  version_id uuid not null references public.quiz_versions (id),
  kind text not null check (kind in ('full', 'first_look')),
  state text not null default 'in_progress' check (
    state in ('in_progress', 'submitted', 'expired', 'voided')
  ),
  started_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '180 days',
  submitted_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  voided_by uuid references auth.users (id) on delete set null,
  overall_score double precision check (overall_score between 0 and 100),
  unique (id, version_id),
  check ((state in ('submitted', 'voided')) = (submitted_at is not null)),
  check ((state = 'voided') = (voided_at is not null and void_reason is not null)),
  check (state in ('submitted', 'voided') or overall_score is null)
);
comment on table public.attempts is
  'A pass through the quiz. Only procedures change it, and only along its states.';

create index attempts_user_id_idx on public.attempts (user_id, business_id, started_at desc);
create index attempts_business_id_idx on public.attempts (business_id);
create index attempts_version_id_idx on public.attempts (version_id);
create index attempts_voided_by_idx on public.attempts (voided_by);
create index attempts_expires_at_idx on public.attempts (expires_at) where state = 'in_progress';
-- One open attempt a person and business, where "none yet" counts as one business.
create unique index attempts_one_open_idx on public.attempts (user_id, business_id)
  nulls not distinct
  where state = 'in_progress' and kind = 'full' and user_id is not null;

create table public.answers (
  attempt_id uuid not null,
  version_id uuid not null,
  question_key text not null,
  value smallint check (value between 0 and 4),
  applies boolean not null default true,
  -- When the person answered, by their clock, never later than ours.
  answered_at timestamptz not null default now(),
  primary key (attempt_id, question_key),
  foreign key (attempt_id, version_id) references public.attempts (id, version_id),
  foreign key (version_id, question_key) references public.quiz_questions (version_id, key),
  -- "Doesn't apply to us" has no value, and everything else has one. A blank has no row.
  check (applies = (value is not null))
);
comment on table public.answers is 'One answer a question of an attempt; the newest one counts.';

create index answers_version_id_idx on public.answers (version_id, question_key);

create table public.attempt_confidences (
  attempt_id uuid not null,
  version_id uuid not null,
  area_key text not null,
  rating smallint not null check (rating between 1 and 5),
  rated_at timestamptz not null default now(),
  primary key (attempt_id, area_key),
  foreign key (attempt_id, version_id) references public.attempts (id, version_id),
  foreign key (version_id, area_key) references public.quiz_version_areas (version_id, area_key)
);
comment on table public.attempt_confidences is 'How sure the owner is of an area, 1 to 5.';

create index attempt_confidences_version_id_idx
  on public.attempt_confidences (version_id, area_key);

create table public.area_scores (
  attempt_id uuid not null references public.attempts (id),
  area_key text not null references public.skill_areas (key),
  -- Unrounded, 0 to 100; null where there were not enough answers.
  score double precision check (score between 0 and 100),
  level text check (level in ('starting', 'developing', 'established', 'strong')),
  asked int not null,
  applicable int not null,
  answered int not null,
  confidence_note text check (confidence_note in ('check-the-evidence', 'hidden-strength')),
  weakest_question_key text,
  primary key (attempt_id, area_key),
  check (answered between 0 and applicable and applicable <= asked),
  check ((score is null) = (level is null))
);
comment on table public.area_scores is 'Scores of a submitted attempt, written once by finish_attempt.';

create index area_scores_area_key_idx on public.area_scores (area_key);

create table public.recommendations (
  attempt_id uuid not null,
  position smallint not null check (position between 1 and 3),
  area_key text not null,
  priority double precision not null,
  reason_question_key text not null,
  toolbox_slug text references public.toolbox_items (slug) on update cascade on delete set null,
  chosen_by text not null default 'quiz' check (chosen_by in ('quiz', 'owner')),
  primary key (attempt_id, position),
  unique (attempt_id, area_key),
  foreign key (attempt_id, area_key) references public.area_scores (attempt_id, area_key)
);
comment on table public.recommendations is
  'The three areas to work on, from finish_attempt; the owner may swap any by swap_recommendation.';

create index recommendations_toolbox_slug_idx on public.recommendations (toolbox_slug);

-- Who reads which attempt -----------------------------------------------------------------------

create function private.attempt_ids_shared_with_me() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select a.id
  from private.my_clients() c
  join public.attempts a on a.user_id = c.owner_id and a.business_id = c.business_id
  where c.results_shared and a.state = 'submitted'
$$;
comment on function private.attempt_ids_shared_with_me() is
  'Submitted attempts that the owners whom this coach is assigned to share.';
grant execute on function private.attempt_ids_shared_with_me() to authenticated;

create function private.my_open_attempt_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.attempts a
  where a.user_id = (select auth.uid()) and a.state = 'in_progress' and a.expires_at > now()
$$;
comment on function private.my_open_attempt_ids() is 'Attempts that the person can still answer.';
grant execute on function private.my_open_attempt_ids() to authenticated;

-- Row-level security ----------------------------------------------------------------------------

alter table public.attempts enable row level security;
alter table public.answers enable row level security;
alter table public.attempt_confidences enable row level security;
alter table public.area_scores enable row level security;
alter table public.recommendations enable row level security;

create policy "Owners read their attempts, coaches the submitted ones shared with them"
  on public.attempts for select to authenticated
  using (
    (select private.session_ok())
    and (
      user_id = (select auth.uid())
      or id = any (array(select private.attempt_ids_shared_with_me()))
    )
  );

create policy "Answers are read with their attempt"
  on public.answers for select to authenticated
  using (
    (select private.session_ok()) and attempt_id = any (array(select a.id from public.attempts a))
  );

create policy "Owners answer their own open attempts"
  on public.answers for insert to authenticated
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Owners change the answers of their own open attempts"
  on public.answers for update to authenticated
  using (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  )
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Confidence is read with its attempt"
  on public.attempt_confidences for select to authenticated
  using (
    (select private.session_ok()) and attempt_id = any (array(select a.id from public.attempts a))
  );

create policy "Owners rate their confidence in their own open attempts"
  on public.attempt_confidences for insert to authenticated
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Owners change their confidence in their own open attempts"
  on public.attempt_confidences for update to authenticated
  using (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  )
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Scores are read with their attempt"
  on public.area_scores for select to authenticated
  using (
    (select private.session_ok()) and attempt_id = any (array(select a.id from public.attempts a))
  );

create policy "Recommendations are read with their attempt"
  on public.recommendations for select to authenticated
  using (
    (select private.session_ok()) and attempt_id = any (array(select a.id from public.attempts a))
  );

grant select (
  id, user_id, business_id, version_id, kind, state, started_at, expires_at, submitted_at,
  voided_at, void_reason, overall_score
) on public.attempts to authenticated;
grant select on public.answers, public.attempt_confidences, public.area_scores,
  public.recommendations to authenticated;
-- An upsert names its key columns among those it sets; a trigger keeps them as they are.
grant insert (attempt_id, version_id, question_key, value, applies, answered_at),
  update (attempt_id, version_id, question_key, value, applies, answered_at)
  on public.answers to authenticated;
grant insert (attempt_id, version_id, area_key, rating, rated_at),
  update (attempt_id, version_id, area_key, rating, rated_at)
  on public.attempt_confidences to authenticated;

-- The states, whoever writes --------------------------------------------------------------------

create function private.guard_attempt() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'An attempt is never removed.' using errcode = '55000';
  end if;

  if tg_op = 'INSERT' then
    if new.state <> 'in_progress' then
      raise exception 'An attempt starts open.' using errcode = '55000';
    end if;
    if exists (
      select from public.quiz_versions v where v.id = new.version_id and v.state = 'draft'
    ) then
      raise exception 'A draft of the quiz cannot be taken.' using errcode = '55000';
    end if;
    return new;
  end if;

  if new.id <> old.id or new.version_id <> old.version_id or new.kind <> old.kind
    or (new.user_id is distinct from old.user_id and new.user_id is not null)
    or (new.business_id is distinct from old.business_id and old.business_id is not null)
  then
    raise exception 'An attempt stays with its person, business and version.'
      using errcode = '55000';
  end if;

  if new.state = old.state then
    if new.overall_score is distinct from old.overall_score then
      raise exception 'A score is computed once.' using errcode = '55000';
    end if;
    return new;
  end if;

  if old.state = 'in_progress' and new.state = 'submitted'
    or old.state = 'in_progress' and new.state = 'expired' and new.expires_at <= now()
    or old.state = 'submitted' and new.state = 'voided'
      and new.overall_score is not distinct from old.overall_score
  then
    return new;
  end if;

  raise exception 'An attempt cannot go from % to %.', old.state, new.state using errcode = '55000';
end
$$;
comment on function private.guard_attempt() is
  'The states of an attempt. Times may be set by whoever owns the table (demo data lies in the past); no API role may update it at all.';
create trigger attempts_keep_to_their_states before insert or update or delete on public.attempts
  for each row execute function private.guard_attempt();

create function private.guard_reply() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_attempt record;
begin
  if tg_op = 'DELETE' then
    raise exception 'Answers are never removed.' using errcode = '55000';
  end if;
  if tg_op = 'UPDATE' and (
    new.attempt_id <> old.attempt_id or new.version_id <> old.version_id
    or tg_table_name = 'answers'
      and to_jsonb(new) ->> 'question_key' <> to_jsonb(old) ->> 'question_key'
    or tg_table_name = 'attempt_confidences'
      and to_jsonb(new) ->> 'area_key' <> to_jsonb(old) ->> 'area_key'
  ) then
    raise exception 'An answer stays with its question.' using errcode = '55000';
  end if;

  -- The lock settles the race with finish_attempt: an answer is either in before the score is
  -- computed, or refused.
  select a.user_id, a.state, a.expires_at into v_attempt
  from public.attempts a where a.id = new.attempt_id for share;
  if found and (v_attempt.state <> 'in_progress' or v_attempt.expires_at <= now())
    -- Whose attempt it is not learns nothing about it: the policy refuses.
    and (auth.uid() is null or auth.uid() = v_attempt.user_id)
  then
    raise exception 'This quiz is closed: its answers can no longer change.'
      using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger answers_are_for_open_attempts before insert or update or delete on public.answers
  for each row execute function private.guard_reply();
create trigger confidences_are_for_open_attempts
  before insert or update or delete on public.attempt_confidences
  for each row execute function private.guard_reply();

-- Triggers of one table run in the order of their names: these come after the two above.
create function private.newest_answer_wins() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.answered_at := least(coalesce(new.answered_at, now()), now());
  if tg_op = 'UPDATE' and new.answered_at < old.answered_at then
    return old;
  end if;
  return new;
end
$$;
comment on function private.newest_answer_wins() is
  'A device that was offline cannot overwrite what another one answered later; no clock runs ahead of ours.';
create trigger answers_newest_wins before insert or update on public.answers
  for each row execute function private.newest_answer_wins();

create function private.newest_rating_wins() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.rated_at := least(coalesce(new.rated_at, now()), now());
  if tg_op = 'UPDATE' and new.rated_at < old.rated_at then
    return old;
  end if;
  return new;
end
$$;
create trigger confidences_newest_wins before insert or update on public.attempt_confidences
  for each row execute function private.newest_rating_wins();

create function private.guard_result() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_state text;
begin
  if tg_op = 'DELETE' then
    raise exception 'Results are never removed.' using errcode = '55000';
  end if;
  select a.state into v_state from public.attempts a where a.id = new.attempt_id;
  if tg_op = 'INSERT' and v_state = 'in_progress' then
    return new;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'recommendations' then
    if to_jsonb(new) - 'toolbox_slug' = to_jsonb(old) - 'toolbox_slug' then
      return new; -- an item was renamed or removed
    end if;
    if v_state = 'submitted' and new.attempt_id = old.attempt_id
      and to_jsonb(new) -> 'position' = to_jsonb(old) -> 'position'
      and to_jsonb(new) ->> 'chosen_by' = 'owner'
    then
      return new;
    end if;
  end if;
  raise exception 'Results are computed once.' using errcode = '55000';
end
$$;
comment on function private.guard_result() is
  'Scores and recommendations are written while the attempt is being finished; afterwards only an owner''s swap changes a recommendation.';
create trigger area_scores_are_kept before insert or update or delete on public.area_scores
  for each row execute function private.guard_result();
create trigger recommendations_are_kept before insert or update or delete on public.recommendations
  for each row execute function private.guard_result();

create trigger attempts_are_never_emptied before truncate on public.attempts
  for each statement execute function private.refuse_change();
create trigger answers_are_never_emptied before truncate on public.answers
  for each statement execute function private.refuse_change();
create trigger confidences_are_never_emptied before truncate on public.attempt_confidences
  for each statement execute function private.refuse_change();
create trigger area_scores_are_never_emptied before truncate on public.area_scores
  for each statement execute function private.refuse_change();
create trigger recommendations_are_never_emptied before truncate on public.recommendations
  for each statement execute function private.refuse_change();

create function private.expire_attempts() returns bigint
language sql volatile security definer set search_path = '' as $$
  with due as (
    select a.id from public.attempts a
    where a.state = 'in_progress' and a.expires_at <= now()
    for update skip locked
  ), expired as (
    update public.attempts a set state = 'expired' from due where a.id = due.id returning 1
  )
  select count(*) from expired
$$;
comment on function private.expire_attempts() is
  'Closes attempts that were open for 180 days; gives their number.';
insert into public.schedule_jobs (name, every) values ('expire_attempts', interval '10 minutes');

-- From 20261120001400_results.sql
-- Results: how answers become scores, and the only procedures that write them.
--
--   area score = 100 · Σ(weight · answer) / Σ(weight · 4)   over answered questions that apply
--
-- An area needs two questions that apply (one in a first look) and three quarters of those answered.
-- Computed exactly (numeric) and stored unrounded, so that a level never depends on rounding.

create function private.level_of(p_score numeric) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_score < 25 then 'starting'
    when p_score < 50 then 'developing'
    when p_score < 75 then 'established'
    when p_score is not null then 'strong'
  end
$$;
comment on function private.level_of(numeric) is 'Level of an unrounded score; null of null.';

create function private.confidence_note(p_score numeric, p_rating int) returns text
language sql immutable set search_path = '' as $$
  select case
    when 25 * (p_rating - 1) - p_score >= 25 then 'check-the-evidence'
    when p_score - 25 * (p_rating - 1) >= 25 then 'hidden-strength'
  end
$$;
comment on function private.confidence_note(numeric, int) is
  'Where confidence, 25 · (rating − 1), and score lie 25 or more apart; null otherwise.';

create function private.candidates(p_attempt_id uuid)
returns table (
  area_key text, priority double precision, reason_question_key text, toolbox_slug text, rank bigint
)
language sql stable security definer set search_path = '' as $$
  with weighed as (
    select s.area_key, s.level, s.weakest_question_key, k.position,
      (100 - s.score) * a.importance
        * case when s.confidence_note = 'check-the-evidence' then 1.25 else 1 end as priority
    from public.area_scores s
    join public.attempts t on t.id = s.attempt_id
    join public.quiz_version_areas a on a.version_id = t.version_id and a.area_key = s.area_key
    join public.skill_areas k on k.key = s.area_key
    where s.attempt_id = p_attempt_id and s.score is not null
  )
  select w.area_key, w.priority, w.weakest_question_key, private.tool_for(w.area_key, w.level),
    -- Nine decimals: equal priorities stay equal whatever floating point makes of thirds.
    row_number() over (order by round(w.priority::numeric, 9) desc, w.position)
  from weighed w
$$;
comment on function private.candidates(uuid) is
  'Scored areas of an attempt as they could be recommended: priority = (100 − score) · importance · (1.25 where overconfident), ties in the order of the areas.';

create function private.score_attempt(p_attempt_id uuid) returns double precision
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_overall double precision;
begin
  with attempt as (
    select t.id, t.version_id, t.kind from public.attempts t where t.id = p_attempt_id
  ),
  asked as (
    select q.area_key, q.key, q.weight, q.position, n.value, n.applies
    from attempt t
    join public.quiz_questions q
      on q.version_id = t.version_id and (t.kind = 'full' or q.first_look)
    left join public.answers n on n.attempt_id = t.id and n.question_key = q.key
  ),
  counted as (
    select a.area_key, t.kind,
      count(q.key) as asked,
      count(q.key) filter (where q.applies is distinct from false) as applicable,
      count(q.value) as answered,
      100 * sum(q.weight * q.value) / (4 * sum(q.weight) filter (where q.value is not null))
        as ratio,
      (array_agg(q.key order by q.value, q.weight desc, q.position)
        filter (where q.value is not null))[1] as weakest
    from attempt t
    join public.quiz_version_areas a on a.version_id = t.version_id
    left join asked q on q.area_key = a.area_key
    group by a.area_key, t.kind
  ),
  scored as (
    select c.*,
      case
        when c.applicable >= (case when c.kind = 'first_look' then 1 else 2 end)
          and 4 * c.answered >= 3 * c.applicable
        then c.ratio
      end as score
    from counted c
  )
  insert into public.area_scores (
    attempt_id, area_key, score, level, asked, applicable, answered, confidence_note,
    weakest_question_key
  )
  select p_attempt_id, s.area_key, s.score, private.level_of(s.score), s.asked, s.applicable,
    s.answered, private.confidence_note(s.score, r.rating), s.weakest
  from scored s
  left join public.attempt_confidences r
    on r.attempt_id = p_attempt_id and r.area_key = s.area_key;

  insert into public.recommendations (
    attempt_id, position, area_key, priority, reason_question_key, toolbox_slug
  )
  select p_attempt_id, c.rank, c.area_key, c.priority, c.reason_question_key, c.toolbox_slug
  from private.candidates(p_attempt_id) c
  where c.rank <= 3;

  -- The mean of the scored areas, of which there must be six.
  select case when count(s.score) >= 6 then avg(s.score) end into v_overall
  from public.area_scores s where s.attempt_id = p_attempt_id;
  return v_overall;
end
$$;
comment on function private.score_attempt(uuid) is
  'The only place where a score is computed: writes area_scores and recommendations of an open attempt and gives the overall score, or null with fewer than six scored areas.';

create function private.submit_attempt(p_attempt_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_overall double precision := private.score_attempt(p_attempt_id);
begin
  update public.attempts t
  set state = 'submitted', submitted_at = now(), overall_score = v_overall
  where t.id = p_attempt_id;
end
$$;

-- Reading ---------------------------------------------------------------------------------------

create function public.get_attempt(p_attempt_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'attempt', jsonb_build_object(
      'id', t.id,
      'kind', t.kind,
      'state', t.state,
      'version_id', t.version_id,
      'business_id', t.business_id,
      'business_name', (select b.name from public.businesses b where b.id = t.business_id),
      'owner_name', (select p.full_name from public.profiles p where p.user_id = t.user_id),
      'mine', coalesce(t.user_id = (select auth.uid()), false),
      'started_at', t.started_at,
      'expires_at', t.expires_at,
      'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days',
      'voided_at', t.voided_at,
      'void_reason', t.void_reason,
      'overall_score', t.overall_score
    ),
    'version', private.quiz_version_json(t.version_id),
    'answers', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'question_key', n.question_key, 'value', n.value, 'applies', n.applies,
          'answered_at', n.answered_at
        ) order by q.position
      ), '[]')
      from public.answers n
      join public.quiz_questions q on q.version_id = n.version_id and q.key = n.question_key
      where n.attempt_id = t.id
    ),
    'confidences', (
      select coalesce(jsonb_agg(
        jsonb_build_object('area_key', r.area_key, 'rating', r.rating) order by k.position
      ), '[]')
      from public.attempt_confidences r
      join public.skill_areas k on k.key = r.area_key
      where r.attempt_id = t.id
    ),
    'scores', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'area_key', s.area_key, 'score', s.score, 'level', s.level, 'answered', s.answered,
          'applicable', s.applicable, 'asked', s.asked, 'confidence_note', s.confidence_note,
          'weakest_question_key', s.weakest_question_key
        ) order by k.position
      ), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      where s.attempt_id = t.id
    ),
    'recommendations', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'position', c.position, 'area_key', c.area_key, 'priority', c.priority,
          'reason_question_key', c.reason_question_key, 'chosen_by', c.chosen_by,
          'toolbox_item', (
            select jsonb_build_object(
              'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes,
              'summary', i.summary
            )
            from public.toolbox_items i where i.slug = c.toolbox_slug and i.state = 'published'
          )
        ) order by c.position
      ), '[]')
      from public.recommendations c
      where c.attempt_id = t.id
    )
  )
  from public.attempts t
  where t.id = p_attempt_id
$$;
comment on function public.get_attempt(uuid) is
  'An attempt with its version, answers, scores and recommendations; null when it is not there or not for the caller.';
grant execute on function public.get_attempt(uuid) to authenticated;

-- Taking the quiz -------------------------------------------------------------------------------

create function private.open_attempt(
  p_id uuid, p_user_id uuid, p_version_id uuid, p_business_id uuid
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  -- What should have expired does so now, so that it is not in the way.
  update public.attempts t set state = 'expired'
  where t.user_id = p_user_id and t.state = 'in_progress' and t.expires_at <= now();

  select t.id into v_id from public.attempts t
  where t.user_id = p_user_id and t.business_id is not distinct from p_business_id
    and t.state = 'in_progress' and t.kind = 'full';
  if found then
    return v_id;
  end if;

  insert into public.attempts (id, user_id, business_id, version_id, kind)
  values (p_id, p_user_id, p_business_id, p_version_id, 'full');
  return p_id;
end
$$;
comment on function private.open_attempt(uuid, uuid, uuid, uuid) is
  'The open full attempt of a person and business, made under p_id where there is none. Callers hold one_at_a_time(''attempts'').';

create function private.business_of_quiz(p_user_id uuid, p_business_id uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_business_id is null then
    -- A page that was opened before the first business was added says that there is none.
    return private.current_business_id(p_user_id);
  end if;
  perform private.require_member(p_business_id);
  return p_business_id;
end
$$;
comment on function private.business_of_quiz(uuid, uuid) is
  'The business that the caller takes a quiz for: the one named, else their current one, else null. Refuses (42501, 55000) as require_member. Callers hold one_at_a_time(''attempts'').';

create function public.start_attempt(p_id uuid, p_version_id uuid, p_business_id uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_owner_id uuid;
  v_business_id uuid;
begin
  perform private.one_at_a_time('attempts', v_user_id);

  select t.user_id into v_owner_id from public.attempts t where t.id = p_id;
  if found then
    if v_owner_id is distinct from v_user_id then
      raise exception 'This attempt exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', p_id);
  end if;

  if p_id is null then
    raise exception 'An attempt needs an id.' using errcode = '22023', hint = 'id';
  end if;
  v_business_id := private.business_of_quiz(v_user_id, p_business_id);
  if not exists (
    select from public.quiz_versions v where v.id = p_version_id and v.state = 'published'
  ) then
    raise exception 'This version of the quiz is not the current one.'
      using errcode = '22023', hint = 'version_id';
  end if;
  return jsonb_build_object(
    'id', private.open_attempt(p_id, v_user_id, p_version_id, v_business_id)
  );
end
$$;
comment on function public.start_attempt(uuid, uuid, uuid) is
  'Starts the full quiz for a business (null: for the current one, or for none yet), or gives the attempt that is open; {id}.';
grant execute on function public.start_attempt(uuid, uuid, uuid) to authenticated;

-- Attempts made before there was a business --------------------------------------------------------

create function private.take_over_attempts(p_user_id uuid, p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_here public.attempts;
  v_loose uuid;
begin
  if private.current_business_id(p_user_id, p_business_id) is not null then
    return;
  end if;
  perform private.one_at_a_time('attempts', p_user_id);

  update public.attempts t set state = 'expired'
  where t.user_id = p_user_id and t.state = 'in_progress' and t.expires_at <= now();

  -- A business that was archived or left may have an open quiz of its own. One of the two goes on,
  -- with the newer answer to each question.
  select * into v_here from public.attempts t
  where t.user_id = p_user_id and t.business_id = p_business_id
    and t.state = 'in_progress' and t.kind = 'full';
  if found then
    select t.id into v_loose from public.attempts t
    where t.user_id = p_user_id and t.business_id is null
      and t.state = 'in_progress' and t.kind = 'full';
    insert into public.answers (attempt_id, version_id, question_key, value, applies, answered_at)
    select v_here.id, v_here.version_id, n.question_key, n.value, n.applies, n.answered_at
    from public.answers n
    join public.quiz_questions given
      on given.version_id = n.version_id and given.key = n.question_key
    join public.quiz_questions asked
      on asked.version_id = v_here.version_id and asked.key = given.key
      and asked.meaning = given.meaning
    where n.attempt_id = v_loose
    on conflict (attempt_id, question_key) do update
      set value = excluded.value, applies = excluded.applies, answered_at = excluded.answered_at;
    insert into public.attempt_confidences (attempt_id, version_id, area_key, rating, rated_at)
    select v_here.id, v_here.version_id, r.area_key, r.rating, r.rated_at
    from public.attempt_confidences r
    join public.quiz_version_areas a
      on a.version_id = v_here.version_id and a.area_key = r.area_key
    where r.attempt_id = v_loose
    on conflict (attempt_id, area_key) do update
      set rating = excluded.rating, rated_at = excluded.rated_at;
    update public.attempts t set expires_at = now(), state = 'expired' where t.id = v_loose;
  end if;

  update public.attempts t set business_id = p_business_id
  where t.user_id = p_user_id and t.business_id is null;
end
$$;
comment on function private.take_over_attempts(uuid, uuid) is
  'Gives a business the attempts that its person made while they had none; nothing where they have another one.';

create function private.take_over_on_joining() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.take_over_attempts(new.user_id, new.business_id);
  return null;
end
$$;
create trigger business_members_take_over_attempts after insert on public.business_members
  for each row execute function private.take_over_on_joining();

create function public.finish_attempt(p_attempt_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_attempt record;
begin
  select t.state, t.expires_at into v_attempt from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id
  for update;
  if not found then
    raise exception 'There is no such attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  -- Sent twice: the second time reads what the first one computed.
  if v_attempt.state = 'submitted' then
    return public.get_attempt(p_attempt_id);
  end if;
  if v_attempt.state <> 'in_progress' or v_attempt.expires_at <= now() then
    raise exception 'This quiz is closed. Start a new one.' using errcode = '55000';
  end if;
  if not exists (select from public.answers n where n.attempt_id = p_attempt_id) then
    raise exception 'Answer at least one question first.' using errcode = '22023', hint = 'answers';
  end if;
  perform private.submit_attempt(p_attempt_id);
  return public.get_attempt(p_attempt_id);
end
$$;
comment on function public.finish_attempt(uuid) is
  'Submits an open attempt of the caller: computes its scores once and for good and gives the whole attempt.';
grant execute on function public.finish_attempt(uuid) to authenticated;

create function public.swap_recommendation(p_attempt_id uuid, p_position int, p_area_key text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_state text;
  v_area record;
begin
  select t.state into v_state from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id
  for update;
  if not found then
    raise exception 'There is no such attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if v_state <> 'submitted' then
    raise exception 'Only results can be changed this way.' using errcode = '55000';
  end if;

  select c.* into v_area from private.candidates(p_attempt_id) c where c.area_key = p_area_key;
  if not found then
    raise exception 'Choose an area that has a score.' using errcode = '22023', hint = 'area_key';
  end if;
  if exists (
    select from public.recommendations r
    where r.attempt_id = p_attempt_id and r.area_key = p_area_key and r.position <> p_position
  ) then
    raise exception 'This area is one of the three already.'
      using errcode = '23505', hint = 'area_key';
  end if;

  update public.recommendations r
  set area_key = v_area.area_key, priority = v_area.priority,
    reason_question_key = v_area.reason_question_key, toolbox_slug = v_area.toolbox_slug,
    chosen_by = 'owner'
  where r.attempt_id = p_attempt_id and r.position = p_position and r.area_key <> p_area_key;
  if not found and not exists (
    select from public.recommendations r
    where r.attempt_id = p_attempt_id and r.position = p_position
  ) then
    raise exception 'There is no recommendation at this place.'
      using errcode = '22023', hint = 'position';
  end if;
  return public.get_attempt(p_attempt_id);
end
$$;
comment on function public.swap_recommendation(uuid, int, text) is
  'An owner puts another scored area at one of the three places.';
grant execute on function public.swap_recommendation(uuid, int, text) to authenticated;

create function public.void_attempt(p_attempt_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_state text;
begin
  select t.state into v_state from public.attempts t where t.id = p_attempt_id for update;
  if not found then
    raise exception 'There is no such attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if v_state <> 'submitted' then
    raise exception 'Only a submitted attempt can be voided.' using errcode = '55000';
  end if;
  update public.attempts t
  set state = 'voided', voided_at = now(), void_reason = v_reason, voided_by = v_admin_id
  where t.id = p_attempt_id;
  perform private.audit('attempt.void', 'attempt', p_attempt_id::text, v_reason);
  return jsonb_build_object('id', p_attempt_id, 'state', 'voided');
end
$$;
comment on function public.void_attempt(uuid, text) is
  'An admin voids a submitted attempt with a reason, which its owner reads.';
grant execute on function public.void_attempt(uuid, text) to authenticated;

-- From 20261120001500_visitor_answers.sql
-- Visitor answers: what somebody answered before they had an account becomes their attempt, with
-- nothing typed twice. They bring the answers from the browser (adopt_answers), or, on another
-- device, the secret under which the browser stored them (store_claim, get_claim, take_claim).

create table public.quiz_claims (
  -- SHA-256 of the secret; the secret itself is only in the link.
  claim_hash bytea primary key check (octet_length(claim_hash) = 32),
  version_id uuid not null references public.quiz_versions (id),
  kind text not null check (kind in ('full', 'first_look')),
  answers jsonb not null,
  confidences jsonb not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '30 days'
);
comment on table public.quiz_claims is
  'Answers of visitors, kept 30 days for whoever has the secret. No API role reads or writes it directly.';

create index quiz_claims_version_id_idx on public.quiz_claims (version_id);
create index quiz_claims_expires_at_idx on public.quiz_claims (expires_at);

create table public.attempt_adoptions (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  attempt_id uuid not null references public.attempts (id),
  first_look_id uuid references public.attempts (id),
  created_at timestamptz not null default now()
);
comment on table public.attempt_adoptions is
  'What adopt_answers and take_claim made under an id, so that sending twice makes it once.';

create index attempt_adoptions_user_id_idx on public.attempt_adoptions (user_id);
create index attempt_adoptions_attempt_id_idx on public.attempt_adoptions (attempt_id);
create index attempt_adoptions_first_look_id_idx on public.attempt_adoptions (first_look_id);

alter table public.quiz_claims enable row level security;
alter table public.attempt_adoptions enable row level security;

-- Reading what a browser sends ------------------------------------------------------------------

create function private.read_answers(p_version_id uuid, p_kind text, p_answers jsonb)
returns table (question_key text, value smallint, applies boolean, answered_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_kind is null or p_kind not in ('full', 'first_look') then
    raise exception 'A quiz is full or a first look.' using errcode = '22023', hint = 'kind';
  end if;
  if not exists (
    select from public.quiz_versions v where v.id = p_version_id and v.state <> 'draft'
  ) then
    raise exception 'This version of the quiz is not known.'
      using errcode = '22023', hint = 'version_id';
  end if;
  if p_answers is null or jsonb_typeof(p_answers) <> 'array'
    or jsonb_array_length(p_answers) not between 1 and 200
    or octet_length(p_answers::text) > 65536
  then
    raise exception 'These answers cannot be read.' using errcode = '22023', hint = 'answers';
  end if;

  begin
    return query
      select distinct on (given.question_key)
        given.question_key, given.value, given.applies,
        least(coalesce(given.answered_at, now()), now())
      from jsonb_to_recordset(p_answers) as given (
        question_key text, value smallint, applies boolean, answered_at timestamptz
      )
      order by given.question_key, given.answered_at desc nulls last;
  exception when data_exception then
    raise exception 'These answers cannot be read.' using errcode = '22023', hint = 'answers';
  end;
end
$$;

create function private.check_answers(p_version_id uuid, p_kind text, p_answers jsonb)
returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.read_answers(p_version_id, p_kind, p_answers) n
    left join public.quiz_questions q
      on q.version_id = p_version_id and q.key = n.question_key
    where q.key is null
      or p_kind = 'first_look' and not q.first_look
      or n.applies is distinct from (n.value is not null)
      or n.value not between 0 and 4
  ) then
    raise exception 'These answers do not fit the questions.'
      using errcode = '22023', hint = 'answers';
  end if;
end
$$;
comment on function private.check_answers(uuid, text, jsonb) is
  'Refuses (22023) answers that are malformed or not for questions of this version and kind.';

create function private.read_confidences(p_version_id uuid, p_confidences jsonb)
returns table (area_key text, rating smallint)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_confidences is null then
    return;
  end if;
  if jsonb_typeof(p_confidences) <> 'array' or jsonb_array_length(p_confidences) > 50
    or octet_length(p_confidences::text) > 16384
  then
    raise exception 'These ratings cannot be read.' using errcode = '22023', hint = 'confidences';
  end if;
  begin
    return query
      select distinct on (given.area_key) given.area_key, given.rating
      from jsonb_to_recordset(p_confidences) as given (area_key text, rating smallint);
  exception when data_exception then
    raise exception 'These ratings cannot be read.' using errcode = '22023', hint = 'confidences';
  end;
end
$$;

create function private.check_confidences(p_version_id uuid, p_confidences jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.read_confidences(p_version_id, p_confidences) r
    left join public.quiz_version_areas a
      on a.version_id = p_version_id and a.area_key = r.area_key
    where a.area_key is null or r.rating is null or r.rating not between 1 and 5
  ) then
    raise exception 'These ratings do not fit the areas.'
      using errcode = '22023', hint = 'confidences';
  end if;
end
$$;

-- Making them an attempt ------------------------------------------------------------------------

create function private.adopt(
  p_id uuid,
  p_user_id uuid,
  p_version_id uuid,
  p_kind text,
  p_business_id uuid,
  p_answers jsonb,
  p_confidences jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_business_id uuid;
  v_first_look_id uuid;
  v_attempt_id uuid;
  v_open_version_id uuid;
begin
  if p_id is null then
    raise exception 'These answers need an id.' using errcode = '22023', hint = 'id';
  end if;
  v_business_id := private.business_of_quiz(p_user_id, p_business_id);
  perform private.check_answers(p_version_id, p_kind, p_answers);
  perform private.check_confidences(p_version_id, p_confidences);
  if exists (select from public.attempts t where t.id = p_id) then
    raise exception 'This attempt exists already.' using errcode = '23505', hint = 'id';
  end if;

  if p_kind = 'first_look' then
    -- The same first look may arrive twice, from the browser and by the link: it is one attempt.
    select t.id into v_first_look_id
    from public.attempts t
    where t.user_id = p_user_id and t.kind = 'first_look' and t.version_id = p_version_id
      and t.state = 'submitted' and t.business_id is not distinct from v_business_id
      and not exists (
        (
          select n.question_key, n.value, n.applies, n.answered_at
          from public.answers n where n.attempt_id = t.id
          except
          select * from private.read_answers(p_version_id, p_kind, p_answers)
        )
        union all
        (
          select * from private.read_answers(p_version_id, p_kind, p_answers)
          except
          select n.question_key, n.value, n.applies, n.answered_at
          from public.answers n where n.attempt_id = t.id
        )
      )
    limit 1;

    if v_first_look_id is null then
      v_first_look_id := p_id;
      insert into public.attempts (id, user_id, business_id, version_id, kind)
      values (p_id, p_user_id, v_business_id, p_version_id, 'first_look');
      insert into public.answers (
        attempt_id, version_id, question_key, value, applies, answered_at
      )
      select p_id, p_version_id, n.question_key, n.value, n.applies, n.answered_at
      from private.read_answers(p_version_id, p_kind, p_answers) n;
      insert into public.attempt_confidences (attempt_id, version_id, area_key, rating)
      select p_id, p_version_id, r.area_key, r.rating
      from private.read_confidences(p_version_id, p_confidences) r;
      perform private.submit_attempt(p_id);
    end if;
  end if;

  -- A full quiz stays with the version that was answered; the full quiz that a first look begins
  -- is the current one.
  v_attempt_id := private.open_attempt(
    case when p_kind = 'full' then p_id else gen_random_uuid() end,
    p_user_id,
    case when p_kind = 'full' then p_version_id else coalesce(
      (select v.id from public.quiz_versions v where v.state = 'published'), p_version_id
    ) end,
    v_business_id
  );
  select t.version_id into v_open_version_id from public.attempts t where t.id = v_attempt_id;

  -- Into an attempt of another version go the answers of questions that mean the same there. An
  -- answer that is there already stays.
  insert into public.answers (attempt_id, version_id, question_key, value, applies, answered_at)
  select v_attempt_id, v_open_version_id, n.question_key, n.value, n.applies, n.answered_at
  from private.read_answers(p_version_id, p_kind, p_answers) n
  join public.quiz_questions given
    on given.version_id = p_version_id and given.key = n.question_key
  join public.quiz_questions asked
    on asked.version_id = v_open_version_id and asked.key = given.key
    and asked.meaning = given.meaning
  on conflict (attempt_id, question_key) do nothing;

  if p_kind = 'full' then
    insert into public.attempt_confidences (attempt_id, version_id, area_key, rating)
    select v_attempt_id, v_open_version_id, r.area_key, r.rating
    from private.read_confidences(p_version_id, p_confidences) r
    join public.quiz_version_areas a
      on a.version_id = v_open_version_id and a.area_key = r.area_key
    on conflict (attempt_id, area_key) do nothing;
  end if;

  insert into public.attempt_adoptions (id, user_id, attempt_id, first_look_id)
  values (p_id, p_user_id, v_attempt_id, v_first_look_id);
  return jsonb_build_object('attempt_id', v_attempt_id, 'first_look_id', v_first_look_id);
end
$$;
comment on function private.adopt(uuid, uuid, uuid, text, uuid, jsonb, jsonb) is
  'Makes answers the attempt of a person. Callers hold one_at_a_time(''attempts'') and have looked for p_id among the adoptions.';

create function private.adopted(p_id uuid, p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_adoption record;
begin
  select d.user_id, d.attempt_id, d.first_look_id into v_adoption
  from public.attempt_adoptions d where d.id = p_id;
  if not found then
    return null;
  end if;
  if v_adoption.user_id <> p_user_id then
    raise exception 'These answers are taken already.' using errcode = '23505', hint = 'id';
  end if;
  return jsonb_build_object(
    'attempt_id', v_adoption.attempt_id, 'first_look_id', v_adoption.first_look_id
  );
end
$$;

create function public.adopt_answers(
  p_id uuid,
  p_version_id uuid,
  p_kind text,
  p_business_id uuid,
  p_answers jsonb,
  p_confidences jsonb default '[]'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.one_at_a_time('attempts', v_user_id);
  return coalesce(
    private.adopted(p_id, v_user_id),
    private.adopt(
      p_id, v_user_id, p_version_id, p_kind, p_business_id, p_answers, p_confidences
    )
  );
end
$$;
comment on function public.adopt_answers(uuid, uuid, text, uuid, jsonb, jsonb) is
  'A visitor''s answers become the caller''s: {attempt_id, first_look_id}. A full quiz becomes or joins the open attempt; a first look becomes a submitted attempt and prefills the open one.';
grant execute on function public.adopt_answers(uuid, uuid, text, uuid, jsonb, jsonb)
  to authenticated;

-- Following a person to another device ----------------------------------------------------------

create function private.claim_hash(p_claim text) returns bytea
language plpgsql immutable set search_path = '' as $$
begin
  -- 32 random bytes in base64url are 43 characters.
  if p_claim is null or p_claim !~ '^[A-Za-z0-9_-]{43,128}$' then
    raise exception 'This is not a claim.' using errcode = '22023', hint = 'claim';
  end if;
  return sha256(convert_to(p_claim, 'UTF8'));
end
$$;

create function public.store_claim(
  p_claim text,
  p_version_id uuid,
  p_kind text,
  p_answers jsonb,
  p_confidences jsonb default '[]'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_hash bytea := private.claim_hash(p_claim);
  v_address text := private.client_address();
  v_expires_at timestamptz;
begin
  perform private.check_answers(p_version_id, p_kind, p_answers);
  perform private.check_confidences(p_version_id, p_confidences);
  perform private.require_fair_share(
    'store_claim', v_address, private.network_of(v_address, 24, 48), 30, 2000, interval '1 hour',
    'That is too many at once. Try again %s.'
  );

  -- What was understood of it, not all that was sent: nobody keeps other things here.
  insert into public.quiz_claims (claim_hash, version_id, kind, answers, confidences)
  values (
    v_hash, p_version_id, p_kind,
    (select jsonb_agg(to_jsonb(n)) from private.read_answers(p_version_id, p_kind, p_answers) n),
    (
      select coalesce(jsonb_agg(to_jsonb(r)), '[]')
      from private.read_confidences(p_version_id, p_confidences) r
    )
  )
  on conflict (claim_hash) do update
    set version_id = excluded.version_id, kind = excluded.kind, answers = excluded.answers,
      confidences = excluded.confidences, created_at = excluded.created_at,
      expires_at = excluded.expires_at
  returning expires_at into v_expires_at;
  return jsonb_build_object('expires_at', v_expires_at, 'key', encode(v_hash, 'hex'));
end
$$;
comment on function public.store_claim(text, uuid, text, jsonb, jsonb) is
  'Keeps a visitor''s answers for 30 days under the hash of a secret that only their browser knows; {expires_at, key}. A registration names the key as quiz_claim. Storing again replaces them.';
grant execute on function public.store_claim(text, uuid, text, jsonb, jsonb) to anon;

-- Anybody can write a link with a claim into a mail or a page. So a claim only works for the person
-- whose registration named its key: sending the confirmation again can't change what was named.
create function private.my_claim(p_claim text) returns setof public.quiz_claims
language sql stable security definer set search_path = '' as $$
  select c.* from public.quiz_claims c
  where c.claim_hash = private.claim_hash(p_claim) and c.expires_at > now() and exists (
    select from auth.users u
    where u.id = (select auth.uid())
      and u.raw_user_meta_data ->> 'quiz_claim' = encode(c.claim_hash, 'hex')
  )
$$;

create function public.get_claim(p_claim text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.claim_hash(p_claim);
  return (
    select jsonb_build_object('answers', jsonb_array_length(c.answers), 'stored_at', c.created_at)
    from private.my_claim(p_claim) c
  );
end
$$;
comment on function public.get_claim(text) is
  'What the caller''s registration left under a secret: {answers (how many), stored_at}, or null. The caller is asked before take_claim or remove_claim.';
grant execute on function public.get_claim(text) to authenticated;

create function public.take_claim(p_claim text, p_id uuid, p_business_id uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_adopted jsonb;
  v_claim record;
begin
  perform private.claim_hash(p_claim);
  perform private.one_at_a_time('attempts', v_user_id);
  v_adopted := private.adopted(p_id, v_user_id);
  if v_adopted is not null then
    return v_adopted;
  end if;

  delete from public.quiz_claims c
  where c.claim_hash in (select mine.claim_hash from private.my_claim(p_claim) mine)
  returning c.version_id, c.kind, c.answers, c.confidences into v_claim;
  if not found then
    return null;
  end if;
  return private.adopt(
    p_id, v_user_id, v_claim.version_id, v_claim.kind, p_business_id, v_claim.answers,
    v_claim.confidences
  );
end
$$;
comment on function public.take_claim(text, uuid, uuid) is
  'The answers that the caller''s registration left under a secret become theirs, once; as adopt_answers, or null when there are none.';
grant execute on function public.take_claim(text, uuid, uuid) to authenticated;

create function public.remove_claim(p_claim text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.claim_hash(p_claim);
  delete from public.quiz_claims c
  where c.claim_hash in (select mine.claim_hash from private.my_claim(p_claim) mine);
end
$$;
comment on function public.remove_claim(text) is
  'Deletes the answers that the caller''s registration left under a secret: they are somebody else''s.';
grant execute on function public.remove_claim(text) to authenticated;

create function private.delete_old_claims() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.quiz_claims where expires_at <= now() returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_claims', interval '1 hour');

-- From 20261120001600_overviews.sql
-- Overviews: what the first screen of an admin and of a coach shows, each in one query.

create function public.admin_overview() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('overview.read', 'overview', null);
  return jsonb_build_object(
    'people', (select count(*) from public.profiles),
    'coaches', (select count(*) from public.staff_roles s where s.role = 'coach'),
    'businesses', (select count(*) from public.businesses b where b.archived_at is null),
    'attempts', (
      select jsonb_object_agg(s.state, (
        select count(*) from public.attempts t where t.state = s.state
      ))
      from unnest(array['in_progress', 'submitted', 'expired', 'voided']) as s (state)
    ),
    'engagements', (
      select jsonb_object_agg(s.state, (
        select count(*) from public.engagements e where e.state = s.state
      ))
      from unnest(array[
        'requested', 'assigned', 'accepted', 'active', 'paused', 'completed', 'withdrawn',
        'unreachable', 'ineligible'
      ]) as s (state)
    ),
    'mail', (
      select jsonb_object_agg(s.state, (
        select count(*) from public.mail_outbox m where m.state = s.state
      ))
      from unnest(array['queued', 'failed']) as s (state)
    ),
    'quiz', (
      select jsonb_build_object('id', v.id, 'number', v.number, 'published_at', v.published_at)
      from public.quiz_versions v where v.state = 'published'
    )
  );
end
$$;
comment on function public.admin_overview() is
  'Counts for an admin: people, coaches, businesses, attempts and engagements by state, mail, the published quiz. Writes an audit row.';
grant execute on function public.admin_overview() to authenticated;

create function public.my_engagements() returns jsonb
language sql stable security invoker set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', e.id, 'business_id', e.business_id, 'state', e.state, 'areas', e.areas,
      'note', e.note, 'results_shared', e.results_shared, 'requested_at', e.requested_at,
      'assigned_at', e.assigned_at, 'coach_id', e.coach_id, 'coach_name', p.full_name
    ) order by e.requested_at desc, e.id
  ), '[]')
  from (
    select * from public.engagements x
    where x.owner_id = (select auth.uid())
    order by x.requested_at desc, x.id
    limit 50
  ) e
  left join public.profiles p on p.user_id = e.coach_id
$$;
comment on function public.my_engagements() is
  'An owner''s engagements in all their businesses, newest first, at most 50, each with the name of its coach.';
grant execute on function public.my_engagements() to authenticated;

create function public.coach_clients() returns jsonb
language sql stable security invoker set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'engagement_id', e.id,
      'state', e.state,
      'business', jsonb_build_object('id', b.id, 'name', b.name),
      'owner', jsonb_build_object('user_id', e.owner_id, 'full_name', p.full_name),
      'results_shared', e.results_shared,
      'latest_attempt', (
        select jsonb_build_object(
          'id', t.id, 'submitted_at', t.submitted_at, 'overall_score', t.overall_score
        )
        from public.attempts t
        where t.user_id = e.owner_id and t.business_id = e.business_id and t.state = 'submitted'
          and e.results_shared
        order by t.kind = 'full' desc, t.submitted_at desc
        limit 1
      )
    ) order by b.name, e.id
  ), '[]')
  from public.engagements e
  join public.businesses b on b.id = e.business_id
  left join public.profiles p on p.user_id = e.owner_id
  where e.coach_id = (select auth.uid())
    and e.id = any (array(select private.my_client_engagement_ids()))
$$;
comment on function public.coach_clients() is
  'The coach''s open engagements with business, owner and, where shared, the latest result.';
grant execute on function public.coach_clients() to authenticated;

-- From 20261121000300_surveys.sql
-- Surveys: what clients say about the help that they had. Somebody answers by a personal link, which
-- works once, or by the public link where the survey has one. What a survey promises before its first
-- question (anonymous or confidential) is kept by the shape of the tables. Results are no rows for
-- anyone to read: they come with thresholds, from procedures.

create table public.surveys (
  id uuid primary key,
  title text not null check (char_length(title) between 1 and 90),
  privacy text not null check (privacy in ('anonymous', 'confidential')),
  -- Ten statements, agreed with from 1 to 5; results count on their places.
  statements text[] not null check (
    cardinality(statements) = 10 and array_position(statements, null) is null
  ),
  recommend text not null,
  -- Two questions that are answered in words.
  comments text[] not null check (
    cardinality(comments) = 2 and array_position(comments, null) is null
  ),
  public_link boolean not null,
  state text not null default 'open' check (state in ('open', 'closed')),
  opened_at timestamptz not null default now(),
  closed_at timestamptz,
  unique (id, privacy),
  check ((state = 'closed') = (closed_at is not null))
);
comment on table public.surveys is
  'Ten statements, one recommendation, two comments, and what is promised about who reads them.';

create unique index surveys_one_open_idx on public.surveys (state) where state = 'open';

create table public.survey_invitations (
  id uuid primary key default gen_random_uuid(),
  survey_id uuid not null references public.surveys (id),
  engagement_id uuid not null references public.engagements (id),
  -- SHA-256 of the secret; the secret itself is only in the link.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  sent_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '90 days',
  -- Whether, and never when: a time would lead to an anonymous response.
  answered boolean not null default false,
  unique (survey_id, engagement_id)
);
comment on table public.survey_invitations is
  'Personal links to a survey, one for each engagement, and whether each was used: the response rate.';

create index survey_invitations_engagement_id_idx on public.survey_invitations (engagement_id);

create table public.survey_responses (
  -- Made by the browser, so that sending twice stores once.
  id uuid primary key,
  survey_id uuid not null,
  privacy text not null,
  invited boolean not null,
  -- The day only, for the same reason.
  responded_on date not null default current_date,
  -- Whose answers these are; an anonymous response has no place for it.
  engagement_id uuid references public.engagements (id),
  -- Agreement with each statement, 1 to 5; null where it was left out.
  agreement smallint[] not null check (
    cardinality(agreement) = 10 and 1 <= all (agreement) and 5 >= all (agreement)
  ),
  recommend smallint check (recommend between 0 and 10),
  comments text[] not null check (cardinality(comments) = 2),
  -- A survey's promise cannot change once it was answered.
  foreign key (survey_id, privacy) references public.surveys (id, privacy),
  check (privacy = 'confidential' or engagement_id is null)
);
comment on table public.survey_responses is
  'What somebody answered. An anonymous response has nothing that leads to a person.';

create index survey_responses_survey_id_idx on public.survey_responses (survey_id, privacy);
create index survey_responses_engagement_id_idx on public.survey_responses (engagement_id);

alter table public.surveys enable row level security;
alter table public.survey_invitations enable row level security;
alter table public.survey_responses enable row level security;

create trigger survey_responses_are_never_changed before update or delete
  on public.survey_responses for each row execute function private.refuse_change();
create trigger survey_responses_are_never_emptied before truncate
  on public.survey_responses for each statement execute function private.refuse_change();

-- Personal links --------------------------------------------------------------------------------

create function private.survey_token_hash(p_invitation text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(p_invitation, 'UTF8'))
$$;

create function public.invite_to_survey(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_survey_id uuid;
  v_address text;
  v_token text;
  v_state text;
  v_id uuid;
begin
  perform private.require_admin();
  select s.id into v_survey_id from public.surveys s where s.state = 'open';
  if not found then
    raise exception 'No survey is open.' using errcode = '55000';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and e.state in ('accepted', 'active', 'paused', 'completed', 'assigned');
  if not found then
    raise exception 'There is no such engagement, or nobody to ask.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;

  -- Two random UUIDs have 244 random bits.
  v_token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  insert into public.mail_outbox (to_address, template, expires_at, data)
  select v_address, 'survey-invitation', now() + interval '90 days', jsonb_build_object(
    -- Behind the #, which no server and no log ever sees.
    'path', '/engagement-survey#invitation=' || v_token, 'privacy', s.privacy
  )
  from public.surveys s where s.id = v_survey_id
  returning state into v_state;
  -- The link that the client has stays good: it only ends when a new one is on its way.
  if v_state <> 'queued' then
    perform private.refuse_for_now(
      'This client has had many emails today. Try again tomorrow.', interval '1 day'
    );
  end if;

  insert into public.survey_invitations (survey_id, engagement_id, token_hash)
  values (v_survey_id, p_engagement_id, private.survey_token_hash(v_token))
  -- Asked again, the client gets a new link, and the one before no longer works.
  on conflict (survey_id, engagement_id) do update
    set token_hash = excluded.token_hash, sent_at = now(),
      expires_at = now() + interval '90 days'
    where not survey_invitations.answered
  returning id into v_id;
  if v_id is null then
    raise exception 'This client has answered already.' using errcode = '55000';
  end if;
  perform private.audit('survey.invite', 'engagement', p_engagement_id::text, null, '{}');
  return jsonb_build_object('id', v_id);
end
$$;
comment on function public.invite_to_survey(uuid) is
  'An admin mails a client the personal link to the open survey; {id}. Asking again replaces the link, until it was used.';
grant execute on function public.invite_to_survey(uuid) to authenticated;

-- Answering -------------------------------------------------------------------------------------

create function public.get_survey(p_invitation text default null) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', s.id, 'title', s.title, 'privacy', s.privacy, 'statements', s.statements,
    'recommend', s.recommend, 'comments', s.comments,
    'access', case
      when i.answered then 'answered'
      when i.expires_at > now() then 'invitation'
      when s.public_link then 'public'
      else 'none'
    end
  )
  from public.surveys s
  left join public.survey_invitations i
    on i.survey_id = s.id and i.token_hash = private.survey_token_hash(p_invitation)
  where s.state = 'open'
$$;
comment on function public.get_survey(text) is
  'The open survey, and how the caller may answer it: by this invitation, by the public link, not again (answered) or not at all (none). Null when no survey is open.';
grant execute on function public.get_survey(text) to anon, authenticated;

create function private.read_response(
  p_response jsonb, out agreement smallint[], out recommend smallint, out comments text[]
)
language plpgsql immutable set search_path = '' as $$
begin
  if p_response is null or jsonb_typeof(p_response) <> 'object'
    or octet_length(p_response::text) > 32768
    or jsonb_typeof(p_response -> 'agreement') is distinct from 'array'
    or jsonb_typeof(p_response -> 'comments') is distinct from 'array'
  then
    raise exception 'These answers cannot be read.' using errcode = '22023';
  end if;
  begin
    select array_agg(value::smallint order by place) into agreement
    from jsonb_array_elements_text(p_response -> 'agreement') with ordinality as a (value, place);
    select array_agg(nullif(btrim(value), '') order by place) into comments
    from jsonb_array_elements_text(p_response -> 'comments') with ordinality as c (value, place);
    recommend := (p_response ->> 'recommend')::smallint;
  exception when data_exception then
    raise exception 'These answers cannot be read.' using errcode = '22023';
  end;
  if cardinality(agreement) is distinct from 10 or cardinality(comments) is distinct from 2
    or exists (select from unnest(agreement) as a (value) where value not between 1 and 5)
    or recommend not between 0 and 10
  then
    raise exception 'These answers do not fit the questions.' using errcode = '22023';
  end if;
  if exists (select from unnest(comments) as c (value) where char_length(value) > 2000) then
    raise exception 'Keep each comment to 2,000 characters.'
      using errcode = '22023', hint = 'comments';
  end if;
  if recommend is null and num_nulls(variadic agreement) = 10 and num_nulls(variadic comments) = 2
  then
    raise exception 'Answer at least one question.' using errcode = '22023';
  end if;
end
$$;

create function public.submit_survey_response(
  p_id uuid, p_survey_id uuid, p_response jsonb, p_invitation text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_address text := private.client_address();
  v_survey record;
  v_invitation record;
  v_given record;
begin
  if p_id is null then
    raise exception 'A response needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_given from private.read_response(p_response);
  perform private.one_at_a_time('survey_response', p_id);
  -- It was stored, and the answer that said so was lost.
  if exists (
    select from public.survey_responses r where r.id = p_id and r.survey_id = p_survey_id
  ) then
    return jsonb_build_object('id', p_id);
  end if;

  select s.privacy, s.state, s.public_link into v_survey
  from public.surveys s where s.id = p_survey_id for share;
  if not found or v_survey.state <> 'open' then
    raise exception 'This survey is closed.' using errcode = '55000';
  end if;

  perform private.one_at_a_time('survey_invitations', p_survey_id);
  select i.id, i.engagement_id, i.answered into v_invitation
  from public.survey_invitations i
  where i.survey_id = p_survey_id and i.expires_at > now()
    and i.token_hash = private.survey_token_hash(p_invitation)
  for update;
  if v_invitation.answered then
    raise exception 'This link was used already: your answers are with us.' using errcode = '55000';
  elsif v_invitation.id is not null then
    -- With all that were answered before: PostgreSQL keeps of each row which transaction wrote it,
    -- and the one that wrote this alone would lead to the response.
    update public.survey_invitations i set answered = true
    where i.survey_id = p_survey_id and (i.answered or i.id = v_invitation.id);
  elsif not v_survey.public_link then
    raise exception 'This survey is answered by personal link only.' using errcode = '42501';
  else
    -- Never by the person, even of those who are signed in: their counter would lead to the response.
    perform private.require_fair_share(
      'survey', v_address, private.network_of(v_address, 24, 48), 20, 1000, interval '1 hour',
      'That is too many at once. Try again %s.'
    );
  end if;

  insert into public.survey_responses (
    id, survey_id, privacy, invited, engagement_id, agreement, recommend, comments
  ) values (
    p_id, p_survey_id, v_survey.privacy, v_invitation.id is not null,
    case when v_survey.privacy = 'confidential' then v_invitation.engagement_id end,
    v_given.agreement, v_given.recommend, v_given.comments
  );
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.submit_survey_response(uuid, uuid, jsonb, text) is
  'Stores {agreement: 10 of 1 to 5 or null, recommend: 0 to 10 or null, comments: 2 texts or null} once under an id of the sender; {id}. By invitation, or by the public link within a rate limit.';
grant execute on function public.submit_survey_response(uuid, uuid, jsonb, text)
  to anon, authenticated;

-- From 20261121000400_contacts.sql
-- Contacts: people who wrote or asked for the newsletter, and what they wrote. The functions contact
-- and newsletter are the only way in: they know the caller's address, for limits, and check the form.
-- No API role touches these tables or calls these procedures.

create table public.contacts (
  id uuid primary key default gen_random_uuid(),
  email text not null check (char_length(email) between 3 and 254 and email = lower(email)),
  name text check (char_length(name) <= 120),
  business text check (char_length(business) <= 120),
  newsletter text not null default 'none'
    check (newsletter in ('none', 'pending', 'subscribed', 'left')),
  -- What was agreed to, word for word, and when it was confirmed from the mailbox.
  consent_wording text,
  consented_at timestamptz,
  left_at timestamptz,
  -- SHA-256 of the secrets in mailed links: one confirms, the other leaves.
  confirm_hash bytea check (octet_length(confirm_hash) = 32),
  confirm_expires_at timestamptz,
  leave_hash bytea unique check (octet_length(leave_hash) = 32),
  created_at timestamptz not null default now(),
  last_active_at timestamptz not null default now(),
  unique (email),
  check (newsletter <> 'subscribed' or consented_at is not null and consent_wording is not null)
);
comment on table public.contacts is
  'Who wrote or asked for the newsletter, one row for each address, with their consent.';

create unique index contacts_confirm_hash_idx on public.contacts (confirm_hash);

create table public.contact_messages (
  -- Made by the form, so that sending twice stores once.
  id uuid primary key,
  contact_id uuid not null references public.contacts (id) on delete cascade,
  topic text not null check (
    topic in ('general', 'coaching', 'pricing', 'event', 'press', 'accessibility', 'privacy')
  ),
  body text not null check (char_length(body) between 1 and 5000),
  created_at timestamptz not null default now()
);
comment on table public.contact_messages is 'What somebody wrote by the contact form, kept two years.';

create index contact_messages_contact_id_idx on public.contact_messages (contact_id);
create index contact_messages_created_at_idx on public.contact_messages (created_at);

alter table public.contacts enable row level security;
alter table public.contact_messages enable row level security;

create function private.contact_of(p_email text, p_name text default null, p_business text default null)
returns uuid
language sql volatile security definer set search_path = '' as $$
  insert into public.contacts as c (email, name, business)
  values (lower(btrim(p_email)), private.clean_line(p_name, 120), private.clean_line(p_business, 120))
  on conflict (email) do update set
    name = coalesce(excluded.name, c.name), business = coalesce(excluded.business, c.business),
    last_active_at = now()
  returning c.id
$$;

create function private.limit_contact(p_caller text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_sentence constant text := 'That is too many at once. Try again %s, or send us an email.';
begin
  -- Not by the address in the form: a stranger who types it would keep its owner from writing.
  perform private.require_fair_share(
    'contact', p_caller, split_part(p_caller, ':', 1), 8, 500, interval '1 hour', c_sentence
  );
end
$$;

create function private.new_secret() returns text
language sql volatile set search_path = '' as $$
  -- Two random UUIDs have 244 random bits.
  select replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '')
$$;

create function private.secret_hash(p_secret text) returns bytea
language sql immutable set search_path = '' as $$
  select sha256(convert_to(p_secret, 'UTF8'))
$$;

-- The newsletter --------------------------------------------------------------------------------

create function private.ask_for_newsletter(p_email text, p_wording text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_contact_id uuid := private.contact_of(p_email);
  v_secret text := private.new_secret();
  v_state text;
begin
  -- Without a mail the link of the one before goes on working.
  if not private.take_rate_limit(
    private.mailbox_key('newsletter-mail', p_email), 3, interval '1 day'
  ) then
    return;
  end if;
  -- Who is on the list already gets nothing, and is told nothing else than everyone.
  insert into public.mail_outbox (to_address, template, expires_at, data)
  select c.email, 'newsletter-confirm', now() + interval '7 days',
    jsonb_build_object('path', '/newsletter#confirm=' || v_secret)
  from public.contacts c where c.id = v_contact_id and c.newsletter <> 'subscribed'
  returning state into v_state;
  if v_state = 'queued' then
    update public.contacts c
    set newsletter = 'pending', consent_wording = p_wording,
      confirm_hash = private.secret_hash(v_secret), confirm_expires_at = now() + interval '7 days'
    where c.id = v_contact_id;
  end if;
end
$$;

create function private.confirm_newsletter(p_secret text) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_secret text := private.new_secret();
  v_email text;
begin
  update public.contacts c
  set newsletter = 'subscribed', consented_at = now(), left_at = null, last_active_at = now(),
    leave_hash = private.secret_hash(v_secret)
  where c.confirm_hash = private.secret_hash(p_secret) and c.confirm_expires_at > now()
    and c.newsletter = 'pending'
  returning c.email into v_email;
  if v_email is null then
    -- Pressed twice: it is confirmed.
    return exists (
      select from public.contacts c
      where c.confirm_hash = private.secret_hash(p_secret) and c.newsletter = 'subscribed'
    );
  end if;
  insert into public.mail_outbox (to_address, template, data)
  values (
    v_email, 'newsletter-welcome', jsonb_build_object('path', '/newsletter#leave=' || v_secret)
  );
  return true;
end
$$;

create function private.leave_newsletter(p_secret text) returns boolean
language sql volatile security definer set search_path = '' as $$
  with gone as (
    update public.contacts c
    set newsletter = 'left', left_at = coalesce(c.left_at, now()), confirm_hash = null
    where c.leave_hash = private.secret_hash(p_secret)
    returning 1
  )
  select exists (select from gone)
$$;

-- Messages --------------------------------------------------------------------------------------

create function private.receive_message(
  p_caller text,
  p_id uuid,
  p_email text,
  p_name text,
  p_business text,
  p_topic text,
  p_body text,
  p_wording text,
  p_our_address text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_contact_id uuid;
begin
  perform private.one_at_a_time('contact_message', p_id);
  if exists (select from public.contact_messages m where m.id = p_id) then
    return;
  end if;
  perform private.limit_contact(p_caller);
  v_contact_id := private.contact_of(p_email, p_name, p_business);
  insert into public.contact_messages (id, contact_id, topic, body)
  values (p_id, v_contact_id, p_topic, btrim(p_body));
  insert into public.mail_outbox (to_address, template, data) values
    (p_our_address, 'contact-message', jsonb_build_object(
      'topic', p_topic, 'name', p_name, 'business', coalesce(nullif(btrim(p_business), ''), '–'),
      'email', lower(btrim(p_email)), 'body', p_body
    ));
  -- To an address that nobody has confirmed goes nothing that a stranger could have written, and not
  -- more often than its owner would bear.
  if private.take_rate_limit(
    private.mailbox_key('contact-received', p_email), 3, interval '1 day'
  ) then
    insert into public.mail_outbox (to_address, template, data)
    values (lower(btrim(p_email)), 'contact-received', '{}');
  end if;
  if p_wording is not null then
    perform private.ask_for_newsletter(p_email, p_wording);
  end if;
end
$$;
comment on function private.receive_message(text, uuid, text, text, text, text, text, text, text) is
  'Stores a message once under its id, mails the organisation and, three times a day, an acknowledgement. Raises PT429 over the limits; p_wording is the consent to the newsletter, or null.';

create function private.request_newsletter(p_caller text, p_email text, p_wording text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.limit_contact(p_caller);
  perform private.ask_for_newsletter(p_email, p_wording);
end
$$;

-- Nothing stays longer than it is needed --------------------------------------------------------

create function private.delete_old_contacts() returns bigint
language sql volatile security definer set search_path = '' as $$
  with messages as (
    delete from public.contact_messages where created_at < now() - interval '2 years' returning 1
  ), unconfirmed as (
    update public.contacts
    set newsletter = 'none', confirm_hash = null, confirm_expires_at = null, consent_wording = null
    where newsletter = 'pending' and confirm_expires_at < now() - interval '23 days'
    returning 1
  ), people as (
    delete from public.contacts c
    where c.newsletter = 'none' and c.last_active_at < now() - interval '30 days'
      and not exists (select from public.contact_messages m where m.contact_id = c.id)
    returning 1
  )
  select (select count(*) from messages) + (select count(*) from unconfirmed)
    + (select count(*) from people)
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_contacts', interval '1 day');

-- From 20261121000500_page_views.sql
-- Page views: how often each page was opened on each day, and nothing about who opened it. The
-- function page-view counts, connected as the owner of the database; no API role touches the table.

create table public.page_views (
  -- In UTC.
  day date not null,
  -- As the table of pages writes it, such as /blog/[slug]; 'unknown' for what is none of them.
  route text not null check (char_length(route) between 1 and 200),
  -- The path itself; the route once more where the path would name a record of somebody.
  path text not null check (char_length(path) between 1 and 200 and path not like '%?%'),
  views bigint not null check (views > 0),
  primary key (day, route, path)
);
comment on table public.page_views is
  'Views by day, route and path, without addresses, cookies or browsers. No API role reads or writes it.';

alter table public.page_views enable row level security;

create function private.count_page_view(p_route text, p_path text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- What a browser says is not ours: made-up names must not fill the table.
  c_paths constant int := 5000;
  c_routes constant int := 200;
  v_day date := (now() at time zone 'utc')::date;
  v_route text := p_route;
  v_path text := p_path;
begin
  update public.page_views v set views = v.views + 1
  where v.day = v_day and v.route = p_route and v.path = p_path;
  if found then
    return;
  end if;

  -- New today: one after the other, so that the numbers below are right.
  perform pg_advisory_xact_lock(hashtextextended('page_views', 0));
  if not exists (select from public.page_views v where v.day = v_day and v.route = v_route)
    and (select count(distinct v.route) from public.page_views v where v.day = v_day) >= c_routes
  then
    v_route := 'unknown';
    v_path := 'unknown';
  elsif (select count(*) from public.page_views v where v.day = v_day and v.path <> v.route)
    >= c_paths
  then
    v_path := v_route;
  end if;
  insert into public.page_views as v (day, route, path, views)
  values (v_day, v_route, v_path, 1)
  on conflict (day, route, path) do update set views = v.views + 1;
end
$$;
comment on function private.count_page_view(text, text) is
  'Counts one view today. Beyond 5,000 paths a day only the route is counted, beyond 200 routes only that there was a view.';

create function private.delete_old_page_views() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.page_views
    where day < (now() at time zone 'utc')::date - interval '25 months'
    returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_page_views', interval '1 day');

-- From 20261122000050_profile_settings.sql
-- What people say about themselves, their picture, which mails they want, and, where they like to
-- say it, who they are.

alter table public.profiles
  add column preferred_name text check (char_length(btrim(preferred_name)) between 1 and 60),
  add column phone text check (phone ~ '^\+?[0-9 ().\-]{5,30}( ?x ?[0-9]{1,6})?$'),
  -- BCP 47, best first.
  add column languages text[] not null default '{}' check (
    cardinality(languages) <= 8
    and array_to_string(languages, ' ') ~ '^([a-z]{2,3}(-[A-Za-z0-9]{2,8})*( |$))*$'
  );
comment on column public.profiles.preferred_name is 'What the person is called; null: the first word of the name.';
comment on column public.profiles.languages is 'Languages the person can be spoken to in, as BCP 47 names, best first.';
-- The picture changes by set_avatar alone, which looks whether there is one.
grant update (preferred_name, phone, languages) on public.profiles to authenticated;

-- Which mails somebody wants ---------------------------------------------------------------------

create table public.notification_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- What one set out to do and when it is due.
  reminders boolean not null default true,
  -- What others do in a business, such as joining it.
  news boolean not null default true,
  -- What others wrote and one has not read.
  messages boolean not null default true,
  -- With their words; without, only who wrote.
  message_text boolean not null default true,
  updated_at timestamptz not null default now()
);
comment on table public.notification_settings is
  'Which mails a person wants; no row: all of them. Mails about the account itself always come.';
alter table public.notification_settings enable row level security;
create policy "People read their own settings"
  on public.notification_settings for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.notification_settings to authenticated;

create function public.save_notification_settings(
  p_reminders boolean default null, p_news boolean default null,
  p_messages boolean default null, p_message_text boolean default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  insert into public.notification_settings as s (user_id, reminders, news, messages, message_text)
  values (
    v_user_id, coalesce(p_reminders, true), coalesce(p_news, true), coalesce(p_messages, true),
    coalesce(p_message_text, true)
  )
  on conflict (user_id) do update set
    reminders = coalesce(p_reminders, s.reminders), news = coalesce(p_news, s.news),
    messages = coalesce(p_messages, s.messages),
    message_text = coalesce(p_message_text, s.message_text), updated_at = now();
end
$$;
comment on function public.save_notification_settings(boolean, boolean, boolean, boolean) is
  'Says which mails the person wants; what is left out (null) stays as it was.';
create function private.wants(p_user_id uuid, p_what text) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case p_what
      when 'reminders' then s.reminders when 'news' then s.news
      when 'messages' then s.messages when 'message_text' then s.message_text
    end
    from public.notification_settings s where s.user_id = p_user_id
  ), true)
$$;
comment on function private.wants(uuid, text) is
  'Whether a person wants mails of a kind: reminders, news, messages; and message_text in mails and notifications.';

-- Pictures --------------------------------------------------------------------------------------

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', false, 1048576, array['image/webp', 'image/jpeg', 'image/png'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create function private.my_avatar_folder() returns text
language sql stable security definer set search_path = '' as $$
  select (select auth.uid())::text
$$;
create function private.readable_avatar_folders() returns setof text
language sql stable security definer set search_path = '' as $$
  select (select auth.uid())::text
  union
  select p::text from private.ids_of_my_people() p
$$;
create function private.has_room_for_avatar() returns boolean
language sql stable security definer set search_path = '' as $$
  select count(*) < 10 from storage.objects o
  where o.bucket_id = 'avatars' and starts_with(o.name, (select auth.uid()) || '/')
$$;
comment on function private.my_avatar_folder() is 'Where the person may store pictures of themselves.';
comment on function private.readable_avatar_folders() is
  'Whose pictures the person sees: their own and those of the people they work with.';
comment on function private.has_room_for_avatar() is
  'One is shown, and those before it are removed: more than ten are no pictures to show.';
grant execute on function
  private.my_avatar_folder(), private.readable_avatar_folders(), private.has_room_for_avatar()
  to authenticated;

create policy "Pictures of people are seen by those who work with them"
  on storage.objects for select to authenticated
  using (
    bucket_id = 'avatars' and (select private.session_ok())
    and (storage.foldername(name))[1] = any (array(select private.readable_avatar_folders()))
  );
create policy "People store pictures of themselves"
  on storage.objects for insert to authenticated
  with check (
    bucket_id = 'avatars' and (select private.session_ok())
    and (storage.foldername(name))[1] = (select private.my_avatar_folder())
    and name ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(webp|jpg|png)$'
    and private.has_room_for_avatar()
  );
create policy "People take pictures of themselves away"
  on storage.objects for delete to authenticated
  using (
    bucket_id = 'avatars' and (select private.session_ok())
    and (storage.foldername(name))[1] = (select private.my_avatar_folder())
  );

create function public.set_avatar(p_path text) returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_path is not null
    and not (starts_with(p_path, v_user_id || '/') and private.is_stored('avatars', p_path))
  then
    raise exception 'This picture did not arrive. Choose it again.' using errcode = 'P0002';
  end if;
  update public.profiles p set avatar_path = p_path where p.user_id = v_user_id;
  return query
    select o.name from storage.objects o
    where o.bucket_id = 'avatars' and (storage.foldername(o.name))[1] = v_user_id::text
      and o.name is distinct from p_path;
end
$$;
comment on function public.set_avatar(text) is
  'Shows a stored picture as the person''s own, or none (null). Gives the paths of older ones, for the caller to remove.';

-- Who somebody is: only where they like to say it -------------------------------------------------

create table public.demographics (
  user_id uuid primary key references auth.users (id) on delete cascade,
  age_group text check (age_group in ('under-25', '25-34', '35-44', '45-54', '55-64', '65-up')),
  gender text check (gender in ('woman', 'man', 'non-binary', 'another')),
  -- Any number of them.
  origins text[] not null default '{}' check (
    origins <@ array[
      'native-american', 'asian', 'black', 'hispanic', 'middle-eastern', 'pacific-islander',
      'white', 'another'
    ]
  ),
  veteran boolean,
  disability boolean,
  place text check (place in ('city', 'town', 'rural', 'tribal-land')),
  updated_at timestamptz not null default now()
);
comment on table public.demographics is
  'Who a person is, in their own words'' boxes and only where they said it. Nobody else reads a row.';
alter table public.demographics enable row level security;
create policy "People read what they said of themselves"
  on public.demographics for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.demographics to authenticated;

create function public.save_demographics(
  p_age_group text, p_gender text, p_origins text[], p_veteran boolean, p_disability boolean,
  p_place text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_origins text[] := array(select distinct o from unnest(coalesce(p_origins, '{}')) o order by o);
begin
  -- Nothing said is no row.
  if p_age_group is null and p_gender is null and v_origins = '{}' and p_veteran is null
    and p_disability is null and p_place is null
  then
    delete from public.demographics d where d.user_id = v_user_id;
    return;
  end if;
  insert into public.demographics (
    user_id, age_group, gender, origins, veteran, disability, place
  ) values (v_user_id, p_age_group, p_gender, v_origins, p_veteran, p_disability, p_place)
  on conflict (user_id) do update set
    age_group = excluded.age_group, gender = excluded.gender, origins = excluded.origins,
    veteran = excluded.veteran, disability = excluded.disability, place = excluded.place,
    updated_at = now();
end
$$;
comment on function public.save_demographics(text, text, text[], boolean, boolean, text) is
  'Stores what the person says of themselves; all of it null or empty takes it away.';

create function public.demographics_summary() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Fewer people than this are nobody's business.
  c_least constant int := 5;
  v_summary jsonb;
begin
  perform private.require_admin();
  perform private.audit('demographics.summary', 'demographics', null, null, '{}');
  with said as (
    select a.question, a.answer
    from public.demographics d
    cross join lateral (
      values ('age_group', d.age_group), ('gender', d.gender), ('veteran', d.veteran::text),
        ('disability', d.disability::text), ('place', d.place)
      union all
      select 'origins', o from unnest(d.origins) o
    ) a (question, answer)
  ), counted as (
    select s.question, s.answer, count(*)::int as people
    from said s where s.answer is not null
    group by s.question, s.answer
  ), ranked as (
    -- Where the small ones together are fewer than five, the next larger is left out with them:
    -- else the whole minus what is shown would tell their number.
    select c.*, sum(c.people) over (
      partition by c.question order by c.people, c.answer
      rows between unbounded preceding and 1 preceding
    ) as smaller
    from counted c
  ), shown as (
    select r.question, r.answer, r.people
    from ranked r
    where r.people >= c_least
      and (r.smaller is null or r.smaller >= c_least)
  )
  select jsonb_build_object(
    'people', (
      select case when count(*) >= c_least then count(*) end from public.demographics
    ),
    'answers', coalesce((
      select jsonb_object_agg(q.question, q.answers)
      from (
        select s.question, jsonb_object_agg(s.answer, s.people) as answers
        from shown s group by s.question
      ) q
    ), '{}')
  ) into v_summary;
  return v_summary;
end
$$;
comment on function public.demographics_summary() is
  'For admins: how many people gave each answer, only from five people on and never so that a smaller number can be worked out.';

-- The profile page, one question -----------------------------------------------------------------

create function public.get_profile() returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'full_name', p.full_name, 'preferred_name', p.preferred_name, 'phone', p.phone,
    'time_zone', p.time_zone, 'languages', p.languages, 'avatar_path', p.avatar_path,
    'notifications', jsonb_build_object(
      'reminders', coalesce(s.reminders, true), 'news', coalesce(s.news, true),
      'messages', coalesce(s.messages, true), 'message_text', coalesce(s.message_text, true)
    ),
    'demographics', case when d.user_id is not null then
      to_jsonb(d) - 'user_id' - 'updated_at' end
  )
  from public.profiles p
  left join public.notification_settings s on s.user_id = p.user_id
  left join public.demographics d on d.user_id = p.user_id
  where p.user_id = (select auth.uid())
$$;
comment on function public.get_profile() is
  'What the person''s profile page shows: {full_name, …, notifications, demographics}.';

grant execute on function
  public.save_notification_settings(boolean, boolean, boolean, boolean),
  public.set_avatar(text),
  public.save_demographics(text, text, text[], boolean, boolean, text),
  public.demographics_summary(), public.get_profile()
to authenticated;

-- From 20261122000100_projects.sql
-- Projects: a piece of work on one skill area of a business, from draft to done.
--
-- Rows are written by procedures alone. Members do everything with a project of their business. The
-- assigned coach reads it, writes updates, and edits the shared fields: outcome, baseline and dates.
-- An admin reads and edits all, and each time a row of the audit log says so.

create table public.projects (
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  created_by uuid references auth.users (id) on delete set null,
  -- No foreign key: what was saved outlives the account.
  saved_by uuid,
  area_key text references public.skill_areas (key),
  engagement_id uuid references public.engagements (id),
  title text not null check (char_length(title) between 1 and 160),
  outcome text check (char_length(outcome) <= 1000),
  baseline text check (char_length(baseline) <= 1000),
  start_on date,
  due_on date,
  status text not null default 'draft' check (
    status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled')
  ),
  blocked_reason text check (char_length(blocked_reason) <= 1000),
  -- Counts changes, so that one made on an older state can be told.
  revision int not null default 1,
  -- Kept by the tasks, so that a list of projects counts nothing.
  task_count int not null default 0 check (task_count >= 0),
  done_count int not null default 0 check (done_count between 0 and task_count),
  words tsvector not null generated always as (
    setweight(to_tsvector('english'::regconfig, title), 'A')
    || to_tsvector('english'::regconfig, coalesce(outcome, ''))
  ) stored,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, business_id),
  check (due_on >= start_on),
  check ((status = 'blocked') = (blocked_reason is not null))
);
comment on table public.projects is 'A piece of work of a business, with its outcome, dates and status.';
comment on column public.projects.words is 'What search looks in: title before outcome.';
-- One for each order of the list, so that a page is read and not sorted out of everything.
create index projects_by_change_idx on public.projects (business_id, status, updated_at desc, id desc);
create index projects_by_due_date_idx
  on public.projects (business_id, status, (coalesce(due_on, 'infinity'::date)), id);
create index projects_by_title_idx on public.projects (business_id, status, title collate private.by_name, id);
create index projects_words_idx on public.projects using gin (words);
create index projects_created_by_idx on public.projects (created_by);
create index projects_area_key_idx on public.projects (area_key);
create index projects_engagement_id_idx on public.projects (engagement_id);

create table public.project_events (
  id bigint generated always as identity primary key,
  project_id uuid not null,
  business_id uuid not null,
  at timestamptz not null default now(),
  -- No foreign key: what happened outlives the account.
  actor_id uuid,
  kind text not null check (kind in ('created', 'moved', 'refused')),
  from_status text,
  to_status text,
  note text check (char_length(note) <= 1000),
  foreign key (project_id, business_id) references public.projects (id, business_id)
);
comment on table public.project_events is 'Steps of a project, refused ones too; append-only.';
create index project_events_project_id_idx on public.project_events (project_id, at desc, id desc);
create index project_events_business_id_idx on public.project_events (business_id);

create table public.project_updates (
  id uuid primary key,
  project_id uuid not null,
  business_id uuid not null,
  -- No foreign key: what was written outlives the account.
  author_id uuid,
  body text not null check (char_length(btrim(body)) between 1 and 4000),
  at timestamptz not null default now(),
  foreign key (project_id, business_id) references public.projects (id, business_id)
);
comment on table public.project_updates is 'What members and the coach wrote about a project, in time order; append-only.';
create index project_updates_project_id_idx on public.project_updates (project_id, at, id);
create index project_updates_business_id_idx on public.project_updates (business_id);

-- Row-level security ----------------------------------------------------------------------------

alter table public.projects enable row level security;
alter table public.project_events enable row level security;
alter table public.project_updates enable row level security;

create policy "Members and the assigned coach read the projects of a business"
  on public.projects for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
create policy "The steps of a project are read by whoever reads the project"
  on public.project_events for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
create policy "Updates of a project are read by whoever reads the project"
  on public.project_updates for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.projects, public.project_events, public.project_updates to authenticated;

-- Only these steps ------------------------------------------------------------------------------

create trigger projects_touch before update on public.projects
  for each row execute function private.touch_updated_at();

create function private.project_step_allowed(p_from text, p_to text) returns boolean
language sql immutable set search_path = '' as $$
  select (p_from, p_to) in (
    ('draft', 'planned'), ('planned', 'in_progress'), ('in_progress', 'blocked'),
    ('blocked', 'in_progress'), ('in_progress', 'in_review'), ('in_review', 'done'),
    ('in_review', 'in_progress'), ('done', 'in_progress'), ('canceled', 'in_progress'),
    ('draft', 'canceled'), ('planned', 'canceled'), ('in_progress', 'canceled'),
    ('blocked', 'canceled'), ('in_review', 'canceled')
  )
$$;

create function private.guard_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A project is canceled, never removed.' using errcode = '55000';
  end if;
  if tg_op = 'INSERT' then
    if new.status <> 'draft' then
      raise exception 'A project starts as a draft.' using errcode = '55000';
    end if;
    return new;
  end if;
  if new.id <> old.id or new.business_id <> old.business_id then
    raise exception 'A project stays with its business.' using errcode = '55000';
  end if;
  if new.status <> old.status and not private.project_step_allowed(old.status, new.status) then
    raise exception 'A project cannot go from % to %.', old.status, new.status
      using errcode = '55000', hint = 'status';
  end if;
  return new;
end
$$;
create trigger projects_keep_to_their_states before insert or update on public.projects
  for each row execute function private.guard_project();
create trigger projects_are_never_removed before delete on public.projects
  for each row when (not private.erasing()) execute function private.guard_project();
create trigger project_events_are_append_only before update or delete on public.project_events
  for each row execute function private.refuse_change_unless_erased();
create trigger project_events_are_never_emptied before truncate on public.project_events
  for each statement execute function private.refuse_change();
create trigger project_updates_are_append_only before update or delete on public.project_updates
  for each row execute function private.refuse_change_unless_erased();
create trigger project_updates_are_never_emptied before truncate on public.project_updates
  for each statement execute function private.refuse_change();

-- Who may do what with one project ---------------------------------------------------------------

create function private.project_right(p_business_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return case
    when p_business_id in (select private.my_business_ids()) then 'edit'
    when p_business_id in (select private.readable_business_ids()) then 'share'
    -- Of a project that doesn't exist there is no business.
    when p_business_id is not null and private.is_admin() then 'admin'
  end;
end
$$;
comment on function private.project_right(uuid) is
  'edit: a member. share: the assigned coach, who edits outcome, baseline and dates. admin: all of it, written down. Null: nothing.';

create function private.project_for_change(p_id uuid, p_right text default 'share')
returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    raise exception 'This project was not found.' using errcode = 'P0002';
  end if;
  if v_right = 'share' and p_right = 'edit' then
    raise exception 'This is for the members of the business.' using errcode = '42501';
  end if;
  perform private.require_unarchived(v_project.business_id);
  if v_right = 'admin' then
    perform private.audit('project.edit', 'project', p_id::text);
  end if;
  select * into v_project from public.projects p where p.id = p_id for update;
  return v_project;
end
$$;
comment on function private.project_for_change(uuid, text) is
  'The project, locked, for who may change it ("edit") or write to it ("share"); an error (P0002, 42501) for everyone else, and (55000) while its business is archived.';

create function private.project_json(p_project public.projects) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_project.id, 'business_id', p_project.business_id, 'title', p_project.title,
    'area_key', p_project.area_key, 'engagement_id', p_project.engagement_id,
    'outcome', p_project.outcome, 'baseline', p_project.baseline,
    'start_on', p_project.start_on, 'due_on', p_project.due_on, 'status', p_project.status,
    'blocked_reason', p_project.blocked_reason, 'revision', p_project.revision,
    'task_count', p_project.task_count, 'done_count', p_project.done_count,
    'created_at', p_project.created_at, 'updated_at', p_project.updated_at,
    'saved_by', (
      select f.full_name from public.profiles f
      where f.user_id = coalesce(p_project.saved_by, p_project.created_by)
    )
  )
$$;

create function private.check_project(p_project public.projects) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_project.title is null or char_length(p_project.title) > 160 then
    raise exception 'Give the project a title of 1 to 160 characters.'
      using errcode = '22023', hint = 'title';
  end if;
  if p_project.due_on < p_project.start_on then
    raise exception 'The due date comes before the start.' using errcode = '22023', hint = 'due_on';
  end if;
  if p_project.start_on < date '1900-01-01' or p_project.start_on > date '2199-12-31' then
    raise exception 'Choose a year from 1900 to 2199.' using errcode = '22023', hint = 'start_on';
  end if;
  if p_project.due_on < date '1900-01-01' or p_project.due_on > date '2199-12-31' then
    raise exception 'Choose a year from 1900 to 2199.' using errcode = '22023', hint = 'due_on';
  end if;
  if p_project.area_key is not null
    and not exists (select from public.skill_areas a where a.key = p_project.area_key)
  then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'area_key';
  end if;
  if p_project.engagement_id is not null and not exists (
    select from public.engagements e
    where e.id = p_project.engagement_id and e.business_id = p_project.business_id
  ) then
    raise exception 'Choose from the coaching of this business.'
      using errcode = '22023', hint = 'engagement_id';
  end if;
  if char_length(p_project.outcome) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'outcome';
  end if;
  if char_length(p_project.baseline) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'baseline';
  end if;
end
$$;
comment on function private.check_project(public.projects) is
  'Says in words, with the field, what a person wrote into a project that does not fit.';

-- Procedures ------------------------------------------------------------------------------------

create function public.create_project(
  p_id uuid, p_business_id uuid, p_title text, p_area_key text default null,
  p_outcome text default null, p_baseline text default null,
  p_start_on date default null, p_due_on date default null, p_engagement_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found public.projects;
  v_new public.projects;
begin
  perform private.one_at_a_time('projects', p_id);
  perform private.require_member(p_business_id);
  select * into v_found from public.projects p where p.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.created_by is distinct from v_user_id or v_found.business_id <> p_business_id then
      raise exception 'This project exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'revision', v_found.revision, 'made', false);
  end if;
  if p_id is null then
    raise exception 'A project needs an id.' using errcode = '22023', hint = 'id';
  end if;
  v_new.business_id := p_business_id;
  v_new.title := private.clean_line(p_title, 10000);
  v_new.area_key := p_area_key;
  v_new.engagement_id := p_engagement_id;
  v_new.outcome := nullif(btrim(p_outcome), '');
  v_new.baseline := nullif(btrim(p_baseline), '');
  v_new.start_on := p_start_on;
  v_new.due_on := p_due_on;
  perform private.check_project(v_new);
  insert into public.projects (
    id, business_id, created_by, area_key, engagement_id, title, outcome, baseline, start_on, due_on
  ) values (
    p_id, p_business_id, v_user_id, v_new.area_key, v_new.engagement_id, v_new.title,
    v_new.outcome, v_new.baseline, v_new.start_on, v_new.due_on
  );
  insert into public.project_events (project_id, business_id, actor_id, kind, to_status)
  values (p_id, p_business_id, v_user_id, 'created', 'draft');
  return jsonb_build_object('id', p_id, 'revision', 1, 'made', true);
end
$$;
comment on function public.create_project(uuid, uuid, text, text, text, text, date, date, uuid) is
  'A member makes a draft; {id, revision, made}. Sent twice with one id it stays one, as it was first sent: made is false then.';
grant execute on function
  public.create_project(uuid, uuid, text, text, text, text, date, date, uuid) to authenticated;

create function public.save_project(
  p_id uuid, p_revision int, p_title text, p_area_key text default null,
  p_outcome text default null, p_baseline text default null,
  p_start_on date default null, p_due_on date default null, p_engagement_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_was public.projects := private.project_for_change(p_id);
  v_new public.projects := v_was;
begin
  v_new.title := private.clean_line(p_title, 10000);
  v_new.area_key := p_area_key;
  v_new.engagement_id := p_engagement_id;
  v_new.outcome := nullif(btrim(p_outcome), '');
  v_new.baseline := nullif(btrim(p_baseline), '');
  v_new.start_on := p_start_on;
  v_new.due_on := p_due_on;
  -- Sent twice, or nothing changed: it stands as it was meant.
  if v_new is not distinct from v_was then
    return jsonb_build_object('saved', true, 'project', private.project_json(v_was));
  end if;
  -- Somebody else saved in between. Theirs is kept and given back, and the person decides.
  if p_revision is distinct from v_was.revision then
    return jsonb_build_object('saved', false, 'project', private.project_json(v_was));
  end if;
  perform private.check_project(v_new);
  if private.project_right(v_was.business_id) = 'share'
    and (v_new.title, v_new.area_key, v_new.engagement_id)
      is distinct from (v_was.title, v_was.area_key, v_was.engagement_id)
  then
    raise exception 'A coach edits the outcome, the baseline and the dates.'
      using errcode = '42501';
  end if;
  update public.projects p set
    title = v_new.title, area_key = v_new.area_key, engagement_id = v_new.engagement_id,
    outcome = v_new.outcome, baseline = v_new.baseline, start_on = v_new.start_on,
    due_on = v_new.due_on, saved_by = auth.uid(), revision = p.revision + 1
  where p.id = p_id
  returning * into v_new;
  return jsonb_build_object('saved', true, 'project', private.project_json(v_new));
end
$$;
comment on function public.save_project(uuid, int, text, text, text, text, date, date, uuid) is
  'Saves what was edited on top of a revision; {saved, project}. With saved false somebody else was faster: the project is theirs and nothing was written.';
grant execute on function
  public.save_project(uuid, int, text, text, text, text, date, date, uuid) to authenticated;

create function private.project_note_needed(p_from text, p_to text) returns boolean
language sql immutable set search_path = '' as $$
  select p_to = 'blocked'
    or (p_to = 'in_progress' and p_from in ('in_review', 'done', 'canceled'))
$$;
comment on function private.project_note_needed(text, text) is
  'Whether a step asks why: what blocks a project, and why it is taken up again.';

create function public.move_project(p_id uuid, p_status text, p_note text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_id, 'edit');
  v_note text := nullif(btrim(p_note), '');
  v_refused text;
begin
  if char_length(v_note) > 1000 then
    raise exception 'Keep the note to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if v_project.status is distinct from p_status then
    v_refused := case
      when not coalesce(private.project_step_allowed(v_project.status, p_status), false)
        then 'A project cannot take this step from where it is.'
      when p_status = 'blocked' and v_note is null then 'Say what blocks the project.'
      when private.project_note_needed(v_project.status, p_status) and v_note is null
        then 'Say in a note why the project is taken up again.'
    end;
    insert into public.project_events (
      project_id, business_id, actor_id, kind, from_status, to_status, note
    ) values (
      p_id, v_project.business_id, auth.uid(),
      case when v_refused is null then 'moved' else 'refused' end,
      v_project.status, left(p_status, 40), v_note
    );
    if v_refused is null then
      update public.projects p set
        status = p_status,
        blocked_reason = case when p_status = 'blocked' then v_note end,
        revision = p.revision + 1
      where p.id = p_id
      returning * into v_project;
    end if;
  end if;
  -- A refusal is an answer and not an error, which would take the event away with it.
  return jsonb_build_object(
    'status', v_project.status, 'refused', v_refused,
    'revision', v_project.revision, 'blocked_reason', v_project.blocked_reason,
    'moves', private.project_moves(v_project.status)
  );
end
$$;
comment on function public.move_project(uuid, text, text) is
  'A member takes a project a step further; {status, refused, revision, blocked_reason, moves}. A refused step is written down and said in words.';
grant execute on function public.move_project(uuid, text, text) to authenticated;

create function private.project_moves(p_status text) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('to', s.status, 'note', private.project_note_needed(p_status, s.status))
    order by s.place
  ), '[]')
  from unnest(array['planned', 'in_progress', 'in_review', 'done', 'blocked', 'canceled'])
    with ordinality as s (status, place)
  where private.project_step_allowed(p_status, s.status)
$$;
comment on function private.project_moves(text) is
  'The steps from a status, [{to, note}]; note says that the step asks why.';

create function public.add_project_update(p_id uuid, p_project_id uuid, p_body text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_project_id);
  v_found public.project_updates;
begin
  if p_id is null then
    raise exception 'An update needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_found from public.project_updates u where u.id = p_id;
  if found then
    if v_found.author_id is distinct from auth.uid() or v_found.project_id <> p_project_id then
      raise exception 'This update exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', p_id, 'at', v_found.at);
  end if;
  if char_length(btrim(coalesce(p_body, ''))) not between 1 and 4000 then
    raise exception 'Write 1 to 4,000 characters.' using errcode = '22023', hint = 'body';
  end if;
  insert into public.project_updates (id, project_id, business_id, author_id, body)
  values (p_id, p_project_id, v_project.business_id, auth.uid(), btrim(p_body));
  update public.projects set updated_at = now() where id = p_project_id;
  return jsonb_build_object('id', p_id, 'at', now());
end
$$;
comment on function public.add_project_update(uuid, uuid, text) is
  'A member, the assigned coach or an admin writes an update; {id, at}. Sent twice with one id it stays one.';
grant execute on function public.add_project_update(uuid, uuid, text) to authenticated;

-- From 20261122000110_project_tasks.sql
-- Tasks of a project: what is to be done, in an order that its members choose.
--
-- The order is a number between its neighbors. Whoever moves a task says which one it follows; the
-- number is made here, under the lock of the project, so that two people who move at the same time
-- both get an order that holds.

create table public.project_tasks (
  id uuid primary key,
  project_id uuid not null,
  business_id uuid not null,
  title text not null check (char_length(title) between 1 and 200),
  state text not null default 'todo' check (state in ('todo', 'doing', 'blocked', 'done')),
  blocked_reason text check (char_length(blocked_reason) <= 500),
  due_on date,
  position numeric not null,
  -- Counts changes of what is written, so that one made on an older state can be told.
  revision int not null default 1,
  -- No foreign key: what was planned outlives the account.
  created_by uuid,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  foreign key (project_id, business_id) references public.projects (id, business_id),
  check ((state = 'blocked') = (blocked_reason is not null)),
  check ((state = 'done') = (done_at is not null))
);
comment on table public.project_tasks is
  'What is to be done in a project, in order; one that was taken away can be brought back.';
create index project_tasks_position_idx on public.project_tasks (project_id, position, id)
  where removed_at is null;
create index project_tasks_next_idx on public.project_tasks (project_id, position, id)
  where removed_at is null and state <> 'done';
create index project_tasks_project_id_idx on public.project_tasks (project_id, business_id);
create index project_tasks_business_id_idx on public.project_tasks (business_id);

-- Row-level security ----------------------------------------------------------------------------

alter table public.project_tasks enable row level security;

create policy "The tasks of a project are read by whoever reads the project"
  on public.project_tasks for select to authenticated
  using (
    (select private.session_ok()) and removed_at is null
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.project_tasks to authenticated;

-- The project counts its tasks ------------------------------------------------------------------

create trigger project_tasks_touch before update on public.project_tasks
  for each row execute function private.touch_updated_at();

create function private.count_task() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_was int := 0;
  v_was_done int := 0;
begin
  if tg_op = 'UPDATE' then
    v_was := (old.removed_at is null)::int;
    v_was_done := (old.removed_at is null and old.state = 'done')::int;
  end if;
  update public.projects p set
    task_count = p.task_count + (new.removed_at is null)::int - v_was,
    done_count = p.done_count + (new.removed_at is null and new.state = 'done')::int - v_was_done,
    updated_at = now()
  where p.id = new.project_id;
  return null;
end
$$;
create trigger project_tasks_are_counted after insert or update on public.project_tasks
  for each row execute function private.count_task();

-- Procedures ------------------------------------------------------------------------------------

create function private.task_json(p_task public.project_tasks) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'id', p_task.id, 'title', p_task.title, 'state', p_task.state,
    'blocked_reason', p_task.blocked_reason, 'due_on', p_task.due_on,
    -- As text: a number of JavaScript would round it.
    'position', p_task.position::text, 'revision', p_task.revision
  )
$$;

create function private.task_for_change(p_id uuid) returns public.project_tasks
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_task public.project_tasks;
begin
  select * into v_task from public.project_tasks t where t.id = p_id;
  perform private.project_for_change(v_task.project_id, 'edit');
  -- Read again: it may have changed while this waited for the project.
  select * into v_task from public.project_tasks t where t.id = p_id;
  return v_task;
end
$$;
comment on function private.task_for_change(uuid) is
  'The task, its project locked, for a member or an admin; an error (P0002, 42501) for everyone else.';

create function private.check_task(p_title text, p_due_on date) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_title is null or char_length(p_title) > 200 then
    raise exception 'Say in 1 to 200 characters what is to be done.'
      using errcode = '22023', hint = 'title';
  end if;
  if p_due_on < date '1900-01-01' or p_due_on > date '2199-12-31' then
    raise exception 'Choose a year from 1900 to 2199.' using errcode = '22023', hint = 'due_on';
  end if;
end
$$;

create function public.add_project_task(
  p_id uuid, p_project_id uuid, p_title text, p_due_on date default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_project_id, 'edit');
  v_title text := private.clean_line(p_title, 10000);
  v_task public.project_tasks;
begin
  if p_id is null then
    raise exception 'A task needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_task from public.project_tasks t where t.id = p_id;
  if found then
    if v_task.created_by is distinct from auth.uid() or v_task.project_id <> p_project_id then
      raise exception 'This task exists already.' using errcode = '23505', hint = 'id';
    end if;
    return private.task_json(v_task);
  end if;
  perform private.check_task(v_title, p_due_on);
  insert into public.project_tasks (
    id, project_id, business_id, title, due_on, created_by, position
  ) values (
    p_id, p_project_id, v_project.business_id, v_title, p_due_on, auth.uid(),
    coalesce((
      select floor(t.position) from public.project_tasks t
      where t.project_id = p_project_id and t.removed_at is null
      order by t.position desc, t.id desc limit 1
    ), 0) + 1024
  )
  returning * into v_task;
  return private.task_json(v_task);
end
$$;
comment on function public.add_project_task(uuid, uuid, text, date) is
  'A member adds a task at the end; the task. Sent twice with one id it stays one.';

create function public.save_project_task(
  p_id uuid, p_revision int, p_title text, p_due_on date default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_task public.project_tasks := private.task_for_change(p_id);
  v_title text := private.clean_line(p_title, 10000);
begin
  if (v_task.title, v_task.due_on) is distinct from (v_title, p_due_on) then
    if p_revision is distinct from v_task.revision then
      return jsonb_build_object('saved', false, 'task', private.task_json(v_task));
    end if;
    perform private.check_task(v_title, p_due_on);
    update public.project_tasks t
    set title = v_title, due_on = p_due_on, revision = t.revision + 1
    where t.id = p_id
    returning * into v_task;
  end if;
  return jsonb_build_object('saved', true, 'task', private.task_json(v_task));
end
$$;
comment on function public.save_project_task(uuid, int, text, date) is
  'A member changes what a task says on top of a revision; {saved, task}. With saved false somebody else was faster and nothing was written.';

create function public.set_project_task_state(p_id uuid, p_state text, p_reason text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_task public.project_tasks := private.task_for_change(p_id);
  v_reason text := nullif(btrim(p_reason), '');
begin
  if p_state is null or p_state not in ('todo', 'doing', 'blocked', 'done') then
    raise exception 'A task is to do, being done, blocked or done.'
      using errcode = '22023', hint = 'state';
  end if;
  if p_state = 'blocked' and (v_reason is null or char_length(v_reason) > 500) then
    raise exception 'Say in 1 to 500 characters what blocks the task.'
      using errcode = '22023', hint = 'reason';
  end if;
  update public.project_tasks t set
    state = p_state,
    blocked_reason = case when p_state = 'blocked' then v_reason end,
    done_at = case when p_state = 'done' then coalesce(t.done_at, now()) end
  where t.id = p_id
    and (t.state, t.blocked_reason)
      is distinct from (p_state, case when p_state = 'blocked' then v_reason end)
  returning * into v_task;
  if not found then
    select * into v_task from public.project_tasks t where t.id = p_id;
  end if;
  return private.task_json(v_task);
end
$$;
comment on function public.set_project_task_state(uuid, text, text) is
  'A member says how a task stands, with a reason where it is blocked; the task.';

create function public.move_project_task(p_id uuid, p_after uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- A number with more digits behind the point than this makes all of them whole again.
  c_digits constant int := 30;
  v_task public.project_tasks := private.task_for_change(p_id);
  v_before numeric := 0;
  v_behind numeric;
  v_position numeric;
begin
  if p_after is not null then
    select t.position into v_before from public.project_tasks t
    where t.id = p_after and t.project_id = v_task.project_id and t.id <> p_id
      and t.removed_at is null;
    if not found then
      raise exception 'The task that it should follow is no longer there. Reload the page.'
        using errcode = '55000';
    end if;
  end if;
  select t.position into v_behind from public.project_tasks t
  where t.project_id = v_task.project_id and t.removed_at is null and t.id <> p_id
    and t.position > v_before
  order by t.position, t.id limit 1;
  v_position := case
    when v_behind is null then floor(v_before) + 1024
    else trim_scale((v_before + v_behind) * 0.5)
  end;
  update public.project_tasks t set position = v_position where t.id = p_id;
  if scale(v_position) > c_digits then
    update public.project_tasks t set position = o.place * 1024
    from (
      select i.id, row_number() over (order by i.position, i.id) as place
      from public.project_tasks i
      where i.project_id = v_task.project_id and i.removed_at is null
    ) o
    where t.id = o.id;
  end if;
  select * into v_task from public.project_tasks t where t.id = p_id;
  return private.task_json(v_task);
end
$$;
comment on function public.move_project_task(uuid, uuid) is
  'A member puts a task behind another one, or first where none is named; the task.';

create function public.remove_project_task(p_id uuid, p_removed boolean default true) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_task public.project_tasks := private.task_for_change(p_id);
begin
  update public.project_tasks t
  set removed_at = case when coalesce(p_removed, true) then now() end
  where t.id = p_id and (t.removed_at is not null) is distinct from coalesce(p_removed, true);
  return private.task_json(v_task);
end
$$;
comment on function public.remove_project_task(uuid, boolean) is
  'A member takes a task away, or with false brings it back to its place; the task.';

create function private.project_tasks_json(
  p_project_id uuid, p_after numeric, p_after_id uuid, p_limit int
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.task_json(t) order by t.position, t.id), '[]')
  from (
    select i.* from public.project_tasks i
    where i.project_id = p_project_id and i.removed_at is null
      and (p_after is null or (i.position, i.id) > (p_after, p_after_id))
    order by i.position, i.id limit p_limit
  ) t
$$;

create function public.list_project_tasks(p_project_id uuid, p_after uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_last public.project_tasks;
begin
  perform private.require_session();
  select t.* into v_last from public.project_tasks t
  where t.id = p_after and t.project_id = p_project_id
    and t.business_id in (select private.readable_business_ids());
  if not found then
    raise exception 'This task is no longer there.' using errcode = 'P0002';
  end if;
  return private.project_tasks_json(p_project_id, v_last.position, v_last.id, 100);
end
$$;
comment on function public.list_project_tasks(uuid, uuid) is
  'The next 100 tasks behind one of a project, for those who read it.';

grant execute on function
  public.add_project_task(uuid, uuid, text, date),
  public.save_project_task(uuid, int, text, date),
  public.set_project_task_state(uuid, text, text),
  public.move_project_task(uuid, uuid),
  public.remove_project_task(uuid, boolean),
  public.list_project_tasks(uuid, uuid)
  to authenticated;

-- From 20261122000120_project_files.sql
-- Files of a project: a row that says what a file is, and an object in a private bucket.
--
-- The row comes first and names the one path under which its uploader may store an object; when the
-- object has arrived and is as large as was said, the file is there for everyone who reads the
-- project. Nothing replaces an object, and a row goes after its object, so that none is left over.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values (
  'project-files', 'project-files', false, 20971520,
  array[
    'application/pdf', 'image/png', 'image/jpeg', 'image/webp', 'text/plain', 'text/csv',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    'application/vnd.openxmlformats-officedocument.presentationml.presentation'
  ]
)
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.project_files (
  id uuid primary key,
  project_id uuid not null,
  business_id uuid not null,
  name text not null check (char_length(name) between 1 and 200),
  type text not null,
  size int not null check (size between 1 and 20971520),
  state text not null default 'awaited' check (state in ('awaited', 'stored')),
  -- No foreign key: a file outlives the account of who brought it.
  uploaded_by uuid,
  created_at timestamptz not null default now(),
  path text not null generated always as (
    business_id::text || '/' || project_id::text || '/' || id::text
  ) stored,
  foreign key (project_id, business_id) references public.projects (id, business_id)
);
comment on table public.project_files is
  'Files of a project; the object lies in the bucket project-files under the path of its row.';
create index project_files_project_id_idx on public.project_files (project_id, created_at desc, id);
create index project_files_business_id_idx on public.project_files (business_id);
create index project_files_uploaded_by_idx on public.project_files (uploaded_by, state);
create index project_files_awaited_idx on public.project_files (created_at) where state = 'awaited';

-- Row-level security ----------------------------------------------------------------------------

alter table public.project_files enable row level security;

create policy "The files of a project are read by whoever reads the project"
  on public.project_files for select to authenticated
  using (
    (select private.session_ok()) and state = 'stored'
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.project_files to authenticated;

create function private.readable_file_folders() returns setof text
language sql stable security definer set search_path = '' as $$
  select b::text from private.readable_business_ids() b
$$;
create function private.awaited_file_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select f.path from public.project_files f
  where f.uploaded_by = (select auth.uid()) and f.state = 'awaited'
    and f.business_id in (select private.readable_business_ids())
$$;
create function private.removable_file_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select f.path from public.project_files f
  where f.uploaded_by = (select auth.uid())
    and f.business_id in (select private.readable_business_ids())
$$;
create function private.removable_file_folders() returns setof text
language sql stable security definer set search_path = '' as $$
  select b::text from private.my_business_ids() b
$$;
comment on function private.readable_file_folders() is 'First folders of the files that the person reads: ids of businesses.';
comment on function private.awaited_file_paths() is 'Where the person may store an object now.';
comment on function private.removable_file_paths() is 'Files that the person brought.';
comment on function private.removable_file_folders() is 'First folders of the files that the person may take away: their businesses.';
grant execute on function
  private.readable_file_folders(), private.awaited_file_paths(), private.removable_file_paths(),
  private.removable_file_folders()
  to authenticated;

create policy "Project files are read by whoever reads the project"
  on storage.objects for select to authenticated
  using (
    bucket_id = 'project-files' and (select private.session_ok())
    and (storage.foldername(name))[1] = any (array(select private.readable_file_folders()))
  );
create policy "Project files are stored where they are awaited"
  on storage.objects for insert to authenticated
  with check (
    bucket_id = 'project-files' and (select private.session_ok())
    and name = any (array(select private.awaited_file_paths()))
  );
create policy "Project files are taken away by members and by who brought them"
  on storage.objects for delete to authenticated
  using (
    bucket_id = 'project-files' and (select private.session_ok())
    and (
      (storage.foldername(name))[1] = any (array(select private.removable_file_folders()))
      or name = any (array(select private.removable_file_paths()))
    )
  );

-- Procedures ------------------------------------------------------------------------------------

create function private.file_json(p_file public.project_files) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_file.id, 'name', p_file.name, 'type', p_file.type, 'size', p_file.size,
    'path', p_file.path, 'created_at', p_file.created_at,
    'mine', coalesce(p_file.uploaded_by = (select auth.uid()), false),
    'by', (select f.full_name from public.profiles f where f.user_id = p_file.uploaded_by)
  )
$$;

create function public.begin_project_file(
  p_id uuid, p_project_id uuid, p_name text, p_type text, p_size int
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_bytes constant bigint := 1073741824;
  v_project public.projects := private.project_for_change(p_project_id);
  v_file public.project_files;
begin
  -- An admin could neither store nor read the object.
  if private.project_right(v_project.business_id) = 'admin' then
    raise exception 'Files are for the members of the business and their coach.'
      using errcode = '42501';
  end if;
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_file from public.project_files f where f.id = p_id;
  if found then
    if v_file.uploaded_by is distinct from auth.uid() or v_file.project_id <> p_project_id then
      raise exception 'This file exists already.' using errcode = '23505', hint = 'id';
    end if;
    return private.file_json(v_file);
  end if;
  perform private.check_file('project-files', p_name, p_type, p_size);
  -- What is awaited may turn out as large as the bucket allows, whatever was said.
  if (
    select coalesce(sum(case f.state when 'stored' then f.size else 20971520 end), 0) + p_size
    from public.project_files f where f.business_id = v_project.business_id
  ) > c_bytes then
    raise exception 'The files of a business may have 1 GB together. Remove some first.'
      using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.project_files (id, project_id, business_id, name, type, size, uploaded_by)
  values (
    p_id, p_project_id, v_project.business_id, private.file_name(p_name, p_type), p_type, p_size,
    auth.uid()
  )
  returning * into v_file;
  return private.file_json(v_file);
end
$$;
comment on function public.begin_project_file(uuid, uuid, text, text, int) is
  'A member or the coach says which file comes (name, type, size in bytes); the file with the path to store it under.';

create function public.finish_project_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.project_files;
begin
  select * into v_file from public.project_files f where f.id = p_id;
  perform private.project_for_change(v_file.project_id);
  if v_file.uploaded_by is distinct from auth.uid() then
    raise exception 'This file was not found.' using errcode = 'P0002';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored('project-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file has not arrived whole. Send it again.' using errcode = '55000';
    end if;
    update public.project_files f set state = 'stored' where f.id = p_id returning * into v_file;
    update public.projects p set updated_at = now() where p.id = v_file.project_id;
  end if;
  return private.file_json(v_file);
end
$$;
comment on function public.finish_project_file(uuid) is
  'Its uploader says that a file has arrived; the file. Refused while the object is not there as it was announced.';

create function public.remove_project_file(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.project_files;
begin
  perform private.require_session();
  select * into v_file from public.project_files f
  where f.id = p_id and f.business_id in (select private.readable_business_ids());
  -- Gone already: it was asked for twice.
  if not found then
    return;
  end if;
  if v_file.uploaded_by is distinct from auth.uid()
    and v_file.business_id not in (select private.my_business_ids())
  then
    raise exception 'Only members and who brought a file take it away.' using errcode = '42501';
  end if;
  if private.is_stored('project-files', v_file.path) then
    raise exception 'The file itself is still there. Try again.' using errcode = '55000';
  end if;
  delete from public.project_files f where f.id = p_id;
end
$$;
comment on function public.remove_project_file(uuid) is
  'Forgets a file after its object was removed; asking twice changes nothing.';

create function private.settle_project_files() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_stored int;
  v_gone int;
begin
  update public.project_files f set state = 'stored'
  where f.state = 'awaited' and f.created_at < now() - interval '1 hour'
    and private.is_stored('project-files', f.path, f.type, f.size);
  get diagnostics v_stored = row_count;
  delete from public.project_files f
  where f.state = 'awaited' and f.created_at < now() - interval '1 day'
    and not private.is_stored('project-files', f.path);
  get diagnostics v_gone = row_count;
  return jsonb_build_object('stored', v_stored, 'gone', v_gone);
end
$$;
comment on function private.settle_project_files() is
  'Files whose tab was closed too early: those that arrived count, those that never did are forgotten.';
insert into public.schedule_jobs (name, every) values ('settle_project_files', interval '10 minutes');

grant execute on function
  public.begin_project_file(uuid, uuid, text, text, int), public.finish_project_file(uuid),
  public.remove_project_file(uuid)
  to authenticated;

-- From 20261122000130_project_screens.sql
-- What the screens of projects show, each with one question.

create function public.list_projects(
  p_business_id uuid default null,
  p_statuses text[] default null,
  p_area_key text default null,
  p_query text default '',
  p_sort text default 'changed',
  p_view text default 'table',
  p_after jsonb default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- Rows of a table; cards of one column of a board.
  c_page constant int := case p_view when 'board' then 12 else 25 end;
  -- Beyond this many of one status nobody needs the number.
  c_counted constant int := 200;
  -- Up to this many that words fit are looked at one by one.
  c_few constant int := 300;
  v_all constant text[] := array[
    'draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled'
  ];
  v_businesses uuid[];
  v_statuses text[] := coalesce(p_statuses, v_all);
  v_query tsquery := private.words_query(left(p_query, 100));
  v_key text := case p_sort
    when 'due' then 'coalesce(p.due_on, ''infinity''::date)'
    when 'title' then 'p.title collate private.by_name'
    else 'p.updated_at' end;
  v_type text := case p_sort when 'due' then 'date' when 'title' then 'text' else 'timestamptz' end;
  v_direction text := case when p_sort in ('due', 'title') then 'asc' else 'desc' end;
  v_narrow text := '';
  v_fitting uuid[];
  v_found jsonb;
  v_more boolean;
  v_counts jsonb;
begin
  perform private.require_session();
  -- Words that mean nothing ("the") narrow nothing.
  if numnode(v_query) = 0 then
    v_query := null;
  end if;
  if p_area_key is not null then
    v_narrow := v_narrow || ' and p.area_key = $3';
  end if;
  select coalesce(array_agg(b), '{}') into v_businesses
  from private.readable_business_ids() b
  where p_business_id is null or b = p_business_id;

  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that.
  if v_query is not null then
    select coalesce(array_agg(f.id), '{}') into v_fitting
    from (
      select p.id from public.projects p
      where p.words @@ v_query and p.business_id = any (v_businesses)
      limit c_few + 1
    ) f;
    v_narrow := v_narrow || case
      when cardinality(v_fitting) > c_few then ' and pg_catalog.ts_match_vq(p.words, $4)'
      else ' and p.id = any ($10)' end;
  end if;

  -- A page from each business and status by their index, and the first of those together: what is
  -- read grows with the page and not with the projects.
  execute format(
    $q$
      with near as (
        select p.id, p.status, p.sort_key,
          row_number() over (order by p.sort_key %3$s, p.id %3$s) as place,
          row_number() over (partition by p.status order by p.sort_key %3$s, p.id %3$s) as in_status
        from unnest($1::uuid[]) as b (id)
        cross join unnest($2::text[]) as s (status)
        cross join lateral (
          select p.id, p.status, %1$s as sort_key
          from public.projects p
          where p.business_id = b.id and p.status = s.status %4$s %5$s
          order by %1$s %3$s, p.id %3$s
          limit %6$s
        ) p
      )
      select
        coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'title', p.title, 'status', p.status, 'area_key', p.area_key,
          'due_on', p.due_on, 'blocked_reason', p.blocked_reason, 'updated_at', p.updated_at,
          'task_count', p.task_count, 'done_count', p.done_count,
          'business', jsonb_build_object('id', p.business_id, 'name', (
            select b.name from public.businesses b where b.id = p.business_id
          )),
          'next_task', (
            select jsonb_build_object('title', t.title, 'state', t.state, 'due_on', t.due_on)
            from public.project_tasks t
            where t.project_id = p.id and t.removed_at is null and t.state <> 'done'
            order by t.position, t.id limit 1
          ),
          'moves', case when p.business_id = any ($9) then private.project_moves(p.status)
            else '[]' end,
          'after', jsonb_build_object('key', n.sort_key::text, 'id', p.id)
        ) order by n.place) filter (where n.shown), '[]'),
        coalesce(bool_or(not n.shown), false)
      from (
        select near.*, case when $6 then in_status <= $5 else place <= $5 end as shown from near
      ) n
      join public.projects p on p.id = n.id
    $q$,
    v_key, v_type, v_direction, v_narrow,
    case when p_after is null then '' else format(
      'and (%s, p.id) %s ($7::%s, $8)', v_key, case v_direction when 'asc' then '>' else '<' end,
      v_type
    ) end,
    c_page + 1
  )
  into v_found, v_more
  using v_businesses, v_statuses, p_area_key, v_query, c_page, p_view = 'board',
    p_after ->> 'key', (p_after ->> 'id')::uuid, array(
      select b.id from public.businesses b
      where b.id in (select private.my_business_ids()) and b.archived_at is null
    ), v_fitting;

  if p_after is null then
    execute format(
      $q$
        select jsonb_object_agg(s.status, (
          select count(*) from (
            select from unnest($1::uuid[]) as b (id)
            join public.projects p on p.business_id = b.id and p.status = s.status %s
            limit %s
          ) c
        ))
        from unnest($2::text[]) as s (status)
      $q$,
      v_narrow, c_counted
    )
    into v_counts
    using v_businesses, v_all, p_area_key, v_query, null, null, null, null, null, v_fitting;
  end if;
  return jsonb_build_object(
    'projects', v_found, 'more', v_more, 'counts', v_counts,
    'areas', case when p_after is null then (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    ) end
  );
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'This place in the list is no longer known. Start from the top.'
      using errcode = '22023', hint = 'after';
end
$$;
comment on function public.list_projects(uuid, text[], text, text, text, text, jsonb) is
  'A page of 25 projects of one business, or of all that the person reads, in an order ("changed", "due", "title"), narrowed; as a "board" 12 of each status. {projects, more, counts by status (200 means 200 or more), areas}; "after" of the last project leads on.';

create function private.project_history(
  p_project_id uuid, p_before timestamptz, p_before_id text, p_limit int
) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', h.id, 'kind', h.kind, 'at', h.at, 'to', h.to_status, 'from', h.from_status,
      'body', h.body,
      'by', (select f.full_name from public.profiles f where f.user_id = h.person_id),
      'mine', coalesce(h.person_id = (select auth.uid()), false)
    ) order by h.at desc, h.id desc
  ), '[]')
  from (
    (
      select u.id::text as id, 'update' as kind, u.at, null as from_status, null as to_status, u.body,
        u.author_id as person_id
      from public.project_updates u
      where u.project_id = p_project_id
        and (p_before is null or u.at <= p_before and (u.at, u.id::text) < (p_before, p_before_id))
      order by u.at desc, u.id desc limit p_limit
    )
    union all
    (
      select e.id::text, e.kind, e.at, e.from_status, e.to_status, e.note, e.actor_id
      from public.project_events e
      where e.project_id = p_project_id and e.kind <> 'refused'
        and (p_before is null or e.at <= p_before and (e.at, e.id::text) < (p_before, p_before_id))
      order by e.at desc, e.id desc limit p_limit
    )
    order by at desc, id desc limit p_limit
  ) h
$$;
comment on function private.project_history(uuid, timestamptz, text, int) is
  'Updates and steps of a project, newest first, before a place.';

create function public.list_project_history(p_id uuid, p_before timestamptz, p_before_id text)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not exists (
    select from public.projects p
    where p.id = p_id and p.business_id in (select private.readable_business_ids())
  ) then
    raise exception 'This project was not found.' using errcode = 'P0002';
  end if;
  return private.project_history(p_id, p_before, p_before_id, 30);
end
$$;
comment on function public.list_project_history(uuid, timestamptz, text) is
  'The 30 updates and steps of a project before one, newest first, for those who read it.';

create function private.project_choices(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'areas', (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    ),
    'engagements', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', e.id, 'state', e.state, 'requested_at', e.requested_at,
        'coach', (select f.full_name from public.profiles f where f.user_id = e.coach_id)
      ) order by e.requested_at desc), '[]')
      from (
        select i.* from public.engagements i
        where i.business_id = p_business_id and i.coach_id is not null
        order by i.requested_at desc limit 20
      ) e
    )
  )
$$;
comment on function private.project_choices(uuid) is
  'What a project of a business can be about: {areas, engagements with a coach}.';

create function public.get_project(p_id uuid) returns jsonb
-- Volatile: what an admin reads is written down.
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_tasks constant int := 100;
  c_history constant int := 30;
  v_project public.projects;
  v_business public.businesses;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    return null;
  end if;
  select * into v_business from public.businesses b where b.id = v_project.business_id;
  if v_right = 'admin' then
    perform private.audit('project.read', 'project', p_id::text);
  end if;
  return jsonb_build_object(
    'project', private.project_json(v_project),
    'business_name', v_business.name,
    'archived', v_business.archived_at is not null,
    'right', v_right,
    'may_write', private.may_write_about(p_id, (select auth.uid())),
    'moves', private.project_moves(v_project.status),
    'tasks', private.project_tasks_json(p_id, null, null, c_tasks),
    'history', private.project_history(p_id, null, null, c_history),
    'files', (
      select coalesce(jsonb_agg(private.file_json(f) order by f.created_at desc, f.id), '[]')
      from public.project_files f where f.project_id = p_id and f.state = 'stored'
    )
  ) || private.project_choices(v_project.business_id);
end
$$;
comment on function public.get_project(uuid) is
  'One project with everything its page shows: {project, business_name, archived (the business, and nothing can be changed), right, may_write, moves, tasks (100), history (30), files, areas, engagements}; null when it is not there or not for the caller.';

create function public.project_start(
  p_business_id uuid, p_area_key text default null, p_question_key text default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_member(p_business_id);
  return private.project_choices(p_business_id) || jsonb_build_object(
    'from', (
      select jsonb_build_object(
        'area_key', q.area_key, 'practice', q.practice, 'action', q.action,
        'score', (
          select jsonb_build_object('score', s.score, 'on', t.submitted_at)
          from public.attempts t
          join public.area_scores s on s.attempt_id = t.id and s.area_key = q.area_key
          where t.user_id = v_user_id and t.business_id = p_business_id
            and t.state = 'submitted' and s.score is not null
          order by t.submitted_at desc limit 1
        )
      )
      from public.quiz_questions q
      join public.quiz_versions v on v.id = q.version_id
      where q.key = p_question_key and (p_area_key is null or q.area_key = p_area_key)
        and v.state <> 'draft'
      order by v.number desc limit 1
    )
  );
end
$$;
comment on function public.project_start(uuid, text, text) is
  'What the page of a new project shows a member: {areas, engagements, from}; from is the 30-day action that led there, with the latest score of its area, or null.';

grant execute on function
  public.list_projects(uuid, text[], text, text, text, text, jsonb),
  public.list_project_history(uuid, timestamptz, text), public.get_project(uuid),
  public.project_start(uuid, text, text)
  to authenticated;

-- From 20261122000200_business_invitations.sql
-- Business invitations: who is asked by mail to join a business, and how people leave one again.
--
-- The owner of a business invites addresses. What the owner is told never depends on whether an
-- address has an account: the mail goes out either way, and only its reader can use it.

create table public.business_invitations (
  id uuid primary key,
  business_id uuid not null references public.businesses (id) on delete cascade,
  address text not null check (
    address = lower(btrim(address)) and char_length(address) between 3 and 254
  ),
  -- SHA-256 of the secret; the secret itself is only in the mail.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  times_sent int not null default 1 check (times_sent between 1 and 5),
  expires_at timestamptz not null default now() + interval '14 days',
  ended text check (ended in ('accepted', 'declined', 'revoked')),
  ended_at timestamptz,
  accepted_by uuid references auth.users (id) on delete set null,
  check ((ended is null) = (ended_at is null))
);
comment on table public.business_invitations is
  'Addresses asked to join a business, and what became of it. No API role reads or writes it.';

create index business_invitations_business_id_idx on public.business_invitations (business_id);
create unique index business_invitations_one_open_idx
  on public.business_invitations (business_id, address) where ended is null;
create index business_invitations_address_idx
  on public.business_invitations (address) where ended is null;
create index business_invitations_invited_by_idx on public.business_invitations (invited_by);
create index business_invitations_accepted_by_idx on public.business_invitations (accepted_by);

alter table public.business_invitations enable row level security;

create function private.delete_old_invitations() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.business_invitations
    where coalesce(ended_at, expires_at) < now() - interval '90 days'
    returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_invitations', interval '1 day');

-- Who may do what with a business ---------------------------------------------------------------

create function private.role_in_business(p_business_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_role text;
begin
  select m.role into v_role from public.business_members m
  where m.business_id = p_business_id and m.user_id = v_user_id;
  if not found then
    raise exception 'This business was not found.' using errcode = 'P0002';
  end if;
  return v_role;
end
$$;
comment on function private.role_in_business(uuid) is
  'owner or member, for whoever asks; an error (P0002) for everyone else.';

create function private.require_owner(p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Two owners' hands at once, or an owner who is about to be none, wait for each other.
  perform private.one_at_a_time('business', p_business_id);
  if private.role_in_business(p_business_id) <> 'owner' then
    raise exception 'Only the owner of the business may do this.' using errcode = '42501';
  end if;
end
$$;
comment on function private.require_owner(uuid) is
  'An error for everyone but the owner of the business: P0002 for strangers, 42501 for members.';

create function private.notify_person(
  p_user_id uuid, p_subject text, p_paragraph text, p_why text, p_label text, p_path text
) returns void
language sql volatile security definer set search_path = '' as $$
  insert into public.mail_outbox (to_address, template, data)
  select u.email, 'notice', jsonb_build_object(
    'subject', p_subject, 'heading', p_subject, 'paragraphs', jsonb_build_array(p_paragraph),
    'why', p_why, 'button_label', p_label, 'button_path', p_path
  )
  from auth.users u where u.id = p_user_id and u.email is not null
$$;

create function private.name_of(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select nullif(p.full_name, '') from public.profiles p where p.user_id = p_user_id
$$;

-- Inviting --------------------------------------------------------------------------------------

create function private.mail_invitation(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Two random UUIDs have 244 random bits.
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_state text;
begin
  insert into public.mail_outbox (to_address, template, expires_at, data)
  select i.address, 'business-invitation', now() + interval '14 days', jsonb_build_object(
    'business', b.name,
    'inviter', coalesce(private.name_of(i.invited_by), 'The owner'),
    'path', '/dashboard/businesses/invitation?token=' || v_token
  )
  from public.business_invitations i join public.businesses b on b.id = i.business_id
  where i.id = p_id
  returning state into v_state;
  -- Where the mailbox gets no more mail today, the link that it has goes on working.
  if v_state = 'queued' then
    update public.business_invitations i
    set token_hash = private.secret_hash(v_token), sent_at = now(),
      expires_at = now() + interval '14 days'
    where i.id = p_id;
  end if;
end
$$;
comment on function private.mail_invitation(uuid) is
  'Gives an invitation a new secret, mails it, and lets the one before no longer work.';

create function private.invitation_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', i.id, 'address', i.address, 'sent_at', i.sent_at, 'times_sent', i.times_sent,
    'expires_at', i.expires_at, 'expired', i.expires_at <= now()
  )
  from public.business_invitations i where i.id = p_id
$$;

create function public.invite_member(p_id uuid, p_business_id uuid, p_address text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_address text := lower(btrim(coalesce(p_address, '')));
  v_found public.business_invitations;
begin
  perform private.require_owner(p_business_id);
  perform private.require_member(p_business_id);
  select * into v_found from public.business_invitations i where i.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.business_id <> p_business_id or v_found.address <> v_address then
      raise exception 'This invitation exists already.' using errcode = '23505', hint = 'id';
    end if;
    return private.invitation_json(p_id);
  end if;
  if p_id is null then
    raise exception 'An invitation needs an id.' using errcode = '22023', hint = 'id';
  end if;
  -- One address and nothing else: x<ann@example.com> would be Ann's, by as many names as one likes.
  if v_address !~ '^[^][:space:][:cntrl:]@<>"(),;:\\[]+@[^][:space:][:cntrl:]@<>"(),;:\\[]+[.][^][:space:][:cntrl:]@.<>"(),;:\\[]+$'
    or char_length(v_address) > 254
  then
    raise exception 'An email address looks like name@example.com.'
      using errcode = '22023', hint = 'address';
  end if;
  if v_address = (select lower(u.email) from auth.users u where u.id = v_user_id) then
    raise exception 'This is your own address. You belong to the business already.'
      using errcode = '22023', hint = 'address';
  end if;
  if exists (
    select from public.business_invitations i
    where i.business_id = p_business_id and i.address = v_address and i.ended is null
  ) then
    raise exception 'This address has an invitation that is open. Send that one again.'
      using errcode = '23505', hint = 'address';
  end if;
  perform private.require_rate_limit(
    private.mailbox_key('invite-to:' || p_business_id, v_address), 5, interval '1 day',
    'This address has been sent many invitations today. Try again %s.', 'address'
  );

  insert into public.business_invitations (id, business_id, address, token_hash, invited_by)
  values (
    p_id, p_business_id, v_address, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), v_user_id
  );
  perform private.mail_invitation(p_id);
  return private.invitation_json(p_id);
end
$$;
comment on function public.invite_member(uuid, uuid, text) is
  'The owner of a business invites an address, whether it has an account or not; {id, address, sent_at, times_sent, expires_at, expired}. Sent twice with one id it stays one.';
grant execute on function public.invite_member(uuid, uuid, text) to authenticated;

create function private.invitation_of_mine(p_id uuid) returns public.business_invitations
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.business_invitations;
begin
  perform private.require_session();
  select i.* into v_invitation
  from public.business_invitations i
  join public.business_members m on m.business_id = i.business_id
  where i.id = p_id and m.user_id = auth.uid() and m.role = 'owner'
  for update of i;
  if not found then
    raise exception 'This invitation was not found.' using errcode = 'P0002';
  end if;
  return v_invitation;
end
$$;
comment on function private.invitation_of_mine(uuid) is
  'The invitation, locked, for the owner of its business; an error (P0002) for everyone else.';

create function public.resend_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.business_invitations := private.invitation_of_mine(p_id);
begin
  perform private.require_member(v_invitation.business_id);
  if v_invitation.ended is not null then
    raise exception 'This invitation is over. Invite the address again.' using errcode = '55000';
  end if;
  if v_invitation.times_sent >= 5 then
    raise exception 'This was sent five times. Take it back, or ask them to look in their spam.'
      using errcode = '55000';
  end if;
  perform private.require_rate_limit(
    'invite-again:' || p_id, 1, interval '1 minute',
    'This was sent a short while ago. Try again %s.'
  );
  perform private.require_rate_limit(
    private.mailbox_key('invite-to:' || v_invitation.business_id, v_invitation.address), 5, interval '1 day',
    'This address has been sent many invitations today. Try again %s.'
  );
  update public.business_invitations i set times_sent = i.times_sent + 1 where i.id = p_id;
  perform private.mail_invitation(p_id);
  return private.invitation_json(p_id);
end
$$;
comment on function public.resend_invitation(uuid) is
  'The owner has an invitation mailed again, at most five times; the link before it no longer works.';
grant execute on function public.resend_invitation(uuid) to authenticated;

create function public.revoke_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.business_invitations := private.invitation_of_mine(p_id);
begin
  if v_invitation.ended = 'accepted' then
    raise exception 'They have joined already. Remove them from the members instead.'
      using errcode = '55000';
  end if;
  update public.business_invitations i set ended = 'revoked', ended_at = now()
  where i.id = p_id and i.ended is null;
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.revoke_invitation(uuid) is
  'The owner takes an invitation back: its link no longer works.';
grant execute on function public.revoke_invitation(uuid) to authenticated;

-- Being invited ---------------------------------------------------------------------------------

create function private.invitation_of_token(p_token text) returns uuid
language sql stable security definer set search_path = '' as $$
  select i.id from public.business_invitations i
  where i.token_hash = private.secret_hash(coalesce(p_token, ''))
$$;

create function private.invitation_for_me(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_me record;
  v_invitation public.business_invitations;
  v_business record;
begin
  select u.email, u.email_confirmed_at is not null as confirmed into v_me
  from auth.users u where u.id = v_user_id;
  select * into v_invitation from public.business_invitations i where i.id = p_id;
  if not found then
    return jsonb_build_object('state', 'unknown');
  end if;
  -- Nothing of the business for whoever the mail was not sent to.
  if lower(v_me.email) is distinct from v_invitation.address then
    return jsonb_build_object('state', 'other-address', 'your_address', v_me.email);
  end if;
  if not v_me.confirmed then
    return jsonb_build_object('state', 'unconfirmed', 'your_address', v_me.email);
  end if;
  select b.id, b.name, b.archived_at into v_business
  from public.businesses b where b.id = v_invitation.business_id;
  return jsonb_build_object(
    'state', case
      when v_invitation.ended = 'accepted' and v_invitation.accepted_by = v_user_id then 'accepted'
      when v_invitation.ended is not null or v_business.archived_at is not null then 'over'
      when v_invitation.expires_at <= now() then 'expired'
      else 'open'
    end,
    'id', v_invitation.id, 'business_id', v_business.id, 'business', v_business.name,
    'invited_by', private.name_of(v_invitation.invited_by), 'expires_at', v_invitation.expires_at
  );
end
$$;

create function private.join_by_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_invitation jsonb := private.invitation_for_me(p_id);
  v_business_id uuid := (v_invitation ->> 'business_id')::uuid;
begin
  if v_business_id is not null then
    perform private.one_at_a_time('business', v_business_id);
    -- Taken back or accepted in another tab, while this one waited.
    v_invitation := private.invitation_for_me(p_id);
  end if;
  case v_invitation ->> 'state'
    when 'open' then
      insert into public.business_members (business_id, user_id, role)
      values (v_business_id, v_user_id, 'member')
      on conflict (business_id, user_id) do nothing;
      update public.business_invitations i
      set ended = 'accepted', ended_at = now(), accepted_by = v_user_id
      where i.id = p_id;
      perform private.notify_person(
        i.invited_by,
        coalesce(private.name_of(v_user_id), i.address) || ' has joined ' || (v_invitation ->> 'business'),
        'They can now see and edit the business, its figures, its plan and its projects.',
        'You get this mail because you invited them.',
        'See the members', '/dashboard/businesses/' || v_business_id || '#members'
      )
      from public.business_invitations i
      where i.id = p_id and private.wants(i.invited_by, 'news');
    when 'accepted' then
      null;
    when 'other-address' then
      raise exception 'This invitation is for another address.' using errcode = '42501';
    when 'unconfirmed' then
      raise exception 'Confirm your address first; then open the link again.' using errcode = '42501';
    else
      raise exception 'This invitation no longer works. Ask for a new one.' using errcode = '55000';
  end case;
  return jsonb_build_object('business_id', v_business_id, 'name', v_invitation ->> 'business');
end
$$;

create function private.refuse_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation jsonb := private.invitation_for_me(p_id);
begin
  update public.business_invitations i set ended = 'declined', ended_at = now()
  where i.id = (v_invitation ->> 'id')::uuid and i.ended is null;
  return jsonb_build_object('declined', found);
end
$$;

-- From the mail, by its secret.

create function public.get_invitation(p_token text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.invitation_for_me(private.invitation_of_token(p_token)) - 'id'
$$;
comment on function public.get_invitation(text) is
  'What a mailed link is for whoever opens it: {state: open, accepted, over or expired, with the business}, or only {state: unknown, other-address or unconfirmed}.';
grant execute on function public.get_invitation(text) to authenticated;

create function public.accept_invitation(p_token text) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.join_by_invitation(private.invitation_of_token(p_token))
$$;
comment on function public.accept_invitation(text) is
  'The reader of an invitation joins the business, with the address it was sent to; {business_id, name}.';
grant execute on function public.accept_invitation(text) to authenticated;

create function public.decline_invitation(p_token text) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.refuse_invitation(private.invitation_of_token(p_token))
$$;
comment on function public.decline_invitation(text) is
  'The reader of an invitation says no: its link no longer works; {declined}.';
grant execute on function public.decline_invitation(text) to authenticated;

-- Signed in, without looking for the mail: whoever holds the confirmed address has it anyway.

create function private.invitations_to_me() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', o.id, 'business', o.name, 'invited_by', private.name_of(o.invited_by),
      'expires_at', o.expires_at
    ) order by o.sent_at desc, o.id
  ), '[]')
  from (
    select i.id, i.invited_by, i.expires_at, i.sent_at, b.name
    from auth.users u
    join public.business_invitations i on i.address = lower(u.email) and i.ended is null
    join public.businesses b on b.id = i.business_id and b.archived_at is null
    where u.id = auth.uid() and (select private.session_ok())
      and u.email_confirmed_at is not null and i.expires_at > now()
    order by i.sent_at desc, i.id limit 20
  ) o
$$;
comment on function private.invitations_to_me() is
  'The open invitations to the confirmed address of whoever asks, newest first, at most 20: [{id, business, invited_by, expires_at}].';
grant execute on function private.invitations_to_me() to authenticated;

create function public.accept_my_invitation(p_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.join_by_invitation(p_id)
$$;
comment on function public.accept_my_invitation(uuid) is
  'Joins the business of an invitation to one''s own address, seen in the list of businesses; {business_id, name}.';
grant execute on function public.accept_my_invitation(uuid) to authenticated;

create function public.decline_my_invitation(p_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.refuse_invitation(p_id)
$$;
comment on function public.decline_my_invitation(uuid) is
  'Says no to an invitation to one''s own address, seen in the list of businesses; {declined}.';
grant execute on function public.decline_my_invitation(uuid) to authenticated;

-- Leaving ---------------------------------------------------------------------------------------

create function private.withdraw_coaching(p_business_id uuid, p_owner_id uuid, p_reason text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('trellis.reason', p_reason, true);
  update public.engagements e set state = 'withdrawn'
  where e.business_id = p_business_id and (p_owner_id is null or e.owner_id = p_owner_id)
    and e.state in ('requested', 'assigned', 'accepted', 'active', 'paused');
  perform set_config('trellis.reason', '', true);
end
$$;
comment on function private.withdraw_coaching(uuid, uuid, text) is
  'Ends open coaching of a business, of one person or (null) of all: who cannot see a business has no coach for it.';

create function public.remove_member(p_business_id uuid, p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_owner(p_business_id);
  if p_user_id = v_user_id then
    raise exception 'Hand the business over before you leave it.' using errcode = '55000';
  end if;
  delete from public.business_members m
  where m.business_id = p_business_id and m.user_id = p_user_id;
  if found then
    perform private.withdraw_coaching(p_business_id, p_user_id, 'No longer a member.');
    perform private.notify_person(
      p_user_id, 'You no longer belong to ' || b.name,
      'The owner of the business has removed you from its members. Your own quiz results stay yours.',
      'You get this mail because you were a member.', 'Your businesses', '/dashboard/businesses'
    )
    from public.businesses b where b.id = p_business_id;
  end if;
  return jsonb_build_object('user_id', p_user_id);
end
$$;
comment on function public.remove_member(uuid, uuid) is
  'The owner removes a member, who sees nothing of the business from then on.';
grant execute on function public.remove_member(uuid, uuid) to authenticated;

create function public.leave_business(p_business_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.one_at_a_time('business', p_business_id);
  if private.role_in_business(p_business_id) = 'owner' then
    raise exception 'Hand the business over before you leave it.' using errcode = '55000';
  end if;
  delete from public.business_members m
  where m.business_id = p_business_id and m.user_id = v_user_id;
  perform private.withdraw_coaching(p_business_id, v_user_id, 'Left the business.');
  return jsonb_build_object('business_id', p_business_id);
end
$$;
comment on function public.leave_business(uuid) is
  'A member leaves a business. The owner hands it over first.';
grant execute on function public.leave_business(uuid) to authenticated;

create function public.hand_over_business(p_business_id uuid, p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_owner(p_business_id);
  if p_user_id = v_user_id then
    return jsonb_build_object('owner', v_user_id);
  end if;
  update public.business_members m set role = 'owner'
  where m.business_id = p_business_id and m.user_id = p_user_id;
  if not found then
    raise exception 'Hand it over to somebody who belongs to the business.'
      using errcode = '22023', hint = 'user_id';
  end if;
  update public.business_members m set role = 'member'
  where m.business_id = p_business_id and m.user_id = v_user_id;
  perform private.notify_person(
    p_user_id, 'You are now the owner of ' || b.name,
    coalesce(private.name_of(v_user_id), 'The owner') || ' has handed the business over to you. You decide who belongs to it, and whether it is archived.',
    'You get this mail because you belong to the business.',
    'Open the business', '/dashboard/businesses/' || p_business_id
  )
  from public.businesses b where b.id = p_business_id;
  return jsonb_build_object('owner', p_user_id);
end
$$;
comment on function public.hand_over_business(uuid, uuid) is
  'The owner makes a member the owner and stays as a member; {owner}.';
grant execute on function public.hand_over_business(uuid, uuid) to authenticated;

create function private.find_new_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- An account was deleted: a business that still has people must have somebody who decides.
  if old.role = 'owner' and not exists (
    select from public.business_members m
    where m.business_id = old.business_id and m.role = 'owner'
  ) then
    update public.business_members m set role = 'owner'
    where m.business_id = old.business_id and m.user_id = (
      select o.user_id from public.business_members o
      where o.business_id = old.business_id order by o.joined_at, o.user_id limit 1
    );
  end if;
  return null;
end
$$;
create trigger business_members_have_an_owner after delete on public.business_members
  for each row execute function private.find_new_owner();

-- From 20261122000205_business_records.sql
-- Business records: what a business says of itself, saved field by field as one types; its figures
-- at a date; archiving it and bringing it back; and the questions that its pages ask.

-- What a business says of itself ----------------------------------------------------------------

create function private.business_facts(p_business public.businesses) returns jsonb
language sql stable set search_path = '' as $$
  select jsonb_object_agg(
    f.key,
    case
      when f.key = 'home_based' then
        to_jsonb(case f.value #>> '{}' when 'true' then 'yes' when 'false' then 'no' else '' end)
      else to_jsonb(coalesce(f.value #>> '{}', ''))
    end
  )
  from jsonb_each(to_jsonb(p_business)) as f (key, value)
  where f.key in (
    'name', 'trading', 'postal_code', 'help_wanted', 'legal_name', 'entity_type', 'industry',
    'stage', 'start_date', 'address_line1', 'address_line2', 'city', 'region', 'country', 'phone',
    'website', 'home_based', 'description'
  )
$$;
comment on function private.business_facts(public.businesses) is
  'What a business says of itself as a form shows it: every field a text, '''' while unknown.';

create function private.fact_as_stored(p_field text, p_value text) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_field in ('help_wanted', 'description') then nullif(btrim(p_value, e' \t\r\n'), '')
    when p_field = 'website' and l.line !~* '^https?://' then 'https://' || l.line
    when p_field = 'country' then upper(l.line)
    else l.line
  end
  from (select private.clean_line(p_value, 10000) as line) l
$$;
comment on function private.fact_as_stored(text, text) is
  'What somebody typed into a field of a business, as it is written down; null for nothing.';

create function private.check_business_fact(p_field text, p_value text) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_value text := private.fact_as_stored(p_field, p_value);
  v_longest int := case p_field
    when 'name' then 120 when 'postal_code' then 16 when 'help_wanted' then 2000
    when 'legal_name' then 200 when 'entity_type' then 80 when 'industry' then 120
    when 'stage' then 80 when 'address_line1' then 200 when 'address_line2' then 200
    when 'city' then 120 when 'region' then 120 when 'phone' then 40 when 'website' then 300
    when 'description' then 4000
  end;
  v_date date;
begin
  if p_field = 'name' and v_value is null then
    raise exception 'Give the business a name.' using errcode = '22023', hint = 'name';
  end if;
  if v_value is null then
    return null;
  end if;
  if char_length(v_value) > v_longest then
    raise exception 'Use at most % characters.', to_char(v_longest, 'FM9,999')
      using errcode = '22023', hint = p_field;
  end if;
  case p_field
    when 'trading' then
      if v_value not in ('trading', 'not-yet') then
        raise exception 'Say whether the business is trading yet.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'home_based' then
      if v_value not in ('yes', 'no') then
        raise exception 'Choose yes or no.' using errcode = '22023', hint = p_field;
      end if;
    when 'country' then
      if v_value !~ '^[A-Z]{2}$' then
        raise exception 'Choose a country from the list.' using errcode = '22023', hint = p_field;
      end if;
    when 'postal_code' then
      if v_value !~ '^[A-Za-z0-9 -]*$' then
        raise exception 'A postal code has letters, digits and spaces only.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'phone' then
      if v_value !~ '^[0-9+() ./x-]*[0-9][0-9+() ./x-]*$' then
        raise exception 'A telephone number has digits, such as +1 505 555 0114.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'website' then
      if v_value !~* '^https?://[^[:space:]/.]+[.][^[:space:]]+$' then
        raise exception 'A web address looks like www.example.com.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'start_date' then
      begin
        v_date := v_value::date;
      exception when others then
        v_date := null;
      end;
      if v_date is null or v_date < date '1700-01-01' or v_date > current_date + 3660 then
        raise exception 'Enter a date from 1700 to ten years ahead.'
          using errcode = '22023', hint = p_field;
      end if;
      v_value := to_char(v_date, 'YYYY-MM-DD');
    else
      null;
  end case;
  return v_value;
end
$$;
comment on function private.check_business_fact(text, text) is
  'The value as it is stored, null for unknown; an error (22023) in words when it does not fit.';

create function public.save_business_fact(
  p_business_id uuid, p_field text, p_value text, p_known text[]
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_business public.businesses;
  v_facts jsonb;
  v_value text;
begin
  -- P0002 for strangers, before anything is said about the value.
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  select * into v_business from public.businesses b where b.id = p_business_id for update;
  v_facts := private.business_facts(v_business);
  if not v_facts ? coalesce(p_field, '') then
    raise exception 'A business has no such field.' using errcode = '22023', hint = 'field';
  end if;
  v_value := private.check_business_fact(p_field, p_value);
  if coalesce(v_value, '') = v_facts ->> p_field then
    return jsonb_build_object('saved', true, 'value', v_facts ->> p_field);
  end if;
  -- Whoever saves says what they know to have stood here. Something else is a colleague's.
  if not exists (
    select from unnest(p_known) as k (value)
    where coalesce(private.fact_as_stored(p_field, k.value), '') = v_facts ->> p_field
  ) then
    return jsonb_build_object('saved', false, 'value', v_facts ->> p_field);
  end if;
  execute format(
    'update public.businesses set %I = $1::%s where id = $2', p_field,
    case p_field when 'start_date' then 'date' when 'home_based' then 'boolean' else 'text' end
  ) using v_value, p_business_id;
  return jsonb_build_object('saved', true, 'value', coalesce(v_value, ''));
end
$$;
comment on function public.save_business_fact(uuid, text, text, text[]) is
  'A member saves one field of a business, '''' for unknown; {saved, value}. p_known are the values that they saw or sent before: where another one stands, nothing is saved and it comes back.';
grant execute on function public.save_business_fact(uuid, text, text, text[]) to authenticated;

-- Figures at a date -----------------------------------------------------------------------------

create function public.add_snapshot(
  p_id uuid, p_business_id uuid, p_taken_on date,
  p_full_time int default null, p_part_time int default null,
  p_revenue_minor bigint default null, p_profit_minor bigint default null,
  p_currency text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found public.business_snapshots;
begin
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  perform private.one_at_a_time('business', p_business_id);
  select * into v_found from public.business_snapshots s where s.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.business_id <> p_business_id or v_found.created_by is distinct from v_user_id then
      raise exception 'These figures exist already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', p_id);
  end if;
  if p_id is null then
    raise exception 'Figures need an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_taken_on is null or p_taken_on not between date '1900-01-01' and private.my_today() then
    raise exception 'Enter the day that the figures are of: today or earlier.'
      using errcode = '22023', hint = 'taken_on';
  end if;
  if num_nonnulls(p_full_time, p_part_time, p_revenue_minor, p_profit_minor) = 0 then
    raise exception 'Enter at least one figure; leave out what you do not know.'
      using errcode = '22023', hint = 'full_time';
  end if;
  if p_full_time not between 0 and 1000000 then
    raise exception 'Count whole people, from 0.' using errcode = '22023', hint = 'full_time';
  end if;
  if p_part_time not between 0 and 1000000 then
    raise exception 'Count whole people, from 0.' using errcode = '22023', hint = 'part_time';
  end if;
  if p_revenue_minor not between 0 and 100000000000000 then
    raise exception 'Revenue is not below 0.' using errcode = '22023', hint = 'revenue';
  end if;
  if abs(p_profit_minor) > 100000000000000 then
    raise exception 'This is more than we can write down.' using errcode = '22023', hint = 'profit';
  end if;
  if num_nonnulls(p_revenue_minor, p_profit_minor) > 0
    and coalesce(p_currency, '') !~ '^[A-Z]{3}$'
  then
    raise exception 'Choose the currency of the amounts.' using errcode = '22023', hint = 'currency';
  end if;
  insert into public.business_snapshots (
    id, business_id, taken_on, full_time, part_time, revenue_minor, profit_minor, currency,
    created_by, created_at
  ) values (
    p_id, p_business_id, p_taken_on, p_full_time, p_part_time, p_revenue_minor, p_profit_minor,
    case when num_nonnulls(p_revenue_minor, p_profit_minor) > 0 then p_currency end, v_user_id,
    -- Not now(): of two corrections in one transaction the later one counts.
    clock_timestamp()
  );
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.add_snapshot(uuid, uuid, date, int, int, bigint, bigint, text) is
  'A member adds figures of a day, or corrects those of that day by newer ones; {id}. Unknown is null, never 0. Amounts are of a year, in minor units.';
grant execute on function public.add_snapshot(uuid, uuid, date, int, int, bigint, bigint, text)
  to authenticated;

create function private.snapshots_json(p_business_id uuid, p_before date, p_limit int) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', s.id, 'taken_on', s.taken_on, 'full_time', s.full_time, 'part_time', s.part_time,
      'revenue_minor', s.revenue_minor, 'profit_minor', s.profit_minor, 'currency', s.currency,
      'added_by', private.name_of(s.created_by), 'added_at', s.created_at,
      'corrections', (
        select count(*) - 1 from public.business_snapshots c
        where c.business_id = p_business_id and c.taken_on = s.taken_on
      )
    ) order by s.taken_on desc
  ), '[]')
  from (
    -- The days first: the index gives as many as are asked for and is then left alone.
    select distinct b.taken_on from public.business_snapshots b
    where b.business_id = p_business_id and b.taken_on < coalesce(p_before, 'infinity')
    order by b.taken_on desc
    limit least(greatest(coalesce(p_limit, 24), 1), 100)
  ) d
  cross join lateral (
    select b.* from public.business_snapshots b
    where b.business_id = p_business_id and b.taken_on = d.taken_on
    order by b.created_at desc, b.id limit 1
  ) s
$$;
comment on function private.snapshots_json(uuid, date, int) is
  'The figures that count of each day, newest day first, and how often each day was corrected.';

create function public.list_snapshots(
  p_business_id uuid, p_before date default null, p_limit int default 24
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not p_business_id = any (array(select private.readable_business_ids())) then
    raise exception 'This business was not found.' using errcode = 'P0002';
  end if;
  return private.snapshots_json(p_business_id, p_before, p_limit);
end
$$;
comment on function public.list_snapshots(uuid, date, int) is
  'Figures of a business from before a day, newest first, for its members and the assigned coach.';
grant execute on function public.list_snapshots(uuid, date, int) to authenticated;

-- Archiving -------------------------------------------------------------------------------------

create function public.archive_business(p_business_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.require_owner(p_business_id);
  update public.businesses b set archived_at = now()
  where b.id = p_business_id and b.archived_at is null;
  if found then
    update public.business_invitations i set ended = 'revoked', ended_at = now()
    where i.business_id = p_business_id and i.ended is null;
    perform private.withdraw_coaching(p_business_id, null, 'The business was archived.');
  end if;
  return (
    select jsonb_build_object('id', b.id, 'archived_at', b.archived_at)
    from public.businesses b where b.id = p_business_id
  );
end
$$;
comment on function public.archive_business(uuid) is
  'The owner archives a business: it can be read and not changed, open invitations no longer work and open coaching ends; {id, archived_at}.';
grant execute on function public.archive_business(uuid) to authenticated;

create function public.unarchive_business(p_business_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.require_owner(p_business_id);
  update public.businesses b set archived_at = null where b.id = p_business_id;
  perform private.take_over_attempts(m.user_id, p_business_id)
  from (
    select n.user_id from public.business_members n
    where n.business_id = p_business_id order by n.user_id
  ) m;
  return jsonb_build_object('id', p_business_id, 'archived_at', null);
end
$$;
comment on function public.unarchive_business(uuid) is
  'The owner brings a business back as it was; invitations and coaching start anew; {id, archived_at}.';
grant execute on function public.unarchive_business(uuid) to authenticated;

-- What the pages ask ----------------------------------------------------------------------------

create function public.list_businesses(
  p_archived boolean default false, p_page int default 1, p_page_size int default 20
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_size int := least(greatest(coalesce(p_page_size, 20), 1), 100);
  v_skip bigint := (least(greatest(coalesce(p_page, 1), 1), 1000000)::bigint - 1) * v_size;
begin
  return (
    with mine as materialized (
      select b.*, m.role
      from public.businesses b
      left join public.business_members m on m.business_id = b.id and m.user_id = v_user_id
      where b.id = any (array(select private.readable_business_ids()))
    )
    select jsonb_build_object(
      'total', (select count(*) from mine where (archived_at is not null) = p_archived),
      'other', (select count(*) from mine where (archived_at is not null) <> p_archived),
      'page_size', v_size,
      'invitations', case when p_archived then '[]'::jsonb else private.invitations_to_me() end,
      'businesses', coalesce((
        select jsonb_agg(
          jsonb_build_object(
            'id', o.id, 'name', o.name, 'trading', o.trading, 'city', o.city, 'region', o.region,
            'postal_code', o.postal_code, 'industry', o.industry, 'role', o.role,
            'archived_at', o.archived_at,
            'members', (select count(*) from public.business_members a where a.business_id = o.id)
          ) order by o.name collate private.by_name, o.id
        )
        from (
          select * from mine where (archived_at is not null) = p_archived
          order by name collate private.by_name, id offset v_skip limit v_size
        ) o
      ), '[]')
    )
  );
end
$$;
comment on function public.list_businesses(boolean, int, int) is
  'A page of the businesses that one may read, by name: {businesses, total, other (archived, or the rest), page_size, invitations (open ones to oneself)}. role is null for the coach.';
grant execute on function public.list_businesses(boolean, int, int) to authenticated;

create function public.get_business(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_business public.businesses;
  v_role text;
begin
  select * into v_business from public.businesses b
  where b.id = p_id and b.id = any (array(select private.readable_business_ids()));
  if not found then
    return null;
  end if;
  select m.role into v_role from public.business_members m
  where m.business_id = p_id and m.user_id = v_user_id;
  return jsonb_build_object(
    'id', v_business.id, 'role', v_role, 'archived_at', v_business.archived_at,
    'facts', private.business_facts(v_business),
    'snapshots', private.snapshots_json(p_id, null, 24),
    -- Who belongs to it is for its members.
    'members', case when v_role is null then '[]'::jsonb else coalesce((
      select jsonb_agg(
        jsonb_build_object(
          'user_id', m.user_id, 'name', private.name_of(m.user_id), 'role', m.role,
          'joined_at', m.joined_at
        ) order by m.role desc, m.joined_at, m.user_id
      )
      from (
        select * from public.business_members a where a.business_id = p_id
        order by a.role desc, a.joined_at limit 200
      ) m
    ), '[]') end,
    'invitations', case when v_role is distinct from 'owner' then '[]'::jsonb else coalesce((
      select jsonb_agg(private.invitation_json(i.id) order by i.created_at desc, i.id)
      from public.business_invitations i where i.business_id = p_id and i.ended is null
    ), '[]') end,
    'plan', private.plan_progress(p_id)
  );
end
$$;
comment on function public.get_business(uuid) is
  'A business with its figures, members, open invitations (for its owner) and how far its plan is; null for whoever may not read it. role is null for the coach.';
grant execute on function public.get_business(uuid) to authenticated;

-- From 20261122000210_business_plans.sql
-- Business plans: one page, field by field, with everything that stood there before.
--
-- Two people may write at once. In different fields both keep theirs; in the same field the second
-- is told what the first one wrote, and nothing is overwritten until they have chosen.

create table public.business_plan_fields (
  business_id uuid not null references public.businesses (id) on delete cascade,
  field text not null check (
    field in (
      'problem', 'offer', 'customer', 'competitors', 'channels', 'revenue', 'costs', 'milestones',
      'team', 'funding', 'measures', 'assumption', 'evidence', 'test'
    )
  ),
  -- What fits on one printed page together with all the others.
  value text not null check (char_length(value) <= 400),
  -- Counts changes of this field.
  revision int not null check (revision > 0),
  saved_by uuid references auth.users (id) on delete set null,
  saved_at timestamptz not null default now(),
  primary key (business_id, field)
);
comment on table public.business_plan_fields is
  'The one-page plan of a business as it stands: a row for each field that was ever filled in.';
create index business_plan_fields_saved_by_idx on public.business_plan_fields (saved_by);

create table public.business_plan_versions (
  business_id uuid not null,
  field text not null,
  revision int not null check (revision > 0),
  value text not null,
  -- No foreign key: what was written outlives the account.
  saved_by uuid,
  -- The open page that wrote it; two tabs of one person are two.
  editor uuid not null,
  began_at timestamptz not null default clock_timestamp(),
  saved_at timestamptz not null default clock_timestamp(),
  restored_from int,
  primary key (business_id, field, revision),
  foreign key (business_id, field)
    references public.business_plan_fields (business_id, field) on delete cascade
);
comment on table public.business_plan_versions is
  'What stood in the fields of plans, with who wrote it and when. What one page writes within ten minutes is one version.';

-- Row-level security ----------------------------------------------------------------------------

alter table public.business_plan_fields enable row level security;
alter table public.business_plan_versions enable row level security;

create policy "Members and the assigned coach read the plan of a business"
  on public.business_plan_fields for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
create policy "The history of a plan is read by whoever reads the plan"
  on public.business_plan_versions for select to authenticated
  using (
    (select private.session_ok())
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.business_plan_fields, public.business_plan_versions to authenticated;

-- Procedures ------------------------------------------------------------------------------------

create function private.plan_progress(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'filled', count(*) filter (where f.value <> ''), 'of', 14, 'saved_at', max(f.saved_at)
  )
  from public.business_plan_fields f where f.business_id = p_business_id
$$;

create function private.plan_field_json(p_field public.business_plan_fields) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'field', p_field.field, 'value', p_field.value, 'revision', p_field.revision,
    'saved_by', private.name_of(p_field.saved_by), 'saved_at', p_field.saved_at
  )
$$;

create function public.get_plan(p_business_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'business_id', b.id, 'name', b.name, 'archived', b.archived_at is not null,
      'role', (
        select m.role from public.business_members m
        where m.business_id = b.id and m.user_id = v_user_id
      ),
      'fields', coalesce((
        select jsonb_agg(private.plan_field_json(f) order by f.field)
        from public.business_plan_fields f where f.business_id = b.id
      ), '[]')
    )
    from public.businesses b
    where b.id = p_business_id and b.id = any (array(select private.readable_business_ids()))
  );
end
$$;
comment on function public.get_plan(uuid) is
  'The plan of a business: {business_id, name, archived, role, fields}; null for whoever may not read it. role is null for the coach, and fields never filled in are left out.';
grant execute on function public.get_plan(uuid) to authenticated;

create function private.write_plan_field(
  p_business_id uuid, p_field text, p_value text, p_editor uuid, p_restored_from int
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Versions of a field.
  c_kept constant int := 500;
  v_user_id uuid := auth.uid();
  v_revision int;
begin
  insert into public.business_plan_fields as f (
    business_id, field, value, revision, saved_by, saved_at
  ) values (p_business_id, p_field, p_value, 1, v_user_id, clock_timestamp())
  on conflict (business_id, field) do update
    set value = excluded.value, revision = f.revision + 1, saved_by = excluded.saved_by,
      saved_at = excluded.saved_at
  returning f.revision into v_revision;

  -- One page that goes on writing goes on with its version; a restored one stands for itself.
  update public.business_plan_versions v
  set revision = v_revision, value = p_value, saved_at = clock_timestamp()
  where v.business_id = p_business_id and v.field = p_field and v.revision = v_revision - 1
    and v.editor = p_editor and v.saved_by = v_user_id and v.restored_from is null
    and p_restored_from is null and v.began_at > clock_timestamp() - interval '10 minutes';
  if not found then
    insert into public.business_plan_versions (
      business_id, field, revision, value, saved_by, editor, restored_from
    ) values (
      p_business_id, p_field, v_revision, p_value, v_user_id, p_editor, p_restored_from
    );
    -- Refusing to save would be worse than forgetting the oldest of so many.
    delete from public.business_plan_versions v
    where v.business_id = p_business_id and v.field = p_field and v.revision <= (
      select o.revision from public.business_plan_versions o
      where o.business_id = p_business_id and o.field = p_field
      order by o.revision desc offset c_kept limit 1
    );
  end if;
end
$$;

create function public.save_plan_field(
  p_business_id uuid, p_field text, p_value text, p_base_revision int, p_editor uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_value text := btrim(replace(coalesce(p_value, ''), e'\r\n', e'\n'), e' \t\n');
  v_before public.business_plan_fields;
  v_saved boolean := true;
begin
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_field is null or p_field not in (
    'problem', 'offer', 'customer', 'competitors', 'channels', 'revenue', 'costs', 'milestones',
    'team', 'funding', 'measures', 'assumption', 'evidence', 'test'
  ) then
    raise exception 'A plan has no such field.' using errcode = '22023', hint = 'field';
  end if;
  if p_editor is null then
    raise exception 'Say which page writes.' using errcode = '22023', hint = 'editor';
  end if;
  if char_length(v_value) > 400 then
    raise exception 'Keep it to 400 characters, so that the plan stays on one page.'
      using errcode = '22023', hint = p_field;
  end if;
  if char_length(v_value) - char_length(replace(v_value, e'\n', '')) > 9 then
    raise exception 'Keep it to ten lines, so that the plan stays on one page.'
      using errcode = '22023', hint = p_field;
  end if;

  perform private.one_at_a_time('plan', p_business_id);
  select * into v_before from public.business_plan_fields f
  where f.business_id = p_business_id and f.field = p_field;
  if coalesce(v_before.value, '') <> v_value then
    -- Whatever this page has not seen was written by somebody else: it is for a person to choose.
    v_saved := not exists (
      select from public.business_plan_versions v
      where v.business_id = p_business_id and v.field = p_field
        and v.revision > coalesce(p_base_revision, 0)
        and (v.editor <> p_editor or v.saved_by is distinct from v_user_id)
    );
    if v_saved then
      perform private.write_plan_field(p_business_id, p_field, v_value, p_editor, null);
    end if;
  end if;
  return jsonb_build_object(
    'saved', v_saved,
    'field', (
      select private.plan_field_json(f) from public.business_plan_fields f
      where f.business_id = p_business_id and f.field = p_field
    )
  );
end
$$;
comment on function public.save_plan_field(uuid, text, text, int, uuid) is
  'A member saves one field of the plan; {saved, field}. p_base_revision is what their page showed, p_editor the page: what somebody else wrote since is not overwritten but comes back with saved false.';
grant execute on function public.save_plan_field(uuid, text, text, int, uuid) to authenticated;

create function public.list_plan_versions(
  p_business_id uuid, p_field text, p_before int default null, p_limit int default 20
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not p_business_id = any (array(select private.readable_business_ids())) then
    raise exception 'This business was not found.' using errcode = 'P0002';
  end if;
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'revision', v.revision, 'value', v.value, 'saved_at', v.saved_at,
        'saved_by', private.name_of(v.saved_by), 'restored_from', v.restored_from
      ) order by v.revision desc
    ), '[]')
    from (
      select * from public.business_plan_versions a
      where a.business_id = p_business_id and a.field = p_field
        and (p_before is null or a.revision < p_before)
      order by a.revision desc limit least(greatest(coalesce(p_limit, 20), 1), 100)
    ) v
  );
end
$$;
comment on function public.list_plan_versions(uuid, text, int, int) is
  'What stood in a field of a plan, newest first, with who wrote it and when, for whoever reads the plan.';
grant execute on function public.list_plan_versions(uuid, text, int, int) to authenticated;

create function public.restore_plan_version(
  p_business_id uuid, p_field text, p_revision int, p_editor uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_value text;
  v_now text;
begin
  perform private.require_session();
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_editor is null then
    raise exception 'Say which page writes.' using errcode = '22023', hint = 'editor';
  end if;
  perform private.one_at_a_time('plan', p_business_id);
  select v.value into v_value from public.business_plan_versions v
  where v.business_id = p_business_id and v.field = p_field and v.revision = p_revision;
  if not found then
    raise exception 'This version was not found.' using errcode = 'P0002';
  end if;
  select f.value into v_now from public.business_plan_fields f
  where f.business_id = p_business_id and f.field = p_field;
  -- What stands there now is a version as well: nothing is lost by bringing an older one back.
  if v_now <> v_value then
    perform private.write_plan_field(p_business_id, p_field, v_value, p_editor, p_revision);
  end if;
  return (
    select private.plan_field_json(f) from public.business_plan_fields f
    where f.business_id = p_business_id and f.field = p_field
  );
end
$$;
comment on function public.restore_plan_version(uuid, text, int, uuid) is
  'A member brings an older version of a field back, as a new one; gives the field as it stands then.';
grant execute on function public.restore_plan_version(uuid, text, int, uuid) to authenticated;

-- From 20261122000320_account_deletion.sql
-- Account: who is signed in where, and deleting an account after a grace of 30 days.
--
--   (nothing) → due in 30 days → deleted        kept again at any time before
--
-- While the grace lasts everything works as before, and every signed-in page says what is coming.
-- Then the person goes: from businesses with other members, which get another owner; from attempts,
-- which stay for statistics. What only they could see goes with them, files included.

create table public.account_deletions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null default now() + interval '30 days' check (due_at > requested_at),
  reminded_at timestamptz
);
comment on table public.account_deletions is
  'Accounts that are to be deleted, and when. No API role reads or writes it.';
create index account_deletions_due_at_idx on public.account_deletions (due_at);

create table public.file_removals (
  bucket_id text not null,
  path text not null check (char_length(path) between 1 and 1024),
  added_at timestamptz not null default now(),
  tries int not null default 0,
  primary key (bucket_id, path)
);
comment on table public.file_removals is
  'Stored files that nobody may see any more and that are to be removed. No API role reads or writes it.';
create index file_removals_added_at_idx on public.file_removals (added_at);

alter table public.account_deletions enable row level security;
alter table public.file_removals enable row level security;

-- Proved a moment ago ---------------------------------------------------------------------------

create function private.require_fresh_session() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  -- The newest proof of this session: a password, a mailed code, a code of the app.
  if coalesce((
    select max((proof ->> 'timestamp')::numeric)
    from jsonb_array_elements(coalesce(auth.jwt() -> 'amr', '[]')) as proof
  ), 0) < extract(epoch from now()) - 600 then
    raise exception 'Show once more that it is you.' using errcode = '42501', hint = 'proof';
  end if;
  return v_user_id;
end
$$;
comment on function private.require_fresh_session() is
  'The person who asks, or an error (42501) when they proved themselves longer than ten minutes ago.';

-- Where somebody is signed in -------------------------------------------------------------------

create function private.sessions_json(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', s.id, 'signed_in_at', s.created_at, 'seen_at', s.seen_at,
      'user_agent', left(s.user_agent, 500), 'current', s.current
    )
    order by s.current desc, s.seen_at desc, s.id
  ), '[]')
  from (
    select o.id, o.created_at, o.user_agent,
      coalesce(o.refreshed_at at time zone 'utc', o.created_at) as seen_at,
      o.id::text = coalesce(auth.jwt() ->> 'session_id', '') as current
    from auth.sessions o
    where o.user_id = p_user_id and (o.not_after is null or o.not_after > now())
    order by 5 desc, 4 desc
    limit 50
  ) s
$$;
comment on function private.sessions_json(uuid) is
  'Open sessions, at most 50, this one first and then by when they were last used.';

create function public.list_sessions() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.sessions_json(private.require_session())
$$;
comment on function public.list_sessions() is
  'Where the person is signed in, this session first: [{id, signed_in_at, seen_at, user_agent, current}].';
grant execute on function public.list_sessions() to authenticated;

create function public.end_session(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_id::text = auth.jwt() ->> 'session_id' then
    raise exception 'This is the session you use now. Sign out instead.' using errcode = '55000';
  end if;
  delete from auth.sessions s where s.id = p_id and s.user_id = v_user_id;
  return private.sessions_json(v_user_id);
end
$$;
comment on function public.end_session(uuid) is
  'Ends one other session of the person; what list_sessions gives. Ending one that is gone changes nothing.';
grant execute on function public.end_session(uuid) to authenticated;

create function private.forget_second_factor(p_email text, p_reason text) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid;
  v_count int;
begin
  select u.id into v_user_id from auth.users u where lower(u.email) = lower(btrim(p_email));
  if v_user_id is null then
    raise exception 'No account has the address %.', p_email using errcode = 'P0002', hint = 'email';
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified';
  get diagnostics v_count = row_count;
  if v_count > 0 then
    delete from auth.sessions s where s.user_id = v_user_id;
    perform private.audit(
      'second_factor.forget', 'user', v_user_id::text, private.require_reason(p_reason)
    );
    perform private.notify_person(
      v_user_id, 'Your second factor was removed',
      'You asked us, because you could not use your authenticator app any more. Your password alone signs you in until you add an app again.',
      'You get this mail because the way you sign in has changed. If you did not ask, choose a new password at once and write to us.',
      'Sign in', '/dashboard/profile'
    );
  end if;
  return v_count;
end
$$;
comment on function private.forget_second_factor(text, text) is
  'For somebody whose phone is lost, after whoever runs the server has made sure who asks: select private.forget_second_factor(''someone@example.org'', ''called back''). No API role may call it.';

-- What the page about one''s account shows --------------------------------------------------------

create function private.is_last_admin(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.role_of(p_user_id) = 'admin' and not exists (
    select from public.staff_roles s where s.role = 'admin' and s.user_id <> p_user_id
  )
$$;

create function private.heirs(p_user_id uuid)
returns table (business_id uuid, name text, role text, heir_id uuid, alone boolean)
language sql stable security definer set search_path = '' as $$
  select m.business_id, b.name, m.role,
    case when m.role = 'owner' then (
      select o.user_id from public.business_members o
      where o.business_id = m.business_id and o.user_id <> p_user_id
      order by o.joined_at, o.user_id limit 1
    ) end,
    not exists (
      select from public.business_members o
      where o.business_id = m.business_id and o.user_id <> p_user_id
    )
  from public.business_members m join public.businesses b on b.id = m.business_id
  where m.user_id = p_user_id
$$;
comment on function private.heirs(uuid) is
  'What becomes of each business of a person who goes: nobody is left (alone), somebody inherits it (heir_id), or it stays with its owner.';

create function public.get_account() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'email', u.email,
      'has_password', coalesce(u.encrypted_password, '') <> '',
      'new_email', nullif(u.email_change, ''),
      'new_email_sent_at', case when nullif(u.email_change, '') is not null then u.email_change_sent_at end,
      'factors', coalesce((
        select jsonb_agg(
          jsonb_build_object('id', f.id, 'added_at', f.created_at)
          order by f.created_at, f.id
        )
        from auth.mfa_factors f
        where f.user_id = v_user_id and f.status = 'verified' and f.factor_type = 'totp'
      ), '[]'),
      'sessions', private.sessions_json(v_user_id),
      'deletion_due_at', (
        select d.due_at from public.account_deletions d where d.user_id = v_user_id
      ),
      'last_admin', private.is_last_admin(v_user_id),
      'ending', coalesce((
        select jsonb_agg(e.name order by e.name) from (
          select h.name from private.heirs(v_user_id) h where h.alone order by h.name limit 20
        ) e
      ), '[]'),
      'passing', coalesce((
        select jsonb_agg(jsonb_build_object('name', e.name, 'to', e.heir) order by e.name) from (
          select h.name, private.name_of(h.heir_id) as heir
          from private.heirs(v_user_id) h where h.heir_id is not null order by h.name limit 20
        ) e
      ), '[]')
    )
    from auth.users u where u.id = v_user_id
  );
end
$$;
comment on function public.get_account() is
  'How the person signs in and what deleting would do: {email, has_password, new_email, new_email_sent_at, factors, sessions, deletion_due_at, last_admin, ending (names of businesses nobody else belongs to), passing ({name, to})}.';
grant execute on function public.get_account() to authenticated;

-- Asking, and thinking again --------------------------------------------------------------------

create function public.request_account_deletion() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_fresh_session();
  v_due_at timestamptz;
begin
  -- Two admins who leave at once would leave none.
  lock table public.staff_roles in share row exclusive mode;
  if private.role_of(v_user_id) = 'admin' and not exists (
    select from public.staff_roles s
    where s.role = 'admin' and s.user_id <> v_user_id
      and not exists (select from public.account_deletions d where d.user_id = s.user_id)
  ) then
    raise exception 'You are the last admin. Name another one first.' using errcode = '55000';
  end if;

  insert into public.account_deletions (user_id) values (v_user_id)
  on conflict (user_id) do nothing
  returning due_at into v_due_at;
  if found then
    perform private.audit('account.delete_later', 'user', v_user_id::text);
    perform private.notify_person(
      v_user_id, 'Your account will be deleted on ' || private.day_words(v_due_at, v_user_id),
      'You asked for it. Until ' || private.time_words(v_due_at, v_user_id) || ' that day everything works as before, and one button keeps the account. After that it cannot be brought back: take everything about you with you first, from the same page.',
      'You get this mail because somebody who was signed in asked for it. If it was not you, keep the account and choose a new password.',
      'Keep my account', '/dashboard/profile'
    );
  else
    select d.due_at into v_due_at from public.account_deletions d where d.user_id = v_user_id;
  end if;
  return jsonb_build_object('deletion_due_at', v_due_at);
end
$$;

comment on function public.request_account_deletion() is
  'Deletes the account of whoever asks in 30 days; {deletion_due_at}. Only in a session that was proved within ten minutes; never the last admin. Asking twice changes nothing.';
grant execute on function public.request_account_deletion() to authenticated;

create function public.keep_account() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  delete from public.account_deletions d where d.user_id = v_user_id;
  if found then
    perform private.audit('account.keep', 'user', v_user_id::text);
    perform private.notify_person(
      v_user_id, 'Your account stays',
      'It is no longer going to be deleted, and nothing was changed.',
      'You get this mail because the deletion of your account was taken back.',
      'Your profile', '/dashboard/profile'
    );
  end if;
  return jsonb_build_object('deletion_due_at', null);
end
$$;
comment on function public.keep_account() is
  'Takes the deletion of the account back; {deletion_due_at: null}. Where none was asked for nothing changes.';
grant execute on function public.keep_account() to authenticated;

-- Carrying it out -------------------------------------------------------------------------------

create function private.erase_business(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.withdraw_coaching(p_id, null, 'The account of the owner was deleted.');
  insert into public.file_removals (bucket_id, path)
  select o.bucket_id, o.name from storage.objects o
  -- In this bucket alone: ids come from browsers, and may be those of something else elsewhere.
  where o.bucket_id = 'project-files' and starts_with(o.name, p_id::text || '/')
  on conflict do nothing;

  perform set_config('trellis.erasing', 'on', true);
  delete from public.project_files f where f.business_id = p_id;
  delete from public.project_tasks t where t.business_id = p_id;
  delete from public.project_updates u where u.business_id = p_id;
  delete from public.project_events e where e.business_id = p_id;
  delete from public.projects p where p.business_id = p_id;
  delete from public.tool_copies c where c.business_id = p_id;
  delete from public.business_plan_fields f where f.business_id = p_id;
  delete from public.business_snapshots s where s.business_id = p_id;
  delete from public.business_invitations i where i.business_id = p_id;
  perform set_config('trellis.erasing', '', true);

  -- What is left says which kind of business answered the quiz, and no longer which one.
  update public.businesses b set
    name = 'A business that was deleted', postal_code = null, help_wanted = null, legal_name = null,
    start_date = null, address_line1 = null, address_line2 = null, city = null, region = null,
    country = null, phone = null, website = null, home_based = null, description = null,
    archived_at = coalesce(b.archived_at, now())
  where b.id = p_id;
end
$$;
comment on function private.erase_business(uuid) is
  'Empties a business that nobody belongs to any more. Its industry and stage stay, because attempts do.';

create function private.delete_account(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Somebody you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them (see private.hold_coach).
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify_person(
    c.person_id, v_name || ' has deleted their account',
    case when c.coached then 'They were your coach. Your coaching stays open, and we are looking for somebody else for you.'
      else 'You were their coach. The engagement has ended.' end,
    'You get this mail because you worked together.', 'Your coaching', '/dashboard/coaching'
  )
  from (
    select distinct case when e.coach_id = p_user_id then e.owner_id else e.coach_id end as person_id,
      e.coach_id = p_user_id as coached
    from public.engagements e
    where p_user_id in (e.owner_id, e.coach_id)
      and e.state in ('requested', 'assigned', 'accepted', 'active', 'paused')
  ) c
  where c.person_id is not null;

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.one_at_a_time('business', v_business.business_id);
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The account of the owner was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify_person(
        m.user_id, 'You are now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You decide who belongs to the business, and whether it is archived.',
        'You get this mail because you belong to the business.',
        'Open the business', '/dashboard/businesses/' || v_business.business_id
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform set_config('trellis.reason', 'The account was deleted.', true);
  update public.engagements e set note = null where e.owner_id = p_user_id and e.note is not null;
  update public.engagements e set coach_id = null
  where e.coach_id = p_user_id
    and e.state in ('assigned', 'accepted', 'active', 'paused');
  perform set_config('trellis.reason', '', true);

  insert into public.file_removals (bucket_id, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'avatars' and starts_with(o.name, p_user_id::text || '/')
  on conflict do nothing;

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.contacts c where c.email = lower(v_email);
  delete from public.mail_outbox o where lower(o.to_address) = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  insert into public.mail_outbox (to_address, template, data) values (
    v_email, 'notice', jsonb_build_object(
      'subject', 'Your account has been deleted', 'heading', 'Your account has been deleted',
      'paragraphs', jsonb_build_array('As you asked 30 days ago. This is the last mail, and your address is forgotten once it is sent and 30 days have passed.'),
      'why', 'You get this mail because this address had an account.'
    )
  );
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$$;
comment on function private.delete_account(uuid) is
  'Deletes a person: businesses get another owner or are emptied, attempts lose their name, the rest goes.';

create function private.delete_due_accounts() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_due record;
  v_deleted int := 0;
  v_reminded int := 0;
begin
  for v_due in
    select d.user_id, d.due_at from public.account_deletions d
    where d.reminded_at is null and d.due_at <= now() + interval '7 days' and d.due_at > now()
    for update skip locked
  loop
    update public.account_deletions d set reminded_at = now() where d.user_id = v_due.user_id;
    perform private.notify_person(
      v_due.user_id, 'One week left: your account will be deleted on ' || private.day_words(v_due.due_at, v_due.user_id),
      'That is at ' || private.time_words(v_due.due_at, v_due.user_id) || '. After that it cannot be brought back. If you want everything about you in one archive, now is the time.',
      'You get this mail because you asked for your account to be deleted.',
      'Keep my account', '/dashboard/profile'
    );
    v_reminded := v_reminded + 1;
  end loop;

  lock table public.staff_roles in share row exclusive mode;
  for v_due in
    select d.user_id from public.account_deletions d
    where d.due_at <= now() order by d.due_at limit 100
    for update skip locked
  loop
    if private.is_last_admin(v_due.user_id) then
      -- The others left in the meantime: somebody must be able to name the next admin.
      delete from public.account_deletions d where d.user_id = v_due.user_id;
      perform private.notify_person(
        v_due.user_id, 'Your account was not deleted',
        'You are the last admin. Name another one, then ask again.',
        'You get this mail because you asked for your account to be deleted.',
        'Your profile', '/dashboard/profile'
      );
    else
      perform private.delete_account(v_due.user_id);
      v_deleted := v_deleted + 1;
    end if;
  end loop;
  return jsonb_build_object('deleted', v_deleted, 'reminded', v_reminded);
end
$$;
comment on function private.delete_due_accounts() is
  'Reminds a week before, and deletes the accounts whose grace is over; never the last admin.';
insert into public.schedule_jobs (name, every) values ('delete_due_accounts', interval '10 minutes');

-- From 20261122000400_toolbox_use.sql
-- What people do with the toolbox: they keep an item, mark it as done, and fill in a copy of a
-- template that belongs to their business.
--
-- Marks are a person's own. A copy is read by the members of its business and the assigned coach,
-- and written by members alone, through procedures.

alter table public.toolbox_items
  add column calculator text check (calculator in ('break-even', 'cash-runway', 'price')),
  add column words tsvector not null generated always as (
    setweight(to_tsvector('english'::regconfig, title), 'A')
    || setweight(to_tsvector('english'::regconfig, summary), 'B')
    || to_tsvector('english'::regconfig, body_markdown)
  ) stored;
comment on column public.toolbox_items.calculator is 'The calculator that works in the item''s page.';
comment on column public.toolbox_items.words is 'What search looks in: title before summary before body.';
create index toolbox_items_words_idx on public.toolbox_items using gin (words);
create index toolbox_items_published_idx on public.toolbox_items (minutes, title, id)
  where state = 'published';

create table public.toolbox_marks (
  user_id uuid not null references auth.users (id) on delete cascade,
  item_id uuid not null references public.toolbox_items (id) on delete cascade,
  saved_at timestamptz,
  done_at timestamptz,
  primary key (user_id, item_id),
  check (saved_at is not null or done_at is not null)
);
comment on table public.toolbox_marks is 'Items of the toolbox that a person has saved or done.';
create index toolbox_marks_item_id_idx on public.toolbox_marks (item_id);
create index toolbox_marks_saved_idx on public.toolbox_marks (user_id, saved_at desc)
  where saved_at is not null;

create table public.tool_copies (
  -- Made by the browser, so that asking twice copies once.
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  -- The copy outlives the item.
  item_id uuid references public.toolbox_items (id) on delete set null,
  item_version int not null,
  title text not null check (char_length(btrim(title)) between 1 and 160),
  body_markdown text not null check (char_length(body_markdown) <= 60000),
  -- Counts changes, so that one made on an older state can be told.
  revision int not null default 1,
  created_by uuid references auth.users (id) on delete set null,
  updated_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz
);
comment on table public.tool_copies is
  'Templates of the toolbox as a business fills them in; one that was removed is kept for 30 days.';
create index tool_copies_business_id_idx on public.tool_copies (business_id, updated_at desc, id);
create index tool_copies_item_id_idx on public.tool_copies (item_id);
create index tool_copies_created_by_idx on public.tool_copies (created_by);
create index tool_copies_updated_by_idx on public.tool_copies (updated_by);
create index tool_copies_removed_at_idx on public.tool_copies (removed_at)
  where removed_at is not null;

-- Row-level security ----------------------------------------------------------------------------

alter table public.toolbox_marks enable row level security;
alter table public.tool_copies enable row level security;

create policy "People read their own marks"
  on public.toolbox_marks for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
create policy "Members and the assigned coach read the copies of a business"
  on public.tool_copies for select to authenticated
  using (
    (select private.session_ok()) and removed_at is null
    and business_id = any (array(select private.readable_business_ids()))
  );
grant select on public.toolbox_marks, public.tool_copies to authenticated;

-- Marks -----------------------------------------------------------------------------------------

create function public.mark_tool(p_slug text, p_mark text, p_on boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_item_id uuid;
  v_now timestamptz := case when p_on then now() end;
begin
  if p_mark is null or p_mark not in ('saved', 'done') then
    raise exception 'A tool is marked as saved or as done.' using errcode = '22023';
  end if;
  select i.id into v_item_id
  from public.toolbox_items i
  where i.slug = p_slug and (i.state = 'published' or not p_on);
  if v_item_id is null then
    raise exception 'This tool is no longer there.' using errcode = 'P0002';
  end if;
  perform private.one_at_a_time('toolbox_marks', v_user_id);
  if p_on then
    insert into public.toolbox_marks as m (user_id, item_id, saved_at, done_at)
    values (
      v_user_id, v_item_id,
      case p_mark when 'saved' then v_now end, case p_mark when 'done' then v_now end
    )
    on conflict (user_id, item_id) do update set
      saved_at = coalesce(m.saved_at, excluded.saved_at),
      done_at = coalesce(m.done_at, excluded.done_at);
    return;
  end if;
  -- The last mark takes the row with it.
  delete from public.toolbox_marks m
  where m.user_id = v_user_id and m.item_id = v_item_id
    and case p_mark when 'saved' then m.done_at else m.saved_at end is null;
  update public.toolbox_marks m set
    saved_at = case p_mark when 'saved' then null else m.saved_at end,
    done_at = case p_mark when 'done' then null else m.done_at end
  where m.user_id = v_user_id and m.item_id = v_item_id;
end
$$;
comment on function public.mark_tool(text, text, boolean) is
  'Sets or takes away a mark ("saved", "done") of the person on a published item; saying it twice changes nothing.';

-- Copies ----------------------------------------------------------------------------------------

create function public.copy_tool(p_id uuid, p_slug text, p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_item public.toolbox_items;
begin
  perform private.require_member(p_business_id);
  perform private.one_at_a_time('tool_copies', p_business_id);
  if exists (
    select from public.tool_copies c where c.id = p_id and c.business_id = p_business_id
  ) then
    return;
  end if;
  select * into v_item
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published';
  if v_item.id is null then
    raise exception 'This tool is no longer there.' using errcode = 'P0002';
  end if;
  if v_item.type not in ('template', 'worksheet', 'checklist') then
    raise exception 'Only templates, worksheets and checklists can be filled in.'
      using errcode = '22023';
  end if;
  insert into public.tool_copies (
    id, business_id, item_id, item_version, title, body_markdown, created_by, updated_by
  ) values (
    p_id, p_business_id, v_item.id, v_item.version, v_item.title, v_item.body_markdown,
    v_user_id, v_user_id
  );
end
$$;
comment on function public.copy_tool(uuid, text, uuid) is
  'Copies a template, worksheet or checklist into a business of the person, once under its id.';

create function private.require_copy(p_id uuid) returns public.tool_copies
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_copy public.tool_copies;
begin
  select * into v_copy from public.tool_copies c
  where c.id = p_id and c.business_id in (select private.my_business_ids())
  for update;
  -- Somebody else's sounds like none.
  if v_copy.id is null then
    raise exception 'This copy is no longer there.' using errcode = 'P0002';
  end if;
  perform private.require_unarchived(v_copy.business_id);
  return v_copy;
end
$$;

create function private.copy_json(p_copy public.tool_copies) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_copy.id, 'title', p_copy.title, 'body_markdown', p_copy.body_markdown,
    'revision', p_copy.revision, 'updated_at', p_copy.updated_at,
    'updated_by', p_copy.updated_by,
    'updated_by_name', (
      select p.full_name from public.profiles p where p.user_id = p_copy.updated_by
    )
  )
$$;

create function public.save_tool_copy(p_id uuid, p_revision int, p_title text, p_body text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_copy public.tool_copies := private.require_copy(p_id);
  v_title text := private.clean_line(p_title, 160);
begin
  if v_title is null then
    raise exception 'Give it a name.' using errcode = '22023', hint = 'title';
  end if;
  if char_length(p_body) > 60000 then
    raise exception 'This is longer than 60,000 characters. Make it shorter, or start a second copy.'
      using errcode = '22023', hint = 'body';
  end if;
  if v_copy.removed_at is not null then
    raise exception 'This copy was removed. Bring it back first.' using errcode = '55000';
  end if;
  if v_copy.title = v_title and v_copy.body_markdown = p_body then
    -- Sent twice, or changed back: as it is asked for.
    return jsonb_build_object('saved', true, 'copy', private.copy_json(v_copy));
  end if;
  if v_copy.revision is distinct from p_revision then
    return jsonb_build_object('saved', false, 'copy', private.copy_json(v_copy));
  end if;
  update public.tool_copies c set
    title = v_title, body_markdown = p_body, revision = c.revision + 1,
    updated_by = v_user_id, updated_at = now()
  where c.id = p_id
  returning * into v_copy;
  return jsonb_build_object('saved', true, 'copy', private.copy_json(v_copy));
end
$$;
comment on function public.save_tool_copy(uuid, int, text, text) is
  'Saves a copy that stands at the given revision: {saved, copy}. Where somebody was faster nothing is saved, and copy is theirs.';

create function public.remove_tool_copy(p_id uuid, p_removed boolean default true) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_session();
  perform private.require_copy(p_id);
  update public.tool_copies c
  set removed_at = case when p_removed then coalesce(c.removed_at, now()) end
  where c.id = p_id;
end
$$;
comment on function public.remove_tool_copy(uuid, boolean) is
  'Removes a copy of a business of the person, or brings it back within 30 days.';

create function private.delete_removed_copies() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.tool_copies where removed_at < now() - interval '30 days' returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_removed_copies', interval '1 day');

-- What the screens show, one question each ------------------------------------------------------

create function private.words_query(p_text text) returns tsquery
language sql stable set search_path = '' as $$
  -- Each word as a beginning: "cash fore" finds the cash forecast.
  select to_tsquery('english', string_agg(w || ':*', ' & '))
  from regexp_split_to_table(lower(coalesce(p_text, '')), '[^[:alnum:]]+') w
  where w <> ''
$$;
comment on function private.words_query(text) is
  'What somebody typed into a search field, every word taken as a beginning; null for nothing.';

create function public.list_toolbox(
  p_business_id uuid default null,
  p_query text default '',
  p_area text default null,
  p_type text default null,
  p_level text default null,
  p_mark text default null,
  p_page int default 1
) returns jsonb
language plpgsql stable security invoker set search_path = '' as $$
declare
  c_page constant int := 24;
  -- Beyond this many nobody needs the number.
  c_counted constant int := 1000;
  -- Put together from these constants alone, so that each request is planned for what it asks.
  c_from constant text := $from$
    from public.toolbox_items i
    left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
    where i.state = 'published'
      and ($1 is null or i.words @@ $1)
      and ($2 is null or i.area_key = $2)
      and ($3 is null or i.type = $3)
      and ($4 is null or $4 = any (i.levels))
      and case $5 when 'saved' then m.saved_at is not null
        when 'done' then m.done_at is not null
        when 'open' then m.done_at is null
        else true end $from$;
  v_query tsquery := private.words_query(left(p_query, 100));
  v_page int := greatest(1, least(coalesce(p_page, 1), 1000));
  v_rank text := '';
  v_found jsonb;
  v_total int;
  v_narrowed boolean;
begin
  -- Words that mean nothing ("the") narrow nothing.
  if numnode(v_query) = 0 then
    v_query := null;
  end if;
  -- An area that does not exist filters nothing.
  if not exists (select from public.skill_areas a where a.key = p_area) then
    p_area := null;
  end if;
  v_narrowed := v_query is not null or p_area is not null or p_type is not null
    or p_level is not null or p_mark is not null;
  if v_query is not null then
    v_rank := 'ts_rank(i.words, $1) desc, ';
  end if;

  execute 'select coalesce(jsonb_agg(to_jsonb(f)), ''[]'') from (
      select i.slug, i.title, i.summary, i.type, i.area_key, i.levels, i.minutes, i.format,
        m.saved_at, m.done_at' || c_from
    || ' order by ' || v_rank || 'i.minutes, i.title, i.id limit $6 offset $7) f'
  into v_found
  using v_query, p_area, p_type, p_level, p_mark, c_page + 1, (v_page - 1) * c_page;
  execute 'select count(*) from (select ' || c_from || ' limit $6) f'
  into v_total
  using v_query, p_area, p_type, p_level, p_mark, c_counted;

  return jsonb_build_object(
    'items', v_found - c_page,
    'more', jsonb_array_length(v_found) > c_page,
    'page', v_page,
    'total', v_total,
    'counted_to', c_counted,
    'area', p_area,
    'areas', (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name, 'short_name', a.short_name)
        order by a.position)
      from public.skill_areas a
    ),
    'recommended', case when v_narrowed or v_page > 1 then '[]'
      else coalesce(private.recommended_tools(p_business_id), '[]') end,
    'copies', case when v_page > 1 then '[]' else coalesce((
      select jsonb_agg(to_jsonb(c) order by c.updated_at desc, c.id)
      from (
        select c.id, c.title, c.updated_at, i.title as item_title
        from public.tool_copies c
        left join public.toolbox_items i on i.id = c.item_id
        where c.business_id = p_business_id
        order by c.updated_at desc, c.id
        limit 50
      ) c
    ), '[]') end
  );
end
$$;
comment on function public.list_toolbox(uuid, text, text, text, text, text, int) is
  'A page of 24 published items that fit, with the person''s marks: {items, more, page, total (counted up to counted_to), area (null where it does not exist), areas}; without filters also {recommended}; {copies} of the business.';

create function private.recommended_tools(p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  with latest as (
    select a.id, a.submitted_at
    from public.attempts a
    where a.user_id = auth.uid() and a.state = 'submitted'
    order by (a.business_id is not distinct from p_business_id) desc, a.submitted_at desc
    limit 1
  )
  select jsonb_agg(
    jsonb_build_object(
      'area_key', r.area_key, 'score', s.score, 'submitted_at', l.submitted_at,
      'slug', t.slug, 'title', t.title, 'summary', t.summary, 'type', t.type,
      'levels', t.levels, 'minutes', t.minutes, 'format', t.format,
      'saved_at', t.saved_at, 'done_at', null
    ) order by r.position
  )
  from latest l
  join public.recommendations r on r.attempt_id = l.id
  join public.area_scores s on s.attempt_id = r.attempt_id and s.area_key = r.area_key
  -- What the results page names, and when that is done the next one of the area.
  join lateral (
    select i.*, m.saved_at
    from public.toolbox_items i
    left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
    where i.area_key = r.area_key and i.state = 'published' and m.done_at is null
    order by (i.slug = r.toolbox_slug) desc nulls last, i.minutes, i.slug
    limit 1
  ) t on true
$$;
comment on function private.recommended_tools(uuid) is
  'For each area that the person''s latest results name: the item to take next. Null without results.';

create function public.get_tool(p_slug text, p_business_id uuid default null) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'slug', i.slug, 'title', i.title, 'summary', i.summary, 'type', i.type,
    'area_key', i.area_key, 'area_name', a.name, 'levels', i.levels, 'minutes', i.minutes,
    'format', i.format, 'version', i.version, 'reviewed_on', i.reviewed_on,
    'calculator', i.calculator, 'body_markdown', i.body_markdown,
    'saved_at', m.saved_at, 'done_at', m.done_at,
    'fillable', i.type in ('template', 'worksheet', 'checklist'),
    'copies', coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title, 'updated_at', c.updated_at)
        order by c.updated_at desc, c.id)
      from public.tool_copies c where c.item_id = i.id and c.business_id = p_business_id
    ), '[]')
  )
  from public.toolbox_items i
  join public.skill_areas a on a.key = i.area_key
  left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
  where i.slug = p_slug and i.state = 'published'
$$;
comment on function public.get_tool(text, uuid) is
  'One published item with the person''s marks and its copies in the business; null when there is none.';

create function public.get_tool_copy(p_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'id', c.id, 'title', c.title, 'body_markdown', c.body_markdown, 'revision', c.revision,
    'updated_at', c.updated_at, 'updated_by', c.updated_by,
    'updated_by_name', (
      select p.full_name from public.profiles p where p.user_id = c.updated_by
    ),
    'business', jsonb_build_object(
      'id', b.id, 'name', b.name, 'archived', b.archived_at is not null
    ),
    'item', case when i.id is not null then jsonb_build_object(
      'slug', i.slug, 'title', i.title, 'version', i.version, 'copied_version', c.item_version
    ) end,
    'may_edit', c.business_id in (select private.my_business_ids()) and b.archived_at is null
  )
  from public.tool_copies c
  join public.businesses b on b.id = c.business_id
  left join public.toolbox_items i on i.id = c.item_id and i.state = 'published'
  where c.id = p_id
$$;
comment on function public.get_tool_copy(uuid) is
  'A copy that the person may read, with its business and the item it came from; null when there is none.';

grant execute on function
  public.mark_tool(text, text, boolean), public.copy_tool(uuid, text, uuid),
  public.save_tool_copy(uuid, int, text, text), public.remove_tool_copy(uuid, boolean),
  public.list_toolbox(uuid, text, text, text, text, text, int), public.get_tool(text, uuid),
  public.get_tool_copy(uuid),
  private.recommended_tools(uuid), private.words_query(text)
to authenticated;

-- From 20261122000500_focus_areas.sql
-- Focus areas: what an owner has chosen to work on, each with one action for about 30 days.
--
--   area:    open → ended                      at most three open ones a person and business
--   action:  open ⇄ done, open ⇄ dropped       at most one open one an area
--
-- An area is chosen from a submitted attempt and belongs to that attempt's person and business. Rows
-- are written by procedures alone; a coach reads them where the results are shared.

create table public.focus_areas (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The results it was chosen from; their business is the area's.
  attempt_id uuid not null,
  area_key text not null,
  state text not null default 'open' check (state in ('open', 'ended')),
  chosen_at timestamptz not null default now(),
  ended_at timestamptz,
  foreign key (attempt_id, area_key) references public.area_scores (attempt_id, area_key),
  check ((state = 'ended') = (ended_at is not null))
);
comment on table public.focus_areas is 'Areas that an owner works on, chosen from results.';

create index focus_areas_user_id_idx on public.focus_areas (user_id, state, chosen_at desc);
create index focus_areas_attempt_id_idx on public.focus_areas (attempt_id, area_key);

create table public.focus_actions (
  id uuid primary key,
  focus_area_id uuid not null references public.focus_areas (id) on delete cascade,
  -- The question whose practice it is about; null for something else.
  question_key text check (char_length(question_key) <= 120),
  body text not null check (char_length(btrim(body)) between 1 and 600),
  due_on date not null,
  remind boolean not null default true,
  state text not null default 'open' check (state in ('open', 'done', 'dropped')),
  created_at timestamptz not null default now(),
  settled_at timestamptz,
  check ((state = 'open') = (settled_at is null))
);
comment on table public.focus_actions is 'What an owner does about a focus area, with its due date.';

create index focus_actions_focus_area_id_idx
  on public.focus_actions (focus_area_id, created_at desc);
create unique index focus_actions_one_open_idx on public.focus_actions (focus_area_id)
  where state = 'open';
create index focus_actions_due_on_idx on public.focus_actions (due_on)
  where state = 'open' and remind;

create table public.focus_reminders (
  action_id uuid not null references public.focus_actions (id) on delete cascade,
  stage text not null check (stage in ('week', 'day')),
  -- A date that is moved is reminded of anew.
  due_on date not null,
  sent_at timestamptz not null default now(),
  primary key (action_id, stage, due_on)
);
comment on table public.focus_reminders is
  'Which reminder went out for which due date, so that none goes twice. No API role reads it.';

-- Row-level security ----------------------------------------------------------------------------

alter table public.focus_areas enable row level security;
alter table public.focus_actions enable row level security;
alter table public.focus_reminders enable row level security;

create policy "Owners read their focus areas, coaches those of results shared with them"
  on public.focus_areas for select to authenticated
  using (
    (select private.session_ok())
    and (
      user_id = (select auth.uid())
      or attempt_id = any (array(select private.attempt_ids_shared_with_me()))
    )
  );

create policy "Actions are read with their focus area"
  on public.focus_actions for select to authenticated
  using (
    (select private.session_ok())
    and focus_area_id = any (array(select f.id from public.focus_areas f))
  );

grant select on public.focus_areas, public.focus_actions to authenticated;

-- Only these steps ------------------------------------------------------------------------------

create function private.guard_focus_area() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.user_id <> old.user_id or new.attempt_id <> old.attempt_id
    or new.area_key <> old.area_key
  then
    raise exception 'A focus area stays what it is.' using errcode = '55000';
  end if;
  if old.state = 'ended' then
    raise exception 'This area was ended. Choose it again.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger focus_areas_keep_to_their_states before update on public.focus_areas
  for each row execute function private.guard_focus_area();

create function private.guard_focus_action() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.focus_area_id <> old.focus_area_id then
    raise exception 'An action stays with its focus area.' using errcode = '55000';
  end if;
  if old.state <> 'open' and new.state <> 'open' then
    raise exception 'This action is settled. Open it again to change it.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger focus_actions_keep_to_their_states before update on public.focus_actions
  for each row execute function private.guard_focus_action();

-- Reading ---------------------------------------------------------------------------------------

create function private.focus_json(p_user_id uuid, p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  with chosen as (
    select f.id, f.attempt_id, f.area_key, f.state, f.chosen_at, f.ended_at
    from public.focus_areas f
    join public.attempts t on t.id = f.attempt_id
    where f.user_id = p_user_id and t.business_id is not distinct from p_business_id
    order by f.state = 'open' desc, f.chosen_at desc, f.id
    limit 12
  )
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', c.id, 'area_key', c.area_key, 'area_name', k.name, 'attempt_id', c.attempt_id,
      'state', c.state, 'chosen_at', c.chosen_at, 'ended_at', c.ended_at,
      'actions', (
        select coalesce(jsonb_agg(
          jsonb_build_object(
            'id', a.id, 'question_key', a.question_key, 'body', a.body, 'due_on', a.due_on,
            'remind', a.remind, 'state', a.state, 'created_at', a.created_at,
            'settled_at', a.settled_at
          ) order by a.state = 'open' desc, a.created_at desc, a.id
        ), '[]')
        from (
          select x.* from public.focus_actions x
          where x.focus_area_id = c.id
          order by x.state = 'open' desc, x.created_at desc, x.id
          limit 12
        ) a
      )
    ) order by c.state = 'open' desc,
      case when c.state = 'open' then c.chosen_at end, c.chosen_at desc, c.id
  ), '[]')
  from chosen c
  join public.skill_areas k on k.key = c.area_key
$$;
comment on function private.focus_json(uuid, uuid) is
  'The focus areas of a person and business with their actions: the open ones first, then the newest that were ended; as far as the caller may read them.';
grant execute on function private.focus_json(uuid, uuid) to authenticated;

-- Procedures ------------------------------------------------------------------------------------

create function private.check_focus_action(p_id uuid, p_body text, p_due_on date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_id is null then
    raise exception 'An action needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if char_length(btrim(coalesce(p_body, ''))) not between 1 and 600 then
    raise exception 'Say what you will do, in 1 to 600 characters.'
      using errcode = '22023', hint = 'body';
  end if;
  if p_due_on is null or p_due_on not between private.my_today() and private.my_today() + 366 then
    raise exception 'Choose a day from today on, within a year.'
      using errcode = '22023', hint = 'due_on';
  end if;
end
$$;

create function private.my_focus_area(p_id uuid) returns public.focus_areas
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_area public.focus_areas;
begin
  select * into v_area from public.focus_areas f
  where f.id = p_id and f.user_id = v_user_id
  for update;
  if not found then
    raise exception 'This focus area was not found.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_area;
end
$$;
comment on function private.my_focus_area(uuid) is
  'The caller''s own focus area, locked; an error (P0002) for everyone else.';

create function private.focus_after(p_area public.focus_areas) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.focus_json(p_area.user_id, t.business_id)
  from public.attempts t where t.id = p_area.attempt_id
$$;

create function public.choose_focus_area(
  p_id uuid, p_attempt_id uuid, p_area_key text,
  p_action_id uuid, p_body text, p_due_on date,
  p_question_key text default null, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_attempt record;
  v_found public.focus_areas;
  v_open int;
begin
  perform private.one_at_a_time('focus_areas', v_user_id);
  select * into v_found from public.focus_areas f where f.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.user_id <> v_user_id then
      raise exception 'This focus area exists already.' using errcode = '23505', hint = 'id';
    end if;
    return private.focus_after(v_found);
  end if;
  if p_id is null then
    raise exception 'A focus area needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.check_focus_action(p_action_id, p_body, p_due_on);

  select t.id, t.state, t.business_id into v_attempt from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id;
  if not found then
    raise exception 'There is no such attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if v_attempt.state <> 'submitted' or not exists (
    select from public.area_scores s
    where s.attempt_id = p_attempt_id and s.area_key = p_area_key and s.score is not null
  ) then
    raise exception 'Choose an area that has a score.' using errcode = '22023', hint = 'area_key';
  end if;

  select count(*) into v_open
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  where f.user_id = v_user_id and f.state = 'open' and f.area_key = p_area_key
    and t.business_id is not distinct from v_attempt.business_id;
  if v_open > 0 then
    raise exception 'You work on this area already.' using errcode = '23505', hint = 'area_key';
  end if;
  select count(*) into v_open
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  where f.user_id = v_user_id and f.state = 'open'
    and t.business_id is not distinct from v_attempt.business_id;
  if v_open >= 3 then
    raise exception 'Three areas at a time are enough. End one of them first.'
      using errcode = '55000';
  end if;

  insert into public.focus_areas (id, user_id, attempt_id, area_key)
  values (p_id, v_user_id, p_attempt_id, p_area_key)
  returning * into v_found;
  insert into public.focus_actions (id, focus_area_id, question_key, body, due_on, remind)
  values (
    p_action_id, p_id, left(p_question_key, 120), btrim(p_body), p_due_on, coalesce(p_remind, true)
  );
  return private.focus_after(v_found);
end
$$;
comment on function public.choose_focus_area(uuid, uuid, text, uuid, text, date, text, boolean) is
  'An owner chooses an area of their results to work on, with its first action; gives the focus areas of that business. Sent twice with one id it stays one.';
grant execute on function
  public.choose_focus_area(uuid, uuid, text, uuid, text, date, text, boolean) to authenticated;

create function public.add_focus_action(
  p_id uuid, p_focus_area_id uuid, p_body text, p_due_on date,
  p_question_key text default null, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(p_focus_area_id);
  v_owner_id uuid;
begin
  select a.focus_area_id into v_owner_id from public.focus_actions a where a.id = p_id;
  if found then
    if v_owner_id <> p_focus_area_id then
      raise exception 'This action exists already.' using errcode = '23505', hint = 'id';
    end if;
    return private.focus_after(v_area);
  end if;
  perform private.check_focus_action(p_id, p_body, p_due_on);
  if v_area.state <> 'open' then
    raise exception 'This area was ended. Choose it again.' using errcode = '55000';
  end if;
  if exists (
    select from public.focus_actions a
    where a.focus_area_id = p_focus_area_id and a.state = 'open'
  ) then
    raise exception 'One action at a time: settle the one that is open.' using errcode = '55000';
  end if;
  insert into public.focus_actions (id, focus_area_id, question_key, body, due_on, remind)
  values (
    p_id, p_focus_area_id, left(p_question_key, 120), btrim(p_body), p_due_on,
    coalesce(p_remind, true)
  );
  return private.focus_after(v_area);
end
$$;
comment on function public.add_focus_action(uuid, uuid, text, date, text, boolean) is
  'The next action of an own focus area; gives the focus areas of that business. Sent twice with one id it stays one.';
grant execute on function public.add_focus_action(uuid, uuid, text, date, text, boolean)
  to authenticated;

create function public.change_focus_action(
  p_id uuid, p_body text, p_due_on date, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(
    (select a.focus_area_id from public.focus_actions a where a.id = p_id)
  );
  v_action public.focus_actions;
begin
  select * into v_action from public.focus_actions a where a.id = p_id;
  if v_action.state <> 'open' or v_area.state <> 'open' then
    raise exception 'This action is settled. Open it again to change it.' using errcode = '55000';
  end if;
  -- A date that has passed may stay as it is while the words are changed.
  perform private.check_focus_action(
    p_id, p_body, case when p_due_on = v_action.due_on then private.my_today() else p_due_on end
  );
  update public.focus_actions a
  set body = btrim(p_body), due_on = p_due_on, remind = coalesce(p_remind, true)
  where a.id = p_id;
  return private.focus_after(v_area);
end
$$;
comment on function public.change_focus_action(uuid, text, date, boolean) is
  'An owner changes the words, the date or the reminders of an open action; gives the focus areas of that business.';
grant execute on function public.change_focus_action(uuid, text, date, boolean) to authenticated;

create function public.settle_focus_action(p_id uuid, p_state text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(
    (select a.focus_area_id from public.focus_actions a where a.id = p_id)
  );
begin
  if p_state is null or p_state not in ('open', 'done', 'dropped') then
    raise exception 'An action is open, done or dropped.' using errcode = '22023', hint = 'state';
  end if;
  if v_area.state <> 'open' then
    raise exception 'This area was ended. Choose it again.' using errcode = '55000';
  end if;
  if p_state = 'open' and exists (
    select from public.focus_actions a
    where a.focus_area_id = v_area.id and a.state = 'open' and a.id <> p_id
  ) then
    raise exception 'Another action is open by now. Settle that one first.'
      using errcode = '55000';
  end if;
  update public.focus_actions a
  set state = p_state, settled_at = case when p_state = 'open' then null else now() end
  where a.id = p_id and a.state <> p_state;
  return private.focus_after(v_area);
end
$$;
comment on function public.settle_focus_action(uuid, text) is
  'An owner marks an action as done or dropped, or opens it again; gives the focus areas of that business.';
grant execute on function public.settle_focus_action(uuid, text) to authenticated;

create function public.end_focus_area(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(p_id);
begin
  if v_area.state = 'open' then
    update public.focus_actions a set state = 'dropped', settled_at = now()
    where a.focus_area_id = p_id and a.state = 'open';
    update public.focus_areas f set state = 'ended', ended_at = now() where f.id = p_id;
  end if;
  return private.focus_after(v_area);
end
$$;
comment on function public.end_focus_area(uuid) is
  'An owner stops working on an area; its open action is dropped. Gives the focus areas of that business.';
grant execute on function public.end_focus_area(uuid) to authenticated;

-- Reminders -------------------------------------------------------------------------------------

create function private.remind_of_focus_actions() returns bigint
language sql volatile security definer set search_path = '' as $$
  with open_ones as (
    select a.id, a.body, a.due_on, k.name as area_name, k.position, u.id as user_id, u.email,
      a.created_at at time zone z.name as made_at, now() at time zone z.name as here
    from public.focus_actions a
    join public.focus_areas f on f.id = a.focus_area_id and f.state = 'open'
    join public.skill_areas k on k.key = f.area_key
    join auth.users u on u.id = f.user_id
    cross join lateral private.time_zone_of(f.user_id) as z (name)
    where a.state = 'open' and a.remind
      -- A day each way more than matters: today is another day in some zones.
      and a.due_on between current_date - 8 and current_date + 8
      and u.email is not null and u.email_confirmed_at is not null
      and private.wants(u.id, 'reminders')
  ),
  due as (
    -- A week ahead, for what was known longer; on the day; late when the server was away, up to a
    -- week. Never at night.
    select o.*, case when o.due_on > o.here::date then 'week' else 'day' end as stage
    from open_ones o
    where o.here::time >= time '08:00'
      and case
        when o.due_on > o.here::date
          then o.due_on <= o.here::date + 7 and o.made_at::date < o.due_on - 10
        else o.due_on >= o.here::date - 7
      end
  ),
  fresh as (
    insert into public.focus_reminders (action_id, stage, due_on)
    select d.id, d.stage, d.due_on from due d
    on conflict do nothing
    returning action_id
  ),
  sent as (
    insert into public.mail_outbox (to_address, template, data)
    select d.email, 'notice', jsonb_build_object(
      'subject', case
        when count(*) > 1 then 'What you set out to do'
        when bool_or(d.stage = 'week') then 'A week left: ' || lower(min(d.area_name))
        else 'Due: ' || lower(min(d.area_name))
      end,
      'heading', 'What you set out to do',
      'paragraphs', jsonb_agg(
        d.area_name || ', due on ' || to_char(d.due_on, 'FMMonth FMDD') || ': ' || d.body
        order by d.due_on, d.position
      ) || to_jsonb(
        'Done? Say so, and choose what comes next. No time? Move the day or drop it; nobody minds.'::text
      ),
      'button_label', 'Open your actions',
      'button_path', '/dashboard/skills#focus',
      'why', 'You get this mail because you asked to be reminded when you chose the action. Change it there to get no more of it, or in your profile to get none at all.'
    )
    from due d
    where d.id in (select r.action_id from fresh r)
    group by d.user_id, d.email
    returning 1
  )
  select count(*) from sent
$$;
comment on function private.remind_of_focus_actions() is
  'Mails who has an action due in a week or today, one mail a person, once for each due date, unless they want none; the number of mails.';
insert into public.schedule_jobs (name, every)
values ('remind_of_focus_actions', interval '30 minutes');

-- From 20261122000510_skills_over_time.sql
-- Skills over time: two attempts compared, what others reach, and the first paint of the skills page.
--
-- A comparison counts only questions that both versions ask with the same meaning and that were
-- answered both times. It is the one place that says whether something improved.

create function public.compare_attempts(p_later uuid, p_earlier uuid default null) returns jsonb
language sql stable security invoker set search_path = '' as $$
  with named as (
    select t.id, t.user_id, t.business_id, t.version_id, t.submitted_at, t.overall_score
    from public.attempts t
    where t.id in (p_later, p_earlier) and t.state = 'submitted' and t.kind = 'full'
  ),
  later as (
    select n.* from named n order by n.submitted_at desc, n.id desc limit 1
  ),
  earlier as (
    select t.id, t.version_id, t.submitted_at, t.overall_score
    from later l
    join public.attempts t
      on t.user_id = l.user_id and t.business_id is not distinct from l.business_id
    where t.state = 'submitted' and t.kind = 'full' and t.id <> l.id
      and (t.submitted_at, t.id) < (l.submitted_at, l.id)
      and (p_earlier is null or t.id in (p_earlier, p_later))
    order by t.submitted_at desc, t.id desc
    limit 1
  ),
  questions as (
    select q.area_key, q.key, q.position, q.practice, q.text, q.weight,
      o.key is not null as same,
      coalesce(o.key is not null and n.value is not null and m.value is not null, false) as counts,
      m.value as earlier_value, m.applies as earlier_applies, o.anchors[m.value + 1] as earlier_words,
      n.value as later_value, n.applies as later_applies, q.anchors[n.value + 1] as later_words
    from later l
    cross join earlier e
    join public.quiz_questions q on q.version_id = l.version_id
    left join public.quiz_questions o
      on o.version_id = e.version_id and o.key = q.key and o.meaning = q.meaning
        and o.area_key = q.area_key
    left join public.answers n on n.attempt_id = l.id and n.question_key = q.key
    left join public.answers m on m.attempt_id = e.id and m.question_key = o.key
  ),
  summed as (
    select q.area_key, count(*) as asked, count(*) filter (where q.same) as same,
      count(*) filter (where q.counts) as compared,
      sum(q.later_value - q.earlier_value) filter (where q.counts) as steps,
      -- The weights of the later version for both: only answers make a difference.
      100 * sum(q.weight * q.earlier_value) filter (where q.counts)
        / (4 * sum(q.weight) filter (where q.counts)) as earlier,
      100 * sum(q.weight * q.later_value) filter (where q.counts)
        / (4 * sum(q.weight) filter (where q.counts)) as later
    from questions q
    group by q.area_key
  ),
  judged as (
    select s.area_key, s.asked, s.same, s.compared,
      case when c.possible then s.steps end as steps,
      case when c.possible then s.earlier end as earlier,
      case when c.possible then s.later end as later,
      case
        when not c.possible then 'not-compared'
        when s.steps >= 2 and s.later > s.earlier then 'improved'
        when s.steps <= -2 and s.later < s.earlier then 'lower'
        else 'steady'
      end as verdict
    from summed s
    cross join later l
    cross join earlier e
    cross join lateral (
      -- Two questions at least, and an area that had a score both times.
      select s.compared >= 2 and 2 = (
        select count(*) from public.area_scores x
        where x.attempt_id in (l.id, e.id) and x.area_key = s.area_key and x.score is not null
      ) as possible
    ) c
  )
  select jsonb_build_object(
    'earlier', jsonb_build_object(
      'id', e.id, 'submitted_at', e.submitted_at, 'overall_score', e.overall_score,
      'version_number', (select v.number from public.quiz_versions v where v.id = e.version_id)
    ),
    'later', jsonb_build_object(
      'id', l.id, 'submitted_at', l.submitted_at, 'overall_score', l.overall_score,
      'version_number', (select v.number from public.quiz_versions v where v.id = l.version_id)
    ),
    'areas', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'area_key', j.area_key, 'name', k.name, 'short_name', k.short_name, 'asked', j.asked,
          'same', j.same, 'compared', j.compared, 'steps', j.steps,
          'earlier', j.earlier::double precision, 'later', j.later::double precision,
          'verdict', j.verdict,
          'changed', (
            select coalesce(jsonb_agg(
              jsonb_build_object(
                'question_key', q.key, 'practice', q.practice, 'text', q.text,
                'counts', q.counts,
                'earlier', jsonb_build_object(
                  'value', q.earlier_value, 'applies', q.earlier_applies, 'words', q.earlier_words
                ),
                'later', jsonb_build_object(
                  'value', q.later_value, 'applies', q.later_applies, 'words', q.later_words
                )
              ) order by q.position
            ), '[]')
            from questions q
            where q.area_key = j.area_key and q.same
              and (q.earlier_value, q.earlier_applies)
                is distinct from (q.later_value, q.later_applies)
          )
        ) order by k.position
      ), '[]')
      from judged j
      join public.skill_areas k on k.key = j.area_key
    )
  )
  from later l
  cross join earlier e
$$;
comment on function public.compare_attempts(uuid, uuid) is
  'Two submitted full attempts of one person and business, area by area on the questions that are the same: improved or lower from two answer steps on, with the answers that changed. Without the second one, the one before. Null where the caller may not read both or they do not belong together.';
grant execute on function public.compare_attempts(uuid, uuid) to authenticated;

-- What others reach -----------------------------------------------------------------------------
--
-- Quartiles of businesses of the same industry and stage, from twenty on. So that nobody can single
-- one out: whole numbers only, one cut only (nothing to subtract from), one business a person, and a
-- figure is renewed only when at least five of its businesses have something new.

create table public.benchmarks (
  industry text not null,
  stage text not null,
  -- A skill area, or "overall".
  area_key text not null,
  lower smallint not null,
  middle smallint not null,
  upper smallint not null,
  computed_at timestamptz not null default now(),
  primary key (industry, stage, area_key),
  check (0 <= lower and lower <= middle and middle <= upper and upper <= 100)
);
comment on table public.benchmarks is
  'Quartiles of at least twenty businesses of an industry and stage. Read through get_skills alone.';

create table public.benchmark_businesses (
  industry text not null,
  stage text not null,
  business_id uuid not null references public.businesses (id),
  attempt_id uuid not null references public.attempts (id),
  primary key (industry, stage, business_id)
);
comment on table public.benchmark_businesses is
  'Whose results stand behind which benchmark, to tell when enough of them have changed. No API role reads it.';

create index benchmark_businesses_business_id_idx on public.benchmark_businesses (business_id);
create index benchmark_businesses_attempt_id_idx on public.benchmark_businesses (attempt_id);

alter table public.benchmarks enable row level security;
alter table public.benchmark_businesses enable row level security;

create function private.benchmark_businesses()
returns table (industry text, stage text, business_id uuid, attempt_id uuid)
language sql stable security definer set search_path = '' as $$
  with latest as (
    select distinct on (t.business_id) t.business_id, t.id as attempt_id, t.user_id, t.submitted_at
    from public.attempts t
    where t.business_id is not null and t.state = 'submitted' and t.kind = 'full'
    order by t.business_id, t.submitted_at desc, t.id
  )
  select distinct on (coalesce(l.user_id, l.business_id))
    lower(btrim(b.industry)), lower(btrim(b.stage)), l.business_id, l.attempt_id
  from latest l
  join public.businesses b on b.id = l.business_id
  where b.archived_at is null and btrim(b.industry) <> '' and btrim(b.stage) <> ''
  order by coalesce(l.user_id, l.business_id), l.submitted_at desc, l.business_id
$$;
comment on function private.benchmark_businesses() is
  'The latest full result of every business that says its industry and stage; one business a person.';

create function private.refresh_benchmarks() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_cell record;
  v_done bigint := 0;
begin
  for v_cell in
    with now_there as materialized (select * from private.benchmark_businesses()),
    changes as (
      select d.industry, d.stage, count(distinct d.business_id) as changed
      from (
        (select * from now_there except select * from public.benchmark_businesses)
        union all
        (select * from public.benchmark_businesses except select * from now_there)
      ) d
      group by d.industry, d.stage
    )
    select c.industry, c.stage, c.changed, (
      select count(*) from now_there n where n.industry = c.industry and n.stage = c.stage
    ) as businesses
    from changes c
  loop
    continue when v_cell.businesses >= 20 and v_cell.changed < 5;
    delete from public.benchmarks b
    where b.industry = v_cell.industry and b.stage = v_cell.stage;
    delete from public.benchmark_businesses b
    where b.industry = v_cell.industry and b.stage = v_cell.stage;
    continue when v_cell.businesses < 20;

    insert into public.benchmark_businesses
    select n.* from private.benchmark_businesses() n
    where n.industry = v_cell.industry and n.stage = v_cell.stage;
    insert into public.benchmarks (industry, stage, area_key, lower, middle, upper)
    select v_cell.industry, v_cell.stage, s.area_key,
      round(percentile_cont(0.25) within group (order by s.score)),
      round(percentile_cont(0.5) within group (order by s.score)),
      round(percentile_cont(0.75) within group (order by s.score))
    from public.benchmark_businesses n
    cross join lateral (
      select x.area_key, x.score from public.area_scores x where x.attempt_id = n.attempt_id
      union all
      select 'overall', t.overall_score from public.attempts t where t.id = n.attempt_id
    ) s
    where n.industry = v_cell.industry and n.stage = v_cell.stage and s.score is not null
    group by s.area_key
    having count(*) >= 20;
    v_done := v_done + 1;
  end loop;
  return v_done;
end
$$;
comment on function private.refresh_benchmarks() is
  'Renews the benchmarks of industries and stages in which five businesses have something new, and takes away those of fewer than twenty.';
insert into public.schedule_jobs (name, every) values ('refresh_benchmarks', interval '1 day');

create function private.benchmark_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'industry', nullif(btrim(b.industry), ''),
    'stage', nullif(btrim(b.stage), ''),
    'computed_at', (
      select max(m.computed_at) from public.benchmarks m
      where m.industry = lower(btrim(b.industry)) and m.stage = lower(btrim(b.stage))
    ),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'area_key', m.area_key, 'lower', m.lower, 'middle', m.middle, 'upper', m.upper
      ) order by k.position nulls first), '[]')
      from public.benchmarks m
      left join public.skill_areas k on k.key = m.area_key
      where m.industry = lower(btrim(b.industry)) and m.stage = lower(btrim(b.stage))
    )
  )
  from public.businesses b
  where b.id = p_business_id and b.id in (select private.my_business_ids())
    and (select private.session_ok())
$$;
comment on function private.benchmark_json(uuid) is
  'What businesses of the same industry and stage reach, for a member; no areas below twenty businesses.';
grant execute on function private.benchmark_json(uuid) to authenticated;

-- The first paint of a page, as one question ----------------------------------------------------

create function private.open_attempt_json(p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'id', t.id,
    'answered', (select count(*) from public.answers n where n.attempt_id = t.id),
    'asked', (select count(*) from public.quiz_questions q where q.version_id = t.version_id),
    'started_at', t.started_at
  )
  from public.attempts t
  where t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
    and t.state = 'in_progress' and t.kind = 'full' and t.expires_at > now()
$$;
comment on function private.open_attempt_json(uuid) is
  'The caller''s quiz that is open for a business (null: for none yet), and how far it is.';
grant execute on function private.open_attempt_json(uuid) to authenticated;

create function private.standing_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  -- Of the caller's own attempts only: the policies of what hangs on them would list all of these.
  select jsonb_build_object(
    'attempt', jsonb_build_object(
      'id', t.id, 'kind', t.kind, 'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days', 'overall_score', t.overall_score
    ),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', s.area_key, 'label', k.name, 'short_label', k.short_name,
        'score', s.score, 'level', s.level,
        'recommended', r.position,
        'practice', case when q.key is not null then jsonb_build_object(
          'question_key', q.key, 'name', q.practice, 'action', q.action
        ) end,
        'tool', (
          select jsonb_build_object(
            'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes
          )
          from public.toolbox_items i where i.slug = r.toolbox_slug and i.state = 'published'
        )
      ) order by k.position), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      left join public.recommendations r
        on r.attempt_id = s.attempt_id and r.area_key = s.area_key
      left join public.quiz_questions q
        on q.version_id = t.version_id and q.key = s.weakest_question_key
      where s.attempt_id = t.id
    )
  )
  from public.attempts t
  where (select private.session_ok())
    and t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
    and t.state = 'submitted'
  order by t.kind = 'full' desc, t.submitted_at desc, t.id
  limit 1
$$;
comment on function private.standing_json(uuid) is
  'The caller''s latest result for a business (a full quiz before a first look): each area with its score, its weakest practice and, where recommended, its place and tool.';
grant execute on function private.standing_json(uuid) to authenticated;

create function private.coaching_json(p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'id', e.id, 'state', e.state, 'results_shared', e.results_shared,
    'coach_name', (select nullif(p.full_name, '') from public.profiles p where p.user_id = e.coach_id)
  )
  from public.engagements e
  where e.owner_id = (select auth.uid()) and e.business_id = p_business_id
    and e.state in ('requested', 'assigned', 'accepted', 'active', 'paused')
  limit 1
$$;
comment on function private.coaching_json(uuid) is
  'The caller''s open coaching about a business, and whether results are shared in it.';
grant execute on function private.coaching_json(uuid) to authenticated;

create function public.list_attempts(p_business_id uuid, p_before uuid default null) returns jsonb
language sql stable security invoker set search_path = '' as $$
  -- By the day that is shown: of the submission, or of the start where there was none.
  with page as (
    select t.id, t.kind, t.state, t.version_id, t.started_at, t.submitted_at, t.overall_score,
      coalesce(t.submitted_at, t.started_at) as shown_at
    from public.attempts t
    left join public.attempts b on b.id = p_before and b.user_id = (select auth.uid())
    where t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
      and t.state <> 'in_progress'
      and (
        p_before is null
        or (coalesce(t.submitted_at, t.started_at), t.id)
          < (coalesce(b.submitted_at, b.started_at), b.id)
      )
    order by shown_at desc, t.id desc
    limit 21
  ),
  shown as (select p.* from page p order by p.shown_at desc, p.id desc limit 20)
  select jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'kind', p.kind, 'state', p.state,
        'version_number', (select v.number from public.quiz_versions v where v.id = p.version_id),
        'started_at', p.started_at, 'submitted_at', p.submitted_at,
        'overall_score', p.overall_score
      ) order by p.shown_at desc, p.id desc), '[]')
      from shown p
    ),
    'more', (select count(*) > 20 from page)
  )
$$;
comment on function public.list_attempts(uuid, uuid) is
  'Twenty of the caller''s attempts for a business that are over, newest first, from the one after p_before on; and whether there are more.';
grant execute on function public.list_attempts(uuid, uuid) to authenticated;

create function private.trend_json(p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  with newest as (
    select t.id, t.version_id, t.submitted_at, t.overall_score
    from public.attempts t
    where t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
      and t.state = 'submitted' and t.kind = 'full'
    order by t.submitted_at desc, t.id desc
    limit 12
  ),
  meanings as (
    -- Two versions ask the same about an area where this is the same.
    select q.version_id, q.area_key,
      left(md5(string_agg(q.key || ':' || q.meaning, ' ' order by q.key)), 8) as meaning
    from public.quiz_questions q
    where q.version_id in (select n.version_id from newest n)
    group by q.version_id, q.area_key
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', n.id, 'submitted_at', n.submitted_at, 'overall_score', n.overall_score,
    'version_number', (select v.number from public.quiz_versions v where v.id = n.version_id),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'area_key', s.area_key, 'score', s.score, 'meaning', m.meaning
      ) order by k.position), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      left join meanings m on m.version_id = n.version_id and m.area_key = s.area_key
      where s.attempt_id = n.id
    )
  ) order by n.submitted_at, n.id), '[]')
  from newest n
$$;
comment on function private.trend_json(uuid) is
  'The caller''s twelve newest full results for a business, oldest first, with their scores by area.';
grant execute on function private.trend_json(uuid) to authenticated;

create function public.get_skills(
  p_business_id uuid, p_earlier uuid default null, p_later uuid default null
) returns jsonb
language sql stable security invoker set search_path = '' as $$
  with pair as (
    select p_earlier as earlier, coalesce(p_later, (
      select t.id from public.attempts t
      where t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
        and t.state = 'submitted' and t.kind = 'full'
      order by t.submitted_at desc, t.id desc
      limit 1
    )) as later
  )
  select jsonb_build_object(
    'open_attempt', private.open_attempt_json(p_business_id),
    'attempts', public.list_attempts(p_business_id),
    'latest', private.standing_json(p_business_id),
    'trend', private.trend_json(p_business_id),
    'comparison', (
      select public.compare_attempts(t.id, p.earlier)
      from pair p
      join public.attempts t
        on t.id = p.later and t.user_id = (select auth.uid())
          and t.business_id is not distinct from p_business_id
    ),
    'benchmark', private.benchmark_json(p_business_id),
    'focus', private.focus_json((select auth.uid()), p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'reminders', coalesce(
      (select s.reminders from public.notification_settings s where s.user_id = (select auth.uid())),
      true
    )
  )
$$;
comment on function public.get_skills(uuid, uuid, uuid) is
  'Everything that the skills page shows of the caller''s business (null: of none yet): the open quiz, attempts, the latest result, the trend, two attempts compared (the newest two unless named), the benchmark, focus areas, coaching, and whether reminders are wanted at all.';
grant execute on function public.get_skills(uuid, uuid, uuid) to authenticated;

create function public.get_result(p_attempt_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select public.get_attempt(t.id) || jsonb_build_object(
    'comparison', case when t.state = 'submitted' then public.compare_attempts(t.id) end,
    'focus', private.focus_json(t.user_id, t.business_id),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', o.id, 'kind', o.kind, 'submitted_at', o.submitted_at,
        'overall_score', o.overall_score
      ) order by o.submitted_at desc, o.id), '[]')
      from (
        select x.id, x.kind, x.submitted_at, x.overall_score
        from public.attempts x
        where x.user_id = t.user_id and x.business_id is not distinct from t.business_id
          and x.state = 'submitted' and x.id <> t.id
        order by x.submitted_at desc, x.id
        limit 12
      ) o
    )
  )
  from public.attempts t
  where t.id = p_attempt_id
$$;
comment on function public.get_result(uuid) is
  'An attempt as get_attempt gives it, with the comparison to the full one before it, the focus areas of its business and its person''s other results, as far as the caller may read them.';
grant execute on function public.get_result(uuid) to authenticated;

-- From 20261122000520_dashboard.sql
-- Dashboard: what stands on the first page of an owner, as one question.

create function private.next_projects_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  with open_ones as (
    -- The first of each status by their index, and the first of those together: what is read does
    -- not grow with the projects.
    select p.id, p.title, p.status, p.due_on
    from unnest(array['draft', 'planned', 'in_progress', 'blocked', 'in_review']) as s (status)
    cross join lateral (
      select x.id, x.title, x.status, x.due_on
      from public.projects x
      where x.business_id = p_business_id and x.status = s.status
      order by coalesce(x.due_on, 'infinity'::date), x.id
      limit 4
    ) p
    where (select private.session_ok())
      and p_business_id = any (array(select private.my_business_ids()))
    order by coalesce(p.due_on, 'infinity'::date), p.id
    limit 4
  )
  select jsonb_build_object(
    -- Beyond this many nobody needs the number.
    'open', (
      select count(*) from (
        select from public.projects p
        where p.business_id = p_business_id
          and p.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
          and exists (select from open_ones)
        limit 100
      ) n
    ),
    'items', coalesce(jsonb_agg(jsonb_build_object(
      'id', o.id, 'title', o.title, 'status', o.status, 'due_on', o.due_on,
      'next_task', (
        select jsonb_build_object('id', k.id, 'title', k.title, 'due_on', k.due_on)
        from public.project_tasks k
        where k.project_id = o.id and k.removed_at is null and k.state <> 'done'
        order by k.position, k.id
        limit 1
      )
    ) order by coalesce(o.due_on, 'infinity'::date), o.id), '[]')
  )
  from open_ones o
$$;
comment on function private.next_projects_json(uuid) is
  'The four open projects of a business that are due next, each with its next task, for a member; and how many are open, counted up to 100.';
grant execute on function private.next_projects_json(uuid) to authenticated;

create function public.get_dashboard(p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'called', (
      select coalesce(p.preferred_name, nullif(split_part(p.full_name, ' ', 1), ''))
      from public.profiles p where p.user_id = (select auth.uid())
    ),
    'open_attempt', private.open_attempt_json(p_business_id),
    'latest', private.standing_json(p_business_id),
    'focus', private.focus_json((select auth.uid()), p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'invitations', private.invitations_to_me(),
    'projects', private.next_projects_json(p_business_id),
    'tools', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc
        limit 4
      ) s
    )
  )
$$;
comment on function public.get_dashboard(uuid) is
  'What an owner''s first page shows of a business (null: of none yet): the open quiz, the latest result, focus areas, coaching, open invitations, the projects that are due next, and tools that are saved and not done.';
grant execute on function public.get_dashboard(uuid) to authenticated;

-- From 20261123000100_conversations.sql
-- Conversations: who talks with whom, and from which message on.
--
--   direct       two people who work together
--   engagement   an owner and their present coach
--   project      the members of its business and the coach of its engagement
--   support      one person and whoever is an admin
--
-- Three numbers keep everyone right. `last_seq` numbers messages without a gap: it is their order.
-- `revision` counts every change (a message, an edit, a removal), so that who knows revision 7 asks
-- what came after it and misses nothing. `epoch` is part of the name of the live channel and changes
-- whenever somebody joins or leaves, so that who left hears nothing any more.

create table public.conversations (
  id uuid primary key,
  kind text not null check (kind in ('direct', 'engagement', 'project', 'support')),
  engagement_id uuid unique references public.engagements (id),
  project_id uuid unique references public.projects (id) on delete cascade,
  -- Whose thread with the admins this is; null once they deleted their account.
  about_user_id uuid unique references auth.users (id) on delete set null,
  -- "<smaller id>:<larger id>"; null once one of the two deleted their account.
  direct_pair text unique,
  epoch int not null default 1,
  last_seq bigint not null default 0 check (last_seq >= 0),
  revision bigint not null default 0 check (revision >= last_seq),
  last_message_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  check ((kind = 'engagement') = (engagement_id is not null)),
  check ((kind = 'project') = (project_id is not null)),
  check (about_user_id is null or kind = 'support'),
  check (direct_pair is null or kind = 'direct')
);
comment on table public.conversations is
  'What people talk in: one each for two people, an engagement, a project, and a person with the admins.';
create index conversations_created_by_idx on public.conversations (created_by);

create table public.conversation_participants (
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The first message that is theirs to read: what was said before they came was said to others.
  from_seq bigint not null default 1 check (from_seq >= 1),
  read_seq bigint not null default 0 check (read_seq >= 0),
  -- Messages of others after read_seq, kept by those who write, read and remove.
  unread int not null default 0 check (unread >= 0),
  -- When the first and the newest unread message came that no mail has told of.
  unread_since timestamptz,
  unread_at timestamptz,
  mailed_seq bigint not null default 0,
  muted boolean not null default false,
  -- They take part because they coach, and leave when they no longer do.
  as_coach boolean not null default false,
  -- Where it stands in their list; null while only its maker knows of it.
  active_at timestamptz,
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  primary key (conversation_id, user_id),
  check ((unread_since is null) = (unread_at is null))
);
comment on table public.conversation_participants is
  'Who takes part in a conversation, from which message on, and how far they have read.';
create index conversation_participants_list_idx
  on public.conversation_participants (user_id, active_at desc, conversation_id desc)
  where left_at is null and active_at is not null;
create index conversation_participants_user_id_idx
  on public.conversation_participants (user_id, conversation_id) include (left_at);
create index conversation_participants_unread_idx
  on public.conversation_participants (user_id) include (unread)
  where left_at is null and unread > 0;
create index conversation_participants_to_mail_idx
  on public.conversation_participants (unread_since) where unread_since is not null;

-- Row-level security ----------------------------------------------------------------------------

alter table public.conversations enable row level security;
alter table public.conversation_participants enable row level security;

create function private.my_conversation_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select p.conversation_id from public.conversation_participants p
  where p.user_id = (select auth.uid()) and p.left_at is null
$$;
comment on function private.my_conversation_ids() is 'Conversations that the person takes part in now.';
grant execute on function private.my_conversation_ids() to authenticated;

create policy "People see the conversations they take part in"
  on public.conversations for select to authenticated
  using ((select private.session_ok()) and id = any (array(select private.my_conversation_ids())));
create policy "People see who takes part in their conversations"
  on public.conversation_participants for select to authenticated
  using (
    (select private.session_ok())
    and conversation_id = any (array(select private.my_conversation_ids()))
  );
grant select (
  id, kind, engagement_id, project_id, epoch, last_seq, revision, last_message_at, created_at
) on public.conversations to authenticated;
-- Whether others have muted it, or were mailed, is theirs.
grant select (conversation_id, user_id, from_seq, read_seq, joined_at, left_at)
  on public.conversation_participants to authenticated;

-- Who may talk with whom ------------------------------------------------------------------------

create function private.coaches(p_coach_id uuid, p_owner_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.engagements e
    where e.owner_id = p_owner_id and e.coach_id = p_coach_id
      and e.state in ('assigned', 'accepted', 'active', 'paused')
  ) and private.role_of(p_coach_id) = 'coach'
$$;
comment on function private.coaches(uuid, uuid) is
  'Whether the one runs an open engagement of the other, and is still a coach.';

create function private.work_together(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.business_members a
    join public.business_members b on b.business_id = a.business_id
    where a.user_id = p_one and b.user_id = p_other
  ) or private.coaches(p_one, p_other) or private.coaches(p_other, p_one)
$$;
comment on function private.work_together(uuid, uuid) is
  'Members of one business, or an owner and their coach: people who may write to each other.';

create function private.pair_of(p_one uuid, p_other uuid) returns text
language sql immutable set search_path = '' as $$
  select least(p_one, p_other) || ':' || greatest(p_one, p_other)
$$;

create function private.people_of(p_conversation public.conversations) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  case p_conversation.kind
    when 'engagement' then
      return query
        select e.owner_id from public.engagements e
        where e.id = p_conversation.engagement_id and e.owner_id is not null
        union
        select private.coach_of(p_conversation.engagement_id)
        where private.coach_of(p_conversation.engagement_id) is not null;
    when 'project' then
      return query
        select m.user_id from public.projects j
        join public.business_members m on m.business_id = j.business_id
        where j.id = p_conversation.project_id
        union
        select private.coach_of(j.engagement_id) from public.projects j
        where j.id = p_conversation.project_id
          and private.coach_of(j.engagement_id) is not null;
    when 'support' then
      return query
        select p_conversation.about_user_id where p_conversation.about_user_id is not null
        union
        select s.user_id from public.staff_roles s where s.role = 'admin';
    else
      -- Two who wrote to each other keep what was said; a coach only as long as they coach.
      return query
        select p.user_id from public.conversation_participants p
        where p.conversation_id = p_conversation.id
          and (not p.as_coach or exists (
            select from public.conversation_participants o
            where o.conversation_id = p.conversation_id and o.user_id <> p.user_id
              and private.work_together(p.user_id, o.user_id)
          ));
  end case;
end
$$;
comment on function private.people_of(public.conversations) is
  'Who takes part by the rules, whatever the participants say now.';

create function private.may_write_about(p_project_id uuid, p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_talk public.conversations;
begin
  v_talk.kind := 'project';
  v_talk.project_id := p_project_id;
  return (
    select count(*) > 1 and bool_or(w = p_user_id) from private.people_of(v_talk) w
  );
end
$$;
comment on function private.may_write_about(uuid, uuid) is
  'Whether the conversation about a project has a place for this person and for somebody else.';

create function private.coach_of(p_engagement_id uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select e.coach_id from public.engagements e
  where e.id = p_engagement_id and private.coaches(e.coach_id, e.owner_id)
    and e.state in ('assigned', 'accepted', 'active', 'paused')
$$;
comment on function private.coach_of(uuid) is 'The present coach of an open engagement; else null.';

create function private.why_closed(p_conversation public.conversations, p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_other uuid;
begin
  case p_conversation.kind
    when 'direct' then
      select p.user_id into v_other from public.conversation_participants p
      where p.conversation_id = p_conversation.id and p.user_id <> p_user_id;
      return case
        when v_other is null then 'They have deleted their account.'
        when exists (
          select from public.blocks b where b.user_id = p_user_id and b.blocked_id = v_other
        ) then 'You have blocked this person.'
        -- Why is between the other and themselves.
        when exists (
          select from public.blocks b where b.user_id = v_other and b.blocked_id = p_user_id
        ) then 'You cannot write here.'
        when not private.work_together(p_user_id, v_other) then 'You no longer work together.'
      end;
    when 'engagement' then
      return (
        select case
          when e.state not in ('requested', 'assigned', 'accepted', 'active', 'paused')
            then 'This coaching has ended.'
          when private.coach_of(e.id) is null then 'You can write here once you have a coach.'
        end
        from public.engagements e where e.id = p_conversation.engagement_id
      );
    when 'project' then
      return (
        select case
          when b.archived_at is not null then 'This business is archived.'
          when not exists (
            select from public.conversation_participants p
            where p.conversation_id = p_conversation.id and p.left_at is null
              and p.user_id <> p_user_id
          ) then 'Nobody else works on this project.'
        end
        from public.projects j join public.businesses b on b.id = j.business_id
        where j.id = p_conversation.project_id
      );
    else
      return case when p_conversation.about_user_id is null
        then 'They have deleted their account.' end;
  end case;
end
$$;
comment on function private.why_closed(public.conversations, uuid) is
  'Why a participant cannot write now, in words for them; null when they can.';

create function private.my_part(p_conversation_id uuid) returns public.conversation_participants
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_part public.conversation_participants;
begin
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.user_id = v_user_id and p.left_at is null;
  if not found then
    raise exception 'This conversation was not found.' using errcode = 'P0002';
  end if;
  return v_part;
end
$$;
comment on function private.my_part(uuid) is
  'How whoever asks takes part now; an error (P0002) for everyone else.';

create function private.unread_total(p_user_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  select least(100, coalesce(sum(p.unread), 0))::int from public.conversation_participants p
  where p.user_id = p_user_id and p.left_at is null and p.unread > 0
$$;
comment on function private.unread_total(uuid) is
  'Unread messages of a person in all conversations; 100 means 100 or more.';

-- Coming and going ------------------------------------------------------------------------------

create function private.hold_conversations(p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.conversations c where c.id = any (p_ids)
  order by case c.kind when 'support' then 0 when 'direct' then 2 else 1 end, c.direct_pair, c.id
  for update;
end
$$;
comment on function private.hold_conversations(uuid[]) is
  'Locks several conversations, always in one order and before their people, so that nobody waits in a circle.';

create function private.renew_channels(p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old record;
begin
  for v_old in
    update public.conversations c set epoch = c.epoch + 1 where c.id = any (p_ids)
    returning c.id, c.epoch - 1 as epoch
  loop
    perform realtime.send(
      '{"epoch": null}', 'moved', 'conversation:' || v_old.id || ':' || v_old.epoch, true
    );
  end loop;
end
$$;
comment on function private.renew_channels(uuid[]) is
  'Ends the live channels of conversations and tells everyone in them to ask again.';

create function private.renew_channel(p_conversation_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.renew_channels(array[p_conversation_id])
$$;

create function private.settle_people(p_conversation_id uuid, p_renew boolean default false)
returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_conversation public.conversations;
  v_left uuid[];
  v_came uuid[];
begin
  select * into v_conversation from public.conversations c where c.id = p_conversation_id for update;
  if not found then
    return;
  end if;
  with gone as (
    update public.conversation_participants p
    set left_at = now(), unread_since = null, unread_at = null
    where p.conversation_id = p_conversation_id and p.left_at is null
      and p.user_id not in (select private.people_of(v_conversation))
    returning p.user_id
  )
  select array_agg(g.user_id) into v_left from gone g;

  with come as (
    insert into public.conversation_participants as p (
      conversation_id, user_id, from_seq, read_seq, mailed_seq, as_coach, active_at
    )
    select
      p_conversation_id, w.user_id,
      -- The admins read all of a thread: they help where another one began.
      case when v_conversation.kind = 'support' then 1 else v_conversation.last_seq + 1 end,
      v_conversation.last_seq, v_conversation.last_seq,
      private.comes_as_coach(v_conversation, w.user_id),
      case when v_conversation.last_seq > 0 or w.user_id = v_conversation.created_by
        then coalesce(v_conversation.last_message_at, v_conversation.created_at) end
    from private.people_of(v_conversation) as w (user_id)
    on conflict (conversation_id, user_id) do update set
      left_at = null, joined_at = now(), as_coach = excluded.as_coach,
      active_at = coalesce(excluded.active_at, p.active_at),
      -- What was said while they were away was not said to them.
      from_seq = case when v_conversation.kind <> 'support'
        and v_conversation.last_message_at > p.left_at then excluded.from_seq else p.from_seq end,
      unread = case when v_conversation.last_message_at > p.left_at then 0 else p.unread end,
      read_seq = case when v_conversation.last_message_at > p.left_at
        then excluded.read_seq else p.read_seq end
    where p.left_at is not null
    returning p.user_id
  )
  select array_agg(c.user_id) into v_came from come c;

  if p_renew or v_left is not null or v_came is not null then
    perform private.renew_channel(p_conversation_id);
  end if;
  if v_conversation.last_seq > 0 then
    perform realtime.send(
      jsonb_build_object('id', p_conversation_id, 'gone', true, 'unread_total', private.unread_total(u.id)),
      'conversation', 'person:' || u.id, true
    )
    from unnest(v_left) as u (id);
    perform private.tell_person(p_conversation_id, u.id) from unnest(v_came) as u (id);
  end if;
end
$$;
comment on function private.settle_people(uuid, boolean) is
  'Makes the participants those whom the rules name; when that changes something, or p_renew, the channel is a new one.';

create function private.comes_as_coach(p_conversation public.conversations, p_user_id uuid)
returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return case p_conversation.kind
    when 'engagement' then p_user_id is not distinct from private.coach_of(p_conversation.engagement_id)
    when 'project' then not exists (
      select from public.projects j
      join public.business_members m on m.business_id = j.business_id
      where j.id = p_conversation.project_id and m.user_id = p_user_id
    )
    when 'direct' then exists (
      select from public.conversation_participants o
      where o.conversation_id = p_conversation.id and o.user_id <> p_user_id
        and private.coaches(p_user_id, o.user_id)
    )
    else false
  end;
end
$$;

create function private.settle_support(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_changed uuid[];
begin
  -- All threads at once: there may be many.
  perform private.hold_conversations(array(
    select c.id from public.conversations c where c.kind = 'support'
  ));
  if private.role_of(p_user_id) = 'admin' then
    with come as (
      insert into public.conversation_participants as p (
        conversation_id, user_id, read_seq, mailed_seq, active_at
      )
      select c.id, p_user_id, c.last_seq, c.last_seq, c.last_message_at
      from public.conversations c where c.kind = 'support'
      on conflict (conversation_id, user_id) do update set
        left_at = null, joined_at = now(), unread = 0, read_seq = excluded.read_seq,
        active_at = excluded.active_at
      where p.left_at is not null
      returning p.conversation_id
    )
    select array_agg(c.conversation_id) into v_changed from come c;
  else
    with gone as (
      update public.conversation_participants p
      set left_at = now(), unread_since = null, unread_at = null
      from public.conversations c
      where c.id = p.conversation_id and c.kind = 'support' and p.user_id = p_user_id
        and c.about_user_id is distinct from p_user_id and p.left_at is null
      returning p.conversation_id
    )
    select array_agg(g.conversation_id) into v_changed from gone g;
  end if;
  perform private.renew_channels(v_changed);
end
$$;
comment on function private.settle_support(uuid) is
  'A new admin joins every thread of support, and who is none any more leaves all but their own.';

create function private.settle_direct(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Colleagues who become coach and client: the coach stays as long as they coach.
  update public.conversation_participants p set as_coach = true
  from public.conversation_participants o
  where p.conversation_id = p_id and o.conversation_id = p_id and o.user_id <> p.user_id
    and not p.as_coach and private.coaches(p.user_id, o.user_id);
  -- Whether they may write to each other has changed, also where nobody comes or goes.
  perform private.settle_people(p_id, true);
end
$$;

create function private.settle_coaching(p_engagement_ids uuid[], p_owner_ids uuid[], p_coach_ids uuid[])
returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_about uuid[] := array(
    select c.id from public.conversations c
    where c.engagement_id = any (p_engagement_ids)
      or c.project_id in (
        select j.id from public.projects j where j.engagement_id = any (p_engagement_ids)
      )
  );
  v_direct uuid[] := array(
    select c.id from unnest(p_owner_ids) as o (id) cross join unnest(p_coach_ids) as h (id)
    join public.conversations c on c.direct_pair = private.pair_of(o.id, h.id)
  );
begin
  perform private.hold_conversations(v_about || v_direct);
  perform private.settle_people(c.id) from unnest(v_about) as c (id);
  perform private.settle_direct(c.id) from unnest(v_direct) as c (id);
end
$$;
comment on function private.settle_coaching(uuid[], uuid[], uuid[]) is
  'Settles the conversations about engagements and their projects, and those between these owners and coaches.';

create function private.engagement_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_coaching(
    array[new.id], array[coalesce(new.owner_id, old.owner_id)], array[old.coach_id, new.coach_id]
  );
  return null;
end
$$;
create trigger engagements_move_people after update of state, coach_id, owner_id on public.engagements
  for each row
  when ((old.state, old.coach_id, old.owner_id) is distinct from (new.state, new.coach_id, new.owner_id))
  execute function private.engagement_moves_people();

create function private.hold_coach(p_engagement_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.engagements e where e.id = p_engagement_id for share;
  perform private.one_at_a_time('coach', e.coach_id)
  from public.engagements e where e.id = p_engagement_id and e.coach_id is not null;
end
$$;
comment on function private.hold_coach(uuid) is
  'Waits for whoever is giving an engagement to another coach or taking the role from its coach, and lets them wait: an engagement first, then its coach, then conversations.';

create function private.project_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.hold_coach(new.engagement_id);
  perform private.settle_people(c.id) from public.conversations c where c.project_id = new.id;
  return null;
end
$$;
create trigger projects_move_people after update of engagement_id on public.projects
  for each row when (old.engagement_id is distinct from new.engagement_id)
  execute function private.project_moves_people();

create function private.membership_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_business_id uuid := coalesce(new.business_id, old.business_id);
  v_user_id uuid := coalesce(new.user_id, old.user_id);
  v_about uuid[];
  v_direct uuid[];
begin
  -- Whoever opens a conversation at this moment sees the members of before or of after.
  perform private.one_at_a_time('people', v_business_id);
  v_about := array(
    select c.id from public.projects j join public.conversations c on c.project_id = j.id
    where j.business_id = v_business_id
  );
  v_direct := array(
    select c.id from public.business_members m
    join public.conversations c on c.direct_pair = private.pair_of(v_user_id, m.user_id)
    where m.business_id = v_business_id and m.user_id <> v_user_id
  );
  perform private.hold_conversations(v_about || v_direct);
  perform private.settle_people(c.id) from unnest(v_about) as c (id);
  perform private.settle_direct(c.id) from unnest(v_direct) as c (id);
  return null;
end
$$;
create trigger business_members_move_people after insert or delete on public.business_members
  for each row execute function private.membership_moves_people();

create function private.role_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := coalesce(new.user_id, old.user_id);
begin
  -- Whoever gives them a client at this moment has done so, or sees that they are a coach no more.
  perform private.one_at_a_time('coach', v_user_id);
  if (old.role is not distinct from 'admin') <> (new.role is not distinct from 'admin') then
    perform private.settle_support(v_user_id);
  end if;
  if (old.role is not distinct from 'coach') <> (new.role is not distinct from 'coach') then
    perform private.settle_coaching(
      array_agg(e.id), array_agg(distinct e.owner_id), array[v_user_id]
    )
    from public.engagements e where e.coach_id = v_user_id and e.owner_id is not null;
  end if;
  return null;
end
$$;
create trigger staff_roles_move_people after insert or update or delete on public.staff_roles
  for each row execute function private.role_moves_people();

create function private.participant_is_gone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.left_at is null then
    perform private.renew_channel(old.conversation_id);
  end if;
  return null;
end
$$;
create trigger conversation_participants_end_the_channel
  after delete on public.conversation_participants
  for each row execute function private.participant_is_gone();

create function private.hold_people(p_new public.conversations) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_pair uuid[] := string_to_array(p_new.direct_pair, ':')::uuid[];
begin
  case p_new.kind
    when 'project' then
      perform private.one_at_a_time('people', j.business_id)
      from public.projects j where j.id = p_new.project_id;
      perform from public.projects j where j.id = p_new.project_id for share;
      perform private.hold_coach(j.engagement_id)
      from public.projects j where j.id = p_new.project_id;
    when 'engagement' then
      perform private.hold_coach(p_new.engagement_id);
    when 'support' then
      lock table public.staff_roles in share mode;
    else
      perform private.hold_coach(e.id) from public.engagements e
      where e.owner_id = any (v_pair) and e.coach_id = any (v_pair) order by e.id;
  end case;
end
$$;
comment on function private.hold_people(public.conversations) is
  'Waits for whoever is changing who takes part, and lets them wait until a new conversation is there.';

-- Procedures ------------------------------------------------------------------------------------

create function public.open_conversation(p_id uuid, p_kind text, p_subject uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_new public.conversations;
  v_found uuid;
begin
  v_new.kind := p_kind;
  case p_kind
    when 'direct' then v_new.direct_pair := private.pair_of(v_user_id, p_subject);
    when 'engagement' then v_new.engagement_id := p_subject;
    when 'project' then v_new.project_id := p_subject;
    when 'support' then v_new.about_user_id := coalesce(p_subject, v_user_id);
    else
      raise exception 'Choose somebody to write to.' using errcode = '22023', hint = 'kind';
  end case;
  select c.id into v_found from public.conversations c
  where c.direct_pair = v_new.direct_pair or c.engagement_id = v_new.engagement_id
    or c.project_id = v_new.project_id or c.about_user_id = v_new.about_user_id;
  if found then
    if v_found not in (select private.my_conversation_ids()) then
      raise exception 'They are not among those you may write to.' using errcode = 'P0002', hint = 'subject';
    end if;
    return jsonb_build_object('id', v_found);
  end if;

  perform private.hold_people(v_new);
  if not (case p_kind
    when 'direct' then p_subject <> v_user_id and private.work_together(v_user_id, p_subject)
    when 'engagement' then exists (
      select from public.engagements e
      where e.id = p_subject and v_user_id in (e.owner_id, private.coach_of(e.id))
    )
    when 'project' then exists (select from private.people_of(v_new) w where w = v_user_id)
    -- Everybody has a thread of their own; the admins begin one with whom they like.
    else v_new.about_user_id = v_user_id or private.is_admin() and exists (
      select from auth.users u where u.id = v_new.about_user_id
    )
  end) then
    raise exception 'They are not among those you may write to.' using errcode = 'P0002', hint = 'subject';
  end if;
  if p_kind = 'direct' and exists (
    select from public.blocks b
    where (b.user_id, b.blocked_id) in ((v_user_id, p_subject), (p_subject, v_user_id))
  ) then
    raise exception 'They are not among those you may write to.' using errcode = 'P0002', hint = 'subject';
  end if;
  if p_id is null then
    raise exception 'A conversation needs an id.' using errcode = '22023', hint = 'id';
  end if;

  insert into public.conversations (
    id, kind, engagement_id, project_id, about_user_id, direct_pair, epoch, created_by
  ) values (
    p_id, p_kind, v_new.engagement_id, v_new.project_id, v_new.about_user_id, v_new.direct_pair,
    0, v_user_id
  )
  on conflict do nothing;
  if not found then
    -- Somebody opened the same one at the same time.
    select c.id into v_found from public.conversations c
    where c.direct_pair = v_new.direct_pair or c.engagement_id = v_new.engagement_id
      or c.project_id = v_new.project_id or c.about_user_id = v_new.about_user_id;
    if not found then
      raise exception 'This conversation exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found);
  end if;
  if p_kind = 'direct' then
    insert into public.conversation_participants (conversation_id, user_id, as_coach, active_at)
    values
      (p_id, v_user_id, private.coaches(v_user_id, p_subject), now()),
      (p_id, p_subject, private.coaches(p_subject, v_user_id), null);
  end if;
  perform private.settle_people(p_id, true);
  return jsonb_build_object('id', p_id);
end
$$;
comment on function public.open_conversation(uuid, text, uuid) is
  'Finds or makes the conversation with a person (direct), about an engagement or project, or with support; {id}. p_subject is the person, engagement or project; null for one''s own thread with support.';

create function public.set_conversation_muted(p_conversation_id uuid, p_muted boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
begin
  perform private.count_writes('read_marks');
  update public.conversation_participants p set muted = coalesce(p_muted, false)
  where p.conversation_id = p_conversation_id and p.user_id = v_part.user_id;
  perform private.tell_person(p_conversation_id, v_part.user_id);
  return jsonb_build_object('muted', coalesce(p_muted, false));
end
$$;
comment on function public.set_conversation_muted(uuid, boolean) is
  'No mails, sounds or notifications of a conversation, or them again; {muted}.';

grant execute on function
  public.open_conversation(uuid, text, uuid), public.set_conversation_muted(uuid, boolean)
  to authenticated;

-- From 20261123000200_messages.sql
-- Messages: what was said in a conversation, numbered there without a gap.
--
-- Whoever writes locks the conversation while a number is given, so that numbers are those of the
-- order, and every reader can tell a gap. The id is made by the sender: sent twice it is stored once.

create table public.messages (
  id uuid primary key,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  seq bigint not null check (seq >= 1),
  revision bigint not null check (revision >= seq),
  -- Null once the account is gone: what was said stays with those it was said to.
  author_id uuid references auth.users (id) on delete set null,
  body text check (char_length(body) <= 5000),
  reply_to uuid references public.messages (id) on delete set null,
  sent_at timestamptz not null default now(),
  edited_at timestamptz,
  removed_at timestamptz,
  -- What search looks in. The conversation is one of the words, so that the index leads to those of
  -- one's own conversations and not to everybody's; it begins as no word does.
  words tsvector not null generated always as (
    to_tsvector('simple'::regconfig, coalesce(body, ''))
    || array_to_tsvector(array['=' || conversation_id::text])
  ) stored,
  unique (conversation_id, seq),
  unique (conversation_id, revision),
  check ((body is null) = (removed_at is not null))
);
comment on table public.messages is
  'What was said, in the order of seq; revision tells the change that made it what it is.';
create index messages_author_id_idx on public.messages (author_id);
create index messages_reply_to_idx on public.messages (reply_to) where reply_to is not null;
create index messages_words_idx on public.messages using gin (words);

-- Row-level security ----------------------------------------------------------------------------

alter table public.messages enable row level security;

create function private.my_later_starts() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(p.conversation_id, p.from_seq), '{}')
  from public.conversation_participants p
  where p.user_id = (select auth.uid()) and p.left_at is null and p.from_seq > 1
$$;
comment on function private.my_later_starts() is
  'Of conversations that the person does not read from the first message on: from which one, by id.';
grant execute on function private.my_later_starts() to authenticated;

create policy "People read what was said since they take part"
  on public.messages for select to authenticated
  using (
    (select private.session_ok())
    -- Leads the index to one's own conversations: messages of all others cost nothing.
    and conversation_id = any (array(select private.my_conversation_ids()))
    and seq >= coalesce(((select private.my_later_starts()) ->> conversation_id::text)::bigint, 1)
  );
grant select (
  id, conversation_id, seq, revision, author_id, body, reply_to, sent_at, edited_at, removed_at
) on public.messages to authenticated;

-- As it is shown --------------------------------------------------------------------------------

create function private.excerpt(p_text text) returns text
language sql immutable set search_path = '' as $$
  select case when char_length(t.line) > 140 then rtrim(left(t.line, 139)) || '…' else t.line end
  from (select btrim(regexp_replace(left(coalesce(p_text, ''), 600), '\s+', ' ', 'g')) as line) t
$$;
comment on function private.excerpt(text) is 'The beginning of a text as one line of at most 140 characters.';

create function private.quote_json(p_message_id uuid, p_from_seq bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', r.id, 'seq', r.seq,
    'author_id', case when r.seq >= p_from_seq then r.author_id end,
    'excerpt', case when r.seq >= p_from_seq then private.excerpt(r.body) else '' end,
    'removed', r.removed_at is not null
  )
  from public.messages r where r.id = p_message_id
$$;
comment on function private.quote_json(uuid, bigint) is
  'What a message answers, for somebody who reads from p_from_seq on: no words from before; null for nothing.';

create function private.message_json(p_message public.messages, p_from_seq bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_message.id, 'conversation_id', p_message.conversation_id, 'seq', p_message.seq,
    'revision', p_message.revision, 'author_id', p_message.author_id, 'body', p_message.body,
    'reply_to', private.quote_json(p_message.reply_to, p_from_seq),
    'files', private.message_files_json(p_message.id),
    'sent_at', p_message.sent_at, 'edited_at', p_message.edited_at,
    'removed_at', p_message.removed_at
  );
end
$$;
comment on function private.message_json(public.messages, bigint) is
  'A message for somebody who reads from p_from_seq on: of what it answers they see no words from before.';

create function private.last_message_json(p_conversation public.conversations, p_from_seq bigint)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', m.id, 'seq', m.seq, 'author_id', m.author_id, 'excerpt', private.excerpt(m.body),
      'sent_at', m.sent_at, 'removed', m.removed_at is not null,
      'files', (select count(*) from public.message_attachments a where a.message_id = m.id)
    )
    from public.messages m
    where m.conversation_id = p_conversation.id and m.seq = p_conversation.last_seq
      and m.seq >= p_from_seq
  );
end
$$;

-- Telling everyone, in the transaction of what happened -----------------------------------------

create function private.tell_conversation(p_conversation public.conversations, p_event text, p_payload jsonb)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform realtime.send(
    p_payload, p_event, 'conversation:' || p_conversation.id || ':' || p_conversation.epoch, true
  );
end
$$;
comment on function private.tell_conversation(public.conversations, text, jsonb) is
  'Sends to everyone who has the conversation open.';

create function private.tell_message(p_event text, p_message public.messages) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- One payload for all: nobody gets words from before their time.
  v_from_seq bigint := (
    select coalesce(max(p.from_seq), 1) from public.conversation_participants p
    where p.conversation_id = p_message.conversation_id and p.left_at is null
  );
begin
  perform case when p_message.seq >= v_from_seq then
    private.tell_conversation(
      c, p_event, jsonb_build_object('message', private.message_json(p_message, v_from_seq))
    )
  else
    -- Not for everyone who hears it: each asks for what is theirs.
    private.tell_conversation(c, 'moved', '{"epoch": null}')
  end
  from public.conversations c where c.id = p_message.conversation_id;
end
$$;

create function private.tell_people(p_conversation_id uuid, p_user_id uuid default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_conversation public.conversations;
  -- What is the same for all is put together once: a project may have hundreds of them.
  v_same jsonb;
  v_last_message jsonb;
  v_title text;
begin
  select * into v_conversation from public.conversations c where c.id = p_conversation_id;
  v_last_message := private.last_message_json(v_conversation, v_conversation.last_seq);
  v_same := jsonb_build_object(
    'id', v_conversation.id, 'last_seq', v_conversation.last_seq,
    'revision', v_conversation.revision, 'epoch', v_conversation.epoch,
    'author_name', (
      select private.name_of(m.author_id) from public.messages m
      where m.conversation_id = v_conversation.id and m.seq = v_conversation.last_seq
    )
  );
  if v_conversation.kind in ('engagement', 'project') then
    v_title := private.conversation_title(v_conversation, p_user_id);
  end if;
  perform realtime.send(
    v_same || jsonb_build_object(
      'title', coalesce(v_title, private.conversation_title(v_conversation, p.user_id)),
      'active_at', p.active_at, 'read_seq', p.read_seq, 'unread', p.unread, 'muted', p.muted,
      'last_message', case when p.from_seq <= v_conversation.last_seq then v_last_message end,
      'unread_total', private.unread_total(p.user_id)
    ),
    'conversation', 'person:' || p.user_id, true
  )
  from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.left_at is null and p.active_at is not null
    and (p_user_id is null or p.user_id = p_user_id);
end
$$;
comment on function private.tell_people(uuid, uuid) is
  'Sends to everyone in a conversation, or to one of them, how it stands in their list.';

create function private.tell_person(p_conversation_id uuid, p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.tell_people(p_conversation_id, p_user_id) where p_user_id is not null
$$;
comment on function private.tell_person(uuid, uuid) is
  'Sends to one person how a conversation stands in their list, whatever page they have open.';

-- Procedures ------------------------------------------------------------------------------------

create function private.clean_body(p_body text) returns text
language sql immutable set search_path = '' as $$
  select btrim(
    regexp_replace(replace(coalesce(p_body, ''), E'\r\n', E'\n'), E'[\\x01-\\x08\\x0b-\\x1f\\x7f\\u202a-\\u202e\\u2066-\\u2069]', '', 'g'),
    E' \t\n'
  )
$$;
comment on function private.clean_body(text) is
  'What was typed, without blanks around it and without control characters but tab and new line; none makes words run backwards.';

create function private.check_body(p_body text, p_files int) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_body = '' and p_files = 0 then
    raise exception 'Write something first.' using errcode = '22023', hint = 'body';
  end if;
  if char_length(p_body) > 5000 then
    raise exception 'A message has at most 5,000 characters.' using errcode = '22023', hint = 'body';
  end if;
end
$$;

create function private.require_open(p_conversation public.conversations, p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_why text := private.why_closed(p_conversation, p_user_id);
begin
  if v_why is not null then
    -- "cannot" is how a database talks; people are shown other words for it.
    raise exception '%', replace(v_why, 'cannot', 'can no longer') using errcode = '55000';
  end if;
end
$$;

create function public.send_message(
  p_id uuid, p_conversation_id uuid, p_body text, p_reply_to uuid default null,
  p_files uuid[] default '{}'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_body text := private.clean_body(p_body);
  v_files uuid[] := coalesce(p_files, '{}');
  v_part public.conversation_participants;
  v_conversation public.conversations;
  v_message public.messages;
begin
  if p_id is null then
    raise exception 'A message needs an id.' using errcode = '22023', hint = 'id';
  end if;
  -- Only who takes part, or did, makes others wait.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.user_id = v_user_id;
  if not found then
    raise exception 'This conversation was not found.' using errcode = 'P0002';
  end if;
  -- Sent twice at once: the second waits here and finds what the first one stored.
  select * into v_conversation from public.conversations c where c.id = p_conversation_id for update;
  select * into v_message from public.messages m where m.id = p_id;
  if found then
    if v_message.author_id is distinct from v_user_id
      or v_message.conversation_id is distinct from p_conversation_id
    then
      raise exception 'This message exists already.' using errcode = '23505', hint = 'id';
    end if;
    return private.message_json(
      v_message, case when v_part.left_at is null then v_part.from_seq else v_message.seq end
    );
  end if;

  v_part := private.my_part(p_conversation_id);
  perform private.require_open(v_conversation, v_user_id);
  perform private.check_body(v_body, cardinality(v_files));
  if p_reply_to is not null and not exists (
    select from public.messages m
    where m.id = p_reply_to and m.conversation_id = p_conversation_id and m.seq >= v_part.from_seq
  ) then
    raise exception 'What you answer is not in this conversation.'
      using errcode = '22023', hint = 'reply_to';
  end if;

  update public.conversations c set
    last_seq = c.last_seq + 1, revision = c.revision + 1,
    last_message_at = greatest(clock_timestamp(), c.last_message_at + interval '1 microsecond')
  where c.id = p_conversation_id
  returning * into v_conversation;
  insert into public.messages (
    id, conversation_id, seq, revision, author_id, body, reply_to, sent_at
  ) values (
    p_id, p_conversation_id, v_conversation.last_seq, v_conversation.revision, v_user_id, v_body,
    p_reply_to, v_conversation.last_message_at
  )
  returning * into v_message;
  perform private.attach_files(v_message, v_files);
  delete from public.message_drafts d
  where d.user_id = v_user_id and d.conversation_id = p_conversation_id;

  update public.conversation_participants p set
    active_at = v_message.sent_at,
    unread = p.unread + case when p.user_id = v_user_id then 0 else 1 end,
    -- Who has read everything has read their own words; who has not is not taken past the others'.
    read_seq = case when p.user_id = v_user_id and p.unread = 0 then v_message.seq else p.read_seq end,
    unread_since = case when p.user_id = v_user_id then p.unread_since
      else coalesce(p.unread_since, v_message.sent_at) end,
    unread_at = case when p.user_id = v_user_id then p.unread_at else v_message.sent_at end
  where p.conversation_id = p_conversation_id and p.left_at is null;

  perform private.tell_message('message', v_message);
  perform private.tell_people(p_conversation_id);
  return private.message_json(v_message, v_part.from_seq);
end
$$;
comment on function public.send_message(uuid, uuid, text, uuid, uuid[]) is
  'Says something, as the next message of the conversation, and tells everyone in it; the message. Sent twice with one id it is stored once. PT429: too many at once.';

create function private.message_of_mine(p_id uuid) returns public.messages
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_message public.messages;
begin
  select * into v_message from public.messages m where m.id = p_id and m.author_id = v_user_id;
  if not found then
    raise exception 'This message was not found.' using errcode = 'P0002';
  end if;
  perform from public.conversations c where c.id = v_message.conversation_id for update;
  select * into v_message from public.messages m where m.id = p_id;
  return v_message;
end
$$;
comment on function private.message_of_mine(uuid) is
  'A message, its conversation locked, for its author; an error (P0002) for everyone else.';

create function public.edit_message(p_id uuid, p_body text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_message public.messages := private.message_of_mine(p_id);
  v_part public.conversation_participants := private.my_part(v_message.conversation_id);
  v_body text := private.clean_body(p_body);
begin
  perform private.require_open(c, v_part.user_id)
  from public.conversations c where c.id = v_message.conversation_id;
  if v_message.removed_at is not null then
    raise exception 'This message was removed.' using errcode = '55000';
  end if;
  perform private.check_body(v_body, (
    select count(*)::int from public.message_attachments a where a.message_id = p_id
  ));
  if v_body <> v_message.body then
    perform private.count_writes('message_changes');
    v_message := private.change_message(p_id, v_body);
  end if;
  return private.message_json(v_message, v_part.from_seq);
end
$$;
comment on function public.edit_message(uuid, text) is
  'The author says it in other words, as long as they may write there; the message.';

create function private.change_message(p_id uuid, p_body text) returns public.messages
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_message public.messages;
begin
  update public.conversations c set revision = c.revision + 1
  from public.messages m where m.id = p_id and c.id = m.conversation_id;
  update public.messages m set
    revision = c.revision, body = p_body,
    edited_at = case when p_body is not null then now() else m.edited_at end,
    removed_at = case when p_body is null then now() end
  from public.conversations c where m.id = p_id and c.id = m.conversation_id
  returning m.* into v_message;
  if p_body is null then
    delete from public.message_attachments a where a.message_id = p_id;
    -- Nobody is told of something unread that is not there any more.
    update public.conversation_participants p set unread = p.unread - 1
    where p.conversation_id = v_message.conversation_id and p.unread > 0
      and p.user_id is distinct from v_message.author_id
      and p.read_seq < v_message.seq and p.from_seq <= v_message.seq;
  end if;
  perform private.tell_message('changed', v_message);
  if p_body is null or v_message.seq = (
    select c.last_seq from public.conversations c where c.id = v_message.conversation_id
  ) then
    perform private.tell_people(v_message.conversation_id);
  end if;
  return v_message;
end
$$;
comment on function private.change_message(uuid, text) is
  'Gives a message other words, or (null) takes them and its files away; its place stays.';

create function public.remove_message(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_message public.messages := private.message_of_mine(p_id);
begin
  if v_message.removed_at is null then
    v_message := private.change_message(p_id, null);
  end if;
  return private.message_json(v_message, coalesce((
    select p.from_seq from public.conversation_participants p
    where p.conversation_id = v_message.conversation_id and p.user_id = v_message.author_id
      and p.left_at is null
  ), v_message.seq));
end
$$;
comment on function public.remove_message(uuid) is
  'The author takes a message back at any time; a mark stays in its place. Asking twice changes nothing.';

create function public.read_messages(p_conversation_id uuid, p_seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_conversation public.conversations;
  v_seq bigint;
begin
  -- Who writes counts up this row too: what they store is seen below, or comes after.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.user_id = v_part.user_id for update;
  select * into v_conversation from public.conversations c where c.id = p_conversation_id;
  v_seq := least(p_seq, v_conversation.last_seq);
  if v_seq > v_part.read_seq then
    perform private.count_writes('read_marks');
    update public.conversation_participants p set
      read_seq = v_seq, unread = u.unread, unread_since = u.since, unread_at = u.newest
    from (
      select count(*)::int as unread,
        min(m.sent_at) filter (where m.seq > v_part.mailed_seq) as since,
        max(m.sent_at) filter (where m.seq > v_part.mailed_seq) as newest
      from public.messages m
      where m.conversation_id = p_conversation_id
        and m.seq > greatest(v_seq, v_part.from_seq - 1)
        and m.author_id is distinct from v_part.user_id and m.removed_at is null
    ) u
    where p.conversation_id = p_conversation_id and p.user_id = v_part.user_id
    returning p.* into v_part;
    perform private.tell_conversation(
      v_conversation, 'read', jsonb_build_object('person_id', v_part.user_id, 'seq', v_seq)
    );
    perform private.tell_person(p_conversation_id, v_part.user_id);
  end if;
  return jsonb_build_object(
    'unread', v_part.unread, 'unread_total', private.unread_total(v_part.user_id)
  );
end
$$;
comment on function public.read_messages(uuid, bigint) is
  'Somebody has read up to a message, never backwards; {unread, unread_total}.';

create function public.list_messages(
  p_conversation_id uuid, p_before bigint default null, p_after bigint default null,
  p_limit int default 50
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_limit int := least(greatest(coalesce(p_limit, 50), 1), 200);
  v_last bigint := (select c.last_seq from public.conversations c where c.id = p_conversation_id);
  -- Numbers have no gap, so that a page is a span of them.
  v_from bigint := case when p_after is not null then greatest(p_after + 1, v_part.from_seq)
    else least(coalesce(p_before, v_last + 1), v_last + 1) - v_limit end;
  v_to bigint := case when p_after is not null then v_from + v_limit - 1
    else coalesce(p_before, v_last + 1) - 1 end;
begin
  return jsonb_build_object(
    'messages', private.messages_json(v_part, v_from, v_to),
    'more', case when p_after is not null then v_to < v_last else v_from > v_part.from_seq end
  );
end
$$;
comment on function public.list_messages(uuid, bigint, bigint, int) is
  'A page of a conversation in its order: those before a seq, those after one, or the last; {messages, more} (more: further in the same direction).';

create function private.messages_json(
  p_part public.conversation_participants, p_from bigint, p_to bigint
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(private.message_json(m, p_part.from_seq) order by m.seq)
    from public.messages m
    where m.conversation_id = p_part.conversation_id
      and m.seq between greatest(p_from, p_part.from_seq) and p_to
  ), '[]');
end
$$;

create function public.list_message_changes(
  p_conversation_id uuid, p_after_revision bigint, p_limit int default 200
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_limit int := least(greatest(coalesce(p_limit, 200), 1), 500);
begin
  return (
    with changed as (
      select m.* from public.messages m
      where m.conversation_id = p_conversation_id
        and m.revision > coalesce(p_after_revision, 0) and m.seq >= v_part.from_seq
      order by m.revision limit v_limit + 1
    ), shown as (
      select c.* from changed c order by c.revision limit v_limit
    )
    select jsonb_build_object(
      'messages', coalesce((
        select jsonb_agg(
          private.message_json((
            select m from public.messages m where m.id = s.id
          ), v_part.from_seq) order by s.revision
        )
        from shown s
      ), '[]'),
      'revision', c.revision, 'epoch', c.epoch, 'last_seq', c.last_seq,
      'more', (select count(*) from changed) > v_limit,
      'unread', v_part.unread,
      'people', (
        select jsonb_agg(jsonb_build_object('id', p.user_id, 'read_seq', p.read_seq))
        from public.conversation_participants p
        where p.conversation_id = p_conversation_id and p.left_at is null
      )
    )
    from public.conversations c where c.id = p_conversation_id
  );
end
$$;
comment on function public.list_message_changes(uuid, bigint, int) is
  'What was said, edited or removed after a revision, in the order in which it happened; {messages, revision, epoch, last_seq, more, unread, people: [{id, read_seq}]}.';

grant execute on function
  public.send_message(uuid, uuid, text, uuid, uuid[]), public.edit_message(uuid, text),
  public.remove_message(uuid), public.read_messages(uuid, bigint),
  public.list_messages(uuid, bigint, bigint, int), public.list_message_changes(uuid, bigint, int)
  to authenticated;

-- From 20261123000300_message_files.sql
-- Files of messages: a row that says what a file is, and an object in a private bucket.
--
-- As with project files, the row comes first and names the one path under which its sender may store
-- an object; a message takes the files that have arrived. Whoever reads the message reads its files.
-- When a row goes (its message was removed, it was never sent), its object goes after it.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
-- What goes with a project goes with a message too.
select 'message-files', 'message-files', false, b.file_size_limit, b.allowed_mime_types
from storage.buckets b where b.id = 'project-files'
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create table public.message_attachments (
  id uuid primary key,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- Null until it is sent.
  message_id uuid references public.messages (id) on delete cascade,
  place int not null default 0,
  name text not null check (char_length(name) between 1 and 200),
  type text not null,
  size int not null check (size between 1 and 20971520),
  -- Of a picture, in pixels, so that its room is kept before it is there.
  width int check (width between 1 and 20000),
  height int check (height between 1 and 20000),
  state text not null default 'awaited' check (state in ('awaited', 'stored')),
  uploaded_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  path text not null unique generated always as (
    conversation_id::text || '/' || id::text
  ) stored,
  check (message_id is null or state = 'stored')
);
comment on table public.message_attachments is
  'Files of messages; the object lies in the bucket message-files under the path of its row.';
create index message_attachments_message_id_idx on public.message_attachments (message_id, place);
create index message_attachments_conversation_id_idx on public.message_attachments (conversation_id);
create index message_attachments_uploaded_by_idx on public.message_attachments (uploaded_by, state);
create index message_attachments_unsent_idx on public.message_attachments (created_at)
  where message_id is null;

-- Row-level security ----------------------------------------------------------------------------

alter table public.message_attachments enable row level security;

create policy "Files are read with their message, and by their sender before"
  on public.message_attachments for select to authenticated
  using (
    (select private.session_ok())
    and conversation_id = any (array(select private.my_conversation_ids()))
    and case when message_id is null then uploaded_by = (select auth.uid())
    else exists (select from public.messages m where m.id = message_attachments.message_id) end
  );
grant select on public.message_attachments to authenticated;

create function private.awaited_message_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select a.path from public.message_attachments a
  where a.uploaded_by = (select auth.uid()) and a.state = 'awaited'
    and a.conversation_id in (select private.my_conversation_ids())
$$;
create function private.unsent_message_paths() returns setof text
language sql stable security definer set search_path = '' as $$
  select a.path from public.message_attachments a
  where a.uploaded_by = (select auth.uid()) and a.message_id is null
$$;
comment on function private.awaited_message_paths() is 'Where the person may store an object now.';
comment on function private.unsent_message_paths() is 'Files that the person has not sent yet.';
grant execute on function private.awaited_message_paths(), private.unsent_message_paths()
  to authenticated;

create policy "Files of messages are read by whoever reads the message"
  on storage.objects for select to authenticated
  using (
    bucket_id = 'message-files' and (select private.session_ok())
    -- Under row-level security, like any reader's question.
    and exists (select from public.message_attachments a where a.path = objects.name)
  );
create policy "Files of messages are stored where they are awaited"
  on storage.objects for insert to authenticated
  with check (
    bucket_id = 'message-files' and (select private.session_ok())
    and name = any (array(select private.awaited_message_paths()))
  );
create policy "Files of messages are taken away before they are sent"
  on storage.objects for delete to authenticated
  using (
    bucket_id = 'message-files' and (select private.session_ok())
    and name = any (array(select private.unsent_message_paths()))
  );

-- Triggers --------------------------------------------------------------------------------------

create function private.remove_object_of_attachment() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.file_removals (bucket_id, path)
  select o.bucket_id, o.name from storage.objects o
  where o.bucket_id = 'message-files' and o.name = old.path
  on conflict do nothing;
  return null;
end
$$;
create trigger message_attachments_take_their_object after delete on public.message_attachments
  for each row execute function private.remove_object_of_attachment();

-- Procedures ------------------------------------------------------------------------------------

create function private.attachment_json(p_file public.message_attachments) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'id', p_file.id, 'name', p_file.name, 'type', p_file.type, 'size', p_file.size,
    'width', p_file.width, 'height', p_file.height, 'path', p_file.path
  )
$$;

create function private.message_files_json(p_message_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(private.attachment_json(a) order by a.place), '[]')
  from public.message_attachments a where a.message_id = p_message_id
$$;

create function public.begin_message_file(
  p_id uuid, p_conversation_id uuid, p_name text, p_type text, p_size int,
  p_width int default null, p_height int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_bytes constant bigint := 1073741824;
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_file public.message_attachments;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_files', v_part.user_id);
  select * into v_file from public.message_attachments a where a.id = p_id;
  if found then
    if v_file.uploaded_by is distinct from v_part.user_id
      or v_file.conversation_id <> p_conversation_id
    then
      raise exception 'This file exists already.' using errcode = '23505', hint = 'id';
    end if;
    return private.attachment_json(v_file);
  end if;
  perform private.require_open(c, v_part.user_id)
  from public.conversations c where c.id = p_conversation_id;
  perform private.check_file('message-files', p_name, p_type, p_size);
  -- What is awaited may turn out as large as the bucket allows, whatever was said.
  if (
    select coalesce(sum(case a.state when 'stored' then a.size else 20971520 end), 0) + p_size
    from public.message_attachments a where a.conversation_id = p_conversation_id
  ) > c_bytes then
    raise exception 'The files of a conversation may have 1 GB together.' using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.message_attachments (
    id, conversation_id, name, type, size, width, height, uploaded_by
  ) values (
    p_id, p_conversation_id, private.file_name(p_name, p_type), p_type, p_size,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_width end,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_height end,
    v_part.user_id
  )
  returning * into v_file;
  return private.attachment_json(v_file);
end
$$;
comment on function public.begin_message_file(uuid, uuid, text, text, int, int, int) is
  'Says which file comes (name, type, size in bytes; of a picture its pixels); the file with the path to store it under.';

create function public.finish_message_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_file public.message_attachments;
begin
  select * into v_file from public.message_attachments a
  where a.id = p_id and a.uploaded_by = v_user_id
    and a.conversation_id in (select private.my_conversation_ids())
  for update;
  if not found then
    raise exception 'This file was not found.' using errcode = 'P0002';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored('message-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file has not arrived whole. Send it again.' using errcode = '55000';
    end if;
    update public.message_attachments a set state = 'stored' where a.id = p_id
    returning * into v_file;
  end if;
  return private.attachment_json(v_file);
end
$$;
comment on function public.finish_message_file(uuid) is
  'Its sender says that a file has arrived; the file. Refused while the object is not there as it was announced.';

create function public.remove_message_file(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if exists (
    select from public.message_attachments a
    where a.id = p_id and a.uploaded_by = v_user_id and a.message_id is not null
  ) then
    raise exception 'This file was sent. Remove the message instead.' using errcode = '55000';
  end if;
  delete from public.message_attachments a
  where a.id = p_id and a.uploaded_by = v_user_id and a.message_id is null;
end
$$;
comment on function public.remove_message_file(uuid) is
  'Its sender takes a file away that was not sent yet, with its object; asking twice changes nothing.';

create function private.attach_files(p_message public.messages, p_files uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.message_attachments;
  v_attached int := 0;
begin
  if cardinality(p_files) = 0 then
    return;
  end if;
  if cardinality(p_files) > 10 then
    raise exception 'A message takes at most ten files.' using errcode = '22023', hint = 'files';
  end if;
  for v_file in
    select a.* from public.message_attachments a
    where a.id = any (p_files) and a.uploaded_by = p_message.author_id
      and a.conversation_id = p_message.conversation_id and a.message_id is null
    order by a.id for update
  loop
    -- Also what had arrived: its sender may have taken the object away again.
    if not private.is_stored('message-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file "%" has not arrived whole. Send it again.', v_file.name
        using errcode = '55000', hint = 'files';
    end if;
    update public.message_attachments a
    set state = 'stored', message_id = p_message.id, place = array_position(p_files, a.id)
    where a.id = v_file.id;
    v_attached := v_attached + 1;
  end loop;
  if v_attached <> cardinality(p_files) then
    raise exception 'A file of this message is not there any more. Choose it again.'
      using errcode = '22023', hint = 'files';
  end if;
end
$$;
comment on function private.attach_files(public.messages, uuid[]) is
  'Gives a new message the files that its author brought for it, in this order.';

create function private.forget_unsent_files() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_gone int;
begin
  delete from public.message_attachments a
  where a.message_id is null and a.created_at < now() - interval '1 day';
  get diagnostics v_gone = row_count;
  return jsonb_build_object('gone', v_gone);
end
$$;
comment on function private.forget_unsent_files() is
  'Files that nobody sent within a day go, with their objects.';
insert into public.schedule_jobs (name, every) values ('forget_unsent_files', interval '10 minutes');

grant execute on function
  public.begin_message_file(uuid, uuid, text, text, int, int, int),
  public.finish_message_file(uuid), public.remove_message_file(uuid)
  to authenticated;

-- From 20261123000400_message_drafts.sql
-- Drafts: what somebody began to write, kept for each conversation and on every device.

create table public.message_drafts (
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- Longer than a message may be: what is too long is made shorter, or into two.
  body text not null check (char_length(body) between 1 and 100000),
  reply_to uuid references public.messages (id) on delete set null,
  updated_at timestamptz not null default now(),
  primary key (user_id, conversation_id)
);
comment on table public.message_drafts is 'What somebody began to write; nobody else reads it.';
create index message_drafts_conversation_id_idx on public.message_drafts (conversation_id);
create index message_drafts_reply_to_idx on public.message_drafts (reply_to) where reply_to is not null;

alter table public.message_drafts enable row level security;

create policy "People read their own drafts"
  on public.message_drafts for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.message_drafts to authenticated;

create function public.save_message_draft(
  p_conversation_id uuid, p_body text, p_reply_to uuid default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  -- Nothing is refused that somebody is still writing; what is too long is told when it is sent.
  v_body text := left(coalesce(p_body, ''), 100000);
begin
  if btrim(v_body, E' \t\r\n') = '' then
    delete from public.message_drafts d
    where d.user_id = v_part.user_id and d.conversation_id = p_conversation_id;
    return;
  end if;
  insert into public.message_drafts (user_id, conversation_id, body, reply_to)
  values (
    v_part.user_id, p_conversation_id, v_body,
    (
      select m.id from public.messages m
      where m.id = p_reply_to and m.conversation_id = p_conversation_id
        and m.seq >= v_part.from_seq
    )
  )
  on conflict (user_id, conversation_id) do update set
    body = excluded.body, reply_to = excluded.reply_to, updated_at = now();
end
$$;
comment on function public.save_message_draft(uuid, text, uuid) is
  'Keeps what somebody is writing in a conversation; nothing written forgets it.';
grant execute on function public.save_message_draft(uuid, text, uuid) to authenticated;

-- From 20261123000500_blocks.sql
-- Blocks: with whom somebody does not want to talk.
--
-- Between two people nobody writes any more, in either direction, and who was blocked is not told
-- who did it or why. What coaching and support need goes on: there a block only silences.

create table public.blocks (
  user_id uuid not null references auth.users (id) on delete cascade,
  blocked_id uuid not null references auth.users (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
);
comment on table public.blocks is 'With whom somebody does not want to talk; only they know.';
create index blocks_blocked_id_idx on public.blocks (blocked_id);

alter table public.blocks enable row level security;

create policy "People see whom they have blocked"
  on public.blocks for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.blocks to authenticated;

create function public.set_person_blocked(p_person_id uuid, p_blocked boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_silenced uuid[];
begin
  if p_person_id = v_user_id then
    raise exception 'Nobody blocks themselves.' using errcode = '22023', hint = 'person_id';
  end if;
  if coalesce(p_blocked, false) then
    -- Whom one has never met cannot be blocked, and nobody learns that way who has an account.
    if not exists (
      select from public.conversation_participants mine
      join public.conversation_participants theirs
        on theirs.conversation_id = mine.conversation_id
      where mine.user_id = v_user_id and theirs.user_id = p_person_id
    ) and not private.work_together(v_user_id, p_person_id) then
      raise exception 'This person was not found.' using errcode = 'P0002', hint = 'person_id';
    end if;
    insert into public.blocks (user_id, blocked_id) values (v_user_id, p_person_id)
    on conflict do nothing;
    if not found then
      return jsonb_build_object('blocked', true);
    end if;
    v_silenced := array(
      select c.id from public.conversations c
      join public.conversation_participants p on p.conversation_id = c.id
      join public.conversation_participants o on o.conversation_id = c.id
      where p.user_id = v_user_id and p.left_at is null and o.user_id = p_person_id
        and (c.kind = 'engagement' or c.about_user_id = v_user_id)
    );
    perform private.hold_conversations(v_silenced || array(
      select c.id from public.conversations c
      where c.direct_pair = private.pair_of(v_user_id, p_person_id)
    ));
    update public.conversation_participants p set muted = true
    where p.conversation_id = any (v_silenced) and p.user_id = v_user_id;
  else
    delete from public.blocks b where b.user_id = v_user_id and b.blocked_id = p_person_id;
    if not found then
      return jsonb_build_object('blocked', false);
    end if;
  end if;
  -- Whether the two may write has changed.
  perform private.renew_channel(c.id) from public.conversations c
  where c.direct_pair = private.pair_of(v_user_id, p_person_id);
  return jsonb_build_object('blocked', coalesce(p_blocked, false));
end
$$;
comment on function public.set_person_blocked(uuid, boolean) is
  'Blocks somebody one has to do with, or takes that back; {blocked}. Conversations about coaching and with support are only muted.';

create function public.list_blocked() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return coalesce((
    select jsonb_agg(
      private.person_json(b.blocked_id) || jsonb_build_object('blocked_at', b.created_at)
      order by b.created_at desc, b.blocked_id
    )
    from public.blocks b where b.user_id = v_user_id
  ), '[]');
end
$$;
comment on function public.list_blocked() is
  'Whom somebody has blocked, the newest first: [{id, name, avatar_path, role, blocked_at}].';

grant execute on function public.set_person_blocked(uuid, boolean), public.list_blocked()
  to authenticated;

-- From 20261123000600_message_screens.sql
-- What the screens of messages show, each with one question.

create function private.person_json(p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', p.user_id, 'name', coalesce(nullif(p.full_name, ''), 'No name given'),
      'avatar_path', p.avatar_path, 'role', private.role_of(p.user_id)
    )
    from public.profiles p where p.user_id = p_user_id
  );
end
$$;
comment on function private.person_json(uuid) is 'A person as others see them: {id, name, avatar_path, role}.';

create function private.subject_json(p_conversation public.conversations) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return case p_conversation.kind
    when 'engagement' then (
      select jsonb_build_object('kind', 'engagement', 'id', e.id, 'name', b.name)
      from public.engagements e join public.businesses b on b.id = e.business_id
      where e.id = p_conversation.engagement_id
    )
    when 'project' then (
      select jsonb_build_object('kind', 'project', 'id', j.id, 'name', j.title)
      from public.projects j where j.id = p_conversation.project_id
    )
  end;
end
$$;

create function private.conversation_title(p_conversation public.conversations, p_user_id uuid)
returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_subject text := private.subject_json(p_conversation) ->> 'name';
begin
  return case p_conversation.kind
    when 'engagement' then 'Coaching: ' || v_subject
    when 'project' then v_subject
    when 'support' then case
      when p_conversation.about_user_id = p_user_id then 'Support'
      else coalesce(private.person_json(p_conversation.about_user_id) ->> 'name', 'Deleted account')
    end
    else coalesce((
      select private.person_json(p.user_id) ->> 'name' from public.conversation_participants p
      where p.conversation_id = p_conversation.id and p.user_id <> p_user_id
    ), 'Deleted account')
  end;
end
$$;
comment on function private.conversation_title(public.conversations, uuid) is
  'What a conversation is called in somebody''s list.';

create function private.conversation_json(
  p_conversation public.conversations, p_part public.conversation_participants
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_why text := private.why_closed(p_conversation, p_part.user_id);
  v_others int;
  v_people jsonb;
begin
  select count(*), coalesce(
    jsonb_agg(private.person_json(o.user_id) order by o.joined_at, o.user_id)
      filter (where o.place <= 5), '[]'
  )
  into v_others, v_people
  from (
    select p.user_id, p.joined_at, row_number() over (order by p.joined_at, p.user_id) as place
    from public.conversation_participants p
    where p.conversation_id = p_conversation.id and p.user_id <> p_part.user_id
      -- The other one of two stays in the picture.
      and (p.left_at is null or p_conversation.kind = 'direct')
  ) o;
  return jsonb_build_object(
    'id', p_conversation.id, 'kind', p_conversation.kind,
    'title', private.conversation_title(p_conversation, p_part.user_id),
    'subject', private.subject_json(p_conversation),
    'people', v_people, 'others', v_others, 'epoch', p_conversation.epoch,
    'last_seq', p_conversation.last_seq, 'revision', p_conversation.revision,
    'read_seq', p_part.read_seq, 'from_seq', p_part.from_seq, 'unread', p_part.unread,
    'muted', p_part.muted, 'open', v_why is null, 'closed_why', v_why,
    'last_message', private.last_message_json(p_conversation, p_part.from_seq),
    'active_at', coalesce(p_part.active_at, p_conversation.created_at),
    'created_at', p_conversation.created_at,
    'draft', (
      select private.excerpt(d.body) from public.message_drafts d
      where d.user_id = p_part.user_id and d.conversation_id = p_conversation.id
    )
  );
end
$$;

create function private.like_pattern(p_text text) returns text
language sql immutable set search_path = '' as $$
  select '%' || regexp_replace(btrim(left(coalesce(p_text, ''), 100)), '([\\%_])', '\\\1', 'g') || '%'
$$;
comment on function private.like_pattern(text) is 'What was typed into a search field, for ilike.';

create function public.list_conversations(
  p_search text default null, p_before timestamptz default null, p_before_id uuid default null,
  p_limit int default 30
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_search text := nullif(btrim(coalesce(p_search, '')), '');
  v_pattern text := private.like_pattern(p_search);
  v_before_id uuid := coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff');
  v_ids uuid[];
begin
  if v_search is null then
    -- By the index of one's list, newest first: what is read grows with the page.
    v_ids := array(
      select p.conversation_id from public.conversation_participants p
      where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
        and (p.active_at, p.conversation_id) < (coalesce(p_before, 'infinity'), v_before_id)
      order by p.active_at desc, p.conversation_id desc
      limit v_limit + 1
    );
  else
    v_ids := array(
      with mine as (
        select c.id, c.kind, c.engagement_id, c.project_id, c.about_user_id, p.active_at
        from public.conversation_participants p
        join public.conversations c on c.id = p.conversation_id
        where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
          and (p.active_at, p.conversation_id) < (coalesce(p_before, 'infinity'), v_before_id)
      ), fitting as (
        select m.id from mine m
        join public.conversation_participants o on o.conversation_id = m.id and o.user_id <> v_user_id
        join public.profiles f on f.user_id = o.user_id
        where f.full_name ilike v_pattern
        union
        select m.id from mine m join public.projects j on j.id = m.project_id
        where j.title ilike v_pattern
        union
        select m.id from mine m
        join public.engagements e on e.id = m.engagement_id
        join public.businesses b on b.id = e.business_id
        where 'Coaching: ' || b.name ilike v_pattern
        union
        select m.id from mine m where m.about_user_id = v_user_id and 'Support' ilike v_pattern
      )
      select m.id from mine m where m.id in (select f.id from fitting f)
      order by m.active_at desc, m.id desc
      limit v_limit + 1
    );
  end if;
  return jsonb_build_object(
    'conversations', coalesce((
      select jsonb_agg(private.conversation_json(c, p) order by n.place)
      from unnest(v_ids[:v_limit]) with ordinality as n (id, place)
      join public.conversations c on c.id = n.id
      join public.conversation_participants p
        on p.conversation_id = n.id and p.user_id = v_user_id
    ), '[]'),
    'more', cardinality(v_ids) > v_limit,
    'unread', private.unread_total(v_user_id),
    'support_id', (select c.id from public.conversations c where c.about_user_id = v_user_id)
  );
end
$$;
comment on function public.list_conversations(text, timestamptz, uuid, int) is
  'A page of somebody''s conversations, the last active first, or those whose people or subject fit a search; {conversations, more, unread (100 means 100 or more), support_id}. active_at and id of the last one lead on.';

create function public.get_conversation(
  p_id uuid, p_limit int default 50, p_around bigint default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 50), 1), 200);
  v_conversation public.conversations;
  v_part public.conversation_participants;
  v_from bigint;
begin
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_id and p.user_id = v_user_id and p.left_at is null;
  if not found then
    return null;
  end if;
  select * into v_conversation from public.conversations c where c.id = p_id;
  v_from := v_conversation.last_seq - v_limit + 1;
  if p_around is not null then
    v_from := least(v_from, p_around - v_limit / 2);
  elsif v_part.unread > 0 then
    -- The first unread one, with ten before it.
    v_from := least(v_from, greatest(v_part.read_seq + 1, v_part.from_seq) - least(10, v_limit - 1));
  end if;
  v_from := greatest(v_from, v_part.from_seq);
  return jsonb_build_object(
    'conversation', private.conversation_json(v_conversation, v_part),
    'people', (
      select jsonb_agg(
        private.person_json(p.user_id)
          || jsonb_build_object('read_seq', p.read_seq, 'left', p.left_at is not null)
        order by p.joined_at, p.user_id
      )
      from public.conversation_participants p where p.conversation_id = p_id
    ),
    'messages', private.messages_json(v_part, v_from, v_from + v_limit - 1),
    'draft', (
      select jsonb_build_object(
        'body', d.body, 'reply_to', private.quote_json(d.reply_to, v_part.from_seq)
      )
      from public.message_drafts d where d.user_id = v_user_id and d.conversation_id = p_id
    ),
    'blocked', v_conversation.kind = 'direct' and exists (
      select from public.conversation_participants o
      join public.blocks b on b.user_id = v_user_id and b.blocked_id = o.user_id
      where o.conversation_id = p_id
    )
  );
end
$$;
comment on function public.get_conversation(uuid, int, bigint) is
  'One conversation with a page of messages: the last ones, those around the first unread, or around a seq; {conversation, people (also who left), messages, draft, blocked}. Null when it is not theirs.';

create function public.list_correspondents(p_search text default null, p_limit int default 30)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_pattern text := private.like_pattern(p_search);
  v_peopled uuid[] := array(
    select m.business_id from public.business_members m
    where m.user_id = v_user_id and exists (
      select from public.business_members o
      where o.business_id = m.business_id and o.user_id <> m.user_id
    )
  );
  v_coached uuid[] := array(
    select e.id from public.engagements e
    where (e.coach_id = v_user_id or e.business_id in (
        select m.business_id from public.business_members m where m.user_id = v_user_id
      ))
      and private.coach_of(e.id) is not null
  );
begin
  return coalesce((
    with people (user_id, words, rank) as (
      select e.coach_id, 'Your coach', 1 from public.engagements e
      where e.owner_id = v_user_id and private.coach_of(e.id) is not null
      union all
      select c.owner_id, 'Client: ' || b.name, 2
      from private.my_clients() c join public.businesses b on b.id = c.business_id
      union all
      select o.user_id, 'Member of ' || b.name, 3
      from public.business_members m
      join public.business_members o on o.business_id = m.business_id and o.user_id <> m.user_id
      join public.businesses b on b.id = m.business_id
      where m.user_id = v_user_id
    ), known as (
      -- Whoever is met in two ways stands once.
      select distinct on (p.user_id) p.user_id, p.words, p.rank, f.full_name, f.avatar_path
      from people p join public.profiles f on f.user_id = p.user_id
      where not exists (
        select from public.blocks b
        where (b.user_id, b.blocked_id) in ((v_user_id, p.user_id), (p.user_id, v_user_id))
      )
      order by p.user_id, p.rank
    ), found as (
      (
        select 1 as part, k.rank::text || lower(k.full_name) as place, 'direct' as kind,
          k.user_id as subject_id, coalesce(nullif(k.full_name, ''), 'No name given') as name,
          k.words, k.avatar_path, private.role_of(k.user_id) as role, c.id as conversation_id
        from known k
        left join public.conversations c on c.direct_pair = private.pair_of(v_user_id, k.user_id)
        where k.full_name ilike v_pattern or k.words ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 2, lower(b.name), 'engagement', e.id, 'Coaching: ' || b.name,
          case when e.owner_id = v_user_id then 'With ' else 'Owner: ' end
            || coalesce(private.name_of(case when e.owner_id = v_user_id then e.coach_id else e.owner_id end), 'No name given'),
          null, null, c.id
        from public.engagements e
        join public.businesses b on b.id = e.business_id
        left join public.conversations c on c.engagement_id = e.id
        where v_user_id in (e.owner_id, e.coach_id) and private.coach_of(e.id) is not null
          and 'Coaching: ' || b.name ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 3, lower(j.title), 'project', j.id, j.title, 'Project of ' || b.name, null, null, c.id
        from public.projects j
        join public.businesses b on b.id = j.business_id and b.archived_at is null
        left join public.conversations c on c.project_id = j.id
        -- Somebody else has to be there: another member, or the coach of its engagement.
        where (j.business_id = any (v_peopled) or j.engagement_id = any (v_coached))
          and j.status <> 'canceled'
          and (j.title ilike v_pattern or 'Project of ' || b.name ilike v_pattern)
        order by j.updated_at desc limit v_limit
      )
      union all
      (
        select 4, '', 'support', null, 'Support', 'The people who run this site', null, 'admin', c.id
        from (select) as one
        left join public.conversations c on c.about_user_id = v_user_id
        where not private.is_admin() and 'Support' ilike v_pattern
      )
    )
    select jsonb_agg(jsonb_build_object(
      'kind', f.kind, 'subject_id', f.subject_id, 'name', f.name, 'words', f.words,
      'avatar_path', f.avatar_path, 'role', f.role, 'conversation_id', f.conversation_id
    ) order by f.part, f.place, f.subject_id)
    from (select * from found order by part, place, subject_id limit v_limit) f
  ), '[]');
end
$$;
comment on function public.list_correspondents(text, int) is
  'To whom and about what somebody may write: people, coaching, projects, support last; [{kind, subject_id, name, words, avatar_path, role, conversation_id}].';

create function private.message_query(p_text text) returns tsquery
language sql stable set search_path = '' as $$
  -- Each word as a beginning: "invo mar" finds the invoice of March.
  select to_tsquery('simple', string_agg(quote_literal(w) || ':*', ' & '))
  from regexp_split_to_table(
    lower(regexp_replace(left(coalesce(p_text, ''), 200), '[''\\&|!()<>:*]+', ' ', 'g')), '\s+'
  ) w
  where w ~ '[[:alnum:]]'
$$;
comment on function private.message_query(text) is
  'What somebody looks for in messages, every word taken as a beginning; null for nothing.';

create function public.search_messages(
  p_query text, p_before timestamptz default null, p_limit int default 20
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- Up to this many hits are sorted; of more, the newest of each conversation are looked for.
  c_few constant int := 1000;
  -- Up to this many conversations are named in the question, so that the index leads to them.
  c_named constant int := 200;
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 20), 1), 50);
  v_before timestamptz := coalesce(p_before, 'infinity');
  v_query tsquery := private.message_query(p_query);
  v_mine uuid[];
  v_fitting uuid[];
begin
  if v_query is null or numnode(v_query) = 0 then
    return '[]';
  end if;
  v_mine := array(
    select p.conversation_id from public.conversation_participants p
    where p.user_id = v_user_id and p.left_at is null and p.active_at is not null
  );
  if cardinality(v_mine) = 0 then
    return '[]';
  end if;
  v_fitting := array(
    select m.id from public.messages m
    join public.conversation_participants p
      on p.conversation_id = m.conversation_id and p.user_id = v_user_id and p.left_at is null
        and p.from_seq <= m.seq
    where m.words @@ case when cardinality(v_mine) <= c_named
        then v_query && (select string_agg(quote_literal('=' || c), ' | ')::tsquery from unnest(v_mine) c)
        else v_query end
      and m.sent_at < v_before and m.removed_at is null
    limit c_few + 1
  );
  if cardinality(v_fitting) > c_few then
    -- The function in place of its operator keeps the planner to the order of each conversation.
    v_fitting := array(
      select n.id
      from unnest(v_mine) as c (id)
      join public.conversation_participants p on p.conversation_id = c.id and p.user_id = v_user_id
      cross join lateral (
        select m.id, m.sent_at from public.messages m
        where m.conversation_id = c.id and m.seq >= p.from_seq and m.sent_at < v_before
          and m.removed_at is null and pg_catalog.ts_match_vq(m.words, v_query)
        order by m.seq desc limit v_limit
      ) n
      order by n.sent_at desc limit v_limit
    );
  end if;
  return coalesce((
    select jsonb_agg(jsonb_build_object(
      'message_id', m.id, 'conversation_id', m.conversation_id,
      'title', private.conversation_title(c, v_user_id), 'seq', m.seq,
      'author_id', m.author_id, 'author_name', private.name_of(m.author_id),
      'excerpt', private.excerpt_around(m.body, v_query), 'sent_at', m.sent_at
    ) order by m.sent_at desc, m.id)
    from (
      select * from public.messages m where m.id = any (v_fitting)
      order by m.sent_at desc, m.id limit v_limit
    ) m
    join public.conversations c on c.id = m.conversation_id
  ), '[]');
end
$$;
comment on function public.search_messages(text, timestamptz, int) is
  'Messages that hold every word (as a beginning), of those that one may read, the newest first: [{message_id, conversation_id, title, seq, author_id, author_name, excerpt, sent_at}]; sent_at of the last one leads on.';

create function private.excerpt_around(p_body text, p_query tsquery) returns text
language sql stable set search_path = '' as $$
  select private.excerpt(
    case
      when char_length(p_body) <= 140 then p_body
      when starts_with(ltrim(p_body), left(ltrim(h.part), 24)) then h.part
      else '… ' || h.part
    end
  )
  from ts_headline(
    'simple', coalesce(p_body, ''), p_query,
    'StartSel="", StopSel="", MaxWords=22, MinWords=12, MaxFragments=1'
  ) as h (part)
$$;
comment on function private.excerpt_around(text, tsquery) is
  'The part of a text where a search found something, as one line: all of a short one, and “…” before what is not the beginning.';

grant execute on function
  public.list_conversations(text, timestamptz, uuid, int),
  public.get_conversation(uuid, int, bigint), public.list_correspondents(text, int),
  public.search_messages(text, timestamptz, int)
  to authenticated;

-- From 20261123000700_message_topics.sql
-- Live channels of messages: who may hear which, and who may say something there.
--
--   conversation:<id>:<epoch>   what the database says of a conversation; presence in it
--   typing:<id>:<epoch>         that somebody is typing; clients send it to each other
--   person:<user id>            what the database says to one person, wherever they are on the site
--   presence:<user id>          whether somebody is here
--
-- Clients broadcast in `typing:` alone: in a channel where they could, one of them could make the
-- others show words that nobody stored.

create function private.topic_id(p_topic text, p_kind text) returns uuid
language sql immutable set search_path = '' as $$
  select (regexp_match(
    p_topic, '^' || p_kind || ':([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::[0-9]{1,9})?$'
  ))[1]::uuid
$$;

create function private.topic_conversation(p_topic text, p_kinds text[])
returns public.conversations
language plpgsql stable security definer set search_path = '' as $$
declare
  v_conversation public.conversations;
begin
  select c.* into v_conversation
  from unnest(p_kinds) as k (kind)
  join public.conversations c on c.id = private.topic_id(p_topic, k.kind)
  join public.conversation_participants p on p.conversation_id = c.id
  where p_topic = k.kind || ':' || c.id || ':' || c.epoch
    and p.user_id = auth.uid() and p.left_at is null;
  return v_conversation;
end
$$;
comment on function private.topic_conversation(text, text[]) is
  'The conversation of a topic, if its epoch is the present one and whoever asks takes part; else null.';

create function private.may_see_presence(p_user_id uuid, p_other_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_user_id = p_other_id then
    return true;
  end if;
  if exists (
    select from public.blocks b
    where (b.user_id, b.blocked_id) in ((p_user_id, p_other_id), (p_other_id, p_user_id))
  ) then
    return false;
  end if;
  return private.work_together(p_user_id, p_other_id) or exists (
    select from public.conversation_participants a
    join public.conversation_participants b on b.conversation_id = a.conversation_id
    join public.conversations c on c.id = a.conversation_id
    where a.user_id = p_user_id and a.left_at is null and b.user_id = p_other_id
      and b.left_at is null and c.kind in ('project', 'support')
  );
end
$$;
comment on function private.may_see_presence(uuid, uuid) is
  'Whether somebody sees that another is here: people who may write to each other.';

create function private.may_hear() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_topic text := realtime.topic();
  v_user_id uuid := auth.uid();
begin
  return v_topic is not null and v_user_id is not null and (
    v_topic = 'person:' || v_user_id
    or (private.topic_conversation(v_topic, array['conversation', 'typing'])).id is not null
    -- By this name alone: each other name would be one more channel to look after.
    or v_topic = 'presence:' || private.topic_id(v_topic, 'presence')
      and coalesce(private.may_see_presence(v_user_id, private.topic_id(v_topic, 'presence')), false)
  );
end
$$;
comment on function private.may_hear() is 'Whether the person may join the channel that is asked about.';

create function private.may_say(p_extension text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_topic text := realtime.topic();
  v_user_id uuid := auth.uid();
  v_conversation public.conversations;
begin
  if v_topic is null or v_user_id is null then
    return false;
  end if;
  if p_extension = 'presence' and v_topic = 'presence:' || v_user_id then
    return true;
  end if;
  v_conversation := private.topic_conversation(
    v_topic,
    case p_extension
      when 'presence' then array['conversation', 'typing']
      when 'broadcast' then array['typing']
    end
  );
  return v_conversation.id is not null
    and private.why_closed(v_conversation, v_user_id) is null;
end
$$;
comment on function private.may_say(text) is
  'Whether the person may broadcast (typing alone) or be present in the channel that is asked about.';
grant execute on function private.may_hear(), private.may_say(text) to authenticated;

create policy "People hear their own channel, their conversations and who is here"
  on realtime.messages for select to authenticated
  using (
    extension in ('broadcast', 'presence')
    and (select private.session_ok()) and (select private.may_hear())
  );
create policy "People who may write say that they type and that they are here"
  on realtime.messages for insert to authenticated
  with check (
    extension in ('broadcast', 'presence')
    and (select private.session_ok()) and private.may_say(extension)
  );

-- From 20261123000750_message_reports.sql
-- Reports: a participant asks the admins to look at a message, and by that lets them read the thread.
--
--   open → settled (dismissed, or the message was removed)
--
-- Nobody else lets an admin into a conversation, and each look is in the audit log.

create table public.message_reports (
  id uuid primary key,
  -- Null once the message is gone with everything about its business or people.
  message_id uuid references public.messages (id) on delete set null,
  conversation_id uuid references public.conversations (id) on delete set null,
  reporter_id uuid references auth.users (id) on delete set null,
  author_id uuid references auth.users (id) on delete set null,
  reason text not null check (reason in ('spam', 'abuse', 'other')),
  note text check (char_length(note) <= 1000),
  -- What it said when it was reported, because its author can remove it.
  said text not null,
  state text not null default 'open' check (state in ('open', 'settled')),
  outcome text check (outcome in ('dismissed', 'removed')),
  settled_by uuid references auth.users (id) on delete set null,
  settled_at timestamptz,
  created_at timestamptz not null default now(),
  unique (message_id, reporter_id),
  check ((state = 'settled') = (outcome is not null)),
  check ((state = 'settled') = (settled_at is not null))
);
comment on table public.message_reports is
  'Messages that participants asked the admins to look at. No API role reads or writes it.';
create index message_reports_conversation_id_idx on public.message_reports (conversation_id);
create index message_reports_reporter_id_idx on public.message_reports (reporter_id);
create index message_reports_author_id_idx on public.message_reports (author_id);
create index message_reports_settled_by_idx on public.message_reports (settled_by);
create index message_reports_state_idx on public.message_reports (state, created_at desc, id desc);

alter table public.message_reports enable row level security;

-- Reporting -------------------------------------------------------------------------------------

create function public.report_message(p_id uuid, p_message_id uuid, p_reason text, p_note text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_message public.messages;
  v_found public.message_reports;
begin
  if p_id is null then
    raise exception 'A report needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_reports', v_user_id);
  select m.* into v_message from public.messages m
  join public.conversation_participants p on p.conversation_id = m.conversation_id
  where m.id = p_message_id and p.user_id = v_user_id and p.left_at is null and p.from_seq <= m.seq;
  if not found then
    raise exception 'This message was not found.' using errcode = 'P0002';
  end if;
  select * into v_found from public.message_reports r
  where r.id = p_id or (r.message_id = p_message_id and r.reporter_id = v_user_id);
  if found then
    if v_found.reporter_id is distinct from v_user_id
      or v_found.message_id is distinct from p_message_id
    then
      raise exception 'This report exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;
  if v_message.author_id is not distinct from v_user_id then
    raise exception 'This message is your own. You can remove it.' using errcode = '55000';
  end if;
  if v_message.removed_at is not null then
    raise exception 'This message was removed already.' using errcode = '55000';
  end if;
  if p_reason is null or p_reason not in ('spam', 'abuse', 'other') then
    raise exception 'Say what is wrong with it.' using errcode = '22023', hint = 'reason';
  end if;
  if char_length(btrim(p_note)) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  insert into public.message_reports (
    id, message_id, conversation_id, reporter_id, author_id, reason, note, said
  ) values (
    p_id, p_message_id, v_message.conversation_id, v_user_id, v_message.author_id, p_reason,
    nullif(btrim(p_note), ''), v_message.body
  );
  -- The admins hear of it by mail, once an hour at most however much comes in.
  if private.take_rate_limit('reports_mailed', 1, interval '1 hour') then
    perform private.notify_person(
      r.user_id, 'A message was reported',
      'Somebody in a conversation asks you to look at a message. Reading it is written down.',
      'You get this mail because you are an admin. More reports within the hour come without one.',
      'Open the reports', '/admin/messages'
    )
    from public.staff_roles r where r.role = 'admin';
  end if;
  return jsonb_build_object('id', p_id, 'state', 'open');
end
$$;
comment on function public.report_message(uuid, uuid, text, text) is
  'A reader of a message asks the admins to look at it (spam, abuse, other), who may then read the conversation; {id, state}. One report a reader and message.';
grant execute on function public.report_message(uuid, uuid, text, text) to authenticated;

-- What admins do with it ------------------------------------------------------------------------

create function private.report_json(p_report public.message_reports) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_report.id, 'state', p_report.state, 'outcome', p_report.outcome,
    'reason', p_report.reason, 'note', p_report.note, 'created_at', p_report.created_at,
    'settled_at', p_report.settled_at, 'settled_by', private.name_of(p_report.settled_by),
    'message_id', p_report.message_id, 'conversation_id', p_report.conversation_id,
    'kind', (select c.kind from public.conversations c where c.id = p_report.conversation_id),
    'reporter', private.person_json(p_report.reporter_id),
    'author', private.person_json(p_report.author_id)
  );
end
$$;

create function public.list_message_reports(
  p_state text default 'open', p_before timestamptz default null, p_before_id uuid default null,
  p_limit int default 30
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_ids uuid[];
begin
  perform private.require_admin();
  v_ids := array(
    select r.id from public.message_reports r
    where r.state = coalesce(p_state, 'open') and (r.created_at, r.id) < (
      coalesce(p_before, 'infinity'),
      coalesce(p_before_id, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
    )
    order by r.created_at desc, r.id desc limit v_limit + 1
  );
  return jsonb_build_object(
    'reports', coalesce((
      select jsonb_agg(private.report_json(r) order by n.place)
      from unnest(v_ids[:v_limit]) with ordinality as n (id, place)
      join public.message_reports r on r.id = n.id
    ), '[]'),
    'more', cardinality(v_ids) > v_limit,
    'open', (
      select count(*) from (
        select from public.message_reports o where o.state = 'open' limit 100
      ) o
    )
  );
end
$$;
comment on function public.list_message_reports(text, timestamptz, uuid, int) is
  'For admins: who reported whom and why, "open" or "settled", the newest first, without what was said; {reports, more, open (100 means 100 or more)}. created_at and id of the last one lead on.';

create function public.get_reported_conversation(p_report_id uuid, p_before bigint default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_report public.message_reports;
  v_conversation public.conversations;
  v_part public.conversation_participants;
  v_seq bigint;
  v_to bigint;
begin
  perform private.require_admin();
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'This report was not found.' using errcode = 'P0002';
  end if;
  perform private.audit(
    'message_report.read', 'message_report', p_report_id::text, null,
    jsonb_build_object('conversation_id', v_report.conversation_id, 'before', p_before)
  );
  select * into v_conversation from public.conversations c where c.id = v_report.conversation_id;
  -- What its reporter could show of it: not what was said before they came.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = v_report.conversation_id and p.user_id = v_report.reporter_id;
  select m.seq into v_seq from public.messages m where m.id = v_report.message_id;
  v_part.conversation_id := v_report.conversation_id;
  v_part.from_seq := coalesce(v_part.from_seq, v_seq);
  -- Nor what was said after they left, or after the report was settled.
  v_to := least(coalesce(p_before - 1, v_seq + 20), (
    select max(m.seq) from public.messages m
    where m.conversation_id = v_report.conversation_id
      and (m.sent_at <= least(v_part.left_at, v_report.settled_at)) is not false
  ));
  return jsonb_build_object(
    'report', private.report_json(v_report) || jsonb_build_object('said', v_report.said),
    'people', coalesce((
      select jsonb_agg(
        private.person_json(p.user_id) || jsonb_build_object('left', p.left_at is not null)
        order by p.joined_at, p.user_id
      )
      from public.conversation_participants p where p.conversation_id = v_conversation.id
    ), '[]'),
    'messages', private.messages_json(v_part, v_to - 49, v_to),
    'more', v_to - 49 > v_part.from_seq
  );
end
$$;
comment on function public.get_reported_conversation(uuid, bigint) is
  'For admins, each time with a row of the audit log: fifty messages around the reported one, or before a seq; {report (with said), people, messages, more}.';

create function public.settle_message_report(p_report_id uuid, p_outcome text, p_reason text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_report public.message_reports;
  v_message public.messages;
begin
  if p_outcome is null or p_outcome not in ('dismissed', 'removed') then
    raise exception 'Dismiss the report, or remove the message.'
      using errcode = '22023', hint = 'outcome';
  end if;
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'This report was not found.' using errcode = 'P0002';
  end if;
  -- The conversation before the report, like everyone who changes a message.
  perform from public.conversations c where c.id = v_report.conversation_id for update;
  select * into v_report from public.message_reports r where r.id = p_report_id for update;
  if v_report.state = 'settled' then
    if v_report.outcome <> p_outcome then
      raise exception 'This report was settled already.' using errcode = '55000';
    end if;
    return private.report_json(v_report);
  end if;
  if p_outcome = 'dismissed' and v_report.author_id = v_admin_id
    and not private.is_last_admin(v_admin_id)
  then
    raise exception 'You wrote this message: another admin decides whether it stays.'
      using errcode = '42501';
  end if;
  if p_outcome = 'removed' then
    select * into v_message from public.messages m where m.id = v_report.message_id;
    if v_message.id is not null and v_message.removed_at is null then
      v_message := private.change_message(v_report.message_id, null);
      perform private.notify_person(
        v_report.author_id, 'A message of yours was removed',
        'Somebody in the conversation reported it, and we found that it does not belong there.',
        'You get this mail because you wrote the message.', 'Your messages', '/dashboard/messages'
      );
    end if;
  end if;
  update public.message_reports r set
    state = 'settled', outcome = p_outcome, settled_by = v_admin_id, settled_at = now()
  where r.id = p_report_id
  returning * into v_report;
  perform private.audit(
    'message_report.settle', 'message_report', p_report_id::text, v_reason,
    jsonb_build_object('outcome', p_outcome, 'message_id', v_report.message_id)
  );
  perform private.notify_person(
    v_report.reporter_id, 'We have looked at the message you reported',
    case p_outcome when 'removed' then 'It was removed. Thank you for telling us.'
      else 'We left it where it is. You can block whoever wrote it, or mute the conversation.' end,
    'You get this mail because you reported a message.', 'Your messages', '/dashboard/messages'
  );
  return private.report_json(v_report);
end
$$;
comment on function public.settle_message_report(uuid, text, text) is
  'An admin dismisses a report or removes the message, with a reason for the audit log; the reporter is told by mail. Nobody dismisses a report of their own words while there is another admin.';

grant execute on function
  public.list_message_reports(text, timestamptz, uuid, int),
  public.get_reported_conversation(uuid, bigint), public.settle_message_report(uuid, text, text)
  to authenticated;

create function private.delete_old_message_reports() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.message_reports where settled_at < now() - interval '180 days' returning 1
  )
  select count(*) from gone
$$;
insert into public.schedule_jobs (name, every) values ('delete_old_message_reports', interval '1 day');

-- From 20261123000800_unread_mail.sql
-- Mail of unread messages: one for everything that has waited for ten quiet minutes, or for an hour.
--
-- What a mail tells of is marked in the transaction that queues it, so that no other mail ever tells
-- of it again. What it says is put together when it is sent: whatever was read, removed or muted in
-- the meantime is not in it, and a mail with nothing left to say is dropped.

-- A mail that is not wanted any more ------------------------------------------------------------

create function private.mail_to_send(p_template text, p_data jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return case p_template
    when 'unread-messages' then (
      -- Who has another address now gets it nowhere: the old one may be somebody else's.
      select private.unread_mail(u.id, p_data -> 'conversations') from auth.users u
      where u.id = (p_data ->> 'user_id')::uuid and u.email = p_data ->> 'address'
    )
    else p_data
  end;
end
$$;
comment on function private.mail_to_send(text, jsonb) is
  'What a queued mail says now, right before it is sent; null when it is no longer wanted.';

-- Unread messages -------------------------------------------------------------------------------

create function private.unread_mail(p_user_id uuid, p_conversations jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- A mail shows so many conversations, and so many messages of each.
  c_conversations constant int := 5;
  c_messages constant int := 5;
  v_with_text boolean := private.wants(p_user_id, 'message_text');
  v_said jsonb;
begin
  if not private.wants(p_user_id, 'messages') then
    return null;
  end if;
  with unread as (
    select m.*, p.conversation_id as talk,
      row_number() over (partition by m.conversation_id order by m.seq) as place
    from jsonb_to_recordset(p_conversations) as q (id uuid, after bigint, upto bigint)
    join public.conversation_participants p
      on p.conversation_id = q.id and p.user_id = p_user_id and p.left_at is null and not p.muted
    join public.messages m
      on m.conversation_id = q.id
        and m.seq > greatest(q.after, p.read_seq, p.from_seq - 1) and m.seq <= q.upto
    where m.removed_at is null and m.author_id is distinct from p_user_id
      and not exists (
        select from public.blocks b where b.user_id = p_user_id and b.blocked_id = m.author_id
      )
  ), talks as (
    select u.talk, count(*)::int as messages, min(u.sent_at) as since,
      row_number() over (order by min(u.sent_at), u.talk) as place,
      array_agg(distinct coalesce(private.name_of(u.author_id), 'Somebody')) as authors
    from unread u group by u.talk
  )
  select jsonb_build_object(
    'messages', sum(t.messages), 'conversations', count(*), 'with_text', v_with_text,
    'talks', jsonb_agg(
      jsonb_build_object(
        'title', private.conversation_title(c, p_user_id), 'messages', t.messages,
        'authors', to_jsonb(t.authors[:3]), 'others', greatest(cardinality(t.authors) - 3, 0),
        'path', '/dashboard/messages/conversations/' || t.talk
      ) || case when v_with_text then jsonb_build_object('said', (
        select jsonb_agg(
          jsonb_build_object(
            'by', coalesce(private.name_of(u.author_id), 'Somebody'),
            'text', case when char_length(u.body) > 600 then rtrim(left(u.body, 599)) || '…' else u.body end,
            'files', (select count(*) from public.message_attachments a where a.message_id = u.id)
          ) order by u.seq
        )
        from unread u where u.talk = t.talk and u.place <= c_messages
      )) else '{}' end
      order by t.place
    ) filter (where t.place <= c_conversations)
  )
  into v_said
  from talks t join public.conversations c on c.id = t.talk;
  return case when (v_said ->> 'conversations')::int > 0 then v_said end;
end
$$;
comment on function private.unread_mail(uuid, jsonb) is
  'What a mail tells somebody of the given conversations ([{id, after, upto}]), as far as it is unread now; null for nothing.';

create function private.mail_unread_messages() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_quiet constant interval := interval '10 minutes';
  c_longest constant interval := interval '1 hour';
  c_a_run constant int := 500;
  v_person record;
  v_talks jsonb;
  v_locked int;
  v_mails int := 0;
begin
  for v_person in
    select p.user_id, count(*) as talks
    from public.conversation_participants p
    where p.user_id in (
        select q.user_id from public.conversation_participants q
        where q.unread_since <= now() - c_quiet or q.unread_since > now() + c_quiet
      )
      and p.unread_since is not null and p.left_at is null
    group by p.user_id
    -- Unread since a time that isn't yet: the clock was put back, and nobody waits for that time.
    having max(p.unread_at) <= now() - c_quiet or min(p.unread_since) <= now() - c_longest
      or max(p.unread_at) > now() + c_quiet
    order by min(p.unread_since), p.user_id limit c_a_run
  loop
    -- Whoever is written to at this moment, or is taken care of by another tick, waits for the next.
    select count(*), jsonb_agg(jsonb_build_object('id', l.conversation_id, 'after', l.after, 'upto', c.last_seq))
    into v_locked, v_talks
    from (
      select p.conversation_id, greatest(p.mailed_seq, p.read_seq) as after
      from public.conversation_participants p
      where p.user_id = v_person.user_id and p.unread_since is not null and p.left_at is null
      for update skip locked
    ) l
    join public.conversations c on c.id = l.conversation_id;
    continue when v_locked <> v_person.talks;

    if private.unread_mail(v_person.user_id, v_talks) is not null then
      insert into public.mail_outbox (to_address, template, data)
      select u.email, 'unread-messages', jsonb_build_object(
        'user_id', v_person.user_id, 'address', u.email, 'conversations', v_talks
      )
      from auth.users u
      where u.id = v_person.user_id and u.email is not null and u.email_confirmed_at is not null;
      v_mails := v_mails + 1;
    end if;
    -- Told of, or not to be told of: either way it is not looked at again.
    update public.conversation_participants p
    set mailed_seq = (t ->> 'upto')::bigint, unread_since = null, unread_at = null
    from jsonb_array_elements(v_talks) t
    where p.user_id = v_person.user_id and p.conversation_id = (t ->> 'id')::uuid;
  end loop;
  return jsonb_build_object('mails', v_mails);
end
$$;
comment on function private.mail_unread_messages() is
  'Queues one mail for everyone whose unread messages have waited for ten quiet minutes, or for an hour.';
insert into public.schedule_jobs (name, every) values ('mail_unread_messages', interval '1 minute');

-- From 20261123000900_words_left_behind.sql
-- Words left behind: a deleted account leaves what it wrote to those it wrote to, without a name.

create function private.leave_words_behind() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_ids uuid[] := array(
    select p.conversation_id from public.conversation_participants p
    where p.user_id = old.id order by p.conversation_id
  );
begin
  perform private.hold_conversations(v_ids);
  -- Their files go, and messages that were nothing but files with them.
  perform private.change_message(m.id, null)
  from public.messages m
  where m.author_id = old.id and m.body = '' and m.removed_at is null;
  delete from public.message_attachments a where a.uploaded_by = old.id;
  update public.messages m set author_id = null where m.author_id = old.id;
  update public.conversations c set direct_pair = null where c.id = any (v_ids) and c.kind = 'direct';
  update public.conversations c set about_user_id = null where c.about_user_id = old.id;
  delete from public.conversation_participants p where p.user_id = old.id;
  -- What nobody reads any more goes as a whole.
  delete from public.conversations c
  where c.id = any (v_ids) and not exists (
    select from public.conversation_participants p
    where p.conversation_id = c.id and p.left_at is null
  );
  return old;
end
$$;
comment on function private.leave_words_behind() is
  'Before an account goes: what they wrote stays with those they wrote to, without their name; their files go.';
create trigger leave_words_behind before delete on auth.users
  for each row execute function private.leave_words_behind();

-- From 20261123000910_session_context.sql
-- Session context: what every guarded page asks first, as one query.

create function public.session_context() returns jsonb
language sql stable security definer set search_path = '' as $$
  with asking as (
    select u.id, u.email, private.role_of(u.id) as role, private.second_factor(u.id) as second_factor
    from auth.users u
    where u.id = (select auth.uid()) and private.session_open()
  )
  select
    case when a.second_factor = 'required' then
      jsonb_build_object(
        'user_id', a.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'role', a.role, 'second_factor', a.second_factor, 'businesses', '[]'::jsonb,
        'deletion_due_at', null, 'unread_messages', 0, 'message_text', false
      )
    else
      jsonb_build_object(
        'user_id', a.id, 'email', a.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
        'time_zone', p.time_zone, 'role', a.role, 'second_factor', a.second_factor,
        'businesses', coalesce((
          select jsonb_agg(
            jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
            order by m.joined_at, b.name, b.id
          )
          from public.business_members m
          join public.businesses b on b.id = m.business_id
          where m.user_id = a.id and b.archived_at is null
        ), '[]'),
        'deletion_due_at', d.due_at,
        'unread_messages', private.unread_total(a.id),
        'message_text', private.wants(a.id, 'message_text')
      )
    end
  from asking a
  left join public.profiles p on p.user_id = a.id
  left join public.account_deletions d on d.user_id = a.id
$$;
comment on function public.session_context() is
  'Who is asking: {user_id, email, full_name, avatar_path, time_zone (null while it is not known), role, second_factor, businesses, deletion_due_at, unread_messages (100 means 100 or more), message_text (whether mails and notifications may say what messages say)}. Works while the second factor is owed, then without anything private; null when the account is gone or the session was ended.';
grant execute on function public.session_context() to authenticated;

-- From 20261123000920_account_export.sql
-- Account export: everything about a person as one answer, which the browser makes an archive of.
--
-- Each table that can hold something about a person is listed with the rows that are theirs. A table
-- with a column user_id that is not listed gives the rows of that person all the same, and a test
-- goes through every other column that names a person.

create function private.export_parts() returns table (name text, rows text, hidden text[])
language sql stable security definer set search_path = '' as $$
  with listed (name, rows, hidden) as (values
    -- What belongs to them alone.
    ('attempts', 't.user_id = $1', '{voided_by}'::text[]),
    ('answers', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('attempt_confidences', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('area_scores', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('recommendations', 't.attempt_id in (select a.id from public.attempts a where a.user_id = $1)', '{}'),
    ('focus_actions', 't.focus_area_id in (select f.id from public.focus_areas f where f.user_id = $1)', '{}'),
    ('focus_reminders', 't.action_id in (select c.id from public.focus_actions c join public.focus_areas f on f.id = c.focus_area_id where f.user_id = $1)', '{}'),
    ('staff_roles', 't.user_id = $1', '{granted_by}'),
    -- Their businesses, with what every member reads; of a business that they have left only their
    -- own words, which nobody has changed since.
    ('businesses', 't.id = any ($3)', '{}'),
    ('business_snapshots', 't.business_id = any ($3) or t.created_by = $1', '{}'),
    ('business_invitations', 't.address = $2 or t.invited_by = $1', '{token_hash}'),
    ('business_plan_fields', 't.business_id = any ($3)', '{}'),
    ('business_plan_versions', 't.business_id = any ($3) or t.saved_by = $1', '{editor}'),
    ('tool_copies', 't.business_id = any ($3) and t.removed_at is null', '{}'),
    ('projects', 't.business_id = any ($3)', '{words}'),
    ('project_events', 't.business_id = any ($3) or t.actor_id = $1', '{}'),
    ('project_updates', 't.business_id = any ($3) or t.author_id = $1', '{}'),
    ('project_tasks', 't.business_id = any ($3)', '{}'),
    ('project_files', 't.business_id = any ($3) or t.uploaded_by = $1', '{}'),
    -- Coaching: all of their own; as a coach, that there was one and not what the owner wrote.
    ('engagements', 't.owner_id = $1', '{}'),
    ('engagements_as_coach', 't.coach_id = $1', '{note,areas,owner_id,business_id}'),
    ('engagement_events', 't.actor_id = $1 or t.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{note}'),
    ('survey_invitations', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{token_hash}'),
    ('survey_responses', 't.engagement_id in (select e.id from public.engagements e where e.owner_id = $1)', '{}'),
    -- Their own words and files; what others wrote to them is the others'.
    ('conversations', 't.id in (select p.conversation_id from public.conversation_participants p where p.user_id = $1 and p.left_at is null)', '{about_user_id,direct_pair,created_by}'),
    ('messages', 't.author_id = $1', '{words}'),
    ('message_attachments', 't.uploaded_by = $1', '{}'),
    ('message_reports', 't.reporter_id = $1', '{said,author_id,settled_by}'),
    -- Kept under their address.
    ('contacts', 't.email = $2', '{confirm_hash,leave_hash}'),
    ('contact_messages', 't.contact_id in (select c.id from public.contacts c where c.email = $2)', '{}'),
    -- Without what was in them: a link of a mail signs in.
    ('mail_outbox', 'lower(t.to_address) = $2', '{data,html,body_text,last_error,next_attempt_at,attempts,failing_since,awaits_server,expires_at}'),
    -- What they did and what was done about them; by whom and why stays with the log.
    ('audit_log', 't.actor_id = $1 or t.entity = ''user'' and t.entity_id = $1::text', '{actor_id,reason,details}')
  )
  select l.name, l.rows, l.hidden from listed l
  union all
  select c.relname::text, 't.user_id = $1', '{}'
  from pg_catalog.pg_class c
  join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id' and not a.attisdropped
  where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    and not exists (select from listed l where l.name = c.relname)
$$;
comment on function private.export_parts() is
  'Tables of an export with the condition for a row t of it ($1 the person, $2 their address, $3 their businesses) and columns that are left out.';

create function public.export_account() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_email text := (select lower(u.email) from auth.users u where u.id = v_user_id);
  v_business_ids uuid[] := array(
    select m.business_id from public.business_members m where m.user_id = v_user_id
  );
  v_part record;
  v_rows jsonb;
  v_tables jsonb := '{}';
begin
  perform private.count_writes('exports');
  for v_part in select p.name, p.rows, p.hidden from private.export_parts() p loop
    execute format(
      'select coalesce(jsonb_agg(to_jsonb(t) - $4), ''[]'') from public.%I t where %s',
      replace(v_part.name, '_as_coach', ''), v_part.rows
    ) into v_rows using v_user_id, v_email, v_business_ids, v_part.hidden;
    v_tables := v_tables || jsonb_build_object(v_part.name, v_rows);
  end loop;
  return jsonb_build_object(
    'made_at', now(),
    'account', (
      select jsonb_build_object(
        'id', u.id, 'email', u.email, 'new_email', nullif(u.email_change, ''),
        'created_at', u.created_at, 'email_confirmed_at', u.email_confirmed_at,
        'last_sign_in_at', u.last_sign_in_at, 'said_at_registration', u.raw_user_meta_data
      )
      from auth.users u where u.id = v_user_id
    ),
    'sessions', private.sessions_json(v_user_id),
    'second_factors', coalesce((
      select jsonb_agg(jsonb_build_object(
        'name', f.friendly_name, 'kind', f.factor_type, 'state', f.status, 'added_at', f.created_at
      ))
      from auth.mfa_factors f where f.user_id = v_user_id
    ), '[]'),
    'tables', v_tables,
    'files', coalesce((
      select jsonb_agg(jsonb_build_object(
        'bucket', o.bucket_id, 'path', o.name, 'size', (o.metadata ->> 'size')::bigint,
        'name', coalesce(f.name, a.name, pg_catalog.regexp_replace(o.name, '^.*/', ''))
      ) order by o.bucket_id, o.name)
      from storage.objects o
      left join public.project_files f on o.bucket_id = 'project-files' and f.path = o.name
      left join public.message_attachments a on o.bucket_id = 'message-files' and a.path = o.name
      -- Each folder in its own bucket: ids come from browsers, and one may name two things.
      where o.bucket_id = 'avatars' and split_part(o.name, '/', 1) = v_user_id::text
        or o.bucket_id = 'project-files' and split_part(o.name, '/', 1) = any (v_business_ids::text[])
        -- Of a conversation that they have left they can download nothing any more.
        or a.uploaded_by = v_user_id and a.state = 'stored'
          and a.conversation_id in (select private.my_conversation_ids())
    ), '[]')
  );
end
$$;
comment on function public.export_account() is
  'Everything about whoever asks: {made_at, account, sessions, second_factors, tables: {name: rows}, files: [{bucket, path, name, size}]}. Nothing of anybody else but what members of their businesses share.';
grant execute on function public.export_account() to authenticated;

-- From 20261123000930_write_limits.sql
-- Write limits: how much one person may write, kind by kind.
--
-- Each row below is a kind of writing with its limits. A trigger counts what a signed-in person writes
-- into a table, or a procedure counts by itself. What the product writes on its own (the schedule,
-- other triggers, the server's operator) is never counted. The limits are far above what a person
-- does by hand: they stop a script, and a queue of unsent writes is only slowed down by them.

create table private.write_limits (
  kind text primary key check (kind ~ '^[a-z_]+$'),
  -- Which statements on which table count; null where a procedure calls private.count_writes.
  on_table text,
  on_event text check (on_event in ('insert', 'update', 'insert or update')),
  a_minute int not null check (a_minute > 0),
  a_day int not null check (a_day >= a_minute),
  -- The middle of a sentence: "You have ... today. Try again in 3 hours."
  what text not null,
  check ((on_table is null) = (on_event is null))
);
comment on table private.write_limits is
  'How much one person may write of each kind in a minute and in a day. The operator of the server may change a row at any time; no API role reads or writes it.';
alter table private.write_limits enable row level security;

insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  -- The quiz. A person who was offline may send several hundred answers at once.
  ('answers', 'answers', 'insert or update', 600, 20000, 'saved many answers'),
  ('confidences', 'attempt_confidences', 'insert or update', 300, 10000, 'saved many ratings'),
  ('attempts', 'attempts', 'insert', 20, 100, 'started the quiz many times'),
  ('adoptions', 'attempt_adoptions', 'insert', 20, 100, 'brought answers many times'),
  ('recommendations', 'recommendations', 'update', 30, 300, 'changed many recommendations'),
  ('focus_areas', 'focus_areas', 'insert', 20, 50, 'chosen many focus areas'),
  ('focus_actions', 'focus_actions', 'insert', 30, 100, 'added many actions'),
  ('action_changes', 'focus_actions', 'update', 60, 1000, 'changed many actions'),
  -- The account.
  ('profile', 'profiles', 'update', 60, 1000, 'changed your profile many times'),
  ('notification_settings', 'notification_settings', 'insert or update', 60, 1000,
    'changed your settings many times'),
  ('demographics', 'demographics', 'insert or update', 30, 300, 'changed your answers many times'),
  ('account_deletions', 'account_deletions', 'insert', 5, 20,
    'asked many times for your account to be deleted'),
  ('exports', null, null, 10, 30, 'made many archives'),
  -- Businesses. Fields are saved while somebody types.
  ('businesses', 'businesses', 'insert', 20, 20, 'added many businesses'),
  ('business_facts', 'businesses', 'update', 240, 10000, 'made many changes to a business'),
  ('business_plan', 'business_plan_fields', 'insert or update', 240, 10000,
    'made many changes to a plan'),
  ('business_snapshots', 'business_snapshots', 'insert', 60, 200, 'entered many figures'),
  ('business_invitations', 'business_invitations', 'insert', 20, 20, 'sent many invitations'),
  ('memberships', 'business_members', 'insert', 20, 100, 'joined many businesses'),
  ('handovers', 'business_members', 'update', 10, 50, 'handed over a business many times'),
  -- Coaching.
  ('coaching_requests', 'engagements', 'insert', 10, 50, 'asked for a coach many times'),
  ('coaching_changes', 'engagements', 'update', 120, 2000, 'made many changes to coaching'),
  -- Projects.
  ('projects', 'projects', 'insert', 30, 200, 'started many projects'),
  ('project_changes', 'projects', 'update', 240, 10000, 'made many changes to projects'),
  ('project_tasks', 'project_tasks', 'insert or update', 240, 10000,
    'made many changes to tasks'),
  -- With the steps that were refused, which are written down as well.
  ('project_steps', 'project_events', 'insert', 120, 2000, 'moved projects many times'),
  ('project_updates', 'project_updates', 'insert', 60, 500, 'written many updates'),
  ('project_files', 'project_files', 'insert', 60, 300, 'added many files'),
  -- The toolbox.
  ('toolbox_marks', 'toolbox_marks', 'insert or update', 120, 2000, 'marked many tools'),
  ('tool_copies', 'tool_copies', 'insert', 30, 200, 'copied many tools'),
  ('copy_changes', 'tool_copies', 'update', 240, 10000, 'made many changes to copies'),
  -- Messages.
  ('conversations', 'conversations', 'insert', 30, 100, 'started many conversations'),
  ('messages', 'messages', 'insert', 30, 500, 'sent many messages'),
  -- Editing only: what somebody said they can remove at any time.
  ('message_changes', null, null, 30, 500, 'changed many messages'),
  ('message_drafts', 'message_drafts', 'insert or update', 120, 10000, 'saved many drafts'),
  ('message_files', 'message_attachments', 'insert', 60, 100, 'sent many files'),
  ('read_marks', null, null, 600, 20000, 'read many messages'),
  ('blocks', 'blocks', 'insert', 30, 60, 'blocked many people'),
  ('message_reports', 'message_reports', 'insert', 20, 20, 'reported many messages'),
  -- Files of projects and messages together, in kilobytes.
  ('uploads', null, null, 1048576, 2097152, 'uploaded a lot'),
  -- What only admins do.
  ('staff_roles', 'staff_roles', 'insert or update', 30, 300, 'changed many roles'),
  ('survey_invitations', 'survey_invitations', 'insert or update', 60, 500,
    'sent many survey invitations'),
  ('settled_reports', 'message_reports', 'update', 60, 1000, 'settled many reports');

create function private.write_key(p_kind text, p_user_id uuid) returns text
language sql immutable set search_path = '' as $$
  select 'writes:' || p_kind || ':' || p_user_id
$$;

create function private.count_writes(p_kind text, p_times int default 1) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
  v_now timestamptz := clock_timestamp();
  v_limit private.write_limits;
  v_count public.rate_limits;
  v_wait interval;
begin
  if v_user_id is null or p_times = 0 then
    return;
  end if;
  select * into strict v_limit from private.write_limits l where l.kind = p_kind;
  -- One row for each person and kind holds both counts, so a write costs one upsert, and nobody
  -- waits for anyone else.
  insert into public.rate_limits as r (key, hits, expires_at, minute_hits, minute_ends_at)
  values (
    private.write_key(p_kind, v_user_id), p_times, v_now + interval '1 day',
    p_times, v_now + interval '1 minute'
  )
  on conflict (key) do update set
    hits = case when private.is_over(r.expires_at, interval '1 day') then 0 else r.hits end + p_times,
    expires_at = case when private.is_over(r.expires_at, interval '1 day')
      then v_now + interval '1 day' else r.expires_at end,
    minute_hits = case when private.is_over(r.minute_ends_at, interval '1 minute')
      then 0 else r.minute_hits end + p_times,
    minute_ends_at = case when private.is_over(r.minute_ends_at, interval '1 minute')
      then v_now + interval '1 minute' else r.minute_ends_at end
  returning * into v_count;

  -- A refusal undoes the count with everything else: trying again does not prolong the wait.
  if v_count.hits > v_limit.a_day then
    v_wait := v_count.expires_at - v_now;
  elsif v_count.minute_hits > v_limit.a_minute then
    v_wait := v_count.minute_ends_at - v_now;
  else
    return;
  end if;
  perform private.refuse_for_now(format(
    'You have %s %s. Try again %%s.', v_limit.what,
    case when v_count.hits > v_limit.a_day then 'today' else 'in a short time' end
  ), v_wait);
end
$$;
comment on function private.count_writes(text, int) is
  'Counts what the person who asks writes, and raises PT429 over the limits of its kind. Counts nothing where nobody is signed in.';

create function private.limit_writes() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_rows int;
begin
  select count(*) into v_rows from written;
  -- One change by a procedure may move many rows, such as the tasks of a project into a new order.
  perform private.count_writes(
    tg_argv[0], case when tg_argv[1] = 'each row' then v_rows else least(v_rows, 1) end
  );
  return null;
end
$$;
comment on function private.limit_writes() is
  'Trigger of what people write: counts the rows of a statement under the kind that is its argument.';

do $$
declare
  v_limit private.write_limits;
  v_event text;
begin
  for v_limit in select * from private.write_limits l where l.on_table is not null loop
    foreach v_event in array string_to_array(v_limit.on_event, ' or ') loop
      execute format(
        'create trigger %I after %s on public.%I referencing new table as written
          for each statement when (pg_catalog.pg_trigger_depth() = 0)
          execute function private.limit_writes(%L, %L)',
        v_limit.on_table || '_' || v_event || '_is_limited', v_event, v_limit.on_table, v_limit.kind,
        case
          when v_event = 'insert' then 'each row'
          -- The REST interface changes any number of rows at once.
          when has_any_column_privilege('authenticated', 'public.' || v_limit.on_table, 'update')
            then 'each row'
          else 'each statement'
        end
      );
    end loop;
  end loop;
end
$$;

-- From 20261123000940_row_ceilings.sql
-- Row ceilings: how many rows something may have, however slowly they were added.
--
-- Each row below says how many rows of a table belong to one person, business or other parent, and
-- what somebody reads who wants one more. What the server's operator adds isn't counted. People who
-- add at the same moment may exceed a ceiling by as many as they are, except where their procedure
-- lets them wait for each other.

create table private.row_ceilings (
  on_table text not null,
  per text not null,
  most int not null check (most > 0),
  -- Which rows count.
  counting text not null default 'true',
  sentence text not null,
  -- The form field that the sentence belongs to.
  field text,
  primary key (on_table, per)
);
comment on table private.row_ceilings is
  'How many rows of a table may have the same value in a column. The operator of the server may change a number at any time; no API role reads or writes it.';
alter table private.row_ceilings enable row level security;

insert into private.row_ceilings (on_table, per, most, counting, sentence, field) values
  ('attempts', 'user_id', 500, 'true', 'You have taken the quiz 500 times, which is the most.', null),
  ('focus_areas', 'user_id', 500, 'true', 'You have chosen 500 focus areas, which is the most.', null),
  ('focus_actions', 'focus_area_id', 200, 'true',
    'A focus area has at most 200 actions. End it and choose it again.', null),
  ('businesses', 'created_by', 100, 'true', 'You can add at most 100 businesses.', null),
  ('business_members', 'business_id', 100, 'true', 'A business has at most 100 members.', null),
  ('business_invitations', 'business_id', 50, 'ended is null',
    'Fifty invitations are open. Cancel some before you send more.', 'address'),
  ('business_snapshots', 'business_id', 1000, 'true', 'A business keeps at most 1,000 sets of figures.', null),
  ('engagements', 'owner_id', 200, 'true', 'You have asked for a coach 200 times, which is the most.', null),
  ('projects', 'business_id', 500, 'true', 'A business has at most 500 projects.', null),
  ('project_tasks', 'project_id', 2000, 'true',
    'A project holds at most 2,000 tasks, including removed ones. Start another project.', null),
  ('project_updates', 'project_id', 2000, 'true',
    'A project holds at most 2,000 updates. Start another project.', null),
  ('project_files', 'project_id', 100, 'true', 'A project holds at most 100 files. Remove one first.', null),
  ('tool_copies', 'business_id', 500, 'true', 'A business keeps at most 500 copies. Remove one first.', null),
  ('conversations', 'created_by', 2000, 'true', 'You can start at most 2,000 conversations.', null),
  ('message_attachments', 'conversation_id', 2000, 'true',
    'A conversation holds at most 2,000 files.', 'name'),
  ('message_attachments', 'uploaded_by', 20, 'message_id is null',
    'Twenty files wait to be sent. Send or remove some first.', 'name'),
  ('blocks', 'user_id', 500, 'true', 'You can block at most 500 people.', null);

create function private.limit_rows() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_ceiling private.row_ceilings;
  v_full boolean;
begin
  if auth.uid() is null then
    return null;
  end if;
  select * into strict v_ceiling from private.row_ceilings c
  where c.on_table = tg_table_name and c.per = tg_argv[0];
  -- Counts no further than it needs to.
  execute format(
    'select exists (
      select from (select distinct %1$I as parent from written) w
      where $1 < (
        select count(*) from (
          select from public.%2$I t where t.%1$I = w.parent and (%3$s) limit $1 + 1
        ) n
      )
    )',
    v_ceiling.per, v_ceiling.on_table, v_ceiling.counting
  ) into v_full using v_ceiling.most;
  if v_full then
    raise exception '%', v_ceiling.sentence
      using errcode = '55000', hint = coalesce(v_ceiling.field, '');
  end if;
  return null;
end
$$;
comment on function private.limit_rows() is
  'Trigger of tables with a ceiling: raises 55000 when a value of the column that is its argument has too many rows.';

do $$
declare
  v_ceiling private.row_ceilings;
begin
  for v_ceiling in select * from private.row_ceilings loop
    execute format(
      'create trigger %I after insert on public.%I referencing new table as written
        for each statement execute function private.limit_rows(%L)',
      v_ceiling.on_table || '_per_' || v_ceiling.per || '_are_limited', v_ceiling.on_table,
      v_ceiling.per
    );
  end loop;
end
$$;

-- From 20261123000950_mail_limits.sql
-- Mail limits: how many mails an address gets in a day, no matter who causes them.
--
-- Anybody can type somebody else's address into a form. Mails that such forms cause count together for
-- the mailbox behind the address, whichever form it was. Mails that somebody needs to get into their
-- account may still go out when the other kinds no longer do, so that no stranger uses up their share.

create table private.mail_limits (
  template text primary key,
  -- Templates with the same counter count together.
  counter text not null check (counter in ('anyone', 'colleagues')),
  -- Once a mailbox has had so many mails of the counter in a day, this one is not sent.
  a_day int not null check (a_day > 0)
);
comment on table private.mail_limits is
  'Up to how many mails a day a mailbox still gets one of this template. Templates without a row are not limited here. The operator of the server may change a row at any time; no API role reads or writes it.';
alter table private.mail_limits enable row level security;

insert into private.mail_limits (template, counter, a_day) values
  -- What anybody can cause who knows an address.
  ('newsletter-confirm', 'anyone', 8),
  ('contact-received', 'anyone', 8),
  ('business-invitation', 'anyone', 8),
  ('already-registered', 'anyone', 8),
  ('email-code', 'anyone', 20),
  ('email-change', 'anyone', 20),
  -- What is left to somebody whose codes strangers have used up: links, which nobody can guess.
  ('confirm', 'anyone', 40),
  ('recovery', 'anyone', 40),
  ('email-link', 'anyone', 40),
  -- What people who work together cause for each other.
  ('notice', 'colleagues', 50),
  ('survey-invitation', 'colleagues', 50);

create function private.mailbox_of(p_address text) returns text
language sql immutable set search_path = '' as $$
  select case
    when a.host in ('gmail.com', 'googlemail.com') then replace(a.box, '.', '') || '@gmail.com'
    else a.box || '@' || a.host
  end
  from (
    select
      split_part(regexp_replace(lower(btrim(p_address)), '@[^@]*$', ''), '+', 1) as box,
      regexp_replace(lower(btrim(p_address)), '^.*@', '') as host
  ) a
$$;
comment on function private.mailbox_of(text) is
  'The mailbox that an address leads to: in small letters, without what follows a plus sign and, at Gmail, without dots.';

create function private.mailbox_key(p_what text, p_address text) returns text
language sql immutable set search_path = '' as $$
  select p_what || ':' || encode(sha256(convert_to(private.mailbox_of(p_address), 'UTF8')), 'hex')
$$;
comment on function private.mailbox_key(text, text) is
  'Key of a limit for a mailbox, which holds no address in clear.';

create function private.limit_mail() returns trigger
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_limit private.mail_limits;
begin
  select * into v_limit from private.mail_limits l where l.template = new.template;
  -- Notices that the product sends by itself, such as that an account is about to be deleted, always go.
  if not found or v_limit.counter = 'colleagues' and auth.uid() is null then
    return new;
  end if;
  -- Refused in silence: a sentence would tell strangers what else an address was sent today.
  if not private.take_rate_limit(
    private.mailbox_key('mail-by-' || v_limit.counter, new.to_address), v_limit.a_day,
    interval '1 day'
  ) then
    new.state := 'dropped';
    new.data := '{}';
    new.last_error := 'This mailbox has had its mails of the day.';
  end if;
  return new;
end
$$;
comment on function private.limit_mail() is
  'Trigger of the outbox: what goes beyond the limits of its template is dropped.';
create trigger mail_outbox_is_limited before insert on public.mail_outbox
  for each row when (new.state = 'queued') execute function private.limit_mail();

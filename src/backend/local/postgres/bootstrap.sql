-- What Supabase has before the first migration, part two: what @supabase/lite lacks, run after lite
-- has created its schemas. Every statement can run again. Rules of the product don't belong here.

-- Extensions have a schema of their own, which is on every role's search path.
create schema if not exists extensions;
create extension if not exists pgcrypto with schema extensions;
grant usage on schema extensions to anon, authenticated, service_role;
do $$
begin
  execute format('alter database %I set search_path to "$user", public, extensions', current_database());
end
$$;

-- Supabase's default privileges for what migrations create in `public`. They're broad: the
-- migrations revoke what nobody should have, so the same tests pass here and on Supabase.
grant usage on schema public to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on sequences to anon, authenticated, service_role;
alter default privileges in schema public grant execute on functions to anon, authenticated, service_role;

-- Auth: the caller. The older settings with one claim each take precedence over
-- `request.jwt.claims`, which has them all.
create or replace function auth.uid() returns uuid
language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.sub', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')
  )::uuid
$$;

create or replace function auth.role() returns text
language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.role', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role')
  )
$$;

create or replace function auth.email() returns text
language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim.email', true), ''),
    (nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email')
  )
$$;

create or replace function auth.jwt() returns jsonb
language sql stable as $$
  select coalesce(
    nullif(current_setting('request.jwt.claim', true), ''),
    nullif(current_setting('request.jwt.claims', true), '')
  )::jsonb
$$;

grant usage on schema auth to anon, authenticated, service_role;
grant execute on all functions in schema auth to anon, authenticated, service_role;

-- Auth: the second factor.
do $$
begin
  if to_regtype('auth.factor_type') is null then
    create type auth.factor_type as enum ('totp', 'webauthn', 'phone');
  end if;
  if to_regtype('auth.factor_status') is null then
    create type auth.factor_status as enum ('unverified', 'verified');
  end if;
end
$$;

create table if not exists auth.mfa_factors (
  id uuid primary key,
  user_id uuid not null references auth.users (id) on delete cascade,
  friendly_name text,
  factor_type auth.factor_type not null,
  status auth.factor_status not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  secret text,
  phone text,
  last_challenged_at timestamptz unique
);
create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id);
create unique index if not exists mfa_factors_user_friendly_name_unique
  on auth.mfa_factors (friendly_name, user_id) where trim(friendly_name) <> '';

create table if not exists auth.mfa_challenges (
  id uuid primary key,
  factor_id uuid not null references auth.mfa_factors (id) on delete cascade,
  created_at timestamptz not null default now(),
  verified_at timestamptz,
  ip_address inet not null,
  otp_code text
);
create index if not exists mfa_challenges_factor_id_idx on auth.mfa_challenges (factor_id);
create index if not exists mfa_challenge_created_at_idx on auth.mfa_challenges (created_at desc);

alter table auth.sessions add column if not exists aal text;
alter table auth.sessions add column if not exists factor_id uuid;

-- Auth: hashes of emailed links and codes. Each works once, and a code stops working after a few
-- wrong attempts (`tries_left`, null for a link). A registration's link also keeps what the person
-- registered with until they confirm the address. On Supabase, this table and the next have more
-- columns and belong to its own Auth server; no API role can read either.
create table if not exists auth.one_time_tokens (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in ('signup', 'email', 'recovery', 'email_change_current', 'email_change_new')),
  token_hash text not null unique,
  email text not null,
  encrypted_password text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
alter table auth.one_time_tokens
  add column if not exists registrant text,
  add column if not exists metadata jsonb,
  add column if not exists tries_left int;
create index if not exists one_time_tokens_user_id_idx on auth.one_time_tokens (user_id, kind);
create index if not exists one_time_tokens_expires_at_idx on auth.one_time_tokens (expires_at);

-- Auth: how the person signed in to a session, for the `amr` claim of its tokens.
create table if not exists auth.mfa_amr_claims (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references auth.sessions (id) on delete cascade,
  authentication_method text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (session_id, authentication_method)
);
create index if not exists refresh_tokens_session_id_idx on auth.refresh_tokens (session_id);
revoke all on all tables in schema auth from anon, authenticated;

-- Storage: the grants are broad because row-level security decides.
grant usage on schema storage to anon, authenticated, service_role;
grant all on all tables in schema storage to anon, authenticated, service_role;
grant execute on all functions in schema storage to anon, authenticated, service_role;

-- Realtime: messages that the database sends to channels. The policies on them decide who can join
-- a channel.
create schema if not exists realtime;
create table if not exists realtime.messages (
  id uuid not null default gen_random_uuid() primary key,
  topic text not null,
  extension text not null,
  payload jsonb,
  event text,
  private boolean default false,
  inserted_at timestamp not null default now(),
  updated_at timestamp not null default now()
);
create index if not exists messages_inserted_at_idx on realtime.messages (inserted_at);
alter table realtime.messages enable row level security;

create or replace function realtime.topic() returns text
language sql stable as $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- On Supabase, the Realtime server reads new messages from the write-ahead log. Ours is notified once
-- for each statement: with the messages if they're few and fit (a payload is under 8,000 bytes),
-- otherwise with their ids and topics. It reads only those that someone listens to: of hundreds of
-- people who get a message, most aren't connected.
create or replace function realtime.tell() returns trigger
language plpgsql as $$
declare
  few constant int := 8;
  line text;
begin
  if (select count(*) from (select from written limit few + 1) w) <= few then
    line := 'rows:' || (
      select json_agg(json_build_object(
        'id', m.id, 'topic', m.topic, 'event', m.event,
        'private', coalesce(m.private, false), 'payload', m.payload
      ))
      from written m where m.extension = 'broadcast' and m.event is not null
    );
    if line is null then
      return null;
    elsif octet_length(line) < 7900 then
      perform pg_notify('realtime', line);
      return null;
    end if;
  end if;
  perform pg_notify('realtime', 'ids:' || string_agg(t.id || ' ' || t.topic, E'\n' order by t.place))
  from (
    select m.id, m.topic, row_number() over () as place,
      sum(octet_length(m.topic) + 38) over (rows unbounded preceding) / 7000 as part
    from written m
    -- Nobody can listen to a longer topic, and none of ours has a line break.
    where m.extension = 'broadcast' and m.event is not null
      and octet_length(m.topic) < 800 and strpos(m.topic, E'\n') = 0
  ) t
  group by t.part order by t.part;
  return null;
end
$$;
create or replace trigger messages_are_told after insert on realtime.messages
  referencing new table as written for each statement execute function realtime.tell();

-- Ours is also notified of sessions that end. Notifications come in the order of the commits, so
-- nothing that's sent after someone signed out reaches them.
create or replace function realtime.tell_ended() returns trigger
language plpgsql as $$
begin
  perform pg_notify('realtime', 'ended:' || e.id) from ended e;
  return null;
end
$$;
create or replace trigger ended_sessions_are_told after delete on auth.sessions
  referencing old table as ended for each statement execute function realtime.tell_ended();

-- What the policies allow many callers in many channels, in one query. `p_asked` is a list of
-- {claims, topics: [{name, write}]}. The result has an entry for each, in the same order: {session,
-- topics: [...]}, with {read: [extension], write: [extension]} for each topic, or {error} if a
-- policy failed. Writing is checked only if `write` is true.
--
-- As on Supabase, callers can read a topic if they can select a message of it, and write if they
-- can insert one. The messages to select are two per topic, created by its first check without an
-- event, which tells them apart from real ones; with `p_again`, they're assumed to exist. The
-- message to insert has no date: if the policies allow it, the not-null constraint still rejects
-- it, so however often this runs, it leaves no rows behind.
drop function if exists realtime.access_to(jsonb);
create or replace function realtime.access_to(p_asked jsonb, p_again boolean) returns jsonb
language plpgsql set search_path = '' as $$
declare
  extensions constant text[] := array['broadcast', 'presence'];
  its_extension text;
  answers jsonb[] := '{}';
  its_answers jsonb[];
  one jsonb;
  its_topic jsonb;
  name text;
  claims jsonb;
  reads text[];
  writes text[];
  made uuid[] := '{}';
  heard text[] := '{}';
begin
  if not p_again then
    -- In one order, so that two processes that ask at the same time never wait for each other.
    with new as (
      insert into realtime.messages (id, topic, extension, private)
      select md5(e.name || ':' || t.name)::uuid, t.name, e.name, true
      from (
        select distinct x.value ->> 'name' as name
        from jsonb_array_elements(p_asked) a, jsonb_array_elements(a.value -> 'topics') x
      ) t
      cross join unnest(extensions) as e (name)
      order by 1
      on conflict (id) do nothing
      returning id
    )
    select coalesce(array_agg(n.id), '{}') into made from new n;
  end if;

  for one in select value from jsonb_array_elements(p_asked) loop
    claims := one -> 'claims';
    its_answers := '{}';
    if claims ->> 'session_id' is not null and not exists (
      select from auth.sessions s
      where s.id = (claims ->> 'session_id')::uuid and s.user_id = (claims ->> 'sub')::uuid
    ) then
      answers := answers || '{"session": false, "topics": []}'::jsonb;
      continue;
    end if;
    begin
      perform
        set_config('request.jwt.claims', claims::text, true),
        set_config('request.jwt.claim.sub', coalesce(claims ->> 'sub', ''), true),
        set_config('request.jwt.claim.role', claims ->> 'role', true),
        set_config('role', claims ->> 'role', true);
      for its_topic in select value from jsonb_array_elements(one -> 'topics') loop
        name := its_topic ->> 'name';
        reads := '{}';
        writes := '{}';
        begin
          perform set_config('realtime.topic', name, true);
          select coalesce(array_agg(m.extension), '{}') into reads
          from realtime.messages m
          where m.id in (md5('broadcast:' || name)::uuid, md5('presence:' || name)::uuid);
        exception when others then
          -- A policy refuses with an error too: 42501, or PT401 for a session that was ended.
          if sqlstate <> '42501' and sqlstate not like 'PT4%' then
            its_answers := its_answers || jsonb_build_object('error', sqlerrm);
            continue;
          end if;
        end;
        begin
          if (its_topic ->> 'write')::boolean then
            foreach its_extension in array extensions loop
              begin
                perform set_config('realtime.topic', name, true);
                insert into realtime.messages (topic, extension, private, inserted_at)
                values (name, its_extension, true, null);
              exception
                when not_null_violation then
                  writes := writes || its_extension;
                when others then
                  if sqlstate <> '42501' and sqlstate not like 'PT4%' then raise; end if;
              end;
            end loop;
          end if;
          its_answers := its_answers
            || jsonb_build_object('read', to_jsonb(reads), 'write', to_jsonb(writes));
          if reads <> '{}' then heard := heard || name; end if;
        exception when others then
          its_answers := its_answers || jsonb_build_object('error', sqlerrm);
        end;
      end loop;
      -- Ends this part, and with it in whose name it was done.
      raise exception 'asked' using errcode = 'TR001';
    exception
      when sqlstate 'TR001' then
        answers := answers
          || jsonb_build_object('session', true, 'topics', to_jsonb(its_answers));
    end;
  end loop;
  -- Whoever makes up names, which needs no account, fills no table with them.
  delete from realtime.messages m where m.id = any (made) and m.topic <> all (heard);
  return to_jsonb(answers);
end
$$;

create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true)
returns void
language plpgsql as $$
begin
  begin
    perform set_config('realtime.topic', topic, true);
    insert into realtime.messages (payload, event, topic, private, extension)
    values (payload, event, topic, private, 'broadcast');
  exception when others then
    -- As on Supabase: a message that cannot be sent never undoes the work that caused it.
    raise warning 'ErrorSendingBroadcastMessage: %', sqlerrm;
  end;
end
$$;

create or replace function realtime.broadcast_changes(
  topic_name text, event_name text, operation text, table_name text, table_schema text,
  new record, old record, level text default 'ROW'
)
returns void
language plpgsql as $$
begin
  if level = 'STATEMENT' then
    raise exception 'function can only be triggered for each row, not for each statement';
  end if;
  perform realtime.send(
    jsonb_build_object(
      'operation', operation, 'table', table_name, 'schema', table_schema,
      'record', to_jsonb(new), 'old_record', to_jsonb(old)
    ),
    event_name, topic_name, true
  );
end
$$;

grant usage on schema realtime to anon, authenticated, service_role;
grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant execute on all functions in schema realtime to anon, authenticated, service_role;
revoke execute on function realtime.access_to(jsonb, boolean)
  from public, anon, authenticated, service_role;

-- The migrations that ran, as Supabase records them and with each file's hash, and what the
-- embedded stack has to remember about this database.
create schema if not exists supabase_migrations;
create table if not exists supabase_migrations.schema_migrations (
  version text primary key,
  statements text[],
  name text,
  created_by text,
  idempotency_key text unique,
  rollback text[],
  hash text
);
create table if not exists supabase_migrations.local_state (
  key text primary key,
  value text not null,
  changed_at timestamptz not null default now()
);
comment on table supabase_migrations.local_state is 'Upkeep of the embedded stack: hashes of what was set up and seeded last.';

-- Functions that the gateway's own queries call.
create schema if not exists gateway;
grant usage on schema gateway to anon, authenticated, service_role;

-- Returns true, or raises an error that the REST interface turns into a 413.
create or replace function gateway.fits(p_bytes bigint, p_most bigint) returns boolean
language plpgsql stable set search_path = '' as $$
begin
  if p_bytes > p_most then
    raise exception 'This answer is too large. Ask for fewer rows or columns.' using errcode = 'PT413';
  end if;
  return true;
end
$$;

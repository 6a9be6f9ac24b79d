-- Jobs: what the product does in the background, in one queue.
--
-- A job is inserted in the transaction that causes it, and claimed by one worker at a time
-- (`for update skip locked`). There are two kinds:
--
--   once       such as an email, or removing a file. A worker does it, outside the database; each
--              kind is a file in functions/_shared/jobs/. waiting → running → done; or dropped if
--              there's nothing left to do; or failed with a reason, and an operator can replay it.
--   every ...  scheduled work. Its kind is the name of a function in schema private that takes no
--              arguments and returns what it did; the tick calls it. An entity's file adds its row.
--
-- On the embedded stack, the site's process is the worker and calls the tick. On Supabase, pg_cron
-- calls the tick and, through pg_net, the function run-jobs. Simultaneous calls are harmless.

create table private.jobs (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind ~ '^[a-z][a-z_]*$'),
  -- What it's about; operators can read it.
  payload jsonb not null default '{}' check (jsonb_typeof(payload) = 'object'),
  -- What only the worker needs, such as a sign-in link. Deleted when the job ends.
  secret jsonb not null default '{}' check (jsonb_typeof(secret) = 'object'),
  -- How often it runs; null: once.
  every interval check (every > interval '0'),
  state text not null default 'waiting' check (
    state in ('waiting', 'running', 'done', 'failed', 'dropped')
  ),
  -- When it's due or, while it's running, when its worker is presumed dead.
  run_at timestamptz not null default now(),
  attempts int not null default 0 check (attempts >= 0),
  last_error text,
  -- When it started failing temporarily; after 48 hours we give up.
  failing_since timestamptz,
  -- The service it needs is unavailable: it's due once another job of its kind succeeds.
  awaits_service boolean not null default false,
  -- When its link or code expires, which leaves nothing to do.
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  -- When it ended or, for a scheduled job, when it last ran.
  finished_at timestamptz,
  -- An email's recipient, for admins' searches.
  words tsvector not null generated always as (private.name_words(payload ->> 'to')) stored,
  check (every is null or state = 'waiting')
);
comment on table private.jobs is
  'Background work: waiting, running, ended or recurring. An email can contain a sign-in link, so no API role reads it.';
create index jobs_due_idx on private.jobs (kind, run_at) where state in ('waiting', 'running');
create index jobs_awaiting_idx on private.jobs (kind) where awaits_service;
create unique index jobs_scheduled_once_idx on private.jobs (kind) where every is not null;
alter table private.jobs enable row level security;

create function private.announce_jobs() returns trigger
language plpgsql set search_path = '' as $$
begin
  perform pg_catalog.pg_notify('jobs', '');
  return null;
end
$$;
create trigger jobs_wake_the_worker after insert on private.jobs
  for each statement execute function private.announce_jobs();

create function private.is_first_of_its_kind(p_job_id uuid) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_job private.jobs;
begin
  select * into v_job from private.jobs j where j.id = p_job_id;
  perform pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtext(v_job.kind));
  return not exists (
    select from private.jobs j
    where j.kind = v_job.kind and j.state = 'running' and j.run_at > now()
      -- Of two, the one that was claimed first.
      and (j.run_at, j.id) < (v_job.run_at, v_job.id)
  );
end
$$;
comment on function private.is_first_of_its_kind(uuid) is
  'Whether no job of the same kind was running already when this one was claimed, for kinds that mustn''t run twice at the same time.';

-- Scheduled jobs --------------------------------------------------------------------------------

create function private.tick() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_job record;
  v_result jsonb;
  v_error text;
  v_done jsonb := '{}';
begin
  for v_job in
    select j.id, j.kind, j.every from private.jobs j
    -- Planned further ahead than ever happens: the clock was put back since. A tick that began a moment
    -- later has a later now(), so a minute more isn't that.
    where j.every is not null
      and (j.run_at <= now() or j.run_at > now() + j.every + interval '1 minute')
    order by j.kind
    for update skip locked
  loop
    v_error := null;
    -- A job that fails says so in its row and does not stop the others.
    begin
      execute format('select to_jsonb(private.%I())', v_job.kind) into v_result;
    exception when others then
      v_error := sqlerrm;
      v_result := jsonb_build_object('error', sqlerrm);
    end;
    update private.jobs j
    set finished_at = now(), run_at = now() + v_job.every, last_error = v_error
    where j.id = v_job.id;
    v_done := v_done || jsonb_build_object(v_job.kind, v_result);
  end loop;
  return v_done;
end
$$;
comment on function private.tick() is
  'Runs every scheduled job that''s due and returns {job: what it did}; {} if nothing was due.';

-- On Supabase, pg_cron runs the tick every minute; on the embedded stack, a timer does.
do $$
begin
  if current_setting('shared_preload_libraries', true) like '%pg_cron%' then
    create extension if not exists pg_cron;
    perform cron.schedule('tick', '* * * * *', 'select private.tick()');
  end if;
exception when others then
  raise notice 'pg_cron isn''t used: %', sqlerrm;
end
$$;

create function private.delete_old_jobs() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from private.jobs
    where state in ('done', 'failed', 'dropped') and created_at < now() - interval '30 days'
    returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_jobs', interval '1 day');

-- Failed jobs -----------------------------------------------------------------------------------

create function private.replay_jobs(p_id uuid) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count bigint;
begin
  update private.jobs j
  set state = 'waiting', attempts = 0, failing_since = null, awaits_service = false,
    run_at = now(), last_error = null, finished_at = null
  where j.state = 'failed' and (p_id is null or j.id = p_id);
  get diagnostics v_count = row_count;
  if p_id is not null and v_count = 0 then
    raise exception 'There’s no failed job with this id.' using errcode = 'P0002', hint = 'id';
  end if;
  perform pg_catalog.pg_notify('jobs', '');
  perform private.audit('job.replay', 'job', p_id::text, null, jsonb_build_object('count', v_count));
  return v_count;
end
$$;
comment on function private.replay_jobs(uuid) is
  'Lets a stopped job run again, or (null) all of them, and returns how many. For the server''s operator: npm run jobs -- replay. No API role can call it.';

create function public.replay_jobs(p_id uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return jsonb_build_object('replayed', private.replay_jobs(p_id));
end
$$;
comment on function public.replay_jobs(uuid) is
  'An admin lets a stopped job run again, or (null) all of them: {replayed}. Writes an audit row.';
grant execute on function public.replay_jobs(uuid) to authenticated;

-- Removing files that nobody can see anymore ----------------------------------------------------

create function private.remove_folder(p_bucket text, p_folder uuid) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.jobs (kind, payload)
  select 'remove_file', jsonb_build_object('bucket', o.bucket_id, 'path', o.name)
  from storage.objects o
  where o.bucket_id = p_bucket and starts_with(o.name, p_folder::text || '/')
$$;
comment on function private.remove_folder(text, uuid) is
  'Queues the removal of everything stored in a folder of a bucket.';

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

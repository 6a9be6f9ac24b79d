-- Wrike: projects that an admin has mirrored there, if the organization connects it.
--
--   wants   save (it follows the project) ⇄ keep (it stays as it is)      both → remove
--   state   waiting → sending → sent, or refused with Wrike's reason
--
-- It goes one way. Only a project's title, outcome, baseline, dates and status and its tasks' titles,
-- due dates, order and whether they're done are sent: private.wrike_project and
-- private.wrike_pending_tasks are the only places that read them. Triggers mark a mirror in the
-- transaction that changes the project; the job wrike_sync (functions/_shared/jobs/wrike.ts) sends what
-- differs from what was last sent, and nothing else, so what Wrike's people wrote elsewhere stays. A
-- project that's erased here is removed there, even if it wasn't followed anymore.

create table private.wrike_settings (
  id boolean primary key default true check (id),
  -- What the job last saw of Wrike: {checked_at, problem, host, account: {id, name}}; null before the first look.
  connection jsonb check (jsonb_typeof(connection) = 'object'),
  -- The listing of folders that's under way, and how Wrike calls its next page.
  listing uuid,
  next_page text,
  listed_at timestamptz
);
comment on table private.wrike_settings is
  'One row: what was last seen of Wrike, and how far the listing of its folders is. No API role reads or writes it.';
alter table private.wrike_settings enable row level security;
insert into private.wrike_settings default values;

create table private.wrike_folders (
  id text primary key,
  title text not null,
  kind text not null check (kind in ('space', 'folder')),
  child_ids text[] not null,
  -- The names of what it's in, and how deep that is.
  path text not null default '',
  depth int not null default 0,
  -- Its row in the tree; null until the listing that found it is complete.
  place int,
  listing uuid not null,
  words tsvector not null generated always as (private.name_words(title)) stored
);
comment on table private.wrike_folders is
  'Spaces and folders of Wrike, as the last listing found them. No API role reads or writes it.';
create index wrike_folders_place_idx on private.wrike_folders (place, id);
create index wrike_folders_words_idx on private.wrike_folders using gin (words);
alter table private.wrike_folders enable row level security;

create table private.wrike_mirrors (
  id uuid primary key,
  -- The project, which may be gone; null for a test project.
  project_id uuid unique,
  folder_id text not null,
  folder text not null,
  wants text not null default 'save' check (wants in ('save', 'keep', 'remove')),
  state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'refused')),
  -- Counts changes, so that one made while it's being sent isn't lost.
  version int not null default 1,
  -- The account it's in; another account's token must not create it again.
  account_id text,
  wrike_id text,
  permalink text,
  -- What was last sent of the project itself.
  sent jsonb,
  attempts int not null default 0,
  -- Why Wrike refused it, and whether that's because it's no longer there.
  reason text,
  is_gone boolean not null default false,
  sent_at timestamptz,
  changed_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
comment on table private.wrike_mirrors is
  'Projects that are mirrored in Wrike, and how far each is. No API role reads or writes it.';
create index wrike_mirrors_waiting_idx on private.wrike_mirrors (changed_at, id)
  where state in ('waiting', 'sending') and wants <> 'keep';
create index wrike_mirrors_created_at_idx on private.wrike_mirrors (created_at, id);
create index wrike_mirrors_refused_idx on private.wrike_mirrors (created_at, id) where state = 'refused';
alter table private.wrike_mirrors enable row level security;

create table private.wrike_tasks (
  -- The task's id here.
  id uuid primary key,
  mirror_id uuid not null references private.wrike_mirrors (id) on delete cascade,
  -- Null from just before it's created in Wrike until we learn of it.
  wrike_id text,
  sent jsonb,
  -- What Wrike refused, and why: it's tried again once the task is another one.
  refused jsonb,
  reason text
);
comment on table private.wrike_tasks is
  'Tasks of mirrored projects, with what was last sent of each. No API role reads or writes it.';
create index wrike_tasks_mirror_id_idx on private.wrike_tasks (mirror_id);
alter table private.wrike_tasks enable row level security;

-- What's sent -----------------------------------------------------------------------------------

create function private.wrike_status(p_status text) returns text
language sql immutable set search_path = '' as $$
  select case p_status
    when 'draft' then 'OnHold'
    when 'blocked' then 'Red'
    when 'done' then 'Completed'
    when 'canceled' then 'Cancelled'
    else 'Green'
  end
$$;
comment on function private.wrike_status(text) is 'A project''s status, as Wrike''s API calls it.';

create function private.wrike_project(p_mirror private.wrike_mirrors) returns jsonb
language sql stable security definer set search_path = '' as $$
  select case when p_mirror.project_id is null
    then jsonb_build_object(
      'title', 'Test project of ' || to_char(p_mirror.created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI')
        || ' UTC (can be deleted)',
      'outcome', null, 'baseline', null, 'start_on', null, 'due_on', null, 'status', 'OnHold'
    )
    else (
      select jsonb_build_object(
        'title', p.title, 'outcome', p.outcome, 'baseline', p.baseline,
        'start_on', p.start_on, 'due_on', p.due_on, 'status', private.wrike_status(p.status)
      )
      from public.projects p where p.id = p_mirror.project_id
    )
  end
$$;
comment on function private.wrike_project(private.wrike_mirrors) is
  'What may be sent of a project itself: {title, outcome, baseline, start_on, due_on, status}; null if it''s gone.';

create function private.wrike_pending_tasks(p_mirror private.wrike_mirrors)
returns table (id uuid, place bigint, content jsonb, sent jsonb, wrike_id text, is_begun boolean)
language sql stable security definer set search_path = '' as $$
  with wanted as (
    select t.id, row_number() over w as place, jsonb_build_object(
      'title', t.title, 'due_on', t.due_on, 'is_done', t.state = 'done', 'after', lag(t.id) over w
    ) as content
    from public.project_tasks t
    where t.project_id = p_mirror.project_id and t.removed_at is null
    window w as (order by t.position, t.id)
  ), known as (
    select k.* from private.wrike_tasks k where k.mirror_id = p_mirror.id
  )
  select coalesce(w.id, k.id), w.place, w.content, k.sent, k.wrike_id, k.id is not null
  from wanted w
  full join known k on k.id = w.id
  where w.id is null
    or k.sent is distinct from w.content and k.refused is distinct from w.content
$$;
comment on function private.wrike_pending_tasks(private.wrike_mirrors) is
  'The tasks that differ from what was last sent: content is {title, due_on, is_done, after (the task before it)}, or null if it has to be removed.';

-- Marking what changed --------------------------------------------------------------------------

create function private.queue_wrike(p_always boolean default false) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count int;
begin
  -- One that waits is enough. If it's just being taken, the schedule queues another one.
  insert into private.jobs (kind)
  select 'wrike_sync'
  where not exists (
      select from private.jobs j where j.kind = 'wrike_sync' and j.state = 'waiting'
    )
    and (
      p_always
      or exists (
        select from private.wrike_mirrors m
        where m.state in ('waiting', 'sending') and m.wants <> 'keep'
      )
      or exists (select from private.wrike_settings s where s.listing is not null)
    );
  get diagnostics v_count = row_count;
  return v_count;
end
$$;
comment on function private.queue_wrike(boolean) is
  'Queues the job that sends what waits for Wrike, unless one waits already; returns how many.';
insert into private.jobs (kind, every) values ('queue_wrike', interval '5 minutes');

create function private.mark_wrike() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_row constant jsonb := coalesce(to_jsonb(new), to_jsonb(old));
begin
  if tg_op = 'DELETE' then
    -- What it was is forgotten here, and removed there. What never got there needs no removal.
    delete from private.wrike_mirrors m
    where m.project_id = old.id and m.attempts = 0 and m.wrike_id is null;
    update private.wrike_mirrors m set
      wants = 'remove', sent = null, reason = null, is_gone = false, version = m.version + 1, changed_at = now(),
      state = case when m.state = 'sending' then 'sending' else 'waiting' end
    where m.project_id = old.id;
    if found then
      delete from private.wrike_tasks t
      using private.wrike_mirrors m where m.id = t.mirror_id and m.project_id = old.id;
      perform private.queue_wrike();
    end if;
  else
    update private.wrike_mirrors m set
      version = m.version + 1, changed_at = now(),
      state = case when m.state = 'sending' then 'sending' else 'waiting' end
    where m.wants = 'save'
      and m.project_id = (v_row ->> case tg_table_name when 'projects' then 'id' else 'project_id' end)::uuid;
    if found then
      perform private.queue_wrike();
    end if;
  end if;
  return null;
end
$$;
create trigger mark_wrike
  after update of title, outcome, baseline, start_on, due_on, status on public.projects
  for each row when (
    old.title is distinct from new.title
    or old.outcome is distinct from new.outcome
    or old.baseline is distinct from new.baseline
    or old.start_on is distinct from new.start_on
    or old.due_on is distinct from new.due_on
    or old.status is distinct from new.status
  ) execute function private.mark_wrike();
create trigger mark_wrike_when_erased after delete on public.projects
  for each row execute function private.mark_wrike();
create trigger mark_wrike_when_added after insert on public.project_tasks
  for each row execute function private.mark_wrike();
create trigger mark_wrike
  after update of title, due_on, state, position, removed_at on public.project_tasks
  for each row when (
    old.title is distinct from new.title
    or old.due_on is distinct from new.due_on
    or (old.state = 'done') is distinct from (new.state = 'done')
    or old.position is distinct from new.position
    or old.removed_at is distinct from new.removed_at
  ) execute function private.mark_wrike();

create function private.wrike_state(p_project_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('is_followed', m.wants = 'save', 'since', m.created_at)
  from private.wrike_mirrors m where m.project_id = p_project_id
$$;
comment on function private.wrike_state(uuid) is
  'Whether a project is in Wrike: {is_followed (changes are sent), since}; null if it isn''t.';

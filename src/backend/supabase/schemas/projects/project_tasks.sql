-- Tasks of a project: what needs to be done, in an order that its members choose.
--
-- A task's position is a number between those of its neighbors. A move says which task to follow,
-- and the number is assigned here under the project's lock, so that two people moving tasks at the
-- same time both get a consistent order.

create table public.project_tasks (
  id uuid primary key,
  project_id uuid not null,
  business_id uuid not null,
  title text not null check (char_length(title) between 1 and 200),
  state text not null default 'todo' check (state in ('todo', 'doing', 'blocked', 'done')),
  blocked_reason text check (char_length(blocked_reason) <= 500),
  due_on date,
  position numeric not null,
  -- Counts edits of the title and due date, so that we detect one based on an older revision.
  revision int not null default 1,
  -- No foreign key: the task outlives the account.
  created_by uuid,
  done_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  foreign key (project_id, business_id) references public.projects (id, business_id)
    on update cascade,
  check ((state = 'blocked') = (blocked_reason is not null)),
  check ((state = 'done') = (done_at is not null))
);
comment on table public.project_tasks is
  'The tasks of a project, in order; a removed one can be restored.';
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

-- Triggers: the project's task counts -----------------------------------------------------------

create trigger project_tasks_touch before update on public.project_tasks
  for each row when (not private.merging()) execute function private.touch_updated_at();

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
  for each row when (not private.merging()) execute function private.count_task();

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
    raise exception 'Say what needs to be done, in 1 to 200 characters.'
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
      raise exception 'This task already exists.' using errcode = '23505', hint = 'id';
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
  'A member adds a task at the end; returns the task. Idempotent by id.';

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
  'A member edits a task based on a revision; {saved, task}. saved is false, and nothing written, if someone else was faster.';

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
    raise exception 'Say what’s blocking the task, in 1 to 500 characters.'
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
  'A member sets a task''s status, with a reason if it''s blocked; returns the task.';

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
      raise exception 'The task it should follow is gone. Reload the page.'
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
  'A member moves a task after another one, or to the top if none is given; returns the task.';

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
  'A member removes a task or, with false, restores it to its position; returns the task.';

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
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_to_read(p_project_id);
  v_last public.project_tasks;
begin
  select t.* into v_last from public.project_tasks t
  where t.id = p_after and t.project_id = v_project.id;
  if not found then
    raise exception 'This task is gone.' using errcode = 'P0002';
  end if;
  return private.project_tasks_json(p_project_id, v_last.position, v_last.id, 100);
end
$$;
comment on function public.list_project_tasks(uuid, uuid) is
  'The next 100 tasks of a project after a given one, for anyone who can read it.';

grant execute on function
  public.add_project_task(uuid, uuid, text, date),
  public.save_project_task(uuid, int, text, date),
  public.set_project_task_state(uuid, text, text),
  public.move_project_task(uuid, uuid),
  public.remove_project_task(uuid, boolean),
  public.list_project_tasks(uuid, uuid)
  to authenticated;

-- Projects: a piece of work on one skill area of a business, from draft to done.
--
-- Rows are written by procedures alone. A coach reads the projects of the businesses that they are
-- assigned to and writes updates there; steps are for members.

create table public.projects (
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  created_by uuid references auth.users (id) on delete set null,
  area_key text references public.skill_areas (key),
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
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (id, business_id),
  check (due_on >= start_on),
  check ((status = 'blocked') = (blocked_reason is not null))
);
comment on table public.projects is 'A piece of work of a business, with its outcome, dates and status.';
create index projects_business_id_idx on public.projects (business_id, updated_at desc, id);
create index projects_created_by_idx on public.projects (created_by);
create index projects_area_key_idx on public.projects (area_key);

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
create index project_events_project_id_idx on public.project_events (project_id, id);
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
create trigger projects_keep_to_their_states before insert or update or delete on public.projects
  for each row execute function private.guard_project();
create trigger project_events_are_append_only before update or delete on public.project_events
  for each row execute function private.refuse_change();
create trigger project_events_are_never_emptied before truncate on public.project_events
  for each statement execute function private.refuse_change();
create trigger project_updates_are_append_only before update or delete on public.project_updates
  for each row execute function private.refuse_change();
create trigger project_updates_are_never_emptied before truncate on public.project_updates
  for each statement execute function private.refuse_change();

-- Procedures ------------------------------------------------------------------------------------

create function private.project_for_change(p_id uuid) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects;
begin
  perform private.require_session();
  select * into v_project from public.projects p
  where p.id = p_id and p.business_id in (select private.readable_business_ids())
  for update;
  if not found then
    raise exception 'This project was not found.' using errcode = 'P0002';
  end if;
  return v_project;
end
$$;
comment on function private.project_for_change(uuid) is
  'The project, locked, for a member or the assigned coach; an error (P0002) for everyone else.';

create function public.create_project(
  p_id uuid, p_business_id uuid, p_title text, p_area_key text default null,
  p_outcome text default null, p_baseline text default null,
  p_start_on date default null, p_due_on date default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found public.projects;
  v_title text := private.clean_line(p_title, 10000);
begin
  perform private.one_at_a_time('projects', p_id);
  perform private.require_member(p_business_id);
  select * into v_found from public.projects p where p.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.created_by is distinct from v_user_id or v_found.business_id <> p_business_id then
      raise exception 'This project exists already.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'revision', v_found.revision);
  end if;
  if p_id is null then
    raise exception 'A project needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_title is null or char_length(v_title) > 160 then
    raise exception 'Give the project a title of 1 to 160 characters.'
      using errcode = '22023', hint = 'title';
  end if;
  if p_due_on < p_start_on then
    raise exception 'The due date comes before the start.' using errcode = '22023', hint = 'due_on';
  end if;
  if p_area_key is not null
    and not exists (select from public.skill_areas a where a.key = p_area_key)
  then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'area_key';
  end if;
  if char_length(p_outcome) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'outcome';
  end if;
  if char_length(p_baseline) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'baseline';
  end if;
  insert into public.projects (
    id, business_id, created_by, area_key, title, outcome, baseline, start_on, due_on
  ) values (
    p_id, p_business_id, v_user_id, p_area_key, v_title, nullif(btrim(p_outcome), ''),
    nullif(btrim(p_baseline), ''), p_start_on, p_due_on
  );
  insert into public.project_events (project_id, business_id, actor_id, kind, to_status)
  values (p_id, p_business_id, v_user_id, 'created', 'draft');
  return jsonb_build_object('id', p_id, 'revision', 1);
end
$$;
comment on function public.create_project(uuid, uuid, text, text, text, text, date, date) is
  'A member makes a draft; {id, revision}. Sent twice with one id it stays one.';
grant execute on function public.create_project(uuid, uuid, text, text, text, text, date, date)
  to authenticated;

create function public.move_project(p_id uuid, p_status text, p_note text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_id);
  v_note text := nullif(btrim(p_note), '');
  v_refused text;
begin
  perform private.require_member(v_project.business_id);
  if char_length(v_note) > 1000 then
    raise exception 'Keep the note to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if v_project.status = p_status then
    return jsonb_build_object('status', p_status, 'refused', null);
  end if;
  v_refused := case
    when not coalesce(private.project_step_allowed(v_project.status, p_status), false)
      then 'A project cannot take this step from where it is.'
    when p_status = 'blocked' and v_note is null then 'Say what blocks the project.'
    when v_project.status in ('in_review', 'done', 'canceled') and p_status = 'in_progress'
      and v_note is null then 'Say in a note why the project is taken up again.'
  end;
  insert into public.project_events (
    project_id, business_id, actor_id, kind, from_status, to_status, note
  ) values (
    p_id, v_project.business_id, auth.uid(), case when v_refused is null then 'moved' else 'refused' end,
    v_project.status, left(p_status, 40), v_note
  );
  -- An answer and not an error, which would take the event away with it.
  if v_refused is not null then
    return jsonb_build_object('status', v_project.status, 'refused', v_refused);
  end if;
  update public.projects set
    status = p_status,
    blocked_reason = case when p_status = 'blocked' then v_note end,
    revision = revision + 1
  where id = p_id;
  return jsonb_build_object('status', p_status, 'refused', null);
end
$$;
comment on function public.move_project(uuid, text, text) is
  'A member takes a project a step further; {status, refused}. A refused step is written down and said in words.';
grant execute on function public.move_project(uuid, text, text) to authenticated;

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
  return jsonb_build_object('id', p_id, 'at', now());
end
$$;
comment on function public.add_project_update(uuid, uuid, text) is
  'A member or the assigned coach writes an update; {id, at}. Sent twice with one id it stays one.';
grant execute on function public.add_project_update(uuid, uuid, text) to authenticated;

-- Projects: a piece of work on one skill area of a business, from draft to done.
--
-- Only procedures write rows. Members can do anything with their business's projects. The assigned
-- coach can read them, write updates, and edit the shared fields: outcome, baseline and dates. An
-- admin can read and edit everything, which adds an audit log row each time.

create table public.projects (
  id uuid primary key,
  business_id uuid not null references public.businesses (id),
  created_by uuid references auth.users (id) on delete set null,
  -- No foreign key: the edit outlives the account.
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
  -- Counts changes, so that we detect an edit based on an older revision.
  revision int not null default 1,
  -- Updated by a trigger on project_tasks, so that listing projects doesn't count tasks.
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
comment on table public.projects is 'A business''s projects, with outcome, dates and status.';
comment on column public.projects.words is 'What search covers: title before outcome.';
-- One index for each sort order of the list, so that reading a page doesn't sort everything.
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
  -- No foreign key: the event outlives the account.
  actor_id uuid,
  kind text not null check (kind in ('created', 'moved', 'refused')),
  from_status text,
  to_status text,
  note text check (char_length(note) <= 1000),
  foreign key (project_id, business_id) references public.projects (id, business_id)
    on update cascade
);
comment on table public.project_events is 'Steps of a project, including rejected ones; append-only.';
create index project_events_project_id_idx on public.project_events (project_id, at desc, id desc);
create index project_events_business_id_idx on public.project_events (business_id, at desc);

create table public.project_updates (
  id uuid primary key,
  project_id uuid not null,
  business_id uuid not null,
  -- No foreign key: the update outlives the account.
  author_id uuid,
  body text not null check (char_length(btrim(body)) between 1 and 4000),
  at timestamptz not null default now(),
  foreign key (project_id, business_id) references public.projects (id, business_id)
    on update cascade
);
comment on table public.project_updates is 'What members and the coach wrote about a project, in time order; append-only.';
create index project_updates_project_id_idx on public.project_updates (project_id, at, id);
create index project_updates_business_id_idx on public.project_updates (business_id, at desc);

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

-- Triggers --------------------------------------------------------------------------------------

create trigger projects_touch before update on public.projects
  for each row when (not private.merging()) execute function private.touch_updated_at();

create function private.guard_project() returns trigger
language plpgsql set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'A project is canceled, never removed.' using errcode = '55000';
  end if;
  if new.id <> old.id or new.business_id <> old.business_id then
    raise exception 'A project stays with its business.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger projects_stay_with_their_business before update on public.projects
  for each row when (not private.merging()) execute function private.guard_project();
create trigger projects_take_known_steps before insert or update of status on public.projects
  for each row execute function private.check_transition('project', 'status');
create trigger projects_are_never_removed before delete on public.projects
  for each row when (not private.erasing()) execute function private.guard_project();
create trigger project_events_are_append_only before update or delete on public.project_events
  for each row when (not private.merging()) execute function private.refuse_change_unless_erased();
create trigger project_events_are_never_emptied before truncate on public.project_events
  for each statement execute function private.refuse_change();
create trigger project_updates_are_append_only before update or delete on public.project_updates
  for each row when (not private.merging()) execute function private.refuse_change_unless_erased();
create trigger project_updates_are_never_emptied before truncate on public.project_updates
  for each statement execute function private.refuse_change();

-- Permissions on a project ----------------------------------------------------------------------

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
  'edit: a member. share: the assigned coach, who can edit outcome, baseline and dates. admin: everything, with an audit row. Null: nothing.';

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
    raise exception 'We can’t find this project.' using errcode = 'P0002';
  end if;
  if v_right = 'share' and p_right = 'edit' then
    raise exception 'Only members of the business can do this.' using errcode = '42501';
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
  'The project, locked, if the caller can change it ("edit") or write to it ("share"); an error (P0002, 42501) for everyone else, and (55000) while its business is archived.';

create function private.project_to_read(p_id uuid) returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    return null;
  end if;
  if v_right = 'admin' then
    perform private.audit('project.read', 'project', p_id::text);
  end if;
  return v_project;
end
$$;
comment on function private.project_to_read(uuid) is
  'The project if the caller can read it, which for an admin is in the audit log; otherwise null.';

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
    raise exception 'The due date is before the start date.' using errcode = '22023', hint = 'due_on';
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
    raise exception 'Choose coaching that belongs to this business.'
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
  'Raises an error in words, with the field, for invalid input to a project.';

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
      raise exception 'This project already exists.' using errcode = '23505', hint = 'id';
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
  'A member creates a draft; {id, revision, made}. Idempotent by id: the first call counts, and made is false for later ones.';
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
    raise exception 'A coach can change only the outcome, the baseline and the dates.'
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
  'Saves edits based on a revision; {saved, project}. If someone else was faster, saved is false, nothing is written, and project is theirs.';
grant execute on function
  public.save_project(uuid, int, text, text, text, text, date, date, uuid) to authenticated;

create function public.move_project(p_id uuid, p_status text, p_note text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_id, 'edit');
  v_note text := nullif(btrim(p_note), '');
  -- Null where there is no such step.
  v_needs_note boolean := (
    select t.needs_note from private.transitions t
    where t.entity = 'project' and t.from_state = v_project.status and t.to_state = p_status
      and case private.project_right(v_project.business_id) when 'admin' then 'admin' else 'member' end
        = any (t.who)
  );
  v_refused text;
begin
  if char_length(v_note) > 1000 then
    raise exception 'Keep the note to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if v_project.status is distinct from p_status then
    v_refused := case
      when v_needs_note is null
        then 'A project can’t go there from its current status.'
      when v_needs_note and v_note is null then
        case p_status when 'blocked' then 'Say what’s blocking the project.'
          else 'Add a note that says why you’re picking the project up again.' end
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
  'A member moves a project to another status; {status, refused, revision, blocked_reason, moves}. A rejected step is recorded and explained.';
grant execute on function public.move_project(uuid, text, text) to authenticated;

create function private.project_moves(p_status text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(
    jsonb_agg(jsonb_build_object('to', t.to_state, 'note', t.needs_note) order by t.position), '[]'
  )
  from private.transitions t where t.entity = 'project' and t.from_state = p_status
$$;
comment on function private.project_moves(text) is
  'The steps from a status, [{to, note}]; note means that the step requires a reason.';

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
      raise exception 'This update already exists.' using errcode = '23505', hint = 'id';
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
  'A member, the assigned coach or an admin writes an update; {id, at}. Idempotent by id.';
grant execute on function public.add_project_update(uuid, uuid, text) to authenticated;

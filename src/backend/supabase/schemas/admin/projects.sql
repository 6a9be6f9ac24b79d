-- All projects, for admins: by the words of their title and business, and by coach; and the due dates
-- of several at once.

create index projects_added_idx on public.projects (created_at, id);
create index projects_due_idx on public.projects ((coalesce(due_on, 'infinity'::date)), id);
create index projects_title_idx on public.projects (title collate private.by_name, id);
create index projects_by_status_idx on public.projects (status, created_at, id);
create index projects_by_status_due_idx
  on public.projects (status, (coalesce(due_on, 'infinity'::date)), id);
create index projects_open_added_idx on public.projects (created_at, id)
  where status not in ('done', 'canceled');
create index projects_open_due_idx on public.projects ((coalesce(due_on, 'infinity'::date)), id)
  where status not in ('done', 'canceled');

-- In a table of its own, because a project's own words are those of its title and outcome, in
-- English, and its business's name changes without it.
create table private.project_words (
  project_id uuid primary key references public.projects (id) on delete cascade,
  words tsvector not null
);
comment on table private.project_words is
  'Words of each project''s title and business, for admins'' searches. Triggers keep it current.';
create index project_words_words_idx on private.project_words using gin (words);
alter table private.project_words enable row level security;

create function private.index_project() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  insert into private.project_words as w (project_id, words)
  select p.id, private.name_words(p.title || ' ' || b.name)
  from public.projects p
  join public.businesses b on b.id = p.business_id
  where case tg_table_name when 'businesses' then p.business_id else p.id end = new.id
  on conflict (project_id) do update set words = excluded.words where w.words <> excluded.words;
  return null;
end
$$;
create trigger index_project after insert or update of title, business_id on public.projects
  for each row execute function private.index_project();
create trigger index_projects after update of name on public.businesses
  for each row when (old.name <> new.name) execute function private.index_project();

create function public.admin_projects(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_sort constant text := coalesce(p_filter ->> 'sort', 'newest');
begin
  perform private.require_admin();
  perform private.audit(
    'project.list', 'project', null, null,
    p_filter || case when p_filter ? 'business'
      then jsonb_build_object('business_id', p_filter ->> 'business') else '{}' end
  );
  return private.list_page(
    $from$
      (
        select p.*, w.words as all_words
        from public.projects p left join private.project_words w on w.project_id = p.id
      ) p
      cross join lateral (
        select p.id, p.title, p.status, p.due_on, p.created_at, p.updated_at, p.business_id,
          p.task_count, p.done_count, p.all_words as words
      ) r
    $from$,
    $row$
      (
        select jsonb_build_object(
          'title', r.title, 'status', r.status, 'due_on', r.due_on, 'created_at', r.created_at,
          'updated_at', r.updated_at, 'task_count', r.task_count, 'done_count', r.done_count,
          'business', jsonb_build_object(
            'id', b.id, 'name', b.name, 'archived', b.archived_at is not null
          ),
          'coach', (
            select private.name_of(e.coach_id) from public.engagements e
            where e.business_id = b.id and e.closed_at is null and e.coach_id is not null
            order by e.requested_at desc limit 1
          )
        )
        from public.businesses b where b.id = r.business_id
      )
    $row$,
    array[
      case p_filter ->> 'status'
        when 'all' then null
        when 'late' then 'r.status not in (''done'', ''canceled'') and coalesce(r.due_on, ''infinity''::date) < current_date'
        else case when p_filter ? 'status' and p_filter ->> 'status' <> 'open'
          then 'r.status = $1 ->> ''status''' else 'r.status not in (''done'', ''canceled'')' end
      end,
      case when p_filter ? 'business' then 'r.business_id = ($1 ->> ''business'')::uuid' end,
      -- As constants: only then does the planner know how many there are.
      case when p_filter ? 'coach' then format('r.business_id = any (%L::uuid[])', array(
        select e.business_id from public.engagements e
        where e.coach_id = private.uuid_of(p_filter ->> 'coach') and e.closed_at is null
      )) end
    ],
    case v_sort
      when 'due' then 'coalesce(r.due_on, ''infinity''::date)'
      when 'title' then 'r.title collate private.by_name'
      else 'r.created_at' end,
    case v_sort when 'due' then 'date' when 'title' then 'text' else 'timestamptz' end,
    v_sort not in ('due', 'title'),
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'coach', private.coach_choices(),
    -- The name of the one that was chosen.
    'business', (
      select coalesce(jsonb_agg(jsonb_build_object('value', b.id, 'label', b.name)), '[]')
      from public.businesses b where b.id::text = p_filter ->> 'business'
    )
  ) end);
end
$$;
comment on function public.admin_projects(jsonb, jsonb, int) is
  'A page of all projects by {words (of the title or business), status ("open", "late", "all" or one), business, coach (the business''s, now), sort ("newest", "due", "title")}, with the choices of coaches; see list_page.';
grant execute on function public.admin_projects(jsonb, jsonb, int) to authenticated;

create function public.set_due_dates(p_changes jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_change jsonb;
  v_was public.projects;
  v_new public.projects;
  v_before jsonb := '[]';
begin
  if coalesce(jsonb_typeof(p_changes), '') <> 'array'
    or jsonb_array_length(p_changes) not between 1 and 200
  then
    raise exception 'Choose 1 to 200 projects.' using errcode = '22023', hint = 'changes';
  end if;
  -- In the same order for everyone.
  for v_change in select c from jsonb_array_elements(p_changes) c order by c ->> 'id' loop
    select * into v_was from public.projects p where p.id = (v_change ->> 'id')::uuid for update;
    if not found then
      raise exception 'We can’t find this project.' using errcode = 'P0002', hint = 'changes';
    end if;
    perform private.require_unarchived(v_was.business_id);
    v_new := v_was;
    v_new.due_on := (v_change ->> 'due_on')::date;
    continue when v_new is not distinct from v_was;
    if v_new.due_on < v_new.start_on then
      raise exception '“%” only starts on %.', v_was.title, to_char(v_was.start_on, 'FMMonth FMDD, YYYY')
        using errcode = '22023', hint = 'due_on';
    end if;
    perform private.check_project(v_new);
    update public.projects p set due_on = v_new.due_on, saved_by = v_admin_id, revision = p.revision + 1
    where p.id = v_was.id;
    perform private.audit('project.edit', 'project', v_was.id::text, null, jsonb_build_object(
      'before', jsonb_build_object('due_on', v_was.due_on),
      'after', jsonb_build_object('due_on', v_new.due_on)
    ));
    v_before := v_before || jsonb_build_object('id', v_was.id, 'due_on', v_was.due_on);
  end loop;
  return jsonb_build_object('before', v_before);
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'Choose a date.' using errcode = '22023', hint = 'due_on';
end
$$;
comment on function public.set_due_dates(jsonb) is
  'An admin sets the due dates (or null) of up to 200 projects, [{id, due_on}]: {before: the same of those that changed, as they were, which undoes it}.';
grant execute on function public.set_due_dates(jsonb) to authenticated;

-- The screen for Wrike: the connection, its folders, a test project, and the projects that are mirrored.

create function private.wrike_json() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'connection', s.connection,
    'is_listing', s.listing is not null, 'listed_at', s.listed_at,
    'statuses', (
      select jsonb_agg(jsonb_build_object('status', u.status, 'wrike', private.wrike_status(u.status)))
      from unnest(
        array['draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled']
      ) as u (status)
    ),
    'mirrors', (
      select coalesce(jsonb_agg(to_jsonb(n)), '[]') from (
        select m.wants, m.state, count(*)::int as count
        from private.wrike_mirrors m group by 1, 2 order by 1, 2
      ) n
    ),
    'job', (
      select jsonb_build_object('state', j.state, 'error', j.last_error, 'run_at', j.run_at)
      from private.jobs j
      where j.kind = 'wrike_sync' and j.state in ('waiting', 'running', 'failed')
      order by j.state = 'running' desc, j.created_at desc limit 1
    )
  )
  from private.wrike_settings s
$$;
create function public.admin_wrike() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Not in the audit log: it names nobody, and the screen reads it every few seconds while a run lasts.
  perform private.require_admin();
  return private.wrike_json();
end
$$;
comment on function public.admin_wrike() is
  'How far Wrike is: {connection (see keep_wrike_connection), is_listing and listed_at (of its folders), statuses: [{status, wrike}], mirrors: [{wants, state, count}], job: {state, error, run_at} or null}.';

create function public.admin_wrike_folders(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Not in the audit log: these are Wrike's folders, and nothing about anyone here.
  perform private.require_admin();
  return private.list_page(
    'private.wrike_folders r',
    $row$
      jsonb_build_object('title', r.title, 'kind', r.kind, 'path', r.path, 'depth', r.depth)
    $row$,
    array['r.place > 0'],
    'r.place', 'int', false, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words'), 'text'
  );
end
$$;
comment on function public.admin_wrike_folders(jsonb, jsonb, int) is
  'A page of Wrike''s spaces and folders in the order of their tree, by {words (of the title)}, each with its path and depth; see list_page.';

create function public.admin_wrike_mirrors(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('wrike.list', 'wrike', null, null, p_filter);
  return private.list_page(
    $from$
      (
        select m.*, w.words from private.wrike_mirrors m
        left join private.project_words w on w.project_id = m.project_id
      ) r
    $from$,
    $row$
      jsonb_build_object(
        'is_test', r.project_id is null, 'folder', r.folder, 'wants', r.wants, 'state', r.state,
        'reason', r.reason, 'is_gone', r.is_gone, 'permalink', r.permalink, 'sent_at', r.sent_at,
        'created_at', r.created_at,
        'project', (
          select jsonb_build_object(
            'id', p.id, 'title', p.title, 'status', p.status,
            'business', jsonb_build_object('id', b.id, 'name', b.name)
          )
          from public.projects p join public.businesses b on b.id = p.business_id
          where p.id = r.project_id
        ),
        'tasks', (
          select count(*) from private.wrike_tasks t where t.mirror_id = r.id and t.wrike_id is not null
        )
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'refused' then 'r.state = ''refused'''
        when 'waiting' then 'r.state in (''waiting'', ''sending'')'
        when 'sent' then 'r.state = ''sent'' and r.wants = ''save'''
        when 'kept' then 'r.wants = ''keep'''
      end
    ],
    'r.created_at', 'timestamptz', true, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_wrike_mirrors(jsonb, jsonb, int) is
  'A page of the projects that are mirrored in Wrike, the newest first, by {words (of the title or business), state ("waiting", "sent", "refused", "kept")}; see list_page.';

create function private.wake_wrike() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.queue_wrike(true);
  -- One that waits for Wrike to be back tries right away.
  update private.jobs j set run_at = now(), awaits_service = false
  where j.kind = 'wrike_sync' and j.state = 'waiting';
  perform pg_catalog.pg_notify('jobs', '');
end
$$;
comment on function private.wake_wrike() is 'Has the job for Wrike run now.';

create function public.run_wrike(p_step text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  if p_step is null or p_step not in ('check', 'list_folders') then
    raise exception 'Choose a step.' using errcode = '22023', hint = 'step';
  end if;
  if p_step = 'list_folders' then
    update private.wrike_settings s set listing = gen_random_uuid(), next_page = null;
  end if;
  perform private.wake_wrike();
  perform private.audit('wrike.' || p_step, 'wrike', null);
  return private.wrike_json();
end
$$;
comment on function public.run_wrike(text) is
  'An admin has the connection looked at ("check") or the folders listed again ("list_folders"). Returns the same as admin_wrike.';

create function public.mirror_in_wrike(p_id uuid, p_folder_id text, p_project_id uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_folder private.wrike_folders;
  v_found private.wrike_mirrors;
  v_project public.projects;
begin
  perform private.require_admin();
  if p_id is null then
    raise exception 'It needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('wrike_mirrors', coalesce(p_project_id, p_id));
  select * into v_found from private.wrike_mirrors m where m.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.project_id is distinct from p_project_id then
      raise exception 'This already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.wrike_json();
  end if;
  select * into v_folder from private.wrike_folders f where f.id = p_folder_id;
  if not found then
    raise exception 'Choose a folder. If it’s new, list the folders again.'
      using errcode = '22023', hint = 'folder';
  end if;
  if p_project_id is not null then
    select * into v_project from public.projects p where p.id = p_project_id;
    if not found then
      raise exception 'We can’t find this project.' using errcode = 'P0002', hint = 'project';
    end if;
    perform private.require_unarchived(v_project.business_id);
    if exists (select from private.wrike_mirrors m where m.project_id = p_project_id) then
      raise exception 'This project is in Wrike already. It’s on the list of mirrored projects.'
        using errcode = '22023', hint = 'project';
    end if;
  end if;
  insert into private.wrike_mirrors (id, project_id, folder_id, folder)
  values (p_id, p_project_id, v_folder.id, concat_ws(' / ', nullif(v_folder.path, ''), v_folder.title));
  perform private.wake_wrike();
  if p_project_id is null then
    perform private.audit('wrike.test', 'wrike', p_id::text);
  else
    perform private.audit('wrike.mirror', 'project', p_project_id::text);
  end if;
  return private.wrike_json();
end
$$;
comment on function public.mirror_in_wrike(uuid, text, uuid) is
  'An admin mirrors a project in a folder of Wrike or, without one, has a test project created there. Idempotent by id. Returns the same as admin_wrike.';

create function public.change_wrike_mirror(p_id uuid, p_step text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_mirror private.wrike_mirrors;
begin
  perform private.require_admin();
  if p_step is null or p_step not in ('stop', 'continue', 'remove', 'replay') then
    raise exception 'Choose a step.' using errcode = '22023', hint = 'step';
  end if;
  select * into v_mirror from private.wrike_mirrors m where m.id = p_id for update;
  if not found then
    raise exception 'We don’t mirror this project anymore.' using errcode = 'P0002', hint = 'id';
  end if;
  if v_mirror.wants = 'remove' and p_step <> 'replay' then
    -- It's on its way out.
    return private.wrike_json();
  end if;
  if p_step in ('stop', 'remove') and v_mirror.attempts = 0 and v_mirror.wrike_id is null then
    -- It never got there.
    delete from private.wrike_mirrors m where m.id = p_id;
  elsif p_step = 'stop' and v_mirror.wrike_id is not null then
    update private.wrike_mirrors m set
      wants = 'keep', version = m.version + 1, reason = null, is_gone = false,
      state = case when m.state = 'sending' then 'sending' else 'sent' end
    where m.id = p_id and m.wants = 'save';
  elsif p_step <> 'replay' then
    -- One that may have got there without us learning of it can't be left there.
    update private.wrike_mirrors m set
      wants = case p_step when 'continue' then 'save' else 'remove' end,
      version = m.version + 1, changed_at = now(), reason = null,
      state = case when m.state = 'sending' then 'sending' else 'waiting' end
    where m.id = p_id and (p_step <> 'continue' or m.wants = 'keep');
  elsif v_mirror.state = 'refused' then
    -- What Wrike's people deleted is made again.
    delete from private.wrike_tasks t where t.mirror_id = p_id and v_mirror.is_gone;
    update private.wrike_tasks t set refused = null, reason = null where t.mirror_id = p_id;
    update private.wrike_mirrors m set
      state = 'waiting', reason = null, is_gone = false, changed_at = now(),
      wrike_id = case when not m.is_gone then m.wrike_id end,
      permalink = case when not m.is_gone then m.permalink end,
      sent = case when not m.is_gone then m.sent end
    where m.id = p_id;
  end if;
  perform private.wake_wrike();
  perform private.audit(
    'wrike.' || p_step, case when v_mirror.project_id is null then 'wrike' else 'project' end,
    coalesce(v_mirror.project_id, p_id)::text
  );
  return private.wrike_json();
end
$$;
comment on function public.change_wrike_mirror(uuid, text) is
  'An admin stops sending a project''s changes ("stop"), sends them again ("continue"), has the project deleted in Wrike ("remove"), or has it tried again after Wrike refused it ("replay"). Returns the same as admin_wrike.';

grant execute on function
  public.admin_wrike(), public.admin_wrike_folders(jsonb, jsonb, int),
  public.admin_wrike_mirrors(jsonb, jsonb, int), public.run_wrike(text),
  public.mirror_in_wrike(uuid, text, uuid), public.change_wrike_mirror(uuid, text)
to authenticated;

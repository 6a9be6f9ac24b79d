-- What the job wrike_sync reads and writes. Only the worker calls these.

create function private.begin_wrike(p_job_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Wrike takes one change of its folders at a time.
  if not private.is_first_of_its_kind(p_job_id) then
    return null;
  end if;
  -- The worker that took these is gone, and nobody knows how far it came.
  update private.wrike_mirrors m set state = 'waiting' where m.state = 'sending';
  return jsonb_build_object(
    'account_id', (
      select m.account_id from private.wrike_mirrors m
      where m.account_id is not null order by m.created_at desc limit 1
    ),
    'has_work', exists (
      select from private.wrike_mirrors m where m.state = 'waiting' and m.wants <> 'keep'
    ) or exists (select from private.wrike_settings s where s.listing is not null)
  );
end
$$;
comment on function private.begin_wrike(uuid) is
  'Starts a run of the job: {account_id (where the mirrors are), has_work}; null while another one is running.';

create function private.keep_wrike_connection(p_connection jsonb) returns void
language sql volatile security definer set search_path = '' as $$
  update private.wrike_settings s
  set connection = p_connection || jsonb_build_object('checked_at', now())
$$;
comment on function private.keep_wrike_connection(jsonb) is
  'Stores what the job saw of Wrike: {problem (a sentence, or null), host, account: {id, name} or null}.';

create function private.wrike_listing() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object('id', s.listing, 'next_page', s.next_page)
  from private.wrike_settings s where s.listing is not null
$$;
comment on function private.wrike_listing() is
  'The listing of folders that''s under way: {id, next_page (null: the first)}; null if there''s none.';

create function private.keep_wrike_folders(p_listing uuid, p_folders jsonb, p_next_page text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Another one was begun meanwhile.
  if not exists (select from private.wrike_settings s where s.listing = p_listing) then
    return;
  end if;
  insert into private.wrike_folders as f (id, title, kind, child_ids, listing)
  select g.id, g.title, g.kind, g.child_ids, p_listing
  from jsonb_to_recordset(p_folders) as g (id text, title text, kind text, child_ids text[])
  on conflict (id) do update set
    title = excluded.title, kind = excluded.kind, child_ids = excluded.child_ids,
    listing = excluded.listing;
  update private.wrike_settings s set next_page = p_next_page;
  if p_next_page is not null then
    return;
  end if;

  delete from private.wrike_folders f where f.listing <> p_listing;
  with recursive parents as (
    -- Something can be in several folders; it's shown in one.
    select f.id, min(p.id) as parent_id
    from private.wrike_folders f join private.wrike_folders p on f.id = any (p.child_ids)
    group by f.id
  ), tree as (
    select f.id, f.title, '' as path, 0 as depth, array[lower(f.title), f.id] as place
    from private.wrike_folders f
    where not exists (select from parents p where p.id = f.id)
    union all
    select f.id, f.title, concat_ws(' / ', nullif(t.path, ''), t.title), t.depth + 1,
      t.place || array[lower(f.title), f.id]
    from tree t
    join parents p on p.parent_id = t.id
    join private.wrike_folders f on f.id = p.id
    where t.depth < 30
  ), placed as (
    select t.id, t.path, t.depth, row_number() over (order by t.place) as place from tree t
  )
  update private.wrike_folders f set path = p.path, depth = p.depth, place = p.place
  from placed p where p.id = f.id;
  update private.wrike_settings s set listing = null, listed_at = now();
end
$$;
comment on function private.keep_wrike_folders(uuid, jsonb, text) is
  'Stores a page of folders, [{id, title, kind, child_ids}]; with the last one (p_next_page is null), those that weren''t found are removed and the tree is made.';

create function private.take_wrike_mirror() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- So many tasks at a time, so that a run can end in between.
  c_tasks constant int := 20;
  v_mirror private.wrike_mirrors;
begin
  select * into v_mirror from private.wrike_mirrors m
  where m.state = 'waiting' and m.wants <> 'keep'
  -- One that fails again and again doesn't keep back the others.
  order by m.attempts, m.changed_at, m.id limit 1 for update;
  if not found then
    return null;
  end if;
  update private.wrike_mirrors m
  set state = 'sending', attempts = m.attempts + 1, reason = null, is_gone = false
  where m.id = v_mirror.id;
  return jsonb_build_object(
    'id', v_mirror.id, 'version', v_mirror.version, 'wants', v_mirror.wants,
    'folder_id', v_mirror.folder_id, 'wrike_id', v_mirror.wrike_id, 'sent', v_mirror.sent,
    'content', private.wrike_project(v_mirror),
    'tasks', case when v_mirror.wants = 'save' then (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', t.id, 'content', t.content, 'sent', t.sent, 'wrike_id', t.wrike_id,
        'is_begun', t.is_begun, 'is_first', t.place = 1,
        'after', (
          select k.wrike_id from private.wrike_tasks k
          join public.project_tasks o on o.id = k.id and o.removed_at is null
          join public.project_tasks i on i.id = t.id
          where k.mirror_id = v_mirror.id and k.wrike_id is not null
            and (o.position, o.id) < (i.position, i.id)
          order by o.position desc, o.id desc limit 1
        )
      ) order by t.content is not null, t.place), '[]')
      from (
        select p.* from private.wrike_pending_tasks(v_mirror) p
        order by p.content is not null, p.place limit c_tasks
      ) t
    ) else '[]' end,
    -- What a task that's moved to the top is put before.
    'first', (
      select k.wrike_id from private.wrike_tasks k
      join public.project_tasks t on t.id = k.id and t.removed_at is null
      where k.mirror_id = v_mirror.id and k.wrike_id is not null
        and k.sent ->> 'after' is null
      order by t.position, t.id limit 1
    )
  );
end
$$;
comment on function private.take_wrike_mirror() is
  'Takes a mirror that waits, with up to 20 of its tasks that have to be sent (content) or removed (null): {id, version, wants, folder_id, wrike_id, sent, content, tasks: [{id, content, sent, wrike_id, is_begun, is_first, after (Wrike''s id of the last one before that''s there)}], first}; null if none waits.';

create function private.keep_wrike_project(
  p_id uuid, p_account_id text, p_wrike_id text, p_permalink text, p_sent jsonb
) returns void
language sql volatile security definer set search_path = '' as $$
  update private.wrike_mirrors m set
    account_id = p_account_id, wrike_id = p_wrike_id, sent_at = now(),
    permalink = coalesce(p_permalink, m.permalink),
    -- Nothing of an erased project is kept.
    sent = case when m.wants <> 'remove' then p_sent end
  where m.id = p_id
$$;
comment on function private.keep_wrike_project(uuid, text, text, text, jsonb) is
  'Notes that a project is in Wrike, where, and what was sent of it.';

create function private.keep_wrike_task(
  p_mirror_id uuid, p_id uuid, p_wrike_id text, p_sent jsonb, p_refused jsonb default null,
  p_reason text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.wrike_tasks as t (id, mirror_id, wrike_id, sent, refused, reason)
  select p_id, m.id, p_wrike_id, p_sent, p_refused, p_reason
  from private.wrike_mirrors m
  -- Nothing of an erased project is kept.
  where m.id = p_mirror_id and m.wants <> 'remove'
  on conflict (id) do update set
    wrike_id = excluded.wrike_id, sent = excluded.sent, refused = excluded.refused,
    reason = excluded.reason;
  update private.wrike_mirrors m set sent_at = now() where m.id = p_mirror_id and p_sent is not null;
end
$$;
comment on function private.keep_wrike_task(uuid, uuid, text, jsonb, jsonb, text) is
  'Notes where a task is in Wrike and what was sent of it, or what was refused and why. Without either, that it''s about to be created.';

create function private.drop_wrike_task(p_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  delete from private.wrike_tasks t where t.id = p_id
$$;
comment on function private.drop_wrike_task(uuid) is 'Notes that a task isn''t in Wrike.';

create function private.keep_wrike_outcome(
  p_id uuid, p_version int, p_outcome text, p_reason text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_outcome = 'removed' then
    delete from private.wrike_mirrors m where m.id = p_id;
    return;
  end if;
  update private.wrike_mirrors m set
    attempts = case when p_outcome = 'done' then 0 else m.attempts end,
    reason = case
      when m.version <> p_version then null
      when p_outcome = 'done' then (
        select t.reason from private.wrike_tasks t
        where t.mirror_id = p_id and t.reason is not null order by t.id limit 1
      )
      else p_reason
    end,
    is_gone = p_outcome = 'gone',
    state = case
      when m.wants = 'keep' then 'sent'
      when p_outcome = 'unknown' or m.version <> p_version then 'waiting'
      when p_outcome in ('refused', 'gone') then 'refused'
      when exists (select from private.wrike_pending_tasks(m)) then 'waiting'
      when exists (
        select from private.wrike_tasks t where t.mirror_id = p_id and t.reason is not null
      ) then 'refused'
      else 'sent'
    end
  where m.id = p_id;
end
$$;
comment on function private.keep_wrike_outcome(uuid, int, text, text) is
  'Stores what became of a mirror: "done", "refused", "gone" (from Wrike), "removed" or "unknown" (it''s tried again). One that changed in the meantime waits again.';

SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.take_wrike_mirror() returns jsonb
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

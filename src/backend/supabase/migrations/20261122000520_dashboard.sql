-- Dashboard: what stands on the first page of an owner, as one question.

create function public.get_dashboard(p_business_id uuid) returns jsonb
language sql stable security invoker set search_path = '' as $$
  select jsonb_build_object(
    'open_attempt', private.open_attempt_json(p_business_id),
    'latest', private.standing_json(p_business_id),
    'focus', private.focus_json((select auth.uid()), p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'projects', (
      select jsonb_build_object(
        'open', (
          select count(*) from public.projects p
          where p.business_id = p_business_id and p.status not in ('done', 'canceled')
        ),
        'items', coalesce(jsonb_agg(jsonb_build_object(
          'id', n.id, 'title', n.title, 'status', n.status, 'due_on', n.due_on,
          'next_task', (
            select jsonb_build_object('id', k.id, 'title', k.title, 'due_on', k.due_on)
            from public.project_tasks k
            where k.project_id = n.id and k.removed_at is null and k.state <> 'done'
            order by k.position, k.id
            limit 1
          )
        ) order by n.due_on nulls last, n.updated_at desc, n.id), '[]')
      )
      from (
        select p.id, p.title, p.status, p.due_on, p.updated_at
        from public.projects p
        where p.business_id = p_business_id and p.status not in ('done', 'canceled')
        order by p.due_on nulls last, p.updated_at desc, p.id
        limit 4
      ) n
    ),
    'tools', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc, i.slug
        limit 4
      ) s
    )
  )
$$;
comment on function public.get_dashboard(uuid) is
  'What an owner''s first page shows of a business (null: of none yet): the open quiz, the latest result, focus areas, coaching, the projects that are due next, and tools that are saved and not done.';
grant execute on function public.get_dashboard(uuid) to authenticated;

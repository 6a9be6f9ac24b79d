-- Dashboard: the data of an owner's first page, in one query. get_home asks about the session, so what
-- only it calls doesn't; unread_json is also called by coach_today, which asks as well.

create function private.next_projects_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
  with open_ones as (
    -- The first of each status by their index, and the first of those together: what is read does
    -- not grow with the projects.
    select p.id, p.title, p.status, p.due_on, p.task_count, p.done_count
    from unnest(array['draft', 'planned', 'in_progress', 'blocked', 'in_review']) as s (status)
    cross join lateral (
      select x.id, x.title, x.status, x.due_on, x.task_count, x.done_count
      from public.projects x
      where x.business_id = p_business_id and x.status = s.status
      order by coalesce(x.due_on, 'infinity'::date), x.id
      limit 4
    ) p
    where p_business_id = any (array(select private.my_business_ids()))
    order by coalesce(p.due_on, 'infinity'::date), p.id
    limit 4
  )
  select json_build_object(
    -- Beyond this many nobody needs the number.
    'open', (
      select count(*) from (
        select from public.projects p
        where p.business_id = p_business_id
          and p.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
          and exists (select from open_ones)
        limit 100
      ) n
    ),
    'items', coalesce(json_agg(json_build_object(
      'id', o.id, 'title', o.title, 'status', o.status, 'due_on', o.due_on,
      'task_count', o.task_count, 'done_count', o.done_count,
      'next_task', (
        select json_build_object('id', k.id, 'title', k.title, 'due_on', k.due_on)
        from public.project_tasks k
        where k.project_id = o.id and k.removed_at is null and k.state <> 'done'
        order by k.position, k.id
        limit 1
      )
    ) order by coalesce(o.due_on, 'infinity'::date), o.id), '[]')
  )
  from open_ones o
$$;
comment on function private.next_projects_json(uuid) is
  'A business''s four open projects that are due next, each with its next task and how many are done, for a member; and the number of open ones, up to 100.';

create function private.unread_json(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', c.id, 'title', private.conversation_title(c, p_user_id), 'unread', u.unread,
    'last_message', private.last_message_json(c, u.from_seq)
  ) order by u.active_at desc, c.id desc), '[]')
  from (
    select p.conversation_id, p.unread, p.from_seq, p.active_at
    from public.conversation_participants p
    where p.user_id = p_user_id and p.left_at is null and p.unread > 0
    order by p.active_at desc, p.conversation_id desc
    limit 4
  ) u
  join public.conversations c on c.id = u.conversation_id
  where p_user_id = (select auth.uid())
$$;
comment on function private.unread_json(uuid) is
  'The caller''s four most recently active conversations with unread messages, each with its last message.';

create function private.next_session_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
  select json_build_object(
    'id', s.id, 'starts_at', s.starts_at, 'minutes', s.minutes, 'kind', s.kind, 'place', s.place
  )
  from public.engagements e
  join public.coaching_sessions s on s.engagement_id = e.id and s.state = 'scheduled'
  where e.owner_id = (select auth.uid()) and e.business_id = p_business_id and e.closed_at is null
    and s.starts_at > now() - s.minutes * interval '1 minute'
  order by s.starts_at, s.id
  limit 1
$$;
comment on function private.next_session_json(uuid) is
  'The caller''s next session about a business, or the one that''s taking place: {id, starts_at, minutes, kind, place}; null if none is planned.';

create function private.agreed_actions_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
  select coalesce(json_agg(to_json(n) order by n.due_on, n.id), '[]')
  from (
    select a.id, a.body, a.due_on
    from public.engagements e
    join public.coaching_actions a on a.engagement_id = e.id
    where e.owner_id = (select auth.uid()) and e.business_id = p_business_id
      and e.closed_at is null
      and a.state = 'open' and a.doer = 'owner' and a.due_on is not null
    order by a.due_on, a.id
    limit 6
  ) n
$$;
comment on function private.agreed_actions_json(uuid) is
  'What the caller agreed to do in coaching about a business, the six due first: [{id, body, due_on}].';

create function private.own_forecast_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select w.document
  from public.business_worksheets w
  where p_business_id = any (array(select private.my_business_ids()))
    and w.business_id = p_business_id and w.kind = 'forecast'
$$;
comment on function private.own_forecast_json(uuid) is
  'The cash forecast of a business, for a member; null if there''s none.';

create function private.dashboard_json(p_business_id uuid) returns json
language sql stable security definer set search_path = ''
-- Also for what it calls: without a business, each would be planned again at every call.
set plan_cache_mode = 'force_generic_plan' as $$
  select json_build_object(
    'called', (
      select coalesce(p.preferred_name, nullif(split_part(p.full_name, ' ', 1), ''))
      from public.profiles p
      where p.user_id = (select auth.uid())
    ),
    'open_attempt', private.open_attempt_json(p_business_id),
    -- Without the tools, which it doesn't show.
    'latest', private.standing_json(p_business_id, false),
    'trend', private.trend_json(p_business_id),
    'focus', private.my_focus_json(p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'session', private.next_session_json(p_business_id),
    'agreed', private.agreed_actions_json(p_business_id),
    'forecast', private.own_forecast_json(p_business_id),
    'invitations', private.invitations_to_me(),
    'events', private.my_event_places(),
    'projects', private.next_projects_json(p_business_id),
    'unread', private.unread_json((select auth.uid())),
    'tools', (
      select coalesce(json_agg(json_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc
        limit 4
      ) s
    )
  )
$$;
comment on function private.dashboard_json(uuid) is
  'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result and those before it, focus areas, coaching, the next session, what was agreed in coaching, the cash forecast, open invitations, places at events, the projects due next, conversations with unread messages, and saved tools that aren''t done.';

create function private.news_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
  with caller as (
    -- What the policies would ask again for each table.
    select auth.uid() as id,
      case
        when p_business_id = any (array(select private.readable_business_ids())) then p_business_id
      end as business_id
  )
  select coalesce(json_agg(json_build_object(
    'kind', n.kind, 'id', n.id, 'title', n.title, 'by', (
      select f.full_name from public.profiles f
      where f.user_id = n.by_id and (
        f.user_id = (select c.id from caller c)
        or f.user_id = any (array(select private.ids_of_my_people()))
      )
    ), 'status', n.status, 'at', n.at
  ) order by n.at desc, n.id), '[]')
  from (
    (
      select 'notification' as kind, o.id, o.title, null::uuid as by_id, null as status,
        o.created_at as at
      from public.notifications o
      where o.user_id = (select c.id from caller c) and o.created_at > now() - interval '30 days'
      order by o.created_at desc limit 6
    )
    union all
    (
      -- Each project once, with its latest step by someone else.
      select distinct on (e.project_id) 'moved', p.id, p.title, e.actor_id, e.to_status, e.at
      from (
        select * from public.project_events x
        where x.business_id = (select c.business_id from caller c) and x.kind = 'moved'
          and x.actor_id is distinct from (select c.id from caller c)
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) e
      join public.projects p on p.id = e.project_id and p.business_id = e.business_id
      order by e.project_id, e.at desc
    )
    union all
    (
      select distinct on (u.project_id) 'update', p.id, p.title, u.author_id, null, u.at
      from (
        select * from public.project_updates x
        where x.business_id = (select c.business_id from caller c)
          and x.author_id is distinct from (select c.id from caller c)
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) u
      join public.projects p on p.id = u.project_id and p.business_id = u.business_id
      order by u.project_id, u.at desc
    )
    order by 6 desc, 2 limit 6
  ) n
$$;
comment on function private.news_json(uuid) is
  'What others and the product did in the last 30 days, for the caller''s dashboard, at most six, newest first: [{kind ("notification"; "moved" or "update" of a project of the business), id (the notification''s or project''s), title, by (a name, if the caller may see it), status (that a project moved to), at}].';

-- plpgsql, because what it calls for coaches is created in later files.
create function public.get_home(p_business_id uuid) returns json
language plpgsql stable security definer set search_path = '' as $$
begin
  if private.is_coach() then
    return json_build_object(
      'today', public.coach_today(), 'dashboard', null, 'news', '[]'::json
    );
  end if;
  if not private.session_ok() then
    return json_build_object('today', null, 'dashboard', null, 'news', '[]'::json);
  end if;
  return json_build_object(
    'today', null, 'dashboard', private.dashboard_json(p_business_id),
    'news', private.news_json(p_business_id)
  );
end
$$;
comment on function public.get_home(uuid) is
  'The caller''s first page: what a coach does today (see coach_today), and for everyone else their dashboard for a business (null: none yet; see dashboard_json) and the news about it (see news_json). {today, dashboard, news}, of which today or dashboard is null; both are while the second factor is still needed.';
grant execute on function public.get_home(uuid) to authenticated;

-- Businesses as admins see them: the list, everything that belongs to one, and archiving several.
-- Answers, results and messages aren't part of it.

create index businesses_added_idx on public.businesses (created_at, id);
create index businesses_name_idx on public.businesses (name collate private.by_name, id);
create index businesses_archived_idx on public.businesses (created_at, id)
  where archived_at is not null;
create index businesses_region_idx on public.businesses (region, created_at, id);
-- With what the coaching board counts, so that it reads nothing else.
create index engagements_open_idx on public.engagements (state, coach_id, business_id)
  include (state_since, due_at, due_what)
  where closed_at is null;

create function private.business_regions() returns jsonb
language sql stable security definer set search_path = '' as $$
  -- From one region to the next by the index, however many businesses each of them has.
  with recursive regions (region, n) as (
    (
      select b.region, 1 from public.businesses b
      where b.region is not null order by b.region limit 1
    )
    union all
    select (
      select b.region from public.businesses b where b.region > r.region order by b.region limit 1
    ), r.n + 1
    from regions r where r.region is not null and r.n < 200
  )
  select coalesce(jsonb_agg(jsonb_build_object('value', r.region, 'label', r.region) order by r.n), '[]')
  from regions r where r.region is not null
$$;
comment on function private.business_regions() is
  'The regions that businesses are in, at most 200, as choices [{value, label}].';

create function public.admin_businesses(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_by_name constant boolean := coalesce(p_filter ->> 'sort' = 'name', false);
begin
  perform private.require_admin();
  perform private.audit('business.list', 'business', null, null, p_filter);
  return private.list_page(
    'public.businesses r',
    $row$
      jsonb_build_object(
        'name', r.name, 'city', r.city, 'region', r.region, 'created_at', r.created_at,
        'archived_at', r.archived_at,
        'owners', (
          select coalesce(jsonb_agg(jsonb_build_object(
            'id', m.user_id, 'name', private.name_of(m.user_id)
          ) order by m.joined_at, m.user_id), '[]')
          from public.business_members m where m.business_id = r.id and m.role = 'owner'
        ),
        'members', (select count(*) from public.business_members m where m.business_id = r.id),
        'coaching', (
          select jsonb_build_object('state', e.state, 'coach', private.name_of(e.coach_id))
          from public.engagements e where e.business_id = r.id and e.closed_at is null
          order by e.coach_id is null, e.requested_at desc limit 1
        ),
        'finished_at', (
          select max(t.submitted_at) from public.attempts t
          where t.business_id = r.id and t.state = 'submitted'
        ),
        'open_projects', (
          select count(*) from public.projects p
          where p.business_id = r.id and p.status not in ('done', 'canceled')
        )
      )
    $row$,
    array[
      case p_filter ->> 'state'
        when 'active' then 'r.archived_at is null'
        when 'archived' then $where$r.archived_at is not null$where$
      end,
      case p_filter ->> 'coaching'
        when 'coached' then $where$r.id = any (array(select e.business_id from public.engagements e where e.closed_at is null and e.coach_id is not null))$where$
        when 'waiting' then 'r.id = any (array(select e.business_id from public.engagements e where e.closed_at is null and e.state = ''requested''))'
        when 'none' then 'not exists (select from public.engagements e where e.business_id = r.id and e.closed_at is null)'
      end,
      case when p_filter ? 'region' then 'r.region = $1 ->> ''region''' end
    ],
    case when v_by_name then 'r.name collate private.by_name' else 'r.created_at' end,
    case when v_by_name then 'text' else 'timestamptz' end,
    coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then
    jsonb_build_object('region', private.business_regions()) end);
end
$$;
comment on function public.admin_businesses(jsonb, jsonb, int) is
  'A page of businesses by {words, state ("active", "archived"), coaching ("coached", "waiting", "none"), region, sort ("newest", "oldest", "name")}, with the choices of regions; see list_page.';

create function private.business_belongings(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'members', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', m.user_id, 'name', private.name_of(m.user_id),
        'email', (select u.email from auth.users u where u.id = m.user_id),
        'role', m.role, 'joined_at', m.joined_at
      ) order by m.role desc, m.joined_at, m.user_id), '[]')
      from public.business_members m where m.business_id = p_id
    ),
    'invitations', (
      select count(*) from public.business_invitations i
      where i.business_id = p_id and i.ended is null and i.expires_at > now()
    ),
    'snapshots', private.snapshots_json(p_id, null, 24),
    'plan', private.plan_progress(p_id) || jsonb_build_object('texts', (
      select coalesce(jsonb_object_agg(f.field, f.value), '{}')
      from public.business_plan_fields f where f.business_id = p_id and f.value <> ''
    )),
    'worksheets', (
      select coalesce(jsonb_object_agg(w.kind, jsonb_build_object(
        'document', w.document, 'saved_at', w.saved_at
      )), '{}')
      from public.business_worksheets w where w.business_id = p_id
    ),
    'tool_copies', (
      select count(*) from public.tool_copies c where c.business_id = p_id and c.removed_at is null
    ),
    -- How many and when, and nothing of what was answered.
    'attempts', (
      select jsonb_build_object(
        'open', count(*) filter (where t.state = 'in_progress'),
        'finished', count(*) filter (where t.state = 'submitted'),
        'people', count(distinct t.user_id) filter (where t.state = 'submitted'),
        'first_at', min(t.submitted_at) filter (where t.state = 'submitted'),
        'latest_at', max(t.submitted_at) filter (where t.state = 'submitted')
      )
      from public.attempts t where t.business_id = p_id
    ),
    'actions', (
      select jsonb_build_object(
        'open', count(*) filter (where c.state = 'open'),
        'done', count(*) filter (where c.state = 'done'),
        'dropped', count(*) filter (where c.state = 'dropped')
      )
      from public.attempts t
      join public.focus_areas f on f.attempt_id = t.id
      join public.focus_actions c on c.focus_area_id = f.id
      where t.business_id = p_id
    ),
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'title', p.title, 'status', p.status, 'due_on', p.due_on,
        'task_count', p.task_count, 'done_count', p.done_count
      ) order by p.updated_at desc, p.id), '[]')
      from (
        select * from public.projects j where j.business_id = p_id
        order by j.updated_at desc, j.id limit 25
      ) p
    ),
    'project_count', (select count(*) from public.projects p where p.business_id = p_id),
    'coaching', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', e.id, 'state', e.state, 'requested_at', e.requested_at,
        'assigned_at', e.assigned_at, 'closed_at', e.closed_at,
        'owner', private.name_of(e.owner_id), 'coach', private.name_of(e.coach_id)
      ) order by e.requested_at desc, e.id), '[]')
      from (
        select * from public.engagements x where x.business_id = p_id
        order by x.requested_at desc, x.id limit 50
      ) e
    ),
    -- Only those that someone who takes part asked the admins to read.
    'reports', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', x.id, 'state', x.state, 'about', x.kind, 'created_at', x.created_at
      ) order by x.created_at desc, x.id), '[]')
      from (
        select r.id, r.state, r.created_at, c.kind
        from public.conversations c
        join public.message_reports r on r.conversation_id = c.id
        where c.project_id in (select p.id from public.projects p where p.business_id = p_id)
          or c.engagement_id in (select e.id from public.engagements e where e.business_id = p_id)
        order by r.created_at desc, r.id limit 50
      ) x
    )
  )
$$;

create function public.admin_business(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_business public.businesses;
begin
  perform private.require_admin();
  select * into v_business from public.businesses b where b.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit(
    'business.read', 'business', p_id::text, null, jsonb_build_object('business_id', p_id)
  );
  return jsonb_build_object(
    'id', v_business.id, 'name', v_business.name, 'created_at', v_business.created_at,
    'updated_at', v_business.updated_at, 'archived_at', v_business.archived_at,
    'facts', private.business_facts(v_business),
    'merged_into', private.merged_into(p_id),
    'merges', private.merges_json(p_id),
    'sessions_left', private.sessions_left_json(p_id),
    'orders', private.orders_of(p_id, null)
  ) || private.business_belongings(p_id);
end
$$;
comment on function public.admin_business(uuid) is
  'One business as an admin sees it: its facts and everything that belongs to it, with quizzes and actions only as numbers and conversations only where reported; null if it doesn''t exist.';

-- Archiving several -----------------------------------------------------------------------------

create function private.check_businesses(p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if coalesce(cardinality(p_ids), 0) not between 1 and 200 then
    raise exception 'Choose 1 to 200 businesses.' using errcode = '22023', hint = 'ids';
  end if;
  if exists (
    select from unnest(p_ids) as i (id)
    where not exists (select from public.businesses b where b.id = i.id)
  ) then
    raise exception 'We can’t find this business.' using errcode = 'P0002', hint = 'ids';
  end if;
  -- In the same order for everyone.
  perform private.one_at_a_time('business', i.id)
  from (select distinct u as id from unnest(p_ids) u order by u) i;
end
$$;

create function public.archive_businesses(p_ids uuid[], p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_done uuid[];
  v_coached text;
begin
  perform private.check_businesses(p_ids);
  -- Restoring couldn't bring coaching back.
  select b.name into v_coached from public.businesses b
  join public.engagements e on e.business_id = b.id and e.closed_at is null
  where b.id = any (p_ids) order by b.name, b.id limit 1;
  if found then
    raise exception '% is being coached or waits for a coach. End that first, or leave it out.', v_coached
      using errcode = '55000';
  end if;
  v_done := private.archive_them(p_ids);
  perform private.audit('business.archive', 'business', d::text, v_reason, jsonb_build_object('business_id', d))
  from unnest(v_done) d;
  return jsonb_build_object('ids', v_done);
end
$$;
comment on function public.archive_businesses(uuid[], text) is
  'An admin archives up to 200 businesses that nobody coaches: {ids} of those that weren''t archived yet.';

create function public.restore_businesses(p_ids uuid[], p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_done uuid[];
begin
  perform private.check_businesses(p_ids);
  -- Those that archiving revoked, unless the address was invited again or they have expired.
  update public.business_invitations i set ended = null, ended_at = null
  from public.businesses b
  where b.id = any (p_ids) and i.business_id = b.id
    and i.ended = 'revoked' and i.ended_at = b.archived_at and i.expires_at > now()
    and not exists (
      select from public.business_invitations o
      where o.business_id = b.id and o.address = i.address and o.ended is null
    );
  v_done := private.unarchive_them(p_ids);
  perform private.audit('business.restore', 'business', d::text, v_reason, jsonb_build_object('business_id', d))
  from unnest(v_done) d;
  return jsonb_build_object('ids', v_done);
end
$$;
comment on function public.restore_businesses(uuid[], text) is
  'An admin restores up to 200 archived businesses, with the invitations that archiving stopped: {ids} of those that were archived.';

grant execute on function
  public.admin_businesses(jsonb, jsonb, int), public.admin_business(uuid),
  public.archive_businesses(uuid[], text), public.restore_businesses(uuid[], text)
to authenticated;

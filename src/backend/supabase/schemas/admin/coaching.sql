-- Coaching as admins see it: the list and the board. admin/engagement.sql has one of them.

create index engagements_requested_idx on public.engagements (requested_at, id);
create index engagements_any_due_idx
  on public.engagements ((coalesce(due_at, 'infinity'::timestamptz)), id);
create index engagements_state_due_idx
  on public.engagements (state, (coalesce(due_at, 'infinity'::timestamptz)), id);
create index engagements_change_idx on public.engagements (change_requested_at)
  where closed_at is null and change_requested_at is not null;

create function private.without_coach_today() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select e.id from public.engagements e
  where e.closed_at is null and e.coach_id = any (array(
    select c.user_id from public.coach_profiles c where c.paused_until >= private.coaching_day()
    union
    select o.user_id from public.coach_time_off o
    where private.coaching_day() between o.starts_on and o.ends_on
    union
    -- Of the coaches, who are few; nothing finds the blocked ones among all accounts.
    select r.user_id from public.staff_roles r join auth.users u on u.id = r.user_id
    where r.role = 'coach' and u.banned_until > now()
    union
    select h.from_coach_id from public.handovers h
    where h.handed_at is null and private.is_leaving(h.from_coach_id)
  ))
$$;
comment on function private.without_coach_today() is
  'Open engagements whose coach is away, as private.coach_away says.';

create function private.coach_choices() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object('value', c.user_id, 'label', c.full_name)
    order by c.full_name collate private.by_name, c.user_id
  ), '[]')
  from (
    select f.user_id, f.full_name from public.staff_roles s
    join public.profiles f on f.user_id = s.user_id
    where s.role = 'coach' limit 200
  ) c
$$;
comment on function private.coach_choices() is 'All coaches, at most 200, as choices [{value, label}].';

create function public.admin_engagements(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_by_request constant boolean := coalesce(p_filter ->> 'sort' = 'requested', false);
begin
  perform private.require_admin();
  perform private.audit('engagement.list', 'engagement', null, null, p_filter);
  return private.list_page(
    '(select e.*, n.words from public.engagements e left join private.engagement_names n on n.id = e.id) r',
    $row$
      jsonb_build_object(
        'business', (
          select jsonb_build_object('id', b.id, 'name', b.name)
          from public.businesses b where b.id = r.business_id
        ),
        'owner', case when r.owner_id is not null then
          jsonb_build_object('id', r.owner_id, 'name', private.name_of(r.owner_id)) end,
        'coach', case when r.coach_id is not null then jsonb_build_object(
          'id', r.coach_id, 'name', private.name_of(r.coach_id),
          'away', case when r.closed_at is null then private.coach_away(r.coach_id) end
        ) end,
        'state', r.state, 'areas', r.areas, 'requested_at', r.requested_at,
        'due_what', r.due_what, 'due_at', r.due_at,
        'late', coalesce(r.due_at < now() and r.due_what <> 'session', false),
        'change_requested', r.change_requested_at is not null,
        'sessions', (
          select count(*) from public.coaching_sessions s
          where s.engagement_id = r.id and s.state = 'completed'
        )
      )
    $row$,
    array[
      case coalesce(p_filter ->> 'state', 'open')
        when 'all' then null
        when 'open' then 'r.closed_at is null'
        else $where$r.state = $1 ->> 'state'$where$
      end,
      case when p_filter ->> 'late' = '1' then
        $where$r.closed_at is null and r.due_at < now() and r.due_what <> 'session'$where$
      end,
      case p_filter ->> 'show'
        when 'away' then 'r.id = any (array(select private.without_coach_today()))'
        when 'change' then $where$r.closed_at is null and r.change_requested_at is not null$where$
      end,
      case when p_filter ? 'coach' then $where$r.coach_id = ($1 ->> 'coach')::uuid$where$ end,
      case when p_filter ? 'area' then $where$r.areas @> array[$1 ->> 'area']$where$ end
    ],
    case when v_by_request then 'r.requested_at'
      else $key$coalesce(r.due_at, 'infinity'::timestamptz)$key$ end,
    'timestamptz', v_by_request, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  ) || jsonb_build_object('choices', case when p_limit is null then jsonb_build_object(
    'area', (
      select jsonb_agg(jsonb_build_object('value', a.key, 'label', a.name) order by a.position)
      from public.skill_areas a
    ),
    'coach', private.coach_choices()
  ) end);
end
$$;
comment on function public.admin_engagements(jsonb, jsonb, int) is
  'A page of engagements by {words (of a business''s or owner''s name), state (one, "open" or "all"; open if not said), late ("1"), show ("away": the coach is; "change": the owner asks for another), coach, area, sort ("due", "requested": newest first)}, with the choices of areas and coaches; see list_page.';

create function private.coaching_funnel() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_agg(jsonb_build_object(
    'state', s.state, 'count', n.count, 'late', n.late,
    'median_hours', round(((date_part('epoch', now()) - n.half_since) / 3600)::numeric, 1)
  ) order by s.place)
  from unnest(array['requested', 'assigned', 'accepted', 'active', 'paused'])
    with ordinality as s (state, place)
  -- One state at a time, because grouping would sort all of them by the words of their state.
  cross join lateral (
    select count(*) as count,
      -- As private.is_late, which would be called for each of them.
      count(*) filter (where e.due_at < now() and e.due_what <> 'session') as late,
      -- date_part, because extract makes a numeric of each of them.
      percentile_cont(0.5) within group (order by date_part('epoch', e.state_since)) as half_since
    from public.engagements e where e.closed_at is null and e.state = s.state
  ) n
$$;
comment on function private.coaching_funnel() is
  'Open engagements by state: [{state, count, late, median_hours (how long they have been in it, the median; null without any)}].';

create function private.waiting_count(p_coach_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from public.engagements e
  where e.coach_id = p_coach_id and e.closed_at is null and e.state = 'assigned'
$$;
comment on function private.waiting_count(uuid) is
  'How many open engagements wait for a coach to say yes or no.';

create function public.admin_coaching_board() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('coaching_board.read', 'engagement', null);
  return jsonb_build_object(
    'funnel', private.coaching_funnel(),
    'coaches', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'user_id', s.user_id, 'name', s.name, 'capacity', c.capacity,
        'accepting', coalesce(c.accepting, true),
        'paused_until', case when c.paused_until >= private.coaching_day() then c.paused_until end,
        'away_until', private.away_until(s.user_id),
        'leaving', private.is_leaving(s.user_id),
        'clients', coalesce(n.clients, 0), 'waiting', coalesce(n.waiting, 0)
      ) order by s.name collate private.by_name, s.user_id), '[]')
      from (
        select r.user_id, private.name_of(r.user_id) as name
        from public.staff_roles r where r.role = 'coach' order by 2, 1 limit 200
      ) s
      left join public.coach_profiles c on c.user_id = s.user_id
      left join (
        select e.coach_id, count(*) as clients,
          count(*) filter (where e.state = 'assigned') as waiting
        from public.engagements e where e.closed_at is null and e.coach_id is not null
        group by e.coach_id
      ) n on n.coach_id = s.user_id
    ),
    'attention', jsonb_build_object(
      'away', (select count(*) from private.without_coach_today()),
      'change', (
        select count(*) from public.engagements e
        where e.closed_at is null and e.change_requested_at is not null
      )
    )
  );
end
$$;
comment on function public.admin_coaching_board() is
  'How coaching stands: {funnel (see private.coaching_funnel), coaches: [{user_id, name, capacity (null: no limit), accepting, paused_until, away_until, leaving, clients (open), waiting (of these, for their answer)}], attention: {away, change} (as many as the list has with each)}.';

grant execute on function
  public.admin_engagements(jsonb, jsonb, int), public.admin_coaching_board()
to authenticated;

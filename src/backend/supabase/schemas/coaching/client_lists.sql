-- A coach's clients as a table and a board, and what there is to do today. A page takes as long with
-- ten thousand engagements as with a hundred: every order has an index, and counts end at 1,000.

-- What engagements are found and sorted by ------------------------------------------------------

create table private.engagement_names (
  id uuid primary key references public.engagements (id) on delete cascade,
  coach_id uuid,
  state text not null,
  -- When what has to happen next is due or, once it has ended, when it ended.
  at timestamptz not null,
  -- The business's.
  name text not null collate private.by_name,
  -- Of the business and the owner.
  words tsvector not null
);
comment on table private.engagement_names is
  'What engagements are found and sorted by. Triggers keep it current.';
create index engagement_names_words_idx on private.engagement_names using gin (words);
create index engagement_names_by_date_idx on private.engagement_names (coach_id, state, at, id);
create index engagement_names_by_name_idx on private.engagement_names (coach_id, state, name, id);
create index engagement_names_open_by_date_idx on private.engagement_names (coach_id, at, id)
  where state in ('assigned', 'accepted', 'active', 'paused');
create index engagement_names_open_by_name_idx on private.engagement_names (coach_id, name, id)
  where state in ('assigned', 'accepted', 'active', 'paused');
alter table private.engagement_names enable row level security;

create function private.name_engagements(p_ids uuid[]) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.engagement_names as n (id, coach_id, state, at, name, words)
  select e.id, case when e.owner_id is not null then e.coach_id end, e.state,
    coalesce(e.due_at, e.closed_at, e.requested_at), b.name,
    private.name_words(concat_ws(' ', b.name, p.full_name, p.preferred_name))
  from public.engagements e
  join public.businesses b on b.id = e.business_id
  left join public.profiles p on p.user_id = e.owner_id
  where e.id = any (p_ids)
  on conflict (id) do update set
    coach_id = excluded.coach_id, state = excluded.state, at = excluded.at, name = excluded.name,
    words = excluded.words
$$;
comment on function private.name_engagements(uuid[]) is
  'Brings up to date what engagements are found and sorted by. One whose owner is gone is in no coach''s list.';

create function private.name_engagement() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.name_engagements(case tg_table_name
    when 'engagements' then array[(to_jsonb(new) ->> 'id')::uuid]
    when 'businesses' then array(
      select e.id from public.engagements e where e.business_id = (to_jsonb(new) ->> 'id')::uuid
    )
    else array(
      select e.id from public.engagements e where e.owner_id = (to_jsonb(new) ->> 'user_id')::uuid
    )
  end);
  return null;
end
$$;
create trigger name_engagement_first after insert on public.engagements
  for each row execute function private.name_engagement();
create trigger name_engagement after update on public.engagements
  for each row
  when (
    old.business_id <> new.business_id or old.owner_id is distinct from new.owner_id
    or old.coach_id is distinct from new.coach_id or old.state <> new.state
    or old.due_at is distinct from new.due_at or old.closed_at is distinct from new.closed_at
  )
  execute function private.name_engagement();
create trigger name_engagement after update of name on public.businesses
  for each row when (old.name <> new.name) execute function private.name_engagement();
create trigger name_engagement after update of full_name, preferred_name on public.profiles
  for each row execute function private.name_engagement();

-- Lists -----------------------------------------------------------------------------------------

create function private.client_row(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', e.id,
    'business', jsonb_build_object('id', b.id, 'name', b.name),
    'owner', jsonb_build_object(
      'user_id', p.user_id, 'full_name', p.full_name, 'avatar_path', p.avatar_path
    ),
    'state', e.state, 'due_what', e.due_what, 'due_at', e.due_at,
    'session_id', case when e.due_what in ('session', 'write_up') then (
      select s.id from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'scheduled' and s.coach_id = e.coach_id
      order by s.starts_at, s.id limit 1
    ) end,
    'next_session_at', (
      select min(s.starts_at) from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'scheduled' and s.starts_at > now()
    ),
    'last_session_at', (
      select max(s.starts_at) from public.coaching_sessions s
      where s.engagement_id = e.id and s.state = 'completed'
    ),
    'open_actions', (
      select count(*) from public.coaching_actions a
      where a.engagement_id = e.id and a.state = 'open'
    ),
    'results_shared', e.results_shared,
    'unread', coalesce((
      select c.unread
      from public.conversations v
      join public.conversation_participants c
        on c.conversation_id = v.id and c.user_id = e.coach_id and c.left_at is null
      where v.engagement_id = e.id
    ), 0)
  )
  from public.engagements e
  join public.businesses b on b.id = e.business_id
  join public.profiles p on p.user_id = e.owner_id
  where e.id = p_id
$$;
comment on function private.client_row(uuid) is 'An engagement in a list of its coach''s clients.';

create function private.client_page(
  p_state text, p_by_name boolean, p_query tsquery, p_filter jsonb, p_place jsonb, p_limit int
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_closed boolean := p_state in ('completed', 'unreachable');
  v_states text := case
    when p_state = 'open' then 'n.state in (''assigned'', ''accepted'', ''active'', ''paused'')'
    else format('n.state = %L', p_state)
  end;
begin
  return private.list_page(
    -- Their own before anything else: a search looks at how many of these its words fit.
    format(
      '(select n.* from private.engagement_names n where n.coach_id = (select auth.uid()) and %s) r',
      v_states
    ),
    'private.client_row(r.id)',
    -- Those that can be picked up again.
    array[case when v_closed then 'r.at > now() - interval ''90 days''' else 'true' end],
    case when p_by_name then 'r.name' else 'r.at' end,
    case when p_by_name then 'text' else 'timestamptz' end,
    v_closed and not p_by_name, p_filter, p_place, p_limit, p_query
  );
end
$$;
comment on function private.client_page(text, boolean, tsquery, jsonb, jsonb, int) is
  'A page of the caller''s clients in a state (open: all open ones), by what''s due first or by name; closed ones by when they closed.';

create function public.list_clients(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- A board has this many of each state.
  c_column constant int := 12;
  v_user_id uuid := private.require_session();
  v_state text := coalesce(p_filter ->> 'state', 'open');
  v_by_name boolean := coalesce(p_filter ->> 'sort' = 'name', false);
  v_query tsquery := private.name_query(p_filter ->> 'q');
  v_rows jsonb;
begin
  if v_state not in ('open', 'assigned', 'accepted', 'active', 'paused', 'completed', 'unreachable') then
    raise exception 'Clients aren’t listed by this state.' using errcode = '22023', hint = 'state';
  end if;
  if not private.is_coach() then
    return '{"rows": [], "more": false, "count": null}';
  end if;
  if p_filter ->> 'view' is distinct from 'board' or p_limit is not null then
    return private.client_page(v_state, v_by_name, v_query, p_filter, p_place, p_limit);
  end if;
  select coalesce(jsonb_agg(r.row order by s.place, r.place), '[]') into v_rows
  from unnest(array['assigned', 'accepted', 'active', 'paused']) with ordinality as s (state, place)
  cross join lateral jsonb_array_elements(
    private.client_page(s.state, v_by_name, v_query, p_filter, null, c_column) -> 'rows'
  ) with ordinality as r (row, place);
  return jsonb_build_object('rows', v_rows, 'more', false, 'count', null);
end
$$;
comment on function public.list_clients(jsonb, jsonb, int) is
  'The clients of the calling coach (nobody else has any), a page at a time: {rows, more, count}; see private.list_page. p_filter: q (words of the business''s or owner''s name), state (open: all open ones), sort (due or name), view (board: the first 12 of each open state).';
grant execute on function public.list_clients(jsonb, jsonb, int) to authenticated;

create function private.client_counts(p_coach_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_object_agg(s.state, case when c.is_coach then (
    select count(*) from (
      -- In the order of an index, so that nothing else is read.
      select from private.engagement_names e
      where e.coach_id = p_coach_id and e.state = s.state
      order by e.at, e.id limit 1000
    ) n
  ) else 0 end)
  from unnest(array['assigned', 'accepted', 'active', 'paused']) as s (state)
  cross join (select private.role_of(p_coach_id) = 'coach' as is_coach) c
$$;

create function public.client_counts() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.client_counts(private.require_session())
$$;
comment on function public.client_counts() is
  'How many open clients the calling coach has in each state, counted up to 1,000: {assigned, accepted, active, paused}.';
grant execute on function public.client_counts() to authenticated;

-- Today -----------------------------------------------------------------------------------------

create function private.day_start(p_user_id uuid, p_days int default 0) returns timestamptz
language sql stable security definer set search_path = '' as $$
  select ((now() at time zone z.name)::date + p_days)::timestamp at time zone z.name
  from (select private.time_zone_of(p_user_id) as name) z
$$;
comment on function private.day_start(uuid, int) is
  'When the day starts where a person is: today, or so many days later.';

create function private.sessions_today(p_coach_id uuid, p_until timestamptz) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', s.id, 'engagement_id', s.engagement_id,
    'business', jsonb_build_object('id', b.id, 'name', b.name),
    'owner_name', private.name_of(e.owner_id), 'starts_at', s.starts_at, 'time_zone', s.time_zone,
    'minutes', s.minutes, 'kind', s.kind, 'place', s.place
  ) order by s.starts_at, s.id), '[]')
  from (
    select * from public.coaching_sessions x
    where x.coach_id = p_coach_id and x.state = 'scheduled' and x.starts_at < p_until
      and x.starts_at > p_until - interval '50 hours'
    order by x.starts_at, x.id limit 50
  ) s
  join public.engagements e on e.id = s.engagement_id and e.coach_id = p_coach_id
  join public.businesses b on b.id = e.business_id
  where s.starts_at >= private.day_start(p_coach_id)
$$;

create function private.coach_weeks(p_coach_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'sessions', jsonb_agg(s.held order by w.until),
    'clients', jsonb_agg(s.clients order by w.until),
    'messages', jsonb_agg((
      select count(*) from public.messages m
      where m.author_id = p_coach_id and m.removed_at is null
        and m.sent_at > w.until - interval '1 week' and m.sent_at <= w.until
    ) order by w.until)
  )
  from (
    select now() - ago * interval '1 week' as until from generate_series(0, 11) as ago
  ) w
  -- Week by week, each a range of an index.
  cross join lateral (
    select count(*) as held, count(distinct x.engagement_id) as clients
    from public.coaching_sessions x
    where x.coach_id = p_coach_id and x.state = 'completed'
      and x.starts_at > w.until - interval '1 week' and x.starts_at <= w.until
  ) s
$$;
comment on function private.coach_weeks(uuid) is
  'What a coach did in each of the last 12 weeks, oldest first; a week is 7 days that end now: {sessions (held), clients (met in them), messages (written and not deleted)}.';

create function public.coach_today() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_until timestamptz := private.day_start(v_user_id, 2);
begin
  if not private.is_coach() then
    return null;
  end if;
  return jsonb_build_object(
    'due', (
      select coalesce(jsonb_agg(
        private.client_row(d.id) || jsonb_build_object('key', d.due_at) order by d.due_at, d.id
      ), '[]')
      from (
        select e.id, e.at as due_at from private.engagement_names e
        where e.coach_id = v_user_id and e.at < v_until
          and e.state in ('assigned', 'accepted', 'active', 'paused')
        order by e.at, e.id limit 20
      ) d
    ),
    'sessions', private.sessions_today(v_user_id, v_until),
    'offers_waiting', (
      select count(*) from (
        select from public.session_offers o
        where o.coach_id = v_user_id and o.state = 'open' limit 100
      ) n
    ),
    'counts', private.client_counts(v_user_id),
    'weeks', private.coach_weeks(v_user_id),
    'unread', private.unread_json(v_user_id),
    'calendar_since', private.calendar_since(v_user_id),
    'holidays', private.coming_holidays()
  );
end
$$;
comment on function public.coach_today() is
  'What the calling coach does today: {due (clients with something due by the end of tomorrow or late, at most 20), sessions (today''s and tomorrow''s), offers_waiting, counts, weeks, unread, calendar_since, holidays}. Null for everyone else.';
grant execute on function public.coach_today() to authenticated;

-- Coaching as its owner sees it, a session with everything its page shows, and what the owner and
-- the coach both read of an engagement.

create function private.session_json(p_session public.coaching_sessions) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_session.id, 'state', p_session.state, 'starts_at', p_session.starts_at,
    'time_zone', p_session.time_zone, 'minutes', p_session.minutes, 'kind', p_session.kind,
    'place', p_session.place, 'topics', p_session.topics, 'summary', p_session.summary,
    'cancel_reason', p_session.cancel_reason, 'uses_one', p_session.uses_one and not exists (
      select from public.session_uses u where u.session_id = p_session.id and u.waived_at is not null
    ),
    'revision', p_session.revision, 'closed_at', p_session.closed_at,
    'rated', exists (select from public.session_feedback f where f.session_id = p_session.id)
  )
$$;
comment on function private.session_json(public.coaching_sessions) is
  'A session as its owner and its coach read it, without private notes.';

create function private.engagement_parts_json(p_engagement_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', v.at, 'kind', v.kind, 'from_state', v.from_state, 'to_state', v.to_state
      ) order by v.at, v.id), '[]')
      from (
        select * from public.engagement_events x
        where x.engagement_id = p_engagement_id
          and x.kind not in ('change_requested', 'change_dropped')
        order by x.at desc, x.id desc limit 100
      ) v
    ),
    'sessions', (
      select coalesce(jsonb_agg(private.session_json(s) order by s.starts_at desc, s.id), '[]')
      from (
        select * from public.coaching_sessions x
        where x.engagement_id = p_engagement_id order by x.starts_at desc, x.id limit 100
      ) s
    ),
    'offers', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', o.id, 'times', o.times, 'time_zone', o.time_zone, 'minutes', o.minutes,
        'kind', o.kind, 'place', o.place, 'state', o.state, 'created_at', o.created_at
      )), '[]')
      from public.session_offers o where o.engagement_id = p_engagement_id and o.state = 'open'
    ),
    'actions', (
      select coalesce(jsonb_agg(private.coaching_action_json(a)
        order by a.state = 'open' desc, case when a.state = 'open' then a.due_on end,
          a.settled_at desc, a.created_at, a.id), '[]')
      from (
        select * from public.coaching_actions x
        where x.engagement_id = p_engagement_id
        order by x.state = 'open' desc, x.settled_at desc, x.created_at desc, x.id limit 100
      ) a
    ),
    'recommendations', (
      select coalesce(jsonb_agg(private.recommendation_json(r)
        order by r.state = 'open' desc, r.created_at desc, r.id), '[]')
      from (
        select * from public.coach_recommendations x
        where x.engagement_id = p_engagement_id
        order by x.state = 'open' desc, x.created_at desc, x.id limit 50
      ) r
    ),
    'used', (
      select count(*) from public.coaching_sessions s
      join public.session_uses u on u.session_id = s.id and u.waived_at is null
      where s.engagement_id = p_engagement_id
    ),
    'left', (
      select private.sessions_left_json(e.business_id)
      from public.engagements e where e.id = p_engagement_id and e.closed_at is null
    )
  )
$$;
comment on function private.engagement_parts_json(uuid) is
  'What belongs to an engagement: its events, sessions, open offers, actions and recommendations, how many sessions it has used, and while it''s open what the business has left, as private.sessions_left_json.';

create function private.skill_areas_json() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'key', k.key, 'name', k.name, 'short_name', k.short_name, 'position', k.position
  ) order by k.position), '[]')
  from public.skill_areas k
$$;

create function private.topics_json(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'business_id', m.business_id,
    'areas', coalesce((
      select jsonb_agg(r.area_key order by r.position)
      from (
        select t.id from public.attempts t
        where t.user_id = p_user_id and t.business_id = m.business_id and t.state = 'submitted'
        order by t.kind = 'full' desc, t.submitted_at desc, t.id limit 1
      ) a
      join public.recommendations r on r.attempt_id = a.id
    ), '[]')
  ) order by m.business_id), '[]')
  from (
    select x.business_id from public.business_members x
    where x.user_id = p_user_id order by x.joined_at, x.business_id limit 50
  ) m
$$;
comment on function private.topics_json(uuid) is
  'What a person''s latest result recommends for each of their businesses, to ask a coach about: [{business_id, areas}].';

create function public.get_coaching() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return jsonb_build_object(
    'engagements', (
      select coalesce(jsonb_agg(
        private.engagement_json(e) || private.engagement_parts_json(e.id) || jsonb_build_object(
          'story', case when n.is_newest then private.coaching_story(e.id, true, n.is_member) end,
          'feedback', (
            select coalesce(jsonb_agg(jsonb_build_object(
              'session_id', f.session_id, 'rating', f.rating, 'comment', f.comment
            )), '[]')
            from public.session_feedback f
            join public.coaching_sessions s on s.id = f.session_id
            where s.engagement_id = e.id and f.owner_id = v_user_id
          )
        ) order by e.requested_at desc, e.id
      ), '[]')
      from (
        select x.id, row_number() over (partition by x.business_id order by x.requested_at desc, x.id) = 1
          as is_newest,
          exists (
            select from public.business_members m
            where m.business_id = x.business_id and m.user_id = v_user_id
          ) as is_member
        from public.engagements x where x.owner_id = v_user_id
        order by x.requested_at desc, x.id limit 20
      ) n
      join public.engagements e on e.id = n.id
    ),
    'areas', private.skill_areas_json(),
    'topics', private.topics_json(v_user_id),
    'calendar_since', private.calendar_since(v_user_id)
  );
end
$$;
comment on function public.get_coaching() is
  'What an owner''s coaching page shows: their engagements in all businesses, newest first, at most 20, each with what belongs to it what they said about its sessions, and the newest of a business with its story; the skill areas to choose from, and those that results recommend; since when they have a calendar feed.';
grant execute on function public.get_coaching() to authenticated;

create function public.get_session(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions;
  v_engagement public.engagements;
  v_is_coach boolean;
begin
  select * into v_session from public.coaching_sessions s where s.id = p_id;
  select * into v_engagement from public.engagements e where e.id = v_session.engagement_id;
  v_is_coach := private.runs(v_engagement, v_user_id) and v_session.coach_id = v_user_id
    or private.can_write_up(v_session, v_engagement, v_user_id);
  if (v_is_coach or v_engagement.owner_id = v_user_id) is not true then
    return null;
  end if;
  return private.session_json(v_session) || jsonb_build_object(
    'engagement_id', v_engagement.id,
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name)
      from public.businesses b where b.id = v_engagement.business_id
    ),
    'owner_name', private.name_of(v_engagement.owner_id),
    'coach_name', private.name_of(v_session.coach_id),
    'note', case when v_is_coach then (
      select n.body from public.session_notes n
      where n.session_id = p_id and n.author_id = v_user_id
    ) end,
    'can_write_up', private.can_write_up(v_session, v_engagement, v_user_id),
    'is_over', v_engagement.closed_at is not null
      or v_engagement.coach_id is distinct from v_session.coach_id,
    'can_change_summary', v_is_coach and private.can_change_summary(v_session),
    'actions', (
      select coalesce(jsonb_agg(private.coaching_action_json(a) order by a.created_at, a.id), '[]')
      from public.coaching_actions a where a.session_id = p_id
    ),
    'feedback', case when v_engagement.owner_id = v_user_id then (
      select jsonb_build_object('rating', f.rating, 'comment', f.comment)
      from public.session_feedback f where f.session_id = p_id
    ) end
  );
end
$$;
comment on function public.get_session(uuid) is
  'A session for its owner, for the coach who runs it, or for one who ran it and hasn''t written it up, with the coach''s own private note and the owner''s own feedback; null for everyone else.';
grant execute on function public.get_session(uuid) to authenticated;

-- One engagement as admins see it, with what staff wrote about it. A coach's private notes aren't part
-- of it; admin_read_session_note reads one of them, with a reason.

create function private.engagement_facts(p_engagement public.engagements) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_engagement.id, 'state', p_engagement.state, 'state_since', p_engagement.state_since,
    'areas', p_engagement.areas, 'note', p_engagement.note,
    'results_shared', p_engagement.results_shared, 'requested_at', p_engagement.requested_at,
    'assigned_at', p_engagement.assigned_at, 'accepted_at', p_engagement.accepted_at,
    'active_at', p_engagement.active_at, 'resume_on', p_engagement.resume_on,
    'closed_at', p_engagement.closed_at, 'closing_summary', p_engagement.closing_summary,
    'referral', p_engagement.referral, 'change_requested_at', p_engagement.change_requested_at,
    'change_reason', case when p_engagement.change_requested_at is not null then (
      select ev.note from public.engagement_events ev
      where ev.engagement_id = p_engagement.id and ev.kind = 'change_requested'
      order by ev.id desc limit 1
    ) end,
    'due_what', p_engagement.due_what, 'due_at', p_engagement.due_at,
    'late', private.is_late(p_engagement),
    'can_reopen', private.reopen_blocker(p_engagement) is null,
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name, 'archived', b.archived_at is not null)
      from public.businesses b where b.id = p_engagement.business_id
    ),
    'owner', (
      select jsonb_build_object(
        'id', p.user_id, 'name', nullif(p.full_name, ''), 'languages', p.languages,
        'time_zone', p.time_zone
      )
      from public.profiles p where p.user_id = p_engagement.owner_id
    ),
    'coach', case when p_engagement.coach_id is not null then jsonb_build_object(
      'id', p_engagement.coach_id, 'name', private.name_of(p_engagement.coach_id),
      'away', case when p_engagement.closed_at is null then private.coach_away(p_engagement.coach_id) end
    ) end
  )
$$;
comment on function private.engagement_facts(public.engagements) is
  'An engagement itself for admins, also with why its owner wants another coach.';

create function private.engagement_work(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'sessions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', s.id, 'state', s.state, 'starts_at', s.starts_at, 'time_zone', s.time_zone,
        'minutes', s.minutes, 'kind', s.kind, 'topics', s.topics, 'summary', s.summary,
        'cancel_reason', s.cancel_reason, 'coach', private.name_of(s.coach_id),
        'has_note', exists (
          select from public.session_notes n where n.session_id = s.id and n.body <> ''
        )
      ) order by s.starts_at desc, s.id), '[]')
      from (
        select * from public.coaching_sessions x
        where x.engagement_id = p_id order by x.starts_at desc, x.id limit 100
      ) s
    ),
    'actions', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', a.id, 'body', a.body, 'doer', a.doer, 'due_on', a.due_on, 'state', a.state,
        'created_at', a.created_at, 'settled_at', a.settled_at
      ) order by a.created_at desc, a.id), '[]')
      from (
        select * from public.coaching_actions x
        where x.engagement_id = p_id order by x.created_at desc, x.id limit 200
      ) a
    ),
    'feedback', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'session_id', f.session_id, 'rating', f.rating, 'comment', f.comment,
        'created_at', f.created_at
      ) order by f.created_at desc, f.session_id), '[]')
      from public.session_feedback f
      join public.coaching_sessions s on s.id = f.session_id
      where s.engagement_id = p_id
    )
  )
$$;
comment on function private.engagement_work(uuid) is
  'What was done in an engagement, newest first: {sessions, actions, feedback}.';

create function private.engagement_history(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', ev.id, 'at', ev.at, 'kind', ev.kind, 'from_state', ev.from_state,
    'to_state', ev.to_state, 'note', ev.note, 'actor', private.name_of(ev.actor_id),
    'why', ev.details ->> 'why', 'coach', private.name_of((ev.details ->> 'coach_id')::uuid),
    'from_coach', private.name_of((ev.details ->> 'from_coach_id')::uuid),
    'shared', (ev.details ->> 'results_shared')::boolean
  ) order by ev.id desc), '[]')
  from (
    select * from public.engagement_events x where x.engagement_id = p_id order by x.id desc limit 200
  ) ev
$$;
comment on function private.engagement_history(uuid) is
  'The steps of an engagement with the notes of staff, newest first, at most 200.';

create function private.coach_matches(p_engagement public.engagements) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'user_id', m.coach_id, 'name', private.name_of(m.coach_id), 'areas', m.areas,
    'industry', m.industry, 'languages', m.languages, 'hours', m.hours,
    'capacity', (select c.capacity from public.coach_profiles c where c.user_id = m.coach_id),
    'clients', m.clients, 'waiting', private.waiting_count(m.coach_id),
    'room', private.coach_room(m.coach_id), 'has_room', m.has_room,
    'before', private.was_coach(m.coach_id, p_engagement.id),
    'away', private.coach_away(m.coach_id)
  ) order by m.has_room desc, m.place), '[]')
  from (
    select b.*, private.has_room(b.coach_id) as has_room
    from private.best_coaches(p_engagement, p_engagement.areas) b
    order by private.has_room(b.coach_id) desc, b.place limit 50
  ) m
$$;
comment on function private.coach_matches(public.engagements) is
  'Coaches an admin can choose from, at most 50, those with room first and then by fit: [{user_id, name, areas, industry, languages, hours, capacity, clients, waiting, room, has_room, before (was asked or its coach before), away}].';

create function public.admin_engagement(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements;
begin
  perform private.require_admin();
  select * into v_engagement from public.engagements e where e.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit('engagement.read', 'engagement', p_id::text);
  return private.engagement_work(p_id) || jsonb_build_object(
    'engagement', private.engagement_facts(v_engagement),
    'timeline', private.coaching_timeline(p_id),
    'contacts', private.contacts_json(p_id),
    'handovers', (
      select coalesce(jsonb_agg(private.handover_json(h) order by h.created_at desc, h.id), '[]')
      from public.handovers h where h.engagement_id = p_id
    ),
    'events', private.engagement_history(p_id),
    'matches', case when v_engagement.closed_at is null
      then private.coach_matches(v_engagement) else '[]' end,
    'packet', private.handover_packet(p_id),
    'skill_areas', (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    )
  );
end
$$;
comment on function public.admin_engagement(uuid) is
  'One engagement as an admin sees it, without anyone''s private notes: {engagement, timeline, sessions, actions, contacts, handovers, feedback, events (with the notes of staff), matches (coaches to choose from; none once it has ended), packet (what the next coach gets), skill_areas}; null if there''s none.';
grant execute on function public.admin_engagement(uuid) to authenticated;

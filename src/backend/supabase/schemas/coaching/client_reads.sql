-- One client with everything that their coach's page shows.

create function private.runs(p_engagement public.engagements, p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce(
    p_engagement.coach_id = p_user_id and p_engagement.owner_id is not null
    and (
      p_engagement.closed_at is null
      -- As long as it can be picked up again.
      or p_engagement.state in ('completed', 'unreachable')
        and p_engagement.closed_at > now() - interval '90 days'
    )
    and private.role_of(p_user_id) = 'coach',
    false
  )
$$;
comment on function private.runs(public.engagements, uuid) is
  'Whether someone is the coach of an engagement that''s open, or that was completed or unreachable within the last 90 days.';

create function private.require_running(p_engagement_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (
    select from public.engagements e where e.id = p_engagement_id and private.runs(e, auth.uid())
  ) then
    raise exception 'This coaching has ended.' using errcode = '55000';
  end if;
end
$$;
comment on function private.require_running(uuid) is
  'An error (55000) unless the caller is the coach of an engagement, or was until it was completed or unreachable at most 90 days ago.';

create function private.client_standing(p_engagement public.engagements) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'attempt_id', t.id, 'submitted_at', t.submitted_at, 'overall_score', t.overall_score,
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'area_key', s.area_key, 'name', k.name, 'short_name', k.short_name, 'score', s.score,
        'level', s.level, 'left_out', s.applicable = 0
      ) order by k.position), '[]')
      from public.area_scores s join public.skill_areas k on k.key = s.area_key
      where s.attempt_id = t.id
    )
  )
  from public.attempts t
  where p_engagement.results_shared and t.user_id = p_engagement.owner_id
    and t.business_id = p_engagement.business_id and t.state = 'submitted'
  order by t.kind = 'full' desc, t.submitted_at desc, t.id
  limit 1
$$;
comment on function private.client_standing(public.engagements) is
  'The latest result of a client, a full quiz before a first look; null unless it''s shared.';

create function private.client_owner(p_owner_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'user_id', p.user_id, 'full_name', p.full_name, 'preferred_name', p.preferred_name,
    'phone', p.phone, 'languages', p.languages, 'time_zone', p.time_zone,
    'avatar_path', p.avatar_path
  )
  from public.profiles p where p.user_id = p_owner_id
$$;

create function private.client_work(p_engagement public.engagements) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'business', (
      select jsonb_build_object(
        'id', b.id, 'facts', private.business_facts(b),
        'snapshots', private.snapshots_json(b.id, null, 5)
      )
      from public.businesses b where b.id = p_engagement.business_id
    ),
    'standing', private.client_standing(p_engagement),
    'focus', case when p_engagement.results_shared
      then private.focus_json(p_engagement.owner_id, p_engagement.business_id) else '[]' end,
    'projects', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'title', p.title, 'status', p.status, 'due_on', p.due_on, 'area_key', p.area_key
      ) order by p.updated_at desc, p.id desc), '[]')
      from (
        -- The newest of each status by the index, so the time doesn't grow with the projects.
        select x.* from unnest(array['draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done']) s (status)
        cross join lateral (
          select y.* from public.projects y
          where y.business_id = p_engagement.business_id and y.status = s.status
          order by y.updated_at desc, y.id desc limit 10
        ) x
        order by x.updated_at desc, x.id desc limit 10
      ) p
    ),
    'files', (
      select coalesce(jsonb_agg(
        private.file_json(f) || jsonb_build_object('project_id', p.id, 'project_title', p.title)
        order by f.created_at desc, f.id
      ), '[]')
      from (
        select * from public.project_files x
        where x.business_id = p_engagement.business_id and x.state = 'stored'
        order by x.created_at desc, x.id limit 10
      ) f
      join public.projects p on p.id = f.project_id
    )
  )
  where p_engagement.closed_at is null
  union all
  select '{"business": null, "standing": null, "focus": [], "projects": [], "files": []}'
  where p_engagement.closed_at is not null
$$;
comment on function private.client_work(public.engagements) is
  'The business of an open engagement with its figures and projects and, if shared, results and focus areas; nothing of a closed one.';

create function private.client_records(p_engagement public.engagements) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'handover', (
      select private.handover_json(h)
      from public.handovers h
      where h.engagement_id = p_engagement.id and h.to_coach_id = p_engagement.coach_id
      order by h.handed_at desc, h.id limit 1
    ),
    'contacts', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', c.id, 'at', c.at, 'channel', c.channel, 'reached', c.reached, 'note', c.note
      ) order by c.at desc, c.id), '[]')
      from (
        select * from public.contact_attempts x
        where x.engagement_id = p_engagement.id and x.coach_id = p_engagement.coach_id
        order by x.at desc, x.id limit 50
      ) c
    ),
    'notes', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'session_id', n.session_id, 'body', n.body, 'updated_at', n.updated_at
      ) order by s.starts_at desc), '[]')
      from public.coaching_sessions s
      join public.session_notes n on n.session_id = s.id and n.author_id = p_engagement.coach_id
      where s.engagement_id = p_engagement.id and s.coach_id = p_engagement.coach_id
    ),
    'conversation', (
      select jsonb_build_object('id', c.id, 'unread', p.unread)
      from public.conversations c
      join public.conversation_participants p
        on p.conversation_id = c.id and p.user_id = p_engagement.coach_id and p.left_at is null
      where c.engagement_id = p_engagement.id
    )
  )
$$;
comment on function private.client_records(public.engagements) is
  'What only the coach of an engagement reads: the handover to them, their contact attempts and private notes, and their conversation.';

create function public.get_client(p_engagement_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
begin
  select * into v_engagement from public.engagements e where e.id = p_engagement_id;
  if not private.runs(v_engagement, v_user_id) then
    return null;
  end if;
  return (private.engagement_json(v_engagement) - 'coach')
    || private.engagement_parts_json(v_engagement.id)
    || private.client_work(v_engagement)
    || private.client_records(v_engagement)
    || private.coaching_story(
      v_engagement.id, v_engagement.results_shared and v_engagement.closed_at is null,
      v_engagement.closed_at is null
    )
    || jsonb_build_object(
      'owner', private.client_owner(v_engagement.owner_id),
      'business_name', (
        select b.name from public.businesses b where b.id = v_engagement.business_id
      ),
      'skill_areas', private.skill_areas_json(),
      'holidays', private.coming_holidays()
    );
end
$$;
comment on function public.get_client(uuid) is
  'One of the calling coach''s clients: the engagement and what belongs to it, the owner, the business, results and focus areas if they''re shared, projects, the handover, contact attempts, their own private notes, the story, and the coming holidays. Null for everyone else.';
grant execute on function public.get_client(uuid) to authenticated;

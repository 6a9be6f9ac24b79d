-- Coaching as its people see it: an owner's engagements and a coach's clients, each in one query.

create function public.my_engagements() returns jsonb
language sql stable security invoker set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', e.id, 'business_id', e.business_id, 'state', e.state, 'areas', e.areas,
      'note', e.note, 'results_shared', e.results_shared, 'requested_at', e.requested_at,
      'assigned_at', e.assigned_at, 'coach_id', e.coach_id, 'coach_name', p.full_name
    ) order by e.requested_at desc, e.id
  ), '[]')
  from (
    select * from public.engagements x
    where x.owner_id = (select auth.uid())
    order by x.requested_at desc, x.id
    limit 50
  ) e
  left join public.profiles p on p.user_id = e.coach_id
$$;
comment on function public.my_engagements() is
  'An owner''s engagements in all their businesses, newest first, at most 50, each with its coach''s name.';
grant execute on function public.my_engagements() to authenticated;

create function private.clients_json() returns jsonb
language sql stable security invoker set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'engagement_id', e.id,
      'state', e.state,
      'business', jsonb_build_object('id', b.id, 'name', b.name),
      'owner', jsonb_build_object('user_id', e.owner_id, 'full_name', p.full_name),
      'results_shared', e.results_shared,
      'latest_attempt', (
        select jsonb_build_object(
          'id', t.id, 'submitted_at', t.submitted_at, 'overall_score', t.overall_score
        )
        from public.attempts t
        where t.user_id = e.owner_id and t.business_id = e.business_id and t.state = 'submitted'
          and e.results_shared
        order by t.kind = 'full' desc, t.submitted_at desc
        limit 1
      )
    ) order by b.name, e.id
  ), '[]')
  from public.engagements e
  join public.businesses b on b.id = e.business_id
  left join public.profiles p on p.user_id = e.owner_id
  where e.coach_id = (select auth.uid())
    and e.id = any (array(select private.my_client_engagement_ids()))
$$;
comment on function private.clients_json() is
  'The coach''s open engagements with business, owner and, if shared, the latest result.';
grant execute on function private.clients_json() to authenticated;

create function public.get_coaching() returns jsonb
language sql stable security invoker set search_path = '' as $$
  select case
    when private.is_coach() then jsonb_build_object(
      'engagements', '[]'::jsonb, 'areas', '[]'::jsonb, 'clients', private.clients_json()
    )
    else jsonb_build_object(
      'engagements', public.my_engagements(),
      'areas', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'key', k.key, 'name', k.name, 'short_name', k.short_name, 'position', k.position
        ) order by k.position), '[]')
        from public.skill_areas k
      ),
      'clients', '[]'::jsonb
    )
  end
$$;
comment on function public.get_coaching() is
  'What the coaching page shows the caller: an owner''s engagements and the skill areas to choose from, or a coach''s clients; {engagements, areas, clients}.';
grant execute on function public.get_coaching() to authenticated;

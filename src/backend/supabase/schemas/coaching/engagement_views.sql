-- Engagements as JSON, for everyone who can read one.

create function private.engagement_json(p_engagement public.engagements) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
begin
  return jsonb_build_object(
    'id', p_engagement.id, 'business_id', p_engagement.business_id, 'state', p_engagement.state,
    'areas', p_engagement.areas, 'note', p_engagement.note,
    'results_shared', p_engagement.results_shared, 'requested_at', p_engagement.requested_at,
    'assigned_at', p_engagement.assigned_at, 'accepted_at', p_engagement.accepted_at,
    'resume_on', p_engagement.resume_on, 'closed_at', p_engagement.closed_at,
    'closing_summary', p_engagement.closing_summary, 'referral', p_engagement.referral,
    -- Between the owner and the admins, who read it elsewhere.
    'change_requested', p_engagement.change_requested_at is not null
      and coalesce(p_engagement.owner_id = v_user_id, false),
    'can_reopen', p_engagement.state in ('completed', 'unreachable')
      and private.reopen_blocker(p_engagement) is null,
    'coach', case
      when p_engagement.coach_id is null then null
      when p_engagement.closed_at is null then private.coach_card(p_engagement.coach_id) - 'industries'
      -- Of who coached once, only the name.
      else jsonb_build_object(
        'user_id', p_engagement.coach_id, 'full_name', coalesce(private.name_of(p_engagement.coach_id), ''),
        'avatar_path', null, 'about', '', 'areas', '[]'::jsonb, 'languages', '[]'::jsonb,
        'time_zone', null
      )
    end,
    'due_what', p_engagement.due_what, 'due_at', p_engagement.due_at
  );
end
$$;
comment on function private.engagement_json(public.engagements) is
  'An engagement for its owner, its coach and admins: {id, business_id, state, areas, note, results_shared, requested_at, assigned_at, accepted_at, resume_on, closed_at, closing_summary, referral, change_requested (only for the owner), can_reopen, coach (their card; only the name once it has ended), due_what, due_at}.';

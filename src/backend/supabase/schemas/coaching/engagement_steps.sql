-- Engagement steps: what every step has in common, and those that owner and coach can both take.
-- owner_steps.sql, coach_steps.sql and product_steps.sql have the others, admin/coaching_steps.sql
-- those of admins.

create function private.hold_engagement(p_id uuid, p_who text[]) returns public.engagements
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_engagement public.engagements;
begin
  select * into v_engagement from public.engagements e
  where e.id = p_id and (
    'owner' = any (p_who) and e.owner_id = v_user_id
    or 'coach' = any (p_who) and e.coach_id = v_user_id and e.owner_id is not null
      and private.is_coach()
  )
  for update;
  if not found then
    raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return v_engagement;
end
$$;
comment on function private.hold_engagement(uuid, text[]) is
  'An engagement of the caller as its owner or its coach, locked; an error (P0002) for everyone else.';

create function private.any_engagement(p_id uuid) returns public.engagements
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements;
begin
  select * into v_engagement from public.engagements e where e.id = p_id for update;
  if not found then
    raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return v_engagement;
end
$$;
comment on function private.any_engagement(uuid) is
  'An engagement, locked, or an error (P0002). Who may is the caller''s to check.';

-- A step ----------------------------------------------------------------------------------------

create function private.limit_daily(p_what text, p_engagement_id uuid, p_most int) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_rate_limit(
    format('coaching-%s:%s:%s', p_what, p_engagement_id, auth.uid()), p_most, interval '1 day',
    'You’ve changed this coaching a lot today. Try again %s.'
  );
end
$$;
comment on function private.limit_daily(text, uuid, int) is
  'How often a person can do in a day what the others in an engagement are notified of each time; an error (PT429) after that.';

create function private.begin_step(
  p_engagement public.engagements, p_to text, p_who text, p_note text default null,
  p_why text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.may_step('engagement', p_engagement.state, p_to, p_who) then
    raise exception '%', case p_engagement.state
      when 'requested' then 'This request has no coach yet.'
      when 'assigned' then 'The coach hasn’t said yes yet.'
      when 'accepted' then 'The coach has said yes, and the first session hasn’t taken place yet.'
      when 'active' then 'This coaching is already in progress.'
      when 'paused' then 'This coaching is paused.'
      else 'This coaching has already ended.'
    end using errcode = '55000', hint = 'state';
  end if;
  -- Anyone can leave at any time.
  if p_who in ('owner', 'coach') and p_to <> 'withdrawn' then
    perform private.limit_daily('step', p_engagement.id, 10);
  end if;
  -- The trigger that records the step reads these.
  perform set_config('trellis.reason', coalesce(p_note, ''), true),
    set_config('trellis.why', coalesce(p_why, ''), true);
end
$$;
comment on function private.begin_step(public.engagements, text, text, text, text) is
  'An error (55000) unless this kind of person can take the step; otherwise the update that follows is recorded with this note for staff. end_step belongs after it.';

create function private.end_step() returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('trellis.reason', '', true), set_config('trellis.why', '', true);
end
$$;

create function private.clean_text(p_text text, p_most int, p_field text, p_needed text default null)
returns text
language plpgsql stable set search_path = '' as $$
declare
  v_text text := nullif(private.clean_body(p_text), '');
begin
  if v_text is null and p_needed is not null then
    raise exception '%', p_needed using errcode = '22023', hint = p_field;
  end if;
  if char_length(v_text) > p_most then
    raise exception 'Keep it to % characters.', to_char(p_most, 'FM99,999')
      using errcode = '22023', hint = p_field;
  end if;
  return v_text;
end
$$;
comment on function private.clean_text(text, int, text, text) is
  'A text of at most p_most characters without control characters; null if it''s empty, which is an error where p_needed says what to do.';

create function private.coaching_names(
  p_engagement public.engagements, out business text, out owner text, out coach text
)
language plpgsql stable security definer set search_path = '' as $$
begin
  business := (select b.name from public.businesses b where b.id = p_engagement.business_id);
  owner := coalesce(private.name_of(p_engagement.owner_id), 'The owner');
  coach := coalesce(private.name_of(p_engagement.coach_id), 'Your coach');
end
$$;
comment on function private.coaching_names(public.engagements) is
  'What to call an engagement''s business, owner and coach in a notification.';

create function private.tell_of_step(
  p_engagement_id uuid, p_user_id uuid, p_title text, p_body text, p_path text, p_button text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.notify(
    p_user_id, 'coaching', private.step_key(p_engagement_id), p_title, p_body, p_path, p_button
  );
end
$$;
comment on function private.tell_of_step(uuid, uuid, text, text, text, text) is
  'Notifies someone of an engagement''s latest step, once.';

create function private.step_key(p_engagement_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return 'step:' || p_engagement_id || ':' || (
    select max(ev.id) from public.engagement_events ev where ev.engagement_id = p_engagement_id
  );
end
$$;
comment on function private.step_key(uuid) is
  'The key of a notification about an engagement''s latest step: each step has its own.';

create function private.reopen_blocker(p_engagement public.engagements) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  return case
    when p_engagement.state not in ('completed', 'unreachable')
      then 'This coaching can’t be picked up again.'
    when p_engagement.state = 'completed' and p_engagement.closed_at < now() - interval '90 days'
      then 'This coaching ended more than 90 days ago. Send a new request.'
    when p_engagement.coach_id is null or private.role_of(p_engagement.coach_id) <> 'coach'
      or private.account_state(p_engagement.coach_id) = 'blocked'
      then 'This coach isn’t coaching anymore. Send a new request.'
    when not exists (
      select from public.business_members m
      where m.business_id = p_engagement.business_id and m.user_id = p_engagement.owner_id
    ) then 'The owner doesn’t belong to this business anymore.'
    when exists (
      select from public.engagements o
      where o.owner_id = p_engagement.owner_id and o.business_id = p_engagement.business_id
        and o.closed_at is null
    ) then 'There’s other coaching for this business. It has to end first.'
    -- A coach knows best whether they have time for someone they know.
    when p_engagement.state = 'completed' and p_engagement.coach_id is distinct from auth.uid()
      then private.why_no_room(p_engagement.coach_id)
  end;
end
$$;
comment on function private.reopen_blocker(public.engagements) is
  'Why an engagement that has ended can''t be picked up again, in words; null if it can.';

create function private.require_reopenable(p_engagement public.engagements) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_why text;
begin
  -- As in request_coaching: not while the owner asks for another coach.
  perform private.one_at_a_time('engagements', p_engagement.owner_id);
  -- Nor two who pick it up again for a coach's last place.
  perform private.one_at_a_time('coach', p_engagement.coach_id);
  v_why := private.reopen_blocker(p_engagement);
  if v_why is not null then
    raise exception '%', v_why using errcode = '55000';
  end if;
end
$$;

-- Steps of owner or coach -----------------------------------------------------------------------

create function public.pause_coaching(
  p_engagement_id uuid, p_resume_on date, p_reason text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner,coach}');
  v_part text := case when v_engagement.owner_id = auth.uid() then 'owner' else 'coach' end;
  v_note text := private.clean_text(p_reason, 500, 'reason');
  v_names record;
begin
  if v_engagement.state = 'paused' and v_engagement.resume_on = p_resume_on then
    return private.engagement_json(v_engagement);
  end if;
  perform private.begin_step(v_engagement, 'paused', v_part, v_note);
  if p_resume_on is null or p_resume_on <= private.coaching_day()
    or p_resume_on > private.coaching_day() + 366
  then
    raise exception 'Choose a day between tomorrow and a year from now.'
      using errcode = '22023', hint = 'resume_on';
  end if;
  update public.engagements e set state = 'paused', resume_on = p_resume_on
  where e.id = p_engagement_id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    p_engagement_id,
    case v_part when 'owner' then v_engagement.coach_id else v_engagement.owner_id end,
    'Coaching for ' || v_names.business || ' is paused',
    case v_part when 'owner' then v_names.owner else v_names.coach end || ' paused it until '
      || to_char(p_resume_on, 'FMMonth FMDD, YYYY') || '. Either of you can pick it up before that.',
    case v_part when 'owner' then '/dashboard/coaching/' || p_engagement_id else '/dashboard/coaching' end,
    'Open coaching'
  );
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.pause_coaching(uuid, date, text) is
  'Owner or coach pauses active coaching until a day, with an optional reason that only staff read; the engagement (see private.engagement_json).';

create function private.resume(p_engagement_id uuid, p_from text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{owner,coach}');
  v_part text := case when v_engagement.owner_id = auth.uid() then 'owner' else 'coach' end;
  v_names record;
begin
  if v_engagement.state = 'active' then
    return private.engagement_json(v_engagement);
  end if;
  if v_engagement.state <> p_from then
    raise exception '%', case p_from
      when 'paused' then 'This coaching isn’t paused.' else 'This coaching isn’t complete.'
    end using errcode = '55000';
  end if;
  perform private.begin_step(v_engagement, 'active', v_part);
  if p_from = 'completed' then
    perform private.require_reopenable(v_engagement);
  end if;
  update public.engagements e set
    state = 'active',
    -- A coach can't give themselves access again to what was shared until the end.
    results_shared = e.results_shared and (v_part = 'owner' or p_from = 'paused')
  where e.id = p_engagement_id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    p_engagement_id,
    case v_part when 'owner' then v_engagement.coach_id else v_engagement.owner_id end,
    'Coaching for ' || v_names.business || ' continues',
    case v_part when 'owner' then v_names.owner else v_names.coach end
      || ' picked it up again. Agree on a next session.',
    case v_part when 'owner' then '/dashboard/coaching/' || p_engagement_id else '/dashboard/coaching' end,
    'Open coaching'
  );
  return private.engagement_json(v_engagement);
end
$$;

create function public.resume_coaching(p_engagement_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.resume(p_engagement_id, 'paused')
$$;
comment on function public.resume_coaching(uuid) is
  'Owner or coach picks paused coaching up again; the engagement.';

create function public.reopen_coaching(p_engagement_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.resume(p_engagement_id, 'completed')
$$;
comment on function public.reopen_coaching(uuid) is
  'Owner or coach picks completed coaching up again within 90 days, if there''s no other for the business; the engagement. If the coach does, results aren''t shared anymore.';

grant execute on function
  public.pause_coaching(uuid, date, text), public.resume_coaching(uuid), public.reopen_coaching(uuid)
to authenticated;

-- What coaches do about their clients: say yes or no, get in touch, give up reaching someone, end
-- coaching with a summary, and leave their clients to someone else.

create function public.accept_client(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_names record;
begin
  if v_engagement.state <> 'accepted' then
    if v_engagement.state = 'unreachable' then
      raise exception 'This coaching opens again when the owner gets back to you.' using errcode = '55000';
    end if;
    perform private.begin_step(v_engagement, 'accepted', 'coach');
    update public.engagements e set state = 'accepted'
    where e.id = p_engagement_id returning * into v_engagement;
    perform private.end_step();
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      p_engagement_id, v_engagement.owner_id, v_names.coach || ' is your coach',
      v_names.coach || ' said yes to ' || v_names.business || ' and will get in touch by '
        || private.day_words(v_engagement.due_at, v_engagement.owner_id) || '.',
      '/dashboard/coaching', 'Your coaching'
    );
  end if;
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.accept_client(uuid) is
  'The coach who was asked says yes; the engagement (see private.engagement_json). The owner is notified.';

create function public.decline_client(p_engagement_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_reason text;
begin
  -- Sent again after a lost answer: they're no longer the coach, and it is done already.
  if exists (
    select from public.engagements e
    join public.engagement_events ev on ev.engagement_id = e.id and ev.at >= e.state_since
    where e.id = p_engagement_id and e.state = 'requested'
      and ev.actor_id = v_user_id and ev.to_state = 'requested' and ev.details ->> 'why' = 'declined'
  ) then
    return jsonb_build_object('id', p_engagement_id, 'state', 'requested');
  end if;
  v_reason := private.require_reason(p_reason);
  perform private.return_request(
    private.hold_engagement(p_engagement_id, '{coach}'), 'coach', v_reason, 'declined'
  );
  return jsonb_build_object('id', p_engagement_id, 'state', 'requested');
end
$$;
comment on function public.decline_client(uuid, text) is
  'The coach who was asked says no, with a reason that only staff read; {id, state}. Owner and admins are notified.';

-- Getting in touch ------------------------------------------------------------------------------

create function public.log_contact(
  p_id uuid, p_engagement_id uuid, p_channel text, p_reached boolean, p_note text default null,
  p_at timestamptz default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_at timestamptz := coalesce(p_at, now());
  v_found public.contact_attempts;
begin
  if p_id is null then
    raise exception 'An entry needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_found from public.contact_attempts c where c.id = p_id;
  if found then
    if v_found.engagement_id <> p_engagement_id or v_found.coach_id is distinct from v_engagement.coach_id then
      raise exception 'This entry already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.engagement_json(v_engagement);
  end if;
  if v_engagement.state not in ('assigned', 'accepted', 'active', 'paused') then
    raise exception 'This coaching has already ended.' using errcode = '55000';
  end if;
  if p_channel is null or p_channel not in ('message', 'email', 'phone', 'text', 'in_person') then
    raise exception 'Choose how you tried to reach them.' using errcode = '22023', hint = 'channel';
  end if;
  if p_reached is null then
    raise exception 'Say whether you reached them.' using errcode = '22023', hint = 'reached';
  end if;
  if v_at > now() + interval '5 minutes' then
    raise exception 'Choose a time that has passed.' using errcode = '22023', hint = 'at';
  end if;
  if v_at < v_engagement.assigned_at then
    raise exception 'Choose a time since you were asked.' using errcode = '22023', hint = 'at';
  end if;
  insert into public.contact_attempts (id, engagement_id, coach_id, at, channel, reached, note)
  values (
    p_id, p_engagement_id, v_engagement.coach_id, least(v_at, now()), p_channel, p_reached,
    private.clean_text(p_note, 500, 'note')
  );
  return private.engagement_json(private.any_engagement(p_engagement_id));
end
$$;
comment on function public.log_contact(uuid, uuid, text, boolean, text, timestamptz) is
  'A coach notes when and how ("message", "email", "phone", "text", "in_person") they tried to reach a client, and whether they did; the engagement.';

create function private.contacts_json(p_engagement_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', c.id, 'at', c.at, 'channel', c.channel, 'reached', c.reached, 'note', c.note,
      'coach', private.name_of(c.coach_id)
    ) order by c.at desc, c.id), '[]')
    from (
      select * from public.contact_attempts x
      where x.engagement_id = p_engagement_id order by x.at desc, x.id limit 100
    ) c
  );
end
$$;
comment on function private.contacts_json(uuid) is
  'Attempts to reach an owner, newest first, at most 100: [{id, at, channel, reached, note, coach}].';

create function private.tried_enough(p_engagement public.engagements) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    with since as (
      select greatest(p_engagement.accepted_at, max(c.at) filter (where c.reached)) as at
      from public.contact_attempts c
      where c.engagement_id = p_engagement.id and c.coach_id = p_engagement.coach_id
    )
    select count(*) >= 3 and max(c.at) - min(c.at) >= interval '10 days'
    from since s
    join public.contact_attempts c on c.at >= s.at and not c.reached
    where c.engagement_id = p_engagement.id and c.coach_id = p_engagement.coach_id
  );
end
$$;
comment on function private.tried_enough(public.engagements) is
  'Whether the coach has tried at least 3 times over at least 10 days, since they last reached the owner.';

create function public.mark_unreachable(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements := private.hold_engagement(p_engagement_id, '{coach}');
  v_names record;
begin
  if v_engagement.state <> 'unreachable' then
    perform private.begin_step(v_engagement, 'unreachable', 'coach');
    if private.tried_enough(v_engagement) is not true then
      raise exception 'First try to reach them at least three times over at least ten days, and log each attempt.'
        using errcode = '55000';
    end if;
    update public.engagements e set state = 'unreachable'
    where e.id = p_engagement_id returning * into v_engagement;
    perform private.end_step();
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      p_engagement_id, v_engagement.owner_id, v_names.coach || ' couldn’t reach you',
      'We’ve closed your coaching for ' || v_names.business
        || ' for now. Reply to your coach’s last message, or say that you’re here, and it’s open again.',
      '/dashboard/coaching', 'I’m here'
    );
  end if;
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.mark_unreachable(uuid) is
  'A coach gives up reaching an owner after three attempts over ten days; the engagement. The owner''s reply opens it again.';

-- The end ---------------------------------------------------------------------------------------

create function private.complete(
  p_engagement public.engagements, p_who text, p_note text, p_summary text
) returns public.engagements
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements;
  v_names record;
begin
  perform private.begin_step(p_engagement, 'completed', p_who, p_note);
  update public.engagements e set state = 'completed', closing_summary = p_summary
  where e.id = p_engagement.id returning * into v_engagement;
  perform private.end_step();
  select * into v_names from private.coaching_names(v_engagement);
  perform private.tell_of_step(
    v_engagement.id, v_engagement.owner_id, 'Your coaching for ' || v_names.business || ' is complete',
    coalesce(private.excerpt(p_summary), 'Thank you for working with us.')
      || E'\nYou can pick it up again within 90 days.',
    '/dashboard/coaching', 'Your coaching'
  );
  if p_who = 'admin' then
    perform private.tell_of_step(
      v_engagement.id, v_engagement.coach_id, 'Coaching for ' || v_names.business || ' is complete',
      'An admin closed it.', '/dashboard/coaching/' || v_engagement.id, 'Open the client'
    );
  end if;
  perform private.ask_about_coaching(v_engagement.id);
  return v_engagement;
end
$$;
comment on function private.complete(public.engagements, text, text, text) is
  'Ends an engagement, which is locked: the owner reads the summary and, if a survey is open, is asked how it was.';

create function public.complete_coaching(p_engagement_id uuid, p_summary text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_summary text;
  v_engagement public.engagements;
begin
  v_engagement := case
    when private.is_admin() then private.any_engagement(p_engagement_id)
    else private.hold_engagement(p_engagement_id, '{coach}')
  end;
  if v_engagement.state <> 'completed' then
    v_summary := private.clean_text(
      p_summary, 2000, 'summary', 'Write a few sentences about what came of it.'
    );
    v_engagement := private.complete(
      v_engagement, case when private.is_admin() then 'admin' else 'coach' end, null, v_summary
    );
  end if;
  if private.is_admin() then
    perform private.audit('engagement.complete', 'engagement', p_engagement_id::text);
  end if;
  return private.engagement_json(v_engagement);
end
$$;
comment on function public.complete_coaching(uuid, text) is
  'The coach, or an admin, ends coaching with a summary that the owner reads; the engagement. The owner is invited to the survey.';

-- Leaving ---------------------------------------------------------------------------------------

create function public.leave_clients(p_handovers jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_coach();
  v_name text := coalesce(private.name_of(v_user_id), 'A coach');
  v_engagement public.engagements;
  v_note text;
  v_count int := 0;
begin
  if p_handovers is null or jsonb_typeof(p_handovers) <> 'array' or jsonb_array_length(p_handovers) > 200 then
    raise exception 'Write a note for each client.' using errcode = '22023', hint = 'handovers';
  end if;
  for v_engagement in
    select * from public.engagements e
    where e.coach_id = v_user_id and e.closed_at is null order by e.id for update
  loop
    v_note := private.clean_text((
      select h ->> 'note' from jsonb_array_elements(p_handovers) h
      where h ->> 'engagement_id' = v_engagement.id::text limit 1
    ), 4000, 'handovers', 'Write a note for each client.');
    perform private.leave_handover(v_engagement.id, v_user_id, v_note);
    v_count := v_count + 1;
  end loop;
  insert into public.coach_profiles as c (user_id, accepting) values (v_user_id, false)
  on conflict (user_id) do update set accepting = false, updated_at = now() where c.accepting;
  if v_count > 0 then
    perform private.notify_admins(
      'coaching', 'leaves:' || v_user_id || ':' || private.coaching_day(), v_name || ' is leaving',
      'They left notes for ' || case v_count when 1 then 'a client, who needs' else v_count || ' clients, who need' end
        || ' another coach.',
      '/admin/coaching?coach=' || v_user_id, 'Open their clients'
    );
  end if;
  return jsonb_build_object('left', v_count);
end
$$;
comment on function public.leave_clients(jsonb) is
  'A coach who leaves writes a note for each of their open clients, [{engagement_id, note}], takes no new ones, and stays until an admin has found others; {left}.';

grant execute on function
  public.accept_client(uuid), public.decline_client(uuid, text),
  public.log_contact(uuid, uuid, text, boolean, text, timestamptz), public.mark_unreachable(uuid),
  public.complete_coaching(uuid, text), public.leave_clients(jsonb)
to authenticated;

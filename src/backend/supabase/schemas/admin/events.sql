-- Events as admins see them: how full each is, who has a place or waits, and who came. Tables and
-- rules are in site/events.sql.

create function private.event_counts(p_event_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'taken', count(*) filter (where s.state = 'taken'),
    'held', count(*) filter (where s.state in ('held', 'offered')),
    'waiting', count(*) filter (where s.state = 'waiting'),
    'came', count(*) filter (where s.came)
  )
  from public.event_signups s where s.event_id = p_event_id
$$;

create function public.admin_events(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_past boolean := coalesce(p_filter ->> 'show' = 'past', false);
begin
  perform private.require_admin();
  -- Nothing about a person, so it isn't in the audit log.
  return private.list_page(
    'public.events r',
    $row$
      jsonb_build_object(
        'slug', r.slug, 'title', r.title, 'starts_at', r.starts_at, 'minutes', r.minutes,
        'time_zone', r.time_zone, 'place', r.place, 'places', r.places, 'state', r.state
      ) || private.event_counts(r.id)
    $row$,
    array[case when v_past then 'r.starts_at <= now()' else 'r.starts_at > now()' end],
    'r.starts_at', 'timestamptz', v_past, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_events(jsonb, jsonb, int) is
  'A page of dates of events by {words (of title and place), show: "past"}, the next one first, or the latest of those that are past; see list_page.';
grant execute on function public.admin_events(jsonb, jsonb, int) to authenticated;

create function private.event_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', e.id, 'slug', e.slug, 'title', e.title, 'starts_at', e.starts_at, 'minutes', e.minutes,
    'time_zone', e.time_zone, 'place', e.place, 'online_link', e.online_link, 'places', e.places,
    'state', e.state, 'canceled_at', e.canceled_at, 'cancel_reason', e.cancel_reason
  ) || private.event_counts(e.id)
  from public.events e where e.id = p_id
$$;

create function public.admin_event(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  return private.event_json(p_id);
end
$$;
comment on function public.admin_event(uuid) is
  'A date of an event with how many places are taken, held or offered, how many people wait and how many came; null if there''s none.';
grant execute on function public.admin_event(uuid) to authenticated;

create function public.admin_event_signups(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('event.list_people', 'event', p_filter ->> 'event', null, p_filter - 'event');
  return private.list_page(
    'public.event_signups r',
    $row$
      jsonb_build_object(
        'name', r.name, 'email', r.email, 'wish', r.wish, 'state', r.state, 'due_at', r.due_at,
        'came', r.came, 'reason', r.cancel_reason, 'created_at', r.created_at,
        'position', case r.state when 'waiting' then (
          select private.event_position(s) from public.event_signups s where s.id = r.id
        ) end
      )
    $row$,
    array[
      'r.event_id = ($1 ->> ''event'')::uuid',
      case when p_filter ->> 'state' in ('held', 'waiting', 'offered', 'taken', 'canceled', 'lapsed') then
        format('r.state = %L', p_filter ->> 'state')
      end
    ],
    'r.created_at', 'timestamptz', false, p_filter, p_place, p_limit,
    private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_event_signups(jsonb, jsonb, int) is
  'A page of the people of an event by {event (its id), words (of name and email), state}, in the order they asked; see list_page. Writes an audit row.';
grant execute on function public.admin_event_signups(jsonb, jsonb, int) to authenticated;

create function private.hold_signup(p_id uuid) returns public.event_signups
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_signup public.event_signups;
begin
  perform private.hold_event(s.event_id) from public.event_signups s where s.id = p_id;
  select * into v_signup from public.event_signups s where s.id = p_id for update;
  if not found then
    raise exception 'We can’t find this person.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_signup;
end
$$;

create function public.give_event_place(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_signup public.event_signups;
  v_event public.events;
begin
  perform private.require_admin();
  v_signup := private.hold_signup(p_id);
  select * into v_event from public.events e where e.id = v_signup.event_id;
  if v_signup.state = 'taken' then
    return private.event_json(v_event.id);
  elsif v_event.state = 'canceled' then
    raise exception 'This event was canceled.' using errcode = '55000';
  elsif v_signup.state not in ('waiting', 'held', 'offered') then
    raise exception 'They aren’t waiting for a place anymore.' using errcode = '55000';
  elsif v_signup.state = 'waiting' and private.held_places(v_event.id) >= v_event.places then
    raise exception 'All % places are taken, held or offered. Cancel someone’s place first, or add places in content/events/%.mdx.',
      v_event.places, v_event.slug using errcode = '55000';
  end if;
  update public.event_signups s set state = 'taken', taken_at = now(), due_at = null where s.id = p_id;
  perform private.tell_of_state(p_id);
  perform private.audit(
    'event.give_place', 'event', v_event.id::text, null,
    jsonb_build_object('place', p_id, 'before', v_signup.state, 'after', 'taken')
  );
  return private.event_json(v_event.id);
end
$$;
comment on function public.give_event_place(uuid) is
  'An admin gives a place to someone who waits or hasn''t confirmed yet, and they hear of it; returns the event. Raises 55000 in words if there''s none left.';
grant execute on function public.give_event_place(uuid) to authenticated;

create function public.cancel_event_place(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
  v_signup public.event_signups;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  v_signup := private.hold_signup(p_id);
  if v_signup.state = 'canceled' then
    return private.event_json(v_signup.event_id);
  elsif v_signup.state = 'lapsed' then
    raise exception 'They don’t have a place anymore.' using errcode = '55000';
  end if;
  update public.event_signups s
  set state = 'canceled', due_at = null, cancel_reason = v_reason where s.id = p_id;
  perform private.tell_about_place(
    p_id, 'event-removed', 'We had to cancel your place: %s', 'removed:' || extract(epoch from now()),
    jsonb_build_object('reason', v_reason)
  );
  perform private.offer_places(v_signup.event_id);
  perform private.audit(
    'event.cancel_place', 'event', v_signup.event_id::text, v_reason,
    jsonb_build_object('place', p_id, 'before', v_signup.state, 'after', 'canceled')
  );
  return private.event_json(v_signup.event_id);
end
$$;
comment on function public.cancel_event_place(uuid, text) is
  'An admin cancels someone''s place or turn, with a reason that they get, and the next in line is offered it; returns the event.';
grant execute on function public.cancel_event_place(uuid, text) to authenticated;

create function public.mark_event_attendance(p_id uuid, p_came boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_signup public.event_signups;
begin
  perform private.require_admin();
  v_signup := private.hold_signup(p_id);
  if not exists (
    -- People arrive before the start.
    select from public.events e
    where e.id = v_signup.event_id and e.starts_at < now() + interval '1 hour'
  ) then
    raise exception 'The event hasn’t started yet.' using errcode = '55000';
  elsif v_signup.state <> 'taken' and p_came then
    -- Who comes without having confirmed is there all the same.
    raise exception 'Give them a place first.' using errcode = '55000';
  end if;
  update public.event_signups s set came = p_came where s.id = p_id;
  perform private.audit(
    'event.mark_attendance', 'event', v_signup.event_id::text, null,
    jsonb_build_object('place', p_id, 'before', v_signup.came, 'after', p_came)
  );
  return private.event_json(v_signup.event_id);
end
$$;
comment on function public.mark_event_attendance(uuid, boolean) is
  'An admin says whether someone came; null: nobody knows. From an hour before the start; returns the event.';
grant execute on function public.mark_event_attendance(uuid, boolean) to authenticated;

create function public.cancel_event(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_reason text;
  v_event public.events;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  v_event := private.hold_event(p_id);
  if v_event.id is null then
    raise exception 'We can’t find this event.' using errcode = 'P0002', hint = 'id';
  elsif v_event.starts_at <= now() and v_event.state = 'planned' then
    raise exception 'This event has already started.' using errcode = '55000';
  end if;
  if v_event.state = 'planned' then
    perform private.cancel_event(p_id, v_reason);
    perform private.audit('event.cancel', 'event', p_id::text, v_reason);
  end if;
  return private.event_json(p_id);
end
$$;
comment on function public.cancel_event(uuid, text) is
  'An admin cancels an event for good, and everyone with a place or on the waiting list gets the reason; returns the event.';
grant execute on function public.cancel_event(uuid, text) to authenticated;

-- What time does to sessions: reminders a day and an hour ahead, offers whose times have passed, and
-- actions that are due. The clocks of coaching run it every ten minutes.

create function private.expire_offers() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_offer record;
  v_count int := 0;
begin
  for v_offer in
    select o.id, o.engagement_id, o.coach_id, b.name as business
    from public.session_offers o
    join public.engagements e on e.id = o.engagement_id
    join public.businesses b on b.id = e.business_id
    -- Sorted: the last time is the latest.
    where o.state = 'open' and o.times[cardinality(o.times)] <= now()
    order by e.id limit 500
    for update of e skip locked
  loop
    update public.session_offers o set state = 'expired' where o.id = v_offer.id and o.state = 'open';
    perform private.notify(
      v_offer.coach_id, 'session', 'offer:' || v_offer.id || ':expired',
      v_offer.business || ' hasn’t picked a time',
      'All the times you offered have passed. Offer others, or write to them.',
      '/dashboard/coaching/' || v_offer.engagement_id, 'Offer other times'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.expire_offers() is
  'Offers of which every time has passed are over; how many.';

create function private.remind_of_session(p_stage text, p_before interval, p_title text) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select s.starts_at, p.person_id, p.other, p.path,
      format('session:%s:%s:%s', s.id, s.revision, p_stage) as key
    from public.coaching_sessions s
    join public.engagements e on e.id = s.engagement_id
    join public.businesses b on b.id = e.business_id
    cross join lateral (values
      (e.owner_id, coalesce(private.name_of(s.coach_id), 'your coach'), '/dashboard/coaching'),
      (s.coach_id, b.name, '/dashboard/coaching/' || e.id)
    ) as p (person_id, other, path)
    where s.state = 'scheduled' and s.starts_at > now() and s.starts_at <= now() + p_before
      -- Whoever has just planned or changed it knows.
      and s.updated_at < s.starts_at - p_before
      and p.person_id is not null
      and not exists (
        select from public.notifications n
        where n.user_id = p.person_id
          and n.key = format('session:%s:%s:%s', s.id, s.revision, p_stage)
      )
    order by s.starts_at, s.id, p.path limit 1000
  loop
    if private.notify(
      v_due.person_id, 'session', v_due.key, format(p_title, v_due.other),
      'It starts on ' || private.when_words(v_due.starts_at, v_due.person_id) || '.', v_due.path,
      'Open coaching'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$$;
comment on function private.remind_of_session(text, interval, text) is
  'Reminds owner and coach, once for each time it''s planned for, of a session that starts within the interval; how many.';

create function private.remind_of_coaching_actions() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select a.id, a.body, d.person_id, d.path, format('action-due:%s:%s', a.id, a.due_on) as key
    from public.coaching_actions a
    join public.engagements e on e.id = a.engagement_id and e.closed_at is null
    cross join lateral (
      select
        case a.doer when 'owner' then e.owner_id else e.coach_id end as person_id,
        case a.doer when 'owner' then '/dashboard/coaching' else '/dashboard/coaching/' || e.id end as path
    ) d
    -- A day either way, because today isn't the same day everywhere.
    where a.state = 'open' and a.due_on between current_date - 1 and current_date + 1
      and d.person_id is not null
      and a.due_on = (now() at time zone private.time_zone_of(d.person_id))::date
      and not exists (
        select from public.notifications n
        where n.user_id = d.person_id and n.key = format('action-due:%s:%s', a.id, a.due_on)
      )
    order by a.due_on, a.id limit 1000
  loop
    if private.notify(
      v_due.person_id, 'reminder', v_due.key, 'Due today: ' || v_due.body,
      'You agreed on it in coaching.', v_due.path, 'Open coaching'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$$;
comment on function private.remind_of_coaching_actions() is
  'Reminds the person who does an action, once, on the day it''s due where they are; how many.';

create function private.remind_of_sessions() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'expired', private.expire_offers(),
    'canceled', private.cancel_unwritten(),
    'day', private.remind_of_session('day', interval '24 hours', 'Your session with %s is coming up'),
    'hour', private.remind_of_session('hour', interval '1 hour', 'Your session with %s starts soon'),
    'actions', private.remind_of_coaching_actions()
  );
end
$$;
comment on function private.remind_of_sessions() is
  'What time does to sessions, offers and actions: {expired (offers), canceled (sessions that nobody wrote up), day, hour (reminders of sessions), actions (reminders)}.';

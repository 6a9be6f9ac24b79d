-- The clocks of coaching, every ten minutes: who didn't answer in time, who goes on today, and who
-- has to be reminded. Running it again at once does nothing: what it does changes what it looks for,
-- and a notification is sent once for its key.

create function private.lapse_requests() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement public.engagements;
  v_names record;
  v_ids uuid[];
  v_count int := 0;
begin
  v_ids := array(
    select e.id from public.engagements e
    where e.closed_at is null and e.state = 'assigned' and e.due_at <= now()
    order by e.id limit 500
    for update skip locked
  );
  perform private.hold_coaching(v_ids);
  for v_engagement in select * from public.engagements e where e.id = any (v_ids) order by e.id loop
    perform private.return_request(v_engagement, 'system', 'lapsed', 'lapsed');
    select * into v_names from private.coaching_names(v_engagement);
    perform private.tell_of_step(
      v_engagement.id, v_engagement.coach_id, 'Someone else will coach ' || v_names.business,
      'You didn’t say yes or no in time, so we’re looking for someone else. If you take no new clients right now, say so in your settings.',
      '/dashboard/coaching/settings', 'Your settings'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.lapse_requests() is
  'Requests that a coach didn''t answer in time go back to looking for one; how many.';

create function private.refresh_clocks() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id uuid;
  v_count int := 0;
begin
  for v_id in
    select e.id from public.engagements e
    where e.closed_at is null and (
      -- A session has ended, or the first of the offered times has passed.
      e.due_at <= now() and e.due_what in ('session', 'pick')
      -- From before there were clocks.
      or e.due_at is null
    )
    order by e.id limit 2000
    for update skip locked
  loop
    perform private.set_clock(v_id);
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.refresh_clocks() is
  'Clocks that move by themselves: once a session has ended it has to be written up; how many were looked at.';

create function private.remind_of_steps() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_soon timestamptz := private.business_day_end(now(), 1);
  v_due record;
  v_count int := 0;
begin
  for v_due in
    select e.id, e.coach_id, e.due_what, e.due_at, b.name as business,
      format('due:%s:%s:%s', e.due_what, e.id, extract(epoch from e.due_at)::bigint) as key
    from public.engagements e
    join public.businesses b on b.id = e.business_id
    where e.closed_at is null and e.coach_id is not null
      and (
        e.due_what = 'accept' and e.due_at <= v_soon
        or e.due_what in ('contact', 'write_up', 'plan') and e.due_at <= now()
      )
      and not exists (
        select from public.notifications n
        where n.user_id = e.coach_id
          and n.key = format('due:%s:%s:%s', e.due_what, e.id, extract(epoch from e.due_at)::bigint)
      )
    order by e.due_at, e.id limit 500
  loop
    if private.notify(
      v_due.coach_id, 'reminder', v_due.key,
      case v_due.due_what
        when 'accept' then 'Say yes or no to ' || v_due.business
        when 'contact' then 'Get in touch with ' || v_due.business
        when 'write_up' then 'Write up your session with ' || v_due.business
        else 'Plan a next session with ' || v_due.business
      end,
      case v_due.due_what
        when 'accept' then 'They’re waiting until ' || private.day_words(v_due.due_at, v_due.coach_id)
          || '. After that we’ll ask someone else.'
        when 'contact' then 'You said yes, and they haven’t heard from you yet.'
        when 'write_up' then 'It’s over, and they’re waiting for your summary and what to do next.'
        else 'There hasn’t been one for a while.'
      end,
      '/dashboard/coaching/' || v_due.id, 'Open the client'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$$;
comment on function private.remind_of_steps() is
  'Reminds coaches, once for each date, of what''s due soon (saying yes or no) or overdue; how many.';

create function private.remind_of_pauses() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_paused record;
  v_count int := 0;
begin
  for v_paused in
    select p.person_id, p.path, e.id, b.name as business, format('resume:%s:%s', e.id, e.resume_on) as key
    from public.engagements e
    join public.businesses b on b.id = e.business_id
    cross join lateral (values
      (e.owner_id, '/dashboard/coaching'), (e.coach_id, '/dashboard/coaching/' || e.id)
    ) as p (person_id, path)
    where e.closed_at is null and e.state = 'paused' and e.resume_on <= private.coaching_day()
      and p.person_id is not null
      and not exists (
        select from public.notifications n
        where n.user_id = p.person_id and n.key = format('resume:%s:%s', e.id, e.resume_on)
      )
    order by e.id, p.path limit 1000
  loop
    if private.notify(
      v_paused.person_id, 'reminder', v_paused.key,
      'The pause of coaching for ' || v_paused.business || ' ends today',
      'Pick it up again, or agree on another date.', v_paused.path, 'Open coaching'
    ) then
      v_count := v_count + 1;
    end if;
  end loop;
  return v_count;
end
$$;
comment on function private.remind_of_pauses() is
  'Notifies owner and coach, once, that a pause is over; it lasts until one of them picks coaching up again. How many.';

create function private.run_coaching_clocks() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'lapsed', private.lapse_requests(),
    'sessions', private.remind_of_sessions(),
    'refreshed', private.refresh_clocks(),
    'resumed', private.remind_of_pauses(),
    'reminded', private.remind_of_steps()
  );
end
$$;
comment on function private.run_coaching_clocks() is
  'What happens in coaching because time passes: {lapsed, sessions (what was done about these), refreshed, resumed, reminded}.';
insert into private.jobs (kind, every) values ('run_coaching_clocks', interval '10 minutes');

-- The clock of an engagement: the one thing that has to happen next, and by when.
--
--   assign    requested: someone is asked
--   accept    assigned: the coach says yes or no
--   contact   accepted: the coach gets in touch
--   pick      the owner chooses one of the times that the coach offered
--   session   a session takes place
--   write_up  the coach closes a session that has ended
--   plan      coach and owner agree on a next session
--   resume    paused: they go on

create function private.session_clock(
  p_engagement public.engagements, out due_what text, out due_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_rules private.coaching_rules;
  v_ended timestamptz;
  v_begun boolean;
  v_last timestamptz;
begin
  select * into strict v_rules from private.coaching_rules r;
  select min(s.starts_at + make_interval(mins => s.minutes)) into v_ended
  from public.coaching_sessions s
  where s.engagement_id = p_engagement.id and s.coach_id = p_engagement.coach_id
    and s.state = 'scheduled' and s.starts_at + make_interval(mins => s.minutes) <= now();
  if v_ended is not null then
    due_what := 'write_up';
    due_at := private.business_day_end(v_ended, v_rules.write_up_days);
    return;
  end if;

  select n.what, n.at into due_what, due_at
  from (
    select 'session' as what, s.starts_at as at from public.coaching_sessions s
    where s.engagement_id = p_engagement.id and s.coach_id = p_engagement.coach_id
      and s.state = 'scheduled'
    union all
    select 'pick', (select min(t) from unnest(o.times) t) from public.session_offers o
    where o.engagement_id = p_engagement.id and o.coach_id = p_engagement.coach_id
      and o.state = 'open'
  ) n
  order by n.at, n.what limit 1;
  if found then
    return;
  end if;

  v_begun := p_engagement.state = 'active' or exists (
    select from public.contact_attempts c
    where c.engagement_id = p_engagement.id and c.at >= p_engagement.accepted_at
  ) or exists (
    select from public.session_offers o
    where o.engagement_id = p_engagement.id and o.created_at >= p_engagement.accepted_at
  ) or exists (
    select from public.coaching_sessions s
    where s.engagement_id = p_engagement.id and s.created_at >= p_engagement.accepted_at
  );
  if not v_begun then
    due_what := 'contact';
    due_at := private.business_day_end(coalesce(p_engagement.accepted_at, p_engagement.state_since), v_rules.contact_days);
    return;
  end if;
  select greatest(p_engagement.state_since, p_engagement.assigned_at, (
    select max(s.starts_at + make_interval(mins => s.minutes)) from public.coaching_sessions s
    where s.engagement_id = p_engagement.id and s.state in ('completed', 'no_show')
  ), (
    select max(c.at) from public.contact_attempts c where c.engagement_id = p_engagement.id
  )) into v_last;
  due_what := 'plan';
  due_at := private.stale_after(v_last);
end
$$;
comment on function private.session_clock(public.engagements) is
  'What has to happen next in an engagement that''s accepted or active, and by when.';

create function private.clock_of(
  p_engagement public.engagements, out due_what text, out due_at timestamptz
)
language plpgsql stable security definer set search_path = '' as $$
begin
  case p_engagement.state
    when 'requested' then
      due_what := 'assign';
      due_at := private.business_day_end(p_engagement.state_since, r.assign_days)
        from private.coaching_rules r;
    when 'assigned' then
      due_what := 'accept';
      due_at := private.business_day_end(p_engagement.assigned_at, r.accept_days)
        from private.coaching_rules r;
    when 'paused' then
      due_what := 'resume';
      due_at := private.day_end(p_engagement.resume_on);
    when 'accepted', 'active' then
      select c.due_what, c.due_at into due_what, due_at from private.session_clock(p_engagement) c;
    else null;
  end case;
end
$$;
comment on function private.clock_of(public.engagements) is
  'What has to happen next in an engagement, and by when; null once it has ended.';

create function private.set_clock(p_engagement_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.engagements e set due_what = c.due_what, due_at = c.due_at
  from public.engagements own cross join lateral private.clock_of(own) c
  where own.id = p_engagement_id and e.id = own.id
    and (e.due_what, e.due_at) is distinct from (c.due_what, c.due_at);
end
$$;
comment on function private.set_clock(uuid) is
  'Updates what has to happen next in an engagement, after something that it depends on. Lock the engagement before that.';

create function private.move_clock() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.set_clock(new.engagement_id);
  return null;
end
$$;
comment on function private.move_clock() is
  'Trigger of what an engagement''s clock depends on: sessions, offers, attempts to reach the owner.';
create trigger contact_attempts_move_the_clock after insert on public.contact_attempts
  for each row execute function private.move_clock();

create function private.is_late(p_engagement public.engagements) returns boolean
language sql stable set search_path = '' as $$
  -- A session that's taking place isn't late.
  select coalesce(p_engagement.due_at < now() and p_engagement.due_what <> 'session', false)
$$;
comment on function private.is_late(public.engagements) is
  'Whether what has to happen next in an engagement should have happened by now.';

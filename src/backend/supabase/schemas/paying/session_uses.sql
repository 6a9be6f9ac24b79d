-- Session uses: which grant each session used. A session that took place uses one, and so does one
-- that the owner missed without notice; a canceled one uses none, and a coach or an admin can waive
-- one, such as when the coach wasn't a good fit.

create function private.use_session() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_business_id uuid;
  v_grant_id uuid;
begin
  if not new.uses_one or exists (select from public.session_uses u where u.session_id = new.id) then
    return null;
  end if;
  select e.business_id into v_business_id from public.engagements e where e.id = new.engagement_id;
  perform private.one_at_a_time('sessions', v_business_id);
  select g.id into v_grant_id
  from private.grants_of(v_business_id) g
  where g.sessions > g.used and g.starts_at <= greatest(now(), new.starts_at)
    and g.ends_at > least(now(), new.starts_at)
  -- What was good on the day of the session before what came since; then what ends first.
  order by (g.starts_at <= new.starts_at and g.ends_at > new.starts_at) desc, g.is_held, g.ends_at, g.id
  limit 1;
  insert into public.session_uses (session_id, grant_id) values (new.id, v_grant_id);
  return null;
end
$$;
create trigger coaching_sessions_use_what_was_bought after insert or update of state
  on public.coaching_sessions for each row execute function private.use_session();

create function public.waive_session(p_session_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_session public.coaching_sessions;
  v_engagement public.engagements;
  v_reason text := private.require_reason(p_reason);
begin
  select * into v_session from public.coaching_sessions s where s.id = p_session_id;
  select * into v_engagement from public.engagements e where e.id = v_session.engagement_id for update;
  if not (
    private.is_admin() or v_session.coach_id = v_user_id and private.runs(v_engagement, v_user_id)
  ) is true then
    raise exception 'We can’t find this session.' using errcode = 'P0002', hint = 'session_id';
  end if;
  if not exists (select from public.session_uses u where u.session_id = p_session_id) then
    raise exception 'This session hasn’t used anything.' using errcode = '55000';
  end if;
  update public.session_uses u
  set waived_at = now(), waive_reason = left(v_reason, 500), waived_by = v_user_id
  where u.session_id = p_session_id and u.waived_at is null;
  if found then
    perform private.audit('session.waive', 'session', p_session_id::text, v_reason);
    perform private.notify(
      v_engagement.owner_id, 'session', 'waived:' || p_session_id, 'A session doesn’t count',
      'We’ve given back the session on '
        || private.when_words(v_session.starts_at, v_engagement.owner_id) || '. You can use it again.',
      '/dashboard/coaching', 'Your coaching'
    );
  end if;
  return private.sessions_left_json(v_engagement.business_id);
end
$$;
comment on function public.waive_session(uuid, text) is
  'The coach of a session, or an admin, gives back what it used, with a reason; what the business has left, as private.sessions_left_json. Again, it changes nothing.';
grant execute on function public.waive_session(uuid, text) to authenticated;

-- People as admins see them: the list, one person with what belongs to them, and what an admin can
-- do about an account. Answers, results, messages and private notes aren't part of it.

create index profiles_created_at_idx on public.profiles (created_at, user_id);
create index profiles_full_name_idx on public.profiles (full_name collate private.by_name, user_id);

create function public.admin_people(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_by_name constant boolean := coalesce(p_filter ->> 'sort' = 'name', false);
  v_words constant tsquery := private.name_query(p_filter ->> 'words');
  v_state constant tsquery := private.account_query(p_filter ->> 'state');
begin
  perform private.require_admin();
  perform private.audit('person.list', 'user', null, null, p_filter);
  return private.list_page(
    $from$
      (
        select p.user_id as id, p.full_name, p.created_at, w.words
        from public.profiles p join private.person_words w on w.user_id = p.user_id
      ) r
    $from$,
    $row$
      (
        select jsonb_build_object(
          'name', r.full_name, 'email', u.email, 'role', private.role_of(r.id),
          'state', private.account_state(r.id), 'joined_at', r.created_at,
          'seen_at', u.last_sign_in_at,
          'businesses', (
            select coalesce(jsonb_agg(
              jsonb_build_object('id', b.id, 'name', b.name) order by m.joined_at, b.id
            ), '[]')
            from public.business_members m
            join public.businesses b on b.id = m.business_id
            where m.user_id = r.id
          )
        )
        from auth.users u where u.id = r.id
      )
    $row$,
    array[
      case p_filter ->> 'role'
        when 'owner' then 'not exists (select from public.staff_roles s where s.user_id = r.id)'
        when 'coach' then 'r.id = any (array(select s.user_id from public.staff_roles s where s.role = ''coach''))'
        when 'admin' then 'r.id = any (array(select s.user_id from public.staff_roles s where s.role = ''admin''))'
      end,
      case when p_filter ->> 'state' = 'active' then
        $where$not r.words @@ '''=unconfirmed'' | ''=leaving'' | ''=blocked'''::tsquery$where$
      end
    ],
    case when v_by_name then 'r.full_name collate private.by_name' else 'r.created_at' end,
    case when v_by_name then 'text' else 'timestamptz' end,
    coalesce(p_filter ->> 'sort', 'newest') = 'newest',
    p_filter, p_place, p_limit, coalesce(v_words && v_state, v_words, v_state)
  );
end
$$;
comment on function public.admin_people(jsonb, jsonb, int) is
  'A page of people by {words (of a name, email or business), role, state, sort ("newest", "oldest", "name")}; see list_page.';

create function public.admin_person(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user auth.users;
begin
  perform private.require_admin();
  select * into v_user from auth.users u where u.id = p_id;
  if not found then
    return null;
  end if;
  perform private.audit('person.read', 'user', p_id::text);
  return (
    select jsonb_build_object(
      'id', p.user_id, 'name', p.full_name, 'preferred_name', p.preferred_name, 'phone', p.phone,
      'time_zone', p.time_zone, 'languages', p.languages,
      'email', v_user.email, 'new_email', nullif(v_user.email_change, ''),
      'joined_at', p.created_at, 'confirmed_at', v_user.email_confirmed_at,
      'seen_at', v_user.last_sign_in_at, 'state', private.account_state(p.user_id),
      'deletion_due_at', (select d.due_at from public.account_deletions d where d.user_id = p_id),
      'role', private.role_of(p_id),
      'role_since', (select s.granted_at from public.staff_roles s where s.user_id = p_id),
      'coach', case when private.role_of(p_id) = 'coach' then private.coach_profile_json(p_id) end,
      'skill_areas', (
        select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
        from public.skill_areas a
      ),
      'sessions', (select count(*) from auth.sessions s where s.user_id = p_id),
      'second_factor', exists (
        select from auth.mfa_factors f where f.user_id = p_id and f.status = 'verified'
      ),
      'businesses', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', b.id, 'name', b.name, 'role', m.role, 'archived', b.archived_at is not null
        ) order by m.joined_at, b.id), '[]')
        from public.business_members m
        join public.businesses b on b.id = m.business_id
        where m.user_id = p_id
      ),
      -- How many and when, and nothing of what was answered.
      'attempts', (
        select jsonb_build_object(
          'open', count(*) filter (where t.state = 'in_progress'),
          'finished', count(*) filter (where t.state = 'submitted'),
          'latest_at', max(t.submitted_at)
        )
        from public.attempts t where t.user_id = p_id
      ),
      'coaching', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', e.id, 'state', e.state, 'requested_at', e.requested_at,
          'business', (select b.name from public.businesses b where b.id = e.business_id),
          'owner', (select o.full_name from public.profiles o where o.user_id = e.owner_id),
          'coach', (select c.full_name from public.profiles c where c.user_id = e.coach_id)
        ) order by e.requested_at desc, e.id), '[]')
        from (
          select * from public.engagements x
          where x.owner_id = p_id or x.coach_id = p_id
          order by x.requested_at desc, x.id limit 50
        ) e
      ),
      'orders', private.orders_of(null, p_id),
      'contact', (
        select jsonb_build_object('id', c.id, 'messages', c.messages, 'consent', c.newsletter)
        from public.contacts c where c.user_id = p_id
      ),
      'reports', (
        select count(*) from public.message_reports x where x.author_id = p_id
      )
    )
    from public.profiles p where p.user_id = p_id
  );
end
$$;
comment on function public.admin_person(uuid) is
  'One person as an admin sees them: the account, profile, role, businesses, coaching, orders, contact, and how many quizzes and reports; null if there''s no such account.';

-- What an admin can do about an account ---------------------------------------------------------

create function private.require_other_person(p_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if not exists (select from auth.users u where u.id = p_id) then
    raise exception 'We can’t find this account.' using errcode = 'P0002', hint = 'id';
  end if;
  if p_id = auth.uid() then
    raise exception 'This is your own account. Ask another admin.' using errcode = '55000';
  end if;
end
$$;
comment on function private.require_other_person(uuid) is
  'An error unless the account exists (P0002) and isn''t the caller''s own (55000).';

create function public.end_sessions(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_count int;
begin
  perform private.require_other_person(p_id);
  delete from auth.sessions s where s.user_id = p_id;
  get diagnostics v_count = row_count;
  perform private.audit(
    'session.end', 'user', p_id::text, v_reason, jsonb_build_object('count', v_count)
  );
  return jsonb_build_object('ended', v_count);
end
$$;
comment on function public.end_sessions(uuid, text) is
  'An admin signs someone out everywhere: {ended}.';

create function public.set_blocked(p_id uuid, p_blocked boolean, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
begin
  perform private.require_other_person(p_id);
  if p_blocked is null then
    raise exception 'Say whether to block the account.' using errcode = '22023', hint = 'blocked';
  end if;
  -- They don't become an admin at this moment.
  lock table public.staff_roles in share mode;
  -- A blocked admin can't help anyone, and nobody would know who else may do what they did.
  if p_blocked and private.role_of(p_id) = 'admin' then
    raise exception 'They’re an admin. Remove that role first.' using errcode = '55000';
  end if;
  update auth.users u
  set banned_until = case when p_blocked then now() + interval '100 years' end
  where u.id = p_id;
  if p_blocked then
    delete from auth.sessions s where s.user_id = p_id;
    perform private.free_clients(p_id, 'Their account was blocked.');
  end if;
  perform private.audit(
    case when p_blocked then 'account.block' else 'account.unblock' end,
    'user', p_id::text, v_reason
  );
  return jsonb_build_object('state', private.account_state(p_id));
end
$$;
comment on function public.set_blocked(uuid, boolean, text) is
  'An admin blocks an account, which ends its sessions, refuses new ones and finds another coach for their clients, or lets the person in again: {state}.';

create function public.resend_confirmation(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
begin
  perform private.require_other_person(p_id);
  if private.account_state(p_id) <> 'unconfirmed' then
    raise exception 'They’ve already confirmed their email.' using errcode = '55000';
  end if;
  perform private.require_rate_limit(
    'resend-confirmation:' || p_id, 3, interval '1 day',
    'They got this email three times within a day. Try again %s.'
  );
  perform private.audit('confirmation.resend', 'user', p_id::text, v_reason);
  return jsonb_build_object('email', (select u.email from auth.users u where u.id = p_id));
end
$$;
comment on function public.resend_confirmation(uuid, text) is
  'An admin lets someone have the email that confirms their address again, at most three times a day: {email}. Supabase Auth sends it, when the client asks it to.';

create function public.reset_second_factor(p_id uuid, p_check text, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_count int;
begin
  perform private.require_other_person(p_id);
  if p_check is null or p_check not in ('in-person', 'video', 'callback') then
    raise exception 'Say how you made sure it’s them.' using errcode = '22023', hint = 'check';
  end if;
  v_count := private.forget_second_factor(
    (select u.email from auth.users u where u.id = p_id), v_reason,
    jsonb_build_object('check', p_check)
  );
  if v_count = 0 then
    raise exception 'They don’t use two-step sign-in.' using errcode = '55000';
  end if;
  return jsonb_build_object('removed', v_count);
end
$$;
comment on function public.reset_second_factor(uuid, text, text) is
  'An admin turns off two-step sign-in for someone who lost every authenticator app, after checking who they are ("in-person", "video", "callback"): {removed}. Ends their sessions and emails them.';

grant execute on function
  public.admin_people(jsonb, jsonb, int), public.admin_person(uuid), public.end_sessions(uuid, text),
  public.set_blocked(uuid, boolean, text), public.resend_confirmation(uuid, text),
  public.reset_second_factor(uuid, text, text)
to authenticated;

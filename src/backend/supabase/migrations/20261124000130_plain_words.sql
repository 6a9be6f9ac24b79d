-- Messages, emails and comments in plain American English. Nothing else about the functions changes:
-- each is as in schemas/, with `create or replace`.

create or replace function private.session_ok() returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  -- An error and not false: nobody should take an empty list for the truth, or a refused answer
  -- for one that is not wanted. The REST interface makes it status 401.
  if not private.session_open() then
    raise exception 'Your session has ended. Sign in again.' using errcode = 'PT401';
  end if;
  return private.second_factor(auth.uid()) <> 'required';
end
$$;

create or replace function private.require_session() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
begin
  if v_user_id is null then
    raise exception 'Sign in to do this.' using errcode = '42501';
  end if;
  if not private.session_ok() then
    raise exception 'Enter the code from your authenticator app first.' using errcode = '42501';
  end if;
  return v_user_id;
end
$$;

create or replace function private.check_file(p_bucket text, p_name text, p_type text, p_size int) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_bucket storage.buckets;
begin
  select * into strict v_bucket from storage.buckets b where b.id = p_bucket;
  if private.clean_line(p_name, 200) is null then
    raise exception 'A file needs a name.' using errcode = '22023', hint = 'name';
  end if;
  if p_size is null or p_size < 1 then
    raise exception 'This file is empty.' using errcode = '22023', hint = 'size';
  end if;
  if p_size > v_bucket.file_size_limit then
    raise exception 'A file can be up to % MB.', v_bucket.file_size_limit / 1048576
      using errcode = '22023', hint = 'size';
  end if;
  if (p_type = any (v_bucket.allowed_mime_types)) is not true then
    raise exception 'We can’t accept this kind of file.' using errcode = '22023', hint = 'type';
  end if;
end
$$;

create or replace function private.check_transition() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_from text := case when tg_op = 'UPDATE' then to_jsonb(old) ->> tg_argv[1] end;
  v_to text := to_jsonb(new) ->> tg_argv[1];
begin
  if v_from is distinct from v_to and not exists (
    select from private.transitions t
    where t.entity = tg_argv[0] and t.from_state is not distinct from v_from and t.to_state = v_to
  ) then
    raise exception '%', case
      when v_from is null then format('A new %s can’t be %s.', tg_argv[0], v_to)
      else format('The %s can’t go from %s to %s.', tg_argv[0], v_from, v_to)
    end using errcode = '55000', hint = tg_argv[1];
  end if;
  return new;
end
$$;

create or replace function private.replay_jobs(p_id uuid) returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_count bigint;
begin
  update private.jobs j
  set state = 'waiting', attempts = 0, failing_since = null, awaits_service = false,
    run_at = now(), last_error = null, finished_at = null
  where j.state = 'failed' and (p_id is null or j.id = p_id);
  get diagnostics v_count = row_count;
  if p_id is not null and v_count = 0 then
    raise exception 'There’s no failed job with this id.' using errcode = 'P0002', hint = 'id';
  end if;
  perform pg_catalog.pg_notify('jobs', '');
  perform private.audit('job.replay', 'job', p_id::text, null, jsonb_build_object('count', v_count));
  return v_count;
end
$$;

create or replace function private.send_mail(
  p_to text, p_template text, p_data jsonb default '{}', p_expires_at timestamptz default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_goes boolean := not private.mail_is_limited(p_to, p_template);
begin
  if char_length(p_to) not between 3 and 320 then
    raise exception 'This isn’t an email address.' using errcode = '22023', hint = 'to';
  end if;
  -- Refused in silence: a sentence would tell strangers what else an address was sent today.
  insert into private.jobs (kind, payload, secret, expires_at, state, last_error, finished_at) values (
    'mail', jsonb_build_object('to', p_to, 'template', p_template),
    case when v_goes then p_data else '{}' end, p_expires_at,
    case when v_goes then 'waiting' else 'dropped' end,
    case when not v_goes then 'This mailbox has reached its limit for today.' end,
    case when not v_goes then now() end
  );
  return v_goes;
end
$$;

create or replace function private.require_admin() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if not private.is_admin() then
    raise exception 'Only an admin can do this.' using errcode = '42501';
  end if;
  return v_user_id;
end
$$;

create or replace function public.set_staff_role(p_user_id uuid, p_role text, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before text;
begin
  if p_role is not null and p_role not in ('coach', 'admin') then
    raise exception 'A role is coach, admin or none.' using errcode = '22023', hint = 'role';
  end if;
  if not exists (select from auth.users u where u.id = p_user_id) then
    raise exception 'We can’t find this account.' using errcode = 'P0002', hint = 'user_id';
  end if;

  -- Two admins who remove each other at once would leave none.
  lock table public.staff_roles in share row exclusive mode;
  v_before := private.role_of(p_user_id);
  if v_before = 'admin' and p_role is distinct from 'admin'
    and not exists (select from public.staff_roles s where s.role = 'admin' and s.user_id <> p_user_id)
  then
    raise exception 'They’re the last admin. Make someone else an admin first.' using errcode = '55000';
  end if;

  if p_role is null then
    delete from public.staff_roles s where s.user_id = p_user_id;
  else
    insert into public.staff_roles as s (user_id, role, granted_by)
    values (p_user_id, p_role, v_admin_id)
    on conflict (user_id) do update
      set role = excluded.role, granted_by = excluded.granted_by, granted_at = now()
      where s.role <> excluded.role;
  end if;

  perform private.audit(
    'staff_role.set', 'user', p_user_id::text, v_reason,
    jsonb_build_object('before', v_before, 'after', private.role_of(p_user_id))
  );
  return jsonb_build_object('user_id', p_user_id, 'role', private.role_of(p_user_id));
end
$$;

create or replace function private.make_admin(p_email text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid;
begin
  select u.id into v_user_id from auth.users u where lower(u.email) = lower(btrim(p_email));
  if v_user_id is null then
    raise exception 'There’s no account with the address %.', p_email using errcode = 'P0002', hint = 'email';
  end if;
  insert into public.staff_roles (user_id, role) values (v_user_id, 'admin')
  on conflict (user_id) do update set role = 'admin', granted_by = null, granted_at = now();
  perform private.audit('staff_role.set', 'user', v_user_id::text, 'named on the server',
    jsonb_build_object('after', 'admin'));
  return v_user_id;
end
$$;

create or replace function private.keep_snapshot() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- The one change there is: an account is deleted and its name leaves the figures.
  if tg_op = 'UPDATE' and new.created_by is null
    and to_jsonb(new) - 'created_by' = to_jsonb(old) - 'created_by'
  then
    return new;
  end if;
  raise exception 'Figures can’t be changed or removed. Add new ones instead.' using errcode = '55000';
end
$$;

create or replace function private.require_unarchived(p_business_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from public.businesses b where b.id = p_business_id and b.archived_at is not null
  ) then
    raise exception 'This business is archived. Restore it before you change anything.'
      using errcode = '55000', hint = 'business_id';
  end if;
end
$$;

create or replace function private.require_member(p_business_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_business_id is null or p_business_id not in (select private.my_business_ids()) then
    raise exception 'You don’t belong to this business.'
      using errcode = '42501', hint = 'business_id';
  end if;
  perform private.require_unarchived(p_business_id);
end
$$;

create or replace function public.create_business(
  p_id uuid,
  p_name text,
  p_trading text default null,
  p_postal_code text default null,
  p_help_wanted text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_name text := private.clean_line(p_name, 10000);
  v_found record;
begin
  perform private.one_at_a_time('businesses', v_user_id);

  select b.id, b.name, b.created_by into v_found from public.businesses b where b.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.created_by is distinct from v_user_id then
      raise exception 'This business already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'name', v_found.name);
  end if;

  if p_id is null then
    raise exception 'A business needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_name is null or char_length(v_name) > 120 then
    raise exception 'Give the business a name of 1 to 120 characters.'
      using errcode = '22023', hint = 'name';
  end if;
  if p_trading not in ('trading', 'not-yet') then
    raise exception 'Say whether the business is open yet.'
      using errcode = '22023', hint = 'trading';
  end if;
  if char_length(p_postal_code) > 16 then
    raise exception 'Keep it to 16 characters.'
      using errcode = '22023', hint = 'postal_code';
  end if;
  if char_length(p_help_wanted) > 2000 then
    raise exception 'Keep it to 2,000 characters.' using errcode = '22023', hint = 'help_wanted';
  end if;

  insert into public.businesses (id, name, trading, postal_code, help_wanted, created_by)
  values (
    p_id, v_name, p_trading, private.clean_line(p_postal_code, 16),
    nullif(btrim(p_help_wanted, e' \t\r\n'), ''), v_user_id
  );
  insert into public.business_members (business_id, user_id, role)
  values (p_id, v_user_id, 'owner');
  return jsonb_build_object('id', p_id, 'name', v_name);
end
$$;

create or replace function private.guard_quiz_version() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'draft' then
      raise exception 'A quiz version starts as a draft.' using errcode = '55000';
    end if;
    return new;
  end if;

  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'A published version of the quiz can’t be removed.' using errcode = '55000';
    end if;
    return old;
  end if;

  if old.state = 'draft' and new.state = 'draft' then
    return new;
  end if;

  if old.state = 'draft' and new.state = 'published' then
    if not exists (select from public.quiz_version_areas a where a.version_id = new.id)
      or exists (
        select from public.quiz_version_areas a
        where a.version_id = new.id
          and (
            select count(*) < 2 or count(*) filter (where q.first_look) <> 1
            from public.quiz_questions q
            where q.version_id = a.version_id and q.area_key = a.area_key
          )
      )
    then
      raise exception 'Each area needs two questions, one of them in the first look.'
        using errcode = '22023', hint = 'questions';
    end if;
    update public.quiz_versions v set state = 'retired' where v.state = 'published';
    new.published_at := now();
    return new;
  end if;

  if old.state = 'published' and new.state = 'retired'
    and to_jsonb(new) - 'state' = to_jsonb(old) - 'state'
  then
    return new;
  end if;

  raise exception 'A published version of the quiz can’t change.' using errcode = '55000';
end
$$;

create or replace function private.guard_quiz_words() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_version_id uuid := case when tg_op = 'DELETE' then old.version_id else new.version_id end;
  v_state text;
begin
  if tg_op = 'UPDATE' and new.version_id <> old.version_id then
    raise exception 'A question stays in its version.' using errcode = '55000';
  end if;
  -- The lock makes publishing wait for a change that is under way, and the other way round. A
  -- version that is gone is being removed as a draft, with all that is in it.
  select v.state into v_state from public.quiz_versions v where v.id = v_version_id for share;
  if v_state <> 'draft' then
    raise exception 'A published version of the quiz can’t change.' using errcode = '55000';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end
$$;

create or replace function public.request_coaching(
  p_id uuid,
  p_business_id uuid,
  p_note text default null,
  p_areas text[] default '{}',
  p_share_results boolean default false
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found record;
begin
  perform private.one_at_a_time('engagements', v_user_id);

  select e.id, e.owner_id, e.state into v_found from public.engagements e where e.id = p_id;
  if found then
    if v_found.owner_id is distinct from v_user_id then
      raise exception 'This request already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;

  if p_id is null then
    raise exception 'A request needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.require_member(p_business_id);
  if char_length(p_note) > 2000 then
    raise exception 'Keep the note to 2,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if exists (
    select from unnest(p_areas) as chosen (key)
    where not exists (select from public.skill_areas s where s.key = chosen.key)
  ) then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'areas';
  end if;
  if exists (
    select from public.engagements e
    where e.owner_id = v_user_id and e.business_id = p_business_id
      and e.closed_at is null
  ) then
    raise exception 'You’ve already asked for a coach for this business.'
      using errcode = '23505', hint = 'business_id';
  end if;

  insert into public.engagements (id, business_id, owner_id, areas, note, results_shared)
  values (
    p_id, p_business_id, v_user_id,
    array(select distinct key from unnest(p_areas) as chosen (key) order by key),
    nullif(btrim(p_note), ''), coalesce(p_share_results, false)
  );
  return jsonb_build_object('id', p_id, 'state', 'requested');
end
$$;

create or replace function public.assign_coach(p_engagement_id uuid, p_coach_id uuid, p_reason text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_before record;
begin
  select e.id, e.closed_at, e.coach_id, e.owner_id into v_before
  from public.engagements e where e.id = p_engagement_id for update;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- They stay a coach until this is done.
  perform private.one_at_a_time('coach', p_coach_id);
  if private.role_of(p_coach_id) <> 'coach' then
    raise exception 'Choose someone who’s a coach.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.owner_id = p_coach_id then
    raise exception 'People can’t coach themselves.' using errcode = '22023', hint = 'coach_id';
  end if;
  if v_before.closed_at is not null then
    raise exception 'This coaching has ended.' using errcode = '55000';
  end if;

  if v_before.coach_id is distinct from p_coach_id then
    -- The trigger that records the step reads the reason from here.
    perform set_config('trellis.reason', v_reason, true);
    update public.engagements e
    set coach_id = p_coach_id,
      state = case when e.state = 'requested' then 'assigned' else e.state end
    where e.id = p_engagement_id;
    perform set_config('trellis.reason', '', true);
    perform private.audit(
      'engagement.assign', 'engagement', p_engagement_id::text, v_reason,
      jsonb_build_object('before', v_before.coach_id, 'after', p_coach_id)
    );
  end if;
  return (
    select jsonb_build_object('id', e.id, 'state', e.state, 'coach_id', e.coach_id)
    from public.engagements e where e.id = p_engagement_id
  );
end
$$;

create or replace function public.set_results_shared(p_engagement_id uuid, p_shared boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_shared is null then
    raise exception 'Say whether to share the results.' using errcode = '22023', hint = 'shared';
  end if;
  update public.engagements e set results_shared = p_shared
  where e.id = p_engagement_id and e.owner_id = v_user_id;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  return jsonb_build_object('id', p_engagement_id, 'results_shared', p_shared);
end
$$;

create or replace function public.withdraw_coaching(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_before record;
begin
  select e.state, e.coach_id, b.name as business into v_before
  from public.engagements e join public.businesses b on b.id = e.business_id
  where e.id = p_engagement_id and e.owner_id = v_user_id
  for update of e;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- Sent again after a lost answer, it is done already.
  if v_before.state <> 'withdrawn' then
    if not private.may_step('engagement', v_before.state, 'withdrawn', 'owner') then
      raise exception 'This coaching has already ended.' using errcode = '55000';
    end if;
    update public.engagements e set state = 'withdrawn' where e.id = p_engagement_id;
    if v_before.coach_id is not null then
      perform private.notify_person(
        v_before.coach_id, v_before.business || ' has withdrawn from coaching',
        coalesce(private.name_of(v_user_id), 'The owner') || ' has withdrawn from coaching for '
          || v_before.business || '. You can’t open the business or its results anymore.',
        'You’re getting this email because you were the coach.', 'Your clients', '/dashboard/coaching'
      );
    end if;
  end if;
  return jsonb_build_object('id', p_engagement_id, 'state', 'withdrawn');
end
$$;

create or replace function private.guard_attempt() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'An attempt is never removed.' using errcode = '55000';
  end if;

  if tg_op = 'INSERT' then
    if exists (
      select from public.quiz_versions v where v.id = new.version_id and v.state = 'draft'
    ) then
      raise exception 'A draft of the quiz can’t be taken.' using errcode = '55000';
    end if;
    return new;
  end if;

  if new.id <> old.id or new.version_id <> old.version_id or new.kind <> old.kind
    or (new.user_id is distinct from old.user_id and new.user_id is not null)
    or (new.business_id is distinct from old.business_id and old.business_id is not null)
  then
    raise exception 'An attempt stays with its person, business and version.'
      using errcode = '55000';
  end if;

  if new.overall_score is distinct from old.overall_score
    and (old.state, new.state) is distinct from ('in_progress', 'submitted')
  then
    raise exception 'A score is computed once.' using errcode = '55000';
  end if;
  if new.state = 'expired' and old.state <> 'expired' and new.expires_at > now() then
    raise exception 'An attempt expires when its time is over.' using errcode = '55000';
  end if;
  return new;
end
$$;

create or replace function private.guard_reply() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_attempt record;
begin
  if tg_op = 'DELETE' then
    raise exception 'Answers are never removed.' using errcode = '55000';
  end if;
  if tg_op = 'UPDATE' and (
    new.attempt_id <> old.attempt_id or new.version_id <> old.version_id
    or tg_table_name = 'answers'
      and to_jsonb(new) ->> 'question_key' <> to_jsonb(old) ->> 'question_key'
    or tg_table_name = 'attempt_confidences'
      and to_jsonb(new) ->> 'area_key' <> to_jsonb(old) ->> 'area_key'
  ) then
    raise exception 'An answer stays with its question.' using errcode = '55000';
  end if;

  -- The lock settles the race with finish_attempt: an answer is either in before the score is
  -- computed, or refused.
  select a.user_id, a.state, a.expires_at into v_attempt
  from public.attempts a where a.id = new.attempt_id for share;
  if found and (v_attempt.state <> 'in_progress' or v_attempt.expires_at <= now())
    -- Whose attempt it is not learns nothing about it: the policy refuses.
    and (auth.uid() is null or auth.uid() = v_attempt.user_id)
  then
    raise exception 'This quiz is closed, so its answers can’t change anymore.'
      using errcode = '55000';
  end if;
  return new;
end
$$;

create or replace function public.start_attempt(p_id uuid, p_version_id uuid, p_business_id uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_owner_id uuid;
  v_business_id uuid;
begin
  perform private.one_at_a_time('attempts', v_user_id);

  select t.user_id into v_owner_id from public.attempts t where t.id = p_id;
  if found then
    if v_owner_id is distinct from v_user_id then
      raise exception 'This attempt already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', p_id);
  end if;

  if p_id is null then
    raise exception 'An attempt needs an id.' using errcode = '22023', hint = 'id';
  end if;
  v_business_id := private.business_of_quiz(v_user_id, p_business_id);
  if not exists (
    select from public.quiz_versions v where v.id = p_version_id and v.state = 'published'
  ) then
    raise exception 'This isn’t the current version of the quiz.'
      using errcode = '22023', hint = 'version_id';
  end if;
  return jsonb_build_object(
    'id', private.open_attempt(p_id, v_user_id, p_version_id, v_business_id)
  );
end
$$;

create or replace function public.finish_attempt(p_attempt_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_attempt record;
begin
  select t.state, t.expires_at into v_attempt from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id
  for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  -- Sent twice: the second time reads what the first one computed.
  if v_attempt.state = 'submitted' then
    return public.get_attempt(p_attempt_id);
  end if;
  if v_attempt.state <> 'in_progress' or v_attempt.expires_at <= now() then
    raise exception 'This quiz is closed. Start a new one.' using errcode = '55000';
  end if;
  if not exists (select from public.answers n where n.attempt_id = p_attempt_id) then
    raise exception 'Answer at least one question first.' using errcode = '22023', hint = 'answers';
  end if;
  perform private.submit_attempt(p_attempt_id);
  return public.get_attempt(p_attempt_id);
end
$$;

create or replace function public.swap_recommendation(p_attempt_id uuid, p_position int, p_area_key text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_state text;
  v_area record;
begin
  select t.state into v_state from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id
  for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if v_state <> 'submitted' then
    raise exception 'Only results can be changed this way.' using errcode = '55000';
  end if;

  select c.* into v_area from private.candidates(p_attempt_id) c where c.area_key = p_area_key;
  if not found then
    raise exception 'Choose an area that has a score.' using errcode = '22023', hint = 'area_key';
  end if;
  if exists (
    select from public.recommendations r
    where r.attempt_id = p_attempt_id and r.area_key = p_area_key and r.position <> p_position
  ) then
    raise exception 'This area is already one of the three.'
      using errcode = '23505', hint = 'area_key';
  end if;

  update public.recommendations r
  set area_key = v_area.area_key, priority = v_area.priority,
    reason_question_key = v_area.reason_question_key, toolbox_slug = v_area.toolbox_slug,
    chosen_by = 'owner'
  where r.attempt_id = p_attempt_id and r.position = p_position and r.area_key <> p_area_key;
  if not found and not exists (
    select from public.recommendations r
    where r.attempt_id = p_attempt_id and r.position = p_position
  ) then
    raise exception 'There’s no recommendation in this place.'
      using errcode = '22023', hint = 'position';
  end if;
  return public.get_attempt(p_attempt_id);
end
$$;

create or replace function public.void_attempt(p_attempt_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_state text;
begin
  select t.state into v_state from public.attempts t where t.id = p_attempt_id for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if not private.may_step('attempt', v_state, 'voided', 'admin') then
    raise exception 'Only a submitted attempt can be voided.' using errcode = '55000';
  end if;
  update public.attempts t
  set state = 'voided', voided_at = now(), void_reason = v_reason, voided_by = v_admin_id
  where t.id = p_attempt_id;
  perform private.audit('attempt.void', 'attempt', p_attempt_id::text, v_reason);
  return jsonb_build_object('id', p_attempt_id, 'state', 'voided');
end
$$;

create or replace function private.read_answers(p_version_id uuid, p_kind text, p_answers jsonb)
returns table (question_key text, value smallint, applies boolean, answered_at timestamptz)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_kind is null or p_kind not in ('full', 'first_look') then
    raise exception 'A quiz is full or a first look.' using errcode = '22023', hint = 'kind';
  end if;
  if not exists (
    select from public.quiz_versions v where v.id = p_version_id and v.state <> 'draft'
  ) then
    raise exception 'We don’t know this version of the quiz.'
      using errcode = '22023', hint = 'version_id';
  end if;
  if p_answers is null or jsonb_typeof(p_answers) <> 'array'
    or jsonb_array_length(p_answers) not between 1 and 200
    or octet_length(p_answers::text) > 65536
  then
    raise exception 'We couldn’t read these answers.' using errcode = '22023', hint = 'answers';
  end if;

  begin
    return query
      select distinct on (given.question_key)
        given.question_key, given.value, given.applies,
        least(coalesce(given.answered_at, now()), now())
      from jsonb_to_recordset(p_answers) as given (
        question_key text, value smallint, applies boolean, answered_at timestamptz
      )
      order by given.question_key, given.answered_at desc nulls last;
  exception when data_exception then
    raise exception 'We couldn’t read these answers.' using errcode = '22023', hint = 'answers';
  end;
end
$$;

create or replace function private.check_answers(p_version_id uuid, p_kind text, p_answers jsonb)
returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.read_answers(p_version_id, p_kind, p_answers) n
    left join public.quiz_questions q
      on q.version_id = p_version_id and q.key = n.question_key
    where q.key is null
      or p_kind = 'first_look' and not q.first_look
      or n.applies is distinct from (n.value is not null)
      or n.value not between 0 and 4
  ) then
    raise exception 'These answers don’t match the questions.'
      using errcode = '22023', hint = 'answers';
  end if;
end
$$;

create or replace function private.read_confidences(p_version_id uuid, p_confidences jsonb)
returns table (area_key text, rating smallint)
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_confidences is null then
    return;
  end if;
  if jsonb_typeof(p_confidences) <> 'array' or jsonb_array_length(p_confidences) > 50
    or octet_length(p_confidences::text) > 16384
  then
    raise exception 'We couldn’t read these ratings.' using errcode = '22023', hint = 'confidences';
  end if;
  begin
    return query
      select distinct on (given.area_key) given.area_key, given.rating
      from jsonb_to_recordset(p_confidences) as given (area_key text, rating smallint);
  exception when data_exception then
    raise exception 'We couldn’t read these ratings.' using errcode = '22023', hint = 'confidences';
  end;
end
$$;

create or replace function private.check_confidences(p_version_id uuid, p_confidences jsonb) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if exists (
    select from private.read_confidences(p_version_id, p_confidences) r
    left join public.quiz_version_areas a
      on a.version_id = p_version_id and a.area_key = r.area_key
    where a.area_key is null or r.rating is null or r.rating not between 1 and 5
  ) then
    raise exception 'These ratings don’t match the areas.'
      using errcode = '22023', hint = 'confidences';
  end if;
end
$$;

create or replace function private.adopt(
  p_id uuid,
  p_user_id uuid,
  p_version_id uuid,
  p_kind text,
  p_business_id uuid,
  p_answers jsonb,
  p_confidences jsonb
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_business_id uuid;
  v_first_look_id uuid;
  v_attempt_id uuid;
  v_open_version_id uuid;
begin
  if p_id is null then
    raise exception 'These answers need an id.' using errcode = '22023', hint = 'id';
  end if;
  v_business_id := private.business_of_quiz(p_user_id, p_business_id);
  perform private.check_answers(p_version_id, p_kind, p_answers);
  perform private.check_confidences(p_version_id, p_confidences);
  if exists (select from public.attempts t where t.id = p_id) then
    raise exception 'This attempt already exists.' using errcode = '23505', hint = 'id';
  end if;

  if p_kind = 'first_look' then
    -- The same first look may arrive twice, from the browser and by the link: it is one attempt.
    select t.id into v_first_look_id
    from public.attempts t
    where t.user_id = p_user_id and t.kind = 'first_look' and t.version_id = p_version_id
      and t.state = 'submitted' and t.business_id is not distinct from v_business_id
      and not exists (
        (
          select n.question_key, n.value, n.applies, n.answered_at
          from public.answers n where n.attempt_id = t.id
          except
          select * from private.read_answers(p_version_id, p_kind, p_answers)
        )
        union all
        (
          select * from private.read_answers(p_version_id, p_kind, p_answers)
          except
          select n.question_key, n.value, n.applies, n.answered_at
          from public.answers n where n.attempt_id = t.id
        )
      )
    limit 1;

    if v_first_look_id is null then
      v_first_look_id := p_id;
      insert into public.attempts (id, user_id, business_id, version_id, kind)
      values (p_id, p_user_id, v_business_id, p_version_id, 'first_look');
      insert into public.answers (
        attempt_id, version_id, question_key, value, applies, answered_at
      )
      select p_id, p_version_id, n.question_key, n.value, n.applies, n.answered_at
      from private.read_answers(p_version_id, p_kind, p_answers) n;
      insert into public.attempt_confidences (attempt_id, version_id, area_key, rating)
      select p_id, p_version_id, r.area_key, r.rating
      from private.read_confidences(p_version_id, p_confidences) r;
      perform private.submit_attempt(p_id);
    end if;
  end if;

  -- A full quiz stays with the version that was answered; the full quiz that a first look begins
  -- is the current one.
  v_attempt_id := private.open_attempt(
    case when p_kind = 'full' then p_id else gen_random_uuid() end,
    p_user_id,
    case when p_kind = 'full' then p_version_id else coalesce(
      (select v.id from public.quiz_versions v where v.state = 'published'), p_version_id
    ) end,
    v_business_id
  );
  select t.version_id into v_open_version_id from public.attempts t where t.id = v_attempt_id;

  -- Into an attempt of another version go the answers of questions that mean the same there. An
  -- answer that is there already stays.
  insert into public.answers (attempt_id, version_id, question_key, value, applies, answered_at)
  select v_attempt_id, v_open_version_id, n.question_key, n.value, n.applies, n.answered_at
  from private.read_answers(p_version_id, p_kind, p_answers) n
  join public.quiz_questions given
    on given.version_id = p_version_id and given.key = n.question_key
  join public.quiz_questions asked
    on asked.version_id = v_open_version_id and asked.key = given.key
    and asked.meaning = given.meaning
  on conflict (attempt_id, question_key) do nothing;

  if p_kind = 'full' then
    insert into public.attempt_confidences (attempt_id, version_id, area_key, rating)
    select v_attempt_id, v_open_version_id, r.area_key, r.rating
    from private.read_confidences(p_version_id, p_confidences) r
    join public.quiz_version_areas a
      on a.version_id = v_open_version_id and a.area_key = r.area_key
    on conflict (attempt_id, area_key) do nothing;
  end if;

  insert into public.attempt_adoptions (id, user_id, attempt_id, first_look_id)
  values (p_id, p_user_id, v_attempt_id, v_first_look_id);
  return jsonb_build_object('attempt_id', v_attempt_id, 'first_look_id', v_first_look_id);
end
$$;

create or replace function private.adopted(p_id uuid, p_user_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_adoption record;
begin
  select d.user_id, d.attempt_id, d.first_look_id into v_adoption
  from public.attempt_adoptions d where d.id = p_id;
  if not found then
    return null;
  end if;
  if v_adoption.user_id <> p_user_id then
    raise exception 'These answers are already in an account.' using errcode = '23505', hint = 'id';
  end if;
  return jsonb_build_object(
    'attempt_id', v_adoption.attempt_id, 'first_look_id', v_adoption.first_look_id
  );
end
$$;

create or replace function private.claim_hash(p_claim text) returns bytea
language plpgsql immutable set search_path = '' as $$
begin
  -- 32 random bytes in base64url are 43 characters.
  if p_claim is null or p_claim !~ '^[A-Za-z0-9_-]{43,128}$' then
    raise exception 'This isn’t a claim.' using errcode = '22023', hint = 'claim';
  end if;
  return sha256(convert_to(p_claim, 'UTF8'));
end
$$;

create or replace function public.store_claim(
  p_claim text,
  p_version_id uuid,
  p_kind text,
  p_answers jsonb,
  p_confidences jsonb default '[]'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_hash bytea := private.claim_hash(p_claim);
  v_address text := private.client_address();
  v_expires_at timestamptz;
begin
  perform private.check_answers(p_version_id, p_kind, p_answers);
  perform private.check_confidences(p_version_id, p_confidences);
  perform private.require_fair_share(
    'store_claim', v_address, private.network_of(v_address, 24, 48), 30, 2000, interval '1 hour',
    'That’s too many at once. Try again %s.'
  );

  -- What was understood of it, not all that was sent: nobody keeps other things here.
  insert into public.quiz_claims (claim_hash, version_id, kind, answers, confidences)
  values (
    v_hash, p_version_id, p_kind,
    (select jsonb_agg(to_jsonb(n)) from private.read_answers(p_version_id, p_kind, p_answers) n),
    (
      select coalesce(jsonb_agg(to_jsonb(r)), '[]')
      from private.read_confidences(p_version_id, p_confidences) r
    )
  )
  on conflict (claim_hash) do update
    set version_id = excluded.version_id, kind = excluded.kind, answers = excluded.answers,
      confidences = excluded.confidences, created_at = excluded.created_at,
      expires_at = excluded.expires_at
  returning expires_at into v_expires_at;
  return jsonb_build_object('expires_at', v_expires_at, 'key', encode(v_hash, 'hex'));
end
$$;

create or replace function public.invite_to_survey(p_engagement_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_survey_id uuid;
  v_address text;
  v_token text;
  v_goes boolean;
  v_id uuid;
begin
  perform private.require_admin();
  select s.id into v_survey_id from public.surveys s where s.state = 'open';
  if not found then
    raise exception 'There’s no open survey.' using errcode = '55000';
  end if;
  select u.email into v_address
  from public.engagements e join auth.users u on u.id = e.owner_id
  where e.id = p_engagement_id
    and (e.closed_at is null and e.state <> 'requested' or e.state = 'completed');
  if not found then
    raise exception 'We can’t find this coaching, or there’s nobody to ask.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;

  -- Two random UUIDs have 244 random bits.
  v_token := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  select private.send_mail(v_address, 'survey-invitation', jsonb_build_object(
    -- Behind the #, which no server and no log ever sees.
    'path', '/engagement-survey#invitation=' || v_token, 'privacy', s.privacy
  ), now() + interval '90 days')
  into v_goes
  from public.surveys s where s.id = v_survey_id;
  -- The link that the client has stays good: it only ends when a new one is on its way.
  if not v_goes then
    perform private.refuse_for_now(
      'We’ve sent this client a lot of emails today. Try again tomorrow.', interval '1 day'
    );
  end if;

  insert into public.survey_invitations (survey_id, engagement_id, token_hash)
  values (v_survey_id, p_engagement_id, private.survey_token_hash(v_token))
  -- Asked again, the client gets a new link, and the one before no longer works.
  on conflict (survey_id, engagement_id) do update
    set token_hash = excluded.token_hash, sent_at = now(),
      expires_at = now() + interval '90 days'
    where not survey_invitations.answered
  returning id into v_id;
  if v_id is null then
    raise exception 'This client has already answered.' using errcode = '55000';
  end if;
  perform private.audit('survey.invite', 'engagement', p_engagement_id::text, null, '{}');
  return jsonb_build_object('id', v_id);
end
$$;

create or replace function private.read_response(
  p_response jsonb, out agreement smallint[], out recommend smallint, out comments text[]
)
language plpgsql immutable set search_path = '' as $$
begin
  if p_response is null or jsonb_typeof(p_response) <> 'object'
    or octet_length(p_response::text) > 32768
    or jsonb_typeof(p_response -> 'agreement') is distinct from 'array'
    or jsonb_typeof(p_response -> 'comments') is distinct from 'array'
  then
    raise exception 'We couldn’t read these answers.' using errcode = '22023';
  end if;
  begin
    select array_agg(value::smallint order by place) into agreement
    from jsonb_array_elements_text(p_response -> 'agreement') with ordinality as a (value, place);
    select array_agg(nullif(btrim(value), '') order by place) into comments
    from jsonb_array_elements_text(p_response -> 'comments') with ordinality as c (value, place);
    recommend := (p_response ->> 'recommend')::smallint;
  exception when data_exception then
    raise exception 'We couldn’t read these answers.' using errcode = '22023';
  end;
  if cardinality(agreement) is distinct from 10 or cardinality(comments) is distinct from 2
    or exists (select from unnest(agreement) as a (value) where value not between 1 and 5)
    or recommend not between 0 and 10
  then
    raise exception 'These answers don’t match the questions.' using errcode = '22023';
  end if;
  if exists (select from unnest(comments) as c (value) where char_length(value) > 2000) then
    raise exception 'Keep each comment to 2,000 characters.'
      using errcode = '22023', hint = 'comments';
  end if;
  if recommend is null and num_nulls(variadic agreement) = 10 and num_nulls(variadic comments) = 2
  then
    raise exception 'Answer at least one question.' using errcode = '22023';
  end if;
end
$$;

create or replace function public.submit_survey_response(
  p_id uuid, p_survey_id uuid, p_response jsonb, p_invitation text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_address text := private.client_address();
  v_survey record;
  v_invitation record;
  v_given record;
begin
  if p_id is null then
    raise exception 'A response needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_given from private.read_response(p_response);
  perform private.one_at_a_time('survey_response', p_id);
  -- It was stored, and the answer that said so was lost.
  if exists (
    select from public.survey_responses r where r.id = p_id and r.survey_id = p_survey_id
  ) then
    return jsonb_build_object('id', p_id);
  end if;

  select s.privacy, s.state, s.public_link into v_survey
  from public.surveys s where s.id = p_survey_id for share;
  if not found or v_survey.state <> 'open' then
    raise exception 'This survey is closed.' using errcode = '55000';
  end if;

  perform private.one_at_a_time('survey_invitations', p_survey_id);
  select i.id, i.engagement_id, i.answered into v_invitation
  from public.survey_invitations i
  where i.survey_id = p_survey_id and i.expires_at > now()
    and i.token_hash = private.survey_token_hash(p_invitation)
  for update;
  if v_invitation.answered then
    raise exception 'This link has already been used. We have your answers.' using errcode = '55000';
  elsif v_invitation.id is not null then
    -- With all that were answered before: PostgreSQL keeps of each row which transaction wrote it,
    -- and the one that wrote this alone would lead to the response.
    update public.survey_invitations i set answered = true
    where i.survey_id = p_survey_id and (i.answered or i.id = v_invitation.id);
  elsif not v_survey.public_link then
    raise exception 'You need a personal link to answer this survey.' using errcode = '42501';
  else
    -- Never by the person, even of those who are signed in: their counter would lead to the response.
    perform private.require_fair_share(
      'survey', v_address, private.network_of(v_address, 24, 48), 20, 1000, interval '1 hour',
      'That’s too many at once. Try again %s.'
    );
  end if;

  insert into public.survey_responses (
    id, survey_id, privacy, invited, engagement_id, agreement, recommend, comments
  ) values (
    p_id, p_survey_id, v_survey.privacy, v_invitation.id is not null,
    case when v_survey.privacy = 'confidential' then v_invitation.engagement_id end,
    v_given.agreement, v_given.recommend, v_given.comments
  );
  return jsonb_build_object('id', p_id);
end
$$;

create or replace function private.limit_contact(p_caller text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_sentence constant text := 'That’s too many at once. Try again %s, or send us an email.';
begin
  -- Not by the address in the form: a stranger who types it would keep its owner from writing.
  perform private.require_fair_share(
    'contact', p_caller, split_part(p_caller, ':', 1), 8, 500, interval '1 hour', c_sentence
  );
end
$$;

create or replace function public.set_avatar(p_path text) returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_path is not null
    and not (starts_with(p_path, v_user_id || '/') and private.is_stored('avatars', p_path))
  then
    raise exception 'Your photo didn’t upload. Choose it again.' using errcode = 'P0002';
  end if;
  update public.profiles p set avatar_path = p_path where p.user_id = v_user_id;
  return query
    select o.name from storage.objects o
    where o.bucket_id = 'avatars' and (storage.foldername(o.name))[1] = v_user_id::text
      and o.name is distinct from p_path;
end
$$;

create or replace function private.project_for_change(p_id uuid, p_right text default 'share')
returns public.projects
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects;
  v_right text;
begin
  perform private.require_session();
  select * into v_project from public.projects p where p.id = p_id;
  v_right := private.project_right(v_project.business_id);
  if v_right is null then
    raise exception 'We can’t find this project.' using errcode = 'P0002';
  end if;
  if v_right = 'share' and p_right = 'edit' then
    raise exception 'Only members of the business can do this.' using errcode = '42501';
  end if;
  perform private.require_unarchived(v_project.business_id);
  if v_right = 'admin' then
    perform private.audit('project.edit', 'project', p_id::text);
  end if;
  select * into v_project from public.projects p where p.id = p_id for update;
  return v_project;
end
$$;

create or replace function private.check_project(p_project public.projects) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_project.title is null or char_length(p_project.title) > 160 then
    raise exception 'Give the project a title of 1 to 160 characters.'
      using errcode = '22023', hint = 'title';
  end if;
  if p_project.due_on < p_project.start_on then
    raise exception 'The due date is before the start date.' using errcode = '22023', hint = 'due_on';
  end if;
  if p_project.start_on < date '1900-01-01' or p_project.start_on > date '2199-12-31' then
    raise exception 'Choose a year from 1900 to 2199.' using errcode = '22023', hint = 'start_on';
  end if;
  if p_project.due_on < date '1900-01-01' or p_project.due_on > date '2199-12-31' then
    raise exception 'Choose a year from 1900 to 2199.' using errcode = '22023', hint = 'due_on';
  end if;
  if p_project.area_key is not null
    and not exists (select from public.skill_areas a where a.key = p_project.area_key)
  then
    raise exception 'Choose from the skill areas.' using errcode = '22023', hint = 'area_key';
  end if;
  if p_project.engagement_id is not null and not exists (
    select from public.engagements e
    where e.id = p_project.engagement_id and e.business_id = p_project.business_id
  ) then
    raise exception 'Choose coaching that belongs to this business.'
      using errcode = '22023', hint = 'engagement_id';
  end if;
  if char_length(p_project.outcome) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'outcome';
  end if;
  if char_length(p_project.baseline) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'baseline';
  end if;
end
$$;

create or replace function public.create_project(
  p_id uuid, p_business_id uuid, p_title text, p_area_key text default null,
  p_outcome text default null, p_baseline text default null,
  p_start_on date default null, p_due_on date default null, p_engagement_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found public.projects;
  v_new public.projects;
begin
  perform private.one_at_a_time('projects', p_id);
  perform private.require_member(p_business_id);
  select * into v_found from public.projects p where p.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.created_by is distinct from v_user_id or v_found.business_id <> p_business_id then
      raise exception 'This project already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'revision', v_found.revision, 'made', false);
  end if;
  if p_id is null then
    raise exception 'A project needs an id.' using errcode = '22023', hint = 'id';
  end if;
  v_new.business_id := p_business_id;
  v_new.title := private.clean_line(p_title, 10000);
  v_new.area_key := p_area_key;
  v_new.engagement_id := p_engagement_id;
  v_new.outcome := nullif(btrim(p_outcome), '');
  v_new.baseline := nullif(btrim(p_baseline), '');
  v_new.start_on := p_start_on;
  v_new.due_on := p_due_on;
  perform private.check_project(v_new);
  insert into public.projects (
    id, business_id, created_by, area_key, engagement_id, title, outcome, baseline, start_on, due_on
  ) values (
    p_id, p_business_id, v_user_id, v_new.area_key, v_new.engagement_id, v_new.title,
    v_new.outcome, v_new.baseline, v_new.start_on, v_new.due_on
  );
  insert into public.project_events (project_id, business_id, actor_id, kind, to_status)
  values (p_id, p_business_id, v_user_id, 'created', 'draft');
  return jsonb_build_object('id', p_id, 'revision', 1, 'made', true);
end
$$;

create or replace function public.save_project(
  p_id uuid, p_revision int, p_title text, p_area_key text default null,
  p_outcome text default null, p_baseline text default null,
  p_start_on date default null, p_due_on date default null, p_engagement_id uuid default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_was public.projects := private.project_for_change(p_id);
  v_new public.projects := v_was;
begin
  v_new.title := private.clean_line(p_title, 10000);
  v_new.area_key := p_area_key;
  v_new.engagement_id := p_engagement_id;
  v_new.outcome := nullif(btrim(p_outcome), '');
  v_new.baseline := nullif(btrim(p_baseline), '');
  v_new.start_on := p_start_on;
  v_new.due_on := p_due_on;
  -- Sent twice, or nothing changed: it stands as it was meant.
  if v_new is not distinct from v_was then
    return jsonb_build_object('saved', true, 'project', private.project_json(v_was));
  end if;
  -- Somebody else saved in between. Theirs is kept and given back, and the person decides.
  if p_revision is distinct from v_was.revision then
    return jsonb_build_object('saved', false, 'project', private.project_json(v_was));
  end if;
  perform private.check_project(v_new);
  if private.project_right(v_was.business_id) = 'share'
    and (v_new.title, v_new.area_key, v_new.engagement_id)
      is distinct from (v_was.title, v_was.area_key, v_was.engagement_id)
  then
    raise exception 'A coach can change only the outcome, the baseline and the dates.'
      using errcode = '42501';
  end if;
  update public.projects p set
    title = v_new.title, area_key = v_new.area_key, engagement_id = v_new.engagement_id,
    outcome = v_new.outcome, baseline = v_new.baseline, start_on = v_new.start_on,
    due_on = v_new.due_on, saved_by = auth.uid(), revision = p.revision + 1
  where p.id = p_id
  returning * into v_new;
  return jsonb_build_object('saved', true, 'project', private.project_json(v_new));
end
$$;

create or replace function public.move_project(p_id uuid, p_status text, p_note text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_id, 'edit');
  v_note text := nullif(btrim(p_note), '');
  -- Null where there is no such step.
  v_needs_note boolean := (
    select t.needs_note from private.transitions t
    where t.entity = 'project' and t.from_state = v_project.status and t.to_state = p_status
      and case private.project_right(v_project.business_id) when 'admin' then 'admin' else 'member' end
        = any (t.who)
  );
  v_refused text;
begin
  if char_length(v_note) > 1000 then
    raise exception 'Keep the note to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  if v_project.status is distinct from p_status then
    v_refused := case
      when v_needs_note is null
        then 'A project can’t go there from its current status.'
      when v_needs_note and v_note is null then
        case p_status when 'blocked' then 'Say what’s blocking the project.'
          else 'Add a note that says why you’re picking the project up again.' end
    end;
    insert into public.project_events (
      project_id, business_id, actor_id, kind, from_status, to_status, note
    ) values (
      p_id, v_project.business_id, auth.uid(),
      case when v_refused is null then 'moved' else 'refused' end,
      v_project.status, left(p_status, 40), v_note
    );
    if v_refused is null then
      update public.projects p set
        status = p_status,
        blocked_reason = case when p_status = 'blocked' then v_note end,
        revision = p.revision + 1
      where p.id = p_id
      returning * into v_project;
    end if;
  end if;
  -- A refusal is an answer and not an error, which would take the event away with it.
  return jsonb_build_object(
    'status', v_project.status, 'refused', v_refused,
    'revision', v_project.revision, 'blocked_reason', v_project.blocked_reason,
    'moves', private.project_moves(v_project.status)
  );
end
$$;

create or replace function public.add_project_update(p_id uuid, p_project_id uuid, p_body text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_project_id);
  v_found public.project_updates;
begin
  if p_id is null then
    raise exception 'An update needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_found from public.project_updates u where u.id = p_id;
  if found then
    if v_found.author_id is distinct from auth.uid() or v_found.project_id <> p_project_id then
      raise exception 'This update already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', p_id, 'at', v_found.at);
  end if;
  if char_length(btrim(coalesce(p_body, ''))) not between 1 and 4000 then
    raise exception 'Write 1 to 4,000 characters.' using errcode = '22023', hint = 'body';
  end if;
  insert into public.project_updates (id, project_id, business_id, author_id, body)
  values (p_id, p_project_id, v_project.business_id, auth.uid(), btrim(p_body));
  update public.projects set updated_at = now() where id = p_project_id;
  return jsonb_build_object('id', p_id, 'at', now());
end
$$;

create or replace function private.check_task(p_title text, p_due_on date) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_title is null or char_length(p_title) > 200 then
    raise exception 'Say what needs to be done, in 1 to 200 characters.'
      using errcode = '22023', hint = 'title';
  end if;
  if p_due_on < date '1900-01-01' or p_due_on > date '2199-12-31' then
    raise exception 'Choose a year from 1900 to 2199.' using errcode = '22023', hint = 'due_on';
  end if;
end
$$;

create or replace function public.add_project_task(
  p_id uuid, p_project_id uuid, p_title text, p_due_on date default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_project public.projects := private.project_for_change(p_project_id, 'edit');
  v_title text := private.clean_line(p_title, 10000);
  v_task public.project_tasks;
begin
  if p_id is null then
    raise exception 'A task needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_task from public.project_tasks t where t.id = p_id;
  if found then
    if v_task.created_by is distinct from auth.uid() or v_task.project_id <> p_project_id then
      raise exception 'This task already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.task_json(v_task);
  end if;
  perform private.check_task(v_title, p_due_on);
  insert into public.project_tasks (
    id, project_id, business_id, title, due_on, created_by, position
  ) values (
    p_id, p_project_id, v_project.business_id, v_title, p_due_on, auth.uid(),
    coalesce((
      select floor(t.position) from public.project_tasks t
      where t.project_id = p_project_id and t.removed_at is null
      order by t.position desc, t.id desc limit 1
    ), 0) + 1024
  )
  returning * into v_task;
  return private.task_json(v_task);
end
$$;

create or replace function public.set_project_task_state(p_id uuid, p_state text, p_reason text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_task public.project_tasks := private.task_for_change(p_id);
  v_reason text := nullif(btrim(p_reason), '');
begin
  if p_state is null or p_state not in ('todo', 'doing', 'blocked', 'done') then
    raise exception 'A task is to do, being done, blocked or done.'
      using errcode = '22023', hint = 'state';
  end if;
  if p_state = 'blocked' and (v_reason is null or char_length(v_reason) > 500) then
    raise exception 'Say what’s blocking the task, in 1 to 500 characters.'
      using errcode = '22023', hint = 'reason';
  end if;
  update public.project_tasks t set
    state = p_state,
    blocked_reason = case when p_state = 'blocked' then v_reason end,
    done_at = case when p_state = 'done' then coalesce(t.done_at, now()) end
  where t.id = p_id
    and (t.state, t.blocked_reason)
      is distinct from (p_state, case when p_state = 'blocked' then v_reason end)
  returning * into v_task;
  if not found then
    select * into v_task from public.project_tasks t where t.id = p_id;
  end if;
  return private.task_json(v_task);
end
$$;

create or replace function public.move_project_task(p_id uuid, p_after uuid default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- A number with more digits behind the point than this makes all of them whole again.
  c_digits constant int := 30;
  v_task public.project_tasks := private.task_for_change(p_id);
  v_before numeric := 0;
  v_behind numeric;
  v_position numeric;
begin
  if p_after is not null then
    select t.position into v_before from public.project_tasks t
    where t.id = p_after and t.project_id = v_task.project_id and t.id <> p_id
      and t.removed_at is null;
    if not found then
      raise exception 'The task it should follow is gone. Reload the page.'
        using errcode = '55000';
    end if;
  end if;
  select t.position into v_behind from public.project_tasks t
  where t.project_id = v_task.project_id and t.removed_at is null and t.id <> p_id
    and t.position > v_before
  order by t.position, t.id limit 1;
  v_position := case
    when v_behind is null then floor(v_before) + 1024
    else trim_scale((v_before + v_behind) * 0.5)
  end;
  update public.project_tasks t set position = v_position where t.id = p_id;
  if scale(v_position) > c_digits then
    update public.project_tasks t set position = o.place * 1024
    from (
      select i.id, row_number() over (order by i.position, i.id) as place
      from public.project_tasks i
      where i.project_id = v_task.project_id and i.removed_at is null
    ) o
    where t.id = o.id;
  end if;
  select * into v_task from public.project_tasks t where t.id = p_id;
  return private.task_json(v_task);
end
$$;

create or replace function public.list_project_tasks(p_project_id uuid, p_after uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_last public.project_tasks;
begin
  perform private.require_session();
  select t.* into v_last from public.project_tasks t
  where t.id = p_after and t.project_id = p_project_id
    and t.business_id in (select private.readable_business_ids());
  if not found then
    raise exception 'This task is gone.' using errcode = 'P0002';
  end if;
  return private.project_tasks_json(p_project_id, v_last.position, v_last.id, 100);
end
$$;

create or replace function public.begin_project_file(
  p_id uuid, p_project_id uuid, p_name text, p_type text, p_size int
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_bytes constant bigint := 1073741824;
  v_project public.projects := private.project_for_change(p_project_id);
  v_file public.project_files;
begin
  -- An admin could neither store nor read the object.
  if private.project_right(v_project.business_id) = 'admin' then
    raise exception 'Only members of the business and their coach can add files.'
      using errcode = '42501';
  end if;
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select * into v_file from public.project_files f where f.id = p_id;
  if found then
    if v_file.uploaded_by is distinct from auth.uid() or v_file.project_id <> p_project_id then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.file_json(v_file);
  end if;
  perform private.check_file('project-files', p_name, p_type, p_size);
  -- What is awaited may turn out as large as the bucket allows, whatever was said.
  if (
    select coalesce(sum(case f.state when 'stored' then f.size else 20971520 end), 0) + p_size
    from public.project_files f where f.business_id = v_project.business_id
  ) > c_bytes then
    raise exception 'A business can have at most 1 GB of files. Remove some first.'
      using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.project_files (id, project_id, business_id, name, type, size, uploaded_by)
  values (
    p_id, p_project_id, v_project.business_id, private.file_name(p_name, p_type), p_type, p_size,
    auth.uid()
  )
  returning * into v_file;
  return private.file_json(v_file);
end
$$;

create or replace function public.finish_project_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.project_files;
begin
  select * into v_file from public.project_files f where f.id = p_id;
  perform private.project_for_change(v_file.project_id);
  if v_file.uploaded_by is distinct from auth.uid() then
    raise exception 'We can’t find this file.' using errcode = 'P0002';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored('project-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file didn’t upload completely. Send it again.' using errcode = '55000';
    end if;
    update public.project_files f set state = 'stored' where f.id = p_id returning * into v_file;
    update public.projects p set updated_at = now() where p.id = v_file.project_id;
  end if;
  return private.file_json(v_file);
end
$$;

create or replace function public.remove_project_file(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.project_files;
begin
  perform private.require_session();
  select * into v_file from public.project_files f
  where f.id = p_id and f.business_id in (select private.readable_business_ids());
  -- Gone already: it was asked for twice.
  if not found then
    return;
  end if;
  if v_file.uploaded_by is distinct from auth.uid()
    and v_file.business_id not in (select private.my_business_ids())
  then
    raise exception 'Only members and the person who added a file can remove it.' using errcode = '42501';
  end if;
  if private.is_stored('project-files', v_file.path) then
    raise exception 'The file itself is still there. Try again.' using errcode = '55000';
  end if;
  delete from public.project_files f where f.id = p_id;
end
$$;

create or replace function public.list_projects(
  p_business_id uuid default null,
  p_statuses text[] default null,
  p_area_key text default null,
  p_query text default '',
  p_sort text default 'changed',
  p_view text default 'table',
  p_place jsonb default null,
  p_limit int default null
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- Rows of a table; cards of one column of a board.
  c_page constant int := least(
    greatest(coalesce(p_limit, case p_view when 'board' then 12 else 25 end), 1), 500
  );
  -- A page before a place is read backward and turned round.
  c_backward constant boolean := coalesce(p_place ->> 'way' = 'before', false);
  -- Beyond this many of one status nobody needs the number.
  c_counted constant int := 200;
  -- Up to this many that words fit are looked at one by one.
  c_few constant int := 300;
  v_all constant text[] := array[
    'draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled'
  ];
  v_businesses uuid[];
  v_statuses text[] := coalesce(p_statuses, v_all);
  v_query tsquery := private.words_query(left(p_query, 100));
  v_key text := case p_sort
    when 'due' then 'coalesce(p.due_on, ''infinity''::date)'
    when 'title' then 'p.title collate private.by_name'
    else 'p.updated_at' end;
  v_type text := case p_sort when 'due' then 'date' when 'title' then 'text' else 'timestamptz' end;
  v_direction text := case when (p_sort in ('due', 'title')) <> c_backward then 'asc' else 'desc' end;
  v_narrow text := '';
  v_fitting uuid[];
  v_found jsonb;
  v_more boolean;
  v_counts jsonb;
begin
  perform private.require_session();
  -- Words that mean nothing ("the") narrow nothing.
  if numnode(v_query) = 0 then
    v_query := null;
  end if;
  if p_area_key is not null then
    v_narrow := v_narrow || ' and p.area_key = $3';
  end if;
  select coalesce(array_agg(b), '{}') into v_businesses
  from private.readable_business_ids() b
  where p_business_id is null or b = p_business_id;

  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that.
  if v_query is not null then
    select coalesce(array_agg(f.id), '{}') into v_fitting
    from (
      select p.id from public.projects p
      where p.words @@ v_query and p.business_id = any (v_businesses)
      limit c_few + 1
    ) f;
    v_narrow := v_narrow || case
      when cardinality(v_fitting) > c_few then ' and pg_catalog.ts_match_vq(p.words, $4)'
      else ' and p.id = any ($10)' end;
  end if;

  -- A page from each business and status by their index, and the first of those together: what is
  -- read grows with the page and not with the projects.
  execute format(
    $q$
      with near as (
        select p.id, p.status, p.sort_key,
          row_number() over (order by p.sort_key %3$s, p.id %3$s) as place,
          row_number() over (partition by p.status order by p.sort_key %3$s, p.id %3$s) as in_status
        from unnest($1::uuid[]) as b (id)
        cross join unnest($2::text[]) as s (status)
        cross join lateral (
          select p.id, p.status, %1$s as sort_key
          from public.projects p
          where p.business_id = b.id and p.status = s.status %4$s %5$s
          order by %1$s %3$s, p.id %3$s
          limit %6$s
        ) p
      )
      select
        coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'title', p.title, 'status', p.status, 'area_key', p.area_key,
          'due_on', p.due_on, 'blocked_reason', p.blocked_reason, 'updated_at', p.updated_at,
          'task_count', p.task_count, 'done_count', p.done_count,
          'business', jsonb_build_object('id', p.business_id, 'name', (
            select b.name from public.businesses b where b.id = p.business_id
          )),
          'next_task', (
            select jsonb_build_object('title', t.title, 'state', t.state, 'due_on', t.due_on)
            from public.project_tasks t
            where t.project_id = p.id and t.removed_at is null and t.state <> 'done'
            order by t.position, t.id limit 1
          ),
          'moves', case when p.business_id = any ($9) then private.project_moves(p.status)
            else '[]' end,
          'key', n.sort_key::text
        ) order by case when $11 then -n.place else n.place end) filter (where n.shown), '[]'),
        coalesce(bool_or(not n.shown), false)
      from (
        select near.*, case when $6 then in_status <= $5 else place <= $5 end as shown from near
      ) n
      join public.projects p on p.id = n.id
    $q$,
    v_key, v_type, v_direction, v_narrow,
    case when p_place is null then '' else format(
      'and (%s, p.id) %s ($7::%s, $8)', v_key, case v_direction when 'asc' then '>' else '<' end,
      v_type
    ) end,
    c_page + 1
  )
  into v_found, v_more
  using v_businesses, v_statuses, p_area_key, v_query, c_page, p_view = 'board',
    p_place ->> 'key', (p_place ->> 'id')::uuid, array(
      select b.id from public.businesses b
      where b.id in (select private.my_business_ids()) and b.archived_at is null
    ), v_fitting, c_backward;

  if p_limit is null then
    execute format(
      $q$
        select jsonb_object_agg(s.status, (
          select count(*) from (
            select from unnest($1::uuid[]) as b (id)
            join public.projects p on p.business_id = b.id and p.status = s.status %s
            limit %s
          ) c
        ))
        from unnest($2::text[]) as s (status)
      $q$,
      v_narrow, c_counted
    )
    into v_counts
    using v_businesses, v_all, p_area_key, v_query, null, null, null, null, null, v_fitting;
  end if;
  return jsonb_build_object(
    'projects', v_found, 'more', v_more, 'counts', v_counts,
    'areas', case when p_limit is null then (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    ) end
  );
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'We lost your place in the list. Start from the top.'
      using errcode = '22023', hint = 'place';
end
$$;

create or replace function public.list_project_history(p_id uuid, p_before timestamptz, p_before_id text)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not exists (
    select from public.projects p
    where p.id = p_id and p.business_id in (select private.readable_business_ids())
  ) then
    raise exception 'We can’t find this project.' using errcode = 'P0002';
  end if;
  return private.project_history(p_id, p_before, p_before_id, 30);
end
$$;

create or replace function private.role_in_business(p_business_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_role text;
begin
  select m.role into v_role from public.business_members m
  where m.business_id = p_business_id and m.user_id = v_user_id;
  if not found then
    raise exception 'We can’t find this business.' using errcode = 'P0002';
  end if;
  return v_role;
end
$$;

create or replace function private.require_owner(p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Two owners' hands at once, or an owner who is about to be none, wait for each other.
  perform private.one_at_a_time('business', p_business_id);
  if private.role_in_business(p_business_id) <> 'owner' then
    raise exception 'Only the owner of the business can do this.' using errcode = '42501';
  end if;
end
$$;

create or replace function public.invite_member(p_id uuid, p_business_id uuid, p_address text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_address text := lower(btrim(coalesce(p_address, '')));
  v_found public.business_invitations;
begin
  perform private.require_owner(p_business_id);
  perform private.require_member(p_business_id);
  select * into v_found from public.business_invitations i where i.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.business_id <> p_business_id or v_found.address <> v_address then
      raise exception 'This invitation already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.invitation_json(p_id);
  end if;
  if p_id is null then
    raise exception 'An invitation needs an id.' using errcode = '22023', hint = 'id';
  end if;
  -- One address and nothing else: x<ann@example.com> would be Ann's, by as many names as one likes.
  if v_address !~ '^[^][:space:][:cntrl:]@<>"(),;:\\[]+@[^][:space:][:cntrl:]@<>"(),;:\\[]+[.][^][:space:][:cntrl:]@.<>"(),;:\\[]+$'
    or char_length(v_address) > 254
  then
    raise exception 'An email address looks like name@example.com.'
      using errcode = '22023', hint = 'address';
  end if;
  if v_address = (select lower(u.email) from auth.users u where u.id = v_user_id) then
    raise exception 'That’s your own address. You’re already a member of this business.'
      using errcode = '22023', hint = 'address';
  end if;
  if exists (
    select from public.business_invitations i
    where i.business_id = p_business_id and i.address = v_address and i.ended is null
  ) then
    raise exception 'There’s already an open invitation for this address. Send that one again.'
      using errcode = '23505', hint = 'address';
  end if;
  perform private.require_rate_limit(
    private.mailbox_key('invite-to:' || p_business_id, v_address), 5, interval '1 day',
    'We’ve sent this address a lot of invitations today. Try again %s.', 'address'
  );

  insert into public.business_invitations (id, business_id, address, token_hash, invited_by)
  values (
    p_id, p_business_id, v_address, sha256(convert_to(gen_random_uuid()::text, 'UTF8')), v_user_id
  );
  perform private.mail_invitation(p_id);
  return private.invitation_json(p_id);
end
$$;

create or replace function private.invitation_of_mine(p_id uuid) returns public.business_invitations
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.business_invitations;
begin
  perform private.require_session();
  select i.* into v_invitation
  from public.business_invitations i
  join public.business_members m on m.business_id = i.business_id
  where i.id = p_id and m.user_id = auth.uid() and m.role = 'owner'
  for update of i;
  if not found then
    raise exception 'We can’t find this invitation.' using errcode = 'P0002';
  end if;
  return v_invitation;
end
$$;

create or replace function public.resend_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.business_invitations := private.invitation_of_mine(p_id);
begin
  perform private.require_member(v_invitation.business_id);
  if v_invitation.ended is not null then
    raise exception 'This invitation is no longer open. Send a new one.' using errcode = '55000';
  end if;
  if v_invitation.times_sent >= 5 then
    raise exception 'We’ve sent this invitation five times. Cancel it, or ask them to check their spam folder.'
      using errcode = '55000';
  end if;
  perform private.require_rate_limit(
    'invite-again:' || p_id, 1, interval '1 minute',
    'We just sent this one. Try again %s.'
  );
  perform private.require_rate_limit(
    private.mailbox_key('invite-to:' || v_invitation.business_id, v_invitation.address), 5, interval '1 day',
    'We’ve sent this address a lot of invitations today. Try again %s.'
  );
  update public.business_invitations i set times_sent = i.times_sent + 1 where i.id = p_id;
  perform private.mail_invitation(p_id);
  return private.invitation_json(p_id);
end
$$;

create or replace function public.revoke_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation public.business_invitations := private.invitation_of_mine(p_id);
begin
  if v_invitation.ended = 'accepted' then
    raise exception 'They’ve already joined. Remove them from the members instead.'
      using errcode = '55000';
  end if;
  update public.business_invitations i set ended = 'revoked', ended_at = now()
  where i.id = p_id and i.ended is null;
  return jsonb_build_object('id', p_id);
end
$$;

create or replace function private.join_by_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_invitation jsonb := private.invitation_for_me(p_id);
  v_business_id uuid := (v_invitation ->> 'business_id')::uuid;
begin
  if v_business_id is not null then
    perform private.one_at_a_time('business', v_business_id);
    -- Taken back or accepted in another tab, while this one waited.
    v_invitation := private.invitation_for_me(p_id);
  end if;
  case v_invitation ->> 'state'
    when 'open' then
      insert into public.business_members (business_id, user_id, role)
      values (v_business_id, v_user_id, 'member')
      on conflict (business_id, user_id) do nothing;
      update public.business_invitations i
      set ended = 'accepted', ended_at = now(), accepted_by = v_user_id
      where i.id = p_id;
      perform private.notify_person(
        i.invited_by,
        coalesce(private.name_of(v_user_id), i.address) || ' has joined ' || (v_invitation ->> 'business'),
        'They can now see and edit the business, its figures, its plan and its projects.',
        'You’re getting this email because you invited them.',
        'See the members', '/dashboard/businesses/' || v_business_id || '#members'
      )
      from public.business_invitations i
      where i.id = p_id and private.wants(i.invited_by, 'news');
    when 'accepted' then
      null;
    when 'other-address' then
      raise exception 'This invitation is for a different email address.' using errcode = '42501';
    when 'unconfirmed' then
      raise exception 'Confirm your email first, then open the link again.' using errcode = '42501';
    else
      raise exception 'This invitation no longer works. Ask for a new one.' using errcode = '55000';
  end case;
  return jsonb_build_object('business_id', v_business_id, 'name', v_invitation ->> 'business');
end
$$;

create or replace function public.remove_member(p_business_id uuid, p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_owner(p_business_id);
  if p_user_id = v_user_id then
    raise exception 'Make someone else the owner before you leave.' using errcode = '55000';
  end if;
  delete from public.business_members m
  where m.business_id = p_business_id and m.user_id = p_user_id;
  if found then
    perform private.withdraw_coaching(p_business_id, p_user_id, 'No longer a member.');
    perform private.notify_person(
      p_user_id, 'You’re no longer a member of ' || b.name,
      'The owner removed you from the business. Your own quiz results are still yours.',
      'You’re getting this email because you were a member.', 'Your businesses', '/dashboard/businesses'
    )
    from public.businesses b where b.id = p_business_id;
  end if;
  return jsonb_build_object('user_id', p_user_id);
end
$$;

create or replace function public.leave_business(p_business_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.one_at_a_time('business', p_business_id);
  if private.role_in_business(p_business_id) = 'owner' then
    raise exception 'Make someone else the owner before you leave.' using errcode = '55000';
  end if;
  delete from public.business_members m
  where m.business_id = p_business_id and m.user_id = v_user_id;
  perform private.withdraw_coaching(p_business_id, v_user_id, 'Left the business.');
  return jsonb_build_object('business_id', p_business_id);
end
$$;

create or replace function public.hand_over_business(p_business_id uuid, p_user_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_owner(p_business_id);
  if p_user_id = v_user_id then
    return jsonb_build_object('owner', v_user_id);
  end if;
  update public.business_members m set role = 'owner'
  where m.business_id = p_business_id and m.user_id = p_user_id;
  if not found then
    raise exception 'Choose someone who’s already a member of the business.'
      using errcode = '22023', hint = 'user_id';
  end if;
  update public.business_members m set role = 'member'
  where m.business_id = p_business_id and m.user_id = v_user_id;
  perform private.notify_person(
    p_user_id, 'You’re now the owner of ' || b.name,
    coalesce(private.name_of(v_user_id), 'The owner') || ' has handed the business over to you. You decide who belongs to it and whether to archive it.',
    'You’re getting this email because you belong to the business.',
    'Open the business', '/dashboard/businesses/' || p_business_id
  )
  from public.businesses b where b.id = p_business_id;
  return jsonb_build_object('owner', p_user_id);
end
$$;

create or replace function private.check_business_fact(p_field text, p_value text) returns text
language plpgsql stable set search_path = '' as $$
declare
  v_value text := private.fact_as_stored(p_field, p_value);
  v_longest int := case p_field
    when 'name' then 120 when 'postal_code' then 16 when 'help_wanted' then 2000
    when 'legal_name' then 200 when 'entity_type' then 80 when 'industry' then 120
    when 'stage' then 80 when 'address_line1' then 200 when 'address_line2' then 200
    when 'city' then 120 when 'region' then 120 when 'phone' then 40 when 'website' then 300
    when 'description' then 4000
  end;
  v_date date;
begin
  if p_field = 'name' and v_value is null then
    raise exception 'Give the business a name.' using errcode = '22023', hint = 'name';
  end if;
  if v_value is null then
    return null;
  end if;
  if char_length(v_value) > v_longest then
    raise exception 'Keep it to % characters.', to_char(v_longest, 'FM9,999')
      using errcode = '22023', hint = p_field;
  end if;
  case p_field
    when 'trading' then
      if v_value not in ('trading', 'not-yet') then
        raise exception 'Say whether the business is open yet.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'home_based' then
      if v_value not in ('yes', 'no') then
        raise exception 'Choose yes or no.' using errcode = '22023', hint = p_field;
      end if;
    when 'country' then
      if v_value !~ '^[A-Z]{2}$' then
        raise exception 'Choose a country from the list.' using errcode = '22023', hint = p_field;
      end if;
    when 'postal_code' then
      if v_value !~ '^[A-Za-z0-9 -]*$' then
        raise exception 'Use only letters, digits and spaces.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'phone' then
      if v_value !~ '^[0-9+() ./x-]*[0-9][0-9+() ./x-]*$' then
        raise exception 'Enter a phone number such as (505) 555-0114.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'website' then
      if v_value !~* '^https?://[^[:space:]/.]+[.][^[:space:]]+$' then
        raise exception 'A web address looks like www.example.com.'
          using errcode = '22023', hint = p_field;
      end if;
    when 'start_date' then
      begin
        v_date := v_value::date;
      exception when others then
        v_date := null;
      end;
      if v_date is null or v_date < date '1700-01-01' or v_date > current_date + 3660 then
        raise exception 'Enter a date between 1700 and ten years from now.'
          using errcode = '22023', hint = p_field;
      end if;
      v_value := to_char(v_date, 'YYYY-MM-DD');
    else
      null;
  end case;
  return v_value;
end
$$;

create or replace function public.save_business_fact(
  p_business_id uuid, p_field text, p_value text, p_known text[]
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_business public.businesses;
  v_facts jsonb;
  v_value text;
begin
  -- P0002 for strangers, before anything is said about the value.
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  select * into v_business from public.businesses b where b.id = p_business_id for update;
  v_facts := private.business_facts(v_business);
  if not v_facts ? coalesce(p_field, '') then
    raise exception 'A business doesn’t have this field.' using errcode = '22023', hint = 'field';
  end if;
  v_value := private.check_business_fact(p_field, p_value);
  if coalesce(v_value, '') = v_facts ->> p_field then
    return jsonb_build_object('saved', true, 'value', v_facts ->> p_field);
  end if;
  -- Whoever saves says what they know to have stood here. Something else is a colleague's.
  if not exists (
    select from unnest(p_known) as k (value)
    where coalesce(private.fact_as_stored(p_field, k.value), '') = v_facts ->> p_field
  ) then
    return jsonb_build_object('saved', false, 'value', v_facts ->> p_field);
  end if;
  execute format(
    'update public.businesses set %I = $1::%s where id = $2', p_field,
    case p_field when 'start_date' then 'date' when 'home_based' then 'boolean' else 'text' end
  ) using v_value, p_business_id;
  return jsonb_build_object('saved', true, 'value', coalesce(v_value, ''));
end
$$;

create or replace function public.add_snapshot(
  p_id uuid, p_business_id uuid, p_taken_on date,
  p_full_time int default null, p_part_time int default null,
  p_revenue_minor bigint default null, p_profit_minor bigint default null,
  p_currency text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_found public.business_snapshots;
begin
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  perform private.one_at_a_time('business', p_business_id);
  select * into v_found from public.business_snapshots s where s.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.business_id <> p_business_id or v_found.created_by is distinct from v_user_id then
      raise exception 'These figures already exist.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', p_id);
  end if;
  if p_id is null then
    raise exception 'Figures need an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_taken_on is null or p_taken_on not between date '1900-01-01' and private.my_today() then
    raise exception 'Enter the date these figures are for, today or earlier.'
      using errcode = '22023', hint = 'taken_on';
  end if;
  if num_nonnulls(p_full_time, p_part_time, p_revenue_minor, p_profit_minor) = 0 then
    raise exception 'Enter at least one figure. Leave out anything you don’t know.'
      using errcode = '22023', hint = 'full_time';
  end if;
  if p_full_time not between 0 and 1000000 then
    raise exception 'Enter a whole number of people, 0 or more.' using errcode = '22023', hint = 'full_time';
  end if;
  if p_part_time not between 0 and 1000000 then
    raise exception 'Enter a whole number of people, 0 or more.' using errcode = '22023', hint = 'part_time';
  end if;
  if p_revenue_minor not between 0 and 100000000000000 then
    raise exception 'Revenue can’t be negative.' using errcode = '22023', hint = 'revenue';
  end if;
  if abs(p_profit_minor) > 100000000000000 then
    raise exception 'That number is too large.' using errcode = '22023', hint = 'profit';
  end if;
  if num_nonnulls(p_revenue_minor, p_profit_minor) > 0
    and coalesce(p_currency, '') !~ '^[A-Z]{3}$'
  then
    raise exception 'Choose a currency for the amounts.' using errcode = '22023', hint = 'currency';
  end if;
  insert into public.business_snapshots (
    id, business_id, taken_on, full_time, part_time, revenue_minor, profit_minor, currency,
    created_by, created_at
  ) values (
    p_id, p_business_id, p_taken_on, p_full_time, p_part_time, p_revenue_minor, p_profit_minor,
    case when num_nonnulls(p_revenue_minor, p_profit_minor) > 0 then p_currency end, v_user_id,
    -- Not now(): of two corrections in one transaction the later one counts.
    clock_timestamp()
  );
  return jsonb_build_object('id', p_id);
end
$$;

create or replace function public.list_snapshots(
  p_business_id uuid, p_before date default null, p_limit int default 24
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not p_business_id = any (array(select private.readable_business_ids())) then
    raise exception 'We can’t find this business.' using errcode = 'P0002';
  end if;
  return private.snapshots_json(p_business_id, p_before, p_limit);
end
$$;

create or replace function public.save_plan_field(
  p_business_id uuid, p_field text, p_value text, p_base_revision int, p_editor uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_value text := btrim(replace(coalesce(p_value, ''), e'\r\n', e'\n'), e' \t\n');
  v_before public.business_plan_fields;
  v_saved boolean := true;
begin
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_field is null or p_field not in (
    'problem', 'offer', 'customer', 'competitors', 'channels', 'revenue', 'costs', 'milestones',
    'team', 'funding', 'measures', 'assumption', 'evidence', 'test'
  ) then
    raise exception 'A plan doesn’t have this field.' using errcode = '22023', hint = 'field';
  end if;
  if p_editor is null then
    raise exception 'Say which page is saving.' using errcode = '22023', hint = 'editor';
  end if;
  if char_length(v_value) > 400 then
    raise exception 'Keep it to 400 characters so the plan fits on one page.'
      using errcode = '22023', hint = p_field;
  end if;
  if char_length(v_value) - char_length(replace(v_value, e'\n', '')) > 9 then
    raise exception 'Keep it to ten lines so the plan fits on one page.'
      using errcode = '22023', hint = p_field;
  end if;

  perform private.one_at_a_time('plan', p_business_id);
  select * into v_before from public.business_plan_fields f
  where f.business_id = p_business_id and f.field = p_field;
  if coalesce(v_before.value, '') <> v_value then
    -- Whatever this page has not seen was written by somebody else: it is for a person to choose.
    v_saved := not exists (
      select from public.business_plan_versions v
      where v.business_id = p_business_id and v.field = p_field
        and v.revision > coalesce(p_base_revision, 0)
        and (v.editor <> p_editor or v.saved_by is distinct from v_user_id)
    );
    if v_saved then
      perform private.write_plan_field(p_business_id, p_field, v_value, p_editor, null);
    end if;
  end if;
  return jsonb_build_object(
    'saved', v_saved,
    'field', (
      select private.plan_field_json(f) from public.business_plan_fields f
      where f.business_id = p_business_id and f.field = p_field
    )
  );
end
$$;

create or replace function public.list_plan_versions(
  p_business_id uuid, p_field text, p_before int default null, p_limit int default 20
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  if not p_business_id = any (array(select private.readable_business_ids())) then
    raise exception 'We can’t find this business.' using errcode = 'P0002';
  end if;
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'revision', v.revision, 'value', v.value, 'saved_at', v.saved_at,
        'saved_by', private.name_of(v.saved_by), 'restored_from', v.restored_from
      ) order by v.revision desc
    ), '[]')
    from (
      select * from public.business_plan_versions a
      where a.business_id = p_business_id and a.field = p_field
        and (p_before is null or a.revision < p_before)
      order by a.revision desc limit least(greatest(coalesce(p_limit, 20), 1), 100)
    ) v
  );
end
$$;

create or replace function public.restore_plan_version(
  p_business_id uuid, p_field text, p_revision int, p_editor uuid
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_value text;
  v_now text;
begin
  perform private.require_session();
  perform private.role_in_business(p_business_id);
  perform private.require_member(p_business_id);
  if p_editor is null then
    raise exception 'Say which page is saving.' using errcode = '22023', hint = 'editor';
  end if;
  perform private.one_at_a_time('plan', p_business_id);
  select v.value into v_value from public.business_plan_versions v
  where v.business_id = p_business_id and v.field = p_field and v.revision = p_revision;
  if not found then
    raise exception 'We can’t find this version.' using errcode = 'P0002';
  end if;
  select f.value into v_now from public.business_plan_fields f
  where f.business_id = p_business_id and f.field = p_field;
  -- What stands there now is a version as well: nothing is lost by bringing an older one back.
  if v_now <> v_value then
    perform private.write_plan_field(p_business_id, p_field, v_value, p_editor, p_revision);
  end if;
  return (
    select private.plan_field_json(f) from public.business_plan_fields f
    where f.business_id = p_business_id and f.field = p_field
  );
end
$$;

create or replace function private.require_fresh_session() returns uuid
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  -- The newest proof of this session: a password, a mailed code, a code of the app.
  if coalesce((
    select max((proof ->> 'timestamp')::numeric)
    from jsonb_array_elements(coalesce(auth.jwt() -> 'amr', '[]')) as proof
  ), 0) < extract(epoch from now()) - 600 then
    raise exception 'Confirm it’s you.' using errcode = '42501', hint = 'proof';
  end if;
  return v_user_id;
end
$$;

create or replace function public.end_session(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_id::text = auth.jwt() ->> 'session_id' then
    raise exception 'You’re using this session now. Sign out instead.' using errcode = '55000';
  end if;
  delete from auth.sessions s where s.id = p_id and s.user_id = v_user_id;
  return private.sessions_json(v_user_id);
end
$$;

create or replace function private.forget_second_factor(p_email text, p_reason text) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid;
  v_count int;
begin
  select u.id into v_user_id from auth.users u where lower(u.email) = lower(btrim(p_email));
  if v_user_id is null then
    raise exception 'There’s no account with the address %.', p_email using errcode = 'P0002', hint = 'email';
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified';
  get diagnostics v_count = row_count;
  if v_count > 0 then
    delete from auth.sessions s where s.user_id = v_user_id;
    perform private.audit(
      'second_factor.forget', 'user', v_user_id::text, private.require_reason(p_reason)
    );
    perform private.notify_person(
      v_user_id, 'We removed your authenticator app',
      'You asked us to, because you couldn’t use it anymore. Until you add an app again, your password alone signs you in.',
      'You’re getting this email because the way you sign in has changed. If you didn’t ask for this, choose a new password right away and write to us.',
      'Sign in', '/dashboard/profile'
    );
  end if;
  return v_count;
end
$$;

create or replace function public.request_account_deletion() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_fresh_session();
  v_due_at timestamptz;
begin
  -- Two admins who leave at once would leave none.
  lock table public.staff_roles in share row exclusive mode;
  if private.role_of(v_user_id) = 'admin' and not exists (
    select from public.staff_roles s
    where s.role = 'admin' and s.user_id <> v_user_id
      and not exists (select from public.account_deletions d where d.user_id = s.user_id)
  ) then
    raise exception 'You’re the last admin. Make someone else an admin first.' using errcode = '55000';
  end if;

  insert into public.account_deletions (user_id) values (v_user_id)
  on conflict (user_id) do nothing
  returning due_at into v_due_at;
  if found then
    perform private.audit('account.delete_later', 'user', v_user_id::text);
    perform private.notify_person(
      v_user_id, 'We’ll delete your account on ' || private.day_words(v_due_at, v_user_id),
      'You asked for this. Until ' || private.time_words(v_due_at, v_user_id) || ' that day everything works as usual, and you can keep the account with one click. After that we can’t restore it, so download your data first, from the same page.',
      'You’re getting this email because someone signed in to your account asked for this. If it wasn’t you, keep the account and choose a new password.',
      'Keep my account', '/dashboard/profile'
    );
  else
    select d.due_at into v_due_at from public.account_deletions d where d.user_id = v_user_id;
  end if;
  return jsonb_build_object('deletion_due_at', v_due_at);
end
$$;

create or replace function public.keep_account() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  delete from public.account_deletions d where d.user_id = v_user_id;
  if found then
    perform private.audit('account.keep', 'user', v_user_id::text);
    perform private.notify_person(
      v_user_id, 'You’re keeping your account',
      'It won’t be deleted, and nothing has changed.',
      'You’re getting this email because the deletion of your account was canceled.',
      'Your profile', '/dashboard/profile'
    );
  end if;
  return jsonb_build_object('deletion_due_at', null);
end
$$;

create or replace function private.erase_business(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.withdraw_coaching(p_id, null, 'The owner’s account was deleted.');
  -- In this bucket alone: ids come from browsers, and may be those of something else elsewhere.
  perform private.remove_folder('project-files', p_id);

  perform set_config('trellis.erasing', 'on', true);
  delete from public.project_files f where f.business_id = p_id;
  delete from public.project_tasks t where t.business_id = p_id;
  delete from public.project_updates u where u.business_id = p_id;
  delete from public.project_events e where e.business_id = p_id;
  delete from public.projects p where p.business_id = p_id;
  delete from public.tool_copies c where c.business_id = p_id;
  delete from public.business_plan_fields f where f.business_id = p_id;
  delete from public.business_snapshots s where s.business_id = p_id;
  delete from public.business_invitations i where i.business_id = p_id;
  perform set_config('trellis.erasing', '', true);

  -- What is left says which kind of business answered the quiz, and no longer which one.
  update public.businesses b set
    name = 'A deleted business', postal_code = null, help_wanted = null, legal_name = null,
    start_date = null, address_line1 = null, address_line2 = null, city = null, region = null,
    country = null, phone = null, website = null, home_based = null, description = null,
    archived_at = coalesce(b.archived_at, now())
  where b.id = p_id;
end
$$;

create or replace function private.delete_account(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Someone you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them (see private.hold_coach).
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify_person(
    c.person_id, v_name || ' has deleted their account',
    case when c.coached then 'They were your coach. Your coaching stays open, and we’re looking for someone else for you.'
      else 'You were their coach. The coaching has ended.' end,
    'You’re getting this email because you worked together.', 'Your coaching', '/dashboard/coaching'
  )
  from (
    select distinct case when e.coach_id = p_user_id then e.owner_id else e.coach_id end as person_id,
      e.coach_id = p_user_id as coached
    from public.engagements e
    where p_user_id in (e.owner_id, e.coach_id)
      and e.closed_at is null
  ) c
  where c.person_id is not null;

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.one_at_a_time('business', v_business.business_id);
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify_person(
        m.user_id, 'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        'You’re getting this email because you belong to the business.',
        'Open the business', '/dashboard/businesses/' || v_business.business_id
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform set_config('trellis.reason', 'The account was deleted.', true);
  update public.engagements e set note = null where e.owner_id = p_user_id and e.note is not null;
  update public.engagements e set coach_id = null
  where e.coach_id = p_user_id and e.closed_at is null;
  perform set_config('trellis.reason', '', true);

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.contacts c where c.email = lower(v_email);
  delete from private.jobs j where j.kind = 'mail' and lower(j.payload ->> 'to') = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  perform private.send_mail(v_email, 'notice', jsonb_build_object(
    'subject', 'We’ve deleted your account', 'heading', 'We’ve deleted your account',
    'paragraphs', jsonb_build_array('You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.'),
    'why', 'You’re getting this email because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$$;

create or replace function private.delete_due_accounts() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_due record;
  v_deleted int := 0;
  v_reminded int := 0;
begin
  for v_due in
    select d.user_id, d.due_at from public.account_deletions d
    where d.reminded_at is null and d.due_at <= now() + interval '7 days' and d.due_at > now()
    for update skip locked
  loop
    update public.account_deletions d set reminded_at = now() where d.user_id = v_due.user_id;
    perform private.notify_person(
      v_due.user_id, 'One week left: we’ll delete your account on ' || private.day_words(v_due.due_at, v_due.user_id),
      'It happens at ' || private.time_words(v_due.due_at, v_due.user_id) || '. After that we can’t restore it. If you want to download your data, now’s the time.',
      'You’re getting this email because you asked us to delete your account.',
      'Keep my account', '/dashboard/profile'
    );
    v_reminded := v_reminded + 1;
  end loop;

  lock table public.staff_roles in share row exclusive mode;
  for v_due in
    select d.user_id from public.account_deletions d
    where d.due_at <= now() order by d.due_at limit 100
    for update skip locked
  loop
    if private.is_last_admin(v_due.user_id) then
      -- The others left in the meantime: somebody must be able to name the next admin.
      delete from public.account_deletions d where d.user_id = v_due.user_id;
      perform private.notify_person(
        v_due.user_id, 'We didn’t delete your account',
        'You’re the last admin. Make someone else an admin, then ask again.',
        'You’re getting this email because you asked us to delete your account.',
        'Your profile', '/dashboard/profile'
      );
    else
      perform private.delete_account(v_due.user_id);
      v_deleted := v_deleted + 1;
    end if;
  end loop;
  return jsonb_build_object('deleted', v_deleted, 'reminded', v_reminded);
end
$$;

create or replace function public.mark_tool(p_slug text, p_mark text, p_on boolean) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_item_id uuid;
  v_now timestamptz := case when p_on then now() end;
begin
  if p_mark is null or p_mark not in ('saved', 'done') then
    raise exception 'A tool is marked as saved or as done.' using errcode = '22023';
  end if;
  select i.id into v_item_id
  from public.toolbox_items i
  where i.slug = p_slug and (i.state = 'published' or not p_on);
  if v_item_id is null then
    raise exception 'This tool is no longer available.' using errcode = 'P0002';
  end if;
  perform private.one_at_a_time('toolbox_marks', v_user_id);
  if p_on then
    insert into public.toolbox_marks as m (user_id, item_id, saved_at, done_at)
    values (
      v_user_id, v_item_id,
      case p_mark when 'saved' then v_now end, case p_mark when 'done' then v_now end
    )
    on conflict (user_id, item_id) do update set
      saved_at = coalesce(m.saved_at, excluded.saved_at),
      done_at = coalesce(m.done_at, excluded.done_at);
    return;
  end if;
  -- The last mark takes the row with it.
  delete from public.toolbox_marks m
  where m.user_id = v_user_id and m.item_id = v_item_id
    and case p_mark when 'saved' then m.done_at else m.saved_at end is null;
  update public.toolbox_marks m set
    saved_at = case p_mark when 'saved' then null else m.saved_at end,
    done_at = case p_mark when 'done' then null else m.done_at end
  where m.user_id = v_user_id and m.item_id = v_item_id;
end
$$;

create or replace function public.copy_tool(p_id uuid, p_slug text, p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_item public.toolbox_items;
begin
  perform private.require_member(p_business_id);
  perform private.one_at_a_time('tool_copies', p_business_id);
  if exists (
    select from public.tool_copies c where c.id = p_id and c.business_id = p_business_id
  ) then
    return;
  end if;
  select * into v_item
  from public.toolbox_items i where i.slug = p_slug and i.state = 'published';
  if v_item.id is null then
    raise exception 'This tool is no longer available.' using errcode = 'P0002';
  end if;
  if v_item.type not in ('template', 'worksheet', 'checklist') then
    raise exception 'You can only fill in templates, worksheets and checklists.'
      using errcode = '22023';
  end if;
  insert into public.tool_copies (
    id, business_id, item_id, item_version, title, body_markdown, created_by, updated_by
  ) values (
    p_id, p_business_id, v_item.id, v_item.version, v_item.title, v_item.body_markdown,
    v_user_id, v_user_id
  );
end
$$;

create or replace function private.require_copy(p_id uuid) returns public.tool_copies
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_copy public.tool_copies;
begin
  select * into v_copy from public.tool_copies c
  where c.id = p_id and c.business_id in (select private.my_business_ids())
  for update;
  -- Somebody else's sounds like none.
  if v_copy.id is null then
    raise exception 'This copy is gone.' using errcode = 'P0002';
  end if;
  perform private.require_unarchived(v_copy.business_id);
  return v_copy;
end
$$;

create or replace function public.save_tool_copy(p_id uuid, p_revision int, p_title text, p_body text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_copy public.tool_copies := private.require_copy(p_id);
  v_title text := private.clean_line(p_title, 160);
begin
  if v_title is null then
    raise exception 'Give it a name.' using errcode = '22023', hint = 'title';
  end if;
  if char_length(p_body) > 60000 then
    raise exception 'That’s longer than 60,000 characters. Shorten it, or start a second copy.'
      using errcode = '22023', hint = 'body';
  end if;
  if v_copy.removed_at is not null then
    raise exception 'This copy was removed. Write to us within 30 days and we’ll restore it.' using errcode = '55000';
  end if;
  if v_copy.title = v_title and v_copy.body_markdown = p_body then
    -- Sent twice, or changed back: as it is asked for.
    return jsonb_build_object('saved', true, 'copy', private.copy_json(v_copy));
  end if;
  if v_copy.revision is distinct from p_revision then
    return jsonb_build_object('saved', false, 'copy', private.copy_json(v_copy));
  end if;
  update public.tool_copies c set
    title = v_title, body_markdown = p_body, revision = c.revision + 1,
    updated_by = v_user_id, updated_at = now()
  where c.id = p_id
  returning * into v_copy;
  return jsonb_build_object('saved', true, 'copy', private.copy_json(v_copy));
end
$$;

create or replace function private.guard_focus_area() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.user_id <> old.user_id or new.attempt_id <> old.attempt_id
    or new.area_key <> old.area_key
  then
    raise exception 'A focus area stays what it is.' using errcode = '55000';
  end if;
  if old.state = 'ended' then
    raise exception 'You’ve stopped working on this area. Choose it again.' using errcode = '55000';
  end if;
  return new;
end
$$;

create or replace function private.guard_focus_action() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.id <> old.id or new.focus_area_id <> old.focus_area_id then
    raise exception 'An action stays with its focus area.' using errcode = '55000';
  end if;
  if old.state <> 'open' and new.state <> 'open' then
    raise exception 'This action is closed. Reopen it to change it.' using errcode = '55000';
  end if;
  return new;
end
$$;

create or replace function private.check_focus_action(p_id uuid, p_body text, p_due_on date) returns void
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_id is null then
    raise exception 'An action needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if char_length(btrim(coalesce(p_body, ''))) not between 1 and 600 then
    raise exception 'Say what you’ll do, in 1 to 600 characters.'
      using errcode = '22023', hint = 'body';
  end if;
  if p_due_on is null or p_due_on not between private.my_today() and private.my_today() + 366 then
    raise exception 'Choose a date within the next year.'
      using errcode = '22023', hint = 'due_on';
  end if;
end
$$;

create or replace function private.my_focus_area(p_id uuid) returns public.focus_areas
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_area public.focus_areas;
begin
  select * into v_area from public.focus_areas f
  where f.id = p_id and f.user_id = v_user_id
  for update;
  if not found then
    raise exception 'We can’t find this focus area.' using errcode = 'P0002', hint = 'id';
  end if;
  return v_area;
end
$$;

create or replace function public.choose_focus_area(
  p_id uuid, p_attempt_id uuid, p_area_key text,
  p_action_id uuid, p_body text, p_due_on date,
  p_question_key text default null, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_attempt record;
  v_found public.focus_areas;
  v_open int;
begin
  perform private.one_at_a_time('focus_areas', v_user_id);
  select * into v_found from public.focus_areas f where f.id = p_id;
  if found then
    -- Sent twice: the second time finds what the first one made.
    if v_found.user_id <> v_user_id then
      raise exception 'This focus area already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.focus_after(v_found);
  end if;
  if p_id is null then
    raise exception 'A focus area needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.check_focus_action(p_action_id, p_body, p_due_on);

  select t.id, t.state, t.business_id into v_attempt from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if v_attempt.state <> 'submitted' or not exists (
    select from public.area_scores s
    where s.attempt_id = p_attempt_id and s.area_key = p_area_key and s.score is not null
  ) then
    raise exception 'Choose an area that has a score.' using errcode = '22023', hint = 'area_key';
  end if;

  select count(*) into v_open
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  where f.user_id = v_user_id and f.state = 'open' and f.area_key = p_area_key
    and t.business_id is not distinct from v_attempt.business_id;
  if v_open > 0 then
    raise exception 'You’re already working on this area.' using errcode = '23505', hint = 'area_key';
  end if;
  select count(*) into v_open
  from public.focus_areas f
  join public.attempts t on t.id = f.attempt_id
  where f.user_id = v_user_id and f.state = 'open'
    and t.business_id is not distinct from v_attempt.business_id;
  if v_open >= 3 then
    raise exception 'You can work on three areas at a time. Stop working on one first.'
      using errcode = '55000';
  end if;

  insert into public.focus_areas (id, user_id, attempt_id, area_key)
  values (p_id, v_user_id, p_attempt_id, p_area_key)
  returning * into v_found;
  insert into public.focus_actions (id, focus_area_id, question_key, body, due_on, remind)
  values (
    p_action_id, p_id, left(p_question_key, 120), btrim(p_body), p_due_on, coalesce(p_remind, true)
  );
  return private.focus_after(v_found);
end
$$;

create or replace function public.add_focus_action(
  p_id uuid, p_focus_area_id uuid, p_body text, p_due_on date,
  p_question_key text default null, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(p_focus_area_id);
  v_owner_id uuid;
begin
  select a.focus_area_id into v_owner_id from public.focus_actions a where a.id = p_id;
  if found then
    if v_owner_id <> p_focus_area_id then
      raise exception 'This action already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.focus_after(v_area);
  end if;
  perform private.check_focus_action(p_id, p_body, p_due_on);
  if v_area.state <> 'open' then
    raise exception 'You’ve stopped working on this area. Choose it again.' using errcode = '55000';
  end if;
  if exists (
    select from public.focus_actions a
    where a.focus_area_id = p_focus_area_id and a.state = 'open'
  ) then
    raise exception 'One action at a time: finish or drop the open one first.' using errcode = '55000';
  end if;
  insert into public.focus_actions (id, focus_area_id, question_key, body, due_on, remind)
  values (
    p_id, p_focus_area_id, left(p_question_key, 120), btrim(p_body), p_due_on,
    coalesce(p_remind, true)
  );
  return private.focus_after(v_area);
end
$$;

create or replace function public.change_focus_action(
  p_id uuid, p_body text, p_due_on date, p_remind boolean default true
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(
    (select a.focus_area_id from public.focus_actions a where a.id = p_id)
  );
  v_action public.focus_actions;
begin
  select * into v_action from public.focus_actions a where a.id = p_id;
  if v_action.state <> 'open' or v_area.state <> 'open' then
    raise exception 'This action is closed. Reopen it to change it.' using errcode = '55000';
  end if;
  -- A date that has passed may stay as it is while the words are changed.
  perform private.check_focus_action(
    p_id, p_body, case when p_due_on = v_action.due_on then private.my_today() else p_due_on end
  );
  update public.focus_actions a
  set body = btrim(p_body), due_on = p_due_on, remind = coalesce(p_remind, true)
  where a.id = p_id;
  return private.focus_after(v_area);
end
$$;

create or replace function public.settle_focus_action(p_id uuid, p_state text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_area public.focus_areas := private.my_focus_area(
    (select a.focus_area_id from public.focus_actions a where a.id = p_id)
  );
begin
  if p_state is null or p_state not in ('open', 'done', 'dropped') then
    raise exception 'An action is open, done or dropped.' using errcode = '22023', hint = 'state';
  end if;
  if v_area.state <> 'open' then
    raise exception 'You’ve stopped working on this area. Choose it again.' using errcode = '55000';
  end if;
  if p_state = 'open' and exists (
    select from public.focus_actions a
    where a.focus_area_id = v_area.id and a.state = 'open' and a.id <> p_id
  ) then
    raise exception 'Another action is open now. Finish or drop that one first.'
      using errcode = '55000';
  end if;
  update public.focus_actions a
  set state = p_state, settled_at = case when p_state = 'open' then null else now() end
  where a.id = p_id and a.state <> p_state;
  return private.focus_after(v_area);
end
$$;

create or replace function private.remind_of_focus_actions() returns bigint
language sql volatile security definer set search_path = '' as $$
  with open_ones as (
    select a.id, a.body, a.due_on, k.name as area_name, k.position, u.id as user_id, u.email,
      a.created_at at time zone z.name as made_at, now() at time zone z.name as here
    from public.focus_actions a
    join public.focus_areas f on f.id = a.focus_area_id and f.state = 'open'
    join public.skill_areas k on k.key = f.area_key
    join auth.users u on u.id = f.user_id
    cross join lateral private.time_zone_of(f.user_id) as z (name)
    where a.state = 'open' and a.remind
      -- A day each way more than matters: today is another day in some zones.
      and a.due_on between current_date - 8 and current_date + 8
      and u.email is not null and u.email_confirmed_at is not null
      and private.wants(u.id, 'reminders')
  ),
  due as (
    -- A week ahead, for what was known longer; on the day; late when the server was away, up to a
    -- week. Never at night.
    select o.*, case when o.due_on > o.here::date then 'week' else 'day' end as stage
    from open_ones o
    where o.here::time >= time '08:00'
      and case
        when o.due_on > o.here::date
          then o.due_on <= o.here::date + 7 and o.made_at::date < o.due_on - 10
        else o.due_on >= o.here::date - 7
      end
  ),
  fresh as (
    insert into public.focus_reminders (action_id, stage, due_on)
    select d.id, d.stage, d.due_on from due d
    on conflict do nothing
    returning action_id
  ),
  mailed as (
    select private.send_mail(d.email, 'notice', jsonb_build_object(
      'subject', case
        when count(*) > 1 then 'What you said you’d do'
        when bool_or(d.stage = 'week') then 'One week left: ' || lower(min(d.area_name))
        else 'Due: ' || lower(min(d.area_name))
      end,
      'heading', 'What you said you’d do',
      'paragraphs', jsonb_agg(
        d.area_name || ', due ' || to_char(d.due_on, 'FMMonth FMDD') || ': ' || d.body
        order by d.due_on, d.position
      ) || to_jsonb(
        'Done? Mark it and choose what’s next. No time? Move the date or drop it. No hard feelings.'::text
      ),
      'button_label', 'Open your actions',
      'button_path', '/dashboard/skills#focus',
      'why', 'You’re getting this email because you asked for a reminder when you chose the action. Edit the action to turn off this one, or turn them all off in your profile.'
    )) as goes
    from due d
    where d.id in (select r.action_id from fresh r)
    group by d.user_id, d.email
  )
  select count(goes) from mailed
$$;

create or replace function private.why_closed(p_conversation public.conversations, p_user_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
declare
  v_other uuid;
begin
  case p_conversation.kind
    when 'direct' then
      select p.user_id into v_other from public.conversation_participants p
      where p.conversation_id = p_conversation.id and p.user_id <> p_user_id;
      return case
        when v_other is null then 'They’ve deleted their account.'
        when exists (
          select from public.blocks b where b.user_id = p_user_id and b.blocked_id = v_other
        ) then 'You’ve blocked this person.'
        -- Why is between the other and themselves.
        when exists (
          select from public.blocks b where b.user_id = v_other and b.blocked_id = p_user_id
        ) then 'You can’t write here.'
        when not private.work_together(p_user_id, v_other) then 'You no longer work together.'
      end;
    when 'engagement' then
      return (
        select case
          when e.closed_at is not null
            then 'This coaching has ended.'
          when private.coach_of(e.id) is null then 'You can write here once you have a coach.'
        end
        from public.engagements e where e.id = p_conversation.engagement_id
      );
    when 'project' then
      return (
        select case
          when b.archived_at is not null then 'This business is archived.'
          when not exists (
            select from public.conversation_participants p
            where p.conversation_id = p_conversation.id and p.left_at is null
              and p.user_id <> p_user_id
          ) then 'Nobody else is working on this project.'
        end
        from public.projects j join public.businesses b on b.id = j.business_id
        where j.id = p_conversation.project_id
      );
    else
      return case when p_conversation.about_user_id is null
        then 'They’ve deleted their account.' end;
  end case;
end
$$;

create or replace function private.my_part(p_conversation_id uuid) returns public.conversation_participants
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_part public.conversation_participants;
begin
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.user_id = v_user_id and p.left_at is null;
  if not found then
    raise exception 'We can’t find this conversation.' using errcode = 'P0002';
  end if;
  return v_part;
end
$$;

create or replace function public.open_conversation(p_id uuid, p_kind text, p_subject uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_new public.conversations;
  v_found uuid;
begin
  v_new.kind := p_kind;
  case p_kind
    when 'direct' then v_new.direct_pair := private.pair_of(v_user_id, p_subject);
    when 'engagement' then v_new.engagement_id := p_subject;
    when 'project' then v_new.project_id := p_subject;
    when 'support' then v_new.about_user_id := coalesce(p_subject, v_user_id);
    else
      raise exception 'Choose someone to message.' using errcode = '22023', hint = 'kind';
  end case;
  select c.id into v_found from public.conversations c
  where c.direct_pair = v_new.direct_pair or c.engagement_id = v_new.engagement_id
    or c.project_id = v_new.project_id or c.about_user_id = v_new.about_user_id;
  if found then
    if v_found not in (select private.my_conversation_ids()) then
      raise exception 'You can’t message this person.' using errcode = 'P0002', hint = 'subject';
    end if;
    return jsonb_build_object('id', v_found);
  end if;

  perform private.hold_people(v_new);
  if not (case p_kind
    when 'direct' then p_subject <> v_user_id and private.work_together(v_user_id, p_subject)
    when 'engagement' then exists (
      select from public.engagements e
      where e.id = p_subject and v_user_id in (e.owner_id, private.coach_of(e.id))
    )
    when 'project' then exists (select from private.people_of(v_new) w where w = v_user_id)
    -- Everybody has a thread of their own; the admins begin one with whom they like.
    else v_new.about_user_id = v_user_id or private.is_admin() and exists (
      select from auth.users u where u.id = v_new.about_user_id
    )
  end) then
    raise exception 'You can’t message this person.' using errcode = 'P0002', hint = 'subject';
  end if;
  if p_kind = 'direct' and exists (
    select from public.blocks b
    where (b.user_id, b.blocked_id) in ((v_user_id, p_subject), (p_subject, v_user_id))
  ) then
    raise exception 'You can’t message this person.' using errcode = 'P0002', hint = 'subject';
  end if;
  if p_id is null then
    raise exception 'A conversation needs an id.' using errcode = '22023', hint = 'id';
  end if;

  insert into public.conversations (
    id, kind, engagement_id, project_id, about_user_id, direct_pair, epoch, created_by
  ) values (
    p_id, p_kind, v_new.engagement_id, v_new.project_id, v_new.about_user_id, v_new.direct_pair,
    0, v_user_id
  )
  on conflict do nothing;
  if not found then
    -- Somebody opened the same one at the same time.
    select c.id into v_found from public.conversations c
    where c.direct_pair = v_new.direct_pair or c.engagement_id = v_new.engagement_id
      or c.project_id = v_new.project_id or c.about_user_id = v_new.about_user_id;
    if not found then
      raise exception 'This conversation already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found);
  end if;
  if p_kind = 'direct' then
    insert into public.conversation_participants (conversation_id, user_id, as_coach, active_at)
    values
      (p_id, v_user_id, private.coaches(v_user_id, p_subject), now()),
      (p_id, p_subject, private.coaches(p_subject, v_user_id), null);
  end if;
  perform private.settle_people(p_id, true);
  return jsonb_build_object('id', p_id);
end
$$;

create or replace function private.check_body(p_body text, p_files int) returns void
language plpgsql immutable set search_path = '' as $$
begin
  if p_body = '' and p_files = 0 then
    raise exception 'Write something first.' using errcode = '22023', hint = 'body';
  end if;
  if char_length(p_body) > 5000 then
    raise exception 'A message can have at most 5,000 characters.' using errcode = '22023', hint = 'body';
  end if;
end
$$;

create or replace function private.require_open(p_conversation public.conversations, p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_why text := private.why_closed(p_conversation, p_user_id);
begin
  if v_why is not null then
    raise exception '%', replace(v_why, 'can’t', 'can no longer') using errcode = '55000';
  end if;
end
$$;

create or replace function public.send_message(
  p_id uuid, p_conversation_id uuid, p_body text, p_reply_to uuid default null,
  p_files uuid[] default '{}'
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_body text := private.clean_body(p_body);
  v_files uuid[] := coalesce(p_files, '{}');
  v_part public.conversation_participants;
  v_conversation public.conversations;
  v_message public.messages;
begin
  if p_id is null then
    raise exception 'A message needs an id.' using errcode = '22023', hint = 'id';
  end if;
  -- Only who takes part, or did, makes others wait.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.user_id = v_user_id;
  if not found then
    raise exception 'We can’t find this conversation.' using errcode = 'P0002';
  end if;
  -- Sent twice at once: the second waits here and finds what the first one stored.
  select * into v_conversation from public.conversations c where c.id = p_conversation_id for update;
  select * into v_message from public.messages m where m.id = p_id;
  if found then
    if v_message.author_id is distinct from v_user_id
      or v_message.conversation_id is distinct from p_conversation_id
    then
      raise exception 'This message already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.message_json(
      v_message, case when v_part.left_at is null then v_part.from_seq else v_message.seq end
    );
  end if;

  v_part := private.my_part(p_conversation_id);
  perform private.require_open(v_conversation, v_user_id);
  perform private.check_body(v_body, cardinality(v_files));
  if p_reply_to is not null and not exists (
    select from public.messages m
    where m.id = p_reply_to and m.conversation_id = p_conversation_id and m.seq >= v_part.from_seq
  ) then
    raise exception 'The message you’re replying to isn’t in this conversation.'
      using errcode = '22023', hint = 'reply_to';
  end if;

  update public.conversations c set
    last_seq = c.last_seq + 1, revision = c.revision + 1,
    last_message_at = greatest(clock_timestamp(), c.last_message_at + interval '1 microsecond')
  where c.id = p_conversation_id
  returning * into v_conversation;
  insert into public.messages (
    id, conversation_id, seq, revision, author_id, body, reply_to, sent_at
  ) values (
    p_id, p_conversation_id, v_conversation.last_seq, v_conversation.revision, v_user_id, v_body,
    p_reply_to, v_conversation.last_message_at
  )
  returning * into v_message;
  perform private.attach_files(v_message, v_files);
  delete from public.message_drafts d
  where d.user_id = v_user_id and d.conversation_id = p_conversation_id;

  update public.conversation_participants p set
    active_at = v_message.sent_at,
    unread = p.unread + case when p.user_id = v_user_id then 0 else 1 end,
    -- Who has read everything has read their own words; who has not is not taken past the others'.
    read_seq = case when p.user_id = v_user_id and p.unread = 0 then v_message.seq else p.read_seq end,
    unread_since = case when p.user_id = v_user_id then p.unread_since
      else coalesce(p.unread_since, v_message.sent_at) end,
    unread_at = case when p.user_id = v_user_id then p.unread_at else v_message.sent_at end
  where p.conversation_id = p_conversation_id and p.left_at is null;

  perform private.tell_message('message', v_message);
  perform private.tell_people(p_conversation_id);
  return private.message_json(v_message, v_part.from_seq);
end
$$;

create or replace function private.message_of_mine(p_id uuid) returns public.messages
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_message public.messages;
begin
  select * into v_message from public.messages m where m.id = p_id and m.author_id = v_user_id;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002';
  end if;
  perform from public.conversations c where c.id = v_message.conversation_id for update;
  select * into v_message from public.messages m where m.id = p_id;
  return v_message;
end
$$;

create or replace function public.begin_message_file(
  p_id uuid, p_conversation_id uuid, p_name text, p_type text, p_size int,
  p_width int default null, p_height int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_bytes constant bigint := 1073741824;
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_file public.message_attachments;
begin
  if p_id is null then
    raise exception 'A file needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_files', v_part.user_id);
  select * into v_file from public.message_attachments a where a.id = p_id;
  if found then
    if v_file.uploaded_by is distinct from v_part.user_id
      or v_file.conversation_id <> p_conversation_id
    then
      raise exception 'This file already exists.' using errcode = '23505', hint = 'id';
    end if;
    return private.attachment_json(v_file);
  end if;
  perform private.require_open(c, v_part.user_id)
  from public.conversations c where c.id = p_conversation_id;
  perform private.check_file('message-files', p_name, p_type, p_size);
  -- What is awaited may turn out as large as the bucket allows, whatever was said.
  if (
    select coalesce(sum(case a.state when 'stored' then a.size else 20971520 end), 0) + p_size
    from public.message_attachments a where a.conversation_id = p_conversation_id
  ) > c_bytes then
    raise exception 'A conversation can have at most 1 GB of files.' using errcode = '55000';
  end if;
  perform private.count_writes('uploads', ceil(p_size / 1024.0)::int);
  insert into public.message_attachments (
    id, conversation_id, name, type, size, width, height, uploaded_by
  ) values (
    p_id, p_conversation_id, private.file_name(p_name, p_type), p_type, p_size,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_width end,
    case when p_width between 1 and 20000 and p_height between 1 and 20000 then p_height end,
    v_part.user_id
  )
  returning * into v_file;
  return private.attachment_json(v_file);
end
$$;

create or replace function public.finish_message_file(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_file public.message_attachments;
begin
  select * into v_file from public.message_attachments a
  where a.id = p_id and a.uploaded_by = v_user_id
    and a.conversation_id in (select private.my_conversation_ids())
  for update;
  if not found then
    raise exception 'We can’t find this file.' using errcode = 'P0002';
  end if;
  if v_file.state = 'awaited' then
    if not private.is_stored('message-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file didn’t upload completely. Send it again.' using errcode = '55000';
    end if;
    update public.message_attachments a set state = 'stored' where a.id = p_id
    returning * into v_file;
  end if;
  return private.attachment_json(v_file);
end
$$;

create or replace function public.remove_message_file(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if exists (
    select from public.message_attachments a
    where a.id = p_id and a.uploaded_by = v_user_id and a.message_id is not null
  ) then
    raise exception 'This file has been sent. Delete the message instead.' using errcode = '55000';
  end if;
  delete from public.message_attachments a
  where a.id = p_id and a.uploaded_by = v_user_id and a.message_id is null;
end
$$;

create or replace function private.attach_files(p_message public.messages, p_files uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_file public.message_attachments;
  v_attached int := 0;
begin
  if cardinality(p_files) = 0 then
    return;
  end if;
  if cardinality(p_files) > 10 then
    raise exception 'A message can have at most ten files.' using errcode = '22023', hint = 'files';
  end if;
  for v_file in
    select a.* from public.message_attachments a
    where a.id = any (p_files) and a.uploaded_by = p_message.author_id
      and a.conversation_id = p_message.conversation_id and a.message_id is null
    order by a.id for update
  loop
    -- Also what had arrived: its sender may have taken the object away again.
    if not private.is_stored('message-files', v_file.path, v_file.type, v_file.size) then
      raise exception 'The file "%" didn’t upload completely. Send it again.', v_file.name
        using errcode = '55000', hint = 'files';
    end if;
    update public.message_attachments a
    set state = 'stored', message_id = p_message.id, place = array_position(p_files, a.id)
    where a.id = v_file.id;
    v_attached := v_attached + 1;
  end loop;
  if v_attached <> cardinality(p_files) then
    raise exception 'A file in this message is no longer available. Choose it again.'
      using errcode = '22023', hint = 'files';
  end if;
end
$$;

create or replace function public.set_person_blocked(p_person_id uuid, p_blocked boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_silenced uuid[];
begin
  if p_person_id = v_user_id then
    raise exception 'You can’t block yourself.' using errcode = '22023', hint = 'person_id';
  end if;
  if coalesce(p_blocked, false) then
    -- Whom one has never met cannot be blocked, and nobody learns that way who has an account.
    if not exists (
      select from public.conversation_participants mine
      join public.conversation_participants theirs
        on theirs.conversation_id = mine.conversation_id
      where mine.user_id = v_user_id and theirs.user_id = p_person_id
    ) and not private.work_together(v_user_id, p_person_id) then
      raise exception 'We can’t find this person.' using errcode = 'P0002', hint = 'person_id';
    end if;
    insert into public.blocks (user_id, blocked_id) values (v_user_id, p_person_id)
    on conflict do nothing;
    if not found then
      return jsonb_build_object('blocked', true);
    end if;
    v_silenced := array(
      select c.id from public.conversations c
      join public.conversation_participants p on p.conversation_id = c.id
      join public.conversation_participants o on o.conversation_id = c.id
      where p.user_id = v_user_id and p.left_at is null and o.user_id = p_person_id
        and (c.kind = 'engagement' or c.about_user_id = v_user_id)
    );
    perform private.hold_conversations(v_silenced || array(
      select c.id from public.conversations c
      where c.direct_pair = private.pair_of(v_user_id, p_person_id)
    ));
    update public.conversation_participants p set muted = true
    where p.conversation_id = any (v_silenced) and p.user_id = v_user_id;
  else
    delete from public.blocks b where b.user_id = v_user_id and b.blocked_id = p_person_id;
    if not found then
      return jsonb_build_object('blocked', false);
    end if;
  end if;
  -- Whether the two may write has changed.
  perform private.renew_channel(c.id) from public.conversations c
  where c.direct_pair = private.pair_of(v_user_id, p_person_id);
  return jsonb_build_object('blocked', coalesce(p_blocked, false));
end
$$;

create or replace function public.list_correspondents(p_search text default null, p_limit int default 30)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_limit int := least(greatest(coalesce(p_limit, 30), 1), 100);
  v_pattern text := private.like_pattern(p_search);
  v_peopled uuid[] := array(
    select m.business_id from public.business_members m
    where m.user_id = v_user_id and exists (
      select from public.business_members o
      where o.business_id = m.business_id and o.user_id <> m.user_id
    )
  );
  v_coached uuid[] := array(
    select e.id from public.engagements e
    where (e.coach_id = v_user_id or e.business_id in (
        select m.business_id from public.business_members m where m.user_id = v_user_id
      ))
      and private.coach_of(e.id) is not null
  );
begin
  return coalesce((
    with people (user_id, words, rank) as (
      select e.coach_id, 'Your coach', 1 from public.engagements e
      where e.owner_id = v_user_id and private.coach_of(e.id) is not null
      union all
      select c.owner_id, 'Client: ' || b.name, 2
      from private.my_clients() c join public.businesses b on b.id = c.business_id
      union all
      select o.user_id, 'Member of ' || b.name, 3
      from public.business_members m
      join public.business_members o on o.business_id = m.business_id and o.user_id <> m.user_id
      join public.businesses b on b.id = m.business_id
      where m.user_id = v_user_id
    ), known as (
      -- Whoever is met in two ways stands once.
      select distinct on (p.user_id) p.user_id, p.words, p.rank, f.full_name, f.avatar_path
      from people p join public.profiles f on f.user_id = p.user_id
      where not exists (
        select from public.blocks b
        where (b.user_id, b.blocked_id) in ((v_user_id, p.user_id), (p.user_id, v_user_id))
      )
      order by p.user_id, p.rank
    ), found as (
      (
        select 1 as part, k.rank::text || lower(k.full_name) as place, 'direct' as kind,
          k.user_id as subject_id, coalesce(nullif(k.full_name, ''), 'No name given') as name,
          k.words, k.avatar_path, private.role_of(k.user_id) as role, c.id as conversation_id
        from known k
        left join public.conversations c on c.direct_pair = private.pair_of(v_user_id, k.user_id)
        where k.full_name ilike v_pattern or k.words ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 2, lower(b.name), 'engagement', e.id, 'Coaching: ' || b.name,
          case when e.owner_id = v_user_id then 'With ' else 'Owner: ' end
            || coalesce(private.name_of(case when e.owner_id = v_user_id then e.coach_id else e.owner_id end), 'No name given'),
          null, null, c.id
        from public.engagements e
        join public.businesses b on b.id = e.business_id
        left join public.conversations c on c.engagement_id = e.id
        where v_user_id in (e.owner_id, e.coach_id) and private.coach_of(e.id) is not null
          and 'Coaching: ' || b.name ilike v_pattern
        order by 2 limit v_limit
      )
      union all
      (
        select 3, lower(j.title), 'project', j.id, j.title, 'Project at ' || b.name, null, null, c.id
        from public.projects j
        join public.businesses b on b.id = j.business_id and b.archived_at is null
        left join public.conversations c on c.project_id = j.id
        -- Somebody else has to be there: another member, or the coach of its engagement.
        where (j.business_id = any (v_peopled) or j.engagement_id = any (v_coached))
          and j.status <> 'canceled'
          and (j.title ilike v_pattern or 'Project at ' || b.name ilike v_pattern)
        order by j.updated_at desc limit v_limit
      )
      union all
      (
        select 4, '', 'support', null, 'Support', 'Our staff', null, 'admin', c.id
        from (select) as one
        left join public.conversations c on c.about_user_id = v_user_id
        where not private.is_admin() and 'Support' ilike v_pattern
      )
    )
    select jsonb_agg(jsonb_build_object(
      'kind', f.kind, 'subject_id', f.subject_id, 'name', f.name, 'words', f.words,
      'avatar_path', f.avatar_path, 'role', f.role, 'conversation_id', f.conversation_id
    ) order by f.part, f.place, f.subject_id)
    from (select * from found order by part, place, subject_id limit v_limit) f
  ), '[]');
end
$$;

create or replace function public.report_message(p_id uuid, p_message_id uuid, p_reason text, p_note text default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_message public.messages;
  v_found public.message_reports;
begin
  if p_id is null then
    raise exception 'A report needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_reports', v_user_id);
  select m.* into v_message from public.messages m
  join public.conversation_participants p on p.conversation_id = m.conversation_id
  where m.id = p_message_id and p.user_id = v_user_id and p.left_at is null and p.from_seq <= m.seq;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002';
  end if;
  select * into v_found from public.message_reports r
  where r.id = p_id or (r.message_id = p_message_id and r.reporter_id = v_user_id);
  if found then
    if v_found.reporter_id is distinct from v_user_id
      or v_found.message_id is distinct from p_message_id
    then
      raise exception 'This report already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;
  if v_message.author_id is not distinct from v_user_id then
    raise exception 'This is your own message. You can delete it.' using errcode = '55000';
  end if;
  if v_message.removed_at is not null then
    raise exception 'This message has already been deleted.' using errcode = '55000';
  end if;
  if p_reason is null or p_reason not in ('spam', 'abuse', 'other') then
    raise exception 'Tell us what’s wrong with it.' using errcode = '22023', hint = 'reason';
  end if;
  if char_length(btrim(p_note)) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  insert into public.message_reports (
    id, message_id, conversation_id, reporter_id, author_id, reason, note, said
  ) values (
    p_id, p_message_id, v_message.conversation_id, v_user_id, v_message.author_id, p_reason,
    nullif(btrim(p_note), ''), v_message.body
  );
  -- The admins hear of it by mail, once an hour at most however much comes in.
  if private.take_rate_limit('reports_mailed', 1, interval '1 hour') then
    perform private.notify_person(
      r.user_id, 'A message was reported',
      'Someone in a conversation asked you to look at a message. We keep a record of who reads it.',
      'You’re getting this email because you’re an admin. We won’t email you about other reports within the next hour.',
      'Open the reports', '/admin/messages'
    )
    from public.staff_roles r where r.role = 'admin';
  end if;
  return jsonb_build_object('id', p_id, 'state', 'open');
end
$$;

create or replace function public.get_reported_conversation(p_report_id uuid, p_before bigint default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_report public.message_reports;
  v_conversation public.conversations;
  v_part public.conversation_participants;
  v_seq bigint;
  v_to bigint;
begin
  perform private.require_admin();
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  perform private.audit(
    'message_report.read', 'message_report', p_report_id::text, null,
    jsonb_build_object('conversation_id', v_report.conversation_id, 'before', p_before)
  );
  select * into v_conversation from public.conversations c where c.id = v_report.conversation_id;
  -- What its reporter could show of it: not what was said before they came.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = v_report.conversation_id and p.user_id = v_report.reporter_id;
  select m.seq into v_seq from public.messages m where m.id = v_report.message_id;
  v_part.conversation_id := v_report.conversation_id;
  v_part.from_seq := coalesce(v_part.from_seq, v_seq);
  -- Nor what was said after they left, or after the report was settled.
  v_to := least(coalesce(p_before - 1, v_seq + 20), (
    select max(m.seq) from public.messages m
    where m.conversation_id = v_report.conversation_id
      and (m.sent_at <= least(v_part.left_at, v_report.settled_at)) is not false
  ));
  return jsonb_build_object(
    'report', private.report_json(v_report) || jsonb_build_object('said', v_report.said),
    'people', coalesce((
      select jsonb_agg(
        private.person_json(p.user_id) || jsonb_build_object('left', p.left_at is not null)
        order by p.joined_at, p.user_id
      )
      from public.conversation_participants p where p.conversation_id = v_conversation.id
    ), '[]'),
    'messages', private.messages_json(v_part, v_to - 49, v_to),
    'more', v_to - 49 > v_part.from_seq
  );
end
$$;

create or replace function public.settle_message_report(p_report_id uuid, p_outcome text, p_reason text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_report public.message_reports;
  v_message public.messages;
begin
  if p_outcome is null or p_outcome not in ('dismissed', 'removed') then
    raise exception 'Dismiss the report, or remove the message.'
      using errcode = '22023', hint = 'outcome';
  end if;
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  -- The conversation before the report, like everyone who changes a message.
  perform from public.conversations c where c.id = v_report.conversation_id for update;
  select * into v_report from public.message_reports r where r.id = p_report_id for update;
  if v_report.state = 'settled' then
    if v_report.outcome <> p_outcome then
      raise exception 'This report has already been resolved.' using errcode = '55000';
    end if;
    return private.report_json(v_report);
  end if;
  if p_outcome = 'dismissed' and v_report.author_id = v_admin_id
    and not private.is_last_admin(v_admin_id)
  then
    raise exception 'You wrote this message, so another admin has to decide.'
      using errcode = '42501';
  end if;
  if p_outcome = 'removed' then
    select * into v_message from public.messages m where m.id = v_report.message_id;
    if v_message.id is not null and v_message.removed_at is null then
      v_message := private.change_message(v_report.message_id, null);
      perform private.notify_person(
        v_report.author_id, 'We removed one of your messages',
        'Someone in the conversation reported it, and we agreed that it doesn’t belong there.',
        'You’re getting this email because you wrote the message.', 'Your messages', '/dashboard/messages'
      );
    end if;
  end if;
  update public.message_reports r set
    state = 'settled', outcome = p_outcome, settled_by = v_admin_id, settled_at = now()
  where r.id = p_report_id
  returning * into v_report;
  perform private.audit(
    'message_report.settle', 'message_report', p_report_id::text, v_reason,
    jsonb_build_object('outcome', p_outcome, 'message_id', v_report.message_id)
  );
  perform private.notify_person(
    v_report.reporter_id, 'We looked at the message you reported',
    case p_outcome when 'removed' then 'We removed it. Thank you for telling us.'
      else 'We didn’t remove it. You can block the person who wrote it, or mute the conversation.' end,
    'You’re getting this email because you reported a message.', 'Your messages', '/dashboard/messages'
  );
  return private.report_json(v_report);
end
$$;

create or replace function private.unread_mail(p_user_id uuid, p_conversations jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  -- A mail shows so many conversations, and so many messages of each.
  c_conversations constant int := 5;
  c_messages constant int := 5;
  v_with_text boolean := private.wants(p_user_id, 'message_text');
  v_said jsonb;
begin
  if not private.wants(p_user_id, 'messages') then
    return null;
  end if;
  with unread as (
    select m.*, p.conversation_id as talk,
      row_number() over (partition by m.conversation_id order by m.seq) as place
    from jsonb_to_recordset(p_conversations) as q (id uuid, after bigint, upto bigint)
    join public.conversation_participants p
      on p.conversation_id = q.id and p.user_id = p_user_id and p.left_at is null and not p.muted
    join public.messages m
      on m.conversation_id = q.id
        and m.seq > greatest(q.after, p.read_seq, p.from_seq - 1) and m.seq <= q.upto
    where m.removed_at is null and m.author_id is distinct from p_user_id
      and not exists (
        select from public.blocks b where b.user_id = p_user_id and b.blocked_id = m.author_id
      )
  ), talks as (
    select u.talk, count(*)::int as messages, min(u.sent_at) as since,
      row_number() over (order by min(u.sent_at), u.talk) as place,
      array_agg(distinct coalesce(private.name_of(u.author_id), 'Someone')) as authors
    from unread u group by u.talk
  )
  select jsonb_build_object(
    'messages', sum(t.messages), 'conversations', count(*), 'with_text', v_with_text,
    'talks', jsonb_agg(
      jsonb_build_object(
        'title', private.conversation_title(c, p_user_id), 'messages', t.messages,
        'authors', to_jsonb(t.authors[:3]), 'others', greatest(cardinality(t.authors) - 3, 0),
        'path', '/dashboard/messages/conversations/' || t.talk
      ) || case when v_with_text then jsonb_build_object('said', (
        select jsonb_agg(
          jsonb_build_object(
            'by', coalesce(private.name_of(u.author_id), 'Someone'),
            'text', case when char_length(u.body) > 600 then rtrim(left(u.body, 599)) || '…' else u.body end,
            'files', (select count(*) from public.message_attachments a where a.message_id = u.id)
          ) order by u.seq
        )
        from unread u where u.talk = t.talk and u.place <= c_messages
      )) else '{}' end
      order by t.place
    ) filter (where t.place <= c_conversations)
  )
  into v_said
  from talks t join public.conversations c on c.id = t.talk;
  return case when (v_said ->> 'conversations')::int > 0 then v_said end;
end
$$;

create or replace function public.save_view(p_id uuid, p_list text, p_name text, p_query text) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_name text := private.clean_line(p_name, 10000);
  v_id uuid;
begin
  if p_id is null then
    raise exception 'A view needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_name is null or char_length(v_name) > 60 then
    raise exception 'Give the view a name of 1 to 60 characters.' using errcode = '22023', hint = 'name';
  end if;
  if char_length(p_query) > 1000 then
    raise exception 'These filters are too long to save.' using errcode = '22023', hint = 'query';
  end if;
  -- The same name again means the same view with other filters; the same id again is the same save.
  insert into public.saved_views as v (id, user_id, list, name, query)
  values (p_id, v_user_id, p_list, v_name, coalesce(p_query, ''))
  on conflict (user_id, list, name) do update set query = excluded.query
  returning v.id into v_id;
  return v_id;
exception
  when unique_violation then
    raise exception 'This view already exists.' using errcode = '23505', hint = 'id';
  when check_violation or not_null_violation then
    raise exception 'This list doesn’t exist.' using errcode = '22023', hint = 'list';
end
$$;

create or replace function private.count_writes(p_kind text, p_times int default 1) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
  v_now timestamptz := clock_timestamp();
  v_limit private.write_limits;
  v_count public.rate_limits;
  v_wait interval;
begin
  if v_user_id is null or p_times = 0 then
    return;
  end if;
  select * into strict v_limit from private.write_limits l where l.kind = p_kind;
  -- One row for each person and kind holds both counts, so a write costs one upsert, and nobody
  -- waits for anyone else.
  insert into public.rate_limits as r (key, hits, expires_at, minute_hits, minute_ends_at)
  values (
    private.write_key(p_kind, v_user_id), p_times, v_now + interval '1 day',
    p_times, v_now + interval '1 minute'
  )
  on conflict (key) do update set
    hits = case when private.is_over(r.expires_at, interval '1 day') then 0 else r.hits end + p_times,
    expires_at = case when private.is_over(r.expires_at, interval '1 day')
      then v_now + interval '1 day' else r.expires_at end,
    minute_hits = case when private.is_over(r.minute_ends_at, interval '1 minute')
      then 0 else r.minute_hits end + p_times,
    minute_ends_at = case when private.is_over(r.minute_ends_at, interval '1 minute')
      then v_now + interval '1 minute' else r.minute_ends_at end
  returning * into v_count;

  -- A refusal undoes the count with everything else: trying again does not prolong the wait.
  if v_count.hits > v_limit.a_day then
    v_wait := v_count.expires_at - v_now;
  elsif v_count.minute_hits > v_limit.a_minute then
    v_wait := v_count.minute_ends_at - v_now;
  else
    return;
  end if;
  perform private.refuse_for_now(format(
    'You’ve %s %s. Try again %%s.', v_limit.what,
    case when v_count.hits > v_limit.a_day then 'today' else 'in a short time' end
  ), v_wait);
end
$$;

create or replace function public.edit_message(p_id uuid, p_body text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_message public.messages := private.message_of_mine(p_id);
  v_part public.conversation_participants := private.my_part(v_message.conversation_id);
  v_body text := private.clean_body(p_body);
begin
  perform private.require_open(c, v_part.user_id)
  from public.conversations c where c.id = v_message.conversation_id;
  if v_message.removed_at is not null then
    raise exception 'This message was deleted.' using errcode = '55000';
  end if;
  perform private.check_body(v_body, (
    select count(*)::int from public.message_attachments a where a.message_id = p_id
  ));
  if v_body <> v_message.body then
    perform private.count_writes('message_changes');
    v_message := private.change_message(p_id, v_body);
  end if;
  return private.message_json(v_message, v_part.from_seq);
end
$$;

update private.row_ceilings c set sentence = n.sentence
from (values
  ('attempts', 'user_id', 'You’ve taken the quiz 500 times, which is the limit.'),
  ('focus_areas', 'user_id', 'You’ve chosen 500 focus areas, which is the limit.'),
  ('focus_actions', 'focus_area_id', 'A focus area can have at most 200 actions. End it and choose it again.'),
  ('business_members', 'business_id', 'A business can have at most 100 members.'),
  ('business_invitations', 'business_id', 'You have 50 open invitations. Cancel some before you send more.'),
  ('business_snapshots', 'business_id', 'A business can have at most 1,000 sets of figures.'),
  ('engagements', 'owner_id', 'You’ve asked for a coach 200 times, which is the limit.'),
  ('projects', 'business_id', 'A business can have at most 500 projects.'),
  ('project_tasks', 'project_id', 'A project can have at most 2,000 tasks, including removed ones. Start another project.'),
  ('project_updates', 'project_id', 'A project can have at most 2,000 updates. Start another project.'),
  ('project_files', 'project_id', 'A project can have at most 100 files. Remove one first.'),
  ('tool_copies', 'business_id', 'A business can have at most 500 copies. Remove one first.'),
  ('message_attachments', 'conversation_id', 'A conversation can have at most 2,000 files.'),
  ('message_attachments', 'uploaded_by', 'You have 20 unsent files. Send or remove some first.')
) as n (on_table, per, sentence)
where c.on_table = n.on_table and c.per = n.per;

update private.write_limits l set what = n.what
from (values
  ('answers', 'saved a lot of answers'),
  ('confidences', 'saved a lot of ratings'),
  ('adoptions', 'brought answers into your account many times'),
  ('recommendations', 'changed a lot of recommendations'),
  ('focus_areas', 'chosen a lot of focus areas'),
  ('focus_actions', 'added a lot of actions'),
  ('action_changes', 'changed a lot of actions'),
  ('account_deletions', 'asked us to delete your account many times'),
  ('exports', 'created a lot of archives'),
  ('businesses', 'added a lot of businesses'),
  ('business_facts', 'made a lot of changes to a business'),
  ('business_plan', 'made a lot of changes to a plan'),
  ('business_snapshots', 'entered a lot of figures'),
  ('business_invitations', 'sent a lot of invitations'),
  ('memberships', 'joined a lot of businesses'),
  ('coaching_changes', 'made a lot of changes to coaching'),
  ('projects', 'started a lot of projects'),
  ('project_changes', 'made a lot of changes to projects'),
  ('project_tasks', 'made a lot of changes to tasks'),
  ('project_updates', 'written a lot of updates'),
  ('project_files', 'added a lot of files'),
  ('toolbox_marks', 'marked a lot of tools'),
  ('tool_copies', 'copied a lot of tools'),
  ('copy_changes', 'made a lot of changes to copies'),
  ('conversations', 'started a lot of conversations'),
  ('messages', 'sent a lot of messages'),
  ('message_changes', 'edited a lot of messages'),
  ('message_drafts', 'saved a lot of drafts'),
  ('message_files', 'sent a lot of files'),
  ('read_marks', 'read a lot of messages'),
  ('blocks', 'blocked a lot of people'),
  ('message_reports', 'reported a lot of messages'),
  ('staff_roles', 'changed a lot of roles'),
  ('survey_invitations', 'sent a lot of survey invitations'),
  ('settled_reports', 'resolved a lot of reports'),
  ('saved_views', 'saved a lot of views')
) as n (kind, what)
where l.kind = n.kind;

comment on collation private.by_name is
  'The order people expect of names: "Step 2" before "Step 10", ignoring case.';
comment on function private.second_factor(uuid) is
  'none: no factor is enrolled. required: one is, but this session hasn''t verified it. verified: it has.';
comment on function private.session_open() is
  'False once the session has ended (signed out, password changed), even though its token lasts an hour.';
comment on function private.session_ok() is
  'False for a session that still needs its second factor, an error (PT401) for one that has ended. Part of every policy.';
comment on function private.require_session() is
  'The caller, or an error (42501): the first line of every procedure for signed-in people.';
comment on function private.one_at_a_time(text, uuid) is
  'Serializes calls of the same procedure by the same person until the transaction ends.';
comment on function private.clean_line(text, int) is
  'One line of at most p_length characters, without control characters and those that reverse the direction of text; null if nothing is left.';
comment on function private.file_name(text, text) is
  'The name a file of a type is saved under, at most 200 characters: its extension matches the type, so nothing is opened as something else. Null without a name, or for an unsupported type.';
comment on function private.check_file(text, text, text, int) is
  'Rejects (22023) a file without a name or content, or one whose size or type its bucket doesn''t allow.';
comment on function private.is_stored(text, text, text, int) is
  'Whether an object is stored under a path and, if given, has this type and size in bytes.';
comment on table public.audit_log is
  'Append-only record of what admins and the system did and read, with the reason if one is required.';
comment on function private.audit(text, text, text, text, jsonb) is
  'Adds a row for the caller; action has the form "<entity>.<verb>".';
comment on table private.transitions is
  'The steps a project, an attempt or an engagement can take, and who can take them. Only migrations change rows.';
comment on function private.may_step(text, text, text, text) is
  'Whether a step exists and this kind of person can take it.';
comment on function private.check_transition() is
  'Trigger for tables with states: rejects (55000) a step that isn''t in private.transitions. Its arguments are the entity and the state''s column.';
comment on table private.jobs is
  'Background work: waiting, running, ended or recurring. An email can contain a sign-in link, so no API role reads it.';
comment on function private.tick() is
  'Runs every scheduled job that''s due and returns {job: what it did}; {} if nothing was due.';
comment on function private.replay_jobs(uuid) is
  'Lets a stopped job run again, or (null) all of them, and returns how many. For the server''s operator: npm run jobs -- replay. No API role can call it.';
comment on function public.replay_jobs(uuid) is
  'An admin lets a stopped job run again, or (null) all of them: {replayed}. Writes an audit row.';
comment on function private.remove_folder(text, uuid) is
  'Queues the removal of everything stored in a folder of a bucket.';
comment on table public.rate_limits is
  'One counter per key, which restarts when its window ends. No API role reads or writes it.';
comment on function private.is_over(timestamptz, interval) is
  'Whether a window has ended, or started in what''s now the future because the clock was set back.';
comment on function private.take_rate_limit(text, int, interval) is
  'Counts one use of the key and returns whether it''s within p_limit per window; rejected uses don''t extend the window.';
comment on function private.wait_words(interval) is
  'How long to wait, for the end of a sentence: "in a minute", "in 5 minutes", "in 3 hours".';
comment on function private.refuse_for_now(text, interval, text) is
  'Raises PT429, which the REST interface returns as 429. %s in p_message becomes the time to wait; the detail is the same in seconds. p_field names the form field the message belongs to.';
comment on function private.require_rate_limit(text, int, interval, text, text) is
  'Counts one use of the key, and rejects it for now if it exceeds p_limit per window.';
comment on table private.trusted_headers is
  'The header that the proxy in front of the backend uses for the client''s address, if it isn''t x-forwarded-for.';
comment on function private.trust_address_header(text) is
  'From now on, rate limits use this header: select private.trust_address_header(''cf-connecting-ip''). Null: x-forwarded-for again. No API role can call it.';
comment on function private.network_of(text, int, int) is
  'The first address of an address''s network with this many bits (IPv4, IPv6); anything that isn''t an address is returned unchanged.';
comment on function private.client_address() is
  'The caller''s address as passed on by the REST interface (for IPv6 its 64-bit network), or null.';
comment on function private.require_fair_share(text, text, text, int, int, interval, text) is
  'Counts one use by a sender, who can have p_each per window, and by the sender''s network, which can have a tenth of p_all, and only then for all visitors together. Rejected for now if any limit is exceeded; rejected uses don''t count against the other limits.';
comment on view private.mails is
  'Jobs that are emails. Subject, html and body_text are what was sent; the last two only if the mailbox shows them.';
comment on table private.mail_limits is
  'A mailbox gets an email of this template only while it has had fewer than this many in a day. Templates without a row aren''t limited here. The server''s operator can change a row at any time; no API role reads or writes it.';
comment on function private.mailbox_of(text) is
  'The mailbox an address leads to: in lowercase, without anything after a plus sign and, at Gmail, without dots.';
comment on function private.mailbox_key(text, text) is
  'Key of a limit for a mailbox, without the address in plain text.';
comment on function private.mail_is_limited(text, text) is
  'Counts an email, and returns whether it exceeds its template''s limit.';
comment on function private.send_mail(text, text, jsonb, timestamptz) is
  'Queues an email unless the mailbox has reached its limit for the day; returns whether it goes out.';
comment on column public.profiles.preferred_name is 'What to call the person; null: the first word of the name.';
comment on column public.profiles.languages is 'Languages the person speaks, as BCP 47 names, best first.';
comment on function private.require_admin() is 'The calling admin, or an error (42501).';
comment on function private.known_time_zone(text) is
  'The name of a time zone as given, including older names; null if there''s no such zone.';
comment on function private.time_zone_of(uuid) is
  'The person''s time zone for dates and times: UTC until it''s known.';
comment on function private.my_today() is 'Today''s date where the caller is.';
comment on function private.day_words(timestamptz, uuid) is
  'A moment''s date where a person is, for an email to them: December 22, 2026.';
comment on function private.time_words(timestamptz, uuid) is
  'A moment''s time where a person is, with its zone, for an email to them: 3:00 PM MST.';
comment on function private.welcome() is
  'Creates a new account''s profile and, if a name was given, its first business. Sign-up data isn''t trusted: names are shortened to fit, a time zone is used only if it exists, and nothing else is read from it.';
comment on function private.make_admin(text) is
  'For the server''s operator, to create the first admin: select private.make_admin(''someone@example.org''). No API role can call it.';
comment on table public.business_members is 'Members of businesses.';
comment on table public.business_snapshots is
  'Figures of a business on a date. A new figure is a new row; unknown is null, never 0.';
comment on function private.current_business_id(uuid, uuid) is
  'A person''s first business that isn''t archived, other than p_but, in the order of session_context(); null if they have none.';
comment on function private.require_unarchived(uuid) is
  'An error (55000) while the business is archived and therefore read-only.';
comment on function private.require_member(uuid) is
  'An error if the caller doesn''t belong to the business (42501), or while it''s archived (55000).';
comment on function public.create_business(uuid, text, text, text, text) is
  'Creates a business that the caller owns; {id, name}.';
comment on table public.toolbox_items is 'The tools in the toolbox; people see the published ones.';
comment on column public.toolbox_items.calculator is 'The calculator on the item''s page.';
comment on column public.toolbox_items.words is 'What search covers: title before summary before body.';
comment on function private.tool_for(text, text) is
  'The slug of the shortest published item for the area''s level, otherwise of the shortest in the area, otherwise null.';
comment on table public.quiz_versions is
  'Editions of the quiz. Publishing one retires the previous one; a published version can''t change.';
comment on function private.guard_quiz_version() is
  'draft → published → retired and nothing else. Publishing checks that the version is complete and retires the previous one.';
comment on function private.quiz_version_json(uuid) is
  'A version with its areas and questions in order, as far as the caller can read them.';
comment on table public.engagements is
  'Who coaches which owner and business, and whether the coach can read quiz results.';
comment on table public.engagement_events is 'The history of an engagement, append-only.';
comment on function private.guard_engagement() is
  'An engagement keeps its subject, has a coach once it''s assigned, and records when it closed.';
comment on function public.request_coaching(uuid, uuid, text, text[], boolean) is
  'An owner asks for a coach for a business; {id, state}. One open request per business and owner.';
comment on function public.assign_coach(uuid, uuid, text) is
  'An admin assigns a request to a coach, or an open engagement to another one, with a reason.';
comment on function public.set_results_shared(uuid, boolean) is
  'An owner lets the coach read quiz results, or stops sharing them, at any time.';
comment on function public.withdraw_coaching(uuid) is
  'An owner withdraws from coaching in any open state; {id, state}. The coach loses access immediately and gets an email.';
comment on table public.attempts is
  'A person''s attempt at the quiz. Only procedures change it, and only along its states.';
comment on table public.answers is 'One answer per question of an attempt; the newest one counts.';
comment on table public.attempt_confidences is 'How confident the owner is in an area, 1 to 5.';
comment on table public.recommendations is
  'The three areas to work on, from finish_attempt; the owner can swap any with swap_recommendation.';
comment on function private.attempt_ids_shared_with_me() is
  'Submitted attempts shared by the owners this coach is assigned to.';
comment on function private.guard_attempt() is
  'An attempt keeps its person, business and version, and its score is computed once. The table''s owner can set times (demo data is in the past); no API role can update it at all.';
comment on function private.newest_answer_wins() is
  'A device that was offline can''t overwrite a later answer from another one; no clock can be ahead of ours.';
comment on function private.guard_result() is
  'Scores and recommendations are written while the attempt is being finished; afterward only an owner''s swap changes a recommendation.';
comment on function private.expire_attempts() is
  'Closes attempts that have been open for 180 days; returns their number.';
comment on function private.level_of(numeric) is 'The level of an unrounded score; null for null.';
comment on function private.confidence_note(numeric, int) is
  'Whether confidence, 25 · (rating − 1), and score are 25 or more apart, and how; null otherwise.';
comment on function private.candidates(uuid) is
  'Scored areas of an attempt in order of recommendation: priority = (100 − score) · importance · (1.25 if overconfident), ties in the order of the areas.';
comment on function private.score_attempt(uuid) is
  'The only place scores are computed: writes area_scores and recommendations of an open attempt and returns the overall score, or null with fewer than six scored areas.';
comment on function public.get_attempt(uuid) is
  'An attempt with its version, answers, scores and recommendations; null if it doesn''t exist or the caller can''t read it.';
comment on function private.open_attempt(uuid, uuid, uuid, uuid) is
  'The open full attempt of a person and business, created under p_id if there is none. Callers hold one_at_a_time(''attempts'').';
comment on function private.business_of_quiz(uuid, uuid) is
  'The business the caller takes a quiz for: the given one, otherwise their current one, otherwise null. Raises (42501, 55000) like require_member. Callers hold one_at_a_time(''attempts'').';
comment on function public.start_attempt(uuid, uuid, uuid) is
  'Starts the full quiz for a business (null: the current one, or none yet), or returns the open attempt; {id}.';
comment on function private.take_over_attempts(uuid, uuid) is
  'Assigns a business the attempts its person made before they had one; does nothing if they have another.';
comment on function public.finish_attempt(uuid) is
  'Submits the caller''s open attempt: computes its scores once and for good and returns the whole attempt.';
comment on function public.swap_recommendation(uuid, int, text) is
  'An owner swaps one of the three areas for another scored area.';
comment on function public.void_attempt(uuid, text) is
  'An admin voids a submitted attempt with a reason, which its owner can read.';
comment on table public.quiz_claims is
  'Visitors'' answers, kept 30 days for the browser with the secret. No API role reads or writes it directly.';
comment on table public.attempt_adoptions is
  'What adopt_answers and take_claim created under an id, so that sending twice creates it once.';
comment on function private.check_answers(uuid, text, jsonb) is
  'Rejects (22023) answers that are malformed or not for questions of this version and kind.';
comment on function private.adopt(uuid, uuid, uuid, text, uuid, jsonb, jsonb) is
  'Turns answers into a person''s attempt. Callers hold one_at_a_time(''attempts'') and have looked for p_id among the adoptions.';
comment on function public.store_claim(text, uuid, text, jsonb, jsonb) is
  'Keeps a visitor''s answers for 30 days under the hash of a secret that only their browser knows; {expires_at, key}. A registration passes the key as quiz_claim. Storing again replaces them.';
comment on function public.get_claim(text) is
  'What the caller''s registration left under a secret: {answers (how many), stored_at}, or null. People are asked before take_claim or remove_claim.';
comment on function public.take_claim(text, uuid, uuid) is
  'The answers that the caller''s registration left under a secret become theirs, once; returns the same as adopt_answers, or null if there are none.';
comment on function public.remove_claim(text) is
  'Deletes the answers that the caller''s registration left under a secret, because they''re someone else''s.';
comment on function public.admin_overview() is
  'Counts for an admin: people, coaches, businesses, attempts and engagements by state, email, the published quiz. Writes an audit row.';
comment on function public.my_engagements() is
  'An owner''s engagements in all their businesses, newest first, at most 50, each with its coach''s name.';
comment on function public.coach_clients() is
  'The coach''s open engagements with business, owner and, if shared, the latest result.';
comment on table public.surveys is
  'Ten statements, one recommendation, two comments, and what people are promised about who reads them.';
comment on table public.survey_invitations is
  'Personal links to a survey, one per engagement, and whether each was used: the response rate.';
comment on table public.survey_responses is
  'Responses to surveys. Nothing in an anonymous response leads to a person.';
comment on function public.invite_to_survey(uuid) is
  'An admin emails a client the personal link to the open survey; {id}. Doing it again replaces the link until it''s been used.';
comment on function public.get_survey(text) is
  'The open survey, and how the caller can answer it: by this invitation, by the public link, not again (answered) or not at all (none). Null if no survey is open.';
comment on function public.submit_survey_response(uuid, uuid, jsonb, text) is
  'Stores {agreement: 10 of 1 to 5 or null, recommend: 0 to 10 or null, comments: 2 texts or null} once under the sender''s id; {id}. By invitation, or by the public link within a rate limit.';
comment on table public.contacts is
  'People who wrote to us or asked for the newsletter, one row per address, with their consent.';
comment on table public.contact_messages is 'Messages from the contact form, kept two years.';
comment on function private.receive_message(text, uuid, text, text, text, text, text, text, text) is
  'Stores a message once under its id, emails the organization and, up to three times a day, an acknowledgement. Raises PT429 over the limits; p_wording is the consent to the newsletter, or null.';
comment on table public.notification_settings is
  'Which emails a person wants; no row: all of them. Emails about the account itself are always sent.';
comment on function public.save_notification_settings(boolean, boolean, boolean, boolean) is
  'Sets which emails the caller wants; null leaves a setting unchanged.';
comment on function private.wants(uuid, text) is
  'Whether a person wants emails of a kind (reminders, news, messages), or message_text in emails and notifications.';
comment on function private.has_room_for_avatar() is
  'One is shown, and older ones are removed: nobody needs more than ten.';
comment on function public.set_avatar(text) is
  'Sets a stored picture as the caller''s own, or none (null). Returns the paths of older ones for the client to remove.';
comment on table public.demographics is
  'Demographics that a person has chosen to share. Nobody else can read a row.';
comment on function public.save_demographics(text, text, text[], boolean, boolean, text) is
  'Stores the caller''s demographics; all null or empty deletes them.';
comment on function public.demographics_summary() is
  'For admins: how many people gave each answer, only from five people on, and never so that a smaller number could be worked out.';
comment on table public.projects is 'A business''s projects, with outcome, dates and status.';
comment on column public.projects.words is 'What search covers: title before outcome.';
comment on table public.project_events is 'Steps of a project, including rejected ones; append-only.';
comment on function private.project_right(uuid) is
  'edit: a member. share: the assigned coach, who can edit outcome, baseline and dates. admin: everything, with an audit row. Null: nothing.';
comment on function private.project_for_change(uuid, text) is
  'The project, locked, if the caller can change it ("edit") or write to it ("share"); an error (P0002, 42501) for everyone else, and (55000) while its business is archived.';
comment on function private.check_project(public.projects) is
  'Raises an error in words, with the field, for invalid input to a project.';
comment on function public.create_project(uuid, uuid, text, text, text, text, date, date, uuid) is
  'A member creates a draft; {id, revision, made}. Idempotent by id: the first call counts, and made is false for later ones.';
comment on function public.save_project(uuid, int, text, text, text, text, date, date, uuid) is
  'Saves edits based on a revision; {saved, project}. If someone else was faster, saved is false, nothing is written, and project is theirs.';
comment on function public.move_project(uuid, text, text) is
  'A member moves a project to another status; {status, refused, revision, blocked_reason, moves}. A rejected step is recorded and explained.';
comment on function private.project_moves(text) is
  'The steps from a status, [{to, note}]; note means that the step requires a reason.';
comment on function public.add_project_update(uuid, uuid, text) is
  'A member, the assigned coach or an admin writes an update; {id, at}. Idempotent by id.';
comment on table public.project_tasks is
  'The tasks of a project, in order; a removed one can be restored.';
comment on function public.add_project_task(uuid, uuid, text, date) is
  'A member adds a task at the end; returns the task. Idempotent by id.';
comment on function public.save_project_task(uuid, int, text, date) is
  'A member edits a task based on a revision; {saved, task}. saved is false, and nothing written, if someone else was faster.';
comment on function public.set_project_task_state(uuid, text, text) is
  'A member sets a task''s status, with a reason if it''s blocked; returns the task.';
comment on function public.move_project_task(uuid, uuid) is
  'A member moves a task after another one, or to the top if none is given; returns the task.';
comment on function public.remove_project_task(uuid, boolean) is
  'A member removes a task or, with false, restores it to its position; returns the task.';
comment on function public.list_project_tasks(uuid, uuid) is
  'The next 100 tasks of a project after a given one, for anyone who can read it.';
comment on table public.project_files is
  'Files of a project; the object is in the bucket project-files under its row''s path.';
comment on function public.begin_project_file(uuid, uuid, text, text, int) is
  'A member or the coach announces a file (name, type, size in bytes); returns the file with the path to store it under.';
comment on function public.finish_project_file(uuid) is
  'The uploader confirms an upload; returns the file. Rejected until the object is stored as announced.';
comment on function public.remove_project_file(uuid) is
  'Deletes a file''s row after its object was removed; idempotent.';
comment on function private.settle_project_files() is
  'Files whose tab was closed too early: those that arrived are kept, the rest are deleted.';
comment on function public.list_projects(uuid, text[], text, text, text, text, jsonb, int) is
  'A filtered page of projects of one business, or of all the caller can read, sorted ("changed", "due", "title"); 25 or p_limit of them, as a "board" 12 of each status. p_place is {way: "after" or "before", key, id} of a project on another page. {projects, more in that direction, counts by status (200 means 200 or more) and areas, both null if p_limit is given}.';
comment on function public.list_project_history(uuid, timestamptz, text) is
  'The 30 updates and steps of a project before a given one, newest first, for anyone who can read it.';
comment on function private.project_choices(uuid) is
  'What a business''s project can be about: {areas, engagements with a coach}.';
comment on function public.get_project(uuid) is
  'One project with everything its page shows: {project, business_name, archived (the business, which makes it read-only), right, may_write, moves, tasks (100), history (30), files, areas, engagements}; null if it doesn''t exist or the caller can''t read it.';
comment on function public.project_start(uuid, text, text) is
  'The data for a member''s new-project page: {areas, engagements, from}; from is the 30-day action it starts from, with its area''s latest score, or null.';
comment on table public.business_invitations is
  'Invitations to join a business and their outcome. No API role reads or writes it.';
comment on function private.role_in_business(uuid) is
  'The caller''s role, owner or member; an error (P0002) for everyone else.';
comment on function private.require_owner(uuid) is
  'An error for everyone but the business''s owner: P0002 for strangers, 42501 for members.';
comment on function private.mail_invitation(uuid) is
  'Gives an invitation a new secret and emails it; the previous link stops working.';
comment on function public.invite_member(uuid, uuid, text) is
  'The owner of a business invites an address, with or without an account; {id, address, sent_at, times_sent, expires_at, expired}. Idempotent by id.';
comment on function private.invitation_of_mine(uuid) is
  'The invitation, locked, for its business''s owner; an error (P0002) for everyone else.';
comment on function public.resend_invitation(uuid) is
  'The owner resends an invitation, at most five times; the previous link stops working.';
comment on function public.revoke_invitation(uuid) is
  'The owner cancels an invitation: its link stops working.';
comment on function public.get_invitation(text) is
  'What an emailed link means for the caller: {state: open, accepted, over or expired, with the business}, or only {state: unknown, other-address or unconfirmed}.';
comment on function public.accept_invitation(text) is
  'The recipient of an invitation joins the business with the address it was sent to; {business_id, name}.';
comment on function public.decline_invitation(text) is
  'The recipient declines an invitation: its link stops working; {declined}.';
comment on function private.invitations_to_me() is
  'Open invitations to the caller''s confirmed address, newest first, at most 20: [{id, business, invited_by, expires_at}].';
comment on function public.accept_my_invitation(uuid) is
  'The caller accepts an invitation to their own address from the list of businesses; {business_id, name}.';
comment on function public.decline_my_invitation(uuid) is
  'The caller declines an invitation to their own address from the list of businesses; {declined}.';
comment on function private.withdraw_coaching(uuid, uuid, text) is
  'Ends a business''s open coaching for one person or (null) everyone: without access to a business you have no coach for it.';
comment on function public.remove_member(uuid, uuid) is
  'The owner removes a member, who loses access to the business.';
comment on function public.hand_over_business(uuid, uuid) is
  'The owner makes a member the owner and stays on as a member; {owner}.';
comment on function private.business_facts(public.businesses) is
  'The details of a business as a form shows them: every field is text, '''' while unknown.';
comment on function private.fact_as_stored(text, text) is
  'What someone typed into a field of a business, as it''s stored; null for nothing.';
comment on function private.check_business_fact(text, text) is
  'The value as it''s stored, null for unknown; an error (22023) in words if it''s invalid.';
comment on function public.save_business_fact(uuid, text, text, text[]) is
  'A member saves one field of a business, '''' for unknown; {saved, value}. p_known are the values they''ve seen or sent: if the stored one isn''t among them, nothing is saved and it''s returned.';
comment on function public.add_snapshot(uuid, uuid, date, int, int, bigint, bigint, text) is
  'A member adds figures for a date, or corrects that date''s with newer ones; {id}. Unknown is null, never 0. Amounts are annual, in minor units.';
comment on function private.snapshots_json(uuid, date, int) is
  'The current figures for each date, newest first, and how often each was corrected.';
comment on function public.list_snapshots(uuid, date, int) is
  'Figures of a business before a date, newest first, for its members and the assigned coach.';
comment on function public.archive_business(uuid) is
  'The owner archives a business: it becomes read-only, open invitations stop working and open coaching ends; {id, archived_at}.';
comment on function public.unarchive_business(uuid) is
  'The owner restores a business as it was, without invitations or coaching; {id, archived_at}.';
comment on function public.list_businesses(boolean, int, int) is
  'A page of the businesses the caller can read, by name: {businesses, total, other (archived, or the rest), page_size, invitations (open ones to the caller)}. role is null for the coach.';
comment on function public.get_business(uuid) is
  'A business with its figures, members, open invitations (for its owner) and its plan''s progress; null if the caller can''t read it. role is null for the coach.';
comment on table public.business_plan_fields is
  'The current one-page plan of a business: a row for each field that was ever filled in.';
comment on table public.business_plan_versions is
  'Earlier contents of plan fields, with author and time. What one page writes within ten minutes is one version.';
comment on function public.get_plan(uuid) is
  'The plan of a business: {business_id, name, archived, role, fields}; null if the caller can''t read it. role is null for the coach, and fields never filled in are left out.';
comment on function public.save_plan_field(uuid, text, text, int, uuid) is
  'A member saves one field of the plan; {saved, field}. p_base_revision is what their page showed, p_editor the page: someone else''s newer text isn''t overwritten, but returned with saved false.';
comment on function public.list_plan_versions(uuid, text, int, int) is
  'Earlier contents of a plan field, newest first, with author and time, for anyone who can read the plan.';
comment on function public.restore_plan_version(uuid, text, int, uuid) is
  'A member restores an older version of a field as a new one; returns the resulting field.';
comment on table public.account_deletions is
  'Accounts to be deleted, and when. No API role reads or writes it.';
comment on function private.require_fresh_session() is
  'The caller, or an error (42501) if they last proved their identity more than ten minutes ago.';
comment on function private.sessions_json(uuid) is
  'Open sessions, at most 50, the current one first and then by last use.';
comment on function public.list_sessions() is
  'Where the caller is signed in, the current session first: [{id, signed_in_at, seen_at, user_agent, current}].';
comment on function public.end_session(uuid) is
  'Ends another session of the caller; returns the same as list_sessions. Ending one that''s gone changes nothing.';
comment on function private.forget_second_factor(text, text) is
  'For someone who lost their phone, after the server''s operator has verified who they are: select private.forget_second_factor(''someone@example.org'', ''called back''). No API role can call it.';
comment on function private.heirs(uuid) is
  'What happens to each business when a person leaves: nobody is left (alone), someone inherits it (heir_id), or it stays with its owner.';
comment on function public.get_account() is
  'How the caller signs in and what deleting would do: {email, has_password, new_email, new_email_sent_at, factors, sessions, deletion_due_at, last_admin, ending (names of businesses nobody else belongs to), passing ({name, to})}.';
comment on function public.request_account_deletion() is
  'Schedules the caller''s account for deletion in 30 days; {deletion_due_at}. Requires a session verified within ten minutes; never the last admin. Idempotent.';
comment on function public.keep_account() is
  'Cancels the deletion of the caller''s account, if any; {deletion_due_at: null}.';
comment on function private.erase_business(uuid) is
  'Empties a business that nobody belongs to anymore. Its industry and stage stay, because its attempts do.';
comment on function private.delete_account(uuid) is
  'Deletes a person: businesses get another owner or are emptied, attempts lose their name, everything else is deleted.';
comment on function private.delete_due_accounts() is
  'Sends reminders a week ahead, and deletes accounts whose grace period is over; never the last admin.';
comment on table public.tool_copies is
  'Toolbox templates as a business fills them in; a removed one is kept for 30 days.';
comment on function public.mark_tool(text, text, boolean) is
  'Sets or clears the caller''s mark ("saved", "done") on a published item; idempotent.';
comment on function public.copy_tool(uuid, text, uuid) is
  'Copies a template, worksheet or checklist into one of the caller''s businesses, once under its id.';
comment on function public.save_tool_copy(uuid, int, text, text) is
  'Saves a copy based on the given revision: {saved, copy}. If someone was faster, nothing is saved and copy is theirs.';
comment on function public.remove_tool_copy(uuid, boolean) is
  'Removes a copy from one of the caller''s businesses, or restores it within 30 days.';
comment on function private.words_query(text) is
  'A search query, with every word as a prefix; null for nothing.';
comment on function public.list_toolbox(uuid, text, text, text, text, text, int) is
  'A page of 24 matching published items with the caller''s marks: {items, more, page, total (counted up to counted_to), area (null if it doesn''t exist), areas}; without filters also {recommended}; {copies} of the business.';
comment on function private.recommended_tools(uuid) is
  'The next item for each area in the caller''s latest results. Null without results.';
comment on function public.get_tool(text, uuid) is
  'One published item with the caller''s marks and its copies in the business; null if there is none.';
comment on function public.get_tool_copy(uuid) is
  'A copy the caller can read, with its business and the item it came from; null if there is none.';
comment on table public.focus_reminders is
  'Reminders that went out, by due date, so that none is sent twice. No API role reads it.';
comment on function private.focus_json(uuid, uuid) is
  'The focus areas of a person and business with their actions: open ones first, then the most recently ended; as far as the caller can read them.';
comment on function public.choose_focus_area(uuid, uuid, text, uuid, text, date, text, boolean) is
  'An owner chooses an area of their results to work on, with its first action; returns the focus areas of that business. Idempotent by id.';
comment on function public.add_focus_action(uuid, uuid, text, date, text, boolean) is
  'Adds the next action to the caller''s focus area; returns the focus areas of that business. Idempotent by id.';
comment on function public.change_focus_action(uuid, text, date, boolean) is
  'An owner changes the text, date or reminders of an open action; returns the focus areas of that business.';
comment on function public.settle_focus_action(uuid, text) is
  'An owner marks an action as done or dropped, or reopens it; returns the focus areas of that business.';
comment on function public.end_focus_area(uuid) is
  'An owner stops working on an area; its open action is dropped. Returns the focus areas of that business.';
comment on function private.remind_of_focus_actions() is
  'Emails everyone with an action due in a week or today, one email per person, once per due date, unless they''ve opted out; returns the number of emails.';
comment on function public.compare_attempts(uuid, uuid) is
  'Compares two submitted full attempts of one person and business, area by area, on the questions they share: improved or lower from two answer steps on, with the changed answers. Without the second one, the previous one. Null if the caller can''t read both or they don''t belong together.';
comment on table public.benchmarks is
  'Quartiles of at least twenty businesses of an industry and stage. Read only through get_skills.';
comment on table public.benchmark_businesses is
  'The results behind each benchmark, to tell when enough of them have changed. No API role reads it.';
comment on function private.benchmark_businesses() is
  'The latest full result of every business with an industry and stage; one business per person.';
comment on function private.refresh_benchmarks() is
  'Updates the benchmarks of industries and stages where five businesses have something new, and removes those with fewer than twenty.';
comment on function private.benchmark_json(uuid) is
  'The benchmark for a business''s industry and stage, for a member; no areas below twenty businesses.';
comment on function private.open_attempt_json(uuid) is
  'The caller''s open quiz for a business (null: none yet), and its progress.';
comment on function private.standing_json(uuid) is
  'The caller''s latest result for a business (a full quiz before a first look): each area with its score, its weakest practice and, if recommended, its place and tool.';
comment on function private.coaching_json(uuid) is
  'The caller''s open coaching for a business, and whether results are shared.';
comment on function public.list_attempts(uuid, uuid) is
  'Twenty of the caller''s closed attempts for a business, newest first, starting after p_before; and whether there are more.';
comment on function public.get_skills(uuid, uuid, uuid) is
  'Everything the skills page shows for the caller''s business (null: none yet): the open quiz, attempts, the latest result, the trend, two attempts compared (the newest two by default), the benchmark, focus areas, coaching, and whether the caller wants reminders at all.';
comment on function public.get_result(uuid) is
  'An attempt as in get_attempt, with the comparison to the previous full one, the focus areas of its business and its person''s other results, as far as the caller can read them.';
comment on function private.next_projects_json(uuid) is
  'A business''s four open projects that are due next, each with its next task, for a member; and the number of open ones, up to 100.';
comment on function public.get_dashboard(uuid) is
  'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result, focus areas, coaching, open invitations, the projects due next, and saved tools that aren''t done.';
comment on table public.conversations is
  'Conversations: one for each pair of people, engagement, project, and person with the admins.';
comment on table public.conversation_participants is
  'Who takes part in a conversation, since when, and how far they''ve read.';
comment on function private.coaches(uuid, uuid) is
  'Whether one coaches the other in an open engagement and is still a coach.';
comment on function private.work_together(uuid, uuid) is
  'Members of the same business, or an owner and their coach: people who can message each other.';
comment on function private.people_of(public.conversations) is
  'Who should take part according to the rules, whatever the current participants are.';
comment on function private.may_write_about(uuid, uuid) is
  'Whether this person and at least one other can take part in the conversation about a project.';
comment on function private.coach_of(uuid) is 'The current coach of an open engagement, or null.';
comment on function private.why_closed(public.conversations, uuid) is
  'Why a participant can''t write now, in words for them; null if they can.';
comment on function private.my_part(uuid) is
  'The caller''s current participation; an error (P0002) for everyone else.';
comment on function private.hold_conversations(uuid[]) is
  'Locks several conversations, always in the same order and before their participants, to avoid deadlocks.';
comment on function private.renew_channels(uuid[]) is
  'Closes the live channels of conversations and tells everyone in them to reload.';
comment on function private.settle_people(uuid, boolean) is
  'Updates the participants to match the rules; if that changes anything, or with p_renew, the channel is replaced.';
comment on function private.settle_support(uuid) is
  'A new admin joins every support thread, and a former admin leaves all but their own.';
comment on function private.settle_coaching(uuid[], uuid[], uuid[]) is
  'Updates the conversations about engagements and their projects, and those between these owners and coaches.';
comment on function private.hold_coach(uuid) is
  'Serializes with reassigning an engagement and removing its coach''s role: locks an engagement first, then its coach, then conversations.';
comment on function private.hold_people(public.conversations) is
  'Serializes with changes of participants until a new conversation exists.';
comment on function public.open_conversation(uuid, text, uuid) is
  'Finds or creates the conversation with a person (direct), about an engagement or project, or with support; {id}. p_subject is the person, engagement or project; null for the caller''s own support thread.';
comment on function public.set_conversation_muted(uuid, boolean) is
  'Mutes or unmutes emails, sounds and notifications of a conversation; {muted}.';
comment on table public.messages is
  'Messages in the order of seq; revision is that of the latest change.';
comment on function private.my_later_starts() is
  'The first message the person can read in conversations they joined later, by id.';
comment on function private.excerpt(text) is 'The start of a text as one line of at most 140 characters.';
comment on function private.quote_json(uuid, bigint) is
  'What a message replies to, for someone who can read from p_from_seq on: no text from before; null for nothing.';
comment on function private.message_json(public.messages, bigint) is
  'A message for someone who can read from p_from_seq on: without text from before in what it replies to.';
comment on function private.tell_conversation(public.conversations, text, jsonb) is
  'Broadcasts to everyone who has the conversation open.';
comment on function private.tell_people(uuid, uuid) is
  'Sends everyone in a conversation, or one of them, its current entry in their list.';
comment on function private.tell_person(uuid, uuid) is
  'Sends one person a conversation''s current entry in their list, whatever page they have open.';
comment on function private.clean_body(text) is
  'Trimmed text without control characters, except tabs and new lines, and without those that reverse its direction.';
comment on function public.send_message(uuid, uuid, text, uuid, uuid[]) is
  'Sends the next message of a conversation and notifies everyone in it; returns the message. Idempotent by id. PT429: too many at once.';
comment on function private.message_of_mine(uuid) is
  'A message, with its conversation locked, for its author; an error (P0002) for everyone else.';
comment on function public.edit_message(uuid, text) is
  'The author edits a message, as long as they can write there; returns the message.';
comment on function private.change_message(uuid, text) is
  'Changes a message''s text, or (null) removes it with its files; its position stays.';
comment on function public.remove_message(uuid) is
  'The author removes a message at any time; a placeholder stays. Idempotent.';
comment on function public.read_messages(uuid, bigint) is
  'The caller has read up to a message, never backward; {unread, unread_total}.';
comment on function public.list_messages(uuid, bigint, bigint, int) is
  'A page of a conversation in order: before a seq, after one, or the latest; {messages, more} (more: further in the same direction).';
comment on function public.list_message_changes(uuid, bigint, int) is
  'What was sent, edited or removed after a revision, in the order it happened; {messages, revision, epoch, last_seq, more, unread, people: [{id, read_seq}]}.';
comment on table public.message_attachments is
  'Files of messages; the object is in the bucket message-files under its row''s path.';
comment on function private.unsent_message_paths() is 'Files that the person hasn''t sent yet.';
comment on function public.begin_message_file(uuid, uuid, text, text, int, int, int) is
  'Announces a file (name, type, size in bytes; for a picture its pixels); returns the file with the path to store it under.';
comment on function public.finish_message_file(uuid) is
  'The sender confirms an upload; returns the file. Rejected until the object is stored as announced.';
comment on function public.remove_message_file(uuid) is
  'The sender removes an unsent file with its object; idempotent.';
comment on function private.attach_files(public.messages, uuid[]) is
  'Attaches the files its author uploaded to a new message, in this order.';
comment on function private.forget_unsent_files() is
  'Removes files that weren''t sent within a day, with their objects.';
comment on table public.message_drafts is 'Drafts of messages; nobody else can read them.';
comment on function public.save_message_draft(uuid, text, uuid) is
  'Saves the caller''s draft in a conversation; empty text deletes it.';
comment on table public.blocks is 'People someone has blocked; nobody else can see it.';
comment on function public.set_person_blocked(uuid, boolean) is
  'Blocks or unblocks someone the caller is in contact with; {blocked}. Conversations about coaching and with support are only muted.';
comment on function public.list_blocked() is
  'The people the caller has blocked, newest first: [{id, name, avatar_path, role, blocked_at}].';
comment on function private.conversation_title(public.conversations, uuid) is
  'A conversation''s name in a person''s list.';
comment on function private.like_pattern(text) is 'Search input as a pattern for ilike.';
comment on function public.list_conversations(text, timestamptz, uuid, int) is
  'A page of the caller''s conversations, most recently active first, or those whose people or subject match a search; {conversations, more, unread (100 means 100 or more), support_id}. The next page starts after the last one''s active_at and id.';
comment on function public.get_conversation(uuid, int, bigint) is
  'One conversation with a page of messages: the latest, those around the first unread, or around a seq; {conversation, people (including former ones), messages, draft, blocked}. Null if it isn''t the caller''s.';
comment on function public.list_correspondents(text, int) is
  'Who and what the caller can start a conversation with or about: people, coaching, projects, support last; [{kind, subject_id, name, words, avatar_path, role, conversation_id}].';
comment on function private.message_query(text) is
  'A search query for messages, with every word as a prefix; null for nothing.';
comment on function public.search_messages(text, timestamptz, int) is
  'Messages the caller can read that contain every word (as a prefix), newest first: [{message_id, conversation_id, title, seq, author_id, author_name, excerpt, sent_at}]; the next page starts after the last one''s sent_at.';
comment on function private.excerpt_around(text, tsquery) is
  'The part of a text that a search matched, as one line: all of a short one, with “…” in front if it''s not the start.';
comment on function private.topic_conversation(text, text[]) is
  'The conversation of a topic, if its epoch is current and the caller takes part; otherwise null.';
comment on function private.may_see_presence(uuid, uuid) is
  'Whether someone can see that another person is online: people who can message each other.';
comment on function private.may_hear() is 'Whether the caller can join this channel.';
comment on function private.may_say(text) is
  'Whether the caller can broadcast (typing only) or be present in this channel.';
comment on table public.message_reports is
  'Messages that participants reported to the admins. No API role reads or writes it.';
comment on function public.report_message(uuid, uuid, text, text) is
  'A reader reports a message (spam, abuse, other) to the admins, who can then read the conversation; {id, state}. One report per reader and message.';
comment on function public.list_message_reports(text, timestamptz, uuid, int) is
  'For admins: who reported which author and why, "open" or "settled", newest first, without the text; {reports, more, open (100 means 100 or more)}. The next page starts after the last one''s created_at and id.';
comment on function public.get_reported_conversation(uuid, bigint) is
  'For admins, with an audit log row each time: fifty messages around the reported one, or before a seq; {report (with said), people, messages, more}.';
comment on function public.settle_message_report(uuid, text, text) is
  'An admin dismisses a report or removes the message, with a reason for the audit log; the reporter gets an email. Nobody can dismiss a report about their own message while there''s another admin.';
comment on function private.mail_to_send(text, jsonb) is
  'The current data of a queued email, right before it''s sent; null if it''s no longer wanted.';
comment on function private.unread_mail(uuid, jsonb) is
  'The data for an email about these conversations ([{id, after, upto}]), limited to what''s unread now; null for nothing.';
comment on function private.mail_unread_messages() is
  'Queues one email for everyone whose unread messages have been waiting for ten quiet minutes, or for an hour.';
comment on function private.leave_words_behind() is
  'Before an account is deleted: their messages stay with the people they wrote to, without their name; their files are removed.';
comment on function public.session_context() is
  'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), role, second_factor, businesses, deletion_due_at, unread_messages (100 means 100 or more), message_text (whether emails and notifications may include the text of messages)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';
comment on table public.saved_views is
  'List filters that a person saved under a name, as the query string of its URL.';
comment on function public.save_view(uuid, text, text, text) is
  'Saves the filters of a list under a name, replacing any with that name; returns the view''s id.';
comment on function public.remove_view(uuid) is
  'Removes one of the caller''s saved views; idempotent.';
comment on function private.export_parts() is
  'Tables of an export, with the condition for a row t ($1 the person, $2 their address, $3 their businesses) and the columns left out.';
comment on function public.export_account() is
  'Everything about the caller: {made_at, account, sessions, second_factors, tables: {name: rows}, files: [{bucket, path, name, size}]}. Nothing about anyone else, except what members of their businesses share.';
comment on table private.write_limits is
  'How much one person can write of each kind per minute and per day. The server''s operator can change a row at any time; no API role reads or writes it.';
comment on function private.count_writes(text, int) is
  'Counts what the caller writes, and raises PT429 over the limits of its kind. Counts nothing if nobody is signed in.';
comment on function private.limit_writes() is
  'Trigger for what people write: counts a statement''s rows under the kind in its argument.';
comment on table private.row_ceilings is
  'How many rows of a table can have the same value in a column. The server''s operator can change a number at any time; no API role reads or writes it.';
comment on function private.limit_rows() is
  'Trigger for tables with a ceiling: raises 55000 if a value of the column in its argument has too many rows.';

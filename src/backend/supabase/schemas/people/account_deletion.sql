-- Account: where people are signed in, and deleting an account after a grace period of 30 days.
--
--   (nothing) → due in 30 days → deleted        can be canceled until then
--
-- During the grace period, everything works as usual, and every signed-in page has a reminder. Then
-- we remove the person. Businesses with other members get another owner, and quiz attempts stay for
-- statistics. What only this person could see is deleted, including files.

create table public.account_deletions (
  user_id uuid primary key references auth.users (id) on delete cascade,
  requested_at timestamptz not null default now(),
  due_at timestamptz not null default now() + interval '30 days' check (due_at > requested_at),
  reminded_at timestamptz
);
comment on table public.account_deletions is
  'Accounts to be deleted, and when. No API role reads or writes it.';
create index account_deletions_due_at_idx on public.account_deletions (due_at);

alter table public.account_deletions enable row level security;

-- Recent proof of identity ----------------------------------------------------------------------

create function private.require_fresh_session() returns uuid
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
comment on function private.require_fresh_session() is
  'The caller, or an error (42501) if they last proved their identity more than ten minutes ago.';

-- Sessions --------------------------------------------------------------------------------------

create function private.sessions_json(p_user_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', s.id, 'signed_in_at', s.created_at, 'seen_at', s.seen_at,
      'user_agent', left(s.user_agent, 500), 'current', s.current
    )
    order by s.current desc, s.seen_at desc, s.id
  ), '[]')
  from (
    select o.id, o.created_at, o.user_agent,
      coalesce(o.refreshed_at at time zone 'utc', o.created_at) as seen_at,
      o.id::text = coalesce(auth.jwt() ->> 'session_id', '') as current
    from auth.sessions o
    where o.user_id = p_user_id and (o.not_after is null or o.not_after > now())
    order by 5 desc, 4 desc
    limit 50
  ) s
$$;
comment on function private.sessions_json(uuid) is
  'Open sessions, at most 50, the current one first and then by last use.';

create function public.list_sessions() returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.sessions_json(private.require_session())
$$;
comment on function public.list_sessions() is
  'Where the caller is signed in, the current session first: [{id, signed_in_at, seen_at, user_agent, current}].';
grant execute on function public.list_sessions() to authenticated;

create function public.end_session(p_id uuid) returns jsonb
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
comment on function public.end_session(uuid) is
  'Ends another session of the caller; returns the same as list_sessions. Ending one that''s gone changes nothing.';
grant execute on function public.end_session(uuid) to authenticated;

create function private.forget_second_factor(
  p_email text, p_reason text, p_details jsonb default '{}'
) returns int
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
    delete from private.recovery_codes c where c.user_id = v_user_id;
    delete from auth.sessions s where s.user_id = v_user_id;
    perform private.audit(
      'second_factor.forget', 'user', v_user_id::text, private.require_reason(p_reason), p_details
    );
    perform private.notify(
      v_user_id, 'account', 'second_factor:' || now(), 'We removed your authenticator app',
      E'You asked us to, because you couldn’t use it anymore. Until you add an app again, your password alone signs you in.\nIf you didn’t ask for this, choose a new password right away and write to us.',
      '/dashboard/profile', 'Sign in'
    );
  end if;
  return v_count;
end
$$;
comment on function private.forget_second_factor(text, text, jsonb) is
  'For someone who lost their phone, after the server''s operator has verified who they are: select private.forget_second_factor(''someone@example.org'', ''called back''). No API role can call it.';

-- Data of the account page ----------------------------------------------------------------------

create function private.is_last_admin(p_user_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select private.role_of(p_user_id) = 'admin' and not exists (
    select from public.staff_roles s where s.role = 'admin' and s.user_id <> p_user_id
  )
$$;

create function private.heirs(p_user_id uuid)
returns table (business_id uuid, name text, role text, heir_id uuid, alone boolean)
language sql stable security definer set search_path = '' as $$
  select m.business_id, b.name, m.role,
    case when m.role = 'owner' then (
      select o.user_id from public.business_members o
      where o.business_id = m.business_id and o.user_id <> p_user_id
      order by o.joined_at, o.user_id limit 1
    ) end,
    not exists (
      select from public.business_members o
      where o.business_id = m.business_id and o.user_id <> p_user_id
    )
  from public.business_members m join public.businesses b on b.id = m.business_id
  where m.user_id = p_user_id
$$;
comment on function private.heirs(uuid) is
  'What happens to each business when a person leaves: nobody is left (alone), someone inherits it (heir_id), or it stays with its owner.';

create function public.get_account() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'email', u.email,
      'has_password', coalesce(u.encrypted_password, '') <> '',
      'new_email', nullif(u.email_change, ''),
      'new_email_sent_at', case when nullif(u.email_change, '') is not null then u.email_change_sent_at end,
      'factors', coalesce((
        select jsonb_agg(
          jsonb_build_object('id', f.id, 'added_at', f.created_at)
          order by f.created_at, f.id
        )
        from auth.mfa_factors f
        where f.user_id = v_user_id and f.status = 'verified' and f.factor_type = 'totp'
      ), '[]'),
      'recovery_codes', private.recovery_codes_json(v_user_id),
      'sessions', private.sessions_json(v_user_id),
      'deletion_due_at', (
        select d.due_at from public.account_deletions d where d.user_id = v_user_id
      ),
      'last_admin', private.is_last_admin(v_user_id),
      'ending', coalesce((
        select jsonb_agg(e.name order by e.name) from (
          select h.name from private.heirs(v_user_id) h where h.alone order by h.name limit 20
        ) e
      ), '[]'),
      'passing', coalesce((
        select jsonb_agg(jsonb_build_object('name', e.name, 'to', e.heir) order by e.name) from (
          select h.name, private.name_of(h.heir_id) as heir
          from private.heirs(v_user_id) h where h.heir_id is not null order by h.name limit 20
        ) e
      ), '[]')
    )
    from auth.users u where u.id = v_user_id
  );
end
$$;
comment on function public.get_account() is
  'How the caller signs in and what deleting would do: {email, has_password, new_email, new_email_sent_at, factors, recovery_codes ({left, made_at} or null), sessions, deletion_due_at, last_admin, ending (names of businesses nobody else belongs to), passing ({name, to})}.';
grant execute on function public.get_account() to authenticated;

-- Requesting deletion, and canceling it ---------------------------------------------------------

create function public.request_account_deletion() returns jsonb
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
    perform private.notify(
      v_user_id, 'account', 'deletion:' || v_due_at,
      'We’ll delete your account on ' || private.day_words(v_due_at, v_user_id),
      'You asked for this. Until ' || private.time_words(v_due_at, v_user_id) || E' that day everything works as usual, and you can keep the account with one click. After that we can’t restore it, so download your data first, from the same page.\nIf it wasn’t you who asked, keep the account and choose a new password.',
      '/dashboard/profile', 'Keep my account'
    );
  else
    select d.due_at into v_due_at from public.account_deletions d where d.user_id = v_user_id;
  end if;
  return jsonb_build_object('deletion_due_at', v_due_at);
end
$$;

comment on function public.request_account_deletion() is
  'Schedules the caller''s account for deletion in 30 days; {deletion_due_at}. Requires a session verified within ten minutes; never the last admin. Idempotent.';
grant execute on function public.request_account_deletion() to authenticated;

create function public.keep_account() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  delete from public.account_deletions d where d.user_id = v_user_id;
  if found then
    perform private.audit('account.keep', 'user', v_user_id::text);
    perform private.notify(
      v_user_id, 'account', 'kept:' || now(), 'You’re keeping your account',
      'It won’t be deleted, and nothing has changed.', '/dashboard/profile', 'Your profile'
    );
  end if;
  return jsonb_build_object('deletion_due_at', null);
end
$$;
comment on function public.keep_account() is
  'Cancels the deletion of the caller''s account, if any; {deletion_due_at: null}.';
grant execute on function public.keep_account() to authenticated;

-- Deleting accounts -----------------------------------------------------------------------------

create function private.erase_business(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.withdraw_coaching(p_id, null, 'The owner’s account was deleted.');
  perform private.end_seats_of(p_id);
  -- In this bucket alone: ids come from browsers, and may be those of something else elsewhere. The
  -- files of one that was merged into another belong to that one now.
  if private.merged_into(p_id) is null then
    perform private.remove_folder('project-files', m) from private.merged_ids(array[p_id]) m;
  end if;

  perform set_config('trellis.erasing', 'on', true);
  delete from public.project_files f where f.business_id = p_id;
  delete from public.project_tasks t where t.business_id = p_id;
  delete from public.project_updates u where u.business_id = p_id;
  delete from public.project_events e where e.business_id = p_id;
  delete from public.projects p where p.business_id = p_id;
  delete from public.tool_copies c where c.business_id = p_id;
  delete from public.business_plan_fields f where f.business_id = p_id;
  delete from public.business_worksheets w where w.business_id = p_id;
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
comment on function private.erase_business(uuid) is
  'Empties a business that nobody belongs to anymore. Its industry and stage stay, because its attempts do.';

create function private.delete_account(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Someone you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them: businesses, then as in private.hold_coach.
  perform private.one_at_a_time('business', b.business_id)
  from (
    select m.business_id from public.business_members m
    where m.user_id = p_user_id order by m.business_id
  ) b;
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- The people concerned hear of it, in words that don't depend on who they are to each other.
  perform private.notify(
    c.coach_id, 'coaching', 'gone:' || p_user_id, v_name || ' has deleted their account',
    'You were their coach. The coaching has ended.', '/dashboard/coaching', 'Your clients'
  )
  from (
    select distinct e.coach_id from public.engagements e
    where e.owner_id = p_user_id and e.coach_id is not null and e.closed_at is null
  ) c;
  perform private.free_clients(p_user_id, 'The account was deleted.');

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify(
        m.user_id, 'account', 'owner:' || v_business.business_id || ':' || now(),
        'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        '/dashboard/businesses/' || v_business.business_id, 'Open the business'
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform private.forget_coaching_of(p_user_id);
  -- An invoice has to keep who it was for, and the purchase order that it answers; anything else
  -- doesn't.
  update public.orders o set state = 'canceled'
  where o.buyer_id = p_user_id and o.state in ('draft', 'quoted', 'expired', 'failed');
  delete from public.order_files f using public.orders o
  where f.order_id = o.id and o.buyer_id = p_user_id and o.invoice_number is null;
  update public.orders o set
    billing_name = null, billing_organization = null, billing_email = null, billing_address = null,
    note = null
  where o.buyer_id = p_user_id and o.invoice_number is null;

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.program_sponsors s where s.address = lower(v_email);
  update public.seats s set state = 'unassigned' where s.address = lower(v_email) and s.state = 'assigned';
  perform private.forget_event_places(lower(v_email));
  delete from public.contacts c where c.email = lower(v_email) or c.user_id = p_user_id;
  delete from private.jobs j where j.kind = 'mail' and lower(j.payload ->> 'to') = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  perform private.send_mail(v_email, 'account-notice', jsonb_build_object(
    'subject', 'We’ve deleted your account', 'heading', 'We’ve deleted your account',
    'paragraphs', jsonb_build_array('You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.'),
    'why', 'You’re getting this email because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$$;
comment on function private.delete_account(uuid) is
  'Deletes a person: businesses get another owner or are emptied, attempts lose their name, everything else is deleted.';

create function private.delete_due_accounts() returns jsonb
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
    perform private.notify(
      v_due.user_id, 'account', 'deletion_week:' || v_due.due_at,
      'One week left: we’ll delete your account on ' || private.day_words(v_due.due_at, v_due.user_id),
      'It happens at ' || private.time_words(v_due.due_at, v_due.user_id) || '. After that we can’t restore it. If you want to download your data, now’s the time.',
      '/dashboard/profile', 'Keep my account'
    );
    v_reminded := v_reminded + 1;
  end loop;

  lock table public.staff_roles in share row exclusive mode;
  for v_due in
    select d.user_id, d.due_at from public.account_deletions d
    where d.due_at <= now() order by d.due_at limit 100
    for update skip locked
  loop
    if private.is_last_admin(v_due.user_id) then
      -- The others left in the meantime: somebody must be able to name the next admin.
      delete from public.account_deletions d where d.user_id = v_due.user_id;
      perform private.notify(
        v_due.user_id, 'account', 'deletion_refused:' || v_due.due_at,
        'We didn’t delete your account',
        'You’re the last admin. Make someone else an admin, then ask again.',
        '/dashboard/profile', 'Your profile'
      );
    else
      perform private.delete_account(v_due.user_id);
      v_deleted := v_deleted + 1;
    end if;
  end loop;
  return jsonb_build_object('deleted', v_deleted, 'reminded', v_reminded);
end
$$;
comment on function private.delete_due_accounts() is
  'Sends reminders a week ahead, and deletes accounts whose grace period is over; never the last admin.';
insert into private.jobs (kind, every) values ('delete_due_accounts', interval '10 minutes');

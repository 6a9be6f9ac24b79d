-- Business invitations: how people are invited to a business by email, and how they leave it.
--
-- The owner of a business invites addresses. What the owner sees never depends on whether an
-- address has an account: the email goes out either way, and only its reader can use it.

create table public.business_invitations (
  id uuid primary key,
  business_id uuid not null references public.businesses (id) on delete cascade,
  address text not null check (
    address = lower(btrim(address)) and char_length(address) between 3 and 254
  ),
  -- SHA-256 of the secret; the secret itself is only in the email.
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  sent_at timestamptz not null default now(),
  times_sent int not null default 1 check (times_sent between 1 and 5),
  expires_at timestamptz not null default now() + interval '14 days',
  ended text check (ended in ('accepted', 'declined', 'revoked')),
  ended_at timestamptz,
  accepted_by uuid references auth.users (id) on delete set null,
  -- owner: an admin imported the business. Whoever accepts first owns it, and others become members.
  role text not null default 'member' check (role in ('member', 'owner')),
  check ((ended is null) = (ended_at is null))
);
comment on table public.business_invitations is
  'Invitations to join a business and their outcome. No API role reads or writes it.';

create index business_invitations_business_id_idx on public.business_invitations (business_id);
create unique index business_invitations_one_open_idx
  on public.business_invitations (business_id, address) where ended is null;
create index business_invitations_address_idx
  on public.business_invitations (address) where ended is null;
create index business_invitations_invited_by_idx on public.business_invitations (invited_by);
create index business_invitations_accepted_by_idx on public.business_invitations (accepted_by);

alter table public.business_invitations enable row level security;

create function private.delete_old_invitations() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.business_invitations
    where coalesce(ended_at, expires_at) < now() - interval '90 days'
    returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_invitations', interval '1 day');

-- Permissions in a business ---------------------------------------------------------------------

create function private.role_in_business(p_business_id uuid) returns text
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
comment on function private.role_in_business(uuid) is
  'The caller''s role, owner or member; an error (P0002) for everyone else.';

create function private.require_owner(p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Two owners' hands at once, or an owner who is about to be none, wait for each other.
  perform private.one_at_a_time('business', p_business_id);
  if private.role_in_business(p_business_id) <> 'owner' then
    raise exception 'Only the owner of the business can do this.' using errcode = '42501';
  end if;
end
$$;
comment on function private.require_owner(uuid) is
  'An error for everyone but the business''s owner: P0002 for strangers, 42501 for members.';

create function private.name_of(p_user_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select nullif(p.full_name, '') from public.profiles p where p.user_id = p_user_id
$$;

-- Inviting --------------------------------------------------------------------------------------

create function private.mail_invitation(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Two random UUIDs have 244 random bits.
  v_token text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
  v_goes boolean;
begin
  select private.send_mail(i.address, 'business-invitation', jsonb_build_object(
    'business', b.name,
    'inviter', coalesce(private.name_of(i.invited_by), 'The owner'),
    'path', '/dashboard/businesses/invitation?token=' || v_token
  ), now() + interval '14 days')
  into v_goes
  from public.business_invitations i join public.businesses b on b.id = i.business_id
  where i.id = p_id;
  -- Where the mailbox gets no more mail today, the link that it has goes on working.
  if v_goes then
    update public.business_invitations i
    set token_hash = private.secret_hash(v_token), sent_at = now(),
      expires_at = now() + interval '14 days'
    where i.id = p_id;
  end if;
end
$$;
comment on function private.mail_invitation(uuid) is
  'Gives an invitation a new secret and emails it; the previous link stops working.';

create function private.invitation_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', i.id, 'address', i.address, 'sent_at', i.sent_at, 'times_sent', i.times_sent,
    'expires_at', i.expires_at, 'expired', i.expires_at <= now()
  )
  from public.business_invitations i where i.id = p_id
$$;

create function public.invite_member(p_id uuid, p_business_id uuid, p_address text) returns jsonb
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
comment on function public.invite_member(uuid, uuid, text) is
  'The owner of a business invites an address, with or without an account; {id, address, sent_at, times_sent, expires_at, expired}. Idempotent by id.';
grant execute on function public.invite_member(uuid, uuid, text) to authenticated;

create function private.invitation_of_mine(p_id uuid) returns public.business_invitations
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
comment on function private.invitation_of_mine(uuid) is
  'The invitation, locked, for its business''s owner; an error (P0002) for everyone else.';

create function public.resend_invitation(p_id uuid) returns jsonb
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
comment on function public.resend_invitation(uuid) is
  'The owner resends an invitation, at most five times; the previous link stops working.';
grant execute on function public.resend_invitation(uuid) to authenticated;

create function public.revoke_invitation(p_id uuid) returns jsonb
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
comment on function public.revoke_invitation(uuid) is
  'The owner cancels an invitation: its link stops working.';
grant execute on function public.revoke_invitation(uuid) to authenticated;

-- Receiving an invitation -----------------------------------------------------------------------

create function private.invitation_of_token(p_token text) returns uuid
language sql stable security definer set search_path = '' as $$
  select i.id from public.business_invitations i
  where i.token_hash = private.secret_hash(coalesce(p_token, ''))
$$;

create function private.invitation_for_me(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_me record;
  v_invitation public.business_invitations;
  v_business record;
begin
  select u.email, u.email_confirmed_at is not null as confirmed into v_me
  from auth.users u where u.id = v_user_id;
  select * into v_invitation from public.business_invitations i where i.id = p_id;
  if not found then
    return jsonb_build_object('state', 'unknown');
  end if;
  -- Nothing of the business for whoever the mail was not sent to.
  if lower(v_me.email) is distinct from v_invitation.address then
    return jsonb_build_object('state', 'other-address', 'your_address', v_me.email);
  end if;
  if not v_me.confirmed then
    return jsonb_build_object('state', 'unconfirmed', 'your_address', v_me.email);
  end if;
  select b.id, b.name, b.archived_at into v_business
  from public.businesses b where b.id = v_invitation.business_id;
  return jsonb_build_object(
    'state', case
      when v_invitation.ended = 'accepted' and v_invitation.accepted_by = v_user_id then 'accepted'
      when v_invitation.ended is not null or v_business.archived_at is not null then 'over'
      when v_invitation.expires_at <= now() then 'expired'
      else 'open'
    end,
    'id', v_invitation.id, 'business_id', v_business.id, 'business', v_business.name,
    'invited_by', private.name_of(v_invitation.invited_by), 'expires_at', v_invitation.expires_at,
    'role', v_invitation.role
  );
end
$$;

create function private.join_by_invitation(p_id uuid) returns jsonb
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
      values (v_business_id, v_user_id, case
        when v_invitation ->> 'role' = 'owner' and not exists (
          select from public.business_members m
          where m.business_id = v_business_id and m.role = 'owner'
        ) then 'owner' else 'member'
      end)
      on conflict (business_id, user_id) do nothing;
      update public.business_invitations i
      set ended = 'accepted', ended_at = now(), accepted_by = v_user_id
      where i.id = p_id;
      perform private.notify(
        i.invited_by, 'business', 'joined:' || p_id,
        coalesce(private.name_of(v_user_id), i.address) || ' has joined ' || (v_invitation ->> 'business'),
        'They can now see and edit the business, its figures, its plan and its projects.',
        '/dashboard/businesses/' || v_business_id || '#members', 'See the members'
      )
      from public.business_invitations i where i.id = p_id;
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

create function private.refuse_invitation(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_invitation jsonb := private.invitation_for_me(p_id);
begin
  update public.business_invitations i set ended = 'declined', ended_at = now()
  where i.id = (v_invitation ->> 'id')::uuid and i.ended is null;
  return jsonb_build_object('declined', found);
end
$$;

-- With the secret from the emailed link.

create function public.get_invitation(p_token text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.invitation_for_me(private.invitation_of_token(p_token)) - 'id'
$$;
comment on function public.get_invitation(text) is
  'What an emailed link means for the caller: {state: open, accepted, over or expired, with the business}, or only {state: unknown, other-address or unconfirmed}.';
grant execute on function public.get_invitation(text) to authenticated;

create function public.accept_invitation(p_token text) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.join_by_invitation(private.invitation_of_token(p_token))
$$;
comment on function public.accept_invitation(text) is
  'The recipient of an invitation joins the business with the address it was sent to; {business_id, name}.';
grant execute on function public.accept_invitation(text) to authenticated;

create function public.decline_invitation(p_token text) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.refuse_invitation(private.invitation_of_token(p_token))
$$;
comment on function public.decline_invitation(text) is
  'The recipient declines an invitation: its link stops working; {declined}.';
grant execute on function public.decline_invitation(text) to authenticated;

-- Without the link, for people signed in with the confirmed address, who could open the email.

create function private.invitations_to_me() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'id', o.id, 'business', o.name, 'invited_by', private.name_of(o.invited_by),
      'expires_at', o.expires_at, 'role', o.role
    ) order by o.sent_at desc, o.id
  ), '[]')
  from (
    select i.id, i.invited_by, i.expires_at, i.sent_at, i.role, b.name
    from auth.users u
    join public.business_invitations i on i.address = lower(u.email) and i.ended is null
    join public.businesses b on b.id = i.business_id and b.archived_at is null
    where u.id = auth.uid() and (select private.session_ok())
      and u.email_confirmed_at is not null and i.expires_at > now()
    order by i.sent_at desc, i.id limit 20
  ) o
$$;
comment on function private.invitations_to_me() is
  'Open invitations to the caller''s confirmed address, newest first, at most 20: [{id, business, invited_by, expires_at, role}].';

create function public.accept_my_invitation(p_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.join_by_invitation(p_id)
$$;
comment on function public.accept_my_invitation(uuid) is
  'The caller accepts an invitation to their own address from the list of businesses; {business_id, name}.';
grant execute on function public.accept_my_invitation(uuid) to authenticated;

create function public.decline_my_invitation(p_id uuid) returns jsonb
language sql volatile security definer set search_path = '' as $$
  select private.refuse_invitation(p_id)
$$;
comment on function public.decline_my_invitation(uuid) is
  'The caller declines an invitation to their own address from the list of businesses; {declined}.';
grant execute on function public.decline_my_invitation(uuid) to authenticated;

-- Leaving ---------------------------------------------------------------------------------------

create function private.withdraw_coaching(p_business_id uuid, p_owner_id uuid, p_reason text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform set_config('trellis.reason', p_reason, true);
  update public.engagements e set state = 'withdrawn'
  where e.business_id = p_business_id and (p_owner_id is null or e.owner_id = p_owner_id)
    and e.closed_at is null;
  perform set_config('trellis.reason', '', true);
end
$$;
comment on function private.withdraw_coaching(uuid, uuid, text) is
  'Ends a business''s open coaching for one person or (null) everyone: without access to a business you have no coach for it.';

create function public.remove_member(p_business_id uuid, p_user_id uuid) returns jsonb
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
    perform private.notify(
      p_user_id, 'account', 'removed:' || p_business_id || ':' || now(),
      'You’re no longer a member of ' || b.name,
      'The owner removed you from the business. Your own quiz results are still yours.',
      '/dashboard/businesses', 'Your businesses'
    )
    from public.businesses b where b.id = p_business_id;
  end if;
  return jsonb_build_object('user_id', p_user_id);
end
$$;
comment on function public.remove_member(uuid, uuid) is
  'The owner removes a member, who loses access to the business.';
grant execute on function public.remove_member(uuid, uuid) to authenticated;

create function public.leave_business(p_business_id uuid) returns jsonb
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
comment on function public.leave_business(uuid) is
  'A member leaves a business. The owner hands it over first.';
grant execute on function public.leave_business(uuid) to authenticated;

create function public.hand_over_business(p_business_id uuid, p_user_id uuid) returns jsonb
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
  perform private.notify(
    p_user_id, 'account', 'owner:' || p_business_id || ':' || now(),
    'You’re now the owner of ' || b.name,
    coalesce(private.name_of(v_user_id), 'The owner') || ' has handed the business over to you. You decide who belongs to it and whether to archive it.',
    '/dashboard/businesses/' || p_business_id, 'Open the business'
  )
  from public.businesses b where b.id = p_business_id;
  return jsonb_build_object('owner', p_user_id);
end
$$;
comment on function public.hand_over_business(uuid, uuid) is
  'The owner makes a member the owner and stays on as a member; {owner}.';
grant execute on function public.hand_over_business(uuid, uuid) to authenticated;

create function private.find_new_owner() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  -- An account was deleted: a business that still has people must have somebody who decides.
  if old.role = 'owner' and not exists (
    select from public.business_members m
    where m.business_id = old.business_id and m.role = 'owner'
  ) then
    update public.business_members m set role = 'owner'
    where m.business_id = old.business_id and m.user_id = (
      select o.user_id from public.business_members o
      where o.business_id = old.business_id order by o.joined_at, o.user_id limit 1
    );
  end if;
  return null;
end
$$;
create trigger business_members_have_an_owner after delete on public.business_members
  for each row execute function private.find_new_owner();

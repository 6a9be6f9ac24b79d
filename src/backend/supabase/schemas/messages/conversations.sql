-- Conversations: who takes part, and starting with which message.
--
--   direct       two people who work together
--   engagement   an owner and their current coach
--   project      the members of its business and the coach of its engagement
--   support      one person and the current admins
--
-- Three numbers keep everyone in sync. `last_seq` is the newest message's number; messages are
-- numbered in order, without gaps. `revision` counts every change (a message, an edit, a removal),
-- so a client at revision 7 can request everything after it and misses nothing. `epoch` is part of
-- the live channel's name. It changes when someone joins or leaves, or when who can write changes,
-- so that nobody keeps access through the old channel.

create table public.conversations (
  id uuid primary key,
  kind text not null check (kind in ('direct', 'engagement', 'project', 'support')),
  engagement_id uuid unique references public.engagements (id),
  project_id uuid unique references public.projects (id) on delete cascade,
  -- The person this support thread belongs to; null once they've deleted their account.
  about_user_id uuid unique references auth.users (id) on delete set null,
  -- "<smaller id>:<larger id>"; null once either has deleted their account.
  direct_pair text unique,
  epoch int not null default 1,
  last_seq bigint not null default 0 check (last_seq >= 0),
  revision bigint not null default 0 check (revision >= last_seq),
  last_message_at timestamptz,
  created_by uuid references auth.users (id) on delete set null,
  created_at timestamptz not null default now(),
  check ((kind = 'engagement') = (engagement_id is not null)),
  check ((kind = 'project') = (project_id is not null)),
  check (about_user_id is null or kind = 'support'),
  check (direct_pair is null or kind = 'direct')
);
comment on table public.conversations is
  'Conversations: one for each pair of people, engagement, project, and person with the admins.';
create index conversations_created_by_idx on public.conversations (created_by);

create table public.conversation_participants (
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  user_id uuid not null references auth.users (id) on delete cascade,
  -- The first message they can read: earlier ones weren't meant for them.
  from_seq bigint not null default 1 check (from_seq >= 1),
  read_seq bigint not null default 0 check (read_seq >= 0),
  -- Other people's messages after read_seq, updated by sending, reading and removing.
  unread int not null default 0 check (unread >= 0),
  -- When the first and the newest unread message arrived, of those that no email has covered.
  unread_since timestamptz,
  unread_at timestamptz,
  mailed_seq bigint not null default 0,
  muted boolean not null default false,
  -- They take part as the coach, and leave when they're no longer the coach.
  as_coach boolean not null default false,
  -- Sorts their list. Null hides it from them until the first message, unless they created it.
  active_at timestamptz,
  joined_at timestamptz not null default now(),
  left_at timestamptz,
  primary key (conversation_id, user_id),
  check ((unread_since is null) = (unread_at is null))
);
comment on table public.conversation_participants is
  'Who takes part in a conversation, since when, and how far they''ve read.';
create index conversation_participants_list_idx
  on public.conversation_participants (user_id, active_at desc, conversation_id desc)
  where left_at is null and active_at is not null;
create index conversation_participants_user_id_idx
  on public.conversation_participants (user_id, conversation_id) include (left_at);
create index conversation_participants_unread_idx
  on public.conversation_participants (user_id) include (unread)
  where left_at is null and unread > 0;
create index conversation_participants_to_mail_idx
  on public.conversation_participants (unread_since) where unread_since is not null;

-- Row-level security ----------------------------------------------------------------------------

alter table public.conversations enable row level security;
alter table public.conversation_participants enable row level security;

create function private.my_conversation_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select p.conversation_id from public.conversation_participants p
  where p.user_id = (select auth.uid()) and p.left_at is null
$$;
comment on function private.my_conversation_ids() is 'Conversations that the person takes part in now.';
grant execute on function private.my_conversation_ids() to authenticated;

create policy "People see the conversations they take part in"
  on public.conversations for select to authenticated
  using ((select private.session_ok()) and id = any (array(select private.my_conversation_ids())));
create policy "People see who takes part in their conversations"
  on public.conversation_participants for select to authenticated
  using (
    (select private.session_ok())
    and conversation_id = any (array(select private.my_conversation_ids()))
  );
grant select (
  id, kind, engagement_id, project_id, epoch, last_seq, revision, last_message_at, created_at
) on public.conversations to authenticated;
-- Private: whether someone has muted the conversation or received an email about it.
grant select (conversation_id, user_id, from_seq, read_seq, joined_at, left_at)
  on public.conversation_participants to authenticated;

-- Who can message whom --------------------------------------------------------------------------

create function private.coaches(p_coach_id uuid, p_owner_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.engagements e
    where e.owner_id = p_owner_id and e.coach_id = p_coach_id
      and e.closed_at is null
  ) and private.role_of(p_coach_id) = 'coach'
$$;
comment on function private.coaches(uuid, uuid) is
  'Whether one coaches the other in an open engagement and is still a coach.';

create function private.work_together(p_one uuid, p_other uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.business_members a
    join public.business_members b on b.business_id = a.business_id
    where a.user_id = p_one and b.user_id = p_other
  ) or private.coaches(p_one, p_other) or private.coaches(p_other, p_one)
$$;
comment on function private.work_together(uuid, uuid) is
  'Members of the same business, or an owner and their coach: people who can message each other.';

create function private.pair_of(p_one uuid, p_other uuid) returns text
language sql immutable set search_path = '' as $$
  select least(p_one, p_other) || ':' || greatest(p_one, p_other)
$$;

create function private.people_of(p_conversation public.conversations) returns setof uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  case p_conversation.kind
    when 'engagement' then
      return query
        select e.owner_id from public.engagements e
        where e.id = p_conversation.engagement_id and e.owner_id is not null
        union
        select private.talking_coach(p_conversation.engagement_id)
        where private.talking_coach(p_conversation.engagement_id) is not null;
    when 'project' then
      return query
        select m.user_id from public.projects j
        join public.business_members m on m.business_id = j.business_id
        where j.id = p_conversation.project_id
        union
        select private.coach_of(j.engagement_id) from public.projects j
        where j.id = p_conversation.project_id
          and private.coach_of(j.engagement_id) is not null;
    when 'support' then
      return query
        select p_conversation.about_user_id where p_conversation.about_user_id is not null
        union
        select s.user_id from public.staff_roles s where s.role = 'admin';
    else
      -- Two who wrote to each other keep what was said; a coach only as long as they coach.
      return query
        select p.user_id from public.conversation_participants p
        where p.conversation_id = p_conversation.id
          and (not p.as_coach or exists (
            select from public.conversation_participants o
            where o.conversation_id = p.conversation_id and o.user_id <> p.user_id
              and private.work_together(p.user_id, o.user_id)
          ));
  end case;
end
$$;
comment on function private.people_of(public.conversations) is
  'Who should take part according to the rules, whatever the current participants are.';

create function private.may_write_about(p_project_id uuid, p_user_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_talk public.conversations;
begin
  v_talk.kind := 'project';
  v_talk.project_id := p_project_id;
  return (
    select count(*) > 1 and bool_or(w = p_user_id) from private.people_of(v_talk) w
  );
end
$$;
comment on function private.may_write_about(uuid, uuid) is
  'Whether this person and at least one other can take part in the conversation about a project.';

create function private.coach_of(p_engagement_id uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select e.coach_id from public.engagements e
  where e.id = p_engagement_id and private.coaches(e.coach_id, e.owner_id)
    and e.closed_at is null
$$;
comment on function private.coach_of(uuid) is 'The current coach of an open engagement, or null.';

create function private.talking_coach(p_engagement_id uuid) returns uuid
language sql stable security definer set search_path = '' as $$
  select case
    -- The owner may still reply, which opens it again.
    when e.state <> 'unreachable' then private.coach_of(e.id)
    when private.reopen_blocker(e) is null then e.coach_id
  end
  from public.engagements e where e.id = p_engagement_id
$$;
comment on function private.talking_coach(uuid) is
  'The coach in the conversation about an engagement: the current one or, until the owner replies, the one who couldn''t reach them.';

create function private.why_closed(p_conversation public.conversations, p_user_id uuid) returns text
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
            and (e.state <> 'unreachable' or private.talking_coach(e.id) is null)
            then 'This coaching has ended.'
          when private.talking_coach(e.id) is null then 'You can write here once you have a coach.'
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
comment on function private.why_closed(public.conversations, uuid) is
  'Why a participant can''t write now, in words for them; null if they can.';

create function private.my_part(p_conversation_id uuid) returns public.conversation_participants
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
comment on function private.my_part(uuid) is
  'The caller''s current participation; an error (P0002) for everyone else.';

create function private.unread_totals(p_user_ids uuid[]) returns table (user_id uuid, unread int)
language sql stable security definer set search_path = '' as $$
  select p.user_id, least(100, sum(p.unread))::int from public.conversation_participants p
  where p.user_id = any (p_user_ids) and p.left_at is null and p.unread > 0
  group by p.user_id
$$;
comment on function private.unread_totals(uuid[]) is
  'Unread messages of each of these people in all conversations, leaving out people who have none; 100 means 100 or more.';

create function private.unread_total(p_user_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  select least(100, coalesce(sum(p.unread), 0))::int from public.conversation_participants p
  where p.user_id = p_user_id and p.left_at is null and p.unread > 0
$$;
comment on function private.unread_total(uuid) is
  'Unread messages of a person in all conversations; 100 means 100 or more.';

-- Joining and leaving ---------------------------------------------------------------------------

create function private.hold_conversations(p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.conversations c where c.id = any (p_ids)
  order by case c.kind when 'support' then 0 when 'direct' then 2 else 1 end, c.direct_pair, c.id
  for update;
end
$$;
comment on function private.hold_conversations(uuid[]) is
  'Locks several conversations, always in the same order and before their participants, to avoid deadlocks.';

create function private.renew_channels(p_ids uuid[]) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_old record;
begin
  for v_old in
    update public.conversations c set epoch = c.epoch + 1 where c.id = any (p_ids)
    returning c.id, c.epoch - 1 as epoch
  loop
    perform realtime.send(
      '{"epoch": null}', 'moved', 'conversation:' || v_old.id || ':' || v_old.epoch, true
    );
  end loop;
end
$$;
comment on function private.renew_channels(uuid[]) is
  'Closes the live channels of conversations and tells everyone in them to reload.';

create function private.renew_channel(p_conversation_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.renew_channels(array[p_conversation_id])
$$;

create function private.settle_people(p_conversation_id uuid, p_renew boolean default false)
returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_conversation public.conversations;
  v_left uuid[];
  v_came uuid[];
begin
  select * into v_conversation from public.conversations c where c.id = p_conversation_id for update;
  if not found then
    return;
  end if;
  with gone as (
    update public.conversation_participants p
    set left_at = now(), unread_since = null, unread_at = null
    where p.conversation_id = p_conversation_id and p.left_at is null
      and p.user_id not in (select private.people_of(v_conversation))
    returning p.user_id
  )
  select array_agg(g.user_id) into v_left from gone g;

  with come as (
    insert into public.conversation_participants as p (
      conversation_id, user_id, from_seq, read_seq, mailed_seq, as_coach, active_at
    )
    select
      p_conversation_id, w.user_id,
      -- The admins read all of a thread: they help where another one began.
      case when v_conversation.kind = 'support' then 1 else v_conversation.last_seq + 1 end,
      v_conversation.last_seq, v_conversation.last_seq,
      private.comes_as_coach(v_conversation, w.user_id),
      case when v_conversation.last_seq > 0 or w.user_id = v_conversation.created_by
        then coalesce(v_conversation.last_message_at, v_conversation.created_at) end
    from private.people_of(v_conversation) as w (user_id)
    on conflict (conversation_id, user_id) do update set
      left_at = null, joined_at = now(), as_coach = excluded.as_coach,
      active_at = coalesce(excluded.active_at, p.active_at),
      -- What was said while they were away was not said to them.
      from_seq = case when v_conversation.kind <> 'support'
        and v_conversation.last_message_at > p.left_at then excluded.from_seq else p.from_seq end,
      unread = case when v_conversation.last_message_at > p.left_at then 0 else p.unread end,
      read_seq = case when v_conversation.last_message_at > p.left_at
        then excluded.read_seq else p.read_seq end
    where p.left_at is not null
    returning p.user_id
  )
  select array_agg(c.user_id) into v_came from come c;

  if p_renew or v_left is not null or v_came is not null then
    perform private.renew_channel(p_conversation_id);
  end if;
  if v_conversation.last_seq > 0 then
    perform realtime.send(
      jsonb_build_object('id', p_conversation_id, 'gone', true, 'unread_total', private.unread_total(u.id)),
      'conversation', 'person:' || u.id, true
    )
    from unnest(v_left) as u (id);
    perform private.tell_person(p_conversation_id, u.id) from unnest(v_came) as u (id);
  end if;
end
$$;
comment on function private.settle_people(uuid, boolean) is
  'Updates the participants to match the rules; if that changes anything, or with p_renew, the channel is replaced.';

create function private.comes_as_coach(p_conversation public.conversations, p_user_id uuid)
returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  case p_conversation.kind
    when 'engagement' then
      return p_user_id is not distinct from private.talking_coach(p_conversation.engagement_id);
    when 'project' then
      return not exists (
        select from public.projects j
        join public.business_members m on m.business_id = j.business_id
        where j.id = p_conversation.project_id and m.user_id = p_user_id
      );
    when 'direct' then
      return exists (
        select from public.conversation_participants o
        where o.conversation_id = p_conversation.id and o.user_id <> p_user_id
          and private.coaches(p_user_id, o.user_id)
      );
    else
      return false;
  end case;
end
$$;

create function private.settle_support(p_user_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_changed uuid[];
begin
  -- All threads at once: there may be many.
  perform private.hold_conversations(array(
    select c.id from public.conversations c where c.kind = 'support'
  ));
  if private.role_of(p_user_id) = 'admin' then
    with come as (
      insert into public.conversation_participants as p (
        conversation_id, user_id, read_seq, mailed_seq, active_at
      )
      select c.id, p_user_id, c.last_seq, c.last_seq, c.last_message_at
      from public.conversations c where c.kind = 'support'
      on conflict (conversation_id, user_id) do update set
        left_at = null, joined_at = now(), unread = 0, read_seq = excluded.read_seq,
        active_at = excluded.active_at
      where p.left_at is not null
      returning p.conversation_id
    )
    select array_agg(c.conversation_id) into v_changed from come c;
  else
    with gone as (
      update public.conversation_participants p
      set left_at = now(), unread_since = null, unread_at = null
      from public.conversations c
      where c.id = p.conversation_id and c.kind = 'support' and p.user_id = p_user_id
        and c.about_user_id is distinct from p_user_id and p.left_at is null
      returning p.conversation_id
    )
    select array_agg(g.conversation_id) into v_changed from gone g;
  end if;
  perform private.renew_channels(v_changed);
end
$$;
comment on function private.settle_support(uuid) is
  'A new admin joins every support thread, and a former admin leaves all but their own.';

create function private.settle_direct(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- Colleagues who become coach and client: the coach stays as long as they coach.
  update public.conversation_participants p set as_coach = true
  from public.conversation_participants o
  where p.conversation_id = p_id and o.conversation_id = p_id and o.user_id <> p.user_id
    and not p.as_coach and private.coaches(p.user_id, o.user_id);
  -- Whether they may write to each other has changed, also where nobody comes or goes.
  perform private.settle_people(p_id, true);
end
$$;

create function private.settle_coaching(p_engagement_ids uuid[], p_owner_ids uuid[], p_coach_ids uuid[])
returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_about uuid[] := array(
    select c.id from public.conversations c
    where c.engagement_id = any (p_engagement_ids)
      or c.project_id in (
        select j.id from public.projects j where j.engagement_id = any (p_engagement_ids)
      )
  );
  v_direct uuid[] := array(
    select c.id from unnest(p_owner_ids) as o (id) cross join unnest(p_coach_ids) as h (id)
    join public.conversations c on c.direct_pair = private.pair_of(o.id, h.id)
  );
begin
  perform private.hold_conversations(v_about || v_direct);
  perform private.settle_people(c.id) from unnest(v_about) as c (id);
  perform private.settle_direct(c.id) from unnest(v_direct) as c (id);
end
$$;
comment on function private.settle_coaching(uuid[], uuid[], uuid[]) is
  'Updates the conversations about engagements and their projects, and those between these owners and coaches.';

create function private.hold_coaching(p_engagement_ids uuid[], p_with_support boolean default false)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.hold_conversations(array(
    select c.id from public.conversations c where c.engagement_id = any (p_engagement_ids)
    union all
    select c.id from public.projects j join public.conversations c on c.project_id = j.id
    where j.engagement_id = any (p_engagement_ids)
    union all
    select c.id from public.engagements e
    join public.conversations c on c.direct_pair = private.pair_of(e.owner_id, e.coach_id)
    where e.id = any (p_engagement_ids)
    union all
    select c.id from public.conversations c where p_with_support and c.kind = 'support'
  ));
end
$$;
comment on function private.hold_coaching(uuid[], boolean) is
  'Before several engagements change in one transaction: locks everything that settle_coaching, and on request settle_support, will lock one after the other.';

create function private.engagement_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.settle_coaching(
    array[new.id], array[coalesce(new.owner_id, old.owner_id)], array[old.coach_id, new.coach_id]
  );
  return null;
end
$$;
create trigger engagements_move_people after update of state, coach_id, owner_id on public.engagements
  for each row
  when ((old.state, old.coach_id, old.owner_id) is distinct from (new.state, new.coach_id, new.owner_id))
  execute function private.engagement_moves_people();

create function private.hold_coach(p_engagement_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform from public.engagements e where e.id = p_engagement_id for share;
  perform private.one_at_a_time('coach', e.coach_id)
  from public.engagements e where e.id = p_engagement_id and e.coach_id is not null;
end
$$;
comment on function private.hold_coach(uuid) is
  'Serializes with reassigning an engagement and removing its coach''s role: locks an engagement first, then its coach, then conversations.';

create function private.project_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.hold_coach(new.engagement_id);
  perform private.settle_people(c.id) from public.conversations c where c.project_id = new.id;
  return null;
end
$$;
create trigger projects_move_people after update of engagement_id on public.projects
  for each row when (old.engagement_id is distinct from new.engagement_id)
  execute function private.project_moves_people();

create function private.membership_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_business_id uuid := coalesce(new.business_id, old.business_id);
  v_user_id uuid := coalesce(new.user_id, old.user_id);
  v_about uuid[];
  v_direct uuid[];
begin
  -- Whoever opens a conversation at this moment sees the members of before or of after.
  perform private.one_at_a_time('people', v_business_id);
  v_about := array(
    select c.id from public.projects j join public.conversations c on c.project_id = j.id
    where j.business_id = v_business_id
  );
  v_direct := array(
    select c.id from public.business_members m
    join public.conversations c on c.direct_pair = private.pair_of(v_user_id, m.user_id)
    where m.business_id = v_business_id and m.user_id <> v_user_id
  );
  perform private.hold_conversations(v_about || v_direct);
  perform private.settle_people(c.id) from unnest(v_about) as c (id);
  perform private.settle_direct(c.id) from unnest(v_direct) as c (id);
  return null;
end
$$;
create trigger business_members_move_people after insert or delete on public.business_members
  for each row execute function private.membership_moves_people();

create function private.role_moves_people() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_user_id uuid := coalesce(new.user_id, old.user_id);
begin
  -- Whoever gives them a client at this moment has done so, or sees that they are a coach no more.
  perform private.one_at_a_time('coach', v_user_id);
  if (old.role is not distinct from 'admin') <> (new.role is not distinct from 'admin') then
    perform private.settle_support(v_user_id);
  end if;
  if (old.role is not distinct from 'coach') <> (new.role is not distinct from 'coach') then
    perform private.settle_coaching(
      array_agg(e.id), array_agg(distinct e.owner_id), array[v_user_id]
    )
    from public.engagements e where e.coach_id = v_user_id and e.owner_id is not null;
  end if;
  return null;
end
$$;
create trigger staff_roles_move_people after insert or update or delete on public.staff_roles
  for each row execute function private.role_moves_people();

create function private.participant_is_gone() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if old.left_at is null then
    perform private.renew_channel(old.conversation_id);
  end if;
  return null;
end
$$;
create trigger conversation_participants_end_the_channel
  after delete on public.conversation_participants
  for each row execute function private.participant_is_gone();

create function private.hold_people(p_new public.conversations) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_pair uuid[] := string_to_array(p_new.direct_pair, ':')::uuid[];
begin
  case p_new.kind
    when 'project' then
      perform private.one_at_a_time('people', j.business_id)
      from public.projects j where j.id = p_new.project_id;
      perform from public.projects j where j.id = p_new.project_id for share;
      perform private.hold_coach(j.engagement_id)
      from public.projects j where j.id = p_new.project_id;
    when 'engagement' then
      perform private.hold_coach(p_new.engagement_id);
    when 'support' then
      lock table public.staff_roles in share mode;
    else
      perform private.hold_coach(e.id) from public.engagements e
      where e.owner_id = any (v_pair) and e.coach_id = any (v_pair) order by e.id;
  end case;
end
$$;
comment on function private.hold_people(public.conversations) is
  'Serializes with changes of participants until a new conversation exists.';

-- Procedures ------------------------------------------------------------------------------------

create function public.open_conversation(p_id uuid, p_kind text, p_subject uuid default null)
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
      where e.id = p_subject and v_user_id in (e.owner_id, private.talking_coach(e.id))
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
comment on function public.open_conversation(uuid, text, uuid) is
  'Finds or creates the conversation with a person (direct), about an engagement or project, or with support; {id}. p_subject is the person, engagement or project; null for the caller''s own support thread.';

create function public.set_conversation_muted(p_conversation_id uuid, p_muted boolean) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
begin
  update public.conversation_participants p set muted = coalesce(p_muted, false)
  where p.conversation_id = p_conversation_id and p.user_id = v_part.user_id;
  -- After the row, as in read_messages: in another order the two would wait for each other.
  perform private.count_writes('read_marks');
  perform private.tell_person(p_conversation_id, v_part.user_id);
  return jsonb_build_object('muted', coalesce(p_muted, false));
end
$$;
comment on function public.set_conversation_muted(uuid, boolean) is
  'Mutes or unmutes emails, sounds and notifications of a conversation; {muted}.';

grant execute on function
  public.open_conversation(uuid, text, uuid), public.set_conversation_muted(uuid, boolean)
  to authenticated;

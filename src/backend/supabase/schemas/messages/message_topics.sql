-- Live channels of messages: who can listen to which, and who can send there.
--
--   conversation:<id>:<epoch>   what the database sends about a conversation; presence in it
--   typing:<id>:<epoch>         who's typing; clients send it to each other
--   person:<user id>            what the database sends one person, wherever they are on the site
--   presence:<user id>          whether someone is online
--
-- Clients can broadcast only in `typing:`. In any other channel, one of them could make the others
-- show text that was never stored.

create function private.topic_id(p_topic text, p_kind text) returns uuid
language sql immutable set search_path = '' as $$
  select (regexp_match(
    p_topic, '^' || p_kind || ':([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?::[0-9]{1,9})?$'
  ))[1]::uuid
$$;

create function private.topic_conversation(p_topic text, p_kinds text[])
returns public.conversations
language plpgsql stable security definer set search_path = '' as $$
declare
  v_conversation public.conversations;
begin
  select c.* into v_conversation
  from unnest(p_kinds) as k (kind)
  join public.conversations c on c.id = private.topic_id(p_topic, k.kind)
  join public.conversation_participants p on p.conversation_id = c.id
  where p_topic = k.kind || ':' || c.id || ':' || c.epoch
    and p.user_id = auth.uid() and p.left_at is null;
  return v_conversation;
end
$$;
comment on function private.topic_conversation(text, text[]) is
  'The conversation of a topic, if its epoch is current and the caller takes part; otherwise null.';

create function private.may_see_presence(p_user_id uuid, p_other_id uuid) returns boolean
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_user_id = p_other_id then
    return true;
  end if;
  if exists (
    select from public.blocks b
    where (b.user_id, b.blocked_id) in ((p_user_id, p_other_id), (p_other_id, p_user_id))
  ) then
    return false;
  end if;
  return private.work_together(p_user_id, p_other_id) or exists (
    select from public.conversation_participants a
    join public.conversation_participants b on b.conversation_id = a.conversation_id
    join public.conversations c on c.id = a.conversation_id
    where a.user_id = p_user_id and a.left_at is null and b.user_id = p_other_id
      and b.left_at is null and c.kind in ('project', 'support')
  );
end
$$;
comment on function private.may_see_presence(uuid, uuid) is
  'Whether someone can see that another person is online: people who can message each other.';

create function private.may_hear() returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_topic text := realtime.topic();
  v_user_id uuid := auth.uid();
begin
  return v_topic is not null and v_user_id is not null and (
    v_topic = 'person:' || v_user_id
    or (private.topic_conversation(v_topic, array['conversation', 'typing'])).id is not null
    -- By this name alone: each other name would be one more channel to look after.
    or v_topic = 'presence:' || private.topic_id(v_topic, 'presence')
      and coalesce(private.may_see_presence(v_user_id, private.topic_id(v_topic, 'presence')), false)
  );
end
$$;
comment on function private.may_hear() is 'Whether the caller can join this channel.';

create function private.may_say(p_extension text) returns boolean
language plpgsql stable security definer set search_path = '' as $$
declare
  v_topic text := realtime.topic();
  v_user_id uuid := auth.uid();
  v_conversation public.conversations;
begin
  if v_topic is null or v_user_id is null then
    return false;
  end if;
  if p_extension = 'presence' and v_topic = 'presence:' || v_user_id then
    return true;
  end if;
  v_conversation := private.topic_conversation(
    v_topic,
    case p_extension
      when 'presence' then array['conversation', 'typing']
      when 'broadcast' then array['typing']
    end
  );
  return v_conversation.id is not null
    and private.why_closed(v_conversation, v_user_id) is null;
end
$$;
comment on function private.may_say(text) is
  'Whether the caller can broadcast (typing only) or be present in this channel.';
grant execute on function private.may_hear(), private.may_say(text) to authenticated;

create policy "People hear their own channel, their conversations and who is here"
  on realtime.messages for select to authenticated
  using (
    extension in ('broadcast', 'presence')
    and (select private.session_ok()) and (select private.may_hear())
  );
create policy "People who may write say that they type and that they are here"
  on realtime.messages for insert to authenticated
  with check (
    extension in ('broadcast', 'presence')
    and (select private.session_ok()) and private.may_say(extension)
  );

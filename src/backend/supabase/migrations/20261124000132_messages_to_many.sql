SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.tell_people (
  p_conversation_id uuid,
  p_user_id         uuid DEFAULT NULL::uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_conversation public.conversations;
  -- What is the same for all is put together once: a project may have hundreds of them.
  v_same jsonb;
  v_last_message jsonb;
  v_title text;
begin
  select * into v_conversation from public.conversations c where c.id = p_conversation_id;
  v_last_message := private.last_message_json(v_conversation, v_conversation.last_seq);
  v_same := jsonb_build_object(
    'id', v_conversation.id, 'last_seq', v_conversation.last_seq,
    'revision', v_conversation.revision, 'epoch', v_conversation.epoch,
    'author_name', (
      select private.name_of(m.author_id) from public.messages m
      where m.conversation_id = v_conversation.id and m.seq = v_conversation.last_seq
    )
  );
  if v_conversation.kind in ('engagement', 'project') then
    v_title := private.conversation_title(v_conversation, p_user_id);
  end if;
  -- What realtime.send does, for everyone in one statement: with 200 people, one call for each took
  -- longer than the rest of sending a message.
  begin
    with people as (
      select p.* from public.conversation_participants p
      where p.conversation_id = p_conversation_id and p.left_at is null and p.active_at is not null
        and (p_user_id is null or p.user_id = p_user_id)
    )
    insert into realtime.messages (payload, event, topic, private, extension)
    select
      v_same || jsonb_build_object(
        'title', coalesce(v_title, private.conversation_title(v_conversation, p.user_id)),
        'active_at', p.active_at, 'read_seq', p.read_seq, 'unread', p.unread, 'muted', p.muted,
        'last_message', case when p.from_seq <= v_conversation.last_seq then v_last_message end,
        'unread_total', coalesce(t.unread, 0)
      ),
      'conversation', 'person:' || p.user_id, true, 'broadcast'
    from people p
    left join private.unread_totals(array(select w.user_id from people w)) t
      on t.user_id = p.user_id;
  exception when others then
    -- Also like realtime.send: news that can't be sent never undoes what it is about.
    raise warning 'Nobody in conversation % was told: %', p_conversation_id, sqlerrm;
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.unread_total (
  p_user_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce((select t.unread from private.unread_totals(array[p_user_id]) t), 0)
$function$;

CREATE OR REPLACE FUNCTION private.unread_totals (
  p_user_ids uuid[]
)
  RETURNS TABLE (
    user_id uuid,
    unread  integer
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p.user_id, least(100, sum(p.unread))::int from public.conversation_participants p
  where p.user_id = any (p_user_ids) and p.left_at is null and p.unread > 0
  group by p.user_id
$function$;

CREATE OR REPLACE FUNCTION public.send_message (
  p_id              uuid,
  p_conversation_id uuid,
  p_body            text,
  p_reply_to        uuid   DEFAULT NULL::uuid,
  p_files           uuid[] DEFAULT '{}'::uuid[]
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
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
$function$;

COMMENT ON FUNCTION "private"."unread_totals"(uuid[]) IS 'Unread messages of each of these people in all conversations, leaving out people who have none; 100 means 100 or more.';

REVOKE ALL ON FUNCTION "private"."unread_totals"(uuid[]) FROM PUBLIC;

-- Messages: what people wrote in a conversation, numbered without gaps.
--
-- Sending locks the conversation while a number is assigned, so numbers follow the order of sending
-- and readers can detect a gap. The sender creates the id, so a message sent twice is stored once.

create table public.messages (
  id uuid primary key,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  seq bigint not null check (seq >= 1),
  revision bigint not null check (revision >= seq),
  -- Null once the account is deleted: messages stay with the people they were sent to.
  author_id uuid references auth.users (id) on delete set null,
  body text check (char_length(body) <= 5000),
  reply_to uuid references public.messages (id) on delete set null,
  sent_at timestamptz not null default now(),
  edited_at timestamptz,
  removed_at timestamptz,
  -- What search covers. The conversation's id is one of the words, so a search can use the index
  -- for the person's own conversations only. It starts with =, which no word does.
  words tsvector not null generated always as (
    to_tsvector('simple'::regconfig, coalesce(body, ''))
    || array_to_tsvector(array['=' || conversation_id::text])
  ) stored,
  unique (conversation_id, seq),
  unique (conversation_id, revision),
  check ((body is null) = (removed_at is not null))
);
comment on table public.messages is
  'Messages in the order of seq; revision is that of the latest change.';
create index messages_author_id_idx on public.messages (author_id, sent_at);
create index messages_reply_to_idx on public.messages (reply_to) where reply_to is not null;
create index messages_words_idx on public.messages using gin (words);

-- Row-level security ----------------------------------------------------------------------------

alter table public.messages enable row level security;

create function private.my_later_starts() returns jsonb
language sql stable security definer set search_path = '' as $$
  select coalesce(jsonb_object_agg(p.conversation_id, p.from_seq), '{}')
  from public.conversation_participants p
  where p.user_id = (select auth.uid()) and p.left_at is null and p.from_seq > 1
$$;
comment on function private.my_later_starts() is
  'The first message the person can read in conversations they joined later, by id.';
grant execute on function private.my_later_starts() to authenticated;

create policy "People read what was said since they take part"
  on public.messages for select to authenticated
  using (
    (select private.session_ok())
    -- Lets the planner use the index on conversation_id, so other people's messages cost nothing.
    and conversation_id = any (array(select private.my_conversation_ids()))
    and seq >= coalesce(((select private.my_later_starts()) ->> conversation_id::text)::bigint, 1)
  );
grant select (
  id, conversation_id, seq, revision, author_id, body, reply_to, sent_at, edited_at, removed_at
) on public.messages to authenticated;

-- Messages as JSON ------------------------------------------------------------------------------

create function private.excerpt(p_text text) returns text
-- plpgsql, as in the other functions that lists call for each row: in sql, each call would start a
-- query of its own.
language plpgsql immutable set search_path = '' as $$
declare
  v_line text := btrim(regexp_replace(left(coalesce(p_text, ''), 600), '\s+', ' ', 'g'));
begin
  return case when char_length(v_line) > 140 then rtrim(left(v_line, 139)) || '…' else v_line end;
end
$$;
comment on function private.excerpt(text) is 'The start of a text as one line of at most 140 characters.';

create function private.quote_json(p_message_id uuid, p_from_seq bigint) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', r.id, 'seq', r.seq,
    'author_id', case when r.seq >= p_from_seq then r.author_id end,
    'excerpt', case when r.seq >= p_from_seq then private.excerpt(r.body) else '' end,
    'removed', r.removed_at is not null
  )
  from public.messages r where r.id = p_message_id
$$;
comment on function private.quote_json(uuid, bigint) is
  'What a message replies to, for someone who can read from p_from_seq on: no text from before; null for nothing.';

create function private.message_json(p_message public.messages, p_from_seq bigint) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return jsonb_build_object(
    'id', p_message.id, 'conversation_id', p_message.conversation_id, 'seq', p_message.seq,
    'revision', p_message.revision, 'author_id', p_message.author_id, 'body', p_message.body,
    'reply_to', case when p_message.reply_to is not null then
      private.quote_json(p_message.reply_to, p_from_seq)
    end,
    'files', private.message_files_json(p_message.id),
    'sent_at', p_message.sent_at, 'edited_at', p_message.edited_at,
    'removed_at', p_message.removed_at
  );
end
$$;
comment on function private.message_json(public.messages, bigint) is
  'A message for someone who can read from p_from_seq on: without text from before in what it replies to.';

create function private.last_message_json(p_conversation public.conversations, p_from_seq bigint)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'id', m.id, 'seq', m.seq, 'author_id', m.author_id, 'excerpt', private.excerpt(m.body),
      'sent_at', m.sent_at, 'removed', m.removed_at is not null,
      'files', (select count(*) from public.message_attachments a where a.message_id = m.id)
    )
    from public.messages m
    where m.conversation_id = p_conversation.id and m.seq = p_conversation.last_seq
      and m.seq >= p_from_seq
  );
end
$$;

-- Live updates, sent in the transaction that causes them ----------------------------------------

create function private.tell_conversation(p_conversation public.conversations, p_event text, p_payload jsonb)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform realtime.send(
    p_payload, p_event, 'conversation:' || p_conversation.id || ':' || p_conversation.epoch, true
  );
end
$$;
comment on function private.tell_conversation(public.conversations, text, jsonb) is
  'Broadcasts to everyone who has the conversation open.';

create function private.tell_message(p_event text, p_message public.messages) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- One payload for all: nobody gets words from before their time.
  v_from_seq bigint := (
    select coalesce(max(p.from_seq), 1) from public.conversation_participants p
    where p.conversation_id = p_message.conversation_id and p.left_at is null
  );
begin
  perform case when p_message.seq >= v_from_seq then
    private.tell_conversation(
      c, p_event, jsonb_build_object('message', private.message_json(p_message, v_from_seq))
    )
  else
    -- Not for everyone who hears it: each asks for what is theirs.
    private.tell_conversation(c, 'moved', '{"epoch": null}')
  end
  from public.conversations c where c.id = p_message.conversation_id;
end
$$;

create function private.tell_people(p_conversation_id uuid, p_user_id uuid default null) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.tell_people(uuid, uuid) is
  'Sends everyone in a conversation, or one of them, its current entry in their list.';

create function private.tell_person(p_conversation_id uuid, p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.tell_people(p_conversation_id, p_user_id) where p_user_id is not null
$$;
comment on function private.tell_person(uuid, uuid) is
  'Sends one person a conversation''s current entry in their list, whatever page they have open.';

-- Procedures ------------------------------------------------------------------------------------

create function private.clean_body(p_body text) returns text
language sql immutable set search_path = '' as $$
  select btrim(
    regexp_replace(replace(coalesce(p_body, ''), E'\r\n', E'\n'), E'[\\x01-\\x08\\x0b-\\x1f\\x7f\\u202a-\\u202e\\u2066-\\u2069]', '', 'g'),
    E' \t\n'
  )
$$;
comment on function private.clean_body(text) is
  'Trimmed text without control characters, except tabs and new lines, and without those that reverse its direction.';

create function private.check_body(p_body text, p_files int) returns void
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

create function private.require_open(p_conversation public.conversations, p_user_id uuid) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_why text := private.why_closed(p_conversation, p_user_id);
begin
  if v_why is not null then
    raise exception '%', replace(v_why, 'can’t', 'can no longer') using errcode = '55000';
  end if;
end
$$;

create function private.hold_unreachable(p_conversation_id uuid, p_owner_id uuid) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_engagement_id uuid;
begin
  select e.id into v_engagement_id
  from public.conversations c
  join public.engagements e on e.id = c.engagement_id
  where c.id = p_conversation_id and e.state = 'unreachable' and e.owner_id = p_owner_id
  for update of e;
  return v_engagement_id;
end
$$;
comment on function private.hold_unreachable(uuid, uuid) is
  'The engagement, locked, of a conversation whose owner couldn''t be reached; null for every other one.';

create function public.send_message(
  p_id uuid, p_conversation_id uuid, p_body text, p_reply_to uuid default null,
  p_files uuid[] default '{}'
) returns jsonb
language plpgsql volatile security definer set search_path = ''
-- Every statement of it finds rows by a key, so a plan for the values of one message is no better
-- than one for all. Making them took a fifth of the time.
set plan_cache_mode = 'force_generic_plan' as $$
declare
  v_user_id uuid := private.require_session();
  v_body text := private.clean_body(p_body);
  v_files uuid[] := coalesce(p_files, '{}');
  v_part public.conversation_participants;
  v_conversation public.conversations;
  v_message public.messages;
  v_unreachable uuid;
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
  -- As everywhere, an engagement is locked before its conversation.
  v_unreachable := private.hold_unreachable(p_conversation_id, v_user_id);
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
  if v_unreachable is not null then
    perform private.hear_from_owner(v_unreachable);
  end if;
  return private.message_json(v_message, v_part.from_seq);
end
$$;
comment on function public.send_message(uuid, uuid, text, uuid, uuid[]) is
  'Sends the next message of a conversation and notifies everyone in it; returns the message. Idempotent by id. PT429: too many at once.';

create function private.message_of_mine(p_id uuid) returns public.messages
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
comment on function private.message_of_mine(uuid) is
  'A message, with its conversation locked, for its author; an error (P0002) for everyone else.';

create function public.edit_message(p_id uuid, p_body text) returns jsonb
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
comment on function public.edit_message(uuid, text) is
  'The author edits a message, as long as they can write there; returns the message.';

create function private.change_message(p_id uuid, p_body text) returns public.messages
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_message public.messages;
begin
  update public.conversations c set revision = c.revision + 1
  from public.messages m where m.id = p_id and c.id = m.conversation_id;
  update public.messages m set
    revision = c.revision, body = p_body,
    edited_at = case when p_body is not null then now() else m.edited_at end,
    removed_at = case when p_body is null then now() end
  from public.conversations c where m.id = p_id and c.id = m.conversation_id
  returning m.* into v_message;
  if p_body is null then
    delete from public.message_attachments a where a.message_id = p_id;
    -- Nobody is told of something unread that is not there any more.
    update public.conversation_participants p set unread = p.unread - 1
    where p.conversation_id = v_message.conversation_id and p.unread > 0
      and p.user_id is distinct from v_message.author_id
      and p.read_seq < v_message.seq and p.from_seq <= v_message.seq;
  end if;
  perform private.tell_message('changed', v_message);
  if p_body is null or v_message.seq = (
    select c.last_seq from public.conversations c where c.id = v_message.conversation_id
  ) then
    perform private.tell_people(v_message.conversation_id);
  end if;
  return v_message;
end
$$;
comment on function private.change_message(uuid, text) is
  'Changes a message''s text, or (null) removes it with its files; its position stays.';

create function public.remove_message(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_message public.messages := private.message_of_mine(p_id);
begin
  if v_message.removed_at is null then
    v_message := private.change_message(p_id, null);
  end if;
  return private.message_json(v_message, coalesce((
    select p.from_seq from public.conversation_participants p
    where p.conversation_id = v_message.conversation_id and p.user_id = v_message.author_id
      and p.left_at is null
  ), v_message.seq));
end
$$;
comment on function public.remove_message(uuid) is
  'The author removes a message at any time; a placeholder stays. Idempotent.';

create function public.read_messages(p_conversation_id uuid, p_seq bigint) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_conversation public.conversations;
  v_seq bigint;
begin
  -- Who writes counts up this row too: what they store is seen below, or comes after.
  select * into v_part from public.conversation_participants p
  where p.conversation_id = p_conversation_id and p.user_id = v_part.user_id for update;
  select * into v_conversation from public.conversations c where c.id = p_conversation_id;
  v_seq := least(p_seq, v_conversation.last_seq);
  if v_seq > v_part.read_seq then
    perform private.count_writes('read_marks');
    update public.conversation_participants p set
      read_seq = v_seq, unread = u.unread, unread_since = u.since, unread_at = u.newest
    from (
      select count(*)::int as unread,
        min(m.sent_at) filter (where m.seq > v_part.mailed_seq) as since,
        max(m.sent_at) filter (where m.seq > v_part.mailed_seq) as newest
      from public.messages m
      where m.conversation_id = p_conversation_id
        and m.seq > greatest(v_seq, v_part.from_seq - 1)
        and m.author_id is distinct from v_part.user_id and m.removed_at is null
    ) u
    where p.conversation_id = p_conversation_id and p.user_id = v_part.user_id
    returning p.* into v_part;
    perform private.tell_conversation(
      v_conversation, 'read', jsonb_build_object('person_id', v_part.user_id, 'seq', v_seq)
    );
    perform private.tell_person(p_conversation_id, v_part.user_id);
  end if;
  return jsonb_build_object(
    'unread', v_part.unread, 'unread_total', private.unread_total(v_part.user_id)
  );
end
$$;
comment on function public.read_messages(uuid, bigint) is
  'The caller has read up to a message, never backward; {unread, unread_total}.';

create function public.list_messages(
  p_conversation_id uuid, p_before bigint default null, p_after bigint default null,
  p_limit int default 50
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_limit int := least(greatest(coalesce(p_limit, 50), 1), 200);
  v_last bigint := (select c.last_seq from public.conversations c where c.id = p_conversation_id);
  -- Numbers have no gap, so that a page is a span of them.
  v_from bigint := case when p_after is not null then greatest(p_after + 1, v_part.from_seq)
    else least(coalesce(p_before, v_last + 1), v_last + 1) - v_limit end;
  v_to bigint := case when p_after is not null then v_from + v_limit - 1
    else coalesce(p_before, v_last + 1) - 1 end;
begin
  return jsonb_build_object(
    'messages', private.messages_json(v_part, v_from, v_to),
    'more', case when p_after is not null then v_to < v_last else v_from > v_part.from_seq end
  );
end
$$;
comment on function public.list_messages(uuid, bigint, bigint, int) is
  'A page of a conversation in order: before a seq, after one, or the latest; {messages, more} (more: further in the same direction).';

create function private.messages_json(
  p_part public.conversation_participants, p_from bigint, p_to bigint
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return coalesce((
    select jsonb_agg(private.message_json(m, p_part.from_seq) order by m.seq)
    from public.messages m
    where m.conversation_id = p_part.conversation_id
      and m.seq between greatest(p_from, p_part.from_seq) and p_to
  ), '[]');
end
$$;

create function public.list_message_changes(
  p_conversation_id uuid, p_after_revision bigint, p_limit int default 200
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  v_limit int := least(greatest(coalesce(p_limit, 200), 1), 500);
begin
  return (
    with changed as (
      select m.* from public.messages m
      where m.conversation_id = p_conversation_id
        and m.revision > coalesce(p_after_revision, 0) and m.seq >= v_part.from_seq
      order by m.revision limit v_limit + 1
    ), shown as (
      select c.* from changed c order by c.revision limit v_limit
    )
    select jsonb_build_object(
      'messages', coalesce((
        select jsonb_agg(
          private.message_json((
            select m from public.messages m where m.id = s.id
          ), v_part.from_seq) order by s.revision
        )
        from shown s
      ), '[]'),
      'revision', c.revision, 'epoch', c.epoch, 'last_seq', c.last_seq,
      'more', (select count(*) from changed) > v_limit,
      'unread', v_part.unread,
      'people', (
        select jsonb_agg(jsonb_build_object('id', p.user_id, 'read_seq', p.read_seq))
        from public.conversation_participants p
        where p.conversation_id = p_conversation_id and p.left_at is null
      )
    )
    from public.conversations c where c.id = p_conversation_id
  );
end
$$;
comment on function public.list_message_changes(uuid, bigint, int) is
  'What was sent, edited or removed after a revision, in the order it happened; {messages, revision, epoch, last_seq, more, unread, people: [{id, read_seq}]}.';

grant execute on function
  public.send_message(uuid, uuid, text, uuid, uuid[]), public.edit_message(uuid, text),
  public.remove_message(uuid), public.read_messages(uuid, bigint),
  public.list_messages(uuid, bigint, bigint, int), public.list_message_changes(uuid, bigint, int)
  to authenticated;

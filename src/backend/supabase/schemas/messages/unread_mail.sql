-- Emails about unread messages: one email for everything unread, after ten minutes without a new
-- message, or after an hour.
--
-- The transaction that queues an email marks what it covers, so no other email covers it again. The
-- content is put together when the email is sent: it leaves out what has been read, removed or
-- muted in the meantime, and an email with nothing left to say is dropped.

-- Emails that are no longer wanted --------------------------------------------------------------

create function private.mail_to_send(p_template text, p_data jsonb) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return case p_template
    when 'unread-messages' then (
      -- Who has another address now gets it nowhere: the old one may be somebody else's.
      select private.unread_mail(u.id, p_data -> 'conversations') from auth.users u
      where u.id = (p_data ->> 'user_id')::uuid and u.email = p_data ->> 'address'
    )
    else p_data
  end;
end
$$;
comment on function private.mail_to_send(text, jsonb) is
  'The current data of a queued email, right before it''s sent; null if it''s no longer wanted.';

-- Unread messages -------------------------------------------------------------------------------

create function private.unread_mail(p_user_id uuid, p_conversations jsonb) returns jsonb
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
comment on function private.unread_mail(uuid, jsonb) is
  'The data for an email about these conversations ([{id, after, upto}]), limited to what''s unread now; null for nothing.';

create function private.mail_unread_messages() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  c_quiet constant interval := interval '10 minutes';
  c_longest constant interval := interval '1 hour';
  c_a_run constant int := 500;
  v_person record;
  v_talks jsonb;
  v_locked int;
  v_mails int := 0;
begin
  for v_person in
    select p.user_id, count(*) as talks
    from public.conversation_participants p
    where p.user_id in (
        select q.user_id from public.conversation_participants q
        where q.unread_since <= now() - c_quiet or q.unread_since > now() + c_quiet
      )
      and p.unread_since is not null and p.left_at is null
    group by p.user_id
    -- Unread since a time that isn't yet: the clock was put back, and nobody waits for that time.
    having max(p.unread_at) <= now() - c_quiet or min(p.unread_since) <= now() - c_longest
      or max(p.unread_at) > now() + c_quiet
    order by min(p.unread_since), p.user_id limit c_a_run
  loop
    -- Whoever is written to at this moment, or is taken care of by another tick, waits for the next.
    select count(*), jsonb_agg(jsonb_build_object('id', l.conversation_id, 'after', l.after, 'upto', c.last_seq))
    into v_locked, v_talks
    from (
      select p.conversation_id, greatest(p.mailed_seq, p.read_seq) as after
      from public.conversation_participants p
      where p.user_id = v_person.user_id and p.unread_since is not null and p.left_at is null
      for update skip locked
    ) l
    join public.conversations c on c.id = l.conversation_id;
    continue when v_locked <> v_person.talks;

    if private.unread_mail(v_person.user_id, v_talks) is not null then
      perform private.send_mail(u.email, 'unread-messages', jsonb_build_object(
        'user_id', v_person.user_id, 'address', u.email, 'conversations', v_talks
      ))
      from auth.users u
      where u.id = v_person.user_id and u.email is not null and u.email_confirmed_at is not null;
      v_mails := v_mails + 1;
    end if;
    -- Told of, or not to be told of: either way it is not looked at again.
    update public.conversation_participants p
    set mailed_seq = (t ->> 'upto')::bigint, unread_since = null, unread_at = null
    from jsonb_array_elements(v_talks) t
    where p.user_id = v_person.user_id and p.conversation_id = (t ->> 'id')::uuid;
  end loop;
  return jsonb_build_object('mails', v_mails);
end
$$;
comment on function private.mail_unread_messages() is
  'Queues one email for everyone whose unread messages have been waiting for ten quiet minutes, or for an hour.';
insert into private.jobs (kind, every) values ('mail_unread_messages', interval '1 minute');

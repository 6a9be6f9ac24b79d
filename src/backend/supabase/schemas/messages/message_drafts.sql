-- Drafts: unsent messages, one per conversation, on every device.

create table public.message_drafts (
  user_id uuid not null references auth.users (id) on delete cascade,
  conversation_id uuid not null references public.conversations (id) on delete cascade,
  -- Longer than a message can be: people can still shorten a draft, or split it in two.
  body text not null check (char_length(body) between 1 and 100000),
  reply_to uuid references public.messages (id) on delete set null,
  updated_at timestamptz not null default now(),
  primary key (user_id, conversation_id)
);
comment on table public.message_drafts is 'Drafts of messages; nobody else can read them.';
create index message_drafts_conversation_id_idx on public.message_drafts (conversation_id);
create index message_drafts_reply_to_idx on public.message_drafts (reply_to) where reply_to is not null;

alter table public.message_drafts enable row level security;

create policy "People read their own drafts"
  on public.message_drafts for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.message_drafts to authenticated;

create function public.save_message_draft(
  p_conversation_id uuid, p_body text, p_reply_to uuid default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_part public.conversation_participants := private.my_part(p_conversation_id);
  -- Nothing is refused that somebody is still writing; what is too long is told when it is sent.
  v_body text := left(coalesce(p_body, ''), 100000);
begin
  if btrim(v_body, E' \t\r\n') = '' then
    delete from public.message_drafts d
    where d.user_id = v_part.user_id and d.conversation_id = p_conversation_id;
    return;
  end if;
  insert into public.message_drafts (user_id, conversation_id, body, reply_to)
  values (
    v_part.user_id, p_conversation_id, v_body,
    (
      select m.id from public.messages m
      where m.id = p_reply_to and m.conversation_id = p_conversation_id
        and m.seq >= v_part.from_seq
    )
  )
  on conflict (user_id, conversation_id) do update set
    body = excluded.body, reply_to = excluded.reply_to, updated_at = now();
end
$$;
comment on function public.save_message_draft(uuid, text, uuid) is
  'Saves the caller''s draft in a conversation; empty text deletes it.';
grant execute on function public.save_message_draft(uuid, text, uuid) to authenticated;

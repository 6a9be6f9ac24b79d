-- Words left behind: after an account is deleted, its messages stay with the people who received
-- them, without a name.

create function private.leave_words_behind() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_ids uuid[] := array(
    select p.conversation_id from public.conversation_participants p
    where p.user_id = old.id order by p.conversation_id
  );
begin
  perform private.hold_conversations(v_ids);
  -- Their files go, and messages that were nothing but files with them.
  perform private.change_message(m.id, null)
  from public.messages m
  where m.author_id = old.id and m.body = '' and m.removed_at is null;
  delete from public.message_attachments a where a.uploaded_by = old.id;
  update public.messages m set author_id = null where m.author_id = old.id;
  update public.conversations c set direct_pair = null where c.id = any (v_ids) and c.kind = 'direct';
  update public.conversations c set about_user_id = null where c.about_user_id = old.id;
  delete from public.conversation_participants p where p.user_id = old.id;
  -- What nobody reads any more goes as a whole.
  delete from public.conversations c
  where c.id = any (v_ids) and not exists (
    select from public.conversation_participants p
    where p.conversation_id = c.id and p.left_at is null
  );
  return old;
end
$$;
comment on function private.leave_words_behind() is
  'Before an account is deleted: their messages stay with the people they wrote to, without their name; their files are removed.';
create trigger leave_words_behind before delete on auth.users
  for each row execute function private.leave_words_behind();

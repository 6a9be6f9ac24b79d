-- Messages where other parts of the product know of them: every signed-in page says how many are
-- unread, an export has what somebody wrote, and a deleted account leaves their words to those they
-- wrote to, without a name.

create or replace function public.session_context() returns jsonb
language sql stable security definer set search_path = '' as $$
  with asking as (
    select u.id, u.email, private.role_of(u.id) as role, private.second_factor(u.id) as second_factor
    from auth.users u
    where u.id = (select auth.uid()) and private.session_open()
  )
  select
    case when a.second_factor = 'required' then
      jsonb_build_object(
        'user_id', a.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'role', a.role, 'second_factor', a.second_factor, 'businesses', '[]'::jsonb,
        'deletion_due_at', null, 'unread_messages', 0
      )
    else
      jsonb_build_object(
        'user_id', a.id, 'email', a.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
        'time_zone', p.time_zone, 'role', a.role, 'second_factor', a.second_factor,
        'businesses', coalesce((
          select jsonb_agg(
            jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
            order by m.joined_at, b.name, b.id
          )
          from public.business_members m
          join public.businesses b on b.id = m.business_id
          where m.user_id = a.id and b.archived_at is null
        ), '[]'),
        'deletion_due_at', d.due_at,
        'unread_messages', private.unread_total(a.id)
      )
    end
  from asking a
  left join public.profiles p on p.user_id = a.id
  left join public.account_deletions d on d.user_id = a.id
$$;
comment on function public.session_context() is
  'Who is asking: {user_id, email, full_name, avatar_path, time_zone, role, second_factor, businesses, deletion_due_at, unread_messages (100 means 100 or more)}. Works while the second factor is owed, then without anything private; null when the account is gone or the session was ended.';

-- A deleted account -----------------------------------------------------------------------------

create function private.leave_words_behind() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_ids uuid[] := array(
    select p.conversation_id from public.conversation_participants p
    where p.user_id = old.id order by p.conversation_id
  );
begin
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
  'Before an account goes: what they wrote stays with those they wrote to, without their name; their files go.';
create trigger leave_words_behind before delete on auth.users
  for each row execute function private.leave_words_behind();

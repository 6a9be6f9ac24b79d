-- Session context: what every guarded page needs first, in one query, and its counts, which change
-- while a page is open.

create function public.session_context() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := auth.uid();
  v_state text := private.session_state();
begin
  if v_state = 'ended' then
    return null;
  end if;
  if v_state = 'required' then
    return (
      select jsonb_build_object(
        'user_id', u.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'locale', null, 'role', private.role_of(u.id), 'second_factor', v_state,
        'businesses', '[]'::jsonb, 'deletion_due_at', null, 'unread_messages', 0,
        'unread_notifications', 0, 'message_text', false, 'programs', false, 'toggles', null
      )
      from auth.users u where u.id = v_user_id
    );
  end if;
  -- So that what a page reads next doesn't check it again.
  perform private.remember_session();
  return (
    select jsonb_build_object(
      'user_id', u.id, 'email', u.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
      'time_zone', p.time_zone, 'locale', p.locale, 'role', coalesce(r.role, 'owner'),
      'second_factor', v_state,
      'businesses', coalesce((
        select jsonb_agg(
          jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
          order by m.joined_at, b.name, b.id
        )
        from public.business_members m
        join public.businesses b on b.id = m.business_id
        where m.user_id = u.id and b.archived_at is null
      ), '[]'),
      'deletion_due_at', d.due_at,
      'unread_messages', private.unread_total(u.id),
      'unread_notifications', private.unread_notifications(u.id),
      'message_text', coalesce(n.message_text, true),
      'programs', exists (
        select from public.program_sponsors s where s.address = lower(u.email)
      ) or exists (select from public.seats s where s.owner_id = u.id),
      'toggles', public.toggles_on()
    )
    from auth.users u
    left join public.profiles p on p.user_id = u.id
    left join public.account_deletions d on d.user_id = u.id
    -- As role_of and wants do, of which every page would need both.
    left join public.staff_roles r on r.user_id = u.id
    left join public.notification_settings n on n.user_id = u.id
    where u.id = v_user_id
  );
end
$$;
comment on function public.session_context() is
  'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), locale (of the quiz and its results), role, second_factor, businesses, deletion_due_at, unread_messages and unread_notifications (100 means 100 or more), message_text (whether emails and notifications may include the text of messages), programs (whether they sponsor one or have had a seat), toggles (those that are on)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';
grant execute on function public.session_context() to authenticated;

create function public.unread_counts() returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'messages', private.unread_total(a.id), 'notifications', private.unread_notifications(a.id)
  )
  from private.require_session() as a (id)
$$;
comment on function public.unread_counts() is
  'How much the caller hasn''t read, as in their session: {messages, notifications}; 100 means 100 or more.';
grant execute on function public.unread_counts() to authenticated;

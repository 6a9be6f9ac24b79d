-- Notifications: what happened that someone should know, in a list in the app and, unless they've
-- turned off emails of its group, by email.
--
-- A notification has a key. Whatever calls private.notify a second time with it, such as a job that
-- runs again or two calls at once, does nothing: its email is queued in the transaction that inserts
-- the row, so nobody is told twice.

create table public.notifications (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references auth.users (id) on delete cascade,
  kind text not null check (kind in (
    'coaching', 'session', 'action', 'tool', 'project', 'figures', 'survey', 'reminder',
    'business', 'support', 'order', 'account', 'event'
  )),
  -- What it's about, such as 'accepted:<engagement id>'; a person gets each once.
  key text not null check (char_length(key) between 1 and 200),
  title text not null check (char_length(title) between 1 and 200),
  body text not null check (char_length(body) <= 500),
  path text not null check (path ~ '^/[a-z]' and char_length(path) <= 500),
  created_at timestamptz not null default now(),
  read_at timestamptz,
  unique (user_id, key)
);
comment on table public.notifications is
  'What a person was notified of, for 180 days. Written only by private.notify.';
create index notifications_newest_idx on public.notifications (user_id, created_at, id);
create index notifications_unread_idx on public.notifications (user_id) where read_at is null;
create index notifications_created_at_idx on public.notifications (created_at);

alter table public.notifications enable row level security;
create policy "People read their own notifications"
  on public.notifications for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.notifications to authenticated;

-- Notifying -------------------------------------------------------------------------------------

create function private.notification_group(p_kind text) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_kind = 'reminder' then 'reminders'
    when p_kind = 'business' then 'news'
    when p_kind not in ('support', 'order', 'account', 'event') then 'coaching'
  end
$$;
comment on function private.notification_group(text) is
  'The notification setting that turns off emails of a kind; null: they''re always sent.';

create function private.unread_notifications(p_user_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  select count(*)::int from (
    select from public.notifications n where n.user_id = p_user_id and n.read_at is null limit 100
  ) u
$$;
comment on function private.unread_notifications(uuid) is
  'How many notifications a person hasn''t read; 100 means 100 or more.';

create function private.tell_notifications(p_user_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  -- Without the count: two transactions at the same moment don't see each other's rows.
  select realtime.send('{}', 'notifications', 'person:' || p_user_id, true)
$$;
comment on function private.tell_notifications(uuid) is
  'Tells a person''s open pages that their notifications have changed.';

create function private.add_notification(
  p_user_id uuid, p_kind text, p_key text, p_title text, p_body text, p_path text
) returns public.notifications
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_new public.notifications;
begin
  insert into public.notifications (user_id, kind, key, title, body, path)
  select
    u.id, p_kind, p_key, private.clean_line(p_title, 200),
    case when char_length(p_body) > 500 then pg_catalog.left(p_body, 499) || '…' else p_body end, p_path
  from auth.users u where u.id = p_user_id
  on conflict (user_id, key) do nothing
  returning * into v_new;
  if found then
    perform private.tell_notifications(p_user_id);
  end if;
  return v_new;
end
$$;
comment on function private.add_notification(uuid, text, text, text, text, text) is
  'Notifies a person once for a key, in the app only, because an email of its own says it: a place at an event. The new row, or nulls.';

create function private.notify(
  p_user_id uuid, p_kind text, p_key text, p_title text, p_body text, p_path text,
  p_button text default 'Open'
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_group text := private.notification_group(p_kind);
  v_body text := private.clean_body(p_body);
  v_new public.notifications;
begin
  v_new := private.add_notification(p_user_id, p_kind, p_key, p_title, v_body, p_path);
  if v_new.id is null then
    return false;
  end if;
  if v_group is null or private.wants(p_user_id, v_group) then
    perform private.send_mail(u.email, case p_kind when 'account' then 'account-notice' else 'notice' end, jsonb_build_object(
      'subject', v_new.title, 'heading', v_new.title,
      'paragraphs', array_remove(string_to_array(v_body, E'\n'), ''),
      -- By this address, opening the email's link marks it as read.
      'button_label', p_button, 'button_path', '/dashboard/notifications/' || v_new.id,
      'has_choice', v_group is not null,
      'why', 'You’re getting this email because ' || case v_group
        when 'reminders' then 'something you planned is due.'
        when 'news' then 'it’s about your business.'
        when 'coaching' then 'you take part in coaching.'
        else case p_kind
          when 'account' then 'it’s about your account or what you can open.'
          when 'order' then 'it’s about an order.' else 'it’s about our support.'
        end
      end
    ))
    from auth.users u where u.id = p_user_id and u.email is not null;
  end if;
  return true;
end
$$;
comment on function private.notify(uuid, text, text, text, text, text, text) is
  'Notifies a person once for a key, in the app and by email unless they don''t want emails of the kind''s group: a title of at most 200 characters, a body (one paragraph per line, whole in the email and up to 500 characters in the app), and the path of a page. Returns whether it was new; false for someone who''s gone.';

create function private.notify_admins(
  p_kind text, p_key text, p_title text, p_body text, p_path text, p_button text default 'Open'
) returns int
language sql volatile security definer set search_path = '' as $$
  select count(*) filter (where n.is_new)::int
  from (
    select private.notify(r.user_id, p_kind, p_key, p_title, p_body, p_path, p_button) as is_new
    from (
      select s.user_id from public.staff_roles s where s.role = 'admin' order by s.user_id
    ) r
  ) n
$$;
comment on function private.notify_admins(text, text, text, text, text, text) is
  'Notifies every admin, each once for a key, and returns how many of them it was new to.';

-- Reading ---------------------------------------------------------------------------------------

create function private.request_answer(p_user_id uuid, p_key text) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  -- As private.step_key makes it; most notifications are about something else.
  if p_key !~ '^step:[0-9a-f-]{36}:[0-9]{1,18}$' then
    return null;
  end if;
  return (
    select jsonb_build_object('at', a.at, 'is_yes', a.to_state = 'accepted')
    from public.engagement_events q
    join public.engagements e
      on e.id = q.engagement_id and e.owner_id is distinct from p_user_id
    cross join lateral (
      select ev.at, ev.to_state from public.engagement_events ev
      where ev.engagement_id = q.engagement_id and ev.id > q.id and ev.from_state = 'assigned'
      order by ev.id limit 1
    ) a
    where q.id = split_part(p_key, ':', 3)::bigint and q.to_state = 'assigned'
      and p_key = 'step:' || q.engagement_id || ':' || q.id
  );
end
$$;
comment on function private.request_answer(uuid, text) is
  'What came of a request for coaching that a coach was notified of by this key: {at, is_yes}; is_yes is false if it went to someone else. Null while it waits, and for everything else.';

create function public.list_notifications(p_place jsonb default null, p_limit int default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  return private.list_page(
    'public.notifications r',
    'jsonb_build_object(
      ''kind'', r.kind, ''title'', r.title, ''body'', r.body, ''created_at'', r.created_at,
      ''is_unread'', r.read_at is null, ''answer'', private.request_answer(r.user_id, r.key)
    )',
    array['r.user_id = (select auth.uid())'],
    'r.created_at', 'timestamptz', true, '{}', p_place, p_limit
  );
end
$$;
comment on function public.list_notifications(jsonb, int) is
  'The caller''s notifications, newest first, a page at a time: {rows: [{id, key, kind, title, body, created_at, is_unread, answer}], more, count}; see private.list_page.';
grant execute on function public.list_notifications(jsonb, int) to authenticated;

create function public.mark_notifications_read(p_ids uuid[] default null) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  update public.notifications n set read_at = now()
  where n.user_id = v_user_id and n.read_at is null and (p_ids is null or n.id = any (p_ids));
  if found then
    perform private.tell_notifications(v_user_id);
  end if;
  return jsonb_build_object('unread', private.unread_notifications(v_user_id));
end
$$;
comment on function public.mark_notifications_read(uuid[]) is
  'Marks some of the caller''s notifications as read, or (null) all of them; {unread}.';
grant execute on function public.mark_notifications_read(uuid[]) to authenticated;

create function public.open_notification(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  perform public.mark_notifications_read(array[p_id]);
  return jsonb_build_object('path', (
    select n.path from public.notifications n where n.id = p_id and n.user_id = v_user_id
  ));
end
$$;
comment on function public.open_notification(uuid) is
  'Marks a notification of the caller as read; {path}, the page it''s about, or null if there''s no such notification.';
grant execute on function public.open_notification(uuid) to authenticated;

create function private.delete_old_notifications() returns bigint
language sql volatile security definer set search_path = '' as $$
  with gone as (
    delete from public.notifications where created_at < now() - interval '180 days' returning 1
  )
  select count(*) from gone
$$;
insert into private.jobs (kind, every) values ('delete_old_notifications', interval '1 day');

SET local check_function_bodies = off;

DROP FUNCTION "private"."notify_person"(uuid, text, text, text, text, text);

DROP FUNCTION "public"."save_notification_settings"(boolean, boolean, boolean, boolean);

CREATE TABLE "public"."notifications" (
  "id"         uuid                     NOT NULL DEFAULT gen_random_uuid(),
  "user_id"    uuid                     NOT NULL,
  "kind"       text                     NOT NULL,
  "key"        text                     NOT NULL,
  "title"      text                     NOT NULL,
  "body"       text                     NOT NULL,
  "path"       text                     NOT NULL,
  "created_at" timestamp with time zone NOT NULL DEFAULT now(),
  "read_at"    timestamp with time zone,
  CONSTRAINT "notifications_body_check" CHECK ((char_length(body) <= 500)),
  CONSTRAINT "notifications_key_check" CHECK (((char_length(key) >= 1) AND (char_length(key) <= 200))),
  CONSTRAINT "notifications_kind_check"
    CHECK
    ((kind = ANY (ARRAY['coaching'::text, 'session'::text, 'action'::text, 'tool'::text, 'project'::text, 'figures'::text, 'survey'::text, 'reminder'::text, 'business'::text,
    'support'::text, 'account'::text]))),
  CONSTRAINT "notifications_path_check" CHECK (((path ~ '^/[a-z]'::text) AND (char_length(path) <= 500))),
  CONSTRAINT "notifications_pkey" PRIMARY KEY (id),
  CONSTRAINT "notifications_title_check" CHECK (((char_length(title) >= 1) AND (char_length(title) <= 200))),
  CONSTRAINT "notifications_user_id_key_key" UNIQUE (user_id, key)
);

ALTER TABLE "public"."notifications"
  ENABLE ROW LEVEL SECURITY;

REVOKE ALL ON TABLE "public"."notifications" FROM "anon", "service_role";

ALTER TABLE "public"."notification_settings"
  ADD COLUMN "coaching" boolean NOT NULL DEFAULT true;

CREATE OR REPLACE FUNCTION private.delete_account (
  p_user_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_email text;
  v_name text := coalesce(private.name_of(p_user_id), 'Someone you worked with');
  v_business record;
begin
  select u.email into v_email from auth.users u where u.id = p_user_id;

  -- In the order in which everyone takes them: businesses, then as in private.hold_coach.
  perform private.one_at_a_time('business', b.business_id)
  from (
    select m.business_id from public.business_members m
    where m.user_id = p_user_id order by m.business_id
  ) b;
  perform from public.engagements e where p_user_id in (e.owner_id, e.coach_id) order by e.id for update;
  perform private.one_at_a_time('coach', p_user_id);

  -- People whom it concerns hear of it, in words that do not depend on who they are to each other.
  perform private.notify(
    c.person_id, 'coaching', 'gone:' || p_user_id || case when c.coached then ':coach' else ':client' end,
    v_name || ' has deleted their account',
    case when c.coached then 'They were your coach. Your coaching stays open, and we’re looking for someone else for you.'
      else 'You were their coach. The coaching has ended.' end,
    '/dashboard/coaching', 'Your coaching'
  )
  from (
    select distinct case when e.coach_id = p_user_id then e.owner_id else e.coach_id end as person_id,
      e.coach_id = p_user_id as coached
    from public.engagements e
    where p_user_id in (e.owner_id, e.coach_id)
      and e.closed_at is null
  ) c
  where c.person_id is not null;

  for v_business in select * from private.heirs(p_user_id) loop
    perform private.withdraw_coaching(
      v_business.business_id, p_user_id, 'The owner’s account was deleted.'
    );
    delete from public.business_members m
    where m.business_id = v_business.business_id and m.user_id = p_user_id;
    if v_business.alone then
      perform private.erase_business(v_business.business_id);
    elsif v_business.heir_id is not null then
      perform private.notify(
        m.user_id, 'account', 'owner:' || v_business.business_id || ':' || now(),
        'You’re now the owner of ' || v_business.name,
        v_name || ' has deleted their account. You now decide who belongs to the business and whether to archive it.',
        '/dashboard/businesses/' || v_business.business_id, 'Open the business'
      )
      from public.business_members m
      where m.business_id = v_business.business_id and m.role = 'owner';
    end if;
  end loop;

  perform set_config('trellis.reason', 'The account was deleted.', true);
  update public.engagements e set note = null where e.owner_id = p_user_id and e.note is not null;
  update public.engagements e set coach_id = null
  where e.coach_id = p_user_id and e.closed_at is null;
  perform set_config('trellis.reason', '', true);

  perform private.remove_folder('avatars', p_user_id);

  delete from public.business_invitations i where i.address = lower(v_email);
  delete from public.contacts c where c.email = lower(v_email) or c.user_id = p_user_id;
  delete from private.jobs j where j.kind = 'mail' and lower(j.payload ->> 'to') = lower(v_email);
  delete from public.rate_limits r using private.write_limits l
  where r.key = private.write_key(l.kind, p_user_id);
  perform private.send_mail(v_email, 'notice', jsonb_build_object(
    'subject', 'We’ve deleted your account', 'heading', 'We’ve deleted your account',
    'paragraphs', jsonb_build_array('You asked us to 30 days ago. This is our last email. We’ll erase your address 30 days from now.'),
    'why', 'You’re getting this email because this address had an account.'
  ));
  perform private.audit('account.delete', 'user', p_user_id::text);
  -- Everything that is theirs alone goes with the row; the rest loses its name.
  delete from auth.users u where u.id = p_user_id;
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_due_accounts()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_due record;
  v_deleted int := 0;
  v_reminded int := 0;
begin
  for v_due in
    select d.user_id, d.due_at from public.account_deletions d
    where d.reminded_at is null and d.due_at <= now() + interval '7 days' and d.due_at > now()
    for update skip locked
  loop
    update public.account_deletions d set reminded_at = now() where d.user_id = v_due.user_id;
    perform private.notify(
      v_due.user_id, 'account', 'deletion_week:' || v_due.due_at,
      'One week left: we’ll delete your account on ' || private.day_words(v_due.due_at, v_due.user_id),
      'It happens at ' || private.time_words(v_due.due_at, v_due.user_id) || '. After that we can’t restore it. If you want to download your data, now’s the time.',
      '/dashboard/profile', 'Keep my account'
    );
    v_reminded := v_reminded + 1;
  end loop;

  lock table public.staff_roles in share row exclusive mode;
  for v_due in
    select d.user_id, d.due_at from public.account_deletions d
    where d.due_at <= now() order by d.due_at limit 100
    for update skip locked
  loop
    if private.is_last_admin(v_due.user_id) then
      -- The others left in the meantime: somebody must be able to name the next admin.
      delete from public.account_deletions d where d.user_id = v_due.user_id;
      perform private.notify(
        v_due.user_id, 'account', 'deletion_refused:' || v_due.due_at,
        'We didn’t delete your account',
        'You’re the last admin. Make someone else an admin, then ask again.',
        '/dashboard/profile', 'Your profile'
      );
    else
      perform private.delete_account(v_due.user_id);
      v_deleted := v_deleted + 1;
    end if;
  end loop;
  return jsonb_build_object('deleted', v_deleted, 'reminded', v_reminded);
end
$function$;

CREATE OR REPLACE FUNCTION private.delete_old_notifications()
  RETURNS bigint
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with gone as (
    delete from public.notifications where created_at < now() - interval '180 days' returning 1
  )
  select count(*) from gone
$function$;

CREATE OR REPLACE FUNCTION private.forget_second_factor (
  p_email   text,
  p_reason  text,
  p_details jsonb DEFAULT '{}'::jsonb
)
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid;
  v_count int;
begin
  select u.id into v_user_id from auth.users u where lower(u.email) = lower(btrim(p_email));
  if v_user_id is null then
    raise exception 'There’s no account with the address %.', p_email using errcode = 'P0002', hint = 'email';
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified';
  get diagnostics v_count = row_count;
  if v_count > 0 then
    delete from private.recovery_codes c where c.user_id = v_user_id;
    delete from auth.sessions s where s.user_id = v_user_id;
    perform private.audit(
      'second_factor.forget', 'user', v_user_id::text, private.require_reason(p_reason), p_details
    );
    perform private.notify(
      v_user_id, 'account', 'second_factor:' || now(), 'We removed your authenticator app',
      E'You asked us to, because you couldn’t use it anymore. Until you add an app again, your password alone signs you in.\nIf you didn’t ask for this, choose a new password right away and write to us.',
      '/dashboard/profile', 'Sign in'
    );
  end if;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.join_by_invitation (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_invitation jsonb := private.invitation_for_me(p_id);
  v_business_id uuid := (v_invitation ->> 'business_id')::uuid;
begin
  if v_business_id is not null then
    perform private.one_at_a_time('business', v_business_id);
    -- Taken back or accepted in another tab, while this one waited.
    v_invitation := private.invitation_for_me(p_id);
  end if;
  case v_invitation ->> 'state'
    when 'open' then
      insert into public.business_members (business_id, user_id, role)
      values (v_business_id, v_user_id, case
        when v_invitation ->> 'role' = 'owner' and not exists (
          select from public.business_members m
          where m.business_id = v_business_id and m.role = 'owner'
        ) then 'owner' else 'member'
      end)
      on conflict (business_id, user_id) do nothing;
      update public.business_invitations i
      set ended = 'accepted', ended_at = now(), accepted_by = v_user_id
      where i.id = p_id;
      perform private.notify(
        i.invited_by, 'business', 'joined:' || p_id,
        coalesce(private.name_of(v_user_id), i.address) || ' has joined ' || (v_invitation ->> 'business'),
        'They can now see and edit the business, its figures, its plan and its projects.',
        '/dashboard/businesses/' || v_business_id || '#members', 'See the members'
      )
      from public.business_invitations i where i.id = p_id;
    when 'accepted' then
      null;
    when 'other-address' then
      raise exception 'This invitation is for a different email address.' using errcode = '42501';
    when 'unconfirmed' then
      raise exception 'Confirm your email first, then open the link again.' using errcode = '42501';
    else
      raise exception 'This invitation no longer works. Ask for a new one.' using errcode = '55000';
  end case;
  return jsonb_build_object('business_id', v_business_id, 'name', v_invitation ->> 'business');
end
$function$;

CREATE OR REPLACE FUNCTION private.notification_group (
  p_kind text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case
    when p_kind = 'reminder' then 'reminders'
    when p_kind = 'business' then 'news'
    when p_kind not in ('support', 'account') then 'coaching'
  end
$function$;

CREATE OR REPLACE FUNCTION private.notify (
  p_user_id uuid,
  p_kind    text,
  p_key     text,
  p_title   text,
  p_body    text,
  p_path    text,
  p_button  text DEFAULT 'Open'::text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_group text := private.notification_group(p_kind);
  v_body text := private.clean_body(p_body);
  v_new public.notifications;
begin
  insert into public.notifications (user_id, kind, key, title, body, path)
  select
    u.id, p_kind, p_key, private.clean_line(p_title, 200),
    case when char_length(v_body) > 500 then pg_catalog.left(v_body, 499) || '…' else v_body end, p_path
  from auth.users u where u.id = p_user_id
  on conflict (user_id, key) do nothing
  returning * into v_new;
  if not found then
    return false;
  end if;
  perform private.tell_notifications(p_user_id);
  if v_group is null or private.wants(p_user_id, v_group) then
    perform private.send_mail(u.email, 'notice', jsonb_build_object(
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
          when 'account' then 'it’s about your account or what you can open.' else 'it’s about our support.'
        end
      end
    ))
    from auth.users u where u.id = p_user_id and u.email is not null;
  end if;
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.notify_admins (
  p_kind   text,
  p_key    text,
  p_title  text,
  p_body   text,
  p_path   text,
  p_button text DEFAULT 'Open'::text
)
  RETURNS integer
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*) filter (where n.is_new)::int
  from (
    select private.notify(r.user_id, p_kind, p_key, p_title, p_body, p_path, p_button) as is_new
    from (
      select s.user_id from public.staff_roles s where s.role = 'admin' order by s.user_id
    ) r
  ) n
$function$;

CREATE OR REPLACE FUNCTION private.remind_of_focus_actions()
  RETURNS bigint
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with open_ones as (
    select a.id, a.body, a.due_on, k.name as area_name, k.position, u.id as user_id,
      a.created_at at time zone z.name as made_at, now() at time zone z.name as here
    from public.focus_actions a
    join public.focus_areas f on f.id = a.focus_area_id and f.state = 'open'
    join public.skill_areas k on k.key = f.area_key
    join auth.users u on u.id = f.user_id
    cross join lateral private.time_zone_of(f.user_id) as z (name)
    where a.state = 'open' and a.remind
      -- A day each way more than matters: today is another day in some zones.
      and a.due_on between current_date - 8 and current_date + 8
  ),
  due as (
    -- A week ahead, for what was known longer; on the day; late when the server was away, up to a
    -- week. Never at night.
    select o.*, case when o.due_on > o.here::date then 'week' else 'day' end as stage
    from open_ones o
    where o.here::time >= time '08:00'
      and case
        when o.due_on > o.here::date
          then o.due_on <= o.here::date + 7 and o.made_at::date < o.due_on - 10
        else o.due_on >= o.here::date - 7
      end
  ),
  fresh as (
    insert into public.focus_reminders (action_id, stage, due_on)
    select d.id, d.stage, d.due_on from due d
    on conflict do nothing
    returning action_id
  ),
  notified as (
    select private.notify(
      d.user_id, 'reminder',
      'focus:' || md5(string_agg(d.id || d.stage || d.due_on, ',' order by d.id)),
      case
        when count(*) > 1 then 'What you said you’d do'
        when bool_or(d.stage = 'week') then 'One week left: ' || lower(min(d.area_name))
        else 'Due: ' || lower(min(d.area_name))
      end,
      string_agg(
        d.area_name || ', due ' || to_char(d.due_on, 'FMMonth FMDD') || ': ' || d.body,
        E'\n' order by d.due_on, d.position
      ) || E'\nDone? Mark it and choose what’s next. No time? Move the date or drop it. No hard feelings. To turn off an action’s reminders, edit it.',
      '/dashboard/skills#focus', 'Open your actions'
    ) as is_new
    from due d
    where d.id in (select r.action_id from fresh r)
    group by d.user_id
  )
  select count(*) filter (where n.is_new) from notified n
$function$;

CREATE OR REPLACE FUNCTION private.tell_members (
  p_ids     uuid[],
  p_subject text,
  p_text    text,
  p_open    uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.notify(
    m.user_id, 'account', 'merge:' || p_open || ':' || now(), p_subject, p_text,
    '/dashboard/businesses/' || p_open, 'Open the business'
  )
  from (
    select distinct n.user_id from public.business_members n where n.business_id = any (p_ids)
  ) m;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_notifications (
  p_user_id uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Without the count: two transactions at the same moment don't see each other's rows.
  select realtime.send('{}', 'notifications', 'person:' || p_user_id, true)
$function$;

CREATE OR REPLACE FUNCTION private.unread_notifications (
  p_user_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select count(*)::int from (
    select from public.notifications n where n.user_id = p_user_id and n.read_at is null limit 100
  ) u
$function$;

CREATE OR REPLACE FUNCTION private.wants (
  p_user_id uuid,
  p_what    text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce((
    select case p_what
      when 'reminders' then s.reminders when 'news' then s.news
      when 'messages' then s.messages when 'message_text' then s.message_text
      when 'coaching' then s.coaching
    end
    from public.notification_settings s where s.user_id = p_user_id
  ), true)
$function$;

CREATE OR REPLACE FUNCTION public.get_profile()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'full_name', p.full_name, 'preferred_name', p.preferred_name, 'phone', p.phone,
    'time_zone', p.time_zone, 'languages', p.languages, 'avatar_path', p.avatar_path,
    'notifications', jsonb_build_object(
      'reminders', coalesce(s.reminders, true), 'news', coalesce(s.news, true),
      'messages', coalesce(s.messages, true), 'message_text', coalesce(s.message_text, true),
      'coaching', coalesce(s.coaching, true)
    ),
    'demographics', case when d.user_id is not null then
      to_jsonb(d) - 'user_id' - 'updated_at' end
  )
  from public.profiles p
  left join public.notification_settings s on s.user_id = p.user_id
  left join public.demographics d on d.user_id = p.user_id
  where p.user_id = (select auth.uid())
$function$;

CREATE OR REPLACE FUNCTION public.hand_over_business (
  p_business_id uuid,
  p_user_id     uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_owner(p_business_id);
  if p_user_id = v_user_id then
    return jsonb_build_object('owner', v_user_id);
  end if;
  update public.business_members m set role = 'owner'
  where m.business_id = p_business_id and m.user_id = p_user_id;
  if not found then
    raise exception 'Choose someone who’s already a member of the business.'
      using errcode = '22023', hint = 'user_id';
  end if;
  update public.business_members m set role = 'member'
  where m.business_id = p_business_id and m.user_id = v_user_id;
  perform private.notify(
    p_user_id, 'account', 'owner:' || p_business_id || ':' || now(),
    'You’re now the owner of ' || b.name,
    coalesce(private.name_of(v_user_id), 'The owner') || ' has handed the business over to you. You decide who belongs to it and whether to archive it.',
    '/dashboard/businesses/' || p_business_id, 'Open the business'
  )
  from public.businesses b where b.id = p_business_id;
  return jsonb_build_object('owner', p_user_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.keep_account()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  delete from public.account_deletions d where d.user_id = v_user_id;
  if found then
    perform private.audit('account.keep', 'user', v_user_id::text);
    perform private.notify(
      v_user_id, 'account', 'kept:' || now(), 'You’re keeping your account',
      'It won’t be deleted, and nothing has changed.', '/dashboard/profile', 'Your profile'
    );
  end if;
  return jsonb_build_object('deletion_due_at', null);
end
$function$;

CREATE OR REPLACE FUNCTION public.list_notifications (
  p_place jsonb   DEFAULT NULL::jsonb,
  p_limit integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_session();
  return private.list_page(
    'public.notifications r',
    'jsonb_build_object(
      ''kind'', r.kind, ''title'', r.title, ''body'', r.body, ''created_at'', r.created_at,
      ''is_unread'', r.read_at is null
    )',
    array['r.user_id = (select auth.uid())'],
    'r.created_at', 'timestamptz', true, '{}', p_place, p_limit
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_notifications"(jsonb, integer) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.mark_notifications_read (
  p_ids uuid[] DEFAULT NULL::uuid[]
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

REVOKE ALL ON FUNCTION "public"."mark_notifications_read"(uuid[]) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.open_notification (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  perform public.mark_notifications_read(array[p_id]);
  return jsonb_build_object('path', (
    select n.path from public.notifications n where n.id = p_id and n.user_id = v_user_id
  ));
end
$function$;

REVOKE ALL ON FUNCTION "public"."open_notification"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.remove_member (
  p_business_id uuid,
  p_user_id     uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_owner(p_business_id);
  if p_user_id = v_user_id then
    raise exception 'Make someone else the owner before you leave.' using errcode = '55000';
  end if;
  delete from public.business_members m
  where m.business_id = p_business_id and m.user_id = p_user_id;
  if found then
    perform private.withdraw_coaching(p_business_id, p_user_id, 'No longer a member.');
    perform private.notify(
      p_user_id, 'account', 'removed:' || p_business_id || ':' || now(),
      'You’re no longer a member of ' || b.name,
      'The owner removed you from the business. Your own quiz results are still yours.',
      '/dashboard/businesses', 'Your businesses'
    )
    from public.businesses b where b.id = p_business_id;
  end if;
  return jsonb_build_object('user_id', p_user_id);
end
$function$;

CREATE OR REPLACE FUNCTION public.report_message (
  p_id         uuid,
  p_message_id uuid,
  p_reason     text,
  p_note       text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_message public.messages;
  v_found public.message_reports;
begin
  if p_id is null then
    raise exception 'A report needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.one_at_a_time('message_reports', v_user_id);
  select m.* into v_message from public.messages m
  join public.conversation_participants p on p.conversation_id = m.conversation_id
  where m.id = p_message_id and p.user_id = v_user_id and p.left_at is null and p.from_seq <= m.seq;
  if not found then
    raise exception 'We can’t find this message.' using errcode = 'P0002';
  end if;
  select * into v_found from public.message_reports r
  where r.id = p_id or (r.message_id = p_message_id and r.reporter_id = v_user_id);
  if found then
    if v_found.reporter_id is distinct from v_user_id
      or v_found.message_id is distinct from p_message_id
    then
      raise exception 'This report already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', v_found.id, 'state', v_found.state);
  end if;
  if v_message.author_id is not distinct from v_user_id then
    raise exception 'This is your own message. You can delete it.' using errcode = '55000';
  end if;
  if v_message.removed_at is not null then
    raise exception 'This message has already been deleted.' using errcode = '55000';
  end if;
  if p_reason is null or p_reason not in ('spam', 'abuse', 'other') then
    raise exception 'Tell us what’s wrong with it.' using errcode = '22023', hint = 'reason';
  end if;
  if char_length(btrim(p_note)) > 1000 then
    raise exception 'Keep it to 1,000 characters.' using errcode = '22023', hint = 'note';
  end if;
  insert into public.message_reports (
    id, message_id, conversation_id, reporter_id, author_id, reason, note, said
  ) values (
    p_id, p_message_id, v_message.conversation_id, v_user_id, v_message.author_id, p_reason,
    nullif(btrim(p_note), ''), v_message.body
  );
  -- The admins hear of it once an hour at most, however much comes in.
  if private.take_rate_limit('reports_mailed', 1, interval '1 hour') then
    perform private.notify_admins(
      'support', 'report:' || p_id, 'A message was reported',
      E'Someone in a conversation asked you to look at a message. We keep a record of who reads it.\nWe won’t tell you about other reports within the next hour.',
      '/admin/messages', 'Open the reports'
    );
  end if;
  return jsonb_build_object('id', p_id, 'state', 'open');
end
$function$;

CREATE OR REPLACE FUNCTION public.request_account_deletion()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_fresh_session();
  v_due_at timestamptz;
begin
  -- Two admins who leave at once would leave none.
  lock table public.staff_roles in share row exclusive mode;
  if private.role_of(v_user_id) = 'admin' and not exists (
    select from public.staff_roles s
    where s.role = 'admin' and s.user_id <> v_user_id
      and not exists (select from public.account_deletions d where d.user_id = s.user_id)
  ) then
    raise exception 'You’re the last admin. Make someone else an admin first.' using errcode = '55000';
  end if;

  insert into public.account_deletions (user_id) values (v_user_id)
  on conflict (user_id) do nothing
  returning due_at into v_due_at;
  if found then
    perform private.audit('account.delete_later', 'user', v_user_id::text);
    perform private.notify(
      v_user_id, 'account', 'deletion:' || v_due_at,
      'We’ll delete your account on ' || private.day_words(v_due_at, v_user_id),
      'You asked for this. Until ' || private.time_words(v_due_at, v_user_id) || E' that day everything works as usual, and you can keep the account with one click. After that we can’t restore it, so download your data first, from the same page.\nIf it wasn’t you who asked, keep the account and choose a new password.',
      '/dashboard/profile', 'Keep my account'
    );
  else
    select d.due_at into v_due_at from public.account_deletions d where d.user_id = v_user_id;
  end if;
  return jsonb_build_object('deletion_due_at', v_due_at);
end
$function$;

CREATE OR REPLACE FUNCTION public.save_notification_settings (
  p_reminders    boolean DEFAULT NULL::boolean,
  p_news         boolean DEFAULT NULL::boolean,
  p_messages     boolean DEFAULT NULL::boolean,
  p_message_text boolean DEFAULT NULL::boolean,
  p_coaching     boolean DEFAULT NULL::boolean
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  insert into public.notification_settings as s (
    user_id, reminders, news, messages, message_text, coaching
  ) values (
    v_user_id, coalesce(p_reminders, true), coalesce(p_news, true), coalesce(p_messages, true),
    coalesce(p_message_text, true), coalesce(p_coaching, true)
  )
  on conflict (user_id) do update set
    reminders = coalesce(p_reminders, s.reminders), news = coalesce(p_news, s.news),
    messages = coalesce(p_messages, s.messages),
    message_text = coalesce(p_message_text, s.message_text),
    coaching = coalesce(p_coaching, s.coaching), updated_at = now();
end
$function$;

REVOKE ALL ON FUNCTION "public"."save_notification_settings"(boolean, boolean, boolean, boolean, boolean) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.session_context()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with asking as (
    select u.id, u.email, private.role_of(u.id) as role, s.state as second_factor
    from auth.users u
    cross join private.session_state() as s (state)
    where u.id = (select auth.uid()) and s.state <> 'ended'
  )
  select
    case when a.second_factor = 'required' then
      jsonb_build_object(
        'user_id', a.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'role', a.role, 'second_factor', a.second_factor, 'businesses', '[]'::jsonb,
        'deletion_due_at', null, 'unread_messages', 0, 'unread_notifications', 0,
        'message_text', false, 'toggles', null
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
        'unread_messages', private.unread_total(a.id),
        'unread_notifications', private.unread_notifications(a.id),
        'message_text', private.wants(a.id, 'message_text'),
        'toggles', public.toggles_on()
      )
    end
  from asking a
  left join public.profiles p on p.user_id = a.id
  left join public.account_deletions d on d.user_id = a.id
$function$;

CREATE OR REPLACE FUNCTION public.settle_message_report (
  p_report_id uuid,
  p_outcome   text,
  p_reason    text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_report public.message_reports;
  v_message public.messages;
begin
  if p_outcome is null or p_outcome not in ('dismissed', 'removed') then
    raise exception 'Dismiss the report, or remove the message.'
      using errcode = '22023', hint = 'outcome';
  end if;
  select * into v_report from public.message_reports r where r.id = p_report_id;
  if not found then
    raise exception 'We can’t find this report.' using errcode = 'P0002';
  end if;
  -- The conversation before the report, like everyone who changes a message.
  perform from public.conversations c where c.id = v_report.conversation_id for update;
  select * into v_report from public.message_reports r where r.id = p_report_id for update;
  if v_report.state = 'settled' then
    if v_report.outcome <> p_outcome then
      raise exception 'This report has already been resolved.' using errcode = '55000';
    end if;
    return private.report_json(v_report);
  end if;
  if p_outcome = 'dismissed' and v_report.author_id = v_admin_id
    and not private.is_last_admin(v_admin_id)
  then
    raise exception 'You wrote this message, so another admin has to decide.'
      using errcode = '42501';
  end if;
  if p_outcome = 'removed' then
    select * into v_message from public.messages m where m.id = v_report.message_id;
    if v_message.id is not null and v_message.removed_at is null then
      v_message := private.change_message(v_report.message_id, null);
      perform private.notify(
        v_report.author_id, 'support', 'message_removed:' || v_report.message_id,
        'We removed one of your messages',
        'Someone in the conversation reported it, and we agreed that it doesn’t belong there.',
        '/dashboard/messages', 'Your messages'
      );
    end if;
  end if;
  update public.message_reports r set
    state = 'settled', outcome = p_outcome, settled_by = v_admin_id, settled_at = now()
  where r.id = p_report_id
  returning * into v_report;
  perform private.audit(
    'message_report.settle', 'message_report', p_report_id::text, v_reason,
    jsonb_build_object('outcome', p_outcome, 'message_id', v_report.message_id)
  );
  perform private.notify(
    v_report.reporter_id, 'support', 'report_settled:' || p_report_id,
    'We looked at the message you reported',
    case p_outcome when 'removed' then 'We removed it. Thank you for telling us.'
      else 'We didn’t remove it. You can block the person who wrote it, or mute the conversation.' end,
    '/dashboard/messages', 'Your messages'
  );
  return private.report_json(v_report);
end
$function$;

CREATE OR REPLACE FUNCTION public.unread_counts()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'messages', private.unread_total(a.id), 'notifications', private.unread_notifications(a.id)
  )
  from private.require_session() as a (id)
$function$;

REVOKE ALL ON FUNCTION "public"."unread_counts"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.use_recovery_code (
  p_code text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
  v_left int;
begin
  if v_user_id is null or private.session_state() <> 'required' then
    raise exception 'Sign in with your password first.' using errcode = '42501';
  end if;
  perform private.require_rate_limit(
    'recovery-code:' || v_user_id, 10, interval '1 hour',
    'Too many tries. Try again %s.', 'code'
  );
  delete from private.recovery_codes c
  where c.user_id = v_user_id and c.hash = private.recovery_code_hash(v_user_id, p_code);
  if not found then
    -- An answer instead of an error, which would undo that the try was counted.
    return jsonb_build_object('used', false);
  end if;
  delete from auth.mfa_factors f where f.user_id = v_user_id;
  -- Whoever found the phone may be signed in on it.
  delete from auth.sessions s
  where s.user_id = v_user_id and s.id::text is distinct from auth.jwt() ->> 'session_id';
  select count(*) into v_left from private.recovery_codes c where c.user_id = v_user_id;
  perform private.audit(
    'recovery_codes.use', 'user', v_user_id::text, null, jsonb_build_object('left', v_left)
  );
  perform private.notify(
    v_user_id, 'account', 'recovery_code:' || now(), 'Someone signed in with a recovery code',
    E'It removed your authenticator apps and signed out your other devices. Until you add an app again, your password alone signs you in.\nIf this wasn’t you, choose a new password right away and write to us.',
    '/dashboard/profile#second-factor', 'Add an app'
  );
  return jsonb_build_object('used', true);
end
$function$;

CREATE OR REPLACE FUNCTION public.withdraw_coaching (
  p_engagement_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_before record;
begin
  select e.state, e.coach_id, b.name as business into v_before
  from public.engagements e join public.businesses b on b.id = e.business_id
  where e.id = p_engagement_id and e.owner_id = v_user_id
  for update of e;
  if not found then
    raise exception 'We can’t find this coaching.'
      using errcode = 'P0002', hint = 'engagement_id';
  end if;
  -- Sent again after a lost answer, it is done already.
  if v_before.state <> 'withdrawn' then
    if not private.may_step('engagement', v_before.state, 'withdrawn', 'owner') then
      raise exception 'This coaching has already ended.' using errcode = '55000';
    end if;
    update public.engagements e set state = 'withdrawn' where e.id = p_engagement_id;
    if v_before.coach_id is not null then
      perform private.notify(
        v_before.coach_id, 'coaching', 'withdrawn:' || p_engagement_id,
        v_before.business || ' has withdrawn from coaching',
        coalesce(private.name_of(v_user_id), 'The owner') || ' has withdrawn from coaching for '
          || v_before.business || '. You can’t open the business or its results anymore.',
        '/dashboard/coaching', 'Your clients'
      );
    end if;
  end if;
  return jsonb_build_object('id', p_engagement_id, 'state', 'withdrawn');
end
$function$;

ALTER TABLE "public"."notifications"
  ADD CONSTRAINT "notifications_user_id_fkey" FOREIGN KEY (user_id) REFERENCES auth.users(id) ON DELETE CASCADE;

CREATE INDEX notifications_created_at_idx ON public.notifications USING btree (created_at);

CREATE INDEX notifications_newest_idx ON public.notifications USING btree (user_id, created_at, id);

CREATE INDEX notifications_unread_idx ON public.notifications USING btree (user_id)
  WHERE (read_at IS NULL);

CREATE TRIGGER notifications_update_is_limited AFTER UPDATE ON public.notifications REFERENCING NEW TABLE AS written FOR EACH STATEMENT WHEN (
  (pg_trigger_depth() = 0)
) EXECUTE FUNCTION private.limit_writes('notification_marks', 'each statement');

CREATE POLICY "People read their own notifications" ON "public"."notifications"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (user_id = ( SELECT auth.uid() AS uid))));

COMMENT ON FUNCTION "private"."notification_group"(text) IS 'The notification setting that turns off emails of a kind; null: they''re always sent.';

COMMENT ON FUNCTION "private"."notify"(uuid, text, text, text, text, text, text) IS 'Notifies a person once for a key, in the app and by email unless they don''t want emails of the kind''s group: a title of at most 200 characters, a body (one paragraph per line, whole in the email and up to 500 characters in the app), and the path of a page. Returns whether it was new; false for someone who''s gone.';

COMMENT ON FUNCTION "private"."notify_admins"(text, text, text, text, text, text) IS 'Notifies every admin, each once for a key, and returns how many of them it was new to.';

COMMENT ON FUNCTION "private"."remind_of_focus_actions"() IS 'Notifies everyone with an action due in a week or today, once per person and due date, unless they''ve turned off the action''s reminders; returns how many people.';

COMMENT ON FUNCTION "private"."tell_notifications"(uuid) IS 'Tells a person''s open pages that their notifications have changed.';

COMMENT ON FUNCTION "private"."unread_notifications"(uuid) IS 'How many notifications a person hasn''t read; 100 means 100 or more.';

COMMENT ON FUNCTION "private"."wants"(uuid, text) IS 'Whether a person wants emails of a kind (reminders, news, messages, coaching), or message_text in emails and notifications.';

COMMENT ON FUNCTION "public"."list_notifications"(jsonb, integer) IS 'The caller''s notifications, newest first, a page at a time: {rows: [{id, key, kind, title, body, created_at, is_unread}], more, count}; see private.list_page.';

COMMENT ON FUNCTION "public"."mark_notifications_read"(uuid[]) IS 'Marks some of the caller''s notifications as read, or (null) all of them; {unread}.';

COMMENT ON FUNCTION "public"."open_notification"(uuid) IS 'Marks a notification of the caller as read; {path}, the page it''s about, or null if there''s no such notification.';

COMMENT ON FUNCTION "public"."save_notification_settings"(boolean, boolean, boolean, boolean, boolean) IS 'Sets which emails the caller wants; null leaves a setting unchanged.';

COMMENT ON FUNCTION "public"."session_context"() IS 'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), role, second_factor, businesses, deletion_due_at, unread_messages and unread_notifications (100 means 100 or more), message_text (whether emails and notifications may include the text of messages), toggles (those that are on)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';

COMMENT ON FUNCTION "public"."settle_message_report"(uuid, text, text) IS 'An admin dismisses a report or removes the message, with a reason for the audit log; the reporter is notified. Nobody can dismiss a report about their own message while there''s another admin.';

COMMENT ON FUNCTION "public"."unread_counts"() IS 'How much the caller hasn''t read, as in their session: {messages, notifications}; 100 means 100 or more.';

COMMENT ON FUNCTION "public"."withdraw_coaching"(uuid) IS 'An owner withdraws from coaching in any open state; {id, state}. The coach loses access immediately and is notified.';

COMMENT ON TABLE "public"."notifications" IS 'What a person was notified of, for 180 days. Written only by private.notify.';

REVOKE ALL ON FUNCTION "private"."delete_old_notifications"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notification_group"(text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify"(uuid, text, text, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."notify_admins"(text, text, text, text, text, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_notifications"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."unread_notifications"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."list_notifications"(jsonb, integer) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."mark_notifications_read"(uuid[]) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."open_notification"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."save_notification_settings"(boolean, boolean, boolean, boolean, boolean) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."unread_counts"() TO "authenticated";

REVOKE ALL ON TABLE "public"."notifications" FROM "authenticated";

GRANT SELECT ON TABLE "public"."notifications" TO "authenticated";

-- Rows of tables that only the schemas fill.
insert into private.write_limits (kind, on_table, on_event, a_minute, a_day, what) values
  ('notification_marks', 'notifications', 'update', 120, 5000, 'read a lot of notifications');
insert into private.jobs (kind, every) values ('delete_old_notifications', interval '1 day');

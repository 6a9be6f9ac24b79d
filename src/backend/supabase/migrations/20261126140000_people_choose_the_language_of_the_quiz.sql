SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.known_locale (
  p_code text
)
  RETURNS text
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select case when p_code ~ '^[a-z]{2,3}$' then p_code else 'en' end
$function$;

CREATE OR REPLACE FUNCTION private.welcome()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_business_name text := private.clean_line(new.raw_user_meta_data ->> 'business_name', 120);
  v_business_id uuid;
begin
  -- The auth service says so first where it can; this is for those that can't.
  if not private.may_register(new.email) then
    raise exception 'Registration is closed right now.' using errcode = '55000';
  end if;
  insert into public.profiles (user_id, full_name, time_zone, locale)
  values (
    new.id, coalesce(private.clean_line(new.raw_user_meta_data ->> 'full_name', 120), ''),
    private.known_time_zone(new.raw_user_meta_data ->> 'time_zone'),
    private.known_locale(new.raw_user_meta_data ->> 'locale')
  );

  if v_business_name is not null then
    insert into public.businesses (id, name, created_by)
    values (gen_random_uuid(), v_business_name, new.id)
    returning id into v_business_id;
    insert into public.business_members (business_id, user_id, role)
    values (v_business_id, new.id, 'owner');
  end if;
  return new;
end
$function$;

CREATE OR REPLACE FUNCTION public.get_profile()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'full_name', p.full_name, 'preferred_name', p.preferred_name, 'phone', p.phone,
    'time_zone', p.time_zone, 'locale', p.locale, 'languages', p.languages, 'avatar_path', p.avatar_path,
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
        'locale', null, 'role', a.role, 'second_factor', a.second_factor, 'businesses', '[]'::jsonb,
        'deletion_due_at', null, 'unread_messages', 0, 'unread_notifications', 0,
        'message_text', false, 'programs', false, 'toggles', null
      )
    else
      jsonb_build_object(
        'user_id', a.id, 'email', a.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
        'time_zone', p.time_zone, 'locale', p.locale, 'role', a.role, 'second_factor', a.second_factor,
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
        'programs', exists (
          select from public.program_sponsors s where s.address = lower(a.email)
        ) or exists (select from public.seats s where s.owner_id = a.id),
        'toggles', public.toggles_on()
      )
    end
  from asking a
  left join public.profiles p on p.user_id = a.id
  left join public.account_deletions d on d.user_id = a.id
$function$;

COMMENT ON COLUMN "public"."profiles"."locale" IS 'The language that the person wants the quiz and its results in, as a BCP 47 name.';

COMMENT ON FUNCTION "private"."known_locale"(text) IS 'The code of a language as given; en if it can''t be one. The site is in English where it hasn''t that language.';

COMMENT ON FUNCTION "private"."welcome"() IS 'Creates a new account''s profile and, if a name was given, its first business. Sign-up data isn''t trusted: names are shortened to fit, a time zone is used only if it exists, a language only if its code could be one, and nothing else is read from it.';

COMMENT ON FUNCTION "public"."session_context"() IS 'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), locale (of the quiz and its results), role, second_factor, businesses, deletion_due_at, unread_messages and unread_notifications (100 means 100 or more), message_text (whether emails and notifications may include the text of messages), programs (whether they sponsor one or have had a seat), toggles (those that are on)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';

REVOKE ALL ON FUNCTION "private"."known_locale"(text) FROM PUBLIC;

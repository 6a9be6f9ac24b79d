-- What people say about themselves, their picture, which emails they want and, if they share them,
-- their demographics.

-- Notification settings -------------------------------------------------------------------------

create table public.notification_settings (
  user_id uuid primary key references auth.users (id) on delete cascade,
  -- Due dates of what they planned to do.
  reminders boolean not null default true,
  -- What others do in a business, such as joining it.
  news boolean not null default true,
  -- Messages they haven't read.
  messages boolean not null default true,
  -- Steps of a coaching, its sessions and what comes of them.
  coaching boolean not null default true,
  -- Whether emails and notifications include the text of messages, or only who wrote.
  message_text boolean not null default true,
  updated_at timestamptz not null default now()
);
comment on table public.notification_settings is
  'Which emails a person wants; no row: all of them. Emails about the account itself are always sent.';
alter table public.notification_settings enable row level security;
create policy "People read their own settings"
  on public.notification_settings for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.notification_settings to authenticated;

create function public.save_notification_settings(
  p_reminders boolean default null, p_news boolean default null,
  p_messages boolean default null, p_message_text boolean default null,
  p_coaching boolean default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.save_notification_settings(boolean, boolean, boolean, boolean, boolean) is
  'Sets which emails the caller wants; null leaves a setting unchanged.';

create function private.wants(p_user_id uuid, p_what text) returns boolean
language sql stable security definer set search_path = '' as $$
  select coalesce((
    select case p_what
      when 'reminders' then s.reminders when 'news' then s.news
      when 'messages' then s.messages when 'message_text' then s.message_text
      when 'coaching' then s.coaching
    end
    from public.notification_settings s where s.user_id = p_user_id
  ), true)
$$;
comment on function private.wants(uuid, text) is
  'Whether a person wants emails of a kind (reminders, news, messages, coaching), or message_text in emails and notifications.';

-- Pictures --------------------------------------------------------------------------------------

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values ('avatars', 'avatars', false, 1048576, array['image/webp', 'image/jpeg', 'image/png'])
on conflict (id) do update set
  public = excluded.public, file_size_limit = excluded.file_size_limit,
  allowed_mime_types = excluded.allowed_mime_types;

create function private.my_avatar_folder() returns text
language sql stable security definer set search_path = '' as $$
  select (select auth.uid())::text
$$;
create function private.readable_avatar_folders() returns setof text
language sql stable security definer set search_path = '' as $$
  select (select auth.uid())::text
  union
  select p::text from private.ids_of_my_people() p
  union
  -- Owners choose among these.
  select s.user_id::text from public.staff_roles s
  where s.role = 'coach' and private.has_room(s.user_id)
$$;
create function private.has_room_for_avatar() returns boolean
language sql stable security definer set search_path = '' as $$
  select count(*) < 10 from storage.objects o
  where o.bucket_id = 'avatars' and starts_with(o.name, (select auth.uid()) || '/')
$$;
comment on function private.my_avatar_folder() is 'Where the person may store pictures of themselves.';
comment on function private.readable_avatar_folders() is
  'Whose pictures the person sees: their own, those of the people they work with, and those of coaches who take new clients.';
comment on function private.has_room_for_avatar() is
  'One is shown, and older ones are removed: nobody needs more than ten.';
grant execute on function
  private.my_avatar_folder(), private.readable_avatar_folders(), private.has_room_for_avatar()
  to authenticated;

create policy "Pictures of people are seen by those who work with them"
  on storage.objects for select to authenticated
  using (
    bucket_id = 'avatars' and (select private.session_ok())
    and (storage.foldername(name))[1] = any (array(select private.readable_avatar_folders()))
  );
create policy "People store pictures of themselves"
  on storage.objects for insert to authenticated
  with check (
    bucket_id = 'avatars' and (select private.session_ok())
    and (storage.foldername(name))[1] = (select private.my_avatar_folder())
    and name ~ '^[0-9a-f-]{36}/[0-9a-f-]{36}\.(webp|jpg|png)$'
    and private.has_room_for_avatar()
  );
create policy "People take pictures of themselves away"
  on storage.objects for delete to authenticated
  using (
    bucket_id = 'avatars' and (select private.session_ok())
    and (storage.foldername(name))[1] = (select private.my_avatar_folder())
  );

create function public.set_avatar(p_path text) returns setof text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  if p_path is not null
    and not (starts_with(p_path, v_user_id || '/') and private.is_stored('avatars', p_path))
  then
    raise exception 'Your photo didn’t upload. Choose it again.' using errcode = 'P0002';
  end if;
  update public.profiles p set avatar_path = p_path where p.user_id = v_user_id;
  return query
    select o.name from storage.objects o
    where o.bucket_id = 'avatars' and (storage.foldername(o.name))[1] = v_user_id::text
      and o.name is distinct from p_path;
end
$$;
comment on function public.set_avatar(text) is
  'Sets a stored picture as the caller''s own, or none (null). Returns the paths of older ones for the client to remove.';

-- Demographics, which nobody has to share -------------------------------------------------------

create table public.demographics (
  user_id uuid primary key references auth.users (id) on delete cascade,
  age_group text check (age_group in ('under-25', '25-34', '35-44', '45-54', '55-64', '65-up')),
  gender text check (gender in ('woman', 'man', 'non-binary', 'another')),
  -- More than one can apply.
  origins text[] not null default '{}' check (
    origins <@ array[
      'native-american', 'asian', 'black', 'hispanic', 'middle-eastern', 'pacific-islander',
      'white', 'another'
    ]
  ),
  veteran boolean,
  disability boolean,
  place text check (place in ('city', 'town', 'rural', 'tribal-land')),
  updated_at timestamptz not null default now()
);
comment on table public.demographics is
  'Demographics that a person has chosen to share. Nobody else can read a row.';
alter table public.demographics enable row level security;
create policy "People read what they said of themselves"
  on public.demographics for select to authenticated
  using ((select private.session_ok()) and user_id = (select auth.uid()));
grant select on public.demographics to authenticated;

create function public.save_demographics(
  p_age_group text, p_gender text, p_origins text[], p_veteran boolean, p_disability boolean,
  p_place text
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_origins text[] := array(select distinct o from unnest(coalesce(p_origins, '{}')) o order by o);
begin
  -- Nothing said is no row.
  if p_age_group is null and p_gender is null and v_origins = '{}' and p_veteran is null
    and p_disability is null and p_place is null
  then
    delete from public.demographics d where d.user_id = v_user_id;
    return;
  end if;
  insert into public.demographics (
    user_id, age_group, gender, origins, veteran, disability, place
  ) values (v_user_id, p_age_group, p_gender, v_origins, p_veteran, p_disability, p_place)
  on conflict (user_id) do update set
    age_group = excluded.age_group, gender = excluded.gender, origins = excluded.origins,
    veteran = excluded.veteran, disability = excluded.disability, place = excluded.place,
    updated_at = now();
end
$$;
comment on function public.save_demographics(text, text, text[], boolean, boolean, text) is
  'Stores the caller''s demographics; all null or empty deletes them.';

create function public.demographics_summary() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- Fewer people than this are nobody's business.
  c_least constant int := 5;
  v_summary jsonb;
begin
  perform private.require_admin();
  perform private.audit('demographics.summary', 'demographics', null, null, '{}');
  with said as (
    select a.question, a.answer
    from public.demographics d
    cross join lateral (
      values ('age_group', d.age_group), ('gender', d.gender), ('veteran', d.veteran::text),
        ('disability', d.disability::text), ('place', d.place)
      union all
      select 'origins', o from unnest(d.origins) o
    ) a (question, answer)
  ), counted as (
    select s.question, s.answer, count(*)::int as people
    from said s where s.answer is not null
    group by s.question, s.answer
  ), ranked as (
    -- Where the small ones together are fewer than five, the next larger is left out with them:
    -- else the whole minus what is shown would tell their number.
    select c.*, sum(c.people) over (
      partition by c.question order by c.people, c.answer
      rows between unbounded preceding and 1 preceding
    ) as smaller
    from counted c
  ), shown as (
    select r.question, r.answer, r.people
    from ranked r
    where r.people >= c_least
      and (r.smaller is null or r.smaller >= c_least)
  )
  select jsonb_build_object(
    'people', (
      select case when count(*) >= c_least then count(*) end from public.demographics
    ),
    'answers', coalesce((
      select jsonb_object_agg(q.question, q.answers)
      from (
        select s.question, jsonb_object_agg(s.answer, s.people) as answers
        from shown s group by s.question
      ) q
    ), '{}')
  ) into v_summary;
  return v_summary;
end
$$;
comment on function public.demographics_summary() is
  'For admins: how many people gave each answer, only from five people on, and never so that a smaller number could be worked out.';

-- Data of the profile page, in one query --------------------------------------------------------

create function public.get_profile() returns jsonb
language sql stable security invoker set search_path = '' as $$
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
$$;
comment on function public.get_profile() is
  'What the person''s profile page shows: {full_name, …, notifications, demographics}.';

grant execute on function
  public.save_notification_settings(boolean, boolean, boolean, boolean, boolean),
  public.set_avatar(text),
  public.save_demographics(text, text, text[], boolean, boolean, text),
  public.demographics_summary(), public.get_profile()
to authenticated;

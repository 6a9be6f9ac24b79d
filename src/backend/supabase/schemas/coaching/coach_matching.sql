-- Finding the right coach: who has room, and why they fit.

create function private.hours_apart(p_one text, p_other text) returns int
language sql stable set search_path = '' as $$
  select round(abs(extract(epoch from (now() at time zone p_one) - (now() at time zone p_other))) / 3600)::int
$$;
comment on function private.hours_apart(text, text) is
  'How many hours the clocks of two time zones differ now; null if one isn''t known.';

create function private.shared_languages(p_mine text[], p_theirs text[]) returns text[]
language sql immutable set search_path = '' as $$
  -- "es" speaks with "es-MX".
  select array(
    select m.language
    from unnest(p_mine) with ordinality as m (language, place)
    where split_part(m.language, '-', 1) in (select split_part(t, '-', 1) from unnest(p_theirs) t)
    order by m.place
  )
$$;
comment on function private.shared_languages(text[], text[]) is
  'The languages of one person that another speaks too, in the order of the first.';

create function private.coach_fit(
  p_coach_id uuid, p_areas text[], p_business_id uuid, p_owner_id uuid,
  out areas text[], out industry text, out languages text[], out hours int, out score int
)
language plpgsql stable security definer set search_path = '' as $$
declare
  v_coach record;
  v_owner record;
begin
  select p.languages, p.time_zone, c.areas, c.industries into v_coach
  from public.profiles p left join public.coach_profiles c on c.user_id = p.user_id
  where p.user_id = p_coach_id;
  select p.languages, p.time_zone into v_owner from public.profiles p where p.user_id = p_owner_id;
  areas := array(select a from unnest(p_areas) a where a = any (v_coach.areas) order by a);
  industry := (
    select b.industry from public.businesses b
    where b.id = p_business_id and b.industry = any (v_coach.industries)
  );
  languages := private.shared_languages(v_owner.languages, v_coach.languages);
  hours := private.hours_apart(v_owner.time_zone, v_coach.time_zone);
  score := 100 * cardinality(areas)
    + case when industry is not null then 60 else 0 end
    + case when cardinality(languages) > 0 then 40 else 0 end
    + case when hours <= 3 then 20 - 5 * hours else 0 end;
end
$$;
comment on function private.coach_fit(uuid, text[], uuid, uuid) is
  'What speaks for a coach: areas in common, the business''s industry if they know it, languages in common, and hours between the time zones (null if one isn''t known). The score counts most of all the areas, then industry, language and time zone.';

create function private.fit_reasons(p_areas text[], p_industry text, p_languages text[], p_hours int)
returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_agg(r.reason order by r.place), '[]')
  from (values
    (1, case when cardinality(p_areas) > 0 then
      jsonb_build_object('kind', 'areas', 'keys', p_areas) end),
    (2, case when p_industry is not null then
      jsonb_build_object('kind', 'industry', 'industry', p_industry) end),
    (3, case when cardinality(p_languages) > 0 then
      jsonb_build_object('kind', 'language', 'language', p_languages[1]) end),
    (4, case when p_hours <= 3 then
      jsonb_build_object('kind', 'time_zone', 'hours', p_hours) end)
  ) as r (place, reason)
  where r.reason is not null
$$;
comment on function private.fit_reasons(text[], text, text[], int) is
  'Why a coach fits, for an owner: [{kind: areas, keys} | {kind: industry, industry} | {kind: language, language} | {kind: time_zone, hours (apart, up to 3)}].';

create function private.coach_card(p_coach_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  return (
    select jsonb_build_object(
      'user_id', p.user_id, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
      'about', coalesce(c.about, ''), 'areas', coalesce(c.areas, '{}'),
      'industries', coalesce(c.industries, '{}'), 'languages', p.languages,
      'time_zone', p.time_zone
    )
    from public.profiles p left join public.coach_profiles c on c.user_id = p.user_id
    where p.user_id = p_coach_id
  );
end
$$;
comment on function private.coach_card(uuid) is
  'A coach as owners see them: {user_id, full_name, avatar_path, about, areas, industries, languages, time_zone}.';

create function private.coach_room(p_coach_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  -- Greatest takes null for less than 0.
  select greatest(c.capacity - private.client_count(c.user_id), 0)
  from public.coach_profiles c where c.user_id = p_coach_id and c.capacity is not null
$$;
comment on function private.coach_room(uuid) is
  'How many more clients a coach takes; null: no limit.';

create function private.best_coaches(p_engagement public.engagements, p_areas text[])
returns table (
  coach_id uuid, areas text[], industry text, languages text[], hours int, clients int, place bigint
)
language sql stable security definer set search_path = '' as $$
  select s.user_id, f.areas, f.industry, f.languages, f.hours, n.clients,
    -- Who fits best and, among equals, who has the fewest clients.
    row_number() over (order by f.score desc, n.clients, s.user_id)
  from public.staff_roles s
  cross join lateral private.coach_fit(
    s.user_id, p_areas, p_engagement.business_id, p_engagement.owner_id
  ) f
  cross join lateral (select private.client_count(s.user_id) as clients) n
  where s.role = 'coach' and s.user_id is distinct from p_engagement.owner_id
    and s.user_id is distinct from p_engagement.coach_id
$$;
comment on function private.best_coaches(public.engagements, text[]) is
  'Coaches for an engagement, without its present one; place 1 fits best.';

create function private.was_coach(p_coach_id uuid, p_engagement_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.engagement_events ev
    where ev.engagement_id = p_engagement_id
      and ev.details ->> 'from_coach_id' = p_coach_id::text
  )
$$;
comment on function private.was_coach(uuid, uuid) is
  'Whether someone was asked to coach an engagement before, and isn''t its coach anymore.';

create function public.list_coaches(
  p_engagement_id uuid default null, p_business_id uuid default null, p_areas text[] default '{}'
) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_for public.engagements;
  v_areas text[] := coalesce(p_areas, '{}');
begin
  if p_engagement_id is not null then
    select * into v_for from public.engagements e
    where e.id = p_engagement_id and e.owner_id = v_user_id;
    if not found then
      raise exception 'We can’t find this coaching.' using errcode = 'P0002', hint = 'engagement_id';
    end if;
    if cardinality(v_areas) = 0 then
      v_areas := v_for.areas;
    end if;
  else
    perform private.require_member(p_business_id);
    v_for.business_id := p_business_id;
    v_for.owner_id := v_user_id;
  end if;
  return (
    select coalesce(jsonb_agg(
      private.coach_card(b.coach_id) || jsonb_build_object(
        'room', private.coach_room(b.coach_id),
        'fit', private.fit_reasons(b.areas, b.industry, b.languages, b.hours)
      )
      order by b.place
    ), '[]')
    from (
      select * from private.best_coaches(v_for, v_areas) c
      -- Who said no to this request, or was its coach before, isn't offered again.
      where private.has_room(c.coach_id) and not private.was_coach(c.coach_id, v_for.id)
      order by c.place limit 12
    ) b
  );
end
$$;
comment on function public.list_coaches(uuid, uuid, text[]) is
  'Coaches with room for an owner''s request or for a business of theirs, at most 12, best fit first: [{user_id, full_name, avatar_path, about, areas, industries, languages, time_zone, room (null: no limit), fit (see private.fit_reasons)}].';
grant execute on function public.list_coaches(uuid, uuid, text[]) to authenticated;

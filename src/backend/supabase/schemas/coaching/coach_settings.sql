-- What coaches say about themselves: their profile, how many clients they take, and when they're away.

create function private.coaching_industries() returns text[]
language sql stable security definer set search_path = '' as $$
  -- Those that businesses chose, most common first.
  select coalesce(array_agg(i.industry order by i.n desc, i.industry), '{}')
  from (
    select b.industry, count(*) as n from public.businesses b
    where b.industry is not null and b.archived_at is null
    group by b.industry order by 2 desc, 1 limit 40
  ) i
$$;

create function public.get_my_coaching() returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_coach();
begin
  return (
    select private.coach_profile_json(v_user_id) || jsonb_build_object(
      'time_off', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', o.id, 'starts_on', o.starts_on, 'ends_on', o.ends_on, 'note', o.note
        ) order by o.starts_on, o.id), '[]')
        from public.coach_time_off o
        where o.user_id = v_user_id and o.ends_on >= private.coaching_day()
      ),
      'languages', p.languages, 'time_zone', p.time_zone,
      'choices', jsonb_build_object(
        'areas', (
          select coalesce(jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position), '[]')
          from public.skill_areas a
        ),
        'industries', private.coaching_industries()
      )
    )
    from public.profiles p where p.user_id = v_user_id
  );
end
$$;
comment on function public.get_my_coaching() is
  'A coach''s own settings: {about, areas, industries, capacity, accepting, paused_until, time_off (now and later), clients (how many), languages, time_zone, choices: {areas, industries}}.';

create function public.save_my_coaching(
  p_about text, p_areas text[], p_industries text[], p_capacity int, p_accepting boolean,
  p_paused_until date default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.put_coach_profile(
    private.require_coach(), p_about, p_areas, p_industries, p_capacity, p_accepting, p_paused_until
  );
  return public.get_my_coaching();
end
$$;
comment on function public.save_my_coaching(text, text[], text[], int, boolean, date) is
  'A coach says what they''re good at, how many clients they take (null: no limit) and until when they take no new ones; the same as get_my_coaching.';

create function public.add_time_off(
  p_id uuid, p_starts_on date, p_ends_on date, p_note text default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_coach();
begin
  if p_id is null then
    raise exception 'Time off needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if p_starts_on is null then
    raise exception 'Choose the first day.' using errcode = '22023', hint = 'starts_on';
  end if;
  if p_ends_on is null or p_ends_on < p_starts_on or p_ends_on > p_starts_on + 366
    or p_ends_on < private.coaching_day()
  then
    raise exception 'Choose a last day that’s still to come, within a year of the first.'
      using errcode = '22023', hint = 'ends_on';
  end if;
  insert into public.coach_time_off (id, user_id, starts_on, ends_on, note)
  values (p_id, v_user_id, p_starts_on, p_ends_on, private.clean_text(p_note, 200, 'note'))
  on conflict (id) do nothing;
  if not exists (select from public.coach_time_off o where o.id = p_id and o.user_id = v_user_id) then
    raise exception 'This time off already exists.' using errcode = '23505', hint = 'id';
  end if;
  return public.get_my_coaching();
end
$$;
comment on function public.add_time_off(uuid, date, date, text) is
  'A coach adds days when they''re away and take no new clients; the same as get_my_coaching.';

create function public.remove_time_off(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_coach();
begin
  delete from public.coach_time_off o where o.id = p_id and o.user_id = v_user_id;
  return public.get_my_coaching();
end
$$;
comment on function public.remove_time_off(uuid) is
  'A coach removes days when they''d have been away; the same as get_my_coaching.';

grant execute on function
  public.get_my_coaching(), public.save_my_coaching(text, text[], text[], int, boolean, date),
  public.add_time_off(uuid, date, date, text), public.remove_time_off(uuid)
to authenticated;

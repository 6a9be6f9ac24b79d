SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.benchmark_businesses()
  RETURNS TABLE (
    industry    text,
    stage       text,
    business_id uuid,
    attempt_id  uuid
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with latest as (
    select distinct on (t.business_id) t.business_id, t.id as attempt_id, t.user_id, t.submitted_at
    from public.attempts t
    -- A score in another version doesn't mean the same.
    join public.quiz_versions v on v.id = t.version_id and v.state = 'published'
    where t.business_id is not null and t.state = 'submitted' and t.kind = 'full'
    order by t.business_id, t.submitted_at desc, t.id
  )
  select distinct on (coalesce(l.user_id, l.business_id))
    lower(btrim(b.industry)), lower(btrim(b.stage)), l.business_id, l.attempt_id
  from latest l
  join public.businesses b on b.id = l.business_id
  where b.archived_at is null and btrim(b.industry) <> '' and btrim(b.stage) <> ''
  order by coalesce(l.user_id, l.business_id), l.submitted_at desc, l.business_id
$function$;

CREATE OR REPLACE FUNCTION private.benchmark_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'industry', nullif(btrim(b.industry), ''),
    'stage', nullif(btrim(b.stage), ''),
    'computed_at', (
      select max(m.computed_at) from public.benchmarks m
      where m.industry = lower(btrim(b.industry)) and m.stage = lower(btrim(b.stage))
    ),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'area_key', m.area_key, 'lower', m.lower, 'middle', m.middle, 'upper', m.upper
      ) order by k.position nulls first), '[]')
      from public.benchmarks m
      left join public.skill_areas k on k.key = m.area_key
      where m.industry = lower(btrim(b.industry)) and m.stage = lower(btrim(b.stage))
        -- Not next to a result in another version.
        and o.is_current
    ),
    'is_current', o.is_current
  )
  from public.businesses b
  cross join lateral (
    select coalesce((
      select v.state = 'published'
      from public.attempts t
      join public.quiz_versions v on v.id = t.version_id
      where t.id = private.full_attempt_before(
        (select auth.uid()), b.id, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
      )
    ), true) as is_current
  ) o
  where b.id = p_business_id and b.id in (select private.my_business_ids())
    and (select private.session_ok())
$function$;

CREATE OR REPLACE FUNCTION private.guard_quiz_version()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'draft' then
      raise exception 'A quiz version starts as a draft.' using errcode = '55000';
    end if;
    return new;
  end if;

  if tg_op = 'DELETE' then
    if old.state <> 'draft' then
      raise exception 'A published version of the quiz can’t be removed.' using errcode = '55000';
    end if;
    return old;
  end if;

  if old.state = 'draft' and new.state = 'draft' then
    return new;
  end if;

  if old.state = 'draft' and new.state = 'published' then
    if not exists (select from public.quiz_version_areas a where a.version_id = new.id)
      or exists (
        select from public.quiz_version_areas a
        where a.version_id = new.id
          and (
            select count(*) < 2 or count(*) filter (where q.first_look) <> 1
            from public.quiz_questions q
            where q.version_id = a.version_id and q.area_key = a.area_key
          )
      )
    then
      raise exception 'Each area needs two questions, one of them in the first look.'
        using errcode = '22023', hint = 'questions';
    end if;
    update public.quiz_versions v set state = 'retired' where v.state = 'published';
    -- They're of the version that is retired now.
    update private.jobs j set run_at = now() where j.kind = 'refresh_benchmarks';
    new.published_at := now();
    return new;
  end if;

  -- Only by the update above, so that there's always a quiz.
  if old.state = 'published' and new.state = 'retired' and pg_trigger_depth() > 1
    and to_jsonb(new) - 'state' = to_jsonb(old) - 'state'
  then
    return new;
  end if;

  raise exception 'A published version of the quiz can’t change.' using errcode = '55000';
end
$function$;

COMMENT ON FUNCTION "private"."benchmark_businesses"() IS 'The latest full result of every business with an industry and stage, in the published version of the quiz; one business per person.';

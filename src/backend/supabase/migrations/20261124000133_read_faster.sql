SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.session_ok()
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_claims text := current_setting('request.jwt.claims', true);
  v_state text;
begin
  -- Remembered until the end of the transaction, because a page asks dozens of times. A caller who
  -- could set this could set the claims themselves.
  if v_claims <> '' and v_claims = current_setting('private.checked_claims', true) then
    return true;
  end if;
  v_state := private.session_state();
  -- An error and not false: nobody should take an empty list for the truth, or a refused answer
  -- for one that is not wanted. The REST interface makes it status 401.
  if v_state = 'ended' then
    raise exception 'Your session has ended. Sign in again.' using errcode = 'PT401';
  end if;
  if v_state = 'required' then
    return false;
  end if;
  perform set_config('private.checked_claims', v_claims, true);
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.trend_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with newest as (
    select t.id, t.version_id, t.submitted_at, t.overall_score
    from public.attempts t
    where t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
      and t.state = 'submitted' and t.kind = 'full'
    order by t.submitted_at desc, t.id desc
    limit 12
  ),
  -- Materialized, because otherwise it would be worked out again for each area of each attempt.
  meanings as materialized (
    -- Two versions ask the same about an area where this is the same.
    select q.version_id, q.area_key,
      left(md5(string_agg(q.key || ':' || q.meaning, ' ' order by q.key)), 8) as meaning
    from public.quiz_questions q
    where q.version_id in (select n.version_id from newest n)
    group by q.version_id, q.area_key
  )
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', n.id, 'submitted_at', n.submitted_at, 'overall_score', n.overall_score,
    'version_number', (select v.number from public.quiz_versions v where v.id = n.version_id),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'area_key', s.area_key, 'score', s.score, 'meaning', m.meaning
      ) order by k.position), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      left join meanings m on m.version_id = n.version_id and m.area_key = s.area_key
      where s.attempt_id = n.id
    )
  ) order by n.submitted_at, n.id), '[]')
  from newest n
$function$;

CREATE OR REPLACE FUNCTION public.compare_attempts (
  p_later   uuid,
  p_earlier uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with named as (
    select t.id, t.user_id, t.business_id, t.version_id, t.submitted_at, t.overall_score
    from public.attempts t
    where t.id in (p_later, p_earlier) and t.state = 'submitted' and t.kind = 'full'
  ),
  later as (
    select n.* from named n order by n.submitted_at desc, n.id desc limit 1
  ),
  earlier as (
    select t.id, t.version_id, t.submitted_at, t.overall_score
    from later l
    join public.attempts t
      on t.user_id = l.user_id and t.business_id is not distinct from l.business_id
    where t.state = 'submitted' and t.kind = 'full' and t.id <> l.id
      and (t.submitted_at, t.id) < (l.submitted_at, l.id)
      and (p_earlier is null or t.id in (p_earlier, p_later))
    order by t.submitted_at desc, t.id desc
    limit 1
  ),
  questions as (
    select q.area_key, q.key, q.position, q.practice, q.text, q.weight,
      o.key is not null as same,
      coalesce(o.key is not null and n.value is not null and m.value is not null, false) as counts,
      m.value as earlier_value, m.applies as earlier_applies, o.anchors[m.value + 1] as earlier_words,
      n.value as later_value, n.applies as later_applies, q.anchors[n.value + 1] as later_words
    from later l
    cross join earlier e
    join public.quiz_questions q on q.version_id = l.version_id
    left join public.quiz_questions o
      on o.version_id = e.version_id and o.key = q.key and o.meaning = q.meaning
        and o.area_key = q.area_key
    left join public.answers n on n.attempt_id = l.id and n.question_key = q.key
    left join public.answers m on m.attempt_id = e.id and m.question_key = o.key
  ),
  summed as (
    select q.area_key, count(*) as asked, count(*) filter (where q.same) as same,
      count(*) filter (where q.counts) as compared,
      sum(q.later_value - q.earlier_value) filter (where q.counts) as steps,
      -- The weights of the later version for both: only answers make a difference.
      100 * sum(q.weight * q.earlier_value) filter (where q.counts)
        / (4 * sum(q.weight) filter (where q.counts)) as earlier,
      100 * sum(q.weight * q.later_value) filter (where q.counts)
        / (4 * sum(q.weight) filter (where q.counts)) as later
    from questions q
    group by q.area_key
  ),
  -- The areas that had a score both times.
  scored as (
    select x.area_key
    from later l
    cross join earlier e
    join public.area_scores x on x.attempt_id in (l.id, e.id)
    where x.score is not null
    group by x.area_key
    having count(*) = 2
  ),
  judged as (
    select s.area_key, s.asked, s.same, s.compared,
      case when c.possible then s.steps end as steps,
      case when c.possible then s.earlier end as earlier,
      case when c.possible then s.later end as later,
      case
        when not c.possible then 'not-compared'
        when s.steps >= 2 and s.later > s.earlier then 'improved'
        when s.steps <= -2 and s.later < s.earlier then 'lower'
        else 'steady'
      end as verdict
    from summed s
    left join scored d on d.area_key = s.area_key
    -- Two questions at least.
    cross join lateral (select s.compared >= 2 and d.area_key is not null as possible) c
  )
  select jsonb_build_object(
    'earlier', jsonb_build_object(
      'id', e.id, 'submitted_at', e.submitted_at, 'overall_score', e.overall_score,
      'version_number', (select v.number from public.quiz_versions v where v.id = e.version_id)
    ),
    'later', jsonb_build_object(
      'id', l.id, 'submitted_at', l.submitted_at, 'overall_score', l.overall_score,
      'version_number', (select v.number from public.quiz_versions v where v.id = l.version_id)
    ),
    'areas', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'area_key', j.area_key, 'name', k.name, 'short_name', k.short_name, 'asked', j.asked,
          'same', j.same, 'compared', j.compared, 'steps', j.steps,
          'earlier', j.earlier::double precision, 'later', j.later::double precision,
          'verdict', j.verdict,
          'changed', (
            select coalesce(jsonb_agg(
              jsonb_build_object(
                'question_key', q.key, 'practice', q.practice, 'text', q.text,
                'counts', q.counts,
                'earlier', jsonb_build_object(
                  'value', q.earlier_value, 'applies', q.earlier_applies, 'words', q.earlier_words
                ),
                'later', jsonb_build_object(
                  'value', q.later_value, 'applies', q.later_applies, 'words', q.later_words
                )
              ) order by q.position
            ), '[]')
            from questions q
            where q.area_key = j.area_key and q.same
              and (q.earlier_value, q.earlier_applies)
                is distinct from (q.later_value, q.later_applies)
          )
        ) order by k.position
      ), '[]')
      from judged j
      join public.skill_areas k on k.key = j.area_key
    )
  )
  from later l
  cross join earlier e
$function$;

SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.area_projects_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'id', p.id, 'title', p.title, 'area_key', p.area_key, 'due_on', p.due_on,
    'task_count', p.task_count, 'done_count', p.done_count
  ) order by coalesce(p.due_on, 'infinity'::date), p.id), '[]')
  from (
    select x.*
    from public.projects x
    where x.business_id = p_business_id and x.area_key is not null
      and x.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
    order by coalesce(x.due_on, 'infinity'::date), x.id
    limit 12
  ) p
$function$;

CREATE OR REPLACE FUNCTION public.get_result (
  p_attempt_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select public.get_attempt(t.id) || jsonb_build_object(
    'comparison', case when t.state = 'submitted' then public.compare_attempts(t.id) end,
    'focus', private.focus_json(t.user_id, t.business_id),
    'projects', private.area_projects_json(t.business_id),
    'others', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', o.id, 'kind', o.kind, 'submitted_at', o.submitted_at,
        'overall_score', o.overall_score
      ) order by o.submitted_at desc, o.id), '[]')
      from (
        select x.id, x.kind, x.submitted_at, x.overall_score
        from public.attempts x
        where x.user_id = t.user_id and x.business_id is not distinct from t.business_id
          and x.state = 'submitted' and x.id <> t.id
        order by x.submitted_at desc, x.id
        limit 12
      ) o
    )
  )
  from public.attempts t
  where t.id = p_attempt_id
$function$;

CREATE OR REPLACE FUNCTION public.get_skills (
  p_business_id uuid,
  p_earlier     uuid DEFAULT NULL::uuid,
  p_later       uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with pair as (
    select p_earlier as earlier, coalesce(p_later, (select private.full_attempt_before(
      (select auth.uid()), p_business_id, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    ))) as later
  )
  select jsonb_build_object(
    'open_attempt', private.open_attempt_json(p_business_id),
    'attempts', public.list_attempts(p_business_id),
    'latest', private.standing_json(p_business_id),
    'trend', private.trend_json(p_business_id),
    'comparison', (
      select public.compare_attempts(t.id, p.earlier)
      from pair p
      join public.attempts t
        on t.id = p.later and t.user_id = (select auth.uid())
          and t.business_id is not distinct from p_business_id
    ),
    'benchmark', private.benchmark_json(p_business_id),
    'focus', private.focus_json((select auth.uid()), p_business_id),
    'projects', private.area_projects_json(p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'reminders', coalesce(
      (select s.reminders from public.notification_settings s where s.user_id = (select auth.uid())),
      true
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.project_start (
  p_business_id  uuid,
  p_area_key     text DEFAULT NULL::text,
  p_question_key text DEFAULT NULL::text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  perform private.require_member(p_business_id);
  return private.project_choices(p_business_id) || jsonb_build_object(
    'from', (
      select jsonb_build_object(
        'area_key', q.area_key, 'practice', q.practice, 'action', q.action,
        -- Level 3: regularly and in writing.
        'goal', q.anchors[4],
        'score', (
          select jsonb_build_object('score', s.score, 'on', t.submitted_at)
          from public.attempts t
          join public.area_scores s on s.attempt_id = t.id and s.area_key = q.area_key
          where t.user_id = v_user_id and t.business_id = p_business_id
            and t.state = 'submitted' and s.score is not null
          order by t.submitted_at desc limit 1
        )
      )
      from public.quiz_questions q
      join public.quiz_versions v on v.id = q.version_id
      where q.key = p_question_key and (p_area_key is null or q.area_key = p_area_key)
        and v.state <> 'draft'
      order by v.number desc limit 1
    )
  );
end
$function$;

COMMENT ON FUNCTION "private"."area_projects_json"(uuid) IS 'A business''s open projects that work on a skill, at most twelve, the next due first: as far as the caller can read them.';

COMMENT ON FUNCTION "public"."get_result"(uuid) IS 'An attempt as in get_attempt, with the comparison to the previous full one, the focus areas and open projects of its business and its person''s other results, as far as the caller can read them.';

COMMENT ON FUNCTION "public"."get_skills"(uuid, uuid, uuid) IS 'Everything the skills page shows for the caller''s business (null: none yet): the open quiz, attempts, the latest result, the trend, two attempts compared (the newest two by default), the benchmark, focus areas, open projects in an area, coaching, and whether the caller wants reminders at all.';

COMMENT ON FUNCTION "public"."project_start"(uuid, text, text) IS 'The data for a member''s new-project page: {areas, engagements, from}; from is the 30-day action it starts from, with what the practice looks like at level 3 and its area''s latest score, or null.';

REVOKE ALL ON FUNCTION "private"."area_projects_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."area_projects_json"(uuid) TO "authenticated";

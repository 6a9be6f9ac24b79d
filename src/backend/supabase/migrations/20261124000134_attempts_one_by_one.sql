SET local check_function_bodies = off;

DROP POLICY "Answers are read with their attempt" ON "public"."answers";

DROP POLICY "Scores are read with their attempt" ON "public"."area_scores";

DROP POLICY "Confidence is read with its attempt" ON "public"."attempt_confidences";

DROP POLICY "Recommendations are read with their attempt" ON "public"."recommendations";

CREATE OR REPLACE FUNCTION private.standing_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Of the caller's own attempts only: the policies of what hangs on them would list all of these.
  select jsonb_build_object(
    'attempt', jsonb_build_object(
      'id', t.id, 'kind', t.kind, 'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days', 'overall_score', t.overall_score
    ),
    'areas', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'key', s.area_key, 'label', k.name, 'short_label', k.short_name,
        'score', s.score, 'level', s.level,
        'recommended', r.position,
        'practice', case when q.key is not null then jsonb_build_object(
          'question_key', q.key, 'name', q.practice, 'action', q.action
        ) end,
        'tool', (
          select jsonb_build_object(
            'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes
          )
          from public.toolbox_items i where i.slug = r.toolbox_slug and i.state = 'published'
        )
      ) order by k.position), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      left join public.recommendations r
        on r.attempt_id = s.attempt_id and r.area_key = s.area_key
      left join public.quiz_questions q
        on q.version_id = t.version_id and q.key = s.weakest_question_key
      where s.attempt_id = t.id
    )
  )
  -- One of each kind by the index, so the time doesn't grow with the attempts.
  from (values ('full'), ('first_look')) k (kind)
  cross join lateral (
    select a.id, a.kind, a.version_id, a.submitted_at, a.overall_score
    from public.attempts a
    where a.user_id = (select auth.uid()) and a.business_id is not distinct from p_business_id
      and a.state = 'submitted' and a.kind = k.kind
    order by a.submitted_at desc, a.id
    limit 1
  ) t
  where (select private.session_ok())
  order by t.kind = 'full' desc
  limit 1
$function$;

CREATE INDEX attempts_submitted_idx ON public.attempts USING btree (user_id, kind, submitted_at DESC, id)
  WHERE (state = 'submitted'::text);

CREATE POLICY "Answers are read with their attempt" ON "public"."answers"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (EXISTS ( SELECT
   FROM public.attempts a
  WHERE (a.id = answers.attempt_id)))));

CREATE POLICY "Scores are read with their attempt" ON "public"."area_scores"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (EXISTS ( SELECT
   FROM public.attempts a
  WHERE (a.id = area_scores.attempt_id)))));

CREATE POLICY "Confidence is read with its attempt" ON "public"."attempt_confidences"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (EXISTS ( SELECT
   FROM public.attempts a
  WHERE (a.id = attempt_confidences.attempt_id)))));

CREATE POLICY "Recommendations are read with their attempt" ON "public"."recommendations"
  FOR SELECT
  TO "authenticated"
  USING ((( SELECT private.session_ok() AS session_ok) AND (EXISTS ( SELECT
   FROM public.attempts a
  WHERE (a.id = recommendations.attempt_id)))));

SET local check_function_bodies = off;

DROP INDEX "public"."recommendations_toolbox_slug_idx";

ALTER TABLE "public"."recommendations"
  DROP CONSTRAINT "recommendations_toolbox_slug_fkey";

DROP FUNCTION "private"."candidates"(uuid);

DROP FUNCTION "private"."tool_for"(text, text);

ALTER TABLE "public"."recommendations"
  DROP COLUMN "toolbox_slug";

ALTER TABLE "public"."toolbox_items"
  ADD COLUMN "practice" text;

CREATE OR REPLACE FUNCTION private.candidates (
  p_attempt_id uuid
)
  RETURNS TABLE (
    area_key            text,
    priority            double precision,
    reason_question_key text,
    rank                bigint
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with weighed as (
    select s.area_key, s.weakest_question_key, k.position,
      (100 - s.score) * a.importance
        * case when s.confidence_note = 'check-the-evidence' then 1.25 else 1 end as priority
    from public.area_scores s
    join public.attempts t on t.id = s.attempt_id
    join public.quiz_version_areas a on a.version_id = t.version_id and a.area_key = s.area_key
    join public.skill_areas k on k.key = s.area_key
    where s.attempt_id = p_attempt_id and s.score is not null
  )
  select w.area_key, w.priority, w.weakest_question_key,
    -- Nine decimals: equal priorities stay equal whatever floating point makes of thirds.
    row_number() over (order by round(w.priority::numeric, 9) desc, w.position)
  from weighed w
$function$;

CREATE OR REPLACE FUNCTION private.guard_result()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_state text;
begin
  if tg_op = 'DELETE' then
    raise exception 'Results are never removed.' using errcode = '55000';
  end if;
  select a.state into v_state from public.attempts a where a.id = new.attempt_id;
  if tg_op = 'INSERT' and v_state = 'in_progress' then
    return new;
  end if;
  if tg_op = 'UPDATE' and tg_table_name = 'recommendations' then
    if v_state = 'submitted' and new.attempt_id = old.attempt_id
      and to_jsonb(new) -> 'position' = to_jsonb(old) -> 'position'
      and to_jsonb(new) ->> 'chosen_by' = 'owner'
    then
      return new;
    end if;
  end if;
  raise exception 'Results are computed once.' using errcode = '55000';
end
$function$;

CREATE OR REPLACE FUNCTION private.recommended_tools (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with latest as (
    select a.id, a.version_id, a.submitted_at
    from public.attempts a
    where (select private.session_ok()) and a.user_id = auth.uid() and a.state = 'submitted'
    order by (a.business_id is not distinct from p_business_id) desc, a.submitted_at desc
    limit 1
  )
  select jsonb_agg(
    jsonb_build_object(
      'area_key', r.area_key, 'score', s.score, 'submitted_at', l.submitted_at,
      'slug', t.slug, 'title', t.title, 'summary', t.summary, 'type', t.type,
      'levels', t.levels, 'minutes', t.minutes, 'format', t.format,
      'saved_at', t.saved_at, 'done_at', null
    ) order by r.position
  )
  from latest l
  join public.recommendations r on r.attempt_id = l.id
  join public.area_scores s on s.attempt_id = r.attempt_id and s.area_key = r.area_key
  cross join lateral private.tool_for(r.area_key, r.reason_question_key, s.level) c (slug)
  -- What the results page names, and when that is done the tool for the next weakest practice.
  join lateral (
    select i.*, m.saved_at
    from public.toolbox_items i
    left join public.toolbox_marks m on m.item_id = i.id and m.user_id = auth.uid()
    left join public.answers n on n.attempt_id = l.id and n.question_key = i.practice
    left join public.quiz_questions q on q.version_id = l.version_id and q.key = n.question_key
    where i.area_key = r.area_key and i.state = 'published' and m.done_at is null
      and n.applies is distinct from false
    order by (i.slug = c.slug) desc nulls last, n.value, q.weight desc nulls last, q.position,
      (s.level = any (i.levels)) desc, i.minutes, i.slug
    limit 1
  ) t on true
$function$;

CREATE OR REPLACE FUNCTION private.score_attempt (
  p_attempt_id uuid
)
  RETURNS double precision
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_overall double precision;
begin
  with attempt as (
    select t.id, t.version_id, t.kind from public.attempts t where t.id = p_attempt_id
  ),
  asked as (
    select q.area_key, q.key, q.weight, q.position, n.value, n.applies
    from attempt t
    join public.quiz_questions q
      on q.version_id = t.version_id and (t.kind = 'full' or q.first_look)
    left join public.answers n on n.attempt_id = t.id and n.question_key = q.key
  ),
  counted as (
    select a.area_key, t.kind,
      count(q.key) as asked,
      count(q.key) filter (where q.applies is distinct from false) as applicable,
      count(q.value) as answered,
      100 * sum(q.weight * q.value) / (4 * sum(q.weight) filter (where q.value is not null))
        as ratio,
      (array_agg(q.key order by q.value, q.weight desc, q.position)
        filter (where q.value is not null))[1] as weakest
    from attempt t
    join public.quiz_version_areas a on a.version_id = t.version_id
    left join asked q on q.area_key = a.area_key
    group by a.area_key, t.kind
  ),
  scored as (
    select c.*,
      case
        when c.applicable >= (case when c.kind = 'first_look' then 1 else 2 end)
          and 4 * c.answered >= 3 * c.applicable
        then c.ratio
      end as score
    from counted c
  )
  insert into public.area_scores (
    attempt_id, area_key, score, level, asked, applicable, answered, confidence_note,
    weakest_question_key
  )
  select p_attempt_id, s.area_key, s.score, private.level_of(s.score), s.asked, s.applicable,
    s.answered, private.confidence_note(s.score, r.rating), s.weakest
  from scored s
  left join public.attempt_confidences r
    on r.attempt_id = p_attempt_id and r.area_key = s.area_key;

  insert into public.recommendations (
    attempt_id, position, area_key, priority, reason_question_key
  )
  select p_attempt_id, c.rank, c.area_key, c.priority, c.reason_question_key
  from private.candidates(p_attempt_id) c
  where c.rank <= 3;

  -- The mean of the scored areas, of which there must be six.
  select case when count(s.score) >= 6 then avg(s.score) end into v_overall
  from public.area_scores s where s.attempt_id = p_attempt_id;
  return v_overall;
end
$function$;

CREATE OR REPLACE FUNCTION private.standing_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
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
          from public.toolbox_items i
          where s.score is not null
            and i.slug = private.tool_for(s.area_key, s.weakest_question_key, s.level)
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

CREATE OR REPLACE FUNCTION private.tool_for (
  p_area_key text,
  p_practice text,
  p_level    text
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Two lookups: the first one is answered by the index on the practice.
  select coalesce(
    (
      select t.slug from public.toolbox_items t
      where t.practice = p_practice and t.state = 'published'
      order by (p_level = any (t.levels)) desc, t.minutes, t.slug collate "C"
      limit 1
    ),
    (
      select t.slug from public.toolbox_items t
      where t.area_key = p_area_key and t.state = 'published'
      order by (p_level = any (t.levels)) desc, t.minutes, t.slug collate "C"
      limit 1
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.get_attempt (
  p_attempt_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select jsonb_build_object(
    'attempt', jsonb_build_object(
      'id', t.id,
      'kind', t.kind,
      'state', t.state,
      'version_id', t.version_id,
      'business_id', t.business_id,
      'business_name', (select b.name from public.businesses b where b.id = t.business_id),
      'owner_name', (select p.full_name from public.profiles p where p.user_id = t.user_id),
      'mine', coalesce(t.user_id = (select auth.uid()), false),
      'started_at', t.started_at,
      'expires_at', t.expires_at,
      'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days',
      'voided_at', t.voided_at,
      'void_reason', t.void_reason,
      'overall_score', t.overall_score
    ),
    'version', private.quiz_version_json(t.version_id),
    'answers', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'question_key', n.question_key, 'value', n.value, 'applies', n.applies,
          'answered_at', n.answered_at
        ) order by q.position
      ), '[]')
      from public.answers n
      join public.quiz_questions q on q.version_id = n.version_id and q.key = n.question_key
      where n.attempt_id = t.id
    ),
    'confidences', (
      select coalesce(jsonb_agg(
        jsonb_build_object('area_key', r.area_key, 'rating', r.rating) order by k.position
      ), '[]')
      from public.attempt_confidences r
      join public.skill_areas k on k.key = r.area_key
      where r.attempt_id = t.id
    ),
    'scores', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'area_key', s.area_key, 'score', s.score, 'level', s.level, 'answered', s.answered,
          'applicable', s.applicable, 'asked', s.asked, 'confidence_note', s.confidence_note,
          'weakest_question_key', s.weakest_question_key
        ) order by k.position
      ), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      where s.attempt_id = t.id
    ),
    'recommendations', (
      select coalesce(jsonb_agg(
        jsonb_build_object(
          'position', c.position, 'area_key', c.area_key, 'priority', c.priority,
          'reason_question_key', c.reason_question_key, 'chosen_by', c.chosen_by,
          'toolbox_item', (
            select jsonb_build_object(
              'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes,
              'summary', i.summary
            )
            from public.toolbox_items i
            where i.slug = private.tool_for(c.area_key, c.reason_question_key, s.level)
          )
        ) order by c.position
      ), '[]')
      from public.recommendations c
      join public.area_scores s on s.attempt_id = c.attempt_id and s.area_key = c.area_key
      where c.attempt_id = t.id
    )
  )
  from public.attempts t
  where t.id = p_attempt_id
$function$;

CREATE OR REPLACE FUNCTION public.swap_recommendation (
  p_attempt_id uuid,
  p_position   integer,
  p_area_key   text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
  v_state text;
  v_area record;
begin
  select t.state into v_state from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id
  for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if v_state <> 'submitted' then
    raise exception 'Only results can be changed this way.' using errcode = '55000';
  end if;

  select c.* into v_area from private.candidates(p_attempt_id) c where c.area_key = p_area_key;
  if not found then
    raise exception 'Choose an area that has a score.' using errcode = '22023', hint = 'area_key';
  end if;
  if exists (
    select from public.recommendations r
    where r.attempt_id = p_attempt_id and r.area_key = p_area_key and r.position <> p_position
  ) then
    raise exception 'This area is already one of the three.'
      using errcode = '23505', hint = 'area_key';
  end if;

  update public.recommendations r
  set area_key = v_area.area_key, priority = v_area.priority,
    reason_question_key = v_area.reason_question_key, chosen_by = 'owner'
  where r.attempt_id = p_attempt_id and r.position = p_position and r.area_key <> p_area_key;
  if not found and not exists (
    select from public.recommendations r
    where r.attempt_id = p_attempt_id and r.position = p_position
  ) then
    raise exception 'There’s no recommendation in this place.'
      using errcode = '22023', hint = 'position';
  end if;
  return public.get_attempt(p_attempt_id);
end
$function$;

ALTER TABLE "public"."toolbox_items"
  ADD CONSTRAINT "toolbox_items_check" CHECK (((practice ~ '^[a-z-]+\.[a-z-]+$'::text) AND starts_with(practice, (area_key || '.'::text))));

CREATE INDEX toolbox_items_practice_idx ON public.toolbox_items USING btree (practice)
  WHERE (state = 'published'::text);

COMMENT ON COLUMN "public"."toolbox_items"."practice" IS 'The key of the quiz question about the practice that the item does; null for none in particular.';

COMMENT ON FUNCTION "private"."candidates"(uuid) IS 'Scored areas of an attempt in order of recommendation: priority = (100 − score) · importance · (1.25 if overconfident), ties in the order of the areas.';

COMMENT ON FUNCTION "private"."recommended_tools"(uuid) IS 'The next item for each area in the caller''s latest results: for its weakest practice, or for the next one that applies once that''s done. Null without results.';

COMMENT ON FUNCTION "private"."standing_json"(uuid) IS 'The caller''s latest result for a business (a full quiz before a first look): each area with its score, its weakest practice with a tool for it and, if recommended, its place.';

COMMENT ON FUNCTION "private"."tool_for"(text, text, text) IS 'The slug of the published item for the practice, otherwise of one in the area, otherwise null; of several the one for the level, then the shortest. The preview in the browser decides the same way (domain/tool.ts).';

COMMENT ON TABLE "public"."recommendations" IS 'The three areas to work on, from finish_attempt; the owner can swap any with swap_recommendation. Their tools are those that private.tool_for names today.';

REVOKE ALL ON FUNCTION "private"."candidates"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tool_for"(text, text, text) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."tool_for"(text, text, text) TO "authenticated";

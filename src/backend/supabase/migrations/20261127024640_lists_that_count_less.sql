SET local check_function_bodies = off;

DROP INDEX "public"."attempts_counted_idx";

DROP INDEX "public"."attempts_submitted_idx";

DROP INDEX "public"."attempts_version_id_idx";

DROP INDEX "public"."engagements_open_idx";

CREATE TABLE "private"."quiz_version_counts" (
  "version_id" uuid    NOT NULL,
  "started"    integer NOT NULL,
  "finished"   integer NOT NULL,
  CONSTRAINT "quiz_version_counts_pkey" PRIMARY KEY (version_id)
);

ALTER TABLE "private"."quiz_version_counts"
  ENABLE ROW LEVEL SECURITY;

CREATE OR REPLACE FUNCTION private.coaching_funnel()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_agg(jsonb_build_object(
    'state', s.state, 'count', n.count, 'late', n.late,
    'median_hours', round(((date_part('epoch', now()) - n.half_since) / 3600)::numeric, 1)
  ) order by s.place)
  from unnest(array['requested', 'assigned', 'accepted', 'active', 'paused'])
    with ordinality as s (state, place)
  -- One state at a time, because grouping would sort all of them by the words of their state.
  cross join lateral (
    select count(*) as count,
      -- As private.is_late, which would be called for each of them.
      count(*) filter (where e.due_at < now() and e.due_what <> 'session') as late,
      -- date_part, because extract makes a numeric of each of them.
      percentile_cont(0.5) within group (order by date_part('epoch', e.state_since)) as half_since
    from public.engagements e where e.closed_at is null and e.state = s.state
  ) n
$function$;

CREATE OR REPLACE FUNCTION private.count_attempt()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if tg_op = 'INSERT' then
    insert into private.quiz_version_counts as c (version_id, started, finished)
    values (new.version_id, 1, (new.state = 'submitted')::int)
    on conflict (version_id) do update
      set started = c.started + 1, finished = c.finished + excluded.finished;
  else
    update private.quiz_version_counts c
    set finished = c.finished + (new.state = 'submitted')::int - (old.state = 'submitted')::int
    where c.version_id = new.version_id;
  end if;
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.full_attempt_before (
  p_user_id      uuid,
  p_business_id  uuid,
  p_submitted_at timestamp with time zone,
  p_id           uuid
)
  RETURNS uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select t.id
  from public.attempts t
  where t.user_id = p_user_id
    and coalesce(t.business_id, t.user_id) = coalesce(p_business_id, p_user_id)
    and t.state = 'submitted' and t.kind = 'full'
    and (t.submitted_at, t.id) < (p_submitted_at, p_id)
  order by t.submitted_at desc, t.id desc
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.standing_json (
  p_business_id uuid,
  p_with_tools  boolean
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
  -- Of the caller's own attempts only: the policies of what hangs on them would list all of these.
  select json_build_object(
    'attempt', json_build_object(
      'id', t.id, 'kind', t.kind, 'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days', 'overall_score', t.overall_score
    ),
    'areas', (
      select coalesce(json_agg(json_build_object(
        'key', s.area_key, 'label', k.name, 'short_label', k.short_name,
        'score', s.score, 'level', s.level, 'left_out', s.applicable = 0,
        'recommended', r.position,
        'practice', case when q.key is not null then json_build_object(
          'question_key', q.key, 'name', q.practice, 'action', q.action
        ) end,
        'tool', (
          select json_build_object(
            'slug', i.slug, 'title', i.title, 'type', i.type, 'minutes', i.minutes
          )
          from public.toolbox_items i
          where p_with_tools and s.score is not null
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
    where a.user_id = (select auth.uid())
      and coalesce(a.business_id, a.user_id) = coalesce(p_business_id, (select auth.uid()))
      and a.state = 'submitted' and a.kind = k.kind
    order by a.submitted_at desc, a.id desc
    limit 1
  ) t
  where (select private.session_ok())
  order by t.kind = 'full' desc
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.trend_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Of the caller's own attempts only, as in list_attempts.
  with newest as (
    select t.id, t.version_id, t.submitted_at, t.overall_score
    from public.attempts t
    where (select private.session_ok())
      and t.user_id = (select auth.uid())
      and coalesce(t.business_id, t.user_id) = coalesce(p_business_id, (select auth.uid()))
      and t.state = 'submitted' and t.kind = 'full'
    order by t.submitted_at desc, t.id desc
    limit 12
  ),
  -- Materialized, because otherwise it could be worked out again for each area of each attempt.
  meanings as materialized (
    -- Two versions ask the same about an area where this is the same.
    select q.version_id, q.area_key,
      left(md5(string_agg(q.key || ':' || q.meaning, ' ' order by q.key)), 8) as meaning
    from public.quiz_questions q
    where q.version_id in (select n.version_id from newest n)
    group by q.version_id, q.area_key
  ),
  -- All areas of all attempts in one pass.
  scores as (
    select n.id, json_agg(json_build_object(
      'area_key', s.area_key, 'score', s.score, 'meaning', m.meaning
    ) order by k.position) as areas
    from newest n
    join public.area_scores s on s.attempt_id = n.id
    join public.skill_areas k on k.key = s.area_key
    left join meanings m on m.version_id = n.version_id and m.area_key = s.area_key
    group by n.id
  )
  select coalesce(json_agg(json_build_object(
    'id', n.id, 'submitted_at', n.submitted_at, 'overall_score', n.overall_score,
    'version_number', (select v.number from public.quiz_versions v where v.id = n.version_id),
    'areas', coalesce(s.areas, '[]')
  ) order by n.submitted_at, n.id), '[]')
  from newest n
  left join scores s on s.id = n.id
$function$;

CREATE OR REPLACE FUNCTION public.admin_coaching_board()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('coaching_board.read', 'engagement', null);
  return jsonb_build_object(
    'funnel', private.coaching_funnel(),
    'coaches', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'user_id', s.user_id, 'name', s.name, 'capacity', c.capacity,
        'accepting', coalesce(c.accepting, true),
        'paused_until', case when c.paused_until >= private.coaching_day() then c.paused_until end,
        'away_until', private.away_until(s.user_id),
        'leaving', private.is_leaving(s.user_id),
        'clients', coalesce(n.clients, 0), 'waiting', coalesce(n.waiting, 0)
      ) order by s.name collate private.by_name, s.user_id), '[]')
      from (
        select r.user_id, private.name_of(r.user_id) as name
        from public.staff_roles r where r.role = 'coach' order by 2, 1 limit 200
      ) s
      left join public.coach_profiles c on c.user_id = s.user_id
      left join (
        select e.coach_id, count(*) as clients,
          count(*) filter (where e.state = 'assigned') as waiting
        from public.engagements e where e.closed_at is null and e.coach_id is not null
        group by e.coach_id
      ) n on n.coach_id = s.user_id
    ),
    'attention', jsonb_build_object(
      'away', (select count(*) from private.without_coach_today()),
      'change', (
        select count(*) from public.engagements e
        where e.closed_at is null and e.change_requested_at is not null
      )
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_quiz_versions()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  -- Our own text and counts: nothing about a person, so it isn't in the audit log.
  return (
    select coalesce(jsonb_agg(
      jsonb_build_object(
        'id', v.id, 'number', v.number, 'state', v.state, 'title', v.title,
        'created_at', v.created_at, 'published_at', v.published_at, 'discarded_at', v.discarded_at,
        'from_number', (select f.number from public.quiz_versions f where f.id = v.created_from),
        'questions', (
          select count(*) from public.quiz_questions q where q.version_id = v.id
        ),
        'started', coalesce(c.started, 0), 'finished', coalesce(c.finished, 0),
        'published_because', p.reason, 'published_by_name', private.name_of(p.actor_id)
      ) order by v.state <> 'draft', v.discarded_at nulls first, v.number desc
    ), '[]')
    from public.quiz_versions v
    left join private.quiz_version_counts c on c.version_id = v.id
    left join lateral (
      select l.reason, l.actor_id from public.audit_log l
      where l.entity = 'quiz_version' and l.entity_id = v.id::text and l.action = 'quiz_version.publish'
      order by l.at desc limit 1
    ) p on true
  );
end
$function$;

ALTER TABLE "private"."quiz_version_counts"
  ADD CONSTRAINT "quiz_version_counts_version_id_fkey" FOREIGN KEY (version_id) REFERENCES public.quiz_versions(id) ON DELETE CASCADE;

CREATE INDEX attempts_results_idx ON public.attempts USING btree (user_id, COALESCE(business_id, user_id), kind, submitted_at DESC, id DESC)
  WHERE (state = 'submitted'::text);

CREATE INDEX engagements_open_idx ON public.engagements USING btree (state, coach_id, business_id) INCLUDE (state_since, due_at, due_what)
  WHERE (closed_at IS NULL);

CREATE INDEX programs_closed_idx ON public.programs USING btree (created_at, id)
  WHERE (state = 'closed'::text);

CREATE CONSTRAINT TRIGGER count_finished_attempt
  AFTER UPDATE OF state ON public.attempts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN (((new.kind = 'full'::text) AND ((new.state = 'submitted'::text) <> (old.state = 'submitted'::text))))
  EXECUTE FUNCTION private.count_attempt();

CREATE CONSTRAINT TRIGGER count_started_attempt
  AFTER INSERT ON public.attempts DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW
  WHEN ((new.kind = 'full'::text))
  EXECUTE FUNCTION private.count_attempt();

COMMENT ON TABLE "private"."quiz_version_counts" IS 'How many full quizzes were started on each version, and how many of them are finished and weren''t set aside. Triggers keep it current. A version without a row has none.';

REVOKE ALL ON FUNCTION "private"."count_attempt"() FROM PUBLIC;


-- Those that are there already.
insert into private.quiz_version_counts (version_id, started, finished)
select t.version_id, count(*), count(*) filter (where t.state = 'submitted')
from public.attempts t where t.kind = 'full' group by t.version_id;

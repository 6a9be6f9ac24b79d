SET local check_function_bodies = off;

REVOKE ALL ON FUNCTION "private"."benchmark_json"(uuid) FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."full_attempt_before"(uuid, uuid, timestamp WITH time zone, uuid) FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."invitations_to_me"() FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."my_event_places"() FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."own_forecast_json"(uuid) FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."tool_for"(text, text, text) FROM "authenticated";

REVOKE ALL ON FUNCTION "private"."unread_json"(uuid) FROM "authenticated";

DROP FUNCTION "private"."agreed_actions_json"(uuid);

DROP FUNCTION "private"."area_projects_json"(uuid);

DROP FUNCTION "private"."call_procedure"(text, jsonb);

DROP FUNCTION "private"."coaching_json"(uuid);

DROP FUNCTION "private"."next_projects_json"(uuid);

DROP FUNCTION "private"."next_session_json"(uuid);

DROP FUNCTION "private"."open_attempt_json"(uuid);

DROP FUNCTION "private"."quiz_version_json"(uuid);

DROP FUNCTION "private"."request_answer"(uuid, text);

DROP FUNCTION "private"."standing_json"(uuid);

DROP FUNCTION "private"."trend_json"(uuid);

DROP FUNCTION "public"."compare_attempts"(uuid, uuid);

DROP FUNCTION "public"."get_attempt"(uuid);

DROP FUNCTION "public"."get_dashboard"(uuid);

DROP FUNCTION "public"."get_quiz"();

DROP FUNCTION "public"."get_result"(uuid);

DROP FUNCTION "public"."get_skills"(uuid, uuid, uuid);

DROP FUNCTION "public"."list_news"(uuid);

DROP FUNCTION "public"."open_page"(jsonb, uuid);

DROP FUNCTION "public"."session_context"();

CREATE OR REPLACE FUNCTION private.agreed_actions_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(json_agg(to_json(n) order by n.due_on, n.id), '[]')
  from (
    select a.id, a.body, a.due_on
    from public.engagements e
    join public.coaching_actions a on a.engagement_id = e.id
    where (select private.session_ok())
      and e.owner_id = (select auth.uid()) and e.business_id = p_business_id
      and e.closed_at is null
      and a.state = 'open' and a.doer = 'owner' and a.due_on is not null
    order by a.due_on, a.id
    limit 6
  ) n
$function$;

CREATE OR REPLACE FUNCTION private.area_projects_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(json_agg(json_build_object(
    'id', p.id, 'title', p.title, 'area_key', p.area_key, 'due_on', p.due_on,
    'task_count', p.task_count, 'done_count', p.done_count
  ) order by coalesce(p.due_on, 'infinity'::date), p.id), '[]')
  from (
    select x.*
    from public.projects x
    -- As in the policy of projects, but asked only once.
    where (select private.session_ok())
      and p_business_id = any (array(select private.readable_business_ids()))
      and x.business_id = p_business_id and x.area_key is not null
      and x.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
    order by coalesce(x.due_on, 'infinity'::date), x.id
    limit 12
  ) p
$function$;

CREATE OR REPLACE FUNCTION private.attempt_parts (
  p_attempt_id uuid
)
  RETURNS TABLE (
    version         json,
    answers         json,
    confidences     json,
    scores          json,
    recommendations json
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select
    private.quiz_version_json(t.version_id),
    (
      select coalesce(json_agg(a), '[]')
      from (
        select n.question_key, n.value, n.applies, n.answered_at
        from public.answers n
        join public.quiz_questions q on q.version_id = n.version_id and q.key = n.question_key
        where n.attempt_id = t.id
        order by q.position
      ) a
    ),
    (
      select coalesce(json_agg(
        json_build_object('area_key', r.area_key, 'rating', r.rating) order by k.position
      ), '[]')
      from public.attempt_confidences r
      join public.skill_areas k on k.key = r.area_key
      where r.attempt_id = t.id
    ),
    (
      select coalesce(json_agg(
        json_build_object(
          'area_key', s.area_key, 'score', s.score, 'level', s.level, 'answered', s.answered,
          'applicable', s.applicable, 'asked', s.asked, 'confidence_note', s.confidence_note,
          'weakest_question_key', s.weakest_question_key
        ) order by k.position
      ), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      where s.attempt_id = t.id
    ),
    (
      select coalesce(json_agg(
        json_build_object(
          'position', c.position, 'area_key', c.area_key, 'priority', c.priority,
          'reason_question_key', c.reason_question_key, 'chosen_by', c.chosen_by,
          'toolbox_item', (
            select json_build_object(
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
  from public.attempts t
  -- Asked once, where the policies would ask for each of the tables.
  where t.id = p_attempt_id and private.may_read_attempt(t)
$function$;

CREATE OR REPLACE FUNCTION private.attempt_view (
  p_attempt_id uuid
)
  RETURNS TABLE (
    user_id         uuid,
    business_id     uuid,
    state           text,
    attempt         json,
    version         json,
    answers         json,
    confidences     json,
    scores          json,
    recommendations json
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select t.user_id, t.business_id, t.state,
    json_build_object(
      'id', t.id,
      'kind', t.kind,
      'state', t.state,
      'version_id', t.version_id,
      'business_id', t.business_id,
      'business_name', (select b.name from public.businesses b where b.id = t.business_id),
      'owner_name', (select o.full_name from public.profiles o where o.user_id = t.user_id),
      'mine', coalesce(t.user_id = (select auth.uid()), false),
      'started_at', t.started_at,
      'expires_at', t.expires_at,
      'submitted_at', t.submitted_at,
      'retake_after', t.submitted_at + interval '90 days',
      'voided_at', t.voided_at,
      'void_reason', t.void_reason,
      'overall_score', t.overall_score
    ),
    p.version, p.answers, p.confidences, p.scores, p.recommendations
  from public.attempts t
  cross join lateral private.attempt_parts(t.id) p
  where t.id = p_attempt_id
$function$;

CREATE OR REPLACE FUNCTION private.call_procedure (
  p_name text,
  p_args jsonb
)
  RETURNS json
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_procedure record;
  v_columns text;
  v_values text;
  v_answer json;
begin
  select p.proargnames[:p.pronargs] as names, p.proargtypes::oid[] as types into v_procedure
  from pg_catalog.pg_proc p
  where p.pronamespace = 'public'::regnamespace and p.proname = p_name
    -- Those that write belong in requests of their own. These only record what an admin reads.
    and (p.provolatile <> 'v' or p_name ~ '^admin_' or p_name = 'get_project');
  if not found then
    raise exception 'There is no procedure % that only reads.', p_name using errcode = '42883';
  end if;
  select
    string_agg(format('%I %s', a.name, a.type::regtype), ', '),
    string_agg(format('%1$I => a.%1$I', a.name), ', ')
  into v_columns, v_values
  from unnest(v_procedure.names, v_procedure.types) as a (name, type)
  where p_args ? a.name;
  -- Text from here on: as jsonb, it would be taken apart and put together again at every step.
  if v_columns is null then
    execute format('select to_json(public.%I())', p_name) into v_answer;
  else
    execute format(
      'select to_json(public.%I(%s)) from jsonb_to_record($1) as a (%s)', p_name, v_values, v_columns
    )
    into v_answer using p_args;
  end if;
  return v_answer;
end
$function$;

CREATE OR REPLACE FUNCTION private.coaching_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select json_build_object(
    'id', e.id, 'state', e.state, 'results_shared', e.results_shared,
    'coach_name', (select nullif(p.full_name, '') from public.profiles p where p.user_id = e.coach_id)
  )
  from public.engagements e
  where (select private.session_ok())
    and e.owner_id = (select auth.uid()) and e.business_id = p_business_id
    and e.closed_at is null
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.compared_areas (
  p_later           uuid,
  p_later_version   uuid,
  p_earlier         uuid,
  p_earlier_version uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with questions as (
    select q.area_key, q.key, q.position, q.practice, q.text, q.weight,
      o.key is not null as same,
      coalesce(o.key is not null and n.value is not null and m.value is not null, false) as counts,
      m.value as earlier_value, m.applies as earlier_applies, o.anchors[m.value + 1] as earlier_words,
      n.value as later_value, n.applies as later_applies, q.anchors[n.value + 1] as later_words
    from public.quiz_questions q
    left join public.quiz_questions o
      on o.version_id = p_earlier_version and o.key = q.key and o.meaning = q.meaning
        and o.area_key = q.area_key
    left join public.answers n on n.attempt_id = p_later and n.question_key = q.key
    left join public.answers m on m.attempt_id = p_earlier and m.question_key = o.key
    where q.version_id = p_later_version
  ),
  summed as (
    select q.area_key, count(*) as asked, count(*) filter (where q.same) as same,
      count(*) filter (where q.counts) as compared,
      sum(q.later_value - q.earlier_value) filter (where q.counts) as steps,
      -- The weights of the later version for both: only answers make a difference.
      100 * sum(q.weight * q.earlier_value) filter (where q.counts)
        / (4 * sum(q.weight) filter (where q.counts)) as earlier,
      100 * sum(q.weight * q.later_value) filter (where q.counts)
        / (4 * sum(q.weight) filter (where q.counts)) as later,
      json_agg(json_build_object(
        'question_key', q.key, 'practice', q.practice, 'text', q.text, 'counts', q.counts,
        'earlier', json_build_object(
          'value', q.earlier_value, 'applies', q.earlier_applies, 'words', q.earlier_words
        ),
        'later', json_build_object(
          'value', q.later_value, 'applies', q.later_applies, 'words', q.later_words
        )
      ) order by q.position) filter (
        where q.same and (q.earlier_value, q.earlier_applies)
          is distinct from (q.later_value, q.later_applies)
      ) as changed
    from questions q
    group by q.area_key
  ),
  judged as (
    select s.area_key, s.asked, s.same, s.compared, s.changed,
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
    -- Two questions at least, and a score both times.
    left join public.area_scores e
      on e.attempt_id = p_earlier and e.area_key = s.area_key and e.score is not null
    left join public.area_scores l
      on l.attempt_id = p_later and l.area_key = s.area_key and l.score is not null
    cross join lateral (
      select s.compared >= 2 and e.area_key is not null and l.area_key is not null as possible
    ) c
  )
  select coalesce(json_agg(
    json_build_object(
      'area_key', j.area_key, 'name', k.name, 'short_name', k.short_name, 'asked', j.asked,
      'same', j.same, 'compared', j.compared, 'steps', j.steps,
      'earlier', j.earlier::double precision, 'later', j.later::double precision,
      'verdict', j.verdict, 'changed', coalesce(j.changed, '[]')
    ) order by k.position
  ), '[]')
  from judged j
  join public.skill_areas k on k.key = j.area_key
$function$;

CREATE OR REPLACE FUNCTION private.may_read_attempt (
  p_attempt public.attempts
)
  RETURNS boolean
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return private.session_ok() and (
    p_attempt.user_id = auth.uid()
    or p_attempt.state = 'submitted' and exists (
      select from private.my_clients() c
      where c.results_shared and c.owner_id = p_attempt.user_id
        and c.business_id = p_attempt.business_id
    )
  ) is true;
end
$function$;

CREATE OR REPLACE FUNCTION private.my_focus_json (
  p_business_id uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce((
    select private.focus_json(auth.uid(), p_business_id) where (select private.session_ok())
  ), '[]')
$function$;

CREATE OR REPLACE FUNCTION private.next_projects_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with open_ones as (
    -- The first of each status by their index, and the first of those together: what is read does
    -- not grow with the projects.
    select p.id, p.title, p.status, p.due_on, p.task_count, p.done_count
    from unnest(array['draft', 'planned', 'in_progress', 'blocked', 'in_review']) as s (status)
    cross join lateral (
      select x.id, x.title, x.status, x.due_on, x.task_count, x.done_count
      from public.projects x
      where x.business_id = p_business_id and x.status = s.status
      order by coalesce(x.due_on, 'infinity'::date), x.id
      limit 4
    ) p
    where (select private.session_ok())
      and p_business_id = any (array(select private.my_business_ids()))
    order by coalesce(p.due_on, 'infinity'::date), p.id
    limit 4
  )
  select json_build_object(
    -- Beyond this many nobody needs the number.
    'open', (
      select count(*) from (
        select from public.projects p
        where p.business_id = p_business_id
          and p.status in ('draft', 'planned', 'in_progress', 'blocked', 'in_review')
          and exists (select from open_ones)
        limit 100
      ) n
    ),
    'items', coalesce(json_agg(json_build_object(
      'id', o.id, 'title', o.title, 'status', o.status, 'due_on', o.due_on,
      'task_count', o.task_count, 'done_count', o.done_count,
      'next_task', (
        select json_build_object('id', k.id, 'title', k.title, 'due_on', k.due_on)
        from public.project_tasks k
        where k.project_id = o.id and k.removed_at is null and k.state <> 'done'
        order by k.position, k.id
        limit 1
      )
    ) order by coalesce(o.due_on, 'infinity'::date), o.id), '[]')
  )
  from open_ones o
$function$;

CREATE OR REPLACE FUNCTION private.next_session_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select json_build_object(
    'id', s.id, 'starts_at', s.starts_at, 'minutes', s.minutes, 'kind', s.kind, 'place', s.place
  )
  from public.engagements e
  join public.coaching_sessions s on s.engagement_id = e.id and s.state = 'scheduled'
  where (select private.session_ok())
    and e.owner_id = (select auth.uid()) and e.business_id = p_business_id and e.closed_at is null
    and s.starts_at > now() - s.minutes * interval '1 minute'
  order by s.starts_at, s.id
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.open_attempt_json (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Of the caller's own attempts only, as in list_attempts.
  select json_build_object(
    'id', t.id,
    'answered', (select count(*) from public.answers n where n.attempt_id = t.id),
    'asked', (select count(*) from public.quiz_questions q where q.version_id = t.version_id),
    'started_at', t.started_at
  )
  from public.attempts t
  where (select private.session_ok())
    and t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
    and t.state = 'in_progress' and t.kind = 'full' and t.expires_at > now()
$function$;

CREATE OR REPLACE FUNCTION private.quiz_problems (
  p_version_id uuid
)
  RETURNS TABLE (
    area_key     text,
    question_key text,
    field        text,
    problem      text
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with questions as (
    select q.*, s.position as area_position, s.name as area
    from public.quiz_questions q join public.skill_areas s on s.key = q.area_key
    where q.version_id = p_version_id
  ),
  found as (
    select 0 as place, 0 as position, null::text as area_key, null::text as question_key,
      'title' as field, 'Shorten the title to 80 characters.' as problem
    from public.quiz_versions v where v.id = p_version_id and char_length(v.title) > 80
    union all
    select 0, 0, null, null, 'nothing',
      'Nothing is different from version ' || f.number || '.'
    from public.quiz_versions v join public.quiz_versions f on f.id = v.created_from
    where v.id = p_version_id and v.title = f.title
      and (private.quiz_version_json(v.id)::jsonb - '{id,number}'::text[])
        = (private.quiz_version_json(f.id)::jsonb - '{id,number}'::text[])
      and not exists (
        select from public.quiz_questions q
        join public.quiz_questions o on o.version_id = f.id and o.key = q.key
        where q.version_id = v.id and o.meaning <> q.meaning
      )
    union all
    select s.position, 0, a.area_key, null, 'questions',
      s.name || ' has ' || c.questions || case c.questions when 1 then ' question' else ' questions' end
        || '. Every area has four: the site says so, and results are compared between areas.'
    from public.quiz_version_areas a
    join public.skill_areas s on s.key = a.area_key
    cross join lateral (
      select count(*) as questions, count(*) filter (where q.first_look) as first
      from questions q where q.area_key = a.area_key
    ) c
    where a.version_id = p_version_id and c.questions <> 4
    union all
    select s.position, 1, a.area_key, null, 'first_look',
      'Choose the question about ' || lower(s.name) || ' that’s in the first look.'
    from public.quiz_version_areas a join public.skill_areas s on s.key = a.area_key
    where a.version_id = p_version_id and not exists (
      select from questions q where q.area_key = a.area_key and q.first_look
    )
    union all
    select s.position, 1, a.area_key, null, w.field, w.problem
    from public.quiz_version_areas a
    join public.skill_areas s on s.key = a.area_key
    cross join lateral (
      values
        ('skip_question', 'Shorten the question that skips the area to 90 characters.',
          char_length(a.skip_question) > 90),
        ('skip_help', 'Shorten its help to 130 characters.', char_length(a.skip_help) > 130)
    ) w (field, problem, is_so)
    where a.version_id = p_version_id and w.is_so
    union all
    select q.area_position, q.position, q.area_key, q.key, w.field, w.problem
    from questions q
    cross join lateral (
      select 'practice' as field, 1 as nth, case
        when q.practice = '' then 'Name the practice.'
        when char_length(q.practice) > 48 then 'Shorten the practice to 48 characters.'
        when not exists (
          select from public.toolbox_items t where t.practice = q.key and t.state = 'published'
        ) then 'No published tool is for this practice. Results name one, so publish it in the toolbox first.'
      end as problem
      union all
      select 'text', 2, case
        when q.text = '' then 'Write the question.'
        when char_length(q.text) > 90 then 'Shorten the question to 90 characters.'
        when exists (
          select from questions o where o.key < q.key and lower(o.text) = lower(q.text)
        ) then 'Another question has the same words.'
      end
      union all
      select 'help', 3, 'Shorten the help to 130 characters.' where char_length(q.help) > 130
      union all
      select 'anchor-' || (a.nth - 1), 3 + a.nth, case
        when a.anchor = '' then 'Write the answer for ' || (a.nth - 1) || '.'
        when char_length(a.anchor) > 90 then
          'Shorten the answer for ' || (a.nth - 1) || ' to 90 characters.'
        when exists (
          select from unnest(q.anchors) with ordinality o (anchor, nth)
          where o.nth < a.nth and lower(o.anchor) = lower(a.anchor)
        ) then 'The answer for ' || (a.nth - 1) || ' is the same as an earlier one.'
      end
      from unnest(q.anchors) with ordinality a (anchor, nth)
      union all
      select 'weight', 9, 'Choose a weight from 1 to 2.' where q.weight not between 1 and 2
      union all
      select 'action', 10, case
        when q.action = '' then 'Write what to do in the next 30 days.'
        when char_length(q.action) > 300 then 'Shorten what to do to 300 characters.'
      end
      union all
      select 'meaning', 11, 'Say whether the question still means the same.'
      where q.text <> '' and private.quiz_question_meaning(q.version_id, q.key) is null
    ) w
    where w.problem is not null
  )
  select f.area_key, f.question_key, f.field, f.problem from found f
  order by f.place, f.position, f.question_key
$function$;

CREATE OR REPLACE FUNCTION private.quiz_version_json (
  p_version_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select json_build_object(
    'id', v.id,
    'number', v.number,
    'title', v.title,
    'areas', (
      select coalesce(json_agg(a order by a.position), '[]')
      from (
        select s.key, s.name, s.short_name, s.position, a.importance,
          case when a.skip_question is not null then json_build_object(
            'question', a.skip_question, 'help', a.skip_help
          ) end as skip
        from public.quiz_version_areas a
        join public.skill_areas s on s.key = a.area_key
        where a.version_id = v.id
      ) a
    ),
    'questions', (
      select coalesce(json_agg(q order by q.position), '[]')
      from (
        select q.key, q.area_key, q.practice, q.position, q.text, q.help, q.anchors, q.weight,
          q.action, q.first_look
        from public.quiz_questions q
        where q.version_id = v.id
      ) q
    )
  )
  from public.quiz_versions v
  where v.id = p_version_id
$function$;

CREATE OR REPLACE FUNCTION private.remember_session()
  RETURNS void
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Until the end of the transaction, because a page asks dozens of times. A caller who could set
  -- this could set the claims themselves.
  select set_config('private.checked_claims', current_setting('request.jwt.claims', true), true)
$function$;

CREATE OR REPLACE FUNCTION private.request_answer (
  p_user_id uuid,
  p_key     text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  -- As private.step_key makes it; most notifications are about something else.
  if p_key !~ '^step:[0-9a-f-]{36}:[0-9]{1,18}$' then
    return null;
  end if;
  return (
    select jsonb_build_object('at', a.at, 'is_yes', a.to_state = 'accepted')
    from public.engagement_events q
    join public.engagements e
      on e.id = q.engagement_id and e.owner_id is distinct from p_user_id
    cross join lateral (
      select ev.at, ev.to_state from public.engagement_events ev
      where ev.engagement_id = q.engagement_id and ev.id > q.id and ev.from_state = 'assigned'
      order by ev.id limit 1
    ) a
    where q.id = split_part(p_key, ':', 3)::bigint and q.to_state = 'assigned'
      and p_key = 'step:' || q.engagement_id || ':' || q.id
  );
end
$function$;

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
  perform private.remember_session();
  return true;
end
$function$;

CREATE OR REPLACE FUNCTION private.session_state()
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
  v_claims jsonb := auth.jwt();
  v_session_id uuid := v_claims ->> 'session_id';
begin
  return case
    when v_session_id is not null and not exists (
      select from auth.sessions s where s.id = v_session_id and s.user_id = v_user_id
    ) then 'ended'
    when v_claims ->> 'aal' = 'aal2' then 'verified'
    when exists (
      select from auth.mfa_factors f where f.user_id = v_user_id and f.status = 'verified'
    ) then 'required'
    else 'none'
  end;
end
$function$;

CREATE OR REPLACE FUNCTION private.standing_json (
  p_business_id uuid
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

CREATE OR REPLACE FUNCTION private.toggle_on (
  p_key text
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select public.toggles_on() ? p_key
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
      and t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
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

CREATE OR REPLACE FUNCTION private.unread_total (
  p_user_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select least(100, coalesce(sum(p.unread), 0))::int from public.conversation_participants p
  where p.user_id = p_user_id and p.left_at is null and p.unread > 0
$function$;

CREATE OR REPLACE FUNCTION public.compare_attempts (
  p_later   uuid,
  p_earlier uuid DEFAULT NULL::uuid
)
  RETURNS json
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_later record;
  v_earlier record;
begin
  select t.id, t.user_id, t.business_id, t.submitted_at, t.overall_score, t.version_id, v.number
  into v_later
  from public.attempts t
  join public.quiz_versions v on v.id = t.version_id
  where t.id in (p_later, p_earlier) and t.state = 'submitted' and t.kind = 'full'
    and private.may_read_attempt(t)
  order by t.submitted_at desc, t.id desc
  limit 1;
  -- A person who may read the later one may read the earlier one, of the same person and business.
  select t.id, t.submitted_at, t.overall_score, t.version_id, v.number into v_earlier
  from public.attempts t
  join public.quiz_versions v on v.id = t.version_id
  where t.id = case
      when p_earlier is null then private.full_attempt_before(
        v_later.user_id, v_later.business_id, v_later.submitted_at, v_later.id
      )
      when v_later.id = p_later then p_earlier
      else p_later
    end
    and t.user_id = v_later.user_id and t.business_id is not distinct from v_later.business_id
    and t.state = 'submitted' and t.kind = 'full'
    and (t.submitted_at, t.id) < (v_later.submitted_at, v_later.id);
  if not found then
    return null;
  end if;
  return json_build_object(
    'earlier', json_build_object(
      'id', v_earlier.id, 'submitted_at', v_earlier.submitted_at,
      'overall_score', v_earlier.overall_score, 'version_number', v_earlier.number
    ),
    'later', json_build_object(
      'id', v_later.id, 'submitted_at', v_later.submitted_at,
      'overall_score', v_later.overall_score, 'version_number', v_later.number
    ),
    'areas', private.compared_areas(
      v_later.id, v_later.version_id, v_earlier.id, v_earlier.version_id
    )
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."compare_attempts"(uuid, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_attempt (
  p_attempt_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select json_build_object(
    'attempt', t.attempt, 'version', t.version, 'answers', t.answers,
    'confidences', t.confidences, 'scores', t.scores, 'recommendations', t.recommendations
  )
  from private.attempt_view(p_attempt_id) t
$function$;

REVOKE ALL ON FUNCTION "public"."get_attempt"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_dashboard (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  SET plan_cache_mode TO 'force_generic_plan'
  AS $function$
  select json_build_object(
    'called', (
      select coalesce(p.preferred_name, nullif(split_part(p.full_name, ' ', 1), ''))
      from public.profiles p
      where p.user_id = (select auth.uid()) and (select private.session_ok())
    ),
    'open_attempt', private.open_attempt_json(p_business_id),
    'latest', private.standing_json(p_business_id),
    'trend', private.trend_json(p_business_id),
    'focus', private.my_focus_json(p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'session', private.next_session_json(p_business_id),
    'agreed', private.agreed_actions_json(p_business_id),
    'forecast', private.own_forecast_json(p_business_id),
    'invitations', private.invitations_to_me(),
    'events', private.my_event_places(),
    'projects', private.next_projects_json(p_business_id),
    'unread', private.unread_json((select auth.uid())),
    'tools', (
      select coalesce(json_agg(json_build_object(
        'slug', s.slug, 'title', s.title, 'type', s.type, 'minutes', s.minutes
      ) order by s.saved_at desc, s.slug), '[]')
      from (
        select i.slug, i.title, i.type, i.minutes, m.saved_at
        from public.toolbox_marks m
        join public.toolbox_items i on i.id = m.item_id and i.state = 'published'
        where (select private.session_ok())
          and m.user_id = (select auth.uid()) and m.saved_at is not null and m.done_at is null
        order by m.saved_at desc
        limit 4
      ) s
    )
  )
$function$;

REVOKE ALL ON FUNCTION "public"."get_dashboard"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_quiz()
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.quiz_version_json(v.id) from public.quiz_versions v where v.state = 'published'
$function$;

REVOKE ALL ON FUNCTION "public"."get_quiz"() FROM PUBLIC, "service_role";

CREATE OR REPLACE FUNCTION public.get_result (
  p_attempt_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select json_build_object(
    'attempt', t.attempt, 'version', t.version, 'answers', t.answers,
    'confidences', t.confidences, 'scores', t.scores, 'recommendations', t.recommendations,
    'comparison', case when t.state = 'submitted' then public.compare_attempts(p_attempt_id) end,
    'focus', case
      when t.user_id = (select auth.uid()) then private.my_focus_json(t.business_id)
      else private.focus_json(t.user_id, t.business_id)
    end,
    'projects', private.area_projects_json(t.business_id),
    'others', (
      select coalesce(json_agg(json_build_object(
        'id', o.id, 'kind', o.kind, 'submitted_at', o.submitted_at,
        'overall_score', o.overall_score
      ) order by o.submitted_at desc, o.id), '[]')
      from (
        select x.id, x.kind, x.submitted_at, x.overall_score
        from public.attempts x
        where x.user_id = t.user_id and x.business_id is not distinct from t.business_id
          and x.state = 'submitted' and x.id <> p_attempt_id
        order by x.submitted_at desc, x.id
        limit 12
      ) o
    )
  )
  from private.attempt_view(p_attempt_id) t
$function$;

REVOKE ALL ON FUNCTION "public"."get_result"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_skills (
  p_business_id uuid,
  p_earlier     uuid DEFAULT NULL::uuid,
  p_later       uuid DEFAULT NULL::uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with pair as (
    select p_earlier as earlier, coalesce(p_later, (select private.full_attempt_before(
      (select auth.uid()), p_business_id, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
    ))) as later
  )
  select json_build_object(
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
    'focus', private.my_focus_json(p_business_id),
    'projects', private.area_projects_json(p_business_id),
    'coaching', private.coaching_json(p_business_id),
    'reminders', coalesce(
      (
        select s.reminders from public.notification_settings s
        where s.user_id = (select auth.uid()) and (select private.session_ok())
      ),
      true
    )
  )
$function$;

REVOKE ALL ON FUNCTION "public"."get_skills"(uuid, uuid, uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_news (
  p_business_id uuid
)
  RETURNS json
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with caller as (
    -- What the policies would ask again for each table.
    select auth.uid() as id,
      case
        when p_business_id = any (array(select private.readable_business_ids())) then p_business_id
      end as business_id
    where (select private.session_ok())
  )
  select coalesce(json_agg(json_build_object(
    'kind', n.kind, 'id', n.id, 'title', n.title, 'by', (
      select f.full_name from public.profiles f
      where f.user_id = n.by_id and (
        f.user_id = (select c.id from caller c)
        or f.user_id = any (array(select private.ids_of_my_people()))
      )
    ), 'status', n.status, 'at', n.at
  ) order by n.at desc, n.id), '[]')
  from (
    (
      select 'notification' as kind, o.id, o.title, null::uuid as by_id, null as status,
        o.created_at as at
      from public.notifications o
      where o.user_id = (select c.id from caller c) and o.created_at > now() - interval '30 days'
      order by o.created_at desc limit 6
    )
    union all
    (
      -- Each project once, with its latest step by someone else.
      select distinct on (e.project_id) 'moved', p.id, p.title, e.actor_id, e.to_status, e.at
      from (
        select * from public.project_events x
        where x.business_id = (select c.business_id from caller c) and x.kind = 'moved'
          and x.actor_id is distinct from (select c.id from caller c)
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) e
      join public.projects p on p.id = e.project_id and p.business_id = e.business_id
      order by e.project_id, e.at desc
    )
    union all
    (
      select distinct on (u.project_id) 'update', p.id, p.title, u.author_id, null, u.at
      from (
        select * from public.project_updates x
        where x.business_id = (select c.business_id from caller c)
          and x.author_id is distinct from (select c.id from caller c)
          and x.at > now() - interval '30 days'
        order by x.at desc limit 30
      ) u
      join public.projects p on p.id = u.project_id and p.business_id = u.business_id
      order by u.project_id, u.at desc
    )
    order by 6 desc, 2 limit 6
  ) n
$function$;

REVOKE ALL ON FUNCTION "public"."list_news"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.open_page (
  p_calls       jsonb,
  p_business_id uuid  DEFAULT NULL::uuid
)
  RETURNS json
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_session jsonb := public.session_context();
  v_business_id text;
begin
  if v_session is null or v_session ->> 'second_factor' = 'required' then
    return json_build_object('session', v_session, 'business_id', null, 'answers', null);
  end if;
  -- The one chosen in this browser or, if the caller isn't a member of it, the first.
  v_business_id := case
    when v_session -> 'businesses' @> jsonb_build_array(jsonb_build_object('id', p_business_id))
    then p_business_id::text
    else v_session #>> '{businesses,0,id}'
  end;
  return (
    select json_build_object(
      'session', v_session, 'business_id', v_business_id,
      'answers', coalesce(json_agg(private.call_procedure(
        c.call ->> 'name',
        case
          when c.call #>> '{args,p_business_id}' = 'current'
          then (c.call -> 'args') || jsonb_build_object('p_business_id', v_business_id)
          else c.call -> 'args'
        end
      )), '[]')
    )
    from (select e from jsonb_array_elements(p_calls) e limit 4) c (call)
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."open_page"(jsonb, uuid) FROM PUBLIC, "anon", "service_role";

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
  SET plan_cache_mode TO 'force_generic_plan'
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

CREATE OR REPLACE FUNCTION public.publish_quiz_draft (
  p_id          uuid,
  p_fingerprint text,
  p_reason      text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_draft public.quiz_versions;
  v_reason text;
  v_number int;
  v_before jsonb;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  select v.number into v_number from public.quiz_versions v where v.id = p_id and v.state = 'published';
  if found then
    -- Sent twice.
    return jsonb_build_object('id', p_id, 'number', v_number);
  end if;
  perform private.one_at_a_time('quiz_draft', '00000000-0000-0000-0000-000000000000');
  v_draft := private.require_quiz_draft(p_id);
  if exists (select from private.quiz_problems(p_id)) then
    raise exception 'Something keeps this version from being published: %',
      (select p.problem from private.quiz_problems(p_id) p limit 1) using errcode = '55000';
  end if;
  if private.quiz_fingerprint(p_id) is distinct from p_fingerprint then
    raise exception 'Someone changed this draft while you were looking. Close this, read the changes again, and publish.'
      using errcode = '55000';
  end if;
  v_before := private.quiz_version_json(v_draft.created_from);
  -- The trigger retires the version before, in this transaction.
  update public.quiz_versions v set state = 'published' where v.id = p_id;
  delete from private.quiz_draft_parts p where p.version_id = p_id;
  perform private.audit('quiz_version.publish', 'quiz_version', p_id::text, v_reason, (
    select jsonb_build_object(
      'version', v_draft.number, 'from_version', v_before -> 'number',
      'questions_added', count(*) filter (where o is null),
      'questions_changed', count(*) filter (
        where o - '{position}'::text[] <> q - '{position}'::text[]
      ),
      'questions_removed', jsonb_array_length(v_before -> 'questions')
        - count(*) filter (where o is not null)
    )
    from jsonb_array_elements(private.quiz_version_json(p_id)::jsonb -> 'questions') q
    left join jsonb_array_elements(v_before -> 'questions') o on o -> 'key' = q -> 'key'
  ));
  return jsonb_build_object('id', p_id, 'number', v_draft.number);
end
$function$;

CREATE OR REPLACE FUNCTION public.session_context()
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := auth.uid();
  v_state text := private.session_state();
begin
  if v_state = 'ended' then
    return null;
  end if;
  if v_state = 'required' then
    return (
      select jsonb_build_object(
        'user_id', u.id, 'email', null, 'full_name', null, 'avatar_path', null, 'time_zone', null,
        'locale', null, 'role', private.role_of(u.id), 'second_factor', v_state,
        'businesses', '[]'::jsonb, 'deletion_due_at', null, 'unread_messages', 0,
        'unread_notifications', 0, 'message_text', false, 'programs', false, 'toggles', null
      )
      from auth.users u where u.id = v_user_id
    );
  end if;
  -- So that what a page reads next doesn't check it again.
  perform private.remember_session();
  return (
    select jsonb_build_object(
      'user_id', u.id, 'email', u.email, 'full_name', p.full_name, 'avatar_path', p.avatar_path,
      'time_zone', p.time_zone, 'locale', p.locale, 'role', private.role_of(u.id),
      'second_factor', v_state,
      'businesses', coalesce((
        select jsonb_agg(
          jsonb_build_object('id', b.id, 'name', b.name, 'role', m.role)
          order by m.joined_at, b.name, b.id
        )
        from public.business_members m
        join public.businesses b on b.id = m.business_id
        where m.user_id = u.id and b.archived_at is null
      ), '[]'),
      'deletion_due_at', d.due_at,
      'unread_messages', private.unread_total(u.id),
      'unread_notifications', private.unread_notifications(u.id),
      'message_text', private.wants(u.id, 'message_text'),
      'programs', exists (
        select from public.program_sponsors s where s.address = lower(u.email)
      ) or exists (select from public.seats s where s.owner_id = u.id),
      'toggles', public.toggles_on()
    )
    from auth.users u
    left join public.profiles p on p.user_id = u.id
    left join public.account_deletions d on d.user_id = u.id
    where u.id = v_user_id
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."session_context"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.toggles_on()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- All in one look, because every page asks. For visitors, only those for everyone.
  select coalesce(jsonb_agg(t.key order by t.key), '[]')
  from private.toggles t
  cross join (select auth.uid()) a (id)
  where case t.audience
    when 'everyone' then true
    when 'roles' then a.id is not null and private.role_of(a.id) = any (t.roles)
    when 'percentage' then a.id is not null and private.share_of(t.key, a.id) < t.percentage
    else false
  end
$function$;

COMMENT ON FUNCTION "private"."agreed_actions_json"(uuid) IS 'What the caller agreed to do in coaching about a business, the six due first: [{id, body, due_on}].';

COMMENT ON FUNCTION "private"."area_projects_json"(uuid) IS 'A business''s open projects that work on a skill, at most twelve, the next due first: as far as the caller can read them.';

COMMENT ON FUNCTION "private"."attempt_parts"(uuid) IS 'The version of an attempt and what hangs on it, if the caller may read it; no row otherwise.';

COMMENT ON FUNCTION "private"."attempt_view"(uuid) IS 'An attempt with all that hangs on it; no row if it doesn''t exist or the caller can''t read it.';

COMMENT ON FUNCTION "private"."call_procedure"(text, jsonb) IS 'The answer of a public procedure, called by the caller''s own rights with arguments by name, as the REST interface does.';

COMMENT ON FUNCTION "private"."coaching_json"(uuid) IS 'The caller''s open coaching for a business, and whether results are shared.';

COMMENT ON FUNCTION "private"."compared_areas"(uuid, uuid, uuid, uuid) IS 'What compare_attempts says of each area of two attempts, by their ids and versions. It checks nothing: compare_attempts has.';

COMMENT ON FUNCTION "private"."may_read_attempt"(public.attempts) IS 'The rule of the policy on attempts, for what reads a single one and all that hangs on it.';

COMMENT ON FUNCTION "private"."my_focus_json"(uuid) IS 'The caller''s own focus areas for a business, as in focus_json; the policies would have each table looked through for what others share.';

COMMENT ON FUNCTION "private"."next_projects_json"(uuid) IS 'A business''s four open projects that are due next, each with its next task and how many are done, for a member; and the number of open ones, up to 100.';

COMMENT ON FUNCTION "private"."next_session_json"(uuid) IS 'The caller''s next session about a business, or the one that''s taking place: {id, starts_at, minutes, kind, place}; null if none is planned.';

COMMENT ON FUNCTION "private"."open_attempt_json"(uuid) IS 'The caller''s open quiz for a business (null: none yet), and its progress.';

COMMENT ON FUNCTION "private"."quiz_version_json"(uuid) IS 'A version with its areas and questions in order, drafts too: the function that calls it has checked that the caller may read it.';

COMMENT ON FUNCTION "private"."remember_session"() IS 'Called where session_state was none or verified: session_ok doesn''t look again.';

COMMENT ON FUNCTION "private"."request_answer"(uuid, text) IS 'What came of a request for coaching that a coach was notified of by this key: {at, is_yes}; is_yes is false if it went to someone else. Null while it waits, and for everything else.';

COMMENT ON FUNCTION "private"."standing_json"(uuid) IS 'The caller''s latest result for a business (a full quiz before a first look): each area with its score, its weakest practice with a tool for it and, if recommended, its place.';

COMMENT ON FUNCTION "private"."toggle_on"(text) IS 'Whether a toggle is on for the caller; see toggles_on.';

COMMENT ON FUNCTION "private"."trend_json"(uuid) IS 'The caller''s twelve newest full results for a business, oldest first, with their scores by area.';

COMMENT ON FUNCTION "public"."compare_attempts"(uuid, uuid) IS 'Compares two submitted full attempts of one person and business, area by area, on the questions they share: improved or lower from two answer steps on, with the changed answers. Without the second one, the previous one. Null if the caller can''t read both or they don''t belong together.';

COMMENT ON FUNCTION "public"."get_attempt"(uuid) IS 'An attempt with its version, answers, scores and recommendations; null if it doesn''t exist or the caller can''t read it.';

COMMENT ON FUNCTION "public"."get_dashboard"(uuid) IS 'An owner''s dashboard for a business (null: none yet): the open quiz, the latest result and those before it, focus areas, coaching, the next session, what was agreed in coaching, the cash forecast, open invitations, places at events, the projects due next, conversations with unread messages, and saved tools that aren''t done.';

COMMENT ON FUNCTION "public"."get_quiz"() IS 'The published quiz, for everyone; null before the first one.';

COMMENT ON FUNCTION "public"."get_result"(uuid) IS 'An attempt as in get_attempt, with the comparison to the previous full one, the focus areas and open projects of its business and its person''s other results, as far as the caller can read them.';

COMMENT ON FUNCTION "public"."get_skills"(uuid, uuid, uuid) IS 'Everything the skills page shows for the caller''s business (null: none yet): the open quiz, attempts, the latest result, the trend, two attempts compared (the newest two by default), the benchmark, focus areas, open projects in an area, coaching, and whether the caller wants reminders at all.';

COMMENT ON FUNCTION "public"."list_news"(uuid) IS 'What others and the product did in the last 30 days, for the caller''s dashboard, at most six, newest first: [{kind ("notification"; "moved" or "update" of a project of the business), id (the notification''s or project''s), title, by (a name, if the caller may see it), status (that a project moved to), at}].';

COMMENT ON FUNCTION "public"."open_page"(jsonb, uuid) IS 'What a page needs, in one query: {session (see session_context), business_id, answers}. p_calls has up to four procedures to call, [{name, args}]; the argument p_business_id may be ''current'', the caller''s current business. Answers are null while the second factor is still needed.';

COMMENT ON FUNCTION "public"."session_context"() IS 'The caller: {user_id, email, full_name, avatar_path, time_zone (null until it''s known), locale (of the quiz and its results), role, second_factor, businesses, deletion_due_at, unread_messages and unread_notifications (100 means 100 or more), message_text (whether emails and notifications may include the text of messages), programs (whether they sponsor one or have had a seat), toggles (those that are on)}. While the second factor is still needed, without anything private; null if the account is gone or the session has ended.';

COMMENT ON FUNCTION "public"."toggles_on"() IS 'The keys of the toggles that are on for the caller: [key]. For visitors, those that are on for everyone.';

REVOKE ALL ON FUNCTION "private"."agreed_actions_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."area_projects_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."area_projects_json"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."attempt_parts"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."attempt_parts"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."attempt_view"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."attempt_view"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."call_procedure"(text, jsonb) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."call_procedure"(text, jsonb) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."coaching_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."compared_areas"(uuid, uuid, uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."may_read_attempt"(public.attempts) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."my_focus_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."my_focus_json"(uuid) TO "authenticated";

REVOKE ALL ON FUNCTION "private"."next_projects_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."next_session_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."open_attempt_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."quiz_version_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."remember_session"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."request_answer"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."standing_json"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."trend_json"(uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."compare_attempts"(uuid, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_attempt"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_dashboard"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_quiz"() TO "anon", "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_result"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_skills"(uuid, uuid, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_news"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."open_page"(jsonb, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."session_context"() TO "authenticated";

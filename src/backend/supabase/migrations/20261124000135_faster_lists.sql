SET local check_function_bodies = off;

DROP FUNCTION "private"."conversation_title"(public.conversations, uuid);

DROP FUNCTION "public"."coach_clients"();

CREATE OR REPLACE FUNCTION private.clients_json()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(
    jsonb_build_object(
      'engagement_id', e.id,
      'state', e.state,
      'business', jsonb_build_object('id', b.id, 'name', b.name),
      'owner', jsonb_build_object('user_id', e.owner_id, 'full_name', p.full_name),
      'results_shared', e.results_shared,
      'latest_attempt', (
        select jsonb_build_object(
          'id', t.id, 'submitted_at', t.submitted_at, 'overall_score', t.overall_score
        )
        from public.attempts t
        where t.user_id = e.owner_id and t.business_id = e.business_id and t.state = 'submitted'
          and e.results_shared
        order by t.kind = 'full' desc, t.submitted_at desc
        limit 1
      )
    ) order by b.name, e.id
  ), '[]')
  from public.engagements e
  join public.businesses b on b.id = e.business_id
  left join public.profiles p on p.user_id = e.owner_id
  where e.coach_id = (select auth.uid())
    and e.id = any (array(select private.my_client_engagement_ids()))
$function$;

CREATE OR REPLACE FUNCTION private.conversation_json (
  p_conversation public.conversations,
  p_part         public.conversation_participants
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_why text := private.why_closed(p_conversation, p_part.user_id);
  v_subject jsonb := private.subject_json(p_conversation);
  v_others int;
  v_people jsonb;
begin
  select count(*), coalesce(
    jsonb_agg(private.person_json(o.user_id) order by o.joined_at, o.user_id)
      filter (where o.place <= 5), '[]'
  )
  into v_others, v_people
  from (
    select p.user_id, p.joined_at, row_number() over (order by p.joined_at, p.user_id) as place
    from public.conversation_participants p
    where p.conversation_id = p_conversation.id and p.user_id <> p_part.user_id
      -- The other one of two stays in the picture.
      and (p.left_at is null or p_conversation.kind = 'direct')
  ) o;
  return jsonb_build_object(
    'id', p_conversation.id, 'kind', p_conversation.kind,
    'title', private.conversation_title(p_conversation, p_part.user_id, v_subject),
    'subject', v_subject,
    'people', v_people, 'others', v_others, 'epoch', p_conversation.epoch,
    'last_seq', p_conversation.last_seq, 'revision', p_conversation.revision,
    'read_seq', p_part.read_seq, 'from_seq', p_part.from_seq, 'unread', p_part.unread,
    'muted', p_part.muted, 'open', v_why is null, 'closed_why', v_why,
    'last_message', private.last_message_json(p_conversation, p_part.from_seq),
    'active_at', coalesce(p_part.active_at, p_conversation.created_at),
    'created_at', p_conversation.created_at,
    'draft', (
      select private.excerpt(d.body) from public.message_drafts d
      where d.user_id = p_part.user_id and d.conversation_id = p_conversation.id
    )
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.conversation_title (
  p_conversation public.conversations,
  p_user_id      uuid,
  p_subject      jsonb                DEFAULT NULL::jsonb
)
  RETURNS text
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return case p_conversation.kind
    when 'engagement' then
      'Coaching: ' || (coalesce(p_subject, private.subject_json(p_conversation)) ->> 'name')
    when 'project' then coalesce(p_subject, private.subject_json(p_conversation)) ->> 'name'
    when 'support' then case
      when p_conversation.about_user_id = p_user_id then 'Support'
      else coalesce(private.person_json(p_conversation.about_user_id) ->> 'name', 'Deleted account')
    end
    else coalesce((
      select private.person_json(p.user_id) ->> 'name' from public.conversation_participants p
      where p.conversation_id = p_conversation.id and p.user_id <> p_user_id
    ), 'Deleted account')
  end;
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
  where t.user_id = p_user_id and t.business_id is not distinct from p_business_id
    and t.state = 'submitted' and t.kind = 'full'
    and (t.submitted_at, t.id) < (p_submitted_at, p_id)
  order by t.submitted_at desc, t.id desc
  limit 1
$function$;

CREATE OR REPLACE FUNCTION private.message_json (
  p_message  public.messages,
  p_from_seq bigint
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  return jsonb_build_object(
    'id', p_message.id, 'conversation_id', p_message.conversation_id, 'seq', p_message.seq,
    'revision', p_message.revision, 'author_id', p_message.author_id, 'body', p_message.body,
    'reply_to', case when p_message.reply_to is not null then
      private.quote_json(p_message.reply_to, p_from_seq)
    end,
    'files', private.message_files_json(p_message.id),
    'sent_at', p_message.sent_at, 'edited_at', p_message.edited_at,
    'removed_at', p_message.removed_at
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.trend_json (
  p_business_id uuid
)
  RETURNS jsonb
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
  -- Materialized, because otherwise it would be looked up for every attempt.
  candidates as materialized (
    select case
      when p_earlier is null
      then array[private.full_attempt_before(l.user_id, l.business_id, l.submitted_at, l.id)]
      else array[p_earlier, p_later]
    end as ids
    from later l
  ),
  earlier as (
    select t.id, t.version_id, t.submitted_at, t.overall_score
    from later l
    cross join candidates c
    join public.attempts t
      on t.user_id = l.user_id and t.business_id is not distinct from l.business_id
    where t.state = 'submitted' and t.kind = 'full' and t.id <> l.id
      and (t.submitted_at, t.id) < (l.submitted_at, l.id)
      and t.id = any (c.ids)
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

CREATE OR REPLACE FUNCTION public.get_coaching()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  select case
    when private.is_coach() then jsonb_build_object(
      'engagements', '[]'::jsonb, 'areas', '[]'::jsonb, 'clients', private.clients_json()
    )
    else jsonb_build_object(
      'engagements', public.my_engagements(),
      'areas', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'key', k.key, 'name', k.name, 'short_name', k.short_name, 'position', k.position
        ) order by k.position), '[]')
        from public.skill_areas k
      ),
      'clients', '[]'::jsonb
    )
  end
$function$;

REVOKE ALL ON FUNCTION "public"."get_coaching"() FROM PUBLIC, "anon", "service_role";

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
    'coaching', private.coaching_json(p_business_id),
    'reminders', coalesce(
      (select s.reminders from public.notification_settings s where s.user_id = (select auth.uid())),
      true
    )
  )
$function$;

CREATE OR REPLACE FUNCTION public.list_attempts (
  p_business_id uuid,
  p_before      uuid DEFAULT NULL::uuid
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  -- Of the caller's own attempts only: with the policy, all of them would be sorted for each page.
  -- By the day that is shown: of the submission, or of the start where there was none.
  with start as (
    select coalesce(b.submitted_at, b.started_at) as shown_at, b.id
    from public.attempts b
    where b.id = p_before and b.user_id = (select auth.uid())
    union all
    select 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff' where p_before is null
  ),
  -- In the order of its index, so the time doesn't grow with the attempts.
  page as (
    select t.id, t.kind, t.state, t.version_id, t.started_at, t.submitted_at, t.overall_score,
      coalesce(t.submitted_at, t.started_at) as shown_at
    from public.attempts t
    where (select private.session_ok())
      and t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
      and t.state <> 'in_progress'
      and (coalesce(t.submitted_at, t.started_at), t.id)
        < ((select s.shown_at from start s), (select s.id from start s))
    order by coalesce(t.submitted_at, t.started_at) desc, t.id desc
    limit 21
  ),
  shown as (select p.* from page p order by p.shown_at desc, p.id desc limit 20)
  select jsonb_build_object(
    'items', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'kind', p.kind, 'state', p.state,
        'version_number', (select v.number from public.quiz_versions v where v.id = p.version_id),
        'started_at', p.started_at, 'submitted_at', p.submitted_at,
        'overall_score', p.overall_score
      ) order by p.shown_at desc, p.id desc), '[]')
      from shown p
    ),
    'more', (select count(*) > 20 from page)
  )
$function$;

CREATE OR REPLACE FUNCTION public.list_projects (
  p_business_id uuid    DEFAULT NULL::uuid,
  p_statuses    text[]  DEFAULT NULL::text[],
  p_area_key    text    DEFAULT NULL::text,
  p_query       text    DEFAULT ''::text,
  p_sort        text    DEFAULT 'changed'::text,
  p_view        text    DEFAULT 'table'::text,
  p_place       jsonb   DEFAULT NULL::jsonb,
  p_limit       integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  -- Rows of a table; cards of one column of a board.
  c_page constant int := least(
    greatest(coalesce(p_limit, case p_view when 'board' then 12 else 25 end), 1), 500
  );
  -- A page before a place is read backward and turned round.
  c_backward constant boolean := coalesce(p_place ->> 'way' = 'before', false);
  -- Beyond this many of one status nobody needs the number.
  c_counted constant int := 100;
  -- Up to this many that words fit are looked at one by one.
  c_few constant int := 300;
  v_all constant text[] := array[
    'draft', 'planned', 'in_progress', 'blocked', 'in_review', 'done', 'canceled'
  ];
  v_businesses uuid[];
  v_statuses text[] := coalesce(p_statuses, v_all);
  v_query tsquery := private.words_query(left(p_query, 100));
  v_key text := case p_sort
    when 'due' then 'coalesce(p.due_on, ''infinity''::date)'
    when 'title' then 'p.title collate private.by_name'
    else 'p.updated_at' end;
  v_type text := case p_sort when 'due' then 'date' when 'title' then 'text' else 'timestamptz' end;
  v_direction text := case when (p_sort in ('due', 'title')) <> c_backward then 'asc' else 'desc' end;
  v_narrow text := '';
  v_fitting uuid[];
  v_found jsonb;
  v_more boolean;
  v_counts jsonb;
begin
  perform private.require_session();
  -- Words that mean nothing ("the") narrow nothing.
  if numnode(v_query) = 0 then
    v_query := null;
  end if;
  if p_area_key is not null then
    v_narrow := v_narrow || ' and p.area_key = $3';
  end if;
  select coalesce(array_agg(b), '{}') into v_businesses
  from private.readable_business_ids() b
  where p_business_id is null or b = p_business_id;

  -- Words that few fit lead to those; words that many fit are looked for along the order, where
  -- enough of them come soon. The function in place of its operator keeps the planner to that.
  if v_query is not null then
    select coalesce(array_agg(f.id), '{}') into v_fitting
    from (
      select p.id from public.projects p
      where p.words @@ v_query and p.business_id = any (v_businesses)
      limit c_few + 1
    ) f;
    v_narrow := v_narrow || case
      when cardinality(v_fitting) > c_few then ' and pg_catalog.ts_match_vq(p.words, $4)'
      else ' and p.id = any ($10)' end;
  end if;

  -- A page from each business and status by their index, and the first of those together: what is
  -- read grows with the page and not with the projects.
  execute format(
    $q$
      with near as (
        select p.id, p.status, p.sort_key,
          row_number() over (order by p.sort_key %3$s, p.id %3$s) as place,
          row_number() over (partition by p.status order by p.sort_key %3$s, p.id %3$s) as in_status
        from unnest($1::uuid[]) as b (id)
        cross join unnest($2::text[]) as s (status)
        cross join lateral (
          select p.id, p.status, %1$s as sort_key
          from public.projects p
          where p.business_id = b.id and p.status = s.status %4$s %5$s
          order by %1$s %3$s, p.id %3$s
          limit %6$s
        ) p
      )
      select
        coalesce(jsonb_agg(jsonb_build_object(
          'id', p.id, 'title', p.title, 'status', p.status, 'area_key', p.area_key,
          'due_on', p.due_on, 'blocked_reason', p.blocked_reason, 'updated_at', p.updated_at,
          'task_count', p.task_count, 'done_count', p.done_count,
          'business', jsonb_build_object('id', p.business_id, 'name', (
            select b.name from public.businesses b where b.id = p.business_id
          )),
          'next_task', (
            select jsonb_build_object('title', t.title, 'state', t.state, 'due_on', t.due_on)
            from public.project_tasks t
            where t.project_id = p.id and t.removed_at is null and t.state <> 'done'
            order by t.position, t.id limit 1
          ),
          'moves', case when p.business_id = any ($9) then private.project_moves(p.status)
            else '[]' end,
          'key', n.sort_key::text
        ) order by case when $11 then -n.place else n.place end) filter (where n.shown), '[]'),
        coalesce(bool_or(not n.shown), false)
      from (
        select near.*, case when $6 then in_status <= $5 else place <= $5 end as shown from near
      ) n
      join public.projects p on p.id = n.id
    $q$,
    v_key, v_type, v_direction, v_narrow,
    case when p_place is null then '' else format(
      'and (%s, p.id) %s ($7::%s, $8)', v_key, case v_direction when 'asc' then '>' else '<' end,
      v_type
    ) end,
    c_page + 1
  )
  into v_found, v_more
  using v_businesses, v_statuses, p_area_key, v_query, c_page, p_view = 'board',
    p_place ->> 'key', (p_place ->> 'id')::uuid, array(
      select b.id from public.businesses b
      where b.id in (select private.my_business_ids()) and b.archived_at is null
    ), v_fitting, c_backward;

  if p_limit is null then
    execute format(
      $q$
        select jsonb_object_agg(s.status, (
          select count(*) from (
            select from unnest($1::uuid[]) as b (id)
            join public.projects p on p.business_id = b.id and p.status = s.status %s
            limit %s
          ) c
        ))
        from unnest($2::text[]) as s (status)
      $q$,
      v_narrow, c_counted
    )
    into v_counts
    using v_businesses, v_all, p_area_key, v_query, null, null, null, null, null, v_fitting;
  end if;
  return jsonb_build_object(
    'projects', v_found, 'more', v_more, 'counts', v_counts,
    'areas', case when p_limit is null then (
      select jsonb_agg(jsonb_build_object('key', a.key, 'name', a.name) order by a.position)
      from public.skill_areas a
    ) end
  );
exception
  when invalid_text_representation or invalid_datetime_format or datetime_field_overflow then
    raise exception 'We lost your place in the list. Start from the top.'
      using errcode = '22023', hint = 'place';
end
$function$;

CREATE INDEX attempts_shown_idx ON public.attempts USING btree (user_id, COALESCE(submitted_at, started_at) DESC, id DESC)
  WHERE (state <> 'in_progress'::text);

COMMENT ON FUNCTION "private"."clients_json"() IS 'The coach''s open engagements with business, owner and, if shared, the latest result.';

COMMENT ON FUNCTION "private"."conversation_title"(public.conversations, uuid, jsonb) IS 'A conversation''s name in a person''s list. p_subject: its subject_json, if that''s known.';

COMMENT ON FUNCTION "private"."full_attempt_before"(uuid, uuid, timestamp with time zone, uuid) IS 'The id of the newest full result of a person and business before another one. By the index, where the policy on attempts would have all of them sorted. Only the id: the result is read under the policy.';

COMMENT ON FUNCTION "public"."get_coaching"() IS 'What the coaching page shows the caller: an owner''s engagements and the skill areas to choose from, or a coach''s clients; {engagements, areas, clients}.';

COMMENT ON FUNCTION "public"."list_projects"(uuid, text[], text, text, text, text, jsonb, integer) IS 'A filtered page of projects of one business, or of all the caller can read, sorted ("changed", "due", "title"); 25 or p_limit of them, as a "board" 12 of each status. p_place is {way: "after" or "before", key, id} of a project on another page. {projects, more in that direction, counts by status (100 means 100 or more) and areas, both null if p_limit is given}.';

REVOKE ALL ON FUNCTION "private"."clients_json"() FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."clients_json"() TO "authenticated";

REVOKE ALL ON FUNCTION "private"."conversation_title"(public.conversations, uuid, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."full_attempt_before"(uuid, uuid, timestamp WITH time zone, uuid) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "private"."full_attempt_before"(uuid, uuid, timestamp WITH time zone, uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_coaching"() TO "authenticated";

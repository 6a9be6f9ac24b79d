-- Skills over time: comparing two attempts, benchmarks, and the data of the skills page.
--
-- A comparison counts only questions that both versions ask with the same meaning and that were
-- answered both times. Nothing else in the product decides whether something improved.

create function private.full_attempt_before(
  p_user_id uuid, p_business_id uuid, p_submitted_at timestamptz, p_id uuid
) returns uuid
language sql stable security definer set search_path = '' as $$
  select t.id
  from public.attempts t
  where t.user_id = p_user_id
    and coalesce(t.business_id, t.user_id) = coalesce(p_business_id, p_user_id)
    and t.state = 'submitted' and t.kind = 'full'
    and (t.submitted_at, t.id) < (p_submitted_at, p_id)
  order by t.submitted_at desc, t.id desc
  limit 1
$$;
comment on function private.full_attempt_before(uuid, uuid, timestamptz, uuid) is
  'The id of the newest full result of a person and business before another one. By the index, where the policy on attempts would have all of them sorted. Only the id, and it checks nothing: the function that asks has checked that the caller may read the later result.';

create function private.compared_areas(
  p_later uuid, p_later_version uuid, p_earlier uuid, p_earlier_version uuid
) returns json
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.compared_areas(uuid, uuid, uuid, uuid) is
  'What compare_attempts says of each area of two attempts, by their ids and versions. It checks nothing: compare_attempts has.';

create function public.compare_attempts(p_later uuid, p_earlier uuid default null) returns json
-- plpgsql, so that the attempts are found first and everything else by their ids.
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function public.compare_attempts(uuid, uuid) is
  'Compares two submitted full attempts of one person and business, area by area, on the questions they share: improved or lower from two answer steps on, with the changed answers. Without the second one, the previous one. Null if the caller can''t read both or they don''t belong together.';
grant execute on function public.compare_attempts(uuid, uuid) to authenticated;

-- Benchmarks ------------------------------------------------------------------------------------
--
-- Quartiles of businesses in the same industry and stage, if there are at least twenty. So that
-- nobody can single one out, there are only whole numbers, only one breakdown (no other groups to
-- subtract from it), one business per person, and no update until at least five of its businesses
-- have changed.

create table public.benchmarks (
  industry text not null,
  stage text not null,
  -- A skill area, or "overall".
  area_key text not null,
  lower smallint not null,
  middle smallint not null,
  upper smallint not null,
  computed_at timestamptz not null default now(),
  primary key (industry, stage, area_key),
  check (0 <= lower and lower <= middle and middle <= upper and upper <= 100)
);
comment on table public.benchmarks is
  'Quartiles of at least twenty businesses of an industry and stage. Read only through get_skills.';

create table public.benchmark_businesses (
  industry text not null,
  stage text not null,
  business_id uuid not null references public.businesses (id),
  attempt_id uuid not null references public.attempts (id),
  primary key (industry, stage, business_id)
);
comment on table public.benchmark_businesses is
  'The results behind each benchmark, to tell when enough of them have changed. No API role reads it.';

create index benchmark_businesses_business_id_idx on public.benchmark_businesses (business_id);
create index benchmark_businesses_attempt_id_idx on public.benchmark_businesses (attempt_id);

alter table public.benchmarks enable row level security;
alter table public.benchmark_businesses enable row level security;

create function private.benchmark_businesses()
returns table (industry text, stage text, business_id uuid, attempt_id uuid)
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.benchmark_businesses() is
  'The latest full result of every business with an industry and stage, in the published version of the quiz; one business per person.';

create function private.refresh_benchmarks() returns bigint
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_cell record;
  v_done bigint := 0;
begin
  for v_cell in
    with now_there as materialized (select * from private.benchmark_businesses()),
    changes as (
      select d.industry, d.stage, count(distinct d.business_id) as changed
      from (
        (select * from now_there except select * from public.benchmark_businesses)
        union all
        (select * from public.benchmark_businesses except select * from now_there)
      ) d
      group by d.industry, d.stage
    )
    select c.industry, c.stage, c.changed, (
      select count(*) from now_there n where n.industry = c.industry and n.stage = c.stage
    ) as businesses
    from changes c
  loop
    continue when v_cell.businesses >= 20 and v_cell.changed < 5;
    delete from public.benchmarks b
    where b.industry = v_cell.industry and b.stage = v_cell.stage;
    delete from public.benchmark_businesses b
    where b.industry = v_cell.industry and b.stage = v_cell.stage;
    continue when v_cell.businesses < 20;

    insert into public.benchmark_businesses
    select n.* from private.benchmark_businesses() n
    where n.industry = v_cell.industry and n.stage = v_cell.stage;
    insert into public.benchmarks (industry, stage, area_key, lower, middle, upper)
    select v_cell.industry, v_cell.stage, s.area_key,
      round(percentile_cont(0.25) within group (order by s.score)),
      round(percentile_cont(0.5) within group (order by s.score)),
      round(percentile_cont(0.75) within group (order by s.score))
    from public.benchmark_businesses n
    cross join lateral (
      select x.area_key, x.score from public.area_scores x where x.attempt_id = n.attempt_id
      union all
      select 'overall', t.overall_score from public.attempts t where t.id = n.attempt_id
    ) s
    where n.industry = v_cell.industry and n.stage = v_cell.stage and s.score is not null
    group by s.area_key
    having count(*) >= 20;
    v_done := v_done + 1;
  end loop;
  return v_done;
end
$$;
comment on function private.refresh_benchmarks() is
  'Updates the benchmarks of industries and stages where five businesses have something new, and removes those with fewer than twenty.';
insert into private.jobs (kind, every) values ('refresh_benchmarks', interval '1 day');

create function private.benchmark_json(p_business_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.benchmark_json(uuid) is
  'The benchmark for a business''s industry and stage, for a member; no areas below twenty businesses.';

-- Data of the pages, one query each -------------------------------------------------------------

create function private.open_attempt_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.open_attempt_json(uuid) is
  'The caller''s open quiz for a business (null: none yet), and its progress.';

create function private.standing_json(p_business_id uuid, p_with_tools boolean) returns json
language sql stable security definer set search_path = ''
-- With many attempts of one business, it would be planned at every call, which takes longer than
-- the query.
set plan_cache_mode = 'force_generic_plan' as $$
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
$$;
comment on function private.standing_json(uuid, boolean) is
  'The caller''s latest result for a business (a full quiz before a first look): each area with its score, its weakest practice, with p_with_tools a tool for it, and if recommended, its place.';

create function private.coaching_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
  select json_build_object(
    'id', e.id, 'state', e.state, 'results_shared', e.results_shared,
    'coach_name', (select nullif(p.full_name, '') from public.profiles p where p.user_id = e.coach_id)
  )
  from public.engagements e
  where (select private.session_ok())
    and e.owner_id = (select auth.uid()) and e.business_id = p_business_id
    and e.closed_at is null
  limit 1
$$;
comment on function private.coaching_json(uuid) is
  'The caller''s open coaching for a business, and whether results are shared.';

create function public.list_attempts(p_business_id uuid, p_before uuid default null) returns jsonb
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function public.list_attempts(uuid, uuid) is
  'Twenty of the caller''s closed attempts for a business, newest first, starting after p_before; and whether there are more.';
grant execute on function public.list_attempts(uuid, uuid) to authenticated;

create function private.trend_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
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
    -- Two versions ask the same about an area where this is the same: a hash of its questions, in
    -- any order.
    select q.version_id, q.area_key,
      to_hex(bit_xor(hashtextextended(q.key, q.meaning))) as meaning
    from public.quiz_questions q
    where q.version_id in (select n.version_id from newest n)
    group by q.version_id, q.area_key
  )
  select coalesce(json_agg(json_build_object(
    'id', n.id, 'submitted_at', n.submitted_at, 'overall_score', n.overall_score,
    'version_number', (select v.number from public.quiz_versions v where v.id = n.version_id),
    'areas', (
      select coalesce(json_agg(json_build_object(
        'area_key', s.area_key, 'score', s.score, 'meaning', m.meaning
      ) order by k.position), '[]')
      from public.area_scores s
      join public.skill_areas k on k.key = s.area_key
      left join meanings m on m.version_id = n.version_id and m.area_key = s.area_key
      where s.attempt_id = n.id
    )
  ) order by n.submitted_at, n.id), '[]')
  from newest n
$$;
comment on function private.trend_json(uuid) is
  'The caller''s twelve newest full results for a business, oldest first, with their scores by area.';

create function private.area_projects_json(p_business_id uuid) returns json
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.area_projects_json(uuid) is
  'A business''s open projects that work on a skill, at most twelve, the next due first: as far as the caller can read them.';
grant execute on function private.area_projects_json(uuid) to authenticated;

create function public.get_skills(
  p_business_id uuid, p_earlier uuid default null, p_later uuid default null,
  p_parts text[] default array[
    'open_attempt', 'attempts', 'latest', 'trend', 'comparison', 'benchmark', 'focus', 'projects',
    'coaching', 'reminders'
  ]
) returns json
language sql stable security definer set search_path = '' as $$
  select coalesce(json_object_agg(a.part, case a.part
    when 'open_attempt' then private.open_attempt_json(p_business_id)
    when 'attempts' then to_json(public.list_attempts(p_business_id))
    when 'latest' then private.standing_json(p_business_id, true)
    when 'trend' then private.trend_json(p_business_id)
    when 'comparison' then (
      select public.compare_attempts(t.id, p_earlier)
      from public.attempts t
      where t.id = coalesce(p_later, (select private.full_attempt_before(
          (select auth.uid()), p_business_id, 'infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'
        )))
        and t.user_id = (select auth.uid()) and t.business_id is not distinct from p_business_id
    )
    when 'benchmark' then to_json(private.benchmark_json(p_business_id))
    when 'focus' then to_json(private.my_focus_json(p_business_id))
    when 'projects' then private.area_projects_json(p_business_id)
    when 'coaching' then private.coaching_json(p_business_id)
    when 'reminders' then to_json(coalesce(
      (
        select s.reminders from public.notification_settings s
        where s.user_id = (select auth.uid()) and (select private.session_ok())
      ),
      true
    ))
  end), '{}')
  -- Each once: a request may name a part a thousand times.
  from (select distinct each from unnest(p_parts) as p (each) where each is not null) as a (part)
$$;
comment on function public.get_skills(uuid, uuid, uuid, text[]) is
  'What the pages about skills show for the caller''s business (null: none yet): the open quiz, attempts, the latest result, the trend, two attempts compared (the newest two by default), the benchmark, focus areas, open projects in an area, coaching, and whether the caller wants reminders at all. Of these, only p_parts, as each part is looked up by itself.';
grant execute on function public.get_skills(uuid, uuid, uuid, text[]) to authenticated;

create function public.get_result(p_attempt_id uuid) returns json
language sql stable security invoker set search_path = '' as $$
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
$$;
comment on function public.get_result(uuid) is
  'An attempt as in get_attempt, with the comparison to the previous full one, the focus areas and open projects of its business and its person''s other results, as far as the caller can read them.';
grant execute on function public.get_result(uuid) to authenticated;

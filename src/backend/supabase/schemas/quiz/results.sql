-- Results: how answers become scores, and the only procedures that write them.
--
--   area score = 100 · Σ(weight · answer) / Σ(weight · 4)   over answered questions that apply
--
-- An area needs two questions that apply (one in a first look), and answers to three quarters of
-- them. Scores are computed exactly (numeric) and stored unrounded, so that a level never depends
-- on rounding.

create function private.level_of(p_score numeric) returns text
language sql immutable set search_path = '' as $$
  select case
    when p_score < 25 then 'starting'
    when p_score < 50 then 'developing'
    when p_score < 75 then 'established'
    when p_score is not null then 'strong'
  end
$$;
comment on function private.level_of(numeric) is 'The level of an unrounded score; null for null.';

create function private.confidence_note(p_score numeric, p_rating int) returns text
language sql immutable set search_path = '' as $$
  select case
    when 25 * (p_rating - 1) - p_score >= 25 then 'check-the-evidence'
    when p_score - 25 * (p_rating - 1) >= 25 then 'hidden-strength'
  end
$$;
comment on function private.confidence_note(numeric, int) is
  'Whether confidence, 25 · (rating − 1), and score are 25 or more apart, and how; null otherwise.';

create function private.candidates(p_attempt_id uuid)
returns table (
  area_key text, priority double precision, reason_question_key text, rank bigint
)
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.candidates(uuid) is
  'Scored areas of an attempt in order of recommendation: priority = (100 − score) · importance · (1.25 if overconfident), ties in the order of the areas.';

create function private.score_attempt(p_attempt_id uuid) returns double precision
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.score_attempt(uuid) is
  'The only place scores are computed: writes area_scores and recommendations of an open attempt and returns the overall score, or null with fewer than six scored areas.';

create function private.submit_attempt(p_attempt_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_overall double precision := private.score_attempt(p_attempt_id);
begin
  update public.attempts t
  set state = 'submitted', submitted_at = now(), overall_score = v_overall
  where t.id = p_attempt_id;
end
$$;

-- Reading ---------------------------------------------------------------------------------------

create function private.attempt_parts(p_attempt_id uuid)
returns table (
  version json, answers json, confidences json, scores json, recommendations json
)
language sql stable security definer set search_path = '' as $$
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
$$;
comment on function private.attempt_parts(uuid) is
  'The version of an attempt and what hangs on it, if the caller may read it; no row otherwise.';
grant execute on function private.attempt_parts(uuid) to authenticated;

create function private.attempt_view(p_attempt_id uuid)
returns table (
  user_id uuid, business_id uuid, state text, attempt json, version json, answers json,
  confidences json, scores json, recommendations json
)
language sql stable security invoker set search_path = '' as $$
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
$$;
comment on function private.attempt_view(uuid) is
  'An attempt with all that hangs on it; no row if it doesn''t exist or the caller can''t read it.';
grant execute on function private.attempt_view(uuid) to authenticated;

create function public.get_attempt(p_attempt_id uuid) returns json
language sql stable security invoker set search_path = '' as $$
  select json_build_object(
    'attempt', t.attempt, 'version', t.version, 'answers', t.answers,
    'confidences', t.confidences, 'scores', t.scores, 'recommendations', t.recommendations
  )
  from private.attempt_view(p_attempt_id) t
$$;
comment on function public.get_attempt(uuid) is
  'An attempt with its version, answers, scores and recommendations; null if it doesn''t exist or the caller can''t read it.';
grant execute on function public.get_attempt(uuid) to authenticated;

-- Taking the quiz -------------------------------------------------------------------------------

create function private.open_attempt(
  p_id uuid, p_user_id uuid, p_version_id uuid, p_business_id uuid
) returns uuid
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id uuid;
begin
  -- What should have expired does so now, so that it is not in the way.
  update public.attempts t set state = 'expired'
  where t.user_id = p_user_id and t.state = 'in_progress' and t.expires_at <= now();

  select t.id into v_id from public.attempts t
  where t.user_id = p_user_id and t.business_id is not distinct from p_business_id
    and t.state = 'in_progress' and t.kind = 'full';
  if found then
    return v_id;
  end if;

  insert into public.attempts (id, user_id, business_id, version_id, kind)
  values (p_id, p_user_id, p_business_id, p_version_id, 'full');
  return p_id;
end
$$;
comment on function private.open_attempt(uuid, uuid, uuid, uuid) is
  'The open full attempt of a person and business, created under p_id if there is none. Callers hold one_at_a_time(''attempts'').';

create function private.business_of_quiz(p_user_id uuid, p_business_id uuid) returns uuid
language plpgsql stable security definer set search_path = '' as $$
begin
  if p_business_id is null then
    -- A page that was opened before the first business was added says that there is none.
    return private.current_business_id(p_user_id);
  end if;
  perform private.require_member(p_business_id);
  return p_business_id;
end
$$;
comment on function private.business_of_quiz(uuid, uuid) is
  'The business the caller takes a quiz for: the given one, otherwise their current one, otherwise null. Raises (42501, 55000) like require_member. Callers hold one_at_a_time(''attempts'').';

create function public.start_attempt(p_id uuid, p_version_id uuid, p_business_id uuid default null)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_owner_id uuid;
  v_business_id uuid;
begin
  perform private.one_at_a_time('attempts', v_user_id);

  select t.user_id into v_owner_id from public.attempts t where t.id = p_id;
  if found then
    if v_owner_id is distinct from v_user_id then
      raise exception 'This attempt already exists.' using errcode = '23505', hint = 'id';
    end if;
    return jsonb_build_object('id', p_id);
  end if;

  if p_id is null then
    raise exception 'An attempt needs an id.' using errcode = '22023', hint = 'id';
  end if;
  v_business_id := private.business_of_quiz(v_user_id, p_business_id);
  if not exists (
    select from public.quiz_versions v where v.id = p_version_id and v.state = 'published'
  ) then
    raise exception 'This isn’t the current version of the quiz.'
      using errcode = '22023', hint = 'version_id';
  end if;
  return jsonb_build_object(
    'id', private.open_attempt(p_id, v_user_id, p_version_id, v_business_id)
  );
end
$$;
comment on function public.start_attempt(uuid, uuid, uuid) is
  'Starts the full quiz for a business (null: the current one, or none yet), or returns the open attempt; {id}.';
grant execute on function public.start_attempt(uuid, uuid, uuid) to authenticated;

-- Attempts from before there was a business -----------------------------------------------------

create function private.take_over_attempts(p_user_id uuid, p_business_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_here public.attempts;
  v_loose uuid;
begin
  if private.current_business_id(p_user_id, p_business_id) is not null then
    return;
  end if;
  perform private.one_at_a_time('attempts', p_user_id);

  update public.attempts t set state = 'expired'
  where t.user_id = p_user_id and t.state = 'in_progress' and t.expires_at <= now();

  -- A business that was archived or left may have an open quiz of its own. One of the two goes on,
  -- with the newer answer to each question.
  select * into v_here from public.attempts t
  where t.user_id = p_user_id and t.business_id = p_business_id
    and t.state = 'in_progress' and t.kind = 'full';
  if found then
    select t.id into v_loose from public.attempts t
    where t.user_id = p_user_id and t.business_id is null
      and t.state = 'in_progress' and t.kind = 'full';
    insert into public.answers (attempt_id, version_id, question_key, value, applies, answered_at)
    select v_here.id, v_here.version_id, n.question_key, n.value, n.applies, n.answered_at
    from public.answers n
    join public.quiz_questions given
      on given.version_id = n.version_id and given.key = n.question_key
    join public.quiz_questions asked
      on asked.version_id = v_here.version_id and asked.key = given.key
      and asked.meaning = given.meaning
    where n.attempt_id = v_loose
    on conflict (attempt_id, question_key) do update
      set value = excluded.value, applies = excluded.applies, answered_at = excluded.answered_at;
    insert into public.attempt_confidences (attempt_id, version_id, area_key, rating, rated_at)
    select v_here.id, v_here.version_id, r.area_key, r.rating, r.rated_at
    from public.attempt_confidences r
    join public.quiz_version_areas a
      on a.version_id = v_here.version_id and a.area_key = r.area_key
    where r.attempt_id = v_loose
    on conflict (attempt_id, area_key) do update
      set rating = excluded.rating, rated_at = excluded.rated_at;
    update public.attempts t set expires_at = now(), state = 'expired' where t.id = v_loose;
  end if;

  update public.attempts t set business_id = p_business_id
  where t.user_id = p_user_id and t.business_id is null;
end
$$;
comment on function private.take_over_attempts(uuid, uuid) is
  'Assigns a business the attempts its person made before they had one; does nothing if they have another.';

create function private.take_over_on_joining() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.take_over_attempts(new.user_id, new.business_id);
  return null;
end
$$;
create trigger business_members_take_over_attempts after insert on public.business_members
  for each row when (not private.merging()) execute function private.take_over_on_joining();

create function public.finish_attempt(p_attempt_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_attempt record;
begin
  select t.state, t.expires_at into v_attempt from public.attempts t
  where t.id = p_attempt_id and t.user_id = v_user_id
  for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  -- Sent twice: the second time reads what the first one computed.
  if v_attempt.state = 'submitted' then
    return public.get_attempt(p_attempt_id);
  end if;
  if v_attempt.state <> 'in_progress' or v_attempt.expires_at <= now() then
    raise exception 'This quiz is closed. Start a new one.' using errcode = '55000';
  end if;
  if not exists (select from public.answers n where n.attempt_id = p_attempt_id) then
    raise exception 'Answer at least one question first.' using errcode = '22023', hint = 'answers';
  end if;
  perform private.submit_attempt(p_attempt_id);
  return public.get_attempt(p_attempt_id);
end
$$;
comment on function public.finish_attempt(uuid) is
  'Submits the caller''s open attempt: computes its scores once and for good and returns the whole attempt.';
grant execute on function public.finish_attempt(uuid) to authenticated;

create function public.swap_recommendation(p_attempt_id uuid, p_position int, p_area_key text)
returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.swap_recommendation(uuid, int, text) is
  'An owner swaps one of the three areas for another scored area.';
grant execute on function public.swap_recommendation(uuid, int, text) to authenticated;

create function public.void_attempt(p_attempt_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_admin_id uuid := private.require_admin();
  v_reason text := private.require_reason(p_reason);
  v_attempt public.attempts;
begin
  select * into v_attempt from public.attempts t where t.id = p_attempt_id for update;
  if not found then
    raise exception 'We can’t find this attempt.' using errcode = 'P0002', hint = 'attempt_id';
  end if;
  if not private.may_step('attempt', v_attempt.state, 'voided', 'admin') then
    raise exception 'Only a finished quiz can be set aside.' using errcode = '55000';
  end if;
  update public.attempts t
  set state = 'voided', voided_at = now(), void_reason = v_reason, voided_by = v_admin_id
  where t.id = p_attempt_id;
  perform private.audit('attempt.void', 'attempt', p_attempt_id::text, v_reason);
  perform private.notify(
    v_attempt.user_id, 'account', 'voided:' || p_attempt_id, 'We set one of your quiz results aside',
    'It’s the one of ' || private.day_words(v_attempt.submitted_at, v_attempt.user_id)
      || '. It doesn’t count anymore, and your coach can’t see it. You can take the quiz again whenever you like.'
      || E'\nThe reason: ' || v_reason,
    '/dashboard/skills/quiz/' || p_attempt_id
  );
  return jsonb_build_object('id', p_attempt_id, 'state', 'voided');
end
$$;
comment on function public.void_attempt(uuid, text) is
  'An admin voids a submitted attempt with a reason, of which its owner is notified.';
grant execute on function public.void_attempt(uuid, text) to authenticated;

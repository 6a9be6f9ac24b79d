-- Attempts: one person's attempt at the quiz, with its answers and, once submitted, its permanent
-- scores and recommendations.
--
--   in_progress → submitted → voided (by an admin, with a reason)
--   in_progress → expired   (after 180 days, the answers are kept)
--
-- An attempt belongs to a person, and to a business if they have one. Members of a business can't
-- see each other's attempts. The browser writes answers, but never a state or a score.

create table public.attempts (
  id uuid primary key,
  -- Null once the account is deleted: the attempt stays for statistics.
  user_id uuid references auth.users (id) on delete set null,
  business_id uuid references public.businesses (id),
  version_id uuid not null references public.quiz_versions (id),
  kind text not null check (kind in ('full', 'first_look')),
  state text not null default 'in_progress' check (
    state in ('in_progress', 'submitted', 'expired', 'voided')
  ),
  started_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '180 days',
  submitted_at timestamptz,
  voided_at timestamptz,
  void_reason text,
  voided_by uuid references auth.users (id) on delete set null,
  overall_score double precision check (overall_score between 0 and 100),
  unique (id, version_id),
  check ((state in ('submitted', 'voided')) = (submitted_at is not null)),
  check ((state = 'voided') = (voided_at is not null and void_reason is not null)),
  check (state in ('submitted', 'voided') or overall_score is null)
);
comment on table public.attempts is
  'A person''s attempt at the quiz. Only procedures change it, and only along its states.';

create index attempts_user_id_idx on public.attempts (user_id, business_id, started_at desc);
-- A person's results for one business, the newest first. The person stands for "no business yet",
-- because no index finds what "is not distinct from".
create index attempts_results_idx on public.attempts (
  user_id, (coalesce(business_id, user_id)), kind, submitted_at desc, id desc
) where state = 'submitted';
-- By the day that the list of attempts shows.
create index attempts_shown_idx
  on public.attempts (user_id, (coalesce(submitted_at, started_at)) desc, id desc)
  where state <> 'in_progress';
create index attempts_business_id_idx on public.attempts (business_id);
create index attempts_voided_by_idx on public.attempts (voided_by);
create index attempts_expires_at_idx on public.attempts (expires_at) where state = 'in_progress';
-- One open full attempt per person and business; "no business yet" counts as one.
create unique index attempts_one_open_idx on public.attempts (user_id, business_id)
  nulls not distinct
  where state = 'in_progress' and kind = 'full' and user_id is not null;

create table public.answers (
  attempt_id uuid not null,
  version_id uuid not null,
  question_key text not null,
  value smallint check (value between 0 and 4),
  applies boolean not null default true,
  -- When the person answered, by their device's clock, but never later than ours.
  answered_at timestamptz not null default now(),
  primary key (attempt_id, question_key),
  foreign key (attempt_id, version_id) references public.attempts (id, version_id),
  foreign key (version_id, question_key) references public.quiz_questions (version_id, key),
  -- "Doesn't apply to us" has no value; any other answer has one. Unanswered questions have no row.
  check (applies = (value is not null))
);
comment on table public.answers is 'One answer per question of an attempt; the newest one counts.';

create index answers_version_id_idx on public.answers (version_id, question_key);

create table public.attempt_confidences (
  attempt_id uuid not null,
  version_id uuid not null,
  area_key text not null,
  rating smallint not null check (rating between 1 and 5),
  rated_at timestamptz not null default now(),
  primary key (attempt_id, area_key),
  foreign key (attempt_id, version_id) references public.attempts (id, version_id),
  foreign key (version_id, area_key) references public.quiz_version_areas (version_id, area_key)
);
comment on table public.attempt_confidences is 'How confident the owner is in an area, 1 to 5.';

create index attempt_confidences_version_id_idx
  on public.attempt_confidences (version_id, area_key);

create table public.area_scores (
  attempt_id uuid not null references public.attempts (id),
  area_key text not null references public.skill_areas (key),
  -- Unrounded, 0 to 100; null if there weren't enough answers.
  score double precision check (score between 0 and 100),
  level text check (level in ('starting', 'developing', 'established', 'strong')),
  asked int not null,
  applicable int not null,
  answered int not null,
  confidence_note text check (confidence_note in ('check-the-evidence', 'hidden-strength')),
  weakest_question_key text,
  primary key (attempt_id, area_key),
  check (answered between 0 and applicable and applicable <= asked),
  check ((score is null) = (level is null))
);
comment on table public.area_scores is 'Scores of a submitted attempt, written once by finish_attempt.';

create index area_scores_area_key_idx on public.area_scores (area_key);

create table public.recommendations (
  attempt_id uuid not null,
  position smallint not null check (position between 1 and 3),
  area_key text not null,
  priority double precision not null,
  reason_question_key text not null,
  chosen_by text not null default 'quiz' check (chosen_by in ('quiz', 'owner')),
  primary key (attempt_id, position),
  unique (attempt_id, area_key),
  foreign key (attempt_id, area_key) references public.area_scores (attempt_id, area_key)
);
comment on table public.recommendations is
  'The three areas to work on, from finish_attempt; the owner can swap any with swap_recommendation. Their tools are those that private.tool_for names today.';

-- Who can read which attempt --------------------------------------------------------------------

create function private.attempt_ids_shared_with_me() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select a.id
  from private.my_clients() c
  join public.attempts a on a.user_id = c.owner_id and a.business_id = c.business_id
  where c.results_shared and a.state = 'submitted'
    -- Asked first, so that an owner's page doesn't look for clients with every policy.
    and (select private.is_coach())
$$;
comment on function private.attempt_ids_shared_with_me() is
  'Submitted attempts shared by the owners this coach is assigned to.';
grant execute on function private.attempt_ids_shared_with_me() to authenticated;

create function private.may_read_attempt(p_attempt public.attempts) returns boolean
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function private.may_read_attempt(public.attempts) is
  'The rule of the policy on attempts, for what reads a single one and all that hangs on it.';

create function private.my_open_attempt_ids() returns setof uuid
language sql stable security definer set search_path = '' as $$
  select a.id
  from public.attempts a
  where a.user_id = (select auth.uid()) and a.state = 'in_progress' and a.expires_at > now()
$$;
comment on function private.my_open_attempt_ids() is 'Attempts that the person can still answer.';
grant execute on function private.my_open_attempt_ids() to authenticated;

-- Row-level security ----------------------------------------------------------------------------

alter table public.attempts enable row level security;
alter table public.answers enable row level security;
alter table public.attempt_confidences enable row level security;
alter table public.area_scores enable row level security;
alter table public.recommendations enable row level security;

create policy "Owners read their attempts, coaches the submitted ones shared with them"
  on public.attempts for select to authenticated
  using (
    (select private.session_ok())
    and (
      user_id = (select auth.uid())
      or id = any (array(select private.attempt_ids_shared_with_me()))
    )
  );

create policy "Answers are read with their attempt"
  on public.answers for select to authenticated
  using (
    (select private.session_ok())
    and exists (select from public.attempts a where a.id = answers.attempt_id)
  );

create policy "Owners answer their own open attempts"
  on public.answers for insert to authenticated
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Owners change the answers of their own open attempts"
  on public.answers for update to authenticated
  using (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  )
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Confidence is read with its attempt"
  on public.attempt_confidences for select to authenticated
  using (
    (select private.session_ok())
    and exists (select from public.attempts a where a.id = attempt_confidences.attempt_id)
  );

create policy "Owners rate their confidence in their own open attempts"
  on public.attempt_confidences for insert to authenticated
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Owners change their confidence in their own open attempts"
  on public.attempt_confidences for update to authenticated
  using (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  )
  with check (
    (select private.session_ok())
    and attempt_id = any (array(select private.my_open_attempt_ids()))
  );

create policy "Scores are read with their attempt"
  on public.area_scores for select to authenticated
  using (
    (select private.session_ok())
    and exists (select from public.attempts a where a.id = area_scores.attempt_id)
  );

create policy "Recommendations are read with their attempt"
  on public.recommendations for select to authenticated
  using (
    (select private.session_ok())
    and exists (select from public.attempts a where a.id = recommendations.attempt_id)
  );

grant select (
  id, user_id, business_id, version_id, kind, state, started_at, expires_at, submitted_at,
  voided_at, void_reason, overall_score
) on public.attempts to authenticated;
grant select on public.answers, public.attempt_confidences, public.area_scores,
  public.recommendations to authenticated;
-- An upsert also sets its key columns, so they need the privilege; a trigger rejects changing them.
grant insert (attempt_id, version_id, question_key, value, applies, answered_at),
  update (attempt_id, version_id, question_key, value, applies, answered_at)
  on public.answers to authenticated;
grant insert (attempt_id, version_id, area_key, rating, rated_at),
  update (attempt_id, version_id, area_key, rating, rated_at)
  on public.attempt_confidences to authenticated;

-- Triggers: rules for every write ---------------------------------------------------------------

create function private.guard_attempt() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'DELETE' then
    raise exception 'An attempt is never removed.' using errcode = '55000';
  end if;

  if tg_op = 'INSERT' then
    if exists (
      select from public.quiz_versions v where v.id = new.version_id and v.state = 'draft'
    ) then
      raise exception 'A draft of the quiz can’t be taken.' using errcode = '55000';
    end if;
    return new;
  end if;

  if new.id <> old.id or new.version_id <> old.version_id or new.kind <> old.kind
    or (new.user_id is distinct from old.user_id and new.user_id is not null)
    or (new.business_id is distinct from old.business_id and old.business_id is not null)
  then
    raise exception 'An attempt stays with its person, business and version.'
      using errcode = '55000';
  end if;

  if new.overall_score is distinct from old.overall_score
    and (old.state, new.state) is distinct from ('in_progress', 'submitted')
  then
    raise exception 'A score is computed once.' using errcode = '55000';
  end if;
  if new.state = 'expired' and old.state <> 'expired' and new.expires_at > now() then
    raise exception 'An attempt expires when its time is over.' using errcode = '55000';
  end if;
  return new;
end
$$;
comment on function private.guard_attempt() is
  'An attempt keeps its person, business and version, and its score is computed once. The table''s owner can set times (demo data is in the past); no API role can update it at all.';
create trigger attempts_stay_as_they_are before insert or update or delete on public.attempts
  for each row when (not private.merging()) execute function private.guard_attempt();
create trigger attempts_take_known_steps before insert or update of state on public.attempts
  for each row execute function private.check_transition('attempt', 'state');

create function private.guard_reply() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_attempt record;
begin
  if tg_op = 'DELETE' then
    raise exception 'Answers are never removed.' using errcode = '55000';
  end if;
  if tg_op = 'UPDATE' and (
    new.attempt_id <> old.attempt_id or new.version_id <> old.version_id
    or tg_table_name = 'answers'
      and to_jsonb(new) ->> 'question_key' <> to_jsonb(old) ->> 'question_key'
    or tg_table_name = 'attempt_confidences'
      and to_jsonb(new) ->> 'area_key' <> to_jsonb(old) ->> 'area_key'
  ) then
    raise exception 'An answer stays with its question.' using errcode = '55000';
  end if;

  -- The lock settles the race with finish_attempt: an answer is either in before the score is
  -- computed, or refused.
  select a.user_id, a.state, a.expires_at into v_attempt
  from public.attempts a where a.id = new.attempt_id for share;
  if found and (v_attempt.state <> 'in_progress' or v_attempt.expires_at <= now())
    -- Whose attempt it is not learns nothing about it: the policy refuses.
    and (auth.uid() is null or auth.uid() = v_attempt.user_id)
  then
    raise exception 'This quiz is closed, so its answers can’t change anymore.'
      using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger answers_are_for_open_attempts before insert or update or delete on public.answers
  for each row execute function private.guard_reply();
create trigger confidences_are_for_open_attempts
  before insert or update or delete on public.attempt_confidences
  for each row execute function private.guard_reply();

-- PostgreSQL runs a table's triggers in order of their names, so these run after the two above.
create function private.newest_answer_wins() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.answered_at := least(coalesce(new.answered_at, now()), now());
  if tg_op = 'UPDATE' and new.answered_at < old.answered_at then
    return old;
  end if;
  return new;
end
$$;
comment on function private.newest_answer_wins() is
  'A device that was offline can''t overwrite a later answer from another one; no clock can be ahead of ours.';
create trigger answers_newest_wins before insert or update on public.answers
  for each row execute function private.newest_answer_wins();

create function private.newest_rating_wins() returns trigger
language plpgsql set search_path = '' as $$
begin
  new.rated_at := least(coalesce(new.rated_at, now()), now());
  if tg_op = 'UPDATE' and new.rated_at < old.rated_at then
    return old;
  end if;
  return new;
end
$$;
create trigger confidences_newest_wins before insert or update on public.attempt_confidences
  for each row execute function private.newest_rating_wins();

create function private.guard_result() returns trigger
language plpgsql security definer set search_path = '' as $$
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
$$;
comment on function private.guard_result() is
  'Scores and recommendations are written while the attempt is being finished; afterward only an owner''s swap changes a recommendation.';
create trigger area_scores_are_kept before insert or update or delete on public.area_scores
  for each row execute function private.guard_result();
create trigger recommendations_are_kept before insert or update or delete on public.recommendations
  for each row execute function private.guard_result();

create trigger attempts_are_never_emptied before truncate on public.attempts
  for each statement execute function private.refuse_change();
create trigger answers_are_never_emptied before truncate on public.answers
  for each statement execute function private.refuse_change();
create trigger confidences_are_never_emptied before truncate on public.attempt_confidences
  for each statement execute function private.refuse_change();
create trigger area_scores_are_never_emptied before truncate on public.area_scores
  for each statement execute function private.refuse_change();
create trigger recommendations_are_never_emptied before truncate on public.recommendations
  for each statement execute function private.refuse_change();

create function private.expire_attempts() returns bigint
language sql volatile security definer set search_path = '' as $$
  with due as (
    select a.id from public.attempts a
    where a.state = 'in_progress' and a.expires_at <= now()
    for update skip locked
  ), expired as (
    update public.attempts a set state = 'expired' from due where a.id = due.id returning 1
  )
  select count(*) from expired
$$;
comment on function private.expire_attempts() is
  'Closes attempts that have been open for 180 days; returns their number.';
insert into private.jobs (kind, every) values ('expire_attempts', interval '10 minutes');

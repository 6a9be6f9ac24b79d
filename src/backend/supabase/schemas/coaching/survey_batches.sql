-- Results of surveys: batches of at least five answers to the same question. Every figure, comment,
-- cut and comparison is made from whole batches, each answer is in one batch at most, and a batch
-- never changes. So nothing that can be read, and no difference between any two things that can be
-- read, now or over time, is about fewer than five answers. See src/decisions/096.

create table private.survey_batches (
  -- Random: the order of comments follows it.
  id uuid primary key default gen_random_uuid(),
  survey_id uuid not null references public.surveys (id),
  -- 0: responses as a whole; 1 to 10: the statements; 11: the recommendation; 12 and 13: the comments.
  question smallint not null check (question between 0 and 13),
  -- What all of its answers have in common. Personal links and the public link never mix: anyone
  -- could fill a batch by the public link until only one answer in it isn't their own.
  invited boolean not null,
  -- The first day of their quarter; null if they're from several.
  quarter date check (quarter = date_trunc('quarter', quarter::timestamp)::date),
  -- The area's key, the coach's or the program's id or the industry; null if they differ or nothing is grouped.
  grouped text,
  answers int not null check (answers >= 5),
  -- How many chose 0, 1, … 10. All 0 for comments and for responses as a whole.
  counts int[] not null check (cardinality(counts) = 11),
  -- The comments, in random order.
  words text[] not null
);
comment on table private.survey_batches is
  'What''s published of surveys: at least five answers in one go, summed up. Never changed.';
create index survey_batches_survey_id_idx on private.survey_batches (survey_id);
alter table private.survey_batches enable row level security;

create table private.survey_batch_answers (
  -- Without a foreign key: no response is ever removed.
  response_id uuid not null,
  question smallint not null,
  batch_id uuid not null references private.survey_batches (id),
  primary key (response_id, question)
);
comment on table private.survey_batch_answers is 'Which batch an answer is in; without a row, it waits for one.';
create index survey_batch_answers_batch_id_idx on private.survey_batch_answers (batch_id);
alter table private.survey_batch_answers enable row level security;

create trigger survey_batches_are_never_changed before update or delete
  on private.survey_batches for each row execute function private.refuse_change();
create trigger survey_batches_are_never_emptied before truncate
  on private.survey_batches for each statement execute function private.refuse_change();
create trigger survey_batch_answers_are_never_changed before update or delete
  on private.survey_batch_answers for each row execute function private.refuse_change();
create trigger survey_batch_answers_are_never_emptied before truncate
  on private.survey_batch_answers for each statement execute function private.refuse_change();

-- Making batches --------------------------------------------------------------------------------

create function private.survey_group(p_grouped_by text, p_engagement_id uuid) returns text
language plpgsql stable security definer set search_path = '' as $$
begin
  -- plpgsql, because seats are created in a later file.
  return (
    select case p_grouped_by
      when 'area' then e.areas[1]
      when 'coach' then e.coach_id::text
      when 'industry' then nullif(btrim(b.industry), '')
      -- The latest that the business counts in.
      when 'program' then (
        select s.program_id::text from public.seats s
        where s.business_id = b.id and s.state in ('activated', 'expired') and s.withdrawn_at is null
        order by s.activated_at desc, s.id limit 1
      )
    end
    from public.engagements e join public.businesses b on b.id = e.business_id
    where e.id = p_engagement_id
  );
end
$$;
comment on function private.survey_group(text, uuid) is
  'The group that an engagement''s response counts in; null without one.';

create function private.waiting_answers(p_survey_id uuid) returns table (
  response_id uuid, question smallint, value smallint, words text,
  invited boolean, quarter date, grouped text
)
language sql stable security definer set search_path = '' as $$
  -- First the responses of which something waits, which are few: a look at each answer of all of
  -- them, and at its engagement, would take seconds.
  with waiting as materialized (
    select r.*, s.grouped_by
    from public.surveys s
    join public.survey_responses r on r.survey_id = s.id and r.privacy = s.privacy
    where s.id = p_survey_id and (
      select count(*) from private.survey_batch_answers b where b.response_id = r.id
    ) < 1 + cardinality(array_remove(r.agreement, null)) + num_nonnulls(r.recommend)
      + cardinality(array_remove(r.comments, null))
  ), engaged as materialized (
    select e.engagement_id, private.survey_group(e.grouped_by, e.engagement_id) as grouped
    from (select distinct w.engagement_id, w.grouped_by from waiting w) e
  )
  select r.id, q.question, q.value, q.words, r.invited,
    date_trunc('quarter', r.responded_on::timestamp)::date, e.grouped
  from waiting r
  left join engaged e on e.engagement_id = r.engagement_id
  cross join lateral (
    select 0::smallint as question, null::smallint as value, null::text as words
    union all
    select a.place::smallint, a.value, null
    from unnest(r.agreement) with ordinality as a (value, place) where a.value is not null
    union all
    select 11::smallint, r.recommend, null where r.recommend is not null
    union all
    select (11 + c.place)::smallint, null, c.words
    from unnest(r.comments) with ordinality as c (words, place) where c.words is not null
  ) q
  where not exists (
    select from private.survey_batch_answers b
    where b.response_id = r.id and b.question = q.question
  )
$$;
comment on function private.waiting_answers(uuid) is
  'The answers of a survey that aren''t in a batch yet, with what they can have in common.';

create function private.add_survey_batches(
  p_survey_id uuid, p_before date, p_same_quarter boolean, p_same_group boolean
) returns int
language sql volatile security definer set search_path = '' as $$
  with waiting as materialized (
    select w.response_id, w.question, w.value, w.words, w.invited,
      case when p_same_quarter then w.quarter end as quarter,
      case when p_same_group then w.grouped end as grouped
    from private.waiting_answers(p_survey_id) w
    where w.quarter < p_before
  ), full_enough as materialized (
    select gen_random_uuid() as id, w.question, w.invited, w.quarter, w.grouped,
      count(*)::int as answers,
      array(
        select (count(*) filter (where c.value = v.value))::int
        from generate_series(0, 10) as v (value)
        cross join unnest(array_agg(w.value)) as c (value)
        group by v.value order by v.value
      ) as counts,
      coalesce(array_agg(w.words order by random()) filter (where w.words is not null), '{}') as words
    from waiting w
    group by w.question, w.invited, w.quarter, w.grouped
    having count(*) >= 5
  ), batches as (
    insert into private.survey_batches (
      id, survey_id, question, invited, quarter, grouped, answers, counts, words
    )
    select f.id, p_survey_id, f.question, f.invited, f.quarter, f.grouped, f.answers, f.counts, f.words
    from full_enough f
    returning 1
  ), answers as (
    insert into private.survey_batch_answers (response_id, question, batch_id)
    select w.response_id, w.question, f.id
    from waiting w
    join full_enough f on f.question = w.question and f.invited = w.invited
      -- Not "is not distinct from", which compares each answer with each batch.
      and coalesce(f.quarter, 'infinity') = coalesce(w.quarter, 'infinity')
      and coalesce(f.grouped, '') = coalesce(w.grouped, '')
  )
  select count(*)::int from batches
$$;
comment on function private.add_survey_batches(uuid, date, boolean, boolean) is
  'Makes a batch of the answers from quarters before p_before that have the same kind of link and, if so asked, the same quarter and group, wherever there are five; how many batches.';

create function private.batch_survey(p_survey_id uuid) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_survey record;
  v_over date := date_trunc('quarter', current_date::timestamp)::date;
  v_is_first boolean;
  v_count int;
begin
  perform private.one_at_a_time('survey_batches', p_survey_id);
  select s.title, s.state into v_survey from public.surveys s where s.id = p_survey_id;
  if v_survey.state = 'closed' then
    v_over := 'infinity';
  end if;
  v_is_first := not exists (select from private.survey_batches b where b.survey_id = p_survey_id);
  -- Answers wait for four more of their group and quarter while those can still come. Then they join
  -- the rest of their quarter, and then the rest of all quarters.
  v_count := private.add_survey_batches(p_survey_id, 'infinity', true, true);
  v_count := v_count + private.add_survey_batches(p_survey_id, v_over, true, false);
  v_count := v_count + private.add_survey_batches(p_survey_id, v_over, false, false);
  if v_is_first and v_count > 0 then
    perform private.notify_admins(
      'survey', 'survey-results:' || p_survey_id,
      '“' || v_survey.title || '” has its first results',
      'Five clients have answered the survey. From now on, you can see what they say.',
      '/admin/engagement-results?survey=' || p_survey_id, 'See the results'
    );
  end if;
  return v_count;
end
$$;
comment on function private.batch_survey(uuid) is
  'Publishes answers that now have enough company, and tells admins once when a survey has its first results; how many batches.';

create function private.batch_surveys() returns int
language sql volatile security definer set search_path = '' as $$
  select coalesce(sum(private.batch_survey(s.id)), 0)::int from public.surveys s
$$;
comment on function private.batch_surveys() is 'Publishes what can be published of every survey; how many batches.';
insert into private.jobs (kind, every) values ('batch_surveys', interval '10 minutes');

-- Figures ---------------------------------------------------------------------------------------

create function private.survey_scale(p_counts bigint[], p_least int) returns jsonb
language sql immutable set search_path = '' as $$
  select jsonb_build_object(
    'answers', sum(c.n),
    'mean', sum(c.value * c.n) / nullif(sum(c.n), 0),
    'counts', jsonb_agg(c.n order by c.value)
  )
  from (
    select place - 1 as value, n from unnest(p_counts) with ordinality as u (n, place)
    where place - 1 >= p_least
  ) c
$$;
comment on function private.survey_scale(bigint[], int) is
  '{answers, mean, counts} of how many chose 0, 1, …, from the lowest answer there is.';

create function private.survey_counts(p_batches uuid[])
returns table (question smallint, answers bigint, counts bigint[])
language sql stable security definer set search_path = '' as $$
  select v.question, max(v.answers)::bigint, array_agg(v.n order by v.place)
  from (
    select b.question, c.place, sum(c.n)::bigint as n, sum(b.answers) as answers
    from private.survey_batches b
    cross join unnest(b.counts) with ordinality as c (n, place)
    where b.id = any (p_batches)
    group by b.question, c.place
  ) v
  group by v.question
$$;
comment on function private.survey_counts(uuid[]) is
  'Batches summed up by question: how many answers, and how many chose 0, 1, … 10.';

create function private.survey_totals(p_batches uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  with asked as materialized (select * from private.survey_counts(p_batches)), agreed as (
    select a.question, p.place - 1 as value, p.n
    from asked a cross join unnest(a.counts[:6]) with ordinality as p (n, place)
    where a.question between 1 and 10
  )
  select jsonb_build_object(
    'responses', (select a.answers from asked a where a.question = 0),
    'index', (
      select 25 * (sum(g.value * g.n) / sum(g.n) - 1)
      from agreed g
      where g.question in (1, 3, 9, 10)
      having count(distinct g.question) = 4
        and (select a.answers from asked a where a.question = 0) >= 30
    ),
    'favorable', (
      select 100 * sum(g.n) filter (where g.value >= 4) / sum(g.n) from agreed g
    ),
    'score', (
      select 100 * (
        (select sum(n) from unnest(a.counts[10:]) as n)
          - (select sum(n) from unnest(a.counts[:7]) as n)
      )::numeric / a.answers
      from asked a where a.question = 11
    )
  )
$$;
comment on function private.survey_totals(uuid[]) is
  'Batches in four figures, each null without enough answers: {responses, index (of statements 1, 3, 9 and 10, 0 to 100, from 30 responses), favorable (percent of all agreement that is 4 or 5), score (net promoter score, -100 to 100)}.';

create function private.survey_summary(p_engagement_ids uuid[]) returns jsonb
language sql stable security definer set search_path = '' as $$
  select nullif(
    private.survey_totals(array(
      select b.id
      from private.survey_batches b
      join private.survey_batch_answers a on a.batch_id = b.id
      join public.survey_responses r on r.id = a.response_id
      group by b.id
      -- Only whole batches; an anonymous response has no engagement.
      having bool_and(coalesce(r.engagement_id = any (p_engagement_ids), false))
    )),
    '{"responses": null, "index": null, "favorable": null, "score": null}'
  )
$$;
comment on function private.survey_summary(uuid[]) is
  'survey_totals of the confidential responses of some engagements, from the batches that have nobody else in them; null if there are none.';

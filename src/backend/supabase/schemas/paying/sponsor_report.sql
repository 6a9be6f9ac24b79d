-- Sponsor reports: what a sponsor sees of a program. Never anything about fewer than five businesses,
-- in one reading or by comparing several.
--
-- Each night the figures of each program are worked out again, one group of businesses at a time. A
-- group's new figures take the place of the old ones only if at least five of its businesses have
-- changed since each earlier reading that it appeared in; until then the old ones stay. So the
-- difference between any two readings is about nobody or about five businesses and more. A total is
-- the sum of its groups as shown. Each January and July the readings are kept as a report. A business
-- stays in the group where it was counted first: in two groups, it would be what their sum has more
-- than the total. Readings of other programs that share businesses are compared, too.
--
-- An owner who withdraws isn't in any new reading. The ones made before stay as they are: taking
-- one business out of them would show its figures.

create table private.program_readings (
  program_id uuid not null references public.programs (id),
  figure text not null check (figure ~ '^[a-z]+(:[a-z-]+)?$'),
  version int not null,
  made_on date not null,
  -- What counts for each business: {group: {business: value}}. Nobody reads this.
  entries jsonb not null,
  primary key (program_id, figure, version)
);
comment on table private.program_readings is
  'Each reading of a figure that a sponsor has seen, with what each business added to it, so that the next one can be compared.';

create table private.program_groups (
  program_id uuid not null references public.programs (id),
  figure text not null,
  -- A postal area or an industry.
  label text not null check (char_length(label) <= 120),
  -- The group it's shown in; several small ones share one.
  position int not null,
  -- Whether a reading has it: until then, its name would say that one business has joined.
  is_shown boolean not null default false,
  primary key (program_id, figure, label)
);
comment on table private.program_groups is
  'Which group each postal area or industry is shown in. A group is never split, because the parts could be subtracted from it.';

create table public.program_reports (
  program_id uuid not null references public.programs (id),
  -- The January 1 or July 1 it was made for.
  period date not null,
  made_at timestamptz not null default now(),
  figures jsonb not null,
  primary key (program_id, period)
);
comment on table public.program_reports is 'What a sponsor was shown each January and July, for good.';

alter table private.program_readings enable row level security;
alter table private.program_groups enable row level security;
alter table public.program_reports enable row level security;
create trigger program_reports_never_change before update or delete on public.program_reports
  for each row execute function private.refuse_change();

-- What counts for each business -----------------------------------------------------------------

create function private.program_cohort(p_program_id uuid)
returns table (seat_id uuid, business_id uuid, owner_id uuid, since timestamptz, shares boolean, label text)
language sql stable security definer set search_path = '' as $$
  select distinct on (s.business_id) s.id, s.business_id, s.owner_id, s.activated_at, s.shares_figures,
    case p.groups_by
      when 'postal' then coalesce(
        nullif(pg_catalog.left(upper(replace(b.postal_code, ' ', '')), 3), ''), 'Unknown'
      )
      when 'industry' then coalesce(private.clean_line(b.industry, 120), 'Unknown')
      else 'All'
    end
  from public.seats s
  join public.programs p on p.id = s.program_id
  join public.businesses b on b.id = s.business_id
  where s.program_id = p_program_id and s.state in ('activated', 'expired') and s.withdrawn_at is null
  order by s.business_id, s.activated_at desc
$$;
comment on function private.program_cohort(uuid) is
  'The businesses that a program''s figures count: those with a seat whose owners haven''t withdrawn.';

create function private.moved_skills(p_owner_id uuid, p_business_id uuid)
returns table (area_key text, first double precision, latest double precision)
language sql stable security definer set search_path = '' as $$
  with full_ones as (
    select t.id, t.version_id, t.submitted_at from public.attempts t
    where t.user_id = p_owner_id and t.business_id = p_business_id and t.kind = 'full'
      and t.state = 'submitted'
  ),
  earlier as (select f.* from full_ones f order by f.submitted_at, f.id limit 1),
  later as (select f.* from full_ones f order by f.submitted_at desc, f.id desc limit 1)
  -- As in compare_attempts: the same questions, answered both times, with the later weights.
  select q.area_key, (100 * sum(q.weight * m.value) / (4 * sum(q.weight)))::double precision,
    (100 * sum(q.weight * n.value) / (4 * sum(q.weight)))::double precision
  from later l
  join earlier e on e.id <> l.id
  join public.quiz_questions q on q.version_id = l.version_id
  join public.quiz_questions o
    on o.version_id = e.version_id and o.key = q.key and o.meaning = q.meaning and o.area_key = q.area_key
  join public.answers n on n.attempt_id = l.id and n.question_key = q.key and n.value is not null
  join public.answers m on m.attempt_id = e.id and m.question_key = q.key and m.value is not null
  where not exists (
    select from public.area_scores x
    where x.attempt_id in (l.id, e.id) and x.area_key = q.area_key and x.score is null
  )
  group by q.area_key
$$;
comment on function private.moved_skills(uuid, uuid) is
  'An owner''s first and latest full quiz of a business, area by area, on questions whose meaning is the same.';

create function private.changed_figures(p_business_id uuid)
returns table (jobs bigint, sales_minor bigint)
language sql stable security definer set search_path = '' as $$
  with days as (
    select distinct on (s.taken_on) s.taken_on, s.full_time, s.part_time, s.revenue_minor, s.currency
    from public.business_snapshots s where s.business_id = p_business_id
    order by s.taken_on, s.created_at desc, s.id
  )
  select (
    select (array_agg(j.n order by j.taken_on desc))[1] - (array_agg(j.n order by j.taken_on))[1]
    from (
      select d.taken_on, coalesce(d.full_time, 0)::bigint + coalesce(d.part_time, 0) as n
      from days d where d.full_time is not null or d.part_time is not null
    ) j
    having count(*) > 1
  ), (
    select (array_agg(d.revenue_minor order by d.taken_on desc))[1]
      - (array_agg(d.revenue_minor order by d.taken_on))[1]
    from days d where d.revenue_minor is not null and d.currency = 'USD'
    having count(*) > 1
  )
$$;
comment on function private.changed_figures(uuid) is
  'By how much a business''s jobs (full-time and part-time) and yearly sales changed from its first to its latest figures; null with fewer than two.';

create function private.program_entries(p_program_id uuid)
returns table (figure text, label text, business_id uuid, value text)
language sql stable security definer set search_path = '' as $$
  with cohort as materialized (select * from private.program_cohort(p_program_id)),
  coached as (
    select c.business_id,
      count(e.id) > 0 as asked, coalesce(bool_or(e.state = 'completed'), false) as finished
    from cohort c
    left join public.engagements e
      on e.business_id = c.business_id and coalesce(e.closed_at, now()) >= c.since
    group by c.business_id
  ),
  held as (
    select c.business_id, count(x.id) as n
    from cohort c
    left join public.session_grants g on g.source = 'seat:' || c.seat_id
    left join public.session_uses u on u.grant_id = g.id
    left join public.coaching_sessions x on x.id = u.session_id and x.state = 'completed'
    group by c.business_id
  ),
  moved as materialized (
    select c.business_id, m.area_key, m.first, m.latest
    from cohort c cross join lateral private.moved_skills(c.owner_id, c.business_id) m
  ),
  changed as (
    select c.business_id, f.jobs, f.sales_minor
    from cohort c cross join lateral private.changed_figures(c.business_id) f
    where c.shares
  ),
  entries as (
    select 'joined' as figure, c.business_id, '1' as value from cohort c
    union all select 'asked', x.business_id, x.asked::int::text from coached x
    union all select 'started', x.business_id, (x.n > 0)::int::text from held x
    union all select 'finished', x.business_id, x.finished::int::text from coached x
    union all select 'sessions', x.business_id, x.n::text from held x
    union all select 'skill:' || m.area_key, m.business_id, m.first || ' ' || m.latest from moved m
    union all select 'overall', m.business_id, avg(m.first) || ' ' || avg(m.latest)
    from moved m group by m.business_id having count(*) >= 6
    union all select 'jobs', f.business_id, f.jobs::text from changed f where f.jobs is not null
    union all select 'sales', f.business_id, f.sales_minor::text from changed f
    where f.sales_minor is not null
  )
  select e.figure,
    -- Groups only where they mean something and can be added up.
    case when e.figure in ('joined', 'sessions', 'overall') then c.label else 'All' end,
    e.business_id, e.value
  from entries e join cohort c on c.business_id = e.business_id
$$;
comment on function private.program_entries(uuid) is
  'What each business adds to each figure of a program, before anything is held back. Never shown.';

-- Reading them ----------------------------------------------------------------------------------

create function private.changes_between(p_one jsonb, p_other jsonb) returns int
language sql immutable set search_path = '' as $$
  select count(*)::int
  from jsonb_each_text(coalesce(p_one, '{}')) a
  full join jsonb_each_text(coalesce(p_other, '{}')) b on b.key = a.key
  where a.value is distinct from b.value
$$;
comment on function private.changes_between(jsonb, jsonb) is
  'How many businesses are in only one of two readings of a group, or in both with another value.';

create function private.without_zeros(p_entries jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(e.key, e.value), '{}')
  from jsonb_each(coalesce(p_entries, '{}')) e where e.value <> '"0"'
$$;

create function private.are_too_close(p_one jsonb, p_other jsonb) returns boolean
language sql immutable set search_path = '' as $$
  -- In a sum, someone who adds nothing is the same as someone who isn't in it.
  select private.changes_between(p_one, p_other) between 1 and 4
    or private.changes_between(
      private.without_zeros(p_one), private.without_zeros(p_other)
    ) between 1 and 4
$$;
comment on function private.are_too_close(jsonb, jsonb) is
  'Whether the difference of two readings would be about one to four businesses.';

create function private.all_entries(p_groups jsonb) returns jsonb
language sql immutable set search_path = '' as $$
  select coalesce(jsonb_object_agg(e.key, e.value), '{}')
  from jsonb_each(p_groups) g cross join lateral jsonb_each(g.value) e
$$;

create function private.form_groups(p_program_id uuid, p_figure text, p_labels jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_label record;
  v_position int := 0;
  v_rest int := 0;
begin
  for v_label in
    select l.key as label, l.value::int as n from jsonb_each_text(p_labels) l
    order by l.value::int desc, l.key
  loop
    if v_label.n >= 5 then
      v_position := v_position + 1;
    elsif v_rest = 0 then
      v_position := v_position + 1;
    end if;
    if v_label.n < 5 then
      v_rest := v_rest + v_label.n;
    end if;
    insert into private.program_groups (program_id, figure, label, position)
    values (p_program_id, p_figure, v_label.label, v_position);
  end loop;
  -- The small ones together are still too few: the smallest of the others takes them in.
  if v_rest between 1 and 4 then
    update private.program_groups g set position = greatest(v_position - 1, 1)
    where g.program_id = p_program_id and g.figure = p_figure and g.position = v_position;
  end if;
end
$$;
comment on function private.form_groups(uuid, text, jsonb) is
  'Puts labels, with how many businesses each has, into groups of at least five.';

create function private.place_entries(p_program_id uuid, p_figure text, p_entries jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  -- The group of each business that has been counted.
  v_counted constant jsonb := (
    select coalesce(jsonb_object_agg(b.key, g.key order by r.version), '{}')
    from private.program_readings r
    cross join lateral jsonb_each(r.entries) g
    cross join lateral jsonb_object_keys(g.value) as b (key)
    where r.program_id = p_program_id and r.figure = p_figure
  );
begin
  -- What's new goes to the smallest group.
  insert into private.program_groups (program_id, figure, label, position)
  select distinct p_program_id, p_figure, e.value ->> 'label', coalesce((
    select g.position from private.program_groups g
    where g.program_id = p_program_id and g.figure = p_figure
    order by g.position desc limit 1
  ), 1)
  from jsonb_each(p_entries) e where not v_counted ? e.key
  on conflict do nothing;
  return (
    select coalesce(jsonb_object_agg(x.position, x.entries), '{}')
    from (
      select coalesce((v_counted ->> e.key)::int, g.position) as position,
        jsonb_object_agg(e.key, e.value -> 'value') as entries
      from jsonb_each(p_entries) e
      left join private.program_groups g
        on g.program_id = p_program_id and g.figure = p_figure and g.label = e.value ->> 'label'
      group by 1
    ) x
  );
end
$$;
comment on function private.place_entries(uuid, text, jsonb) is
  'Entries by group, {group: {business: value}}: where each was counted first or, if it''s new, its label''s.';

create function private.programs_sharing(p_program_id uuid) returns setof uuid
language sql stable security definer set search_path = '' as $$
  select distinct o.program_id
  from public.seats s
  join public.seats o on o.business_id = s.business_id and o.program_id <> s.program_id
  where s.program_id = p_program_id
$$;
comment on function private.programs_sharing(uuid) is
  'Other programs with a business of this one, such as the same sponsor''s of last year.';

create function private.can_follow(p_program_id uuid, p_figure text, p_group text, p_entries jsonb)
returns boolean
language sql stable security definer set search_path = '' as $$
  select (select count(*) from jsonb_each(coalesce(p_entries, '{}'))) >= 5 and not exists (
    select from private.program_readings r
    where r.program_id = p_program_id and r.figure = p_figure
      and (p_group is null or r.entries ? p_group)
      and private.are_too_close(
        case when p_group is null then private.all_entries(r.entries) else r.entries -> p_group end,
        p_entries
      )
  ) and not exists (
    select from private.program_readings r
    cross join lateral (
      select private.all_entries(r.entries) as entries
      union all select g.value from jsonb_each(r.entries) g
    ) shown
    where r.program_id in (select * from private.programs_sharing(p_program_id))
      -- How many have a seat is what the sponsor pays for, program by program.
      and r.figure = p_figure and p_figure <> 'joined'
      and private.are_too_close(shown.entries, p_entries)
  )
$$;
comment on function private.can_follow(uuid, text, text, jsonb) is
  'Whether a group (null: all together) with these entries can be shown after every reading before, also of programs that share businesses: it has five businesses, and none or at least five differ from each.';

create function private.read_figure(p_program_id uuid, p_figure text, p_entries jsonb) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_last record;
  v_found jsonb;
  v_new jsonb := '{}';
  v_group text;
begin
  select r.version, r.entries into v_last from private.program_readings r
  where r.program_id = p_program_id and r.figure = p_figure order by r.version desc limit 1;
  if not exists (
    select from private.program_groups g where g.program_id = p_program_id and g.figure = p_figure
  ) then
    -- Groups are formed once, so they wait until there's something to form them of.
    if (select count(*) from jsonb_each(p_entries)) < private.groups_from(p_program_id) then
      return false;
    end if;
    perform private.form_groups(p_program_id, p_figure, (
      select jsonb_object_agg(l.label, l.n) from (
        select e.value ->> 'label' as label, count(*) as n from jsonb_each(p_entries) e group by 1
      ) l
    ));
  end if;
  v_found := private.place_entries(p_program_id, p_figure, p_entries);
  for v_group in
    select k from jsonb_object_keys(v_found || coalesce(v_last.entries, '{}')) as k
  loop
    if private.can_follow(p_program_id, p_figure, v_group, v_found -> v_group) then
      v_new := v_new || jsonb_build_object(v_group, v_found -> v_group);
    elsif v_last.entries ? v_group then
      v_new := v_new || jsonb_build_object(v_group, v_last.entries -> v_group);
    end if;
  end loop;
  if v_new = coalesce(v_last.entries, '{}')
    or not private.can_follow(p_program_id, p_figure, null, private.all_entries(v_new))
  then
    return false;
  end if;
  insert into private.program_readings (program_id, figure, version, made_on, entries)
  values (p_program_id, p_figure, coalesce(v_last.version, 0) + 1, private.coaching_day(), v_new);
  update private.program_groups g set is_shown = true
  where g.program_id = p_program_id and g.figure = p_figure and not g.is_shown
    and v_new -> g.position::text = v_found -> g.position::text;
  return true;
end
$$;
comment on function private.read_figure(uuid, text, jsonb) is
  'Makes a new reading of a figure from {business: {label, value}} if nobody can tell fewer than five businesses from it and the ones before; whether it did.';

create function private.groups_from(p_program_id uuid) returns int
language sql stable security definer set search_path = '' as $$
  select case when p.groups_by = 'none' then 5
    else greatest(5, least(10, (
      -- More than 20 make no difference.
      select count(*)::int from (
        select from public.seats s where s.program_id = p.id and s.state <> 'revoked' limit 20
      ) x
    ) / 2)) end
  from public.programs p where p.id = p_program_id
$$;
comment on function private.groups_from(uuid) is
  'From how many businesses on a program''s figures are shown.';

create function private.read_program(p_program_id uuid) returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_figure record;
  v_count int := 0;
begin
  perform private.one_at_a_time('program_reading', p_program_id);
  for v_figure in
    select e.figure, jsonb_object_agg(
      e.business_id, jsonb_build_object('label', e.label, 'value', e.value)
    ) as entries
    from private.program_entries(p_program_id) e group by e.figure order by e.figure
  loop
    v_count := v_count
      + private.read_figure(p_program_id, v_figure.figure, v_figure.entries)::int;
  end loop;
  return v_count;
end
$$;

create function private.read_programs() returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_program record;
  v_count int := 0;
begin
  for v_program in
    select p.id from public.programs p
    where p.has_report and p.ends_on + 400 > private.coaching_day() order by p.id
  loop
    v_count := v_count + private.read_program(v_program.id);
  end loop;
  return jsonb_build_object('readings', v_count, 'reports', private.make_reports());
end
$$;
comment on function private.read_programs() is
  'Each night: new readings of every program''s figures, where that tells nobody''s; and in January and July the reports.';
insert into private.jobs (kind, every) values ('read_programs', interval '1 day');

-- What a sponsor sees ---------------------------------------------------------------------------

create function private.safe_count(p_count bigint, p_of bigint) returns bigint
language sql immutable set search_path = '' as $$
  -- 23 of 25 would say something about two.
  select case when p_of >= 5 and (p_count = 0 or p_count >= 5)
    and (p_of = p_count or p_of - p_count >= 5) then p_count end
$$;
comment on function private.safe_count(bigint, bigint) is
  'A count of businesses, unless it or the rest are one to four; then null.';

create function private.figure_value(p_figure text, p_entries jsonb) returns jsonb
language plpgsql immutable set search_path = '' as $$
declare
  v_count bigint;
  -- By fives: one more would be about one business.
  v_at_least bigint;
begin
  select count(*) into v_count from jsonb_each_text(p_entries);
  v_at_least := v_count / 5 * 5;
  if v_count < 5 then
    return null;
  elsif p_figure = 'joined' then
    return jsonb_build_object('businesses', v_count);
  elsif p_figure in ('asked', 'started', 'finished') then
    return (
      select jsonb_build_object('value', private.safe_count(sum(e.value::int), v_count))
      from jsonb_each_text(p_entries) e
    );
  elsif p_figure = 'sessions' then
    -- Of which one to four businesses had some, or one more than half, they would be those businesses'.
    return (
      select jsonb_build_object('value', case
        when count(*) filter (where e.value <> '0') not between 1 and 4
          and 2 * max(e.value::int) <= sum(e.value::int) then sum(e.value::int) end)
      from jsonb_each_text(p_entries) e
    );
  elsif p_figure in ('jobs', 'sales') then
    -- Where one business is more than half of it, the figure would be that business's. Sales are
    -- rounded to $1,000.
    return (
      select jsonb_build_object('at_least', v_at_least, 'value', case
        when 2 * max(abs(e.value::bigint)) <= sum(abs(e.value::bigint)) then case p_figure
          when 'sales' then pg_catalog.round(sum(e.value::bigint), -5)::bigint
          else sum(e.value::bigint) end end)
      from jsonb_each_text(p_entries) e
    );
  end if;
  return (
    select jsonb_build_object(
      'at_least', v_at_least,
      'first', round(percentile_cont(0.5) within group (order by x.first)),
      'latest', round(percentile_cont(0.5) within group (order by x.latest)),
      'change', round(avg(x.latest - x.first)::numeric, 1)
    )
    from (
      select split_part(e.value, ' ', 1)::float8 as first, split_part(e.value, ' ', 2)::float8 as latest
      from jsonb_each_text(p_entries) e
    ) x
  );
end
$$;
comment on function private.figure_value(text, jsonb) is
  'What a group''s entries come to; null for fewer than five businesses.';

create function private.figure_json(p_program_id uuid, p_figure text) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.figure_value(p_figure, private.all_entries(r.entries))
    -- The total less the other groups would be the group that isn't shown.
    || case when g.hides_one then '{"value": null}' else '{}'::jsonb end
    || jsonb_build_object('made_on', r.made_on, 'groups', coalesce(g.groups, '[]'))
  from private.program_readings r
  cross join lateral (
    select bool_or(v.figure -> 'value' = 'null') as hides_one, jsonb_agg(
      v.figure || jsonb_build_object('labels', array(
        select x.label from private.program_groups x
        where x.program_id = p_program_id and x.figure = p_figure and x.position = v.position
          and x.is_shown
        order by x.label
      )) order by v.position
    ) as groups
    from (
      select e.key::int as position, private.figure_value(p_figure, e.value) as figure
      from jsonb_each(r.entries) e
    ) v
  ) g
  where r.program_id = p_program_id and r.figure = p_figure
  order by r.version desc limit 1
$$;

create function private.program_figures(p_program_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_asked bigint := (private.figure_json(p_program_id, 'asked') ->> 'value')::bigint;
  v_started bigint := (private.figure_json(p_program_id, 'started') ->> 'value')::bigint;
  v_finished bigint := (private.figure_json(p_program_id, 'finished') ->> 'value')::bigint;
begin
  -- Steps of the same businesses could be subtracted from each other.
  if abs(v_asked - v_started) between 1 and 4 then
    v_started := null;
  end if;
  if abs(v_asked - v_finished) between 1 and 4 or abs(v_started - v_finished) between 1 and 4 then
    v_finished := null;
  end if;
  return jsonb_build_object(
    'joined', private.figure_json(p_program_id, 'joined'),
    'asked', v_asked, 'started', v_started, 'finished', v_finished,
    'sessions', private.figure_json(p_program_id, 'sessions'),
    'overall', private.figure_json(p_program_id, 'overall'),
    'skills', (
      select coalesce(jsonb_agg(
        (private.figure_json(p_program_id, 'skill:' || k.key) - 'groups') || jsonb_build_object('area', k.key, 'name', k.name)
        order by k.position
      ), '[]')
      from public.skill_areas k
      where private.figure_json(p_program_id, 'skill:' || k.key) is not null
    ),
    'jobs', private.figure_json(p_program_id, 'jobs') - 'groups',
    'sales', private.figure_json(p_program_id, 'sales') - 'groups',
    'survey', private.survey_summary(array(
      select e.id from private.program_cohort(p_program_id) c
      join public.engagements e on e.business_id = c.business_id
    ))
  );
end
$$;
comment on function private.program_figures(uuid) is
  'What a sponsor sees: {joined, sessions and overall ({businesses (of joined), value, or at_least (businesses, a multiple of five), first, latest and change; made_on, groups with labels}), asked, started, finished (counts), skills ([{area, name, first, latest, …}]), jobs and sales (changes; cents), survey}; null where it would be about fewer than five businesses.';

-- Reports ---------------------------------------------------------------------------------------

create function private.make_reports() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_day constant date := private.coaching_day();
  v_period constant date := make_date(
    extract(year from v_day)::int, case when extract(month from v_day) < 7 then 1 else 7 end, 1
  );
  v_program record;
  v_count int := 0;
begin
  for v_program in
    select p.id, p.name from public.programs p
    where p.has_report and p.starts_on < v_period and p.ends_on >= v_period - 183
      and not exists (
        select from public.program_reports r where r.program_id = p.id and r.period = v_period
      )
    order by p.id
  loop
    insert into public.program_reports (program_id, period, figures)
    values (v_program.id, v_period, private.program_figures(v_program.id));
    perform private.notify(
      u.id, 'order', 'report:' || v_program.id || ':' || v_period,
      'Your report on ' || v_program.name || ' is ready',
      'It’s for ' || to_char(v_period, 'FMMonth YYYY') || '. You can print it or download it as CSV.',
      '/dashboard/programs/' || v_program.id, 'Read the report'
    )
    from public.program_sponsors s
    join auth.users u on lower(u.email) = s.address and u.email_confirmed_at is not null
    where s.program_id = v_program.id;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.make_reports() is
  'Keeps the readings of each program as its report of this January or July, once, and tells its sponsors; how many.';

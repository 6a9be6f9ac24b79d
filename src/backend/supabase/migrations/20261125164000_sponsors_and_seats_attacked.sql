SET local check_function_bodies = off;

ALTER TABLE "private"."program_groups"
  ADD COLUMN "is_shown" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.are_too_close (
  p_one   jsonb,
  p_other jsonb
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- In a sum, someone who adds nothing is the same as someone who isn't in it.
  select private.changes_between(p_one, p_other) between 1 and 4
    or private.changes_between(
      private.without_zeros(p_one), private.without_zeros(p_other)
    ) between 1 and 4
$function$;

CREATE OR REPLACE FUNCTION private.can_follow (
  p_program_id uuid,
  p_figure     text,
  p_group      text,
  p_entries    jsonb
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.figure_json (
  p_program_id uuid,
  p_figure     text
)
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.figure_value (
  p_figure  text,
  p_entries jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.place_entries (
  p_program_id uuid,
  p_figure     text,
  p_entries    jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.programs_sharing (
  p_program_id uuid
)
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select distinct o.program_id
  from public.seats s
  join public.seats o on o.business_id = s.business_id and o.program_id <> s.program_id
  where s.program_id = p_program_id
$function$;

CREATE OR REPLACE FUNCTION private.read_figure (
  p_program_id uuid,
  p_figure     text,
  p_entries    jsonb
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.without_zeros (
  p_entries jsonb
)
  RETURNS jsonb
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_object_agg(e.key, e.value), '{}')
  from jsonb_each(coalesce(p_entries, '{}')) e where e.value <> '"0"'
$function$;

COMMENT ON FUNCTION "private"."are_too_close"(jsonb, jsonb) IS 'Whether the difference of two readings would be about one to four businesses.';

COMMENT ON FUNCTION "private"."can_follow"(uuid, text, text, jsonb) IS 'Whether a group (null: all together) with these entries can be shown after every reading before, also of programs that share businesses: it has five businesses, and none or at least five differ from each.';

COMMENT ON FUNCTION "private"."place_entries"(uuid, text, jsonb) IS 'Entries by group, {group: {business: value}}: where each was counted first or, if it''s new, its label''s.';

COMMENT ON FUNCTION "private"."programs_sharing"(uuid) IS 'Other programs with a business of this one, such as the same sponsor''s of last year.';

REVOKE ALL ON FUNCTION "private"."are_too_close"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."programs_sharing"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."without_zeros"(jsonb) FROM PUBLIC;

-- Labels that sponsors have seen already.
update private.program_groups set is_shown = true;

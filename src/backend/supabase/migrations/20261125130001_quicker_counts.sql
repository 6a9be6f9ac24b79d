SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.groups_from (
  p_program_id uuid
)
  RETURNS integer
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case when p.groups_by = 'none' then 5
    else greatest(5, least(10, (
      -- More than 20 make no difference.
      select count(*)::int from (
        select from public.seats s where s.program_id = p.id and s.state <> 'revoked' limit 20
      ) x
    ) / 2)) end
  from public.programs p where p.id = p_program_id
$function$;

CREATE OR REPLACE FUNCTION private.weekly_counts (
  p_from text,
  p_at   text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  c_weeks constant int := 12;
  v_counts jsonb;
begin
  execute format(
    $q$
      select jsonb_agg((
        -- Week by week, each a range of an index.
        select count(*) from %2$s
          and %3$s > now() - (%1$s + 1 - w.week) * interval '1 week'
          and %3$s <= now() - (%1$s - w.week) * interval '1 week'
      ) order by w.week)
      from generate_series(1, %1$s) as w (week)
    $q$,
    c_weeks, p_from, p_at
  ) into v_counts;
  return v_counts;
end
$function$;

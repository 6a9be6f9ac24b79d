SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.coaching_funnel()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select jsonb_agg(jsonb_build_object(
    'state', s.state, 'count', n.count, 'late', n.late,
    'median_hours', round(n.median_hours::numeric, 1)
  ) order by s.place)
  from unnest(array['requested', 'assigned', 'accepted', 'active', 'paused'])
    with ordinality as s (state, place)
  -- One state at a time, because grouping would sort all of them by the words of their state.
  cross join lateral (
    select count(*) as count,
      -- As private.is_late, which would be called for each of them.
      count(*) filter (where e.due_at < now() and e.due_what <> 'session') as late,
      percentile_cont(0.5) within group (
        order by extract(epoch from now() - e.state_since) / 3600
      ) as median_hours
    from public.engagements e where e.closed_at is null and e.state = s.state
  ) n
$function$;

COMMENT ON FUNCTION "private"."coaching_funnel"() IS 'Open engagements by state: [{state, count, late, median_hours (how long they have been in it, the median; null without any)}].';

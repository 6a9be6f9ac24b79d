SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.day_start (
  p_day date
)
  RETURNS timestamp WITH time zone
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select p_day::timestamp at time zone private.time_zone_of((select auth.uid()))
$function$;

CREATE OR REPLACE FUNCTION private.is_reading (
  p_action text
)
  RETURNS boolean
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  select p_action ~ '\.(list|read|summary|compare|preview_merge|check_import)$'
$function$;

CREATE OR REPLACE FUNCTION public.admin_audit (
  p_filter jsonb   DEFAULT '{}'::jsonb,
  p_place  jsonb   DEFAULT NULL::jsonb,
  p_limit  integer DEFAULT NULL::integer
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('audit.list', 'audit', null, null, p_filter);
  return private.list_page(
    'public.audit_log r',
    $row$
      jsonb_build_object(
        'at', r.at, 'action', r.action, 'entity', r.entity, 'entity_id', r.entity_id,
        'reason', r.reason, 'details', r.details,
        'actor', case when r.actor_id is not null then jsonb_build_object(
          'id', r.actor_id,
          'name', (select p.full_name from public.profiles p where p.user_id = r.actor_id)
        ) end,
        'about', case r.entity
          when 'user' then (select p.full_name from public.profiles p where p.user_id::text = r.entity_id)
          when 'business' then (select b.name from public.businesses b where b.id::text = r.entity_id)
          when 'project' then (select p.title from public.projects p where p.id::text = r.entity_id)
        end
      )
    $row$,
    array[
      case when p_filter ? 'words' then
        '(r.actor_id = any (private.people_called($1 ->> ''words'')) or r.entity = ''user'' and r.entity_id = any (private.people_called($1 ->> ''words'')::text[]))'
      end,
      case when p_filter ? 'person' then
        '(r.actor_id = ($1 ->> ''person'')::uuid or r.entity = ''user'' and r.entity_id = $1 ->> ''person'')'
      end,
      case when p_filter ? 'business' then
        '(r.entity = ''business'' and r.entity_id = $1 ->> ''business'' or r.details ->> ''business_id'' = $1 ->> ''business'')'
      end,
      case when p_filter ? 'action' then 'r.action = $1 ->> ''action''' end,
      case p_filter ->> 'kind'
        when 'changes' then 'not private.is_reading(r.action)'
        when 'reads' then 'private.is_reading(r.action)'
      end,
      case when p_filter ? 'from' then
        $where$r.at >= private.day_start(($1 ->> 'from')::date)$where$
      end,
      case when p_filter ? 'to' then
        $where$r.at < private.day_start(($1 ->> 'to')::date + 1)$where$
      end
    ],
    'r.at', 'timestamptz', true, p_filter, p_place, p_limit, p_id_type => 'bigint'
  );
end
$function$;

COMMENT ON FUNCTION "private"."day_start"(date) IS 'When a day begins where the caller is.';

COMMENT ON FUNCTION "private"."is_reading"(text) IS 'Whether an action of the audit log only read something.';

COMMENT ON FUNCTION "public"."admin_audit"(jsonb, jsonb, integer) IS 'A page of the audit log, newest first, by {words (of a person''s name, email or business), person, business, action, kind ("changes", "reads"), from, to (days where the caller is)}; see list_page.';

REVOKE ALL ON FUNCTION "private"."day_start"(date) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_reading"(text) FROM PUBLIC;

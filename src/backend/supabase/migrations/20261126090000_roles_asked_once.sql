SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.attempt_ids_shared_with_me()
  RETURNS SETOF uuid
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select a.id
  from private.my_clients() c
  join public.attempts a on a.user_id = c.owner_id and a.business_id = c.business_id
  where c.results_shared and a.state = 'submitted'
    -- Asked first, so that an owner's page doesn't look for clients with every policy.
    and (select private.is_coach())
$function$;

CREATE OR REPLACE FUNCTION private.is_admin()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.staff_roles s where s.user_id = (select auth.uid()) and s.role = 'admin'
  )
$function$;

CREATE OR REPLACE FUNCTION private.is_coach()
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.staff_roles s where s.user_id = (select auth.uid()) and s.role = 'coach'
  )
$function$;

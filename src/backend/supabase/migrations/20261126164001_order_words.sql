SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.order_words (
  p_order_id uuid
)
  RETURNS text
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select case count(*) when 1 then 'the ' || lower(min(l.description)) else 'your order' end
  from public.order_lines l where l.order_id = p_order_id
$function$;

COMMENT ON FUNCTION "private"."order_words"(uuid) IS 'What an order is about, in a sentence: the session pack.';

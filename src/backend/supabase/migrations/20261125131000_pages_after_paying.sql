SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.get_checkout (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object('state', o.state, 'checkout_ref', o.checkout_ref)
    from public.orders o where o.id = p_id and o.buyer_id = v_user_id
  );
end
$function$;

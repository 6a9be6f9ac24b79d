SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION private.tell_of_payment (
  p_order_id uuid
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.notify(
    o.buyer_id, 'order', 'paid:' || o.id, 'We’ve received your payment',
    private.money_words(o.paid_minor, o.currency) || ' for ' || private.order_words(o.id)
      || E'.\nYour receipt is with your orders.',
    case o.method when 'card' then '/dashboard/orders/' else '/purchase/success?order=' end || o.id,
    'Your receipt'
  )
  from public.orders o where o.id = p_order_id and o.buyer_id is not null
$function$;

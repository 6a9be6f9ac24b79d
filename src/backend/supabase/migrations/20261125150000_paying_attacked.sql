SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.start_checkout (
  p_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_id);
begin
  perform private.require_rate_limit(
    'checkout:' || v_order.buyer_id, 30, interval '1 hour',
    'You’ve opened the checkout often. Try again %s.'
  );
  if v_order.method <> 'card' or v_order.total_minor = 0 then
    raise exception 'This order isn’t paid by card.' using errcode = '22023', hint = 'method';
  end if;
  if v_order.state <> 'pending' then
    if exists (
      select from public.order_lines l
      join public.plans p on p.key = l.plan_key and p.gives = 'membership'
      where l.order_id = p_id
    ) and exists (
      select from public.memberships m join public.orders o on o.id = m.order_id
      where o.business_id = v_order.business_id and o.id <> p_id and m.state <> 'ended'
    ) then
      raise exception 'This business already has a membership.' using errcode = '55000', hint = 'plan';
    end if;
    -- It may have been ordered while there was a membership.
    if exists (
      select from public.order_lines l
      join public.plans p on p.key = l.plan_key and p.for_members
      where l.order_id = p_id
    ) and not exists (
      select from public.memberships m join public.orders o on o.id = m.order_id
      where o.business_id = v_order.business_id and m.state <> 'ended'
    ) then
      raise exception 'Extra sessions come with a membership.' using errcode = '55000', hint = 'plan';
    end if;
    perform private.take_order_step(v_order, 'pending', 'buyer');
    update public.orders o set checkout_ref = null where o.id = p_id returning * into v_order;
  end if;
  return jsonb_build_object(
    'order', private.order_json(v_order),
    'checkout_ref', v_order.checkout_ref,
    'try', (
      select count(*) from public.order_events e where e.order_id = p_id and e.to_state = 'pending'
    ),
    -- One customer at Stripe per buyer.
    'customer_ref', (
      select o.customer_ref from public.orders o
      where o.buyer_id = v_order.buyer_id and o.customer_ref is not null
      order by o.created_at desc, o.id limit 1
    )
  );
end
$function$;

DROP INDEX public.prices_plan_key_idx;
CREATE INDEX prices_earlier_idx ON public.prices (plan_key, every, ended_at);

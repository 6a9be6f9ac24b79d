SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION public.refund_payment (
  p_id           uuid,
  p_order_id     uuid,
  p_payment_id   uuid,
  p_amount_minor bigint,
  p_reason       text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_ref constant text := 'refund:' || p_id;
  v_reason text;
  v_order public.orders;
  v_payment public.payments;
  v_open bigint;
  v_disputed bigint;
begin
  perform private.require_admin();
  v_reason := left(private.require_reason(p_reason), 500);
  select * into v_payment from public.payments p
  where p.id = p_payment_id and p.order_id = p_order_id;
  -- A payment before its order, like every report of the payment company.
  perform private.hold_payment(v_payment.ref) where v_payment.id is not null;
  v_order := private.desk_order(p_order_id);
  if v_payment.id is null then
    raise exception 'We can’t find this payment.' using errcode = 'P0002', hint = 'payment_id';
  end if;
  if exists (select from public.refunds r where r.ref = v_ref and r.payment_ref = v_payment.ref) then
    return private.desk_order_json(p_order_id);
  end if;
  if p_id is null then
    raise exception 'A refund needs an id.' using errcode = '22023', hint = 'id';
  end if;
  select s.amount_minor - s.back_minor - s.disputed_minor, s.disputed_minor into v_open, v_disputed
  from private.payment_sums(p_order_id) s where s.id = p_payment_id;
  if v_disputed > 0 then
    raise exception 'The bank is deciding about this payment. A refund now could pay it back twice.'
      using errcode = '55000', hint = 'payment_id';
  end if;
  if v_open = 0 then
    raise exception 'This payment has been refunded.' using errcode = '55000', hint = 'payment_id';
  end if;
  if p_amount_minor is null or p_amount_minor not between 1 and v_open then
    raise exception 'Enter an amount up to %, which is what’s left of the payment.',
      private.money_words(v_open, v_order.currency) using errcode = '22023', hint = 'amount_minor';
  end if;
  if v_payment.method = 'card' then
    insert into private.jobs (kind, payload)
    values ('send_refund', jsonb_build_object(
      'refund_id', p_id, 'order_id', p_order_id, 'payment_ref', v_payment.ref,
      'amount_minor', p_amount_minor
    ));
  end if;
  perform private.report_refund(
    v_ref, v_payment.ref, p_amount_minor,
    case v_payment.method when 'card' then 'pending' else 'succeeded' end,
    -- Whatever the payment company says about it is newer, by any clock.
    to_timestamp(0), v_reason
  );
  perform private.audit('order.refund', 'order', p_order_id::text, v_reason,
    jsonb_build_object('payment_id', p_payment_id, 'amount_minor', p_amount_minor));
  return private.desk_order_json(p_order_id);
end
$function$;

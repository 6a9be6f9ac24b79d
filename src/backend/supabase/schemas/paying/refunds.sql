-- Refunds: an admin gives back a payment or part of one. A card's is sent by a background job, once;
-- a check's or transfer's was sent by hand, and is recorded.

create function private.refund_basis(p_order public.orders)
returns table (
  payment_id uuid, method text, amount_minor bigint, received_at timestamptz, open_minor bigint,
  disputed_minor bigint, unit text, units int, unused int, needed int, base_minor bigint,
  gone_minor bigint
)
language sql stable security definer set search_path = '' as $$
  with line as (
    select l.position, l.quantity, l.every, p.gives, p.sessions
    from public.order_lines l join public.plans p on p.key = l.plan_key and p.gives <> 'nothing'
    where l.order_id = p_order.id order by l.position limit 1
  ),
  -- What's left of it: of a pack, sessions nobody used or has booked; of a group's order, seats nobody
  -- activated.
  planned as (
    select b.times, private.covered(p_order.business_id, b.times) as covered
    from private.booked_times(p_order.business_id) as b (times)
  ),
  pack as (
    select coalesce(sum(g.sessions - least(g.used, g.sessions)), 0)::int as unused,
      (select p.covered - private.covered(p_order.business_id, p.times, coalesce(array_agg(g.id), '{}')) from planned p) as needed
    from private.grants_of(p_order.business_id) g where g.order_id = p_order.id
  ),
  seat as (
    select count(*)::int as unused
    from public.seats s join public.programs p on p.id = s.program_id
    where p.order_id = p_order.id and s.state in ('unassigned', 'assigned')
  )
  select s.id, p.method, s.amount_minor, s.received_at,
    s.amount_minor - s.back_minor - s.disputed_minor, s.disputed_minor, b.*
  from private.payment_sums(p_order.id) s
  join public.payments p on p.id = s.id
  cross join line
  cross join lateral (
    select 'month', case line.every when 'year' then 12 else 1 end,
      (count(*) filter (where later.is_spare))::int, (count(*) filter (where not later.is_spare))::int,
      s.amount_minor, s.back_minor + s.disputed_minor
    from (
      -- Months that haven't started; a refund takes back the last ones first.
      select planned.covered = private.covered(
        p_order.business_id, planned.times, array_agg(g.id) over (order by g.starts_at desc)
      ) as is_spare
      from public.session_grants g cross join planned
      where g.source like 'payment:' || s.id || ':%' and g.starts_at > now() and g.sessions > 0
    ) later
    having line.gives = 'membership'
    union all
    select 'session', line.quantity * line.sessions, pack.unused - pack.needed, pack.needed,
      p_order.total_minor,
      greatest(
        p_order.total_minor - p_order.paid_minor + p_order.refunded_minor + p_order.disputed_minor, 0
      )
    from pack
    where line.gives <> 'membership' and p_order.business_id is not null
    union all
    select 'seat', line.quantity, seat.unused, 0, p_order.total_minor,
      greatest(
        p_order.total_minor - p_order.paid_minor + p_order.refunded_minor + p_order.disputed_minor, 0
      )
    from seat
    where line.gives <> 'membership' and p_order.business_id is null
  ) as b (unit, units, unused, needed, base_minor, gone_minor)
$$;
comment on function private.refund_basis(public.orders) is
  'Each payment of an order with what can be refunded of it (open_minor), and what that withdraws: units (sessions, months or seats) cost base_minor, gone_minor of it isn''t paid anymore, this many are unused, and needed ones besides those are for sessions that are scheduled. See private.kept_share.';

create function public.admin_refund_basis(p_order_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.desk_order(p_order_id);
begin
  perform private.audit('order.read', 'order', p_order_id::text);
  return (
    select coalesce(jsonb_agg(to_jsonb(b) order by b.received_at desc, b.payment_id), '[]')
    from (
      select * from private.refund_basis(v_order) x order by x.received_at desc, x.payment_id limit 50
    ) b
  );
end
$$;
comment on function public.admin_refund_basis(uuid) is
  'What an admin sees before refunding: the latest payments of an order, newest first, as private.refund_basis.';
grant execute on function public.admin_refund_basis(uuid) to authenticated;

create function public.refund_payment(
  p_id uuid, p_order_id uuid, p_payment_id uuid, p_amount_minor bigint, p_reason text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function public.refund_payment(uuid, uuid, uuid, bigint, text) is
  'An admin refunds a payment or part of it, once per id, with a reason that the buyer reads; what isn''t paid for anymore is withdrawn right away. A card''s refund is sent by a job, a check''s or transfer''s was sent by hand; the order, as private.desk_order_json.';
grant execute on function public.refund_payment(uuid, uuid, uuid, bigint, text) to authenticated;

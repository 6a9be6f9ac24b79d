SET local check_function_bodies = off;

DROP FUNCTION "private"."tell_of_refund"(uuid);

ALTER TABLE "public"."prices"
  ADD COLUMN "by_admin" boolean NOT NULL DEFAULT false;

CREATE OR REPLACE FUNCTION private.end_left_memberships()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_count int;
begin
  perform private.queue_membership_end(o.id, 'now')
  from public.memberships m join public.orders o on o.id = m.order_id
  where m.state <> 'ended' and o.buyer_id is null;
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.end_membership_of_deleted()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.queue_membership_end(new.id, 'now');
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.kept_share (
  p_of   integer,
  p_paid bigint,
  p_gone bigint
)
  RETURNS integer
  LANGUAGE sql
  IMMUTABLE
  SET search_path TO ''
  AS $function$
  -- A session goes back when its whole price does, rounded down to the cent, which is what refunding
  -- unused sessions pays. Part of a price takes none back.
  select case
    when p_paid <= 0 then 0
    when p_gone <= 0 then p_of
    else p_of - least(p_of, pg_catalog.ceil(p_of::numeric * (p_gone + 1) / p_paid)::int - 1)
  end
$function$;

CREATE OR REPLACE FUNCTION private.price_for (
  p_plan        public.plans,
  p_every       text,
  p_method      text,
  p_quantity    integer,
  p_business_id uuid
)
  RETURNS public.prices
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_price public.prices;
begin
  if p_plan.key is null or p_plan.gives = 'nothing' then
    raise exception 'We don’t sell this. Choose a plan.' using errcode = '22023', hint = 'plan';
  end if;
  select * into v_price from public.prices p
  where p.plan_key = p_plan.key and p.every = p_every and p.ended_at is null;
  if v_price.id is null and (p_plan.gives = 'seat' and p_every = 'once') is not true then
    raise exception 'Choose how you’d like to pay: %.', (
      select string_agg(case p.every when 'once' then 'once' when 'month' then 'monthly' else 'yearly' end,
        ' or ' order by p.every)
      from public.prices p where p.plan_key = p_plan.key and p.ended_at is null
    ) using errcode = '22023', hint = 'every';
  end if;
  if p_quantity is null or p_quantity not between p_plan.fewest and p_plan.most then
    raise exception 'Enter a number from % to %.', p_plan.fewest, p_plan.most
      using errcode = '22023', hint = 'quantity';
  end if;
  if p_plan.gives = 'seat' and p_business_id is not null then
    raise exception 'Seats are bought for a group, not for one business.'
      using errcode = '22023', hint = 'business_id';
  end if;
  if p_business_id is null and (p_plan.gives = 'membership' or p_plan.for_members) then
    raise exception 'Choose the business it’s for.' using errcode = '22023', hint = 'business_id';
  end if;
  if p_method = 'card' and (p_plan.gives = 'seat' or p_business_id is null) then
    raise exception 'Seats and packs for a group are bought by purchase order.'
      using errcode = '22023', hint = 'method';
  end if;
  if p_method = 'purchase_order' and p_every <> 'once' then
    raise exception 'A membership is paid by card.' using errcode = '22023', hint = 'method';
  end if;
  if p_plan.gives = 'membership' and exists (
    select from public.memberships m join public.orders o on o.id = m.order_id
    where o.business_id = p_business_id and m.state <> 'ended'
  ) then
    raise exception 'This business already has a membership.' using errcode = '55000', hint = 'plan';
  end if;
  if p_plan.for_members and not exists (
    select from public.memberships m join public.orders o on o.id = m.order_id
    where o.business_id = p_business_id and m.state <> 'ended'
  ) then
    raise exception 'Extra sessions come with a membership.' using errcode = '55000', hint = 'plan';
  end if;
  return v_price;
end
$function$;

CREATE OR REPLACE FUNCTION private.price_rows()
  RETURNS jsonb
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select coalesce(jsonb_agg(jsonb_build_object(
    'plan_key', p.key, 'name', p.name, 'every', c.every, 'amount_minor', c.amount_minor,
    'currency', c.currency, 'since', c.created_at,
    'earlier', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'amount_minor', e.amount_minor, 'currency', e.currency, 'until', e.ended_at
      ) order by e.ended_at desc), '[]')
      from (
        select * from public.prices x
        where x.plan_key = c.plan_key and x.every = c.every and x.ended_at is not null
        order by x.ended_at desc limit 5
      ) e
    )
  ) order by p.position, array_position(array['once', 'month', 'year'], c.every)), '[]')
  from public.prices c join public.plans p on p.key = c.plan_key
  where c.ended_at is null
$function$;

CREATE OR REPLACE FUNCTION private.queue_membership_end (
  p_order_id uuid,
  p_when     text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.jobs (kind, payload)
  select 'end_membership', jsonb_build_object('order_id', m.order_id, 'ref', m.ref, 'when', p_when)
  from public.memberships m
  where m.order_id = p_order_id and m.state <> 'ended'
    and not exists (
      select from private.jobs j
      where j.kind = 'end_membership' and j.state in ('waiting', 'running')
        and j.payload ->> 'ref' = m.ref and j.payload ->> 'when' = p_when
    )
$function$;

CREATE OR REPLACE FUNCTION private.refund_basis (
  p_order public.orders
)
  RETURNS TABLE (
    payment_id     uuid,
    method         text,
    amount_minor   bigint,
    received_at    timestamp with time zone,
    open_minor     bigint,
    disputed_minor bigint,
    unit           text,
    units          integer,
    unused         integer,
    base_minor     bigint,
    gone_minor     bigint
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  with line as (
    select l.position, l.quantity, l.every, p.gives, p.sessions
    from public.order_lines l join public.plans p on p.key = l.plan_key and p.gives <> 'nothing'
    where l.order_id = p_order.id order by l.position limit 1
  ),
  -- What's left of it: of a pack, sessions nobody used; of a group's order, seats nobody activated.
  pack as (
    select coalesce(sum(g.sessions - least(g.used, g.sessions)), 0)::int as unused
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
    select 'month', case line.every when 'year' then 12 else 1 end, (
      -- Months that haven't started.
      select count(*)::int from public.session_grants g
      where g.source like 'payment:' || s.id || ':%' and g.starts_at > now() and g.sessions > 0
    ), s.amount_minor, s.back_minor + s.disputed_minor
    where line.gives = 'membership'
    union all
    select case when p_order.business_id is null then 'seat' else 'session' end,
      line.quantity * case when p_order.business_id is null then 1 else line.sessions end,
      case when p_order.business_id is null then (select unused from seat) else (select unused from pack) end,
      p_order.total_minor,
      greatest(
        p_order.total_minor - p_order.paid_minor + p_order.refunded_minor + p_order.disputed_minor, 0
      )
    where line.gives <> 'membership'
  ) as b (unit, units, unused, base_minor, gone_minor)
$function$;

CREATE OR REPLACE FUNCTION private.report_membership (
  p_order_id         uuid,
  p_ref              text,
  p_state            text,
  p_period_ends_at   timestamp with time zone,
  p_ends_with_period boolean,
  p_reported_at      timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform from public.orders o where o.id = p_order_id for update;
  if not found then
    raise exception 'There’s no order for this membership.' using errcode = 'P0002', hint = 'order_id';
  end if;
  insert into public.memberships as m (
    order_id, ref, state, period_ends_at, ends_with_period, reported_at
  ) values (
    p_order_id, p_ref, p_state, p_period_ends_at, p_ends_with_period, p_reported_at
  )
  on conflict (order_id) do update set
    state = excluded.state, period_ends_at = excluded.period_ends_at,
    ends_with_period = excluded.ends_with_period, reported_at = excluded.reported_at
  where m.ref = excluded.ref
    -- Two reports of the same second: one that has ended stays ended, the later period is the newer
    -- one, and any other difference is decided the same way in whatever order they arrive.
    and (
      excluded.reported_at, excluded.state = 'ended',
      coalesce(excluded.period_ends_at, '-infinity'), excluded.state = 'active',
      excluded.ends_with_period
    ) > (
      m.reported_at, m.state = 'ended', coalesce(m.period_ends_at, '-infinity'),
      m.state = 'active', m.ends_with_period
    );
  if found then
    perform private.tell_of_membership(p_order_id);
  end if;
  -- It may have been bought a moment before the account was deleted.
  perform private.queue_membership_end(o.id, 'now') from public.orders o
  where o.id = p_order_id and o.buyer_id is null;
end
$function$;

CREATE OR REPLACE FUNCTION private.report_payment (
  p_order_id         uuid,
  p_ref              text,
  p_method           text,
  p_amount_minor     bigint,
  p_currency         text,
  p_received_at      timestamp with time zone,
  p_period_starts_at timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_period_ends_at   timestamp with time zone DEFAULT NULL::timestamp WITH time zone,
  p_note             text                     DEFAULT NULL::text
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
  v_new boolean;
begin
  perform private.hold_payment(p_ref);
  select * into v_order from public.orders o where o.id = p_order_id for update;
  if not found or v_order.currency <> p_currency then
    raise exception 'There’s no order for this payment.' using errcode = 'P0002', hint = 'order_id';
  end if;
  insert into public.payments (
    order_id, ref, method, amount_minor, currency, received_at, period_starts_at, period_ends_at,
    recorded_by, note
  ) values (
    p_order_id, p_ref, p_method, p_amount_minor, p_currency, p_received_at, p_period_starts_at,
    p_period_ends_at, auth.uid(), p_note
  )
  on conflict (ref) do nothing;
  v_new := found;
  -- Again even if it isn't new: a refund may have come first.
  perform private.settle_order(p_order_id);
  if v_new and p_period_starts_at is not null and v_order.paid_minor > 0 then
    perform private.tell_of_renewal(v_order, p_ref, p_amount_minor, p_period_ends_at);
  end if;
  return v_new;
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_order (
  p_order_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
  v_sums record;
begin
  select * into v_order from public.orders o where o.id = p_order_id for update;
  if not found then
    return;
  end if;
  select coalesce(sum(s.amount_minor), 0)::bigint as paid,
    coalesce(sum(s.back_minor), 0)::bigint as refunded,
    coalesce(sum(s.disputed_minor), 0)::bigint as disputed
  into v_sums from private.payment_sums(p_order_id) s;
  if (v_order.paid_minor, v_order.refunded_minor, v_order.disputed_minor)
    <> (v_sums.paid, v_sums.refunded, v_sums.disputed)
  then
    update public.orders o set
      paid_minor = v_sums.paid, refunded_minor = v_sums.refunded, disputed_minor = v_sums.disputed
    where o.id = p_order_id returning * into v_order;
  end if;
  perform private.settle_state(v_order);
  select * into v_order from public.orders o where o.id = p_order_id;
  perform private.settle_grants(v_order);
  perform private.tell_of_returns(v_order);
end
$function$;

CREATE OR REPLACE FUNCTION private.settle_state (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_state text := p_order.state;
  v_to text;
begin
  if p_order.paid_minor < p_order.total_minor or p_order.paid_minor = 0 then
    return;
  end if;
  v_to := case
    when p_order.refunded_minor >= p_order.paid_minor then 'refunded'
    when p_order.refunded_minor > 0 then 'part_refunded'
    else 'paid'
  end;
  if v_state not in ('paid', 'part_refunded', 'refunded') then
    update public.orders o set state = 'paid' where o.id = p_order.id;
    perform private.tell_of_payment(p_order.id);
    v_state := 'paid';
  end if;
  if v_state <> v_to then
    update public.orders o set state = v_to where o.id = p_order.id;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_dispute (
  p_order   public.orders,
  p_dispute public.disputes
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_key constant text := 'dispute_' || p_dispute.state || ':' || p_dispute.ref;
  v_amount constant text := private.money_words(p_dispute.amount_minor, p_order.currency);
  v_what constant text := private.order_words(p_order.id);
begin
  perform private.notify(
    p_order.buyer_id, 'order', v_key,
    case p_dispute.state
      when 'open' then 'Your bank is looking into a payment'
      when 'won' then 'Your payment stands'
      else 'Your bank gave your money back'
    end,
    case p_dispute.state
      when 'open' then 'Your payment for ' || v_what || ' was questioned, so your bank is holding '
        || v_amount || E'. Until it decides, we hold the sessions that payment was for.\n'
        || 'If that was a mistake, tell your bank, or write to us.'
      when 'won' then 'Your bank has decided: ' || v_amount || ' for ' || v_what
        || ' is paid, and you can use its sessions again.'
      else 'Your payment for ' || v_what || ' was questioned, and your bank returned ' || v_amount || ' to you'
        || E'.\nUnused sessions that it was for have ended.'
    end,
    '/dashboard/orders/' || p_order.id, 'Your order'
  );
  perform private.notify_admins(
    'order', v_key,
    case p_dispute.state
      when 'open' then 'A card payment is disputed' when 'won' then 'We won a dispute'
      else 'We lost a dispute'
    end,
    v_amount || ' for ' || v_what || case p_dispute.state
      when 'open' then E'. The bank is holding it.\nAnswer it at the payment company before its deadline.'
      when 'won' then '. The payment stands.'
      else '. The bank returned it to the cardholder.'
    end,
    '/admin/orders/' || p_order.id, 'Open the order'
  );
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_membership (
  p_order_id uuid
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders;
  v_membership public.memberships;
  v_day text;
begin
  select * into v_order from public.orders o where o.id = p_order_id;
  select * into v_membership from public.memberships m where m.order_id = p_order_id;
  if v_order.buyer_id is null then
    return;
  end if;
  v_day := private.day_words(v_membership.period_ends_at, v_order.buyer_id);
  if v_membership.state = 'past_due' then
    perform private.notify(
      v_order.buyer_id, 'order', 'past_due:' || p_order_id || ':' || v_membership.period_ends_at,
      'We couldn’t renew your membership',
      E'Your card was declined. We’ll try it again over the next days.\nTo keep your membership, enter another card.',
      '/dashboard/orders/' || p_order_id, 'Your membership'
    );
  elsif v_membership.state = 'ended' then
    perform private.notify(
      v_order.buyer_id, 'order', 'membership_ended:' || p_order_id, 'Your membership has ended',
      'We won’t charge your card again. Sessions you’ve paid for stay good until the day your order says.',
      '/dashboard/orders/' || p_order_id, 'Your order'
    );
  elsif v_membership.ends_with_period then
    perform private.notify(
      v_order.buyer_id, 'order', 'membership_ends:' || p_order_id || ':' || v_membership.period_ends_at,
      'Your membership ends on ' || v_day,
      'Until then everything works as usual, and we won’t charge your card again. You can keep it going up to that day.',
      '/dashboard/orders/' || p_order_id, 'Your membership'
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_refund (
  p_order  public.orders,
  p_refund public.refunds,
  p_method text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_amount constant text := private.money_words(p_refund.amount_minor, p_order.currency)
    || ' of ' || private.order_words(p_order.id);
  v_path constant text := '/dashboard/orders/' || p_order.id;
  v_sent_key constant text := 'refunded:' || p_refund.ref;
begin
  if p_refund.state = 'succeeded' then
    perform private.notify(
      p_order.buyer_id, 'order', v_sent_key, 'We’ve sent you a refund',
      v_amount || E'.\n' || case p_method
        when 'card' then 'It can take a card up to ten days to show it.'
        else 'It comes by check or bank transfer.'
      end || coalesce(E'\n' || p_refund.reason, ''),
      v_path, 'Your order'
    );
  elsif p_refund.state in ('failed', 'canceled') then
    perform private.notify_admins(
      'order', 'refund_failed:' || p_refund.ref, 'A refund didn’t go through', v_amount
        || E'.\nWhat it withdrew is theirs again. Refund it another way, or once more.',
      '/admin/orders/' || p_order.id, 'Open the order'
    );
    perform private.notify(
      p_order.buyer_id, 'order', 'refund_failed:' || p_refund.ref, 'Your refund didn’t arrive',
      v_amount || ' couldn’t be sent to your card. We’ll write to you about another way.',
      v_path, 'Your order'
    )
    from public.notifications n where n.user_id = p_order.buyer_id and n.key = v_sent_key;
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_renewal (
  p_order        public.orders,
  p_ref          text,
  p_amount_minor bigint,
  p_until        timestamp with time zone
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select private.notify(
    p_order.buyer_id, 'order', 'renewed:' || p_ref, 'Your membership has renewed',
    private.money_words(p_amount_minor, p_order.currency) || ', through '
      || private.day_words(p_until, p_order.buyer_id) || E'.\nYour receipt is with your orders.',
    '/dashboard/orders/' || p_order.id, 'Your receipt'
  )
  where p_order.buyer_id is not null
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_returns (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.tell_of_refund(p_order, r, p.method)
  from public.payments p join public.refunds r on r.payment_ref = p.ref
  where p.order_id = p_order.id;
  perform private.tell_of_dispute(p_order, d)
  from public.payments p join public.disputes d on d.payment_ref = p.ref
  where p.order_id = p_order.id;
end
$function$;

CREATE OR REPLACE FUNCTION public.admin_prices()
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.require_admin();
  perform private.audit('price.list', 'price', null);
  return private.price_rows();
end
$function$;

REVOKE ALL ON FUNCTION "public"."admin_prices"() FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.admin_refund_basis (
  p_order_id uuid
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

REVOKE ALL ON FUNCTION "public"."admin_refund_basis"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.end_membership (
  p_order_id uuid,
  p_when     text,
  p_reason   text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.desk_order(p_order_id);
  v_reason text := private.require_reason(p_reason);
  v_membership public.memberships;
begin
  if p_when is null or p_when not in ('now', 'period') then
    raise exception 'Choose when it ends.' using errcode = '22023', hint = 'when';
  end if;
  select * into v_membership from public.memberships m where m.order_id = p_order_id;
  if v_membership.order_id is null or v_membership.state = 'ended'
    or p_when = 'period' and v_membership.ends_with_period
  then
    raise exception '%', case
      when v_membership.order_id is null then 'This order has no membership.'
      when v_membership.state = 'ended' then 'This membership has already ended.'
      else 'This membership already ends with its period.'
    end using errcode = '55000', hint = 'when';
  end if;
  perform private.queue_membership_end(p_order_id, p_when);
  perform private.audit('order.end_membership', 'order', p_order_id::text, v_reason,
    jsonb_build_object('when', p_when));
  perform private.notify(
    v_order.buyer_id, 'order', 'membership_end:' || p_order_id || ':' || p_when || ':' || now(),
    'We’re ending your membership',
    case p_when when 'now' then 'It ends today.'
      else 'It ends on ' || private.day_words(v_membership.period_ends_at, v_order.buyer_id) || '.' end
      || E' We won’t charge your card again. The reason:\n' || v_reason,
    '/dashboard/orders/' || p_order_id, 'Your order'
  );
  return private.desk_order_json(p_order_id);
end
$function$;

REVOKE ALL ON FUNCTION "public"."end_membership"(uuid, text, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.get_billing_customer (
  p_order_id uuid
)
  RETURNS text
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_order public.orders := private.own_order(p_order_id);
begin
  perform private.require_rate_limit(
    'billing:' || v_order.buyer_id, 30, interval '1 hour',
    'You’ve opened the payment company’s page often. Try again %s.'
  );
  if v_order.customer_ref is null
    or not exists (select from public.memberships m where m.order_id = p_order_id)
  then
    raise exception 'This order has no membership.' using errcode = '55000', hint = 'order_id';
  end if;
  return v_order.customer_ref;
end
$function$;

REVOKE ALL ON FUNCTION "public"."get_billing_customer"(uuid) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.list_memberships()
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
    select coalesce(jsonb_agg(jsonb_build_object(
      'order_id', o.id, 'business', jsonb_build_object('id', b.id, 'name', b.name),
      'state', m.state, 'period_ends_at', m.period_ends_at,
      'ends_with_period', m.ends_with_period, 'every', l.every, 'total_minor', o.total_minor,
      'currency', o.currency, 'is_test', o.is_test, 'is_own', o.buyer_id = v_user_id,
      'sessions_left', private.sessions_left(b.id)
    ) order by b.name, o.id), '[]')
    from public.memberships m
    join public.orders o on o.id = m.order_id
    join public.businesses b on b.id = o.business_id
    join public.order_lines l on l.order_id = o.id and l.position = 1
    where m.state <> 'ended'
      and (o.buyer_id = v_user_id or b.id = any (array(select private.my_business_ids())))
  );
end
$function$;

REVOKE ALL ON FUNCTION "public"."list_memberships"() FROM PUBLIC, "anon", "service_role";

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
  v_order public.orders := private.desk_order(p_order_id);
  v_reason text := left(private.require_reason(p_reason), 500);
  v_ref constant text := 'refund:' || p_id;
  v_payment public.payments;
  v_open bigint;
  v_disputed bigint;
begin
  select * into v_payment from public.payments p
  where p.id = p_payment_id and p.order_id = p_order_id;
  if not found then
    raise exception 'We can’t find this payment.' using errcode = 'P0002', hint = 'payment_id';
  end if;
  if exists (select from public.refunds r where r.ref = v_ref and r.payment_ref = v_payment.ref) then
    return private.desk_order_json(p_order_id);
  end if;
  if p_id is null then
    raise exception 'A refund needs an id.' using errcode = '22023', hint = 'id';
  end if;
  perform private.hold_payment(v_payment.ref);
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

REVOKE ALL ON FUNCTION "public"."refund_payment"(uuid, uuid, uuid, bigint, text) FROM PUBLIC, "anon", "service_role";

CREATE OR REPLACE FUNCTION public.set_price (
  p_plan           text,
  p_every          text,
  p_expected_minor bigint,
  p_amount_minor   bigint,
  p_reason         text
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_reason text;
  v_price public.prices;
begin
  perform private.require_admin();
  v_reason := private.require_reason(p_reason);
  if p_amount_minor is null or p_amount_minor not between 1 and 100000000 then
    raise exception 'Enter a price up to $1,000,000.' using errcode = '22023', hint = 'amount_minor';
  end if;
  select * into v_price from public.prices p
  where p.plan_key = p_plan and p.every = p_every and p.ended_at is null for update;
  if not found then
    raise exception 'We can’t find this price.' using errcode = 'P0002', hint = 'plan';
  end if;
  -- Sent again, it's there already.
  if v_price.amount_minor = p_amount_minor then
    return private.price_rows();
  end if;
  if v_price.amount_minor is distinct from p_expected_minor then
    raise exception 'Someone else has changed this price to %. Reload the page.',
      private.money_words(v_price.amount_minor, v_price.currency)
      using errcode = '55000', hint = 'amount_minor';
  end if;
  update public.prices p set ended_at = now() where p.id = v_price.id;
  insert into public.prices (plan_key, every, amount_minor, currency, by_admin)
  values (p_plan, p_every, p_amount_minor, v_price.currency, true);
  perform private.audit('price.set', 'price', p_plan, v_reason, jsonb_build_object(
    'every', p_every, 'from_minor', v_price.amount_minor, 'to_minor', p_amount_minor
  ));
  return private.price_rows();
end
$function$;

REVOKE ALL ON FUNCTION "public"."set_price"(text, text, bigint, bigint, text) FROM PUBLIC, "anon", "service_role";

CREATE TRIGGER orders_end_memberships_of_deleted_accounts
  AFTER UPDATE OF buyer_id ON public.orders
  FOR EACH ROW
  WHEN (((old.buyer_id IS NOT NULL) AND (new.buyer_id IS NULL)))
  EXECUTE FUNCTION private.end_membership_of_deleted();

COMMENT ON FUNCTION "private"."end_left_memberships"() IS 'Tries again to end memberships whose buyers are gone, so that nobody is charged forever because a job was given up; how many.';

COMMENT ON FUNCTION "private"."price_rows"() IS 'Each present price and the five before it: [{plan_key, name, every, amount_minor, currency, since, earlier: [{amount_minor, currency, until}]}].';

COMMENT ON FUNCTION "private"."queue_membership_end"(uuid, text) IS 'Has a membership ended at the payment company: now, or with the period that''s paid for (period).';

COMMENT ON FUNCTION "private"."refund_basis"(public.orders) IS 'Each payment of an order with what can be refunded of it (open_minor), and what that withdraws: units (sessions, months or seats) cost base_minor, gone_minor of it isn''t paid anymore, and this many are unused. See private.kept_share.';

COMMENT ON FUNCTION "private"."report_membership"(uuid, text, text, timestamp with time zone, boolean, timestamp with time zone) IS 'Stores what''s known of a membership, unless something newer is, and tells its buyer. One whose buyer is gone is ended.';

COMMENT ON FUNCTION "private"."tell_of_dispute"(public.orders, public.disputes) IS 'Tells the buyer and admins how far a dispute is, each step once.';

COMMENT ON FUNCTION "private"."tell_of_membership"(uuid) IS 'Tells a member that the card was declined, that the membership will end, or that it has; each once.';

COMMENT ON FUNCTION "private"."tell_of_refund"(public.orders, public.refunds, text) IS 'Tells the buyer that a refund was sent, and everyone it concerns that one failed; each once.';

COMMENT ON FUNCTION "private"."tell_of_returns"(public.orders) IS 'Tells of every refund and dispute of an order what wasn''t told yet.';

COMMENT ON FUNCTION "public"."admin_prices"() IS 'The prices and those before them, as private.price_rows.';

COMMENT ON FUNCTION "public"."admin_refund_basis"(uuid) IS 'What an admin sees before refunding: the latest payments of an order, newest first, as private.refund_basis.';

COMMENT ON FUNCTION "public"."end_membership"(uuid, text, text) IS 'An admin has a membership ended, now or with the period that''s paid for, with a reason that the member reads; the order, as private.desk_order_json. The payment company confirms it a moment later.';

COMMENT ON FUNCTION "public"."get_billing_customer"(uuid) IS 'The payment company''s name for the caller, who pays for this membership; an error for everyone else.';

COMMENT ON FUNCTION "public"."list_memberships"() IS 'The running memberships of the caller''s businesses and those they pay for: [{order_id, business: {id, name}, state, period_ends_at, ends_with_period, every, total_minor, currency, is_test, is_own (whether the caller pays), sessions_left (of the business)}].';

COMMENT ON FUNCTION "public"."refund_payment"(uuid, uuid, uuid, bigint, text) IS 'An admin refunds a payment or part of it, once per id, with a reason that the buyer reads; what isn''t paid for anymore is withdrawn right away. A card''s refund is sent by a job, a check''s or transfer''s was sent by hand; the order, as private.desk_order_json.';

COMMENT ON FUNCTION "public"."set_price"(text, text, bigint, bigint, text) IS 'An admin gives a plan another price than the one they saw, from now on; orders keep the one they were made with. The prices, as private.price_rows.';

REVOKE ALL ON FUNCTION "private"."end_left_memberships"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."end_membership_of_deleted"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."price_rows"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_membership_end"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refund_basis"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_dispute"(public.orders, public.disputes) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_membership"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_refund"(public.orders, public.refunds, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_renewal"(public.orders, text, bigint, timestamp WITH time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_returns"(public.orders) FROM PUBLIC;

GRANT EXECUTE ON FUNCTION "public"."admin_prices"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."admin_refund_basis"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."end_membership"(uuid, text, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."get_billing_customer"(uuid) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."list_memberships"() TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."refund_payment"(uuid, uuid, uuid, bigint, text) TO "authenticated";

GRANT EXECUTE ON FUNCTION "public"."set_price"(text, text, bigint, bigint, text) TO "authenticated";

insert into private.jobs (kind, every) values ('end_left_memberships', interval '1 day');

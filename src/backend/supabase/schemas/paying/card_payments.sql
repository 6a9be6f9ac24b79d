-- Paying by card: an order's checkout at Stripe, and what Stripe says about it afterward.
--
-- Stripe reports by events (function stripe-webhook) and when it's asked (checkout-status). Both end
-- in private.apply_card_facts, so it doesn't matter which comes first, how often, or in which order.

create table private.stripe_events (
  -- Stripe's own, so that an event that's delivered twice counts once.
  id text primary key check (char_length(id) between 3 and 255),
  type text not null check (char_length(type) <= 100),
  created_at timestamptz not null,
  received_at timestamptz not null default now(),
  -- Null: it's about an order that isn't ours, as error says.
  handled_at timestamptz,
  error text check (char_length(error) <= 500)
);
comment on table private.stripe_events is
  'Events that Stripe delivered: which, when, and whether they were applied. Never their content.';
alter table private.stripe_events enable row level security;

create function private.refuse_old_price(p_order public.orders) returns void
language plpgsql stable security definer set search_path = '' as $$
declare
  v_now bigint;
begin
  if exists (
    select from public.order_lines l
    where l.order_id = p_order.id and l.plan_key is not null and not exists (
      select from public.prices p
      where p.plan_key = l.plan_key and p.every = l.every and p.ended_at is null
    )
  ) then
    raise exception 'We don’t sell this anymore. Cancel this order and choose a plan.'
      using errcode = '55000', hint = 'price';
  end if;
  select sum(n.minor + private.tax_of(n.minor, coalesce(t.rate, 0))) into v_now
  from public.order_lines l
  join public.prices p on p.plan_key = l.plan_key and p.every = l.every and p.ended_at is null
  left join public.tax_rates t on t.region = p_order.billing_region
  cross join lateral (select l.quantity * p.amount_minor as minor) n
  where l.order_id = p_order.id;
  if v_now <> p_order.total_minor then
    raise exception 'The price has changed since you placed this order: it’s % now and was %. Cancel this order and place a new one.',
      private.money_words(v_now, p_order.currency),
      private.money_words(p_order.total_minor, p_order.currency)
      using errcode = '55000', hint = 'price';
  end if;
end
$$;
comment on function private.refuse_old_price(public.orders) is
  'An error (55000) if a card order costs more or less by today''s prices and taxes than it says.';

create function public.start_checkout(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
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
  if private.is_membership(p_id) then
    -- Two members who start at once would both find none.
    perform private.one_at_a_time('membership', v_order.business_id);
    perform private.refuse_second_membership(v_order.business_id, p_id);
  end if;
  if v_order.state <> 'pending' then
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
    -- A page that's open keeps its price, for a day.
    if private.may_step('order', v_order.state, 'pending', 'buyer') then
      perform private.refuse_old_price(v_order);
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
$$;
comment on function public.start_checkout(uuid) is
  'Moves an order of the caller to pending, at today''s price or not at all, or leaves it there: {order (private.order_json), checkout_ref (the session that’s open, if any), try, customer_ref}.';
grant execute on function public.start_checkout(uuid) to authenticated;

create function public.get_checkout(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select jsonb_build_object(
      'state', o.state, 'checkout_ref', o.checkout_ref, 'is_disputed', o.disputed_minor > 0
    )
    from public.orders o where o.id = p_id and o.buyer_id = v_user_id
  );
end
$$;
comment on function public.get_checkout(uuid) is
  'The state and the checkout session of an order of the caller, and whether a bank is deciding about its money; null for everyone else''s.';
grant execute on function public.get_checkout(uuid) to authenticated;

create function private.keep_checkout(p_id uuid, p_ref text, p_is_test boolean) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.orders o set checkout_ref = p_ref, is_test = p_is_test
  where o.id = p_id and o.state = 'pending';
  return found;
end
$$;
comment on function private.keep_checkout(uuid, text, boolean) is
  'Keeps which session an order is being paid in; false if it was canceled meanwhile, so that the session has to be closed.';

create function private.end_checkout(p_id uuid, p_ref text, p_to text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- An earlier session of the same order can end late: it doesn't end the one that's open now.
  update public.orders o set state = p_to
  where o.id = p_id and o.state = 'pending' and o.checkout_ref = p_ref;
end
$$;
comment on function private.end_checkout(uuid, text, text) is
  'A checkout ended without money: the order is expired or failed, if it’s still being paid there.';

create function private.queue_checkout_close(p_order_id uuid, p_ref text) returns void
language sql volatile security definer set search_path = '' as $$
  insert into private.jobs (kind, payload)
  values ('close_checkout', jsonb_build_object('order_id', p_order_id, 'ref', p_ref))
$$;
comment on function private.queue_checkout_close(uuid, text) is
  'Has a session closed at the payment company, so that nobody can pay there anymore.';

create function private.close_canceled_checkout() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  perform private.queue_checkout_close(new.id, new.checkout_ref);
  return null;
end
$$;
create trigger orders_close_the_checkout_of_canceled_ones after update of state on public.orders
  for each row when (new.state = 'canceled' and old.state = 'pending' and new.checkout_ref is not null)
  execute function private.close_canceled_checkout();

create function private.close_old_checkouts() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
  v_count int := 0;
begin
  for v_order in
    select * from public.orders o
    where o.state = 'pending' and o.state_since <= now() - interval '25 hours'
      -- A bank can work on a payment for days: it's asked once a day.
      and not exists (
        select from private.jobs j
        where j.kind = 'close_checkout' and j.payload ->> 'ref' = o.checkout_ref
          and j.created_at > now() - interval '1 day'
      )
    order by o.id limit 200
    for update skip locked
  loop
    if v_order.checkout_ref is null then
      update public.orders o set state = 'expired' where o.id = v_order.id;
    else
      perform private.queue_checkout_close(v_order.id, v_order.checkout_ref);
    end if;
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.close_old_checkouts() is
  'Closes checkouts that nobody finished within a day, after which their orders are expired; how many. The payment company says so itself, but its report can get lost.';
insert into private.jobs (kind, every) values ('close_old_checkouts', interval '1 hour');

create function private.was_canceled(p_order_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (
    select from public.order_events e where e.order_id = p_order_id and e.to_state = 'canceled'
  )
$$;
comment on function private.was_canceled(uuid) is
  'Whether an order was canceled, also if money came for it afterward.';

create function private.refund_late_payment(p_order_id uuid, p_ref text) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_id constant uuid := gen_random_uuid();
  v_open bigint;
  v_reason text;
begin
  select s.amount_minor - s.back_minor - s.disputed_minor into v_open
  from private.payment_sums(p_order_id) s join public.payments p on p.id = s.id and p.ref = p_ref;
  if v_open <= 0 then
    return;
  end if;
  select coalesce(e.note, 'You paid after this order was canceled.') into v_reason
  from public.order_events e where e.order_id = p_order_id and e.to_state = 'canceled'
  order by e.id limit 1;
  insert into public.refunds (ref, payment_ref, amount_minor, state, reported_at, reason)
  values ('refund:' || v_id, p_ref, v_open, 'pending', to_timestamp(0), v_reason);
  insert into private.jobs (kind, payload)
  values ('send_refund', jsonb_build_object(
    'refund_id', v_id, 'order_id', p_order_id, 'payment_ref', p_ref, 'amount_minor', v_open
  ));
end
$$;
comment on function private.refund_late_payment(uuid, text) is
  'Sends a card payment for a canceled order back, with the reason why it was canceled.';

create function private.tell_of_outside_payment(
  p_order_id uuid, p_invoice_ref text, p_amount_minor bigint
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders o where o.id = p_order_id;
  if not found then
    raise exception 'There’s no order for this invoice.' using errcode = 'P0002', hint = 'order_id';
  end if;
  perform private.notify_admins(
    'order', 'paid_outside:' || p_invoice_ref, 'An invoice was marked as paid at the payment company',
    'The invoice ' || p_invoice_ref || ', '
      || private.money_words(p_amount_minor, v_order.currency) || ' for '
      || private.order_words(p_order_id)
      || E', wasn’t paid by card. We haven’t recorded a payment, and it gave no sessions.\n'
      || 'If the money arrived another way, give the sessions on the business’s page.',
    '/admin/orders/' || p_order_id, 'Open the order'
  );
end
$$;
comment on function private.tell_of_outside_payment(uuid, text, bigint) is
  'Tells admins, once, of a membership''s invoice that someone marked as paid at Stripe. It''s no payment: there''s no card that it could be refunded to.';

create function private.apply_card_facts(p_facts jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_fact record;
begin
  -- Payments before orders, as every report locks them: two reports of one order come at the same time.
  perform private.hold_payment(p.ref)
  from (
    select distinct coalesce(f ->> 'payment_ref', f ->> 'ref') as ref
    from jsonb_array_elements(p_facts) f where f ->> 'kind' in ('payment', 'refund', 'dispute')
    order by 1
  ) p;
  for v_fact in
    select f.* from jsonb_array_elements(p_facts) with ordinality as a (fact, n)
    cross join jsonb_to_record(a.fact) as f (
      kind text, order_id uuid, ref text, payment_ref text, amount_minor bigint, currency text,
      at timestamptz, period_starts_at timestamptz, period_ends_at timestamptz, state text,
      ends_with_period boolean, customer_ref text, is_test boolean
    )
    order by a.n
  loop
    case v_fact.kind
      when 'checkout' then
        update public.orders o set
          customer_ref = coalesce(v_fact.customer_ref, o.customer_ref), is_test = v_fact.is_test
        where o.id = v_fact.order_id;
      when 'payment' then
        perform private.report_payment(
          v_fact.order_id, v_fact.ref, 'card', v_fact.amount_minor, v_fact.currency, v_fact.at,
          v_fact.period_starts_at, v_fact.period_ends_at
        );
      when 'membership' then
        perform private.report_membership(
          v_fact.order_id, v_fact.ref, v_fact.state, v_fact.period_ends_at,
          v_fact.ends_with_period, v_fact.at
        );
      when 'refund' then
        perform private.report_refund(
          v_fact.ref, v_fact.payment_ref, v_fact.amount_minor, v_fact.state, v_fact.at
        );
      when 'dispute' then
        perform private.report_dispute(
          v_fact.ref, v_fact.payment_ref, v_fact.amount_minor, v_fact.state, v_fact.at
        );
      when 'paid_outside' then
        perform private.tell_of_outside_payment(
          v_fact.order_id, v_fact.ref, v_fact.amount_minor
        );
      when 'checkout_ended' then
        perform private.end_checkout(v_fact.order_id, v_fact.ref, v_fact.state);
    end case;
  end loop;
end
$$;
comment on function private.apply_card_facts(jsonb) is
  'Applies what Stripe says about orders. Applying it again changes nothing.';

create function private.receive_stripe_event(
  p_id text, p_type text, p_created_at timestamptz, p_facts jsonb
) returns text
language plpgsql volatile security definer set search_path = '' as $$
begin
  insert into private.stripe_events (id, type, created_at) values (p_id, p_type, p_created_at)
  on conflict (id) do nothing;
  perform from private.stripe_events e where e.id = p_id and e.handled_at is null for update;
  if not found then
    return 'repeated';
  end if;
  begin
    perform private.apply_card_facts(p_facts);
  exception when no_data_found then
    update private.stripe_events e set error = left(sqlerrm, 500) where e.id = p_id;
    return 'unknown';
  end;
  update private.stripe_events e set handled_at = now(), error = null where e.id = p_id;
  return 'applied';
end
$$;
comment on function private.receive_stripe_event(text, text, timestamptz, jsonb) is
  'Applies an event once: applied, repeated, or unknown, if it’s about an order that isn’t ours (P0002), which is kept as an error.';

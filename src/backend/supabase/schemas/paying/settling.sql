-- Settling an order: from all payments, refunds and disputes known so far, how far it is and what it
-- gives. Doing it again without new facts changes nothing, and the order of the facts doesn't matter.

create function private.payment_sums(p_order_id uuid)
returns table (
  id uuid, amount_minor bigint, back_minor bigint, disputed_minor bigint, received_at timestamptz,
  period_starts_at timestamptz, period_ends_at timestamptz
)
language sql stable security definer set search_path = '' as $$
  select p.id, p.amount_minor, f.back, least(f.disputed, p.amount_minor - f.back), p.received_at,
    p.period_starts_at, p.period_ends_at
  from public.payments p
  cross join lateral (
    select
      least(
        p.amount_minor,
        coalesce((
          select sum(r.amount_minor) from public.refunds r
          where r.payment_ref = p.ref and r.state in ('pending', 'succeeded')
        ), 0) + coalesce((
          select sum(d.amount_minor) from public.disputes d
          where d.payment_ref = p.ref and d.state = 'lost'
        ), 0)
      )::bigint as back,
      coalesce((
        select sum(d.amount_minor) from public.disputes d
        where d.payment_ref = p.ref and d.state = 'open'
      ), 0)::bigint as disputed
  ) f
  where p.order_id = p_order_id
$$;
comment on function private.payment_sums(uuid) is
  'Each payment of an order with what went back (refunds and lost disputes) and what a bank is holding, never more than was paid.';

create function private.kept_share(p_of int, p_paid bigint, p_gone bigint) returns int
language sql immutable set search_path = '' as $$
  -- A session goes back when its whole price does, rounded down to the cent, which is what refunding
  -- unused sessions pays. Part of a price takes none back.
  select case
    when p_paid <= 0 then 0
    when p_gone <= 0 then p_of
    else p_of - least(p_of, pg_catalog.ceil(p_of::numeric * (p_gone + 1) / p_paid)::int - 1)
  end
$$;
comment on function private.kept_share(int, bigint, bigint) is
  'How many of p_of sessions, months or seats are still paid for after p_gone of p_paid went back.';

create function private.settle_state(p_order public.orders) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
    -- Money for a canceled order is on its way back.
    if v_state <> 'canceled' then
      perform private.tell_of_payment(p_order.id);
    end if;
    v_state := 'paid';
  end if;
  if v_state <> v_to then
    update public.orders o set state = v_to where o.id = p_order.id;
  end if;
end
$$;
comment on function private.settle_state(public.orders) is
  'Moves an order that''s paid to the state that its totals say, and tells its buyer.';

create function private.settle_grants(p_order public.orders) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_line record;
  v_payment record;
  v_bought int;
  v_kept int;
  v_starts_at timestamptz;
  v_months int;
begin
  for v_line in
    select l.position, l.quantity, l.every, p.gives, p.sessions, p.months
    from public.order_lines l join public.plans p on p.key = l.plan_key
    where l.order_id = p_order.id and p.gives <> 'nothing'
    order by l.position
  loop
    if v_line.gives = 'membership' then
      for v_payment in select * from private.payment_sums(p_order.id) s where s.period_starts_at is not null
      loop
        v_months := case v_line.every when 'year' then 12 else 1 end;
        v_kept := private.kept_share(
          v_months, v_payment.amount_minor, v_payment.back_minor + v_payment.disputed_minor
        );
        insert into public.session_grants as g (
          source, business_id, kind, order_id, bought, sessions, starts_at, ends_at
        )
        select format('payment:%s:%s', v_payment.id, m.n), p_order.business_id, 'membership',
          p_order.id, v_line.sessions, case when m.n < v_kept then v_line.sessions else 0 end,
          v_payment.period_starts_at + make_interval(months => m.n),
          v_payment.period_starts_at + make_interval(months => m.n + v_line.months)
        from generate_series(0, v_months - 1) as m (n)
        on conflict (source) do update set sessions = excluded.sessions
        where g.sessions <> excluded.sessions;
      end loop;
      continue;
    end if;

    -- Sessions start with the invoice or, without one, with the first payment.
    v_starts_at := coalesce(
      p_order.invoiced_at, (select min(s.received_at) from private.payment_sums(p_order.id) s)
    );
    continue when v_starts_at is null;
    v_bought := v_line.quantity * case when p_order.business_id is null then 1 else v_line.sessions end;
    v_kept := case
      when p_order.state = 'invoiced' then v_bought
      -- Part of the price gives nothing yet.
      when p_order.state not in ('paid', 'part_refunded', 'refunded') then 0
      -- Of the price, since what was paid twice can go back without taking a session.
      else private.kept_share(
        v_bought, p_order.total_minor, greatest(
          p_order.total_minor - p_order.paid_minor + p_order.refunded_minor + p_order.disputed_minor,
          0
        )
      )
    end;
    if p_order.business_id is null then
      perform private.settle_seats(p_order.id, v_kept);
    else
      perform private.put_grant(
        format('order:%s:%s', p_order.id, v_line.position), p_order.business_id, 'pack', p_order.id,
        v_bought, v_kept, v_starts_at, v_starts_at + make_interval(months => v_line.months)
      );
    end if;
  end loop;
end
$$;
comment on function private.settle_grants(public.orders) is
  'Grants what an order has paid for, or withdraws it: packs and the months of a membership in sessions, seats in a program.';

create function private.settle_order(p_order_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.settle_order(uuid) is
  'Brings an order''s totals, state and what it gives in line with its payments, refunds and disputes.';

-- What the buyer hears --------------------------------------------------------------------------

create function private.order_words(p_order_id uuid) returns text
language sql stable security definer set search_path = '' as $$
  select case count(*) when 1 then 'the ' || lower(min(l.description)) else 'your order' end
  from public.order_lines l where l.order_id = p_order_id
$$;
comment on function private.order_words(uuid) is 'What an order is about, in a sentence: the session pack.';

create function private.tell_of_payment(p_order_id uuid) returns void
language sql volatile security definer set search_path = '' as $$
  select private.notify(
    o.buyer_id, 'order', 'paid:' || o.id, 'We’ve received your payment',
    private.money_words(o.paid_minor, o.currency) || ' for ' || private.order_words(o.id)
      || E'.\nYour receipt is with your orders.',
    case o.method when 'card' then '/dashboard/orders/' else '/purchase/success?order=' end || o.id,
    'Your receipt'
  )
  from public.orders o where o.id = p_order_id and o.buyer_id is not null
$$;

create function private.tell_of_refund(p_order public.orders, p_refund public.refunds, p_method text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.tell_of_refund(public.orders, public.refunds, text) is
  'Tells the buyer that a refund was sent, and everyone it concerns that one failed; each once.';

create function private.tell_of_dispute(p_order public.orders, p_dispute public.disputes) returns void
language plpgsql volatile security definer set search_path = '' as $$
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
$$;
comment on function private.tell_of_dispute(public.orders, public.disputes) is
  'Tells the buyer and admins how far a dispute is, each step once.';

create function private.tell_of_returns(p_order public.orders) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.tell_of_refund(p_order, r, p.method)
  from public.payments p join public.refunds r on r.payment_ref = p.ref
  where p.order_id = p_order.id;
  perform private.tell_of_dispute(p_order, d)
  from public.payments p join public.disputes d on d.payment_ref = p.ref
  where p.order_id = p_order.id;
end
$$;
comment on function private.tell_of_returns(public.orders) is
  'Tells of every refund and dispute of an order what wasn''t told yet.';

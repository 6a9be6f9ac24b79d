-- Payments: money that came in, went back, or is disputed, and memberships as the payment company
-- sees them.
--
-- Each row is a fact with the reference it was reported under. Facts can arrive twice, late and in
-- any order: each is stored once, a newer report of the same thing wins, and private.settle_order
-- works out from all of them together how far the order is and what it gives. So the order in which
-- they arrive doesn't matter.

create table public.payments (
  id uuid primary key default gen_random_uuid(),
  order_id uuid not null references public.orders (id),
  -- Stripe's payment intent, also for a renewal; manual:<id> for a check or a transfer.
  ref text not null unique check (char_length(ref) between 3 and 255),
  method text not null check (method in ('card', 'check', 'transfer', 'other')),
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  received_at timestamptz not null,
  -- What a membership's payment pays for.
  period_starts_at timestamptz,
  period_ends_at timestamptz check (period_ends_at > period_starts_at),
  -- The admin who recorded it; null: the payment company reported it.
  recorded_by uuid,
  note text check (char_length(note) <= 500),
  created_at timestamptz not null default now(),
  check ((period_starts_at is null) = (period_ends_at is null))
);
comment on table public.payments is 'Money received for an order. Never a card number.';
create index payments_order_id_idx on public.payments (order_id, received_at);

create table public.refunds (
  id uuid primary key default gen_random_uuid(),
  ref text not null unique check (char_length(ref) between 3 and 255),
  -- Not a foreign key: the refund may be reported before the payment.
  payment_ref text not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- A failed or canceled refund gave nothing back.
  state text not null check (state in ('pending', 'succeeded', 'failed', 'canceled')),
  -- When this state was reported; an older report changes nothing.
  reported_at timestamptz not null,
  recorded_by uuid,
  reason text check (char_length(reason) <= 500),
  created_at timestamptz not null default now()
);
comment on table public.refunds is 'Money given back, as it was last reported.';
create index refunds_payment_ref_idx on public.refunds (payment_ref);

create table public.disputes (
  ref text primary key check (char_length(ref) between 3 and 255),
  payment_ref text not null,
  amount_minor bigint not null check (amount_minor > 0),
  -- open: the bank is holding the money. won: we keep it. lost: it's gone.
  state text not null check (state in ('open', 'won', 'lost')),
  reported_at timestamptz not null,
  created_at timestamptz not null default now()
);
comment on table public.disputes is 'Payments that a cardholder''s bank questions.';
create index disputes_payment_ref_idx on public.disputes (payment_ref);

create table public.memberships (
  order_id uuid primary key references public.orders (id),
  -- Stripe's subscription.
  ref text not null unique,
  state text not null check (state in ('active', 'past_due', 'ended')),
  period_ends_at timestamptz,
  -- Whether it ends with the period instead of renewing.
  ends_with_period boolean not null default false,
  reported_at timestamptz not null
);
comment on table public.memberships is 'Memberships that renew, as the payment company reports them.';

alter table public.payments enable row level security;
alter table public.refunds enable row level security;
alter table public.disputes enable row level security;
alter table public.memberships enable row level security;

create policy "Buyers read the payments of their orders"
  on public.payments for select to authenticated
  using (
    (select private.session_ok()) and order_id = any (array(select o.id from public.orders o))
  );
create policy "Buyers read their memberships"
  on public.memberships for select to authenticated
  using (
    (select private.session_ok()) and order_id = any (array(select o.id from public.orders o))
  );
grant select on public.payments, public.memberships to authenticated;

create trigger payments_never_change before update or delete on public.payments
  for each row execute function private.refuse_change();

-- Facts, which only the payment functions and the order desk report ------------------------------

create function private.report_payment(
  p_order_id uuid, p_ref text, p_method text, p_amount_minor bigint, p_currency text,
  p_received_at timestamptz, p_period_starts_at timestamptz default null,
  p_period_ends_at timestamptz default null, p_note text default null
) returns boolean
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
  v_new boolean;
begin
  perform private.hold_payment(p_ref);
  select * into v_order from public.orders o where o.id = p_order_id for update;
  if not found or v_order.currency <> p_currency then
    raise exception 'There’s no order for this payment.' using errcode = 'P0002', hint = 'order_id';
  end if;
  perform private.turn_away_second(v_order);
  insert into public.payments (
    order_id, ref, method, amount_minor, currency, received_at, period_starts_at, period_ends_at,
    recorded_by, note
  ) values (
    p_order_id, p_ref, p_method, p_amount_minor, p_currency, p_received_at, p_period_starts_at,
    p_period_ends_at, auth.uid(), p_note
  )
  on conflict (ref) do nothing;
  v_new := found;
  if v_new and p_method = 'card' and private.was_canceled(p_order_id) then
    perform private.refund_late_payment(p_order_id, p_ref);
  end if;
  -- Again even if it isn't new: a refund may have come first.
  perform private.settle_order(p_order_id);
  if v_new and p_period_starts_at is not null and v_order.paid_minor > 0
    and not private.was_canceled(p_order_id)
  then
    perform private.tell_of_renewal(v_order, p_ref, p_amount_minor, p_period_ends_at);
  end if;
  return v_new;
end
$$;
comment on function private.report_payment(uuid, text, text, bigint, text, timestamptz, timestamptz, timestamptz, text) is
  'Stores a payment once for its reference and updates its order; whether it was new. A card''s for a canceled order goes back.';

create function private.settle_payment(p_payment_ref text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.settle_order(p.order_id) from public.payments p where p.ref = p_payment_ref;
end
$$;

create function private.report_refund(
  p_ref text, p_payment_ref text, p_amount_minor bigint, p_state text, p_reported_at timestamptz,
  p_reason text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.hold_payment(p_payment_ref);
  insert into public.refunds as r (
    ref, payment_ref, amount_minor, state, reported_at, recorded_by, reason
  ) values (
    p_ref, p_payment_ref, p_amount_minor, p_state, p_reported_at, auth.uid(), p_reason
  )
  on conflict (ref) do update set
    amount_minor = excluded.amount_minor, state = excluded.state,
    reported_at = excluded.reported_at, reason = coalesce(r.reason, excluded.reason)
  -- Two reports of the same second: a refund ends as failed, canceled or succeeded, never as pending.
  where (excluded.reported_at, private.refund_rank(excluded.state))
    > (r.reported_at, private.refund_rank(r.state));
  perform private.settle_payment(p_payment_ref);
end
$$;
comment on function private.report_refund(text, text, bigint, text, timestamptz, text) is
  'Stores what''s known of a refund, unless something newer is, and updates its order.';

create function private.refund_rank(p_state text) returns int
language sql immutable set search_path = '' as $$
  select array_position(array['pending', 'succeeded', 'failed', 'canceled'], p_state)
$$;

create function private.report_dispute(
  p_ref text, p_payment_ref text, p_amount_minor bigint, p_state text, p_reported_at timestamptz
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.hold_payment(p_payment_ref);
  insert into public.disputes as d (ref, payment_ref, amount_minor, state, reported_at)
  values (p_ref, p_payment_ref, p_amount_minor, p_state, p_reported_at)
  on conflict (ref) do update set
    amount_minor = excluded.amount_minor, state = excluded.state, reported_at = excluded.reported_at
  -- Two reports of the same second: an open dispute ends, an ended one doesn't open again.
  where (excluded.reported_at, array_position(array['open', 'won', 'lost'], excluded.state))
    > (d.reported_at, array_position(array['open', 'won', 'lost'], d.state));
  perform private.settle_payment(p_payment_ref);
end
$$;
comment on function private.report_dispute(text, text, bigint, text, timestamptz) is
  'Stores what''s known of a dispute, unless something newer is, and updates its order.';

create function private.hold_payment(p_payment_ref text) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  -- The payment itself may be reported at this moment, by a transaction that can't see this refund.
  perform pg_advisory_xact_lock(hashtextextended('payment:' || p_payment_ref, 0));
end
$$;

create function private.report_membership(
  p_order_id uuid, p_ref text, p_state text, p_period_ends_at timestamptz,
  p_ends_with_period boolean, p_reported_at timestamptz
) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders o where o.id = p_order_id for update;
  if not found then
    raise exception 'There’s no order for this membership.' using errcode = 'P0002', hint = 'order_id';
  end if;
  perform private.turn_away_second(v_order);
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
  -- It may have been bought a moment before the account was deleted, or the order canceled.
  if v_order.buyer_id is null or private.was_canceled(p_order_id) then
    perform private.queue_membership_end(p_order_id, 'now');
  end if;
end
$$;
comment on function private.report_membership(uuid, text, text, timestamptz, boolean, timestamptz) is
  'Stores what''s known of a membership, unless something newer is, and tells its buyer. One whose buyer is gone or whose order was canceled is ended.';

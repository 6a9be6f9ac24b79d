SET local check_function_bodies = off;

DROP FUNCTION "private"."covered"(uuid, timestamp WITH time zone[]);

DROP FUNCTION "private"."keep_checkout"(uuid, text, boolean);

DROP FUNCTION "private"."refund_basis"(public.orders);

CREATE OR REPLACE FUNCTION private.apply_card_facts (
  p_facts jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
      when 'checkout_ended' then
        perform private.end_checkout(v_fact.order_id, v_fact.ref, v_fact.state);
    end case;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION private.close_canceled_checkout()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.queue_checkout_close(new.id, new.checkout_ref);
  return null;
end
$function$;

CREATE OR REPLACE FUNCTION private.close_old_checkouts()
  RETURNS integer
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.covered (
  p_business_id uuid,
  p_times       timestamp with time zone[],
  p_without     uuid[]                     DEFAULT '{}'::uuid[]
)
  RETURNS integer
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_starts timestamptz[];
  v_ends timestamptz[];
  v_left int[];
  v_time timestamptz;
  v_grant int;
  v_count int := 0;
begin
  select array_agg(g.starts_at order by g.ends_at, g.id), array_agg(g.ends_at order by g.ends_at, g.id),
    array_agg(g.sessions - g.used order by g.ends_at, g.id)
  into v_starts, v_ends, v_left
  from private.grants_of(p_business_id) g
  where g.sessions > g.used and not g.is_held and g.id <> all (p_without);
  -- Each session, the earliest first, takes what ends first: no other way covers more of them.
  for v_time in select t from unnest(p_times) t order by t loop
    for v_grant in 1 .. coalesce(cardinality(v_left), 0) loop
      if v_left[v_grant] > 0 and v_starts[v_grant] <= v_time and v_ends[v_grant] > v_time then
        v_left[v_grant] := v_left[v_grant] - 1;
        v_count := v_count + 1;
        exit;
      end if;
    end loop;
  end loop;
  return v_count;
end
$function$;

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
  where m.state <> 'ended' and (o.buyer_id is null or private.was_canceled(o.id));
  get diagnostics v_count = row_count;
  return v_count;
end
$function$;

CREATE OR REPLACE FUNCTION private.is_membership (
  p_order_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.order_lines l
    join public.plans p on p.key = l.plan_key and p.gives = 'membership'
    where l.order_id = p_order_id
  )
$function$;

CREATE OR REPLACE FUNCTION private.keep_checkout (
  p_id      uuid,
  p_ref     text,
  p_is_test boolean
)
  RETURNS boolean
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  update public.orders o set checkout_ref = p_ref, is_test = p_is_test
  where o.id = p_id and o.state = 'pending';
  return found;
end
$function$;

CREATE OR REPLACE FUNCTION private.other_membership (
  p_business_id uuid,
  p_but         uuid
)
  RETURNS TABLE (
    buyer_id uuid,
    is_paid  boolean
  )
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select o.buyer_id, o.state <> 'pending' or m.order_id is not null
  from public.orders o
  left join public.memberships m on m.order_id = o.id
  where o.business_id = p_business_id and o.id is distinct from p_but
    and private.is_membership(o.id) and not private.was_canceled(o.id)
    -- Its money can be here before the payment company has told of the membership itself.
    and case when m.order_id is null then o.state in ('pending', 'paid', 'part_refunded')
      else m.state <> 'ended' end
  order by 2 desc, o.created_at, o.id limit 1
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
  if p_plan.gives = 'membership' then
    perform private.refuse_second_membership(p_business_id, null);
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

CREATE OR REPLACE FUNCTION private.queue_checkout_close (
  p_order_id uuid,
  p_ref      text
)
  RETURNS void
  LANGUAGE sql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  insert into private.jobs (kind, payload)
  values ('close_checkout', jsonb_build_object('order_id', p_order_id, 'ref', p_ref))
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
    needed         integer,
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
$function$;

CREATE OR REPLACE FUNCTION private.refund_late_payment (
  p_order_id uuid,
  p_ref      text
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.refuse_old_price (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
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
$function$;

CREATE OR REPLACE FUNCTION private.refuse_second_membership (
  p_business_id uuid,
  p_but         uuid
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_other record;
begin
  select * into v_other from private.other_membership(p_business_id, p_but);
  if not found then
    return;
  end if;
  raise exception '%', case
    when v_other.is_paid then 'This business already has a membership.'
    when v_other.buyer_id = auth.uid() then
      'You’re already paying for a membership of this business. Finish that order under Orders, or cancel it.'
    else coalesce(private.name_of(v_other.buyer_id), 'Someone')
      || ' is already paying for a membership of this business. Ask them to finish that order, or to cancel it.'
  end using errcode = '55000', hint = 'plan';
end
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
$function$;

CREATE OR REPLACE FUNCTION private.tell_of_hold_end()
  RETURNS TRIGGER
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  perform private.notify(
    n.user_id, 'coaching', 'un' || n.key,
    case new.state when 'canceled' then 'Sessions of ' || b.name || ' have ended'
      else 'Sessions of ' || b.name || ' are no longer on hold' end,
    case new.state
      when 'canceled' then 'The invoice for them was canceled, and they went with it. Sessions that are already planned take place.'
      else 'The invoice for them has been paid, so new ones can be planned again.'
    end,
    '/dashboard/coaching', 'Your coaching'
  )
  from (
    select m.user_id, m.business_id from public.business_members m
    union
    select e.coach_id, e.business_id from public.engagements e
    where e.closed_at is null and e.coach_id is not null
  ) who
  join public.businesses b on b.id = who.business_id
  join public.notifications n
    on n.user_id = who.user_id and n.key = 'held:' || new.id || ':' || who.business_id
  where who.business_id in (
    select g.business_id from public.session_grants g where g.order_id = new.id
  );
  return null;
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
  if v_order.buyer_id is null or private.was_canceled(p_order_id) and v_membership.state <> 'ended' then
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
      'We won’t charge your card again.' || case when private.was_canceled(p_order_id) then ''
        else ' Sessions you’ve paid for stay good until the day your order says.' end,
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

CREATE OR REPLACE FUNCTION private.turn_away_second (
  p_order public.orders
)
  RETURNS void
  LANGUAGE plpgsql
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
begin
  if p_order.state not in ('draft', 'pending', 'expired', 'failed')
    or p_order.paid_minor > 0 or not private.is_membership(p_order.id)
    or exists (select from public.memberships m where m.order_id = p_order.id)
  then
    return;
  end if;
  perform private.one_at_a_time('membership', p_order.business_id);
  if exists (
    select from private.other_membership(p_order.business_id, p_order.id) m where m.is_paid
  ) then
    perform private.take_order_step(
      p_order, 'canceled', 'system', 'This business already has a membership.'
    );
  end if;
end
$function$;

CREATE OR REPLACE FUNCTION private.was_canceled (
  p_order_id uuid
)
  RETURNS boolean
  LANGUAGE sql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
  select exists (
    select from public.order_events e where e.order_id = p_order_id and e.to_state = 'canceled'
  )
$function$;

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
$function$;

CREATE TRIGGER orders_close_the_checkout_of_canceled_ones
  AFTER UPDATE OF state ON public.orders
  FOR EACH ROW
  WHEN (((new.state = 'canceled'::text) AND (old.state = 'pending'::text) AND (new.checkout_ref IS NOT NULL)))
  EXECUTE FUNCTION private.close_canceled_checkout();

CREATE TRIGGER orders_tell_of_the_end_of_a_hold
  AFTER UPDATE OF state ON public.orders
  FOR EACH ROW
  WHEN (((old.state = 'invoiced'::text) AND (new.state <> 'invoiced'::text)))
  EXECUTE FUNCTION private.tell_of_hold_end();

COMMENT ON FUNCTION "private"."close_old_checkouts"() IS 'Closes checkouts that nobody finished within a day, after which their orders are expired; how many. The payment company says so itself, but its report can get lost.';

COMMENT ON FUNCTION "private"."covered"(uuid, timestamp with time zone[], uuid[]) IS 'How many sessions at these moments a business''s grants are enough for, or would be without some of them.';

COMMENT ON FUNCTION "private"."end_left_memberships"() IS 'Tries again to end memberships whose buyers are gone or whose orders were canceled, so that nobody is charged forever because a job was given up; how many.';

COMMENT ON FUNCTION "private"."is_membership"(uuid) IS 'Whether an order buys a membership.';

COMMENT ON FUNCTION "private"."keep_checkout"(uuid, text, boolean) IS 'Keeps which session an order is being paid in; false if it was canceled meanwhile, so that the session has to be closed.';

COMMENT ON FUNCTION "private"."other_membership"(uuid, uuid) IS 'A membership that a business has or someone is paying for, but for this order''s: who buys it, and whether it''s paid.';

COMMENT ON FUNCTION "private"."queue_checkout_close"(uuid, text) IS 'Has a session closed at the payment company, so that nobody can pay there anymore.';

COMMENT ON FUNCTION "private"."refund_basis"(public.orders) IS 'Each payment of an order with what can be refunded of it (open_minor), and what that withdraws: units (sessions, months or seats) cost base_minor, gone_minor of it isn''t paid anymore, this many are unused, and needed ones besides those are for sessions that are scheduled. See private.kept_share.';

COMMENT ON FUNCTION "private"."refund_late_payment"(uuid, text) IS 'Sends a card payment for a canceled order back, with the reason why it was canceled.';

COMMENT ON FUNCTION "private"."refuse_old_price"(public.orders) IS 'An error (55000) if a card order costs more or less by today''s prices and taxes than it says.';

COMMENT ON FUNCTION "private"."refuse_second_membership"(uuid, uuid) IS 'An error (55000) if a business has a membership, or someone is paying for one, besides this order''s.';

COMMENT ON FUNCTION "private"."report_membership"(uuid, text, text, timestamp with time zone, boolean, timestamp with time zone) IS 'Stores what''s known of a membership, unless something newer is, and tells its buyer. One whose buyer is gone or whose order was canceled is ended.';

COMMENT ON FUNCTION "private"."report_payment"(uuid, text, text, bigint, text, timestamp with time zone, timestamp with time zone, timestamp
  with time zone, text) IS 'Stores a payment once for its reference and updates its order; whether it was new. A card''s for a canceled order goes back.';

COMMENT ON FUNCTION "private"."turn_away_second"(public.orders) IS 'Cancels an order for a membership as it''s paid, if its business has one already: what comes for a canceled order goes back.';

COMMENT ON FUNCTION "private"."was_canceled"(uuid) IS 'Whether an order was canceled, also if money came for it afterward.';

COMMENT ON FUNCTION "public"."start_checkout"(uuid) IS 'Moves an order of the caller to pending, at today''s price or not at all, or leaves it there: {order (private.order_json), checkout_ref (the session that’s open, if any), try, customer_ref}.';

REVOKE ALL ON FUNCTION "private"."close_canceled_checkout"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."close_old_checkouts"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."covered"(uuid, timestamp WITH time zone[], uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."is_membership"(uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."keep_checkout"(uuid, text, boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."other_membership"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."queue_checkout_close"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refund_basis"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refund_late_payment"(uuid, text) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_old_price"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."refuse_second_membership"(uuid, uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."tell_of_hold_end"() FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."turn_away_second"(public.orders) FROM PUBLIC;

REVOKE ALL ON FUNCTION "private"."was_canceled"(uuid) FROM PUBLIC;

-- Rows ------------------------------------------------------------------------------------------

insert into private.jobs (kind, every) values ('close_old_checkouts', interval '1 hour');

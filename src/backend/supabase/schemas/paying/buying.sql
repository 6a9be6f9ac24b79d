-- Buying: placing an order, and what its buyer can do with it until it's paid.

create function private.order_json(p_order public.orders) returns jsonb
language sql stable security definer set search_path = '' as $$
  select jsonb_build_object(
    'id', p_order.id, 'method', p_order.method, 'state', p_order.state,
    'state_since', p_order.state_since, 'created_at', p_order.created_at,
    'currency', p_order.currency, 'subtotal_minor', p_order.subtotal_minor,
    'tax_minor', p_order.tax_minor, 'total_minor', p_order.total_minor,
    'paid_minor', p_order.paid_minor, 'refunded_minor', p_order.refunded_minor,
    'disputed_minor', p_order.disputed_minor, 'is_test', p_order.is_test,
    'quote_number', p_order.quote_number, 'quoted_at', p_order.quoted_at,
    'quote_expires_at', p_order.quote_expires_at, 'po_number', p_order.po_number,
    'po_received_at', p_order.po_received_at, 'invoice_number', p_order.invoice_number,
    'invoiced_at', p_order.invoiced_at, 'invoice_due_on', p_order.invoice_due_on,
    'note', p_order.note, 'tax_exempt', p_order.tax_exempt,
    'billing', jsonb_build_object(
      'name', p_order.billing_name, 'organization', p_order.billing_organization,
      'email', p_order.billing_email, 'address', p_order.billing_address,
      'region', p_order.billing_region
    ),
    'business', (
      select jsonb_build_object('id', b.id, 'name', b.name)
      from public.businesses b where b.id = p_order.business_id
    ),
    'lines', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'plan_key', l.plan_key, 'every', l.every, 'description', l.description,
        'quantity', l.quantity, 'unit_minor', l.unit_minor, 'amount_minor', l.amount_minor,
        'tax_name', l.tax_name, 'tax_rate', l.tax_rate, 'tax_minor', l.tax_minor
      ) order by l.position), '[]')
      from public.order_lines l where l.order_id = p_order.id
    ),
    'events', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', ev.at, 'from_state', ev.from_state, 'to_state', ev.to_state, 'note', ev.note,
        'by', case
          when ev.actor_id is null then 'system' when ev.actor_id = p_order.buyer_id then 'buyer'
          else 'staff' end
      ) order by ev.id), '[]')
      from (
        select * from public.order_events x where x.order_id = p_order.id order by x.id desc limit 100
      ) ev
    ),
    'payments', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'id', p.id, 'method', p.method, 'amount_minor', p.amount_minor, 'currency', p.currency,
        'received_at', p.received_at, 'period_starts_at', p.period_starts_at,
        'period_ends_at', p.period_ends_at, 'note', p.note,
        'back_minor', s.back_minor, 'disputed_minor', s.disputed_minor
      ) order by p.received_at, p.id), '[]')
      from (
        select * from public.payments x where x.order_id = p_order.id
        order by x.received_at desc, x.id limit 200
      ) p
      join private.payment_sums(p_order.id) s on s.id = p.id
    ),
    'refunds', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'amount_minor', r.amount_minor, 'state', r.state, 'at', r.created_at, 'reason', r.reason
      ) order by r.created_at, r.id), '[]')
      from public.refunds r
      join public.payments p on p.ref = r.payment_ref and p.order_id = p_order.id
    ),
    'files', private.order_files_json(p_order.id),
    'membership', (
      select jsonb_build_object(
        'state', m.state, 'period_ends_at', m.period_ends_at, 'ends_with_period', m.ends_with_period
      )
      from public.memberships m where m.order_id = p_order.id
    ),
    'sessions', case when p_order.business_id is not null then (
      select jsonb_build_object(
        'given', coalesce(sum(g.sessions), 0), 'used', coalesce(sum(g.used), 0),
        'ends_at', max(g.ends_at)
      )
      from private.grants_of(p_order.business_id) g
      where g.order_id = p_order.id and g.sessions > 0
    ) end
  )
$$;
comment on function private.order_json(public.orders) is
  'An order with its lines, steps, payments, refunds, files, membership, and how many sessions it gave and of those were used.';

create function private.own_order(p_id uuid) returns public.orders
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_order public.orders;
begin
  select * into v_order from public.orders o
  where o.id = p_id and o.buyer_id = v_user_id for update;
  if not found then
    raise exception 'We can’t find this order.' using errcode = 'P0002', hint = 'order_id';
  end if;
  return v_order;
end
$$;
comment on function private.own_order(uuid) is
  'An order of the caller, locked, or an error (P0002).';

create function private.take_order_step(
  p_order public.orders, p_to text, p_who text, p_note text default null
) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if not private.may_step('order', p_order.state, p_to, p_who) then
    raise exception '%', case p_order.state
      when 'draft' then 'This order isn’t ready for that yet.'
      when 'pending' then 'This order is being paid.'
      when 'canceled' then 'This order was canceled.'
      when 'expired' then 'This order has expired.'
      when 'paid' then 'This order is already paid.'
      else 'This order is too far along for that. Reload the page.'
    end using errcode = '55000', hint = 'state';
  end if;
  perform set_config('trellis.reason', coalesce(p_note, ''), true);
  update public.orders o set state = p_to where o.id = p_order.id;
  perform set_config('trellis.reason', '', true);
end
$$;
comment on function private.take_order_step(public.orders, text, text, text) is
  'Moves an order on, if this kind of person can take the step (55000 otherwise), with a note that its buyer reads.';

-- Placing an order ------------------------------------------------------------------------------

create function private.quote_order(p_id uuid) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  update public.orders o set
    quote_number = coalesce(o.quote_number, private.next_number('Q')),
    quoted_at = now(), quote_expires_at = now() + interval '60 days', state = 'quoted'
  where o.id = p_id;
end
$$;
comment on function private.quote_order(uuid) is
  'Gives an order its number as a quote that''s good for 60 days.';

create function private.price_for(
  p_plan public.plans, p_every text, p_method text, p_quantity int, p_business_id uuid
) returns public.prices
language plpgsql stable security definer set search_path = '' as $$
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
$$;
comment on function private.price_for(public.plans, text, text, int, uuid) is
  'The present price of a plan, after checking that it''s sold this way; a null row for seats, which are quoted.';

create function private.store_order(p_id uuid, p_user_id uuid, p_said jsonb) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_said record;
  v_plan public.plans;
  v_price public.prices;
  v_tax public.tax_rates;
  v_is_exempt boolean;
begin
  select * into v_said from jsonb_to_record(p_said) as s (
    business_id uuid, plan text, every text, quantity int, method text, expected_minor bigint,
    name text, organization text, email text, address text, region text, tax_exempt boolean, note text
  );
  if v_said.method is null or v_said.method not in ('card', 'purchase_order') then
    raise exception 'Choose how you’d like to pay.' using errcode = '22023', hint = 'method';
  end if;
  if v_said.business_id is not null then
    perform private.require_member(v_said.business_id);
  end if;
  select * into v_plan from public.plans p where p.key = v_said.plan;
  v_price := private.price_for(
    v_plan, v_said.every, v_said.method, v_said.quantity, v_said.business_id
  );
  if v_price.amount_minor is distinct from v_said.expected_minor then
    raise exception 'The price is now %. Check it and try again.',
      coalesce(private.money_words(v_price.amount_minor, v_price.currency), 'by quote')
      using errcode = '55000', hint = 'price';
  end if;
  v_is_exempt := coalesce(v_said.tax_exempt, false);
  if v_is_exempt and v_said.method = 'card' then
    raise exception 'Ask for a quote, so that we can check your certificate first.'
      using errcode = '22023', hint = 'tax_exempt';
  end if;
  -- Without one, no tax would be added.
  if not private.is_us_state(v_said.region) then
    raise exception 'Choose your state.' using errcode = '22023', hint = 'region';
  end if;
  -- Reminders of an invoice go there, so it's one address and nothing else.
  if not private.is_address(private.clean_text(v_said.email, 254, 'email')) then
    raise exception 'An email address looks like name@example.com.'
      using errcode = '22023', hint = 'email';
  end if;
  if v_said.method = 'purchase_order' and (
    coalesce(btrim(v_said.address), '') = '' or coalesce(btrim(v_said.name), '') = ''
  ) then
    raise exception '%', case when coalesce(btrim(v_said.name), '') = ''
      then 'Enter the name of the person the quote is for.'
      else 'Enter the address for the quote and the invoice.' end
      using errcode = '22023',
        hint = case when coalesce(btrim(v_said.name), '') = '' then 'name' else 'address' end;
  end if;
  if not v_is_exempt then
    select * into v_tax from public.tax_rates t where t.region = v_said.region;
  end if;

  insert into public.orders (
    id, buyer_id, business_id, method, currency, billing_name, billing_organization,
    billing_email, billing_address, billing_region, tax_exempt, note
  ) values (
    p_id, p_user_id, v_said.business_id, v_said.method, coalesce(v_price.currency, 'USD'),
    private.clean_text(v_said.name, 120, 'name'),
    private.clean_text(v_said.organization, 160, 'organization'),
    coalesce(
      private.clean_text(v_said.email, 254, 'email'),
      (select u.email from auth.users u where u.id = p_user_id)
    ),
    private.clean_text(v_said.address, 500, 'address'), v_said.region, v_is_exempt,
    private.clean_text(v_said.note, 1000, 'note')
  );
  insert into public.order_lines (
    order_id, position, plan_key, every, description, quantity, unit_minor, tax_name, tax_rate
  ) values (
    p_id, 1, v_plan.key, v_said.every, v_plan.name, v_said.quantity,
    coalesce(v_price.amount_minor, 0), v_tax.name, coalesce(v_tax.rate, 0)
  );
  -- What has a price is quoted right away; seats and certificates wait for an admin.
  if v_said.method = 'purchase_order' and v_price.id is not null and not v_is_exempt then
    perform private.quote_order(p_id);
  end if;
exception
  when invalid_text_representation or numeric_value_out_of_range then
    raise exception 'Something you entered isn’t right. Check it and try again.'
      using errcode = '22023', hint = '';
end
$$;
comment on function private.store_order(uuid, uuid, jsonb) is
  'Checks what someone orders and stores it with the database''s own price and tax.';

create function public.create_order(p_id uuid, p_order jsonb) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
  v_order public.orders;
begin
  if p_id is null or jsonb_typeof(p_order) is distinct from 'object' then
    raise exception 'Say what you’d like to buy.' using errcode = '22023', hint = '';
  end if;
  perform private.one_at_a_time('orders', v_user_id);
  select * into v_order from public.orders o where o.id = p_id;
  if not found then
    perform private.store_order(p_id, v_user_id, p_order);
    select * into v_order from public.orders o where o.id = p_id;
    if v_order.method = 'purchase_order' then
      perform private.tell_of_quote(v_order);
    end if;
  elsif v_order.buyer_id is distinct from v_user_id then
    raise exception 'This order already exists.' using errcode = '23505', hint = 'id';
  end if;
  return private.order_json(v_order);
end
$$;
comment on function public.create_order(uuid, jsonb) is
  'Places an order of the caller once under its id: {business_id (null: for a group), plan, every (once, month or year), quantity, method (card or purchase_order), expected_minor (the price they saw for one; refused if it has changed), name, organization, email, address, region, tax_exempt, note}. What has a price is quoted right away; the order as private.order_json.';
grant execute on function public.create_order(uuid, jsonb) to authenticated;

create function private.tell_of_quote(p_order public.orders) returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_order.state = 'quoted' then
    perform private.notify(
      p_order.buyer_id, 'order', 'quoted:' || p_order.id || ':' || p_order.quoted_at,
      'Your quote ' || p_order.quote_number || ' is ready',
      private.money_words(p_order.total_minor, p_order.currency)
        || E', good for 60 days.\nPrint it, and send us your purchase order on the same page.',
      '/dashboard/orders/' || p_order.id, 'Your quote'
    );
  end if;
  perform private.notify_admins(
    'order', 'order:' || p_order.id || coalesce(':' || p_order.quoted_at, ''),
    case p_order.state when 'quoted' then 'A new quote: ' || p_order.quote_number
      else 'Someone is waiting for a quote' end,
    coalesce(p_order.billing_organization, p_order.billing_name, 'A buyer') || ' asked for '
      || private.order_words(p_order.id) || '.',
    '/admin/orders/' || p_order.id, 'Open the order'
  );
end
$$;
comment on function private.tell_of_quote(public.orders) is
  'Tells a buyer that their quote is ready, and admins that someone wants to buy by purchase order.';

create function public.get_order(p_id uuid) returns jsonb
language plpgsql stable security definer set search_path = '' as $$
declare
  v_user_id uuid := private.require_session();
begin
  return (
    select private.order_json(o) from public.orders o where o.id = p_id and o.buyer_id = v_user_id
  );
end
$$;
comment on function public.get_order(uuid) is
  'An order of the caller, as private.order_json; null for everyone else''s.';
grant execute on function public.get_order(uuid) to authenticated;

create function public.cancel_order(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.own_order(p_id);
begin
  if v_order.state <> 'canceled' then
    perform private.take_order_step(v_order, 'canceled', 'buyer');
  end if;
  select * into v_order from public.orders o where o.id = p_id;
  return private.order_json(v_order);
end
$$;
comment on function public.cancel_order(uuid) is
  'A buyer cancels an order that nothing was paid for and that isn''t invoiced; the order, as private.order_json.';
grant execute on function public.cancel_order(uuid) to authenticated;

create function private.expire_quotes() returns int
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
  v_count int := 0;
begin
  for v_order in
    select * from public.orders o
    where o.state = 'quoted' and o.quote_expires_at <= now() order by o.id limit 500
    for update skip locked
  loop
    update public.orders o set state = 'expired' where o.id = v_order.id;
    perform private.notify(
      v_order.buyer_id, 'order', 'quote_expired:' || v_order.id || ':' || v_order.quoted_at,
      'Your quote ' || v_order.quote_number || ' has expired',
      'If you still want it, ask for a new one on the same page. Prices may have changed.',
      '/dashboard/orders/' || v_order.id, 'Your order'
    );
    v_count := v_count + 1;
  end loop;
  return v_count;
end
$$;
comment on function private.expire_quotes() is 'Quotes that are over expire, and their buyers hear of it; how many.';
insert into private.jobs (kind, every) values ('expire_quotes', interval '1 hour');

-- The order desk: purchase orders from the quote to the payment, for the buyer and for admins.

create function public.list_orders(p_place jsonb default null, p_limit int default null)
returns jsonb
language plpgsql stable security definer set search_path = '' as $$
begin
  perform private.require_session();
  return private.list_page(
    'public.orders r', private.order_row(), array['r.buyer_id = (select auth.uid())'],
    'r.created_at', 'timestamptz', true, '{}', p_place, p_limit
  );
end
$$;
comment on function public.list_orders(jsonb, int) is
  'The caller''s orders, newest first, as private.list_page of private.order_row.';
grant execute on function public.list_orders(jsonb, int) to authenticated;

create function private.order_row() returns text
language sql immutable set search_path = '' as $$
  select $row$
    jsonb_build_object(
      'state', r.state, 'method', r.method, 'created_at', r.created_at, 'currency', r.currency,
      'total_minor', r.total_minor, 'paid_minor', r.paid_minor, 'is_test', r.is_test,
      'quote_number', r.quote_number, 'invoice_number', r.invoice_number,
      'invoice_due_on', r.invoice_due_on,
      'overdue', r.state = 'invoiced' and r.invoice_due_on < private.coaching_day(),
      'buyer', coalesce(r.billing_organization, r.billing_name, r.billing_email),
      'email', r.billing_email,
      'business', (select b.name from public.businesses b where b.id = r.business_id),
      'what', (
        select l.description from public.order_lines l where l.order_id = r.id
        order by l.position limit 1
      )
    )
  $row$
$$;
comment on function private.order_row() is
  'The SQL of a row of a list of orders: {state, method, created_at, currency, total_minor, paid_minor, is_test, quote_number, invoice_number, invoice_due_on, overdue, buyer, email, business, what}.';

create function public.send_purchase_order(
  p_id uuid, p_po_number text, p_file_id uuid default null, p_total_minor bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.own_order(p_id);
  v_number text := private.clean_line(
    private.clean_text(p_po_number, 60, 'po_number', 'Enter the number of your purchase order.'), 60
  );
begin
  -- Sent twice, or the file comes after the number.
  if v_order.state = 'po_received' and v_order.po_number = v_number then
    if p_file_id is not null then
      perform private.send_order_file(p_id, p_file_id);
    end if;
    return private.order_json(v_order);
  end if;
  if p_total_minor <> v_order.total_minor then
    raise exception 'The quote is now %. Reload the page, and send your purchase order for that.',
      private.money_words(v_order.total_minor, v_order.currency)
      using errcode = '55000', hint = 'total_minor';
  end if;
  perform private.accept_purchase_order(v_order, v_number, 'buyer');
  if p_file_id is not null then
    perform private.send_order_file(p_id, p_file_id);
  end if;
  perform private.notify_admins(
    'order', 'po:' || p_id, 'A purchase order for ' || v_order.quote_number,
    coalesce(v_order.billing_organization, v_order.billing_name, 'A buyer')
      || ' sent number ' || v_number || '. Confirm it with an invoice.',
    '/admin/orders/' || p_id, 'Open the order'
  );
  select * into v_order from public.orders o where o.id = p_id;
  return private.order_json(v_order);
end
$$;
comment on function public.send_purchase_order(uuid, text, uuid, bigint) is
  'A buyer answers a quote with the number of their purchase order, once (p_total_minor: what it came to when they saw it; refused if it has been quoted again), and with its file if it''s stored (order_files.sql), which can also come later; the order, as private.order_json.';
grant execute on function public.send_purchase_order(uuid, text, uuid, bigint) to authenticated;

create function private.needs_admin_quote(p_order public.orders) returns boolean
language sql stable security definer set search_path = '' as $$
  select p_order.tax_exempt
    or exists (
      select from public.order_lines l join public.plans p on p.key = l.plan_key
      where l.order_id = p_order.id and p.gives = 'seat'
    )
    or exists (
      select from public.audit_log l
      where l.entity = 'order' and l.entity_id = p_order.id::text and l.action = 'order.quote'
    )
$$;
comment on function private.needs_admin_quote(public.orders) is
  'Whether an admin makes an order''s quotes: of seats, for exempt organizations, and where one has agreed on a price.';

create function private.price_again(p_order public.orders) returns void
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_line public.order_lines;
  v_plan public.plans;
  v_price public.prices;
  v_tax public.tax_rates;
begin
  select * into v_line from public.order_lines l where l.order_id = p_order.id and l.position = 1;
  select * into v_plan from public.plans p where p.key = v_line.plan_key;
  v_price := private.price_for(
    v_plan, v_line.every, p_order.method, v_line.quantity, p_order.business_id
  );
  select * into v_tax from public.tax_rates t where t.region = p_order.billing_region;
  update public.order_lines l set
    unit_minor = v_price.amount_minor, tax_name = v_tax.name, tax_rate = coalesce(v_tax.rate, 0)
  where l.order_id = p_order.id and l.position = 1;
end
$$;
comment on function private.price_again(public.orders) is
  'Gives an expired quote the price and the tax of today.';

create function public.request_quote(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.own_order(p_id);
begin
  -- Its hour hasn't come yet (private.expire_quotes), but it has expired.
  if v_order.state = 'quoted' and v_order.quote_expires_at <= now() then
    update public.orders o set state = 'expired' where o.id = p_id returning * into v_order;
  end if;
  -- Asked twice.
  if v_order.state in ('draft', 'quoted') and v_order.method = 'purchase_order' then
    return private.order_json(v_order);
  end if;
  if v_order.business_id is not null then
    perform private.require_member(v_order.business_id);
  end if;
  if v_order.method <> 'purchase_order' or v_order.state <> 'expired' then
    raise exception 'Only an expired quote can be renewed.' using errcode = '55000', hint = 'state';
  end if;
  if private.needs_admin_quote(v_order) then
    perform private.take_order_step(v_order, 'draft', 'buyer');
  else
    perform private.price_again(v_order);
    perform private.quote_order(p_id);
  end if;
  select * into v_order from public.orders o where o.id = p_id;
  perform private.tell_of_quote(v_order);
  return private.order_json(v_order);
end
$$;
comment on function public.request_quote(uuid) is
  'A buyer asks for an expired quote again, under its number: at today''s price right away, or from an admin where one made it; the order, as private.order_json.';
grant execute on function public.request_quote(uuid) to authenticated;

create function private.accept_purchase_order(p_order public.orders, p_number text, p_who text)
returns void
language plpgsql volatile security definer set search_path = '' as $$
begin
  if p_order.state = 'expired' or p_order.state = 'quoted' and p_order.quote_expires_at <= now() then
    raise exception 'This quote has expired. Ask for a new one.' using errcode = '55000', hint = 'state';
  end if;
  perform private.take_order_step(p_order, 'po_received', p_who);
  update public.orders o set po_number = p_number, po_received_at = now() where o.id = p_order.id;
end
$$;
comment on function private.accept_purchase_order(public.orders, text, text) is
  'Stores the number of a purchase order for a quote that''s still good (55000 otherwise).';

-- Admins ----------------------------------------------------------------------------------------

create index orders_due_idx on public.orders (invoice_due_on, id) where state = 'invoiced';

create function public.admin_orders(
  p_filter jsonb default '{}', p_place jsonb default null, p_limit int default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
begin
  perform private.require_admin();
  perform private.audit('order.list', 'order', null, null, p_filter);
  return private.list_page(
    'public.orders r', private.order_row(),
    array[
      case when p_filter ? 'state' then 'r.state = $1 ->> ''state''' end,
      case when p_filter ? 'method' then 'r.method = $1 ->> ''method''' end,
      case when p_filter ? 'overdue' then format(
        'r.state = ''invoiced'' and r.invoice_due_on < %L::date', private.coaching_day()
      ) end
    ],
    'r.created_at', 'timestamptz', p_filter ->> 'sort' is distinct from 'oldest',
    p_filter, p_place, p_limit, private.name_query(p_filter ->> 'words')
  );
end
$$;
comment on function public.admin_orders(jsonb, jsonb, int) is
  'A page of all orders, as private.list_page of private.order_row; by state, method, overdue and words.';
grant execute on function public.admin_orders(jsonb, jsonb, int) to authenticated;

create function private.orders_of(p_business_id uuid, p_buyer_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.list_page(
    'public.orders r', private.order_row(),
    array[
      case when p_business_id is not null then 'r.business_id = ($1 ->> ''business'')::uuid' end,
      case when p_buyer_id is not null then 'r.buyer_id = ($1 ->> ''buyer'')::uuid' end
    ],
    'r.created_at', 'timestamptz', true,
    jsonb_build_object('business', p_business_id, 'buyer', p_buyer_id), null, 50
  ) -> 'rows'
$$;
comment on function private.orders_of(uuid, uuid) is
  'The latest 50 orders for a business or of a buyer, as private.order_row.';

create function private.desk_order_json(p_id uuid) returns jsonb
language sql stable security definer set search_path = '' as $$
  select private.order_json(o) || jsonb_build_object(
    'buyer', (
      select jsonb_build_object('id', u.id, 'email', u.email, 'name', private.name_of(u.id))
      from auth.users u where u.id = o.buyer_id
    ),
    'program_id', (select p.id from public.programs p where p.order_id = o.id),
    'sessions_left', case when o.business_id is not null then private.sessions_left_json(o.business_id) end
  )
  from public.orders o where o.id = p_id
$$;
comment on function private.desk_order_json(uuid) is
  'An order for an admin: private.order_json with {buyer: {id, email, name} or null, program_id, sessions_left (of its business, as private.sessions_left_json, or null)}.';

create function private.desk_order(p_id uuid) returns public.orders
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders;
begin
  perform private.require_admin();
  select * into v_order from public.orders o where o.id = p_id for update;
  if not found then
    raise exception 'We can’t find this order.' using errcode = 'P0002', hint = 'order_id';
  end if;
  return v_order;
end
$$;
comment on function private.desk_order(uuid) is 'An order for the calling admin, locked, or an error.';

create function public.admin_get_order(p_id uuid) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order jsonb;
begin
  perform private.require_admin();
  v_order := private.desk_order_json(p_id);
  if v_order is not null then
    perform private.audit('order.read', 'order', p_id::text);
  end if;
  return v_order;
end
$$;
comment on function public.admin_get_order(uuid) is
  'An order for an admin, as private.desk_order_json; null if there''s none.';
grant execute on function public.admin_get_order(uuid) to authenticated;

create function public.quote_order_lines(
  p_id uuid, p_quantity int, p_unit_minor bigint, p_setup_minor bigint, p_tax_exempt boolean,
  p_reason text
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := private.require_reason(p_reason);
  v_plan public.plans;
  v_tax public.tax_rates;
begin
  if v_order.method <> 'purchase_order' or v_order.state not in ('draft', 'quoted', 'expired') then
    raise exception 'Only an order that waits for a quote, or has one, can be quoted.'
      using errcode = '55000', hint = 'state';
  end if;
  select p.* into v_plan from public.plans p
  join public.order_lines l on l.plan_key = p.key where l.order_id = p_id and l.position = 1;
  if p_quantity is null or p_quantity not between v_plan.fewest and v_plan.most then
    raise exception 'Enter a number from % to %.', v_plan.fewest, v_plan.most
      using errcode = '22023', hint = 'quantity';
  end if;
  if p_unit_minor is null or p_unit_minor not between 1 and 100000000 then
    raise exception 'Enter the price of one.' using errcode = '22023', hint = 'unit_minor';
  end if;
  if coalesce(p_setup_minor, 0) not between 0 and 100000000 then
    raise exception 'Enter the price of the setup, or leave it out.' using errcode = '22023', hint = 'setup_minor';
  end if;
  if not coalesce(p_tax_exempt, false) then
    select * into v_tax from public.tax_rates t where t.region = v_order.billing_region;
  end if;
  update public.order_lines l set
    quantity = p_quantity, unit_minor = p_unit_minor, tax_name = v_tax.name,
    tax_rate = coalesce(v_tax.rate, 0)
  where l.order_id = p_id and l.position = 1;
  delete from public.order_lines l where l.order_id = p_id and l.position > 1;
  if p_setup_minor > 0 then
    insert into public.order_lines (
      order_id, position, description, quantity, unit_minor, tax_name, tax_rate
    ) values (p_id, 2, 'Setup', 1, p_setup_minor, v_tax.name, coalesce(v_tax.rate, 0));
  end if;
  update public.orders o set tax_exempt = coalesce(p_tax_exempt, false) where o.id = p_id;
  perform private.quote_order(p_id);
  perform private.audit('order.quote', 'order', p_id::text, v_reason,
    jsonb_build_object('quantity', p_quantity, 'unit_minor', p_unit_minor, 'setup_minor', p_setup_minor));
  select * into v_order from public.orders o where o.id = p_id;
  perform private.notify(
    v_order.buyer_id, 'order', 'quoted:' || p_id || ':' || v_order.quoted_at,
    'Your quote ' || v_order.quote_number || ' is ready',
    private.money_words(v_order.total_minor, v_order.currency)
      || E', good for 60 days.\nPrint it, and send us the number of your purchase order on the same page.',
    '/dashboard/orders/' || p_id, 'Your quote'
  );
  return private.desk_order_json(p_id);
end
$$;
comment on function public.quote_order_lines(uuid, int, bigint, bigint, boolean, text) is
  'An admin quotes an order, or quotes it again: how many, the price of one, a setup fee, and whether a tax certificate was checked; the order, as private.desk_order_json.';
grant execute on function public.quote_order_lines(uuid, int, bigint, bigint, boolean, text) to authenticated;

create function public.record_purchase_order(p_id uuid, p_po_number text, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := private.require_reason(p_reason);
  v_number text := private.clean_line(
    private.clean_text(p_po_number, 60, 'po_number', 'Enter the number of their purchase order.'), 60
  );
begin
  perform private.accept_purchase_order(v_order, v_number, 'admin');
  perform private.audit('order.purchase_order', 'order', p_id::text, v_reason);
  return private.desk_order_json(p_id);
end
$$;
comment on function public.record_purchase_order(uuid, text, text) is
  'An admin records a purchase order that came another way; the order, as private.desk_order_json.';
grant execute on function public.record_purchase_order(uuid, text, text) to authenticated;

create function public.invoice_order(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := private.require_reason(p_reason);
begin
  if v_order.state = 'invoiced' then
    return private.desk_order_json(p_id);
  end if;
  perform private.take_order_step(v_order, 'invoiced', 'admin');
  update public.orders o set
    invoice_number = private.next_number('INV'), invoiced_at = now(),
    invoice_due_on = private.coaching_day() + 30
  where o.id = p_id returning * into v_order;
  -- What was ordered can be used from now on.
  perform private.settle_order(p_id);
  perform private.audit('order.invoice', 'order', p_id::text, v_reason);
  perform private.notify(
    v_order.buyer_id, 'order', 'invoiced:' || p_id, 'Your invoice ' || v_order.invoice_number,
    private.money_words(v_order.total_minor, v_order.currency) || ' by '
      || to_char(v_order.invoice_due_on, 'FMMonth FMDD, YYYY')
      || E'.\nCoaching can start now; it doesn’t wait for the payment.',
    '/dashboard/orders/' || p_id, 'Your invoice'
  );
  return private.desk_order_json(p_id);
end
$$;
comment on function public.invoice_order(uuid, text) is
  'An admin confirms a purchase order with an invoice, due in 30 days; from then on its sessions can be used; the order, as private.desk_order_json.';
grant execute on function public.invoice_order(uuid, text) to authenticated;

create function public.record_payment(
  p_id uuid, p_order_id uuid, p_method text, p_amount_minor bigint, p_received_on date, p_reason text,
  p_open_minor bigint default null
) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.desk_order(p_order_id);
  v_reason text := private.require_reason(p_reason);
begin
  if exists (
    select from public.payments p where p.ref = 'manual:' || p_id and p.order_id = p_order_id
  ) then
    return private.desk_order_json(p_order_id);
  end if;
  if p_id is null then
    raise exception 'A payment needs an id.' using errcode = '22023', hint = 'id';
  end if;
  if v_order.state <> 'invoiced' then
    raise exception 'Only an invoice that isn’t paid can be paid.' using errcode = '55000', hint = 'state';
  end if;
  if p_open_minor <> v_order.total_minor - v_order.paid_minor then
    raise exception 'Someone else has recorded a payment for this invoice: % is open. Reload the page.',
      private.money_words(v_order.total_minor - v_order.paid_minor, v_order.currency)
      using errcode = '55000', hint = 'amount_minor';
  end if;
  if p_method is null or p_method not in ('check', 'transfer', 'other') then
    raise exception 'Choose how it was paid.' using errcode = '22023', hint = 'method';
  end if;
  if p_amount_minor is null or p_amount_minor not between 1 and v_order.total_minor - v_order.paid_minor then
    raise exception 'Enter an amount up to %, which is what’s open.',
      private.money_words(v_order.total_minor - v_order.paid_minor, v_order.currency)
      using errcode = '22023', hint = 'amount_minor';
  end if;
  if p_received_on is null or p_received_on > private.coaching_day()
    or p_received_on < v_order.invoiced_at::date - 1
  then
    raise exception 'Enter a day from the invoice’s to today.' using errcode = '22023', hint = 'received_on';
  end if;
  perform private.report_payment(
    p_order_id, 'manual:' || p_id, p_method, p_amount_minor, v_order.currency,
    (p_received_on + time '12:00') at time zone private.coaching_zone()
  );
  perform private.audit('order.payment', 'order', p_order_id::text, v_reason,
    jsonb_build_object('amount_minor', p_amount_minor, 'method', p_method));
  return private.desk_order_json(p_order_id);
end
$$;
comment on function public.record_payment(uuid, uuid, text, bigint, date, text, bigint) is
  'An admin records a check or a transfer for an invoice, in full or in part, once per id (p_open_minor: what was open when they looked; refused if someone else has recorded a payment since); the order, as private.desk_order_json.';
grant execute on function public.record_payment(uuid, uuid, text, bigint, date, text, bigint) to authenticated;

create function public.void_order(p_id uuid, p_reason text) returns jsonb
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_order public.orders := private.desk_order(p_id);
  v_reason text := left(private.require_reason(p_reason), 500);
begin
  if v_order.state = 'canceled' then
    return private.desk_order_json(p_id);
  end if;
  if v_order.paid_minor > 0 then
    raise exception 'Something was paid for this order, so it can’t be canceled.'
      using errcode = '55000', hint = 'state';
  end if;
  perform private.take_order_step(v_order, 'canceled', 'admin', v_reason);
  perform private.settle_order(p_id);
  perform private.audit('order.cancel', 'order', p_id::text, v_reason);
  perform private.notify(
    v_order.buyer_id, 'order', 'canceled:' || p_id, 'Your order was canceled',
    E'You owe nothing for it. The reason:\n' || v_reason, '/dashboard/orders/' || p_id, 'Your order'
  );
  return private.desk_order_json(p_id);
end
$$;
comment on function public.void_order(uuid, text) is
  'An admin cancels an order or voids its invoice, with a reason that the buyer reads, if nothing was paid; the order, as private.desk_order_json.';
grant execute on function public.void_order(uuid, text) to authenticated;

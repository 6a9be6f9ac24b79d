-- Orders: what someone buys, by card or by purchase order.
--
--   by card            draft → pending → paid → part_refunded → refunded; failed and expired can be
--                      tried again
--   by purchase order  draft → quoted → po_received → invoiced → paid → …; a quote can expire
--
-- An order keeps what it says: its lines, prices and tax are fixed once it's quoted or at the
-- checkout. Money is a fact of its own (payments.sql), and so is what the order gives
-- (session_grants.sql); private.settle_order compares the three.

create table public.orders (
  -- Created by the browser, so that sending it twice places it once.
  id uuid primary key,
  buyer_id uuid references auth.users (id) on delete set null,
  -- Whose sessions it buys; null: seats of a program.
  business_id uuid references public.businesses (id),
  method text not null check (method in ('card', 'purchase_order')),
  state text not null default 'draft' check (state in (
    'draft', 'pending', 'quoted', 'po_received', 'invoiced', 'paid', 'part_refunded', 'refunded',
    'canceled', 'expired', 'failed'
  )),
  state_since timestamptz not null default now(),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Sums of the lines, in minor units.
  subtotal_minor bigint not null default 0 check (subtotal_minor >= 0),
  tax_minor bigint not null default 0 check (tax_minor >= 0),
  total_minor bigint not null generated always as (subtotal_minor + tax_minor) stored,
  -- Sums of payments.sql: what came in, what went back, and what a bank is disputing.
  paid_minor bigint not null default 0,
  refunded_minor bigint not null default 0,
  disputed_minor bigint not null default 0,
  -- Who pays, as the quote, the invoice and the receipt say it.
  billing_name text check (char_length(billing_name) <= 120),
  billing_organization text check (char_length(billing_organization) <= 160),
  billing_email text check (char_length(billing_email) <= 254),
  billing_address text check (char_length(billing_address) <= 500),
  billing_region text check (billing_region ~ '^[A-Z]{2}-[A-Z0-9]{1,3}$'),
  -- Of an organization that doesn't pay tax; an admin checks it before the quote goes out.
  tax_exempt boolean not null default false,
  -- What the buyer asks for or says.
  note text check (char_length(note) <= 1000),
  quote_number text unique,
  quoted_at timestamptz,
  quote_expires_at timestamptz,
  -- The buyer's own number.
  po_number text check (char_length(po_number) <= 60),
  po_received_at timestamptz,
  invoice_number text unique,
  invoiced_at timestamptz,
  invoice_due_on date,
  -- How many reminders of the invoice have gone out.
  reminders smallint not null default 0 check (reminders between 0 and 4),
  -- The card payment's session and customer at Stripe. Money only counts by payments.sql.
  checkout_ref text unique,
  customer_ref text,
  -- Paid with test money: shown as such, and left out of sums.
  is_test boolean not null default false,
  created_at timestamptz not null default now(),
  -- Its buyer, numbers and organization, for searches.
  words tsvector not null generated always as (
    private.name_words(
      coalesce(quote_number, '') || ' ' || coalesce(invoice_number, '') || ' '
        || coalesce(po_number, '') || ' ' || coalesce(billing_organization, '') || ' '
        || coalesce(billing_name, '') || ' ' || coalesce(billing_email, '')
    )
  ) stored,
  check ((quote_number is null) = (quoted_at is null)),
  check ((invoice_number is null) = (invoiced_at is null))
);
comment on table public.orders is
  'What someone buys: who pays, how, how much, and how far it is. Never a card number.';
create index orders_buyer_id_idx on public.orders (buyer_id, created_at desc);
create index orders_business_id_idx on public.orders (business_id);
create index orders_created_at_idx on public.orders (created_at, id);
create index orders_state_idx on public.orders (state, created_at, id);
create index orders_words_idx on public.orders using gin (words);
create index orders_customer_ref_idx on public.orders (customer_ref);

create table public.order_lines (
  order_id uuid not null references public.orders (id) on delete cascade,
  position smallint not null check (position between 1 and 20),
  -- Null for what isn't a plan, such as setup.
  plan_key text references public.plans (key),
  every text not null default 'once' check (every in ('once', 'month', 'year')),
  description text not null check (char_length(description) between 1 and 200),
  quantity int not null check (quantity between 1 and 1000),
  unit_minor bigint not null check (unit_minor between 0 and 100000000),
  amount_minor bigint not null generated always as (quantity * unit_minor) stored,
  tax_name text check (char_length(tax_name) <= 80),
  tax_rate numeric(7, 6) not null default 0 check (tax_rate >= 0 and tax_rate < 1),
  tax_minor bigint not null generated always as (
    pg_catalog.round(quantity * unit_minor * tax_rate)::bigint
  ) stored,
  primary key (order_id, position)
);
comment on table public.order_lines is 'What an order consists of, with its price and tax.';
create index order_lines_plan_key_idx on public.order_lines (plan_key);

create table public.order_events (
  id bigint generated always as identity primary key,
  order_id uuid not null references public.orders (id) on delete cascade,
  at timestamptz not null default now(),
  -- No foreign key: the row outlives the account. Null: the product.
  actor_id uuid,
  from_state text,
  to_state text not null,
  -- Staff read it, and the buyer.
  note text check (char_length(note) <= 500)
);
comment on table public.order_events is 'Each step of an order: who, when, from where to where.';
create index order_events_order_id_idx on public.order_events (order_id, id);

create table private.document_numbers (
  kind text not null check (kind in ('Q', 'INV')),
  year int not null,
  last int not null,
  primary key (kind, year)
);
comment on table private.document_numbers is
  'The last number of quotes and invoices in a year. Taken in the transaction that uses it, so there are no gaps.';

alter table public.orders enable row level security;
alter table public.order_lines enable row level security;
alter table public.order_events enable row level security;
alter table private.document_numbers enable row level security;

create policy "Buyers read their own orders"
  on public.orders for select to authenticated
  using ((select private.session_ok()) and buyer_id = (select auth.uid()));
create policy "Buyers read the lines of their orders"
  on public.order_lines for select to authenticated
  using (
    (select private.session_ok()) and order_id = any (array(select o.id from public.orders o))
  );
grant select on public.orders, public.order_lines to authenticated;

-- Triggers --------------------------------------------------------------------------------------

create trigger orders_take_known_steps before insert or update of state on public.orders
  for each row execute function private.check_transition('order', 'state');

create function private.record_order_step() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  if tg_op = 'UPDATE' and new.state = old.state then
    return null;
  end if;
  insert into public.order_events (order_id, actor_id, from_state, to_state, note)
  values (
    new.id, auth.uid(), case when tg_op = 'UPDATE' then old.state end, new.state,
    nullif(current_setting('trellis.reason', true), '')
  );
  return null;
end
$$;
create trigger orders_record_steps after insert or update of state on public.orders
  for each row execute function private.record_order_step();

create function private.keep_order() returns trigger
language plpgsql set search_path = '' as $$
begin
  if new.state <> old.state then
    new.state_since := now();
  end if;
  if (new.id, new.method, new.currency) is distinct from (old.id, old.method, old.currency)
    or new.buyer_id is distinct from old.buyer_id and new.buyer_id is not null
    or old.state not in ('draft', 'quoted', 'expired')
      and (new.subtotal_minor, new.tax_minor) is distinct from (old.subtotal_minor, old.tax_minor)
    or old.invoice_number is not null and new.invoice_number is distinct from old.invoice_number
    or old.quote_number is not null and new.quote_number is distinct from old.quote_number
  then
    raise exception 'An order keeps what it says.' using errcode = '55000';
  end if;
  return new;
end
$$;
create trigger orders_keep_what_they_say before update on public.orders
  for each row when (not private.merging()) execute function private.keep_order();

create function private.keep_order_lines() returns trigger
language plpgsql security definer set search_path = '' as $$
declare
  v_order public.orders;
begin
  select * into v_order from public.orders o where o.id = coalesce(new.order_id, old.order_id);
  -- Null: the order itself is being deleted.
  if v_order.state not in ('draft', 'quoted', 'expired') then
    raise exception 'An order keeps what it says.' using errcode = '55000';
  end if;
  return coalesce(new, old);
end
$$;
create trigger order_lines_keep_what_they_say before insert or update or delete
  on public.order_lines for each row execute function private.keep_order_lines();

create function private.sum_order_lines() returns trigger
language plpgsql security definer set search_path = '' as $$
begin
  update public.orders o set
    (subtotal_minor, tax_minor) = (
      select coalesce(sum(l.amount_minor), 0), coalesce(sum(l.tax_minor), 0)
      from public.order_lines l where l.order_id = o.id
    )
  where o.id = coalesce(new.order_id, old.order_id);
  return null;
end
$$;
create trigger order_lines_add_up after insert or update or delete on public.order_lines
  for each row execute function private.sum_order_lines();

-- Numbers ---------------------------------------------------------------------------------------

create function private.next_number(p_kind text) returns text
language plpgsql volatile security definer set search_path = '' as $$
declare
  v_year constant int := extract(year from private.coaching_day())::int;
  v_last int;
begin
  insert into private.document_numbers as n (kind, year, last) values (p_kind, v_year, 1)
  on conflict (kind, year) do update set last = n.last + 1
  returning n.last into v_last;
  return p_kind || '-' || v_year || '-' || lpad(v_last::text, 4, '0');
end
$$;
comment on function private.next_number(text) is
  'The next number of a quote (Q-2026-0142) or an invoice (INV-2026-0031), without gaps.';

create function private.money_words(p_minor bigint, p_currency text) returns text
language sql immutable set search_path = '' as $$
  select case when p_currency = 'USD' then '$' else p_currency || ' ' end
    || to_char(p_minor / 100.0, case when p_minor % 100 = 0 then 'FM999,999,990' else 'FM999,999,990.00' end)
$$;
comment on function private.money_words(bigint, text) is
  'An amount in a sentence: $285 or $99.50. For currencies with two decimals, as all that are sold in.';

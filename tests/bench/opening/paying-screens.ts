/** Lists of orders, prices, programs and seats: an admin's, a buyer's and a sponsor's. */
import { idOf, OURS, rare, step } from './admin-screens.ts';
import type { Fill, ScreenCase } from './screens.ts';

const SPONSOR = 'sponsor@demo.test';
/** The program that the seats are in. */
const PROGRAM = `${OURS}0006-4000-8000-000000000001`;

/** Orders of one buyer: mostly paid, and as many of few as of many that wait for an admin. */
const orders: Fill = async (sql, count) => {
  await sql`delete from public.order_lines where order_id::text like ${`${OURS}%`}`;
  await sql`delete from public.orders where id::text like ${`${OURS}%`}`;
  await sql.unsafe(`
    insert into public.orders (
      id, buyer_id, method, state, currency, subtotal_minor, paid_minor, billing_organization,
      billing_email, quote_number, quoted_at, quote_expires_at, invoice_number, invoiced_at,
      invoice_due_on, created_at
    )
    select ${idOf(5)}, (select id from auth.users where email = '${SPONSOR}'), 'purchase_order',
      s.state, 'USD', 28500, case when s.state = 'paid' then 28500 else 0 end,
      'Organization ' || n || ${rare(count)}, 'bills' || n || '@bench.test',
      case when s.state <> 'draft' then 'Q-BENCH-' || n end,
      case when s.state <> 'draft' then now() end, now() + interval '60 days',
      case when s.state in ('invoiced', 'paid') then 'INV-BENCH-' || n end,
      case when s.state in ('invoiced', 'paid') then now() end,
      case when s.state in ('invoiced', 'paid') then current_date - 10 end,
      now() - make_interval(mins => n)
    from generate_series(1, ${count}) n
    cross join lateral (
      select case n % ${step(count, count / 25)}
        when 0 then 'draft' when 1 then 'po_received' when 2 then 'invoiced' else 'paid' end as state
    ) s`);
  await sql.unsafe(`
    insert into public.order_lines (order_id, position, plan_key, description, quantity, unit_minor)
    select ${idOf(5)}, 1, 'session-pack', 'Session pack', 1, 28500
    from generate_series(1, ${count}) n`);
};

/** Prices that a plan had before. */
const prices: Fill = async (sql, count) => {
  await sql`delete from public.prices where by_admin and ended_at is not null`;
  await sql`
    insert into public.prices (plan_key, every, amount_minor, currency, created_at, ended_at, by_admin)
    select 'session-pack', 'once', 20000 + n, 'USD', now() - make_interval(mins => n::int + 1),
      now() - make_interval(mins => n::int), true
    from generate_series(1, ${count}) n`;
};

/** Programs of a few seats each. */
const programs: Fill = async (sql, count) => {
  await sql`delete from public.seats where program_id::text like ${`${OURS}%`}`;
  await sql`delete from public.programs where id::text like ${`${OURS}%`}`;
  await sql.unsafe(`
    insert into public.programs (id, name, sponsor, reason, sessions, starts_on, ends_on, created_at)
    select ${idOf(6)}, 'Program ' || n || ${rare(count)}, 'Organization ' || n, 'Made for the bench', 4,
      current_date - 30, current_date + case when n % ${step(count, count / 25)} = 0 then -2 else 300 end,
      now() - make_interval(mins => n)
    from generate_series(1, ${count}) n`);
  await sql.unsafe(`
    insert into public.seats (program_id, number)
    select ${idOf(6)}, place from generate_series(1, ${count}) n, generate_series(1, 3) place`);
};

/** Seats of one program, as many as can be bought or given at once, a quarter of them reserved. */
const seats: Fill = async (sql, count) => {
  await programs(sql, 1);
  await sql`delete from public.program_consents where program_id = ${PROGRAM}`;
  await sql`
    insert into public.program_consents (program_id, version, body)
    values (${PROGRAM}, 1, 'The organization pays for this seat and sees totals, and no business.')`;
  await sql`delete from public.program_sponsors where program_id = ${PROGRAM}`;
  await sql`insert into public.program_sponsors (program_id, address) values (${PROGRAM}, ${SPONSOR})`;
  await sql`delete from public.seats where program_id = ${PROGRAM}`;
  await sql`
    insert into public.seats (program_id, number, state, address, reserved_until)
    select ${PROGRAM}, n, case when n % 4 = 0 then 'assigned' else 'unassigned' end,
      case when n % 4 = 0 then 'owner' || n || '@bench.test' end,
      case when n % 4 = 0 then now() + interval '30 days' end
    from generate_series(1, ${count}) n`;
};

const screen = (
  what: string,
  address: string,
  fill: Fill,
  email = 'admin@demo.test',
): ScreenCase => ({ what, address, fill, email, many: 10_000 });

export const payingScreens: ScreenCase[] = [
  screen('orders', '/admin/orders', orders),
  screen('orders, oldest first', '/admin/orders?sort=oldest', orders),
  screen('orders, quotes to make', '/admin/orders?state=draft&method=purchase_order', orders),
  screen('orders, purchase orders to invoice', '/admin/orders?state=po_received', orders),
  screen('orders, overdue', '/admin/orders?overdue=1', orders),
  screen('orders, a word of all', '/admin/orders?q=organization', orders),
  screen('orders, a word of 25', '/admin/orders?q=giraffe', orders),
  screen('the overview beside orders', '/admin', orders),
  screen('a buyer’s orders', '/dashboard/orders', orders, SPONSOR),
  screen('prices', '/admin/orders/prices', prices),
  screen('the order form beside old prices', '/dashboard/orders/new', prices, SPONSOR),
  screen('programs', '/admin/programs', programs),
  screen('programs by end', '/admin/programs?sort=ends', programs),
  screen('programs that are over', '/admin/programs?state=over', programs),
  screen('programs, a word of all', '/admin/programs?q=program', programs),
  screen('programs, a word of 25', '/admin/programs?q=giraffe&state=all', programs),
  ...[
    screen('a program’s seats', `/admin/programs/${PROGRAM}`, seats),
    screen('a program for its sponsor', `/dashboard/programs/${PROGRAM}`, seats, SPONSOR),
  ].map((each) => ({ ...each, many: 1000 })),
];

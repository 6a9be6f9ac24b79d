import { sql } from 'kysely';
import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { type BuiltPerson, idOf, queryAs } from './builders.ts';
import { type DateChange, dayAgo, daysAgo } from './dates.ts';
import { demoSponsor, known } from './people.ts';

/** How far an order got, with how many days ago: each step follows the one before. */
interface DemoOrder {
  buyer: string;
  /** Null: for a group. */
  business: string | null;
  plan: 'session-pack' | 'sponsor-seats';
  quantity: number;
  organization: string;
  address: string;
  region: string;
  taxExempt?: boolean;
  note?: string;
  orderedAgo: number;
  /** What an admin quoted, in minor units, where the price isn't the list's. */
  quoted?: { unitMinor: number; setupMinor: number; ago: number };
  purchaseOrder?: { number: string; ago: number };
  invoicedAgo?: number;
  paid?: { method: 'check' | 'transfer'; ago: number; reason: string };
}

const SPONSOR = demoSponsor.email;
/** Days ago that the prices were set. */
const PRICED_AGO = 320;

const demoOrders: readonly DemoOrder[] = [
  {
    buyer: 'owner@demo.test',
    business: 'Delgado Bakery',
    plan: 'session-pack',
    quantity: 1,
    organization: 'Delgado Bakery LLC',
    address: '1804 Mountain Road NW\nAlbuquerque, NM 87104',
    region: 'US-NM',
    orderedAgo: 44,
    purchaseOrder: { number: '2026-011', ago: 42 },
    invoicedAgo: 41,
    paid: { method: 'check', ago: 20, reason: 'Check 2209' },
  },
  {
    buyer: SPONSOR,
    business: null,
    plan: 'sponsor-seats',
    // With five businesses in ten seats, the sponsor sees totals.
    quantity: 10,
    organization: 'Rio Abajo Business Alliance',
    address: '500 Main Street SE\nLos Lunas, NM 87031',
    region: 'US-NM',
    taxExempt: true,
    note: 'For shops and trades in our three counties. Our board meets on the 15th.',
    orderedAgo: 110,
    quoted: { unitMinor: 34_000, setupMinor: 50_000, ago: 108 },
    purchaseOrder: { number: 'RABA-0718', ago: 99 },
    invoicedAgo: 98,
    paid: { method: 'transfer', ago: 75, reason: 'Transfer of the alliance, on our statement' },
  },
  {
    buyer: 'omar@demo.test',
    business: null,
    plan: 'session-pack',
    quantity: 2,
    organization: 'Mesa Contractors Guild',
    address: '77 Industrial Way\nMesa, AZ 85210',
    region: 'US-AZ',
    orderedAgo: 52,
    purchaseOrder: { number: 'G-1190', ago: 48 },
    invoicedAgo: 46,
  },
  {
    buyer: 'owner2@demo.test',
    business: 'Park Street Cycles',
    plan: 'session-pack',
    quantity: 1,
    organization: 'Park Street Cycles',
    address: '310 Park Street\nDenver, CO 80203',
    region: 'US-CO',
    orderedAgo: 10,
  },
  {
    buyer: 'grace@demo.test',
    business: null,
    plan: 'session-pack',
    quantity: 4,
    organization: 'Valley Merchants Association',
    address: '12 Plaza Drive\nSanta Fe, NM 87501',
    region: 'US-NM',
    note: 'Four shops on the plaza, one pack each.',
    orderedAgo: 6,
    purchaseOrder: { number: 'VMA 26-31', ago: 1 },
  },
  {
    buyer: 'june@demo.test',
    business: null,
    plan: 'sponsor-seats',
    quantity: 15,
    organization: 'Doña Ana Care Network',
    address: '2200 University Avenue\nLas Cruces, NM 88001',
    region: 'US-NM',
    taxExempt: true,
    note: 'For home-care businesses with fewer than 20 employees.',
    orderedAgo: 2,
  },
];

const orderId = ({ buyer, organization }: DemoOrder) => idOf(`order ${buyer} ${organization}`);

/** Orders in several states, with the procedures that buyers and admins use. */
export async function placeOrders(
  db: Database,
  people: Map<string, BuiltPerson>,
): Promise<DateChange[]> {
  const admin = known(people, 'admin@demo.test');
  const changes: DateChange[] = [
    // They're older than any order.
    sql`update public.prices set created_at = ${daysAgo(PRICED_AGO)} where not by_admin`,
  ];
  // In the order of their dates, as their quotes and invoices are numbered.
  for (const order of demoOrders.toSorted((a, b) => b.orderedAgo - a.orderedAgo)) {
    await placeOrder(db, order, known(people, order.buyer));
    await runOrder(db, order, { admin, buyer: known(people, order.buyer) });
    changes.push(...datesOf(order));
  }
  return changes;
}

async function placeOrder(db: Database, order: DemoOrder, buyer: BuiltPerson): Promise<void> {
  const price = await queryOne<{ amount_minor: string }>(db)`
    select amount_minor from public.prices
    where plan_key = ${order.plan} and every = 'once' and ended_at is null`;
  const person = await queryOne<{ full_name: string }>(db)`
    select full_name from public.profiles where user_id = ${buyer.id}`;
  const said = {
    business_id: order.business && idOf(`business ${order.business}`),
    plan: order.plan,
    every: 'once',
    quantity: order.quantity,
    method: 'purchase_order',
    expected_minor: price ? Number(price.amount_minor) : null,
    name: person?.full_name,
    organization: order.organization,
    address: order.address,
    region: order.region,
    tax_exempt: order.taxExempt ?? false,
    note: order.note ?? '',
  };
  await queryAs(db, buyer)`
    select public.create_order(${orderId(order)}, ${JSON.stringify(said)}::jsonb)`;
}

/** Takes an order as far as it got. Dates are moved back later. */
async function runOrder(
  db: Database,
  order: DemoOrder,
  { admin, buyer }: { admin: BuiltPerson; buyer: BuiltPerson },
): Promise<void> {
  const id = orderId(order);
  if (order.quoted) {
    await queryAs(db, admin)`
      select public.quote_order_lines(
        ${id}, ${order.quantity}, ${order.quoted.unitMinor}, ${order.quoted.setupMinor},
        ${order.taxExempt ?? false}, 'As agreed by phone; their certificate is on file')`;
  }
  if (order.purchaseOrder) {
    await queryAs(db, buyer)`
      select public.send_purchase_order(${id}, ${order.purchaseOrder.number})`;
  }
  if (order.invoicedAgo === undefined) return;
  await queryAs(db, admin)`select public.invoice_order(${id}, 'The numbers match the quote')`;
  if (!order.paid) return;
  const owed = await queryOne<{ minor: string; day: string }>(db)`
    select o.total_minor as minor, private.coaching_day()::text as day
    from public.orders o where o.id = ${id}`;
  await queryAs(db, admin)`
    select public.record_payment(
      ${idOf(`payment ${id}`)}, ${id}, ${order.paid.method}, ${owed?.minor}, ${owed?.day},
      ${order.paid.reason})`;
}

function datesOf(order: DemoOrder): DateChange[] {
  const id = orderId(order);
  const ordered = daysAgo(order.orderedAgo);
  const at = (days: number | undefined) => (days === undefined ? null : daysAgo(days));
  const quoted = at(order.quoted?.ago) ?? ordered;
  const received = at(order.purchaseOrder?.ago);
  const invoiced = at(order.invoicedAgo);
  const paid = at(order.paid?.ago);
  const due = order.invoicedAgo === undefined ? null : dayAgo(order.invoicedAgo - 30);
  const steps = { draft: ordered, quoted, po_received: received, invoiced, paid };
  return [
    sql`
      update public.orders set
        created_at = ${ordered}, po_received_at = ${received}, invoiced_at = ${invoiced},
        invoice_due_on = ${due},
        quoted_at = case when quoted_at is not null then ${quoted}::timestamptz end,
        quote_expires_at = case
          when quoted_at is not null then ${quoted}::timestamptz + interval '60 days' end,
        state_since = ${paid ?? invoiced ?? received ?? quoted}
      where id = ${id}`,
    ...Object.entries(steps).map(
      ([state, day]) => sql`
        update public.order_events set at = coalesce(${day}, at)
        where order_id = ${id} and to_state = ${state}`,
    ),
    sql`update public.payments set received_at = ${paid} where order_id = ${id}`,
    sql`
      update public.session_grants set
        starts_at = ${invoiced}, created_at = ${invoiced},
        ends_at = ends_at - (starts_at - ${invoiced}::timestamptz)
      where order_id = ${id} and kind = 'pack'`,
    sql`
      update public.programs set
        created_at = ${invoiced}, starts_on = ${invoiced}::timestamptz::date,
        ends_on = ends_on - (starts_on - ${invoiced}::timestamptz::date)
      where order_id = ${id}`,
    datesOfNotices(id),
  ];
}

/** People were told when it happened. */
export const datesOfNotices = (id: string) => sql`
  update public.notifications n set
    created_at = coalesce(h.at, n.created_at),
    body = case when h.kind = 'invoiced' then regexp_replace(
      n.body, 'by \\w+ \\d+, \\d{4}', 'by ' || to_char(h.due_on, 'FMMonth FMDD, YYYY')
    ) else n.body end
  from (
    select s.kind, s.at, o.invoice_due_on as due_on
    from public.orders o
    cross join lateral (values
      ('order', o.created_at), ('quoted', o.quoted_at), ('po', o.po_received_at),
      ('invoiced', o.invoiced_at),
      ('paid', (select max(p.received_at) from public.payments p where p.order_id = o.id))
    ) as s (kind, at)
    where o.id = ${id}
  ) h
  where n.kind = 'order' and split_part(n.key, ':', 1) = h.kind and split_part(n.key, ':', 2) = ${id}`;

/** The owners who took a seat of the sponsor's program, and how many days ago. */
const SEATS = [
  { owner: 'owner2@demo.test', ago: 60, shares: true },
  { owner: 'grace@demo.test', ago: 71, shares: true },
  { owner: 'june@demo.test', ago: 66, shares: false },
  { owner: 'omar@demo.test', ago: 52, shares: true },
  { owner: 'sam@demo.test', ago: 30, shares: false },
] as const;

/** The sponsor hands out a code, and owners take their seats with it. */
export async function handOutSeats(
  db: Database,
  people: Map<string, BuiltPerson>,
): Promise<DateChange[]> {
  const program = await queryOne<{ id: string; consent_version: number }>(db)`
    select p.id, p.consent_version from public.programs p
    join public.orders o on o.id = p.order_id
    where o.buyer_id = ${known(people, SPONSOR).id}`;
  if (!program) throw new Error('The sponsor’s order made no program.');
  const codeId = idOf('seat code of the demo');
  await queryAs(db, known(people, SPONSOR))`
    select public.create_seat_code(${codeId}, ${program.id}, 10)`;
  const code = await queryOne<{ code: string }>(db)`
    select code from public.seat_codes where id = ${codeId}`;
  const changes: DateChange[] = [
    sql`update public.seat_codes set created_at = ${daysAgo(73)} where id = ${codeId}`,
    sql`
      update public.seats s set state_since = p.created_at
      from public.programs p where p.id = s.program_id`,
  ];
  for (const { owner, ago, shares } of SEATS) {
    const person = known(people, owner);
    const business = await queryOne<{ id: string }>(db)`
      select m.business_id as id from public.business_members m
      where m.user_id = ${person.id} order by m.joined_at, m.business_id limit 1`;
    await queryAs(db, person)`
      select public.take_seat(
        ${business?.id}, ${program.consent_version}, ${shares}, ${code?.code}, null, '87031')`;
    changes.push(
      sql`
        update public.seats set activated_at = ${daysAgo(ago)}, state_since = ${daysAgo(ago)}
        where owner_id = ${person.id}`,
    );
  }
  return changes;
}

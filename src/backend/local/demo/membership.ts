import { sql } from 'kysely';
import type { CardFact } from '#backend/supabase/functions/_shared/card-facts.ts';
import { type Database, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { newId, paymentIntentOf } from '../payments/ids.ts';
import { createMemberships } from '../payments/memberships.ts';
import { createStore, type TestSession } from '../payments/store.ts';
import { type BuiltPerson, idOf, queryAs } from './builders.ts';
import { type DateChange, daysAgo } from './dates.ts';
import { datesOfNotices } from './orders.ts';
import { known } from './people.ts';

const BUYER = 'owner2@demo.test';
const BUSINESS = 'Park Street Cycles';
/** Days ago that it began. */
const BEGAN = 12;

/**
 * An owner pays for a membership by card, with test money. The payment company's stand-in has it too, so
 * its page opens.
 */
export async function sellMembership(
  db: Database,
  people: Map<string, BuiltPerson>,
): Promise<DateChange[]> {
  const id = idOf('order of a membership');
  const began = daysAgo(BEGAN);
  await order(db, known(people, BUYER), id);
  await pay(db, id, began);
  return [
    sql`update public.orders set created_at = ${began}, state_since = ${began} where id = ${id}`,
    sql`update public.order_events set at = ${began} where order_id = ${id}`,
    sql`update public.session_grants set created_at = ${began} where order_id = ${id}`,
    datesOfNotices(id),
  ];
}

async function order(db: Database, buyer: BuiltPerson, id: string): Promise<void> {
  const price = await queryOne<{ amount_minor: string }>(db)`
    select amount_minor from public.prices
    where plan_key = 'membership' and every = 'month' and ended_at is null`;
  const said = {
    business_id: idOf(`business ${BUSINESS}`),
    plan: 'membership',
    every: 'month',
    quantity: 1,
    method: 'card',
    expected_minor: Number(price?.amount_minor),
    organization: BUSINESS,
    address: '310 Park Street\nDenver, CO 80203',
    region: 'US-CO',
  };
  await queryAs(db, buyer)`select public.create_order(${id}, ${JSON.stringify(said)}::jsonb)`;
  await queryAs(db, buyer)`select public.start_checkout(${id})`;
}

/** Pays it at the stand-in, which reports it as the payment company does. */
async function pay(db: Database, id: string, began: Date): Promise<void> {
  const total = await queryOne<{ minor: string }>(db)`
    select total_minor as minor from public.orders where id = ${id}`;
  const begin = Math.floor(began.getTime() / 1000);
  const session = paidSession(id, Number(total?.minor), begin);
  const store = createStore(db);
  // Nobody waits for its events: what they'd say is applied below.
  const memberships = createMemberships(store, async () => {});
  const { subscription, invoice } = await memberships.start(session, 'month', begin);
  const lines = [{ name: 'Membership', amount: session.amount_total, interval: 'month' as const }];
  Object.assign(session, { subscription: subscription.id, invoice: invoice.id });
  await store.put(session, { lines });
  const at = began.toISOString();
  const endsAt = new Date(
    (subscription.items.data[0]?.current_period_end ?? 0) * 1000,
  ).toISOString();
  const facts: CardFact[] = [
    { kind: 'checkout', order_id: id, customer_ref: session.customer, is_test: true },
    {
      kind: 'payment',
      order_id: id,
      ref: paymentIntentOf(invoice.id),
      amount_minor: invoice.amount_paid,
      currency: invoice.currency.toUpperCase(),
      at,
      period_starts_at: at,
      period_ends_at: endsAt,
    },
    {
      kind: 'membership',
      order_id: id,
      ref: subscription.id,
      state: 'active',
      period_ends_at: endsAt,
      ends_with_period: false,
      at,
    },
  ];
  await query(db)`select private.keep_checkout(${id}, ${session.id}, true)`;
  await query(db)`select private.apply_card_facts(${JSON.stringify(facts)}::jsonb)`;
}

/** The page on which it was paid. It led back to its order, on a site whose address isn't known here. */
const paidSession = (orderId: string, total: number, created: number): TestSession => ({
  id: newId('cs_test'),
  object: 'checkout.session',
  livemode: false,
  created,
  expires_at: created + 86_400,
  mode: 'subscription',
  status: 'complete',
  payment_status: 'paid',
  amount_subtotal: total,
  amount_total: total,
  currency: 'usd',
  customer: newId('cus'),
  customer_email: BUYER,
  client_reference_id: orderId,
  metadata: { order_id: orderId },
  payment_intent: null,
  subscription: null,
  invoice: null,
  success_url: `/checkout/success?order=${orderId}`,
  cancel_url: `/checkout/cancel?order=${orderId}`,
  url: null,
});

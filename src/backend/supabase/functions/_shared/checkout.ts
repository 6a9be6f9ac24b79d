import type Stripe from 'stripe';
import * as v from 'valibot';
import {
  type FindPayment,
  factsOfInvoice,
  factsOfSession,
  factsOfSubscription,
} from './card-facts.ts';
import { type Database, query } from './connection.ts';
import { objectOf, textOf } from './requests.ts';

const LONGEST = 1_024;

/** The order that a request is about; null if it names none. */
export async function orderIdOf(request: Request): Promise<string | null> {
  const text = await textOf(request, LONGEST);
  const given = v.safeParse(v.pipe(v.string(), v.uuid()), objectOf(text ?? '')?.order_id);
  return given.success ? given.output : null;
}

/** Finds what paid an invoice at Stripe. */
export const paymentFinder =
  (client: Stripe): FindPayment =>
  async (invoice) => {
    const { data } = await client.invoicePayments.list({ invoice, status: 'paid', limit: 100 });
    const intents = data.map(({ payment }) => payment.payment_intent);
    const intent = intents.find((each) => each);
    if (intent) return { intent: typeof intent === 'string' ? intent : intent.id };
    // Events don't say it, only an answer that's asked for it.
    const { amount_paid_off_stripe: outside } = await client.invoices.retrieve(invoice, {
      expand: ['amount_paid_off_stripe'],
    });
    return outside ? 'outside' : null;
  };

/** Asks Stripe how far a checkout is and applies what it says, as its events do. */
export async function askAboutCheckout(
  client: Stripe,
  db: Database,
  ref: string,
): Promise<Stripe.Checkout.Session> {
  const session = await client.checkout.sessions.retrieve(ref, {
    expand: ['subscription.latest_invoice'],
  });
  const at = Math.floor(Date.now() / 1000);
  const facts = factsOfSession(session, at);
  const { subscription } = session;
  if (subscription && typeof subscription !== 'string') {
    facts.push(...factsOfSubscription(subscription, at));
    const invoice = subscription.latest_invoice;
    if (invoice && typeof invoice !== 'string') {
      facts.push(...((await factsOfInvoice(invoice, at, paymentFinder(client))) ?? []));
    }
  }
  await query(db)`select private.apply_card_facts(${JSON.stringify(facts)}::jsonb)`;
  return session;
}

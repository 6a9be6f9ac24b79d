import type Stripe from 'stripe';
import {
  type CardFact,
  factsOfRefund,
  factsOfSession,
  factsOfSubscription,
} from '../card-facts.ts';
import { askAboutCheckout } from '../checkout.ts';
import { type Database, query } from '../connection.ts';
import { JobError, type JobKind } from './worker.ts';

/** Timeout of one job, in ms: two requests, and a second try of each. */
const TIME_LIMIT = 30_000;

/** Whether Stripe said that something isn't there. */
const isMissing = (error: unknown) => (error as { code?: unknown }).code === 'resource_missing';
/** Whether Stripe refused a request itself, so that it would be refused again. */
const isRefused = (error: unknown) =>
  (error as { type?: unknown }).type === 'StripeInvalidRequestError';

/** Stripe's client, which is loaded when there's something to do. @throws JobError without a key */
async function client(): Promise<Stripe> {
  const { stripe } = await import('../stripe.ts');
  const open = stripe();
  if (!open) throw new JobError('STRIPE_SECRET_KEY isn’t set.', 'service');
  return open;
}

const apply = (db: Database, facts: CardFact[]) =>
  query(db)`select private.apply_card_facts(${JSON.stringify(facts)}::jsonb)`;
const seconds = () => Math.floor(Date.now() / 1000);

/**
 * Sends the refunds that admins asked for. Stripe's key for repeated requests and our id on the
 * refund make it one refund, however often the job runs. One that Stripe refuses has failed.
 */
export function refundJobs(): JobKind {
  return {
    name: 'send_refund',
    timeLimit: TIME_LIMIT,
    lease: '1 minute',
    async run({ payload, attempts }, db) {
      const stripe = await client();
      const [id, payment] = [String(payload.refund_id), String(payload.payment_ref)];
      const amount = Number(payload.amount_minor);
      try {
        const refund =
          (attempts > 1 && (await sentBefore(stripe, payment, id))) ||
          (await stripe.refunds.create(
            {
              payment_intent: payment,
              amount,
              reason: 'requested_by_customer',
              metadata: { refund_id: id },
            },
            { idempotencyKey: `refund:${id}` },
          ));
        await apply(db, factsOfRefund(refund, seconds()));
        return { keep: { sent: refund.id } };
      } catch (error) {
        if (!isRefused(error)) throw error;
        const fact = { kind: 'refund', payment_ref: payment, amount_minor: amount } as const;
        const at = new Date().toISOString();
        await apply(db, [{ ...fact, ref: `refund:${id}`, state: 'failed', at }]);
        return { keep: { refused: (error as Error).message } };
      }
    },
  };
}

/** The refund that an earlier try of the job created, whose answer was lost. */
async function sentBefore(stripe: Stripe, payment: string, id: string) {
  const { data } = await stripe.refunds.list({ payment_intent: payment, limit: 100 });
  return data.find(({ metadata }) => metadata?.refund_id === id);
}

/** Ends memberships at Stripe, which charges for them. Ending one that has ended changes nothing. */
export function membershipEndJobs(): JobKind {
  return {
    name: 'end_membership',
    timeLimit: TIME_LIMIT,
    lease: '1 minute',
    async run({ payload }, db) {
      const stripe = await client();
      const ref = String(payload.ref);
      let subscription: Stripe.Subscription;
      try {
        subscription = await stripe.subscriptions.retrieve(ref);
        if (subscription.status !== 'canceled') {
          subscription =
            payload.when === 'now'
              ? await stripe.subscriptions.cancel(ref)
              : await stripe.subscriptions.update(ref, { cancel_at_period_end: true });
        }
      } catch (error) {
        if (!isMissing(error)) throw error;
        await apply(db, [goneMembership(String(payload.order_id), ref)]);
        return 'dropped';
      }
      await apply(db, factsOfSubscription(subscription, seconds()));
      return { keep: { status: subscription.status } };
    },
  };
}

/** Stripe doesn't know it, so it can't charge for it. */
const goneMembership = (orderId: string, ref: string): CardFact => ({
  kind: 'membership',
  order_id: orderId,
  ref,
  state: 'ended',
  period_ends_at: null,
  ends_with_period: false,
  at: new Date().toISOString(),
});

/**
 * Closes payment pages at Stripe, so that nobody pays there anymore. One that has been paid in, or that
 * a bank is working on, can't be closed: what it says is applied instead.
 */
export function checkoutCloseJobs(): JobKind {
  return {
    name: 'close_checkout',
    timeLimit: TIME_LIMIT,
    lease: '1 minute',
    async run({ payload }, db) {
      const stripe = await client();
      const [orderId, ref] = [String(payload.order_id), String(payload.ref)];
      try {
        const session = await stripe.checkout.sessions.expire(ref);
        await apply(db, factsOfSession(session, seconds()));
        return { keep: { status: session.status } };
      } catch (error) {
        if (isMissing(error)) {
          await apply(db, [
            {
              kind: 'checkout_ended',
              order_id: orderId,
              ref,
              state: 'expired',
            },
          ]);
          return 'dropped';
        }
        if (!isRefused(error)) throw error;
        const { status } = await askAboutCheckout(stripe, db, ref);
        return { keep: { status } };
      }
    },
  };
}

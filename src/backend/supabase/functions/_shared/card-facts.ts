import type Stripe from 'stripe';

/** Something that Stripe says about an order, as private.apply_card_facts takes it. */
export type CardFact =
  | { kind: 'checkout'; order_id: string; customer_ref: string | null; is_test: boolean }
  | {
      kind: 'payment';
      order_id: string;
      /** The payment intent. */
      ref: string;
      amount_minor: number;
      currency: string;
      at: string;
      /** What a membership's payment pays for. */
      period_starts_at?: string;
      period_ends_at?: string;
    }
  | {
      kind: 'membership';
      order_id: string;
      ref: string;
      state: 'active' | 'past_due' | 'ended';
      period_ends_at: string | null;
      ends_with_period: boolean;
      at: string;
    }
  | {
      kind: 'refund' | 'dispute';
      ref: string;
      payment_ref: string;
      amount_minor: number;
      state: string;
      at: string;
    }
  | {
      /** Someone marked an invoice as paid at Stripe: no card was charged. */
      kind: 'paid_outside';
      order_id: string;
      /** The invoice. */
      ref: string;
      amount_minor: number;
    }
  | { kind: 'checkout_ended'; order_id: string; ref: string; state: 'expired' | 'failed' };

/** What paid an invoice: a payment intent, or money that Stripe never saw. */
export type InvoicePayment = { intent: string } | 'outside';
/** Finds what paid an invoice, which the invoice itself doesn't name. Null: it isn't known yet. */
export type FindPayment = (invoiceId: string) => Promise<InvoicePayment | null>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const timeOf = (seconds: number) => new Date(seconds * 1000).toISOString();
const idOf = (named: string | { id: string } | null | undefined) =>
  typeof named === 'string' ? named : (named?.id ?? null);
/** The order that we wrote on an object; null if it isn't from us. */
const orderOf = (metadata: Stripe.Metadata | null | undefined) =>
  UUID.test(metadata?.order_id ?? '') ? (metadata?.order_id ?? null) : null;

/** What a checkout session says, at a time in seconds since 1970. */
export function factsOfSession(session: Stripe.Checkout.Session, at: number): CardFact[] {
  const orderId = orderOf(session.metadata);
  if (!orderId) return [];
  if (session.status === 'expired') {
    return [{ kind: 'checkout_ended', order_id: orderId, ref: session.id, state: 'expired' }];
  }
  if (session.status !== 'complete') return [];
  const facts: CardFact[] = [
    {
      kind: 'checkout',
      order_id: orderId,
      customer_ref: idOf(session.customer),
      is_test: !session.livemode,
    },
  ];
  const ref = idOf(session.payment_intent);
  // A membership's payments are its invoices.
  if (session.mode === 'payment' && session.payment_status === 'paid' && ref) {
    facts.push({
      kind: 'payment',
      order_id: orderId,
      ref,
      amount_minor: session.amount_total ?? 0,
      currency: (session.currency ?? '').toUpperCase(),
      at: timeOf(at),
    });
  }
  return facts;
}

/**
 * Why the invoices of a period are written. A changed subscription has one, too, for any amount, which
 * pays for no period.
 */
const PERIOD_REASONS = ['subscription_create', 'subscription_cycle'];

/**
 * What a paid invoice of a membership's period says. Null until its payment is known: under another
 * reference, the same money would count twice, and a refund of it wouldn't be found.
 */
export async function factsOfInvoice(
  invoice: Stripe.Invoice,
  at: number,
  findPayment: FindPayment,
): Promise<CardFact[] | null> {
  const orderId = orderOf(invoice.parent?.subscription_details?.metadata);
  const [line] = invoice.lines.data;
  if (!orderId || !line || invoice.status !== 'paid' || invoice.amount_paid <= 0) return [];
  if (!PERIOD_REASONS.includes(invoice.billing_reason ?? '')) return [];
  const payment = await findPayment(invoice.id);
  if (!payment) return null;
  const paid = { order_id: orderId, amount_minor: invoice.amount_paid };
  if (payment === 'outside') return [{ kind: 'paid_outside', ref: invoice.id, ...paid }];
  return [
    {
      kind: 'payment',
      ref: payment.intent,
      ...paid,
      currency: invoice.currency.toUpperCase(),
      at: timeOf(at),
      period_starts_at: timeOf(line.period.start),
      period_ends_at: timeOf(line.period.end),
    },
  ];
}

const MEMBERSHIP_STATES = new Map<string, 'active' | 'past_due' | 'ended'>([
  ['active', 'active'],
  ['trialing', 'active'],
  ['past_due', 'past_due'],
  ['unpaid', 'past_due'],
  ['paused', 'past_due'],
  ['canceled', 'ended'],
  ['incomplete_expired', 'ended'],
]);

/** What a subscription says; one that hasn't been paid for yet says nothing. */
export function factsOfSubscription(subscription: Stripe.Subscription, at: number): CardFact[] {
  const orderId = orderOf(subscription.metadata);
  const state = MEMBERSHIP_STATES.get(subscription.status);
  if (!orderId || !state) return [];
  const [item] = subscription.items.data;
  return [
    {
      kind: 'membership',
      order_id: orderId,
      ref: subscription.id,
      state,
      period_ends_at: item ? timeOf(item.current_period_end) : null,
      ends_with_period: subscription.cancel_at_period_end || subscription.cancel_at !== null,
      at: timeOf(at),
    },
  ];
}

/** What a refund says. One that we sent carries our id, under which it's already known. */
export function factsOfRefund(refund: Stripe.Refund, at: number): CardFact[] {
  const paymentRef = idOf(refund.payment_intent);
  if (!paymentRef) return [];
  const state = refund.status === 'requires_action' ? 'pending' : (refund.status ?? 'pending');
  const ownId = refund.metadata?.refund_id ?? '';
  return [
    {
      kind: 'refund',
      ref: UUID.test(ownId) ? `refund:${ownId}` : refund.id,
      payment_ref: paymentRef,
      amount_minor: refund.amount,
      state,
      at: timeOf(at),
    },
  ];
}

/** An inquiry (warning_…) holds no money, so it isn't one. */
const DISPUTE_STATES = new Map([
  ['needs_response', 'open'],
  ['under_review', 'open'],
  ['won', 'won'],
  ['prevented', 'won'],
  ['lost', 'lost'],
]);

function factsOfDispute(dispute: Stripe.Dispute, at: number): CardFact[] {
  const paymentRef = idOf(dispute.payment_intent);
  const state = DISPUTE_STATES.get(dispute.status);
  if (!paymentRef || !state) return [];
  return [
    {
      kind: 'dispute',
      ref: dispute.id,
      payment_ref: paymentRef,
      amount_minor: dispute.amount,
      state,
      at: timeOf(at),
    },
  ];
}

/**
 * What an event says about our orders; nothing, if it's of another kind or not about one. A declined
 * card (payment_intent.payment_failed) says nothing: its buyer is still on Stripe's page and can
 * take another card. Nor does invoice.payment_failed, which a subscription's own event follows. Null:
 * it can't be told yet, and the event has to come again.
 */
export async function factsOfEvent(
  event: Stripe.Event,
  findPayment: FindPayment,
): Promise<CardFact[] | null> {
  const at = event.created;
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded':
    case 'checkout.session.expired':
      return factsOfSession(event.data.object, at);
    case 'checkout.session.async_payment_failed': {
      const { id: ref, metadata } = event.data.object;
      const orderId = orderOf(metadata);
      return orderId ? [{ kind: 'checkout_ended', order_id: orderId, ref, state: 'failed' }] : [];
    }
    case 'invoice.paid':
      return factsOfInvoice(event.data.object, at, findPayment);
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return factsOfSubscription(event.data.object, at);
    case 'refund.created':
    case 'refund.updated':
    case 'refund.failed':
      return factsOfRefund(event.data.object, at);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return factsOfDispute(event.data.object, at);
    default:
      return [];
  }
}

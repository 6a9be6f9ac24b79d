import { newId, nowInSeconds, paymentIntentOf } from './api.ts';
import type { Store, TestInvoice, TestSession, TestSubscription } from './store.ts';

/** What can be done on the test payment page. */
export const ACTIONS = [
  'pay',
  'decline',
  'later',
  'arrive',
  'fail',
  'expire',
  'renew',
  'cancel',
  'refund',
  'dispute',
] as const;
export type Action = (typeof ACTIONS)[number];

/** The actions that make sense for a session as it is now. */
export function actionsFor(session: TestSession, subscription: TestSubscription | null): Action[] {
  if (session.status === 'open') return ['pay', 'decline', 'later', 'expire'];
  if (session.status === 'expired') return [];
  if (session.payment_status === 'unpaid') return ['arrive', 'fail'];
  if (session.mode === 'payment') return ['refund', 'dispute'];
  return subscription?.status === 'active' ? ['renew', 'cancel', 'refund', 'dispute'] : ['refund'];
}

export type Emit = (type: string, object: object) => Promise<void>;

/** The end of a period of a month or a year, in seconds since 1970. */
function endOf(start: number, interval: 'month' | 'year'): number {
  const day = new Date(start * 1000);
  day.setUTCMonth(day.getUTCMonth() + (interval === 'year' ? 12 : 1));
  return day.getTime() / 1000;
}

/** Stores the invoice of a membership's period, and the membership as it is after it. */
async function charge(
  store: Store,
  session: TestSession,
  id: string,
  start: number,
  interval: 'month' | 'year',
) {
  const customer = session.customer ?? '';
  const end = endOf(start, interval);
  const invoice: TestInvoice = {
    id: newId('in'),
    object: 'invoice',
    livemode: false,
    created: nowInSeconds(),
    status: 'paid',
    amount_paid: session.amount_total,
    currency: session.currency,
    customer,
    parent: { subscription_details: { subscription: id, metadata: session.metadata } },
    lines: { object: 'list', data: [{ object: 'line_item', period: { start, end } }] },
  };
  const period = { current_period_start: start, current_period_end: end };
  const item = { id: newId('si'), object: 'subscription_item' as const, ...period };
  const subscription: TestSubscription = {
    id,
    object: 'subscription',
    livemode: false,
    created: session.created,
    customer,
    status: 'active',
    metadata: session.metadata,
    cancel_at: null,
    cancel_at_period_end: false,
    latest_invoice: invoice.id,
    items: { object: 'list', data: [{ ...item, price: { recurring: { interval } } }] },
  };
  await store.put(invoice);
  await store.put(subscription);
  return { invoice, subscription };
}

interface Deps {
  store: Store;
  emit: Emit;
}
type Take = (session: TestSession) => Promise<void>;

const subscriptionOf = (store: Store, session: TestSession) =>
  session.subscription ? store.get<TestSubscription>(session.subscription) : null;

/** What happens on the payment page until the order is paid. */
function payingActions({ store, emit }: Deps) {
  async function pay(open: TestSession) {
    const session: TestSession = {
      ...open,
      status: 'complete',
      payment_status: 'paid',
      url: null,
      customer: open.customer ?? newId('cus'),
    };
    if (session.mode === 'payment') {
      session.payment_intent ??= newId('pi');
      await store.put(session);
      await emit('checkout.session.completed', session);
      return;
    }
    const [line] = await store.linesOf(session.id);
    session.subscription = newId('sub');
    const start = nowInSeconds();
    const made = await charge(
      store,
      session,
      session.subscription,
      start,
      line?.interval ?? 'month',
    );
    session.invoice = made.invoice.id;
    await store.put(session);
    await emit('customer.subscription.created', made.subscription);
    await emit('checkout.session.completed', session);
    await emit('invoice.paid', made.invoice);
  }

  async function change(session: TestSession, type: string, more: Partial<TestSession>) {
    const changed = { ...session, ...more };
    await store.put(changed);
    await emit(`checkout.session.${type}`, changed);
  }

  return {
    pay,
    decline: async (session) =>
      emit('payment_intent.payment_failed', {
        id: newId('pi'),
        object: 'payment_intent',
        metadata: session.metadata,
      }),
    later: (session) =>
      change(session, 'completed', {
        status: 'complete',
        url: null,
        customer: session.customer ?? newId('cus'),
        payment_intent: newId('pi'),
      }),
    arrive: (session) => change(session, 'async_payment_succeeded', { payment_status: 'paid' }),
    fail: (session) => change(session, 'async_payment_failed', { status: 'expired' }),
    expire: (session) => change(session, 'expired', { status: 'expired', url: null }),
  } satisfies Partial<Record<Action, Take>>;
}

/** What happens to a membership later. */
function membershipActions({ store, emit }: Deps) {
  return {
    async renew(session) {
      const before = await subscriptionOf(store, session);
      const [item] = before?.items.data ?? [];
      if (!before || !item) return;
      const { interval } = item.price.recurring;
      const made = await charge(store, session, before.id, item.current_period_end, interval);
      await emit('invoice.paid', made.invoice);
      await emit('customer.subscription.updated', made.subscription);
    },
    async cancel(session) {
      const before = await subscriptionOf(store, session);
      if (!before) return;
      const canceled: TestSubscription = { ...before, status: 'canceled' };
      await store.put(canceled);
      await emit('customer.subscription.deleted', canceled);
    },
  } satisfies Partial<Record<Action, Take>>;
}

/** What happens to a payment later. */
function paymentActions({ store, emit }: Deps) {
  /** The latest payment, which a refund or a dispute is about. */
  async function latestPayment(session: TestSession): Promise<string | null> {
    const subscription = await subscriptionOf(store, session);
    return subscription ? paymentIntentOf(subscription.latest_invoice) : session.payment_intent;
  }

  return {
    async refund(session) {
      const refund = {
        id: newId('re'),
        object: 'refund',
        payment_intent: await latestPayment(session),
        amount: session.amount_total,
        currency: session.currency,
        status: 'succeeded',
      };
      await emit('refund.created', refund);
    },
    async dispute(session) {
      const dispute = {
        id: newId('du'),
        object: 'dispute',
        payment_intent: await latestPayment(session),
        amount: session.amount_total,
        currency: session.currency,
        status: 'needs_response',
      };
      await emit('charge.dispute.created', dispute);
    },
  } satisfies Partial<Record<Action, Take>>;
}

/** Does what a person chose on the test payment page, and reports it as Stripe would. */
export function createActions(store: Store, emit: Emit) {
  const deps = { store, emit };
  const all: Record<Action, Take> = {
    ...payingActions(deps),
    ...membershipActions(deps),
    ...paymentActions(deps),
  };
  return {
    subscriptionOf: (session: TestSession) => subscriptionOf(store, session),
    /** Takes an action, if it makes sense now; whether it did. */
    async take(session: TestSession, action: Action): Promise<boolean> {
      if (!actionsFor(session, await subscriptionOf(store, session)).includes(action)) return false;
      await all[action](session);
      return true;
    },
  };
}

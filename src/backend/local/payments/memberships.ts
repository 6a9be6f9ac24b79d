import { newId, nowInSeconds } from './ids.ts';
import type { Store, TestInvoice, TestSession, TestSubscription } from './store.ts';

export type Emit = (type: string, object: { id: string }) => Promise<void>;

/** What can be done to a membership on the test pages. */
export const MEMBERSHIP_ACTIONS = [
  'cancel',
  'resume',
  'renew',
  'fail_renewal',
  'pay_failed',
  'end',
] as const;
export type MembershipAction = (typeof MEMBERSHIP_ACTIONS)[number];

/** The actions that make sense for a membership as it is now. */
export function membershipActions(subscription: TestSubscription | null): MembershipAction[] {
  if (!subscription || subscription.status === 'canceled') return [];
  const canceling = subscription.cancel_at_period_end ? 'resume' : 'cancel';
  if (subscription.status === 'past_due') return ['pay_failed', canceling, 'end'];
  return subscription.cancel_at_period_end
    ? ['resume', 'renew', 'end']
    : ['cancel', 'renew', 'fail_renewal', 'end'];
}

/** The end of a period of a month or a year, in seconds since 1970. */
function endOf(start: number, interval: 'month' | 'year'): number {
  const day = new Date(start * 1000);
  day.setUTCMonth(day.getUTCMonth() + (interval === 'year' ? 12 : 1));
  return day.getTime() / 1000;
}

/** The membership that a session sells, before its first invoice. */
function subscriptionOf(
  session: TestSession,
  period: { start: number; end: number },
  interval: 'month' | 'year',
): TestSubscription {
  const item = {
    id: newId('si'),
    object: 'subscription_item' as const,
    current_period_start: period.start,
    current_period_end: period.end,
    price: { recurring: { interval } },
  };
  return {
    id: newId('sub'),
    object: 'subscription',
    livemode: false,
    created: period.start,
    customer: session.customer ?? '',
    status: 'active',
    metadata: session.metadata,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    ended_at: null,
    latest_invoice: '',
    items: { object: 'list', data: [item] },
  };
}

/** A membership that ends with its period, or doesn't after all. */
const ending = (before: TestSubscription, ends: boolean): TestSubscription => ({
  ...before,
  cancel_at_period_end: ends,
  cancel_at: ends ? (before.items.data[0]?.current_period_end ?? null) : null,
  canceled_at: ends ? nowInSeconds() : null,
});

const ended = (before: TestSubscription): TestSubscription => ({
  ...before,
  status: 'canceled',
  canceled_at: before.canceled_at ?? nowInSeconds(),
  ended_at: nowInSeconds(),
});

/** The invoice of a membership's period: its first, or a renewal's. */
function invoiceOf(
  { id, customer, metadata, latest_invoice }: TestSubscription,
  period: { start: number; end: number },
  money: { amount: number; currency: string; isPaid: boolean },
): TestInvoice {
  return {
    id: newId('in'),
    object: 'invoice',
    livemode: false,
    created: nowInSeconds(),
    status: money.isPaid ? 'paid' : 'open',
    billing_reason: latest_invoice ? 'subscription_cycle' : 'subscription_create',
    amount_due: money.amount,
    amount_paid: money.isPaid ? money.amount : 0,
    currency: money.currency,
    customer,
    parent: { subscription_details: { subscription: id, metadata } },
    lines: { object: 'list', data: [{ object: 'line_item', period }] },
  };
}

/** A membership as it is in another period. */
function inPeriod(
  subscription: TestSubscription,
  period: { start: number; end: number },
  changes: Partial<TestSubscription>,
): TestSubscription {
  const times = { current_period_start: period.start, current_period_end: period.end };
  const data = subscription.items.data.map((item) => ({ ...item, ...times }));
  return { ...subscription, ...changes, items: { object: 'list', data } };
}

/** Memberships at the stand-in: how they start, renew and end, with the events of each step. */
export function createMemberships(store: Store, emit: Emit) {
  const changed = async (type: string, subscription: TestSubscription) => {
    await store.put(subscription);
    await emit(`customer.subscription.${type}`, subscription);
    return subscription;
  };

  /** Starts the one that a session sells, with its first invoice paid. @param begin seconds since 1970 */
  async function start(session: TestSession, interval: 'month' | 'year', begin = nowInSeconds()) {
    const period = { start: begin, end: endOf(begin, interval) };
    const bare = subscriptionOf(session, period, interval);
    const money = { amount: session.amount_total, currency: session.currency, isPaid: true };
    const invoice = invoiceOf(bare, period, money);
    await store.put(invoice);
    const subscription = await changed('created', { ...bare, latest_invoice: invoice.id });
    return { invoice, subscription };
  }

  /** Lets the period pass: the next one is paid or declined, or the membership ends. */
  async function pass(before: TestSubscription, isPaid: boolean) {
    const [item] = before.items.data;
    const last = await store.get<TestInvoice>(before.latest_invoice);
    if (!item || !last) return;
    if (before.cancel_at_period_end) return void (await end(before));
    const begin = item.current_period_end;
    const period = { start: begin, end: endOf(begin, item.price.recurring.interval) };
    const money = { amount: last.amount_due, currency: last.currency, isPaid };
    const invoice = invoiceOf(before, period, money);
    await store.put(invoice);
    await emit(isPaid ? 'invoice.paid' : 'invoice.payment_failed', invoice);
    const status = isPaid ? 'active' : 'past_due';
    await changed('updated', inPeriod(before, period, { status, latest_invoice: invoice.id }));
  }

  async function payFailed(before: TestSubscription) {
    const open = await store.get<TestInvoice>(before.latest_invoice);
    if (!open) return;
    const invoice = { ...open, status: 'paid', amount_paid: open.amount_due };
    await store.put(invoice);
    await emit('invoice.paid', invoice);
    await changed('updated', { ...before, status: 'active' });
  }

  const setEnding = (before: TestSubscription, ends: boolean) =>
    changed('updated', ending(before, ends));
  const end = (before: TestSubscription) => changed('deleted', ended(before));

  const all: Record<MembershipAction, (subscription: TestSubscription) => Promise<unknown>> = {
    cancel: (subscription) => setEnding(subscription, true),
    resume: (subscription) => setEnding(subscription, false),
    renew: (subscription) => pass(subscription, true),
    fail_renewal: (subscription) => pass(subscription, false),
    pay_failed: payFailed,
    end,
  };
  return {
    start,
    end,
    setEnding,
    /** Takes an action, if it makes sense now; whether it did. */
    async take(subscription: TestSubscription | null, action: MembershipAction): Promise<boolean> {
      if (!subscription || !membershipActions(subscription).includes(action)) return false;
      await all[action](subscription);
      return true;
    },
  };
}
export type Memberships = ReturnType<typeof createMemberships>;

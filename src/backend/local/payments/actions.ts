import { newId, paymentIntentOf } from './ids.ts';
import {
  type Emit,
  MEMBERSHIP_ACTIONS,
  type MembershipAction,
  type Memberships,
  membershipActions,
} from './memberships.ts';
import type { Refunds } from './refunds.ts';
import type { Store, TestSession, TestSubscription } from './store.ts';

const SESSION_ACTIONS = [
  'pay',
  'decline',
  'later',
  'arrive',
  'fail',
  'expire',
  'refund',
  'dispute',
  'win',
  'lose',
] as const;
type SessionAction = (typeof SESSION_ACTIONS)[number];
/** What can be done on the test payment page. */
export const ACTIONS = [...SESSION_ACTIONS, ...MEMBERSHIP_ACTIONS] as const;
export type Action = SessionAction | MembershipAction;

const isOfMembership = (action: Action): action is MembershipAction =>
  MEMBERSHIP_ACTIONS.some((name) => name === action);

interface Deps {
  store: Store;
  emit: Emit;
  memberships: Memberships;
  refunds: Refunds;
}
type Take = (session: TestSession) => Promise<unknown>;

/** What happens on the payment page until the order is paid. */
function payingActions({ store, emit, memberships }: Deps) {
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
    const { subscription, invoice } = await memberships.start(session, line?.interval ?? 'month');
    session.subscription = subscription.id;
    session.invoice = invoice.id;
    await store.put(session);
    await emit('checkout.session.completed', session);
    await emit('invoice.paid', invoice);
  }

  async function change(session: TestSession, type: string, more: Partial<TestSession>) {
    const changed = { ...session, ...more };
    await store.put(changed);
    await emit(`checkout.session.${type}`, changed);
  }

  return {
    pay,
    async decline({ metadata }) {
      const intent = { id: newId('pi'), object: 'payment_intent', metadata };
      await emit('payment_intent.payment_failed', intent);
    },
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

/** Does what a person chose on the test payment page, and reports it as Stripe would. */
export function createActions(deps: Deps) {
  const { store, memberships, refunds } = deps;
  const subscriptionOf = (session: TestSession) =>
    session.subscription ? store.get<TestSubscription>(session.subscription) : null;
  /** The latest payment, which a refund or a dispute is about. */
  async function latestPayment(session: TestSession): Promise<string> {
    const subscription = await subscriptionOf(session);
    const intent = subscription
      ? paymentIntentOf(subscription.latest_invoice)
      : session.payment_intent;
    return intent ?? '';
  }
  const all: Record<SessionAction, Take> = {
    ...payingActions(deps),
    refund: async (session) =>
      refunds.create(
        await latestPayment(session),
        { amount: null, reason: null, metadata: {} },
        null,
      ),
    dispute: async (session) => refunds.dispute(await latestPayment(session)),
    win: async (session) => refunds.decide(await latestPayment(session), 'won'),
    lose: async (session) => refunds.decide(await latestPayment(session), 'lost'),
  };

  /** The actions that make sense for a session as it is now. */
  async function actionsFor(session: TestSession): Promise<Action[]> {
    if (session.status === 'open') return ['pay', 'decline', 'later', 'expire'];
    if (session.status === 'expired') return [];
    if (session.payment_status === 'unpaid') return ['arrive', 'fail'];
    const disputed = await refunds.openDispute(await latestPayment(session));
    return [
      ...membershipActions(await subscriptionOf(session)),
      ...(disputed ? (['win', 'lose'] as const) : (['refund', 'dispute'] as const)),
    ];
  }

  async function takeNow(id: string, action: Action): Promise<boolean> {
    const session = await store.get<TestSession>(id);
    if (!session || !(await actionsFor(session)).includes(action)) return false;
    if (isOfMembership(action)) return memberships.take(await subscriptionOf(session), action);
    await all[action](session);
    return true;
  }

  let last: Promise<unknown> = Promise.resolve();
  return {
    actionsFor,
    /** Takes an action, if it makes sense now; whether it did. One at a time: two clicks pay once. */
    take({ id }: TestSession, action: Action): Promise<boolean> {
      const taken = last.then(() => takeNow(id, action));
      last = taken.catch(() => null);
      return taken;
    },
  };
}
export type Actions = ReturnType<typeof createActions>;

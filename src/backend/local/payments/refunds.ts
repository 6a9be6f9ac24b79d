import { invoiceOfIntent, newId, nowInSeconds } from './ids.ts';
import type { Emit } from './memberships.ts';
import type { Store, TestDispute, TestInvoice, TestRefund, TestSession } from './store.ts';

/** What a payment was, and how much of it is left; null if there's none. */
async function paymentOf(store: Store, intent: string) {
  const invoice = await store.get<TestInvoice>(invoiceOfIntent(intent));
  const [session] = await store.listBy<TestSession>('checkout.session', 'payment_intent', intent);
  const paid =
    invoice?.amount_paid ?? (session?.payment_status === 'paid' ? session.amount_total : 0);
  if (paid === 0) return null;
  const refunds = await store.listBy<TestRefund>('refund', 'payment_intent', intent);
  const back = refunds.reduce((sum, { amount }) => sum + amount, 0);
  return { left: paid - back, currency: invoice?.currency ?? session?.currency ?? '' };
}

export type RefundOutcome = { refund: TestRefund } | { refused: string; code: string | null };

/** Refunds and disputes at the stand-in, with their events. */
export function createRefunds(store: Store, emit: Emit) {
  async function create(
    intent: string,
    given: { amount: number | null; reason: string | null; metadata: Record<string, string> },
    key: string | null,
  ): Promise<RefundOutcome> {
    const same = key ? await store.getByKey<TestRefund>(key) : null;
    if (same) return { refund: same };
    const payment = await paymentOf(store, intent);
    if (!payment)
      return { refused: `No such payment_intent: '${intent}'`, code: 'resource_missing' };
    if (payment.left === 0) {
      return { refused: 'The payment has already been refunded.', code: 'charge_already_refunded' };
    }
    const amount = given.amount ?? payment.left;
    if (!(amount > 0 && amount <= payment.left)) {
      return { refused: `Refund amount is greater than ${payment.left}.`, code: null };
    }
    const refund: TestRefund = {
      id: newId('re'),
      object: 'refund',
      created: nowInSeconds(),
      payment_intent: intent,
      amount,
      currency: payment.currency,
      status: 'succeeded',
      reason: given.reason,
      metadata: given.metadata,
    };
    await store.put(refund, key ? { key } : {});
    await emit('refund.created', refund);
    return { refund };
  }

  const openDispute = async (intent: string): Promise<TestDispute | undefined> =>
    (await store.listBy<TestDispute>('dispute', 'payment_intent', intent)).find(
      ({ status }) => status === 'needs_response',
    );

  return {
    create,
    list: (intent: string) => store.listBy<TestRefund>('refund', 'payment_intent', intent),
    openDispute,
    async dispute(intent: string) {
      const payment = await paymentOf(store, intent);
      if (!payment || payment.left === 0 || (await openDispute(intent))) return;
      const dispute: TestDispute = {
        id: newId('du'),
        object: 'dispute',
        livemode: false,
        created: nowInSeconds(),
        payment_intent: intent,
        amount: payment.left,
        currency: payment.currency,
        status: 'needs_response',
        reason: 'general',
      };
      await store.put(dispute);
      await emit('charge.dispute.created', dispute);
    },
    async decide(intent: string, status: 'won' | 'lost') {
      const open = await openDispute(intent);
      if (!open) return;
      const dispute = { ...open, status };
      await store.put(dispute);
      await emit('charge.dispute.closed', dispute);
    },
  };
}
export type Refunds = ReturnType<typeof createRefunds>;

/** Orders: their states, in the order they're reached. Steps are rows of private.transitions. */
import { choiceParam, type FilterOf, filterCodec, placeParam, textParam } from './list.ts';

export const ORDER_STATES = [
  'draft',
  'pending',
  'quoted',
  'po_received',
  'invoiced',
  'paid',
  'part_refunded',
  'refunded',
  'canceled',
  'expired',
  'failed',
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** How the buyer reads each state. */
export const ORDER_LABELS: Record<OrderState, string> = {
  draft: 'We’re preparing your quote',
  pending: 'Being paid',
  quoted: 'Quoted',
  po_received: 'Purchase order received',
  invoiced: 'Invoiced',
  paid: 'Paid',
  part_refunded: 'Partly refunded',
  refunded: 'Refunded',
  canceled: 'Canceled',
  expired: 'Expired',
  failed: 'Payment failed',
};
/** How admins read each state. */
export const DESK_LABELS: Record<OrderState, string> = {
  ...ORDER_LABELS,
  draft: 'Waiting for a quote',
};

/** The state of an order in an admin's list. */
export const stateTextOf = ({ state, overdue }: { state: OrderState; overdue: boolean }) =>
  overdue ? 'Overdue' : DESK_LABELS[state];

export const ORDER_METHODS = ['card', 'purchase_order'] as const;
export const METHOD_LABELS: Record<(typeof ORDER_METHODS)[number], string> = {
  card: 'Card',
  purchase_order: 'Purchase order',
};

export const PAYMENT_METHODS = ['card', 'check', 'transfer', 'other'] as const;
export const PAYMENT_LABELS: Record<(typeof PAYMENT_METHODS)[number], string> = {
  card: 'Card',
  check: 'Check',
  transfer: 'Bank transfer',
  other: 'Another way',
};

export const PRICE_PERIODS = ['once', 'month', 'year'] as const;
/** After an amount: "$79 a month". */
export const PERIOD_RHYTHM: Record<(typeof PRICE_PERIODS)[number], string> = {
  once: '',
  month: ' a month',
  year: ' a year',
};
export const PLAN_GIVES = ['nothing', 'pack', 'membership', 'seat'] as const;
export const REFUND_STATES = ['pending', 'succeeded', 'failed', 'canceled'] as const;
export const REFUND_LABELS: Record<(typeof REFUND_STATES)[number], string> = {
  pending: 'on its way',
  succeeded: 'sent',
  failed: 'failed',
  canceled: 'canceled',
};
export const MEMBERSHIP_STATES = ['active', 'past_due', 'ended'] as const;

/** The states in which a buyer can cancel. Nothing is paid or invoiced yet. */
export const canCancel = (state: OrderState) =>
  ['draft', 'quoted', 'expired', 'failed', 'pending'].includes(state);

/** Whether a purchase order came to nothing, so that `/purchase/failure` is its page. */
export const isPurchaseFailure = (state: OrderState): boolean =>
  ['canceled', 'expired', 'refunded', 'failed'].includes(state);

/**
 * The tax on an amount in minor units, rounded once, half up, as private.tax_of does it.
 * @param rate a share with at most six decimals: 0.04875
 */
export function taxOf(amountMinor: number, rate: number): number {
  const millionths = BigInt(amountMinor) * BigInt(Math.round(rate * 1_000_000));
  return Number((millionths + 500_000n) / 1_000_000n);
}

/** The buyer's list, newest first. */
export const ownOrderFilter = filterCodec({ place: placeParam() });
export type OwnOrderFilter = FilterOf<typeof ownOrderFilter>;

/** All orders, for admins. */
export const orderFilter = filterCodec({
  words: textParam('q'),
  state: choiceParam('state', ORDER_STATES, null),
  method: choiceParam('method', ORDER_METHODS, null),
  overdue: choiceParam('overdue', ['1'], null),
  sort: choiceParam('sort', ['newest', 'oldest'], 'newest'),
  place: placeParam(),
});
export type OrderFilter = FilterOf<typeof orderFilter>;

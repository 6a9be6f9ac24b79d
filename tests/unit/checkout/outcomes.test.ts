import { expect, test } from 'vitest';
import type { CheckoutProgress } from '#data/checkout-return.ts';
import { isPurchaseFailure, ORDER_STATES, type OrderState } from '#domain/order.ts';
import { checkoutWords, type Purchase, purchaseWords } from '#features/checkout/outcomes.ts';

const wordsOf = (state: OrderState, more: Partial<CheckoutProgress> = {}) =>
  checkoutWords({ state, isProcessing: false, isDisputed: false, ...more });
const NOTHING_CHARGED = /nothing was charged|nothing is due/i;

test('Only an order that the database lets them pay can be paid from the page', () => {
  const payable = ORDER_STATES.filter((state) => wordsOf(state).canPay);
  expect(payable).toEqual(['draft', 'pending', 'expired', 'failed']);
});

test('What’s with the bank can’t be paid twice', () => {
  const { title, canPay } = wordsOf('pending', { isProcessing: true });
  expect([title, canPay]).toEqual(['We’re waiting for the bank', false]);
});

test.each<OrderState>(['paid', 'part_refunded', 'refunded'])(
  'Whoever paid isn’t told that nothing was charged (%s)',
  (state) => expect(wordsOf(state).text).not.toMatch(NOTHING_CHARGED),
);

test.each<OrderState>(['draft', 'pending', 'failed', 'expired', 'canceled'])(
  'Whoever hasn’t paid is told that nothing was charged (%s)',
  (state) => expect(wordsOf(state).text).toMatch(NOTHING_CHARGED),
);

test.each<OrderState>(['paid', 'part_refunded'])(
  'While a bank is looking into a payment, nobody reads that they can book with it (%s)',
  (state) => {
    const { title, text, canPay } = wordsOf(state, { isDisputed: true });
    expect([title, canPay]).toEqual(['Your bank is looking into your payment', false]);
    expect(text).toMatch(/sessions it was for are on hold until your bank decides/);
    expect(text).not.toMatch(/thank you|book your session|stays yours to use/i);
  },
);

test('A purchase that can still come true isn’t a failure', () => {
  expect(ORDER_STATES.filter(isPurchaseFailure)).toEqual([
    'refunded',
    'canceled',
    'expired',
    'failed',
  ]);
});

const purchase: Purchase = {
  state: 'invoiced',
  business: { id: 'b', name: 'Alder Bakery' },
  total_minor: 28_500,
  paid_minor: 8_500,
  currency: 'USD',
  created_at: '2026-10-01T12:00:00Z',
  quote_number: 'Q-2026-0001',
  quote_expires_at: '2026-11-30T12:00:00Z',
  invoice_number: 'INV-2026-0001',
  invoice_due_on: '2026-11-01',
};
const textOn = (day: string, change: Partial<Purchase> = {}) =>
  purchaseWords({ ...purchase, ...change }, 'America/Denver', day).text;

test('An invoice says what’s true on the day someone comes back', () => {
  expect(textOn('2026-10-20')).toContain('Please pay $200 by November 1, 2026');
  expect(textOn('2026-11-05')).toContain('It was due on November 1, 2026.');
  expect(textOn('2026-11-05')).not.toContain('doesn’t wait');
  expect(textOn('2026-11-16')).toContain('no new sessions can be planned');
});

test('Who bought seats for a group hears of the seats, not of their own coach', () => {
  for (const state of ['po_received', 'paid'] as const) {
    expect(textOn('2026-10-20', { state, business: null })).toContain('hand out the seats');
    expect(textOn('2026-10-20', { state })).not.toContain('seats');
  }
});

import { expect, test } from 'vitest';
import { isPurchaseFailure, ORDER_STATES, type OrderState } from '#domain/order.ts';
import { checkoutWords } from '#features/checkout/outcomes.ts';

const NOTHING_CHARGED = /nothing was charged|nothing is due/i;

test('Only an order that the database lets them pay can be paid from the page', () => {
  const payable = ORDER_STATES.filter((state) => checkoutWords(state, false).canPay);
  expect(payable).toEqual(['draft', 'pending', 'expired', 'failed']);
});

test('What’s with the bank can’t be paid twice', () => {
  const { title, canPay } = checkoutWords('pending', true);
  expect([title, canPay]).toEqual(['We’re waiting for the bank', false]);
});

test.each<OrderState>(['paid', 'part_refunded', 'refunded'])(
  'Whoever paid isn’t told that nothing was charged (%s)',
  (state) => expect(checkoutWords(state, false).text).not.toMatch(NOTHING_CHARGED),
);

test.each<OrderState>(['draft', 'pending', 'failed', 'expired', 'canceled'])(
  'Whoever hasn’t paid is told that nothing was charged (%s)',
  (state) => expect(checkoutWords(state, false).text).toMatch(NOTHING_CHARGED),
);

test('A purchase that can still come true isn’t a failure', () => {
  expect(ORDER_STATES.filter(isPurchaseFailure)).toEqual([
    'refunded',
    'canceled',
    'expired',
    'failed',
  ]);
});

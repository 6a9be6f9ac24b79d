import { expect, test } from 'vitest';
import { nextOf, nextOfInvoice } from '#features/checkout/next-step.ts';

const invoice = {
  total_minor: 57_000,
  paid_minor: 20_000,
  currency: 'USD',
  invoice_due_on: '2026-11-09',
};

test.each([
  ['2026-11-01', /^Please pay \$370 by November 9, 2026.*Coaching doesn’t wait for it\.$/],
  ['2026-11-09', /by November 9, 2026/],
  ['2026-11-10', /^Please pay \$370.*was due on November 9, 2026\. If you’ve sent it already/],
  ['2026-11-23', /If you’ve sent it already/],
  ['2026-11-24', /no new sessions can be planned.*already planned take place\.$/],
])('On %s, an invoice says what’s open and what happens', (today, words) => {
  expect(nextOfInvoice(invoice, today)).toMatch(words);
});

test('While a bank is looking into a card payment, its order says what that means', () => {
  const order = {
    ...invoice,
    method: 'card',
    state: 'paid',
    created_at: '2026-10-01T12:00:00Z',
    quote_expires_at: null,
    disputed_minor: 20_000,
  } as const;
  const textOf = (change: object = {}) =>
    nextOf({ ...order, lines: [], ...change }, 'America/Denver', '2026-11-01');
  expect(textOf()).toMatch(/sessions it was for are on hold until your bank decides/);
  expect(textOf({ disputed_minor: 0 })).toMatch(/^It’s paid/);
});

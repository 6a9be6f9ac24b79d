import { expect, test } from 'vitest';
import { nextOfInvoice } from '#features/checkout/next-step.ts';

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

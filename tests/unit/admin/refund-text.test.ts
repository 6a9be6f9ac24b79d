import { expect, test } from 'vitest';
import { refundableText, withdrawnText } from '#features/admin/orders/refund-text.ts';

/** A pack of three sessions at $95: one is unused, and two are booked. */
const pack = {
  method: 'card',
  unit: 'session',
  units: 3,
  unused: 1,
  needed: 2,
  base_minor: 28_500,
  gone_minor: 0,
  open_minor: 28_500,
} as const;
const year = { ...pack, unit: 'month', units: 12, unused: 9, base_minor: 79_000 } as const;
const STAY =
  'Those sessions stay booked, and take place without a payment. Ask the coach to cancel them if they shouldn’t.';

test('An admin reads how many sessions are unused, and how many are kept for booked ones', () => {
  expect(refundableText(pack, 'USD')).toBe(
    '$285 can be refunded. Unused: 1 of 3 sessions. 2 more are kept for booked sessions. It goes back to the card.',
  );
  expect(refundableText({ ...pack, unused: 2, needed: 1 }, 'USD')).toContain(
    'Unused: 2 of 3 sessions. 1 more is kept for booked sessions. ',
  );
  expect(refundableText({ ...pack, unused: 3, needed: 0, method: 'check' }, 'USD')).toBe(
    '$285 can be refunded. Unused: 3 of 3 sessions. Send the money first: this records it.',
  );
  expect(refundableText(year, 'USD')).toContain('Not started: 9 of 12 months. 2 more are kept');
});

test('An admin reads that booked sessions stay, before a refund withdraws what pays for them', () => {
  expect(withdrawnText(pack, 9_500)).toBe('This withdraws 1 session, all unused.');
  expect(withdrawnText(pack, 19_000)).toBe(
    `This withdraws 2 sessions, 1 of which is kept for booked sessions. ${STAY}`,
  );
  expect(withdrawnText(pack, 28_500)).toBe(
    `This withdraws 3 sessions, 2 of which are kept for booked sessions. ${STAY}`,
  );
  expect(withdrawnText({ ...pack, needed: 1 }, 28_500)).toBe(
    `This withdraws 3 sessions, 1 of which is kept for booked sessions, and 1 used. ${STAY}`,
  );
  expect(withdrawnText({ ...year, open_minor: 79_000 }, 79_000)).toBe(
    `This withdraws 12 months, 2 of which are kept for booked sessions, and 1 started. ${STAY}`,
  );
});

test('Without booked sessions, an admin reads what was used, and nothing about an amount that can’t be', () => {
  const used = { ...pack, unused: 1, needed: 0 };
  expect(withdrawnText(used, 28_500)).toBe(
    'This withdraws 3 sessions, 2 of which were already used.',
  );
  expect(withdrawnText({ ...year, needed: 0, unused: 11, open_minor: 79_000 }, 79_000)).toBe(
    'This withdraws 12 months, 1 of which has started.',
  );
  expect(withdrawnText(pack, 100)).toBe('This withdraws no session: none costs this little.');
  expect([withdrawnText(pack, 0), withdrawnText(pack, 28_501)]).toEqual(['', '']);
});

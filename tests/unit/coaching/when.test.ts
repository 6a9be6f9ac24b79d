import { expect, test } from 'vitest';
import type { DueKind } from '#domain/engagement.ts';
import { clockOf } from '#features/coaching/when.ts';

/** Tuesday, 10 in the morning in Denver. */
const reader = { timeZone: 'America/Denver', now: '2026-11-24T17:00:00Z' };
const say = (due_what: DueKind, due_at: string) => {
  const clock = clockOf({ due_what, due_at }, reader);
  return clock && [`${clock.what}, ${clock.when}`, clock.isLate];
};

test.each([
  ['accept', '2026-11-25T00:00:00Z', 'Accept or decline, by 5:00 PM', false],
  ['accept', '2026-11-26T00:00:00Z', 'Accept or decline, by tomorrow', false],
  ['contact', '2026-11-28T00:00:00Z', 'Get in touch, by Fri', false],
  ['plan', '2026-12-09T00:00:00Z', 'Plan the next session, by Dec 8', false],
  ['write_up', '2026-11-24T16:00:00Z', 'Write up the session, late since 9:00 AM', true],
  ['accept', '2026-11-24T00:00:00Z', 'Accept or decline, 1 day late', true],
  ['accept', '2026-11-21T00:00:00Z', 'Accept or decline, 4 days late', true],
  ['pick', '2026-11-27T17:00:00Z', 'They pick a time, earliest Fri, Nov 27, 10:00 AM', false],
  ['session', '2026-11-24T21:00:00Z', 'Next session, Today, 2:00 PM', false],
  // It isn't late until it has ended.
  ['session', '2026-11-24T16:30:00Z', 'Session, since 9:30 AM', false],
  ['resume', '2026-12-09T00:00:00Z', 'Pick it up again, Dec 8', false],
] as const)('A coach reads what’s due and by when: %s at %s', (what, at, words, isLate) => {
  expect(say(what, at)).toEqual([words, isLate]);
});

test('Without anything due there’s no clock', () => {
  expect(clockOf({ due_what: null, due_at: null }, reader)).toBeNull();
});

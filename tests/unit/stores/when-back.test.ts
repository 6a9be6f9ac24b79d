import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { factsOf } from '#session/session-facts.ts';
import { $session, beginSession, sessionEnded } from '#stores/session.ts';
import { whenBack, whenSignedIn } from '#stores/when-back.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';

const facts = factsOf({ user_id: 'me', full_name: 'Mo' });
let online: () => void;
const signInAgain = () => {
  sessionEnded();
  $session.set({ state: 'signed-in', facts });
};
const changeName = () =>
  $session.set({ state: 'signed-in', facts: { ...facts, fullName: 'Mona' } });

beforeEach(() => {
  const { fire } = stubBrowser();
  online = () => fire('online');
  beginSession(facts);
});
afterEach(() => beginSession(null));

test.each([
  ['the connection is back', whenBack, () => online(), 1],
  ['the person has signed in again', whenBack, signInAgain, 1],
  ['the session ends', whenBack, sessionEnded, 0],
  ['a name changes', whenBack, changeName, 0],
  ['the connection is back, but only the session counts', whenSignedIn, () => online(), 0],
  ['the person has signed in again, and only that counts', whenSignedIn, signInAgain, 1],
])('When %s, what failed is tried again as often as it should', (_, follow, happen, times) => {
  const again = vi.fn();
  const stop = follow(again);
  expect(again).not.toHaveBeenCalled();
  happen();
  expect(again).toHaveBeenCalledTimes(times);
  stop();
  signInAgain();
  online();
  expect(again).toHaveBeenCalledTimes(times);
});

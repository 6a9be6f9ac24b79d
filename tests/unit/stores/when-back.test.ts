import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SessionFacts } from '#session/session-facts.ts';
import { $session, beginSession, sessionEnded } from '#stores/session.ts';
import { whenBack, whenSignedIn } from '#stores/when-back.ts';

const facts = { userId: 'me', fullName: 'Mo' } as SessionFacts;
const page = new EventTarget();

beforeEach(() => {
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
  beginSession(facts);
});
afterEach(() => {
  vi.unstubAllGlobals();
  beginSession(null);
});

const online = () => page.dispatchEvent(new Event('online'));
const signInAgain = () => $session.set({ state: 'signed-in', facts });

describe('What failed', () => {
  test('Is tried again when the connection is back', () => {
    const again = vi.fn();
    const stop = whenBack(again);
    expect(again).not.toHaveBeenCalled();
    online();
    expect(again).toHaveBeenCalledExactlyOnceWith();
    stop();
  });

  test('Is tried again when the person has signed in again, and not when the session ends', () => {
    const again = vi.fn();
    const stop = whenBack(again);
    sessionEnded();
    expect(again).not.toHaveBeenCalled();
    signInAgain();
    expect(again).toHaveBeenCalledExactlyOnceWith();
    stop();
  });

  test('Is not tried again because a name or a picture changed', () => {
    const again = vi.fn();
    const stop = whenBack(again);
    $session.set({ state: 'signed-in', facts: { ...facts, fullName: 'Mona' } });
    expect(again).not.toHaveBeenCalled();
    stop();
  });

  test('Waits for the session alone where something else follows the connection', () => {
    const again = vi.fn();
    const stop = whenSignedIn(again);
    online();
    expect(again).not.toHaveBeenCalled();
    sessionEnded();
    signInAgain();
    expect(again).toHaveBeenCalledTimes(1);
    stop();
  });

  test('Is not tried again once the page has let go of it', () => {
    const again = vi.fn();
    whenBack(again)();
    whenSignedIn(again)();
    online();
    sessionEnded();
    signInAgain();
    expect(again).not.toHaveBeenCalled();
  });
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { holdUnsaved } from '#lib/browser/unsaved.ts';
import { factsOf } from '#session/session-facts.ts';
import {
  $session,
  beginSession,
  type SessionEffects,
  sessionChanged,
  sessionEnded,
  sessionLeft,
  sessionMissing,
} from '#stores/session.ts';
import { $toasts, addToast, dismissToast, TOAST_LIMIT } from '#stores/toasts.ts';

const ROSA = factsOf({ user_id: 'rosa', email: 'rosa@example.com', full_name: 'Rosa Marsh' });
const session = (id: string) => ({ access_token: `token of ${id}`, user: { id } });

let effects: { [K in keyof SessionEffects]: ReturnType<typeof vi.fn<SessionEffects[K]>> };

beforeEach(() => {
  effects = {
    go: vi.fn<SessionEffects['go']>(),
    reload: vi.fn<SessionEffects['reload']>(),
    facts: vi.fn<SessionEffects['facts']>(async () => ROSA),
    socket: vi.fn<SessionEffects['socket']>(),
  };
  $toasts.set([]);
  beginSession(ROSA);
});

describe('What happens to a session while a page is open', () => {
  test('An expired session asks to sign in again and forgets nobody', () => {
    sessionChanged('SIGNED_OUT', null, effects);
    expect($session.get()).toEqual({ state: 'ended', facts: ROSA });
    expect(effects.go).not.toHaveBeenCalled();
    expect(effects.reload).not.toHaveBeenCalled();
  });

  test('Who typed before the page knew that the session is gone is asked in place, and keeps it', () => {
    const typed = holdUnsaved();
    sessionMissing(effects);
    expect($session.get()).toEqual({ state: 'ended', facts: ROSA });
    expect(effects.go).not.toHaveBeenCalled();
    typed();
    sessionMissing(effects);
    expect(effects.go).toHaveBeenCalledWith('/login');
  });

  test('Signing in again, here or in another tab, goes on where the person was', () => {
    sessionChanged('SIGNED_OUT', null, effects);
    sessionChanged('SIGNED_IN', session('rosa'), effects);
    expect($session.get()).toEqual({ state: 'signed-in', facts: ROSA });
    expect($toasts.get().map(({ title }) => title)).toEqual(['You’re signed in again.']);
    expect(effects.reload).not.toHaveBeenCalled();
  });

  test('With an authenticator app the password alone brings nobody back', () => {
    const token = (aal: string) => `head.${btoa(JSON.stringify({ aal }))}.sign`;
    const user = { id: 'rosa', factors: [{ status: 'verified' }] };
    sessionChanged('SIGNED_OUT', null, effects);
    sessionChanged('SIGNED_IN', { access_token: token('aal1'), user }, effects);
    expect($session.get().state).toBe('ended');
    sessionChanged('MFA_CHALLENGE_VERIFIED', { access_token: token('aal2'), user }, effects);
    expect($session.get().state).toBe('signed-in');
  });

  test('Another account in another tab does not leave somebody else’s page standing', () => {
    sessionChanged('SIGNED_IN', session('sam'), effects);
    expect(effects.reload).toHaveBeenCalledOnce();
  });

  test('The event that repeats with every look at the tab changes nothing', () => {
    sessionChanged('SIGNED_IN', session('rosa'), effects);
    sessionChanged('INITIAL_SESSION', session('rosa'), effects);
    expect($session.get()).toEqual({ state: 'signed-in', facts: ROSA });
    expect($toasts.get()).toEqual([]);
    expect(effects.reload).not.toHaveBeenCalled();
  });

  test('Signing out on purpose leaves the page', () => {
    sessionLeft(effects);
    expect($session.get()).toEqual({ state: 'left' });
    expect(effects.go).toHaveBeenCalledWith('/login');
    // The sign-out event that follows doesn't ask the user to sign in again.
    sessionChanged('SIGNED_OUT', null, effects);
    expect($session.get()).toEqual({ state: 'left' });
  });

  test('A renewed token reaches the socket, and a dialog that waited goes away', () => {
    sessionEnded();
    sessionChanged('TOKEN_REFRESHED', session('rosa'), effects);
    expect(effects.socket).toHaveBeenCalledWith('token of rosa');
    expect($session.get().state).toBe('signed-in');
  });

  test.each([
    ['USER_UPDATED', ROSA, { ...ROSA, fullName: 'Rosa Lindqvist' }],
    ['MFA_CHALLENGE_VERIFIED', { ...ROSA, secondFactor: 'required', fullName: '' } as const, ROSA],
  ] as const)(
    'After %s the page shows the person as they are now',
    async (change, before, after) => {
      beginSession(before);
      effects.facts.mockResolvedValue(after);
      sessionChanged(change, session('rosa'), effects);
      await vi.waitFor(() => expect($session.get()).toMatchObject({ facts: after }));
    },
  );

  test('A connection that is lost keeps what was shown', async () => {
    effects.facts.mockRejectedValue(new Error('offline'));
    sessionChanged('USER_UPDATED', session('rosa'), effects);
    await vi.waitFor(() => expect(effects.facts).toHaveBeenCalled());
    expect($session.get()).toEqual({ state: 'signed-in', facts: ROSA });
  });

  test('A link for a new password changes only the page for it', () => {
    sessionChanged('PASSWORD_RECOVERY', session('rosa'), effects);
    expect($session.get().state).toBe('signed-in');
    beginSession(null);
    sessionChanged('PASSWORD_RECOVERY', session('rosa'), effects);
    expect($session.get()).toEqual({ state: 'recovery', userId: 'rosa' });
  });

  test('A visitor is not asked to sign in again', () => {
    beginSession(null);
    sessionChanged('SIGNED_OUT', null, effects);
    expect($session.get()).toEqual({ state: 'visitor' });
    sessionLeft(effects);
    expect(effects.go).not.toHaveBeenCalled();
  });
});

describe('Notices', () => {
  test('Five at most are shown; the oldest gives way', () => {
    const ids = Array.from({ length: 7 }, (_, index) => addToast({ title: `Notice ${index}` }));
    expect($toasts.get()).toHaveLength(TOAST_LIMIT);
    expect($toasts.get().map(({ id }) => id)).toEqual(ids.slice(2));
  });

  test('Closing one leaves the others', () => {
    const first = addToast({ title: 'Saved.' });
    addToast({ title: 'Sent.' });
    dismissToast(first);
    dismissToast('gone already');
    expect($toasts.get().map(({ title }) => title)).toEqual(['Sent.']);
  });
});

import { afterEach, describe, expect, test, vi } from 'vitest';
import { signInWithPassword, verifySecondFactor } from '#data/sign-in.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const input = { email: 'ann@example.com', password: 'plum-harbor-lantern' };

/** A backend with one account. It records the calls on `profiles`. */
function backend(answer: unknown, nextLevel: 'aal1' | 'aal2' = 'aal1') {
  const asked: unknown[] = [];
  const query: Record<string, (...values: unknown[]) => unknown> = {
    abortSignal: () => Promise.resolve(answer),
  };
  for (const step of ['update', 'eq', 'is']) {
    query[step] = (...values) => {
      asked.push([step, ...values]);
      return query;
    };
  }
  const level = async () => ({ data: { currentLevel: 'aal1', nextLevel }, error: null });
  const db = {
    auth: {
      signInWithPassword: async () => ({ error: null }),
      getSession: async () => ({ data: { session: { user: { id: 'ann' } } } }),
      mfa: {
        getAuthenticatorAssuranceLevel: level,
        listFactors: async () => ({ data: { totp: [{ id: 'app' }] }, error: null }),
        challengeAndVerify: async () => ({ error: null }),
      },
    },
    from: () => query,
  };
  return { db: dbAnswering(db), asked };
}

const taken = [
  ['update', { time_zone: 'Asia/Kolkata' }],
  ['eq', 'user_id', 'ann'],
  ['is', 'time_zone', null],
];

describe('Signing in', () => {
  afterEach(() => vi.restoreAllMocks());
  const inZone = (timeZone: unknown) => {
    const said = { ...Intl.DateTimeFormat().resolvedOptions(), timeZone };
    vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions').mockReturnValue(said as never);
  };

  test('gives an account that has no time zone that of the browser', async () => {
    inZone('Asia/Calcutta');
    const { db, asked } = backend({ error: null });
    expect(await signInWithPassword(db, input)).toBe('signed-in');
    expect(asked).toEqual(taken);
  });

  test('waits with it for the second factor', async () => {
    inZone('Asia/Kolkata');
    const { db, asked } = backend({ error: null }, 'aal2');
    expect(await signInWithPassword(db, input)).toBe('second-factor');
    expect(asked).toEqual([]);
    await verifySecondFactor(db, '123456');
    expect(asked).toEqual(taken);
  });

  test('goes on where the browser has none, or it could not be stored', async () => {
    inZone('Asia/Kolkata');
    expect(await signInWithPassword(backend({ error: { code: '22023' } }).db, input)).toBe(
      'signed-in',
    );
    inZone(undefined);
    const { db, asked } = backend({ error: null });
    expect(await signInWithPassword(db, input)).toBe('signed-in');
    expect(asked).toEqual([]);
  });
});

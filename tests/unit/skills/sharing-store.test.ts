import { describe, expect, test, vi } from 'vitest';
import { createSharingStore } from '#features/skills/sharing-store.ts';
import type { AppError } from '#lib/errors.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

const lost = { message: 'TypeError: Failed to fetch', code: '' };
const over = { message: 'Your session was ended.', code: 'PT401' };

/** Answers in turn; nothing is a success. */
function backend(answers: unknown[] = []) {
  const rpc = vi.fn(async (_name: string, _args: Record<string, unknown>) => {
    const error = answers.shift() ?? null;
    return { data: error ? null : {}, error, status: error === over ? 401 : 200 };
  });
  const failures: { error: AppError; again: () => void }[] = [];
  const signedOut = vi.fn();
  const store = createSharingStore(
    {
      db: async () => dbAnswering({ rpc }),
      signedOut,
      failed: (error, again) => failures.push({ error, again }),
    },
    'first',
    true,
  );
  const sent = () => rpc.mock.calls.map(([, args]) => args.p_shared);
  return { store, sent, failures, signedOut };
}

describe('An owner who shares with their coach, or stops', () => {
  test('sees it at once, and it is sent in the order in which it was pressed', async () => {
    const { store, sent } = backend();
    void store.share(false);
    expect(store.$shared.get()).toBe(false);
    await store.share(true);
    expect(sent()).toEqual([false, true]);
    expect(store.$shared.get()).toBe(true);
  });

  test('sees what is stored again when it could not be kept, and can try again', async () => {
    const { store, failures } = backend([lost]);
    await store.share(false);
    expect(store.$shared.get()).toBe(true);
    failures[0]?.again();
    await vi.waitFor(() => expect(store.$shared.get()).toBe(false));
  });

  test('sees at the end what the coach may do, whichever of several presses was lost', async () => {
    const { store, sent } = backend([lost]);
    void store.share(false);
    void store.share(true);
    await store.share(false);
    expect(sent()).toEqual([false, true, false]);
    expect(store.$shared.get()).toBe(false);
  });

  test('is asked to sign in again when the session is over', async () => {
    const { store, signedOut } = backend([over]);
    await store.share(false);
    expect(signedOut).toHaveBeenCalledOnce();
    expect(store.$shared.get()).toBe(true);
  });
});

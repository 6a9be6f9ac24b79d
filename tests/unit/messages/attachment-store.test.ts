import { describe, expect, test } from 'vitest';
import type { MessageFile } from '#data/messages.ts';
import {
  ATTACHMENTS,
  createAttachmentStore,
} from '#features/messages/composer/attachment-store.ts';
import { AppError } from '#lib/errors.ts';

const START = { me: 'me', conversationId: 'talk' };
const KEY = 'trellis-attachments:me:talk';

function shelf(kept: Record<string, string> = {}) {
  const items = new Map(Object.entries(kept));
  return {
    items,
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}

const storeWith = (storage = shelf()) =>
  createAttachmentStore(
    {
      db: () => Promise.reject(new AppError('network')),
      signedOut() {},
      storage,
    },
    START,
  );

const stored: MessageFile = {
  id: 'f1',
  name: 'prices.csv',
  type: 'text/csv',
  size: 20,
  path: 'talk/f1',
  width: null,
  height: null,
};

describe('Files for the next message', () => {
  test('are waited for: with one that did not arrive the message cannot go', async () => {
    const store = storeWith();
    await store.add([new File([], 'nothing.txt')]);
    expect(await store.waitUntilStored()).toBeNull();
    for (const { id } of store.$attachments.get()) store.remove(id);
    expect(await store.waitUntilStored()).toEqual([]);
  });

  test('are as many as fit with one message', async () => {
    const store = storeWith();
    const many = Array.from({ length: ATTACHMENTS + 2 }, (_, n) => new File([], `${n}.txt`));
    await store.add(many);
    expect(store.$attachments.get()).toHaveLength(ATTACHMENTS);
    expect(store.$problem.get()).toContain(`up to ${ATTACHMENTS} files`);
  });

  const keep = (kept: string) => shelf({ [KEY]: kept });
  const storedAt = (at: number) => keep(JSON.stringify({ at, stored: [stored] }));

  test('that are stored come back after a reload, until they are sent', async () => {
    const storage = storedAt(Date.now());
    const store = storeWith(storage);
    store.open();
    expect(await store.waitUntilStored()).toEqual([stored]);
    store.clear();
    expect(storage.items.has(KEY)).toBe(false);
  });

  test.each([
    ['are older than a day', storedAt(Date.now() - 90_000_000)],
    ['cannot be read', keep('{')],
  ])('are forgotten if they %s', (_why, storage) => {
    const store = storeWith(storage);
    store.open();
    expect(store.$attachments.get()).toEqual([]);
    expect(storage.items.has(KEY)).toBe(false);
  });
});

import { expect, test } from 'vitest';
import { createAttachmentStore } from '#features/messages/attachment-store.ts';

const start = { me: 'maria', conversationId: 'talk' };
const key = 'trellis-attachments:maria:talk';
const stored = [{ id: 'a', name: 'Plan.pdf', size: 10 }];

/** A store over what this browser kept so long ago. */
function after(hours: number) {
  const kept = new Map([[key, JSON.stringify({ at: Date.now() - hours * 3_600_000, stored })]]);
  const storage = {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
  const doors = { storage, db: () => Promise.reject(), signedOut() {}, measure: async () => null };
  const store = createAttachmentStore(doors, start);
  store.open();
  return { kept, names: store.$attachments.get().map(({ name }) => name) };
}

test('What was brought and not sent is there again for a day', () => {
  expect(after(23).names).toEqual(['Plan.pdf']);
});

test('After a day, when the server has forgotten it, the browser does too', () => {
  const { names, kept } = after(25);
  expect(names).toEqual([]);
  expect([...kept.keys()]).toEqual([]);
});

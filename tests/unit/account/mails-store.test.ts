import { expect, test } from 'vitest';
import type { Notifications } from '#data/profiles.ts';
import { createMailsStore } from '#features/profile/mails-store.ts';
import { AppError } from '#lib/errors.ts';

const all: Notifications = { reminders: true, news: true, messages: true, message_text: true };

/** A page, and what the database holds; `fails` says which of the tries in turn do not arrive. */
function page(fails: boolean[] = []) {
  let stored = all;
  const again: (() => void)[] = [];
  const store = createMailsStore(
    {
      async save(change) {
        await Promise.resolve();
        if (fails.shift()) throw new AppError('network');
        stored = { ...stored, ...change };
      },
      failed: (_error, retry) => again.push(retry),
    },
    all,
  );
  return { ...store, again, stored: () => stored };
}

test('Two switches pressed at once are both as the page shows them, where the first did not arrive', async () => {
  const { $wanted, put, again, stored } = page([true]);
  void put('reminders', false);
  await put('news', false);
  expect($wanted.get()).toEqual({ ...all, news: false });
  expect(stored()).toEqual($wanted.get());
  again[0]?.();
  await put('messages', false);
  expect($wanted.get()).toEqual({ ...all, reminders: false, news: false, messages: false });
  expect(stored()).toEqual($wanted.get());
});

test('A switch that is pressed again before it is answered stands as it was pressed last', async () => {
  const { $wanted, put, stored } = page([true]);
  void put('news', false);
  void put('news', true);
  expect($wanted.get().news).toBe(true);
  await put('news', false);
  expect([$wanted.get().news, stored().news]).toEqual([false, false]);
});

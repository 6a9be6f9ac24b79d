import { beforeEach, expect, test, vi } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { factsOf } from '#session/session-facts.ts';
import { createOptimistic } from '#stores/optimistic.ts';
import { $session, beginSession } from '#stores/session.ts';
import { $toasts } from '#stores/toasts.ts';

type Switches = Record<string, boolean>;

/** Switches, and what the database stores. `failures` are the errors of the next tries, or null. */
function page(...failures: (AppError | null)[]) {
  let stored: Switches = { mails: true, news: true };
  const sent: Switches[] = [];
  const store = createOptimistic<Switches, Switches>(stored, {
    apply: (switches, change) => ({ ...switches, ...change }),
    async send(change) {
      sent.push(change);
      await Promise.resolve();
      const failure = failures.shift();
      if (failure) throw failure;
      stored = { ...stored, ...change };
    },
    failure: 'That stays as it was',
  });
  return { ...store, sent, stored: () => stored, shown: () => store.$shown.get() };
}

const lost = new AppError('network');
beforeEach(() => {
  $toasts.set([]);
  beginSession(factsOf({ user_id: 'maria' }));
});

test('A change is shown at once, is pending until it is answered, and stays', async () => {
  const { put, shown, $pending } = page();
  const stored = put({ news: false });
  expect(shown()).toEqual({ mails: true, news: false });
  expect($pending.get()).toHaveLength(1);
  expect(await stored).toBe(true);
  expect([shown().news, $pending.get()]).toEqual([false, []]);
});

test('A refused change is taken back with a notice, whose button tries again', async () => {
  const { put, shown } = page(lost);
  expect(await put({ news: false })).toBe(false);
  expect(shown().news).toBe(true);
  const [toast] = $toasts.get();
  expect(toast).toMatchObject({ title: 'That stays as it was', text: lost.message });
  toast?.action?.onPress();
  await vi.waitFor(() => expect(shown().news).toBe(false));
  expect($toasts.get()).toHaveLength(1);
});

test.each([
  [
    [false, true, false],
    [lost, null, null],
  ],
  [
    [false, true],
    [null, lost],
  ],
  [
    [false, true, false],
    [null, null, lost],
  ],
])(
  'Presses %j are sent in their order, and the page shows what is stored',
  async (presses, failures) => {
    const { put, shown, sent, stored } = page(...failures);
    await Promise.all(presses.map((news) => put({ news })));
    expect(sent).toEqual(presses.map((news) => ({ news })));
    expect(shown()).toEqual(stored());
  },
);

test('A change stays where the one before it was refused', async () => {
  const { put, shown, stored } = page(lost);
  await Promise.all([put({ mails: false }), put({ news: false })]);
  expect(shown()).toEqual({ mails: true, news: false });
  expect(stored()).toEqual(shown());
});

test('What the server answers takes the place of what was expected', async () => {
  const { $shown, put } = createOptimistic<number, number>(0, {
    apply: (sum, change) => sum + change,
    send: async () => 7,
    failure: '',
  });
  await put(1);
  expect($shown.get()).toBe(7);
});

test('What is replaced waits for the changes before it', async () => {
  const { put, replace, shown } = page();
  void put({ news: false });
  await replace(async (stored) => ({ ...stored(), mails: false }));
  expect(shown()).toEqual({ mails: false, news: false });
});

test('A session that is over asks the person to sign in again', async () => {
  await page(new AppError('signed-out')).put({ news: false });
  expect($session.get().state).toBe('ended');
});

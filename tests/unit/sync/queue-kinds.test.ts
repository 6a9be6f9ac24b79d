import { describe, expect, test } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { sendFailureOf } from '#sync/failure.ts';
import type { Entry } from '#sync/queue-storage.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { backend, queueOf } from '../../fixtures/queue-backend.ts';

describe('What lies before it is sent', () => {
  const rested = (site: ReturnType<typeof stillBrowser>, server: ReturnType<typeof backend>) => {
    const send = (entries: Entry[]) => server.send(entries);
    return queueOf(site.openTab(), {
      draft: { batch: 1, rest: 2_000, send },
      answer: { batch: 50, send },
    });
  };

  test('What is typed is kept at once and sent when the person pauses, as it stands then', async () => {
    const site = stillBrowser();
    const server = backend();
    const queue = rested(site, server);
    for (const text of ['D', 'De', 'Dear']) {
      queue.put('draft', 'letter', text);
      expect(site.kept.size).toBe(1);
      await settle();
      await site.pass(1_000);
    }
    expect(server.requests).toEqual([]);
    expect(queue.$state.get().name).toBe('empty');
    await site.pass(1_000);
    expect(server.stored.get('letter')).toBe('Dear');
    expect(site.kept.size).toBe(0);
  });

  test('What else is put goes out meanwhile, and what lies is not forgotten by it', async () => {
    const site = stillBrowser();
    const server = backend();
    const queue = rested(site, server);
    queue.put('draft', 'letter', 'Dear');
    queue.put('answer', 'q1', 1);
    await settle();
    expect([...server.stored.keys()]).toEqual(['q1']);
    expect(queue.$state.get().name).toBe('empty');
    await site.pass(2_000);
    expect([...server.stored.keys()]).toEqual(['q1', 'letter']);
  });

  test('A pause that ends while the queue looks at it ends all the same', async () => {
    for (let nth = 1; nth <= 60; nth += 1) {
      const site = stillBrowser();
      const server = backend();
      const queue = rested(site, server);
      queue.put('draft', 'letter', 'Dear');
      await settle();
      await site.pass(1_999);
      // A timer may go off a millisecond early, and something else may be sent just then.
      site.tickBeforeLook(nth);
      if (nth % 2 === 0) queue.put('answer', 'q1', 1);
      else queue.flush();
      await settle();
      await site.pass(0);
      await site.pass(1);
      expect({ nth, sent: server.stored.get('letter') }).toEqual({ nth, sent: 'Dear' });
      queue.close();
    }
  });

  test('A tab that is closed meanwhile leaves it to the next one, even after the clock was set back', async () => {
    const site = stillBrowser();
    const server = backend();
    const closed = rested(site, server);
    closed.put('draft', 'letter', 'Dear');
    closed.close();
    await site.pass(-3_600_000);
    rested(site, server);
    await settle();
    expect(server.stored.get('letter')).toBe('Dear');
  });
});

describe('A kind that has to wait for itself alone', () => {
  test('It is tried again later and in order, while everything else goes out', async () => {
    const site = stillBrowser();
    const server = backend();
    let crowded = true;
    const said: string[] = [];
    const queue = queueOf(
      site.openTab(),
      {
        message: {
          batch: 1,
          async send([entry]) {
            if (crowded) throw new Error('Too many');
            said.push(entry?.key ?? '');
          },
        },
        answer: { batch: 50, send: (entries) => server.send(entries) },
      },
      () => ({ name: 'wait', milliseconds: 0 }),
    );
    queue.put('message', 'one', 1);
    queue.put('message', 'two', 2);
    queue.put('answer', 'q1', 1);
    await settle();
    expect([...server.stored.keys()]).toEqual(['q1']);
    expect(queue.$state.get().name).toBe('waiting');
    crowded = false;
    await site.pass(5_000);
    expect(said).toEqual(['one', 'two']);
    expect(queue.$state.get().name).toBe('empty');
  });
});

test('What is refused for a while is sent when the server said, not before, and nothing is lost', async () => {
  const site = stillBrowser();
  const stored: string[] = [];
  let asked = 0;
  let room = 5;
  const queue = queueOf(
    site.openTab(),
    {
      update: {
        batch: 1,
        async send([entry]) {
          asked += 1;
          if (stored.length === room) {
            throw { code: 'PT429', message: 'Try again in a minute.', details: '45' };
          }
          stored.push(entry?.key ?? '');
        },
      },
    },
    sendFailureOf,
  );
  const keys = Array.from({ length: 10 }, (_, n) => `${n}`);
  for (const key of keys) queue.put('update', key, {});
  await settle();
  expect([stored.length, asked]).toEqual([5, 6]);
  expect(queue.$state.get().name).toBe('waiting');

  // Entries added meanwhile wait, too, without a request for each.
  room = 100;
  queue.put('update', 'later', {});
  await settle();
  await site.pass(44_000);
  expect(asked).toBe(6);
  await site.pass(1_000);
  await settle();
  expect(stored).toEqual([...keys, 'later']);
  expect(queue.$state.get().name).toBe('empty');
});

test('What was refused for good says why and holds nothing else up; what may yet arrive is sent again', async () => {
  const site = stillBrowser();
  const stored: string[] = [];
  const answers: Record<string, AppError[]> = {
    archived: [new AppError('conflict', 'This business is archived.', { code: '55000' })],
    crowded: [new AppError('conflict', undefined, { code: '40001' })],
  };
  const queue = queueOf(
    site.openTab(),
    {
      update: {
        batch: 1,
        async send([entry]) {
          const answer = answers[entry?.key ?? '']?.shift();
          if (answer) throw answer;
          stored.push(entry?.key ?? '');
        },
      },
    },
    sendFailureOf,
  );
  for (const key of ['archived', 'open', 'crowded']) queue.put('update', key, {});
  await settle();
  await site.pass(1_000);
  expect(stored).toEqual(['open', 'crowded']);
  expect(queue.$entries.get()).toMatchObject([
    { key: 'archived', refused: 'This business is archived.' },
  ]);
  expect(answers.crowded).toEqual([]);
});

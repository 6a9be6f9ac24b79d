import { describe, expect, test } from 'vitest';
import { ANSWER_WITHIN_MS } from '#lib/answer-within.ts';
import type { SyncEnvironment } from '#sync/environment.ts';
import type { Sender } from '#sync/queue.ts';
import type { Entry } from '#sync/queue-storage.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { queueOf } from '../../fixtures/queue-backend.ts';

/** A backend that counts writes by id. It stores entries of a `silent` kind but never responds. */
function backend() {
  const arrived: string[] = [];
  const stored = new Map<string, number>();
  const silent = new Set<string>();
  const sender = (kind: string): Sender => ({
    batch: 1,
    async send([entry]: Entry[]) {
      const name = `${kind}:${entry?.key}`;
      arrived.push(name);
      stored.set(name, (stored.get(name) ?? 0) + 1);
      if (silent.has(kind)) await new Promise(() => {});
    },
  });
  return { arrived, stored, silent, sender };
}

function open(
  environment: SyncEnvironment,
  { sender }: ReturnType<typeof backend>,
  signedInAs = async (): Promise<string | null> => 'maria',
) {
  const senders = { message: sender('message'), task: sender('task') };
  return queueOf(environment, senders, undefined, signedInAs);
}

describe('A request that is never answered', () => {
  test('ends after a while: what waits is told, and tried again more and more seldom', async () => {
    const site = stillBrowser();
    const server = backend();
    server.silent.add('message');
    const queue = open(site.openTab(), server);
    queue.put('message', 'm1', 1);
    await settle();
    expect(queue.$state.get().name).toBe('sending');
    await site.pass(ANSWER_WITHIN_MS - 1);
    expect(queue.$state.get().name).toBe('sending');
    await site.pass(1);
    expect(queue.$state.get().name).toBe('waiting');
    for (const seconds of [1, 2, 5, 10, 30, 60, 60]) {
      const before = server.arrived.length;
      await site.pass(seconds * 1_000 - 500);
      expect(server.arrived.length).toBe(before);
      await site.pass(500);
      expect(server.arrived.length).toBe(before + 1);
      await site.pass(ANSWER_WITHIN_MS);
      expect(queue.$state.get().name).toBe('waiting');
    }
  });

  test('holds up neither what else waits here nor another tab', async () => {
    const site = stillBrowser();
    const server = backend();
    server.silent.add('message');
    const one = open(site.openTab(), server);
    one.put('message', 'm1', 1);
    one.put('task', 't1', 1);
    await settle();
    expect(server.stored.has('task:t1')).toBe(false);
    await site.pass(ANSWER_WITHIN_MS);
    expect(server.stored.get('task:t1')).toBe(1);
    expect(one.$entries.get().map(({ key }) => key)).toEqual(['m1']);

    const two = open(site.openTab(), server);
    await settle();
    two.put('task', 't2', 2);
    await settle();
    // The second tab gets no response either, and continues with the next entry.
    await site.pass(ANSWER_WITHIN_MS);
    await site.pass(ANSWER_WITHIN_MS);
    expect(server.stored.get('task:t2')).toBe(1);

    server.silent.clear();
    site.wake('connection');
    await site.pass(ANSWER_WITHIN_MS);
    await site.pass(60_000);
    expect(site.kept.size).toBe(0);
    expect([one, two].map(({ $state }) => $state.get().name)).toEqual(['empty', 'empty']);
  });

  test('lets the other tab send what it could not', async () => {
    const site = stillBrowser();
    const [stuck, well] = [backend(), backend()];
    stuck.silent.add('message');
    const one = open(site.openTab(), stuck);
    one.put('message', 'm1', 1);
    await settle();
    const two = open(site.openTab(), well);
    two.put('message', 'm2', 2);
    await settle();
    expect(well.arrived).toEqual([]);
    await site.pass(ANSWER_WITHIN_MS);
    expect(well.arrived).toEqual(['message:m1', 'message:m2']);
    expect([one, two].map(({ $state }) => $state.get().name)).toEqual(['empty', 'empty']);
    expect(site.kept.size).toBe(0);
  });

  test('is told in a tab that waits for the one that holds it, as well', async () => {
    const site = stillBrowser();
    const server = backend();
    server.silent.add('message');
    const one = open(site.openTab(), server);
    one.put('message', 'm1', 1);
    await settle();
    await site.pass(ANSWER_WITHIN_MS / 2);
    const two = open(site.openTab(), server);
    await site.pass(ANSWER_WITHIN_MS / 2);
    await site.pass(ANSWER_WITHIN_MS / 2);
    expect(two.$state.get().name).toBe('waiting');
  });

  test('about who is signed in does not hold the queue either', async () => {
    const site = stillBrowser();
    const server = backend();
    let asked = 0;
    const queue = open(site.openTab(), server, async () => {
      asked += 1;
      if (asked === 1) await new Promise(() => {});
      return 'maria';
    });
    queue.put('message', 'm1', 1);
    await settle();
    await site.pass(ANSWER_WITHIN_MS);
    expect(queue.$state.get().name).toBe('waiting');
    await site.pass(1_000);
    expect(server.stored.get('message:m1')).toBe(1);
    expect(queue.$state.get().name).toBe('empty');
  });
});

describe('What follows something else', () => {
  test('waits until that is stored, also while that waits by itself', async () => {
    const site = stillBrowser();
    const server = backend();
    server.silent.add('task');
    const queue = queueOf(site.openTab(), {
      task: server.sender('task'),
      message: {
        ...server.sender('message'),
        isAfter: (mine, other) => other.kind === 'task' && other.key === mine.key,
      },
    });
    queue.put('message', 'x', 1);
    await settle();
    queue.put('task', 'y', 1);
    queue.put('message', 'y', 1);
    queue.put('message', 'z', 1);
    await settle();
    await site.pass(ANSWER_WITHIN_MS);
    expect(server.arrived).toEqual(['message:x', 'task:y', 'message:z']);
    server.silent.clear();
    await site.pass(1_000);
    expect(server.arrived.slice(3)).toEqual(['task:y', 'message:y']);
    expect(site.kept.size).toBe(0);
  });
});

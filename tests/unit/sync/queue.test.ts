import { describe, expect, test } from 'vitest';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { backend, open, waiting } from '../../fixtures/queue-backend.ts';

describe('An owner with a connection', () => {
  test('An answer is sent at once and then forgotten by the browser', async () => {
    const { openTab, kept } = stillBrowser();
    const server = backend();
    const queue = open(openTab(), server);
    queue.put('answer', 'q1', 3);
    expect(queue.$state.get().name).toBe('sending');
    await settle();
    expect(server.stored).toEqual(new Map([['q1', 3]]));
    expect(queue.$state.get().name).toBe('empty');
    expect(kept.size).toBe(0);
  });

  test('An answer that is changed while the first one travels is sent as well', async () => {
    const { openTab } = stillBrowser();
    const server = backend();
    const queue = open(openTab(), server);
    server.meanwhile = async () => {
      server.meanwhile = async () => {};
      queue.put('answer', 'q1', 4);
    };
    queue.put('answer', 'q1', 1);
    await settle();
    expect(server.stored.get('q1')).toBe(4);
    expect(server.requests).toEqual([['q1'], ['q1']]);
  });
});

describe('An owner without a connection', () => {
  test('Everything waits in the browser and goes out in order, in one request, when it is back', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const queue = open(site.openTab(), server);
    for (const [key, body] of [
      ['q1', 0],
      ['q2', 2],
      ['q1', 3],
    ] as const) {
      queue.put('answer', key, body);
      await settle();
    }
    expect(waiting(queue)).toEqual([
      ['q2', 2],
      ['q1', 3],
    ]);
    server.online = true;
    server.requests.length = 0;
    site.wake('connection');
    await settle();
    expect(server.requests).toEqual([['q2', 'q1']]);
    expect([...server.stored]).toEqual([
      ['q2', 2],
      ['q1', 3],
    ]);
  });

  test('What must not go together goes out one by one, oldest first', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const queue = open(site.openTab(), server, { batch: 1 });
    for (const key of ['first', 'second', 'third']) queue.put('answer', key, key);
    await settle();
    server.online = true;
    server.requests.length = 0;
    site.wake('connection');
    await settle();
    expect(server.requests).toEqual([['first'], ['second'], ['third']]);
  });

  test('It is tried again by itself, more and more seldom', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const queue = open(site.openTab(), server);
    queue.put('answer', 'q1', 1);
    await settle();
    for (const seconds of [1, 2, 5, 10, 30, 60, 60]) {
      const before = server.requests.length;
      await site.pass(seconds * 1_000 - 500);
      expect(server.requests.length).toBe(before);
      await site.pass(500);
      expect(server.requests.length).toBe(before + 1);
      expect(queue.$state.get().name).toBe('waiting');
    }
  });

  test('Trying again is no news: the owner reads that it waits until it has arrived', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const queue = open(site.openTab(), server);
    queue.put('answer', 'q1', 1);
    await settle();
    const seen = new Set<string>();
    queue.$state.listen(({ name }) => seen.add(name));
    await site.pass(1_000);
    queue.put('answer', 'q2', 2);
    await settle();
    expect([...seen]).toEqual(['waiting']);
    server.online = true;
    site.wake('connection');
    await settle();
    expect(queue.$state.get().name).toBe('empty');
  });

  test('A closed tab loses nothing: the next one sends it', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const closed = open(site.openTab(), server);
    closed.put('answer', 'q1', 4);
    closed.close();
    server.online = true;
    open(site.openTab(), server);
    await settle();
    expect(server.stored.get('q1')).toBe(4);
  });
});

describe('What the backend does not take', () => {
  test('It is told apart from the rest, reported once and not sent again', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const queue = open(site.openTab(), server);
    for (const key of ['q1', 'q2', 'q3']) queue.put('answer', key, 1);
    await settle();
    server.online = true;
    server.refuses = ({ key }) => key === 'q2';
    site.wake('connection');
    await settle();
    expect([...server.stored.keys()]).toEqual(['q1', 'q3']);
    expect(queue.$entries.get()).toMatchObject([{ key: 'q2', refused: 'This is not accepted.' }]);
    const before = server.requests.length;
    site.wake('connection');
    await settle();
    expect(server.requests.length).toBe(before);
  });

  test('Answering anew replaces it, and giving up forgets it', async () => {
    const site = stillBrowser();
    const server = backend();
    server.refuses = ({ value }) => value === 'wrong';
    const queue = open(site.openTab(), server);
    queue.put('answer', 'q1', 'wrong');
    queue.put('answer', 'q2', 'wrong');
    await settle();
    queue.put('answer', 'q1', 'right');
    queue.discard('answer', 'q2');
    await settle();
    expect(server.stored).toEqual(new Map([['q1', 'right']]));
    expect(site.kept.size).toBe(0);
  });
});

describe('Whose it is', () => {
  test('Somebody else on the same browser neither sees nor sends it', async () => {
    const site = stillBrowser();
    const server = backend();
    server.online = false;
    const marias = open(site.openTab(), server);
    marias.put('answer', 'q1', 1);
    marias.close();
    server.online = true;
    const other = open(site.openTab(), server, { owner: 'peter', signedInAs: async () => 'peter' });
    other.put('answer', 'q2', 2);
    await settle();
    expect([...server.stored.keys()]).toEqual(['q2']);
    expect(other.$entries.get()).toEqual([]);
    expect(site.kept.size).toBe(1);
  });

  test.each([null, 'peter'])(
    'While %s is signed in, the answers wait, and they go out when their owner is back',
    async (somebody) => {
      const site = stillBrowser();
      const server = backend();
      let present: string | null = somebody;
      const queue = open(site.openTab(), server, { signedInAs: async () => present });
      queue.put('answer', 'q1', 1);
      await settle();
      expect(queue.$state.get().name).toBe('signed-out');
      expect(server.requests).toEqual([]);
      present = 'maria';
      site.wake('shown');
      await settle();
      expect(server.stored.get('q1')).toBe(1);
    },
  );

  test('A session that the backend has ended holds them back, and loses none', async () => {
    const site = stillBrowser();
    const server = backend();
    server.expired = true;
    const queue = open(site.openTab(), server);
    queue.put('answer', 'q1', 1);
    await settle();
    expect(queue.$state.get().name).toBe('signed-out');
    server.expired = false;
    queue.flush();
    await settle();
    expect(server.stored.get('q1')).toBe(1);
  });
});

import { describe, expect, test } from 'vitest';
import { createOutbox, type Outbox, type OutboxFailure } from '#lib/outbox.ts';
import type { OutboxEnvironment } from '#lib/outbox-environment.ts';
import type { OutboxEntry } from '#lib/outbox-shelf.ts';
import { settle } from '../fixtures/browser-shelf.ts';

class Refused extends Error {}
class Expired extends Error {}

/** One browser: storage and locks that its tabs share, and a clock that only moves when told to. */
function browser({ locks = true, storage = true as boolean } = {}) {
  const cells = new Map<string, string>();
  const tabs = new Set<(reason: 'connection' | 'shown' | 'storage') => void>();
  const timers = new Set<{ at: number; task: () => void }>();
  let time = Date.parse('2026-11-20T10:00:00Z');
  let last: Promise<unknown> = Promise.resolve();
  let full = false;
  let opened = 0;

  function tab(): OutboxEnvironment {
    let wakeSelf = (_reason: 'connection' | 'shown' | 'storage') => {};
    const tellOthers = () => {
      for (const wake of tabs) if (wake !== wakeSelf) wake('storage');
    };
    opened += 1;
    return {
      tab: `tab${opened}`,
      storage: storage
        ? {
            get length() {
              return cells.size;
            },
            key: (index) => [...cells.keys()][index] ?? null,
            getItem: (key) => cells.get(key) ?? null,
            setItem(key, value) {
              if (full && !cells.has(key)) throw new DOMException('Full', 'QuotaExceededError');
              cells.set(key, value);
              tellOthers();
            },
            removeItem(key) {
              if (cells.delete(key)) {
                full = false;
                tellOthers();
              }
            },
          }
        : null,
      ...(locks && {
        exclusively: <T>(_name: string, task: () => Promise<T>) => {
          const mine = last.then(task);
          last = mine.catch(() => {});
          return mine;
        },
      }),
      now: () => time,
      setTimeout(task, milliseconds) {
        const timer = { at: time + milliseconds, task };
        timers.add(timer);
        return () => timers.delete(timer);
      },
      onWake(wake) {
        wakeSelf = wake;
        tabs.add(wake);
        return () => tabs.delete(wake);
      },
    };
  }

  return {
    tab,
    cells,
    fill() {
      full = true;
    },
    wake(reason: 'connection' | 'shown') {
      for (const wake of [...tabs]) wake(reason);
    },
    /** Lets time pass, and with it whatever is due. */
    pass(seconds: number) {
      time += seconds * 1000;
      for (const timer of [...timers]) {
        if (timer.at > time) continue;
        timers.delete(timer);
        timer.task();
      }
    },
  };
}

/** A backend that may be away, slow, or refuse what it is given. */
function backend() {
  const stored = new Map<string, unknown>();
  const requests: string[][] = [];
  return {
    stored,
    requests,
    online: true,
    expired: false,
    refuses: (_entry: OutboxEntry): boolean => false,
    meanwhile: async () => {},
    async send(entries: OutboxEntry[]) {
      requests.push(entries.map(({ key }) => key));
      await this.meanwhile();
      if (!this.online) throw new TypeError('Failed to fetch');
      if (this.expired) throw new Expired();
      if (entries.some((entry) => this.refuses(entry))) throw new Refused();
      for (const { key, body } of entries) stored.set(key, body);
    },
  };
}

const classify = (error: unknown): OutboxFailure => {
  if (error instanceof Expired) return 'signed-out';
  return error instanceof Refused ? { refused: 'This is not accepted.' } : 'later';
};

function open(
  environment: OutboxEnvironment,
  server: ReturnType<typeof backend>,
  { owner = 'maria', batch = 50, signedInAs = async () => 'maria' as string | null } = {},
): Outbox {
  const send = (entries: OutboxEntry[]) => server.send(entries);
  return createOutbox({
    owner,
    classify,
    signedInAs,
    environment,
    senders: { answer: { batch, send } },
  });
}

const waiting = (outbox: Outbox) => outbox.$entries.get().map(({ key, body }) => [key, body]);

describe('An owner with a connection', () => {
  test('An answer is sent at once and then forgotten by the browser', async () => {
    const { tab, cells } = browser();
    const server = backend();
    const outbox = open(tab(), server);
    expect(outbox.put('answer', 'q1', 3)).toBe('kept');
    expect(outbox.$state.get().name).toBe('sending');
    await outbox.settled();
    expect(server.stored).toEqual(new Map([['q1', 3]]));
    expect(outbox.$state.get().name).toBe('empty');
    expect(cells.size).toBe(0);
  });

  test('An answer that is changed while the first one travels is sent as well', async () => {
    const { tab } = browser();
    const server = backend();
    const outbox = open(tab(), server);
    server.meanwhile = async () => {
      server.meanwhile = async () => {};
      outbox.put('answer', 'q1', 4);
    };
    outbox.put('answer', 'q1', 1);
    await outbox.settled();
    expect(server.stored.get('q1')).toBe(4);
    expect(server.requests).toEqual([['q1'], ['q1']]);
  });
});

describe('An owner without a connection', () => {
  test('Everything waits in the browser and goes out in order, in one request, when it is back', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const outbox = open(site.tab(), server);
    for (const [key, body] of [
      ['q1', 0],
      ['q2', 2],
      ['q1', 3],
    ] as const) {
      outbox.put('answer', key, body);
      await settle();
    }
    expect(waiting(outbox)).toEqual([
      ['q2', 2],
      ['q1', 3],
    ]);
    server.online = true;
    server.requests.length = 0;
    site.wake('connection');
    await outbox.settled();
    expect(server.requests).toEqual([['q2', 'q1']]);
    expect([...server.stored]).toEqual([
      ['q2', 2],
      ['q1', 3],
    ]);
  });

  test('What must not go together goes out one by one, oldest first', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const outbox = open(site.tab(), server, { batch: 1 });
    for (const key of ['first', 'second', 'third']) outbox.put('answer', key, key);
    await settle();
    server.online = true;
    server.requests.length = 0;
    site.wake('connection');
    await outbox.settled();
    expect(server.requests).toEqual([['first'], ['second'], ['third']]);
  });

  test('It is tried again by itself, more and more seldom', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const outbox = open(site.tab(), server);
    outbox.put('answer', 'q1', 1);
    await settle();
    for (const seconds of [1, 2, 5, 10, 30, 60, 60]) {
      const before = server.requests.length;
      site.pass(seconds - 0.5);
      expect(server.requests.length).toBe(before);
      site.pass(0.5);
      await settle();
      expect(server.requests.length).toBe(before + 1);
      expect(outbox.$state.get().name).toBe('waiting');
    }
  });

  test('Trying again is no news: the owner reads that it waits until it has arrived', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const outbox = open(site.tab(), server);
    outbox.put('answer', 'q1', 1);
    await settle();
    const seen = new Set<string>();
    outbox.$state.listen(({ name }) => seen.add(name));
    site.pass(1);
    await settle();
    outbox.put('answer', 'q2', 2);
    await settle();
    expect([...seen]).toEqual(['waiting']);
    server.online = true;
    site.wake('connection');
    await outbox.settled();
    expect(outbox.$state.get().name).toBe('empty');
  });

  test('A closed tab loses nothing: the next one sends it', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const closed = open(site.tab(), server);
    closed.put('answer', 'q1', 4);
    closed.close();
    server.online = true;
    const outbox = open(site.tab(), server);
    await outbox.settled();
    expect(server.stored.get('q1')).toBe(4);
  });
});

describe('An owner with two tabs', () => {
  test.each([true, false])(
    'The newer answer stands, whichever tab gave it (locks: %s)',
    async (locks) => {
      const site = browser({ locks });
      const server = backend();
      server.online = false;
      const [one, two] = [open(site.tab(), server), open(site.tab(), server)];
      one.put('answer', 'q1', 1);
      two.put('answer', 'q1', 2);
      one.put('answer', 'q2', 4);
      two.put('answer', 'q2', 3);
      await settle();
      expect(waiting(one)).toEqual([
        ['q1', 2],
        ['q2', 3],
      ]);
      expect(waiting(two)).toEqual(waiting(one));
      server.online = true;
      site.wake('connection');
      await Promise.all([one.settled(), two.settled()]);
      expect(server.stored).toEqual(
        new Map([
          ['q1', 2],
          ['q2', 3],
        ]),
      );
      expect(site.cells.size).toBe(0);
    },
  );

  test('One of them sends, and both know when it is done', async () => {
    const site = browser();
    const server = backend();
    const [one, two] = [open(site.tab(), server), open(site.tab(), server)];
    one.put('answer', 'q1', 1);
    await Promise.all([one.settled(), two.settled()]);
    expect(server.requests).toEqual([['q1']]);
    expect(two.$entries.get()).toEqual([]);
    expect(two.$state.get().name).toBe('empty');
  });

  test('A tab that is closed before it could send leaves the work to the other', async () => {
    const site = browser();
    const server = backend();
    const signedIn = Promise.withResolvers<string | null>();
    const one = open(site.tab(), server, { signedInAs: () => signedIn.promise });
    const two = open(site.tab(), server);
    one.put('answer', 'q1', 1);
    one.close();
    signedIn.resolve(null);
    await two.settled();
    expect(server.stored.get('q1')).toBe(1);
  });
});

describe('What the backend does not take', () => {
  test('It is told apart from the rest, reported once and not sent again', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const outbox = open(site.tab(), server);
    for (const key of ['q1', 'q2', 'q3']) outbox.put('answer', key, 1);
    await settle();
    server.online = true;
    server.refuses = ({ key }) => key === 'q2';
    site.wake('connection');
    await outbox.settled();
    expect([...server.stored.keys()]).toEqual(['q1', 'q3']);
    expect(outbox.$entries.get()).toMatchObject([{ key: 'q2', refused: 'This is not accepted.' }]);
    const before = server.requests.length;
    site.wake('connection');
    await settle();
    expect(server.requests.length).toBe(before);
  });

  test('Answering anew replaces it, and giving up forgets it', async () => {
    const site = browser();
    const server = backend();
    server.refuses = ({ body }) => body === 'wrong';
    const outbox = open(site.tab(), server);
    outbox.put('answer', 'q1', 'wrong');
    outbox.put('answer', 'q2', 'wrong');
    await outbox.settled();
    outbox.put('answer', 'q1', 'right');
    outbox.drop('answer', 'q2');
    await outbox.settled();
    expect(server.stored).toEqual(new Map([['q1', 'right']]));
    expect(site.cells.size).toBe(0);
  });
});

describe('Whose it is', () => {
  test('Somebody else on the same browser neither sees nor sends it', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const marias = open(site.tab(), server);
    marias.put('answer', 'q1', 1);
    marias.close();
    server.online = true;
    const other = open(site.tab(), server, { owner: 'peter', signedInAs: async () => 'peter' });
    other.put('answer', 'q2', 2);
    await other.settled();
    expect([...server.stored.keys()]).toEqual(['q2']);
    expect(other.$entries.get()).toEqual([]);
    expect(site.cells.size).toBe(1);
  });

  test.each([null, 'peter'])(
    'While %s is signed in, the answers wait, and they go out when their owner is back',
    async (somebody) => {
      const site = browser();
      const server = backend();
      let present: string | null = somebody;
      const outbox = open(site.tab(), server, { signedInAs: async () => present });
      outbox.put('answer', 'q1', 1);
      await settle();
      expect(outbox.$state.get().name).toBe('signed-out');
      expect(server.requests).toEqual([]);
      present = 'maria';
      site.wake('shown');
      await outbox.settled();
      expect(server.stored.get('q1')).toBe(1);
    },
  );

  test('A session that the backend has ended holds them back, and loses none', async () => {
    const site = browser();
    const server = backend();
    server.expired = true;
    const outbox = open(site.tab(), server);
    outbox.put('answer', 'q1', 1);
    await settle();
    expect(outbox.$state.get().name).toBe('signed-out');
    server.expired = false;
    outbox.flush();
    await outbox.settled();
    expect(server.stored.get('q1')).toBe(1);
  });
});

describe('A browser that keeps nothing', () => {
  test('An answer is sent all the same, and the owner is told that it lives in this tab', async () => {
    const server = backend();
    server.online = false;
    const site = browser({ storage: false });
    const outbox = open(site.tab(), server);
    expect(outbox.put('answer', 'q1', 1)).toBe('this-tab');
    await settle();
    server.online = true;
    site.wake('connection');
    await outbox.settled();
    expect(server.stored.get('q1')).toBe(1);
  });

  test('A full storage takes the newer answer in the place of the older one', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const outbox = open(site.tab(), server);
    outbox.put('answer', 'q1', 1);
    site.fill();
    expect(outbox.put('answer', 'q2', 2)).toBe('this-tab');
    expect(outbox.put('answer', 'q1', 3)).toBe('kept');
    await settle();
    outbox.close();
    const next = open(site.tab(), server);
    expect(waiting(next)).toEqual([['q1', 3]]);
  });

  test('Something else in the storage, or half an entry, stops nobody', async () => {
    const site = browser();
    const server = backend();
    site.cells.set('theme', 'dark');
    site.cells.set('trellis-outbox:maria:answer:q1:000000000000001-x', '{"kind":"ans');
    const outbox = open(site.tab(), server);
    outbox.put('answer', 'q2', 2);
    await outbox.settled();
    expect([...server.stored.keys()]).toEqual(['q2']);
  });
});

describe('What lies before it is sent', () => {
  const rested = (site: ReturnType<typeof browser>, server: ReturnType<typeof backend>) => {
    const send = (entries: OutboxEntry[]) => server.send(entries);
    return createOutbox({
      owner: 'maria',
      classify: () => 'later',
      signedInAs: async () => 'maria',
      environment: site.tab(),
      senders: { draft: { batch: 1, rest: 2_000, send }, answer: { batch: 50, send } },
    });
  };

  test('What is typed is kept at once and sent when the person pauses, as it stands then', async () => {
    const site = browser();
    const server = backend();
    const outbox = rested(site, server);
    for (const text of ['D', 'De', 'Dear']) {
      outbox.put('draft', 'letter', text);
      expect(site.cells.size).toBe(1);
      await settle();
      site.pass(1);
      await settle();
    }
    expect(server.requests).toEqual([]);
    expect(outbox.$state.get().name).toBe('empty');
    site.pass(1);
    await settle();
    expect(server.stored.get('letter')).toBe('Dear');
    expect(site.cells.size).toBe(0);
  });

  test('What else is put goes out meanwhile, and what lies is not forgotten by it', async () => {
    const site = browser();
    const server = backend();
    const outbox = rested(site, server);
    outbox.put('draft', 'letter', 'Dear');
    outbox.put('answer', 'q1', 1);
    await settle();
    expect([...server.stored.keys()]).toEqual(['q1']);
    expect(outbox.$state.get().name).toBe('empty');
    site.pass(2);
    await settle();
    expect([...server.stored.keys()]).toEqual(['q1', 'letter']);
  });

  test('A tab that is closed meanwhile leaves it to the next one, even after the clock was set back', async () => {
    const site = browser();
    const server = backend();
    const closed = rested(site, server);
    closed.put('draft', 'letter', 'Dear');
    closed.close();
    site.pass(-3_600);
    rested(site, server);
    await settle();
    expect(server.stored.get('letter')).toBe('Dear');
  });
});

describe('A kind that has to wait for itself alone', () => {
  test('It is tried again later and in order, while everything else goes out', async () => {
    const site = browser();
    const server = backend();
    let crowded = true;
    const said: string[] = [];
    const outbox = createOutbox({
      owner: 'maria',
      classify: () => 'kind-later',
      signedInAs: async () => 'maria',
      environment: site.tab(),
      senders: {
        message: {
          batch: 1,
          async send([entry]) {
            if (crowded) throw new Error('Too many');
            said.push(entry?.key ?? '');
          },
        },
        answer: { batch: 50, send: (entries) => server.send(entries) },
      },
    });
    outbox.put('message', 'one', 1);
    outbox.put('message', 'two', 2);
    outbox.put('answer', 'q1', 1);
    await settle();
    expect([...server.stored.keys()]).toEqual(['q1']);
    expect(outbox.$state.get().name).toBe('waiting');
    crowded = false;
    site.pass(5);
    await settle();
    expect(said).toEqual(['one', 'two']);
    expect(outbox.$state.get().name).toBe('empty');
  });

  test('What another outbox of the same tab has sent waits no more', async () => {
    const site = browser();
    const server = backend();
    server.online = false;
    const tab = site.tab();
    const [one, two] = [open(tab, server), open(tab, server)];
    one.put('answer', 'q1', 1);
    two.flush();
    await settle();
    server.online = true;
    two.flush();
    await settle();
    site.pass(60);
    await settle();
    expect(server.stored.get('q1')).toBe(1);
    expect([one, two].map(({ $state }) => $state.get().name)).toEqual(['empty', 'empty']);
    expect(one.$entries.get()).toEqual([]);
  });
});

import bcrypt from 'bcrypt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import { type Live, LiveConnection, type LiveDeps } from '#lib/live.ts';
import type { Db } from '#lib/supabase.ts';
import { within } from '../../../fixtures/database.ts';
import { openRealtimeSite, type RealtimeSite } from './site.ts';

const PASSWORD = 'a-quiet-green-lattice';
const soon = { timeout: 8_000, interval: 20 };

let site: RealtimeSite;
let passwordHash: string;
const closing: (() => unknown)[] = [];
let people = 0;

beforeAll(async () => {
  site = await openRealtimeSite({ realtimeLimits: { recheck: 300 } });
  passwordHash = await bcrypt.hash(PASSWORD, 4);
});
afterAll(async () => {
  for (const close of closing) await close();
  await site.close();
});

/** Somebody signed in, with one business that they share with those named before. */
async function someone(business?: string): Promise<{ me: string; db: Db; business: string }> {
  people += 1;
  const email = `tab-${people}@example.com`;
  const { id } = await createPerson(within(site.sql), {
    email,
    fullName: `Person ${people}`,
    passwordHash,
    ...(business ? {} : { businessName: `Business ${people}` }),
  });
  if (business) {
    await site.sql`
      insert into public.business_members (business_id, user_id, role)
      values (${business}, ${id}, 'member')`;
  }
  const [row] = await site.sql<{ id: string }[]>`
    select business_id as id from public.business_members where user_id = ${id}`;
  const { db } = await site.client();
  const { error } = await db.auth.signInWithPassword({ email, password: PASSWORD });
  if (error) throw error;
  return { me: id, db: db as Db, business: row?.id ?? '' };
}

/** A tab whose session, visibility and network are the test's. */
function openTab({ me, db }: { me: string; db: Db }, deps: Partial<LiveDeps> = {}) {
  const tell = {
    session: (_holds: boolean) => {},
    shown: (_shown: boolean) => {},
    network: (_there: boolean) => {},
  };
  const live = new LiveConnection(me, {
    db: async () => db,
    whenIdle(task) {
      const timer = setTimeout(task);
      return () => clearTimeout(timer);
    },
    onSession(listener) {
      tell.session = listener;
      listener(true);
      return () => {};
    },
    onVisible(listener) {
      tell.shown = listener;
      listener(true);
      return () => {};
    },
    onNetwork(listener) {
      tell.network = listener;
      return () => {};
    },
    ...deps,
  });
  closing.push(() => live.close());
  return { live, tell };
}

/** Listens to a channel and records what arrives. */
function listenTo(live: Live, topic: string) {
  const received: string[] = [];
  const onJoin = vi.fn();
  const onEnd = vi.fn();
  const channel = live.join(topic, {
    onMessage: (event) => received.push(event),
    onJoin,
    onEnd,
  });
  return { received, onJoin, onEnd, channel };
}

const send = (topic: string, event: string) =>
  site.sql`select realtime.send('{}'::jsonb, ${event}, ${topic}, true)`;

const isLive = ({ live }: { live: Live }) =>
  vi.waitFor(() => expect(live.$state.get()).toBe('live'), soon);

describe('The live connection of a tab', () => {
  test('Is one socket for all listeners, and says when it is live', async () => {
    const maria = await someone();
    const tab = openTab(maria);
    expect(tab.live.$state.get()).toBe('connecting');
    const topic = `person:${maria.me}`;
    const [one, two] = [listenTo(tab.live, topic), listenTo(tab.live, topic)];
    await isLive(tab);
    expect([one.onJoin.mock.calls.length, two.onJoin.mock.calls.length]).toEqual([1, 1]);
    const late = listenTo(tab.live, topic);
    expect(late.onJoin).toHaveBeenCalledOnce();
    await send(topic, 'news');
    await vi.waitFor(() => expect(late.received).toEqual(['news']), soon);
    two.channel.leave();
    await send(topic, 'more');
    await vi.waitFor(() => expect(one.received).toEqual(['news', 'more']), soon);
    expect(two.received).toEqual(['news']);
    expect(
      maria.db
        .getChannels()
        .map((each) => each.topic)
        .sort(),
    ).toEqual([`realtime:person:${maria.me}`, `realtime:presence:${maria.me}`]);
  });

  test('A channel that is left and joined again at once gets its messages', async () => {
    const maria = await someone();
    const tom = await someone(maria.business);
    const [hers, his] = [openTab(maria), openTab(tom)];
    await Promise.all([isLive(hers), isLive(his)]);
    for (let n = 0; n < 3; n += 1) {
      const stop = his.live.watch([maria.me]);
      if (n < 2) stop();
    }
    await vi.waitFor(() => expect([...his.live.$present.get()]).toEqual([maria.me]), soon);
  });

  test('Comes back to a server that was started again, and tells its listeners', async () => {
    const maria = await someone();
    const tab = openTab(maria);
    const { onJoin, received } = listenTo(tab.live, `person:${maria.me}`);
    await isLive(tab);
    const states: string[] = [];
    tab.live.$state.listen((state) => states.push(state));
    await site.restart();
    await vi.waitFor(() => expect(onJoin.mock.calls.length).toBeGreaterThan(1), {
      timeout: 15_000,
      interval: 50,
    });
    expect(states).toEqual(['away', 'live']);
    await send(`person:${maria.me}`, 'news');
    await vi.waitFor(() => expect(received).toEqual(['news']), soon);
  });

  test('When the network is back it asks for a new socket instead of trusting the old one', async () => {
    const maria = await someone();
    const tab = openTab(maria);
    const { onJoin, received } = listenTo(tab.live, `person:${maria.me}`);
    await isLive(tab);
    tab.tell.network(false);
    expect(tab.live.$state.get()).toBe('away');
    tab.tell.network(true);
    await vi.waitFor(() => expect(onJoin).toHaveBeenCalledTimes(2), soon);
    expect(tab.live.$state.get()).toBe('live');
    await send(`person:${maria.me}`, 'news');
    await vi.waitFor(() => expect(received).toEqual(['news']), soon);
  });

  test('Is retried when supabase-js could not be loaded', async () => {
    const maria = await someone();
    let fails = 2;
    const tab = openTab(maria, {
      async db() {
        fails -= 1;
        if (fails >= 0) throw new TypeError('Failed to fetch dynamically imported module');
        return maria.db;
      },
    });
    await vi.waitFor(() => expect(tab.live.$state.get()).toBe('away'), soon);
    await isLive(tab);
  });
});

describe('Who may listen', () => {
  test('A channel of somebody else is refused and says so; the tab’s own goes on', async () => {
    const [maria, eve] = [await someone(), await someone()];
    const tab = openTab(eve);
    const { onEnd, received } = listenTo(tab.live, `person:${maria.me}`);
    await isLive(tab);
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalled(), soon);
    await send(`person:${maria.me}`, 'secret');
    const own = listenTo(tab.live, `person:${eve.me}`);
    await send(`person:${eve.me}`, 'news');
    await vi.waitFor(() => expect(own.received).toEqual(['news']), soon);
    expect(received).toEqual([]);
  });

  test('It ends with the session, and begins again when the person signs in in place', async () => {
    const maria = await someone();
    const tab = openTab(maria);
    const { onJoin, received } = listenTo(tab.live, `person:${maria.me}`);
    await isLive(tab);
    tab.tell.session(false);
    expect(tab.live.$state.get()).toBe('away');
    await vi.waitFor(() => expect(maria.db.realtime.isConnected()).toBe(false), soon);
    tab.tell.session(true);
    await isLive(tab);
    expect(onJoin).toHaveBeenCalledTimes(2);
    await send(`person:${maria.me}`, 'news');
    await vi.waitFor(() => expect(received).toEqual(['news']), soon);
  });

  test('A renewed token is handed over; nothing is lost by it', async () => {
    const maria = await someone();
    const tab = openTab(maria);
    const { onJoin, received } = listenTo(tab.live, `person:${maria.me}`);
    await isLive(tab);
    await maria.db.auth.refreshSession();
    await send(`person:${maria.me}`, 'news');
    await vi.waitFor(() => expect(received).toEqual(['news']), soon);
    expect(onJoin).toHaveBeenCalledOnce();
  });

  test('A closed tab leaves nothing open, and another one can open at once', async () => {
    const maria = await someone();
    const first = openTab(maria);
    await isLive(first);
    first.live.close();
    const second = openTab(maria);
    const { received } = listenTo(second.live, `person:${maria.me}`);
    await isLive(second);
    await send(`person:${maria.me}`, 'news');
    await vi.waitFor(() => expect(received).toEqual(['news']), soon);
    second.live.close();
    expect(maria.db.getChannels()).toEqual([]);
    await vi.waitFor(() => expect(maria.db.realtime.isConnected()).toBe(false), soon);
  });
});

describe('Who is present', () => {
  test('Is seen only by the people they work with, while their tab is visible', async () => {
    const maria = await someone();
    const [tom, eve] = [await someone(maria.business), await someone()];
    const [hers, his, foreign] = [openTab(maria), openTab(tom), openTab(eve)];
    const stop = his.live.watch([maria.me, tom.me]);
    foreign.live.watch([maria.me]);
    await vi.waitFor(() => expect([...his.live.$present.get()]).toEqual([maria.me]), soon);
    hers.tell.shown(false);
    await vi.waitFor(() => expect(his.live.$present.get().size).toBe(0), soon);
    hers.tell.shown(true);
    await vi.waitFor(() => expect(his.live.$present.get().size).toBe(1), soon);
    // Offline, nothing is known about anybody.
    his.tell.network(false);
    expect(his.live.$present.get().size).toBe(0);
    his.tell.network(true);
    await vi.waitFor(() => expect(his.live.$present.get().size).toBe(1), soon);
    hers.live.close();
    await vi.waitFor(() => expect(his.live.$present.get().size).toBe(0), soon);
    expect(foreign.live.$present.get().size).toBe(0);
    stop();
    expect(tom.db.getChannels()).toHaveLength(2);
  });
});

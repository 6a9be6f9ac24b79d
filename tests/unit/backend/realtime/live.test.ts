import bcrypt from 'bcrypt';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPerson } from '#backend/local/demo/builders.ts';
import { type Live, LiveConnection, type LiveDeps } from '#lib/live/live.ts';
import type { BrowserDb } from '#lib/supabase.ts';
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

/** Signs in a new user, who joins `business` or gets a business of their own. */
async function someone(
  business?: string,
): Promise<{ me: string; db: BrowserDb; business: string }> {
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
  return { me: id, db: db as BrowserDb, business: row?.id ?? '' };
}

/** A tab whose session, visibility and network the test controls. */
function openTab({ me, db }: { me: string; db: BrowserDb }, deps: Partial<LiveDeps> = {}) {
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
const hears = ({ received }: { received: string[] }, ...events: string[]) =>
  vi.waitFor(() => expect(received).toEqual(events), soon);
const presentIs = ({ live }: { live: Live }, ...people: string[]) =>
  vi.waitFor(() => expect([...live.$present.get()]).toEqual(people), soon);

/** Signs in a new user with a live tab that listens to their own channel. */
async function openOwn() {
  const person = await someone();
  const tab = openTab(person);
  const own = listenTo(tab.live, `person:${person.me}`);
  await isLive(tab);
  return { person, tab, own, send: (event: string) => send(`person:${person.me}`, event) };
}

describe('The live connection of a tab', () => {
  test('Is one socket for all listeners, and says when it is live', async () => {
    const maria = await someone();
    const tab = openTab(maria);
    expect(tab.live.$state.get()).toBe('connecting');
    const topic = `person:${maria.me}`;
    const [one, two] = [listenTo(tab.live, topic), listenTo(tab.live, topic)];
    await isLive(tab);
    for (const { onJoin } of [one, two]) expect(onJoin).toHaveBeenCalledOnce();
    const late = listenTo(tab.live, topic);
    expect(late.onJoin).toHaveBeenCalledOnce();
    await send(topic, 'news');
    await hears(late, 'news');
    two.channel.leave();
    await send(topic, 'more');
    await hears(one, 'news', 'more');
    expect(two.received).toEqual(['news']);
    const topics = maria.db.getChannels().map((each) => each.topic);
    expect(topics.sort()).toEqual([`realtime:${topic}`, `realtime:presence:${maria.me}`]);
  });

  test('A channel that is left and joined again right away gets its messages', async () => {
    const maria = await someone();
    const tom = await someone(maria.business);
    const [hers, his] = [openTab(maria), openTab(tom)];
    await Promise.all([isLive(hers), isLive(his)]);
    for (let n = 0; n < 3; n += 1) {
      const stop = his.live.watch([maria.me]);
      if (n < 2) stop();
    }
    await presentIs(his, maria.me);
  });

  test('Comes back to a server that was started again, and tells its listeners', async () => {
    const { tab, own, send: tell } = await openOwn();
    const states: string[] = [];
    tab.live.$state.listen((state) => states.push(state));
    await site.restart();
    await vi.waitFor(() => expect(own.onJoin.mock.calls.length).toBeGreaterThan(1), 15_000);
    expect(states).toEqual(['away', 'live']);
    await tell('news');
    await hears(own, 'news');
  });

  test('When the network is back it asks for a new socket instead of trusting the old one', async () => {
    const { tab, own, send: tell } = await openOwn();
    tab.tell.network(false);
    expect(tab.live.$state.get()).toBe('away');
    tab.tell.network(true);
    await vi.waitFor(() => expect(own.onJoin).toHaveBeenCalledTimes(2), soon);
    expect(tab.live.$state.get()).toBe('live');
    await tell('news');
    await hears(own, 'news');
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

  test('A closed tab leaves nothing open, and another one can open right away', async () => {
    const { person: maria, tab } = await openOwn();
    tab.live.close();
    const second = openTab(maria);
    const ear = listenTo(second.live, `person:${maria.me}`);
    await isLive(second);
    await send(`person:${maria.me}`, 'news');
    await hears(ear, 'news');
    second.live.close();
    expect(maria.db.getChannels()).toEqual([]);
    await vi.waitFor(() => expect(maria.db.realtime.isConnected()).toBe(false), soon);
  });
});

describe('Who may listen', () => {
  test('A channel of somebody else is refused and says so; the tab’s own goes on', async () => {
    const maria = await someone();
    const { tab, own, send: tell } = await openOwn();
    const { onEnd, received } = listenTo(tab.live, `person:${maria.me}`);
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalled(), soon);
    await send(`person:${maria.me}`, 'secret');
    await tell('news');
    await hears(own, 'news');
    expect(received).toEqual([]);
  });

  test('It ends with the session, and begins again when the person signs in in place', async () => {
    const { person: maria, tab, own, send: tell } = await openOwn();
    tab.tell.session(false);
    expect(tab.live.$state.get()).toBe('away');
    await vi.waitFor(() => expect(maria.db.realtime.isConnected()).toBe(false), soon);
    tab.tell.session(true);
    await isLive(tab);
    expect(own.onJoin).toHaveBeenCalledTimes(2);
    await tell('news');
    await hears(own, 'news');
  });

  test('A renewed token is handed over; nothing is lost by it', async () => {
    const { person: maria, own, send: tell } = await openOwn();
    await maria.db.auth.refreshSession();
    await tell('news');
    await hears(own, 'news');
    expect(own.onJoin).toHaveBeenCalledOnce();
  });
});

test('Somebody’s presence is seen only by the people they work with, while their tab is visible', async () => {
  const maria = await someone();
  const [tom, eve] = [await someone(maria.business), await someone()];
  const [hers, his, foreign] = [openTab(maria), openTab(tom), openTab(eve)];
  const stop = his.live.watch([maria.me, tom.me]);
  foreign.live.watch([maria.me]);
  await presentIs(his, maria.me);
  hers.tell.shown(false);
  await presentIs(his);
  hers.tell.shown(true);
  await presentIs(his, maria.me);
  // While the tab is offline, it shows nobody as present.
  his.tell.network(false);
  expect(his.live.$present.get().size).toBe(0);
  his.tell.network(true);
  await presentIs(his, maria.me);
  hers.live.close();
  await presentIs(his);
  expect(foreign.live.$present.get().size).toBe(0);
  stop();
  expect(tom.db.getChannels()).toHaveLength(2);
});

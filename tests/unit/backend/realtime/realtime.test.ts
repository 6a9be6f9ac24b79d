import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SITE } from '../gateway/site.ts';
import { type Ear, join, openRealtimeSite, type RealtimeSite } from './site.ts';

let site: RealtimeSite;
beforeAll(async () => {
  site = await openRealtimeSite({ realtimeLimits: { recheck: 300, joins: 5 } });
});
afterAll(() => site.close());

const soon = { timeout: 15_000, interval: 20 };
let people = 0;
const someone = () => {
  people += 1;
  return site.client(`live-${people}@example.com`);
};
/** Signs in a new user and joins a private channel that they may use. */
async function insider(topic: string, config?: Parameters<typeof join>[2]) {
  const person = await someone();
  await site.letIn(topic, person.id);
  return { ...person, ear: await join(person.db, topic, config) };
}

const tell = (topic: string, event: string, isPrivate = true, payload: object = {}) =>
  site.sql`
    select realtime.send(${site.sql.json(payload as never)}, ${event}, ${topic}, ${isPrivate})`;
const say = ({ channel }: Ear, event: string, payload: object = {}) =>
  channel.send({ type: 'broadcast', event, payload });
const hears = ({ heard }: Ear, ...messages: Ear['heard']) =>
  vi.waitFor(() => expect(heard).toEqual(messages), soon);
const ends = ({ states }: Ear) => vi.waitFor(() => expect(states.at(-1)).toBe('CLOSED'), soon);
const comesBack = ({ states }: Ear) =>
  vi.waitFor(() => {
    expect(states).toContain('CHANNEL_ERROR');
    expect(states.at(-1)).toBe('SUBSCRIBED');
  }, soon);

describe('Who is refused', () => {
  test('A socket without a key, with a wrong one, of another version or from another site is not opened', async () => {
    for (const query of ['vsn=2.0.0', 'apikey=wrong&vsn=2.0.0']) {
      await expect(site.bare(query).open).rejects.toThrow('401');
    }
    for (const version of ['1.0.0', '9.0.0']) {
      const query = `apikey=${site.keys.publishableKey}&vsn=${version}`;
      await expect(site.bare(query).open).rejects.toThrow('400');
    }
  });

  test.each([
    [SITE, undefined, true],
    // A proxy may replace Host. The Origin still matches the site's URL.
    [SITE, 'app:4321', true],
    ['http://localhost:4321', 'localhost:4321', true],
    ['http://192.168.1.5:4321', '192.168.1.5:4321', true],
    ['http://[::1]:4321', '[::1]:4321', true],
    ['https://evil.example', undefined, false],
    // An attacker's domain that resolves to this machine.
    ['http://evil.example:4321', 'evil.example:4321', false],
    ['https://evil.example', '127.0.0.1:4321', false],
    ['http://192.168.1.6:4321', '192.168.1.5:4321', false],
    ['null', '127.0.0.1:4321', false],
  ])('A page of %s opens a socket at %s: %s', async (origin, host, isOurs) => {
    const { socket, open } = site.bare(undefined, { origin, ...(host ? { host } : {}) });
    if (isOurs) await open;
    else await expect(open).rejects.toThrow('403');
    socket.terminate();
  });

  test('A private channel stays closed to visitors and to people whom no policy lets in', async () => {
    const { ear } = await insider('mine');
    for (const { db } of [await site.client(), await someone()]) {
      const { states, reasons } = await join(db, 'mine');
      expect(states[0]).toBe('CHANNEL_ERROR');
      expect(reasons[0]).toContain('Unauthorized');
    }
    expect(ear.states).toEqual(['SUBSCRIBED']);
    expect(await site.sql`select from realtime.messages where event = 'probe'`).toHaveLength(0);
  });

  test('Someone who may only listen sends nothing, and shows nothing of themselves', async () => {
    const { ear } = await insider('hall');
    const listener = await someone();
    await site.letIn('hall', listener.id, false);
    const mute = await join(listener.db, 'hall', { private: true, broadcast: { ack: true } });
    expect(await say(mute, 'no')).toBe('error');
    expect(await mute.channel.track({ here: true })).toBe('error');
    // Sending over HTTP isn't supported: messages go through a channel, which checks permissions.
    await expect(ear.channel.httpSend('no', { a: 1 })).rejects.toThrow('404');
    await say(ear, 'yes', { n: 1 });
    await hears(mute, { event: 'yes', payload: { n: 1 } });
    expect(ear.heard).toEqual([]);
  });

  test('A private channel and a public one of the same name hear nothing of each other', async () => {
    const { ear: own } = await insider('twins');
    const open = await join((await site.client()).db, 'twins', {});
    await say(own, 'secret');
    await tell('twins', 'secret', true, { a: 1 });
    await tell('twins', 'open', false, { a: 2 });
    await hears(open, { event: 'open', payload: { a: 2 } });
    expect(own.heard).toEqual([{ event: 'secret', payload: { a: 1 } }]);
  });

  test.each([
    ['{', 1007],
    ['{}', 1007],
    ['[1,2]', 1007],
    [Buffer.from([3, 9, 9, 9, 9, 9, 1, 1]), 1007],
    [Buffer.from([77]), 1007],
    // A broadcast with a binary payload.
    [Buffer.from([3, 0, 0, 0, 0, 0, 0, 1]), 1007],
    ['x'.repeat(300_000), 1009],
  ])(
    'What is no frame, or too large, ends the socket; the others go on (%#)',
    async (data, code) => {
      const [other, { socket, open, closed }] = [site.bare(), site.bare()];
      await Promise.all([other.open, open]);
      socket.send(data);
      expect(await closed).toMatchObject({ code });
      expect(other.socket.readyState).toBe(WebSocket.OPEN);
      other.socket.close();
    },
  );

  test('One connection joins only so many channels', async () => {
    const { db } = await site.client();
    const topics = ['1', '2', '3', '4', '5', '6'];
    const ears = await Promise.all(topics.map((topic) => join(db, `many-${topic}`, {})));
    expect(ears.map(({ states }) => states[0]).sort()).toEqual([
      'CHANNEL_ERROR',
      ...Array(5).fill('SUBSCRIBED'),
    ]);
  });
});

describe('A channel', () => {
  test('Carries words between clients, and answers those who ask for it', async () => {
    const [a, b] = [await site.client(), await site.client()];
    const first = await join(a.db, 'room', { broadcast: { ack: true, self: true } });
    const second = await join(b.db, 'room', {});
    expect(await say(first, 'héllo', { text: '✓' })).toBe('ok');
    await say(second, 'answer', { n: 3 });
    const words = { event: 'héllo', payload: { text: '✓' } };
    await hears(first, words, { event: 'answer', payload: { n: 3 } });
    await hears(second, words);
  });

  test('Names the person who sent something, whatever they wrote there', async () => {
    const { ear, id: other } = await insider('named');
    const { ear: own, id } = await insider('named', { private: true, broadcast: { ack: true } });
    expect(await say(own, 'typing', { person_id: other })).toBe('ok');
    await hears(ear, { event: 'typing', payload: { person_id: id } });
  });

  test('Hears what the database sends, whole, in the order of the commits', async () => {
    const { ear } = await insider('numbered');
    // One text is too long for a PostgreSQL notification, so it's read from its row.
    const texts = Array.from({ length: 30 }, (_, n) =>
      n === 7 ? 'ünlöng ✓ '.repeat(12_000) : `${n}`,
    );
    for (const text of texts) await tell('numbered', 'message', true, { text });
    const undone = site.sql.begin(async (sql) => {
      await sql`select realtime.send('{}'::jsonb, 'undone', 'numbered')`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    await tell('numbered', 'last');
    const messages = texts.map((text) => ({ event: 'message', payload: { text } }));
    await hears(ear, ...messages, { event: 'last', payload: {} });
  });

  test('Hears what one statement says to hundreds, between what came before and after', async () => {
    const { ear } = await insider('crowd 1');
    const { ear: last } = await insider('crowd 450');
    await tell('crowd 1', 'before');
    await site.sql`
      insert into realtime.messages (payload, event, topic, private, extension)
      select jsonb_build_object('n', n), 'news', 'crowd ' || n, true, 'broadcast'
      from generate_series(1, 450) n`;
    await tell('crowd 1', 'after');
    await site.sql`
      insert into realtime.messages (payload, event, topic, private, extension)
      select jsonb_build_object('n', n), 'news', 'crowd 1', true, 'broadcast'
      from generate_series(2, 300) n`;
    const news = (n: number) => ({ event: 'news', payload: { n } });
    const all = Array.from({ length: 300 }, (_, n) => news(n + 1));
    const [before, after] = [
      { event: 'before', payload: {} },
      { event: 'after', payload: {} },
    ];
    await hears(ear, before, news(1), after, ...all.slice(1));
    await hears(last, news(450));
  });

  test('Knows who is there, and who went without a word', async () => {
    const [a, b] = [await someone(), await someone()];
    for (const { id } of [a, b]) await site.letIn('present', id);
    const enter = ({ db, id }: typeof a) =>
      join(db, 'present', { private: true, presence: { key: id } });
    const [first, second] = [await enter(a), await enter(b)];
    const shows = (ear: Ear, state: object) =>
      vi.waitFor(() => {
        expect(ear.channel.presenceState()).toMatchObject(state);
        expect(Object.keys(ear.channel.presenceState())).toHaveLength(Object.keys(state).length);
      }, soon);
    expect(await first.channel.track({ mood: 'calm' })).toBe('ok');
    expect(await second.channel.track({ mood: 'warm' })).toBe('ok');
    const warm = { [b.id]: [{ mood: 'warm' }] };
    for (const ear of [first, second]) await shows(ear, { ...warm, [a.id]: [{ mood: 'calm' }] });
    await first.channel.track({ mood: 'busy' });
    await shows(second, { ...warm, [a.id]: [{ mood: 'busy' }] });
    await first.channel.untrack();
    await shows(second, warm);
    await first.channel.track({});
    await shows(second, { ...warm, [a.id]: [{}] });
    await b.db.realtime.disconnect();
    await shows(first, { [a.id]: [{}] });
  });
});

describe('A channel ends', () => {
  test('With its permission, within seconds and though nobody says so', async () => {
    const { ear } = await insider('client');
    await site.sql`delete from realtime_doors where topic = 'client'`;
    await ends(ear);
    await tell('client', 'late');
    expect(ear.heard).toEqual([]);
  });

  test('When its policy fails again and again, while a channel whose policy answers goes on', async () => {
    const { db, id, ear } = await insider('failing');
    await site.letIn('sound', id);
    const other = await join(db, 'sound');
    await site.sql`
      create policy failing on realtime.messages for select to authenticated
      using (case when realtime.topic() = 'failing' then realtime.topic()::uuid is null else false end)`;
    try {
      await ends(ear);
      expect(other.states).toEqual(['SUBSCRIBED']);
    } finally {
      await site.sql`drop policy failing on realtime.messages`;
    }
  });

  test('With its session, in a public channel too, while other sessions go on', async () => {
    const [left, stays] = [await someone(), await someone()];
    const gone = await join(left.db, 'square', {});
    const on = await join(stays.db, 'square', {});
    await site.sql`delete from auth.sessions where user_id = ${left.id}`;
    await ends(gone);
    expect(on.states).toEqual(['SUBSCRIBED']);
    expect((await join(left.db, 'square-2', {})).states[0]).toBe('CHANNEL_ERROR');
  });

  test('With its session, before anything that is sent afterward', async () => {
    const { id, ear } = await insider('left');
    const { ear: stays } = await insider('left');
    const told = Array.from({ length: 20 }, (_, n) => ({ event: `late ${n}`, payload: {} }));
    await site.sql.begin(async (sql) => {
      await sql`delete from auth.sessions where user_id = ${id}`;
    });
    for (const { event } of told) await tell('left', event);
    await ends(ear);
    await hears(stays, ...told);
    expect(ear.heard).toEqual([]);
  });

  test('With a new token of someone who may not, and goes on with one of someone who may', async () => {
    const { db, ear } = await insider('handed');
    const { data } = await db.auth.refreshSession();
    await db.realtime.setAuth(data.session?.access_token);
    await tell('handed', 'still');
    await hears(ear, { event: 'still', payload: {} });
    const theirs = await (await someone()).db.auth.getSession();
    await db.realtime.setAuth(theirs.data.session?.access_token);
    await ends(ear);
  });
});

describe('After an interruption', () => {
  test('A listener whose connection to the database was cut comes back and hears again', async () => {
    const ear = await join((await site.client()).db, 'cut', {});
    await site.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'trellis-realtime-listener'`;
    // The server closes the socket, so that clients know they may have missed messages.
    await comesBack(ear);
    await tell('cut', 'again', false);
    await hears(ear, { event: 'again', payload: {} });
  });

  test('Clients come back by themselves to a server that was started again', async () => {
    const { ear } = await insider('restart');
    await site.restart();
    await comesBack(ear);
    await tell('restart', 'back');
    await hears(ear, { event: 'back', payload: {} });
  });
});

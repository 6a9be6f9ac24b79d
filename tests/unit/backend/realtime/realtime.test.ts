import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { SITE } from '../gateway/site.ts';
import { join, openRealtimeSite, type RealtimeSite } from './site.ts';

let site: RealtimeSite;
beforeAll(async () => {
  site = await openRealtimeSite({ realtimeLimits: { recheck: 300, joins: 5 } });
});
afterAll(() => site.close());

const soon = { timeout: 8_000, interval: 20 };
let people = 0;
const someone = () => {
  people += 1;
  return site.client(`live-${people}@example.com`);
};
const letIn: RealtimeSite['letIn'] = (...door) => site.letIn(...door);
const bare: RealtimeSite['bare'] = (...how) => site.bare(...how);

describe('Who is refused', () => {
  test('A socket without a key, with a wrong one, or from another site is not opened', async () => {
    for (const query of ['vsn=2.0.0', 'apikey=wrong&vsn=2.0.0']) {
      await expect(bare(query).open).rejects.toThrow('401');
    }
    await expect(bare(undefined, { origin: 'https://evil.example' }).open).rejects.toThrow('403');
    for (const version of ['1.0.0', '9.0.0']) {
      const query = `apikey=${site.keys.publishableKey}&vsn=${version}`;
      await expect(bare(query).open).rejects.toThrow('400');
    }
  });

  test('A page opens a socket from the site’s own address, through a proxy too, and never by a name of somebody else', async () => {
    const from = (origin: string, host?: string) => ({ origin, ...(host ? { host } : {}) });
    const ours = [
      from(SITE),
      // The proxy names itself; what the page is called is what counts.
      from(SITE, 'app:4321'),
      from('http://localhost:4321', 'localhost:4321'),
      from('http://192.168.1.5:4321', '192.168.1.5:4321'),
      from('http://[::1]:4321', '[::1]:4321'),
    ];
    for (const headers of ours) {
      const { socket, open } = bare(undefined, headers);
      await open;
      socket.terminate();
    }
    const theirs = [
      // A name of theirs that leads to this machine.
      from('http://evil.example:4321', 'evil.example:4321'),
      from('https://evil.example', '127.0.0.1:4321'),
      from('http://192.168.1.6:4321', '192.168.1.5:4321'),
      from('null', '127.0.0.1:4321'),
    ];
    for (const headers of theirs) {
      await expect(bare(undefined, headers).open, headers.origin).rejects.toThrow('403');
    }
  });

  test('A private channel stays shut to visitors and to people whom no policy lets in', async () => {
    const owner = await someone();
    await letIn('mine', owner.id);
    for (const { db } of [await site.client(), await someone()]) {
      const { states, reasons } = await join(db, 'mine');
      expect(states[0]).toBe('CHANNEL_ERROR');
      expect(reasons[0]).toContain('Unauthorized');
    }
    expect((await join(owner.db, 'mine')).states).toEqual(['SUBSCRIBED']);
    expect(await site.sql`select from realtime.messages where event = 'probe'`).toHaveLength(0);
  });

  test('Someone who may only listen sends nothing, and shows nothing of themselves', async () => {
    const [speaker, listener] = [await someone(), await someone()];
    await letIn('hall', speaker.id);
    await letIn('hall', listener.id, false);
    const ear = await join(speaker.db, 'hall');
    const mute = await join(listener.db, 'hall', { private: true, broadcast: { ack: true } });
    const sent = mute.channel.send({ type: 'broadcast', event: 'no', payload: {} });
    expect(await sent).toBe('error');
    expect(await mute.channel.track({ here: true })).toBe('error');
    // Nobody sends by request: everything goes through the channel that was looked at.
    await expect(ear.channel.httpSend('no', { a: 1 })).rejects.toThrow('404');
    await ear.channel.send({ type: 'broadcast', event: 'yes', payload: { n: 1 } });
    await vi.waitFor(() => expect(mute.heard).toEqual([{ event: 'yes', payload: { n: 1 } }]), soon);
    expect(ear.heard).toEqual([]);
  });

  test('A private channel and a public one of the same name hear nothing of each other', async () => {
    const owner = await someone();
    await letIn('twins', owner.id);
    const visitor = await site.client();
    const open = await join(visitor.db, 'twins', {});
    const own = await join(owner.db, 'twins');
    await own.channel.send({ type: 'broadcast', event: 'secret', payload: {} });
    await site.sql`select realtime.send('{"a":1}'::jsonb, 'secret', 'twins', true)`;
    await site.sql`select realtime.send('{"a":2}'::jsonb, 'open', 'twins', false)`;
    await vi.waitFor(() => expect(open.heard).toHaveLength(1), soon);
    expect(open.heard[0]).toEqual({ event: 'open', payload: { a: 2 } });
    expect(own.heard).toEqual([{ event: 'secret', payload: { a: 1 } }]);
  });

  test('What is no frame, or too large, ends the socket; the others go on', async () => {
    const other = bare();
    await other.open;
    for (const [data, code] of [
      ['{', 1007],
      ['{}', 1007],
      ['[1,2]', 1007],
      [Buffer.from([3, 9, 9, 9, 9, 9, 1, 1]), 1007],
      [Buffer.from([77]), 1007],
      // A broadcast whose payload is bytes.
      [Buffer.from([3, 0, 0, 0, 0, 0, 0, 1]), 1007],
      ['x'.repeat(300_000), 1009],
    ] as const) {
      const { socket, open, closed } = bare();
      await open;
      socket.send(data);
      expect(await closed, String(data).slice(0, 20)).toMatchObject({ code });
    }
    expect(other.socket.readyState).toBe(WebSocket.OPEN);
    other.socket.close();
  });

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
  test('Carries words between clients, and answers whoever asks for it', async () => {
    const [a, b] = [await site.client(), await site.client()];
    const ears = [
      await join(a.db, 'room', { broadcast: { ack: true, self: true } }),
      await join(b.db, 'room', {}),
    ] as const;
    expect(
      await ears[0].channel.send({ type: 'broadcast', event: 'héllo', payload: { text: '✓' } }),
    ).toBe('ok');
    await ears[1].channel.send({ type: 'broadcast', event: 'answer', payload: { n: 3 } });
    await vi.waitFor(() => {
      const words = { event: 'héllo', payload: { text: '✓' } };
      expect(ears[0].heard).toEqual([words, { event: 'answer', payload: { n: 3 } }]);
      expect(ears[1].heard).toEqual([words]);
    }, soon);
  });

  test('Names the person who sent something, whatever they wrote there', async () => {
    const [a, b] = [await someone(), await someone()];
    for (const { id } of [a, b]) await letIn('named', id);
    const ear = await join(b.db, 'named');
    const { channel } = await join(a.db, 'named', { private: true, broadcast: { ack: true } });
    const payload = { person_id: b.id };
    expect(await channel.send({ type: 'broadcast', event: 'typing', payload })).toBe('ok');
    const own = { event: 'typing', payload: { person_id: a.id } };
    await vi.waitFor(() => expect(ear.heard).toEqual([own]), soon);
  });

  test('Hears what the database sends, in the order of the commits', async () => {
    const owner = await someone();
    await letIn('numbered', owner.id, false);
    const ear = await join(owner.db, 'numbered');
    for (let n = 0; n < 30; n += 1) {
      await site.sql`select realtime.send(${site.sql.json({ n })}, 'message', 'numbered')`;
    }
    await site.sql
      .begin(async (sql) => {
        await sql`select realtime.send('{"n":99}'::jsonb, 'message', 'numbered')`;
        throw new Error('undone');
      })
      .catch(() => {});
    await vi.waitFor(() => expect(ear.heard).toHaveLength(30), soon);
    expect(ear.heard.map(({ payload }) => (payload as { n: number }).n)).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
  });

  test('Hears what is longer than a notification of the database, whole and in order', async () => {
    const ear = await join((await site.client()).db, 'long', {});
    const long = 'ünlöng ✓ '.repeat(12_000);
    await site.sql`select realtime.send(${site.sql.json({ long })}, 'long', 'long', false)`;
    await site.sql`select realtime.send('{}'::jsonb, 'short', 'long', false)`;
    await vi.waitFor(
      () =>
        expect(ear.heard).toEqual([
          { event: 'long', payload: { long } },
          { event: 'short', payload: {} },
        ]),
      soon,
    );
  });

  test('Knows who is there, and who went without a word', async () => {
    const [a, b] = [await someone(), await someone()];
    for (const { id } of [a, b]) await letIn('present', id);
    const [first, second] = [
      await join(a.db, 'present', { private: true, presence: { key: a.id } }),
      await join(b.db, 'present', { private: true, presence: { key: b.id } }),
    ];
    expect(await first.channel.track({ mood: 'calm' })).toBe('ok');
    expect(await second.channel.track({ mood: 'warm' })).toBe('ok');
    const keys = (ear: typeof first) => Object.keys(ear.channel.presenceState()).sort();
    for (const ear of [first, second]) {
      await vi.waitFor(() => expect(keys(ear)).toEqual([a.id, b.id].sort()), soon);
    }
    expect(first.channel.presenceState()[b.id]?.[0]).toMatchObject({ mood: 'warm' });
    await first.channel.track({ mood: 'busy' });
    await vi.waitFor(
      () => expect(second.channel.presenceState()[a.id]).toMatchObject([{ mood: 'busy' }]),
      soon,
    );
    await first.channel.untrack();
    await vi.waitFor(() => expect(keys(second)).toEqual([b.id]), soon);
    await first.channel.track({});
    await vi.waitFor(() => expect(keys(second)).toHaveLength(2), soon);
    await b.db.realtime.disconnect();
    await vi.waitFor(() => expect(keys(first)).toEqual([a.id]), soon);
  });
});

describe('A channel ends', () => {
  test('With its permission, within seconds and though nobody says so', async () => {
    const { db, id } = await someone();
    await letIn('client', id);
    const ear = await join(db, 'client');
    await site.sql`delete from realtime_doors where topic = 'client'`;
    await vi.waitFor(() => expect(ear.states.at(-1)).toBe('CLOSED'), soon);
    await site.sql`select realtime.send('{}'::jsonb, 'late', 'client')`;
    expect(ear.heard).toEqual([]);
  });

  test('When its policy fails again and again, while a channel whose policy answers goes on', async () => {
    const { db, id } = await someone();
    await letIn('failing', id);
    await letIn('sound', id);
    const [ear, other] = [await join(db, 'failing'), await join(db, 'sound')];
    await site.sql`
      create policy failing on realtime.messages for select to authenticated
      using (case when realtime.topic() = 'failing' then realtime.topic()::uuid is null else false end)`;
    try {
      await vi.waitFor(() => expect(ear.states.at(-1)).toBe('CLOSED'), soon);
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
    await vi.waitFor(() => expect(gone.states.at(-1)).toBe('CLOSED'), soon);
    expect(on.states).toEqual(['SUBSCRIBED']);
    expect((await join(left.db, 'square-2', {})).states[0]).toBe('CHANNEL_ERROR');
  });

  test('With a new token of someone who may not, and goes on with one of someone who may', async () => {
    const [owner, other] = [await someone(), await someone()];
    await letIn('handed', owner.id);
    const ear = await join(owner.db, 'handed');
    const { data } = await owner.db.auth.refreshSession();
    await owner.db.realtime.setAuth(data.session?.access_token);
    await site.sql`select realtime.send('{}'::jsonb, 'still', 'handed')`;
    await vi.waitFor(() => expect(ear.heard).toHaveLength(1), soon);
    const theirs = (await other.db.auth.getSession()).data.session?.access_token;
    await owner.db.realtime.setAuth(theirs);
    await vi.waitFor(() => expect(ear.states.at(-1)).toBe('CLOSED'), soon);
  });
});

describe('After an interruption', () => {
  test('A listener whose connection to the database was cut comes back and hears again', async () => {
    const { db } = await site.client();
    const ear = await join(db, 'cut', {});
    await site.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'trellis-realtime-listener'
    `;
    // The socket is closed, so that nobody believes to have heard everything.
    await vi.waitFor(
      () => {
        expect(ear.states).toContain('CHANNEL_ERROR');
        expect(ear.states.at(-1)).toBe('SUBSCRIBED');
      },
      { ...soon, timeout: 15_000 },
    );
    await site.sql`select realtime.send('{"n":1}'::jsonb, 'again', 'cut', false)`;
    await vi.waitFor(() => expect(ear.heard.at(-1)?.event).toBe('again'), soon);
  });

  test('Clients come back by themselves to a server that was started again', async () => {
    const { db, id } = await someone();
    await letIn('restart', id);
    const ear = await join(db, 'restart');
    await site.restart();
    await vi.waitFor(
      () => {
        expect(ear.states).toContain('CHANNEL_ERROR');
        expect(ear.states.at(-1)).toBe('SUBSCRIBED');
      },
      { ...soon, timeout: 15_000 },
    );
    await site.sql`select realtime.send('{"n":1}'::jsonb, 'back', 'restart')`;
    await vi.waitFor(() => expect(ear.heard.at(-1)?.event).toBe('back'), soon);
  });
});

import { importJWK, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createAccessChecker } from '#backend/local/realtime/access.ts';
import { createTokenHolders } from '../../../fixtures/token-holders.ts';
import { SITE } from '../gateway/site.ts';
import { join, openRealtimeSite, type RealtimeSite } from './site.ts';

let site: RealtimeSite;
beforeAll(async () => {
  site = await openRealtimeSite({
    realtimeLimits: { recheck: 300, slowClose: 20_000, socketsPerAddress: 1_000 },
  });
});
afterAll(() => site.close());

const soon = { timeout: 25_000, interval: 20 };
const letIn: RealtimeSite['letIn'] = (...door) => site.letIn(...door);
const heardEvents = ({ heard }: { heard: { event: string }[] }) => heard.map(({ event }) => event);
const hears = (ear: Parameters<typeof heardEvents>[0], ...events: string[]) =>
  vi.waitFor(() => expect(heardEvents(ear)).toEqual(events), soon);
const say = ({ channel }: Awaited<ReturnType<typeof join>>, event: string) =>
  channel.send({ type: 'broadcast', event, payload: {} });

/** Opens a raw socket and joins a channel. `closed` resolves with the close code and reason. */
async function bareIn(topic: string, join: object = { config: {} }) {
  const { socket, open, closed } = site.bare();
  await open;
  const joined = new Promise((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify(['1', '1', `realtime:${topic}`, 'phx_join', join]));
  await joined;
  return { socket, closed };
}

describe('Too much', () => {
  test('Someone who sends faster than a channel takes is told so; the others hear what was taken', async () => {
    const [a, b] = [await site.client(), await site.client()];
    const loud = await join(a.db, 'typing', { broadcast: { ack: true } });
    const ear = await join(b.db, 'typing', {});
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => say(loud, `${n}`)));
    const taken = answers.flatMap((answer, n) => (answer === 'ok' ? [`${n}`] : []));
    // A burst may be twice the sustained limit of 10 a second.
    expect(taken.length).toBeGreaterThanOrEqual(20);
    expect(taken.length).toBeLessThan(60);
    await hears(ear, ...taken);
    expect(loud.told).toEqual([expect.stringMatching(/^MessagePerSecondRateLimitReached: .*10 a/)]);
    expect(loud.states).toEqual(['SUBSCRIBED']);
    // A moment later, sending works again.
    const isTaken = async () => expect(await say(loud, 'on')).toBe('ok');
    await vi.waitFor(isTaken, { ...soon, interval: 200 });
  });

  test('What someone says of themselves is short: it is kept, and given to everyone who comes', async () => {
    const talker = await join((await site.client()).db, 'present', { presence: { key: 'talker' } });
    expect(await talker.channel.track({ status: 'x'.repeat(5_000) })).toBe('error');
    expect(await talker.channel.track({ status: 'x'.repeat(1_000) })).toBe('ok');
    // The rejected long status doesn't replace the short one.
    expect(await talker.channel.track({ status: 'y'.repeat(5_000) })).toBe('error');
    const short = { talker: [{ status: 'x'.repeat(1_000) }] };
    await vi.waitFor(() => expect(talker.channel.presenceState()).toMatchObject(short), soon);
  });

  test('One connection says of itself that it is there in twenty channels at most', async () => {
    const { db } = await site.client();
    const answers: string[] = [];
    for (let n = 0; n < 21; n += 1) {
      const { channel } = await join(db, `crowd ${n}`, { presence: { key: 'one' } });
      answers.push(await channel.track({}));
      // Updating the presence in a channel that's already counted doesn't count again.
      if (n === 19) answers.push(await channel.track({ mood: 'calm' }));
    }
    expect(answers).toEqual([...Array(21).fill('ok'), 'error']);
  });

  test('A name that no database can hold is nobody’s channel, and keeps nobody from theirs', async () => {
    const checker = createAccessChecker(site.db);
    const asked = ['a\u0000b', 'half \ud800', 'plain'].map((topic) =>
      checker.check({ role: 'anon' }, topic),
    );
    const nothing = { broadcast: false, presence: false };
    expect(await Promise.all(asked)).toEqual(
      Array(3).fill({ session: true, access: { read: nothing, write: nothing } }),
    );
  });

  test('A socket that floods is closed with what it did wrong', async () => {
    const { socket, closed } = await bareIn('flood');
    for (let n = 0; n < 400; n += 1) socket.send('[null,"1","phoenix","heartbeat",{}]');
    const { code, reason } = await closed;
    expect(code).toBe(1008);
    expect(reason).toMatch(/^MessagePerSecondRateLimitReached: .*100 a second/);
  });

  test('Who reads too slowly is closed with the reason, while the others hear everything', async () => {
    const slow = await bareIn('heavy');
    const ear = await join((await site.client()).db, 'heavy', {});
    slow.socket.pause();
    const payload = site.sql.json({ text: 'x'.repeat(400_000) });
    const count = 60;
    for (let n = 0; n < count; n += 1) {
      await site.sql`select realtime.send(${payload}, ${`${n}`}, 'heavy', false)`;
    }
    await vi.waitFor(() => expect(ear.heard).toHaveLength(count), soon);
    expect(ear.states).toEqual(['SUBSCRIBED']);
    let read = 0;
    slow.socket.on('message', () => {
      read += 1;
    });
    slow.socket.resume();
    const { code, reason } = await slow.closed;
    expect({ code, reason }).toEqual({ code: 1013, reason: expect.stringMatching(/unread/) });
    // The server queues at most 1 MiB for a slow client, so most of the 24 MB was dropped.
    expect(read).toBeLessThan(count);
  });
});

describe('What ends', () => {
  test('A channel ends with its token, and goes on with one that was renewed in time', async () => {
    const [late, early] = [
      await site.client('late@example.com'),
      await site.client('early@example.com'),
    ];
    for (const { db, id } of [late, early]) {
      await letIn('hour', id);
      const { data } = await db.auth.getSession();
      await db.realtime.setAuth(await endingSoon(data.session?.access_token ?? '', 8));
    }
    const [over, on] = [await join(late.db, 'hour'), await join(early.db, 'hour')];
    expect([over.states, on.states]).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']]);
    const { data } = await early.db.auth.refreshSession();
    await early.db.realtime.setAuth(data.session?.access_token);
    await vi.waitFor(() => expect(over.states.at(-1)).toBe('CLOSED'), soon);
    expect(over.told).toEqual(['InvalidJWTToken: Token has expired']);
    await site.sql`select realtime.send('{}'::jsonb, 'later', 'hour')`;
    await hears(on, 'later');
    expect(over.heard).toEqual([]);
  });

  test('Who may only listen from now on is not shown any more', async () => {
    const [a, b] = [
      await site.client('shown@example.com'),
      await site.client('watching@example.com'),
    ];
    for (const { id } of [a, b]) await letIn('stage', id);
    const config = (key: string) => ({ private: true, presence: { key } });
    const shown = await join(a.db, 'stage', config('shown'));
    const watching = await join(b.db, 'stage', config('watching'));
    await shown.channel.track({});
    const keys = () => Object.keys(watching.channel.presenceState());
    await vi.waitFor(() => expect(keys()).toEqual(['shown']), soon);
    await site.sql`update realtime_doors set may_write = false where user_id = ${a.id}`;
    await vi.waitFor(() => expect(keys()).toEqual([]), soon);
    expect(shown.states).toEqual(['SUBSCRIBED']);
    expect(await shown.channel.track({})).toBe('error');
  });

  test('Who may not write any more is refused when they try, and goes on hearing', async () => {
    const { db, id } = await site.client('silent@example.com');
    await letIn('closed', id);
    const ear = await join(db, 'closed', { private: true, broadcast: { ack: true, self: true } });
    expect(await say(ear, 'one')).toBe('ok');
    await site.sql`update realtime_doors set may_write = false where user_id = ${id}`;
    const isRefused = async () => expect(await say(ear, 'late')).toBe('error');
    await vi.waitFor(isRefused, { ...soon, interval: 150 });
    await site.sql`select realtime.send('{}'::jsonb, 'told', 'closed')`;
    await vi.waitFor(() => expect(heardEvents(ear).at(-1)).toBe('told'), soon);
    expect(ear.states).toEqual(['SUBSCRIBED']);
  });

  test('A channel that was joined days ago goes on when the old messages of its topic are removed', async () => {
    const { db, id } = await site.client('days@example.com');
    await letIn('days', id, false);
    const ear = await join(db, 'days');
    await site.sql`delete from realtime.messages where topic = 'days'`;
    // The next permission check creates the rows it needs again.
    await vi.waitFor(
      async () =>
        expect(await site.sql`select from realtime.messages where topic = 'days'`).toHaveLength(2),
      soon,
    );
    await site.sql`select realtime.send('{}'::jsonb, 'on', 'days')`;
    await hears(ear, 'on');
    expect(ear.states).toEqual(['SUBSCRIBED']);
  });

  /** A token of the same session that expires in this many seconds. */
  async function endingSoon(token: string, seconds: number): Promise<string> {
    const [, body = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    const key = await importJWK(site.keys.signingKey, 'ES256');
    return new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + seconds })
      .setProtectedHeader({ alg: 'ES256', kid: site.keys.signingKey.kid, typ: 'JWT' })
      .sign(key);
  }
});

test('Of five hundred connections, each that lost its permission ends, and no other', async () => {
  const people = await createTokenHolders({ ...site, siteUrl: SITE }, 500);
  await site.sql`
    insert into realtime_doors
    select 'own:' || id, id::uuid, true from unnest(${people.map(({ id }) => id)}::text[]) id`;
  const states = new Map<string, string>();
  const sockets = await Promise.all(
    people.map(async ({ id, token }) => {
      const { socket } = await bareIn(`own:${id}`, {
        config: { private: true },
        access_token: token,
      });
      socket.on('message', (data) => states.set(id, JSON.parse(String(data))[3]));
      return socket;
    }),
  );
  const gone = people.filter((_, n) => n % 2 === 0).map(({ id }) => id);
  await site.sql`delete from realtime_doors where user_id in ${site.sql(gone)}`;
  await vi.waitFor(
    () => {
      const ended = [...states].filter(([, event]) => event === 'phx_close').map(([id]) => id);
      expect(ended.sort()).toEqual(gone.toSorted());
    },
    { ...soon, interval: 100 },
  );
  for (const socket of sockets) socket.terminate();
});

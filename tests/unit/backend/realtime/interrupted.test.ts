import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type CuttingProxy, startCuttingProxy } from '../../../fixtures/cutting-proxy.ts';
import { join, openRealtimeSite, type RealtimeSite } from './site.ts';

let site: RealtimeSite;
/** A proxy between the site and its database. */
let way: CuttingProxy;
beforeAll(async () => {
  site = await openRealtimeSite({
    realtimeLimits: { recheck: 300 },
    async through(databaseUrl) {
      const url = new URL(databaseUrl);
      way = await startCuttingProxy({ target: Number(url.port), seed: 1, mode: 'through' });
      url.port = new URL(way.url).port;
      return url.href;
    },
  });
});
afterAll(async () => {
  await site.close();
  await way.close();
});

const soon = { timeout: 25_000, interval: 20 };

test('While the database is away nobody hears anything; then all come back, and what was said between is not told late', async () => {
  const { db, id } = await site.client('patient@example.com');
  await site.letIn('away', id);
  const ear = await join(db, 'away');
  await site.sql`select realtime.send('{}'::jsonb, 'before', 'away')`;
  await vi.waitFor(() => expect(ear.heard.at(-1)?.event).toBe('before'), soon);

  way.mode('cut');
  await vi.waitFor(() => expect(ear.states).toContain('CHANNEL_ERROR'), soon);
  // This connection bypasses the proxy, so it still works.
  await site.sql`select realtime.send('{}'::jsonb, 'between', 'away')`;
  expect(ear.states.slice(1)).not.toContain('SUBSCRIBED');

  way.mode('through');
  await vi.waitFor(() => expect(ear.states.at(-1)).toBe('SUBSCRIBED'), soon);
  // The channel may close once more when the listener notices that it missed messages.
  await vi.waitFor(
    async () => {
      await site.sql`select realtime.send('{}'::jsonb, 'after', 'away')`;
      expect(ear.heard.at(-1)?.event).toBe('after');
    },
    { ...soon, interval: 300 },
  );
  const events = ear.heard.map(({ event }) => event);
  expect(new Set(events)).toEqual(new Set(['before', 'after']));
  // Permissions are still enforced.
  await site.sql`delete from realtime_doors where topic = 'away'`;
  await vi.waitFor(() => expect(ear.states.at(-1)).toBe('CLOSED'), soon);
});

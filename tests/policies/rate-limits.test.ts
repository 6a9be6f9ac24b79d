import type postgres from 'postgres';
import { describe, expect, test } from 'vitest';
import { openWorld } from '../fixtures/personas.ts';

const world = await openWorld();
const { sql, people } = world;
const { owner } = people;

test.each([
  ['10 seconds', 'in a minute'],
  ['61 seconds', 'in 2 minutes'],
  ['20 minutes', 'in 20 minutes'],
  ['1 hour', 'in an hour'],
  ['61 minutes', 'in 2 hours'],
  ['1 day', 'in 24 hours'],
])('A limit that ends after %s says to try again %s', async (window, wait) => {
  const take = () => sql`
    select private.require_rate_limit(${window}, 1, ${window}::interval, 'Try again %s.', 'name')`;
  await take();
  const refused = await take().catch((error: postgres.PostgresError) => error);
  expect(refused).toMatchObject({ code: 'PT429', message: `Try again ${wait}.`, hint: 'name' });
});

describe('A clock that is put back', () => {
  const back = (interval: string) => sql`
    update public.rate_limits set
      expires_at = expires_at + ${interval}::interval,
      minute_ends_at = minute_ends_at + ${interval}::interval`;

  test('ends a window that would last longer than any does', async () => {
    const take = async () => {
      const [row] = await sql`select private.take_rate_limit('once', 1, '1 minute') as taken`;
      return row?.taken;
    };
    expect([await take(), await take()]).toEqual([true, false]);
    // Clock adjustments of a few seconds don't reset the limit.
    await back('20 seconds');
    expect(await take()).toBe(false);
    await back('1 hour');
    expect([await take(), await take()]).toEqual([true, false]);
  });

  test('leaves nobody unable to write until the time that it was', async () => {
    const claims = JSON.stringify({ sub: owner.userId, role: 'authenticated' });
    const write = () =>
      sql.begin(async (sql) => {
        await sql`select set_config('request.jwt.claims', ${claims}, true)`;
        await sql`select private.count_writes('message_drafts')`;
      });
    for (const daily of [9, 1]) {
      await sql`delete from public.rate_limits`;
      await sql`
        update private.write_limits set a_minute = 1, a_day = ${daily} where kind = 'message_drafts'`;
      await write();
      await expect(write()).rejects.toMatchObject({ code: 'PT429' });
      await back('3 days');
      await write();
      await expect(write()).rejects.toMatchObject({ code: 'PT429' });
    }
  });
});

test('Of many at once exactly as many pass as are allowed, and the window starts anew', async () => {
  const takeOne = () =>
    sql`select private.take_rate_limit('a key', 5, '1 hour') as taken`.then(
      (rows) => rows[0]?.taken,
    );
  const taken = await Promise.all(Array.from({ length: 40 }, takeOne));
  expect(taken.filter(Boolean)).toHaveLength(5);
  const [before] = await sql`select expires_at from public.rate_limits where key = 'a key'`;
  expect(await takeOne()).toBe(false);
  expect((await sql`select expires_at from public.rate_limits where key = 'a key'`)[0]).toEqual(
    before,
  );
  await sql`update public.rate_limits set expires_at = now() where key = 'a key'`;
  expect(await takeOne()).toBe(true);
});

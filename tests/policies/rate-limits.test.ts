import type postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nobodyWrites } from '../fixtures/nobody-writes.ts';
import { createWorld, everyone, type World, whoMay } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

describe('Who may see and change rate limits', () => {
  test('Nobody reads or resets a rate limit through the API', async () => {
    const denied = everyone('42501 permission denied for table rate_limits');
    expect(await whoMay(world, (sql) => sql`select 1 from public.rate_limits`)).toEqual(denied);
    await nobodyWrites(world, 'rate_limits');
  });
});

describe('What someone reads who has done something too often', () => {
  test.each([
    ['10 seconds', 'in a minute'],
    ['61 seconds', 'in 2 minutes'],
    ['20 minutes', 'in 20 minutes'],
    ['1 hour', 'in an hour'],
    ['61 minutes', 'in 2 hours'],
    ['1 day', 'in 24 hours'],
  ])('A limit that ends after %s says to try again %s', async (window, wait) => {
    const { sql } = world;
    const take = () => sql`
      select private.require_rate_limit(${window}, 1, ${window}::interval, 'Try again %s.', 'name')`;
    await take();
    const refused = await take().catch((error: postgres.PostgresError) => error);
    expect(refused).toMatchObject({ code: 'PT429', message: `Try again ${wait}.`, hint: 'name' });
  });
});

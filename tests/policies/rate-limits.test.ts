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

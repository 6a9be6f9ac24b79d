import { afterAll, beforeAll, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { createWorld, everyone, type World, whoMay } from '../../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

test('Nobody sees through the API whose results stand behind a benchmark', async () => {
  const denied = everyone('42501 permission denied for table benchmark_businesses');
  expect(await whoMay(world, (sql) => sql`select 1 from public.benchmark_businesses`)).toEqual(
    denied,
  );
  await nobodyWrites(world, 'benchmark_businesses');
});

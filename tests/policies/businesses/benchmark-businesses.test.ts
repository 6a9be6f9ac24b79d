import { expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

test('Nobody sees through the API whose results stand behind a benchmark', async () => {
  const denied = everyone('42501 permission denied for table benchmark_businesses');
  expect(await whoMay(world, (sql) => sql`select 1 from public.benchmark_businesses`)).toEqual(
    denied,
  );
  await nobodyWrites(world, 'benchmark_businesses');
});

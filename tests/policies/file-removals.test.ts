import { expect, test } from 'vitest';
import { nobodyWrites } from '../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../fixtures/personas.ts';

const world = prepareWorld();

test('Nobody reads which files are to be removed, or adds one', async () => {
  expect(await whoMay(world, (sql) => sql`select 1 from public.file_removals`)).toEqual(
    everyone('42501 permission denied for table file_removals'),
  );
  await nobodyWrites(world, 'file_removals');
});

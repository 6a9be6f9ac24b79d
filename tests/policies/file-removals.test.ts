import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, everyone, type World, whoMay } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

test('Nobody reads which files are to be removed, or adds one', async () => {
  for (const statement of [
    'select * from public.file_removals',
    'delete from public.file_removals',
    "update public.file_removals set path = 'other'",
    "insert into public.file_removals (bucket_id, path) values ('project-files', 'x')",
  ]) {
    expect(await whoMay(world, (sql) => sql.unsafe(statement))).toEqual(
      everyone('42501 permission denied for table file_removals'),
    );
  }
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, everyone, type World, whoMay } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

describe('Who may see and change adoptions', () => {
  test('Nobody reads or writes adoptions but through their procedures', async () => {
    const denied = everyone('42501 permission denied for table attempt_adoptions');
    expect(await whoMay(world, (sql) => sql`select 1 from public.attempt_adoptions`)).toEqual(
      denied,
    );
    expect(
      await whoMay(world, (sql) => sql`insert into public.attempt_adoptions default values`),
    ).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`delete from public.attempt_adoptions`)).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`truncate public.attempt_adoptions`)).toEqual(denied);
    expect(
      await whoMay(world, (sql) => sql`update public.attempt_adoptions set created_at = now()`),
    ).toEqual(denied);
  });
});

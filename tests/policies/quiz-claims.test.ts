import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, everyone, type World, whoMay } from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

describe('Who may see and change claims', () => {
  test('Nobody reads or writes stored answers but through their procedures', async () => {
    const denied = everyone('42501 permission denied for table quiz_claims');
    expect(await whoMay(world, (sql) => sql`select 1 from public.quiz_claims`)).toEqual(denied);
    expect(
      await whoMay(world, (sql) => sql`insert into public.quiz_claims default values`),
    ).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`delete from public.quiz_claims`)).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`truncate public.quiz_claims`)).toEqual(denied);
    expect(await whoMay(world, (sql) => sql`update public.quiz_claims set kind = kind`)).toEqual(
      denied,
    );
  });
});

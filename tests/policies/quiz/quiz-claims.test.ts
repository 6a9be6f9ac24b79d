import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { createWorld, everyone, type World, whoMay } from '../../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

describe('Who may see and change claims', () => {
  test('Nobody reads or writes stored answers but through their procedures', async () => {
    const denied = everyone('42501 permission denied for table quiz_claims');
    expect(await whoMay(world, (sql) => sql`select 1 from public.quiz_claims`)).toEqual(denied);
    await nobodyWrites(world, 'quiz_claims');
  });
});

import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

describe('Who may see and change claims', () => {
  test('Nobody reads or writes stored answers but through their procedures', async () => {
    const denied = everyone('42501 permission denied for table quiz_claims');
    expect(await whoMay(world, (sql) => sql`select 1 from public.quiz_claims`)).toEqual(denied);
    await nobodyWrites(world, 'quiz_claims');
  });
});

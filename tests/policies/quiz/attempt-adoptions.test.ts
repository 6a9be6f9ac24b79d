import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

describe('Who may see and change adoptions', () => {
  test('Nobody reads or writes adoptions but through their procedures', async () => {
    const denied = everyone('42501 permission denied for table attempt_adoptions');
    expect(await whoMay(world, (sql) => sql`select 1 from public.attempt_adoptions`)).toEqual(
      denied,
    );
    await nobodyWrites(world, 'attempt_adoptions');
  });
});

import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table skill_areas';

describe('Who may see and change the skill areas', () => {
  test('Nobody writes them through the API', () => nobodyWrites(world, 'skill_areas'));

  test('Everyone signed in reads all eight, a session that owes its code none', async () => {
    expect(await whoMay(world, (sql) => sql`select 1 from public.skill_areas`)).toEqual(
      everyone(8, { visitor: denied, ownerWithoutCode: 0 }),
    );
  });
});

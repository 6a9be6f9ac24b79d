import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table quiz_version_areas';

describe('Who may see and change the areas of a quiz version', () => {
  test('Nobody writes them through the API', () => nobodyWrites(world, 'quiz_version_areas'));

  test('Everyone signed in reads those of published versions, only admins those of drafts', async () => {
    const { sql, quiz } = world;
    const draft = crypto.randomUUID();
    await sql`insert into public.quiz_versions (id, number, title) values (${draft}, 99, 'Next')`;
    await sql`
      insert into public.quiz_version_areas (version_id, area_key, importance)
      select ${draft}, area_key, importance from public.quiz_version_areas
      where version_id = ${quiz.id}`;
    expect(await whoMay(world, (sql) => sql`select 1 from public.quiz_version_areas`)).toEqual(
      everyone(8, { visitor: denied, ownerWithoutCode: 0, admin: 16 }),
    );
  });
});

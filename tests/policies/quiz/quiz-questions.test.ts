import { describe, expect, test } from 'vitest';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table quiz_questions';

describe('Who may see and change quiz questions', () => {
  test('Nobody writes them through the API', () => nobodyWrites(world, 'quiz_questions'));

  test('Everyone signed in reads those of published versions, only admins those of drafts', async () => {
    const { sql, quiz } = world;
    const draft = crypto.randomUUID();
    await sql`insert into public.quiz_versions (id, number, title) values (${draft}, 99, 'Next')`;
    await sql`insert into public.quiz_version_areas values (${draft}, 'web-design', 1)`;
    await sql`
      insert into public.quiz_questions
      select (jsonb_populate_record(q, jsonb_build_object('version_id', ${draft}::text))).*
      from public.quiz_questions q
      where q.version_id = ${quiz.id} and q.area_key = 'web-design'`;
    expect(await whoMay(world, (sql) => sql`select 1 from public.quiz_questions`)).toEqual(
      everyone(32, { visitor: denied, ownerWithoutCode: 0, admin: 36 }),
    );
  });
});

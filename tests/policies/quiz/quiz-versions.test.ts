import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table quiz_versions';

/** A draft with the words of the published version, under another number. */
async function createDraft(number: number): Promise<string> {
  const { sql, quiz } = world;
  const id = crypto.randomUUID();
  await sql`
    insert into public.quiz_versions (id, number, title, created_from)
    values (${id}, ${number}, 'Next', ${quiz.id})`;
  await sql`
    insert into public.quiz_version_areas (version_id, area_key, importance)
    select ${id}, area_key, importance from public.quiz_version_areas where version_id = ${quiz.id}`;
  await sql`
    insert into public.quiz_questions
    select (jsonb_populate_record(q, jsonb_build_object('version_id', ${id}::text))).*
    from public.quiz_questions q where q.version_id = ${quiz.id}`;
  return id;
}

describe('Who may see and change quiz versions', () => {
  test('Nobody writes them through the API', () => nobodyWrites(world, 'quiz_versions'));

  test('Only admins see a draft', async () => {
    const draft = await createDraft(90);
    expect(await whoMay(world, (sql) => sql`select 1 from public.quiz_versions`)).toEqual(
      everyone(1, { visitor: denied, ownerWithoutCode: 0, admin: 2 }),
    );
    await world.sql`delete from public.quiz_versions where id = ${draft}`;
  });

  test('Everyone gets the published quiz, a visitor too', async () => {
    expect(
      await whoMay(world, (sql) => sql`select get_quiz() where get_quiz() is not null`),
    ).toEqual(everyone(1));
    const [row] = await asPerson(
      world.sql,
      world.people.visitor,
      (tx) => tx`select get_quiz() as quiz`,
    );
    expect(Object.keys(row?.quiz)).toEqual(['id', 'areas', 'title', 'number', 'questions']);
    expect(row?.quiz.areas).toHaveLength(8);
    expect(row?.quiz.questions).toHaveLength(32);
    expect(row?.quiz.questions[0].anchors).toHaveLength(5);
  });
});

describe('The life of a quiz version', () => {
  const fixed = '55000 A published version of the quiz cannot change.';

  test('What was published cannot change, for the owner of the database too', async () => {
    const { sql, quiz } = world;
    const is = sql`version_id = ${quiz.id}`;
    for (const work of [
      sql`update public.quiz_versions set title = 'x' where id = ${quiz.id}`,
      sql`update public.quiz_versions set state = 'draft', published_at = null where id = ${quiz.id}`,
      sql`update public.quiz_versions set state = 'retired', number = 7 where id = ${quiz.id}`,
      sql`update public.quiz_version_areas set importance = 1 where ${is}`,
      sql`delete from public.quiz_version_areas where ${is}`,
      sql`update public.quiz_questions set weight = weight * 2 where ${is}`,
      sql`update public.quiz_questions set anchors = anchors where ${is}`,
      sql`delete from public.quiz_questions where ${is}`,
      sql`insert into public.quiz_version_areas values (${quiz.id}, 'web-design', 1)`,
    ]) {
      expect(await refusalOf(work)).toBe(fixed);
    }
    expect(await refusalOf(sql`delete from public.quiz_versions where id = ${quiz.id}`)).toBe(
      '55000 A published version of the quiz cannot be removed.',
    );
    expect(await refusalOf(sql`truncate public.quiz_questions cascade`)).toMatch(
      /^55000 Rows of .* are never changed or removed\.$/,
    );
  });

  test('A version starts as a draft, is complete when published, and is never a draft again', async () => {
    const { sql } = world;
    expect(
      await refusalOf(
        sql`
          insert into public.quiz_versions (id, number, title, state, published_at)
          values (gen_random_uuid(), 91, 'x', 'published', now())`,
      ),
    ).toBe('55000 A quiz version starts as a draft.');
    const draft = await createDraft(91);
    expect(
      await refusalOf(sql`update public.quiz_versions set state = 'retired' where id = ${draft}`),
    ).toBe(fixed);
    const incomplete = '22023 Each area needs two questions, one of them in the first look.';
    await sql`update public.quiz_questions set first_look = false where version_id = ${draft} and area_key = 'web-design'`;
    expect(
      await refusalOf(sql`update public.quiz_versions set state = 'published' where id = ${draft}`),
    ).toBe(incomplete);
    await sql`delete from public.quiz_questions where version_id = ${draft}`;
    expect(
      await refusalOf(sql`update public.quiz_versions set state = 'published' where id = ${draft}`),
    ).toBe(incomplete);
    await sql`delete from public.quiz_versions where id = ${draft}`;
    expect(await sql`select 1 from public.quiz_version_areas where version_id = ${draft}`).toEqual(
      [],
    );
  });

  test('A question keeps its version, five anchors and a weight above nothing', async () => {
    const { sql, quiz } = world;
    const draft = await createDraft(92);
    const is = sql`version_id = ${draft}`;
    expect(
      await refusalOf(sql`update public.quiz_questions set version_id = ${quiz.id} where ${is}`),
    ).toBe('55000 A question stays in its version.');
    expect(
      await refusalOf(sql`update public.quiz_questions set anchors = anchors[1:4] where ${is}`),
    ).toMatch(/^23514 /);
    expect(await refusalOf(sql`update public.quiz_questions set weight = 0 where ${is}`)).toMatch(
      /^23514 /,
    );
    expect(
      await refusalOf(sql`update public.quiz_questions set first_look = true where ${is}`),
    ).toMatch(/^23505 /);
    await sql`delete from public.quiz_versions where id = ${draft}`;
  });

  test('Publishing one retires the one before, and a retired one stays as it is', async () => {
    const { sql, quiz } = world;
    const draft = await createDraft(93);
    await sql`update public.quiz_versions set state = 'published' where id = ${draft}`;
    expect(
      await sql`select number, state, published_at is not null as dated from public.quiz_versions order by number`,
    ).toEqual([
      { number: 1, state: 'retired', dated: true },
      { number: 93, state: 'published', dated: true },
    ]);
    expect(
      await refusalOf(
        sql`update public.quiz_versions set state = 'published' where id = ${quiz.id}`,
      ),
    ).toBe(fixed);
    const [row] = await sql`select get_quiz() ->> 'id' as id`;
    expect(row?.id).toBe(draft);
    // Attempts stay with the version that they were taken with.
    const [view] = await asPerson(
      sql,
      world.people.owner,
      (tx) => tx`select get_attempt(${world.ids.alderResult}) -> 'version' ->> 'number' as number`,
    );
    expect(view?.number).toBe('1');
  });
});

import { expect, test } from 'vitest';
import { everyone, openWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, quiz, as, ask } = world;
const { visitor, owner } = people;

/** Creates a draft with the published version's content and a new number. */
async function createDraft(number: number): Promise<string> {
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

test.each([
  ['skill_areas', 8, 8],
  // Two versions are in content/: the published one and a retired one.
  ['quiz_versions', 2, 3],
  ['quiz_version_areas', 16, 24],
  ['quiz_questions', 64, 96],
])(
  'Everyone signed in reads the published rows of %s, only admins a draft',
  async (table, published, all) => {
    const draft = await createDraft(90);
    expect(await whoMay(world, (tx) => tx`select from ${tx(`public.${table}`)}`)).toEqual(
      everyone(published, {
        visitor: `42501 permission denied for table ${table}`,
        ownerWithoutCode: 0,
        admin: all,
      }),
    );
    await sql`delete from public.quiz_versions where id = ${draft}`;
  },
);

test('Everyone gets the published quiz, a visitor too', async () => {
  expect(await whoMay(world, (sql) => sql`select get_quiz() where get_quiz() is not null`)).toEqual(
    everyone(1),
  );
  const [row] = await as(visitor)`select get_quiz() as quiz`;
  expect(Object.keys(row?.quiz)).toEqual(['id', 'number', 'title', 'areas', 'questions']);
  expect(row?.quiz.areas).toHaveLength(8);
  expect(row?.quiz.questions).toHaveLength(32);
  expect(row?.quiz.questions[0].anchors).toHaveLength(5);
});

test('An area’s skip question comes with its version, and is as fixed as its other words', async () => {
  const id = await createDraft(91);
  await sql`
    update public.quiz_version_areas set skip_question = 'Does anyone work with you?'
    where version_id = ${id} and area_key = 'people-management'`;
  const quizOf = async (version: string) => {
    const [row] = await sql`select private.quiz_version_json(${version}) as quiz`;
    return row?.quiz.areas.map(({ skip }: { skip: unknown }) => skip).filter(Boolean);
  };
  expect(await quizOf(id)).toEqual([{ question: 'Does anyone work with you?', help: null }]);
  const helpOnly = sql`
    update public.quiz_version_areas set skip_help = 'Help' where area_key = 'web-design'
      and version_id = ${id}`;
  expect(await refusalOf(helpOnly)).toContain('23514');
  await sql`delete from public.quiz_versions where id = ${id}`;
  const published = sql`
    update public.quiz_version_areas set skip_question = 'Really?' where version_id = ${quiz.id}`;
  expect(await refusalOf(published)).toBe(fixed);
});

const fixed = '55000 A published version of the quiz can’t change.';

test.each([
  ["update public.quiz_versions set title = 'x' where id = $1", fixed],
  ["update public.quiz_versions set state = 'draft', published_at = null where id = $1", fixed],
  ["update public.quiz_versions set state = 'retired', number = 7 where id = $1", fixed],
  ['update public.quiz_version_areas set importance = 1 where version_id = $1', fixed],
  ['delete from public.quiz_version_areas where version_id = $1', fixed],
  ['update public.quiz_questions set weight = weight * 2 where version_id = $1', fixed],
  ['update public.quiz_questions set anchors = anchors where version_id = $1', fixed],
  ['delete from public.quiz_questions where version_id = $1', fixed],
  ["insert into public.quiz_version_areas values ($1, 'web-design', 1)", fixed],
  [
    'delete from public.quiz_versions where id = $1',
    '55000 A published version of the quiz can’t be removed.',
  ],
])('The owner of the database cannot change what was published: %s', async (statement, refused) => {
  expect(await refusalOf(sql.unsafe(statement, [quiz.id]))).toBe(refused);
});

const incomplete = '22023 Each area needs two questions, one of them in the first look.';
const publish = "update public.quiz_versions set state = 'published' where id = $1";
test.each([
  [["update public.quiz_versions set state = 'retired' where id = $1"], fixed],
  [
    [
      "update public.quiz_questions set first_look = false where version_id = $1 and area_key = 'web-design'",
      publish,
    ],
    incomplete,
  ],
  [['delete from public.quiz_questions where version_id = $1', publish], incomplete],
  [
    [`update public.quiz_questions set version_id = '${quiz.id}' where version_id = $1`],
    '55000 A question stays in its version.',
  ],
  [['update public.quiz_questions set anchors = anchors[1:4] where version_id = $1'], /^23514 /],
  [['update public.quiz_questions set weight = 0 where version_id = $1'], /^23514 /],
  [['update public.quiz_questions set first_look = true where version_id = $1'], /^23505 /],
])('A draft that does not fit is refused: %j', async (statements, refused) => {
  const draft = await createDraft(91);
  const work = async () => {
    for (const statement of statements) await sql.unsafe(statement, [draft]);
  };
  expect(await refusalOf(work())).toMatch(refused);
  await sql`delete from public.quiz_versions where id = ${draft}`;
  const left = await sql`select from public.quiz_version_areas where version_id = ${draft}`;
  expect(left).toHaveLength(0);
});

test('A version starts as a draft, and versions are not emptied', async () => {
  const published = sql`
    insert into public.quiz_versions (id, number, title, state, published_at)
    values (gen_random_uuid(), 91, 'x', 'published', now())`;
  expect(await refusalOf(published)).toBe('55000 A quiz version starts as a draft.');
  expect(await refusalOf(sql`truncate public.quiz_questions cascade`)).toMatch(
    /^55000 Rows of .* are never changed or removed\.$/,
  );
});

test('Publishing one retires the one before, and a retired one stays as it is', async () => {
  const draft = await createDraft(93);
  await sql`update public.quiz_versions set state = 'published' where id = ${draft}`;
  expect(
    await sql`select number, state, published_at is not null as dated from public.quiz_versions order by number`,
  ).toEqual([
    { number: 1, state: 'retired', dated: true },
    { number: 2, state: 'retired', dated: true },
    { number: 93, state: 'published', dated: true },
  ]);
  expect(
    await refusalOf(sql`update public.quiz_versions set state = 'published' where id = ${quiz.id}`),
  ).toBe(fixed);
  const [row] = await sql`select get_quiz() ->> 'id' as id`;
  expect(row?.id).toBe(draft);
  // Attempts keep the version they were taken with.
  const [view] = await as(
    owner,
  )`select get_attempt(${ids.alderResult}) -> 'version' ->> 'number' as number`;
  expect(view?.number).toBe('2');
  // Whoever is in the middle of a quiz goes on with it, to its own results.
  const { id, version_id } = await ask(owner, 'start_attempt($1, $2, $3)', [
    crypto.randomUUID(),
    draft,
    ids.alder,
  ]).then(({ id }) => ask(owner, 'get_attempt($1)', [id]).then(({ attempt }) => attempt));
  expect([id, version_id]).toEqual([ids.alderOpen, quiz.id]);
  await as(owner)`
    update public.answers set value = 4, answered_at = now() where attempt_id = ${ids.alderOpen}`;
  const finished = await ask(owner, 'finish_attempt($1)', [ids.alderOpen]);
  expect([finished.attempt.state, finished.version.number]).toEqual(['submitted', 2]);
});

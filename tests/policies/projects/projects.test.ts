import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import {
  everyone,
  expectCallers,
  expectReaders,
  OWES_CODE,
  openWorld,
  personaNames,
  refusalOf,
  whoMay,
} from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = await openWorld();
const { sql, people, ids, quiz, ask, as, refusal } = world;
const { owner, colleague, otherOwner, ownerWithCode, coach, admin } = people;
const id = crypto.randomUUID();
// One owner writes as much here as many people would.
await raiseLimits(sql, 'all');
await createProject(world, id);

test.each([
  ['projects', 'title', 'Answer every lead'],
  ['project_updates', 'body', 'Called six'],
  ['project_events', 'kind', 'created'],
])('Only members and the assigned coach read %s', async (table, column, row) => {
  const update = "add_project_update('c0ffee00-0000-4000-8000-000000000001', $1, 'Called six')";
  expect(await refusal(otherOwner, update, [id])).toMatch(/^P0002 /);
  // An update sent twice is stored once.
  for (let times = 0; times < 2; times += 1) await ask(coach, update, [id]);
  expect(await refusal(owner, update, [id])).toMatch(/^23505 /);
  const seen = expect.arrayContaining([row]);
  await expectReaders(world, table, column, { owner: seen, colleague: seen, coach: seen });
});

test('Only members move a project; a refused step is written down and said in words', async () => {
  const move = (person: typeof people.owner, status: string, note: string | null = null) =>
    as(person)`select public.move_project(${id}, ${status}, ${note}) as answer`.then(
      ([row]) => row?.answer,
    );
  expect(await refusalOf(move(otherOwner, 'planned'))).toMatch(/^P0002 /);
  expect(await refusalOf(move(coach, 'planned'))).toMatch(/^42501 /);
  expect(await move(owner, 'done')).toMatchObject({ status: 'draft' });
  expect((await move(owner, 'done')).refused).toMatch(/can’t go there/);
  expect(await move(owner, 'planned')).toMatchObject({
    status: 'planned',
    refused: null,
    moves: [
      { to: 'in_progress', note: false },
      { to: 'canceled', note: false },
    ],
  });
  expect((await move(owner, 'in_progress')).refused).toBeNull();
  expect((await move(owner, 'blocked')).refused).toMatch(/Say what’s blocking/);
  expect((await move(owner, 'blocked', 'No stock')).refused).toBeNull();
  const refused = await sql`
    select to_status from public.project_events
    where project_id = ${id} and kind = 'refused' order by id`;
  expect(refused.map((row) => row.to_status)).toEqual(['done', 'done', 'blocked']);
});

test('Strangers get nothing; members, the coach and an admin get all of it, each with their right', async () => {
  const rights: Record<string, unknown> = {};
  for (const name of personaNames) {
    rights[name] = await ask(people[name], "get_project($1) ->> 'right'", [id]).catch(
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    );
  }
  expect(rights).toEqual(
    everyone(null, {
      visitor: '42501 permission denied for function get_project',
      ownerWithoutCode: OWES_CODE,
      owner: 'edit',
      colleague: 'edit',
      coach: 'share',
      admin: 'admin',
    }),
  );
  const read = await sql`
    select actor_id from public.audit_log where action = 'project.read' and entity_id = ${id}`;
  expect(read).toEqual([{ actor_id: admin.userId }]);
});

test('A coach saves outcome, baseline and dates, and not the rest; strangers find nothing', async () => {
  const save = (title: string, outcome: string) =>
    whoMay(
      world,
      (sql) => sql`
        select public.save_project(${id}, revision, ${title}, null, ${outcome})
        from (select (public.get_project(${id}) #>> '{project,revision}')::int as revision) r`,
    );
  const strangers = everyone('P0002 We can’t find this project.', {
    visitor: '42501 permission denied for function get_project',
    ownerWithoutCode: OWES_CODE,
    owner: 1,
    colleague: 1,
    admin: 1,
  });
  expect(await save('Answer every lead', 'Nine of ten answered in a day')).toEqual({
    ...strangers,
    coach: 1,
  });
  expect(await save('Something else', 'Nine of ten')).toEqual({
    ...strangers,
    coach: '42501 A coach can change only the outcome, the baseline and the dates.',
  });
});

test('Two who edit never overwrite each other: the second one is shown what the first one saved', async () => {
  const now = await ask(owner, 'get_project($1)', [id]);
  const { revision } = now.project;
  const save = (person: Person, outcome: string, at: number) =>
    ask(person, 'save_project($1, $2, $3, $4, $5)', [
      id,
      at,
      'Answer every lead',
      'sales-marketing',
      outcome,
    ]);
  const first = await save(owner, 'Every lead within a day', revision);
  expect(first).toMatchObject({ saved: true, project: { revision: revision + 1 } });
  expect(await save(colleague, 'Mine', revision)).toMatchObject({
    saved: false,
    project: { outcome: 'Every lead within a day', saved_by: 'Olive Owner' },
  });
  // A retry after a lost response isn't a conflict.
  expect(await save(owner, 'Every lead within a day', revision)).toMatchObject({ saved: true });
  expect(await save(colleague, 'Mine', revision + 1)).toMatchObject({ saved: true });
});

test('What does not fit is said with its field', async () => {
  const create = (values: unknown[]) =>
    refusal(owner, 'create_project($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      crypto.randomUUID(),
      world.ids.alder,
      ...values,
    ]);
  const none = [null, null, null, null, null, null];
  expect(await create([' ', ...none])).toMatch(/^22023 Give the project a title/);
  expect(await create(['A', 'astrology', null, null, null, null, null])).toMatch(/^22023 Choose/);
  expect(await create(['A', null, 'x'.repeat(1001), null, null, null, null])).toMatch(
    /^22023 Keep/,
  );
  expect(await create(['A', null, null, null, '2026-12-02', '2026-12-01', null])).toMatch(
    /^22023 The due date/,
  );
  expect(await create(['A', null, null, null, null, null, world.ids.birchEngagement])).toMatch(
    /^22023 Choose coaching/,
  );
  await ask(owner, 'create_project($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
    crypto.randomUUID(),
    world.ids.alder,
    'With a coach',
    null,
    null,
    null,
    null,
    null,
    world.ids.alderEngagement,
  ]);
});

test('The page of a new project is for members and knows the action that led there', async () => {
  await expectCallers(
    world,
    `project_start('${world.ids.alder}')`,
    '42501 You don’t belong to this business.',
    { owner: 1, colleague: 1 },
  );
  const question = quiz.questions[0];
  const { from, areas, engagements } = await ask(owner, 'project_start($1, $2, $3)', [
    world.ids.alder,
    question?.area_key,
    question?.key,
  ]);
  expect([areas.length, engagements.length]).toEqual([8, 1]);
  expect(from).toMatchObject({ area_key: question?.area_key, score: { score: 50 } });
  const { from: other } = await ask(owner, 'project_start($1, $2, $3)', [
    world.ids.alder,
    'astrology',
    question?.key,
  ]);
  expect(other).toBeNull();
});

const list = (person: Person, values: unknown[] = []) =>
  ask(person, `list_projects(${values.map((_, index) => `$${index + 1}`).join(', ')})`, values);

test('Everyone finds the projects that they read, and those alone', async () => {
  const found: Record<string, unknown> = {};
  for (const name of personaNames) {
    found[name] = await list(people[name]).then(
      ({ projects }) => projects.length,
      (error: { code: string; message: string }) => `${error.code} ${error.message}`,
    );
  }
  expect(found).toEqual(
    everyone(0, {
      visitor: '42501 permission denied for function list_projects',
      ownerWithoutCode: OWES_CODE,
      owner: 2,
      colleague: 2,
      coach: 2,
    }),
  );
  expect((await list(otherOwner, [world.ids.alder])).projects).toEqual([]);
});

test('Pages lead on without a gap or a repeat, in each order', async () => {
  await asPerson(sql, otherOwner, async (tx) => {
    for (let place = 1; place <= 60; place += 1) {
      const due = place % 3 === 0 ? null : `2026-12-${String(1 + (place % 28)).padStart(2, '0')}`;
      await tx`select public.create_project(
          ${crypto.randomUUID()}, ${world.ids.birch}, ${`Project ${place % 7} of ${place}`},
          ${place % 2 ? 'web-design' : null}, null, null, null, ${due})`;
    }
  });
  type Listed = { id: string; key: string };
  const page = async (sort: string, way: string, from?: Listed) => {
    const place = from ? { way, key: from.key, id: from.id } : null;
    const values = [world.ids.birch, null, null, '', sort, 'table', place];
    const { projects, more } = await list(otherOwner, values);
    return { ids: projects.map(({ id }: Listed) => id), rows: projects as Listed[], more };
  };
  for (const sort of ['changed', 'due', 'title', 'nonsense']) {
    const first = await page(sort, 'after');
    const second = await page(sort, 'after', first.rows.at(-1));
    const third = await page(sort, 'after', second.rows.at(-1));
    const pages = [first, second, third];
    expect(pages.map(({ ids, more }) => [ids.length, more])).toEqual([
      [25, true],
      [25, true],
      [10, false],
    ]);
    expect(new Set(pages.flatMap(({ ids }) => ids)).size).toBe(60);
    const back = await page(sort, 'before', third.rows[0]);
    expect([back.ids, back.more]).toEqual([second.ids, true]);
    const start = await page(sort, 'before', second.rows[0]);
    expect([start.ids, start.more]).toEqual([first.ids, false]);
  }
  const titles = await list(otherOwner, [world.ids.birch, null, null, '', 'title']);
  expect(titles.projects.slice(0, 4).map(({ title }: { title: string }) => title)).toEqual([
    'Project 0 of 7',
    'Project 0 of 14',
    'Project 0 of 21',
    'Project 0 of 28',
  ]);
  const due = await list(otherOwner, [world.ids.birch, null, null, '', 'due', 'table', null]);
  const dates = due.projects.map(({ due_on }: { due_on: string | null }) => due_on ?? '9999');
  expect(dates).toEqual(dates.toSorted());
});

test('The list of projects is narrowed by status, area and words, and counted', async () => {
  const { counts, projects } = await list(otherOwner, [
    world.ids.birch,
    ['draft', 'planned'],
    'web-design',
    'project 3',
  ]);
  expect(counts.draft).toBe(projects.length);
  expect(projects.length).toBeGreaterThan(3);
  for (const one of projects) {
    expect(one).toMatchObject({ status: 'draft', area_key: 'web-design' });
    expect(one.title).toMatch(/3/);
  }
  expect((await list(otherOwner, [world.ids.birch, ['done'], null, ''])).projects).toEqual([]);
  const board = await list(otherOwner, [world.ids.birch, null, null, '', 'due', 'board']);
  expect([board.projects.length, board.more]).toEqual([12, true]);
  const many = await list(otherOwner, [world.ids.birch, null, null, '', 'due', 'table', null, 999]);
  expect([many.projects.length, many.more, many.counts]).toEqual([60, false, null]);
});

test('A place in the list that nobody knows is refused in words', async () => {
  const place = { way: 'after', key: 'yesterdayish', id: crypto.randomUUID() };
  const values = [world.ids.alder, null, null, '', 'due', 'table', place];
  expect(await refusalOf(list(owner, values))).toMatch(/^22023 We lost your place/);
});

test('A project has a conversation for people who find someone there: not for an owner who works alone', async () => {
  const mayWrite = (who: Person, project: string) =>
    ask(who, "get_project($1) -> 'may_write'", [project]);
  expect(await mayWrite(owner, id)).toBe(true);
  expect(await mayWrite(colleague, id)).toBe(true);
  expect(await mayWrite(coach, id)).toBe(false);
  expect(await mayWrite(admin, id)).toBe(false);
  const alone = crypto.randomUUID();
  await ask(ownerWithCode, "create_project($1, $2, 'A website')", [alone, world.ids.cedar]);
  expect(await mayWrite(ownerWithCode, alone)).toBe(false);
  const coached = crypto.randomUUID();
  await ask(ownerWithCode, "create_project($1, $2, 'A forecast', p_engagement_id => $3)", [
    coached,
    world.ids.cedar,
    world.ids.cedarEngagement,
  ]);
  expect(await mayWrite(ownerWithCode, coached)).toBe(true);
  expect(await mayWrite(coach, coached)).toBe(true);
});

test('Sent twice a project stays as it was first sent, and the second answer says so', async () => {
  const make = (title: string) =>
    ask(owner, 'create_project($1, $2, $3)', [
      '0a0e1c52-1d6f-4b6e-9a3f-5c7f1d2b3a4c',
      ids.alder,
      title,
    ]);
  expect(await make('Ovens')).toMatchObject({ made: true, revision: 1 });
  expect(await make('Larger ovens')).toMatchObject({ made: false, revision: 1 });
});

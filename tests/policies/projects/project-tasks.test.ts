import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import {
  expectCallers,
  expectReaders,
  openWorld,
  pause,
  refusalOf,
  someoneWaits,
} from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { owner, colleague, admin } = people;
const project = crypto.randomUUID();
const first = crypto.randomUUID();
// One owner writes as much here as many people would.
await raiseLimits(sql, 'all');
await createProject(world, project);
await add(owner, 'Write down who calls back', first);

const notFound = 'P0002 We can’t find this project.';
const membersOnly = '42501 Only members of the business can do this.';

function add(person: Person, title: string, id: string = crypto.randomUUID()) {
  return ask(person, 'add_project_task($1, $2, $3)', [id, project, title]);
}

async function titles(): Promise<string[]> {
  const { tasks } = await ask(owner, 'get_project($1)', [project]);
  return tasks.map(({ title }: { title: string }) => title);
}

test('Only members and the assigned coach read', async () => {
  const seen = ['Write down who calls back'];
  await expectReaders(world, 'project_tasks', 'title', {
    owner: seen,
    colleague: seen,
    coach: seen,
  });
});

const theirs = { coach: membersOnly, owner: 1, colleague: 1, admin: 1 };
test.each([
  [`set_project_task_state('${first}', 'doing')`, notFound, theirs],
  [`save_project_task('${first}', 1, 'Other')`, notFound, theirs],
  [`move_project_task('${first}')`, notFound, theirs],
  [`remove_project_task('${first}')`, notFound, theirs],
  [`add_project_task(gen_random_uuid(), '${project}', 'One more')`, notFound, theirs],
  [
    `list_project_tasks('${project}', '${first}')`,
    'P0002 This task is gone.',
    { owner: 1, colleague: 1, coach: 1, admin: 1 },
  ],
])('Strangers do not find a task, the coach only reads it: %s', (call, refused, but) =>
  expectCallers(world, call, refused, but),
);

test('What an admin changes is in the audit log', async () => {
  await ask(admin, 'set_project_task_state($1, $2)', [first, 'doing']);
  const rows = await sql`
    select action, entity_id from public.audit_log where action = 'project.edit'`;
  expect(rows).toEqual([{ action: 'project.edit', entity_id: project }]);
  await ask(owner, 'set_project_task_state($1, $2)', [first, 'todo']);
});

test('Sent twice a task is one; a title that is missing or too long is said beside it', async () => {
  const id = crypto.randomUUID();
  await add(owner, 'Twice', id);
  await add(owner, 'Twice', id);
  expect((await titles()).filter((title) => title === 'Twice')).toHaveLength(1);
  expect(await refusalOf(add(colleague, 'Twice', id))).toMatch(/^23505 /);
  expect(await refusalOf(add(owner, '   '))).toMatch(/^22023 Say what needs to be done/);
  expect(await refusalOf(add(owner, 'x'.repeat(201)))).toMatch(/^22023 Say what needs to be done/);
  await ask(owner, 'remove_project_task($1)', [id]);
  expect(await titles()).toEqual(['Write down who calls back']);
  await ask(owner, 'remove_project_task($1, false)', [id]);
  expect(await titles()).toEqual(['Write down who calls back', 'Twice']);
  await ask(owner, 'remove_project_task($1)', [id]);
});

test('A blocked task has a reason, and the project counts what is done', async () => {
  const set = (state: string | null, reason: string | null = null) =>
    ask(owner, 'set_project_task_state($1, $2, $3)', [first, state, reason]);
  const counts = async () =>
    (await sql`select task_count, done_count from public.projects where id = ${project}`)[0];
  expect(await refusalOf(set('blocked', ' '))).toMatch(/^22023 Say what’s blocking the task/);
  expect(await refusalOf(set('someday'))).toMatch(/^22023 /);
  expect(await refusalOf(set(null))).toMatch(/^22023 /);
  expect(await set('blocked', 'No phone list')).toMatchObject({
    state: 'blocked',
    blocked_reason: 'No phone list',
  });
  expect(await set('done')).toMatchObject({ state: 'done', blocked_reason: null });
  await set('done');
  expect(await counts()).toEqual({ task_count: 1, done_count: 1 });
  await set('todo');
  expect(await counts()).toEqual({ task_count: 1, done_count: 0 });
});

test('Two who edit a task never overwrite each other', async () => {
  const save = (person: Person, revision: number, title: string) =>
    ask(person, 'save_project_task($1, $2, $3)', [first, revision, title]);
  expect(await save(owner, 1, 'Write down who calls')).toMatchObject({ saved: true });
  expect(await save(colleague, 1, 'Mine')).toMatchObject({
    saved: false,
    task: { title: 'Write down who calls', revision: 2 },
  });
  // Saving the same text isn't a conflict: it may be a retry after a lost response.
  expect(await save(owner, 1, 'Write down who calls')).toMatchObject({ saved: true });
  expect(await save(colleague, 2, 'Write down who calls back')).toMatchObject({ saved: true });
});

test('A task goes behind another or to the front, and two hundred times at one place', async () => {
  const ids = [first, crypto.randomUUID(), crypto.randomUUID()];
  await add(owner, 'B', ids[1]);
  await add(owner, 'C', ids[2]);
  const move = (id: string | undefined, after: string | undefined | null) =>
    ask(owner, 'move_project_task($1, $2)', [id, after]);
  await move(ids[2], null);
  expect(await titles()).toEqual(['C', 'Write down who calls back', 'B']);
  await move(ids[2], first);
  expect(await titles()).toEqual(['Write down who calls back', 'C', 'B']);
  expect(await refusalOf(move(ids[2], crypto.randomUUID()))).toMatch(/^55000 /);
  expect(await refusalOf(move(ids[2], ids[2]))).toMatch(/^55000 /);
  await asPerson(sql, owner, async (tx) => {
    for (let round = 0; round < 100; round += 1) {
      await tx`select public.move_project_task(${ids[1] ?? ''}, ${first})`;
      await tx`select public.move_project_task(${ids[2] ?? ''}, ${first})`;
    }
  });
  expect(await titles()).toEqual(['Write down who calls back', 'C', 'B']);
  const [row] = await sql`
    select max(scale(position)) as digits, count(distinct position)::int as places
    from public.project_tasks where project_id = ${project} and removed_at is null`;
  expect(row?.places).toBe(3);
  expect(row?.digits).toBeLessThanOrEqual(30);
});

test('Two who move at the same time both get an order that holds', async () => {
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
  await add(owner, 'One', one);
  await add(owner, 'Two', two);
  const slow = await pause(
    sql,
    owner,
    (tx) => tx`select public.move_project_task(${one}, ${first})`,
  );
  const quick = ask(colleague, 'move_project_task($1, $2)', [two, first]);
  await someoneWaits(sql);
  await slow.finish();
  await quick;
  expect((await titles()).slice(0, 3)).toEqual(['Write down who calls back', 'Two', 'One']);
  const [row] = await sql`
    select count(*)::int as tasks, count(distinct position)::int as places
    from public.project_tasks where project_id = ${project} and removed_at is null`;
  expect(row?.places).toBe(row?.tasks);
});

test('A long project gives its tasks a hundred at a time', async () => {
  const long = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3)', [long, world.ids.alder, 'Long']);
  await asPerson(sql, owner, async (tx) => {
    for (let place = 1; place <= 120; place += 1) {
      await tx`select public.add_project_task(${crypto.randomUUID()}, ${long}, ${`Task ${place}`})`;
    }
  });
  const { tasks, project: row } = await ask(owner, 'get_project($1)', [long]);
  expect([tasks.length, row.task_count]).toEqual([100, 120]);
  const rest = await ask(owner, 'list_project_tasks($1, $2)', [long, tasks[99].id]);
  expect(rest.map(({ title }: { title: string }) => title)).toEqual(
    Array.from({ length: 20 }, (_, index) => `Task ${101 + index}`),
  );
});

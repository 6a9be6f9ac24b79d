import { beforeAll, describe, expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  pause,
  prepareWorld,
  refusalOf,
  someoneWaits,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = prepareWorld();
const project = crypto.randomUUID();
const first = crypto.randomUUID();
beforeAll(async () => {
  // One owner writes as much here as many do.
  await raiseLimits(world.sql, 'all');
  await createProject(world, project);
  await add(world.people.owner, 'Write down who calls back', first);
});

const denied = '42501 permission denied for table project_tasks';
const notFound = 'P0002 This project was not found.';
const membersOnly = '42501 This is for the members of the business.';

function add(person: Person, title: string, id: string = crypto.randomUUID()) {
  return world.ask(person, 'add_project_task($1, $2, $3)', [id, project, title]);
}

async function titles(): Promise<string[]> {
  const { tasks } = await world.ask(world.people.owner, 'get_project($1)', [project]);
  return tasks.map(({ title }: { title: string }) => title);
}

describe('Who may see and change rows of project tasks', () => {
  test('Nobody writes the table', () => nobodyWrites(world, 'project_tasks'));

  test('Only members and the assigned coach read', async () => {
    const seen = ['Write down who calls back'];
    expect(await whoReads(world, 'project_tasks', '*', (row) => `${row.title}`)).toEqual(
      everyone([], { visitor: denied, owner: seen, colleague: seen, coach: seen }),
    );
  });

  test('Strangers do not find a task, the coach reads it only, members and an admin change it', async () => {
    const owesCode = '42501 Enter the code of your second factor first.';
    const answers = (name: string) =>
      everyone(notFound, {
        visitor: `42501 permission denied for function ${name}`,
        ownerWithoutCode: owesCode,
        coach: membersOnly,
        owner: 1,
        colleague: 1,
        admin: 1,
      });
    expect(
      await whoMay(world, (sql) => sql`select public.set_project_task_state(${first}, 'doing')`),
    ).toEqual(answers('set_project_task_state'));
    expect(
      await whoMay(world, (sql) => sql`select public.save_project_task(${first}, 1, 'Other')`),
    ).toEqual(answers('save_project_task'));
    expect(await whoMay(world, (sql) => sql`select public.move_project_task(${first})`)).toEqual(
      answers('move_project_task'),
    );
    expect(await whoMay(world, (sql) => sql`select public.remove_project_task(${first})`)).toEqual(
      answers('remove_project_task'),
    );
    expect(
      await whoMay(
        world,
        (sql) =>
          sql`select public.add_project_task(${crypto.randomUUID()}, ${project}, 'One more')`,
      ),
    ).toEqual(answers('add_project_task'));
    expect(
      await whoMay(world, (sql) => sql`select public.list_project_tasks(${project}, ${first})`),
    ).toEqual({
      ...everyone('P0002 This task is no longer there.'),
      visitor: '42501 permission denied for function list_project_tasks',
      ownerWithoutCode: owesCode,
      owner: 1,
      colleague: 1,
      coach: 1,
    });
  });

  test('What an admin changes is in the audit log', async () => {
    await world.ask(world.people.admin, 'set_project_task_state($1, $2)', [first, 'doing']);
    const rows = await world.sql`
      select action, entity_id from public.audit_log where action = 'project.edit'`;
    expect(rows).toEqual([{ action: 'project.edit', entity_id: project }]);
    await world.ask(world.people.owner, 'set_project_task_state($1, $2)', [first, 'todo']);
  });
});

describe('Tasks of a project', () => {
  test('Sent twice a task is one; a title that is missing or too long is said beside it', async () => {
    const { owner, colleague } = world.people;
    const id = crypto.randomUUID();
    await add(owner, 'Twice', id);
    await add(owner, 'Twice', id);
    expect((await titles()).filter((title) => title === 'Twice')).toHaveLength(1);
    expect(await refusalOf(add(colleague, 'Twice', id))).toMatch(/^23505 /);
    expect(await refusalOf(add(owner, '   '))).toMatch(/^22023 Say in 1 to 200/);
    expect(await refusalOf(add(owner, 'x'.repeat(201)))).toMatch(/^22023 Say in 1 to 200/);
    await world.ask(owner, 'remove_project_task($1)', [id]);
    expect(await titles()).toEqual(['Write down who calls back']);
    await world.ask(owner, 'remove_project_task($1, false)', [id]);
    expect(await titles()).toEqual(['Write down who calls back', 'Twice']);
    await world.ask(owner, 'remove_project_task($1)', [id]);
  });

  test('A blocked task has a reason, and the project counts what is done', async () => {
    const { owner } = world.people;
    const set = (state: string | null, reason: string | null = null) =>
      world.ask(owner, 'set_project_task_state($1, $2, $3)', [first, state, reason]);
    const counts = async () =>
      (
        await world.sql`select task_count, done_count from public.projects where id = ${project}`
      )[0];
    expect(await refusalOf(set('blocked', ' '))).toMatch(/^22023 Say in 1 to 500/);
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
    const { owner, colleague } = world.people;
    const save = (person: Person, revision: number, title: string) =>
      world.ask(person, 'save_project_task($1, $2, $3)', [first, revision, title]);
    expect(await save(owner, 1, 'Write down who calls')).toMatchObject({ saved: true });
    expect(await save(colleague, 1, 'Mine')).toMatchObject({
      saved: false,
      task: { title: 'Write down who calls', revision: 2 },
    });
    // The same words again are no conflict: an answer that was lost is asked for again.
    expect(await save(owner, 1, 'Write down who calls')).toMatchObject({ saved: true });
    expect(await save(colleague, 2, 'Write down who calls back')).toMatchObject({ saved: true });
  });

  test('A task goes behind another or to the front, and two hundred times at one place', async () => {
    const { owner } = world.people;
    const ids = [first, crypto.randomUUID(), crypto.randomUUID()];
    await add(owner, 'B', ids[1]);
    await add(owner, 'C', ids[2]);
    const move = (id: string | undefined, after: string | undefined | null) =>
      world.ask(owner, 'move_project_task($1, $2)', [id, after]);
    await move(ids[2], null);
    expect(await titles()).toEqual(['C', 'Write down who calls back', 'B']);
    await move(ids[2], first);
    expect(await titles()).toEqual(['Write down who calls back', 'C', 'B']);
    expect(await refusalOf(move(ids[2], crypto.randomUUID()))).toMatch(/^55000 /);
    expect(await refusalOf(move(ids[2], ids[2]))).toMatch(/^55000 /);
    await asPerson(world.sql, owner, async (tx) => {
      for (let round = 0; round < 100; round += 1) {
        await tx`select public.move_project_task(${ids[1] ?? ''}, ${first})`;
        await tx`select public.move_project_task(${ids[2] ?? ''}, ${first})`;
      }
    });
    expect(await titles()).toEqual(['Write down who calls back', 'C', 'B']);
    const [row] = await world.sql`
      select max(scale(position)) as digits, count(distinct position)::int as places
      from public.project_tasks where project_id = ${project} and removed_at is null`;
    expect(row?.places).toBe(3);
    expect(row?.digits).toBeLessThanOrEqual(30);
  });

  test('Two who move at the same time both get an order that holds', async () => {
    const { owner, colleague } = world.people;
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
    await add(owner, 'One', one);
    await add(owner, 'Two', two);
    const slow = await pause(
      world.sql,
      owner,
      (tx) => tx`select public.move_project_task(${one}, ${first})`,
    );
    const quick = world.ask(colleague, 'move_project_task($1, $2)', [two, first]);
    await someoneWaits(world.sql);
    await slow.finish();
    await quick;
    expect((await titles()).slice(0, 3)).toEqual(['Write down who calls back', 'Two', 'One']);
    const [row] = await world.sql`
      select count(*)::int as tasks, count(distinct position)::int as places
      from public.project_tasks where project_id = ${project} and removed_at is null`;
    expect(row?.places).toBe(row?.tasks);
  });

  test('A long project gives its tasks a hundred at a time', async () => {
    const { owner } = world.people;
    const long = crypto.randomUUID();
    await world.ask(owner, 'create_project($1, $2, $3)', [long, world.ids.alder, 'Long']);
    await asPerson(world.sql, owner, async (tx) => {
      for (let place = 1; place <= 120; place += 1) {
        await tx`select public.add_project_task(${crypto.randomUUID()}, ${long}, ${`Task ${place}`})`;
      }
    });
    const { tasks, project: row } = await world.ask(owner, 'get_project($1)', [long]);
    expect([tasks.length, row.task_count]).toEqual([100, 120]);
    const rest = await world.ask(owner, 'list_project_tasks($1, $2)', [long, tasks[99].id]);
    expect(rest.map(({ title }: { title: string }) => title)).toEqual(
      Array.from({ length: 20 }, (_, index) => `Task ${101 + index}`),
    );
  });
});

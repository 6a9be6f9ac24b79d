import { beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, prepareWorld, refusalOf, whoReads } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = prepareWorld();
const id = crypto.randomUUID();
beforeAll(async () => {
  await createProject(world, id);
});

const denied = '42501 permission denied for table project_updates';

describe('Who may see and change rows of project updates', () => {
  test('Nobody writes the table', () => nobodyWrites(world, 'project_updates'));

  test('Only members and the assigned coach read', async () => {
    expect(await whoReads(world, 'project_updates', '*', (row) => `${row.body}`)).toEqual(
      everyone([], {
        visitor: denied,
      }),
    );
  });

  test('Members and the assigned coach write updates, and sent twice one is one', async () => {
    const { sql, people } = world;
    const update = crypto.randomUUID();
    const add = (person: typeof people.owner) =>
      asPerson(
        sql,
        person,
        (tx) => tx`select public.add_project_update(${update}, ${id}, 'Called six')`,
      );
    expect(await refusalOf(add(people.otherOwner))).toMatch(/^P0002 /);
    await add(people.coach);
    await add(people.coach);
    expect(await refusalOf(add(people.owner))).toMatch(/^23505 /);
    expect(await sql`select body from public.project_updates`).toHaveLength(1);
  });
});

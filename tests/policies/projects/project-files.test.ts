import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import {
  everyone,
  expectCallers,
  expectReaders,
  openWorld,
  refusalOf,
  whoMay,
} from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';
import { storeObject } from '../../fixtures/stored-object.ts';

const world = await openWorld();
const { sql, people, ids, ask, as } = world;
const { owner, colleague, otherOwner, coach } = people;
const project = crypto.randomUUID();
const file = crypto.randomUUID();
await createProject(world, project);
await begin(owner, file);

const refusedRow = '42501 new row violates row-level security policy for table "objects"';

const pathOf = (id: string) => `${ids.alder}/${project}/${id}`;

function begin(person: Person, id: string, size = 2000, type = 'application/pdf') {
  const values = [id, project, 'prices.pdf', type, size];
  return ask(person, 'begin_project_file($1, $2, $3, $4, $5)', values);
}

const store = (person: Person, path: string, size = 2000) =>
  storeObject(world, person, { bucket: 'project-files', path, size });

const finish = (person: Person, id: string) => ask(person, 'finish_project_file($1)', [id]);

test('Only members and the coach announce a file', async () => {
  const notFound = 'P0002 We can’t find this project.';
  await expectCallers(
    world,
    `begin_project_file( '${crypto.randomUUID()}', '${project}', 'a.pdf', 'application/pdf', 10)`,
    notFound,
    {
      admin: '42501 Only members of the business and their coach can add files.',
      owner: 1,
      colleague: 1,
      coach: 1,
    },
  );
});

test('A file that is empty, too large, of another kind or nameless is not announced', async () => {
  const other = () => crypto.randomUUID();
  expect(await refusalOf(begin(owner, other(), 0))).toBe('22023 This file is empty.');
  expect(await refusalOf(begin(owner, other(), 20_971_521))).toMatch(/^22023 A file can be/);
  expect(await refusalOf(begin(owner, other(), 10, 'text/html'))).toMatch(
    /^22023 We can’t accept this/,
  );
  expect(await refusalOf(begin(colleague, file))).toMatch(/^23505 /);
  expect(await begin(owner, file)).toMatchObject({ path: pathOf(file), name: 'prices.pdf' });
});

test('A business has one gigabyte for its files, and what is announced counts in full', async () => {
  const id = crypto.randomUUID();
  const fill = (state: string, size: number, many: number) => sql`
    insert into public.project_files (id, project_id, business_id, name, type, size, state)
    select gen_random_uuid(), ${project}, ${ids.alder}, 'fill.pdf', 'application/pdf',
      ${size}, ${state}
    from generate_series(1, ${many})`;
  const full = '55000 A business can have at most 1 GB of files. Remove some first.';
  await fill('stored', 20_971_520, 51);
  expect(await refusalOf(begin(owner, id, 5_000_000))).toBe(full);
  await sql`delete from public.project_files where name = 'fill.pdf'`;
  // A file announced as one byte counts as 20 MB, because that much could be uploaded.
  await fill('awaited', 1, 51);
  expect(await refusalOf(begin(owner, id, 5_000_000))).toBe(full);
  await sql`delete from public.project_files where name = 'fill.pdf'`;
  await begin(owner, id, 5_000_000);
  await sql`delete from public.project_files where id = ${id}`;
});

test('An object is stored only where its uploader said, by nobody else, and nowhere else', async () => {
  const insert = (path: string) =>
    whoMay(
      world,
      (sql) => sql`
        insert into storage.objects (bucket_id, name) values ('project-files', ${path})`,
    );
  expect(await insert(pathOf(file))).toEqual(everyone(refusedRow, { owner: 1 }));
  expect(await insert(pathOf(crypto.randomUUID()))).toEqual(everyone(refusedRow));
  expect(await insert(`${ids.birch}/${project}/${file}`)).toEqual(everyone(refusedRow));
});

test('A file that has not arrived whole is not there', async () => {
  expect(await refusalOf(finish(owner, file))).toMatch(/^55000 The file didn’t upload/);
  await store(owner, pathOf(file), 1999);
  expect(await refusalOf(finish(owner, file))).toMatch(/^55000 The file didn’t upload/);
  expect(await refusalOf(finish(colleague, file))).toMatch(/^P0002 /);
  await sql`
    update storage.objects set metadata = '{"size": 2000, "mimetype": "application/pdf"}'
    where name = ${pathOf(file)}`;
  await expectReaders(world, 'project_files', 'name', {});
  await finish(owner, file);
  await finish(owner, file);
});

test('Only members and the assigned coach read a file, its row and its object', async () => {
  const rows = ['prices.pdf'];
  await expectReaders(world, 'project_files', 'name', {
    owner: rows,
    colleague: rows,
    coach: rows,
  });
  expect(
    await whoMay(
      world,
      (sql) => sql`select name from storage.objects where bucket_id = 'project-files'`,
    ),
  ).toEqual(everyone(0, { owner: 1, colleague: 1, coach: 1 }));
});

test('Nobody replaces or renames an object', async () => {
  expect(
    await whoMay(
      world,
      (sql) => sql`update storage.objects set name = name where bucket_id = 'project-files'`,
    ),
  ).toEqual(everyone(0));
});

test('Only members and who brought it take a file away, the object first', async () => {
  const remove = (person: Person, id = file) => ask(person, 'remove_project_file($1)', [id]);
  const take = (id: string) =>
    whoMay(world, (sql) => sql`delete from storage.objects where name = ${pathOf(id)}`);
  const brought = crypto.randomUUID();
  await begin(coach, brought);
  await store(coach, pathOf(brought));
  await finish(coach, brought);

  expect(await take(file)).toEqual(everyone(0, { owner: 1, colleague: 1 }));
  expect(await take(brought)).toEqual(everyone(0, { owner: 1, colleague: 1, coach: 1 }));
  expect(await refusalOf(remove(coach))).toMatch(/^42501 Only members/);
  expect(await refusalOf(remove(owner))).toMatch(/^55000 The file itself/);
  await remove(otherOwner);
  expect(await sql`select id from public.project_files`).toHaveLength(2);
  await as(owner)`delete from storage.objects where name = ${pathOf(file)}`;
  await remove(owner);
  await remove(owner);
  expect(await sql`select id from public.project_files`).toEqual([{ id: brought }]);
});

test('A project holds a hundred files', async () => {
  await sql`
    insert into public.project_files (id, project_id, business_id, name, type, size, state)
    select gen_random_uuid(), ${project}, ${ids.alder}, 'n.pdf', 'application/pdf', 1, 'stored'
    from generate_series(1, 99)`;
  expect(await refusalOf(begin(owner, crypto.randomUUID()))).toMatch(/^55000 A project can have/);
  await sql`delete from public.project_files where name = 'n.pdf'`;
});

test('What arrived from a tab that was closed counts, and what never did is forgotten', async () => {
  const [arrived, lost] = [crypto.randomUUID(), crypto.randomUUID()];
  await begin(owner, arrived);
  await begin(owner, lost);
  await store(owner, pathOf(arrived));
  await sql`
    update public.project_files set created_at = now() - interval '25 hours'
    where id in (${arrived}, ${lost})`;
  const [row] = await sql`select private.settle_project_files() as did`;
  expect(row?.did).toEqual({ stored: 1, gone: 1 });
  const left = await sql`
    select id, state from public.project_files where id in (${arrived}, ${lost})`;
  expect(left).toEqual([{ id: arrived, state: 'stored' }]);
});

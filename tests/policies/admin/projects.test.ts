import { expect, test } from 'vitest';
import { openWorld } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, coach, otherCoach } = people;

const project = async (title: string, business: string, due: string | null, status = 'draft') => {
  const id = crypto.randomUUID();
  await sql`
    insert into public.projects (id, business_id, title, due_on)
    values (${id}, ${business}, ${title}, ${due})`;
  if (status === 'draft') return;
  for (const to of status === 'done' ? ['planned', 'in_progress', 'in_review', 'done'] : [status]) {
    await sql`update public.projects set status = ${to} where id = ${id}`;
  }
};
await project('New oven', ids.alder, '2020-01-01');
await project('Café menu', ids.alder, '2099-01-01', 'planned');
await project('Bike racks', ids.birch, null);
await project('Old oven', ids.alder, '2019-01-01', 'done');

const list = (filter: object = {}) => ask(admin, 'admin_projects($1)', [filter]);
const titles = async (filter: object): Promise<string[]> =>
  (await list({ sort: 'title', ...filter })).rows.map(({ title }: { title: string }) => title);

test('Projects are found by the words of their title and business, and by status, business and coach', async () => {
  expect(await titles({})).toEqual(['Bike racks', 'Café menu', 'New oven']);
  expect(await titles({ sort: 'due' })).toEqual(['New oven', 'Café menu', 'Bike racks']);
  expect(await titles({ words: 'cafe alder' })).toEqual(['Café menu']);
  expect(await titles({ words: 'oven', status: 'all' })).toEqual(['New oven', 'Old oven']);
  expect(await titles({ status: 'late' })).toEqual(['New oven']);
  expect(await titles({ status: 'done' })).toEqual(['Old oven']);
  expect(await titles({ business: ids.birch })).toEqual(['Bike racks']);
  expect(await titles({ coach: coach.userId })).toEqual(['Café menu', 'New oven']);
  expect(await titles({ coach: otherCoach.userId })).toEqual([]);
  await sql`update public.businesses set name = 'Birch Bikes' where id = ${ids.birch}`;
  expect(await titles({ words: 'birch bikes' })).toEqual(['Bike racks']);
  expect(await titles({ words: 'cycles' })).toEqual([]);
});

test('The list offers the coaches, and names the business that it’s narrowed to', async () => {
  const { choices, rows } = await list({ business: ids.alder, sort: 'due' });
  expect(choices).toEqual({
    business: [{ value: ids.alder, label: 'Alder Bakery' }],
    coach: [
      { value: coach.userId, label: 'Carla Coach' },
      { value: otherCoach.userId, label: 'Otis Coach' },
    ],
  });
  expect(rows[0]).toMatchObject({
    title: 'New oven',
    business: { id: ids.alder, name: 'Alder Bakery', archived: false },
    coach: 'Carla Coach',
  });
  expect(await refusal(admin, 'admin_projects($1)', [{ business: 'x' }])).toMatch(/^22023 /);
});

test('A project of a business is listed as soon as its owner creates it', async () => {
  await createProject(world, crypto.randomUUID());
  expect(await titles({ words: 'alder' })).toHaveLength(3);
});

test('Due dates are refused with the reason, and then none has changed', async () => {
  const [{ id } = {}] = await sql`select id from public.projects where title = 'Bike racks'`;
  const [oven] = await sql`
    update public.projects set start_on = '2020-01-01' where title = 'New oven' returning id`;
  const set = (changes: unknown) => refusal(admin, 'set_due_dates($1)', [changes]);
  expect(await set([])).toBe('22023 Choose 1 to 200 projects.');
  expect(await set({})).toBe('22023 Choose 1 to 200 projects.');
  expect(await set(Array(201).fill({ id, due_on: null }))).toBe('22023 Choose 1 to 200 projects.');
  expect(await set([{ id: crypto.randomUUID(), due_on: null }])).toBe(
    'P0002 We can’t find this project.',
  );
  expect(await set([{ id: 'x', due_on: null }])).toBe('22023 Choose a date.');
  expect(await set([{ id, due_on: '2026-02-31' }])).toBe('22023 Choose a date.');
  expect(await set([{ id, due_on: '1700-01-01' }])).toBe('22023 Choose a year from 1900 to 2199.');
  const early = { id: oven?.id, due_on: '2019-12-31' };
  expect(await set([{ id, due_on: '2019-12-31' }, early])).toBe(
    '22023 “New oven” only starts on January 1, 2020.',
  );
  await sql`update public.businesses set archived_at = now() where id = ${ids.birch}`;
  expect(await set([{ id, due_on: '2030-01-01' }])).toMatch(/^55000 /);
  await sql`update public.businesses set archived_at = null where id = ${ids.birch}`;
  expect(
    await sql`select from public.projects where title = 'Bike racks' and due_on is null`,
  ).toHaveLength(1);
});

test('Due dates of several projects are changed at once, in the log, and changed back', async () => {
  const rows = await sql<{ id: string; due_on: string | null }[]>`
    select id, due_on::text as due_on from public.projects
    where title in ('New oven', 'Bike racks') order by id`;
  const dues = async () => sql`
    select id, due_on::text as due_on from public.projects
    where id = any (${rows.map(({ id }) => id)}) order by id`;
  const wanted = rows.map(({ id }) => ({ id, due_on: '2030-05-31' }));
  const { before } = await ask(admin, 'set_due_dates($1)', [wanted]);
  expect(before).toEqual([...rows]);
  expect([...(await dues())]).toEqual(wanted);
  const log = await sql`
    select details from public.audit_log where action = 'project.edit' order by id desc limit 2`;
  for (const { details } of log) {
    expect(details).toMatchObject({
      business_id: expect.any(String),
      after: { due_on: '2030-05-31' },
    });
  }
  // The same dates again change nothing.
  expect(await ask(admin, 'set_due_dates($1)', [wanted])).toEqual({ before: [] });
  await ask(admin, 'set_due_dates($1)', [before]);
  expect([...(await dues())]).toEqual([...rows]);
});

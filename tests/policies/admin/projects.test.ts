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

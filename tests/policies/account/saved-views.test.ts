import { expect, test } from 'vitest';
import { everyone, openWorld, refusalOf, type World, whoReads } from '../../fixtures/personas.ts';

const world = await openWorld();
const { people, ask } = world;

const id = crypto.randomUUID();

const save = (name: keyof World['people'], values: unknown[]) =>
  ask(people[name], 'save_view($1, $2, $3, $4)', values);
const remove = (name: keyof World['people'], view: string) =>
  ask(people[name], 'remove_view($1)', [view]);

const readers = (owned: string[]) =>
  everyone([], {
    visitor: '42501 permission denied for table saved_views',
    owner: owned,
  });

test('Without an account or a code nothing is saved or removed', async () => {
  for (const name of ['visitor', 'ownerWithoutCode'] as const) {
    expect(await refusalOf(save(name, [id, 'projects', 'Mine', '']))).toMatch(/^42501/);
    expect(await refusalOf(remove(name, id))).toMatch(/^42501/);
  }
});

test('A view is the person’s own; saved twice it is one, and nobody else removes it', async () => {
  for (const query of ['status=blocked', 'status=blocked&sort=due']) {
    expect(await save('owner', [id, 'projects', ' Needs  me ', query])).toBe(id);
  }
  const read = () =>
    whoReads(world, 'saved_views', 'name, query', (row) => `${row.name}: ${row.query}`);
  expect(await read()).toEqual(readers(['Needs me: status=blocked&sort=due']));
  // Another page generates a different id for the same name; the view keeps the first one.
  expect(await save('owner', [crypto.randomUUID(), 'projects', 'Needs me', 'q=x'])).toBe(id);
  expect(await refusalOf(save('colleague', [id, 'projects', 'Theirs', '']))).toBe(
    '23505 This view already exists.',
  );
  await remove('colleague', id);
  await remove('admin', id);
  expect(await read()).toEqual(readers(['Needs me: q=x']));
  await remove('owner', id);
  await remove('owner', id);
  expect(await read()).toEqual(readers([]));
});

test('What does not fit is refused in words', async () => {
  const other = crypto.randomUUID();
  const refused = (values: unknown[]) => refusalOf(save('owner', values));
  expect(await refused([other, 'projects', ' ', ''])).toMatch(/^22023 Give the view/);
  expect(await refused([other, 'projects', 'x'.repeat(61), ''])).toMatch(/^22023 Give the view/);
  expect(await refused([other, 'projects', 'Long', 'x'.repeat(1001)])).toMatch(/^22023 These/);
  expect(await refused([other, 'No such list', 'Mine', ''])).toBe('22023 This list doesn’t exist.');
  expect(await refused([null, 'projects', 'Mine', ''])).toMatch(/^22023 A view needs an id/);
});

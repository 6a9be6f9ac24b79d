import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { expectCallers, expectReaders, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, refusal } = world;
const { owner } = people;
const pages = { owner: crypto.randomUUID(), colleague: crypto.randomUUID() };

const ask = async (who: Person, text: string) =>
  (await asPerson(sql, who, (tx) => tx.unsafe(`select ${text} as it`)))[0]?.it;

const save = (who: 'owner' | 'colleague', value: string, base: number) =>
  ask(
    people[who],
    `save_plan_field('${ids.alder}', 'offer', '${value}', ${base}, '${pages[who]}')`,
  );

const versions = async (): Promise<string[]> =>
  (await ask(owner, `list_plan_versions('${ids.alder}', 'offer')`)).map(
    (one: { revision: number; value: string; saved_by: string; restored_from: number | null }) =>
      [one.revision, one.value, one.saved_by, one.restored_from].filter(Boolean).join(' '),
  );

await save('owner', 'Br', 0);
await save('owner', 'Bread', 1);
await save('colleague', 'Cake', 2);

test('The history of a plan is read by the people who read the plan', async () => {
  await expectReaders(world, 'business_plan_versions', 'value', {
    owner: ['Bread', 'Cake'],
    colleague: ['Bread', 'Cake'],
    coach: ['Bread', 'Cake'],
  });
  await expectCallers(
    world,
    `list_plan_versions('${ids.alder}', 'offer')`,
    'P0002 We can’t find this business.',
    { owner: 1, colleague: 1, coach: 1 },
  );
});

test('What one page writes in a stretch is one version; after ten minutes it is another', async () => {
  expect(await versions()).toEqual(['3 Cake Cole League', '2 Bread Olive Owner']);
  await sql`
    update public.business_plan_versions set began_at = now() - interval '11 minutes'`;
  await save('colleague', 'Cakes', 3);
  expect((await versions())[0]).toBe('4 Cakes Cole League');
});

test('Only members bring a version back', async () => {
  await expectCallers(
    world,
    `restore_plan_version('${ids.alder}', 'offer', 2, '${pages.owner}')`,
    'P0002 We can’t find this business.',
    { owner: 1, colleague: 1 },
  );
  expect(
    await refusal(owner, `restore_plan_version('${ids.alder}', 'offer', 99, '${pages.owner}')`),
  ).toBe('P0002 We can’t find this version.');
});

test('A version that is brought back is a new one, and what stood there stays in the history', async () => {
  await ask(owner, `restore_plan_version('${ids.alder}', 'offer', 2, '${pages.owner}')`);
  expect(await versions()).toEqual([
    '5 Bread Olive Owner 2',
    '4 Cakes Cole League',
    '3 Cake Cole League',
    '2 Bread Olive Owner',
  ]);
});

test('History outlives the account, without its name', async () => {
  await sql`delete from auth.users where id = ${people.colleague.userId}`;
  expect(await versions()).toContain('4 Cakes');
});

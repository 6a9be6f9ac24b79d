import { beforeAll, describe, expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  idOfPerson,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();
const pages = { owner: crypto.randomUUID(), colleague: crypto.randomUUID() };

const ask = async (who: Person, text: string) =>
  (await asPerson(world.sql, who, (tx) => tx.unsafe(`select ${text} as it`)))[0]?.it;

const save = (who: 'owner' | 'colleague', value: string, base: number) =>
  ask(
    world.people[who],
    `save_plan_field('${world.ids.alder}', 'offer', '${value}', ${base}, '${pages[who]}')`,
  );

const versions = async (): Promise<string[]> =>
  (await ask(world.people.owner, `list_plan_versions('${world.ids.alder}', 'offer')`)).map(
    (one: { revision: number; value: string; saved_by: string; restored_from: number | null }) =>
      [one.revision, one.value, one.saved_by, one.restored_from].filter(Boolean).join(' '),
  );

beforeAll(async () => {
  await save('owner', 'Br', 0);
  await save('owner', 'Bread', 1);
  await save('colleague', 'Cake', 2);
});

const denied = '42501 permission denied for table business_plan_versions';

describe('The history of a plan', () => {
  test('Nobody writes it', () => nobodyWrites(world, 'business_plan_versions'));

  test('It is read by whoever reads the plan', async () => {
    expect(await whoReads(world, 'business_plan_versions', '*', (row) => row.value)).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['Bread', 'Cake'],
        colleague: ['Bread', 'Cake'],
        coach: ['Bread', 'Cake'],
      }),
    );
    expect(
      await whoMay(world, (sql) => sql`select list_plan_versions(${world.ids.alder}, 'offer')`),
    ).toEqual(
      everyone('P0002 This business was not found.', {
        visitor: '42501 permission denied for function list_plan_versions',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        owner: 1,
        colleague: 1,
        coach: 1,
      }),
    );
  });

  test('What one page writes in a stretch is one version; after ten minutes it is another', async () => {
    expect(await versions()).toEqual(['3 Cake Cole League', '2 Bread Olive Owner']);
    await world.sql`
      update public.business_plan_versions set began_at = now() - interval '11 minutes'`;
    await save('colleague', 'Cakes', 3);
    expect((await versions())[0]).toBe('4 Cakes Cole League');
  });

  test('Only members bring a version back', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`select restore_plan_version(${world.ids.alder}, 'offer', 2, ${pages.owner})`,
      ),
    ).toEqual(
      everyone('P0002 This business was not found.', {
        visitor: '42501 permission denied for function restore_plan_version',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        owner: 1,
        colleague: 1,
      }),
    );
    expect(
      await refusalOf(
        ask(
          world.people.owner,
          `restore_plan_version('${world.ids.alder}', 'offer', 99, '${pages.owner}')`,
        ),
      ),
    ).toBe('P0002 This version was not found.');
  });

  test('A version that is brought back is a new one, and what stood there stays in the history', async () => {
    await ask(
      world.people.owner,
      `restore_plan_version('${world.ids.alder}', 'offer', 2, '${pages.owner}')`,
    );
    expect(await versions()).toEqual([
      '5 Bread Olive Owner 2',
      '4 Cakes Cole League',
      '3 Cake Cole League',
      '2 Bread Olive Owner',
    ]);
  });

  test('History outlives the account, without its name', async () => {
    await world.sql`delete from auth.users where id = ${idOfPerson('colleague')}`;
    expect(await versions()).toContain('4 Cakes');
  });
});

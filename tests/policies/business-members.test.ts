import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createWorld,
  everyone,
  nameOf,
  type World,
  whoMay,
  whoReads,
} from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

const denied = '42501 permission denied for table business_members';

describe('Who may see and change who belongs to a business', () => {
  test('Nobody joins, leaves or rises by writing the table', async () => {
    expect(
      await whoMay(
        world,
        (sql, { userId }) => sql`
          insert into public.business_members (business_id, user_id, role)
          values (${world.ids.birch}, ${userId}, 'owner')`,
      ),
    ).toEqual(everyone(denied));
    expect(
      await whoMay(world, (sql) => sql`update public.business_members set role = 'owner'`),
    ).toEqual(everyone(denied));
    expect(await whoMay(world, (sql) => sql`delete from public.business_members`)).toEqual(
      everyone(denied),
    );
  });

  test('Members see the members of their own business', async () => {
    expect(
      await whoReads(
        world,
        'business_members',
        '*',
        (row) => `${nameOf(world, row.business_id)} ${row.role}`,
      ),
    ).toEqual(
      everyone([], {
        visitor: denied,
        owner: ['alder member', 'alder owner'],
        colleague: ['alder member', 'alder owner'],
        otherOwner: ['birch owner'],
        ownerWithCode: ['cedar owner'],
      }),
    );
  });
});

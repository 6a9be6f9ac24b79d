import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson } from '../fixtures/database.ts';
import {
  createAttempt,
  createWorld,
  everyone,
  idOfPerson,
  nameOf,
  refusalOf,
  type World,
  whoMay,
  whoReads,
} from '../fixtures/personas.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.database.drop());

const denied = '42501 permission denied for table businesses';

describe('Who may see and change a business', () => {
  test('Nobody makes or removes a business but by its procedure', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`insert into public.businesses (id, name) values (gen_random_uuid(), 'Mine')`,
      ),
    ).toEqual(everyone(denied));
    expect(await whoMay(world, (sql) => sql`delete from public.businesses`)).toEqual(
      everyone(denied),
    );
  });

  test('Only members edit a business', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`update public.businesses set name = 'Ours' where id = ${world.ids.alder}`,
      ),
    ).toEqual(everyone(0, { visitor: denied, owner: 1, colleague: 1 }));
    expect(
      await whoMay(world, (sql) => sql`update public.businesses set description = 'Bread'`),
    ).toEqual(
      everyone(0, {
        ...{ visitor: denied, owner: 1, colleague: 1, otherOwner: 1, ownerWithCode: 1 },
      }),
    );
  });

  test('Nobody changes who made a business, when, or archives it by hand', async () => {
    for (const column of ['created_by', 'created_at', 'archived_at', 'id']) {
      expect(
        await whoMay(world, (sql) => sql`update public.businesses set ${sql(column)} = null`),
      ).toEqual(everyone(denied));
    }
  });

  test('Members and the assigned coach read a business, an admin does not by reading tables', async () => {
    expect(await whoReads(world, 'businesses', 'id', (row) => nameOf(world, row.id))).toEqual({
      ...{ visitor: denied, owner: ['alder'], colleague: ['alder'], otherOwner: ['birch'] },
      ...{ ownerWithoutCode: [], ownerWithCode: ['cedar'], coach: ['alder', 'cedar'] },
      ...{ otherCoach: [], admin: [] },
    });
  });

  test('A coach who is no coach any more loses the businesses of their clients', async () => {
    const { sql, people } = world;
    const carla = idOfPerson('coach');
    await sql`delete from public.staff_roles where user_id = ${carla}`;
    expect(await asPerson(sql, people.coach, (tx) => tx`select id from public.businesses`)).toEqual(
      [],
    );
    await sql`insert into public.staff_roles (user_id, role) values (${carla}, 'coach')`;
  });

  test('A visitor and a session that owes its code make no business', async () => {
    expect(
      await whoMay(world, (sql) => sql`select create_business(gen_random_uuid(), 'New')`),
    ).toEqual(
      everyone(1, {
        visitor: '42501 permission denied for function create_business',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
      }),
    );
  });

  test('A business needs a name that fits and words that are known', async () => {
    const { sql, people } = world;
    const make = (...[name, trading, postal, help]: (string | null)[]) =>
      refusalOf(
        asPerson(
          sql,
          people.owner,
          (tx) => tx`
            select create_business(gen_random_uuid(), ${name ?? null}, ${trading ?? null},
              ${postal ?? null}, ${help ?? null})`,
        ),
      );
    const name = '22023 Give the business a name of 1 to 120 characters.';
    expect(await make(' \n ')).toBe(name);
    expect(await make('x'.repeat(121))).toBe(name);
    expect(await make('Fig', 'maybe')).toBe('22023 Say whether the business is trading yet.');
    expect(await make('Fig', null, '1'.repeat(17))).toBe(
      '22023 A postal code has at most 16 characters.',
    );
    expect(await make('Fig', null, null, 'x'.repeat(2001))).toBe(
      '22023 Keep it to 2,000 characters.',
    );
  });

  test('Sent twice, a business is made once; under the id of somebody else it is refused', async () => {
    const { sql, people } = world;
    const id = crypto.randomUUID();
    const make = (who: typeof people.owner) =>
      asPerson(
        sql,
        who,
        (tx) => tx`select create_business(${id}, 'Fig', 'trading', '87501') as made`,
      );
    expect((await make(people.owner))[0]?.made).toEqual({ id, name: 'Fig' });
    expect((await make(people.owner))[0]?.made).toEqual({ id, name: 'Fig' });
    expect(await refusalOf(make(people.otherOwner))).toBe('23505 This business exists already.');
    const rows = await sql`select role from public.business_members where business_id = ${id}`;
    expect(rows).toEqual([{ role: 'owner' }]);
  });

  test('The first business takes over the attempts that had none, a later one does not', async () => {
    const { sql, people, quiz } = world;
    const who = people.otherCoach;
    const before = await createAttempt(sql, who, { quiz, business: null });
    const first = crypto.randomUUID();
    await asPerson(sql, who, (tx) => tx`select create_business(${first}, 'First')`);
    const between = await createAttempt(sql, who, { quiz, business: null });
    await asPerson(sql, who, (tx) => tx`select create_business(gen_random_uuid(), 'Second')`);
    const rows = await sql`
      select id, business_id from public.attempts where id in ${sql([before, between])}`;
    expect(new Map(rows.map((row) => [row.id, row.business_id]))).toEqual(
      new Map([
        [before, first],
        [between, null],
      ]),
    );
  });

  test('Twenty businesses a day are enough for anyone', async () => {
    const { sql, people } = world;
    const make = () =>
      asPerson(
        sql,
        people.colleague,
        (tx) => tx`select create_business(gen_random_uuid(), 'One more')`,
      );
    for (let count = 0; count < 20; count += 1) await make();
    expect(await refusalOf(make())).toBe(
      '54000 That is many businesses for one day. Try again tomorrow.',
    );
  });
});

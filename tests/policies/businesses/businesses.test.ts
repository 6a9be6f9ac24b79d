import { describe, expect, test } from 'vitest';
import { factAsStored } from '#lib/schemas.ts';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  idOfPerson,
  nameOf,
  prepareWorld,
  refusalOf,
  type World,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table businesses';

describe('Who may see and change a business', () => {
  test('Nobody makes, changes or removes a business by writing the table, not even its owner', () =>
    nobodyWrites(world, 'businesses'));

  test('Only members edit a business, field by field', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`
          select save_business_fact(${world.ids.alder}, 'city', 'Taos', array['']) as saved`,
      ),
    ).toEqual(
      everyone('P0002 This business was not found.', {
        visitor: '42501 permission denied for function save_business_fact',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        owner: 1,
        colleague: 1,
      }),
    );
  });

  test('Members and the assigned coach read a business, an admin does not by reading tables', async () => {
    expect(await whoReads(world, 'businesses', 'id', (row) => nameOf(world, row.id))).toEqual({
      visitor: denied,
      owner: ['alder'],
      colleague: ['alder'],
      otherOwner: ['birch'],
      ownerWithoutCode: [],
      ownerWithCode: ['cedar'],
      coach: ['alder', 'cedar'],
      otherCoach: [],
      admin: [],
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
      'PT429 You have added many businesses today. Try again in 24 hours.',
    );
  });
});

describe('What a business says of itself', () => {
  const save = async (
    who: World['people']['owner'],
    [field, value, known = ['']]: [string, string | null, string[]?],
  ) =>
    (
      await asPerson(
        world.sql,
        who,
        (tx) => tx`
          select save_business_fact(${world.ids.alder}, ${field}, ${value}, ${known}) as saved`,
      )
    )[0]?.saved;

  test('What does not fit is refused in words, with the field it belongs to', async () => {
    const { owner } = world.people;
    const refused = async (field: string, value: string) => {
      const work = save(owner, [field, value, ['Alder Bakery', '']]);
      const hint = await work.catch((error: { hint?: string }) => error.hint);
      return [await refusalOf(work), hint];
    };
    expect(await refused('name', ' \n ')).toEqual(['22023 Give the business a name.', 'name']);
    expect(await refused('name', 'x'.repeat(121))).toEqual([
      '22023 Use at most 120 characters.',
      'name',
    ]);
    expect(await refused('description', 'x'.repeat(4001))).toEqual([
      '22023 Use at most 4,000 characters.',
      'description',
    ]);
    expect(await refused('website', 'no address')).toEqual([
      '22023 A web address looks like www.example.com.',
      'website',
    ]);
    expect((await refused('start_date', 'last spring'))[0]).toMatch(/^22023 Enter a date/);
    expect((await refused('start_date', '2026-02-31'))[0]).toMatch(/^22023 Enter a date/);
    expect((await refused('phone', 'ring me'))[0]).toMatch(/^22023 A telephone number/);
    expect((await refused('home_based', 'maybe'))[0]).toBe('22023 Choose yes or no.');
    expect((await refused('trading', 'soon'))[1]).toBe('trading');
    for (const field of ['archived_at', 'created_by', 'id', '', 'no"quotes']) {
      expect((await refused(field, 'x'))[0]).toBe('22023 A business has no such field.');
    }
  });

  test('Each kind of field is stored as what it is, and unknown again as unknown', async () => {
    const { owner } = world.people;
    await save(owner, ['website', 'alder.example']);
    await save(owner, ['start_date', '2019-03-05']);
    await save(owner, ['home_based', 'no']);
    await save(owner, ['country', 'us']);
    const read = async () =>
      (
        await world.sql`
          select website, start_date::text, home_based, country, legal_name
          from public.businesses where id = ${world.ids.alder}`
      )[0];
    expect(await read()).toEqual({
      website: 'https://alder.example',
      start_date: '2019-03-05',
      home_based: false,
      country: 'US',
      legal_name: null,
    });
    await save(owner, ['home_based', '', ['no']]);
    expect(await read()).toMatchObject({ home_based: null });
  });

  test.each([
    ['website', 'www.alder', 'www.alder.example', 'https://www.alder.example'],
    ['description', 'We bake.\n', 'We bake.\n\nAnd pies.\n', 'We bake.\n\nAnd pies.'],
    ['region', 'New  Mexico ', 'New  Mexico and Texas', 'New Mexico and Texas'],
  ])(
    'Who goes on typing a %s is not taken for a colleague, however the first words were stored',
    async (field, first, then, stored) => {
      const { owner } = world.people;
      await world.sql`
      update public.businesses set ${world.sql({ [field]: null })} where id = ${world.ids.alder}`;
      expect(await save(owner, [field, first])).toMatchObject({ saved: true });
      expect(await save(owner, [field, then, ['', first]])).toEqual({ saved: true, value: stored });
    },
  );

  test.each([
    ['name', ' Alder\t\u2028 Bakery \u202e\r\n'],
    ['help_wanted', ' Prices.\r\n\r\n  And people. \n'],
    ['website', ' HTTP://alder.example '],
    ['website', 'alder.example'],
    ['website', ' '],
    ['city', 'Las\u0085 Cruces 🥨'],
  ] as const)(
    'A page knows how what is typed into %s is written down: %j',
    async (field, typed) => {
      const [row] = await world.sql`select private.fact_as_stored(${field}, ${typed}) as stored`;
      expect(factAsStored(field, typed)).toBe(row?.stored ?? '');
    },
  );

  test('What a colleague wrote meanwhile is not overwritten but comes back', async () => {
    const { owner, colleague } = world.people;
    expect(await save(owner, ['industry', 'Food'])).toEqual({ saved: true, value: 'Food' });
    expect(await save(colleague, ['industry', 'Drink'])).toEqual({ saved: false, value: 'Food' });
    // Who goes on typing knows what they sent themselves.
    expect(await save(owner, ['industry', 'Food and more', ['', 'Food']])).toEqual({
      saved: true,
      value: 'Food and more',
    });
    // The same words from two people are no conflict.
    expect(await save(colleague, ['industry', 'Food and more', ['']])).toEqual({
      saved: true,
      value: 'Food and more',
    });
    expect(await save(colleague, ['industry', 'Drink', ['Food and more']])).toMatchObject({
      saved: true,
    });
  });
});

describe('The pages of businesses', () => {
  test('A business is opened by its members and the assigned coach, with what is theirs to see', async () => {
    const { sql, people, ids } = world;
    const open = async (who: typeof people.owner, id: string) =>
      (await asPerson(sql, who, (tx) => tx`select get_business(${id}) as it`))[0]?.it;
    for (const who of [people.otherOwner, people.otherCoach, people.admin]) {
      expect(await open(who, ids.alder)).toBeNull();
    }
    expect(await open(people.owner, crypto.randomUUID())).toBeNull();
    expect(await open(people.owner, ids.alder)).toMatchObject({
      role: 'owner',
      facts: { name: 'Alder Bakery', legal_name: '' },
      members: [
        { name: 'Olive Owner', role: 'owner' },
        { name: 'Cole League', role: 'member' },
      ],
      plan: { filled: 0, of: 14 },
    });
    const asCoach = await open(people.coach, ids.alder);
    expect(asCoach).toMatchObject({ role: null, members: [], invitations: [] });
    expect(JSON.stringify(asCoach)).not.toContain('@');
  });

  test('The list has what one may read, by name and in pages', async () => {
    const { sql, people } = world;
    const list = async (who: typeof people.owner, page = 1, size = 20) => {
      const [row] = await asPerson(
        sql,
        who,
        (tx) => tx`select list_businesses(false, ${page}, ${size}) as it`,
      );
      return [row?.it.total, row?.it.businesses.map(({ name }: { name: string }) => name)];
    };
    expect(await list(people.admin)).toEqual([0, []]);
    expect(await list(people.coach)).toEqual([2, ['Alder Bakery', 'Cedar Care']]);
    expect(await list(people.coach, 2, 1)).toEqual([2, ['Cedar Care']]);
    expect(await list(people.coach, 3, 1)).toEqual([2, []]);
    expect(
      await refusalOf(asPerson(sql, people.ownerWithoutCode, (tx) => tx`select list_businesses()`)),
    ).toBe('42501 Enter the code of your second factor first.');
  });
});

describe('Archiving a business', () => {
  test('Only its owner archives a business or brings it back', async () => {
    for (const act of ['archive_business', 'unarchive_business']) {
      expect(
        await whoMay(world, (sql) => sql.unsafe(`select ${act}('${world.ids.alder}')`)),
      ).toEqual(
        everyone('P0002 This business was not found.', {
          visitor: `42501 permission denied for function ${act}`,
          ownerWithoutCode: '42501 Enter the code of your second factor first.',
          colleague: '42501 Only the owner of the business may do this.',
          owner: 1,
        }),
      );
    }
  });

  test('An archived business is read and not changed, its coaching and invitations are over', async () => {
    const { sql, people, ids } = world;
    const as = (who: typeof people.owner, text: string) =>
      asPerson(sql, who, (tx) => tx.unsafe(text));
    await as(people.owner, `select invite_member(gen_random_uuid(), '${ids.alder}', 'a@b.test')`);
    const [project, task, copy] = Array.from({ length: 3 }, () => crypto.randomUUID());
    for (const made of [
      `create_project('${project}', '${ids.alder}', 'Ovens')`,
      `add_project_task('${task}', '${project}', 'Measure them')`,
      `copy_tool('${copy}', 'one-page-plan', '${ids.alder}')`,
    ]) {
      await as(people.owner, `select ${made}`);
    }
    await as(people.owner, `select archive_business('${ids.alder}')`);

    const archived = /^55000 This business is archived/;
    for (const change of [
      `save_business_fact('${ids.alder}', 'city', 'Taos', array['', 'Taos'])`,
      `add_snapshot(gen_random_uuid(), '${ids.alder}', '2026-01-01', 1)`,
      `save_plan_field('${ids.alder}', 'offer', 'Bread', 0, gen_random_uuid())`,
      `invite_member(gen_random_uuid(), '${ids.alder}', 'c@d.test')`,
      `create_project(gen_random_uuid(), '${ids.alder}', 'Ovens')`,
      `request_coaching(gen_random_uuid(), '${ids.alder}')`,
      `save_project('${project}', 1, 'Larger ovens')`,
      `move_project('${project}', 'planned')`,
      `add_project_update(gen_random_uuid(), '${project}', 'They came.')`,
      `set_project_task_state('${task}', 'done')`,
      `begin_project_file(gen_random_uuid(), '${project}', 'a.pdf', 'application/pdf', 9)`,
      `save_tool_copy('${copy}', 1, 'Our rota', 'Mondays')`,
      `remove_tool_copy('${copy}')`,
    ]) {
      expect(await refusalOf(as(people.owner, `select ${change}`)), change).toMatch(archived);
    }
    // The pages say so beforehand.
    const [shown] = await as(
      people.owner,
      `select get_project('${project}') as project, get_tool_copy('${copy}') as copy,
        list_projects('${ids.alder}') #> '{projects,0,moves}' as moves`,
    );
    expect(shown).toMatchObject({
      project: { archived: true },
      copy: { may_edit: false, business: { archived: true } },
      moves: [],
    });
    const [read] = await as(people.colleague, `select get_business('${ids.alder}') as it`);
    expect(read?.it).toMatchObject({ role: 'member', archived_at: expect.any(String) });
    expect(await as(people.coach, 'select id from public.businesses')).toEqual([{ id: ids.cedar }]);
    expect(
      await sql`select state from public.engagements where id = ${ids.alderEngagement}`,
    ).toEqual([{ state: 'withdrawn' }]);
    expect(
      await sql`select ended from public.business_invitations where address = 'a@b.test'`,
    ).toEqual([{ ended: 'revoked' }]);
    const [context] = await as(people.owner, 'select session_context() as it');
    const names = context?.it.businesses.map(({ name }: { name: string }) => name);
    expect(names).not.toContain('Alder Bakery');

    await as(people.owner, `select unarchive_business('${ids.alder}')`);
    await as(people.owner, `select save_business_fact('${ids.alder}', 'city', 'Taos', array[''])`);
    await as(people.owner, `select move_project('${project}', 'planned')`);
  });
});

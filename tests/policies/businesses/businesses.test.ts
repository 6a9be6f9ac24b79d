import { expect, test } from 'vitest';
import { factAsStored } from '#lib/schemas/business.ts';
import { asPerson } from '../../fixtures/database.ts';
import {
  expectCallers,
  expectReaders,
  OWES_CODE,
  openWorld,
  refusalOf,
  type World,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, as, ask, refusal } = world;
const { owner, colleague, otherOwner, ownerWithoutCode, coach, otherCoach, admin } = people;

const notFound = 'P0002 We can’t find this business.';
const onlyOwner = '42501 Only the owner of the business can do this.';
test.each([
  [
    `save_business_fact('${ids.alder}', 'city', 'Taos', array[''])`,
    notFound,
    { owner: 1, colleague: 1 },
  ],
  [`archive_business('${ids.alder}')`, notFound, { colleague: onlyOwner, owner: 1 }],
  [`unarchive_business('${ids.alder}')`, notFound, { colleague: onlyOwner, owner: 1 }],
  ["create_business(gen_random_uuid(), 'New')", 1, {}],
])('Only the people named may call %s', (call, refused, but) =>
  expectCallers(world, call, refused, but),
);

test('Members and the assigned coach read a business, an admin does not by reading tables', () =>
  expectReaders(world, 'businesses', 'id', {
    owner: ['alder'],
    colleague: ['alder'],
    otherOwner: ['birch'],
    ownerWithCode: ['cedar'],
    coach: ['alder', 'cedar'],
  }));

test('A coach who is no coach any more loses the businesses of their clients', async () => {
  const carla = coach.userId;
  await sql`delete from public.staff_roles where user_id = ${carla}`;
  expect(await as(coach)`select id from public.businesses`).toEqual([]);
  await sql`insert into public.staff_roles (user_id, role) values (${carla}, 'coach')`;
  expect(await as(coach)`select id from public.businesses`).toEqual([]);
  for (const id of [ids.alderEngagement, ids.cedarEngagement]) {
    await ask(admin, "assign_coach($1, $2, 'back')", [id, carla]);
  }
});

const noName = '22023 Give the business a name of 1 to 120 characters.';
test.each([
  [[' \n ', null, null, null], noName],
  [['x'.repeat(121), null, null, null], noName],
  [['Fig', 'maybe', null, null], '22023 Say whether the business is open yet.'],
  [['Fig', null, '1'.repeat(17), null], '22023 Keep it to 16 characters.'],
  [['Fig', null, null, 'x'.repeat(2001)], '22023 Keep it to 2,000 characters.'],
  [['Fig', null, null, null, 'x'.repeat(121), null], '22023 Keep it to 120 characters.'],
  [['Fig', null, null, null, null, 'x'.repeat(81)], '22023 Keep it to 80 characters.'],
])('A new business of which something does not fit is refused: %#', async (values, refused) => {
  const call = 'create_business(gen_random_uuid(), $1, $2, $3, $4, $5, $6)';
  expect(await refusal(owner, call, [...values, null, null].slice(0, 6))).toBe(refused);
});

test('A new business has its industry and stage from the start, or neither', async () => {
  const [named, bare] = [crypto.randomUUID(), crypto.randomUUID()];
  const call = "create_business($1, 'Fig', null, null, null, $2, $3)";
  await ask(owner, call, [named, ' Food and  drink', 'Growing']);
  await ask(owner, call, [bare, '', ' ']);
  const rows = await sql`
    select industry, stage from public.businesses where id = any (${[named, bare]})
    order by industry nulls last`;
  expect(rows).toEqual([
    { industry: 'Food and drink', stage: 'Growing' },
    { industry: null, stage: null },
  ]);
});

test('Sent twice, a business is made once; under the id of another person it is refused', async () => {
  const id = crypto.randomUUID();
  const call = "create_business($1, 'Fig', 'trading', '87501')";
  for (let times = 0; times < 2; times += 1) {
    expect(await ask(owner, call, [id])).toEqual({ id, name: 'Fig' });
  }
  expect(await refusal(otherOwner, call, [id])).toBe('23505 This business already exists.');
  const rows = await sql`select role from public.business_members where business_id = ${id}`;
  expect(rows).toEqual([{ role: 'owner' }]);
});

test('Twenty businesses a day are enough for anyone', async () => {
  const call = "create_business(gen_random_uuid(), 'One more')";
  for (let count = 0; count < 20; count += 1) await ask(colleague, call);
  expect(await refusal(colleague, call)).toBe(
    'PT429 You’ve added a lot of businesses today. Try again in 24 hours.',
  );
});

const save = (
  who: World['people']['owner'],
  [field, value, known = ['']]: [string, string | null, string[]?],
) => ask(who, 'save_business_fact($1, $2, $3, $4)', [ids.alder, field, value, known]);

test.each([
  ['name', ' \n ', 'Give the business a name.'],
  ['name', 'x'.repeat(121), 'Keep it to 120 characters.'],
  ['description', 'x'.repeat(4001), 'Keep it to 4,000 characters.'],
  ['website', 'no address', 'A web address looks like www.example.com.'],
  ['start_date', 'last spring', expect.stringMatching(/^Enter a date/)],
  ['start_date', '2026-02-31', expect.stringMatching(/^Enter a date/)],
  ['phone', 'ring me', expect.stringMatching(/^Enter a phone number/)],
  ['home_based', 'maybe', 'Choose yes or no.'],
  ['trading', 'soon', expect.any(String)],
])(
  'A %s that does not fit is refused in words, with its field: %#',
  async (field, value, message) => {
    await expect(save(owner, [field, value, ['Alder Bakery', '']])).rejects.toMatchObject({
      code: '22023',
      message,
      hint: field,
    });
  },
);

test.each(['archived_at', 'created_by', 'id', '', 'no"quotes'])(
  'A business has no field %j that people write',
  async (field) => {
    expect(await refusalOf(save(owner, [field, 'x']))).toBe(
      '22023 A business doesn’t have this field.',
    );
  },
);

test('Each kind of field is stored as what it is, and unknown again as unknown', async () => {
  await save(owner, ['website', 'alder.example']);
  await save(owner, ['start_date', '2019-03-05']);
  await save(owner, ['home_based', 'no']);
  await save(owner, ['country', 'us']);
  const read = async () =>
    (
      await sql`
        select website, start_date::text, home_based, country, legal_name
        from public.businesses where id = ${ids.alder}`
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
    await sql`
      update public.businesses set ${sql({ [field]: null })} where id = ${ids.alder}`;
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
] as const)('A page knows how what is typed into %s is written down: %j', async (field, typed) => {
  const [row] = await sql`select private.fact_as_stored(${field}, ${typed}) as stored`;
  expect(factAsStored(field, typed)).toBe(row?.stored ?? '');
});

test('What a colleague wrote meanwhile is not overwritten but comes back', async () => {
  expect(await save(owner, ['industry', 'Food'])).toEqual({ saved: true, value: 'Food' });
  expect(await save(colleague, ['industry', 'Drink'])).toEqual({ saved: false, value: 'Food' });
  // People who keep typing don't conflict with what they sent themselves.
  expect(await save(owner, ['industry', 'Food and more', ['', 'Food']])).toEqual({
    saved: true,
    value: 'Food and more',
  });
  // The same text from two people isn't a conflict.
  expect(await save(colleague, ['industry', 'Food and more', ['']])).toEqual({
    saved: true,
    value: 'Food and more',
  });
  expect(await save(colleague, ['industry', 'Drink', ['Food and more']])).toMatchObject({
    saved: true,
  });
});

test('A business is opened by its members and the assigned coach, with what is theirs to see', async () => {
  const open = async (who: typeof people.owner, id: string) =>
    await ask(who, 'get_business($1)', [id]);
  for (const who of [otherOwner, otherCoach, admin]) {
    expect(await open(who, ids.alder)).toBeNull();
  }
  expect(await open(owner, crypto.randomUUID())).toBeNull();
  expect(await open(owner, ids.alder)).toMatchObject({
    role: 'owner',
    facts: { name: 'Alder Bakery', legal_name: '' },
    members: [
      { name: 'Olive Owner', role: 'owner' },
      { name: 'Cole League', role: 'member' },
    ],
    plan: { filled: 0, of: 14 },
  });
  const asCoach = await open(coach, ids.alder);
  expect(asCoach).toMatchObject({ role: null, members: [], invitations: [] });
  expect(JSON.stringify(asCoach)).not.toContain('@');
  // Only the coach sees who they coach there; the plan and the forecast say it too.
  expect((await open(owner, ids.alder)).client).toBeNull();
  const client = { id: ids.alderEngagement, name: 'Olive Owner' };
  expect(asCoach).toMatchObject({ client, calculators: 0 });
  expect(await ask(coach, 'get_plan($1)', [ids.alder])).toMatchObject({ client });
  const forecast = (who: typeof people.owner) =>
    ask(who, "get_worksheet($1, 'forecast')", [ids.alder]);
  expect(await forecast(coach)).toMatchObject({ client });
  expect((await forecast(owner)).client).toBeNull();
});

test('The list has what one may read, by name and in pages', async () => {
  const list = async (who: typeof people.owner, page = 1, size = 20) => {
    const [row] = await as(who)`select list_businesses(false, ${page}, ${size}) as it`;
    return [row?.it.total, row?.it.businesses.map(({ name }: { name: string }) => name)];
  };
  expect(await list(admin)).toEqual([0, []]);
  expect(await list(coach)).toEqual([2, ['Alder Bakery', 'Cedar Care']]);
  expect(await list(coach, 2, 1)).toEqual([2, ['Cedar Care']]);
  expect(await list(coach, 3, 1)).toEqual([2, []]);
  expect(await refusalOf(as(ownerWithoutCode)`select list_businesses()`)).toBe(OWES_CODE);
});

test('The list says whose a business is, and how far its plan and forecast are', async () => {
  const rowOf = async (who: typeof people.owner) =>
    (await ask(who, 'list_businesses()')).businesses.find(
      ({ id }: { id: string }) => id === ids.alder,
    );
  expect(await rowOf(otherOwner)).toBeUndefined();
  expect(await rowOf(coach)).toMatchObject({
    role: null,
    owner: 'Olive Owner',
    plan: { filled: 0, of: 14 },
    forecast_saved_at: null,
  });
  await ask(owner, "save_plan_field($1, 'offer', 'Bread', 0, gen_random_uuid())", [ids.alder]);
  expect(await rowOf(coach)).toMatchObject({ plan: { filled: 1, of: 14 } });
  expect(JSON.stringify(await rowOf(coach))).not.toContain('Cole League');
});

test('An archived business is read and not changed, its coaching and invitations are over', async () => {
  const as = (who: typeof people.owner, text: string) =>
    asPerson(sql, who, (tx) => tx.unsafe(text));
  await as(owner, `select invite_member(gen_random_uuid(), '${ids.alder}', 'a@b.test')`);
  const [project, task, copy] = Array.from({ length: 3 }, () => crypto.randomUUID());
  for (const made of [
    `create_project('${project}', '${ids.alder}', 'Ovens')`,
    `add_project_task('${task}', '${project}', 'Measure them')`,
    `copy_tool('${copy}', 'one-page-plan', '${ids.alder}')`,
  ]) {
    await as(owner, `select ${made}`);
  }
  await as(owner, `select archive_business('${ids.alder}')`);

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
    expect(await refusalOf(as(owner, `select ${change}`)), change).toMatch(archived);
  }
  // The pages know that it's read-only before anyone tries.
  const [shown] = await as(
    owner,
    `select get_project('${project}') as project, get_tool_copy('${copy}') as copy,
        list_projects('${ids.alder}') #> '{projects,0,moves}' as moves`,
  );
  expect(shown).toMatchObject({
    project: { archived: true },
    copy: { may_edit: false, business: { archived: true } },
    moves: [],
  });
  const [read] = await as(colleague, `select get_business('${ids.alder}') as it`);
  expect(read?.it).toMatchObject({ role: 'member', archived_at: expect.any(String) });
  expect(await as(coach, 'select id from public.businesses')).toEqual([{ id: ids.cedar }]);
  expect(await sql`select state from public.engagements where id = ${ids.alderEngagement}`).toEqual(
    [{ state: 'withdrawn' }],
  );
  expect(
    await sql`select ended from public.business_invitations where address = 'a@b.test'`,
  ).toEqual([{ ended: 'revoked' }]);
  const [context] = await as(owner, 'select session_context() as it');
  const names = context?.it.businesses.map(({ name }: { name: string }) => name);
  expect(names).not.toContain('Alder Bakery');

  await as(owner, `select unarchive_business('${ids.alder}')`);
  await as(owner, `select save_business_fact('${ids.alder}', 'city', 'Taos', array[''])`);
  await as(owner, `select move_project('${project}', 'planned')`);
});

import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import {
  expectCallers,
  expectReaders,
  openWorld,
  pause,
  refusalOf,
  someoneWaits,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, colleague, otherOwner, coach, otherCoach, admin } = people;
const ownerPage = crypto.randomUUID();
const colleaguePage = crypto.randomUUID();

const save = async (who: Person, [field, value, base, page]: [string, string, number, string]) =>
  await ask(who, 'save_plan_field($1, $2, $3, $4, $5)', [ids.alder, field, value, base, page]);

test('Only members write, the coach reads', async () => {
  await expectCallers(
    world,
    `save_plan_field('${ids.alder}', 'offer', 'Bread', 0, gen_random_uuid())`,
    'P0002 We can’t find this business.',
    { owner: 1, colleague: 1 },
  );
  await save(owner, ['offer', 'Bread', 0, ownerPage]);
  await expectReaders(world, 'business_plan_fields', "concat_ws(' ', field, value)", {
    owner: ['offer Bread'],
    colleague: ['offer Bread'],
    coach: ['offer Bread'],
  });
});

test('A plan that one may not read is not there', async () => {
  const open = async (who: Person) => await ask(who, 'get_plan($1)', [ids.alder]);
  for (const who of [otherOwner, otherCoach, admin]) {
    expect(await open(who)).toBeNull();
  }
  expect(await open(coach)).toMatchObject({ role: null, fields: [{ field: 'offer' }] });
  expect(await open(owner)).toMatchObject({ role: 'owner', archived: false });
});

test('What does not fit on one page is refused in words', async () => {
  const refused = (field: string, value: string) =>
    refusalOf(save(owner, [field, value, 0, ownerPage]));
  expect(await refused('team', 'x'.repeat(401))).toMatch(/^22023 Keep it to 400 characters/);
  expect(await refused('team', 'x\n'.repeat(10).concat('x'))).toMatch(/^22023 Keep it to ten/);
  expect(await refused('motto', 'x')).toBe('22023 A plan doesn’t have this field.');
});

test('Two people who write in different fields both keep what they wrote', async () => {
  await save(owner, ['problem', 'Early shifts', 0, ownerPage]);
  await save(colleague, ['customer', 'Nurses', 0, colleaguePage]);
  const rows = await sql`
    select field, value from public.business_plan_fields
    where field in ('problem', 'customer') order by field`;
  expect(rows).toEqual([
    { field: 'customer', value: 'Nurses' },
    { field: 'problem', value: 'Early shifts' },
  ]);
});

test('The second person to write in a field is shown the first one’s words and overwrites nothing', async () => {
  expect(await save(owner, ['costs', 'Rent', 0, ownerPage])).toMatchObject({ saved: true });
  expect(await save(colleague, ['costs', 'Wages', 0, colleaguePage])).toMatchObject({
    saved: false,
    field: { value: 'Rent', revision: 1, saved_by: 'Olive Owner' },
  });
  // Once they've seen it, they can overwrite it.
  expect(await save(colleague, ['costs', 'Wages', 1, colleaguePage])).toMatchObject({
    saved: true,
    field: { value: 'Wages', revision: 2 },
  });
  // And now the first person hasn't seen the newest text.
  expect(await save(owner, ['costs', 'Rent, power', 1, ownerPage])).toMatchObject({
    saved: false,
    field: { value: 'Wages' },
  });
});

test('A page that goes on typing is never in its own way, a second page of the same person is', async () => {
  const other = crypto.randomUUID();
  await save(owner, ['team', 'Ol', 0, ownerPage]);
  // Sent before the first response arrived, so it's still based on the old revision.
  expect(await save(owner, ['team', 'Olive', 0, ownerPage])).toMatchObject({ saved: true });
  expect(await save(owner, ['team', 'Cole', 0, other])).toMatchObject({ saved: false });
  expect(await save(owner, ['team', 'Olive', 0, other])).toMatchObject({ saved: true });
});

test('Of two that save in the same moment, one is told', async () => {
  const write = (page: string, value: string) => (tx: { unsafe: typeof sql.unsafe }) =>
    tx.unsafe(`select save_plan_field('${ids.alder}', 'funding', '${value}', 0, '${page}') as it`);
  const first = await pause(sql, owner, write(ownerPage, 'Savings'));
  const second = asPerson(sql, colleague, write(colleaguePage, 'A loan'));
  await someoneWaits(sql);
  await first.finish();
  expect((await second)[0]?.it).toMatchObject({ saved: false, field: { value: 'Savings' } });
});

import { beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { createCoach, createRequest, dayFromNow } from '../../fixtures/engagements.ts';
import { createNewcomer, expectCallers, openWorld } from '../../fixtures/personas.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, coach, otherCoach, admin } = people;
await raiseLimits(sql, 'all');

type Account = Person & { userId: string };
interface Listed {
  user_id: string;
  room: number | null;
  fit: { kind: string }[];
}

const save = (who: Person, values: unknown[]) =>
  ask(who, 'save_my_coaching($1, $2, $3, $4, $5, $6)', values);
const speaks = (who: Account, languages: string[], zone: string) =>
  sql`update public.profiles set languages = ${languages}, time_zone = ${zone} where user_id = ${who.userId}`;
const idsOf = (listed: Listed[]) => listed.map(({ user_id }) => user_id);

test('A coach’s settings are theirs alone', async () => {
  const refused = '42501 Only a coach can do this.';
  const day = await dayFromNow(sql, 3);
  for (const call of [
    'get_my_coaching()',
    "save_my_coaching('', '{}', '{}', 5, true)",
    `add_time_off(gen_random_uuid(), '${day}', '${day}')`,
    'remove_time_off(gen_random_uuid())',
  ]) {
    await expectCallers(world, call, refused, { coach: 1, otherCoach: 1 });
  }
});

test('Coaches are listed for members of the business, or for the owner of the request', async () => {
  const { alder, birchEngagement } = ids;
  await expectCallers(
    world,
    `list_coaches(null, '${alder}')`,
    '42501 You don’t belong to this business.',
    { owner: 1, colleague: 1 },
  );
  await expectCallers(
    world,
    `list_coaches('${birchEngagement}')`,
    'P0002 We can’t find this coaching.',
    { otherOwner: 1 },
  );
  await expectCallers(
    world,
    `choose_coach('${birchEngagement}', '${otherCoach.userId}')`,
    'P0002 We can’t find this coaching.',
    { otherOwner: 1 },
  );
});

describe('A coach’s own settings', () => {
  test('are refused if they don’t fit', async () => {
    const far = await dayFromNow(sql, 500);
    for (const [values, refused] of [
      [['x'.repeat(2001), [], [], 5, true, null], '22023 Keep it to 2,000 characters.'],
      [['', ['juggling'], [], 5, true, null], '22023 Choose areas from the list.'],
      [
        ['', [], Array.from({ length: 17 }, (_, n) => `I${n}`), 5, true, null],
        '22023 Choose at most 16 industries.',
      ],
      [['', [], [], 201, true, null], '22023 Enter a number from 0 to 200.'],
      [['', [], [], 5, true, far], '22023 Choose a day within a year.'],
    ] as const) {
      expect(await refusal(coach, 'save_my_coaching($1, $2, $3, $4, $5, $6)', [...values])).toBe(
        refused,
      );
    }
  });

  test('are saved, with time off under its own id', async () => {
    const saved = await save(otherCoach, [
      'Bread.',
      ['sales-marketing'],
      ['Media', 'Media'],
      5,
      true,
      null,
    ]);
    expect(saved).toMatchObject({
      about: 'Bread.',
      areas: ['sales-marketing'],
      industries: ['Media'],
      capacity: 5,
      accepting: true,
      paused_until: null,
      time_off: [],
      clients: 0,
    });
    expect(saved.choices.areas).toHaveLength(8);
    const id = crypto.randomUUID();
    const [from, to] = [await dayFromNow(sql, 5), await dayFromNow(sql, 9)];
    const add = "add_time_off($1, $2, $3, 'Hiking')";
    expect(await refusal(otherCoach, add, [id, to, from])).toMatch(/^22023 Choose a last day/);
    expect(await refusal(otherCoach, add, [id, null, from])).toBe('22023 Choose the first day.');
    expect(await refusal(otherCoach, add, [null, from, to])).toBe('22023 Time off needs an id.');
    for (let times = 0; times < 2; times += 1) {
      expect((await ask(otherCoach, add, [id, from, to])).time_off).toEqual([
        { id, starts_on: from, ends_on: to, note: 'Hiking' },
      ]);
    }
    expect(await refusal(coach, add, [id, from, to])).toBe('23505 This time off already exists.');
    await ask(coach, 'remove_time_off($1)', [id]);
    expect((await ask(otherCoach, 'get_my_coaching()')).time_off).toHaveLength(1);
    expect((await ask(otherCoach, 'remove_time_off($1)', [id])).time_off).toEqual([]);
  });
});

describe('The best fit comes first, with the reasons', () => {
  let client: Account;
  let request: { id: string; business: string };
  const list = (areas: string[] = []): Promise<Listed[]> =>
    ask(client, 'list_coaches($1, null, $2)', [request.id, areas]);
  let expert: Account;
  let neighbor: Account;

  beforeAll(async () => {
    client = await createNewcomer(world);
    request = await createRequest(world, client);
    await speaks(client, ['es', 'en-US'], 'America/Denver');
    await sql`update public.businesses set industry = 'Media' where id = ${request.business}`;
    [expert, neighbor] = [await createCoach(world), await createCoach(world)];
    await save(expert, ['', ['sales-marketing', 'web-design'], [], 3, true, null]);
    await speaks(expert, ['de'], 'Asia/Tokyo');
    await save(neighbor, ['', [], ['Media'], null, true, null]);
    await speaks(neighbor, ['es-MX'], 'America/Los_Angeles');
  });

  test('by area, industry, language and time zone', async () => {
    const listed = await list();
    expect(listed.length).toBeGreaterThan(2);
    const found = (who: Account) => listed.find(({ user_id }) => user_id === who.userId);
    expect(found(expert)).toMatchObject({
      room: 3,
      fit: [{ kind: 'areas', keys: ['sales-marketing'] }],
    });
    expect(found(neighbor)).toMatchObject({
      room: null,
      fit: [
        { kind: 'industry', industry: 'Media' },
        { kind: 'language', language: 'es' },
        { kind: 'time_zone', hours: 1 },
      ],
    });
    const order = idsOf(listed).filter((id) => [expert.userId, neighbor.userId].includes(id));
    expect(order).toEqual([neighbor.userId, expert.userId]);
    expect(idsOf(await list(['sales-marketing', 'web-design']))[0]).toBe(expert.userId);
  });

  test('for an admin too, with everyone’s load and why someone can’t', async () => {
    const answer = await ask(admin, 'admin_engagement($1)', [request.id]);
    const found = (who: Account) =>
      answer.matches.find(({ user_id }: Listed) => user_id === who.userId);
    expect(found(neighbor)).toMatchObject({
      areas: [],
      industry: 'Media',
      languages: ['es'],
      hours: 1,
      capacity: null,
      clients: 0,
      waiting: 0,
      room: null,
      has_room: true,
      away: null,
    });
    await save(expert, ['', ['sales-marketing'], [], 0, true, await dayFromNow(sql, 3)]);
    const later = await ask(admin, 'admin_engagement($1)', [request.id]);
    expect(later.matches.at(-1)).toMatchObject({
      user_id: expert.userId,
      has_room: false,
      room: 0,
      away: { why: 'paused', until: await dayFromNow(sql, 3) },
    });
    await save(expert, ['', ['sales-marketing', 'web-design'], [], 3, true, null]);
  });

  test('without those who have no room today', async () => {
    const today = await dayFromNow(sql, 0);
    const off = crypto.randomUUID();
    const ways: [string, () => Promise<unknown>, () => Promise<unknown>][] = [
      [
        'takes no new clients',
        () => save(expert, ['', [], [], 3, false, null]),
        () => save(expert, ['', [], [], 3, true, null]),
      ],
      [
        'paused until today',
        () => save(expert, ['', [], [], 3, true, today]),
        () => save(expert, ['', [], [], 3, true, null]),
      ],
      [
        'full',
        () => save(expert, ['', [], [], 0, true, null]),
        () => save(expert, ['', [], [], 3, true, null]),
      ],
      [
        'on time off',
        () => ask(expert, 'add_time_off($1, $2, $2)', [off, today]),
        () => ask(expert, 'remove_time_off($1)', [off]),
      ],
      [
        'blocked',
        () => ask(admin, "set_blocked($1, true, 'test')", [expert.userId]),
        () => ask(admin, "set_blocked($1, false, 'test')", [expert.userId]),
      ],
      [
        'leaving',
        () => sql`insert into public.account_deletions (user_id) values (${expert.userId})`,
        () => sql`delete from public.account_deletions where user_id = ${expert.userId}`,
      ],
    ];
    for (const [way, begin, end] of ways) {
      expect([way, idsOf(await list()).includes(expert.userId)]).toEqual([way, true]);
      await begin();
      expect([way, idsOf(await list()).includes(expert.userId)]).toEqual([way, false]);
      for (const who of [client, admin]) {
        const call = who === admin ? "assign_coach($1, $2, 'near')" : 'choose_coach($1, $2)';
        expect(await refusal(who, call, [request.id, expert.userId])).toMatch(
          /^55000 This coach .* Choose someone else\.$/,
        );
      }
      await end();
    }
    // A pause that ended yesterday is over.
    await save(expert, ['', [], [], 3, true, await dayFromNow(sql, -1)]);
    expect(idsOf(await list())).toContain(expert.userId);
  });

  test('and never again those who said no', async () => {
    await ask(client, 'choose_coach($1, $2)', [request.id, expert.userId]);
    await ask(expert, "decline_client($1, 'too far')", [request.id]);
    expect(idsOf(await list())).not.toContain(expert.userId);
    const { matches } = await ask(admin, 'admin_engagement($1)', [request.id]);
    expect(matches.find(({ user_id }: Listed) => user_id === expert.userId)).toMatchObject({
      before: true,
    });
  });
});

test('A request names its coach at once, or nothing of it is stored', async () => {
  const client = await createNewcomer(world);
  const [business, id] = [crypto.randomUUID(), crypto.randomUUID()];
  await ask(client, "create_business($1, 'New')", [business]);
  const full = await createCoach(world);
  await save(full, ['', [], [], 0, true, null]);
  const call = "request_coaching($1, $2, 'Please', '{}', true, $3)";
  expect(await refusal(client, call, [id, business, full.userId])).toMatch(
    /^55000 This coach already/,
  );
  expect(await refusal(client, call, [id, business, owner.userId])).toBe(
    '22023 Choose someone who’s a coach.',
  );
  expect(await sql`select from public.engagements where id = ${id}`).toHaveLength(0);
  expect(await ask(client, call, [id, business, (await createCoach(world)).userId])).toMatchObject({
    state: 'assigned',
    results_shared: true,
    due_what: 'accept',
  });
});

test('At most 12 coaches are listed, and owners see their pictures', async () => {
  for (let n = 0; n < 12; n += 1) await createCoach(world);
  expect(await ask(owner, 'list_coaches(null, $1)', [ids.alder])).toHaveLength(12);
  const [row] = await sql`
    select count(*)::int as listed from private.readable_avatar_folders() f (id)
    join public.staff_roles s on s.user_id::text = f.id where s.role = 'coach'`;
  expect(row?.listed).toBeGreaterThan(12);
});

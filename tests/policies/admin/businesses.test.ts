import { describe, expect, test } from 'vitest';
import { ordersIn } from '../../fixtures/orders.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, owner } = people;

const list = async (filter: object = {}, ...more: unknown[]) =>
  ask(admin, `admin_businesses($1${more.map((_, at) => `, $${at + 2}`).join('')})`, [
    filter,
    ...more,
  ]);
const names = async (filter: object): Promise<string[]> =>
  (await list(filter)).rows.map(({ name }: { name: string }) => name);
const auditOf = (action: string) => sql`
  select entity_id, reason, details from public.audit_log
  where actor_id = ${admin.userId} and action = ${action} order by id`;

describe('The list of businesses', () => {
  test('finds them by words, state, coaching and region, in the order that was asked for', async () => {
    await sql`update public.businesses set region = 'New Mexico', city = 'Taos' where id = ${ids.alder}`;
    await sql`update public.businesses set region = 'Texas' where id = ${ids.birch}`;
    expect(await names({ sort: 'name' })).toEqual(['Alder Bakery', 'Birch Cycles', 'Cedar Care']);
    expect(await names({ words: 'BAK tao' })).toEqual(['Alder Bakery']);
    expect(await names({ region: 'Texas' })).toEqual(['Birch Cycles']);
    expect(await names({ coaching: 'coached', sort: 'name' })).toEqual([
      'Alder Bakery',
      'Cedar Care',
    ]);
    expect(await names({ coaching: 'waiting' })).toEqual(['Birch Cycles']);
    expect(await names({ coaching: 'none' })).toEqual([]);
    expect(await names({ state: 'archived' })).toEqual([]);
    expect((await list()).choices.region).toEqual([
      { value: 'New Mexico', label: 'New Mexico' },
      { value: 'Texas', label: 'Texas' },
    ]);
    expect((await list({}, null, 0)).choices).toBeNull();
  });

  test('says who owns one, how many belong to it, its coach, quiz and projects', async () => {
    await createProject(world, crypto.randomUUID());
    const [alder] = (await list({ words: 'alder' })).rows;
    expect(alder).toMatchObject({
      name: 'Alder Bakery',
      owners: [{ id: owner.userId, name: 'Olive Owner' }],
      members: 2,
      coaching: { state: 'assigned', coach: 'Carla Coach' },
      finished_at: expect.any(String),
      open_projects: 1,
      archived_at: null,
    });
  });
});

test('One business’s page has all that belongs to it, and nothing of what anyone answered', async () => {
  await ask(owner, "save_plan_field($1, 'offer', 'Bread', 0, gen_random_uuid())", [ids.alder]);
  await ordersIn(world).sent();
  expect(await ask(admin, 'admin_business($1)', [crypto.randomUUID()])).toBeNull();
  const page = await ask(admin, 'admin_business($1)', [ids.alder]);
  expect(page).toMatchObject({
    name: 'Alder Bakery',
    merged_into: null,
    merges: [],
    members: [
      { name: 'Olive Owner', email: owner.email, role: 'owner' },
      { name: 'Cole League', role: 'member' },
    ],
    attempts: { open: 2, finished: 1, people: 1 },
    actions: { open: 0, done: 0, dropped: 0 },
    plan: { filled: 1, of: 14, texts: { offer: 'Bread' } },
    projects: [{ status: 'draft' }],
    project_count: 1,
    coaching: [{ state: 'assigned', owner: 'Olive Owner', coach: 'Carla Coach' }],
    orders: [
      {
        state: 'po_received',
        what: 'Session pack',
        buyer: 'Alder Bakery',
        total_minor: 59_779,
        overdue: false,
      },
    ],
    reports: [],
  });
  expect(JSON.stringify(page)).not.toMatch(/score|answers|body/);
  expect((await auditOf('business.read')).at(-1)).toMatchObject({
    entity_id: ids.alder,
    details: { business_id: ids.alder },
  });
});

describe('Archiving several businesses', () => {
  test.each(['archive_businesses', 'restore_businesses'])(
    '%s needs a reason, and 1 to 200 businesses that exist',
    async (name) => {
      const refused = (given: string[], reason = 'a test') =>
        refusal(admin, `${name}($1, $2)`, [given, reason]);
      expect(await refused([ids.alder], ' ')).toBe('22023 Give a reason of 3 to 2,000 characters.');
      expect(await refused([])).toBe('22023 Choose 1 to 200 businesses.');
      expect(await refused(Array(201).fill(ids.alder))).toBe('22023 Choose 1 to 200 businesses.');
      expect(await refused([ids.alder, crypto.randomUUID()])).toBe(
        'P0002 We can’t find this business.',
      );
    },
  );

  test('is refused for one that’s being coached, which restoring couldn’t bring back', async () => {
    expect(
      await refusal(admin, "archive_businesses($1, 'closed down')", [[ids.cedar, ids.birch]]),
    ).toBe(
      '55000 Birch Cycles is being coached or waits for a coach. End that first, or leave it out.',
    );
    expect(await names({ state: 'archived' })).toEqual([]);
  });

  test('stops invitations and records each business, and restoring undoes it', async () => {
    const both = [ids.birch, ids.cedar];
    await sql`
      update public.engagements set state = 'withdrawn'
      where business_id = any (${both}) and closed_at is null`;
    const invite = async (address: string) => {
      const id = crypto.randomUUID();
      await ask(people.otherOwner, 'invite_member($1, $2, $3)', [id, ids.birch, address]);
      return id;
    };
    await invite('kept@home.test');
    await ask(people.otherOwner, 'revoke_invitation($1)', [await invite('revoked@home.test')]);
    const invited = async () =>
      (
        await sql`
          select address from public.business_invitations
          where business_id = ${ids.birch} and ended is null`
      ).map(({ address }) => address);

    await ask(admin, "archive_businesses($1, 'closed down')", [[ids.birch]]);
    expect(await invited()).toEqual([]);
    expect(await ask(admin, "archive_businesses($1, 'closed down')", [both])).toEqual({
      ids: [ids.cedar],
    });
    expect((await names({ state: 'archived', sort: 'name' })).join()).toBe(
      'Birch Cycles,Cedar Care',
    );
    expect((await auditOf('business.archive')).map(({ entity_id }) => entity_id)).toEqual(both);
    const restored = await ask(admin, "restore_businesses($1, 'a mistake')", [both]);
    expect(restored.ids.toSorted()).toEqual(both.toSorted());
    expect(await invited()).toEqual(['kept@home.test']);
    expect(await names({ state: 'archived' })).toEqual([]);
    expect(await auditOf('business.restore')).toHaveLength(2);
  });
});

import { afterEach, describe, expect, test } from 'vitest';
import { TOGGLES } from '#domain/toggle.ts';
import { createNewcomer, everyone, openWorld, refusalOf, whoMay } from '../../fixtures/personas.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, coach, colleague, owner } = people;

const set = (key: string, audience: string, more: { roles?: string[]; percentage?: number } = {}) =>
  ask(admin, "set_toggle($1, $2, $3, $4, null, null, 'a trial')", [
    key,
    audience,
    more.roles ?? [],
    more.percentage ?? null,
  ]);
const on = async (who: typeof owner): Promise<string[]> =>
  (await ask(who, 'session_context()')).toggles;

afterEach(async () => {
  await sql`
    update private.toggles set audience = 'everyone', roles = '{}', percentage = null,
      expires_on = null, owner_id = null`;
});

test('The database has the toggles that the code has', async () => {
  const rows = await sql`select key from private.toggles order by key`;
  expect(rows.map(({ key }) => key)).toEqual(Object.keys(TOGGLES).toSorted());
});

test('A change needs a reason and what fits, and is logged with what was before', async () => {
  const call = 'set_toggle($1, $2, $3, $4, null, $5, $6)';
  const why = 'a trial';
  for (const [values, refused] of [
    [['registration', 'off', [], null, null, ''], '22023 Give a reason of 3 to 2,000 characters.'],
    [['magic', 'off', [], null, null, why], 'P0002 We can’t find this toggle.'],
    [['registration', 'some', [], null, null, why], '22023 Say who it’s on for.'],
    [['registration', 'roles', [], null, null, why], '22023 Choose at least one role.'],
    [['registration', 'roles', ['king'], null, null, why], '22023 Choose at least one role.'],
    [['registration', 'percentage', [], null, null, why], '22023 Enter a number from 1 to 99.'],
    [['registration', 'percentage', [], 100, null, why], '22023 Enter a number from 1 to 99.'],
    [['registration', 'off', [], null, coach.userId, why], '22023 The owner has to be an admin.'],
  ] as const) {
    expect(await refusal(admin, call, [...values])).toBe(refused);
  }
  await ask(admin, call, ['message-files', 'roles', ['coach', 'admin'], 5, admin.userId, why]);
  const [row] = await sql`
    select reason, details from public.audit_log where action = 'toggle.set' order by id desc limit 1`;
  expect(row).toMatchObject({
    reason: why,
    details: {
      before: { audience: 'everyone', owner_id: null },
      after: { audience: 'roles', roles: ['admin', 'coach'], percentage: null },
    },
  });
  const { rows } = await ask(admin, "admin_toggles('{}')");
  expect(rows.find(({ id }: { id: string }) => id === 'message-files')).toMatchObject({
    audience: 'roles',
    owner: { id: admin.userId, name: 'Ada Min' },
    change: { reason: why, by: 'Ada Min' },
  });
});

test('A toggle is on for a role, or off for everyone', async () => {
  await set('message-files', 'roles', { roles: ['coach'] });
  expect(await on(coach)).toContain('message-files');
  expect(await on(owner)).not.toContain('message-files');
  await set('message-files', 'off');
  expect(await on(coach)).not.toContain('message-files');
});

test('A share of people is always the same people, about as many, and grows with it', async () => {
  const shares = await sql<{ share: number; other: number }[]>`
    select private.share_of('registration', id) as share, private.share_of('message-files', id) as other
    from (select gen_random_uuid() as id from generate_series(1, 4000)) p`;
  for (const percent of [10, 50, 90]) {
    const part = shares.filter(({ share }) => share < percent).length / shares.length;
    expect(Math.abs(part * 100 - percent)).toBeLessThan(4);
  }
  // Not the same people for each toggle.
  expect(shares.filter(({ share, other }) => share === other).length).toBeLessThan(200);
  const [mine] = await sql`select private.share_of('message-files', ${owner.userId}) as share`;
  const share = Number(mine?.share);
  await set('message-files', 'percentage', { percentage: Math.min(share + 1, 99) });
  expect(await on(owner)).toContain('message-files');
  if (share > 0) {
    await set('message-files', 'percentage', { percentage: share });
    expect(await on(owner)).not.toContain('message-files');
  }
});

test('Visitors have a toggle only if it’s on for everyone', async () => {
  const visitor = async (): Promise<string[]> =>
    (await ask(people.visitor, 'toggles_on()')) as string[];
  expect(await visitor()).toContain('registration');
  await set('registration', 'percentage', { percentage: 99 });
  expect(await visitor()).not.toContain('registration');
});

describe('Procedures refuse what a toggle turned off', () => {
  test('asking for a coach', async () => {
    await set('coaching-requests', 'off');
    const id = crypto.randomUUID();
    expect(await refusal(colleague, 'request_coaching($1, $2)', [id, ids.alder])).toBe(
      '55000 We aren’t taking coaching requests right now. Try again later.',
    );
    await set('coaching-requests', 'everyone');
    expect(await ask(colleague, 'request_coaching($1, $2)', [id, ids.alder])).toMatchObject({ id });
  });

  test('adding a file to a message', async () => {
    const { direct } = await talksIn(world);
    const file = "begin_message_file($1, $2, 'a.png', 'image/png', 10)";
    await set('message-files', 'roles', { roles: ['coach'] });
    expect(await refusal(owner, file, [crypto.randomUUID(), direct])).toBe(
      '55000 You can’t add files to messages right now. Send the text without them.',
    );
    await set('message-files', 'everyone');
    expect(await ask(owner, file, [crypto.randomUUID(), direct])).toMatchObject({ name: 'a.png' });
  });

  test('an account for somebody who wasn’t invited', async () => {
    await set('registration', 'off');
    expect(await refusalOf(createNewcomer(world))).toBe('55000 Registration is closed right now.');
    const may = async (email: string) =>
      (await sql`select private.may_register(${email}) as may`)[0]?.may;
    expect(await may('asked@home.test')).toBe(false);
    await ask(owner, 'invite_member($1, $2, $3)', [
      crypto.randomUUID(),
      ids.alder,
      'asked@home.test',
    ]);
    expect(await may(' Asked@home.test')).toBe(true);
    await sql`update public.business_invitations set expires_at = now() where address = 'asked@home.test'`;
    expect(await may('asked@home.test')).toBe(false);
  });
});

test('Toggles to look at again are on the overview, as many as its list has', async () => {
  await sql`
    update private.toggles set expires_on = current_date + case key when 'registration' then -3 when 'message-files' then 14 else 15 end`;
  const { count } = await ask(admin, 'admin_toggles($1, null, 0)', [{ state: 'review' }]);
  expect(count.total).toBe(2);
  expect((await ask(admin, 'admin_overview()')).tasks.toggles).toBe(2);
});

test('Nobody reads the table itself', async () => {
  expect(await whoMay(world, (tx) => tx`select from private.toggles`)).toEqual(
    everyone('42501 permission denied for table toggles'),
  );
});

import { describe, expect, test } from 'vitest';
import { ordersIn } from '../../fixtures/orders.ts';
import { createNewcomer, expectReaders, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, coach, colleague, owner } = people;

interface Row {
  id: string;
  name: string;
  email: string;
  role: string;
  state: string;
  businesses: { name: string }[];
}
const list = async (filter: object = {}): Promise<Row[]> =>
  (await ask(admin, 'admin_people($1)', [filter])).rows;
const names = async (filter: object) => (await list(filter)).map(({ name }) => name);
const auditOf = (id: string) => sql`
  select action, reason, details from public.audit_log
  where actor_id = ${admin.userId} and entity = 'user' and entity_id = ${id}
    and action not like 'person.%' order by id`;

test('People are found by the beginning of a name, an address or a business, without accents', async () => {
  await sql`update public.profiles set full_name = 'Otis Peña' where user_id = ${people.otherCoach.userId}`;
  expect(await names({ words: 'pena' })).toEqual(['Otis Peña']);
  expect(await names({ words: 'OLI own' })).toEqual(['Olive Owner']);
  expect(await names({ words: 'colleague@example' })).toEqual(['Cole League']);
  expect(await names({ words: 'alder', sort: 'name' })).toEqual(['Cole League', 'Olive Owner']);
  await sql`update public.businesses set name = 'Maple Bakery' where name = 'Alder Bakery'`;
  expect(await names({ words: 'alder' })).toEqual([]);
  await sql`update auth.users set email = 'cole@maple.test' where id = ${colleague.userId}`;
  expect(await names({ words: 'cole@maple' })).toEqual(['Cole League']);
  await sql`delete from public.business_members where user_id = ${colleague.userId}`;
  expect(await names({ words: 'maple bakery' })).toEqual(['Olive Owner']);
});

test('People are filtered by role and state', async () => {
  expect(await names({ role: 'admin' })).toEqual(['Ada Min']);
  expect((await names({ role: 'coach', sort: 'name' })).join()).toBe('Carla Coach,Otis Peña');
  expect((await list({ role: 'owner' })).map(({ role }) => role)).toEqual(Array(5).fill('owner'));
  const newcomer = await createNewcomer(world);
  await sql`update auth.users set email_confirmed_at = null where id = ${newcomer.userId}`;
  expect((await list({ state: 'unconfirmed' })).map(({ email }) => email)).toEqual([
    newcomer.email,
  ]);
  expect(await names({ state: 'unconfirmed', words: 'olive' })).toEqual([]);
  // Nobody types the word that their state has in the index.
  expect(await names({ words: 'unconfirmed' })).toEqual([]);
});

test('A person’s state in the filter is the one on their page, whatever changed it', async () => {
  const { userId, email } = await createNewcomer(world);
  const states = ['active', 'unconfirmed', 'leaving', 'blocked'];
  const seenAs = async () => {
    const found: string[] = [];
    for (const state of states) {
      const rows = await list({ state, words: email });
      if (rows.length > 0) found.push(state);
      expect(rows.every((row) => row.state === state)).toBe(true);
    }
    return found;
  };
  expect(await seenAs()).toEqual(['active']);
  await sql`insert into public.account_deletions (user_id) values (${userId})`;
  expect(await seenAs()).toEqual(['leaving']);
  await ask(admin, "set_blocked($1, true, 'a test')", [userId]);
  expect(await seenAs()).toEqual(['blocked']);
  await ask(admin, "set_blocked($1, false, 'a test')", [userId]);
  await sql`delete from public.account_deletions where user_id = ${userId}`;
  expect(await seenAs()).toEqual(['active']);
  await sql`update auth.users set email_confirmed_at = null where id = ${userId}`;
  expect(await seenAs()).toEqual(['unconfirmed']);
  await sql`update auth.users set email_confirmed_at = now() where id = ${userId}`;
  expect(await seenAs()).toEqual(['active']);
});

test('One person’s page has what belongs to them, and nothing of what they answered', async () => {
  await ordersIn(world).invoiced();
  const person = await ask(admin, 'admin_person($1)', [owner.userId]);
  expect(person).toMatchObject({
    name: 'Olive Owner',
    role: 'owner',
    state: 'active',
    businesses: [{ name: 'Maple Bakery', role: 'owner', archived: false }],
    attempts: { open: 1, finished: 1 },
    coaching: [{ state: 'assigned', coach: 'Carla Coach' }],
    orders: [{ state: 'invoiced', business: 'Maple Bakery', total_minor: 59_779 }],
    contact: { messages: 0, consent: 'none' },
  });
  expect(JSON.stringify(person)).not.toMatch(/score|answers|body/);
  expect(await ask(admin, 'admin_person($1)', [crypto.randomUUID()])).toBeNull();
});

describe('What an admin does about an account', () => {
  const calls = [
    ['end_sessions', "'{id}', '{reason}'"],
    ['set_blocked', "'{id}', true, '{reason}'"],
    ['reset_second_factor', "'{id}', 'video', '{reason}'"],
    ['resend_confirmation', "'{id}', '{reason}'"],
  ] as const;
  test.each(calls)('%s needs a reason, an account, and someone else’s', async (name, args) => {
    const call = (id: string, reason: string) =>
      refusal(admin, `${name}(${args.replace('{id}', id).replace('{reason}', reason)})`);
    expect(await call(owner.userId, ' ')).toBe('22023 Give a reason of 3 to 2,000 characters.');
    expect(await call(crypto.randomUUID(), 'a test')).toBe('P0002 We can’t find this account.');
    expect(await call(admin.userId, 'a test')).toBe(
      '55000 This is your own account. Ask another admin.',
    );
  });

  const openSession = async (userId: string) => {
    const id = crypto.randomUUID();
    await sql`insert into auth.sessions (id, user_id, aal) values (${id}, ${userId}, 'aal1')`;
    return { ...owner, userId, sessionId: id };
  };

  test('ends the sessions at once', async () => {
    const open = await openSession(owner.userId);
    await ask(open, 'session_context()');
    expect(await ask(admin, "end_sessions($1, 'a lost laptop')", [owner.userId])).toEqual({
      ended: 1,
    });
    expect(await refusal(open, 'get_profile()')).toMatch(/^PT401 /);
    expect(await auditOf(owner.userId)).toMatchObject([
      { action: 'session.end', reason: 'a lost laptop', details: { count: 1 } },
    ]);
  });

  test('blocks an account and its sessions, and lets the person in again', async () => {
    const open = await openSession(coach.userId);
    expect(await ask(admin, "set_blocked($1, true, 'left us')", [coach.userId])).toEqual({
      state: 'blocked',
    });
    expect(await refusal(open, 'get_profile()')).toMatch(/^PT401 /);
    expect(await names({ state: 'blocked' })).toEqual(['Carla Coach']);
    expect(await ask(admin, "set_blocked($1, false, 'is back')", [coach.userId])).toEqual({
      state: 'active',
    });
    expect((await auditOf(coach.userId)).slice(-2)).toMatchObject([
      { action: 'account.block', reason: 'left us' },
      { action: 'account.unblock', reason: 'is back' },
    ]);
  });

  test('blocks no admin', async () => {
    await ask(admin, "set_staff_role($1, 'admin', 'a trial')", [colleague.userId]);
    expect(await refusal(admin, "set_blocked($1, true, 'a test')", [colleague.userId])).toBe(
      '55000 They’re an admin. Remove that role first.',
    );
  });

  test('resets a lost second factor only after a check, and the person hears of it', async () => {
    const { userId, email } = people.ownerWithoutCode;
    expect(
      await refusal(admin, "reset_second_factor($1, 'guessed', 'a new phone')", [userId]),
    ).toBe('22023 Say how you made sure it’s them.');
    expect(await refusal(admin, "reset_second_factor($1, 'video', 'a test')", [owner.userId])).toBe(
      '55000 They don’t use two-step sign-in.',
    );
    expect(await ask(admin, "reset_second_factor($1, 'video', 'a new phone')", [userId])).toEqual({
      removed: 1,
    });
    expect(await auditOf(userId)).toMatchObject([
      { action: 'second_factor.forget', reason: 'a new phone', details: { check: 'video' } },
    ]);
    const mails = await sql`
      select data ->> 'subject' as subject from private.mails
      where to_address = ${email} order by created_at`;
    expect(mails.at(-1)).toEqual({ subject: 'We removed your authenticator app' });
  });

  test('sends the confirmation again, only while it’s needed and three times a day', async () => {
    const { userId, email } = await createNewcomer(world);
    const again = "resend_confirmation($1, 'asked on the phone')";
    expect(await refusal(admin, again, [userId])).toBe(
      '55000 They’ve already confirmed their email.',
    );
    await sql`update auth.users set email_confirmed_at = null where id = ${userId}`;
    for (let time = 0; time < 3; time++) {
      expect(await ask(admin, again, [userId])).toEqual({ email });
    }
    expect(await refusal(admin, again, [userId])).toMatch(/^PT429 .*three times within a day/);
  });
});

describe('A coach’s profile', () => {
  const save = 'save_coach_profile($1, $2, $3, $4, $5)';

  test('is refused for anyone else, and with what doesn’t exist', async () => {
    const { userId } = people.otherCoach;
    expect(await refusal(admin, save, [owner.userId, '', [], 3, true])).toBe(
      '55000 They aren’t a coach.',
    );
    for (const areas of [['magic'], [null]]) {
      expect(await refusal(admin, save, [userId, '', areas, 3, true])).toBe(
        '22023 Choose areas from the list.',
      );
    }
    for (const capacity of [-1, 201]) {
      expect(await refusal(admin, save, [userId, '', [], capacity, true])).toBe(
        '22023 Enter a number from 0 to 200.',
      );
    }
    expect(await refusal(admin, save, [userId, 'x'.repeat(2001), [], 3, true])).toBe(
      '22023 Keep it to 2,000 characters.',
    );
  });

  test('says how many clients they take, and nobody assigns more', async () => {
    const { userId } = people.otherCoach;
    const assign = "assign_coach($1, $2, 'near')";
    const profile = { about: 'Bread', areas: ['sales-marketing'], capacity: 0, accepting: true };
    expect(await ask(admin, save, [userId, ' Bread ', ['sales-marketing'], 0, true])).toEqual({
      ...profile,
      clients: 0,
      industries: [],
      paused_until: null,
    });
    expect((await ask(admin, 'admin_person($1)', [userId])).coach).toMatchObject(profile);
    expect(await refusal(admin, assign, [ids.birchEngagement, userId])).toBe(
      '55000 This coach already has as many clients as they take (0). Choose someone else.',
    );
    await ask(admin, save, [userId, '', [], null, false]);
    expect(await refusal(admin, assign, [ids.birchEngagement, userId])).toBe(
      '55000 This coach isn’t taking new clients. Choose someone else.',
    );
    await ask(admin, save, [userId, '', [], 1, true]);
    expect(await ask(admin, assign, [ids.birchEngagement, userId])).toMatchObject({
      coach: { user_id: userId },
    });
    expect((await ask(admin, 'admin_person($1)', [userId])).coach).toMatchObject({ clients: 1 });
    // Their own, and nobody else's.
    await expectReaders(world, 'coach_profiles', 'capacity', { otherCoach: ['1'] });
  });
});

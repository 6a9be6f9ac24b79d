import { afterEach, describe, expect, test } from 'vitest';
import {
  createNewcomer,
  everyone,
  expectCallers,
  expectReaders,
  openWorld,
  pause,
  refusalOf,
  someoneWaits,
  whoMay,
} from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, as } = world;
const { admin } = people;

test('Only an admin gives a role', async () => {
  const olive = people.owner.userId;
  const sentence = '42501 Only an admin can do this.';
  await expectCallers(world, `set_staff_role('${olive}', 'coach', 'she asked')`, sentence, {
    admin: 1,
  });
  expect(
    await whoMay(world, (sql) => sql`select private.make_admin('owner@example.test')`),
  ).toEqual(everyone('42501 permission denied for function make_admin'));
});

test('A role needs a reason, a name and an account, and the last admin stays', async () => {
  const olive = people.owner.userId;
  const set = (id: string, role: string | null, reason: string) =>
    refusalOf(as(admin)`select set_staff_role(${id}, ${role}, ${reason})`);
  expect(await set(olive, 'coach', ' ')).toBe('22023 Give a reason of 3 to 2,000 characters.');
  expect(await set(olive, 'boss', 'she asked')).toBe('22023 A role is coach, admin or none.');
  expect(await set(crypto.randomUUID(), 'coach', 'she asked')).toBe(
    'P0002 We can’t find this account.',
  );
  expect(await set(admin.userId, null, 'tired')).toBe(
    '55000 They’re the last admin. Make someone else an admin first.',
  );
});

test('A role is only for someone who can sign in and whose address is confirmed', async () => {
  const person = await createNewcomer(world);
  const set = (role: string | null) =>
    refusalOf(as(admin)`select set_staff_role(${person.userId}, ${role}, 'a trial')`);
  await sql`update auth.users set email_confirmed_at = null where id = ${person.userId}`;
  expect(await set('coach')).toBe('55000 They haven’t confirmed their email yet.');
  await sql`
    update auth.users set email_confirmed_at = now(), banned_until = now() + interval '1 day'
    where id = ${person.userId}`;
  expect(await set('admin')).toBe('55000 Their account is blocked. Let them in again first.');
});

test('Staff see their own role and nobody else sees any', async () => {
  await expectReaders(world, 'staff_roles', 'role', {
    coach: ['coach'],
    otherCoach: ['coach'],
    admin: ['admin'],
  });
});

test('An admin makes a coach and takes it back, and both are in the audit log', async () => {
  const colleague = people.colleague.userId;
  const set = (role: string | null) =>
    as(admin)`select set_staff_role(${colleague}, ${role}, 'a trial') as done`;
  expect((await set('coach'))[0]?.done).toEqual({ user_id: colleague, role: 'coach' });
  expect((await set(null))[0]?.done).toEqual({ user_id: colleague, role: 'owner' });
  const rows = await sql`
    select actor_id, action, reason, details from public.audit_log
    where entity_id = ${colleague} order by id`;
  expect(rows).toEqual([
    {
      actor_id: admin.userId,
      action: 'staff_role.set',
      reason: 'a trial',
      details: { before: 'owner', after: 'coach' },
    },
    {
      actor_id: admin.userId,
      action: 'staff_role.set',
      reason: 'a trial',
      details: { before: 'coach', after: 'owner' },
    },
  ]);
});

describe('Of two admins', () => {
  const lastOne = '55000 They’re the last admin. Make someone else an admin first.';
  const secondAdmin = async () => {
    const second = await createNewcomer(world);
    await as(admin)`select set_staff_role(${second.userId}, 'admin', 'a second one')`;
    return second;
  };
  const admins = async () =>
    (await sql`select user_id from public.staff_roles where role = 'admin'`).map(
      ({ user_id }) => user_id,
    );
  afterEach(async () => {
    await sql`delete from public.account_deletions`;
    await sql`delete from public.staff_roles where role = 'admin' and user_id <> ${admin.userId}`;
    await sql`
      insert into public.staff_roles (user_id, role) values (${admin.userId}, 'admin')
      on conflict do nothing`;
  });

  test('who remove each other at once, one stays', async () => {
    const second = await secondAdmin();
    const first = await pause(
      sql,
      admin,
      (tx) => tx`select set_staff_role(${second.userId}, null, 'a test')`,
    );
    const other = refusalOf(as(second)`select set_staff_role(${admin.userId}, null, 'a test')`);
    await someoneWaits(sql);
    await first.finish();
    // They lost the role before the other one's turn came.
    expect(await other).toMatch(/^(42501|55000) /);
    expect(await admins()).toEqual([admin.userId]);
  });

  test('who give up their own roles at once, one stays', async () => {
    const second = await secondAdmin();
    const first = await pause(
      sql,
      admin,
      (tx) => tx`select set_staff_role(${admin.userId}, null, 'a test')`,
    );
    const other = refusalOf(as(second)`select set_staff_role(${second.userId}, null, 'a test')`);
    await someoneWaits(sql);
    await first.finish();
    expect(await other).toBe(lastOne);
    expect(await admins()).toEqual([second.userId]);
  });

  test('who delete their accounts at once, one stays', async () => {
    const second = await secondAdmin();
    const fresh = (who: typeof admin) => ({ ...who, provedAt: Math.floor(Date.now() / 1000) });
    const first = await pause(sql, fresh(admin), (tx) => tx`select request_account_deletion()`);
    const other = refusalOf(as(fresh(second))`select request_account_deletion()`);
    await someoneWaits(sql);
    await first.finish();
    expect(await other).toBe('55000 You’re the last admin. Make someone else an admin first.');
  });

  test('nobody blocks one who becomes an admin at that moment', async () => {
    const person = await createNewcomer(world);
    const first = await pause(
      sql,
      admin,
      (tx) => tx`select set_staff_role(${person.userId}, 'admin', 'a test')`,
    );
    const blocking = refusalOf(as(admin)`select set_blocked(${person.userId}, true, 'a test')`);
    await someoneWaits(sql);
    await first.finish();
    expect(await blocking).toBe('55000 They’re an admin. Remove that role first.');
  });
});

import { describe, expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import {
  everyone,
  idOfPerson,
  prepareWorld,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';

const world = prepareWorld();

const denied = '42501 permission denied for table staff_roles';

describe('Who may see and change who is a coach or an admin', () => {
  test('Nobody makes themselves staff by writing the table', () =>
    nobodyWrites(world, 'staff_roles'));

  test('Only an admin gives a role', async () => {
    const olive = idOfPerson('owner');
    const sentence = '42501 Only an admin may do this.';
    expect(
      await whoMay(world, (sql) => sql`select set_staff_role(${olive}, 'coach', 'she asked')`),
    ).toEqual(
      everyone(sentence, {
        visitor: '42501 permission denied for function set_staff_role',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        admin: 1,
      }),
    );
    expect(
      await whoMay(world, (sql) => sql`select private.make_admin('owner@example.test')`),
    ).toEqual(everyone('42501 permission denied for function make_admin'));
  });

  test('A role needs a reason, a name and an account, and the last admin stays', async () => {
    const { sql, people } = world;
    const olive = idOfPerson('owner');
    const set = (id: string, role: string | null, reason: string) =>
      refusalOf(
        asPerson(sql, people.admin, (tx) => tx`select set_staff_role(${id}, ${role}, ${reason})`),
      );
    expect(await set(olive, 'coach', ' ')).toBe('22023 Give a reason of 3 to 2,000 characters.');
    expect(await set(olive, 'boss', 'she asked')).toBe('22023 A role is coach, admin or none.');
    expect(await set(crypto.randomUUID(), 'coach', 'she asked')).toBe(
      'P0002 There is no such account.',
    );
    expect(await set(idOfPerson('admin'), null, 'tired')).toBe(
      '55000 The last admin stays admin: name another one first.',
    );
  });

  test('Staff see their own role and nobody else sees any', async () => {
    expect(await whoReads(world, 'staff_roles', 'user_id, role', (row) => row.role)).toEqual(
      everyone([], {
        visitor: denied,
        coach: ['coach'],
        otherCoach: ['coach'],
        admin: ['admin'],
      }),
    );
  });

  test('An admin makes a coach and takes it back, and both are in the audit log', async () => {
    const { sql, people } = world;
    const colleague = idOfPerson('colleague');
    const set = (role: string | null) =>
      asPerson(
        sql,
        people.admin,
        (tx) => tx`select set_staff_role(${colleague}, ${role}, 'a trial') as done`,
      );
    expect((await set('coach'))[0]?.done).toEqual({ user_id: colleague, role: 'coach' });
    expect((await set(null))[0]?.done).toEqual({ user_id: colleague, role: 'owner' });
    const rows = await sql`
      select actor_id, action, reason, details from public.audit_log
      where entity_id = ${colleague} order by id`;
    expect(rows).toEqual([
      {
        actor_id: idOfPerson('admin'),
        action: 'staff_role.set',
        reason: 'a trial',
        details: { before: 'owner', after: 'coach' },
      },
      {
        actor_id: idOfPerson('admin'),
        action: 'staff_role.set',
        reason: 'a trial',
        details: { before: 'coach', after: 'owner' },
      },
    ]);
  });
});

import { expect, test } from 'vitest';
import { openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { admin, coach, owner } = people;

const actions = async (filter: object): Promise<string[]> =>
  (await ask(admin, 'admin_audit($1)', [filter])).rows.map(
    ({ action }: { action: string }) => action,
  );

await sql`
  insert into public.audit_log (at, actor_id, action, entity, entity_id, details)
  values
    ('2026-03-01T06:59Z', ${admin.userId}, 'account.block', 'user', ${owner.userId}, '{}'),
    ('2026-03-01T07:00Z', ${admin.userId}, 'person.read', 'user', ${owner.userId}, '{}'),
    ('2026-03-02T06:59Z', ${admin.userId}, 'account.unblock', 'user', ${owner.userId}, '{}'),
    ('2026-03-02T07:00Z', ${coach.userId}, 'project.read', 'project', null, '{}')`;

test('Days begin and end where the admin is', async () => {
  await sql`update public.profiles set time_zone = 'America/Denver' where user_id = ${admin.userId}`;
  const day = { from: '2026-03-01', to: '2026-03-01' };
  expect(await actions(day)).toEqual(['account.unblock', 'person.read']);
  await sql`update public.profiles set time_zone = 'UTC' where user_id = ${admin.userId}`;
  expect(await actions(day)).toEqual(['person.read', 'account.block']);
});

test('Changes and reads are told apart, and people', async () => {
  const until = { to: '2026-03-31' };
  expect(await actions({ ...until, kind: 'changes' })).toEqual([
    'account.unblock',
    'account.block',
  ]);
  expect(await actions({ ...until, kind: 'reads' })).toEqual(['project.read', 'person.read']);
  expect(await actions({ ...until, person: coach.userId })).toEqual(['project.read']);
});

import { expect, test } from 'vitest';
import { openWorld } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
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

test('What was done about a business is found by its name, its projects included', async () => {
  const project = crypto.randomUUID();
  await createProject(world, project);
  await ask(admin, 'admin_business($1)', [ids.alder]);
  await ask(admin, 'get_project($1)', [project]);
  await ask(admin, 'move_project($1, $2)', [project, 'planned']);
  await ask(admin, "void_attempt($1, 'a test')", [ids.alderResult]);
  await ask(admin, 'admin_engagement($1)', [ids.alderEngagement]);
  await ask(admin, 'admin_business($1)', [ids.birch]);
  const expected = [
    'engagement.read',
    'attempt.void',
    'project.edit',
    'project.read',
    'business.read',
  ];
  // The world's own coaching was assigned before.
  expect(await actions({ business: ids.alder })).toEqual([
    ...expected,
    'sessions.give',
    'engagement.assign',
  ]);
  const found = await actions({ words: 'alder bak', from: '2026-04-01' });
  expect(found.filter((action) => expected.includes(action))).toEqual(expected);
  expect(await actions({ words: 'nobody' })).toEqual([]);
  expect(await refusal(admin, `admin_audit('{"person": "x"}')`)).toBe(
    '22023 We lost your place in the list. Start from the top.',
  );
});

test('What was done about a person is found wherever it was done', async () => {
  // Their coaching is theirs, too.
  expect(await actions({ person: owner.userId, action: 'engagement.read' })).toEqual([
    'engagement.read',
  ]);
  const [contact] = await sql<{ id: string }[]>`
    select id from public.contacts where user_id = ${people.otherCoach.userId}`;
  await ask(admin, 'admin_contact($1)', [contact?.id]);
  await ask(admin, 'admin_person($1)', [people.otherCoach.userId]);
  const read = ['person.read', 'contact.read'];
  const kind = { kind: 'reads', from: '2026-04-01' };
  expect(await actions({ ...kind, person: people.otherCoach.userId })).toEqual(read);
  expect(await actions({ ...kind, words: 'otis' })).toEqual(read);
});

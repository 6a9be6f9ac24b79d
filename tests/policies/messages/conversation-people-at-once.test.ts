import { beforeEach, expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { openWorldForEach, pause, refusalOf, someoneWaits } from '../../fixtures/personas.ts';
import { type Talk, talkIn } from '../../fixtures/talk.ts';

const world = await openWorldForEach();
const { people, ids, ask } = world;
const { owner, colleague, otherOwner, coach, otherCoach, admin } = people;
let talk: Talk;
beforeEach(async () => {
  talk = talkIn(world);
});

/** An admin assigns a coach, in a transaction that isn't committed yet. */
const assigning = (engagementId: string, coach: Person) =>
  pause(
    world.sql,
    admin,
    (tx) => tx`select assign_coach(${engagementId}, ${coach.userId ?? null}, 'near')`,
  );

/** An admin gives or removes a role, in a transaction that isn't committed yet. */
const naming = (who: Person, role: string | null) =>
  pause(
    world.sql,
    admin,
    (tx) => tx`select set_staff_role(${who.userId ?? null}, ${role}, 'because')`,
  );

test('A coach who is assigned at that moment takes part', async () => {
  const assigned = await assigning(ids.birchEngagement, otherCoach);
  const opening = talk.open(otherOwner, 'engagement', ids.birchEngagement);
  await someoneWaits(world.sql);
  await assigned.finish();
  expect(await talk.present(await opening)).toEqual(['Otis Coach', 'Otto Other']);
});

test('A member who joins at that moment takes part', async () => {
  const project = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3)', [project, ids.alder, 'Leads']);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const joining = world.sql.begin(async (tx) => {
    await tx`
      insert into public.business_members (business_id, user_id, role)
      values (${ids.alder}, ${otherOwner.userId}, 'member')`;
    reach();
    await released;
  });
  await reached;
  const opening = talk.open(colleague, 'project', project);
  await someoneWaits(world.sql);
  release();
  await joining;
  expect(await talk.present(await opening)).toContain('Otto Other');
});

test('A coach who is none any more at that moment takes no part', async () => {
  await ask(admin, 'assign_coach($1, $2, $3)', [ids.birchEngagement, otherCoach.userId, 'near']);
  for (const [who, kind, subject, gone] of [
    [otherOwner, 'engagement', ids.birchEngagement, otherCoach],
    [owner, 'direct', coach.userId, coach],
  ] as const) {
    const taken = await naming(gone, null);
    const opening = talk.open(who, kind, subject).then(talk.present, ({ message }) => message);
    await someoneWaits(world.sql);
    await taken.finish();
    expect(await opening).toEqual(
      kind === 'direct' ? 'You can’t message this person.' : ['Otto Other'],
    );
  }
});

test('An admin who is named at that moment takes part', async () => {
  const named = await naming(otherCoach, 'admin');
  const opening = talk.open(owner, 'support');
  await someoneWaits(world.sql);
  await named.finish();
  expect(await talk.present(await opening)).toEqual(['Ada Min', 'Olive Owner', 'Otis Coach']);
});

test('Whoever loses the role of coach while they are given a client hears nothing of them', async () => {
  const engagement = await talk.open(owner, 'engagement', ids.alderEngagement);
  const assigned = await assigning(ids.alderEngagement, otherCoach);
  const taking = ask(admin, 'set_staff_role($1, null, $2)', [otherCoach.userId, 'because']);
  await someoneWaits(world.sql);
  await assigned.finish();
  await taking;
  expect(await talk.present(engagement)).toEqual(['Olive Owner']);
});

test('Whoever is given a client while they lose the role of coach is not', async () => {
  const engagement = await talk.open(owner, 'engagement', ids.alderEngagement);
  const taken = await naming(otherCoach, null);
  const refused = refusalOf(
    ask(admin, 'assign_coach($1, $2, $3)', [ids.alderEngagement, otherCoach.userId, 'near']),
  );
  await someoneWaits(world.sql);
  await taken.finish();
  expect(await refused).toBe('22023 Choose someone who’s a coach.');
  expect(await talk.present(engagement)).toEqual(['Carla Coach', 'Olive Owner']);
});

test('A project that joins an engagement which gets another coach is talked about with that one', async () => {
  const project = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3)', [project, ids.alder, 'Leads']);
  const conversation = await talk.open(owner, 'project', project);
  const assigned = await assigning(ids.alderEngagement, otherCoach);
  const joining = world.sql`
    update public.projects set engagement_id = ${ids.alderEngagement} where id = ${project}`.execute();
  await someoneWaits(world.sql);
  await assigned.finish();
  await joining;
  const present = await talk.present(conversation);
  expect(present).toContain('Otis Coach');
  expect(present).not.toContain('Carla Coach');
});

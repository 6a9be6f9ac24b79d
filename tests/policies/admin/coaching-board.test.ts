import { expect, test } from 'vitest';
import { closeSession } from '../../fixtures/coaching.ts';
import { createCoach, createRequest, moveBack } from '../../fixtures/engagements.ts';
import { createNewcomer, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { admin, owner, coach } = people;

const countOf = async (filter: object): Promise<number> =>
  (await ask(admin, 'admin_engagements($1, null, 0)', [filter])).count.total;

interface Board {
  funnel: { state: string; count: number; late: number; median_hours: number | null }[];
  coaches: { user_id: string; clients: number; waiting: number; paused_until: string | null }[];
  attention: { away: number; change: number };
}
const board = (): Promise<Board> => ask(admin, 'admin_coaching_board()');

test('Nobody but admins sees how coaching is going, or anyone’s engagement', async () => {
  for (const who of [owner, coach]) {
    for (const call of ['admin_coaching_board()', 'admin_engagements()']) {
      expect(await refusal(who, call)).toMatch(/^42501/);
    }
    expect(await refusal(who, 'admin_engagement($1)', [ids.alderEngagement])).toMatch(/^42501/);
  }
});

test('Every number on the board is the count of the list it opens', async () => {
  const newcomer = await createNewcomer(world);
  const { id } = await createRequest(world, newcomer);
  await moveBack(sql, id, 30);
  const away = await createCoach(world);
  const { id: given } = await createRequest(world, newcomer);
  await ask(admin, "assign_coach($1, $2, 'a test')", [given, away.userId]);
  await ask(away, 'accept_client($1)', [given]);
  await ask(newcomer, "ask_for_other_coach($1, 'We never meet')", [given]);
  await sql`
    insert into public.coach_profiles (user_id, paused_until)
    values (${away.userId}, current_date + 30)
    on conflict (user_id) do update set paused_until = excluded.paused_until`;

  const { funnel, coaches, attention } = await board();
  for (const { state, count, late } of funnel) {
    expect([state, count]).toEqual([state, await countOf({ state })]);
    expect([state, late]).toEqual([state, await countOf({ state, late: '1' })]);
  }
  expect(funnel.find(({ state }) => state === 'requested')?.late).toBe(1);
  for (const { user_id, clients } of coaches) {
    expect(clients).toBe(await countOf({ coach: user_id }));
  }
  expect(attention).toEqual({ away: 1, change: 1 });
  expect(attention.away).toBe(await countOf({ show: 'away' }));
  expect(attention.change).toBe(await countOf({ show: 'change' }));
});

test('How long a state typically takes is in the middle of two, not the longer one', async () => {
  const newcomer = await createNewcomer(world);
  const inState = () => sql<{ id: string; hours: number }[]>`
    select e.id, extract(epoch from now() - e.state_since)::float8 / 3600 as hours
    from public.engagements e where e.closed_at is null and e.state = 'requested'
    order by e.state_since desc`;
  // An even number, of which the middle two are ten days apart.
  while ((await inState()).length % 2 !== 0 || (await inState()).length < 2) {
    await createRequest(world, newcomer);
  }
  const half = (await inState()).length / 2;
  for (const { id } of (await inState()).slice(half)) await moveBack(sql, id, 10);

  const hours = (await inState()).map((each) => each.hours);
  const [shorter = 0, longer = 0] = hours.slice(half - 1, half + 1);
  expect(longer - shorter).toBeGreaterThanOrEqual(240);
  const { funnel } = await board();
  const typical = funnel.find(({ state }) => state === 'requested')?.median_hours;
  expect(typical).toBeCloseTo((shorter + longer) / 2, 0);
});

test('A coach without a limit has room, without a number', async () => {
  await sql`
    insert into public.coach_profiles (user_id, capacity) values (${coach.userId}, null)
    on conflict (user_id) do update set capacity = null`;
  const { matches } = await ask(admin, 'admin_engagement($1)', [ids.birchEngagement]);
  expect(matches).toContainEqual(
    expect.objectContaining({ user_id: coach.userId, capacity: null, room: null, has_room: true }),
  );
});

test('What an admin reads of an engagement has no private note, only that there’s one', async () => {
  await ask(coach, 'accept_client($1)', [ids.alderEngagement]);
  await closeSession(world, { note: 'Between me and my pillow' });
  const page = await ask(admin, 'admin_engagement($1)', [ids.alderEngagement]);
  expect(page.sessions).toMatchObject([{ has_note: true }]);
  expect(JSON.stringify(page)).not.toContain('pillow');
});

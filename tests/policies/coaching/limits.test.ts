import { expect, test } from 'vitest';
import { acceptClients, hoursFromNow, scheduleSession } from '../../fixtures/coaching.ts';
import { createCoach, createRequest, dayFromNow } from '../../fixtures/engagements.ts';
import { openWorldForEach, refusalOf } from '../../fixtures/personas.ts';
import { raiseLimits } from '../../fixtures/raise-limits.ts';

const world = await openWorldForEach();
const { people, ids, ask, refusal } = world;
const { owner, coach, otherCoach, admin } = people;
const { alderEngagement } = ids;

const TOO_MUCH = /^PT429 You’ve changed this coaching a lot today\. Try again in \d+ hours\.$/;

/** How often work succeeds until it's refused for today. */
async function untilRefused(work: () => Promise<unknown>): Promise<number> {
  await raiseLimits(world.sql, 'all');
  for (let times = 0; times < 200; times += 1) {
    const words = await refusalOf(work()).catch(() => null);
    if (words === null) continue;
    expect(words).toMatch(TOO_MUCH);
    return times;
  }
  throw new Error('It was never refused.');
}
/** Uses up all but three of a day's 50. */
const spend = (what: string) =>
  world.sql`update public.rate_limits set hits = 47 where key like ${`coaching-${what}:%`}`;
const notificationsOf = async (who: { userId: string }) => {
  const [row] = await world.sql`
    select count(*)::int as count from public.notifications where user_id = ${who.userId}`;
  return row?.count;
};
const active = async () => {
  await acceptClients(world);
  await world.sql`select private.start_coaching(${alderEngagement})`;
};

test('Nobody pauses and picks up coaching again and again, but they can always withdraw', async () => {
  await active();
  const before = await notificationsOf(coach);
  const day = await dayFromNow(world.sql, 7);
  const times = await untilRefused(async () => {
    await ask(owner, 'pause_coaching($1, $2)', [alderEngagement, day]);
    await ask(owner, 'resume_coaching($1)', [alderEngagement]);
  });
  expect(times).toBe(5);
  expect((await notificationsOf(coach)) - before).toBe(10);
  // The coach isn't held back by what the owner did.
  await ask(coach, 'pause_coaching($1, $2)', [alderEngagement, day]);
  await ask(owner, 'withdraw_coaching($1)', [alderEngagement]);
});

test('Nobody completes and reopens coaching again and again', async () => {
  await active();
  const times = await untilRefused(async () => {
    await ask(coach, "complete_coaching($1, 'Well done.')", [alderEngagement]);
    await ask(coach, 'reopen_coaching($1)', [alderEngagement]);
  });
  // One of the ten was saying yes.
  expect(times).toBe(4);
});

test('Nobody asks for another coach and keeps theirs again and again', async () => {
  await active();
  const times = await untilRefused(async () => {
    await ask(owner, "ask_for_other_coach($1, 'They never call.')", [alderEngagement]);
    await ask(owner, 'keep_coach($1)', [alderEngagement]);
  });
  expect(times).toBe(10);
  expect(await notificationsOf(admin)).toBe(10);
});

test('Sharing results has a limit, and taking them back has none', async () => {
  const share = (shared: boolean) =>
    ask(owner, 'set_results_shared($1, $2)', [alderEngagement, shared]);
  await untilRefused(async () => {
    await share(true);
    await share(false);
  });
  await share(false);
});

test('A coach doesn’t offer, plan or move times, or recommend, without end', async () => {
  await acceptClients(world);
  const offer = "offer_times(gen_random_uuid(), $1, $2, 'America/Denver', 60, 'online', '')";
  const times = [hoursFromNow(30), hoursFromNow(40)];
  await ask(coach, offer, [alderEngagement, times]);
  await spend('plan');
  expect(await untilRefused(() => ask(coach, offer, [alderEngagement, times]))).toBe(3);
  expect(await refusalOf(scheduleSession(world, 50))).toMatch(TOO_MUCH);
  // With another client, it's another count.
  const id = await scheduleSession(world, 60, { engagement: ids.cedarEngagement });
  await spend('plan');
  let hours = 100;
  const move = "move_session($1, $2, 60, 'online', '')";
  const moves = await untilRefused(() => {
    hours += 2;
    return ask(coach, move, [id, hoursFromNow(hours)]);
  });
  expect(moves).toBe(3);
  const recommend = "recommend(gen_random_uuid(), $1, 'project', null, 'A project', null, null)";
  await ask(coach, recommend, [alderEngagement]);
  await spend('recommend');
  expect(await untilRefused(() => ask(coach, recommend, [alderEngagement]))).toBe(3);
});

test('An owner can’t choose a coach who said no to this request before, but an admin can ask them again', async () => {
  const { id } = await createRequest(world, owner);
  await ask(owner, 'choose_coach($1, $2)', [id, otherCoach.userId]);
  await ask(otherCoach, "decline_client($1, 'no time')", [id]);
  expect(await refusal(owner, 'choose_coach($1, $2)', [id, otherCoach.userId])).toBe(
    '55000 This coach couldn’t take on your request. Choose someone else.',
  );
  await ask(admin, "assign_coach($1, $2, 'they have time now')", [id, otherCoach.userId]);
});

test.each([
  ['is full', '{}', 1, true, null, /as many clients as they take \(1\)/],
  ['takes no new clients', '{}', null, false, null, /isn’t taking new clients/],
  ['is paused', '{}', null, true, 5, /isn’t taking new clients/],
])(
  'An owner doesn’t pick coaching up again with a coach who %s, but that coach does',
  async (_what, areas, capacity, accepting, days, why) => {
    const busy = await createCoach(world);
    const { id } = await createRequest(world, owner);
    await ask(owner, 'choose_coach($1, $2)', [id, busy.userId]);
    await ask(busy, 'accept_client($1)', [id]);
    await world.sql`select private.start_coaching(${id})`;
    await ask(busy, "complete_coaching($1, 'Well done.')", [id]);
    const other = await createRequest(world, people.colleague);
    await ask(people.colleague, 'choose_coach($1, $2)', [other.id, busy.userId]);
    const until = days === null ? null : await dayFromNow(world.sql, days);
    await ask(busy, "save_my_coaching('', $1, '{}', $2, $3, $4)", [
      areas,
      capacity,
      accepting,
      until,
    ]);
    const shown = async (who: typeof owner) => (await ask(who, 'get_coaching()')).engagements;
    expect((await shown(owner)).find((each: { id: string }) => each.id === id).can_reopen).toBe(
      false,
    );
    expect(await refusal(owner, 'reopen_coaching($1)', [id])).toMatch(why);
    await ask(busy, 'reopen_coaching($1)', [id]);
  },
);

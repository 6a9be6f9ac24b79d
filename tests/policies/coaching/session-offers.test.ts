import { expect, test } from 'vitest';
import { acceptClients, hoursFromNow, scheduleSession } from '../../fixtures/coaching.ts';
import { expectCallers, openWorld } from '../../fixtures/personas.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, ownerWithCode, coach, otherCoach, admin } = people;
const { alderEngagement, cedarEngagement } = ids;
await acceptClients(world);

const offer = "offer_times($1, $2, $3, 'America/Denver', 60, 'online', 'A link')";
let hours = 100;
/** Offers two new times to Alder Bakery. */
async function offered(engagement = alderEngagement) {
  const id = crypto.randomUUID();
  hours += 10;
  const times = [hoursFromNow(hours), hoursFromNow(hours + 4)];
  await ask(coach, offer, [id, engagement, times]);
  return { id, times };
}
const stateOf = async (id: string) => {
  const [row] =
    await sql`select state, session_id, note from public.session_offers where id = ${id}`;
  return row;
};

const first = await offered();
const noTimes = 'P0002 We can’t find these times.';

test.each([
  [
    `offer_times(gen_random_uuid(), '${alderEngagement}', array[now() + interval '5 days', now() + interval '6 days'], 'America/Denver', 60, 'online', null)`,
    'P0002 We can’t find this coaching.',
    { coach: 1 },
  ],
  [`withdraw_offer('${first.id}')`, noTimes, { coach: 1 }],
  [`pick_time('${first.id}', gen_random_uuid(), '${first.times[0]}')`, noTimes, { owner: 1 }],
  [`decline_times('${first.id}', 'All too early')`, noTimes, { owner: 1 }],
])('Everyone else is refused %s', (call, refused, but) => expectCallers(world, call, refused, but));

const later = hoursFromNow(500);
test.each([
  ['one time', [later]],
  ['four times', [1, 2, 3, 4].map((each) => hoursFromNow(500 + each * 5))],
  ['the same time twice', [later, later]],
  ['a time that has passed', [hoursFromNow(-1), later]],
  ['no time', []],
  ['a gap', [later, null]],
])('%s can’t be offered', async (_what, times) => {
  expect(await refusal(coach, offer, [crypto.randomUUID(), alderEngagement, times])).toBe(
    '22023 Offer two or three different times in the future.',
  );
});

test('A time at which the coach has a session can’t be offered', async () => {
  await scheduleSession(world, 600, { engagement: cedarEngagement });
  const times = [hoursFromNow(600.5), hoursFromNow(700)];
  expect(await refusal(coach, offer, [crypto.randomUUID(), alderEngagement, times])).toMatch(
    /^55000 You already have a session with Cedar Care/,
  );
});

test('Offered twice under one id, it’s one offer; the next one takes its place', async () => {
  const { id, times } = await offered();
  expect(await ask(coach, offer, [id, alderEngagement, times])).toEqual({ id, state: 'open' });
  expect(await refusal(coach, offer, [id, cedarEngagement, times])).toBe(
    '23505 This offer already exists.',
  );
  const { offers } = (await ask(owner, 'get_coaching()')).engagements[0];
  expect(offers).toMatchObject([{ id, state: 'open', kind: 'online', place: 'A link' }]);
  await offered();
  expect(await stateOf(id)).toMatchObject({ state: 'withdrawn' });
});

test('An owner picks one of the times, which is a session then, however often it’s sent', async () => {
  const { id, times } = await offered();
  const session = crypto.randomUUID();
  expect(await refusal(owner, 'pick_time($1, $2, $3)', [id, session, hoursFromNow(900)])).toBe(
    '22023 Choose one of the times that are offered.',
  );
  for (let sent = 0; sent < 2; sent += 1) {
    expect(await ask(owner, 'pick_time($1, $2, $3)', [id, session, times[1]])).toEqual({
      id: session,
      state: 'scheduled',
    });
  }
  expect(await stateOf(id)).toMatchObject({ state: 'picked', session_id: session });
  const [row] =
    await sql`select starts_at, coach_id, place from public.coaching_sessions where id = ${session}`;
  expect(row).toEqual({
    starts_at: new Date(String(times[1])),
    coach_id: coach.userId,
    place: 'A link',
  });
  const told = await sql`
    select count(*)::int as times from public.notifications
    where user_id = ${coach.userId} and key = ${`session:${session}`}`;
  expect(told).toEqual([{ times: 1 }]);
  const another = [id, crypto.randomUUID(), times[0]];
  expect(await refusal(owner, 'pick_time($1, $2, $3)', another)).toBe(
    '55000 You’ve already picked a time.',
  );
  expect(await refusal(owner, 'decline_times($1, null)', [id])).toBe(
    '55000 You’ve already picked a time. Cancel the session instead.',
  );
  expect(await refusal(coach, 'withdraw_offer($1)', [id])).toBe(
    '55000 They’ve already picked a time. Move or cancel the session instead.',
  );
});

test('A time that someone else got meanwhile is gone, and the owner isn’t told whose it is', async () => {
  const { id, times } = await offered();
  const [at = ''] = times;
  await ask(coach, "schedule_session($1, $2, $3, 'UTC', 60, 'phone', null)", [
    crypto.randomUUID(),
    cedarEngagement,
    at,
  ]);
  expect(await refusal(owner, 'pick_time($1, $2, $3)', [id, crypto.randomUUID(), at])).toBe(
    '55000 Your coach has another session then. Choose another time.',
  );
  expect(await stateOf(id)).toMatchObject({ state: 'open' });
});

test('An owner declines with a note; withdrawn times can’t be picked', async () => {
  const { id, times } = await offered();
  for (let sent = 0; sent < 2; sent += 1) {
    expect(await ask(owner, 'decline_times($1, $2)', [id, 'Mornings are for baking.'])).toEqual({
      id,
      state: 'declined',
    });
  }
  expect(await stateOf(id)).toMatchObject({ note: 'Mornings are for baking.' });
  const [told] = await sql`
    select title, body from public.notifications
    where user_id = ${coach.userId} and key = ${`offer:${id}:declined`}`;
  expect(told).toEqual({
    title: 'None of the times works for Olive Owner',
    body: 'Mornings are for baking.',
  });
  const { id: withdrawn } = await offered();
  await ask(coach, 'withdraw_offer($1)', [withdrawn]);
  const pick = [withdrawn, crypto.randomUUID(), times[0]];
  expect(await refusal(owner, 'pick_time($1, $2, $3)', pick)).toBe(
    '55000 These times aren’t offered anymore.',
  );
});

test('A session that the coach schedules settles what was offered', async () => {
  const { id } = await offered();
  await scheduleSession(world, 1000);
  expect(await stateOf(id)).toMatchObject({ state: 'withdrawn' });
});

test('When the coach changes, their offers end', async () => {
  const { id } = await offered(cedarEngagement);
  await ask(admin, 'assign_coach($1, $2, $3)', [cedarEngagement, otherCoach.userId, 'On leave']);
  expect(await stateOf(id)).toMatchObject({ state: 'withdrawn' });
  expect(await refusal(ownerWithCode, 'decline_times($1, null)', [id])).toBe(
    '55000 These times aren’t offered anymore.',
  );
});

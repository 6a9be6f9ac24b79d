import { expect, test } from 'vitest';
import {
  acceptClients,
  closeSession,
  hoursFromNow,
  scheduleSession,
} from '../../fixtures/coaching.ts';
import { expectCallers, openWorld } from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, coach, otherCoach, admin } = people;
const { alderEngagement, cedarEngagement } = ids;
await acceptClients(world);

const list = (filter: object = {}, place: object | null = null, limit: number | null = null) =>
  ask(coach, 'list_clients($1, $2, $3)', [filter, place, limit]);
const idsOf = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id);

test.each([
  'list_clients()',
  'client_counts()',
  'coach_today()',
  `get_client('${alderEngagement}')`,
])('Visitors are refused %s, and who still has to give a code', (call) =>
  expectCallers(world, call, 1, {}),
);

test('Nobody but coaches has clients, and a coach only their own', async () => {
  const nothing = { rows: [], more: false };
  const none = { assigned: 0, accepted: 0, active: 0, paused: 0 };
  for (const who of [owner, admin, otherCoach]) {
    expect(await ask(who, 'list_clients()')).toMatchObject(nothing);
    expect(await ask(who, 'list_clients(\'{"view": "board"}\')')).toMatchObject(nothing);
    expect(await ask(who, 'client_counts()')).toEqual(none);
    expect(await ask(who, 'get_client($1)', [alderEngagement])).toBeNull();
  }
  expect(await ask(owner, 'coach_today()')).toBeNull();
  expect(await ask(otherCoach, 'coach_today()')).toMatchObject({ due: [], counts: none });
  expect(await ask(coach, 'client_counts()')).toEqual({ ...none, accepted: 2 });
});

test('A row says what’s due, when they meet and what’s open', async () => {
  const planned = await scheduleSession(world, 24);
  await closeSession(world, { actions: [] });
  await ask(coach, "add_coaching_action(gen_random_uuid(), $1, 'Call', 'owner', null)", [
    alderEngagement,
  ]);
  const talk = talkIn(world);
  await talk.say(owner, await talk.open(owner, 'engagement', alderEngagement), 'Good morning');
  const { rows, more, count } = await list();
  expect({ more, count }).toEqual({ more: false, count: { total: 2, at_least: false } });
  const row = rows.find(({ id }: { id: string }) => id === alderEngagement);
  expect(row).toEqual({
    id: alderEngagement,
    key: expect.any(String),
    business: { id: ids.alder, name: 'Alder Bakery' },
    owner: { user_id: owner.userId, full_name: 'Olive Owner', avatar_path: null },
    state: 'active',
    due_what: 'session',
    due_at: expect.any(String),
    session_id: planned,
    next_session_at: expect.any(String),
    last_session_at: expect.any(String),
    open_actions: 1,
    results_shared: true,
    unread: 1,
  });
});

test('Clients are found by the words of the business and of its owner, also once they’re renamed', async () => {
  expect(idsOf(await list({ q: 'olive' }))).toEqual([alderEngagement]);
  expect(idsOf(await list({ q: 'cedar' }))).toEqual([cedarEngagement]);
  expect(idsOf(await list({ q: 'birch' }))).toEqual([]);
  await sql`update public.businesses set name = 'Zelkova Bakery' where id = ${ids.alder}`;
  expect(idsOf(await list({ sort: 'name' }))).toEqual([cedarEngagement, alderEngagement]);
  await sql`update public.businesses set name = 'Alder Bakery' where id = ${ids.alder}`;
  expect(idsOf(await list({ sort: 'name' }))).toEqual([alderEngagement, cedarEngagement]);
  await sql`update public.profiles set full_name = 'Olga Other' where user_id = ${owner.userId}`;
  expect(idsOf(await list({ q: 'olga' }))).toEqual([alderEngagement]);
  await sql`update public.profiles set full_name = 'Olive Owner' where user_id = ${owner.userId}`;
});

test('A list has one state, or a board the first of each; other states aren’t lists', async () => {
  expect(idsOf(await list({ state: 'active' }))).toEqual([alderEngagement]);
  expect(idsOf(await list({ state: 'accepted' }))).toEqual([cedarEngagement]);
  expect(idsOf(await list({ view: 'board', state: 'paused' }))).toEqual([
    cedarEngagement,
    alderEngagement,
  ]);
  expect(await refusal(coach, 'list_clients($1)', [{ state: 'withdrawn' }])).toBe(
    '22023 Clients aren’t listed by this state.',
  );
});

test('Today has what’s due by tomorrow, the sessions of both days, and nothing of later ones', async () => {
  const soon = await scheduleSession(world, 1, { engagement: cedarEngagement });
  await scheduleSession(world, 24 * 5, { engagement: cedarEngagement });
  const offer = [crypto.randomUUID(), alderEngagement, [hoursFromNow(300), hoursFromNow(310)]];
  await ask(coach, "offer_times($1, $2, $3, 'UTC', 60, 'phone', null)", offer);
  const today = await ask(coach, 'coach_today()');
  expect(today.due.map(({ id }: { id: string }) => id)).toEqual([cedarEngagement, alderEngagement]);
  expect(today.sessions[0]).toMatchObject({
    id: soon,
    engagement_id: cedarEngagement,
    business: { name: 'Cedar Care' },
    owner_name: 'Wanda Without',
  });
  expect(today.sessions).toHaveLength(2);
  expect(today).toMatchObject({ offers_waiting: 1, counts: { active: 1, accepted: 1 } });
  expect(today.unread).toHaveLength(1);
});

test('A coach’s own weeks count sessions held, clients met and messages written', async () => {
  const { weeks } = await ask(coach, 'coach_today()');
  expect(weeks.sessions).toHaveLength(12);
  const talk = talkIn(world);
  await talk.say(coach, await talk.open(coach, 'engagement', alderEngagement), 'Here’s the list');
  await sql`alter table public.coaching_sessions disable trigger user`;
  await sql`
    insert into public.coaching_sessions
      (id, engagement_id, coach_id, state, starts_at, time_zone, minutes, kind, closed_at)
    select gen_random_uuid(), ${alderEngagement}, ${coach.userId}, state, now() - interval '10 days',
      'UTC', 60, 'phone', now()
    from unnest(array['completed', 'completed', 'no_show']) state`;
  await sql`alter table public.coaching_sessions enable trigger user`;
  const after = (await ask(coach, 'coach_today()')).weeks;
  expect(after.sessions.at(-2)).toBe(weeks.sessions.at(-2) + 2);
  expect(after.clients.at(-2)).toBe(weeks.clients.at(-2) + 1);
  expect(after.messages.at(-1)).toBe(weeks.messages.at(-1) + 1);
  const others = (await ask(otherCoach, 'coach_today()')).weeks;
  expect(others.sessions.at(-2)).toBe(0);
});

test('What has ended stays with its coach for 90 days, without the business', async () => {
  await ask(coach, 'complete_coaching($1, $2)', [alderEngagement, 'We reached the goal.']);
  expect(idsOf(await list())).toEqual([cedarEngagement]);
  expect(idsOf(await list({ state: 'completed' }))).toEqual([alderEngagement]);
  expect(await ask(coach, 'get_client($1)', [alderEngagement])).toMatchObject({
    business: null,
    business_name: 'Alder Bakery',
    standing: null,
    projects: [],
    files: [],
    can_reopen: true,
  });
  await sql`alter table public.engagements disable trigger engagements_stay_as_they_are`;
  await sql`update public.engagements set closed_at = now() - interval '91 days' where id = ${alderEngagement}`;
  expect(idsOf(await list({ state: 'completed' }))).toEqual([]);
  expect(await ask(coach, 'get_client($1)', [alderEngagement])).toBeNull();
});

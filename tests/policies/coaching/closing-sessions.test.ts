import { expect, test } from 'vitest';
import {
  acceptClients,
  closeSession,
  closing,
  hoursFromNow,
  scheduleSession,
} from '../../fixtures/coaching.ts';
import { openWorldForEach } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, ask, refusal } = world;
const { owner, coach, otherCoach, admin } = people;
const { alderEngagement } = ids;

const close = 'close_session($1, $2, $3)';
const action = (said: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  body: 'Call five old customers',
  doer: 'owner',
  due_on: null,
  area_key: 'sales-marketing',
  tool_slug: null,
  focus_area_id: null,
  ...said,
});
const figures = (said: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  full_time: 2,
  part_time: null,
  revenue_minor: 1_200_000,
  profit_minor: null,
  currency: 'USD',
  ...said,
});
const next = (said: Record<string, unknown> = {}) => ({
  id: crypto.randomUUID(),
  starts_at: hoursFromNow(24 * 7),
  minutes: 60,
  kind: 'online',
  place: 'A link',
  ...said,
});

const sessionOf = async (id: string) => {
  const [row] = await world.sql`select * from public.coaching_sessions where id = ${id}`;
  return row;
};
const stateOf = async (id: string) => {
  const [row] = await world.sql`select state, due_what from public.engagements where id = ${id}`;
  return row;
};
test('The first session makes coaching active: summary, note, actions, figures and the next one in one call', async () => {
  await acceptClients(world);
  const scheduled = await scheduleSession(world, -2);
  expect(await stateOf(alderEngagement)).toEqual({ state: 'accepted', due_what: 'write_up' });
  const after = next();
  const said = closing({ actions: [action()], figures: figures(), next: after });
  // A second time is the same call after a lost response.
  for (let times = 0; times < 2; times += 1) {
    expect(await ask(coach, close, [scheduled, alderEngagement, said])).toEqual({
      id: scheduled,
      state: 'completed',
    });
  }
  // What's different the second time isn't stored.
  await ask(coach, close, [scheduled, alderEngagement, closing({ outcome: 'no_show', note: '' })]);
  expect(await sessionOf(scheduled)).toMatchObject({
    state: 'completed',
    uses_one: true,
    minutes: 45,
    topics: ['sales-marketing'],
    summary: 'We went through the leads.',
    place: 'A link',
  });
  expect(await stateOf(alderEngagement)).toEqual({ state: 'active', due_what: 'session' });
  expect(await world.sql`select body, author_id from public.session_notes`).toEqual([
    { body: 'A private thought.', author_id: coach.userId },
  ]);
  expect(
    await world.sql`select body, doer, session_id, created_by from public.coaching_actions`,
  ).toEqual([
    {
      body: 'Call five old customers',
      doer: 'owner',
      session_id: scheduled,
      created_by: coach.userId,
    },
  ]);
  expect(
    await world.sql`select business_id, full_time, revenue_minor::int, created_by from public.business_snapshots`,
  ).toEqual([
    { business_id: ids.alder, full_time: 2, revenue_minor: 1_200_000, created_by: coach.userId },
  ]);
  expect(await sessionOf(after.id)).toMatchObject({ state: 'scheduled' });
  const [step] = await world.sql`
    select from_state, to_state from public.engagement_events
    where engagement_id = ${alderEngagement} order by id desc limit 1`;
  expect(step).toEqual({ from_state: 'accepted', to_state: 'active' });
  const told = await world.sql`
    select title from public.notifications
    where user_id = ${owner.userId} and key = ${`session:${scheduled}:closed`}`;
  expect(told).toEqual([{ title: 'Carla Coach wrote up your session' }]);
});

test('A session that nobody scheduled is recorded when it’s closed', async () => {
  await acceptClients(world);
  const id = await closeSession(world, { kind: 'phone' });
  expect(await sessionOf(id)).toMatchObject({
    state: 'completed',
    kind: 'phone',
    closed_at: expect.any(Date),
  });
});

test('A missed session uses one and leaves coaching as it is; a canceled one uses none', async () => {
  await acceptClients(world);
  const missed = await closeSession(world, { outcome: 'no_show', summary: '' });
  expect(await sessionOf(missed)).toMatchObject({
    state: 'no_show',
    uses_one: true,
    summary: null,
  });
  expect(await stateOf(alderEngagement)).toMatchObject({ state: 'accepted' });
  const canceled = await scheduleSession(world, 48);
  await ask(owner, 'cancel_session($1, null)', [canceled]);
  expect((await ask(owner, 'get_coaching()')).engagements[0]).toMatchObject({ used: 1 });
  expect(await refusal(coach, close, [canceled, alderEngagement, closing()])).toBe(
    '55000 This session was canceled. Record it as a new one if it took place anyway.',
  );
});

test('A summary is changed for 30 days, and only once the session is closed', async () => {
  await acceptClients(world);
  const open = await scheduleSession(world, 24);
  expect(await refusal(coach, 'change_summary($1, $2)', [open, 'Words'])).toBe(
    '55000 Close the session first.',
  );
  const id = await closeSession(world);
  await ask(coach, 'change_summary($1, $2)', [id, ' Other words ']);
  expect(await sessionOf(id)).toMatchObject({ summary: 'Other words' });
  await world.sql`alter table public.coaching_sessions disable trigger user`;
  await world.sql`update public.coaching_sessions set closed_at = now() - interval '31 days' where id = ${id}`;
  expect(await refusal(coach, 'change_summary($1, $2)', [id, 'Later words'])).toBe(
    '55000 You can change a summary for 30 days.',
  );
  expect(await ask(coach, 'get_session($1)', [id])).toMatchObject({ can_change_summary: false });
});

test('An owner rates a completed session, changes their mind, and the coach never reads it', async () => {
  await acceptClients(world);
  const open = await scheduleSession(world, 24);
  expect(await refusal(owner, 'rate_session($1, 4, null)', [open])).toBe(
    '55000 You can say how a session went once it’s over.',
  );
  const id = await closeSession(world);
  for (const rating of [0, 5, null]) {
    expect(await refusal(owner, 'rate_session($1, $2, null)', [id, rating])).toBe(
      '22023 Choose one of the four answers.',
    );
  }
  for (const rating of [2, 3])
    await ask(owner, 'rate_session($1, $2, $3)', [id, rating, 'A quiet word']);
  expect(await ask(owner, 'get_session($1)', [id])).toMatchObject({
    rated: true,
    feedback: { rating: 3, comment: 'A quiet word' },
  });
  const { engagements } = await ask(owner, 'get_coaching()');
  expect(engagements[0].feedback).toEqual([{ session_id: id, rating: 3, comment: 'A quiet word' }]);
  expect(await ask(coach, 'get_session($1)', [id])).toMatchObject({ rated: true, feedback: null });
  for (const call of ['get_session($1)', 'get_client($1)']) {
    const answer = await ask(coach, call, [call.includes('client') ? alderEngagement : id]);
    expect(JSON.stringify(answer)).not.toContain('A quiet word');
  }
  expect(JSON.stringify(await ask(coach, 'export_account()'))).not.toContain('A quiet word');
});

test('When the coach changes, what was planned ends, and the former coach reads nothing anymore', async () => {
  await acceptClients(world);
  const planned = await scheduleSession(world, 24);
  const begun = await scheduleSession(world, -3);
  const closed = await closeSession(world);
  await ask(admin, 'assign_coach($1, $2, $3)', [alderEngagement, otherCoach.userId, 'On leave']);
  expect(await sessionOf(planned)).toMatchObject({
    state: 'canceled',
    cancel_reason: 'The coach changed.',
  });
  expect(await sessionOf(begun)).toMatchObject({ state: 'scheduled' });
  for (const id of [planned, begun, closed]) {
    const page = await ask(coach, 'get_session($1)', [id]);
    // What had begun can still be written up.
    expect(page === null).toBe(id !== begun);
    expect(await refusal(coach, 'save_session_note($1, $2)', [id, 'More'])).toBe(
      'P0002 We can’t find this session.',
    );
  }
  expect(await ask(coach, 'get_client($1)', [alderEngagement])).toBeNull();
  // The next coach reads the summary, but neither writes it nor reads the note.
  const client = await ask(otherCoach, 'get_client($1)', [alderEngagement]);
  expect(JSON.stringify(client)).toContain('We went through the leads.');
  expect(JSON.stringify(client)).not.toContain('A private thought.');
  expect(await refusal(otherCoach, 'change_summary($1, $2)', [closed, 'Mine'])).toBe(
    'P0002 We can’t find this session.',
  );
});

test('After the last session, one that was planned can still be written up', async () => {
  await acceptClients(world);
  await closeSession(world);
  const late = await scheduleSession(world, -2);
  const planned = await scheduleSession(world, 24);
  await ask(coach, 'complete_coaching($1, $2)', [alderEngagement, 'We reached the goal.']);
  expect(await sessionOf(planned)).toMatchObject({
    state: 'canceled',
    cancel_reason: 'The coaching ended.',
  });
  await ask(coach, close, [late, alderEngagement, closing()]);
  expect(await sessionOf(late)).toMatchObject({ state: 'completed' });
  expect(await refusal(coach, close, [crypto.randomUUID(), alderEngagement, closing()])).toBe(
    '55000 This coaching has ended.',
  );
});

test('A session during a pause picks coaching up; one from before it doesn’t', async () => {
  await acceptClients(world);
  await closeSession(world);
  await ask(coach, 'pause_coaching($1, current_date + 20, $2)', [alderEngagement, 'Harvest']);
  await closeSession(world, { starts_at: hoursFromNow(-5) });
  expect(await stateOf(alderEngagement)).toMatchObject({ state: 'paused' });
  await world.sql`alter table public.engagements disable trigger user`;
  await world.sql`update public.engagements set state_since = now() - interval '3 days' where id = ${alderEngagement}`;
  await world.sql`alter table public.engagements enable trigger user`;
  await closeSession(world);
  expect(await stateOf(alderEngagement)).toMatchObject({ state: 'active' });
});

import { expect, test } from 'vitest';
import { acceptClients, closeSession, scheduleSession } from '../../fixtures/coaching.ts';
import type { Person } from '../../fixtures/database.ts';
import { openWorldForEach } from '../../fixtures/personas.ts';

const world = await openWorldForEach();
const { people, ids, ask } = world;
const { owner, colleague, coach } = people;
const { alderEngagement } = ids;

/** Deletes an account whose 30 days have passed. */
async function goes(who: Person): Promise<void> {
  await ask({ ...who, provedAt: Math.floor(Date.now() / 1000) }, 'request_account_deletion()');
  await world.sql`
    update public.account_deletions
    set requested_at = now() - interval '30 days', due_at = now() - interval '1 second'`;
  await world.sql`select private.delete_due_accounts()`;
}

/** A closed session with everything that can be written about it, and things agreed on. */
async function worked() {
  await acceptClients(world);
  const action = {
    id: crypto.randomUUID(),
    body: 'Call Ann',
    doer: 'owner',
    due_on: null,
    area_key: null,
    tool_slug: null,
    focus_area_id: null,
  };
  const closed = await closeSession(world, { actions: [action] });
  const planned = await scheduleSession(world, 40);
  await ask(owner, "rate_session($1, 4, 'Very kind')", [closed]);
  await ask(coach, "recommend($1, $2, 'project', null, 'A price list', null, 'Try it')", [
    crypto.randomUUID(),
    alderEngagement,
  ]);
  await ask(owner, 'make_calendar_feed()');
  return { closed, planned };
}
const rowsOf = async (table: string) => {
  const rows = await world.sql.unsafe(`select t::text as row from public.${table} t`);
  return rows.map(({ row }) => String(row));
};

test('With an owner go private notes about them, actions, recommendations and the words of summaries', async () => {
  const { closed, planned } = await worked();
  await goes(owner);
  for (const table of [
    'session_notes',
    'coaching_actions',
    'coach_recommendations',
    'session_feedback',
    'calendar_feeds',
  ]) {
    expect(await rowsOf(table), table).toEqual([]);
  }
  const sessions = await world.sql`
    select id, state, summary, place, topics from public.coaching_sessions order by starts_at`;
  expect(sessions).toEqual([
    { id: closed, state: 'completed', summary: null, place: null, topics: [] },
    { id: planned, state: 'canceled', summary: null, place: null, topics: [] },
  ]);
  expect(await ask(coach, 'list_clients()')).toMatchObject({
    rows: [{ business: { id: ids.cedar } }],
  });
  expect(await ask(coach, 'get_session($1)', [closed])).toBeNull();
  expect(await ask(coach, 'get_client($1)', [alderEngagement])).toBeNull();
  // The business goes on with its other member, who reads nothing of the coaching.
  expect((await ask(colleague, 'get_coaching()')).engagements).toEqual([]);
});

test('With a coach go their private notes; the owner keeps what they read', async () => {
  const { closed, planned } = await worked();
  await goes(coach);
  expect(await rowsOf('session_notes')).toEqual([]);
  const [engagement] = (await ask(owner, 'get_coaching()')).engagements;
  expect(engagement.sessions).toMatchObject([
    { id: planned, state: 'canceled', cancel_reason: 'The coach changed.' },
    { id: closed, state: 'completed', summary: 'We went through the leads.' },
  ]);
  expect(engagement.actions).toMatchObject([{ body: 'Call Ann' }]);
  expect(engagement.recommendations).toMatchObject([{ title: 'A price list' }]);
  expect(await ask(owner, 'get_session($1)', [closed])).toMatchObject({
    coach_name: null,
    feedback: { rating: 4, comment: 'Very kind' },
  });
});

test('When businesses are merged, coaching is found under the name of the one that’s kept', async () => {
  await worked();
  await ask(people.admin, 'merge_businesses($1, $2, $3)', [ids.alder, ids.birch, 'The same']);
  const { rows } = await ask(coach, 'list_clients(\'{"q": "birch"}\')');
  expect(rows).toMatchObject([{ id: alderEngagement, business: { name: 'Birch Cycles' } }]);
  expect(await ask(owner, 'get_coaching()')).toMatchObject({
    engagements: [{ business_id: ids.birch, used: 1 }],
  });
});

import { expect, test } from 'vitest';
import { acceptClients, closeSession } from '../../fixtures/coaching.ts';
import { expectCallers, openWorld } from '../../fixtures/personas.ts';
import { createProject } from '../../fixtures/project.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, coach, otherOwner } = people;
const { alderEngagement, cedarEngagement } = ids;

const add = 'add_coaching_action($1, $2, $3, $4, current_date + 7)';
const tooEarly = await refusal(owner, add, [crypto.randomUUID(), alderEngagement, 'Call', 'owner']);
await acceptClients(world);
const [tool] = await sql`
  select slug, title, area_key from public.toolbox_items where state = 'published' order by slug limit 1`;
const slug = String(tool?.slug);

async function added(doer: 'owner' | 'coach', who = coach) {
  const id = crypto.randomUUID();
  await ask(who, add, [id, alderEngagement, 'Call five old customers', doer]);
  return id;
}
async function recommended() {
  const id = crypto.randomUUID();
  await ask(coach, "recommend($1, $2, 'tool', $3, null, null, 'For Friday')", [
    id,
    alderEngagement,
    slug,
  ]);
  return id;
}
const own = await added('owner');
const theirs = await added('coach');
const suggestion = await recommended();

test('Nothing is agreed on before the coach has accepted', () => {
  expect(tooEarly).toBe('55000 Accept this client first.');
});

const noEngagement = 'P0002 We can’t find this coaching.';
const noAction = 'P0002 We can’t find this action.';
test.each([
  [
    `add_coaching_action(gen_random_uuid(), '${alderEngagement}', 'Call', 'owner', null)`,
    noEngagement,
    { owner: 1, coach: 1 },
  ],
  [`settle_coaching_action('${own}', 'done')`, noAction, { owner: 1, coach: 1 }],
  [
    `settle_coaching_action('${theirs}', 'done')`,
    noAction,
    { owner: '42501 Your coach does this one.', coach: 1 },
  ],
  [
    `recommend(gen_random_uuid(), '${alderEngagement}', 'project', null, 'A price list', null, null)`,
    noEngagement,
    { coach: 1 },
  ],
  [
    `settle_recommendation('${suggestion}', 'taken')`,
    'P0002 We can’t find this recommendation.',
    { owner: 1 },
  ],
])('Everyone else is refused %s', (call, refused, but) => expectCallers(world, call, refused, but));

test.each([
  [['', 'owner'], '22023 Say what there is to do.'],
  [['x'.repeat(601), 'owner'], '22023 Keep it to 600 characters.'],
  [['Call', 'both'], '22023 Say who does it.'],
])('An action with %j is refused', async ([body = '', doer], message) => {
  const values = [crypto.randomUUID(), alderEngagement, body, doer];
  expect(await refusal(coach, add, values)).toBe(message);
});

test.each([
  ["$1, $2, 'Call', 'owner', current_date + 367", 'Choose a date within the next year.'],
  ["$1, $2, 'Call', 'owner', current_date - 61", 'Choose a date within the next year.'],
  ["$1, $2, 'Call', 'owner', null, 'juggling'", 'Choose from the skill areas.'],
  ["$1, $2, 'Call', 'owner', null, null, 'hammer'", 'Choose a tool from the toolbox.'],
  ["$1, $2, 'Call', 'owner', null, null, null, $1", 'Choose one of the focus areas.'],
  ["null, $2, 'Call', $1::text, null", 'An action needs an id.'],
])('An action with %s is refused: %s', async (call, message) => {
  const values = [crypto.randomUUID(), alderEngagement];
  expect(await refusal(coach, `add_coaching_action(${call})`, values)).toBe(`22023 ${message}`);
});

test('Added twice under one id, it’s one action, and one notification to the owner', async () => {
  const id = crypto.randomUUID();
  const values = [id, alderEngagement, 'Write to the bank', 'owner'];
  for (let sent = 0; sent < 2; sent += 1) {
    expect(await ask(coach, add, values)).toMatchObject({
      id,
      body: 'Write to the bank',
      doer: 'owner',
      state: 'open',
      session_id: null,
      tool: null,
    });
  }
  expect(await refusal(coach, add, [id, cedarEngagement, 'Write', 'owner'])).toBe(
    '23505 This action already exists.',
  );
  const told = await sql`
    select title, body from public.notifications
    where user_id = ${owner.userId} and key = ${`coaching-action:${id}`}`;
  expect(told).toEqual([{ title: 'A new action from your coach', body: 'Write to the bank' }]);
});

test('An action is settled and reopened, and says since when', async () => {
  const id = await added('owner', owner);
  for (const state of ['done', 'done', 'open', 'dropped']) {
    expect(await ask(owner, 'settle_coaching_action($1, $2)', [id, state])).toMatchObject({
      state,
      settled_at: state === 'open' ? null : expect.any(String),
    });
  }
  expect(await refusal(owner, "settle_coaching_action($1, 'lost')", [id])).toBe(
    '22023 An action is open, done or dropped.',
  );
});

test.each([
  [["'tool'", "'hammer'", 'null'], 'Choose a tool from the toolbox.'],
  [["'project'", 'null', "' '"], 'Give the project a title of 1 to 120 characters.'],
  [["'book'", 'null', "'A book'"], 'Recommend a tool or a project.'],
])('A recommendation of %j is refused', async (parts, message) => {
  const call = `recommend($1, $2, ${parts.join(', ')}, null, null)`;
  const values = [crypto.randomUUID(), alderEngagement];
  expect(await refusal(coach, call, values)).toBe(`22023 ${message}`);
});

test('A recommended tool is once in the list and once in the notifications, with its area', async () => {
  const { recommendations } = (await ask(owner, 'get_coaching()')).engagements[0];
  const [found, ...others] = recommendations.filter(({ id }: { id: string }) => id === suggestion);
  expect(others).toEqual([]);
  expect(found).toMatchObject({
    kind: 'tool',
    tool: { slug, title: tool?.title },
    area_key: tool?.area_key,
    note: 'For Friday',
    state: 'open',
  });
  const told = await sql`
    select path from public.notifications
    where user_id = ${owner.userId} and key = ${`recommendation:${suggestion}`}`;
  expect(told).toEqual([{ path: `/dashboard/toolbox?item=${slug}` }]);
});

test('An owner takes a project with the one they started from it, of their own business only', async () => {
  const id = crypto.randomUUID();
  const call = "recommend($1, $2, 'project', null, 'Answer every lead', 'sales-marketing', '')";
  for (let sent = 0; sent < 2; sent += 1) await ask(coach, call, [id, alderEngagement]);
  const project = crypto.randomUUID();
  await createProject(world, project);
  const foreign = crypto.randomUUID();
  await ask(otherOwner, "create_project($1, $2, 'Other')", [foreign, ids.birch]);
  const settle = "settle_recommendation($1, 'taken', $2)";
  expect(await refusal(owner, settle, [id, foreign])).toBe(
    '22023 Choose one of the business’s projects.',
  );
  for (let sent = 0; sent < 2; sent += 1) {
    expect(await ask(owner, settle, [id, project])).toMatchObject({
      state: 'taken',
      project_id: project,
    });
  }
  expect(await refusal(owner, "settle_recommendation($1, 'open')", [id])).toBe(
    '22023 A recommendation is taken or dismissed.',
  );
});

test('Owner and coach read one story; scores and focus areas only as long as they’re shared', async () => {
  await closeSession(world);
  await ask(
    owner,
    "choose_focus_area(gen_random_uuid(), $1, 'sales-marketing', gen_random_uuid(), 'Ask three', current_date + 20)",
    [ids.alderResult],
  );
  const [engagement] = (await ask(owner, 'get_coaching()')).engagements;
  const { timeline, loop } = engagement.story;
  const kinds = (entries: { kind: string }[]) => new Set(entries.map(({ kind }) => kind));
  expect([...kinds(timeline)].toSorted()).toEqual([
    'accepted',
    'action_added',
    'assigned',
    'focus_chosen',
    'recommendation_taken',
    'recommended',
    'requested',
    'session',
  ]);
  const area = loop.find(({ area_key }: { area_key: string }) => area_key === 'sales-marketing');
  expect(area).toMatchObject({
    scores: [{ score: 50, version_number: 2 }],
    focus_at: expect.any(String),
    sessions: [expect.any(String)],
  });
  const client = await ask(coach, 'get_client($1)', [alderEngagement]);
  expect(client.timeline).toEqual(timeline);
  expect(client.loop).toEqual(loop);
  expect(client.standing).toMatchObject({ attempt_id: ids.alderResult });
  await ask(owner, 'set_results_shared($1, false)', [alderEngagement]);
  const unshared = await ask(coach, 'get_client($1)', [alderEngagement]);
  expect(unshared).toMatchObject({ standing: null, focus: [] });
  expect(kinds(unshared.timeline)).not.toContain('focus_chosen');
  for (const each of unshared.loop) expect(each).toMatchObject({ scores: [], focus_at: null });
});

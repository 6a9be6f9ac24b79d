import { expect, test } from 'vitest';
import type { Found } from '#data/search.ts';
import type { Person } from '../../fixtures/database.ts';
import { openWorld, personaNames } from '../../fixtures/personas.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { people, ids, sql, ask, refusal } = world;
const { owner, colleague, otherOwner, coach, otherCoach, sponsor, admin } = people;
const { talk, direct, engagement } = await talksIn(world);
const project = crypto.randomUUID();
await ask(owner, 'create_project($1, $2, $3)', [project, ids.alder, 'Alderwood shelves']);
const otherProject = crypto.randomUUID();
await ask(otherOwner, 'create_project($1, $2, $3)', [otherProject, ids.birch, 'Birch leaflet']);
await talk.say(owner, direct, 'The alder delivery is between us two');
await talk.say(owner, engagement, 'Alder prices for my coach');

const find = (who: Person, words: string): Promise<Found[]> =>
  ask(who, 'search_everything($1)', [words]);
/** What someone finds besides tools, which everyone reads: "project Alderwood shelves". */
const titles = async (who: Person, words: string) =>
  (await find(who, words))
    .filter(({ kind }) => kind !== 'tool')
    .map(({ kind, title }) => `${kind} ${title}`);

test('Visitors and sessions without their code are refused', async () => {
  for (const words of ['alder', '', 'a']) {
    expect(await refusal(people.visitor, 'search_everything($1)', [words])).toMatch(/^42501 /);
    expect(await refusal(people.ownerWithoutCode, 'search_everything($1)', [words])).toMatch(
      /^42501 Enter the code/,
    );
  }
});

test('Nobody else finds what belongs to a business', async () => {
  for (const who of [otherOwner, otherCoach, sponsor, people.ownerWithCode]) {
    expect(await titles(who, 'alder')).toEqual([]);
    expect(await titles(who, 'olive')).toEqual([]);
  }
  expect(await titles(owner, 'birch')).toEqual([]);
  expect(await titles(owner, 'otto')).toEqual([]);
  expect(await titles(coach, 'birch')).toEqual([]);
});

test('Members find their business, its projects, each other and what they may read', async () => {
  expect(await titles(owner, 'alder')).toEqual([
    'project Alderwood shelves',
    'business Alder Bakery',
    'person Cole League',
    'conversation Coaching: Alder Bakery',
    'message Coaching: Alder Bakery',
    'message Cole League',
  ]);
  // The conversation with the coach isn't theirs.
  expect(await titles(colleague, 'alder')).toEqual([
    'project Alderwood shelves',
    'business Alder Bakery',
    'person Olive Owner',
    'message Olive Owner',
  ]);
  const [found] = await find(owner, 'alderw');
  expect(found).toEqual({
    ...{ kind: 'project', id: project, title: 'Alderwood shelves', detail: 'Alder Bakery' },
    ...{ type: 'draft', seq: null },
  });
});

test('A coach finds assigned clients, and no longer once they’re someone else’s', async () => {
  expect(await titles(coach, 'alder')).toEqual([
    'client Alder Bakery',
    'project Alderwood shelves',
    'business Alder Bakery',
    'conversation Coaching: Alder Bakery',
    'message Coaching: Alder Bakery',
  ]);
  expect((await find(coach, 'olive own'))[0]).toMatchObject({
    kind: 'client',
    title: 'Alder Bakery',
    detail: 'Olive Owner',
  });
  await sql`update public.engagements set coach_id = ${otherCoach.userId} where id = ${ids.alderEngagement}`;
  const kinds = (await find(coach, 'alder')).map(({ kind }) => kind);
  expect(kinds.filter((kind) => /client|project|business/.test(kind))).toEqual([]);
  await sql`update public.engagements set coach_id = ${coach.userId} where id = ${ids.alderEngagement}`;
});

test('An admin finds what the lists of admins show, and each of those writes the audit log', async () => {
  const before = await sql`select coalesce(max(id), 0) as id from public.audit_log`;
  expect(await titles(admin, 'alder')).toEqual([
    // People are found by their business's name, too.
    'account Cole League',
    'account Olive Owner',
    'business Alder Bakery',
    'project Alderwood shelves',
  ]);
  const log = await sql`
    select action, details ->> 'words' as words, actor_id from public.audit_log
    where id > ${before[0]?.id} order by id`;
  const by = { words: 'alder', actor_id: admin.userId };
  expect(log).toEqual([
    { action: 'person.list', ...by },
    { action: 'business.list', ...by },
    { action: 'project.list', ...by },
  ]);
});

test('Nobody but admins leaves a trace or finds accounts', async () => {
  const count = async () => (await sql`select count(*)::int as n from public.audit_log`)[0]?.n;
  const before = await count();
  for (const name of personaNames) {
    if (['visitor', 'ownerWithoutCode', 'admin'].includes(name)) continue;
    const rows = await find(people[name], 'example');
    expect(rows.filter(({ kind }) => kind === 'account')).toEqual([]);
  }
  expect(await count()).toBe(before);
});

test('Everyone finds published tools, by the words of their title first', async () => {
  const tools = (await find(sponsor, 'cash forecast')).filter(({ kind }) => kind === 'tool');
  expect(tools[0]).toMatchObject({ id: 'cash-forecast' });
  expect(tools.length).toBeLessThanOrEqual(5);
  await sql`
    update public.toolbox_items set state = 'archived', archived_at = now(), archived_reason = 'Old'
    where slug = ${tools[0]?.id ?? ''}`;
  const left = await find(sponsor, 'cash forecast');
  expect(left.map(({ id }) => id)).not.toContain(tools[0]?.id);
});

test('There are five of each kind, and what looks like a query is only words', async () => {
  for (let n = 0; n < 7; n += 1) {
    await ask(owner, 'create_project($1, $2, $3)', [crypto.randomUUID(), ids.alder, `Fence ${n}`]);
  }
  expect(await titles(owner, 'fence')).toHaveLength(5);
  expect(await find(owner, 'f')).toEqual([]);
  for (const words of [
    "' | !",
    '&&',
    ':*',
    'a:*b',
    "o'neill",
    '(((',
    '\\',
    '<->',
    '%_',
    'the',
    'x'.repeat(300),
  ]) {
    expect(Array.isArray(await find(owner, words)), words).toBe(true);
  }
});

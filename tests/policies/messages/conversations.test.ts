import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import {
  expectCallers,
  OWES_CODE,
  openWorld,
  refusalOf,
  whoReads,
} from '../../fixtures/personas.ts';
import { talkIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ask, refusal } = world;
const { owner, colleague, otherOwner, ownerWithoutCode, coach, otherCoach, admin } = people;
const project = crypto.randomUUID();
/** The ids of existing conversations, by kind. */
const ids = { direct: '', engagement: '', project: '', support: '' };

const talk = talkIn(world);
await ask(owner, 'create_project($1, $2, $3, p_engagement_id => $4)', [
  project,
  world.ids.alder,
  'Answer every lead',
  world.ids.alderEngagement,
]);
ids.direct = await talk.open(owner, 'direct', colleague.userId);
ids.engagement = await talk.open(owner, 'engagement', world.ids.alderEngagement);
ids.project = await talk.open(owner, 'project', project);
ids.support = await talk.open(owner, 'support');

const strangers = 'P0002 You can’t message this person.';
const notFound = 'P0002 We can’t find this conversation.';
const nameOf = (id: string) => Object.entries(ids).find(([, value]) => value === id)?.[0] ?? id;

const other = crypto.randomUUID();
await ask(owner, 'create_project($1, $2, $3)', [other, world.ids.alder, 'Without a coach']);

/** Others get the same error for an existing conversation as for one that doesn't exist. */
test.each([
  ['direct', owner.userId, strangers, { coach: 1, colleague: 1 }],
  ['engagement', world.ids.cedarEngagement, strangers, { ownerWithCode: 1, coach: 1 }],
  ['engagement', world.ids.alderEngagement, strangers, { owner: 1, coach: 1 }],
  ['project', other, strangers, { owner: 1, colleague: 1 }],
  ['support', otherOwner.userId, strangers, { otherOwner: 1, admin: 1 }],
  ['support', null, 1, {}],
])('Only people who work together open a conversation: %s %#', (kind, subject, refused, but) => {
  const about = subject === null ? 'null' : `'${subject}'`;
  const call = `open_conversation(gen_random_uuid(), '${kind}', ${about})`;
  return expectCallers(world, call, refused, but);
});

test('Strangers are not found, so that people do not learn who has an account', async () => {
  for (const stranger of [otherOwner.userId, crypto.randomUUID()]) {
    expect(await refusalOf(talk.open(owner, 'direct', stranger))).toBe(strangers);
  }
});

test('A conversation that is there is found by those who take part and nobody else', async () => {
  expect(await refusalOf(talk.open(colleague, 'support', owner.userId))).toBe(strangers);
  expect(await talk.open(coach, 'engagement', world.ids.alderEngagement)).toBe(ids.engagement);
  const [one, other] = await Promise.all([
    talk.open(coach, 'direct', owner.userId),
    talk.open(owner, 'direct', coach.userId),
  ]);
  expect(one).toBe(other);
});

test('The id of another conversation opens nothing', async () => {
  const taken = ask(otherOwner, 'open_conversation($1, $2)', [ids.direct, 'support']);
  expect(await refusalOf(taken)).toBe('23505 This conversation already exists.');
  expect(await refusal(otherOwner, 'open_conversation($1, $2)', [null, 'support'])).toBe(
    '22023 A conversation needs an id.',
  );
  expect(await refusalOf(talk.open(otherOwner, 'shouting'))).toBe(
    '22023 Choose someone to message.',
  );
});

test('Only those who take part, and after their second factor', async () => {
  expect(await whoReads(world, 'conversations', 'id', (row) => nameOf(row.id))).toMatchObject({
    visitor: '42501 permission denied for table conversations',
    colleague: ['direct', 'project'],
    otherOwner: [],
    ownerWithoutCode: [],
    ownerWithCode: [],
    otherCoach: [],
    admin: ['support'],
  });
  const rows = async (who: Person) =>
    (await ask(who, 'get_conversation($1)', [ids.engagement]))?.conversation.title ?? null;
  expect(await rows(owner)).toBe('Coaching: Alder Bakery');
  expect(await rows(coach)).toBe('Coaching: Alder Bakery');
  for (const name of ['colleague', 'otherOwner', 'otherCoach', 'admin'] as const) {
    expect(await rows(people[name]), name).toBeNull();
  }
  expect(await refusalOf(rows(ownerWithoutCode))).toBe(OWES_CODE);
});

test('The procedures of a conversation tell strangers only that there is none', async () => {
  for (const text of [
    'list_messages($1)',
    'list_message_changes($1, 0)',
    'read_messages($1, 1)',
    "save_message_draft($1, 'x')",
    'set_conversation_muted($1, true)',
    "send_message(gen_random_uuid(), $1, 'x')",
    "begin_message_file(gen_random_uuid(), $1, 'a.pdf', 'application/pdf', 10)",
  ]) {
    for (const name of ['otherOwner', 'otherCoach', 'admin', 'colleague'] as const) {
      const asked = ask(people[name], text, [ids.engagement]);
      expect(await refusalOf(asked), `${name}: ${text}`).toBe(notFound);
    }
    expect(await refusal(ownerWithoutCode, text, [ids.engagement])).toBe(OWES_CODE);
  }
});

test('What was begun and not said yet stands in the list of its maker alone', async () => {
  const listed = async (who: Person) =>
    (await ask(who, 'list_conversations()')).conversations.map(({ id }: { id: string }) => id);
  expect(await listed(owner)).toContain(ids.engagement);
  expect(await listed(coach)).not.toContain(ids.engagement);
  await talk.say(owner, ids.engagement, 'Good morning');
  expect(await listed(coach)).toContain(ids.engagement);
  expect(await listed(otherOwner)).toEqual([]);
});

test('The list says who, about what, what was said last, and what is unread', async () => {
  const page = await ask(coach, 'list_conversations()');
  expect(page).toMatchObject({ more: false, unread: 1, support_id: null });
  expect(page.conversations[0]).toMatchObject({
    id: ids.engagement,
    kind: 'engagement',
    title: 'Coaching: Alder Bakery',
    subject: { kind: 'engagement', id: world.ids.alderEngagement, name: 'Alder Bakery' },
    people: [{ id: owner.userId, name: 'Olive Owner', role: 'owner' }],
    others: 1,
    unread: 1,
    muted: false,
    open: true,
    closed_why: null,
    last_message: { seq: 1, author_id: owner.userId, excerpt: 'Good morning', files: 0 },
  });
  expect((await ask(owner, 'list_conversations()')).support_id).toBe(ids.support);
});

test('The list comes in pages, and is searched by people and subjects', async () => {
  const all = (await ask(owner, 'list_conversations()')).conversations;
  const seen: string[] = [];
  let place: { active_at: string; id: string } | undefined;
  for (let more = true; more; ) {
    const page = await ask(owner, 'list_conversations(null, $1, $2, 2)', [
      place?.active_at ?? null,
      place?.id ?? null,
    ]);
    seen.push(...page.conversations.map(({ id }: { id: string }) => id));
    place = page.conversations.at(-1);
    more = page.more;
  }
  expect(seen).toEqual(all.map(({ id }: { id: string }) => id));
  expect(new Set(seen).size).toBe(seen.length);

  const search = async (words: string) =>
    (await ask(owner, 'list_conversations($1)', [words])).conversations
      .map(({ id }: { id: string }) => nameOf(id))
      .toSorted();
  expect(await search('league')).toEqual(['direct', 'project']);
  expect(await search('every lead')).toEqual(['project']);
  expect(await search('coaching: ald')).toEqual(['engagement']);
  expect(await search('suppo')).toEqual(['support']);
  expect(await search('100%_')).toEqual([]);
});

const correspondents = async (who: Person, search: string | null = null) =>
  (await ask(who, 'list_correspondents($1)', [search])).map(
    (one: { kind: string; name: string; words: string }) =>
      `${one.kind}: ${one.name} (${one.words})`,
  );
const support = 'support: Support (Our staff)';

test('Only people one works with, and what one works on', async () => {
  expect(await correspondents(otherOwner)).toEqual([support]);
  expect(await correspondents(otherCoach)).toEqual([support]);
  expect(await correspondents(admin)).toEqual([]);
  expect(await correspondents(colleague)).toEqual([
    'direct: Olive Owner (Member of Alder Bakery)',
    'project: Answer every lead (Project at Alder Bakery)',
    'project: Without a coach (Project at Alder Bakery)',
    support,
  ]);
  expect(await correspondents(owner)).toEqual([
    'direct: Carla Coach (Your coach)',
    'direct: Cole League (Member of Alder Bakery)',
    'engagement: Coaching: Alder Bakery (With Carla Coach)',
    'project: Answer every lead (Project at Alder Bakery)',
    'project: Without a coach (Project at Alder Bakery)',
    support,
  ]);
  expect(await correspondents(coach, 'alder')).toEqual([
    'direct: Olive Owner (Client: Alder Bakery)',
    'engagement: Coaching: Alder Bakery (Owner: Olive Owner)',
    'project: Answer every lead (Project at Alder Bakery)',
  ]);
  expect(await refusalOf(correspondents(ownerWithoutCode))).toBe(OWES_CODE);
});

const stands = async (who: Person, id: string) => {
  const { conversation } = await ask(who, 'get_conversation($1)', [id]);
  return [conversation.open, conversation.closed_why];
};

test('Coaching that waits for a coach, or has ended', async () => {
  const id = await talk.open(otherOwner, 'engagement', world.ids.birchEngagement);
  expect(await stands(otherOwner, id)).toEqual([
    false,
    'You can write here once you have a coach.',
  ]);
  expect(await refusalOf(talk.say(otherOwner, id, 'Hello?'))).toBe(
    '55000 You can write here once you have a coach.',
  );
  await ask(admin, 'assign_coach($1, $2, $3)', [
    world.ids.birchEngagement,
    otherCoach.userId,
    'near',
  ]);
  expect(await stands(otherOwner, id)).toEqual([true, null]);
  await talk.say(otherOwner, id, 'Hello!');
  await sql`select private.withdraw_coaching(${world.ids.birch}, null, 'over')`;
  expect(await stands(otherOwner, id)).toEqual([false, 'This coaching has ended.']);
  expect(await refusalOf(talk.say(otherOwner, id, 'Still there?'))).toBe(
    '55000 This coaching has ended.',
  );
  expect(await talk.bodies(otherOwner, id)).toEqual(['Hello!']);
});

test('An archived business, and a project that nobody else works on', async () => {
  const lonely = crypto.randomUUID();
  await ask(otherOwner, 'create_project($1, $2, $3)', [lonely, world.ids.birch, 'Alone']);
  const id = await talk.open(otherOwner, 'project', lonely);
  expect(await stands(otherOwner, id)).toEqual([false, 'Nobody else is working on this project.']);
  await ask(owner, 'archive_business($1)', [world.ids.alder]);
  expect(await stands(owner, ids.project)).toEqual([false, 'This business is archived.']);
  expect(await refusalOf(talk.say(owner, ids.project, 'Hello?'))).toBe(
    '55000 This business is archived.',
  );
  await ask(owner, 'unarchive_business($1)', [world.ids.alder]);
  expect(await stands(owner, ids.project)).toEqual([true, null]);
});

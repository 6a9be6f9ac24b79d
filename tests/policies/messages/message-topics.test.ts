import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { openWorld, type PersonaName, personaNames } from '../../fixtures/personas.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, colleague, otherOwner, ownerWithCode, coach, otherCoach, admin } = people;
const { talk, direct, engagement } = await talksIn(world);

/**
 * What each persona may do in a channel, checked as Realtime does: h(ear), b(roadcast), be
 * p(resent); a dash for nothing.
 */
async function rights(topic: string): Promise<Record<PersonaName, string>> {
  const answers = {} as Record<PersonaName, string>;
  for (const name of personaNames) answers[name] = await rightsOf(name, topic);
  return answers;
}

interface Answer {
  read: string[];
  write: string[];
  error?: string;
}

async function rightsOf(name: PersonaName, topic: string): Promise<string> {
  const { userId, role, aal } = people[name];
  const claims = { role, ...(userId ? { sub: userId, aal: aal ?? 'aal1' } : {}) };
  const asked = [{ claims, topics: [{ name: topic, write: true }] }];
  const [row] = await sql`
    select realtime.access_to(${sql.json(asked)}, false) #> '{0,topics,0}' as answer`;
  const { read, write, error } = (row as { answer: Answer }).answer;
  if (error) throw new Error(error);
  const letters = [
    read.length === 2 ? 'h' : '',
    write.includes('broadcast') ? 'b' : '',
    write.includes('presence') ? 'p' : '',
  ].join('');
  return letters || '-';
}

/** These rights, and nothing for everyone else. */
const only = (rest: Partial<Record<PersonaName, string>>) => ({
  ...Object.fromEntries(personaNames.map((name) => [name, '-'])),
  ...rest,
});

const heardIn = (...topics: string[]) => Promise.all(topics.map(talk.heard));

/** Opens a conversation about a new project of the owner's business, with its coach. */
async function projectTalk(): Promise<string> {
  const project = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3, p_engagement_id => $4)', [
    project,
    ids.alder,
    'Leads',
    ids.alderEngagement,
  ]);
  return talk.open(owner, 'project', project);
}

const cedar = await talk.open(ownerWithCode, 'engagement', ids.cedarEngagement);
test.each([
  // Only the database broadcasts in a conversation; typing has its own channel.
  [`conversation:${engagement}:1`, { owner: 'hp', coach: 'hp' }],
  [`conversation:${direct}:1`, { owner: 'hp', colleague: 'hp' }],
  [`conversation:${cedar}:1`, { ownerWithCode: 'hp', coach: 'hp' }],
  [`typing:${engagement}:1`, { owner: 'hbp', coach: 'hbp' }],
  [`person:${owner.userId}`, { owner: 'h' }],
  [`person:${ownerWithCode.userId}`, { ownerWithCode: 'h' }],
  // People who can message a person see whether they're online.
  [`presence:${owner.userId}`, { owner: 'hp', colleague: 'h', coach: 'h' }],
  [`presence:${ownerWithCode.userId}`, { ownerWithCode: 'hp', coach: 'h' }],
  [`presence:${coach.userId}`, { owner: 'h', ownerWithCode: 'h', coach: 'hp' }],
  [`presence:${otherOwner.userId}`, { otherOwner: 'hp' }],
])('The channel %s is open to these people only: %j', async (topic, answers) => {
  expect(await rights(topic)).toEqual(only(answers));
});

test.each([
  `conversation:${engagement}:0`,
  `conversation:${engagement}:2`,
  `conversation:${engagement}:01`,
  `conversation:${engagement}`,
  `conversation:${engagement}:1:1`,
  `conversation:${engagement.toUpperCase()}:1`,
  `conversation:${crypto.randomUUID()}:1`,
  `xconversation:${engagement}:1`,
  'conversation:x:1',
  'conversation:',
  'person:',
  'presence:',
  'presence:x',
  // Only one such channel per person, because someone who joined thousands would slow others down.
  `presence:${owner.userId}:1`,
  'anything',
])(
  'Another epoch, another form of the name, or no conversation opens nothing: %s',
  async (topic) => {
    expect(await rights(topic)).toEqual(only({}));
  },
);

test('With a thread of support the admins and its person see each other', async () => {
  await talk.open(otherOwner, 'support');
  expect(await rights(`presence:${otherOwner.userId}`)).toEqual(
    only({ otherOwner: 'hp', admin: 'h' }),
  );
});

test('Asking for what nobody may hear leaves nothing behind', async () => {
  const topics = Array.from({ length: 20 }, () => `made-up:${crypto.randomUUID()}`);
  for (const topic of topics) await rightsOf('visitor', topic);
  const left = await sql`select topic from realtime.messages where topic = any (${topics})`;
  expect(left).toEqual([]);
  // A topic that someone may hear keeps its two probe rows, even after checks for other people.
  const own = `person:${coach.userId}`;
  expect(await rights(own)).toEqual(only({ coach: 'h' }));
  expect(await rights(own)).toEqual(only({ coach: 'h' }));
  expect(
    await sql`select from realtime.messages where topic = ${own} and event is null`,
  ).toHaveLength(2);
});

test('A session that was ended hears nothing', async () => {
  const claims = { role: 'authenticated', sub: owner.userId, session_id: crypto.randomUUID() };
  const asked = [{ claims, topics: [{ name: `person:${owner.userId}`, write: true }] }];
  const [row] = await sql`
    select realtime.access_to(${sql.json(asked)}, false) -> 0 as answer`;
  expect(row?.answer).toEqual({ session: false, topics: [] });
});

test('A message reaches its conversation, and each person in it on their own channel', async () => {
  const said = await talk.say(owner, engagement, 'Live');
  const epoch = await talk.epochOf(engagement);
  const last = (await talk.heard(`conversation:${engagement}:${epoch}`)).at(-1);
  expect(last).toMatchObject({ event: 'message', payload: { message: { ...said } } });
  expect((await talk.heard(`person:${coach.userId}`)).at(-1)).toMatchObject({
    event: 'conversation',
    payload: {
      id: engagement,
      title: 'Coaching: Alder Bakery',
      author_name: 'Olive Owner',
      last_seq: said.seq,
      revision: said.revision,
      last_message: { id: said.id, excerpt: 'Live', author_id: owner.userId },
      muted: false,
    },
  });
  await ask(owner, 'edit_message($1, $2)', [said.id, 'Livelier']);
  expect((await talk.heard(`conversation:${engagement}:${epoch}`)).at(-1)).toMatchObject({
    event: 'changed',
    payload: { message: { id: said.id, body: 'Livelier' } },
  });
});

test('What was not stored is not sent', async () => {
  const before = (await talk.heard(`person:${coach.userId}`)).length;
  const undone = asPerson(sql, owner, async (tx) => {
    await tx`select public.send_message(gen_random_uuid(), ${engagement}, 'Never')`;
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  expect(await talk.heard(`person:${coach.userId}`)).toHaveLength(before);
});

test('Who blocks or is blocked hears, types no more and sees nobody', async () => {
  await ask(colleague, 'set_person_blocked($1, true)', [owner.userId]);
  expect(await rights(`conversation:${direct}:1`)).toEqual(only({}));
  expect(await rights(`conversation:${direct}:2`)).toEqual(only({ owner: 'h', colleague: 'h' }));
  expect(await rights(`typing:${direct}:2`)).toEqual(only({ owner: 'h', colleague: 'h' }));
  expect(await rightsOf('owner', `presence:${colleague.userId}`)).toBe('-');
  expect(await rightsOf('colleague', `presence:${owner.userId}`)).toBe('-');
  await ask(colleague, 'set_person_blocked($1, false)', [owner.userId]);
  expect(await rightsOf('owner', `typing:${direct}:3`)).toBe('hbp');
});

test('A coach who is replaced keeps neither the old channel nor gets the new one', async () => {
  await ask(admin, 'assign_coach($1, $2, $3)', [
    ids.alderEngagement,
    otherCoach.userId,
    'takes over',
  ]);
  expect(await rights(`conversation:${engagement}:1`)).toEqual(only({}));
  expect(await rights(`conversation:${engagement}:2`)).toEqual(
    only({ owner: 'hp', otherCoach: 'hp' }),
  );
  expect(await rightsOf('coach', `presence:${owner.userId}`)).toBe('-');
});

test.each<[string, PersonaName, () => Promise<unknown>]>([
  [
    'left the business',
    'colleague',
    () => sql`
      delete from public.business_members
      where business_id = ${ids.alder} and user_id = ${colleague.userId}`,
  ],
  [
    'was replaced as the coach',
    'otherCoach',
    () => ask(admin, 'assign_coach($1, $2, $3)', [ids.alderEngagement, coach.userId, 'is back']),
  ],
  [
    'lost the role of coach',
    'coach',
    () => ask(admin, 'set_staff_role($1, $2, $3)', [coach.userId, null, 'leaves']),
  ],
])('Someone who %s gets nothing of the next message', async (_what, name, lose) => {
  await sql`
    insert into public.business_members (business_id, user_id, role)
    values (${ids.alder}, ${colleague.userId}, 'member') on conflict do nothing`;
  const project = await projectTalk();
  const channel = `conversation:${project}:${await talk.epochOf(project)}`;
  expect(await rightsOf(name, channel)).toBe('hp');
  await lose();
  const [before, own] = await heardIn(channel, `person:${people[name].userId}`);
  await talk.say(owner, project, 'Not for everyone');
  // Their browser may still be in both channels.
  expect(await heardIn(channel, `person:${people[name].userId}`)).toEqual([before, own]);
});

import { expect, test } from 'vitest';
import { asPerson } from '../../fixtures/database.ts';
import { openWorld, type PersonaName, personaNames } from '../../fixtures/personas.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask } = world;
const { owner, colleague, otherOwner, ownerWithCode, coach, otherCoach, admin } = people;
const { talk, direct, engagement } = await talksIn(world);

/**
 * What everyone may do in a channel, asked as Realtime asks: h(ears), b(roadcasts), is p(resent);
 * nothing is a dash.
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

/** Nothing for everyone but these. */
const only = (rest: Partial<Record<PersonaName, string>>) => ({
  ...Object.fromEntries(personaNames.map((name) => [name, '-'])),
  ...rest,
});

test('The channel of a conversation is heard by those who take part, and only the database speaks', async () => {
  expect(await rights(`conversation:${engagement}:1`)).toEqual(only({ owner: 'hp', coach: 'hp' }));
  expect(await rights(`conversation:${direct}:1`)).toEqual(only({ owner: 'hp', colleague: 'hp' }));
});

test('A session that owes its second factor hears nothing of what is its own', async () => {
  const cedar = await talk.open(ownerWithCode, 'engagement', ids.cedarEngagement);
  expect(await rights(`conversation:${cedar}:1`)).toEqual(
    only({ ownerWithCode: 'hp', coach: 'hp' }),
  );
  expect(await rightsOf('ownerWithoutCode', `person:${ownerWithCode.userId}`)).toBe('-');
  expect(await rightsOf('ownerWithoutCode', `presence:${ownerWithCode.userId}`)).toBe('-');
});

test('That somebody types is said in a channel of its own', async () => {
  expect(await rights(`typing:${engagement}:1`)).toEqual(only({ owner: 'hbp', coach: 'hbp' }));
});

test('Another epoch, another form of the name, or no conversation at all opens nothing', async () => {
  for (const topic of [
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
    // A person has one such channel: whoever could join thousands would keep the others waiting.
    `presence:${owner.userId}:1`,
    'anything',
  ]) {
    expect(await rights(topic), topic).toEqual(only({}));
  }
});

test('One person hears what is said to them, and no client says it', async () => {
  expect(await rights(`person:${owner.userId}`)).toEqual(only({ owner: 'h' }));
  expect(await rights(`person:${ownerWithCode.userId}`)).toEqual(only({ ownerWithCode: 'h' }));
});

test('Who is here is seen by those who may write to them, and said by themselves', async () => {
  expect(await rights(`presence:${owner.userId}`)).toEqual(
    only({ owner: 'hp', colleague: 'h', coach: 'h' }),
  );
  expect(await rights(`presence:${coach.userId}`)).toEqual(
    only({ owner: 'h', ownerWithCode: 'h', coach: 'hp' }),
  );
  expect(await rights(`presence:${otherOwner.userId}`)).toEqual(only({ otherOwner: 'hp' }));
});

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
  // What somebody may hear is not asked anew for those who may not.
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

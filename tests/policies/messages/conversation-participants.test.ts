import { beforeEach, expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import {
  everyone,
  expectReaders,
  openWorldForEach,
  refusalOf,
  whoMay,
  whoReads,
} from '../../fixtures/personas.ts';
import { type Talk, talkIn } from '../../fixtures/talk.ts';

const world = await openWorldForEach();
const { people, ids, ask } = world;
const { owner, colleague, otherOwner, coach, otherCoach, admin } = people;
let talk: Talk;
let engagement: string;
beforeEach(async () => {
  talk = talkIn(world);
  engagement = await talk.open(owner, 'engagement', ids.alderEngagement);
});

const notFound = 'P0002 We can’t find this conversation.';

const assign = (coach: Person) =>
  ask(admin, 'assign_coach($1, $2, $3)', [ids.alderEngagement, coach.userId, 'takes over']);
const setRole = (who: Person, role: string | null) =>
  ask(admin, 'set_staff_role($1, $2, $3)', [who.userId, role, 'because']);

test('Nobody writes the table, and nobody reads who has muted it', async () => {
  const denied = '42501 permission denied for table conversation_participants';
  expect(
    await whoMay(world, (sql) => sql`select muted from public.conversation_participants`),
  ).toEqual(everyone(denied));
  await expectReaders(world, 'conversation_participants', 'user_id', {
    owner: [owner.userId, people.coach.userId].toSorted(),
    coach: [owner.userId, people.coach.userId].toSorted(),
  });
});

test('Who is replaced hears and reads nothing any more, and their channel has ended', async () => {
  await talk.say(owner, engagement, 'For Carla alone');
  const epoch = await talk.epochOf(engagement);
  await assign(otherCoach);

  expect(await talk.present(engagement)).toEqual(['Olive Owner', 'Otis Coach']);
  expect(await talk.epochOf(engagement)).toBe(epoch + 1);
  expect(await talk.bodies(coach, engagement)).toBeNull();
  expect(await refusalOf(talk.say(coach, engagement, 'Wait'))).toBe(notFound);
  expect((await ask(coach, 'search_messages($1)', ['carla'])).length).toBe(0);
  expect((await ask(coach, 'list_conversations()')).conversations).toEqual([]);
  expect((await talk.heard(`conversation:${engagement}:${epoch}`)).at(-1)).toMatchObject({
    event: 'moved',
    payload: { epoch: null },
  });
  const heard = await talk.heard(`person:${coach.userId}`);
  expect(heard.filter(({ event }) => event === 'conversation').at(-1)).toMatchObject({
    payload: { id: engagement, gone: true, unread_total: 0 },
  });
});

test('Who takes over reads from there on, and no words of before come with an answer', async () => {
  const before = await talk.say(owner, engagement, 'For Carla alone');
  await assign(otherCoach);
  expect(await talk.bodies(otherCoach, engagement)).toEqual([]);
  const listed = (await ask(otherCoach, 'list_conversations()')).conversations[0];
  expect(listed).toMatchObject({ id: engagement, last_message: null, unread: 0, from_seq: 2 });

  const answer = await talk.say(owner, engagement, 'Welcome', { replyTo: before.id });
  expect(answer.reply_to?.excerpt).toBe('For Carla alone');
  expect(await talk.bodies(otherCoach, engagement)).toEqual(['Welcome']);
  const seen = await ask(otherCoach, 'list_messages($1)', [engagement]);
  expect(seen.messages[0].reply_to).toMatchObject({ author_id: null, excerpt: '' });
  const epoch = await talk.epochOf(engagement);
  const sent = JSON.stringify(await talk.heard(`conversation:${engagement}:${epoch}`));
  expect(sent).toContain('Welcome');
  expect(sent).not.toContain('For Carla alone');
  // Not through other procedures either.
  for (const text of [
    'list_messages($1, p_after => 0)',
    'list_message_changes($1, 0)',
    'get_conversation($1, 200, 1)',
  ]) {
    const asked = JSON.stringify(await ask(otherCoach, text, [engagement]));
    expect(asked, text).not.toContain('For Carla alone');
  }
  expect((await ask(otherCoach, 'search_messages($1)', ['carla'])).length).toBe(0);
  expect(await refusalOf(talk.say(otherCoach, engagement, 'Hm', { replyTo: before.id }))).toBe(
    '22023 The message you’re replying to isn’t in this conversation.',
  );
  const rows = await whoReads(world, 'messages', 'body', (row) => row.body);
  expect(rows.otherCoach).toEqual(['Welcome']);
  expect(rows.coach).toEqual([]);
  expect(rows.owner).toEqual(['For Carla alone', 'Welcome']);
});

test('What is edited or removed of before is not sent to who came later', async () => {
  const before = await talk.say(owner, engagement, 'For Carla alone');
  await assign(otherCoach);
  await talk.say(owner, engagement, 'Welcome');
  const epoch = await talk.epochOf(engagement);
  await ask(owner, 'edit_message($1, $2)', [before.id, 'Still for Carla alone']);
  const sent = await talk.heard(`conversation:${engagement}:${epoch}`);
  expect(sent.at(-1)).toEqual({ event: 'moved', payload: { epoch: null } });
  expect(JSON.stringify(sent)).not.toContain('Still for Carla');
  expect(JSON.stringify(await talk.heard(`person:${otherCoach.userId}`))).not.toContain(
    'Still for Carla',
  );
  expect(await talk.bodies(owner, engagement)).toEqual(['Still for Carla alone', 'Welcome']);
});

test('Who comes back reads on, but not what was said to another', async () => {
  await talk.say(owner, engagement, 'For Carla');
  await assign(otherCoach);
  await assign(coach);
  expect(await talk.bodies(coach, engagement)).toEqual(['For Carla']);
  await assign(otherCoach);
  await talk.say(owner, engagement, 'For Otis');
  await assign(coach);
  expect(await talk.bodies(coach, engagement)).toEqual([]);
  await talk.say(owner, engagement, 'For Carla again');
  expect(await talk.bodies(coach, engagement)).toEqual(['For Carla again']);
  expect(await talk.bodies(owner, engagement)).toHaveLength(3);
});

test('Coaching that ends takes the coach out of all that they were in as a coach', async () => {
  const project = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3, p_engagement_id => $4)', [
    project,
    ids.alder,
    'Leads',
    ids.alderEngagement,
  ]);
  const [direct, about] = [
    await talk.open(owner, 'direct', coach.userId),
    await talk.open(owner, 'project', project),
  ];
  for (const id of [direct, about, engagement]) await talk.say(coach, id, 'Hello');
  expect(await talk.present(about)).toEqual(['Carla Coach', 'Cole League', 'Olive Owner']);

  await world.sql`select private.withdraw_coaching(${ids.alder}, null, 'over')`;
  for (const id of [direct, about, engagement]) {
    expect(await talk.present(id)).not.toContain('Carla Coach');
    expect(await talk.bodies(coach, id)).toBeNull();
    expect(await talk.bodies(owner, id)).toEqual(['Hello']);
  }
  expect(await refusalOf(talk.say(owner, direct, 'Bye'))).toBe(
    '55000 You no longer work together.',
  );
  await talk.say(colleague, about, 'We go on');
});

test('Who is no coach any more leaves, and returns once they coach again', async () => {
  await talk.say(owner, engagement, 'Hello');
  const epoch = await talk.epochOf(engagement);
  await setRole(coach, null);
  expect(await talk.present(engagement)).toEqual(['Olive Owner']);
  expect(await talk.epochOf(engagement)).toBe(epoch + 1);
  expect(await refusalOf(talk.say(owner, engagement, 'Anybody?'))).toBe(
    '55000 You can write here once you have a coach.',
  );
  await setRole(coach, 'coach');
  expect(await talk.present(engagement)).toEqual(['Olive Owner']);
  await assign(coach);
  expect(await talk.present(engagement)).toEqual(['Carla Coach', 'Olive Owner']);
  expect(await talk.bodies(coach, engagement)).toEqual(['Hello']);
});

test('Who joins a business reads its projects from then on; who leaves reads nothing', async () => {
  const project = crypto.randomUUID();
  await ask(owner, 'create_project($1, $2, $3)', [project, ids.alder, 'Leads']);
  const about = await talk.open(owner, 'project', project);
  await talk.say(owner, about, 'Between us two');
  await world.sql`
    insert into public.business_members (business_id, user_id, role)
    values (${ids.alder}, ${otherOwner.userId}, 'member')`;
  expect(await talk.bodies(otherOwner, about)).toEqual([]);
  await talk.say(colleague, about, 'Welcome');
  expect(await talk.bodies(otherOwner, about)).toEqual(['Welcome']);

  const epoch = await talk.epochOf(about);
  await ask(owner, 'remove_member($1, $2)', [ids.alder, otherOwner.userId]);
  expect(await talk.bodies(otherOwner, about)).toBeNull();
  expect(await talk.epochOf(about)).toBe(epoch + 1);
});

test('Colleagues who part keep what they said to each other, and write no more', async () => {
  const direct = await talk.open(owner, 'direct', colleague.userId);
  await talk.say(owner, direct, 'Hello');
  const epoch = await talk.epochOf(direct);
  await ask(colleague, 'leave_business($1)', [ids.alder]);
  for (const who of [owner, colleague]) {
    expect(await talk.bodies(who, direct)).toEqual(['Hello']);
    expect(await refusalOf(talk.say(who, direct, 'Bye'))).toBe(
      '55000 You no longer work together.',
    );
  }
  // A new epoch makes open pages reload.
  expect(await talk.epochOf(direct)).toBe(epoch + 1);
});

test('Whoever is an admin is in every thread, reads it whole, and leaves with the role', async () => {
  const thread = await talk.open(owner, 'support');
  await talk.say(owner, thread, 'It does not work');
  expect(await talk.bodies(admin, thread)).toEqual(['It does not work']);
  await setRole(otherCoach, 'admin');
  expect(await talk.bodies(otherCoach, thread)).toEqual(['It does not work']);
  // Messages from before they joined don't count as unread.
  expect((await ask(otherCoach, 'session_context()')).unread_messages).toBe(0);
  await talk.say(otherCoach, thread, 'We look into it');

  const epoch = await talk.epochOf(thread);
  await setRole(otherCoach, null);
  expect(await talk.bodies(otherCoach, thread)).toBeNull();
  expect(await talk.epochOf(thread)).toBe(epoch + 1);
  expect(await talk.bodies(owner, thread)).toHaveLength(2);
});

test('An admin who is none any more keeps their own thread', async () => {
  const own = await talk.open(otherCoach, 'support');
  const other = await talk.open(owner, 'support');
  await setRole(otherCoach, 'admin');
  expect(await talk.present(other)).toContain('Otis Coach');
  await setRole(otherCoach, 'coach');
  expect(await talk.present(other)).not.toContain('Otis Coach');
  expect(await talk.present(own)).toContain('Otis Coach');
});

const goes = (who: Person) => world.sql`select private.delete_account(${who.userId ?? null})`;

test('What they wrote stays with whom they wrote to, without their name', async () => {
  const direct = await talk.open(owner, 'direct', colleague.userId);
  await talk.say(colleague, direct, 'Remember the keys');
  await ask(colleague, 'save_message_draft($1, $2)', [direct, 'And the']);
  await ask(owner, 'set_person_blocked($1, true)', [colleague.userId]);
  await goes(colleague);
  const { conversation, messages } = await ask(owner, 'get_conversation($1)', [direct]);
  expect(messages).toMatchObject([{ body: 'Remember the keys', author_id: null }]);
  expect(conversation).toMatchObject({
    title: 'Deleted account',
    open: false,
    closed_why: 'They’ve deleted their account.',
  });
  const text = JSON.stringify(
    await world.sql`
      select c.*, p.* from public.conversations c
      join public.conversation_participants p on p.conversation_id = c.id where c.id = ${direct}`,
  );
  expect(text).not.toContain(colleague.userId);
  for (const table of ['message_drafts', 'blocks']) {
    expect(await world.sql`select from public.${world.sql(table)}`, table).toHaveLength(0);
  }
});

test('What nobody reads any more goes as a whole, and support keeps its thread', async () => {
  const thread = await talk.open(owner, 'support');
  await talk.say(owner, thread, 'Help');
  await talk.say(owner, engagement, 'Hello');
  await goes(owner);
  expect(await world.sql`select kind from public.conversations`).toEqual([{ kind: 'support' }]);
  const { conversation } = await ask(admin, 'get_conversation($1)', [thread]);
  expect(conversation).toMatchObject({ title: 'Deleted account', open: false });
  expect(await talk.bodies(coach, engagement)).toBeNull();
  await goes(otherOwner);
});

test('A business that is emptied takes the talk about its projects with it, files too', async () => {
  const project = crypto.randomUUID();
  await ask(otherOwner, 'create_project($1, $2, $3)', [project, ids.birch, 'Lights']);
  const about = await talk.open(otherOwner, 'project', project);
  const file = crypto.randomUUID();
  await world.sql`
    insert into public.message_attachments (id, conversation_id, name, type, size, uploaded_by)
    values (${file}, ${about}, 'a.pdf', 'application/pdf', 1, ${otherOwner.userId})`;
  await world.sql`
    insert into storage.objects (bucket_id, name) values ('message-files', ${`${about}/${file}`})`;
  await goes(otherOwner);
  expect(await world.sql`select id from public.conversations where id = ${about}`).toEqual([]);
  expect(
    await world.sql`select payload ->> 'bucket' as bucket_id, payload ->> 'path' as path from private.jobs where kind = 'remove_file'`,
  ).toEqual([{ bucket_id: 'message-files', path: `${about}/${file}` }]);
});

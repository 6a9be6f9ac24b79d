import type { TransactionSql } from 'postgres';
import { expect, test } from 'vitest';
import { asPerson, type Person } from '../../fixtures/database.ts';
import { openWorld } from '../../fixtures/personas.ts';
import { type Said, talksIn } from '../../fixtures/talk.ts';

/** The number of messages in the longest conversation, and of the admins' threads. */
const MESSAGES = 100_000;
const THREADS = 10_000;

const world = await openWorld();
const { sql, people, ask } = world;
const { owner, colleague, coach, otherCoach, admin } = people;
const { talk, direct, engagement } = await talksIn(world);
await talk.say(owner, direct, 'A short talk about marmalade');
await fill();

async function fill() {
  await sql`
    insert into public.messages (id, conversation_id, seq, revision, author_id, body, sent_at)
    select gen_random_uuid(), ${engagement}, n, n,
      case when n % 2 = 0 then ${owner.userId}::uuid else ${coach.userId}::uuid end,
      'The forecast of week ' || n || case when n % 1000 = 0 then ' and the marmalade' else '' end,
      now() - make_interval(secs => ${MESSAGES} - n)
    from generate_series(1, ${MESSAGES}) n`;
  await sql`
    update public.conversations set last_seq = ${MESSAGES}, revision = ${MESSAGES},
      last_message_at = now() where id = ${engagement}`;
  await sql`
    update public.conversation_participants
    set active_at = now(), read_seq = ${MESSAGES - 400}, unread = 200
    where conversation_id = ${engagement}`;
  // Each thread belongs to a different person, who wrote one message.
  await sql`
    insert into auth.users (id, aud, role, email, raw_user_meta_data)
    select md5('thread ' || n)::uuid, 'authenticated', 'authenticated', 't' || n || '@many.test',
      jsonb_build_object('full_name', 'Writer ' || n)
    from generate_series(1, ${THREADS}) n`;
  await sql`
    insert into public.conversations (
      id, kind, about_user_id, last_seq, revision, last_message_at, created_at
    )
    select md5('talk ' || n)::uuid, 'support', md5('thread ' || n)::uuid, 1, 1,
      now() - make_interval(mins => n), now() - make_interval(mins => n)
    from generate_series(1, ${THREADS}) n`;
  await sql`
    insert into public.conversation_participants (conversation_id, user_id, active_at, unread)
    select md5('talk ' || n)::uuid, u.id, now() - make_interval(mins => n),
      case when u.id = ${admin.userId} then 1 else 0 end
    from generate_series(1, ${THREADS}) n
    cross join lateral (
      values (md5('thread ' || n)::uuid), (${admin.userId}::uuid)
    ) as u (id)`;
  await sql`
    insert into public.messages (id, conversation_id, seq, revision, author_id, body, sent_at)
    select gen_random_uuid(), md5('talk ' || n)::uuid, 1, 1, md5('thread ' || n)::uuid,
      'Please help with the forecast ' || n, now() - make_interval(mins => n)
    from generate_series(1, ${THREADS}) n`;
  await sql`analyze`;
}

/** This transaction's sequential scans per table, and how many message rows it fetched by index. */
async function scans(tx: TransactionSql) {
  const [row] = await tx`
    select pg_stat_get_xact_numscans('public.messages'::regclass)::int as whole,
      pg_stat_get_xact_numscans('public.conversation_participants'::regclass)::int as people,
      pg_stat_get_xact_numscans('public.conversations'::regclass)::int as talks,
      pg_stat_get_xact_tuples_fetched('public.messages'::regclass)::int as rows`;
  return row as { whole: number; people: number; talks: number; rows: number };
}

/** A query's result and cost: sequential scans, message rows fetched, and time. */
async function cost(who: Person, text: string, values: unknown[] = []) {
  return await asPerson(sql, who, async (tx) => {
    const before = await scans(tx);
    const began = performance.now();
    const [row] = await tx.unsafe(`select public.${text} as answer`, values as never[]);
    const took = performance.now() - began;
    const after = await scans(tx);
    return {
      answer: row?.answer,
      took,
      whole: after.whole - before.whole,
      people: after.people - before.people,
      talks: after.talks - before.talks,
      rows: after.rows - before.rows,
    };
  });
}

/** No sequential scans. */
const byIndex = { whole: 0, people: 0, talks: 0 };

test('What looks through all messages is told by the counts', async () => {
  await sql.begin(async (tx) => {
    const before = await scans(tx);
    await tx`select count(*) from public.messages where body = 'x'`;
    expect((await scans(tx)).whole - before.whole).toBeGreaterThan(0);
  });
});

test('A conversation opens by its index: the last page, the first unread, any place', async () => {
  const short = await cost(colleague, 'get_conversation($1)', [direct]);
  expect(short).toMatchObject(byIndex);
  const long = await cost(owner, 'get_conversation($1)', [engagement]);
  expect(long).toMatchObject(byIndex);
  expect(long.answer.messages).toHaveLength(50);
  expect(long.answer.messages[10].seq).toBe(MESSAGES - 399);
  for (const text of [
    'get_conversation($1, 50, 5)',
    'list_messages($1)',
    'list_messages($1, 50000)',
    'list_messages($1, null, 50000)',
    'list_message_changes($1, 99900)',
    'list_message_changes($1, 10)',
    'read_messages($1, 99990)',
  ]) {
    expect(await cost(owner, text, [engagement]), text).toMatchObject(byIndex);
  }
});

test('A list comes by its index, for those with two conversations and with ten thousand', async () => {
  expect(await cost(owner, 'list_conversations()')).toMatchObject(byIndex);
  const page = await cost(admin, 'list_conversations()');
  expect(page).toMatchObject(byIndex);
  expect(page.answer.conversations).toHaveLength(30);
  expect(page.answer.unread).toBe(100);
  const last = page.answer.conversations.at(-1);
  const next = await cost(admin, 'list_conversations(null, $1, $2)', [last.active_at, last.id]);
  expect(next).toMatchObject(byIndex);
  expect(next.answer.conversations[0].title).toBe('Writer 31');
  expect(await cost(admin, 'session_context()')).toMatchObject(byIndex);
});

test('A name is found among ten thousand threads', async () => {
  const found = await cost(admin, "list_conversations('writer 9999')");
  expect(found.answer.conversations.map(({ title }: { title: string }) => title)).toEqual([
    'Writer 9999',
  ]);
  // The search reads titles and names, but doesn't scan messages.
  expect(found).toMatchObject({ whole: 0 });
});

test('A rare word and a word of every message are found by the index, in one’s own alone', async () => {
  const rare = await cost(owner, "search_messages('marmal', null, 50)");
  expect(rare).toMatchObject({ whole: 0 });
  expect(rare.answer).toHaveLength(50);
  // The second newest has the same time as the last message of the long conversation.
  expect(rare.answer[1].conversation_id).toBe(direct);
  const own = await cost(colleague, "search_messages('marmal')");
  expect(own).toMatchObject({ whole: 0 });
  expect(own.answer).toHaveLength(1);
  const common = await cost(owner, "search_messages('forecast')");
  expect(common).toMatchObject({ whole: 0 });
  expect(common.answer.map(({ seq }: Said) => seq).slice(0, 2)).toEqual([MESSAGES, MESSAGES - 1]);
  const many = await cost(admin, "search_messages('help forecast')");
  expect(many).toMatchObject({ whole: 0 });
  expect(many.answer[0].title).toBe('Writer 1');
  const none = await cost(admin, "search_messages('marmal')");
  expect(none).toMatchObject({ whole: 0 });
  expect(none.answer).toEqual([]);
});

test('Writing costs the same in a long conversation as in a short one', async () => {
  for (const id of [engagement, direct]) {
    expect(
      await cost(owner, "send_message(gen_random_uuid(), $1, 'One more')", [id]),
    ).toMatchObject(byIndex);
  }
  // And opening it reads one page, not the whole conversation.
  const { rows } = await cost(owner, 'get_conversation($1)', [engagement]);
  expect(rows).toBeLessThan(1_000);
});

test('The tick that mails reads who waits, and not everybody', async () => {
  await sql`
    update public.conversation_participants set unread_since = now() - interval '1 hour',
      unread_at = now() - interval '1 hour'
    where user_id = ${coach.userId} and conversation_id = ${engagement}`;
  const [row] = await sql`select private.mail_unread_messages() as did`;
  expect(row?.did).toEqual({ mails: 1 });
});

test('Somebody who becomes an admin, or is none any more, is in ten thousand threads or in none', async () => {
  const role = (to: string | null) =>
    ask(admin, 'set_staff_role($1, $2, $3)', [otherCoach.userId, to, 'because']);
  const count = async () =>
    (await ask(otherCoach, "list_conversations('writer', null, null, 100)")).conversations.length;
  await role('admin');
  expect(await count()).toBe(100);
  await role('coach');
  expect(await count()).toBe(0);
}, 180_000);

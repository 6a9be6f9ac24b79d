import { expect, test } from 'vitest';
import { lettersOf, MESSAGE_LENGTH } from '#data/messages.ts';
import type { Person } from '../../fixtures/database.ts';
import { expectCallers, expectReaders, openWorld, refusalOf } from '../../fixtures/personas.ts';
import { type Said, talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ids, ask, refusal } = world;
const { owner, colleague, otherOwner, ownerWithCode, coach, admin } = people;
const { talk, direct, engagement } = await talksIn(world);
await talk.say(owner, engagement, 'For the coach');

const notFound = 'P0002 We can’t find this conversation.';

test('Only those who take part write, and after their second factor', async () => {
  await expectCallers(world, `send_message(gen_random_uuid(), '${direct}', 'Hello')`, notFound, {
    owner: 1,
    colleague: 1,
  });
});

test('Only those who take part read, and after their second factor', async () => {
  const cedar = await talk.open(ownerWithCode, 'engagement', ids.cedarEngagement);
  await talk.say(ownerWithCode, cedar, 'Of Cedar Care');
  await ask(coach, 'read_messages($1, 1)', [cedar]);
  await expectReaders(world, 'messages', 'body', {
    owner: ['For the coach'],
    ownerWithCode: ['Of Cedar Care'],
    coach: ['For the coach', 'Of Cedar Care'],
  });
});

test('Reading the table costs what one has of it, whoever else wrote how much', async () => {
  await sql
    .begin(async (tx) => {
      await tx`
        insert into public.conversations (id, kind, last_seq, revision, direct_pair)
        select gen_random_uuid(), 'direct', 50, 50, 'other ' || n from generate_series(1, 200) n`;
      await tx`
        insert into public.messages (id, conversation_id, seq, revision, author_id, body)
        select gen_random_uuid(), c.id, n, n, ${coach.userId}, 'Not theirs'
        from public.conversations c cross join generate_series(1, 50) n
        where c.direct_pair like 'other %'`;
      await tx`
        insert into public.message_attachments (
          id, conversation_id, message_id, name, type, size, state
        )
        select gen_random_uuid(), m.conversation_id, m.id, 'a.pdf', 'application/pdf', 1, 'stored'
        from public.messages m where m.body = 'Not theirs'`;
      await tx`analyze public.messages, public.message_attachments, public.conversations`;
      await tx.unsafe(`set local role authenticated`);
      await tx`select set_config('request.jwt.claims', ${JSON.stringify({ sub: owner.userId, role: 'authenticated' })}, true)`;
      for (const table of ['messages', 'message_attachments']) {
        const plan = await tx.unsafe(
          `explain (analyze, timing off) select id from public.${table}`,
        );
        const text = plan.map((row) => row['QUERY PLAN']).join('\n');
        expect(text).toMatch(/Index Cond: \(\(?conversation_id = ANY/);
        expect(text).not.toContain(`Seq Scan on ${table}`);
      }
      throw new Error('Undone');
    })
    .catch((error) => {
      if (error.message !== 'Undone') throw error;
    });
});

test('Nobody changes or removes what another wrote, not even an admin', async () => {
  const { id } = await talk.say(owner, engagement, 'Mine');
  for (const who of [coach, admin, otherOwner]) {
    for (const text of ["edit_message($1, 'Yours')", 'remove_message($1)']) {
      expect(await refusal(who, text, [id])).toBe('P0002 We can’t find this message.');
    }
  }
});

test('What is empty, too long, or answers something elsewhere is refused in words', async () => {
  const elsewhere = await talk.say(owner, engagement, 'Elsewhere');
  const refused = (body: string, more = {}) => refusalOf(talk.say(owner, direct, body, more));
  expect(await refused('  \n\t ')).toBe('22023 Write something first.');
  expect(await refused('x'.repeat(5001))).toBe(
    '22023 A message can have at most 5,000 characters.',
  );
  expect(await refused('Yes', { replyTo: elsewhere.id })).toBe(
    '22023 The message you’re replying to isn’t in this conversation.',
  );
  expect(await refused('Yes', { replyTo: crypto.randomUUID() })).toMatch(
    /^22023 The message you’re replying to/,
  );
  expect(await refused('Look', { files: [crypto.randomUUID()] })).toMatch(/^22023 A file in this/);
  expect(await refusal(owner, 'send_message(null, $1, $2)', [direct, 'x'])).toBe(
    '22023 A message needs an id.',
  );
  expect(await talk.bodies(owner, direct)).toEqual([]);
  // Rejected messages don't use up sequence numbers.
  expect((await talk.say(owner, direct, `  ${'y'.repeat(5000)}\r\n`)).body).toHaveLength(5000);
  const emoji = '👍'.repeat(5000);
  expect(lettersOf((await talk.say(owner, direct, emoji)).body ?? '')).toBe(MESSAGE_LENGTH);
  expect(await refused(`${emoji}👍`)).toMatch(/at most 5,000/);
  expect((await talk.say(owner, direct, 'One\r\ntwo\u0007')).body).toBe('One\ntwo');
  // Characters that reverse text direction are removed.
  expect((await talk.say(owner, direct, 'Pay \u202e001\u2066 now')).body).toBe('Pay 001 now');
  const numbers = await sql`
    select seq::int from public.messages where conversation_id = ${direct} order by seq`;
  expect(numbers.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
});

test('A message sent again is the one that is stored, also when it was edited since', async () => {
  const first = await talk.say(owner, direct, 'Once');
  expect(await talk.say(owner, direct, 'Once', { id: first.id })).toEqual(first);
  await ask(owner, 'edit_message($1, $2)', [first.id, 'Once, and better']);
  const again = await talk.say(owner, direct, 'Once', { id: first.id });
  expect(again).toMatchObject({ seq: first.seq, body: 'Once, and better' });
  const taken = '23505 This message already exists.';
  expect(await refusalOf(talk.say(colleague, direct, 'Mine', { id: first.id }))).toBe(taken);
  expect(await refusalOf(talk.say(owner, engagement, 'Once', { id: first.id }))).toBe(taken);
});

test('The same message sent five times at once is stored once', async () => {
  const id = crypto.randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => talk.say(owner, direct, 'All at once', { id })),
  );
  expect(new Set(answers.map(({ seq }) => seq)).size).toBe(1);
  expect(await sql`select from public.messages where id = ${id}`).toHaveLength(1);
});

test('Several who write at once leave no gap in numbers and revisions', async () => {
  await talk.limit();
  const own = await sql`
    select last_seq::int as at, revision::int from public.conversations where id = ${direct}`;
  const write = async (who: Person, name: string) => {
    for (let place = 1; place <= 25; place += 1) {
      const said = await talk.say(who, direct, `${name} ${place}`);
      if (place % 10 === 0) await ask(who, 'edit_message($1, $2)', [said.id, 'edited']);
      if (place % 12 === 0) await ask(who, 'remove_message($1)', [said.id]);
    }
  };
  await Promise.all([
    write(owner, 'a'),
    write(owner, 'b'),
    write(colleague, 'c'),
    write(colleague, 'd'),
  ]);
  const [row] = await sql`
    select count(*)::int as messages, max(m.seq)::int as highest,
      count(distinct m.revision)::int as revisions, max(m.revision)::int as latest,
      c.last_seq::int, c.revision::int,
      bool_and(m.sent_at <= coalesce(n.sent_at, 'infinity')) as in_order
    from public.messages m
    join public.conversations c on c.id = m.conversation_id
    left join public.messages n on n.conversation_id = m.conversation_id and n.seq = m.seq + 1
    where m.conversation_id = ${direct} group by c.id`;
  const before = own[0] ?? { at: NaN, revision: NaN };
  expect(row).toMatchObject({
    messages: before.at + 100,
    highest: before.at + 100,
    last_seq: before.at + 100,
    // Each message, edit and removal took one revision.
    revision: before.revision + 100 + 4 * 2 + 4 * 2,
    latest: row?.revision,
    revisions: row?.messages,
    in_order: true,
  });
});

test('Thirty a minute and five hundred a day, told as something that passes', async () => {
  await sql`delete from public.rate_limits`;
  await talk.limit(30);
  for (let place = 1; place <= 30; place += 1) await talk.say(coach, engagement, `${place}`);
  const tooMany = 'PT429 You’ve sent a lot of messages in a short time. Try again in a minute.';
  expect(await refusalOf(talk.say(coach, engagement, 'And another'))).toBe(tooMany);
  // Others can still write, and resending a stored message still returns it.
  await talk.say(owner, engagement, 'I can');
  await sql`update public.rate_limits set minute_ends_at = now() where key like 'writes:messages:%'`;
  await talk.say(coach, engagement, 'A minute later');
  await sql`update public.rate_limits set hits = 500 where key like 'writes:messages:%'`;
  expect(await refusalOf(talk.say(coach, engagement, 'Too much for a day'))).toBe(
    'PT429 You’ve sent a lot of messages today. Try again in 24 hours.',
  );
  await sql`delete from public.rate_limits`;
  await talk.limit();
});

test('An edit is a change of its own and says when', async () => {
  const said = await talk.say(owner, engagement, 'Teh price');
  const edited: Said = await ask(owner, 'edit_message($1, $2)', [said.id, 'The price']);
  expect(edited).toMatchObject({ seq: said.seq, body: 'The price', removed_at: null });
  expect(edited.revision).toBeGreaterThan(said.revision);
  expect(edited.edited_at).not.toBeNull();
  // Saving the same text again changes nothing.
  expect(await ask(owner, 'edit_message($1, $2)', [said.id, 'The price'])).toEqual(edited);
  expect(await refusal(owner, 'edit_message($1, $2)', [said.id, ' '])).toBe(
    '22023 Write something first.',
  );
  const changes = await ask(coach, 'list_message_changes($1, $2)', [engagement, said.revision]);
  expect(changes).toMatchObject({
    messages: [{ id: said.id, body: 'The price' }],
    revision: edited.revision,
    more: false,
  });
});

test('Edits have their limit too: each of them is told to everyone', async () => {
  const said = await talk.say(owner, engagement, 'Version 0');
  await sql`delete from public.rate_limits`;
  await talk.limit(3);
  const edit = (body: string) => ask(owner, 'edit_message($1, $2)', [said.id, body]);
  for (const version of [1, 2, 3]) await edit(`Version ${version}`);
  expect(await refusalOf(edit('Version 4'))).toBe(
    'PT429 You’ve edited a lot of messages in a short time. Try again in a minute.',
  );
  // Saving the same text isn't a change, and removing the message is always possible.
  expect(await edit('Version 3')).toMatchObject({ body: 'Version 3' });
  await ask(owner, 'remove_message($1)', [said.id]);
  await talk.limit();
});

test('A removal leaves a mark, takes the words out of answers, search and counts', async () => {
  const unread = async () => (await ask(coach, 'session_context()')).unread_messages;
  await ask(coach, 'read_messages($1, 100000)', [engagement]);
  const said = await talk.say(owner, engagement, 'Zebra crossing');
  await talk.say(owner, engagement, 'See above', { replyTo: said.id });
  expect(await unread()).toBe(2);
  const gone: Said = await ask(owner, 'remove_message($1)', [said.id]);
  expect(gone).toMatchObject({ body: null, seq: said.seq });
  expect(gone.removed_at).not.toBeNull();
  expect(await ask(owner, 'remove_message($1)', [said.id])).toEqual(gone);
  expect(await unread()).toBe(1);
  expect(await ask(coach, 'search_messages($1)', ['zebra'])).toEqual([]);
  const { messages } = await ask(coach, 'list_messages($1)', [engagement]);
  expect(messages.at(-1).reply_to).toMatchObject({ excerpt: '', removed: true });
  expect(await refusal(owner, 'edit_message($1, $2)', [said.id, 'Back'])).toBe(
    '55000 This message was deleted.',
  );
  const stored = await sql`select words::text from public.messages where id = ${said.id}`;
  expect(stored[0]?.words).not.toContain('zebra');
});

test('Two answers at once to the same message, an edit and a removal, end in the removal', async () => {
  const said = await talk.say(owner, engagement, 'Contested');
  await Promise.allSettled([
    ask(owner, 'edit_message($1, $2)', [said.id, 'Edited']),
    ask(owner, 'remove_message($1)', [said.id]),
  ]);
  const [row] = await sql`select body from public.messages where id = ${said.id}`;
  expect(row?.body).toBeNull();
});

test('Who has left may still take back their own words, and not change them', async () => {
  const said = await talk.say(colleague, direct, 'Too hasty');
  await ask(colleague, 'leave_business($1)', [ids.alder]);
  expect(await refusal(colleague, 'edit_message($1, $2)', [said.id, 'x'])).toBe(
    '55000 You no longer work together.',
  );
  await ask(colleague, 'remove_message($1)', [said.id]);
  expect((await talk.bodies(owner, direct))?.at(-1)).toBeNull();
  await sql`
    insert into public.business_members (business_id, user_id, role)
    values (${ids.alder}, ${colleague.userId}, 'member')`;
});

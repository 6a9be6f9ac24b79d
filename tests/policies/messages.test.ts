import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asPerson, type Person } from '../fixtures/database.ts';
import {
  createWorld,
  everyone,
  refusalOf,
  type World,
  whoMay,
  whoReads,
} from '../fixtures/personas.ts';
import { type Said, talkIn } from '../fixtures/talk.ts';

let world: World;
let talk: ReturnType<typeof talkIn>;
let direct: string;
let engagement: string;
beforeAll(async () => {
  world = await createWorld();
  talk = talkIn(world);
  const { owner, colleague } = world.people;
  direct = await talk.open(owner, 'direct', colleague.userId);
  engagement = await talk.open(owner, 'engagement', world.ids.alderEngagement);
  await talk.say(owner, engagement, 'For the coach');
});
afterAll(() => world.database.drop());

const notFound = 'P0002 This conversation was not found.';

/** Lets people write as much as a test needs. */
const withoutLimits = (sql: World['sql']) => sql`
  create or replace function private.message_limits(out a_minute int, out a_day int)
  language sql immutable set search_path = '' as $$ select 100000, 100000 $$`;

describe('Who may see and change messages', () => {
  test('Nobody writes the table', async () => {
    const denied = '42501 permission denied for table messages';
    expect(await whoMay(world, (sql) => sql`update public.messages set body = 'x'`)).toEqual(
      everyone(denied),
    );
    expect(await whoMay(world, (sql) => sql`delete from public.messages`)).toEqual(
      everyone(denied),
    );
    expect(
      await whoMay(
        world,
        (sql) => sql`insert into public.messages (conversation_id) values (${direct})`,
      ),
    ).toEqual(everyone(denied));
  });

  test('Only those who take part write, and after their second factor', async () => {
    expect(
      await whoMay(
        world,
        (sql) => sql`select public.send_message(gen_random_uuid(), ${direct}, 'Hello')`,
      ),
    ).toEqual(
      everyone(notFound, {
        visitor: '42501 permission denied for function send_message',
        ownerWithoutCode: '42501 Enter the code of your second factor first.',
        owner: 1,
        colleague: 1,
      }),
    );
  });

  test('Only those who take part read, and after their second factor', async () => {
    const { ownerWithCode, coach } = world.people;
    const cedar = await talk.open(ownerWithCode, 'engagement', world.ids.cedarEngagement);
    await talk.say(ownerWithCode, cedar, 'Of Cedar Care');
    await talk.ask(coach, 'read_messages($1, 1)', [cedar]);
    expect(await whoReads(world, 'messages', 'body', (row) => row.body)).toEqual(
      everyone([], {
        visitor: '42501 permission denied for table messages',
        owner: ['For the coach'],
        ownerWithCode: ['Of Cedar Care'],
        coach: ['For the coach', 'Of Cedar Care'],
      }),
    );
  });

  test('Reading the table costs what one has of it, whoever else wrote how much', async () => {
    const { owner, coach } = world.people;
    await world.sql
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
    const { owner, coach, admin, otherOwner } = world.people;
    const { id } = await talk.say(owner, engagement, 'Mine');
    for (const who of [coach, admin, otherOwner]) {
      for (const text of ["edit_message($1, 'Yours')", 'remove_message($1)']) {
        expect(await refusalOf(talk.ask(who, text, [id]))).toBe(
          'P0002 This message was not found.',
        );
      }
    }
  });
});

describe('Writing', () => {
  test('What is empty, too long, or answers something elsewhere is refused in words', async () => {
    const { owner } = world.people;
    const elsewhere = await talk.say(owner, engagement, 'Elsewhere');
    const refused = (body: string, more = {}) => refusalOf(talk.say(owner, direct, body, more));
    expect(await refused('  \n\t ')).toBe('22023 Write something first.');
    expect(await refused('x'.repeat(5001))).toBe('22023 A message has at most 5,000 characters.');
    expect(await refused('Yes', { replyTo: elsewhere.id })).toBe(
      '22023 What you answer is not in this conversation.',
    );
    expect(await refused('Yes', { replyTo: crypto.randomUUID() })).toMatch(
      /^22023 What you answer/,
    );
    expect(await refused('Look', { files: [crypto.randomUUID()] })).toMatch(
      /^22023 A file of this/,
    );
    expect(await refusalOf(talk.ask(owner, 'send_message(null, $1, $2)', [direct, 'x']))).toBe(
      '22023 A message needs an id.',
    );
    expect(await talk.bodies(owner, direct)).toEqual([]);
    // Nothing refused has taken a number.
    expect((await talk.say(owner, direct, `  ${'y'.repeat(5000)}\r\n`)).body).toHaveLength(5000);
    expect((await talk.say(owner, direct, 'One\r\ntwo\u0007')).body).toBe('One\ntwo');
    // Nothing makes words run backwards.
    expect((await talk.say(owner, direct, 'Pay \u202e001\u2066 now')).body).toBe('Pay 001 now');
    const numbers = await world.sql`
      select seq::int from public.messages where conversation_id = ${direct} order by seq`;
    expect(numbers.map(({ seq }) => seq)).toEqual([1, 2, 3]);
  });

  test('A message sent again is the one that is stored, also when it was edited since', async () => {
    const { owner, colleague } = world.people;
    const first = await talk.say(owner, direct, 'Once');
    expect(await talk.say(owner, direct, 'Once', { id: first.id })).toEqual(first);
    await talk.ask(owner, 'edit_message($1, $2)', [first.id, 'Once, and better']);
    const again = await talk.say(owner, direct, 'Once', { id: first.id });
    expect(again).toMatchObject({ seq: first.seq, body: 'Once, and better' });
    const taken = '23505 This message exists already.';
    expect(await refusalOf(talk.say(colleague, direct, 'Mine', { id: first.id }))).toBe(taken);
    expect(await refusalOf(talk.say(owner, engagement, 'Once', { id: first.id }))).toBe(taken);
  });

  test('The same message sent five times at once is stored once', async () => {
    const { owner } = world.people;
    const id = crypto.randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => talk.say(owner, direct, 'All at once', { id })),
    );
    expect(new Set(answers.map(({ seq }) => seq)).size).toBe(1);
    expect(await world.sql`select from public.messages where id = ${id}`).toHaveLength(1);
  });

  test('Several who write at once leave no gap in numbers and revisions', async () => {
    const { owner, colleague } = world.people;
    const own = await world.sql.begin(async (tx) => {
      await withoutLimits(tx as never);
      return tx`select last_seq::int as at, revision::int from public.conversations where id = ${direct}`;
    });
    const write = async (who: Person, name: string) => {
      for (let place = 1; place <= 25; place += 1) {
        const said = await talk.say(who, direct, `${name} ${place}`);
        if (place % 10 === 0) await talk.ask(who, 'edit_message($1, $2)', [said.id, 'edited']);
        if (place % 12 === 0) await talk.ask(who, 'remove_message($1)', [said.id]);
      }
    };
    await Promise.all([
      write(owner, 'a'),
      write(owner, 'b'),
      write(colleague, 'c'),
      write(colleague, 'd'),
    ]);
    const [row] = await world.sql`
      select count(*)::int as messages, max(m.seq)::int as highest,
        count(distinct m.revision)::int as revisions, max(m.revision)::int as latest,
        c.last_seq::int, c.revision::int,
        bool_and(m.sent_at <= coalesce(n.sent_at, 'infinity')) as in_order
      from public.messages m
      join public.conversations c on c.id = m.conversation_id
      left join public.messages n on n.conversation_id = m.conversation_id and n.seq = m.seq + 1
      where m.conversation_id = ${direct} group by c.id`;
    const before = own[0] as unknown as { at: number; revision: number };
    expect(row).toMatchObject({
      messages: before.at + 100,
      highest: before.at + 100,
      last_seq: before.at + 100,
      // Each message, edit and removal took one.
      revision: before.revision + 100 + 4 * 2 + 4 * 2,
      latest: row?.revision,
      revisions: row?.messages,
      in_order: true,
    });
  });

  test('Thirty a minute and five hundred a day, told as something that passes', async () => {
    const { coach } = world.people;
    const { sql } = world;
    await sql`delete from public.rate_limits`;
    await sql`
      create or replace function private.message_limits(out a_minute int, out a_day int)
      language sql immutable set search_path = '' as $$ select 30, 500 $$`;
    for (let place = 1; place <= 30; place += 1) await talk.say(coach, engagement, `${place}`);
    const tooMany = '54000 You are writing very fast. It is sent a little later.';
    expect(await refusalOf(talk.say(coach, engagement, 'And another'))).toBe(tooMany);
    // The others are not kept from writing, and what is stored already is given again.
    await talk.say(world.people.owner, engagement, 'I can');
    await sql`update public.rate_limits set expires_at = now() where key like 'message:%'`;
    await talk.say(coach, engagement, 'A minute later');
    await sql`update public.rate_limits set hits = 500 where key like 'messages:%'`;
    expect(await refusalOf(talk.say(coach, engagement, 'Too much for a day'))).toBe(tooMany);
    await sql`delete from public.rate_limits`;
    await withoutLimits(sql);
  });
});

describe('Editing and removing', () => {
  test('An edit is a change of its own and says when', async () => {
    const { owner, coach } = world.people;
    const said = await talk.say(owner, engagement, 'Teh price');
    const edited: Said = await talk.ask(owner, 'edit_message($1, $2)', [said.id, 'The price']);
    expect(edited).toMatchObject({ seq: said.seq, body: 'The price', removed_at: null });
    expect(edited.revision).toBeGreaterThan(said.revision);
    expect(edited.edited_at).not.toBeNull();
    // The same words again change nothing.
    expect(await talk.ask(owner, 'edit_message($1, $2)', [said.id, 'The price'])).toEqual(edited);
    expect(await refusalOf(talk.ask(owner, 'edit_message($1, $2)', [said.id, ' ']))).toBe(
      '22023 Write something first.',
    );
    const changes = await talk.ask(coach, 'list_message_changes($1, $2)', [
      engagement,
      said.revision,
    ]);
    expect(changes).toMatchObject({
      messages: [{ id: said.id, body: 'The price' }],
      revision: edited.revision,
      more: false,
    });
  });

  test('Edits have their limit too: each of them is told to everyone', async () => {
    const { owner } = world.people;
    const { sql } = world;
    const said = await talk.say(owner, engagement, 'Version 0');
    await sql`delete from public.rate_limits`;
    await sql`
      create or replace function private.message_limits(out a_minute int, out a_day int)
      language sql immutable set search_path = '' as $$ select 3, 500 $$`;
    const edit = (body: string) => talk.ask(owner, 'edit_message($1, $2)', [said.id, body]);
    for (const version of [1, 2, 3]) await edit(`Version ${version}`);
    expect(await refusalOf(edit('Version 4'))).toBe(
      '54000 You are changing it very fast. Try again in a minute.',
    );
    // The same words again are no change, and taking it back is always possible.
    expect(await edit('Version 3')).toMatchObject({ body: 'Version 3' });
    await talk.ask(owner, 'remove_message($1)', [said.id]);
    await withoutLimits(sql);
  });

  test('A removal leaves a mark, takes the words out of answers, search and counts', async () => {
    const { owner, coach } = world.people;
    const unread = async () => (await talk.ask(coach, 'session_context()')).unread_messages;
    await talk.ask(coach, 'read_messages($1, 100000)', [engagement]);
    const said = await talk.say(owner, engagement, 'Zebra crossing');
    await talk.say(owner, engagement, 'See above', { replyTo: said.id });
    expect(await unread()).toBe(2);
    const gone: Said = await talk.ask(owner, 'remove_message($1)', [said.id]);
    expect(gone).toMatchObject({ body: null, seq: said.seq });
    expect(gone.removed_at).not.toBeNull();
    expect(await talk.ask(owner, 'remove_message($1)', [said.id])).toEqual(gone);
    expect(await unread()).toBe(1);
    expect(await talk.ask(coach, 'search_messages($1)', ['zebra'])).toEqual([]);
    const { messages } = await talk.ask(coach, 'list_messages($1)', [engagement]);
    expect(messages.at(-1).reply_to).toMatchObject({ excerpt: '', removed: true });
    expect(await refusalOf(talk.ask(owner, 'edit_message($1, $2)', [said.id, 'Back']))).toBe(
      '55000 This message was removed.',
    );
    const stored = await world.sql`select words::text from public.messages where id = ${said.id}`;
    expect(stored[0]?.words).not.toContain('zebra');
  });

  test('Two answers at once to the same message, an edit and a removal, end in the removal', async () => {
    const { owner } = world.people;
    const said = await talk.say(owner, engagement, 'Contested');
    await Promise.allSettled([
      talk.ask(owner, 'edit_message($1, $2)', [said.id, 'Edited']),
      talk.ask(owner, 'remove_message($1)', [said.id]),
    ]);
    const [row] = await world.sql`select body from public.messages where id = ${said.id}`;
    expect(row?.body).toBeNull();
  });

  test('Who has left may still take back their own words, and not change them', async () => {
    const { owner, colleague } = world.people;
    const said = await talk.say(colleague, direct, 'Too hasty');
    await talk.ask(colleague, 'leave_business($1)', [world.ids.alder]);
    expect(await refusalOf(talk.ask(colleague, 'edit_message($1, $2)', [said.id, 'x']))).toBe(
      '55000 You no longer work together.',
    );
    await talk.ask(colleague, 'remove_message($1)', [said.id]);
    expect((await talk.bodies(owner, direct))?.at(-1)).toBeNull();
    await world.sql`
      insert into public.business_members (business_id, user_id, role)
      values (${world.ids.alder}, ${colleague.userId}, 'member')`;
  });
});

describe('Reading', () => {
  test('A mark only moves forward, never past the end, and is told to the others', async () => {
    const { owner, colleague } = world.people;
    const said = await talk.say(owner, direct, 'Read me');
    await talk.say(owner, direct, 'And me');
    const read = (seq: number) => talk.ask(colleague, 'read_messages($1, $2)', [direct, seq]);
    expect(await read(said.seq)).toEqual({ unread: 1, unread_total: 1 });
    expect(await read(1)).toEqual({ unread: 1, unread_total: 1 });
    expect(await read(1_000_000)).toEqual({ unread: 0, unread_total: 0 });
    const { people } = await talk.ask(owner, 'get_conversation($1)', [direct]);
    expect(people).toContainEqual(
      expect.objectContaining({ id: colleague.userId, read_seq: said.seq + 1 }),
    );
    const epoch = await talk.epochOf(direct);
    expect(
      (await talk.heard(`conversation:${direct}:${epoch}`)).filter(({ event }) => event === 'read'),
    ).toMatchObject([
      { payload: { person_id: colleague.userId, seq: said.seq } },
      { payload: { person_id: colleague.userId, seq: said.seq + 1 } },
    ]);
  });

  test('Counts are right while one writes and another reads', async () => {
    const { owner, colleague, coach } = world.people;
    await talk.ask(colleague, 'read_messages($1, 1000000)', [direct]);
    const write = async () => {
      for (let place = 0; place < 30; place += 1) await talk.say(owner, direct, `${place}`);
    };
    const readOn = async () => {
      for (let place = 0; place < 30; place += 1) {
        const [row] = await world.sql`
          select last_seq from public.conversations where id = ${direct}`;
        await talk.ask(colleague, 'read_messages($1, $2)', [direct, Number(row?.last_seq) - 2]);
      }
    };
    await Promise.all([write(), readOn()]);
    const [row] = await world.sql`
      select p.unread, (
        select count(*)::int from public.messages m
        where m.conversation_id = p.conversation_id and m.seq > p.read_seq
          and m.author_id <> p.user_id and m.removed_at is null
      ) as counted
      from public.conversation_participants p
      where p.conversation_id = ${direct} and p.user_id = ${colleague.userId}`;
    expect(row?.unread).toBe(row?.counted);
    // Nobody's own words are unread to them.
    expect((await talk.ask(owner, 'list_conversations()')).unread).toBeLessThanOrEqual(100);
    expect(coach.userId).not.toBe(owner.userId);
  });

  test('Pages lead backwards and forwards without a gap, and around a place', async () => {
    const { owner } = world.people;
    const [{ last }] = (await world.sql`
      select last_seq::int as last from public.conversations where id = ${direct}`) as never as [
      { last: number },
    ];
    const numbers = ({ messages }: { messages: Said[] }) => messages.map(({ seq }) => seq);
    const list = (text: string) => talk.ask(owner, `list_messages($1, ${text})`, [direct]);
    expect(numbers(await list('p_limit => 3'))).toEqual([last - 2, last - 1, last]);
    const before = await list(`p_before => ${last - 2}, p_limit => 3`);
    expect(numbers(before)).toEqual([last - 5, last - 4, last - 3]);
    expect(before.more).toBe(true);
    expect(await list('p_before => 3, p_limit => 3')).toMatchObject({ more: false });
    expect(numbers(await list('p_before => 3, p_limit => 3'))).toEqual([1, 2]);
    const after = await list(`p_after => ${last - 2}, p_limit => 50`);
    expect(numbers(after)).toEqual([last - 1, last]);
    expect(after.more).toBe(false);
    const around = await talk.ask(owner, 'get_conversation($1, 10, 20)', [direct]);
    expect(numbers(around)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
    expect(numbers(await list('p_limit => 0'))).toHaveLength(1);
    expect(await list('p_before => -5')).toEqual({ messages: [], more: false });
  });

  test('A conversation opens at the first unread message, with ten before it', async () => {
    const { owner, colleague } = world.people;
    await talk.ask(colleague, 'read_messages($1, 1000000)', [direct]);
    for (let place = 1; place <= 60; place += 1) await talk.say(owner, direct, `Unread ${place}`);
    const { messages, conversation } = await talk.ask(colleague, 'get_conversation($1)', [direct]);
    expect(conversation.unread).toBe(60);
    expect(messages[0].seq).toBe(conversation.read_seq + 1 - 10);
    expect(messages[10].body).toBe('Unread 1');
    expect(messages).toHaveLength(50);
    expect((await talk.ask(owner, 'get_conversation($1, 20)', [direct])).messages).toHaveLength(20);
  });
});

describe('Searching', () => {
  test('Every word as a beginning, in what one may read, the newest first', async () => {
    const { owner, coach, colleague, admin, otherOwner } = world.people;
    await talk.say(owner, engagement, 'The invoice of March is overdue, see ruth@example.org');
    await talk.say(coach, engagement, 'Which INVOICE? Ask for the Märzrechnung 2026-03');
    await talk.say(owner, direct, 'Invoices: nothing for the coach to see');
    const found = async (who: Person, words: string) =>
      (await talk.ask(who, 'search_messages($1)', [words])).map(({ seq }: Said) => seq).length;
    expect(await found(coach, 'invoi')).toBe(2);
    expect(await found(owner, 'invoi')).toBe(3);
    expect(await found(colleague, 'invoi')).toBe(1);
    expect(await found(owner, 'overd marc')).toBe(1);
    expect(await found(owner, 'märz')).toBe(1);
    expect(await found(owner, 'ruth@example.org')).toBe(1);
    expect(await found(owner, engagement)).toBe(0);
    for (const who of [admin, otherOwner]) expect(await found(who, 'invoice')).toBe(0);
    const [hit] = await talk.ask(owner, 'search_messages($1)', ['overdue']);
    expect(hit).toMatchObject({
      conversation_id: engagement,
      title: 'Coaching: Alder Bakery',
      author_name: 'Olive Owner',
      excerpt: expect.stringContaining('overdue'),
    });
    const page = await talk.ask(owner, 'search_messages($1, null, 2)', ['invoi']);
    expect(page).toHaveLength(2);
    const rest = await talk.ask(owner, 'search_messages($1, $2, 2)', ['invoi', page[1].sent_at]);
    expect(rest).toHaveLength(1);
  });

  test('The id of a conversation is none of its words', async () => {
    const { owner, colleague } = world.people;
    const id = `beef${crypto.randomUUID().slice(4)}`;
    const project = crypto.randomUUID();
    await talk.ask(owner, 'create_project($1, $2, $3)', [project, world.ids.alder, 'Soup']);
    await talk.ask(owner, 'open_conversation($1, $2, $3)', [id, 'project', project]);
    await talk.say(colleague, id, 'Chicken');
    const found = await talk.ask(owner, 'search_messages($1)', ['beef']);
    expect(found).toEqual([]);
    expect(await talk.ask(owner, 'search_messages($1)', ['chick'])).toHaveLength(1);
  });

  test('What looks like a query is only words', async () => {
    const { owner } = world.people;
    for (const words of [
      '',
      '   ',
      "'",
      "' | !",
      '&&',
      ':*',
      'a:*b',
      "o'neill",
      '(((',
      '\\',
      '<->',
    ]) {
      expect(Array.isArray(await talk.ask(owner, 'search_messages($1)', [words])), words).toBe(
        true,
      );
    }
  });
});

describe('What is sent to open pages', () => {
  test('A message reaches its conversation, and each person in it on their own channel', async () => {
    const { owner, coach } = world.people;
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
    await talk.ask(owner, 'edit_message($1, $2)', [said.id, 'Livelier']);
    expect((await talk.heard(`conversation:${engagement}:${epoch}`)).at(-1)).toMatchObject({
      event: 'changed',
      payload: { message: { id: said.id, body: 'Livelier' } },
    });
  });

  test('What was not stored is not sent', async () => {
    const { owner, coach } = world.people;
    const before = (await talk.heard(`person:${coach.userId}`)).length;
    const undone = asPerson(world.sql, owner, async (tx) => {
      await tx`select public.send_message(gen_random_uuid(), ${engagement}, 'Never')`;
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await talk.heard(`person:${coach.userId}`)).toHaveLength(before);
  });
});

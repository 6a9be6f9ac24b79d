import { expect, test } from 'vitest';
import { openWorld } from '../../fixtures/personas.ts';
import { type Said, talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { sql, people, ask } = world;
const { owner, colleague, coach } = people;
const { talk, direct } = await talksIn(world);
await talk.limit();
for (let place = 1; place <= 25; place += 1) {
  await talk.say(owner, direct, `${place}`);
}

test('A mark only moves forward, never past the end, and is told to the others', async () => {
  const said = await talk.say(owner, direct, 'Read me');
  await talk.say(owner, direct, 'And me');
  const read = (seq: number) => ask(colleague, 'read_messages($1, $2)', [direct, seq]);
  expect(await read(said.seq)).toEqual({ unread: 1, unread_total: 1 });
  expect(await read(1)).toEqual({ unread: 1, unread_total: 1 });
  expect(await read(1_000_000)).toEqual({ unread: 0, unread_total: 0 });
  const { people } = await ask(owner, 'get_conversation($1)', [direct]);
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
  await ask(colleague, 'read_messages($1, 1000000)', [direct]);
  const write = async () => {
    for (let place = 0; place < 30; place += 1) await talk.say(owner, direct, `${place}`);
  };
  const readOn = async () => {
    for (let place = 0; place < 30; place += 1) {
      const [row] = await sql`
        select last_seq from public.conversations where id = ${direct}`;
      await ask(colleague, 'read_messages($1, $2)', [direct, Number(row?.last_seq) - 2]);
    }
  };
  await Promise.all([write(), readOn()]);
  const [row] = await sql`
    select p.unread, (
      select count(*)::int from public.messages m
      where m.conversation_id = p.conversation_id and m.seq > p.read_seq
        and m.author_id <> p.user_id and m.removed_at is null
    ) as counted
    from public.conversation_participants p
    where p.conversation_id = ${direct} and p.user_id = ${colleague.userId}`;
  expect(row?.unread).toBe(row?.counted);
  // People's own messages don't count as unread.
  expect((await ask(owner, 'list_conversations()')).unread).toBeLessThanOrEqual(100);
  expect(coach.userId).not.toBe(owner.userId);
});

test('Pages lead backwards and forwards without a gap, and around a place', async () => {
  const [{ last }] = (await sql`
    select last_seq::int as last from public.conversations where id = ${direct}`) as never as [
    { last: number },
  ];
  const numbers = ({ messages }: { messages: Said[] }) => messages.map(({ seq }) => seq);
  const list = (text: string) => ask(owner, `list_messages($1, ${text})`, [direct]);
  expect(numbers(await list('p_limit => 3'))).toEqual([last - 2, last - 1, last]);
  const before = await list(`p_before => ${last - 2}, p_limit => 3`);
  expect(numbers(before)).toEqual([last - 5, last - 4, last - 3]);
  expect(before.more).toBe(true);
  expect(await list('p_before => 3, p_limit => 3')).toMatchObject({ more: false });
  expect(numbers(await list('p_before => 3, p_limit => 3'))).toEqual([1, 2]);
  const after = await list(`p_after => ${last - 2}, p_limit => 50`);
  expect(numbers(after)).toEqual([last - 1, last]);
  expect(after.more).toBe(false);
  const around = await ask(owner, 'get_conversation($1, 10, 20)', [direct]);
  expect(numbers(around)).toEqual([15, 16, 17, 18, 19, 20, 21, 22, 23, 24]);
  expect(numbers(await list('p_limit => 0'))).toHaveLength(1);
  expect(await list('p_before => -5')).toEqual({ messages: [], more: false });
});

test('A conversation opens at the first unread message, with ten before it', async () => {
  await ask(colleague, 'read_messages($1, 1000000)', [direct]);
  for (let place = 1; place <= 60; place += 1) await talk.say(owner, direct, `Unread ${place}`);
  const { messages, conversation } = await ask(colleague, 'get_conversation($1)', [direct]);
  expect(conversation.unread).toBe(60);
  expect(messages[0].seq).toBe(conversation.read_seq + 1 - 10);
  expect(messages[10].body).toBe('Unread 1');
  expect(messages).toHaveLength(50);
  expect((await ask(owner, 'get_conversation($1, 20)', [direct])).messages).toHaveLength(20);
});

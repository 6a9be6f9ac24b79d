import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { nobodyWrites } from '../../fixtures/nobody-writes.ts';
import { everyone, type World, whoReads } from '../../fixtures/personas.ts';
import { createTalks, type Talk } from '../../fixtures/talk.ts';

let world: World;
let talk: Talk;
let direct: string;
beforeAll(async () => {
  ({ world, talk, direct } = await createTalks());
});
afterAll(() => world.database.drop());

const denied = '42501 permission denied for table message_drafts';
const save = (who: Person, body: string | null, replyTo: string | null = null) =>
  talk.ask(who, 'save_message_draft($1, $2, $3)', [direct, body, replyTo]);
const draftOf = async (who: Person) =>
  (await talk.ask(who, 'get_conversation($1)', [direct])).draft;

describe('Who may see and change what somebody began to write', () => {
  test('Nobody writes the table', () => nobodyWrites(world, 'message_drafts'));

  test('Only its writer reads it', async () => {
    await save(world.people.owner, 'I thought');
    expect(await whoReads(world, 'message_drafts', 'body', (row) => row.body)).toEqual(
      everyone([], { visitor: denied, owner: ['I thought'] }),
    );
    expect(await draftOf(world.people.owner)).toEqual({ body: 'I thought', reply_to: null });
    expect(await draftOf(world.people.colleague)).toBeNull();
  });

  test('It is kept for each conversation, with what it answers, until it is sent or emptied', async () => {
    const { owner, colleague } = world.people;
    const said = await talk.say(colleague, direct, 'When?');
    await save(owner, 'On Monday', said.id);
    expect(await draftOf(owner)).toEqual({
      body: 'On Monday',
      reply_to: {
        id: said.id,
        seq: said.seq,
        author_id: said.author_id,
        excerpt: 'When?',
        removed: false,
      },
    });
    const [listed] = (await talk.ask(owner, 'list_conversations()')).conversations;
    expect(listed.draft).toBe('On Monday');
    await talk.say(owner, direct, 'On Monday', { replyTo: said.id });
    expect(await draftOf(owner)).toBeNull();

    await save(owner, 'Or');
    await save(owner, ' \n');
    expect(await draftOf(owner)).toBeNull();
    await save(owner, null);
    // What is too long to send is kept whole, and told when it is sent.
    const long = `${'x'.repeat(6000)} and the end`;
    await save(owner, long);
    expect((await draftOf(owner)).body).toBe(long);
    await save(owner, 'Of another talk', crypto.randomUUID());
    expect(await draftOf(owner)).toEqual({ body: 'Of another talk', reply_to: null });
  });
});

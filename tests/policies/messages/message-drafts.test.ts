import { expect, test } from 'vitest';
import type { Person } from '../../fixtures/database.ts';
import { expectReaders, openWorld } from '../../fixtures/personas.ts';
import { talksIn } from '../../fixtures/talk.ts';

const world = await openWorld();
const { people, ask } = world;
const { owner, colleague } = people;
const { talk, direct } = await talksIn(world);

const save = (who: Person, body: string | null, replyTo: string | null = null) =>
  ask(who, 'save_message_draft($1, $2, $3)', [direct, body, replyTo]);
const draftOf = async (who: Person) => (await ask(who, 'get_conversation($1)', [direct])).draft;

test('Only its writer reads it', async () => {
  await save(owner, 'I thought');
  await expectReaders(world, 'message_drafts', 'body', { owner: ['I thought'] });
  expect(await draftOf(owner)).toEqual({ body: 'I thought', reply_to: null });
  expect(await draftOf(colleague)).toBeNull();
});

test('A draft is kept for each conversation, with what it answers, until it is sent or emptied', async () => {
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
  const [listed] = (await ask(owner, 'list_conversations()')).conversations;
  expect(listed.draft).toBe('On Monday');
  await talk.say(owner, direct, 'On Monday', { replyTo: said.id });
  expect(await draftOf(owner)).toBeNull();

  await save(owner, 'Or');
  await save(owner, ' \n');
  expect(await draftOf(owner)).toBeNull();
  await save(owner, null);
  // A draft that's too long to send is kept in full; only sending it is rejected.
  const long = `${'x'.repeat(6000)} and the end`;
  await save(owner, long);
  expect((await draftOf(owner)).body).toBe(long);
  await save(owner, 'Of another talk', crypto.randomUUID());
  expect(await draftOf(owner)).toEqual({ body: 'Of another talk', reply_to: null });
});

import { expect, test } from 'vitest';
import { createMessage, lettersOf, MESSAGE_LENGTH, saveMessage } from '#data/messages.ts';
import { conversationServer } from '../../fixtures/conversation-server.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

test('As many emoji fit into a message as letters', () => {
  expect(lettersOf('👍'.repeat(MESSAGE_LENGTH))).toBe(MESSAGE_LENGTH);
  expect(lettersOf(` \n${'é'.repeat(7)}\t`)).toBe(7);
});

test('Half an emoji and the character zero keep no message from arriving', async () => {
  const bodies: unknown[] = [];
  const stored = conversationServer(['maria']).say('maria', 'one', 'Yes');
  const db = dbAnswering({
    async rpc(_name: string, args: { p_body: string }) {
      bodies.push(args.p_body);
      return { data: stored, error: null, status: 200 };
    },
  });
  const body = 'Yes \ud83d, at\0 ten 👍';
  const message = { id: 'one', conversationId: 'talk', replyTo: null, files: [] };
  await createMessage(db, { ...message, body });
  await saveMessage(db, 'one', body);
  expect(bodies).toEqual(['Yes , at ten 👍', 'Yes , at ten 👍']);
});

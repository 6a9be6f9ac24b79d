import { expect, test } from 'vitest';
import { createMessage, lettersOf, MESSAGE_LENGTH, saveMessage } from '#data/messages.ts';
import type { Db } from '#lib/supabase.ts';

test('As many emoji fit into a message as letters', () => {
  expect(lettersOf('👍'.repeat(MESSAGE_LENGTH))).toBe(MESSAGE_LENGTH);
  expect(lettersOf(` \n${'é'.repeat(7)}\t`)).toBe(7);
});

test('Half an emoji and the character zero keep no message from arriving', async () => {
  const bodies: unknown[] = [];
  const rpc = async (_name: string, args: { p_body: string }) => {
    bodies.push(args.p_body);
    return { data: {}, error: null, status: 200 };
  };
  const db = { rpc } as unknown as Db;
  const body = 'Yes \ud83d, at\0 ten 👍';
  const message = { id: 'one', conversationId: 'talk', replyTo: null, files: [] };
  await createMessage(db, { ...message, body });
  await saveMessage(db, 'one', body);
  expect(bodies).toEqual(['Yes , at ten 👍', 'Yes , at ten 👍']);
});

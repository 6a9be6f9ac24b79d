import * as v from 'valibot';
import { defineKind, quoted, sendWith } from '../kind.ts';
import { quoteSchema } from './quote.ts';

const file = v.object({
  id: v.string(),
  name: v.string(),
  type: v.string(),
  size: v.number(),
  width: v.nullable(v.number()),
  height: v.nullable(v.number()),
  path: v.string(),
});

const schema = v.object({
  id: v.string(),
  conversationId: v.string(),
  body: v.string(),
  replyTo: v.nullable(v.string()),
  files: v.array(v.string()),
  // Only to show it after a reload.
  quote: v.nullable(quoteSchema),
  brought: v.array(file),
});

/** Enough of a message to send it, and to show it after a reload. */
export type WrittenMessage = v.InferOutput<typeof schema>;

/** A message; its key is its id. */
export const messageKind = defineKind({
  name: 'message',
  schema,
  send: (message) =>
    sendWith(
      () => import('#data/messages.ts'),
      ({ createMessage }, client) => createMessage(client, message),
    ),
  summarize: ({ body }) => quoted('A message', body),
});

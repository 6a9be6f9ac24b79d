import * as z from 'zod/mini';
import { defineKind, quoted, sendWith } from '../kind.ts';
import { quoteSchema } from './quote.ts';

const file = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  width: z.nullable(z.number()),
  height: z.nullable(z.number()),
  path: z.string(),
});

const schema = z.object({
  id: z.string(),
  conversationId: z.string(),
  body: z.string(),
  replyTo: z.nullable(z.string()),
  files: z.array(z.string()),
  // To show it after a reload.
  quote: z.nullable(quoteSchema),
  brought: z.array(file),
});

/** Enough of a message to send it, and to show it after a reload. */
export type WrittenMessage = z.infer<typeof schema>;

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

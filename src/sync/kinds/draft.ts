import * as z from 'zod/mini';
import { defineKind, sendWith } from '../kind.ts';
import { quoteSchema } from './quote.ts';

/** What somebody is writing in a conversation; its key is the conversation's id. */
export const draftKind = defineKind({
  name: 'draft',
  schema: z.object({
    conversationId: z.string(),
    body: z.string(),
    replyTo: z.nullable(z.string()),
    quote: z.nullable(quoteSchema),
  }),
  // Other devices may have it when the person pauses.
  rest: 1_500,
  send: (draft) =>
    sendWith(
      () => import('#data/messages.ts'),
      ({ saveMessageDraft }, client) => saveMessageDraft(client, draft),
    ),
  summarize: () => 'A message you’ve started',
});

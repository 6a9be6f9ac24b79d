import * as v from 'valibot';
import { defineKind, sendWith } from '../kind.ts';
import { quoteSchema } from './quote.ts';

/** A message draft; its key is the conversation's id. */
export const draftKind = defineKind({
  name: 'draft',
  schema: v.object({
    conversationId: v.string(),
    body: v.string(),
    replyTo: v.nullable(v.string()),
    quote: v.nullable(quoteSchema),
  }),
  // Other devices get the draft when the person pauses.
  rest: 1_500,
  send: (draft) =>
    sendWith(
      () => import('#data/messages.ts'),
      ({ saveMessageDraft }, client) => saveMessageDraft(client, draft),
    ),
  summarize: () => 'A message you’ve started',
});

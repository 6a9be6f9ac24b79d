/** Answers that an admin has started, kept in this browser until they're sent. */
import * as v from 'valibot';
import { readStored, writeStored } from '#lib/browser/stored.ts';

const keyOf = (messageId: string) => `trellis-answer:${messageId}`;

/** The text that was typed for a message, or ''. */
export const readAnswerDraft = (messageId: string): string =>
  readStored(keyOf(messageId), v.string()) ?? '';

/** Keeps the text; an empty one is removed. */
export function keepAnswerDraft(messageId: string, text: string): void {
  writeStored(keyOf(messageId), text.trim() === '' ? null : text);
}

/** How long a person waits for a response, in milliseconds, before we show that none came. */
export const ANSWER_WITHIN_MS = 15_000;

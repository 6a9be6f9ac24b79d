/** How long a person waits for an answer, in milliseconds: then they read that there is none. */
export const ANSWER_WITHIN_MS = 15_000;

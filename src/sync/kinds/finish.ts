import * as v from 'valibot';
import { defineKind, sendWith } from '../kind.ts';
import { isClosed } from './quiz.ts';

/** Finishing a quiz attempt, after all of its answers; its key is the attempt's id. */
export const finishKind = defineKind({
  name: 'finish',
  schema: v.object({}),
  isAfter: (mine, other) => other.key.startsWith(`${mine.key}/`),
  send: (_, id) =>
    sendWith(
      () => import('#data/attempts.ts'),
      async ({ finishAttempt }, client) => {
        try {
          await finishAttempt(client, id);
        } catch (thrown) {
          // It's closed already, so there's nothing to finish.
          if (!isClosed(thrown)) throw thrown;
        }
      },
    ),
  summarize: () => 'Finishing your quiz',
});

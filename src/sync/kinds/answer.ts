import * as z from 'zod/mini';
import { defineKind, sendWith } from '../kind.ts';
import { BATCH, refuseWhereClosed } from './quiz.ts';

/** An answer of an attempt at the quiz; its key is `<attempt>/<question>`. */
export const answerKind = defineKind({
  name: 'answer',
  schema: z.object({
    attempt_id: z.string(),
    version_id: z.string(),
    question_key: z.string(),
    value: z.nullable(z.number()),
    applies: z.boolean(),
    answered_at: z.string(),
  }),
  batch: BATCH,
  sendAll: (answers) =>
    refuseWhereClosed(
      sendWith(
        () => import('#data/attempts.ts'),
        ({ saveAnswers }, client) => saveAnswers(client, answers),
      ),
    ),
  summarize: () => 'One quiz answer',
  plural: 'quiz answers',
});

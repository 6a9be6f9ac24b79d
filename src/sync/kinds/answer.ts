import * as v from 'valibot';
import { defineKind, sendWith } from '../kind.ts';
import { BATCH, refuseWhereClosed } from './quiz.ts';

/** An answer in a quiz attempt; its key is `<attempt>/<question>`. */
export const answerKind = defineKind({
  name: 'answer',
  schema: v.object({
    attempt_id: v.string(),
    version_id: v.string(),
    question_key: v.string(),
    value: v.nullable(v.number()),
    applies: v.boolean(),
    answered_at: v.string(),
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

import * as v from 'valibot';
import { defineKind, sendWith } from '../kind.ts';
import { BATCH, refuseWhereClosed } from './quiz.ts';

/** How confident a person is in a skill area of the quiz; its key is `<attempt>/<area>`. */
export const ratingKind = defineKind({
  name: 'rating',
  schema: v.object({
    attempt_id: v.string(),
    version_id: v.string(),
    area_key: v.string(),
    rating: v.number(),
    rated_at: v.string(),
  }),
  batch: BATCH,
  sendAll: (ratings) =>
    refuseWhereClosed(
      sendWith(
        () => import('#data/attempts.ts'),
        ({ saveConfidences }, client) => saveConfidences(client, ratings),
      ),
    ),
  summarize: () => 'One quiz answer',
  plural: 'quiz answers',
});

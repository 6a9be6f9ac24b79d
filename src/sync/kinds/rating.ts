import * as z from 'zod/mini';
import { defineKind, sendWith } from '../kind.ts';
import { BATCH, refuseWhereClosed } from './quiz.ts';

/** How sure somebody is about an area of the quiz; its key is `<attempt>/<area>`. */
export const ratingKind = defineKind({
  name: 'rating',
  schema: z.object({
    attempt_id: z.string(),
    version_id: z.string(),
    area_key: z.string(),
    rating: z.number(),
    rated_at: z.string(),
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

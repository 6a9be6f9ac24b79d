/** The schema of a coaching request; the database enforces the same limit. */
import * as v from 'valibot';
import { textUpTo } from '#lib/schemas/fields.ts';

/** The maximum length of a note, in characters. */
const NOTE_MAX = 2000;

export const coachingRequest = v.object({
  businessId: v.pipe(v.string(), v.minLength(1, 'Choose a business.')),
  note: textUpTo(NOTE_MAX, 'Keep the note to 2,000 characters.'),
  share: v.boolean(),
});

export type CoachingRequestInput = v.InferOutput<typeof coachingRequest>;

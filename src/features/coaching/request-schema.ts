/** What a request for coaching accepts; the database holds to the same limit. */
import * as z from 'zod/mini';

/** Characters of a note. */
const NOTE_MAX = 2000;

export const coachingRequest = z.object({
  businessId: z.string().check(z.minLength(1, 'Choose the business that it is about.')),
  note: z.string().check(z.trim(), z.maxLength(NOTE_MAX, 'Keep the note to 2,000 characters.')),
  share: z.boolean(),
});

export type CoachingRequestInput = z.infer<typeof coachingRequest>;

/** What we ask clients about the help they got. */
import { z } from 'astro/zod';
import { words } from './vocabulary.ts';

/** The engagement survey that is open; `content/survey.yaml`. */
export const surveySchema = z.strictObject({
  /** A survey keeps its wording; new wording needs a new id. */
  id: z.uuid('Give the survey an id that is a UUID.'),
  title: words(90),
  /** What we promise before the first question. The database keeps it. */
  privacy: z.enum(['anonymous', 'confidential'], {
    error: 'A survey is anonymous or confidential.',
  }),
  /** Whether people without a personal link may answer. */
  public_link: z.boolean(),
  /** Agreed with from 1 to 5; results count on their places. */
  statements: z.array(words(90)).length(10, 'Write ten statements.'),
  /** Answered from 0 to 10. */
  recommend: words(120),
  /** Answered in words. */
  comments: z.array(words(120)).length(2, 'Ask for two comments.'),
});

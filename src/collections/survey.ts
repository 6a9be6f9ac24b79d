/** The survey about the help that clients got. */
import { z } from 'astro/zod';
import { words } from './vocabulary.ts';

/** The engagement survey that's open now; `content/survey.yaml`. */
export const surveySchema = z.strictObject({
  /** A survey's wording never changes; new wording needs a new id. */
  id: z.uuid('Give the survey an id that is a UUID.'),
  title: words(90),
  /** The privacy we promise before the first question. The database enforces it. */
  privacy: z.enum(['anonymous', 'confidential'], {
    error: 'A survey is anonymous or confidential.',
  }),
  /** Whether people without a personal link can respond. */
  public_link: z.boolean(),
  /** Rated from 1 (disagree) to 5 (agree). Results rely on their order. */
  statements: z.array(words(90)).length(10, 'Write ten statements.'),
  /** Rated from 0 to 10. */
  recommend: words(120),
  /** Open-ended questions. */
  comments: z.array(words(120)).length(2, 'Ask for two comments.'),
});

/** The eight skill areas and the versions of the quiz. */
import { z } from 'astro/zod';
import { areaKey, questionKey, words } from './vocabulary.ts';

/** A skill area; `content/quiz/areas.yaml`. */
export const areaSchema = z.strictObject({
  key: areaKey,
  name: words(40),
  /** A one-word name for tight spots, such as next to a petal of the bloom chart. */
  short_name: words(12),
  /** Its position, clockwise from the top of the bloom chart. */
  position: z.number().int().min(1).max(8),
  /** One sentence: "Whether …". */
  summary: words(160),
});

/** A question with its five answers. */
export const questionSchema = z.strictObject({
  key: questionKey,
  area: areaKey,
  /** The practice that the question is about, as results name it. */
  practice: words(48),
  /** The question, addressed to an owner. */
  text: words(90),
  /** One line for readers who aren't sure what it means. */
  help: words(130).optional(),
  /** What 0, 1, 2, 3 and 4 look like in this practice, in the first person plural. */
  anchors: z
    .array(words(90))
    .length(5, 'Write five answers, from not done to measured and improved.'),
  /** The question's weight within its area. */
  weight: z.number().min(1, 'A weight is 1 to 2.').max(2, 'A weight is 1 to 2.'),
  /** What to do in the next 30 days if this practice is weak; ends with a visible result. */
  action: words(300),
  /** Raise it when the question's meaning changes: retakes then aren't compared on it. */
  meaning: z.number().int().positive().optional(),
  /** Set on the one question per area that the first-look quiz includes. */
  first_look: z.literal(true).optional(),
});

/** One version of the quiz; `content/quiz/version-<number>.yaml`. */
export const quizVersionSchema = z.strictObject({
  id: z.uuid('Give the version an id that is a UUID.'),
  number: z.number().int().positive(),
  title: words(80),
  /** Each area's importance when we choose recommendations, and the question that skips it. */
  areas: z
    .array(
      z.strictObject({
        key: areaKey,
        importance: z.number().int().min(1).max(3),
        /** A yes-or-no question before the area's own; whoever answers no isn't asked those. */
        skip: z.strictObject({ question: words(90), help: words(130).optional() }).optional(),
      }),
    )
    .length(8, 'Name each of the eight areas once.'),
  /** The questions behind the research claim on the home page. */
  research: z.array(questionKey),
  questions: z.array(questionSchema).min(1, 'A version needs questions.'),
});

import * as v from 'valibot';
import type { Fields } from '../_shared/public-form.ts';

/** The open survey, as `get_survey` returns it. */
export const survey = v.object({
  id: v.string(),
  title: v.string(),
  privacy: v.picklist(['anonymous', 'confidential']),
  statements: v.array(v.string()),
  recommend: v.string(),
  comments: v.array(v.string()),
});
export type Survey = v.InferOutput<typeof survey>;

const LONGEST_COMMENT = 2_000;

/** What a form says, and the error messages of fields that don't fit. */
export function readAnswers(fields: Fields, { statements, comments }: Survey) {
  const errors: Fields = {};
  // As text: the database refuses what isn't a number, with the same words for every sender.
  const answerTo = (name: string) => fields[name] || null;
  const response = {
    agreement: statements.map((_, place) => answerTo(`statement-${place}`)),
    recommend: answerTo('recommend'),
    comments: comments.map((_, place) => {
      // Browsers send a line break as two characters.
      const text = (fields[`comment-${place}`] ?? '').replaceAll('\r\n', '\n').trim();
      if (text.length > LONGEST_COMMENT) {
        const excess = (text.length - LONGEST_COMMENT).toLocaleString('en-US');
        errors[`comment-${place}`] = `Keep it to 2,000 characters. That’s ${excess} too many.`;
      }
      return text || null;
    }),
  };
  return { response, errors };
}

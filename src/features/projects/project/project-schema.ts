/** Validation of projects and tasks. The database has the same limits. */

import * as v from 'valibot';
import { wholeText } from '#lib/locale/numbers.ts';
import { textUpTo } from '#lib/schemas/fields.ts';

const LONG = 1000;
const long = textUpTo(LONG, `Keep it to ${wholeText(LONG)} characters.`);
/** A date input's value, such as `2026-11-28`; empty for none. */
const day = v.pipe(v.string(), v.regex(/^(|(19|20|21)\d\d-\d\d-\d\d)$/, 'Enter a full date.'));

export const projectSchema = v.pipe(
  v.object({
    title: v.pipe(
      textUpTo(160, 'Keep it to 160 characters.'),
      v.minLength(1, 'Give the project a title.'),
    ),
    areaKey: v.string(),
    outcome: long,
    baseline: long,
    startOn: day,
    dueOn: day,
    engagementId: v.string(),
  }),
  v.forward(
    v.check(
      ({ startOn, dueOn }) => !startOn || !dueOn || dueOn >= startOn,
      'The due date is before the start date.',
    ),
    ['dueOn'],
  ),
);

export const taskSchema = v.object({
  title: v.pipe(
    textUpTo(200, 'Keep it to 200 characters.'),
    v.minLength(1, 'Say what needs to be done.'),
  ),
  dueOn: day,
});

export type TaskInput = v.InferOutput<typeof taskSchema>;

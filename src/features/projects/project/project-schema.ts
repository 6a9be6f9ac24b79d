/** What a project and a task accept; the database holds to the same limits. */
import * as z from 'zod/mini';

const LONG = 1000;
const long = z
  .string()
  .check(z.trim(), z.maxLength(LONG, `Keep it to ${LONG.toLocaleString('en-US')} characters.`));
/** A day as a browser's date field gives it, or nothing. */
const day = z.string().check(z.regex(/^(|(19|20|21)\d\d-\d\d-\d\d)$/, 'Enter a full date.'));

export const projectSchema = z
  .object({
    title: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Give the project a title.'),
        z.maxLength(160, 'Keep the title to 160 characters.'),
      ),
    areaKey: z.string(),
    outcome: long,
    baseline: long,
    startOn: day,
    dueOn: day,
    engagementId: z.string(),
  })
  .check(
    z.refine(({ startOn, dueOn }) => !startOn || !dueOn || dueOn >= startOn, {
      path: ['dueOn'],
      message: 'The due date comes before the start.',
    }),
  );

export const taskSchema = z.object({
  title: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, 'Say what is to be done.'),
      z.maxLength(200, 'Keep it to 200 characters.'),
    ),
  dueOn: day,
});

export type TaskInput = z.infer<typeof taskSchema>;

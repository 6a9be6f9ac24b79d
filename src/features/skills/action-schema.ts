/** Validation of an action in a focus area. The database has the same limits. */
import * as v from 'valibot';
import { addDays } from '#lib/locale/dates.ts';
import { textUpTo } from '#lib/schemas/fields.ts';

/** The most characters an action can have. */
export const BODY_MAX = 600;
/** The latest due date, in days from today. */
export const LAST_DAY = 366;
/** The default due date of an action, in days from today. */
export const USUAL_DAYS = 30;

/**
 * The schema of the action form.
 * @param today `2026-11-21`
 * @param kept a date that's accepted even if it has passed
 */
export function actionSchema(today: string, kept?: string) {
  const fits = (day: string) => day === kept || (day >= today && day <= addDays(today, LAST_DAY));
  return v.object({
    body: v.pipe(
      textUpTo(BODY_MAX, `Keep it to ${BODY_MAX} characters.`),
      v.minLength(1, 'Say what you’ll do.'),
    ),
    dueOn: v.pipe(
      v.string(),
      v.regex(/^\d{4}-\d\d-\d\d$/, 'Choose a date.'),
      v.check(fits, 'Choose a date within the next year.'),
    ),
    remind: v.boolean(),
  });
}

export interface ActionFields {
  body: string;
  dueOn: string;
  remind: boolean;
}

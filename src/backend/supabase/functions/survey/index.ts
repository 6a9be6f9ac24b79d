import * as v from 'valibot';
import { query, queryOne } from '../_shared/connection.ts';
import { database } from '../_shared/database.ts';
import { answerForm, type Fields, type Outcome } from '../_shared/public-form.ts';
import { surveyFields } from './form.ts';
import { readAnswers, type Survey, survey } from './survey.ts';

const CLOSED = 'No survey is open right now, so we can’t take your answers. You can write to us.';
const CHANGED =
  'The survey has changed since you opened it. Please read what it says now, check your answers and send them again.';

/** Errors of the database whose messages are for people: what doesn't fit, and what isn't open. */
const FOR_PEOPLE = new Set(['22023', '42501', '55000']);

/** The open survey, as someone with this invitation can answer it; null if none is open. */
async function readSurvey(invitation: string | null): Promise<Survey | null> {
  const row = await queryOne<{ survey: unknown }>(database())`
    select public.get_survey(${invitation}) as survey`;
  return v.parse(v.nullable(survey), row?.survey ?? null);
}

/** Receives the survey's form from a browser without scripts. */
async function receive(fields: Fields, caller: string | null): Promise<Outcome> {
  const refused = (errors: Fields): Outcome => ({ name: 'refused', status: 422, errors });
  const invitation = fields.invitation || null;
  const open = await readSurvey(invitation);
  if (!open) return refused({ '': CLOSED });
  // Answers are given under the promise that was read: each survey has its own.
  if (fields.survey !== open.id) return refused({ '': CHANGED });
  const id = v.safeParse(v.pipe(v.string(), v.uuid()), fields.id || crypto.randomUUID());
  if (!id.success) return refused({ '': 'We couldn’t read this form.' });
  const { response, errors } = readAnswers(fields, open);
  if (Object.keys(errors).length > 0) return refused(errors);
  try {
    await query(database())`
      select private.receive_survey_response(
        ${caller}, ${id.output}, ${open.id}, ${JSON.stringify(response)}::jsonb,
        ${invitation}
      )`;
  } catch (thrown) {
    const { code, message } = thrown as { code?: string; message?: string };
    if (!FOR_PEOPLE.has(code ?? '')) throw thrown;
    return refused({ '': message ?? '' });
  }
  return { name: 'done', to: '/engagement-survey/thanks' };
}

export default {
  fetch: (request: Request) =>
    answerForm(request, {
      title: 'Please fix one thing',
      page: '/engagement-survey',
      handle: receive,
      controls: async (fields, errors) =>
        surveyFields(fields, errors, await readSurvey(fields.invitation || null).catch(() => null)),
    }),
};

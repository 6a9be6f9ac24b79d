/** The engagement survey. Asked without a client: supabase-js would weigh more than all of its page. */
import type { SurveyPrivacy } from '#domain/survey.ts';
import { browserConfig } from '#lib/app-config.ts';
import { AppError, toAppError } from '#lib/errors.ts';
import { http } from '#lib/http.ts';

/** What is asked, and what is promised about who reads it. */
export type Survey = {
  id: string;
  title: string;
  privacy: SurveyPrivacy;
  /** Ten, agreed with from 1 to 5. */
  statements: string[];
  /** Answered from 0 to 10. */
  recommend: string;
  /** Two, answered in words. */
  comments: string[];
};

/**
 * How the open survey may be answered: by this invitation, by the public link, not again, or not at
 * all without a link that works.
 */
export type SurveyAccess = 'invitation' | 'public' | 'answered' | 'none';

/** What somebody answered; null for what they left out. */
export type SurveyResponse = {
  agreement: (number | null)[];
  recommend: number | null;
  comments: (string | null)[];
};

/** Calls a procedure as a visitor. https://docs.postgrest.org/en/v13/references/api/functions.html */
async function call<Answer>(procedure: string, body: Record<string, unknown>): Promise<Answer> {
  const { supabaseUrl, publishableKey } = await browserConfig();
  try {
    return await http<Answer>(`${supabaseUrl}/rest/v1/rpc/${procedure}`, {
      method: 'POST',
      headers: { apikey: publishableKey },
      body,
    });
  } catch (thrown) {
    const { data, status, cause } = thrown as { data?: unknown; status?: number; cause?: unknown };
    throw toAppError(data ?? cause ?? thrown, status ?? 0);
  }
}

/**
 * The survey that is open, and how it may be answered.
 * @param invitation the secret of a personal link, or null
 * @throws AppError `not-found` when none is open, `network` when nobody answers
 */
export async function getSurvey(
  invitation: string | null,
): Promise<Survey & { access: SurveyAccess }> {
  const survey = await call<(Survey & { access: SurveyAccess }) | null>('get_survey', {
    p_invitation: invitation,
  });
  if (!survey) throw new AppError('not-found');
  return survey;
}

/**
 * Stores a response. Doing it again with the same id stores nothing more.
 * @param id made by the browser, kept until this succeeded
 * @throws AppError `conflict` when the survey is closed or the link was used, `rate-limited`
 */
export async function submitSurveyResponse(
  id: string,
  surveyId: string,
  response: SurveyResponse,
  invitation: string | null,
): Promise<void> {
  await call('submit_survey_response', {
    p_id: id,
    p_survey_id: surveyId,
    p_response: response,
    p_invitation: invitation,
  });
}

/** The engagement survey. Asked without a client: supabase-js would weigh more than all of its page. */
import * as v from 'valibot';
import { SURVEY_PRIVACIES } from '#domain/survey.ts';
import { ignored, visitorRpc } from '#lib/rpc.ts';

/** What is asked, and what is promised about who reads it. */
export const survey = v.object({
  id: v.string(),
  title: v.string(),
  privacy: v.picklist(SURVEY_PRIVACIES),
  /** Ten, agreed with from 1 to 5. */
  statements: v.array(v.string()),
  /** Answered from 0 to 10. */
  recommend: v.string(),
  /** Two, answered in words. */
  comments: v.array(v.string()),
});
export type Survey = v.InferOutput<typeof survey>;

/**
 * How the open survey may be answered: by this invitation, by the public link, not again, or not at
 * all without a link that works.
 */
export const surveyAccess = v.picklist(['invitation', 'public', 'answered', 'none']);
export type SurveyAccess = v.InferOutput<typeof surveyAccess>;

const openSurvey = v.object({ ...survey.entries, access: surveyAccess });

/** What someone answered; null for what they left out. */
export type SurveyResponse = {
  agreement: (number | null)[];
  recommend: number | null;
  comments: (string | null)[];
};

/**
 * The survey that is open, and how it may be answered.
 * @param invitation the secret of a personal link, or null
 * @throws AppError `not-found` when none is open, `network` when nobody answers
 */
export async function getSurvey(
  invitation: string | null,
): Promise<v.InferOutput<typeof openSurvey>> {
  return visitorRpc('get_survey', openSurvey, { p_invitation: invitation });
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
  await visitorRpc('submit_survey_response', ignored, {
    p_id: id,
    p_survey_id: surveyId,
    p_response: response,
    p_invitation: invitation,
  });
}

import { type Html, html } from '../_shared/mail/html.ts';
import type { Fields } from '../_shared/public-form.ts';
import type { Survey } from './survey.ts';

const AGREEMENT = [1, 2, 3, 4, 5];
const LIKELIHOOD = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

const PROMISE: Record<Survey['privacy'], string> = {
  anonymous:
    'This survey is anonymous. We store your answers with the date and nothing that identifies you.',
  confidential:
    'This survey is confidential. If you use a personal link, we store your answers with your coaching, but we never show them separately.',
};

function scale(
  name: string,
  legend: string,
  { steps, ends, given }: { steps: readonly number[]; ends: string; given: string | undefined },
): Html {
  const choices = steps.map((step) =>
    String(step) === given
      ? html`<label><input type="radio" name="${name}" value="${step}" checked> ${step}</label>`
      : html`<label><input type="radio" name="${name}" value="${step}"> ${step}</label>`,
  );
  return html`<fieldset><legend>${legend} <small>(${ends})</small></legend><div class="scale">${choices}</div></fieldset>`;
}

function comment(name: string, question: string, given: Fields, errors: Fields): Html {
  const error = errors[name] ? html`<strong>${errors[name]}</strong>` : null;
  return html`<p><label for="${name}">${question}</label>${error}<textarea id="${name}" name="${name}" rows="6">${given[name] ?? ''}</textarea></p>`;
}

/** What was written, to copy it, if there's no survey to send it to. */
const written = (given: Fields): Html[] =>
  Object.entries(given)
    .filter(([name, text]) => /^comment-\d$/.test(name) && text)
    .map(([name]) => comment(name, 'What you wrote', given, {}));

/** The survey's questions with everything that was answered. */
export function surveyFields(given: Fields, errors: Fields, survey: Survey | null): Html[] {
  if (!survey) return written(given);
  const statements = survey.statements.map((statement, place) => {
    const name = `statement-${place}`;
    const ends = '1 not at all, 5 completely';
    const said = { steps: AGREEMENT, ends, given: given[name] };
    return scale(name, `${place + 1}. ${statement}`, said);
  });
  // Sent twice from here, it's stored once.
  const id = given.id || crypto.randomUUID();
  const hidden = { survey: survey.id, id, invitation: given.invitation ?? '' };
  const likelihood = { steps: LIKELIHOOD, ends: '0 not likely, 10 very likely' };
  return [
    html`<p>${PROMISE[survey.privacy]} You can skip any question.</p>`,
    ...statements,
    scale('recommend', survey.recommend, { ...likelihood, given: given.recommend }),
    ...survey.comments.map((question, place) =>
      comment(`comment-${place}`, question, given, errors),
    ),
    ...Object.entries(hidden).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    ),
  ];
}

/** What somebody has answered and not sent yet: kept in this browser only, one draft a survey. */

import type { Survey } from '#data/survey.ts';
import { newId } from '#lib/new-id.ts';

export type SurveyDraft = {
  /** The response's id, made once, so that sending it twice stores it once. */
  id: string;
  /** 1 to 5 for each statement, or null. */
  agreement: (number | null)[];
  recommend: number | null;
  comments: string[];
};

const keyOf = (surveyId: string) => `trellis-survey:${surveyId}`;

/** A draft in which nothing is answered. */
export function emptyDraft(survey: Survey): SurveyDraft {
  return {
    id: newId(),
    agreement: survey.statements.map(() => null),
    recommend: null,
    comments: survey.comments.map(() => ''),
  };
}

/** The draft of this survey in this browser, or null when there is none that can be read. */
export function readDraft(survey: Survey): SurveyDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(survey.id)) ?? 'null');
    return isDraft(value, survey) ? value : null;
  } catch {
    return null;
  }
}

/** Keeps a draft; a browser that refuses storage keeps it as long as its tab is open. */
export function keepDraft(surveyId: string, draft: SurveyDraft): void {
  try {
    localStorage.setItem(keyOf(surveyId), JSON.stringify(draft));
  } catch {
    // Full or denied.
  }
}

/** Forgets a draft that the server has. */
export function removeDraft(surveyId: string): void {
  try {
    localStorage.removeItem(keyOf(surveyId));
  } catch {
    // There is nothing to forget.
  }
}

/**
 * Calls back when another tab of this browser changed or sent the draft.
 * @returns how to stop listening
 */
export function onDraft(surveyId: () => string, changed: () => void): () => void {
  const listener = ({ key }: StorageEvent) => {
    if (key === keyOf(surveyId())) changed();
  };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

const isStep = (value: unknown, least: number, most: number) =>
  value === null ||
  (Number.isInteger(value) && (value as number) >= least && (value as number) <= most);

/** Storage can hold anything. */
function isDraft(value: unknown, survey: Survey): value is SurveyDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { id, agreement, recommend, comments } = value as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    Array.isArray(agreement) &&
    agreement.length === survey.statements.length &&
    agreement.every((each) => isStep(each, 1, 5)) &&
    isStep(recommend, 0, 10) &&
    Array.isArray(comments) &&
    comments.length === survey.comments.length &&
    comments.every((each) => typeof each === 'string')
  );
}

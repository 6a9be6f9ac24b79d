/** Answers that aren't sent yet: saved in this browser only, one draft for each survey. */
import type { Survey } from '#data/survey.ts';
import { newId } from '#lib/new-id.ts';

export type SurveyDraft = {
  /** The response's id, created once, so that sending it twice stores it once. */
  id: string;
  /** 1 to 5 for each statement, or null. */
  agreement: (number | null)[];
  recommend: number | null;
  comments: string[];
};

const keyOf = (surveyId: string) => `trellis-survey:${surveyId}`;

/** Gives a draft without answers. */
export function emptyDraft(survey: Survey): SurveyDraft {
  return {
    id: newId(),
    agreement: survey.statements.map(() => null),
    recommend: null,
    comments: survey.comments.map(() => ''),
  };
}

/** Reads the draft of this survey from this browser; null when there is none that is valid. */
export function readDraft(survey: Survey): SurveyDraft | null {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(survey.id)) ?? 'null');
    return isDraft(value, survey) ? value : null;
  } catch {
    return null;
  }
}

/** Saves a draft; if the browser refuses storage, it lasts as long as its tab. */
export function saveDraft(surveyId: string, draft: SurveyDraft): void {
  try {
    localStorage.setItem(keyOf(surveyId), JSON.stringify(draft));
  } catch {
    // Full or denied.
  }
}

/** Deletes a draft that was sent. */
export function removeDraft(surveyId: string): void {
  try {
    localStorage.removeItem(keyOf(surveyId));
  } catch {
    // Storage is denied, so there is no draft.
  }
}

/**
 * Calls back when another tab of this browser changed or sent the draft.
 * @returns its cleanup
 */
export function onDraft(surveyId: () => string, callback: () => void): () => void {
  const listener = ({ key }: StorageEvent) => {
    if (key === keyOf(surveyId())) callback();
  };
  window.addEventListener('storage', listener);
  return () => window.removeEventListener('storage', listener);
}

const isRating = (value: unknown, least: number, most: number) =>
  value === null ||
  (Number.isInteger(value) && (value as number) >= least && (value as number) <= most);

/** Checks a draft: storage can hold anything. */
function isDraft(value: unknown, survey: Survey): value is SurveyDraft {
  if (typeof value !== 'object' || value === null) return false;
  const { id, agreement, recommend, comments } = value as Record<string, unknown>;
  return (
    typeof id === 'string' &&
    Array.isArray(agreement) &&
    agreement.length === survey.statements.length &&
    agreement.every((each) => isRating(each, 1, 5)) &&
    isRating(recommend, 0, 10) &&
    Array.isArray(comments) &&
    comments.length === survey.comments.length &&
    comments.every((each) => typeof each === 'string')
  );
}

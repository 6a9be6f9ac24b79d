/** The answers to a survey on a page; every change is saved in this browser. */
import { atom, type ReadableAtom } from 'nanostores';
import type { Survey } from '#data/survey.ts';
import { emptyDraft, readDraft, type SurveyDraft, saveDraft } from './draft.ts';

export interface DraftStore {
  /** The questions: the prerendered ones, or newer ones if nothing was answered yet. */
  $survey: ReadableAtom<Survey>;
  $draft: ReadableAtom<SurveyDraft>;
  /** Null removes the answer. */
  agree(statement: number, value: number | null): void;
  recommend(value: number | null): void;
  comment(question: number, text: string): void;
  /** Takes the draft that this browser has saved; tells whether there was one. */
  load(): boolean;
  /** Takes newer questions, with the draft that this browser has saved of them. */
  replaceSurvey(survey: Survey): void;
}

/** Makes the answers of a survey. `changed` is called after each change by the person. */
export function createDraftStore(prerendered: Survey, changed: () => void): DraftStore {
  const $survey = atom(prerendered);
  const $draft = atom(emptyDraft(prerendered));

  function change(part: Partial<SurveyDraft>) {
    const draft = { ...$draft.get(), ...part };
    $draft.set(draft);
    saveDraft($survey.get().id, draft);
    changed();
  }

  return {
    $survey,
    $draft,
    agree: (statement, value) =>
      change({ agreement: $draft.get().agreement.with(statement, value) }),
    recommend: (recommend) => change({ recommend }),
    comment: (question, text) => change({ comments: $draft.get().comments.with(question, text) }),
    load() {
      const saved = readDraft($survey.get());
      if (saved) $draft.set(saved);
      return saved !== null;
    },
    replaceSurvey(survey) {
      $survey.set(survey);
      $draft.set(readDraft(survey) ?? emptyDraft(survey));
    },
  };
}

import { atom } from 'nanostores';
import { getSurvey, type Survey, type SurveyResponse, submitSurveyResponse } from '#data/survey.ts';
import { type AppError, toAppError } from '#lib/errors.ts';
import { createDraftStore, type SurveyDraft } from './draft-store.ts';

/** Longest comment, in characters; the database refuses longer ones. */
const COMMENT_LENGTH = 2_000;

export type SurveyState =
  /** Open for answers. `failure` is why the last attempt to send failed. */
  | { name: 'open'; failure: AppError | null }
  | { name: 'sending' }
  | { name: 'sent' }
  /** The personal link was already used; it works once. */
  | { name: 'answered' }
  /** Only personal links may answer, and this address doesn't have a valid one. */
  | { name: 'invitation-needed' }
  | { name: 'closed' };

export type SurveyStore = ReturnType<typeof createSurveyStore>;

/** The two requests of a survey. */
export interface SurveyDeps {
  getSurvey: typeof getSurvey;
  submitSurveyResponse: typeof submitSurveyResponse;
}

/** Makes the store of a survey: answers stay in this browser until the server has them. */
export function createSurveyStore(
  prerendered: Survey,
  deps: SurveyDeps = { getSurvey, submitSurveyResponse },
) {
  const $state = atom<SurveyState>({ name: 'open', failure: null });
  const drafts = createDraftStore(prerendered, () => {
    const state = $state.get();
    if (state.name === 'open' && state.failure) $state.set({ name: 'open', failure: null });
  });
  const { $survey, $draft, load, replaceSurvey, forget, onStored, ...answers } = drafts;
  let invitation: string | null = null;

  function loadDraft() {
    // An answered draft that is gone was sent by another tab.
    if (!load() && isAnswered($draft.get())) $state.set({ name: 'sent' });
  }

  async function refresh() {
    try {
      const { access, ...survey } = await deps.getSurvey(invitation);
      if (survey.id !== $survey.get().id) {
        // A person who has started keeps the questions, and the promise, they read.
        if (isAnswered($draft.get())) return;
        replaceSurvey(survey);
      }
      if (access === 'answered') $state.set({ name: 'answered' });
      if (access === 'none') $state.set({ name: 'invitation-needed' });
    } catch (thrown) {
      // Offline: the prerendered questions still work, and sending says what's wrong.
      if (toAppError(thrown).kind === 'not-found') $state.set({ name: 'closed' });
    }
  }

  async function send() {
    const draft = $draft.get();
    if ($state.get().name !== 'open' || problemOf(draft)) return;
    $state.set({ name: 'sending' });
    const { id } = $survey.get();
    try {
      await deps.submitSurveyResponse(draft.id, id, responseOf(draft), invitation);
      forget();
      $state.set({ name: 'sent' });
    } catch (thrown) {
      $state.set({ name: 'open', failure: toAppError(thrown) });
    }
  }

  /** Loads the draft of this browser and asks how the survey may be answered. Gives the cleanup. */
  function open(given: string | null) {
    invitation = given;
    loadDraft();
    void refresh();
    return onStored(loadDraft);
  }

  /** What keeps the answers from being sent, as a sentence; null when nothing does. */
  const findProblem = () => problemOf($draft.get());

  return { ...answers, $survey, $draft, $state, findProblem, send, open };
}

function problemOf(draft: SurveyDraft): { comment: number | null; text: string } | null {
  const comment = draft.comments.findIndex((text) => text.trim().length > COMMENT_LENGTH);
  if (comment >= 0) {
    const excess = (draft.comments[comment]?.trim().length ?? 0) - COMMENT_LENGTH;
    const text = `Keep it to ${COMMENT_LENGTH.toLocaleString('en-US')} characters. That’s ${excess.toLocaleString('en-US')} too many.`;
    return { comment, text };
  }
  if (isAnswered(draft)) return null;
  return { comment: null, text: 'Answer at least one question. You can skip the rest.' };
}

/** Whether any question was answered. */
function isAnswered({ agreement, recommend, comments }: SurveyDraft): boolean {
  return (
    recommend !== null ||
    agreement.some((value) => value !== null) ||
    comments.some((text) => text.trim() !== '')
  );
}

const responseOf = ({ agreement, recommend, comments }: SurveyDraft): SurveyResponse => ({
  agreement,
  recommend,
  comments: comments.map((text) => text.trim() || null),
});

import { atom } from 'nanostores';
import {
  getSurvey,
  type Survey,
  type SurveyAccess,
  type SurveyResponse,
  submitSurveyResponse,
} from '#data/survey.ts';
import { type AppError, toAppError } from '#lib/errors.ts';
import { createDraftStore, type SurveyDraft } from './draft-store.ts';

/** The maximum length of a comment, in characters; the database rejects longer ones. */
const COMMENT_LENGTH = 2_000;

export type SurveyState =
  /** Open for answers. `failure` says why the last attempt to send them failed. */
  | { name: 'open'; failure: AppError | null }
  | { name: 'sending' }
  | { name: 'sent' }
  /** The personal link works once, and it's been used. */
  | { name: 'answered' }
  /** Answering takes a personal link, and this page's URL doesn't have a valid one. */
  | { name: 'invitation-needed' }
  | { name: 'closed' };

export type SurveyStore = ReturnType<typeof createSurveyStore>;

/** The survey's two requests, so that tests can replace them. */
export interface SurveyDeps {
  getSurvey: typeof getSurvey;
  submitSurveyResponse: typeof submitSurveyResponse;
}

/** How a survey can be answered as the page was rendered; `closed` if none was open. */
export type InitialAccess = SurveyAccess | 'closed';

/** The state of a survey that can't be answered in this way; null if it can. */
function refusalOf(access: InitialAccess): SurveyState | null {
  if (access === 'none') return { name: 'invitation-needed' };
  return access === 'answered' || access === 'closed' ? { name: access } : null;
}

/** Creates the store of a survey, which keeps answers in this browser until the server has them. */
export function createSurveyStore(
  prerendered: Survey,
  deps: SurveyDeps = { getSurvey, submitSurveyResponse },
  access: InitialAccess = 'invitation',
) {
  const $state = atom<SurveyState>(refusalOf(access) ?? { name: 'open', failure: null });
  /** Whether the page was opened by a personal link that no longer works, but can be answered. */
  const $hasDeadLink = atom(access === 'public');
  const drafts = createDraftStore(prerendered, () => {
    const state = $state.get();
    if (state.name === 'open' && state.failure) $state.set({ name: 'open', failure: null });
  });
  const { $survey, $draft, load, adopt, replaceSurvey, forget, onStored, ...answers } = drafts;
  let invitation: string | null = null;

  function loadDraft() {
    // If a draft with answers is gone from storage, another tab has sent it.
    if (!load() && isAnswered($draft.get())) $state.set({ name: 'sent' });
  }

  async function refresh() {
    try {
      const { access, ...survey } = await deps.getSurvey(invitation);
      if (survey.id !== $survey.get().id) {
        // Users who've started keep the questions, and the privacy promise, that they read.
        if (isAnswered($draft.get())) return;
        replaceSurvey(survey);
      }
      const refusal = refusalOf(access);
      if (refusal) $state.set(refusal);
      $hasDeadLink.set(access === 'public' && invitation !== null);
    } catch (thrown) {
      // Offline, the prerendered questions still work, and sending them says what's wrong.
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

  /**
   * Loads the draft, the current questions and who may answer them. Returns the cleanup.
   * @param given the secret of a personal link
   * @param typed the form as it was before the scripts
   */
  function open(given: string | null, typed: FormData | null = null) {
    invitation = given;
    loadDraft();
    if (typed && $state.get().name === 'open') adopt(typed);
    void refresh();
    return onStored(loadDraft);
  }

  /** Returns what's wrong with the draft and the index of the comment it's in; null if nothing. */
  const findProblem = () => problemOf($draft.get());

  return { ...answers, $survey, $draft, $state, $hasDeadLink, findProblem, send, open };
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

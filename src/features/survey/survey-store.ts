import { atom, type ReadableAtom } from 'nanostores';
import { getSurvey, type Survey, type SurveyResponse, submitSurveyResponse } from '#data/survey.ts';
import { type AppError, toAppError } from '#lib/errors.ts';
import {
  emptyDraft,
  keepDraft,
  onDraft,
  readDraft,
  removeDraft,
  type SurveyDraft,
} from './draft.ts';

/** Longest comment, in characters; the database refuses longer ones. */
const COMMENT_LENGTH = 2_000;

export type SurveyState =
  /** Answers may be given. `failure` is why the last sending did not work. */
  | { name: 'open'; failure: AppError | null }
  | { name: 'sending' }
  | { name: 'sent' }
  /** The personal link was used: once is enough. */
  | { name: 'answered' }
  /** Only personal links count, and this address has none that works. */
  | { name: 'invitation-needed' }
  | { name: 'closed' };

export type SurveyStore = {
  $state: ReadableAtom<SurveyState>;
  /** What is asked: the words of the page, or newer ones where nothing was answered yet. */
  $survey: ReadableAtom<Survey>;
  $draft: ReadableAtom<SurveyDraft>;
  /** Null takes an answer back. */
  agree(statement: number, value: number | null): void;
  recommend(value: number | null): void;
  comment(place: number, text: string): void;
  /** What keeps the answers from being sent, in words; null when nothing does. */
  problem(): { comment: number | null; text: string } | null;
  send(): Promise<void>;
  /** Reads what waits in this browser and asks how the survey may be answered. */
  open(invitation: string | null): () => void;
};

/** The two questions that a survey asks the server. */
export interface SurveyDeps {
  getSurvey: typeof getSurvey;
  submitSurveyResponse: typeof submitSurveyResponse;
}

/** A survey on a page: what was answered stays in this browser until the server has it. */
export function createSurveyStore(
  built: Survey,
  deps: SurveyDeps = { getSurvey, submitSurveyResponse },
): SurveyStore {
  const $state = atom<SurveyState>({ name: 'open', failure: null });
  const $survey = atom(built);
  const $draft = atom(emptyDraft(built));
  let invitation: string | null = null;

  function change(draft: SurveyDraft) {
    $draft.set(draft);
    keepDraft($survey.get().id, draft);
    const state = $state.get();
    if (state.name === 'open' && state.failure) $state.set({ name: 'open', failure: null });
  }

  const replaced = <T>(list: readonly T[], place: number, value: T) =>
    list.map((each, index) => (index === place ? value : each));

  function read() {
    const kept = readDraft($survey.get());
    if (kept) $draft.set(kept);
    // Another tab has sent it.
    else if (isAnswered($draft.get())) $state.set({ name: 'sent' });
  }

  async function look() {
    try {
      const { access, ...survey } = await deps.getSurvey(invitation);
      if (survey.id !== $survey.get().id) {
        // Who has begun to answer goes on with the words, and the promise, that they read.
        if (isAnswered($draft.get())) return;
        $survey.set(survey);
        $draft.set(readDraft(survey) ?? emptyDraft(survey));
      }
      if (access === 'answered') $state.set({ name: 'answered' });
      if (access === 'none') $state.set({ name: 'invitation-needed' });
    } catch (thrown) {
      // Offline: the page's own words are as good as ever, and sending says what is wrong.
      if (toAppError(thrown).kind === 'not-found') $state.set({ name: 'closed' });
    }
  }

  function problem() {
    const draft = $draft.get();
    const long = draft.comments.findIndex((text) => text.trim().length > COMMENT_LENGTH);
    if (long >= 0) {
      const over = (draft.comments[long]?.trim().length ?? 0) - COMMENT_LENGTH;
      return {
        comment: long,
        text: `Keep this to ${COMMENT_LENGTH.toLocaleString('en-US')} characters: ${over.toLocaleString('en-US')} too many.`,
      };
    }
    if (isAnswered(draft)) return null;
    return { comment: null, text: 'Answer at least one question; leave out what you like.' };
  }

  async function send() {
    if ($state.get().name !== 'open' || problem()) return;
    $state.set({ name: 'sending' });
    const survey = $survey.get();
    const draft = $draft.get();
    try {
      await deps.submitSurveyResponse(draft.id, survey.id, responseOf(draft), invitation);
      removeDraft(survey.id);
      $state.set({ name: 'sent' });
    } catch (thrown) {
      $state.set({ name: 'open', failure: toAppError(thrown) });
    }
  }

  return {
    $state,
    $survey,
    $draft,
    agree: (statement, value) => {
      const draft = $draft.get();
      change({ ...draft, agreement: replaced(draft.agreement, statement, value) });
    },
    recommend: (value) => change({ ...$draft.get(), recommend: value }),
    comment: (place, text) => {
      const draft = $draft.get();
      change({ ...draft, comments: replaced(draft.comments, place, text) });
    },
    problem,
    send,
    open(given) {
      invitation = given;
      read();
      void look();
      return onDraft(() => $survey.get().id, read);
    },
  };
}

/** Whether anything at all was answered. */
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

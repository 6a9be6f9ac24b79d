/** One walk through the quiz: where the person stands, what they do, and how it ends. No React. */

import { atom, type ReadableAtom } from 'nanostores';
import type { QuizVersion } from '#data/quiz.ts';
import type { Answer, QuizKind } from '#domain/attempt.ts';
import type { Scored } from '#domain/scoring.ts';
import { classifyError } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import type { AnswerStore } from './answer-store.ts';
import { type Given, isDone, openSteps, resumeAt, type Step, stepId, stepsOf } from './steps.ts';

export type QuizState =
  | Exclude<Step, { name: 'review' }>
  | { name: 'review'; failure: AppError | null }
  /** Everything is sent first; offline this takes until the connection is back. */
  | { name: 'finishing' }
  /** A visitor's result, which exists on this page only. */
  | { name: 'finished'; scored: Scored }
  /** The results have their own page, which is being opened. */
  | { name: 'leaving' }
  /** It ended on another device, and answers given here came too late. */
  | { name: 'ended' };

export type QuizStore = {
  kind: QuizKind;
  /** Whether finishing closes the answers. */
  isFinal: AnswerStore['isFinal'];
  version: QuizVersion;
  steps: Step[];
  $state: ReadableAtom<QuizState>;
  $answers: AnswerStore['$answers'];
  $ratings: AnswerStore['$ratings'];
  $unsaved: AnswerStore['$unsaved'];
  $finishing: AnswerStore['$finishing'];
  /** Rises each time the person moved, so that the view can move the focus along. */
  $moves: ReadableAtom<number>;
  /**
   * Goes on where the person left off; called once, in a browser. Gives the end of it.
   * @param early what was chosen on the first question before the scripts were there
   */
  open(early?: { key: string; value: number | null }): () => void;
  /** @param value 0 to 4 */
  answer(key: string, value: number): void;
  doesntApply(key: string): void;
  /** @param rating 1 (a guess) to 5 (could prove it) */
  rate(area: string, rating: number): void;
  go(step: Step): void;
  next(): void;
  back(): void;
  finish(): Promise<void>;
  /** Stops waiting for the connection and shows the review again. */
  cancelFinish(): void;
  /** From the result of a visitor back to the questions. */
  again(): void;
};

export function createQuizStore(options: {
  version: QuizVersion;
  kind: QuizKind;
  answers: AnswerStore;
  /** Opens the page of the results, which is the page of the attempt. */
  leave(): void;
  now?: () => number;
}): QuizStore {
  const { version, kind, answers, leave, now = Date.now } = options;
  const steps = stepsOf(version, kind);
  const given = (): Given => ({ answers: answers.$answers.get(), ratings: answers.$ratings.get() });
  const $state = atom<QuizState>(stateOf(resumeAt(steps, given())));
  const $moves = atom(0);
  let finishing: AbortController | null = null;

  function show(state: QuizState) {
    $state.set(state);
    $moves.set($moves.get() + 1);
  }

  function place(): number {
    const state = $state.get();
    const id = stepId(state.name === 'confidence' || state.name === 'question' ? state : REVIEW);
    return steps.findIndex((step) => stepId(step) === id);
  }

  function give(key: string, value: number | null) {
    const before: Answer | undefined = answers.$answers.get().get(key);
    // Later than any answer known so far, also where this device's clock is behind another's.
    const at = Math.max(now(), before ? Date.parse(before.answered_at) + 1 : 0);
    const answered_at = new Date(at).toISOString();
    answers.answer({ question_key: key, value, applies: value !== null, answered_at });
  }

  function open(early?: { key: string; value: number | null }) {
    const before = $state.get();
    const close = answers.open();
    if (early) give(early.key, early.value);
    else if ($state.get() === before) $state.set(stateOf(resumeAt(steps, given())));
    // Somebody who has the result of a first look comes back to it.
    if (kind === 'first_look' && $state.get().name === 'review') void finish();
    // Finishing was asked for before the page was reloaded.
    if (answers.$finishing.get() !== null) void finish();
    const stop = answers.$ended.subscribe((ended) => ended && end());
    return () => {
      stop();
      finishing?.abort();
      close();
    };
  }

  function end() {
    if ($state.get().name === 'leaving') return;
    finishing?.abort();
    if (answers.$unsaved.get().size > 0) {
      show({ name: 'ended' });
    } else {
      show({ name: 'leaving' });
      leave();
    }
  }

  function next() {
    const step = steps[place() + 1];
    if (!step) return;
    const complete = openSteps(steps, given()).length === 0;
    if (step.name === 'review' && kind === 'first_look' && complete) void finish();
    else show(stateOf(step));
  }

  async function finish(): Promise<void> {
    if (finishing && !finishing.signal.aborted) return;
    const run = new AbortController();
    finishing = run;
    show({ name: 'finishing' });
    try {
      const outcome = await answers.finish(run.signal);
      if (run.signal.aborted) return;
      if (outcome.name === 'preview') show({ name: 'finished', scored: outcome.scored });
      else if (outcome.name === 'refused') show({ name: 'review', failure: null });
      else {
        show({ name: 'leaving' });
        leave();
      }
    } catch (thrown) {
      if (!run.signal.aborted) show({ name: 'review', failure: classifyError(thrown) });
    } finally {
      run.abort();
    }
  }

  return {
    kind,
    isFinal: answers.isFinal,
    version,
    steps,
    $state,
    $answers: answers.$answers,
    $ratings: answers.$ratings,
    $unsaved: answers.$unsaved,
    $finishing: answers.$finishing,
    $moves,
    open,
    answer: (key, value) => give(key, value),
    doesntApply: (key) => give(key, null),
    rate: (area_key, rating) => answers.rate({ area_key, rating }),
    go: (step) => show(stateOf(step)),
    next,
    back() {
      const step = steps[place() - 1];
      if (step) show(stateOf(step));
    },
    finish,
    cancelFinish() {
      finishing?.abort();
      answers.cancelFinish();
      show({ name: 'review', failure: null });
    },
    again() {
      const first = steps[0];
      if (first) show(stateOf(first));
    },
  };
}

const REVIEW: Step = { name: 'review' };

function stateOf(step: Step): QuizState {
  return step.name === 'review' ? { name: 'review', failure: null } : step;
}

/** How safe the answer of a step is; null while there is no answer. */
export function statusOf(
  step: Step,
  given: Given,
  unsaved: ReadonlyMap<string, SaveStatus>,
): SaveStatus | null {
  return unsaved.get(stepId(step)) ?? (isDone(step, given) ? { name: 'saved' } : null);
}

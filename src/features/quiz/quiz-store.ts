/** One walk through the quiz: where the person is, what they do, and how it ends. No React. */

import { atom, type ReadableAtom } from 'nanostores';
import type { QuizVersion } from '#data/quiz.ts';
import type { Answer, Confidence, QuizKind } from '#domain/attempt.ts';
import type { Scored } from '#domain/scoring.ts';
import { classifyError } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { type Given, isDone, openSteps, resumeAt, type Step, stepId, stepsOf } from './steps.ts';

export type Outcome =
  /** A visitor's: computed here, stored nowhere. */
  | { name: 'preview'; scored: Scored }
  /** The database has computed the result. */
  | { name: 'submitted' }
  /** Some answers were not accepted; their statuses say why. */
  | { name: 'refused' };

/** Where the answers go: this browser for a visitor, the attempt for a person who is signed in. */
export interface AnswerStore {
  /** Whether finishing closes the answers. A visitor's result is a preview, and they can go on changing it. */
  isFinal: boolean;
  $given: ReadableAtom<Given>;
  /** How safe what is not saved yet is, by the id of the step (`steps.ts`). */
  $unsaved: ReadableAtom<ReadonlyMap<string, SaveStatus>>;
  /** Whether the attempt ended somewhere else: on another device, or by its age. */
  $ended: ReadableAtom<boolean>;
  /** How far finishing is; null until the person finishes. */
  $finishing: ReadableAtom<SaveStatus | null>;
  /** Reads what the browser holds and follows it; called once, in a browser. Gives the cleanup. */
  open(): () => void;
  answer(answer: Answer): void;
  rate(confidence: Confidence): void;
  /**
   * Waits until everything is sent, then ends the quiz; goes on by itself after a lost connection or
   * a reload. Throws an AppError when the quiz cannot be finished as it is.
   */
  finish(signal: AbortSignal): Promise<Outcome>;
  /** Cancels finishing the quiz, unless it's finished already. */
  cancelFinish(): void;
}

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

const stateOf = (step: Step): QuizState =>
  step.name === 'review' ? { name: 'review', failure: null } : step;

/** What is shown, and the steps around it. */
function createPosition(steps: Step[], given: () => Given) {
  const $state = atom<QuizState>(stateOf(resumeAt(steps, given())));
  /** Rises each time the person moved, so that the view can move the focus along. */
  const $moves = atom(0);

  function show(state: QuizState) {
    $state.set(state);
    $moves.set($moves.get() + 1);
  }

  function index(): number {
    const state = $state.get();
    const id = state.name === 'confidence' || state.name === 'question' ? stepId(state) : 'review';
    return steps.findIndex((step) => stepId(step) === id);
  }

  const go = (step: Step | undefined) => step && show(stateOf(step));
  return {
    $state,
    $moves,
    show,
    go,
    /** Shows where the person left off, which is no move. */
    resume: () => $state.set(stateOf(resumeAt(steps, given()))),
    following: () => steps[index() + 1],
    back: () => go(steps[index() - 1]),
    /** From the result of a visitor back to the questions. */
    again: () => go(steps[0]),
  };
}

/** Finishing: at most one run at a time, until it has an outcome or is canceled. */
function createEnding(answers: AnswerStore, show: (state: QuizState) => void, leave: () => void) {
  let current: AbortController | null = null;

  function leavePage() {
    show({ name: 'leaving' });
    leave();
  }

  async function finish(): Promise<void> {
    if (current && !current.signal.aborted) return;
    const run = new AbortController();
    current = run;
    show({ name: 'finishing' });
    try {
      const outcome = await answers.finish(run.signal);
      if (run.signal.aborted) return;
      if (outcome.name === 'preview') show({ name: 'finished', scored: outcome.scored });
      else if (outcome.name === 'refused') show({ name: 'review', failure: null });
      else leavePage();
    } catch (thrown) {
      if (!run.signal.aborted) show({ name: 'review', failure: classifyError(thrown) });
    } finally {
      run.abort();
    }
  }

  /** It ended elsewhere: on to the results, unless answers from here came too late. */
  function end() {
    current?.abort();
    if (answers.$unsaved.get().size > 0) show({ name: 'ended' });
    else leavePage();
  }

  /** Stops waiting for the connection and shows the review again. */
  function cancel() {
    current?.abort();
    answers.cancelFinish();
    show({ name: 'review', failure: null });
  }

  return { finish, end, cancel, stop: () => current?.abort() };
}

/** Later than any answer known so far, also where this device's clock is behind another's. */
const timeAfter = (before: Answer | undefined, now: number) =>
  new Date(Math.max(now, before ? Date.parse(before.answered_at) + 1 : 0)).toISOString();

interface QuizOptions {
  version: QuizVersion;
  kind: QuizKind;
  answers: AnswerStore;
  /** Opens the page of the results, which is the page of the attempt. */
  leave(): void;
  now?: () => number;
}

export type QuizStore = ReturnType<typeof createQuizStore>;

/** Makes the store of one page of the quiz. */
export function createQuizStore({ version, kind, answers, leave, now = Date.now }: QuizOptions) {
  const steps = stepsOf(version, kind);
  const { following, resume, show, ...position } = createPosition(steps, () =>
    answers.$given.get(),
  );
  const { $state, go } = position;
  const ending = createEnding(answers, show, leave);

  function give(key: string, value: number | null) {
    const answered_at = timeAfter(answers.$given.get().answers.get(key), now());
    answers.answer({ question_key: key, value, applies: value !== null, answered_at });
  }

  /**
   * Goes on where the person left off; called once, in a browser. Gives the cleanup.
   * @param early what was chosen on the first question before the scripts were there
   */
  function open(early?: { key: string; value: number | null }) {
    const before = $state.get();
    const close = answers.open();
    if (early) give(early.key, early.value);
    else if ($state.get() === before) resume();
    // A visitor with a complete first look sees its result; finishing goes on after a reload.
    const isSeen = kind === 'first_look' && $state.get().name === 'review';
    if (isSeen || answers.$finishing.get() !== null) void ending.finish();
    const stop = answers.$ended.subscribe((ended) => {
      if (ended && $state.get().name !== 'leaving') ending.end();
    });
    return () => {
      stop();
      ending.stop();
      close();
    };
  }

  function next() {
    const step = following();
    const isComplete = openSteps(steps, answers.$given.get()).length === 0;
    if (step?.name === 'review' && kind === 'first_look' && isComplete) void ending.finish();
    else go(step);
  }

  return {
    ...position,
    version,
    kind,
    steps,
    answers,
    open,
    /** @param value 0 to 4; null where the question does not apply */
    answer: give,
    /** @param rating 1 (a guess) to 5 (could prove it) */
    rate: (area_key: string, rating: number) => answers.rate({ area_key, rating }),
    next,
    finish: ending.finish,
    cancelFinish: ending.cancel,
  };
}

/** How safe the answer of a step is; null while there is no answer. */
export function statusOf(
  step: Step,
  given: Given,
  unsaved: ReadonlyMap<string, SaveStatus>,
): SaveStatus | null {
  return unsaved.get(stepId(step)) ?? (isDone(step, given) ? { name: 'saved' } : null);
}

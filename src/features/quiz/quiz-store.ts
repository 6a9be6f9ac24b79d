/** One run through the quiz: the current step, the actions and the ending. No React. */

import { atom, type ReadableAtom } from 'nanostores';
import type { QuizArea, QuizVersion } from '#data/quiz.ts';
import type { Answer, Confidence, QuizKind } from '#domain/attempt.ts';
import type { Scored } from '#domain/scoring.ts';
import { AppError } from '#lib/app-error.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { createAdvance } from './advance.ts';
import {
  areaStep,
  type Given,
  isDone,
  isSkipped,
  openSteps,
  questionStep,
  resumeAt,
  type Step,
  stepId,
  stepsOf,
} from './steps.ts';

export type Outcome =
  /** A visitor's result: computed in this browser, not stored. */
  | { name: 'preview'; scored: Scored }
  /** The database has computed the result. */
  | { name: 'submitted' }
  /** Some answers were rejected; their statuses say why. */
  | { name: 'refused' };

/** Where answers are stored: in this browser for a visitor, in the attempt for a signed-in user. */
export interface AnswerStore {
  /** Whether finishing locks the answers. A visitor's result is a preview, so theirs stay open. */
  isFinal: boolean;
  /** Whether someone only tries the quiz out, so that there's nothing to keep. */
  isTrial?: boolean;
  $given: ReadableAtom<Given>;
  /** The save status of each step that isn't saved yet, by step id (`steps.ts`). */
  $unsaved: ReadableAtom<ReadonlyMap<string, SaveStatus>>;
  /** Whether the attempt was finished on another device, or has expired. */
  $ended: ReadableAtom<boolean>;
  /** The status of finishing; null until the user finishes. */
  $finishing: ReadableAtom<SaveStatus | null>;
  /** Loads and follows this browser's answers; called once, in a browser. Returns the cleanup. */
  open(): () => void;
  answer(answer: Answer): void;
  rate(confidence: Confidence): void;
  /**
   * Waits until everything is sent, then finishes the quiz; continues after a lost connection or a
   * reload. Throws an AppError if the quiz can't be finished in its current state.
   */
  finish(signal: AbortSignal): Promise<Outcome>;
  /** Cancels finishing the quiz, unless it's finished already. */
  cancelFinish(): void;
}

export type QuizState =
  /** Before the first answer: what it is and how long it takes. */
  | { name: 'intro' }
  | Exclude<Step, { name: 'review' }>
  /** A rest after an area, whose petal has grown. */
  | { name: 'pause'; area: QuizArea }
  | { name: 'review'; failure: AppError | null }
  /** Sending everything first; offline, this lasts until the connection is back. */
  | { name: 'finishing' }
  /** Everything is answered and counted: the whole bloom, before the result. */
  | { name: 'complete'; scored: Scored | null }
  /** A visitor's result, which exists on this page only. */
  | { name: 'finished'; scored: Scored }
  /** The results page is being opened. */
  | { name: 'leaving' }
  /** It ended elsewhere or expired, and answers from this browser were too late. */
  | { name: 'ended' };

const stateOf = (step: Step): QuizState =>
  step.name === 'review' ? { name: 'review', failure: null } : step;

/** The current state, and navigation between the steps. */
function createPosition(steps: Step[], given: () => Given, hasIntro: boolean) {
  const isNew = () => hasIntro && given().answers.size === 0;
  const whereLeft = () => stateOf(resumeAt(steps, given()));
  const $state = atom<QuizState>(isNew() ? { name: 'intro' } : whereLeft());
  /** Counts the user's moves, so the view can move the focus along. */
  const $moves = atom(0);

  function show(state: QuizState) {
    $state.set(state);
    $moves.set($moves.get() + 1);
  }

  function index(): number {
    const state = $state.get();
    const step = state.name === 'pause' ? areaStep(state.area.key) : null;
    const id = step ?? ('question' in state || 'keys' in state ? stepId(state) : 'review');
    return steps.findIndex((step) => stepId(step) === id);
  }

  /** The next or previous step. The steps of a skipped area are passed over, unless one is shown. */
  function beside(by: 1 | -1): Step | undefined {
    const state = $state.get();
    const shown = 'question' in state || state.name === 'confidence' ? state.area : null;
    const isPassed = (step: Step | undefined) =>
      step !== undefined &&
      step.name !== 'skip' &&
      step.name !== 'review' &&
      step.area !== shown &&
      isSkipped(step.keys, given());
    let at = index() + by;
    while (isPassed(steps[at])) at += by;
    return steps[at];
  }

  const go = (step: Step | undefined) => step && show(stateOf(step));
  return {
    $state,
    $moves,
    show,
    go,
    /** Shows where the user left off, or the intro, without counting as a move. */
    resume: () => $state.set(isNew() ? { name: 'intro' } : whereLeft()),
    /** Shows the first step, without counting as a move. */
    stayAtFirst: () => steps[0] && $state.set(stateOf(steps[0])),
    /** Leaves the intro. */
    begin: () => $state.get().name === 'intro' && show(whereLeft()),
    following: () => beside(1),
    back: () => go($state.get().name === 'pause' ? steps[index()] : beside(-1)),
    /** Shows the first question of the area whose skip step is shown. */
    openArea: () => go(steps[index() + 1]),
    /** Goes back from a visitor's result to the questions. */
    again: () => go(steps[0]),
  };
}

/** Finishes the quiz: at most one run at a time, until it has an outcome or is canceled. */
function createEnding({ answers, kind, leave }: QuizOptions, show: (state: QuizState) => void) {
  let current: AbortController | null = null;

  function leavePage() {
    show({ name: 'leaving' });
    leave();
  }

  const see = (scored: Scored | null) =>
    scored ? show({ name: 'finished', scored }) : leavePage();

  /** @param isAgain whether the result was seen before, or this continues after a reload */
  async function finish(isAgain = false): Promise<void> {
    if (current && !current.signal.aborted) return;
    const run = new AbortController();
    current = run;
    show({ name: 'finishing' });
    try {
      const outcome = await answers.finish(run.signal);
      if (run.signal.aborted) return;
      const scored = outcome.name === 'preview' ? outcome.scored : null;
      if (outcome.name === 'refused') show({ name: 'review', failure: null });
      // The result of a first look is short: it's the end and the result in one.
      else if (kind === 'full' && !isAgain) show({ name: 'complete', scored });
      else see(scored);
    } catch (thrown) {
      if (run.signal.aborted) return;
      const failure =
        thrown instanceof AppError
          ? thrown
          : new AppError('unexpected', undefined, { cause: thrown });
      show({ name: 'review', failure });
    } finally {
      run.abort();
    }
  }

  /** The attempt ended elsewhere: opens the results, unless answers from here were too late. */
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

  return { finish, see, end, cancel, stop: () => current?.abort() };
}

/** A time later than the previous answer's, even if this device's clock is behind another's. */
const timeAfter = (before: Answer | undefined, now: number) =>
  new Date(Math.max(now, before ? Date.parse(before.answered_at) + 1 : 0)).toISOString();

/** Gives the answer to a question. */
const createGiver =
  (answers: AnswerStore, now: () => number) => (key: string, value: number | null) => {
    const answered_at = timeAfter(answers.$given.get().answers.get(key), now());
    answers.answer({ question_key: key, value, applies: value !== null, answered_at });
  };

/** Whether there's a rest now: an area is done, and another follows. */
function isRest(
  state: QuizState,
  following: Step | undefined,
  left: Step[],
): state is Extract<Step, { name: 'confidence' }> {
  if (state.name !== 'confidence' || !following || following.name === 'review') return false;
  return !left.some((step) => step.name !== 'review' && step.area === state.area);
}

interface QuizOptions {
  version: QuizVersion;
  kind: QuizKind;
  answers: AnswerStore;
  /** Opens the results, at the same URL as the attempt. */
  leave(): void;
  /** Whether it starts with an intro. */
  hasIntro?: boolean;
  now?: () => number;
}

export type QuizStore = ReturnType<typeof createQuizStore>;

/** What leads on from the current state: the next step, a rest, or the end. */
function createNext(
  position: Pick<
    ReturnType<typeof createPosition>,
    '$state' | 'begin' | 'following' | 'go' | 'show'
  >,
  ending: ReturnType<typeof createEnding>,
  steps: Step[],
  { kind, answers }: QuizOptions,
) {
  const { $state, begin, following, go, show } = position;
  return () => {
    const state = $state.get();
    if (state.name === 'intro') return begin();
    if (state.name === 'complete') return ending.see(state.scored);
    const step = following();
    const left = openSteps(steps, answers.$given.get());
    if (isRest(state, step, left)) show({ name: 'pause', area: state.area });
    else if (step?.name === 'review' && kind === 'first_look' && left.length === 0)
      void ending.finish();
    else go(step);
  };
}

/** Creates the store of one quiz page. */
export function createQuizStore(options: QuizOptions) {
  const { version, kind, answers, now = Date.now, hasIntro = false } = options;
  const steps = stepsOf(version, kind);
  const given = () => answers.$given.get();
  const { following, resume, stayAtFirst, show, openArea, ...position } = createPosition(
    steps,
    given,
    hasIntro,
  );
  const { $state } = position;
  const ending = createEnding(options, show);

  const give = createGiver(answers, now);
  /**
   * Continues where the user left off; called once, in a browser. Returns the cleanup function.
   * @param early the answer to the first question that was chosen before hydration
   */
  function open(early?: { key: string; value: number | null }) {
    const before = $state.get();
    const close = answers.open();
    if (early) give(early.key, early.value);
    if (early && before.name === 'intro') stayAtFirst();
    else if (!early && $state.get() === before) resume();
    // Show the result of a complete first look, and continue finishing after a reload.
    const isSeen = kind === 'first_look' && $state.get().name === 'review';
    if (isSeen || answers.$finishing.get() !== null) void ending.finish(true);
    const stop = answers.$ended.subscribe((ended) => {
      if (ended && !['complete', 'leaving'].includes($state.get().name)) ending.end();
    });
    return () => {
      stop();
      advancing.stay();
      ending.stop();
      close();
    };
  }

  const next = createNext({ ...position, following, show }, ending, steps, options);
  const advancing = createAdvance(position.$moves, next, now);

  /** Answers an area's skip question: "doesn't apply" to all its questions, or on to the first. */
  function skip(keys: readonly string[], isSkipping: boolean) {
    if (!isSkipping) return openArea();
    for (const key of keys) give(key, null);
    next();
  }

  return {
    ...position,
    version,
    kind,
    steps,
    answers,
    open,
    /** @param value 0 to 4; null if the question doesn't apply */
    answer: give,
    skip,
    /** @param rating 1 (a guess) to 5 (could prove it) */
    rate: (area_key: string, rating: number) => answers.rate({ area_key, rating }),
    next,
    ...advancing,
    finish: () => ending.finish(),
    cancelFinish: ending.cancel,
  };
}

/** The save status of a step's answer; null while there's no answer. */
export function statusOf(
  step: Step,
  given: Given,
  unsaved: ReadonlyMap<string, SaveStatus>,
): SaveStatus | null {
  const ids = step.name === 'skip' ? step.keys.map(questionStep) : [stepId(step)];
  const open = ids.map((id) => unsaved.get(id)).find(Boolean);
  return open ?? (isDone(step, given) ? { name: 'saved' } : null);
}

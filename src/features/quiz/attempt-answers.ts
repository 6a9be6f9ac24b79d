import { atom } from 'nanostores';
import type { AttemptView } from '#data/attempts.ts';
import { AppError } from '#lib/errors.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { answerKind } from '#sync/kinds/answer.ts';
import { finishKind } from '#sync/kinds/finish.ts';
import { ratingKind } from '#sync/kinds/rating.ts';
import type { Sync } from '#sync/sync.ts';
import type { AnswerStore, Outcome } from './quiz-store.ts';
import { areaStep, type Given, givenIn, questionStep } from './steps.ts';

/** The dependencies of an attempt. They throw AppErrors. */
export interface AttemptDeps {
  getAttempt(id: string): Promise<AttemptView | null>;
  /** Returns the page's write pipeline, always the same one. Called only in a browser. */
  openSync(): Sync;
}

/** The entries of an attempt that haven't been sent. */
function unsentOf(sync: Sync, id: string) {
  const isOwn = ({ value }: { value: { attempt_id: string } }) => value.attempt_id === id;
  return {
    answers: sync.unsentOf(answerKind).filter(isOwn),
    ratings: sync.unsentOf(ratingKind).filter(isOwn),
    finish: sync.unsentOf(finishKind).find(({ key }) => key === id),
  };
}

type Unsent = ReturnType<typeof unsentOf>;

/** Applies unsent entries on top of what's stored. */
function withUnsent({ answers, ratings }: Given, unsent: Unsent): Given {
  const own = unsent.answers.map(
    ({ value: { attempt_id: _, version_id: __, ...answer } }) => answer,
  );
  return {
    answers: new Map([...answers, ...own.map((each) => [each.question_key, each] as const)]),
    ratings: new Map([
      ...ratings,
      ...unsent.ratings.map(({ value }) => [value.area_key, value.rating] as const),
    ]),
  };
}

const statusesOf = ({ answers, ratings }: Unsent): ReadonlyMap<string, SaveStatus> =>
  new Map([
    ...answers.map(({ value, status }) => [questionStep(value.question_key), status] as const),
    ...ratings.map(({ value, status }) => [areaStep(value.area_key), status] as const),
  ]);

/** Merges stored values with local ones. A local value wins if it's touched or isn't stored. */
function merged<T>(
  here: ReadonlyMap<string, T>,
  there: ReadonlyMap<string, T>,
  isTouched: (key: string) => boolean,
) {
  const kept = [...here].filter(([key]) => isTouched(key) || !there.has(key));
  return new Map([...there, ...kept]);
}

/** An attempt as this page knows it: stored and unsent answers, and whether it has ended. */
function createAttemptState(initial: AttemptView, { getAttempt }: AttemptDeps) {
  const { id, state } = initial.attempt;
  const $given = atom(givenIn(initial));
  const $unsaved = atom<ReadonlyMap<string, SaveStatus>>(new Map());
  const $finishing = atom<SaveStatus | null>(null);
  const $ended = atom(state !== 'in_progress');
  /** Steps unsent or answered since the last request: its response may not include them. */
  let touched = new Set<string>();
  let isReading = false;

  const overlay = (sync: Sync) => $given.set(withUnsent($given.get(), unsentOf(sync, id)));

  async function read(sync: Sync): Promise<void> {
    touched = new Set($unsaved.get().keys());
    const view = await getAttempt(id);
    if (view === null) return;
    const [here, there] = [$given.get(), givenIn(view)];
    $given.set({
      answers: merged(here.answers, there.answers, (key) => touched.has(questionStep(key))),
      ratings: merged(here.ratings, there.ratings, (key) => touched.has(areaStep(key))),
    });
    overlay(sync);
    const isOver = Date.parse(view.attempt.expires_at) <= sync.environment.now();
    if (view.attempt.state !== 'in_progress' || isOver) $ended.set(true);
  }

  /** Fetches other devices' answers. A failure is retried the next time the tab is shown. */
  function reread(sync: Sync): void {
    if (isReading) return;
    isReading = true;
    void read(sync)
      .catch(() => {})
      .finally(() => {
        isReading = false;
      });
  }

  function follow(sync: Sync): void {
    const before = $unsaved.get();
    const unsent = unsentOf(sync, id);
    $unsaved.set(statusesOf(unsent));
    $finishing.set(unsent.finish?.status ?? null);
    const isNews = [...$unsaved.get()].some(
      ([step, { name }]) => name === 'refused' && before.get(step)?.name !== 'refused',
    );
    // An answer was rejected, from this tab or another: the attempt may have ended elsewhere.
    if (isNews) reread(sync);
  }

  function change(step: string, given: Partial<Given>): void {
    touched.add(step);
    $given.set({ ...$given.get(), ...given });
  }

  return { $given, $unsaved, $finishing, $ended, overlay, reread, follow, change };
}

/**
 * The answers of an open attempt. Each is written to the database by the sync queue. Answers from
 * other devices are fetched again whenever the tab is shown.
 */
export function createAttemptAnswers(initial: AttemptView, deps: AttemptDeps): AnswerStore {
  const { id, version_id } = initial.attempt;
  const { overlay, reread, follow, change, ...state } = createAttemptState(initial, deps);
  const { $given, $unsaved } = state;
  const { openSync } = deps;

  /** The outcome of finishing; null while it's pending. Throws an AppError if it can't finish. */
  function outcome(): Outcome | null {
    const { finish } = unsentOf(openSync(), id);
    if (!finish) return { name: 'submitted' };
    const statuses = [...$unsaved.get().values()];
    if (statuses.some(({ name }) => name === 'refused')) return { name: 'refused' };
    if (finish.refused !== undefined) throw new AppError('invalid', finish.refused);
    return null;
  }

  return {
    ...state,
    isFinal: true,
    open() {
      const sync = openSync();
      overlay(sync);
      const stopFollowing = sync.$unsent.subscribe(() => follow(sync));
      const stopWaking = sync.environment.onWake((reason) => {
        // Another tab wrote to the queue in this browser, so there's no need to ask the server.
        if (reason === 'storage') overlay(sync);
        else reread(sync);
      });
      return () => {
        stopFollowing();
        stopWaking();
      };
    },
    answer(answer) {
      const { question_key: key } = answer;
      change(questionStep(key), { answers: new Map($given.get().answers).set(key, answer) });
      openSync().write(answerKind, `${id}/${key}`, { attempt_id: id, version_id, ...answer });
    },
    rate({ area_key: key, rating }) {
      change(areaStep(key), { ratings: new Map($given.get().ratings).set(key, rating) });
      const rated_at = new Date().toISOString();
      const value = { attempt_id: id, version_id, area_key: key, rating, rated_at };
      openSync().write(ratingKind, `${id}/${key}`, value);
    },
    async finish(signal) {
      openSync().write(finishKind, id, {});
      return settled(outcome, openSync(), signal).finally(() => {
        // Stop trying once there's an outcome. If the page closes, the next one continues.
        if (!signal.aborted) openSync().discard(finishKind, id);
      });
    },
    cancelFinish: () => openSync().discard(finishKind, id),
  };
}

/** Calls `look` whenever the unsent entries change; resolves with its first non-null result. */
function settled<T>(look: () => T | null, sync: Sync, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = sync.$unsent.subscribe(() => {
    try {
      const found = look();
      if (found !== null) resolve(found);
    } catch (thrown) {
      reject(thrown);
    }
  });
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise.finally(() => stop());
}

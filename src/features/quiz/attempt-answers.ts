import { atom } from 'nanostores';
import type { AttemptView } from '#data/attempts.ts';
import type { Answer } from '#domain/attempt.ts';
import { AppError } from '#lib/errors.ts';
import type { SaveStatus } from '#lib/save-status.ts';
import { answerKind } from '#sync/kinds/answer.ts';
import { finishKind } from '#sync/kinds/finish.ts';
import { ratingKind } from '#sync/kinds/rating.ts';
import type { Sync } from '#sync/sync.ts';
import type { AnswerStore, Outcome } from './answer-store.ts';

/** What an attempt needs from outside; each throws AppErrors. */
export interface AttemptDeps {
  getAttempt(id: string): Promise<AttemptView | null>;
  /** Called once, in a browser. */
  openSync(): Sync;
}

/**
 * The answers of an open attempt: each is written to the database by the pipeline. What other devices
 * answered is read again whenever the tab is shown.
 */
export function createAttemptAnswers(initial: AttemptView, deps: AttemptDeps): AnswerStore {
  const { id, version_id } = initial.attempt;
  const $answers = atom(answersOf(initial));
  const $ratings = atom(ratingsOf(initial));
  const $unsaved = atom<ReadonlyMap<string, SaveStatus>>(new Map());
  const $finishing = atom<SaveStatus | null>(null);
  const $ended = atom(initial.attempt.state !== 'in_progress');
  /** What was on its way or answered here since the server was asked: its reply may not know it. */
  let touched = new Set<string>();
  let reading: Promise<void> | null = null;
  let sync: Sync | null = null;

  const isOwn = ({ value }: { value: { attempt_id: string } }) => value.attempt_id === id;
  const answers = () => sync?.unsentOf(answerKind).filter(isOwn) ?? [];
  const ratings = () => sync?.unsentOf(ratingKind).filter(isOwn) ?? [];
  const finish = () => sync?.unsentOf(finishKind).find(({ key }) => key === id);

  /** What is unsent from here stands over what is stored. */
  function overlay() {
    const values = answers().map(({ value }) => value);
    const own = values.map(({ attempt_id: _, version_id: __, ...answer }) => answer);
    $answers.set(
      new Map([...$answers.get(), ...own.map((each) => [each.question_key, each] as const)]),
    );
    const rated = ratings().map(({ value }) => [value.area_key, value.rating] as const);
    $ratings.set(new Map([...$ratings.get(), ...rated]));
  }

  function follow() {
    const before = $unsaved.get();
    const unsaved = new Map([
      ...answers().map(({ value, status }) => [questionStep(value.question_key), status] as const),
      ...ratings().map(({ value, status }) => [areaStep(value.area_key), status] as const),
    ]);
    $unsaved.set(unsaved);
    $finishing.set(finish()?.status ?? null);
    const isNews = [...unsaved].some(
      ([step, { name }]) => name === 'refused' && before.get(step)?.name !== 'refused',
    );
    // Whichever tab sent it: the attempt may have ended elsewhere.
    if (isNews) void reread();
  }

  /** Reads what other devices did. What is not sent yet, or was answered meanwhile, stays. */
  function reread(): Promise<void> {
    reading ??= (async () => {
      touched = new Set($unsaved.get().keys());
      try {
        const view = await deps.getAttempt(id);
        if (view === null) return;
        $answers.set(merged($answers.get(), answersOf(view), questionStep));
        $ratings.set(merged($ratings.get(), ratingsOf(view), areaStep));
        overlay();
        const { state, expires_at } = view.attempt;
        const isOver = Date.parse(expires_at) <= (sync?.environment.now() ?? 0);
        if (state !== 'in_progress' || isOver) $ended.set(true);
      } catch {
        // Read again the next time the tab is shown; what is here is not wrong, only older.
      } finally {
        reading = null;
      }
    })();
    return reading;
  }

  function merged<T>(
    here: ReadonlyMap<string, T>,
    there: ReadonlyMap<string, T>,
    stepOf: (key: string) => string,
  ) {
    const kept = [...here].filter(([key]) => touched.has(stepOf(key)) || !there.has(key));
    return new Map([...there, ...kept]);
  }

  /** How finishing ended; null while it waits. Throws the AppError of a quiz that cannot be finished. */
  function outcome(): Outcome | null {
    const end = finish();
    if (!end) return { name: 'submitted' };
    if ([...$unsaved.get().values()].some(({ name }) => name === 'refused')) {
      return { name: 'refused' };
    }
    if (end.refused !== undefined) throw new AppError('invalid', end.refused);
    return null;
  }

  function open() {
    const opened = deps.openSync();
    sync = opened;
    overlay();
    const stops = [
      opened.$unsent.subscribe(follow),
      opened.environment.onWake((reason) => {
        // Another tab of this browser answered: its entry says so, without asking the server.
        if (reason === 'storage') overlay();
        else void reread();
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  return {
    isFinal: true,
    $answers,
    $ratings,
    $unsaved,
    $finishing,
    $ended,
    open,
    answer(answer) {
      const { question_key: key } = answer;
      $answers.set(new Map($answers.get()).set(key, answer));
      touched.add(questionStep(key));
      sync?.write(answerKind, `${id}/${key}`, { attempt_id: id, version_id, ...answer });
    },
    rate({ area_key: key, rating }) {
      $ratings.set(new Map($ratings.get()).set(key, rating));
      touched.add(areaStep(key));
      const rated_at = new Date().toISOString();
      const value = { attempt_id: id, version_id, area_key: key, rating, rated_at };
      sync?.write(ratingKind, `${id}/${key}`, value);
    },
    async finish(signal) {
      sync?.write(finishKind, id, {});
      const ended = await settled(outcome, sync, signal).finally(() => {
        // What cannot be finished waits no more. A page that is closed leaves it to the next one.
        if (!signal.aborted) sync?.discard(finishKind, id);
      });
      return ended;
    },
    cancelFinish: () => sync?.discard(finishKind, id),
  };
}

/** Resolves with what `look` gives once it gives something, after whatever changes what is unsent. */
function settled<T>(look: () => T | null, sync: Sync | null, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const stop = sync?.$unsent.subscribe(() => {
    try {
      const found = look();
      if (found !== null) resolve(found);
    } catch (thrown) {
      reject(thrown);
    }
  });
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  return promise.finally(() => stop?.());
}

// Ids of steps (`steps.ts`).
const questionStep = (key: string) => `question:${key}`;
const areaStep = (key: string) => `confidence:${key}`;

function answersOf({ answers }: AttemptView): ReadonlyMap<string, Answer> {
  return new Map(answers.map((answer) => [answer.question_key, answer]));
}

function ratingsOf({ confidences }: AttemptView): ReadonlyMap<string, number> {
  return new Map(confidences.map(({ area_key, rating }) => [area_key, rating]));
}

import { atom } from 'nanostores';
import type { AttemptView } from '#data/attempts.ts';
import type { Answer, Confidence } from '#domain/attempt.ts';
import { AppError } from '#lib/errors.ts';
import { type OutboxDeps, openOutbox } from '#stores/outbox.ts';
import { QUIZ_FINISH } from '#stores/outbox-senders.ts';
import type { Outbox } from '#sync/outbox.ts';
import { browserEnvironment, type OutboxEnvironment } from '#sync/outbox-environment.ts';
import type { OutboxEntry } from '#sync/outbox-shelf.ts';
import type { Keeper, Mark, Outcome } from './keeper.ts';

/** What an attempt needs of the backend; each throws AppErrors. */
export interface AttemptDeps extends OutboxDeps {
  getAttempt(id: string): Promise<AttemptView | null>;
}

/**
 * Keeps the answers of an open attempt: each goes into the outbox, from there to the database. What
 * other devices answered is read again whenever the tab is shown.
 * @param owner the id of the person whose attempt it is
 */
export function createAttemptKeeper(
  initial: AttemptView,
  owner: string,
  deps: AttemptDeps,
  environment: () => OutboxEnvironment = browserEnvironment,
): Keeper {
  const { id, version_id } = initial.attempt;
  const $answers = atom(answersOf(initial));
  const $ratings = atom(ratingsOf(initial));
  const $marks = atom<ReadonlyMap<string, Mark>>(new Map());
  const $finishing = atom<Mark | null>(null);
  const $ended = atom(initial.attempt.state !== 'in_progress');
  /** Keys that only this tab remembers, because the browser keeps nothing. */
  const fragile = new Set<string>();
  /** What was on its way or answered here since the server was asked: its reply may not know it. */
  let touched = new Set<string>();
  let reading: Promise<void> | null = null;
  let outbox: Outbox | null = null;
  let env: OutboxEnvironment | null = null;

  const own = (entry: OutboxEntry) => entry.key.startsWith(`${id}/`);
  const entries = () => (outbox?.$entries.get() ?? []).filter(own);
  const ending = () =>
    outbox?.$entries.get().find(({ kind, key }) => kind === QUIZ_FINISH && key === id);
  const stepOf = ({ kind, key }: OutboxEntry) =>
    `${kind === 'answer' ? 'question' : 'confidence'}:${key.slice(id.length + 1)}`;

  function overlay() {
    const answers = new Map($answers.get());
    const ratings = new Map($ratings.get());
    for (const { kind, body } of entries()) {
      if (kind === 'answer') answers.set((body as Answer).question_key, body as Answer);
      else if (kind === 'rating') {
        const { area_key, rating } = body as Confidence;
        ratings.set(area_key, rating);
      }
    }
    $answers.set(answers);
    $ratings.set(ratings);
  }

  function markOf({ refused }: OutboxEntry, step: string): Mark {
    if (refused !== undefined) return { name: 'refused', sentence: refused };
    const state = outbox?.$state.get().name;
    if (state === 'signed-out') return { name: 'signed-out' };
    if (state !== 'waiting') return { name: 'saving' };
    return { name: fragile.has(step) ? 'this-tab' : 'not-sent' };
  }

  function remark() {
    const marks = new Map<string, Mark>();
    const before = $marks.get();
    let news = false;
    for (const entry of entries()) {
      const step = stepOf(entry);
      const mark = markOf(entry, step);
      marks.set(step, mark);
      news ||= mark.name === 'refused' && before.get(step)?.name !== 'refused';
    }
    $marks.set(marks);
    const end = ending();
    $finishing.set(end ? markOf(end, QUIZ_FINISH) : null);
    // Whichever tab sent it: the attempt may have ended elsewhere.
    if (news) void reread();
  }

  /** Reads what other devices did. What is not sent yet, or was answered meanwhile, stays. */
  function reread(): Promise<void> {
    reading ??= (async () => {
      touched = new Set(entries().map(stepOf));
      try {
        const view = await deps.getAttempt(id);
        if (view === null) return;
        $answers.set(merged($answers.get(), answersOf(view), 'question'));
        $ratings.set(merged($ratings.get(), ratingsOf(view), 'confidence'));
        overlay();
        const { state, expires_at } = view.attempt;
        if (state !== 'in_progress' || Date.parse(expires_at) <= (env?.now() ?? 0))
          $ended.set(true);
      } catch {
        // Read again the next time the tab is shown; what stands here is not wrong, only older.
      } finally {
        reading = null;
      }
    })();
    return reading;
  }

  function merged<T>(here: ReadonlyMap<string, T>, there: ReadonlyMap<string, T>, kind: string) {
    const kept = [...here].filter(([key]) => touched.has(`${kind}:${key}`) || !there.has(key));
    return new Map([...there, ...kept]);
  }

  function keep(kind: 'answer' | 'rating', step: string, place: string, body: object) {
    touched.add(step);
    const outcome = outbox?.put(kind, `${id}/${place}`, { attempt_id: id, version_id, ...body });
    if (outcome === 'this-tab') fragile.add(step);
    remark();
  }

  /** How finishing ended; null while it waits. Throws the AppError of a quiz that cannot be finished. */
  function outcome(): Outcome | null {
    const end = ending();
    if (!end) return { name: 'submitted' };
    if (entries().some(({ refused }) => refused !== undefined)) return { name: 'refused' };
    if (end.refused !== undefined) throw new AppError('invalid', end.refused);
    return null;
  }

  return {
    isFinal: true,
    $answers,
    $ratings,
    $marks,
    $finishing,
    $ended,
    open() {
      env = environment();
      outbox = openOutbox(owner, deps, env);
      const stops = [
        outbox.$entries.subscribe(remark),
        outbox.$state.subscribe(remark),
        env.onWake((reason) => {
          // Another tab of this browser answered: its entry says so, without asking the server.
          if (reason === 'storage') overlay();
          else void reread();
        }),
      ];
      overlay();
      return () => {
        for (const stop of stops) stop();
        outbox?.close();
      };
    },
    answer(answer) {
      $answers.set(new Map($answers.get()).set(answer.question_key, answer));
      keep('answer', `question:${answer.question_key}`, answer.question_key, answer);
    },
    rate({ area_key, rating }) {
      $ratings.set(new Map($ratings.get()).set(area_key, rating));
      const body = { area_key, rating, rated_at: new Date().toISOString() };
      keep('rating', `confidence:${area_key}`, area_key, body);
    },
    finish(signal) {
      if (outbox?.put(QUIZ_FINISH, id, {}) === 'this-tab') fragile.add(QUIZ_FINISH);
      remark();
      return new Promise((resolve, reject) => {
        const look = () => {
          try {
            signal.throwIfAborted();
            const ended = outcome();
            if (ended === null) return;
            resolve(ended);
          } catch (thrown) {
            reject(thrown);
          }
          stop?.();
          // What cannot be finished waits no more. A page that is closed leaves it to the next one.
          if (!signal.aborted) outbox?.drop(QUIZ_FINISH, id);
        };
        const stop = outbox?.$entries.listen(look);
        signal.addEventListener('abort', look, { once: true });
        look();
      });
    },
    cancelFinish() {
      outbox?.drop(QUIZ_FINISH, id);
    },
  };
}

function answersOf({ answers }: AttemptView): ReadonlyMap<string, Answer> {
  return new Map(answers.map((answer) => [answer.question_key, answer]));
}

function ratingsOf({ confidences }: AttemptView): ReadonlyMap<string, number> {
  return new Map(confidences.map(({ area_key, rating }) => [area_key, rating]));
}

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { AttemptKey } from '#data/attempts.ts';
import type { Answer } from '#domain/attempt.ts';
import { inEnglish } from '#domain/language.ts';
import { SEEN_FOR } from '#features/quiz/advance.ts';
import { createAttemptAnswers } from '#features/quiz/attempt-answers.ts';
import { createQuizStore, type QuizStore, statusOf } from '#features/quiz/quiz-store.ts';
import { reviewText } from '#features/quiz/ReviewStep.tsx';
import { createStartStore } from '#features/quiz/start-store.ts';
import { openSteps, progressOf, stepId } from '#features/quiz/steps.ts';
import { createVisitorAnswers } from '#features/quiz/visitor-answers.ts';
import { keepVisitorAnswers, readVisitorAnswers } from '#lib/browser/visitor-answers.ts';
import { AppError } from '#lib/errors.ts';
import { answerKind } from '#sync/kinds/answer.ts';
import { finishKind } from '#sync/kinds/finish.ts';
import { ratingKind } from '#sync/kinds/rating.ts';
import { attemptOf, quizVersionOf } from '../../fixtures/attempt.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';
import { settle, stillBrowser } from '../../fixtures/memory-browser.ts';
import { stubBrowser } from '../../fixtures/stub-browser.ts';
import { sentTo, syncOf } from '../../fixtures/test-sync.ts';

const AREAS = ['web', 'sales'];
const version = quizVersionOf(...AREAS);
/** The scoring is a script of its own, which Vite first has to transform. */
const LOADED = { timeout: 10_000 };

const here = (store: QuizStore) => {
  const state = store.$state.get();
  if (state.name === 'pause') return `pause:${state.area.key}`;
  return 'area' in state ? stepId(state) : state.name;
};
const given = (store: QuizStore) => store.answers.$given.get();
const savingAt = (store: QuizStore, id: string) => {
  const step = store.steps.find((each) => stepId(each) === id);
  return step ? statusOf(step, given(store), store.answers.$unsaved.get()) : undefined;
};
const answerOf = (key: string, value: number | null, at = '2026-11-20T10:00:00.000Z'): Answer => ({
  question_key: key,
  value,
  applies: value !== null,
  answered_at: at,
});

describe('A visitor', () => {
  beforeEach(() => {
    stubBrowser();
  });

  const openQuiz = (kind: 'full' | 'first_look', early?: { key: string; value: number | null }) => {
    const answers = createVisitorAnswers(version, kind);
    const store = createQuizStore({ version, kind, answers, leave: () => {} });
    store.open(early);
    return store;
  };

  test('takes the first look: one question an area, no confidence, then a preview', async () => {
    const store = openQuiz('first_look');
    expect(here(store)).toBe('question:web.q1');
    store.answer('web.q1', 3);
    store.next();
    store.answer('sales.q1', null);
    store.next();
    await vi.waitFor(() => expect(here(store)).toBe('finished'), LOADED);
    const state = store.$state.get();
    expect(state.name === 'finished' && state.scored.scores.map(({ score }) => score)).toEqual([
      75,
      null,
    ]);
    expect(readVisitorAnswers()?.kind).toBe('first_look');
  });

  test('who comes back finds the preview of a complete first look, and can change an answer', async () => {
    const first = openQuiz('first_look');
    first.answer('web.q1', 3);
    first.answer('sales.q1', 1);
    const second = openQuiz('first_look');
    await vi.waitFor(() => expect(here(second)).toBe('finished'), LOADED);
    second.again();
    expect(here(second)).toBe('question:web.q1');
  });

  test.each(['first_look', 'full'] as const)(
    'changes an answer after the result of a %s',
    async (kind) => {
      const store = openQuiz(kind);
      const see = async () => {
        await store.finish();
        // The full quiz ends with the whole bloom; one key or tap opens the result.
        if (kind === 'full') expect(here(store)).toBe('complete');
        if (kind === 'full') store.next();
        expect(here(store)).toBe('finished');
      };
      await see();
      store.again();
      store.answer('web.q1', 4);
      await see();
      expect(given(store).answers.get('web.q1')?.value).toBe(4);
    },
  );

  test('reads an intro first, unless something is answered already', () => {
    const open = (early?: { key: string; value: number | null }) => {
      const answers = createVisitorAnswers(version, 'full');
      const options = { version, kind: 'full', answers, leave: () => {}, hasIntro: true } as const;
      const store = createQuizStore(options);
      store.open(early);
      return store;
    };
    const store = open();
    expect(here(store)).toBe('intro');
    store.next();
    expect(here(store)).toBe('question:web.q1');
    expect(here(open({ key: 'web.q1', value: 2 }))).toBe('question:web.q1');
    expect(here(open())).toBe('question:web.q2');
  });

  test('rests after an area that’s done, goes on with one key, and back to its last step', () => {
    const store = openQuiz('full');
    store.answer('web.q1', 3);
    for (let step = 0; step < 3; step += 1) store.next();
    // One of its questions has no answer yet, so there's no petal to show.
    expect(here(store)).toBe('question:sales.q1');
    store.answer('web.q2', 1);
    store.rate('web', 4);
    store.back();
    expect(here(store)).toBe('confidence:web');
    store.next();
    expect(here(store)).toBe('pause:web');
    store.back();
    expect(here(store)).toBe('confidence:web');
    store.next();
    store.next();
    expect(here(store)).toBe('question:sales.q1');
  });

  test('doesn’t rest before the review, which comes after the last area', () => {
    const store = openQuiz('full');
    for (const { key } of version.questions) store.answer(key, 3);
    store.rate('sales', 4);
    for (let step = 0; step < 20 && here(store) !== 'review'; step += 1) {
      expect(here(store)).not.toBe('pause:sales');
      store.next();
    }
    expect(here(store)).toBe('review');
  });

  test('carries on with the full quiz: the first look is answered there already', () => {
    openQuiz('first_look').answer('web.q1', 3);
    const store = openQuiz('full');
    expect(progressOf(store.steps, given(store))).toEqual({ answered: 1, asked: 4 });
    expect(here(store)).toBe('question:web.q2');
    store.answer('web.q2', 0);
    store.next();
    expect(here(store)).toBe('confidence:web');
    store.rate('web', 4);
    expect(readVisitorAnswers()).toMatchObject({
      kind: 'full',
      confidences: [{ area_key: 'web', rating: 4 }],
    });
  });

  test('is asked about what was left out before finishing', async () => {
    const store = openQuiz('first_look');
    store.next();
    store.answer('sales.q1', 2);
    store.next();
    expect(here(store)).toBe('review');
    expect(openSteps(store.steps, given(store)).map(stepId)).toEqual(['question:web.q1']);
    await store.finish();
    expect(here(store)).toBe('finished');
  });

  describe('in a version that asks whether an area applies', () => {
    const asking = {
      ...version,
      areas: version.areas.map((area) =>
        area.key === 'web' ? { ...area, skip: { question: 'Any?', help: null } } : area,
      ),
    };
    const open = (kind: 'full' | 'first_look' = 'full') => {
      const answers = createVisitorAnswers(asking, kind);
      const store = createQuizStore({ version: asking, kind, answers, leave: () => {} });
      store.open();
      return store;
    };
    const web = ['web.q1', 'web.q2'];

    test('answers no once, goes on with the next area, and nothing is left open', async () => {
      const store = open();
      expect(here(store)).toBe('skip:web');
      store.skip(web, true);
      expect(here(store)).toBe('question:sales.q1');
      expect(readVisitorAnswers()?.answers.map(({ applies }) => applies)).toEqual([false, false]);
      expect(openSteps(store.steps, given(store)).map(stepId)).toEqual([
        'question:sales.q1',
        'question:sales.q2',
        'confidence:sales',
      ]);
      store.back();
      expect(here(store)).toBe('skip:web');
      expect(savingAt(store, 'skip:web')).toEqual({ name: 'saved' });
      store.next();
      expect(here(store)).toBe('question:sales.q1');
      await store.finish();
      const state = store.$state.get();
      const scored = state.name === 'complete' ? state.scored?.scores[0] : undefined;
      expect(scored).toMatchObject({ score: null, asked: 2, applicable: 0, answered: 0 });
    });

    test('answers yes and is asked the questions, also after a no', () => {
      const store = open();
      store.skip(web, false);
      expect(here(store)).toBe('question:web.q1');
      store.back();
      store.skip(web, true);
      store.back();
      store.skip(web, false);
      expect(here(store)).toBe('question:web.q1');
      // Inside the area, all of its steps are shown, as long as none applies too.
      store.next();
      expect(here(store)).toBe('question:web.q2');
      store.answer('web.q2', 3);
      store.next();
      expect(here(store)).toBe('confidence:web');
      expect(openSteps(store.steps, given(store)).map(stepId)[0]).toBe('confidence:web');
    });

    test('isn’t asked again after an answer that applies, and once none applies, that’s a no', () => {
      const store = open();
      store.answer('web.q1', 2);
      expect(openSteps(store.steps, given(store)).map(stepId)[0]).toBe('question:web.q2');
      store.answer('web.q1', null);
      expect(openSteps(store.steps, given(store)).map(stepId)[0]).toBe('skip:web');
      store.answer('web.q2', null);
      expect(openSteps(store.steps, given(store)).map(stepId)[0]).toBe('question:sales.q1');
      expect(here(open())).toBe('question:sales.q1');
    });

    test('isn’t asked in a first look, which has one question per area', () => {
      expect(open('first_look').steps.map(stepId)).toEqual([
        'question:web.q1',
        'question:sales.q1',
        'review',
      ]);
    });
  });

  describe('who answers with one tap', () => {
    beforeEach(() => {
      vi.useFakeTimers();
      return () => vi.useRealTimers();
    });
    const tap = (store: QuizStore, key: string, value: number | null) => {
      store.answer(key, value);
      store.advance();
    };

    test('sees the choice for a moment, then the next question, and the answer again on going back', () => {
      const store = openQuiz('full');
      tap(store, 'web.q1', 2);
      vi.advanceTimersByTime(SEEN_FOR - 1);
      expect(here(store)).toBe('question:web.q1');
      vi.advanceTimersByTime(1);
      expect(here(store)).toBe('question:web.q2');
      store.back();
      expect(here(store)).toBe('question:web.q1');
      expect(given(store).answers.get('web.q1')?.value).toBe(2);
    });

    test('and changes their mind within that moment goes on once, with the later answer', () => {
      const store = openQuiz('full');
      tap(store, 'web.q1', 2);
      vi.advanceTimersByTime(SEEN_FOR - 1);
      tap(store, 'web.q1', 3);
      vi.advanceTimersByTime(SEEN_FOR);
      expect(here(store)).toBe('question:web.q2');
      expect(given(store).answers.get('web.q1')?.value).toBe(3);
      vi.advanceTimersByTime(SEEN_FOR);
      expect(here(store)).toBe('question:web.q2');
    });

    test('and moves within that moment stays where they went; a key that isn’t an answer stays too', () => {
      const store = openQuiz('full');
      tap(store, 'web.q1', 2);
      store.next();
      vi.advanceTimersByTime(SEEN_FOR);
      expect(here(store)).toBe('question:web.q2');
      tap(store, 'web.q2', 1);
      store.stay();
      vi.advanceTimersByTime(SEEN_FOR);
      expect(here(store)).toBe('question:web.q2');
    });

    test('and presses Enter after it, out of habit, skips nothing', () => {
      const store = openQuiz('full');
      tap(store, 'web.q1', 2);
      vi.advanceTimersByTime(SEEN_FOR + 200);
      store.enter();
      expect(here(store)).toBe('question:web.q2');
      vi.advanceTimersByTime(2_000);
      store.enter();
      expect(here(store)).toBe('confidence:web');
    });

    test('and presses Enter after the next answer too, however soon, goes on', () => {
      const store = openQuiz('full');
      tap(store, 'web.q1', 2);
      vi.advanceTimersByTime(SEEN_FOR + 100);
      tap(store, 'web.q2', 1);
      store.stay();
      store.enter();
      expect(here(store)).toBe('confidence:web');
    });
  });

  test('who chose before the scripts were there has answered, and stays there', () => {
    const store = openQuiz('first_look', { key: 'web.q1', value: 2 });
    expect(given(store).answers.get('web.q1')?.value).toBe(2);
    expect(here(store)).toBe('question:web.q1');
  });

  test('is told when the browser keeps nothing', () => {
    const store = openQuiz('first_look');
    localStorage.setItem = () => {
      throw new DOMException('Full', 'QuotaExceededError');
    };
    store.answer('web.q1', 2);
    expect(savingAt(store, 'question:web.q1')).toEqual({ name: 'memory-only' });
  });

  test('who answered another version of the quiz starts this one anew', () => {
    keepVisitorAnswers({
      version_id: 'older',
      kind: 'full',
      confidences: [],
      answers: [answerOf('web.q1', 4)],
    });
    expect(given(openQuiz('full')).answers.size).toBe(0);
  });
});

const ID = '0198f0a0-0000-7000-8000-00000000000a';

/** A database with one attempt, as the quiz uses it. */
function backend(answers: Answer[] = []) {
  const view = attemptOf(version, { id: ID }, { answers });
  const line = { failure: null as AppError | null, signedIn: 'rosa' as string | null };
  const closed = () =>
    new AppError('conflict', 'This quiz is closed, so its answers can’t change anymore.', {
      code: '55000',
    });
  const check = () => {
    if (line.failure) throw line.failure;
  };
  const put = (answer: Answer) => {
    const others = view.answers.filter(({ question_key }) => question_key !== answer.question_key);
    view.answers = [...others, answer];
  };
  return {
    view,
    line,
    put,
    deps: {
      async saveAnswers(sent: (AttemptKey & Answer)[]) {
        check();
        if (view.attempt.state !== 'in_progress') throw closed();
        for (const { attempt_id: _a, version_id: _v, ...answer } of sent) put(answer);
      },
      async saveConfidences(sent: { area_key: string; rating: number }[]) {
        check();
        for (const { area_key, rating } of sent) view.confidences.push({ area_key, rating });
      },
      async getAttempt() {
        check();
        return structuredClone(view);
      },
      async finishAttempt() {
        check();
        view.attempt.state = 'submitted';
        return structuredClone(view);
      },
      signedInAs: async () => line.signedIn,
    },
  };
}

type Server = ReturnType<typeof backend>;

/** The write pipeline of one tab. */
function openSync({ deps }: Server, browser: ReturnType<typeof stillBrowser>) {
  return syncOf(
    'rosa',
    browser.openTab(),
    [
      sentTo(answerKind, (answer) => deps.saveAnswers([answer])),
      sentTo(ratingKind, (rating) => deps.saveConfidences([rating])),
      sentTo(finishKind, async () => {
        await deps.finishAttempt();
      }),
    ],
    deps.signedInAs,
  );
}

/** Opens the attempt's page in a tab of a browser. */
function openAttempt(server: Server, browser = stillBrowser(), now?: () => number) {
  const { store, sync, ...rest } = loadAttempt(server, browser, now);
  const stop = store.open();
  const close = () => {
    stop();
    sync.close();
  };
  return { store, ...rest, close };
}

/** The same, before the page follows it. */
function loadAttempt(server: Server, browser = stillBrowser(), now?: () => number) {
  const leave = vi.fn<() => void>();
  const sync = openSync(server, browser);
  const answers = createAttemptAnswers(structuredClone(server.view), {
    getAttempt: () => server.deps.getAttempt(),
    openSync: () => sync,
  });
  const clock = now ? { now } : {};
  const store = createQuizStore({ version, kind: 'full', answers, leave, ...clock });
  return { store, sync, leave, browser };
}

const OFFLINE = new AppError('network');

async function answerAll(store: QuizStore) {
  for (const { key } of version.questions) store.answer(key, 3);
  for (const area of AREAS) store.rate(area, 2);
  await settle();
}

describe('An owner', () => {
  test('resumes at the first question that is not answered', () => {
    const server = backend([answerOf('web.q1', 1), answerOf('web.q2', null)]);
    server.view.confidences = [{ area_key: 'web', rating: 3 }];
    expect(here(openAttempt(server).store)).toBe('question:sales.q1');
  });

  test('whose first answer comes before the page follows the quiz has it saved', async () => {
    const server = backend();
    const { store, sync } = loadAttempt(server);
    store.answer('web.q1', 3);
    onTestFinished(store.open());
    await settle();
    expect(server.view.answers).toMatchObject([{ question_key: 'web.q1', value: 3 }]);
    sync.close();
  });

  test('sees each answer saved, and finishes in the database', async () => {
    const server = backend();
    const { store, leave } = openAttempt(server);
    store.answer('web.q1', 3);
    expect(savingAt(store, 'question:web.q1')).toEqual({ name: 'saving' });
    await settle();
    expect(savingAt(store, 'question:web.q1')).toEqual({ name: 'saved' });
    expect(savingAt(store, 'question:web.q2')).toBeNull();
    await answerAll(store);
    await store.finish();
    expect(server.view).toMatchObject({ attempt: { state: 'submitted' } });
    expect(server.view.answers).toHaveLength(4);
    expect(here(store)).toBe('complete');
    expect(leave).not.toHaveBeenCalled();
    store.next();
    expect(leave).toHaveBeenCalledOnce();
  });

  test('answers on without a connection; finishing waits and then goes on by itself', async () => {
    const server = backend();
    const { store, leave, browser } = openAttempt(server);
    server.line.failure = OFFLINE;
    await answerAll(store);
    expect(savingAt(store, 'question:web.q1')).toEqual({ name: 'offline' });
    void store.finish();
    await settle();
    expect(here(store)).toBe('finishing');
    expect(server.view.attempt.state).toBe('in_progress');
    server.line.failure = null;
    browser.wake('connection');
    await settle();
    expect(server.view.answers).toHaveLength(4);
    expect(server.view.attempt.state).toBe('submitted');
    expect(here(store)).toBe('complete');
    // Another look at the tab, which asks the server, doesn't take the bloom away.
    browser.wake('shown');
    await settle();
    expect(here(store)).toBe('complete');
    store.next();
    expect(leave).toHaveBeenCalledOnce();
  });

  test('who finished without a connection and reloaded need not press again', async () => {
    const server = backend();
    const finishAttempt = vi.spyOn(server.deps, 'finishAttempt');
    const first = openAttempt(server);
    server.line.failure = OFFLINE;
    await answerAll(first.store);
    void first.store.finish();
    await settle();
    expect(first.store.answers.$finishing.get()).toEqual({ name: 'offline' });
    first.close();

    const { store, leave, browser } = openAttempt(server, first.browser);
    await settle();
    expect(here(store)).toBe('finishing');
    server.line.failure = null;
    browser.wake('connection');
    await settle();
    expect(server.view.answers).toHaveLength(4);
    expect(server.view.attempt.state).toBe('submitted');
    expect(leave).toHaveBeenCalledOnce();
    expect(finishAttempt).toHaveBeenCalledOnce();
    expect(browser.kept.size).toBe(0);
  });

  test('may go back while finishing waits, and has not finished after a reload either', async () => {
    const server = backend();
    const first = openAttempt(server);
    server.line.failure = OFFLINE;
    await answerAll(first.store);
    void first.store.finish();
    await settle();
    first.store.cancelFinish();
    expect(here(first.store)).toBe('review');
    server.line.failure = null;
    first.browser.wake('connection');
    await settle();
    first.close();
    const { store, leave } = openAttempt(server, first.browser);
    await settle();
    expect(here(store)).toBe('review');
    expect(server.view.attempt.state).toBe('in_progress');
    expect(leave).not.toHaveBeenCalled();
  });

  test('who closed the tab with an unsent answer finds it again, and it is sent', async () => {
    const server = backend();
    const first = openAttempt(server);
    server.line.failure = OFFLINE;
    first.store.answer('web.q1', 4);
    await settle();
    first.close();
    server.line.failure = null;
    const second = openAttempt(server, first.browser);
    expect(given(second.store).answers.get('web.q1')?.value).toBe(4);
    expect(here(second.store)).toBe('question:web.q2');
    await settle();
    expect(server.view.answers).toMatchObject([{ question_key: 'web.q1', value: 4 }]);
  });

  test('sees what another device answered, but keeps what is not sent yet from here', async () => {
    const server = backend([answerOf('web.q1', 1), answerOf('web.q2', 1)]);
    const { store, browser } = openAttempt(server);
    server.line.signedIn = null;
    store.answer('web.q2', 4);
    await settle();
    server.put(answerOf('web.q1', 3, '2026-11-20T11:00:00.000Z'));
    server.put(answerOf('web.q2', 0, '2026-11-20T11:00:00.000Z'));
    browser.wake('shown');
    await settle();
    expect(given(store).answers.get('web.q1')?.value).toBe(3);
    expect(given(store).answers.get('web.q2')?.value).toBe(4);
    expect(savingAt(store, 'question:web.q2')).toEqual({ name: 'signed-out' });
  });

  test('does not see an older answer again that was read while the newer one was on its way', async () => {
    const server = backend([answerOf('web.q1', 1)]);
    const { saveAnswers, getAttempt } = server.deps;
    const [arrives, read] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.deps.saveAnswers = (sent) => arrives.promise.then(() => saveAnswers(sent));
    server.deps.getAttempt = async () => {
      const view = await getAttempt();
      await read.promise;
      return view;
    };
    const { store, browser } = openAttempt(server);
    store.answer('web.q1', 4);
    await settle();
    browser.wake('shown');
    await settle();
    arrives.resolve();
    await settle();
    expect(savingAt(store, 'question:web.q1')).toEqual({ name: 'saved' });
    read.resolve();
    await settle();
    expect(given(store).answers.get('web.q1')?.value).toBe(4);
  });

  test('whose clock is slow still overrules what another device answered before', async () => {
    const server = backend([answerOf('web.q1', 1, '2026-11-20T12:00:00.000Z')]);
    const slow = Date.parse('2026-11-20T11:00:00.000Z');
    const { store } = openAttempt(server, stillBrowser(), () => slow);
    store.answer('web.q1', 4);
    await settle();
    expect(server.view.answers).toEqual([answerOf('web.q1', 4, '2026-11-20T12:00:00.001Z')]);
  });

  test('who finished on another device is led to the results', async () => {
    const server = backend([answerOf('web.q1', 1)]);
    const { leave, browser } = openAttempt(server);
    server.view.attempt.state = 'submitted';
    browser.wake('shown');
    await settle();
    expect(leave).toHaveBeenCalledOnce();
  });

  test('whose attempt runs out while its page is open is led away from it', async () => {
    const server = backend([answerOf('web.q1', 1)]);
    const { leave, browser } = openAttempt(server);
    server.view.attempt.expires_at = '2026-11-21T08:59:59.000Z';
    browser.wake('shown');
    await settle();
    expect(leave).toHaveBeenCalledOnce();
  });

  test('whose answer comes after the quiz was finished elsewhere is told that it came too late', async () => {
    const server = backend([answerOf('web.q1', 1)]);
    const { store, leave } = openAttempt(server);
    server.view.attempt.state = 'submitted';
    store.answer('web.q2', 4);
    await settle();
    expect(here(store)).toBe('ended');
    expect(savingAt(store, 'question:web.q2')).toMatchObject({ name: 'refused' });
    expect(server.view.answers).toHaveLength(1);
    expect(leave).not.toHaveBeenCalled();
  });

  test('is told so as well where another tab sent the answer and was refused', async () => {
    const server = backend([answerOf('web.q1', 1)]);
    const saveAnswers = () => Promise.reject(OFFLINE);
    const cut = { ...server, deps: { ...server.deps, saveAnswers } };
    const { store, browser } = openAttempt(cut);
    server.view.attempt.state = 'submitted';
    store.answer('web.q2', 4);
    await settle();
    expect(here(store)).not.toBe('ended');
    openAttempt(server, browser);
    await settle();
    expect(here(store)).toBe('ended');
  });

  test('is shown a refused answer before finishing, and can answer again', async () => {
    const server = backend([answerOf('web.q1', 1)]);
    const { store } = openAttempt(server);
    server.line.failure = new AppError('invalid', 'This does not fit.');
    store.answer('web.q2', 4);
    await settle();
    server.line.failure = null;
    await store.finish();
    expect(here(store)).toBe('review');
    expect(savingAt(store, 'question:web.q2')).toEqual({
      name: 'refused',
      reason: 'This does not fit.',
    });
    store.answer('web.q2', 3);
    await settle();
    expect(savingAt(store, 'question:web.q2')).toEqual({ name: 'saved' });
  });

  test('who is refused at the end reads why, and stays at the review', async () => {
    const server = backend();
    server.deps.finishAttempt = async () => {
      throw new AppError('invalid', 'Answer at least one question first.');
    };
    const { store } = openAttempt(server);
    await store.finish();
    expect(store.$state.get()).toMatchObject({
      name: 'review',
      failure: { message: 'Answer at least one question first.' },
    });
  });
});

test.each([
  [true, 'You can still go back and change answers, but not after you finish.'],
  [false, 'You can change answers now, or after you see the result.'],
])('Before finishing a person reads whether that is final (%s)', (isFinal, words) => {
  const answers = { ...createVisitorAnswers(version, 'full'), isFinal };
  expect(reviewText(0, { kind: 'full', answers }, inEnglish)).toBe(words);
});

describe('Before an attempt', () => {
  const begin = (answer: (name: string, args: Record<string, unknown>) => unknown) => {
    const rpc = vi.fn(async (name: string, args: Record<string, unknown>) => answer(name, args));
    const open = vi.fn<(id: string) => void>();
    const deps = { db: async () => dbAnswering({ rpc }), businessId: 'bakery', open };
    return { rpc, open, store: createStartStore({ ...deps, versionId: version.id }, () => ID) };
  };

  test('an owner starts one, and a second press finds what the first made', async () => {
    let tries = 0;
    const { store, open, rpc } = begin(() => {
      tries += 1;
      return tries === 1
        ? { data: null, error: { message: 'Failed to fetch' } }
        : { data: { id: ID }, error: null };
    });
    await store.start();
    expect(store.$state.get()).toMatchObject({ name: 'ready', failure: { kind: 'network' } });
    await store.start();
    expect(open).toHaveBeenCalledWith(ID);
    expect(rpc.mock.calls.map(([, args]) => args.p_id)).toEqual([ID, ID]);
  });
});

import type { AttemptView } from '#data/attempts.ts';
import type { QuizVersion } from '#data/quiz.ts';
import type { QuizKind } from '#domain/attempt.ts';
import { db } from '#lib/db.ts';
import { pageSync } from '#sync/page-sync.ts';
import { createAttemptAnswers } from './attempt-answers.ts';
import { createQuizStore, type QuizStore } from './quiz-store.ts';
import { createVisitorAnswers } from './visitor-answers.ts';

export type QuizInitial =
  | {
      taker: 'visitor';
      kind: QuizKind;
      version: QuizVersion;
      /** Whether the page is as old as the site's build, so that the quiz may be newer. */
      built: boolean;
    }
  | { taker: 'owner'; userId: string; view: AttemptView };

/** The store behind one page of the quiz; also made on the server, where it only says what to show. */
export function openQuiz(initial: QuizInitial): QuizStore {
  if (initial.taker === 'owner') {
    const { view, userId } = initial;
    return createQuizStore({
      version: view.version,
      kind: view.attempt.kind,
      answers: createAttemptAnswers(view, {
        async getAttempt(id) {
          const { getAttempt } = await import('#data/attempts.ts');
          return getAttempt(await db(), id);
        },
        openSync: () => pageSync(userId),
      }),
      // The same address is the page of the results now.
      leave: () => location.reload(),
    });
  }
  const { version, kind } = initial;
  return createQuizStore({
    version,
    kind,
    answers: createVisitorAnswers(version, kind),
    leave: () => {},
  });
}

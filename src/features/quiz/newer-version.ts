import type { QuizVersion } from '#data/quiz.ts';
import { readVisitorAnswers } from '#lib/visitor-answers.ts';
import { whenIdle } from '#lib/when-idle.ts';

/**
 * Looks, when the browser has time, whether the quiz is newer than a page that was built. Answers
 * belong to the version that was answered: once there are any, the page's own version stays.
 * @returns how to stop
 */
export function newerVersion(
  built: QuizVersion,
  replace: (version: QuizVersion) => void,
): () => void {
  let over = false;
  const untouched = () => !over && (readVisitorAnswers()?.answers.length ?? 0) === 0;
  const look = async () => {
    if (!untouched()) return;
    try {
      const { getPublishedQuiz } = await import('#data/quiz.ts');
      const published = await getPublishedQuiz();
      if (untouched() && published.id !== built.id) replace(published);
    } catch {
      // Offline, or none published: the page's own questions are as good as ever.
    }
  };
  const cancel = whenIdle(() => void look());
  return () => {
    over = true;
    cancel();
  };
}

import { callAsVisitor } from '#lib/visitor-call.ts';

/**
 * The id of the published version of the quiz, for a visitor's page. It's apart from `quiz.ts`, whose
 * schemas the page needs only if that's another version than its own.
 * @throws whatever went wrong, unclassified
 */
export async function getPublishedId(): Promise<unknown> {
  const { id } = Object(await callAsVisitor('get_quiz')) as { id?: unknown };
  return id;
}

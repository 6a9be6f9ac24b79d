import { inEnglish, type Say } from '#domain/language.ts';

/**
 * The question about using quiz answers that a person gave before they had an account.
 * @param from where they are: this browser, or the registration, which may be another one's
 * @param count how many questions were answered
 * @param say says it in the reader's language
 */
export function answersQuestion(
  from: 'browser' | 'registration',
  count: number,
  say: Say = inEnglish,
): { title: string; description: string } {
  const answered =
    count === 1
      ? say('one question was answered')
      : say('{count} questions were answered', { count });
  return from === 'browser'
    ? {
        title: say('Use the answers from this browser?'),
        description: say(
          'Before you signed in, {answered} here. You can start your skills quiz with those answers.',
          { answered },
        ),
      }
    : {
        title: say('Use these answers?'),
        description: say(
          'Before this account was created, {answered} in that browser. You can start your skills quiz with those answers.',
          { answered },
        ),
      };
}

/**
 * The question about using quiz answers that a person gave before they had an account.
 * @param from where they are: this browser, or the registration, which may be another one's
 * @param count how many questions were answered
 */
export function answersQuestion(
  from: 'browser' | 'registration',
  count: number,
): { title: string; description: string } {
  const answered = count === 1 ? 'one question was' : `${count} questions were`;
  return from === 'browser'
    ? {
        title: 'Use the answers from this browser?',
        description: `Before you signed in, ${answered} answered here. You can start your skills quiz with those answers.`,
      }
    : {
        title: 'Use these answers?',
        description: `When this account was created, ${answered} already answered in that browser. You can start your skills quiz with those answers.`,
      };
}

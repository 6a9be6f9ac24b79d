/**
 * What a person is asked about answers from before they had an account.
 * @param from this browser, or the registration, which may have been in another one
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
        description: `Before signing in, ${answered} answered here. They can be the start of your skills quiz.`,
      }
    : {
        title: 'Use these answers?',
        description: `When this account was created, ${answered} already answered in that browser. They can be the start of your skills quiz.`,
      };
}

/** How long questions take: "about 15 minutes" for all 32, elsewhere, is the same estimate. */

/** Estimated seconds per question. */
const SECONDS_A_QUESTION = 28;

/** Estimated whole minutes, at least one. */
export const minutesFor = (questions: number) =>
  Math.max(1, Math.round((questions * SECONDS_A_QUESTION) / 60));

/** "about a minute", "about 11 minutes" */
export function questionsTake(questions: number): string {
  const count = minutesFor(questions);
  return count === 1 ? 'about a minute' : `about ${count} minutes`;
}

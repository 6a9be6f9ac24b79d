/** Which questions a quiz asks, and in which order. */
import type { QuizKind } from './attempt.ts';

/** The fields of a question that scoring uses. */
export interface ScoredQuestion {
  key: string;
  area_key: string;
  position: number;
  weight: number;
  first_look: boolean;
}

/** The fields of a quiz version that scoring uses. */
export interface ScoredVersion<Question extends ScoredQuestion = ScoredQuestion> {
  areas: readonly { key: string; position: number; importance: number }[];
  questions: readonly Question[];
}

/** The questions in this kind of quiz, ordered by area and position. */
export function questionsAsked<Question extends ScoredQuestion>(
  version: ScoredVersion<Question>,
  kind: QuizKind,
): Question[] {
  const order = new Map(version.areas.map((area) => [area.key, area.position]));
  return version.questions
    .filter((question) => kind === 'full' || question.first_look)
    .toSorted(
      (a, b) =>
        (order.get(a.area_key) ?? 0) - (order.get(b.area_key) ?? 0) || a.position - b.position,
    );
}

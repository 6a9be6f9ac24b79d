import { readJson } from './stored.ts';

/** Where a visitor's answers are stored, see visitor-answers.ts. */
export const VISITOR_ANSWERS = 'trellis-visitor-answers';

/** Whether something is stored there; it may turn out to be unreadable. */
export const hasVisitorAnswers = (): boolean => readJson(VISITOR_ANSWERS) !== null;

/** Everything the quiz needs after its first answer, as one module that `ending.ts` loads. */
export { scoreAttempt } from '#domain/scoring.ts';
export { SaveNotice, SaveWords } from '#ui/SaveStatus.tsx';
export { Complete } from './Complete.tsx';
export { ConfidenceStep } from './ConfidenceStep.tsx';
export { Ended, Finishing, SignInAgain } from './Finishing.tsx';
export { Pause } from './Pause.tsx';
export { Preview } from './Preview.tsx';
export { QuestionList } from './QuestionList.tsx';
export { ReviewStep } from './ReviewStep.tsx';
export { SkipStep } from './SkipStep.tsx';

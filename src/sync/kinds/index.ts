import type { AnyKind } from '../kind.ts';
import { answerKind } from './answer.ts';
import { businessKind } from './business.ts';
import { draftKind } from './draft.ts';
import { factKind } from './fact.ts';
import { finishKind } from './finish.ts';
import { messageKind } from './message.ts';
import { newsletterKind } from './newsletter.ts';
import { planKind } from './plan.ts';
import { taskKind } from './project-task.ts';
import { updateKind } from './project-update.ts';
import { quizQuestionKind, quizSettingsKind } from './quiz-draft.ts';
import { ratingKind } from './rating.ts';
import { sessionKind } from './session.ts';
import { toolCopyKind } from './tool-copy.ts';
import { toolDraftKind } from './tool-draft.ts';
import { worksheetKind } from './worksheet.ts';

/** All kinds, so that any page can send what another page left unsent. */
export const KINDS: readonly AnyKind[] = [
  answerKind,
  ratingKind,
  finishKind,
  businessKind,
  factKind,
  planKind,
  messageKind,
  draftKind,
  taskKind,
  updateKind,
  toolCopyKind,
  worksheetKind,
  sessionKind,
  newsletterKind,
  quizQuestionKind,
  quizSettingsKind,
  toolDraftKind,
];

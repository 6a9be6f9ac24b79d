/** Saves what an admin wrote of a draft of the quiz; `kinds/quiz-draft.ts` loads it. */
import {
  type DraftChecks,
  type DraftQuestion,
  type DraftSettings,
  saveQuizQuestion,
  saveQuizSettings,
} from '#data/quiz-versions.ts';
import type { Db } from '#lib/supabase.ts';
import { oneLine } from '../kind.ts';
import type { QuestionText, SettingsText } from '../kinds/quiz-draft.ts';
import { createRevisionSaver } from '../own-revisions.ts';

/** What a save answers: the part as it's stored, and what keeps the draft from being published. */
export type Checked<Part> = Part & { checks: DraftChecks };

interface Change<Value> {
  value: Value;
  base: { revision: number };
}

/** A question as the database stores it. */
export const tidyQuestion = (given: QuestionText): QuestionText => ({
  practice: oneLine(given.practice),
  text: oneLine(given.text),
  help: oneLine(given.help),
  anchors: given.anchors.map(oneLine),
  weight: given.weight,
  action: oneLine(given.action),
  meaning: given.meaning,
});

/** The title and areas as the database stores them. */
export const tidySettings = ({ title, areas }: SettingsText): SettingsText => ({
  title: oneLine(title),
  areas: areas.map(({ key, importance, skip_question, skip_help, first_look }) => ({
    key,
    importance,
    skip_question: oneLine(skip_question),
    skip_help: skip_question.trim() === '' ? '' : oneLine(skip_help),
    first_look,
  })),
});

const CHANGED = 'Someone else changed this part of the quiz in the meantime.';
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const saveOwnQuestion = createRevisionSaver<QuestionText, Checked<DraftQuestion>>(
  (sent, stored) => isSame(tidyQuestion(sent), tidyQuestion(stored)),
  CHANGED,
);
const saveOwnSettings = createRevisionSaver<SettingsText, Checked<DraftSettings>>(
  (sent, stored) => isSame(tidySettings(sent), tidySettings(stored)),
  CHANGED,
);

/**
 * Saves a question unless someone else has changed it.
 * @param id `<version>/<question>`
 * @throws AppError
 */
export function saveQuestion(client: Db, id: string, { value, base }: Change<QuestionText>) {
  const [versionId = '', key = ''] = id.split('/');
  return saveOwnQuestion(id, { value, revision: base.revision }, async (revision) => {
    const answer = await saveQuizQuestion(client, versionId, key, { ...value, revision });
    return { saved: answer.saved, stored: { ...answer.question, checks: answer.checks } };
  });
}

/** Saves the title and the areas of the version `id`, in the same way. Throws an AppError. */
export function saveSettings(client: Db, id: string, { value, base }: Change<SettingsText>) {
  return saveOwnSettings(id, { value, revision: base.revision }, async (revision) => {
    const answer = await saveQuizSettings(client, id, { ...value, revision });
    return { saved: answer.saved, stored: { ...answer.settings, checks: answer.checks } };
  });
}

/** A draft of the quiz that an admin writes: its questions, and its title and areas. */
import * as v from 'valibot';
import type { DraftChecks, DraftQuestion, DraftSettings } from '#data/quiz-versions.ts';
import { oneLine } from '../kind.ts';
import { defineTextKind } from '../text-kind.ts';

const text = v.string();

const question = v.object({
  practice: text,
  text,
  help: text,
  anchors: v.array(text),
  weight: v.number(),
  action: text,
  meaning: v.nullable(v.picklist(['same', 'new'])),
});
export type QuestionText = v.InferOutput<typeof question>;

const settings = v.object({
  title: text,
  areas: v.array(
    v.object({
      key: text,
      importance: v.number(),
      skip_question: text,
      skip_help: text,
      first_look: v.nullable(text),
    }),
  ),
});
export type SettingsText = v.InferOutput<typeof settings>;

/** What a save answers: the part as it's stored, and what keeps the draft from being published. */
export type Checked<Part> = Part & { checks: DraftChecks };

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

const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);
const load = () => import('#data/quiz-versions.ts');

/** A question of a draft; its key is `<version>/<question>`. */
export const quizQuestionKind = defineTextKind({
  name: 'quiz-question',
  text: question,
  isSame: (sent, stored: Checked<DraftQuestion>) =>
    isSame(tidyQuestion(sent), tidyQuestion(stored)),
  load,
  async save({ saveQuizQuestion }, client, id, value, revision) {
    const [versionId = '', key = ''] = id.split('/');
    const { saved, ...now } = await saveQuizQuestion(client, versionId, key, {
      ...value,
      revision,
    });
    return { saved, stored: { ...now.question, checks: now.checks } };
  },
  what: 'A question of the quiz',
  titleOf: (value) => value.text,
});

/** The title and the areas of a draft; its key is the version's id. */
export const quizSettingsKind = defineTextKind({
  name: 'quiz-settings',
  text: settings,
  isSame: (sent, stored: Checked<DraftSettings>) =>
    isSame(tidySettings(sent), tidySettings(stored)),
  load,
  async save({ saveQuizSettings }, client, id, value, revision) {
    const { saved, ...now } = await saveQuizSettings(client, id, { ...value, revision });
    return { saved, stored: { ...now.settings, checks: now.checks } };
  },
  what: 'Settings of the quiz',
  titleOf: ({ title }) => title,
});

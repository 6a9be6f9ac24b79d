/** A draft of the quiz that an admin writes: its questions, and its title and areas. */
import * as v from 'valibot';
import { defineKind, quoted, sendWith } from '../kind.ts';

const text = v.string();
const base = v.object({ revision: v.number() });

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

// Every signed-in page has the kinds; only a page that sends these loads the rest.
const load = () => import('../saves/quiz-draft.ts');

/** A question of a draft; its key is `<version>/<question>`. */
export const quizQuestionKind = defineKind({
  name: 'quiz-question',
  rest: 800,
  schema: v.object({ value: question, base }),
  send: (change, id) =>
    sendWith(load, ({ saveQuestion }, client) => saveQuestion(client, id, change)),
  summarize: ({ value }) => quoted('A question of the quiz', value.text),
});

/** The title and the areas of a draft; its key is the version's id. */
export const quizSettingsKind = defineKind({
  name: 'quiz-settings',
  rest: 800,
  schema: v.object({ value: settings, base }),
  send: (change, id) =>
    sendWith(load, ({ saveSettings }, client) => saveSettings(client, id, change)),
  summarize: ({ value }) => quoted('Settings of the quiz', value.title),
});

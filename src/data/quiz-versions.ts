/** Versions of the quiz for admins: drafting, changing, publishing, and how its questions work. */
import * as v from 'valibot';
import { QUIZ_VERSION_STATES } from '#domain/quiz-version.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';
import { quizVersion } from './quiz.ts';

const listedVersions = v.array(
  v.object({
    id: v.string(),
    number: v.number(),
    state: v.picklist(QUIZ_VERSION_STATES),
    title: v.string(),
    created_at: v.string(),
    published_at: v.nullable(v.string()),
    /** When a draft was discarded; it can be restored for 30 days. */
    discarded_at: v.nullable(v.string()),
    /** The version that it was drafted from. */
    from_number: v.nullable(v.number()),
    questions: v.number(),
    /** How many full quizzes were started with it, and how many of them were finished. */
    started: v.number(),
    finished: v.number(),
    /** Null if it came with the site. */
    published_because: v.nullable(v.string()),
    published_by_name: v.nullable(v.string()),
  }),
);
export type ListedVersion = v.InferOutput<typeof listedVersions>[number];

const part = {
  /** Counts changes to this part of the draft. */
  revision: v.number(),
  updated_by_name: v.nullable(v.string()),
};

export const draftQuestion = v.object({
  key: v.string(),
  area_key: v.string(),
  practice: v.string(),
  position: v.number(),
  text: v.string(),
  /** Empty if there's none. */
  help: v.string(),
  /** What 0 to 4 mean for this question. */
  anchors: v.array(v.string()),
  weight: v.number(),
  action: v.string(),
  /** Whether it means the same as `before`; null if its words are others and nobody has said. */
  meaning: v.nullable(v.picklist(['same', 'new'])),
  /** As it was last published; null if it never was. */
  before: v.nullable(
    v.object({ number: v.number(), text: v.string(), anchors: v.array(v.string()) }),
  ),
  /** The title of the published tool for its practice. */
  tool: v.nullable(v.string()),
  ...part,
});
export type DraftQuestion = v.InferOutput<typeof draftQuestion>;

export const draftSettings = v.object({
  title: v.string(),
  areas: v.array(
    v.object({
      key: v.string(),
      importance: v.number(),
      /** A yes-or-no question before its own; whoever answers no skips the area. Mostly empty. */
      skip_question: v.string(),
      skip_help: v.string(),
      /** The key of its question in the first look. */
      first_look: v.nullable(v.string()),
    }),
  ),
  ...part,
});
export type DraftSettings = v.InferOutput<typeof draftSettings>;

const checks = v.object({
  /** Changes with anything in the draft. */
  fingerprint: v.string(),
  /** What keeps it from being published, about a question, an area, or the version. */
  problems: v.array(
    v.object({
      area_key: v.nullable(v.string()),
      question_key: v.nullable(v.string()),
      field: v.string(),
      problem: v.string(),
    }),
  ),
});
export type DraftChecks = v.InferOutput<typeof checks>;
export type DraftProblem = DraftChecks['problems'][number];

const editedVersion = v.object({
  id: v.string(),
  number: v.number(),
  state: v.picklist(QUIZ_VERSION_STATES),
  created_at: v.string(),
  published_at: v.nullable(v.string()),
  discarded_at: v.nullable(v.string()),
  settings: draftSettings,
  areas: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      short_name: v.string(),
      position: v.number(),
    }),
  ),
  questions: v.array(draftQuestion),
  /** The version that it was drafted from; null for the first. */
  before: v.nullable(quizVersion),
  /** Null once it's published. */
  checks: v.nullable(checks),
  /** Practices with a tool that it doesn't ask about; null once it's published. */
  practices: v.nullable(
    v.array(v.object({ key: v.string(), area_key: v.string(), name: v.string() })),
  ),
  /** The version that people take now, and how many are in the middle of it. */
  published: v.nullable(v.object({ number: v.number(), in_progress: v.number() })),
});
export type EditedVersion = v.InferOutput<typeof editedVersion>;

const savedQuestion = v.object({ saved: v.boolean(), question: draftQuestion, checks });
const savedSettings = v.object({ saved: v.boolean(), settings: draftSettings, checks });

const figure = v.nullable(v.number());
const statistics = v.object({
  /** Finished full quizzes that weren't set aside. */
  attempts: v.number(),
  /** Figures of fewer answers are null, and those about areas of fewer whole areas. */
  fewest: v.number(),
  fewest_complete: v.number(),
  areas: v.array(
    v.object({
      key: v.string(),
      name: v.string(),
      /** How many answered all of its questions. */
      complete: v.number(),
      /** Cronbach's alpha: at most 1. */
      alpha: figure,
      questions: v.array(
        v.object({
          key: v.string(),
          practice: v.string(),
          text: v.string(),
          answers: v.number(),
          not_applicable: v.number(),
          /** How many answered 0, 1, 2, 3 and 4. */
          counts: v.nullable(v.array(v.number())),
          mean: figure,
          /** The standard deviation, with n − 1. */
          sd: figure,
          /** The correlation with the sum of the area's other questions, -1 to 1. */
          discrimination: figure,
        }),
      ),
    }),
  ),
});
export type QuizStatistics = v.InferOutput<typeof statistics>;

const withId = v.object({ id: v.string() });

/** All versions, drafts first and then the newest. Throws an AppError. */
export const listQuizVersions = (db: Db) => rpc(db, 'admin_quiz_versions', listedVersions);

/** One version as the editor shows it. Throws an AppError, `not-found` if there's none. */
export const getEditedVersion = (db: Db, id: string) =>
  rpc(db, 'admin_quiz_version', editedVersion, { p_id: id });

/** How the questions of a version work; null if it hasn't been published. Throws an AppError. */
export const getQuizStatistics = (db: Db, id: string) =>
  rpc(db, 'admin_quiz_statistics', v.nullable(statistics), { p_id: id });

/**
 * Drafts a version from one that was published, once under its id.
 * @returns the id of the draft, which is another one if there was a draft already
 * @throws AppError
 */
export const createQuizDraft = async (db: Db, id: string, from: string): Promise<string> =>
  (await rpc(db, 'create_quiz_draft', withId, { p_id: id, p_from: from })).id;

/** Saves a question unless someone has changed it since this revision. Throws an AppError. */
export const saveQuizQuestion = (
  db: Db,
  versionId: string,
  key: string,
  { revision, ...question }: Pick<DraftQuestion, 'revision' | (typeof QUESTION_FIELDS)[number]>,
) =>
  rpc(db, 'save_quiz_question', savedQuestion, {
    p_version_id: versionId,
    p_key: key,
    p_revision: revision,
    p_question: question,
  });

/** What an admin writes of a question. */
export const QUESTION_FIELDS = [
  'practice',
  'text',
  'help',
  'anchors',
  'weight',
  'action',
  'meaning',
] as const;

/** Saves the title and the areas' settings, in the same way. Throws an AppError. */
export const saveQuizSettings = (
  db: Db,
  versionId: string,
  { revision, ...settings }: Pick<DraftSettings, 'revision' | 'title' | 'areas'>,
) =>
  rpc(db, 'save_quiz_settings', savedSettings, {
    p_version_id: versionId,
    p_revision: revision,
    p_settings: settings,
  });

/**
 * Adds a question to an area, about a practice that has a tool (`key`) or a new one (`practice`).
 * @throws AppError
 */
export const addQuizQuestion = (
  db: Db,
  versionId: string,
  area: string,
  about: { key: string } | { practice: string },
) =>
  rpc(db, 'add_quiz_question', v.object({ key: v.string(), version: editedVersion }), {
    p_version_id: versionId,
    p_area_key: area,
    ...('key' in about ? { p_key: about.key } : { p_practice: about.practice }),
  });

/** Removes a question from a draft; returns the draft without it. Throws an AppError. */
export const removeQuizQuestion = (db: Db, versionId: string, key: string) =>
  rpc(db, 'remove_quiz_question', editedVersion, { p_version_id: versionId, p_key: key });

/** Puts the questions of an area in this order. Throws an AppError. */
export const orderQuizQuestions = (db: Db, versionId: string, area: string, keys: string[]) =>
  rpc(db, 'order_quiz_questions', ignored, {
    p_version_id: versionId,
    p_area_key: area,
    p_keys: keys,
  });

/** Publishes a draft as it was read, with a reason for the audit log. Throws an AppError. */
export const publishQuizDraft = (db: Db, id: string, fingerprint: string, reason: string) =>
  rpc(db, 'publish_quiz_draft', v.object({ id: v.string(), number: v.number() }), {
    p_id: id,
    p_fingerprint: fingerprint,
    p_reason: reason,
  });

/** Discards a draft, or restores it within 30 days. Throws an AppError. */
export const discardQuizDraft = (db: Db, id: string, isDiscarded: boolean) =>
  rpc(db, 'discard_quiz_draft', withId, { p_id: id, p_discarded: isDiscarded });

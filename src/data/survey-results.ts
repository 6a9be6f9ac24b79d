/** Results of the engagement survey, for admins. They come in batches of at least five answers. */
import * as v from 'valibot';
import { SURVEY_GROUPINGS, SURVEY_PRIVACIES, type SurveyGrouping } from '#domain/survey.ts';
import { SURVEY_LINKS, type SurveyResultsFilter } from '#domain/survey-results.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { Db } from '#lib/supabase.ts';

/** Four figures, each null while fewer than five people answered what it's about. */
const totals = {
  responses: v.nullable(v.number()),
  /** The mean of statements 1, 3, 9 and 10, from 0 to 100; from 30 responses. */
  index: v.nullable(v.number()),
  /** Which share of all agreement is 4 or 5, in percent. */
  favorable: v.nullable(v.number()),
  /** The net promoter score, -100 to 100. */
  score: v.nullable(v.number()),
};

/** Answers on a scale: how many chose each step, from the lowest. */
const scale = { answers: v.number(), mean: v.number(), counts: v.array(v.number()) };

const statement = v.object({
  ...scale,
  /** The share of 4 and 5, in percent. */
  favorable: v.number(),
});
export type StatementFigures = v.InferOutput<typeof statement>;

const cut = v.object({
  value: v.string(),
  /** A group's name; quarters and links are named by their value. */
  label: v.nullable(v.string()),
  ...totals,
});
export type SurveyCut = v.InferOutput<typeof cut>;

const named = {
  id: v.string(),
  title: v.string(),
  state: v.picklist(['open', 'closed']),
  opened_at: v.string(),
  closed_at: v.nullable(v.string()),
};

const surveyResults = v.object({
  ...named,
  privacy: v.picklist(SURVEY_PRIVACIES),
  public_link: v.boolean(),
  grouped_by: v.nullable(v.picklist(SURVEY_GROUPINGS)),
  statements: v.array(v.string()),
  recommend: v.string(),
  comments: v.array(v.string()),
  /** Personal links; `expired` ones weren't answered. */
  invitations: v.object({
    sent: v.number(),
    answered: v.number(),
    expired: v.number(),
    reminded: v.number(),
  }),
  /** What the answers that match the filter say. */
  figures: v.object({
    ...totals,
    /** One for each statement. */
    statements: v.array(v.nullable(statement)),
    recommend: v.nullable(v.object(scale)),
    /** One list for each question, in random order. */
    comments: v.array(v.nullable(v.array(v.string()))),
  }),
  /** Within the rest of the filter, oldest first. */
  quarters: v.array(cut),
  links: v.array(v.object({ ...cut.entries, value: v.picklist(SURVEY_LINKS) })),
  groups: v.array(cut),
});
export type SurveyResults = v.InferOutput<typeof surveyResults>;

const results = v.object({
  /** The open one first, then the newest. */
  surveys: v.array(v.object(named)),
  survey: v.nullable(surveyResults),
});
export type SurveyResultsPage = v.InferOutput<typeof results>;

/** The results of a survey, and which surveys there are. Throws `denied` for everyone but admins. */
export const getSurveyResults = (db: Db, filter: SurveyResultsFilter): Promise<SurveyResultsPage> =>
  rpc(db, 'admin_survey_results', results, { p_filter: { ...filter } });

export interface NewSurvey {
  privacy: (typeof SURVEY_PRIVACIES)[number];
  /** Whether people without a personal link can answer. */
  publicLink: boolean;
  groupedBy: SurveyGrouping | null;
  reason: string;
}

/**
 * Opens a survey with the words of the newest one, and closes the one that's open. Idempotent by id.
 * @throws AppError
 */
export const createSurvey = (db: Db, id: string, survey: NewSurvey): Promise<void> =>
  rpc(db, 'open_survey', ignored, {
    p_id: id,
    p_privacy: survey.privacy,
    p_public_link: survey.publicLink,
    p_grouped_by: survey.groupedBy,
    p_reason: survey.reason,
  });

/** Closes the open survey. Throws an AppError, `conflict` if it's closed already. */
export const closeSurvey = (db: Db, id: string, reason: string): Promise<void> =>
  rpc(db, 'close_survey', ignored, { p_survey_id: id, p_reason: reason });

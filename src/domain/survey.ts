/** The engagement survey: who can read its responses, and how its results are cut. */

/** What people are promised about who can read the responses. */
export const SURVEY_PRIVACIES = ['anonymous', 'confidential'] as const;

/** What the results of a confidential survey can also be read by. */
export const SURVEY_GROUPINGS = ['area', 'coach', 'industry', 'program'] as const;
export type SurveyGrouping = (typeof SURVEY_GROUPINGS)[number];

/** The fewest responses ever shown, however grouped (product rules, "Engagement survey"). */
export const FEWEST_RESPONSES = 5;

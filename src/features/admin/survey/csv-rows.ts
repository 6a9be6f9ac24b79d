/** Everything the results screen shows, as rows of one CSV file. */
import type { SurveyCut, SurveyResults } from '#data/survey-results.ts';
import { meanText, NOT_SHOWN, shareText } from '#domain/survey-results.ts';
import { cutName, TOTALS, type Totals, totalText } from './figure-text.ts';

export interface ResultRow {
  part: string;
  about: string;
  figure: string;
  value: string;
}

const totalRows = (part: string, about: string, totals: Totals): ResultRow[] =>
  TOTALS.map(({ key, label }) => ({ part, about, figure: label, value: totalText(totals, key) }));

const cutRows = (part: string, cuts: readonly SurveyCut[]): ResultRow[] =>
  cuts.flatMap((cut) => totalRows(part, cutName(cut), cut));

/** How many answered, their mean and how many chose each step. */
function scaleRows(
  part: string,
  about: string,
  { answers, mean, counts }: { answers: number; mean: number; counts: readonly number[] },
  least: number,
): ResultRow[] {
  return [
    { part, about, figure: 'Answers', value: String(answers) },
    { part, about, figure: 'Mean', value: meanText(mean) },
    ...counts.map((count, step) => ({
      ...{ part, about },
      figure: `Chose ${step + least}`,
      value: String(count),
    })),
  ];
}

const hidden = (part: string, about: string): ResultRow[] => [
  { part, about, figure: 'Answers', value: NOT_SHOWN },
];

export function resultRows(survey: SurveyResults): ResultRow[] {
  const { figures } = survey;
  return [
    ...totalRows('All', survey.title, figures),
    ...figures.statements.flatMap((each, place) => {
      const about = survey.statements[place] ?? '';
      if (!each) return hidden('Statement', about);
      const favorable = { figure: 'Favorable', value: shareText(each.favorable) };
      return [
        { part: 'Statement', about, ...favorable },
        ...scaleRows('Statement', about, each, 1),
      ];
    }),
    ...(figures.recommend
      ? scaleRows('Recommendation', survey.recommend, figures.recommend, 0)
      : hidden('Recommendation', survey.recommend)),
    ...cutRows('Quarter', survey.quarters),
    ...cutRows('Link', survey.links),
    ...cutRows('Group', survey.groups),
    ...figures.comments.flatMap((texts, place) => {
      const about = survey.comments[place] ?? '';
      const comment = { part: 'Comment', about, figure: 'Comment' };
      return texts?.map((value) => ({ ...comment, value })) ?? hidden('Comment', about);
    }),
  ];
}

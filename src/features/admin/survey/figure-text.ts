/** The four figures of some answers, as people read them. */
import type { SurveyCut } from '#data/survey-results.ts';
import {
  FEWEST_FOR_INDEX,
  LINK_LABELS,
  NOT_SHOWN,
  quarterText,
  SURVEY_LINKS,
  scoreText,
  shareText,
} from '#domain/survey-results.ts';
import { wholeText } from '#lib/locale/numbers.ts';

export type Totals = Pick<SurveyCut, 'responses' | 'index' | 'favorable' | 'score'>;

/** The figures in the order of every table, with what says what they mean. */
export const TOTALS: readonly { key: keyof Totals; label: string; note: string }[] = [
  {
    key: 'responses',
    label: 'Responses',
    note: 'Shown so far. At least five are added at a time.',
  },
  {
    key: 'index',
    label: 'Index',
    note: `0 to 100, from statements 1, 3, 9 and 10. Shown from ${FEWEST_FOR_INDEX} responses.`,
  },
  { key: 'favorable', label: 'Favorable', note: 'Share of ratings that are 4 or 5.' },
  {
    key: 'score',
    label: 'Net promoter score',
    note: 'Percent who chose 9 or 10, less percent who chose 0 to 6.',
  },
];

const NOT_ENOUGH_FOR_INDEX = `not shown: fewer than ${FEWEST_FOR_INDEX}`;

/** One of the figures: "62%", or why it isn't shown. */
export function totalText(totals: Totals, key: keyof Totals): string {
  const value = totals[key];
  if (value === null) return key === 'index' ? NOT_ENOUGH_FOR_INDEX : NOT_SHOWN;
  if (key === 'responses') return wholeText(value);
  if (key === 'favorable') return shareText(value);
  return key === 'score' ? scoreText(value) : String(Math.round(value));
}

/** The name of a quarter, a link or a group. */
export function cutName({ value, label }: Pick<SurveyCut, 'value' | 'label'>): string {
  if (label !== null) return label;
  const link = SURVEY_LINKS.find((each) => each === value);
  return link ? LINK_LABELS[link] : quarterText(value);
}

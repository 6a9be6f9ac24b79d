/** Results of the engagement survey: what admins filter them by, and how figures are written. */
import { choiceParam, dayParam, type FilterOf, filterCodec, idParam, textParam } from './list.ts';

/** How a response came in: by a personal link or by the public one. */
export const SURVEY_LINKS = ['personal', 'public'] as const;
export type SurveyLink = (typeof SURVEY_LINKS)[number];
export const LINK_LABELS: Record<SurveyLink, string> = {
  personal: 'Personal links',
  public: 'Public link',
};

/** The survey (null: the open one, or else the newest), and which of its answers count. */
export const surveyResultsFilter = filterCodec({
  survey: idParam('survey'),
  /** The first day of a quarter. */
  quarter: dayParam('quarter'),
  link: choiceParam('link', SURVEY_LINKS, null),
  /** The key of an area, the id of a coach or an industry, whichever the survey is grouped by. */
  group: textParam('group', 120),
});
export type SurveyResultsFilter = FilterOf<typeof surveyResultsFilter>;

/** The fewest responses from which there's an index. */
export const FEWEST_FOR_INDEX = 30;

/** What's said instead of a figure about fewer than five answers. */
export const NOT_SHOWN = 'not shown: fewer than five';

/** A quarter by its first day: "Q4 2026" for 2026-10-01. */
export function quarterText(firstDay: string): string {
  const [year = '', month = ''] = firstDay.split('-');
  return `Q${Math.ceil(Number(month) / 3)} ${year}`;
}

/** A share in percent: "68%". */
export const shareText = (percent: number): string => `${Math.round(percent)}%`;

/** A mean of answers: "4.3". */
export const meanText = (mean: number): string => mean.toFixed(1);

/** A net promoter score, with its sign: "+42", "−8", "0". */
export function scoreText(score: number): string {
  const whole = Math.round(score);
  if (whole === 0) return '0';
  return whole > 0 ? `+${whole}` : `−${Math.abs(whole)}`;
}

/** How many of those who got a personal link answered: "12 of 20 (60%)"; null if none were sent. */
export const responseRateText = ({ sent, answered }: { sent: number; answered: number }) =>
  sent === 0 ? null : `${answered} of ${sent} (${shareText((100 * answered) / sent)})`;

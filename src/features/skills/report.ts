/**
 * The results as a report to read aloud: what the whole comes to, and a sentence per area. All of it
 * is in the words of the quiz's own options.
 */

import type { AttemptView } from '#data/attempts.ts';
import { inEnglish, type Say } from '#domain/language.ts';
import { HIGHEST_VALUE, WRITTEN_VALUE } from '#domain/scoring.ts';
import { spokenPractice } from '#domain/spoken-practices.ts';
import { numberText } from '#lib/locale/numbers.ts';
import { scoreText } from '#ui/charts/levels.ts';
import { byUrgency } from './rank.ts';
import { type AreaResult, areaResults } from './results.ts';

/** What the report opens with. */
export interface Opening {
  /** One sentence about the whole. */
  sentence: string;
  /** The area with the highest score; null if it's also the constraint, or none has a score. */
  strongest: AreaResult | null;
  /** The most urgent area by the formula, whatever the owner chose to work on instead. */
  constraint: AreaResult | null;
  /** The area with the lowest score, if that's lower than the constraint's as both are shown. */
  lower: AreaResult | null;
}

/** The result in short: one sentence, the strongest skill, and the one constraint. */
export function openingOf(view: AttemptView, say: Say = inEnglish): Opening {
  const results = areaResults(view);
  const constraint = byUrgency(results)[0] ?? null;
  const byScore = results
    .filter(({ score }) => score.score !== null)
    .toSorted((a, b) => (b.score.score ?? 0) - (a.score.score ?? 0));
  const [best, last] = [byScore[0], byScore.at(-1)];
  const isLower = last && constraint && pointsOf(last) < pointsOf(constraint);
  const strongest = best && best.area.key !== constraint?.area.key ? best : null;
  return {
    sentence: openingSentence(view, strongest, constraint, say),
    strongest,
    constraint,
    lower: isLower ? last : null,
  };
}

const pointsOf = ({ score }: AreaResult) => Math.round(score.score ?? 0);

/** Says why the area that holds the business back most isn't the one with the lowest score. */
export function notTheLowest(constraint: AreaResult, lower: AreaResult, say: Say): string {
  const values = { area: lower.area.name, score: pointsOf(lower) };
  return lower.area.importance < constraint.area.importance
    ? say('{area} scores lower ({score}), but counts for less.', values)
    : say(
        '{area} scores lower ({score}), but here your confidence runs ahead of the answers.',
        values,
      );
}

function openingSentence(
  { attempt }: AttemptView,
  strongest: AreaResult | null,
  constraint: AreaResult | null,
  say: Say,
): string {
  const { business_name, mine, overall_score: overall, kind } = attempt;
  const who = business_name ?? (mine ? say('Your business') : say('This business'));
  if (!constraint) return say('{who} hasn’t given enough answers for a score yet.', { who });
  const where =
    overall === null
      ? say('{who} has no overall score yet', { who })
      : kind === 'first_look'
        ? say('{who} scores {score} out of 100 in a first look', { who, score: scoreText(overall) })
        : say('{who} scores {score} out of 100', { who, score: scoreText(overall) });
  const weak = lower(constraint.area.name);
  return strongest
    ? say('{where}: it’s strongest in {best} and held back most by {weak}.', {
        where,
        best: lower(strongest.area.name),
        weak,
      })
    : say('{where} and is held back most by {weak}.', { where, weak });
}

/**
 * One sentence about what an area's strongest and weakest answers say; null without an answer.
 * @param mine whether the reader is the owner, who is told "you"; others read the answers as quotes
 */
export function areaSentence(
  result: AreaResult,
  mine: boolean,
  say: Say = inEnglish,
): string | null {
  const { answers, weakest, version } = result;
  if (!weakest) return null;
  const given = answers.flatMap(({ question, value, words }) =>
    value === null ? [] : [{ question, value, words }],
  );
  const best = given.toSorted(
    (a, b) => b.value - a.value || b.question.weight - a.question.weight,
  )[0];
  const low = told({ ...weakest, words: weakest.chosen }, mine, say);
  if (!best || best.value === weakest.value) {
    return levelSentence(version, weakest.value, given.length, low, say);
  }
  const high = told(best, mine, say);
  const lead =
    best.value >= WRITTEN_VALUE
      ? say('Furthest along is {high}', { high })
      : say('The best start is on {high}', { high });
  const rest =
    weakest.value >= WRITTEN_VALUE
      ? say('what’s left to improve is {low}', { low })
      : say('what holds this area back is {low}', { low });
  return `${lead}; ${rest}.`;
}

/** What 0 to 4 say about several practices, from version 2 of the quiz on. */
const scaleIn = (say: Say) => [
  say('are still missing'),
  say('have been tried once, or happen when something forces them'),
  say('happen regularly, but aren’t written down'),
  say('are regular and in writing'),
  say('are measured and improved'),
];
/** The same in version 1, where the middle of the scale stood for something else. */
const firstScaleIn = (say: Say) =>
  scaleIn(say).with(1, say('have been tried once')).with(2, say('happen now and then'));

/** A sentence about an area whose answers are all on one level, or that has just one. */
function levelSentence(
  version: number,
  value: number,
  count: number,
  example: string,
  say: Say,
): string {
  if (count === 1) return say('The one answer here is about {example}.', { example });
  const scale = version === 1 ? firstScaleIn(say) : scaleIn(say);
  const where = scale[Math.min(value, HIGHEST_VALUE)] ?? '';
  return count === 2
    ? say('Both practices here {where}: for example {example}.', { where, example })
    : say('All {count} practices here {where}: for example {example}.', {
        count: say(numberText(count)),
        where,
        example,
      });
}

/** "a 12-month cash forecast, where you look at the balance and hope" */
function told(
  { question, words }: { question: { key: string; practice: string }; words: string },
  mine: boolean,
  say: Say,
): string {
  const practice = say(spokenPractice(question.key, question.practice));
  return mine
    ? say('{practice}, where {answer}', { practice, answer: asYou(words) })
    : say('{practice} (“{answer}”)', { practice: withoutYou(practice), answer: words });
}

const YOURS: Record<string, string> = {
  we: 'you',
  us: 'you',
  our: 'your',
  ours: 'yours',
  ourselves: 'yourselves',
};

/**
 * Turns an option, in the first person plural, into what's said to the owner: "We look at the
 * balance and hope" becomes "you look at the balance and hope". Capitals, as in "US", stay.
 */
export function asYou(option: string): string {
  const words = option.replace(/\p{L}+/gu, (word) => {
    const isName = word.length > 1 && word === word.toUpperCase();
    return isName ? word : (YOURS[word.toLowerCase()] ?? word);
  });
  return lower(words.replace(/\.$/, ''));
}

/** "knowing your costs" as said of someone else. */
const withoutYou = (practice: string) =>
  practice.replace(/\byour\b/g, 'the').replace(/\byou\b/g, 'they');

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

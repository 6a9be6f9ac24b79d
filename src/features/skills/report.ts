/**
 * The results as a report to read aloud: what the whole comes to, and a sentence per area. All of it
 * is in the words of the quiz's own options.
 */

import type { AttemptView } from '#data/attempts.ts';
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
}

/** The result in short: one sentence, the strongest skill, and the one constraint. */
export function openingOf(view: AttemptView): Opening {
  const results = areaResults(view);
  const constraint = byUrgency(results)[0] ?? null;
  const best = results
    .filter(({ score }) => score.score !== null)
    .toSorted((a, b) => (b.score.score ?? 0) - (a.score.score ?? 0))[0];
  const strongest = best && best.area.key !== constraint?.area.key ? best : null;
  return { sentence: openingSentence(view, strongest, constraint), strongest, constraint };
}

function openingSentence(
  { attempt }: AttemptView,
  strongest: AreaResult | null,
  constraint: AreaResult | null,
): string {
  const { business_name, mine, overall_score: overall, kind } = attempt;
  const who = business_name ?? (mine ? 'Your business' : 'This business');
  if (!constraint) return `${who} hasn’t given enough answers for a score yet.`;
  const where =
    overall === null
      ? `${who} has no overall score yet`
      : `${who} scores ${scoreText(overall)} out of 100${kind === 'first_look' ? ' in a first look' : ''}`;
  const held = `held back most by ${lower(constraint.area.name)}`;
  return strongest
    ? `${where}: it’s strongest in ${lower(strongest.area.name)} and ${held}.`
    : `${where} and is ${held}.`;
}

/**
 * One sentence about what an area's strongest and weakest answers say; null without an answer.
 * @param mine whether the reader is the owner, who is told "you"; others read the answers as quotes
 */
export function areaSentence(result: AreaResult, mine: boolean): string | null {
  const { answers, weakest, version } = result;
  if (!weakest) return null;
  const given = answers.flatMap(({ question, value, words }) =>
    value === null ? [] : [{ question, value, words }],
  );
  const best = given.toSorted(
    (a, b) => b.value - a.value || b.question.weight - a.question.weight,
  )[0];
  const low = told({ ...weakest, words: weakest.chosen }, mine);
  if (!best || best.value === weakest.value) {
    return levelSentence(version, weakest.value, given.length, low);
  }
  const high = told(best, mine);
  const lead = best.value >= WRITTEN_VALUE ? 'Furthest along is' : 'The best start is on';
  const rest =
    weakest.value >= WRITTEN_VALUE ? 'what’s left to improve is' : 'what holds this area back is';
  return `${lead} ${high}; ${rest} ${low}.`;
}

/** What 0 to 4 say about several practices, from version 2 of the quiz on. */
const SCALE = [
  'are still missing',
  'have been tried once, or happen when something forces them',
  'happen regularly, but aren’t written down',
  'are regular and in writing',
  'are measured and improved',
];
/** The same in version 1, where the middle of the scale stood for something else. */
const FIRST_SCALE = SCALE.with(1, 'have been tried once').with(2, 'happen now and then');

/** A sentence about an area whose answers are all on one level, or that has just one. */
function levelSentence(version: number, value: number, count: number, example: string): string {
  if (count === 1) return `The one answer here is about ${example}.`;
  const all = count === 2 ? 'Both practices' : `All ${numberText(count)} practices`;
  const where = (version === 1 ? FIRST_SCALE : SCALE)[Math.min(value, HIGHEST_VALUE)];
  return `${all} here ${where}: for example ${example}.`;
}

/** "a 12-month cash forecast, where you look at the balance and hope" */
function told(
  { question, words }: { question: { key: string; practice: string }; words: string },
  mine: boolean,
): string {
  const practice = spokenPractice(question.key, question.practice);
  return mine ? `${practice}, where ${asYou(words)}` : `${withoutYou(practice)} (“${words}”)`;
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

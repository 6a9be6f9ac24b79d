/** Recomputes the figures of every worked example, and checks that its decision holds up. */
import { describe, expect, test } from 'vitest';
import { bookTools } from './book-tools.ts';
import { borrowingGuides } from './borrowing-guides.ts';
import { businessArticles } from './business-articles.ts';
import { cashTools } from './cash-tools.ts';
import { coachingArticles } from './coaching-articles.ts';
import { customerCases } from './customer-cases.ts';
import { dailyCases } from './daily-cases.ts';
import { dailyTools } from './daily-tools.ts';
import { growthCases } from './growth-cases.ts';
import { growthTools } from './growth-tools.ts';
import { literacyGuide } from './literacy-guide.ts';
import { ownerDecisionGuides } from './owner-decision-guides.ts';
import { ownerGuides } from './owner-guides.ts';
import { ownerMoneyGuides } from './owner-money-guides.ts';
import { paperTools } from './paper-tools.ts';
import { planningCases } from './planning-cases.ts';
import { priceGuides } from './price-guides.ts';
import { priceTools } from './price-tools.ts';
import { programTexts } from './program-texts.ts';
import { progressTools } from './progress-tools.ts';
import { quizArticles } from './quiz-articles.ts';
import { researchTools } from './research-tools.ts';
import { sellingTools } from './selling-tools.ts';
import { soloAndShopCases } from './solo-and-shop-cases.ts';
import { tradeAndSalonCases } from './trade-and-salon-cases.ts';
import { websiteTools } from './website-tools.ts';
import { workTools } from './work-tools.ts';
import { example, recompute, textsWithExamples } from './worked-example.ts';

const examples = [
  ...bookTools,
  ...borrowingGuides,
  ...businessArticles,
  ...cashTools,
  ...coachingArticles,
  ...customerCases,
  ...dailyCases,
  ...dailyTools,
  ...growthCases,
  ...growthTools,
  ...literacyGuide,
  ...ownerDecisionGuides,
  ...ownerGuides,
  ...ownerMoneyGuides,
  ...paperTools,
  ...planningCases,
  ...priceGuides,
  ...priceTools,
  ...programTexts,
  ...progressTools,
  ...quizArticles,
  ...researchTools,
  ...sellingTools,
  ...soloAndShopCases,
  ...tradeAndSalonCases,
  ...websiteTools,
  ...workTools,
];

test('Every article, case, guide and tool with figures has an entry', () => {
  const registered = new Set(examples.map(({ path }) => path));
  expect(textsWithExamples().filter((path) => !registered.has(path))).toEqual([]);
});

describe.each(examples)('A reader recomputes $path', (entry) => {
  test('Each figure follows from those it is given', () => {
    expect(recompute(entry).wrong).toEqual([]);
  });

  test('The decision holds when an adviser asks', () => {
    expect(recompute(entry).failed).toEqual([]);
  });

  test('No figure is left unexplained', () => {
    expect(recompute(entry).unaccounted).toEqual([]);
  });
});

test('An author who changes a figure, a decision or an entry reads what no longer holds', () => {
  const careless = example({
    path: 'toolbox/pricing-worksheet.md',
    given: { travel: '# miles at # cents' },
    work: ({ travel: [miles, cents] }) => ({
      figures: { 'gas and wear | #': miles * cents, 'a figure it never had: #': 1 },
      asks: { pays: { 'The trip costs nothing': miles * cents === 0 } },
    }),
  });
  const { wrong, failed, unaccounted } = recompute(careless);
  expect(wrong).toEqual([
    '“gas and wear | #”: $9.00 should be 900',
    'It doesn’t say “a figure it never had: #”',
  ]);
  expect(failed).toEqual(['Does it pay? It isn’t true that “The trip costs nothing”']);
  expect(unaccounted).toContain('$97.00');
});

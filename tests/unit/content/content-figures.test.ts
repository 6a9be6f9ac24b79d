/** Checks figures that content/ repeats, or that the product's own formulas give. */
import { describe, expect, test } from 'vitest';
import { caseStudySchema } from '#collections/pages.ts';
import { testimonialSchema } from '#collections/publishing.ts';
import { quizVersionSchema } from '#collections/quiz.ts';
import { siteSchema } from '#collections/site.ts';
import { type CalculatorKind, calculators } from '#ui/calculators/definitions.ts';
import { checked, folder, open, read, yaml, yamls } from './content-files.ts';

const site = yaml('site.yaml', siteSchema);
const versionOf = (number: number) => yaml(`quiz/version-${number}.yaml`, quizVersionSchema);
const cases = checked('case-studies', caseStudySchema);

/** All rounded scores that answers to an area's questions can give in a version. */
function scoresOf(area: string, version: number): Set<number> {
  const weights = versionOf(version)
    .questions.filter((q) => q.area === area)
    .map(({ weight }) => weight);
  const most = 4 * weights.reduce((sum, weight) => sum + weight, 0);
  let sums = [0];
  for (const weight of weights) {
    sums = sums.flatMap((sum) => [0, 1, 2, 3, 4].map((value) => sum + weight * value));
  }
  return new Set(sums.map((sum) => Math.round((100 * sum) / most)));
}

describe('A reader checks a case', () => {
  test('The scores before and after are scores that some answers give', () => {
    for (const { path, data } of cases) {
      const shown = data.figures.find(({ label }) => label === 'Skill score');
      for (const score of [shown?.before, shown?.after]) {
        expect([...scoresOf(data.area, data.quiz)], path).toContain(Number(score));
      }
    }
  });

  test('The figures under what an owner says are those of the case', () => {
    for (const { area, result } of yamls('testimonials', testimonialSchema)) {
      const figures = result.match(/[−+]?\$?\d[\d,.]*(?<=\d)/g) ?? [];
      expect(figures.length, result).toBeGreaterThan(1);
      for (const figure of figures) expect(read(`case-studies/${area}.mdx`)).toContain(figure);
    }
  });
});

describe('A reader tries a calculator among words', () => {
  /** The initial result of each calculator in a text, and the words that repeat it. */
  const said: Record<string, [headline: string, words: string][]> = {
    'blog/solving-cannabis-equity-entrepreneurs-business-challenges.mdx': [
      ['6.3 months', 'it lasts 6.3'],
    ],
    'blog/welcome-to-product.mdx': [['122 sales a month', 'so 122 dogs']],
    'pages/cash-flow-in-a-bad-month.mdx': [['0.7 months', '0.7 months in the example']],
    'pages/cash-reserve.mdx': [['7.6 months', 'would last 7.6 months']],
    'pages/financial-literacy.mdx': [
      ['97 sales a month', 'the 97th frame of the month'],
      ['1.9 months', 'lasts 1.9 months'],
    ],
    'pages/hiring-your-first-employee.mdx': [['55 sales a month', 'it takes 55 a month']],
    'pages/paying-yourself.mdx': [['131 sales a month', '131 sales of $100']],
    'pages/pricing-a-job.mdx': [['$5,117.65', '4,350 ÷ 0.85 is $5,118']],
    'pages/raising-prices.mdx': [['58 sales a month', 'need 58 dogs']],
    'pages/selling-to-government.mdx': [['$4,874.44', '4,484 ÷ 0.92 is $4,874']],
    'pages/starting-a-business.mdx': [['250 sales a month', '250 blades']],
  };

  /** The initial results of the calculators in a text, in order. */
  function answersIn(body: string): string[] {
    return [...body.matchAll(/<Calculator kind="([\w-]+)" (.*?)\/>/g)].map(
      ([, kind = '', given = '']) => {
        const { fields, answer } = calculators[kind as CalculatorKind];
        const values = Object.fromEntries(
          [...given.matchAll(/(\w+)=\{([\d.]+)\}/g)].map(([, name = '', value]) => {
            const dollars = fields.find((field) => field.name === name)?.unit === 'dollars';
            return [name, Number(value) * (dollars ? 100 : 1)];
          }),
        );
        return answer(values).headline;
      },
    );
  }

  test('It begins with the answer that the words give', () => {
    const found: Record<string, string[]> = {};
    for (const { path, body } of [...folder('blog'), ...folder('pages')]) {
      const answers = answersIn(body);
      if (answers.length > 0) found[path] = answers;
    }
    expect(found).toEqual(
      Object.fromEntries(
        Object.entries(said).map(([path, pairs]) => [path, pairs.map(([headline]) => headline)]),
      ),
    );
    for (const [path, pairs] of Object.entries(said)) {
      for (const [, words] of pairs) expect(read(path), path).toContain(words);
    }
  });
});

test.each([25, 50, 100])('A reporter who has room for %i words finds as many', (count) => {
  const { body } = open('standing/press-room.mdx');
  const [, paragraph = ''] = new RegExp(`\\*\\*${count} words\\.\\*\\* (.*)`).exec(body) ?? [];
  const text = paragraph
    .replaceAll('{props.site.product}', site.product)
    .replaceAll('{props.site.organisation}', site.organisation)
    .replaceAll('{props.site.address.city}', site.address.city);
  expect(text).not.toContain('{');
  expect(text.split(/\s+/)).toHaveLength(count);
});

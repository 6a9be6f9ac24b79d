import { expect, test } from 'vitest';
import type { AttemptView } from '#data/attempts.ts';
import { pdfName, reportScale, resultsPdf } from '#features/skills/report-pdf.ts';
import { quiz, resultsOf, versions } from '../../fixtures/quiz-results.ts';

const FACTS = { product: 'Trellis', siteUrl: 'https://site.example', timeZone: 'America/Denver' };
const SUBMITTED = {
  business_name: 'Delgado Bakery',
  owner_name: 'Rosa Delgado',
  submitted_at: '2026-10-18T12:00:00Z',
};

const textOf = async (view: AttemptView) =>
  Buffer.from(await resultsPdf(view, FACTS)).toString('latin1');
const pagesIn = (pdf: string) => pdf.match(/\/Type \/Page\b/g)?.length;

test('Results become one tagged page with embedded fonts and a title', async () => {
  const view = resultsOf(quiz, (key) => (key.length * 7) % 5, SUBMITTED);
  const pdf = await textOf(view);
  expect(pagesIn(pdf)).toBe(1);
  expect(pdf).toContain('/Marked true');
  expect(pdf).toContain('/Lang (en-US)');
  expect(pdf).toContain('Business skills: Delgado Bakery');
  for (const tag of ['H1', 'H2', 'H3', 'Figure', 'Table', 'TH', 'TD'])
    expect(pdf).toContain(`/S /${tag}\n`);
  expect(pdf.match(/\/FontFile2/g)).toHaveLength(3);
  expect(pdfName(view)).toBe('business-skills-2026-10-18.pdf');
});

test('The longest answers of every version fit one page, at a size that can be read', () => {
  const long = {
    ...SUBMITTED,
    business_name: 'Bakery and Pastry Kitchen of the High Desert '.repeat(3),
  };
  for (const version of versions) {
    const longest = new Map<string, number>();
    for (const area of version.areas) {
      const asked = version.questions.filter(({ area_key }) => area_key === area.key);
      // The strongest and the weakest answer are the ones that are quoted.
      for (const [index, question] of asked.entries())
        longest.set(question.key, index === 0 ? 0 : 4);
    }
    const view = resultsOf(version, (key) => longest.get(key) ?? 4, long);
    expect(reportScale(view, FACTS)).toBeGreaterThanOrEqual(0.8);
  }
});

test.each<[string, Partial<AttemptView['attempt']>, () => number | null]>([
  ['a first look', { kind: 'first_look' }, () => 2],
  ['an attempt without a score or a business', { business_name: null }, () => null],
  ['a name with signs the fonts lack', { business_name: 'Łódź 面包店 "<b>"' }, () => 3],
])('So does %s', async (_, attempt, answer) => {
  expect(pagesIn(await textOf(resultsOf(quiz, answer, { ...SUBMITTED, ...attempt })))).toBe(1);
});

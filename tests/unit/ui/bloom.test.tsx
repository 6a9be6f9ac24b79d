import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { levelOf } from '#domain/level.ts';
import { Bars } from '#ui/charts/Bars.tsx';
import { Bloom } from '#ui/charts/Bloom.tsx';
import { BloomTable } from '#ui/charts/BloomTable.tsx';
import type { SkillScore } from '#ui/charts/levels.ts';

const names = ['Web', 'Research', 'Growth', 'Sales', 'Planning', 'People', 'Finance', 'Operations'];
const scores = [100, 74.9, 75, 50, 24.9, 25, null, 0];
const petals: SkillScore[] = names.map((name, index) => {
  const score = scores[index] ?? null;
  return {
    key: name.toLowerCase(),
    label: `${name} skill`,
    short_label: name,
    score,
    level: score === null ? null : levelOf(score),
  };
});

/** How far each colored petal reaches from the center, in the order drawn. */
function reaches(page: string): [color: string, reach: number][] {
  const shape = /<path d="M0-13C[^"]* 0 -([\d.]+)C[^"]*" class="fill-level-(\w+)"/g;
  return [...page.matchAll(shape)].map(([, reach, color]) => [color as string, Number(reach)]);
}

test('A petal is as long as the score, from the center to the edge; that of zero can still be seen', () => {
  const drawn = reaches(renderToStaticMarkup(<Bloom petals={petals} />));
  expect(drawn.map(([color]) => color).join()).toBe(
    'strong,established,strong,established,starting,developing,starting',
  );
  // Center 13, edge 118: a score of 50 ends halfway between them.
  expect([drawn[0]?.[1], drawn[3]?.[1]]).toEqual([118, 65.5]);
  expect(drawn.at(-1)?.[1]).toBeGreaterThan(15);
});

test('An area without enough answers has a dashed petal and says so, and is not a zero', () => {
  const page = renderToStaticMarkup(<Bloom petals={petals} />);
  expect(page.match(/stroke-dasharray="3 5"/g)).toHaveLength(1);
  expect(page).toContain('not enough answers');
  const table = renderToStaticMarkup(<BloomTable petals={petals} caption="Skills" />);
  expect(table).toMatch(
    /Finance skill<\/th><td[^>]*>–<\/td><td[^>]*><span[^>]*>Not enough answers/,
  );
});

test('After a retake the earlier outline lies over the new petal, where it can be seen', () => {
  const page = renderToStaticMarkup(
    <Bloom
      petals={petals}
      earlier={[
        { key: 'sales', score: 30 },
        { key: 'web', score: null },
      ]}
    />,
  );
  const outlines = [...page.matchAll(/stroke-dasharray="4 3"/g)];
  expect(outlines).toHaveLength(1);
  const sales = page.slice(page.indexOf('rotate(135)'));
  expect(sales.indexOf('stroke-dasharray="4 3"')).toBeGreaterThan(sales.indexOf('fill-level-'));
});

test('The table says the level in words, so that color says nothing alone', () => {
  const table = renderToStaticMarkup(
    <BloomTable petals={petals} caption="Skills" hrefOf={(key) => `/case-studies/${key}`} />,
  );
  for (const word of ['Starting', 'Developing', 'Established', 'Strong'])
    expect(table).toContain(word);
  expect(table).toContain('<caption class="sr-only">Skills</caption>');
  expect(table).toContain('<a href="/case-studies/sales"');
  // Shown as a whole number; the level comes from the unrounded score.
  expect(table).toMatch(/Research skill<\/a><\/th><td[^>]*>75<\/td><td[^>]*>.*?Established/);
});

test('Bars name each score, and what the mark across them is', () => {
  const page = renderToStaticMarkup(
    <Bars
      label="Skills"
      markLabel="Your confidence"
      bars={petals.map((petal) => ({ ...petal, mark: 75, note: 'A note.' }))}
    />,
  );
  expect(page.match(/Your confidence: 75/g)).toHaveLength(8);
  expect(page).toContain('Not enough answers');
  expect(page).not.toMatch(/\sstyle=/);
});

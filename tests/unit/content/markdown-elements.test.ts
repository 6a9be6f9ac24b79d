import { satteri } from '@astrojs/markdown-satteri';
import { beforeAll, expect, test } from 'vitest';
import { markdownElements } from '#components/prose/markdown-elements.ts';

let html: (words: string) => Promise<string>;
beforeAll(async () => {
  const renderer = await satteri({ hastPlugins: [markdownElements] }).createRenderer({});
  html = async (words) => (await renderer.render(words, { frontmatter: {} })).code.trim();
});

test('A link says so when it leads to another site', async () => {
  expect(await html('[Prices](/pricing)')).toBe('<p><a href="/pricing">Prices</a></p>');
  expect(await html('[A law](https://example.org/law)')).toBe(
    '<p><a href="https://example.org/law" rel="external noopener">A law</a></p>',
  );
});

test('A wide table scrolls in a frame that has a name and is reached by the keyboard', async () => {
  expect(await html('| a |\n|---|\n| 1 |')).toMatch(
    /^<div class="overflow-x-auto" role="group" aria-label="Table" tabindex="0"><table>[\s\S]*<\/table><\/div>$/,
  );
});

test('On a phone, a table of figures, of short words or of three columns fits, and only a wider one scrolls', async () => {
  const long = 'Words that wrap to a second line';
  const three = `| Who | Does | Costs |\n|---|---|---|\n| ${long} | ${long} | ${long} |`;
  expect(await html(three)).toContain('<table>');
  const short = `| Step | Who | What | When |\n|---|---|---|---|\n| 1 | You | ${long} | ${long} |`;
  expect(await html(short)).toContain('<table>');
  const figures = '| | A | B | C | D |\n|---|---:|---:|---:|---:|\n| x | 1 | 2 | 3 | 4 |';
  expect(await html(figures)).toContain('<table>');
  const wide = `| Who | Does | Costs | Until |\n|---|---|---|---|\n| ${long} | ${long} | **${long}** | ${long} |`;
  expect(await html(wide)).toContain('<table class="min-w-[30rem]">');
});

test('A table without headings has no row for them', async () => {
  const table = await html('| | |\n|---|---:|\n| Flour | $90 |');
  expect(table).not.toContain('thead');
  expect(table).toContain('<td>Flour</td>');
  expect(table).toContain('<td class="text-right whitespace-nowrap">$90</td>');
});

test('Columns are aligned by classes, figures don’t break, and a heading without words is a cell', async () => {
  const table = await html('| | Cost | Share |\n|---|---:|:---:|\n| Flour | $90 | 40 % |');
  expect(table).toContain('<td></td>');
  expect(table).toContain('<th scope="col" class="text-right">Cost</th>');
  expect(table).toContain('<th scope="col" class="text-center">Share</th>');
  expect(table).toContain('<td>Flour</td>');
  expect(table).toContain('<td class="text-right whitespace-nowrap">$90</td>');
  expect(table).not.toContain('style=');
});

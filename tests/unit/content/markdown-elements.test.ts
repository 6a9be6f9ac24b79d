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

test('On a phone, a table of figures, of short words or of two columns fits, and the rows of a wider one are stacked', async () => {
  const long = 'Words that wrap to a second line';
  const two = `| Who | Does | Costs |\n|---|---|---:|\n| ${long} | ${long} | $1,404.00 |`;
  expect(await html(two)).toContain('<table>');
  const short = `| Step | Who | When | What |\n|---|---|---|---|\n| 1 | You | May 4 | ${long} |`;
  expect(await html(short)).toContain('<table>');
  const figures = '| | A | B | C | D |\n|---|---:|---:|---:|---:|\n| x | 1 | 2 | 3 | 4 |';
  expect(await html(figures)).toContain('<table>');
  const money =
    '| | A | B | C | D |\n|---|---:|---:|---:|---:|\n| Sales and tips | $15,000 | $15,000 | $15,000 | $15,000 |';
  expect(await html(money)).toContain('<table class="stacked">');
  const wide = `| Who | Does **it** | Costs |\n|---|---|---|\n| ${long} | ${long} | **${long}** |\n| ${long} | | |`;
  const stacked = await html(wide);
  expect(stacked).toContain('<table class="stacked">');
  // A cell has its heading as a label, and one element with what is in it.
  expect(stacked).toContain(`<td data-label="Does it"><span>${long}</span></td>`);
  expect(stacked).toContain(`<td data-label="Costs"><span><strong>${long}</strong></span></td>`);
  expect(stacked).toContain('<td data-label="Costs"></td>');
  expect(stacked).toContain(`<td><span>${long}</span></td>`);
  const steps = await html(
    `| Step | Who | When | What |\n|---|---|---|---:|\n| 1 | ${long} | ${long} | $15,000 |`,
  );
  expect(steps).toContain('<td data-label="Step"><span>1</span></td>');
  expect(steps).toContain(
    '<td class="sm:text-right whitespace-nowrap" data-label="What"><span>$15,000</span></td>',
  );
});

test('On a phone, the first row of a wide sheet to fill in says what all of them ask for', async () => {
  const names =
    '| What we count now | Target | Act when | Month 1 | Month 2 | Month 3 |\n|---|---|---|---|---|---|';
  const lineOf = async (markdown: string) => (await html(markdown)).replaceAll('\n', '');
  const titled = await lineOf(`${names}\n| Sales | | | | | |\n| Customers | | | | | |`);
  expect(titled).toContain('<table class="stacked">');
  expect(titled).toContain(
    '<td><span>Sales</span></td><td data-label="Target">\u00a0</td><td data-label="Act when">\u00a0</td>',
  );
  expect(titled).toContain('<td><span>Customers</span></td><td data-label="Target"></td>');
  const blank = await lineOf(`${names}\n| | | | | | |\n| | | | | | |`);
  const first = '<td data-label="What we count now">\u00a0</td><td data-label="Target">\u00a0</td>';
  expect(blank).toContain(first);
  expect(blank.split('\u00a0')).toHaveLength(7);
  expect(await html('| Week | Done |\n|---|---|\n| | |')).toContain('<table>');
});

test('A number that heads a column says what it counts where rows are stacked', async () => {
  const money = Array.from({ length: 4 }, () => '$15,000').join(' | ');
  const table = await html(
    `| Month | 1 | 2 | 3 | 4 |\n|---|---:|---:|---:|---:|\n| Sales and tips | ${money} |`,
  );
  expect(table).toContain('data-label="Month 3"');
});

test('Lists next to each other stay a table on a phone', async () => {
  const long = 'Words that wrap to a second line';
  const lists = `| In | Out | Result |\n|---|---|---|\n| ${long} | ${long} | ${long} |\n| | ${long} | |`;
  expect(await html(lists)).toContain('<table>');
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

test('A date, a number with its unit and a word with a hyphen stay whole in a cell', async () => {
  const table = await html(
    '| Paid to | Form | Week 1 |\n|---|---|---|\n| **By March 11**, or [June 8](/pricing) | 1099-NEC | Call 505-555-0148 |',
  );
  expect(table).toContain(
    '<strong>By March\u00a011</strong>, or <a href="/pricing">June\u00a08</a>',
  );
  expect(table).toContain('<td class="whitespace-nowrap">1099-NEC</td>');
  // A heading wraps between words, so that a sheet of many columns fits on a phone.
  expect(table).toContain('>Week 1</th>');
  expect(await html('Call **505-555-0148** by **Friday**')).toBe(
    '<p>Call <strong class="whitespace-nowrap">505-555-0148</strong> by <strong>Friday</strong></p>',
  );
  expect(await html('It went from −$729 to $2,509.')).toContain('−\u2060$729');
  // Running text has room.
  expect(await html('Due March 11.')).toBe('<p>Due March 11.</p>');
});

test('A column to fill in next to an example has room to write, and a blank sheet is even', async () => {
  const rows = '|---|---|---|\n| Name | Mesa Street Flowers | |';
  expect(await html(`| Fact | Shop | Yours |\n${rows}`)).toContain(
    '<th scope="col" class="w-2/5">Yours</th>',
  );
  expect(await html('| Place | On | By |\n|---|---|---|\n| | | |')).not.toContain('w-2/5');
  expect(await html('| Part | Ours |\n|---|---|\n| The job | |')).toContain('w-2/5');
});

test('Rows of long sentences are stacked on a tablet too', async () => {
  const long = 'Words that wrap to a second line and then to a third one, and then once more';
  const rows = (words: string) =>
    `| What | Why | Who |\n|---|---|---|\n| ${words} | ${words} | ${words} |`;
  expect(await html(rows(long))).toContain('<table class="stacked long">');
  expect(await html(rows('Words that wrap'))).toContain('<table class="stacked">');
});

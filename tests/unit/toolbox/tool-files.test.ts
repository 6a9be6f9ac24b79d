/** The files that owners download: what's in them, and what their formulas give. */

import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { toolboxSchema } from '#collections/toolbox.ts';
import { spreadsheets } from '#lib/tool-files/spreadsheets.ts';
import { toolDocument } from '#lib/tool-files/tool-document.ts';
import { SHEET_NAMES, toolWorkbook } from '#lib/tool-files/tool-workbook.ts';
import { type Figure, recalculate } from '../../fixtures/recalculate.ts';
import { checked } from '../content/content-files.ts';

const { yours, example } = SHEET_NAMES;
const tools = checked('toolbox', toolboxSchema);
const about = { title: 'A tool', author: 'Us' };
const wordsOf = (tool: (typeof tools)[number]) => ({
  title: tool.data.title,
  summary: tool.data.summary,
  address: `https://example.org/toolbox/${tool.id}`,
  version: tool.data.version,
  body: tool.body,
  ...(tool.data.forms && { forms: tool.data.forms }),
});
const toolNamed = (slug: string) => {
  const tool = tools.find(({ id }) => id === slug);
  if (!tool) throw new Error(`There’s no tool ${slug}.`);
  return tool;
};
const workbookOf = (slug: string, body = toolNamed(slug).body) =>
  toolWorkbook(spreadsheets.get(slug) ?? [], { ...wordsOf(toolNamed(slug)), body }, about);

/** A sheet whose cells are found by the words of their line, and of their column or its position. */
async function openSheet(
  slug: string,
  sheet: string,
  typed: [line: string, column: string | number, value: Figure][] = [],
) {
  const bytes = await workbookOf(slug);
  const { book } = recalculate(bytes);
  const cells = Object.entries(book.Sheets[sheet] ?? {}).filter(([name]) => !name.startsWith('!'));
  const place = (line: string, column: string | number, nth = 0) => {
    const lines = cells.filter(([name, { v }]) => v === line && name.startsWith('A'));
    const row = lines[nth]?.[0].slice(1);
    if (row === undefined) throw new Error(`${slug} has no line “${line}”.`);
    if (typeof column === 'number') return `${String.fromCharCode(65 + column)}${row}`;
    const head = cells.findLast(
      ([name, { v }]) => v === column && Number(name.replace(/\D/g, '')) < Number(row),
    );
    if (!head) throw new Error(`${slug} has no column “${column}” over “${line}”.`);
    return `${head[0].replace(/\d/g, '')}${row}`;
  };
  const changes = typed.map(([line, column, value]) => ({
    sheet,
    cell: place(line, column),
    value,
  }));
  const { at } = recalculate(bytes, changes);
  return (line: string, column: string | number = 1, nth = 0) =>
    at(sheet, place(line, column, nth));
}

/** Lists without a figure to work out. */
const WORDS_ONLY = new Set<string>([]);

test('Every tool can be downloaded, and every sheet belongs to one', () => {
  const withSheets = tools.filter(({ data }) => data.files.includes('spreadsheet'));
  expect(withSheets.map(({ id }) => id).toSorted()).toEqual([...spreadsheets.keys()].toSorted());
  expect(tools.filter(({ data }) => data.files.length === 0 && !data.no_files)).toEqual([]);
});

describe.each([...spreadsheets.keys()])('An owner opens the spreadsheet of %s', (slug) => {
  test('Recalculated by another program, the example gives what the file says and the text prints', async () => {
    const { at, stored, formulas } = recalculate(await workbookOf(slug));
    const names = formulas(example);
    const both = names.map((cell) => [cell, at(example, cell), stored(example, cell)] as const);
    for (const [cell, value, said] of both) {
      if (typeof value === 'number') expect(said, cell).toBeCloseTo(value, 9);
      else expect(said ?? '', cell).toBe(value);
    }
    // The build compares what the file says with the text; so does this, by writing it.
    expect(names.length === 0).toBe(WORDS_ONLY.has(slug));
  });

  test('The sheet to fill in has the same formulas, no figures, and shows no errors', async () => {
    const { book, at, stored, formulas } = recalculate(await workbookOf(slug));
    expect(book.SheetNames).toEqual([yours, example]);
    for (const cell of formulas(yours)) {
      expect(stored(yours, cell) ?? '', cell).toEqual(at(yours, cell));
    }
    const numbers = Object.entries(book.Sheets[yours] ?? {}).filter(
      ([name, { t, f }]) => !name.startsWith('!') && t === 'n' && f === undefined,
    );
    expect(numbers.map(([name]) => name)).toEqual([]);
    expect(formulas(yours).length > 0).toBe(formulas(example).length > 0);
  });
});

test('An owner with a forecast sees the lowest month, the balances and what’s below the floor', async () => {
  const months = Array.from({ length: 12 }, (_, index) => `Month ${index + 1}`);
  const at = await openSheet('cash-forecast', yours, [
    ...months.map((month): [string, string, Figure] => ['Sales paid right away', month, 1_000]),
    ...months.map((month): [string, string, Figure] => ['Suppliers', month, 900]),
    ['Equipment', 'Month 3', 5_000],
    ['Balance at the start', 'Month 1', 2_000],
    ['The balance where you’ll act', 1, 0],
  ]);
  expect(at('Balance at the end', 'Month 1')).toBe(2_100);
  expect(at('Balance at the end', 'Month 3')).toBe(-2_700);
  expect(at('Balance at the end', 'Month 12')).toBe(-1_800);
  expect(at('The lowest balance at the end of a month')).toBe(-2_700);
  expect(at('Months that end below the floor')).toBe(10);
});

test('An owner changes the example of a price and sees what follows', async () => {
  const at = await openSheet('pricing-worksheet', example, [
    ['Miles', 1, 38],
    ['The share you want', 1, 0.5],
  ]);
  expect(at('Direct cost')).toBe(107);
  expect(at('The price that leaves it')).toBe(284);
});

test('An owner lists what ways to find customers cost; empty lines stay empty', async () => {
  const at = await openSheet('customer-cost', yours, [
    ['What an hour of yours would cost to replace', 1, 40],
  ]);
  expect(at('Together', 'Each')).toBe('');
  const bytes = await workbookOf('customer-cost');
  const first = Object.entries(recalculate(bytes).book.Sheets[yours] ?? {}).find(
    ([, { v }]) => v === 'New customers',
  )?.[0];
  const row = Number(first?.slice(1)) + 1;
  const cell = (column: string) => `${column}${row}`;
  const { at: read } = recalculate(bytes, [
    { sheet: yours, cell: 'B6', value: 40 },
    { sheet: yours, cell: cell('B'), value: 100 },
    { sheet: yours, cell: cell('C'), value: 5 },
    { sheet: yours, cell: cell('F'), value: 3 },
  ]);
  expect([read(yours, cell('D')), read(yours, cell('E')), read(yours, cell('G'))]).toEqual([
    200, 300, 100,
  ]);
  expect(read(yours, `G${row + 1}`)).toBe('');
});

/** A week's pay in dollars, with one and a half times the rate past 40 hours. */
const weekPay = (rate: number, hours: number) => rate * (hours + Math.max(0, hours - 40) / 2);

test('Whatever the hours, overtime counts week by week', async () => {
  const hours = fc.integer({ min: 0, max: 80 });
  await fc.assert(
    fc.asyncProperty(hours, hours, fc.integer({ min: 8, max: 60 }), async (first, second, rate) => {
      const at = await openSheet('pay-records-check', example, [
        ['Rosa', 'Week 1', first],
        ['Rosa', 'Week 2', second],
        ['Rosa', 'Rate', rate],
      ]);
      expect(at('Rosa', 'Owed')).toBeCloseTo(weekPay(rate, first) + weekPay(rate, second), 9);
      expect(at('All', 'Owed')).toBeCloseTo(
        weekPay(rate, first) + weekPay(rate, second) + 1_476 + 1_173 + 1_660,
        9,
      );
    }),
    { numRuns: 15 },
  );
});

test('Whatever a loan costs, its payments pay it back', async () => {
  const amounts = fc.integer({ min: 1_000, max: 500_000 });
  const rates = fc.integer({ min: 1, max: 300 }).map((each) => each / 1000);
  await fc.assert(
    fc.asyncProperty(
      amounts,
      rates,
      fc.integer({ min: 1, max: 30 }),
      async (price, rate, years) => {
        const at = await openSheet('lender-readiness-list', yours, [
          ['The price', 1, price],
          ['Interest, a year', 1, rate],
          ['Years', 1, years],
        ]);
        const payment = Number(at('Payment, a month'));
        let left = price;
        for (let month = 0; month < 12 * years; month++) left = left * (1 + rate / 12) - payment;
        expect(Math.abs(left)).toBeLessThan(price / 1000);
      },
    ),
    { numRuns: 15 },
  );
});

test('An author whose text no longer adds up reads which figure and why', async () => {
  const { body } = toolNamed('cash-forecast');
  await expect(
    workbookOf(
      'cash-forecast',
      body.replace('| Rent                    |      2,400', '| Rent | 2,500'),
    ),
  ).rejects.toThrow('Cash, month by month, Out, April: its formula gives 17950, not 17850.');
  await expect(
    workbookOf('cash-forecast', body.replace('Invoices paid', 'Bills paid')),
  ).rejects.toThrow('No table of the text has a cell that says “Invoices paid”.');
});

const XML = new XMLParser({ preserveOrder: true, parseTagValue: false, trimValues: false });
type Xml = Record<string, unknown>;
const isXml = (value: unknown): value is Xml => typeof value === 'object' && value !== null;
/** The elements in those of a name, at any depth. */
const inside = (node: Xml, name: string): Xml[] =>
  Object.entries(node).flatMap(([tag, children]) =>
    Array.isArray(children)
      ? children
          .filter(isXml)
          .flatMap((child) => [...(tag === name ? [child] : []), ...inside(child, name)])
      : [],
  );

describe.each(tools.filter(({ data }) => data.files.includes('document')))(
  'An owner opens the document of $id',
  (tool) => {
    const open = async () => unzipSync(await toolDocument(wordsOf(tool), about));

    test('Each part is well-formed, and headings follow each other without a gap', async () => {
      const parts = await open();
      for (const [name, bytes] of Object.entries(parts)) {
        expect(XMLValidator.validate(strFromU8(bytes)), name).toBe(true);
      }
      const text = strFromU8(parts['word/document.xml'] ?? new Uint8Array());
      const styles = [...text.matchAll(/<w:pStyle w:val="(Title|Heading(\d))"/g)];
      expect(styles[0]?.[1]).toBe('Title');
      let level = 0;
      for (const [, , depth] of styles.slice(1)) {
        expect(Number(depth)).toBeLessThanOrEqual(level + 1);
        level = Number(depth);
      }
      expect(styles.length).toBeGreaterThan(2);
    });

    test('It says what the page says: every heading, every box to check, and room to write', async () => {
      const parts = await open();
      const xml: Xml[] = XML.parse(strFromU8(parts['word/document.xml'] ?? new Uint8Array()));
      const text = xml
        .flatMap((node) => inside(node, 'w:t'))
        .flatMap((node) => node['#text'] ?? [])
        .join('');
      const plain = (words: string) => words.replace(/\*\*|[\s\u00a0]+/g, '');
      for (const [, heading = ''] of tool.body.matchAll(/^#{2,4} (.*)$/gm)) {
        expect(plain(text)).toContain(plain(heading));
      }
      const boxes = xml.flatMap((node) => inside(node, 'w14:checkbox'));
      expect(boxes.length > 0).toBe(/^- \[ \]/m.test(tool.body));
      expect(/\|\s+\|/.test(tool.body) || tool.data.forms !== undefined || boxes.length > 0).toBe(
        true,
      );
    });
  },
);

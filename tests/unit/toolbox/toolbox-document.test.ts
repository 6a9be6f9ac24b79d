import { readdir, readFile } from 'node:fs/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Block, blocksOf, markdownOf } from '#features/toolbox/document.ts';

const folder = new URL('../../../content/toolbox/', import.meta.url);
const bodyOf = (text: string) => text.replace(/^---\n.*?\n---\n/s, '');

test('Every item of the toolbox becomes blocks, and the blocks become the same blocks again', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  expect(files.length).toBeGreaterThan(10);
  for (const file of files) {
    const body = bodyOf(await readFile(new URL(file, folder), 'utf8'));
    const blocks = blocksOf(body);
    expect(blocks.length, file).toBeGreaterThan(5);
    expect(blocksOf(markdownOf(blocks)), file).toEqual(blocks);
    // The round trip keeps every word; an empty row gets `&nbsp;`.
    const words = (text: string) => text.replaceAll('&nbsp;', ' ').match(/[\p{L}\p{N}]+/gu);
    expect(words(markdownOf(blocks)), file).toEqual(words(body));
  }
});

test('Tables have cells, checklists have boxes, and the rest stays Markdown', () => {
  const markdown = `# Plan

Write **one** line each.

| Month | Sales |
| ----- | ----: |
| April | 1,200 |
| May   |       |

- [x] Ask the bank
- [ ] Call \`Ana\`

1. First
2. Second`;
  expect(blocksOf(markdown)).toEqual([
    { kind: 'heading', depth: 1, text: 'Plan' },
    { kind: 'text', markdown: 'Write **one** line each.' },
    {
      kind: 'table',
      header: ['Month', 'Sales'],
      align: [null, 'right'],
      rows: [
        ['April', '1,200'],
        ['May', ''],
      ],
    },
    {
      kind: 'tasks',
      items: [
        { done: true, text: 'Ask the bank' },
        { done: false, text: 'Call `Ana`' },
      ],
    },
    { kind: 'text', markdown: '1. First\n2. Second' },
  ]);
});

/** What people may type into a cell, including characters that have a meaning in Markdown. */
const typed = fc
  .string({ unit: fc.constantFrom(...'ab1 |\\*_`<>[]()#-~!$&;:\n'), maxLength: 20 })
  .map((text) => text.replace(/\s+/g, ' ').trim());

test('Whatever is typed into a table stays in its cell', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }).chain((columns) =>
        fc.record({
          header: fc.array(typed, { minLength: columns, maxLength: columns }),
          rows: fc.array(fc.array(typed, { minLength: columns, maxLength: columns }), {
            maxLength: 4,
          }),
        }),
      ),
      ({ header, rows }) => {
        const align = header.map(() => null);
        const table: Block = { kind: 'table', header, align, rows };
        const after: Block = { kind: 'text', markdown: 'After it.' };
        const [read, next, ...rest] = blocksOf(markdownOf([table, after]));
        expect(rest).toEqual([]);
        expect(next).toEqual(after);
        expect(read).toEqual(table);
      },
    ),
    { numRuns: 300 },
  );
});

test('Whatever is typed beside a box stays there, and the box stays as it was ticked', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ done: fc.boolean(), text: typed }), { minLength: 1, maxLength: 5 }),
      (items) => {
        const tasks: Block = { kind: 'tasks', items };
        expect(blocksOf(markdownOf([tasks]))).toEqual([tasks]);
      },
    ),
    { numRuns: 300 },
  );
});

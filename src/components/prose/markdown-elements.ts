/**
 * Changes Markdown's links and tables to this site's HTML once, when content is compiled.
 * Components would produce the same HTML but run again for each page.
 */
import type { SatteriProcessorOptions } from '@astrojs/markdown-satteri';
import { isHyphenated, unbroken } from '#lib/content/unbroken.ts';
import {
  type Column,
  isSheet,
  isStackedTable,
  isToFillIn,
  stackedLabel,
  stackedLook,
} from '#lib/content/wide-table.ts';

/** As much of a node of the HTML as a table's columns need. */
interface HastNode {
  type: string;
  tagName?: string;
  properties?: { style?: unknown };
  value?: string;
  children?: readonly HastNode[];
}

type Plugin = Exclude<
  NonNullable<SatteriProcessorOptions['hastPlugins']>[number],
  (...values: never[]) => unknown
>;

/**
 * A cell's alignment as classes: Markdown makes it an inline style, which the CSP blocks. A figure
 * stays on one line, and its heading wraps, or a table would be wider than a sheet of paper.
 */
function alignment(tagName: string, style: unknown, isStacked: boolean): string[] {
  if (/center/.test(String(style))) return ['text-center'];
  if (!/right/.test(String(style))) return [];
  if (tagName === 'th') return ['text-right'];
  return [isStacked ? 'sm:text-right' : 'text-right', 'whitespace-nowrap'];
}

const isFigures = (cell: HastNode) => /right/.test(String(cell.properties?.style));

/** The cells of each row of a table. */
function rowsOf(node: HastNode): HastNode[][] {
  const cells = (node.children ?? []).filter(({ tagName }) => tagName === 'th' || tagName === 'td');
  return cells.length > 0 ? [cells] : (node.children ?? []).flatMap(rowsOf);
}

const textOf = (node: HastNode | undefined): string =>
  (node?.value ?? '') + (node?.children ?? []).map(textOf).join('');

/** A table's columns, by its headings. */
function columnsOf(table: HastNode): Column[] {
  const [headings = [], ...rows] = rowsOf(table);
  return headings.map((heading, place) => ({
    heading: textOf(heading),
    cells: rows.map((cells) => textOf(cells[place]).trim()),
    isFigures: isFigures(heading),
  }));
}

/** A space, because Markdown's own cells are empty. */
const BLANK: HastNode = { type: 'text', value: '\u00a0' };

/** Whether a cell is in the first row below the headings. */
function isInFirstRow(cell: HastNode, ctx: Context): boolean {
  const row = ctx.parent(cell);
  const body = row && ctx.parent(row);
  if (!row || body?.tagName !== 'tbody') return false;
  const before = body.children?.slice(0, ctx.indexOf(row)) ?? [];
  return before.every(({ tagName }) => tagName !== 'tr');
}

/** As much of a visitor's context as the label of a cell needs. */
interface Context {
  parent(node: HastNode): HastNode | undefined;
  indexOf(node: HastNode): number | undefined;
}

/** The columns of a cell's table, and which one it's in. */
function placeOf(cell: HastNode, ctx: Context): { columns: Column[]; place: number } {
  const row = ctx.parent(cell);
  let table = row;
  while (table && table.tagName !== 'table') table = ctx.parent(table);
  const before = row?.children?.slice(0, ctx.indexOf(cell)) ?? [];
  const place = before.filter(({ tagName }) => tagName === cell.tagName).length;
  return { columns: table ? columnsOf(table) : [], place };
}

/**
 * The heading that a cell has as its label where the rows of its table are stacked: empty for a row's
 * title, unless that's a number; undefined in other tables.
 */
function labelOf(cell: HastNode, columns: readonly Column[], place: number): string | undefined {
  if (cell.tagName === 'th' || !isStackedTable(columns)) return undefined;
  return stackedLabel(columns, place, textOf(cell));
}

/** Whether a text is in a cell of a table, but not in a heading, which wraps between all words. */
function isInCell(text: HastNode, ctx: Context): boolean {
  let around = ctx.parent(text);
  while (around && around.tagName !== 'td') around = ctx.parent(around);
  return around !== undefined;
}

/** The HTML of links, tables and cells in articles. */
export const markdownElements: Plugin = {
  name: 'markdown-elements',
  // A date or a number with its unit isn't cut at the end of a line of a narrow column, and a minus
  // never from its amount.
  text(node, ctx) {
    const text = isInCell(node, ctx) ? unbroken(node.value) : node.value;
    const joined = text.replaceAll('−$', '−\u2060$');
    if (joined !== node.value) ctx.setProperty(node, 'value', joined);
  },
  element: [
    {
      // Marks links to other sites.
      filter: ['a'],
      visit(node, ctx) {
        if (/^https?:/.test(String(node.properties.href)))
          ctx.setProperty(node, 'rel', 'external noopener');
      },
    },
    {
      // A phone number isn't cut at its hyphens.
      filter: ['strong'],
      visit(node, ctx) {
        if (isHyphenated(ctx.textContent(node)))
          ctx.setProperty(node, 'className', ['whitespace-nowrap']);
      },
    },
    {
      // Tasks get the same boxes as those of Checklist.astro.
      filter: ['ul'],
      visit(node, ctx) {
        if (!String(node.properties.className).includes('contains-task-list')) return;
        ctx.wrapNode(node, {
          type: 'element',
          tagName: 'div',
          properties: { className: ['checklist'] },
          children: [],
        });
      },
    },
    {
      // The styles draw the box of a task, to be checked with a pen; a form's checkbox would need a label.
      filter: ['input'],
      visit: (node, ctx) => ctx.removeNode(node),
    },
    {
      /*
       * A table has a frame that scrolls if it has to, which keyboard users can focus. On a phone, the rows of a
       * wide one are stacked: each cell is below the one before, with its heading.
       */
      filter: ['table'],
      visit(node, ctx) {
        const look = stackedLook(columnsOf(node));
        if (look) ctx.setProperty(node, 'className', look.split(' '));
        ctx.wrapNode(node, {
          type: 'element',
          tagName: 'div',
          properties: {
            className: ['overflow-x-auto'],
            role: 'group',
            ariaLabel: 'Table',
            tabIndex: 0,
          },
          children: [],
        });
      },
    },
    {
      // Markdown can't leave out a table's headings, but people can leave them empty.
      filter: ['thead'],
      visit(node, ctx) {
        if (ctx.textContent(node).trim() === '') ctx.removeNode(node);
      },
    },
    {
      filter: ['th', 'td'],
      visit(node, ctx) {
        // An empty header cell heads nothing, so it becomes an ordinary cell.
        const isEmpty = ctx.textContent(node).trim() === '';
        const isHead = node.tagName === 'th' && !isEmpty;
        const { columns, place } = placeOf(node, ctx);
        const dataLabel = labelOf(node, columns, place);
        const isStacked = dataLabel !== undefined;
        const isBlankOfSheet = isStacked && isEmpty && isSheet(columns) && isInFirstRow(node, ctx);
        const className = alignment(node.tagName, node.properties.style, isStacked);
        if (isHead && isToFillIn(columns, place)) className.push('w-2/5');
        if (!isHead && className.length === 0 && isHyphenated(ctx.textContent(node)))
          className.push('whitespace-nowrap');
        return {
          ...node,
          tagName: isHead ? 'th' : 'td',
          properties: {
            ...(isHead ? { scope: 'col' } : {}),
            ...(className.length > 0 ? { className } : {}),
            ...(dataLabel ? { dataLabel } : {}),
          },
          // One element beside the label, whatever is in the cell.
          children: isBlankOfSheet
            ? [BLANK]
            : !isStacked || isEmpty
              ? node.children
              : [{ type: 'element', tagName: 'span', properties: {}, children: node.children }],
        };
      },
    },
  ],
};

/**
 * Changes Markdown's links and tables to this site's HTML once, when content is compiled.
 * Components would produce the same HTML but run again for each page.
 */
import type { SatteriProcessorOptions } from '@astrojs/markdown-satteri';
import { type Column, isWideTable } from '#lib/content/wide-table.ts';

/** As much of a node of the HTML as a table's columns need. */
interface HastNode {
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
function alignment(tagName: string, style: unknown): string[] | undefined {
  if (/center/.test(String(style))) return ['text-center'];
  if (!/right/.test(String(style))) return undefined;
  return tagName === 'th' ? ['text-right'] : ['text-right', 'whitespace-nowrap'];
}

const isFigures = (cell: HastNode) => /right/.test(String(cell.properties?.style));

/** The cells of each row of a table. */
function rowsOf(node: HastNode): HastNode[][] {
  const cells = (node.children ?? []).filter(({ tagName }) => tagName === 'th' || tagName === 'td');
  return cells.length > 0 ? [cells] : (node.children ?? []).flatMap(rowsOf);
}

const lengthOf = (node: HastNode | undefined): number =>
  (node?.value?.length ?? 0) +
  (node?.children ?? []).reduce((sum, child) => sum + lengthOf(child), 0);

/** A table's columns, by its headings. */
function columnsOf(table: HastNode): Column[] {
  const rows = rowsOf(table);
  return (rows[0] ?? []).map((heading, place) =>
    isFigures(heading)
      ? 'figures'
      : { longest: Math.max(...rows.map((cells) => lengthOf(cells[place]))) },
  );
}

/** The HTML of links, tables and cells in articles. */
export const markdownElements: Plugin = {
  name: 'markdown-elements',
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
       * A wide table scrolls in its own container, which keyboard users can focus. Others fit on a phone, and
       * their words wrap.
       */
      filter: ['table'],
      visit(node, ctx) {
        if (isWideTable(columnsOf(node))) ctx.setProperty(node, 'className', ['min-w-[30rem]']);
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
        const className = alignment(node.tagName, node.properties.style);
        // An empty header cell heads nothing, so it becomes an ordinary cell.
        const empty = node.tagName === 'th' && ctx.textContent(node).trim() === '';
        return {
          ...node,
          tagName: empty ? 'td' : node.tagName,
          properties: {
            ...(node.tagName === 'th' && !empty ? { scope: 'col' } : {}),
            ...(className ? { className } : {}),
          },
        };
      },
    },
  ],
};

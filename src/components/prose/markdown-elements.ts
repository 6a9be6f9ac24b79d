/**
 * Changes Markdown's links and tables to this site's HTML once, when content is compiled.
 * Components would produce the same HTML but run again for each page.
 */
import type { SatteriProcessorOptions } from '@astrojs/markdown-satteri';

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
      // A wide table scrolls in its own container, which keyboard users can focus.
      filter: ['table'],
      visit(node, ctx) {
        ctx.setProperty(node, 'className', ['[&:has(thead_:nth-child(3))]:min-w-[30rem]']);
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

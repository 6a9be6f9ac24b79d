/**
 * What Markdown's links and tables become on this site, worked out once when words are compiled. A
 * component for each of them would give the same HTML, and be run again for each page.
 */
import type { SatteriProcessorOptions } from '@astrojs/markdown-satteri';

type Plugin = Exclude<
  NonNullable<SatteriProcessorOptions['hastPlugins']>[number],
  (...values: never[]) => unknown
>;

/** The class for a column's alignment, which comes as a style that the content security policy refuses. */
function alignment(style: unknown): string | undefined {
  if (/right/.test(String(style))) return 'text-right whitespace-nowrap';
  return /center/.test(String(style)) ? 'text-center' : undefined;
}

/** Links, tables and their cells, as an article shows them. */
export const markdownElements: Plugin = {
  name: 'markdown-elements',
  element: [
    {
      // A link to another site is marked in the HTML.
      filter: ['a'],
      visit(node, ctx) {
        if (/^https?:/.test(String(node.properties.href)))
          ctx.setProperty(node, 'rel', 'external noopener');
      },
    },
    {
      // A wide table scrolls in its own frame, by keyboard too.
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
        const className = alignment(node.properties.style);
        // An empty heading heads nothing: it is an ordinary cell.
        const empty = node.tagName === 'th' && ctx.textContent(node).trim() === '';
        return {
          ...node,
          tagName: empty ? 'td' : node.tagName,
          properties: {
            ...(node.tagName === 'th' && !empty ? { scope: 'col' } : {}),
            ...(className ? { className: className.split(' ') } : {}),
          },
        };
      },
    },
  ],
};

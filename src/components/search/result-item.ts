/** Renders search results from the page's templates. */
import type { Found } from './pagefind.ts';

function setLink(item: ParentNode, href: string, text: string): void {
  const link = item.querySelector('a');
  if (!link) return;
  link.href = href;
  link.textContent = text;
}

/** Fills a copy of the template with a page's title, kind, excerpt and up to three of its sections. */
export function renderResult(template: HTMLTemplateElement, found: Found): Node {
  const { url, meta, filters, excerpt, sub_results } = found;
  const item = template.content.cloneNode(true) as DocumentFragment;
  const part = (name: string) => item.querySelector<HTMLElement>(`[data-${name}]`);
  setLink(item, url, meta.title ?? url);
  const kind = part('kind');
  if (kind) kind.textContent = filters.kind?.[0] ?? '';
  part('excerpt')?.append(...excerptNodes(excerpt));
  const sections = part('sections');
  const entry = sections?.querySelector('template');
  if (sections && entry) {
    const results = sub_results.filter((each) => each.url.includes('#')).slice(0, 3);
    sections.hidden = results.length === 0;
    for (const section of results) {
      const row = entry.content.cloneNode(true) as DocumentFragment;
      setLink(row, section.url, section.title);
      sections.append(row);
    }
  }
  return item;
}

/** The excerpt's text, with no HTML but its `<mark>` elements. */
function excerptNodes(excerpt: string): (string | Node)[] {
  const { childNodes } = new DOMParser().parseFromString(excerpt, 'text/html').body;
  return [...childNodes].map((node) => {
    if (node.nodeName !== 'MARK') return node.textContent ?? '';
    const mark = document.createElement('mark');
    mark.textContent = node.textContent;
    return mark;
  });
}

/** Says how many pages were found, for the status line. */
export function summarize(q: string, found: number, ofAnyKind: number, shown: number): string {
  const have = `${found === 1 ? '1 page' : `${found || 'No'} pages`}${
    ofAnyKind === found ? '' : ' of the chosen kinds'
  } ${found === 1 ? 'has' : 'have'} “${q}”`;
  const others =
    ofAnyKind === found ? '' : `; ${ofAnyKind} of any kind ${ofAnyKind === 1 ? 'does' : 'do'}`;
  return `${have}${others}.${shown < found ? ` Showing the first ${shown}.` : ''}`;
}

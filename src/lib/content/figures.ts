/** Finds the figures of a text by the words around them. */

/** The pattern of a figure: $1,234.50, −22, +863. */
export const FIGURE = String.raw`[−+-]?\$?\d+(?:,\d{3})*(?:\.\d+)?`;

/** A Markdown text without link targets, emphasis, table rules or line breaks. */
export const plainText = (markdown: string) =>
  markdown
    .replace(/\]\([^)]*\)/g, ']')
    .replaceAll('**', '')
    .replace(/\|(\s*:?-+:?\s*\|)+/g, '')
    .replace(/\s+/g, ' ');

/** The number that a figure such as −$1,234.50 prints. */
export const numberOf = (printed: string) =>
  Number(printed.replace(/[$,+]/g, '').replace(/^[−-]/, '-'));

/**
 * The figures printed for each `#` in words of a plain text, or what's wrong: it doesn't contain the
 * words, or contains them with different figures.
 */
export function figuresIn(text: string, words: string): string[] | string {
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(escaped.replaceAll('#', `(${FIGURE})`), 'g');
  const found = [...text.matchAll(pattern)].map(([, ...figures]) => figures);
  const [first] = found;
  if (!first) return `It doesn’t say “${words}”`;
  if (found.some((figures) => figures.join() !== first.join())) {
    return `It says “${words}” with different figures: add words around it`;
  }
  return first;
}

/** How far a number is from the printed one: within half of its last digit it's the same. */
export function isPrinted(printed: string, value: number): boolean {
  const decimals = /\.(\d+)/.exec(printed)?.[1]?.length ?? 0;
  return Math.abs(value - numberOf(printed)) <= 0.5 / 10 ** decimals + 1e-9;
}

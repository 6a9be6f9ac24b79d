/**
 * The text of an entry as it's written. Only for prerendered pages: the data that the server keeps of
 * `content/` is without the texts (089).
 */
import { splitFrontMatter } from '#domain/front-matter.ts';

const texts = import.meta.glob<string>('/content/**/*.{md,mdx}', {
  query: '?raw',
  import: 'default',
});

/**
 * The Markdown of an entry, without its fields; empty for one that's only fields.
 * @param entry of any collection; `filePath` is relative to the project's root
 */
export async function bodyOf({ filePath }: { filePath?: string }): Promise<string> {
  const text = await texts[`/${filePath}`]?.();
  return text === undefined ? '' : (splitFrontMatter(text)?.body ?? text);
}

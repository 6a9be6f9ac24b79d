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
 * The Markdown of an entry, without its fields.
 * @param entry of a collection of Markdown or MDX; `filePath` is relative to the project's root
 * @throws an error that fails the build, if its file has no text
 */
export async function bodyOf({ filePath }: { filePath?: string }): Promise<string> {
  const text = await texts[`/${filePath}`]?.();
  if (text === undefined) throw new Error(`${filePath} isn’t Markdown of content/.`);
  return splitFrontMatter(text)?.body ?? text;
}

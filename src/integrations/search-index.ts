/**
 * Writes `/pagefind/`, the index behind /search: the content of `data-pagefind-body` on pages that
 * aren't hidden.
 */
import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { mayBeFound } from './site-map.ts';

interface Page {
  /** Its path, in the form that the site's links use. */
  url: string;
  content: string;
}

/** Only the main content is worth indexing, not the header and footer around it. */
const WORDS = /<main\b[\s\S]*<\/main>/;
/** These elements have no searchable text. */
const NO_WORDS = /<(style|script|svg)\b[\s\S]*?<\/\1>/g;
/** The ends of parts that Pagefind would join to the next one without a space. */
const ENDS = /<\/(caption|figcaption|td|th|dt|dd)>/g;
/** Pagefind skips forms, but on pages that ask questions the form is the whole content. */
const FORM = /<(\/?)form\b/g;
/** Files that Pagefind writes for UI components and workers that /search doesn't use. */
const NOT_USED = /^pagefind-(?!entry)|^wasm\.unknown\./;
/** Above this number, one file holds the words of several pages. */
const MOST_FILES = 2000;
/** Pages being sent to the indexer at the same time. */
const AT_ONCE = 64;

/** Prepares a built page for indexing; undefined if it's hidden or not searchable. */
export function pageToIndex(name: string, html: string): Page | undefined {
  if (!html.includes('data-pagefind-body') || !mayBeFound(html)) return undefined;
  const folder = name
    .split(path.sep)
    .join('/')
    .replace(/\/?(index)?\.html$/, '');
  const language = /<html\b[^>]*>/.exec(html)?.[0] ?? '<html>';
  const words = (WORDS.exec(html)?.[0] ?? html)
    .replace(NO_WORDS, '')
    .replace(ENDS, '$& ')
    .replace(FORM, '<$1div');
  return { url: `/${folder}`, content: `${language}<body>${words}</body></html>` };
}

/**
 * Indexes every page below a folder and returns how many. The output is deterministic.
 * @throws {Error} if there are no pages to index or Pagefind rejects one
 */
export async function writeSearchIndex(folder: string): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.html'),
  );
  // Imported lazily: it starts a separate program that development doesn't need.
  const pagefind = await import('pagefind');
  const refuse = (errors: string[], what: string) => {
    if (errors.length) throw new Error(`The search index: ${what}: ${errors.join('; ')}`);
  };
  try {
    const { index, errors } = await pagefind.createIndex({ maxFragments: MOST_FILES });
    refuse(errors, "Pagefind doesn't start");
    if (!index) throw new Error("The search index: Pagefind doesn't start.");
    let count = 0;
    let waiting: Promise<void>[] = [];
    for (const name of names.sort()) {
      const page = pageToIndex(name, readFileSync(path.join(folder, name), 'utf8'));
      if (!page) continue;
      count++;
      waiting.push(index.addHTMLFile(page).then((done) => refuse(done.errors, page.url)));
      if (waiting.length < AT_ONCE) continue;
      await Promise.all(waiting);
      waiting = [];
    }
    await Promise.all(waiting);
    if (count === 0) {
      throw new Error(
        `The search index: no page below ${folder} has words to find. The layout of a page puts data-pagefind-body around them.`,
      );
    }
    const outputPath = path.join(folder, 'pagefind');
    refuse((await index.writeFiles({ outputPath })).errors, "it can't be written");
    const written = await readdir(outputPath);
    await Promise.all(
      written
        .filter((name) => NOT_USED.test(name))
        .map((name) => rm(path.join(outputPath, name), { recursive: true })),
    );
    return count;
  } finally {
    await pagefind.close();
  }
}

export function searchIndex(): AstroIntegration {
  return {
    name: 'search-index',
    hooks: {
      'astro:build:done': async ({ dir, logger }) => {
        const from = performance.now();
        const count = await writeSearchIndex(fileURLToPath(dir));
        logger.info(`${count} pages in ${Math.round(performance.now() - from)} ms`);
      },
    },
  };
}

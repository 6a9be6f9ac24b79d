/**
 * `/pagefind/`: the index that /search reads: what is inside `data-pagefind-body` on pages that
 * aren't hidden.
 */
import { readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { mayBeFound } from './site-map.ts';

interface Page {
  /** Its path, as links of the site write it. */
  url: string;
  content: string;
}

/** The frame of each page isn't worth indexing: the text is in here. */
const WORDS = /<main\b[\s\S]*<\/main>/;
/** In these there is nothing to find either. */
const NO_WORDS = /<(style|script|svg)\b[\s\S]*?<\/\1>/g;
/** Pagefind leaves out forms, which are the whole content of a page that asks questions. */
const FORM = /<(\/?)form\b/g;
/** What Pagefind writes beside an index for screens and workers that /search does without. */
const NOT_USED = /^pagefind-(?!entry)|^wasm\.unknown\./;
/** Beyond so many, the words of several pages are in one file. */
const MOST_FILES = 2000;
/** So many pages are on their way to the program that indexes at a time. */
const AT_ONCE = 64;

/** The page of a built file as the index takes it; undefined where it's hidden or has no words to find. */
export function pageToIndex(name: string, html: string): Page | undefined {
  if (!html.includes('data-pagefind-body') || !mayBeFound(html)) return undefined;
  const folder = name
    .split(path.sep)
    .join('/')
    .replace(/\/?(index)?\.html$/, '');
  const language = /<html\b[^>]*>/.exec(html)?.[0] ?? '<html>';
  const words = (WORDS.exec(html)?.[0] ?? html).replace(NO_WORDS, '').replace(FORM, '<$1div');
  return { url: `/${folder}`, content: `${language}<body>${words}</body></html>` };
}

/**
 * Indexes every page below a folder and returns how many; the same pages give the same files.
 * @throws {Error} when there is no page to index or Pagefind refuses one
 */
export async function writeSearchIndex(folder: string): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.html'),
  );
  // Loaded when it is used: it starts a program, which developing does without.
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

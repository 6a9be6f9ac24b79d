/**
 * Leaves in each built page the styles that the page can use. Tailwind writes one sheet for all
 * reading pages, and it is sent inside each of them; most of it belongs to other pages.
 *
 * Pages with islands keep theirs whole: what React will draw is not in their HTML.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import {
  customProperties,
  fitSheets,
  namesAskedFor,
  propertiesSetBy,
  readSheet,
  type Sheet,
} from './fit-styles.ts';
import {
  attributeIn,
  importsOf,
  mayAdd,
  namesIn,
  type ScriptWords,
  scriptsOf,
  stylesOf,
  wordsOfScript,
} from './page-names.ts';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface Read {
  id: number;
  sheet: Sheet;
  /** What its selectors ask for; only these names of a page matter. */
  names: readonly string[];
  /** The custom properties that it sets. */
  properties: ReadonlySet<string>;
}

/** A function of a page's HTML that gives it with its share of the styles. */
export type Fitter = (html: string) => Promise<string>;

/**
 * Makes the function for the pages of one build.
 * @param read gives the text of a script of the site by its path, `/_astro/x.js`
 */
export function createFitter(read: (address: string) => Promise<string>): Fitter {
  const sheets = new Map<string, Read>();
  const scripts = new Map<string, Promise<string>>();
  const words = new Map<string, ScriptWords>();
  const fitted = new Map<string, string[]>();

  function sheetOf(css: string): Read {
    const known = sheets.get(css);
    if (known) return known;
    const sheet = readSheet(css);
    const made = {
      id: sheets.size,
      sheet,
      names: [...namesAskedFor(sheet)],
      properties: propertiesSetBy(sheet),
    };
    sheets.set(css, made);
    return made;
  }

  /** The code of a script and of all that it imports. */
  function codeOf(address: string, seen: Set<string> = new Set()): Promise<string> {
    seen.add(address);
    const known = scripts.get(address);
    if (known) return known;
    const made = read(address).then(async (code) => {
      const next = importsOf(code).map((each) => new URL(each, `http://x${address}`).pathname);
      const more = next.filter((each) => each.endsWith('.js') && !seen.has(each));
      const rest = await Promise.all(more.map((each) => codeOf(each, seen)));
      return [code, ...rest].join('\n');
    });
    scripts.set(address, made);
    return made;
  }

  function wordsOf(code: string): ScriptWords {
    const known = words.get(code);
    if (known) return known;
    const made = wordsOfScript(code);
    words.set(code, made);
    return made;
  }

  return async (html) => {
    const styles = stylesOf(html);
    if (styles.length === 0 || html.includes('<astro-island')) return html;
    const inPage = namesIn(html);
    const running = scriptsOf(html);
    const codes = await Promise.all(
      running.map(({ attributes, content }) => {
        const address = attributeIn(attributes, 'src');
        return address?.startsWith('/') ? codeOf(address) : content;
      }),
    );
    const found = [...new Set(codes)].map((code) => ({ code, words: wordsOf(code) }));
    const own = styles.map(({ content }) => sheetOf(content));
    const has = (name: string) =>
      inPage.has(name) || found.some(({ words: each }) => mayAdd(each, name));
    const outside = new Set(
      [withoutRaw(html), ...found.map(({ code }) => code)].flatMap((text) =>
        customProperties(text).filter((name) => own.some(({ properties }) => properties.has(name))),
      ),
    );

    // Pages with the same names have the same share: it is made once for all of them.
    const key = [
      ...own.map(({ id }) => id),
      ...own.flatMap(({ names }) => names.filter(has)),
      ...outside,
    ].join(' ');
    let shares = fitted.get(key);
    if (!shares) {
      shares = fitSheets(
        own.map(({ sheet }) => sheet),
        has,
        outside,
      );
      fitted.set(key, shares);
    }
    return withPolicy(withStyles(html, styles, shares), shares, running);
  };
}

const withoutRaw = (html: string) => html.replace(/<(style|script)\b[\s\S]*?<\/\1>/g, '');

function withStyles(html: string, styles: ReturnType<typeof stylesOf>, shares: string[]): string {
  let text = '';
  let from = 0;
  for (const [index, { start, content }] of styles.entries()) {
    text += html.slice(from, start) + (shares[index] ?? content);
    from = start + content.length;
  }
  return text + html.slice(from);
}

/** Names the styles and inline scripts of this page in its policy, and no others of the site. */
function withPolicy(html: string, shares: string[], scripts: ReturnType<typeof scriptsOf>): string {
  const written = new Set(scripts.map(({ content }) => sha256(content)));
  return html.replace(/<meta http-equiv="content-security-policy"[^>]*>/i, (meta) =>
    meta
      .replace(/(style-src [^;"]*?)(?: 'sha256-[^']+')+/, (_, start: string) =>
        [start, ...new Set(shares.map(sha256))].join(' '),
      )
      .replace(/script-src [^;"]*/, (directive) =>
        directive
          .split(' ')
          .filter((source) => !source.startsWith("'sha256-") || written.has(source))
          .join(' '),
      ),
  );
}

/**
 * Applies a fitter to every page below a folder of built files, one after the other: for thousands
 * of small files, reading and writing without a detour through other threads takes half the time.
 * @returns how many pages there are
 */
export async function fitPages(folder: string, fitter: Fitter): Promise<number> {
  const names = (await readdir(folder, { recursive: true })).filter((name) =>
    name.endsWith('.html'),
  );
  for (const name of names) {
    const file = path.join(folder, name);
    const html = readFileSync(file, 'utf8');
    const fitted = await fitter(html);
    if (fitted !== html) writeFileSync(file, fitted);
  }
  return names.length;
}

/** The Astro integration. */
export function pageStyles(): AstroIntegration {
  return {
    name: 'page-styles',
    hooks: {
      'astro:build:done': async ({ dir, logger }) => {
        const from = performance.now();
        const folder = fileURLToPath(dir);
        const read = (address: string) =>
          readFile(path.join(folder, address), 'utf8').catch(() => '');
        const count = await fitPages(folder, createFitter(read));
        logger.info(`${count} pages in ${Math.round(performance.now() - from)} ms`);
      },
    },
  };
}

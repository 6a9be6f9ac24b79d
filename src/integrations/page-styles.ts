/**
 * Leaves in each built page the styles that the page can use, in one element and with short names.
 * Tailwind writes one sheet for all reading pages, and it is sent inside each of them; most of it
 * belongs to other pages.
 *
 * Pages with islands keep theirs whole: what React will draw is not in their HTML.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration, AstroPrerenderer } from 'astro';
import { fitSheets, namesAskedFor, readSheet, type Sheet } from './fit-styles.ts';
import {
  attributeIn,
  customProperties,
  importsOf,
  mayAdd,
  type Piece,
  readPage,
  type ScriptWords,
  wordsOfScript,
} from './page-names.ts';
import { type Names, shortNames, shortProperties } from './short-names.ts';

const sha256 = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

interface Read {
  id: number;
  sheet: Sheet;
  /** What its selectors ask for; only these names of a page matter. */
  names: readonly string[];
  /** The custom properties that it sets or asks for. */
  properties: ReadonlySet<string>;
}

/** A script, by a number of its own. */
interface Script {
  id: number;
  code: string;
  words: ScriptWords;
}

/** What is the same for all pages with the same sheets and scripts. */
interface Kind {
  sheets: readonly Sheet[];
  scripts: readonly Script[];
  /** Names that a selector asks for and no script puts there: a page has them or not. */
  asked: readonly string[];
  /** Custom properties of its sheets, and what its scripts name of such. */
  properties: ReadonlySet<string>;
  outside: readonly string[];
  names: Names;
  shares: Map<string, Share>;
}

/** The styles of pages that know the same names. */
interface Share {
  styles: string;
  hash: string;
}

/** A function of a page's HTML that gives it with its share of the styles. */
export type Fitter = (html: string) => Promise<string>;

/** A line that ends after a block of Markdown, before the next one: nobody sees it. */
const BETWEEN_BLOCKS =
  /(<\/?(?:p|h[1-6]|ul|ol|li|table|thead|tbody|tr|th|td)(?: [^<>]*)?>)\n(?=<)/g;

/** What stands for a sheet in the pages until they are fitted. */
const STAND_IN = /\/\*sheet (\d+)\*\//g;

/**
 * Keeps sheets out of pages while these are drawn: a sheet is some 70 kB, of which a page would be made,
 * hashed for its policy, encoded and decoded, only for a few to be left.
 */
export function standIns() {
  const sheets: string[] = [];
  return {
    /** A short text for a sheet. */
    of(css: string): string {
      const known = sheets.indexOf(css);
      return `/*sheet ${known === -1 ? sheets.push(css) - 1 : known}*/`;
    },
    /** A text with the sheets in the places of what stood for them. */
    undone: (text: string) =>
      text.replace(STAND_IN, (_, index: string) => sheets[Number(index)] ?? ''),
  };
}
type StandIns = ReturnType<typeof standIns>;

/**
 * Makes the function for the pages of one build.
 * @param read gives the text of a script of the site by its path, `/_astro/x.js`
 * @param sheetsOf gives the sheets that something stands for in pages
 */
export function createFitter(
  read: (address: string) => Promise<string>,
  { undone }: Pick<StandIns, 'undone'> = { undone: (text) => text },
): Fitter {
  const sheets = new Map<string, Read>();
  const codes = new Map<string, Promise<string>>();
  const scripts = new Map<string, Script>();
  const kinds = new Map<string, Kind>();
  const hashes = new Map<string, string>();
  const namesFor = shortNames();
  const withShortProperties = shortProperties();

  function sheetOf(css: string): Read {
    const before = sheets.get(css);
    if (before) return before;
    const text = undone(css);
    const sheet = readSheet(text);
    const made = {
      id: sheets.size,
      sheet,
      names: [...namesAskedFor(sheet)],
      properties: new Set(customProperties(text)),
    };
    sheets.set(css, made);
    return made;
  }

  /** The code of a script and of all that it imports. */
  function codeOf(address: string, seen: Set<string> = new Set()): Promise<string> {
    seen.add(address);
    const before = codes.get(address);
    if (before) return before;
    const made = read(address).then(async (code) => {
      const next = importsOf(code).map((each) => new URL(each, `http://x${address}`).pathname);
      const more = next.filter((each) => each.endsWith('.js') && !seen.has(each));
      const rest = await Promise.all(more.map((each) => codeOf(each, seen)));
      return [code, ...rest].join('\n');
    });
    codes.set(address, made);
    return made;
  }

  function scriptOf(code: string): Script {
    const before = scripts.get(code);
    if (before) return before;
    const made = { id: scripts.size, code, words: wordsOfScript(code) };
    scripts.set(code, made);
    return made;
  }

  function kindOf(own: readonly Read[], used: readonly Script[]): Kind {
    const key = [own, used].map((all) => all.map(({ id }) => id).join()).join(' ');
    const before = kinds.get(key);
    if (before) return before;
    const adds = (name: string) => used.some(({ words }) => mayAdd(words, name));
    const kind: Kind = {
      sheets: own.map(({ sheet }) => sheet),
      scripts: used,
      asked: [...new Set(own.flatMap(({ names }) => names))].filter((name) => !adds(name)),
      properties: new Set(own.flatMap(({ properties }) => [...properties])),
      outside: used.flatMap(({ code }) => customProperties(code)),
      names: namesFor(
        own.map(({ sheet }) => sheet),
        (name) => adds(name) || used.some(({ code }) => code.includes(`.${name}`)),
      ),
      shares: new Map(),
    };
    kinds.set(key, kind);
    return kind;
  }

  /** Pages with the same names have the same share: it is made once for all of them. */
  function shareOf(kind: Kind, inPage: Set<string>, properties: Set<string>): Share {
    const present = kind.asked.filter((name) => inPage.has(name));
    const outside = [...properties].filter((name) => kind.properties.has(name));
    const key = `${present.join(' ')} ${outside.join(' ')}`;
    const before = kind.shares.get(key);
    if (before) return before;
    const has = (name: string) =>
      inPage.has(name) || kind.scripts.some(({ words }) => mayAdd(words, name));
    const known = [...outside, ...kind.outside];
    const fitted = fitSheets(kind.sheets, has, known, kind.names.inSelector);
    const styles = withShortProperties(fitted.join(''), known);
    const share = { styles, hash: sha256(styles) };
    kind.shares.set(key, share);
    return share;
  }

  /** A page with all of its styles. */
  function whole(html: string): string {
    let made = undone(html);
    if (made === html) return html;
    for (const { content } of readPage(html).styles) {
      const css = undone(content);
      if (css === content) continue;
      // Astro names those in the policy that some page has whole.
      const named = made.includes(hashOf(css));
      made = made.replace(
        named ? ` ${hashOf(content)}` : hashOf(content),
        named ? '' : hashOf(css),
      );
    }
    return made;
  }

  function hashOf(script: string): string {
    const hash = hashes.get(script) ?? sha256(script);
    hashes.set(script, hash);
    return hash;
  }

  return async (drawn) => {
    if (drawn.includes('<astro-island')) return whole(drawn);
    const html = drawn.replace(BETWEEN_BLOCKS, '$1');
    const page = readPage(html);
    if (page.styles.length === 0) return html;
    const running = await Promise.all(
      page.scripts.map(({ attributes, content }) => {
        const address = attributeIn(attributes, 'src');
        return address?.startsWith('/') ? codeOf(address) : content;
      }),
    );
    const own = page.styles.map(({ content }) => sheetOf(content));
    const kind = kindOf(own, [...new Set(running)].map(scriptOf));
    const share = shareOf(kind, page.names, page.properties);

    const last = page.styles.at(-1);
    const changes: Change[] = page.styles.map((style) => ({
      ...style,
      by: style === last ? `<style>${share.styles}</style>` : '',
    }));
    if (page.policy) {
      const written = new Set(page.scripts.map(({ content }) => hashOf(content)));
      changes.push({ ...page.policy, by: policy(page.policy.text, share, written) });
    }
    for (const each of page.classes) {
      const by = kind.names.inAttribute(each.text);
      if (by !== each.text) changes.push({ ...each, by });
    }
    return changed(html, changes);
  };
}

/** A piece and what stands in its place. */
type Change = Piece & { by: string };

/** A text with pieces of it replaced. */
function changed(text: string, changes: readonly Change[]): string {
  let made = '';
  let from = 0;
  for (const { text: before, start, by } of changes.toSorted((a, b) => a.start - b.start)) {
    made += text.slice(from, start) + by;
    from = start + before.length;
  }
  return made + text.slice(from);
}

/** The policy of a page, which names its styles and inline scripts and no others of the site. */
const policy = (meta: string, share: Share, scripts: ReadonlySet<string>): string =>
  meta
    .replace(/(style-src [^;"]*?)(?: 'sha256-[^']+')+/, (_, start: string) =>
      [start, share.hash].join(' '),
    )
    .replace(/script-src [^;"]*/, (directive) =>
      directive
        .split(' ')
        .filter((source) => !source.startsWith("'sha256-") || scripts.has(source))
        .join(' '),
    );

/** What Astro's own way to draw has beside what it promises; left alone where it has it no more. */
interface App {
  /** Whether a page is sent piece by piece. */
  resolveStreaming?: unknown;
}

/** What Astro knows of the styles of a page. */
type Page =
  Parameters<NonNullable<AstroIntegration['hooks']['astro:build:setup']>>[0]['pages'] extends Map<
    string,
    infer One
  >
    ? One
    : never;

/**
 * What draws pages, made quicker for thousands of them. A page is made as one text, and not in pieces
 * for whoever waits for it, which Astro does for a site that also has pages that are asked for. And
 * something stands for each sheet.
 */
export function lighter(
  drawn: AstroPrerenderer & { app?: App },
  pages: Iterable<Page>,
  sheets: Pick<StandIns, 'of'>,
): AstroPrerenderer {
  const before = new Map<Page, Page['styles']>();
  return {
    name: drawn.name,
    getStaticPaths: () => drawn.getStaticPaths(),
    render: (request, options) => drawn.render(request, options),
    async setup() {
      await drawn.setup?.();
      if (drawn.app?.resolveStreaming) drawn.app.resolveStreaming = () => false;
      for (const page of pages) {
        if (!page.route.prerender) continue;
        before.set(page, page.styles);
        page.styles = page.styles.map((style) => {
          const { sheet } = style;
          // Astro puts sheets together by whether they import others.
          if (sheet.type !== 'inline' || sheet.content.includes('@import')) return style;
          return { ...style, sheet: { ...sheet, content: sheets.of(sheet.content) } };
        });
      }
    },
    async teardown() {
      for (const [page, styles] of before) page.styles = styles;
      await drawn.teardown?.();
    },
  };
}

/**
 * Fits pages as they are drawn, before they are written: a page with all styles in it is never on disk.
 * One after the other, in the order in which they are asked for, however long each takes to draw, so
 * that the same site has the same short names.
 */
export function fitting(drawn: AstroPrerenderer, fitter: Fitter): AstroPrerenderer {
  let before: Promise<unknown> = Promise.resolve();
  return {
    ...drawn,
    render(request, options) {
      const earlier = before;
      const page = (async () => {
        const result = await drawn.render(request, options);
        const { response, ...rest } = result instanceof Response ? { response: result } : result;
        const isPage = response.headers.get('content-type')?.startsWith('text/html');
        if (!isPage || !response.body) return result;
        const html = await response.text();
        await earlier;
        const { status, headers } = response;
        return { ...rest, response: new Response(await fitter(html), { status, headers }) };
      })();
      // What went wrong with one is said of that one; and nothing of a page is kept.
      before = Promise.allSettled([earlier, page]).then(() => undefined);
      return page;
    },
  };
}

/**
 * Astro leaves it to whoever sets what built pages are drawn by to say what that begins with, and drops
 * what the configuration says. This is what it takes by itself.
 */
function entryOfPrerendering() {
  return {
    name: 'entry-of-prerendering',
    configEnvironment: (name: string) =>
      name === 'prerender'
        ? { build: { rolldownOptions: { input: 'astro/entrypoints/prerender' } } }
        : null,
  };
}

/** The Astro integration. */
export function pageStyles(): AstroIntegration {
  let client = '';
  let pages: ReadonlyMap<string, Page> = new Map();
  /** What a page loads from elsewhere, such as /insights/script.js, is not in the folder. */
  const read = (address: string) =>
    readFile(path.join(client, address), 'utf8').catch((error: unknown) => {
      if (address.startsWith('/_astro/')) throw error;
      return '';
    });
  return {
    name: 'page-styles',
    hooks: {
      'astro:config:setup': ({ command, updateConfig }) => {
        if (command === 'build') updateConfig({ vite: { plugins: [entryOfPrerendering()] } });
      },
      'astro:config:done': ({ config }) => {
        client = fileURLToPath(config.build.client);
      },
      'astro:build:start': ({ setPrerenderer }) => {
        const sheets = standIns();
        setPrerenderer((drawn) =>
          fitting(lighter(drawn, pages.values(), sheets), createFitter(read, sheets)),
        );
      },
      'astro:build:setup': (setup) => {
        if (setup.target === 'server') pages = setup.pages;
      },
    },
  };
}

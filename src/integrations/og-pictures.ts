/** Renders the Open Graph images that built pages reference, with text read from each page. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AstroIntegration } from 'astro';
import { parse } from 'yaml';
import { type CardChart, type CardWords, cardMaker } from './og-card.ts';

/** The text that every image shows; from content/site.yaml. */
interface Site {
  product: string;
  tagline: string;
}

/** Other inputs to how a card looks. A change to one of these files redraws every card. */
const DRAWN_WITH = [
  'package-lock.json',
  'src/integrations/card-colors.ts',
  'src/integrations/og-card.ts',
  'src/lib/files/token-colors.ts',
  'src/styles/fonts/figtree-cards.woff2',
  'src/styles/fonts/fraunces-headings.woff2',
  'src/styles/tokens.css',
  'src/ui/drawings/shapes.ts',
];

/** Enough to keep two cores busy: while one is laid out, sharp's threads encode others as PNG. */
const AT_ONCE = 4;

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&#38;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
};
const decoded = (text: string) => text.replace(/&(?:\w+|#\d+);/g, (each) => ENTITIES[each] ?? each);

const propertyIn = (html: string, name: string) =>
  new RegExp(`<meta property="${name}" content="([^"]*)"`).exec(html)?.[1];

/** A page's own image: `/og/pricing.png` for `/pricing`, `/og/home.png` for `/`. */
const pictureOf = (page: string) => `/og${page === '/' ? '/home' : page}.png`;

/** Maps each referenced image to the page that owns it, or else to the first one referencing it. */
async function namedIn(client: string): Promise<Map<string, string>> {
  const named = new Map<string, string>();
  const owned = new Set<string>();
  const names = (await readdir(client, { recursive: true })).filter((name) =>
    name.endsWith('.html'),
  );
  for (const name of names.sort()) {
    const file = path.join(client, name);
    const html = readFileSync(file, 'utf8');
    const picture = /\/og\/[\w/-]+\.png$/.exec(propertyIn(html, 'og:image') ?? '')?.[0];
    if (!picture || owned.has(picture)) continue;
    const own = pictureOf(`/${name.replace(/\/?(index)?\.html$/, '')}`) === picture;
    if (own) owned.add(picture);
    if (own || !named.has(picture)) named.set(picture, file);
  }
  return named;
}

/** The kinds of pages whose pictures show their first chart. */
const CHARTED = ['Article', 'Case study', 'Guide'];
const MOST_ROWS = 4;

const textOf = (html: string) =>
  decoded(html.replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trim();

/** The first chart of bars in a built page: of a figure before and after, or of several values. */
export function chartIn(html: string): CardChart | undefined {
  const [, table = ''] =
    /<table class="(?:before-after|bar-table)[^"]*">(.*?)<\/table>/s.exec(html) ?? [];
  const title = textOf(/<caption[^>]*>(.*?)<\/caption>/s.exec(table)?.[1] ?? '');
  const rows = [...table.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => {
    const bar =
      /<rect(?: x="([\d.]+)")? width="([\d.]+)" height="10" class="fill-(leaf|edge|clay)"/.exec(
        row,
      );
    const cell = row.slice(row.lastIndexOf('<td'));
    return {
      label: textOf(/<th[^>]*>(.*?)<\/th>/s.exec(row)?.[1] ?? ''),
      value: textOf(cell),
      x: Number(bar?.[1] ?? 0),
      width: Number(bar?.[2] ?? 0),
      fill: bar?.[3] ?? 'leaf',
    };
  });
  return rows.length > 0 && rows.length <= MOST_ROWS ? { title, rows } : undefined;
}

function wordsFor(site: Site, areas: { name: string; position: number }[]) {
  return (html: string): CardWords => {
    const title = decoded(propertyIn(html, 'og:title') ?? site.product);
    // The page kind from the search filter, and the markup between that and the heading.
    const [, kind = 'Page', head = ''] =
      /data-pagefind-filter="kind:([^"]*)"(.*?)<h1/s.exec(html) ?? [];
    const above = decoded(/<p class="eyebrow[^"]*">([^<]*)</.exec(head)?.[1]?.trim() ?? '');
    const about = kind === 'Article' || kind === 'Case study' || kind === 'Tool' ? above : '';
    const area = areas.find(({ name }) => about === name || about.endsWith(`: ${name}`))?.position;
    const eyebrow = kind === 'Page' ? '' : above || kind;
    // The home page's title is the tagline already, so don't show it twice.
    const tagline = title === site.tagline ? '' : site.tagline;
    const chart = CHARTED.includes(kind) ? chartIn(html) : undefined;
    const drawn = { ...(area && { area }), ...(chart && { chart }) };
    return { title, eyebrow, product: site.product, tagline, ...drawn };
  };
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of DRAWN_WITH) hash.update(await readFile(path.join(root, file)));
  return hash.digest('hex');
}

/** Caches images by a hash of everything that affects them. A read-only folder is left as it is. */
async function openCache(folder: string) {
  const kept = new Set(await readdir(folder).catch(() => []));
  const used = new Set<string>();
  const writable = await mkdir(folder, { recursive: true }).then(
    () => true,
    () => false,
  );
  return {
    find(name: string): Promise<Buffer | undefined> {
      used.add(name);
      if (!kept.has(name)) return Promise.resolve(undefined);
      return readFile(path.join(folder, name)).catch(() => undefined);
    },
    async keep(name: string, picture: Buffer): Promise<void> {
      if (!writable) return;
      // Write to a temporary name first, so that a parallel build never reads half a file.
      const half = path.join(folder, `${name}.${process.pid}`);
      await writeFile(half, picture)
        .then(() => rename(half, path.join(folder, name)))
        .catch(() => undefined);
    },
    /** Removes entries that this build didn't use. */
    async tidy(): Promise<void> {
      const old = [...kept].filter((name) => !used.has(name));
      await Promise.all(
        old.map((name) => rm(path.join(folder, name), { force: true }).catch(() => undefined)),
      );
    },
  };
}

/**
 * Renders every image that built pages reference and that isn't in the output folder yet.
 * @param root the project whose fonts and colors to use
 * @returns how many images there are, and how many were drawn rather than cached
 */
export async function drawPictures(options: {
  client: string;
  root: string;
  site: Site;
  cacheFolder?: string;
}): Promise<{ named: number; drawn: number }> {
  const { client, root, site } = options;
  const named = await namedIn(client);
  const areas = parse(await readFile(path.join(root, 'content/quiz/areas.yaml'), 'utf8'));
  const words = wordsFor(site, areas);
  const cache = await openCache(options.cacheFolder ?? path.join(root, 'node_modules/.cache/og'));
  const made = await fingerprint(root);
  let draw: ReturnType<typeof cardMaker> | undefined;
  let drawn = 0;

  async function place(picture: string, page: string): Promise<void> {
    const file = path.join(client, picture);
    if (existsSync(file)) return;
    const card = words(readFileSync(page, 'utf8'));
    const key = createHash('sha256').update(made).update(JSON.stringify(card)).digest('hex');
    let bytes = await cache.find(`${key}.png`);
    if (!bytes) {
      draw ??= cardMaker(root);
      bytes = await draw(card);
      drawn += 1;
      await cache.keep(`${key}.png`, bytes);
    }
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  }

  // All workers take from this one iterator.
  const left = named.entries();
  const turns = Array.from({ length: AT_ONCE }, async () => {
    for (const [picture, page] of left) await place(picture, page);
  });
  await Promise.all(turns);
  await cache.tidy();
  return { named: named.size, drawn };
}

export function ogPictures(site: Site): AstroIntegration {
  let root = process.cwd();
  return {
    name: 'og-pictures',
    hooks: {
      'astro:config:done': ({ config }) => {
        root = fileURLToPath(config.root);
      },
      'astro:build:done': async ({ dir, logger }) => {
        const from = performance.now();
        const { named, drawn } = await drawPictures({ client: fileURLToPath(dir), root, site });
        const took = Math.round(performance.now() - from);
        logger.info(`${named} pictures, ${drawn} of them drawn, in ${took} ms`);
      },
    },
  };
}

/** Whether what programs read beside the pages is whole and agrees with them. */
import sharp from 'sharp';
import { isErrorPage } from '#lib/routes.ts';
import { all, leadsSomewhere, one, type Site, wordsOf } from './built-site.ts';

function readJson(site: Site, file: string): Record<string, unknown> | null {
  try {
    const data: unknown = JSON.parse(site.read(file).toString());
    return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Words as they are compared: without quotes and dashes that a page sets more finely. */
const plain = (text: string) =>
  text
    .replace(/[‘’'“”"–—-]/g, '')
    .replace(/\s+/g, ' ')
    .trim();

/** What of a `_payload.json` does not fit the page beside it. */
export function payloadDefects(site: Site, file: string): string[] {
  const payload = readJson(site, file);
  if (!payload) return [`${file}: is no JSON object`];
  const defects: string[] = [];
  const say = (defect: string) => defects.push(`${file}: ${defect}`);
  const folder = file.replace(/\/_payload\.json$/, '') || '/';
  const page = site.pages.get(folder);
  if (!page) return [`${file}: stands beside no page`];
  if (payload.path !== folder) say(`is of ${payload.path}`);
  for (const name of ['collection', 'id', 'data', 'headings', 'words']) {
    if (payload[name] === undefined) say(`has no ${name}`);
  }
  const { title } = (payload.data ?? {}) as { title?: unknown };
  const head = [...all(page, 'title'), ...all(page, 'h1')].map(wordsOf).map(plain).join('\n');
  if (typeof title !== 'string' || !head.includes(plain(title))) say(`has another title: ${title}`);
  const onPage = new Set(all(page, 'h2, h3, h4').map(wordsOf).map(plain));
  for (const { text } of (payload.headings ?? []) as { text: string }[]) {
    if (!onPage.has(plain(text))) say(`has a heading that the page has not: ${text}`);
  }
  return defects;
}

/** Pages that programs find nothing of beside them; those that only lead on have no words. */
export function pagesWithoutPayload(site: Site): string[] {
  return [...site.pages.values()]
    .filter(({ path, leadsOn }) => !leadsOn && !isErrorPage(path))
    .map(({ path }) => path)
    .filter((path) => !site.files.has(`${path === '/' ? '' : path}/_payload.json`));
}

/** What of the names of the build does not fit the pages. */
export function buildDefects(site: Site): string[] {
  const latest = readJson(site, '/builds/latest.json');
  const id = typeof latest?.id === 'string' ? latest.id : '';
  const file = `/builds/meta/${id}.json`;
  const meta = site.files.has(file) ? readJson(site, file) : null;
  if (!meta) return [`/builds/latest.json: names ${id || 'no build'}, of which nothing is known`];
  const defects: string[] = [];
  if (meta.id !== id || meta.timestamp !== latest?.timestamp) {
    defects.push(`${file}: is of another build than /builds/latest.json`);
  }
  const named = new Set(Array.isArray(meta.prerendered) ? meta.prerendered : []);
  const pages = [...site.pages.values()].filter(({ leadsOn }) => !leadsOn);
  for (const page of pages) {
    if (!named.has(page.path)) defects.push(`${file}: does not name ${page.path}`);
    const said = one(page, 'meta[name="build"]', 'content');
    if (said !== id) defects.push(`${page.file}: is of the build ${said}, not ${id}`);
  }
  for (const path of named) {
    if (!site.pages.has(String(path))) defects.push(`${file}: names ${path}, which is no page`);
  }
  return defects;
}

interface Icon {
  src?: string;
  sizes?: string;
  type?: string;
}

/** What is wrong with what a browser needs to keep the site on a home screen. */
export async function manifestDefects(site: Site, file = '/manifest.webmanifest') {
  const manifest = readJson(site, file);
  if (!manifest) return [`${file}: is no JSON object`];
  const defects = ['name', 'short_name', 'start_url', 'display', 'icons']
    .filter((name) => !manifest[name])
    .map((name) => `${file}: has no ${name}`);
  if (!leadsSomewhere(site, String(manifest.start_url ?? ''))) {
    defects.push(`${file}: starts at ${manifest.start_url}, which leads nowhere`);
  }
  for (const { src = '', sizes = '', type } of (manifest.icons ?? []) as Icon[]) {
    const picture = site.files.has(src)
      ? await sharp(site.read(src))
          .metadata()
          .catch(() => null)
      : null;
    const has = picture && `${picture.width}x${picture.height}`;
    const format = picture?.format === 'svg' ? 'svg+xml' : picture?.format;
    if (!has || (sizes !== 'any' && sizes !== has) || type !== `image/${format}`) {
      defects.push(`${file}: ${src} is no ${type} of ${sizes}`);
    }
  }
  return defects;
}

/** Checks that pages are valid HTML and have the metadata they need. */
import { type ConfigData, HtmlValidate, type Message, StaticConfigLoader } from 'html-validate';
import { all, attribute, one, type Page, type Site, wordsOf } from './built-site.ts';

const config: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // The standard allows either form, and React and Astro differ.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'doctype-style': 'off',
    'void-style': 'off',
    // The standard defines a default type.
    'no-implicit-input-type': 'off',
    // CSS decides where lines break.
    'tel-non-breaking': 'off',
    // Search results cut off longer ones.
    'long-title': ['error', { maxlength: 59 }],
    // HTML5 allows an id to start with a digit, as a numbered heading’s id does.
    'valid-id': ['error', { relaxed: true }],
    // When two landmarks share a name, only one is visible at any window width. axe takes that into
    // account and checks for duplicates (tests/e2e/shell/every-page.spec.ts).
    'unique-landmark': 'off',
    // ui/Progress.tsx draws its bar with SVG instead of using `<progress>`.
    'prefer-native-element': ['error', { exclude: ['progressbar'] }],
    // Calculators update as people type, so their forms have no submit button.
    'wcag/h32': 'off',
    // The site hosts all its scripts, and their file names contain content hashes.
    'require-sri': 'off',
    'no-inline-style': 'error',
    // The only custom elements are Astro's, around React islands.
    'no-unknown-elements': ['error', { exclude: ['astro-island', 'astro-slot'] }],
    'no-unknown-attributes': 'error',
  },
};

const validator = new HtmlValidate(new StaticConfigLoader(config));

/** Whether it's the style that Astro adds before the first island, even where HTML forbids one. */
const isOfAstro = ({ ruleId, message, offset }: Message, html: string) =>
  ruleId === 'element-permitted-content' &&
  message.startsWith('<style>') &&
  html.slice(offset - 1).startsWith('<style>astro-island,');

/** The rule doesn't know SVG attributes, RDFa's `property`, or `media` on `theme-color`. */
const isKnown = ({ ruleId, message }: Message) =>
  ruleId === 'no-unknown-attributes' &&
  (message.includes('on <svg> element') || /"(property|media)" .* on <meta>/.test(message));

/** Lists a page's HTML errors, one message each. */
export async function markupDefects({ file, html }: Page): Promise<string[]> {
  const { results } = await validator.validateString(html, file);
  return results
    .flatMap(({ messages }) => messages)
    .filter((message) => !isOfAstro(message, html) && !isKnown(message))
    .map(
      ({ ruleId, message, line, column, selector }) =>
        `${file}:${line}:${column} ${ruleId}: ${message} (${selector ?? 'document'})`,
    );
}

/** Lists metadata that's missing or wrong on a page. */
export function headDefects(page: Page, origin: string): string[] {
  const defects: string[] = [];
  const say = (defect: string) => defects.push(`${page.file}: ${defect}`);
  const headings = all(page, 'h1').length;
  if (headings !== 1) say(`has ${headings} h1`);
  if (!/^[a-z]{2}(-[A-Z]{2})?$/.test(one(page, 'html', 'lang') ?? '')) say('has no lang');
  const titles = all(page, 'head > title');
  if (titles.length !== 1 || titles.every((title) => wordsOf(title) === '')) say('has no title');
  if (page.leadsOn) return defects;

  if (!one(page, 'meta[name="viewport"]', 'content')?.includes('width=device-width')) {
    say('has no viewport');
  }
  if (/maximum-scale|user-scalable/.test(one(page, 'meta[name="viewport"]', 'content') ?? '')) {
    say('cannot be enlarged');
  }
  if (!one(page, 'meta[name="description"]', 'content')?.trim()) say('has no description');
  if (page.hidden) {
    if (one(page, 'link[rel="canonical"]', 'href')) say('is hidden and canonical');
    return defects;
  }
  const own = new URL(page.path, origin).href;
  for (const [selector, name] of [
    ['link[rel="canonical"]', 'href'],
    ['meta[property="og:url"]', 'content'],
  ] as const) {
    const said = one(page, selector, name);
    if (said !== own) say(`${selector} is ${said}, not ${own}`);
  }
  for (const property of ['og:title', 'og:description', 'og:site_name', 'og:type', 'og:image']) {
    if (!one(page, `meta[property="${property}"]`, 'content')) say(`has no ${property}`);
  }
  return defects;
}

/** Lists titles and descriptions that several indexable pages share. */
export function sharedWords(site: Site): string[] {
  const seen = new Map<string, string>();
  const defects: string[] = [];
  const look = (page: Page, kind: string, words: string) => {
    const before = seen.get(`${kind} ${words}`);
    if (before) defects.push(`${page.file} has the ${kind} of ${before}: ${words}`);
    else seen.set(`${kind} ${words}`, page.file);
  };
  for (const page of site.pages.values()) {
    if (page.hidden) continue;
    for (const title of all(page, 'head > title')) look(page, 'title', wordsOf(title));
    for (const each of all(page, 'meta[name="description"]')) {
      look(page, 'description', attribute(each, 'content') ?? '');
    }
  }
  return defects;
}

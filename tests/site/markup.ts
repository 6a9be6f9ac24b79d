/** Whether pages are written as the HTML standard has it, and say of themselves what they must. */
import { type ConfigData, HtmlValidate, type Message, StaticConfigLoader } from 'html-validate';
import { all, attribute, one, type Page, type Site, wordsOf } from './built-site.ts';

const config: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // The standard takes either case and either style; React and Astro each write their own.
    'attr-case': 'off',
    'attribute-boolean-style': 'off',
    'doctype-style': 'off',
    'void-style': 'off',
    // The standard has a default for it.
    'no-implicit-input-type': 'off',
    // Where a line breaks is the styles' affair.
    'tel-non-breaking': 'off',
    // Search results cut off longer ones.
    'long-title': ['error', { maxlength: 59 }],
    // An id may begin with a digit since HTML 5; a heading that is counted has such a one.
    'valid-id': ['error', { relaxed: true }],
    // Of two that have the same name only one is ever shown, by the width of the window; axe, which
    // knows what is shown, looks for the same (stories: every-page).
    'unique-landmark': 'off',
    // A bar of eight steps that are drawn one by one; its role says what it is.
    'prefer-native-element': ['error', { exclude: ['progressbar'] }],
    // Calculators answer while one types: there is nothing to send.
    'wcag/h32': 'off',
    // All scripts are this site's own, under names that are fingerprints of what is in them.
    'require-sri': 'off',
    'no-inline-style': 'error',
    // Custom elements are all of React's islands.
    'no-unknown-elements': ['error', { exclude: ['astro-island', 'astro-slot'] }],
    'no-unknown-attributes': 'error',
  },
};

const validator = new HtmlValidate(new StaticConfigLoader(config));

/** Astro writes this one style before the first island of a page, wherever that stands. */
const isOfAstro = ({ ruleId, message, offset }: Message, html: string) =>
  ruleId === 'element-permitted-content' &&
  message.startsWith('<style>') &&
  html.slice(offset - 1).startsWith('<style>astro-island,');

/** What the rule does not know: attributes of SVG, those of RDFa, and `media` beside `theme-color`. */
const isKnown = ({ ruleId, message }: Message) =>
  ruleId === 'no-unknown-attributes' &&
  (message.includes('on <svg> element') || /"(property|media)" .* on <meta>/.test(message));

/** What is not valid in the markup of a page, a sentence each. */
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

/** What a page does not say of itself, or says wrongly. */
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

/** Titles and descriptions that more than one page has, of those that may be found. */
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

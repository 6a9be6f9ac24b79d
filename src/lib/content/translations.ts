/** Which pages have a translation, and their texts. For prerendered pages. */
import { getCollection } from 'astro:content';
import { DEFAULT_LANGUAGE, LANGUAGES, type Language, TRANSLATIONS } from '#domain/language.ts';
import { addressIn, splitAddress } from '../routing/languages.ts';
import { headerLinks, type NavLink } from '../routing/navigation.ts';
import { words } from './entries.ts';
import { readTranslated, sayIn } from './words.ts';

/** The address of the first look. */
export const FIRST_LOOK = '/pages/business-skills-quiz';

/** A page in another language. */
export interface Translation {
  language: Language;
  /** Its name in itself. */
  name: string;
  path: string;
}

/** The translated pages of `content/<language>/pages`, with their slugs. */
export async function translatedPages() {
  const entries = await getCollection('translated-pages');
  return entries.flatMap((entry) => {
    const [folder = '', slug = ''] = entry.id.split('/');
    const language = TRANSLATIONS.find((code) => code === folder);
    if (!language) throw new Error(`content/${folder} isn't a language of src/domain/language.ts.`);
    return { entry, language, slug };
  });
}

/** The English addresses of the pages that each language has. */
async function findTranslated(): Promise<ReadonlyMap<Language, ReadonlySet<string>>> {
  const guides = await translatedPages();
  return new Map(
    TRANSLATIONS.map((code) => {
      const own = guides.filter(({ language }) => language === code);
      return [code, new Set(['/', FIRST_LOOK, ...own.map(({ slug }) => `/pages/${slug}`)])];
    }),
  );
}

let found: ReturnType<typeof findTranslated> | undefined;

/** The same, found once per build. */
function translated() {
  found ??= findTranslated();
  return found;
}

/** The same page in every language it's in, itself included; empty if it's in one. */
export async function translationsOf(address: string): Promise<Translation[]> {
  const { path } = splitAddress(address);
  const codes = [...(await translated())]
    .filter(([, paths]) => paths.has(path))
    .map(([code]) => code);
  if (codes.length === 0) return [];
  return [DEFAULT_LANGUAGE as Language, ...codes].map((language) => ({
    language,
    name: LANGUAGES[language].name,
    path: addressIn(language, path),
  }));
}

/** The header's links: in another language, to the pages that it has. */
export async function headerLinksIn(language: Language): Promise<readonly NavLink[]> {
  if (language === DEFAULT_LANGUAGE) return headerLinks;
  const guides = (await translatedPages()).filter((page) => page.language === language);
  return [
    { href: addressIn(language, '/'), label: sayIn(language)('Home') },
    ...guides.map(({ entry, slug }) => ({
      href: addressIn(language, `/pages/${slug}`),
      label: entry.data.menu,
    })),
  ];
}

/** The English texts of a home page with a language's own in their place. */
function overlaid(base: unknown, over: unknown): unknown {
  if (Array.isArray(base)) {
    const own = Array.isArray(over) ? over : [];
    return base.map((each, place) => overlaid(each, own[place]));
  }
  if (typeof base !== 'object' || base === null) return over ?? base;
  const own = Object(over) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(base).map(([name, value]) => [name, overlaid(value, own[name])]),
  );
}

/** Leads the links of a page to their translations. The page says once that the others are in English. */
function localized(value: unknown, language: Language, paths: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => localized(each, language, paths));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => [
    name,
    localized(part, language, paths),
  ]);
  const { href, label, ...rest } = Object.fromEntries(parts);
  if (typeof href !== 'string' || !href.startsWith('/')) return Object.fromEntries(parts);
  return { ...rest, label, href: paths.has(href) ? addressIn(language, href) : href };
}

/**
 * The words of the home page in a language: `content/<language>/home.yaml` has only texts, in the
 * places of the English ones. A test checks that none is missing and that each fits.
 */
export async function homeIn(language: Language) {
  const { data } = await words('home', 'home');
  if (language === DEFAULT_LANGUAGE) return data;
  const own = overlaid(data, readTranslated(language, 'home.yaml'));
  const paths = (await translated()).get(language) ?? new Set();
  return localized(own, language, paths) as typeof data;
}

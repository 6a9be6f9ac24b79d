/** Addresses in other languages: `/es/pages/pricing-a-job` is `/pages/pricing-a-job` in Spanish. */
import { DEFAULT_LANGUAGE, type Language, TRANSLATIONS } from '#domain/language.ts';

/** The language of an address, and its address in English. */
export function splitAddress(path: string): { language: Language; path: string } {
  const language = TRANSLATIONS.find((code) => path === `/${code}` || path.startsWith(`/${code}/`));
  if (!language) return { language: DEFAULT_LANGUAGE, path };
  return { language, path: path.slice(language.length + 1) || '/' };
}

/** The address of an English page's translation. */
export function addressIn(language: Language, path: string): string {
  if (language === DEFAULT_LANGUAGE) return path;
  return `/${language}${path === '/' ? '' : path}`;
}

/** The address of a page that's in the language of its reader, for someone without an account. */
export const askedIn = (language: Language, path: string): string =>
  language === DEFAULT_LANGUAGE ? path : `${path}?language=${language}`;

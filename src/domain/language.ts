/** The languages of the site, and texts in them. */

/**
 * Each language by its BCP 47 code, with its own name and the region whose numbers and dates it
 * uses. Another one is a line here and a folder of that name in `content/`.
 */
export const LANGUAGES = {
  en: { name: 'English', region: 'en-US' },
  es: { name: 'Español', region: 'es-US' },
} as const;
export type Language = keyof typeof LANGUAGES;

/** The language of the code and of `content/`, which pages without a translation are in. */
export const DEFAULT_LANGUAGE = 'en' satisfies Language;

/** The languages that have a folder in `content/`, and addresses that begin with their code. */
export const TRANSLATIONS = (Object.keys(LANGUAGES) as Language[]).filter(
  (language) => language !== DEFAULT_LANGUAGE,
);

/** The language of a code as the database or a cookie has it: English for one without a folder. */
export function languageFrom(code: string | null | undefined): Language {
  return TRANSLATIONS.find((language) => language === code) ?? DEFAULT_LANGUAGE;
}

/** The texts of a part of the site in one language, by their English ones. */
export interface Texts {
  language: Language;
  texts: Readonly<Record<string, string>>;
}

/** What a text leaves to fill in, by the names in braces. */
type Values = Readonly<Record<string, string | number>>;

/**
 * Says a text of the code in the reader's language: `say('{count} of 8', { count })`. Without a
 * translation, it's the English text. Texts are written out where they're said, so that a test finds
 * them and compares them with each language's `words.yaml`.
 */
export type Say = (text: string, values?: Values) => string;

const filled = (text: string, values: Values = {}) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));

/** Says texts as they're written, in English. */
export const inEnglish: Say = filled;

/** Says texts in the language of these; in English if there are none. */
export const sayer = (words: Texts | undefined): Say =>
  words ? (text, values) => filled(words.texts[text] ?? text, values) : inEnglish;

/**
 * The languages that people here speak, by name. Server only: browsers name some of them
 * differently, which would break hydration.
 */

/**
 * BCP 47 codes of the languages most spoken at home in the United States (Census Bureau, ACS 2023),
 * plus Diné and American Sign Language.
 */
const CODES =
  'ar ase bn de en es fa fr gu hi hmn ht hy it ja km ko nv pa pl pt ru so sw ta te th tl uk ur vi yi yue zh'.split(
    ' ',
  );

const names = new Intl.DisplayNames('en-US', { type: 'language' });

/** `sgn` is the code for sign languages in general, which Intl has no name for. */
export const languageName = (code: string): string =>
  code === 'sgn' ? 'Sign language' : (names.of(code) ?? code);

/** The names of the languages most spoken here, by their codes. Looking them up takes 0.2 ms. */
export const languageNames: Readonly<Record<string, string>> = Object.fromEntries(
  CODES.map((code) => [code, languageName(code)]),
);

/**
 * The languages to choose from, as options sorted by name.
 * @param chosen codes the person chose before, which are always included
 */
export function languageOptions(chosen: readonly string[]): { value: string; label: string }[] {
  return [...new Set([...CODES, ...chosen])]
    .map((value) => ({ value, label: languageName(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en-US'));
}

/** Languages by name, in the order given. */
export const languagesNamed = (codes: readonly string[]): string[] => codes.map(languageName);

/**
 * Languages that people here are spoken to in, by their names. For the server: browsers name some of
 * them otherwise, and a page must be drawn alike in both.
 */

/**
 * BCP 47: the languages most spoken at home in the United States (Census Bureau, ACS 2023), Diné and
 * American Sign Language.
 */
const CODES =
  'ar ase bn de en es fa fr gu hi hmn ht hy it ja km ko nv pa pl pt ru so sw ta te th tl uk ur vi yi yue zh'.split(
    ' ',
  );

const names = new Intl.DisplayNames('en-US', { type: 'language' });

/** `sgn` is the code for all sign languages together; Intl has no name for such a group. */
const nameOf = (code: string) => (code === 'sgn' ? 'Sign language' : (names.of(code) ?? code));

/**
 * All that can be chosen, as options by name.
 * @param chosen codes that are always offered, since the person chose them before
 */
export function languageOptions(chosen: readonly string[]): { value: string; label: string }[] {
  return [...new Set([...CODES, ...chosen])]
    .map((value) => ({ value, label: nameOf(value) }))
    .toSorted((a, b) => a.label.localeCompare(b.label, 'en-US'));
}

/** Languages that people here are spoken to in, by their names. */

/** BCP 47: the languages most spoken at home in the United States (Census Bureau, ACS 2023), and Diné. */
const CODES = [
  ...['ar', 'bn', 'de', 'en', 'es', 'fa', 'fr', 'gu', 'hi', 'hmn', 'ht', 'hy', 'it', 'ja', 'km'],
  ...['ko', 'nv', 'pa', 'pl', 'pt', 'ru', 'sgn', 'so', 'sw', 'ta', 'te', 'th', 'tl', 'uk', 'ur'],
  ...['vi', 'yi', 'yue', 'zh'],
];

const names = new Intl.DisplayNames('en-US', { type: 'language' });

/** "Spanish" for `es`; the code itself where nobody knows it. */
export function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}

/** All that can be chosen, by name. */
export const LANGUAGES = CODES.map((code) => ({ value: code, label: languageName(code) })).sort(
  (a, b) => a.label.localeCompare(b.label, 'en-US'),
);

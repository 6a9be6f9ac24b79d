/**
 * Languages that people here are spoken to in, by their names. For the server: browsers name some of
 * them otherwise, and a page must be drawn alike in both.
 */

/** BCP 47: the languages most spoken at home in the United States (Census Bureau, ACS 2023), and Diné. */
const CODES = [
  ...['ar', 'bn', 'de', 'en', 'es', 'fa', 'fr', 'gu', 'hi', 'hmn', 'ht', 'hy', 'it', 'ja', 'km'],
  ...['ko', 'nv', 'pa', 'pl', 'pt', 'ru', 'sgn', 'so', 'sw', 'ta', 'te', 'th', 'tl', 'uk', 'ur'],
  ...['vi', 'yi', 'yue', 'zh'],
];

const names = new Intl.DisplayNames('en-US', { type: 'language' });

/** All that can be chosen, as options by name. */
export const LANGUAGES = CODES.map((code) => ({ value: code, label: names.of(code) ?? code })).sort(
  (a, b) => a.label.localeCompare(b.label, 'en-US'),
);

/**
 * Words per minute of an adult silently reading English. The mean of 190 studies is 238 (Brysbaert
 * 2019, Journal of Memory and Language 109, 104047), rounded down for figures and tables.
 */
const WORDS_A_MINUTE = 230;

/** A cache by text, since an article's time appears on its page and in every list of articles. */
const known = new Map<string, number>();

/** How long a Markdown or MDX text takes to read, in whole minutes, at least one. */
export function readingMinutes(markdown: string): number {
  const before = known.get(markdown);
  if (before !== undefined) return before;
  const prose = markdown
    .replace(/<[^>]*>/g, ' ')
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/[#*_`|>[\]{}-]+/g, ' ');
  const words = prose.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const minutes = Math.max(1, Math.round(words / WORDS_A_MINUTE));
  known.set(markdown, minutes);
  return minutes;
}

/** The reading time in words: "4-minute read". */
export function readingWords(markdown: string): string {
  return `${readingMinutes(markdown)}-minute read`;
}

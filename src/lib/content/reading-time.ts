/**
 * Words a minute of an adult who reads English prose silently; the mean of 190 studies is 238
 * (Brysbaert 2019, Journal of Memory and Language 109, 104047), rounded down for figures and tables.
 */
const WORDS_A_MINUTE = 230;

/** By text: an article's time is shown on its page and in every list of articles. */
const known = new Map<string, number>();

/** How long a text in Markdown or MDX takes to read, in whole minutes, at least one. */
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

/** The same in words: "4-minute read". */
export function readingWords(markdown: string): string {
  return `${readingMinutes(markdown)}-minute read`;
}

/** Finds the URLs in a text, so they can be links. Everything else stays plain text. */

export interface TextPart {
  text: string;
  /** An http or https URL; null for plain text. */
  href: string | null;
}

const ADDRESS = /https?:\/\/[^\s<>"'`\\]+/gi;
/** Characters that end a sentence or a quotation, but rarely a URL. */
const ENDING = '.,;:!?…*_~”’»';
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * Strips trailing punctuation from a URL: in "(see https://a.example/b).", the URL ends before ")".
 * It looks at each character only once, because the text is user input and may be hostile.
 */
function trimmed(found: string): string {
  const counts = new Map<string, number>();
  for (const letter of found) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const many = (letter: string) => counts.get(letter) ?? 0;
  let end = found.length;
  for (; end > 0; end -= 1) {
    const last = found.charAt(end - 1);
    const opening = PAIRS[last];
    const isLoose = opening !== undefined && many(opening) < many(last);
    if (!isLoose && !ENDING.includes(last)) break;
    counts.set(last, many(last) - 1);
  }
  return found.slice(0, end);
}

/** The normalized URL; null if it's invalid, or has a user name or password before the host. */
function hrefOf(text: string): string | null {
  try {
    const url = new URL(text);
    const plain = url.username === '' && url.password === '' && url.hostname !== '';
    return plain && /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** Splits a text into its parts, in order; joined, they're the text again. */
export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const found = trimmed(match[0]);
    const href = hrefOf(found);
    if (href === null) continue;
    if (match.index > at) parts.push({ text: text.slice(at, match.index), href: null });
    parts.push({ text: found, href });
    at = match.index + found.length;
  }
  if (at < text.length) parts.push({ text: text.slice(at), href: null });
  return parts;
}

/** Finds the addresses in a text, so that they can be links. Nothing else of it means anything. */

export interface TextPart {
  text: string;
  /** Only ever http or https. */
  href: string | null;
}

const ADDRESS = /https?:\/\/[^\s<>"'`\\]+/gi;
/** What ends a sentence or a quotation, and hardly an address. */
const ENDING = '.,;:!?…*_~”’»';
const PAIRS: Record<string, string> = { ')': '(', ']': '[', '}': '{' };

/**
 * An address without the sentence around it: "(see https://a.example/b)." has no bracket of its own.
 * Each character is looked at once, because the writer chooses the text.
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

/** The whole address; null if it isn't one, or hides a name and password in front of the host. */
function hrefOf(text: string): string | null {
  try {
    const url = new URL(text);
    const plain = url.username === '' && url.password === '' && url.hostname !== '';
    return plain && /^https?:$/.test(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}

/** The parts of a text in their order; put together they are the text. */
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

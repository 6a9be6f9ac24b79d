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

/** An address without the sentence around it: "(see https://a.example/b)." has no bracket of its own. */
function trimmed(found: string): string {
  let text = found;
  for (;;) {
    const last = text.at(-1) ?? '';
    const opening = PAIRS[last];
    const stray = opening !== undefined && text.split(opening).length < text.split(last).length;
    if (!stray && (last === '' || !ENDING.includes(last))) return text;
    text = text.slice(0, -1);
  }
}

/** The whole address; null where it is none, or hides a name and password in front of the host. */
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

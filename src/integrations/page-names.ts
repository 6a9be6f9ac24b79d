/** What stands in a built page: the names that its elements can be matched by, its styles and scripts. */

/** A tag that begins here. */
const TAG = /<([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/iy;
/** What begins an element whose content is no HTML. */
const RAW = /^<(style|script)\b([^>]*)>$/i;
const ATTRIBUTE = /([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;
const CLASS_ATTRIBUTE = / class="([^"]*)"/;

const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&#38;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&#39;': "'",
};
/** The text that HTML stands for. */
export const decoded = (text: string) =>
  text.includes('&') ? text.replace(/&(?:\w+|#\d+);/g, (each) => ENTITIES[each] ?? each) : text;

/** Whether a script element runs; it may also hold data. */
const runs = (attributes: string) =>
  !/\btype="?(?:application\/|speculationrules)/.test(attributes);

/** The value of an attribute in the text of a tag. */
export const attributeIn = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];

/** The names of custom properties in a tag, a value, a condition or a script. */
export const customProperties = (text: string): string[] =>
  text.match(/--[\w-]+/g)?.map(String) ?? [];

/** What a tag says. */
interface Tag {
  whole: string;
  /** Of an element whose content is no HTML. */
  raw: { name: string; attributes: string } | null;
  isPolicy: boolean;
  names: readonly string[];
  properties: readonly string[];
  /** The value of its class attribute as it is written, and where in the tag that begins. */
  classes: { value: string; at: number } | null;
}

function readTag(whole: string): Tag {
  TAG.lastIndex = 0;
  const [, name = '', attributes = ''] = TAG.exec(whole) ?? [];
  const names = [`<${name.toLowerCase()}`];
  for (const [, attribute = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? '';
    names.push(`[${attribute.toLowerCase()}`);
    if (attribute === 'class') names.push(...decoded(value).split(/\s+/));
    if (attribute === 'id') names.push(`#${decoded(value)}`);
  }
  const classes = CLASS_ATTRIBUTE.exec(whole);
  const raw = RAW.exec(whole);
  return {
    whole,
    raw: raw && { name: (raw[1] ?? '').toLowerCase(), attributes: raw[2] ?? '' },
    isPolicy: whole.includes('http-equiv="content-security-policy"'),
    names,
    properties: customProperties(attributes),
    classes: classes && { value: classes[1] ?? '', at: classes.index + ' class="'.length },
  };
}

/** The tags that were seen before: pages of one site share most of theirs. */
const seen = new Map<string, Tag>();
const SEEN_AT_MOST = 20_000;

/** A piece of a page: its text, and where it begins. */
export interface Piece {
  text: string;
  start: number;
}

/** What a page is made of, as far as its styles care. */
interface PageRead {
  /** What its elements can be known by: `card` of a class, `#main`, `<h1`, `[href`. */
  names: Set<string>;
  /** The custom properties that its attributes name. */
  properties: Set<string>;
  /** Values of class attributes, as they are written. */
  classes: Piece[];
  styles: (Piece & { content: string })[];
  /** Scripts that run. */
  scripts: { attributes: string; content: string }[];
  policy: Piece | null;
}

/** The tag that begins at a place in a page, and where it ends; null where none does. */
function tagAt(html: string, start: number): { tag: Tag; end: number } | null {
  // One that was seen before is known by its text. One with `>` in a value never is, up to there.
  const close = html.indexOf('>', start) + 1;
  const known = seen.get(html.slice(start, close));
  if (known) return { tag: known, end: close };
  TAG.lastIndex = start;
  const length = TAG.exec(html)?.[0].length;
  if (length === undefined) return null;
  const end = start + length;
  const before = seen.get(html.slice(start, end));
  if (before) return { tag: before, end };
  // A copy: a piece of a page would keep all of the page in memory.
  const tag = readTag(Buffer.from(html.slice(start, end)).toString());
  if (seen.size < SEEN_AT_MOST) seen.set(tag.whole, tag);
  return { tag, end };
}

/** Reads a page, in one go: with thousands of them, most of what fitting their styles costs. */
export function readPage(html: string): PageRead {
  const page: PageRead = {
    names: new Set(),
    properties: new Set(),
    classes: [],
    styles: [],
    scripts: [],
    policy: null,
  };
  const here = new Set<Tag>();
  for (let start = html.indexOf('<'); start !== -1; start = html.indexOf('<', start)) {
    // Half of all that begins so is the end of an element.
    const found = html[start + 1] === '/' ? null : tagAt(html, start);
    if (!found) {
      start += 1;
      continue;
    }
    const { tag } = found;
    if (!here.has(tag)) {
      here.add(tag);
      for (const each of tag.names) page.names.add(each);
      for (const each of tag.properties) page.properties.add(each);
    }
    if (tag.classes) page.classes.push({ text: tag.classes.value, start: start + tag.classes.at });
    if (tag.isPolicy) page.policy = { text: html.slice(start, found.end), start };
    let end = found.end;
    const closing = tag.raw ? html.indexOf(`</${tag.raw.name}>`, end) : -1;
    if (tag.raw && closing !== -1) {
      const content = html.slice(end, closing);
      const { name, attributes } = tag.raw;
      end = closing + name.length + 3;
      if (name === 'style') page.styles.push({ text: html.slice(start, end), start, content });
      else if (runs(attributes)) page.scripts.push({ attributes, content });
    }
    start = end;
  }
  return page;
}

/** What a script may put on a page: its words, and the beginnings that it finishes when it runs. */
export interface ScriptWords {
  words: Set<string>;
  /** `button-` of `button-${kind}`. */
  beginnings: string[];
}

/** The words of a script, in which class names, tags and attributes stand as they are written. */
export function wordsOfScript(code: string): ScriptWords {
  const words = new Set(code.split(/[\s"'`]+|\$\{|\}/));
  for (const [, tag = ''] of code.matchAll(/<([a-z][\w-]*)/g)) words.add(tag);
  for (const [, name = ''] of code.matchAll(/\b([a-z][a-z-]*)=\\?["'$]/g)) words.add(name);
  for (const [, name = ''] of code.matchAll(/\bdataset\.(\w+)/g)) {
    words.add(`data-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  }
  return { words, beginnings: [...words].filter((word) => /^[\w-]{2,}-$/.test(word)) };
}

/** Whether a script may put a name on the page that a selector asks for. */
export function mayAdd({ words, beginnings }: ScriptWords, name: string): boolean {
  const bare = /^[#<[]/.test(name) ? name.slice(1) : name;
  return words.has(bare) || beginnings.some((beginning) => bare.startsWith(beginning));
}

/** Addresses of the modules that a module imports, now or later. */
export const importsOf = (code: string): string[] =>
  [...code.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*["'`]([./][^"'`]+)["'`]/g)].map(
    ([, address = '']) => address,
  );

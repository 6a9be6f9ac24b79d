/** What stands in a built page: the names its elements can be matched by, and its scripts. */

/** A `<style>` or `<script>` element: its attributes, its content and where that stands. */
export interface Raw {
  attributes: string;
  content: string;
  start: number;
}

const STYLE = /<style\b([^>]*)>([\s\S]*?)<\/style>/g;
const SCRIPT = /<script\b([^>]*)>([\s\S]*?)<\/script>/g;
const TAG = /<([a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^"'>])*)>/gi;
const ATTRIBUTE = /([^\s"'=/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g;

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

const rawElements = (html: string, pattern: RegExp): Raw[] =>
  [...html.matchAll(pattern)].map(({ 0: whole, 1: attributes = '', 2: content = '', index }) => ({
    attributes,
    content,
    start: index + whole.indexOf('>', attributes.length) + 1,
  }));

export const stylesOf = (html: string): Raw[] => rawElements(html, STYLE);

/** Scripts that run; data in script elements is none. */
export const scriptsOf = (html: string): Raw[] =>
  rawElements(html, SCRIPT).filter(
    ({ attributes }) => !/\btype="?(?:application\/|speculationrules)/.test(attributes),
  );

/** The value of an attribute in the text of a tag. */
export const attributeIn = (attributes: string, name: string): string | undefined =>
  new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1];

/** The names in tags that were seen before: pages of one site share most of theirs. */
const seen = new Map<string, readonly string[]>();
const SEEN_AT_MOST = 20_000;

function namesInTag(tag: string, attributes: string): string[] {
  const names = [`<${tag.toLowerCase()}`];
  for (const [, name = '', double, single, bare] of attributes.matchAll(ATTRIBUTE)) {
    const value = double ?? single ?? bare ?? '';
    names.push(`[${name.toLowerCase()}`);
    if (name === 'class') names.push(...decoded(value).split(/\s+/));
    if (name === 'id') names.push(`#${decoded(value)}`);
  }
  return names;
}

/** The names of a page's elements, as selectors ask for them: `card`, `#main`, `<h1`, `[href`. */
export function namesIn(html: string): Set<string> {
  const names = new Set<string>();
  const markup = html.replace(STYLE, '<style>').replace(SCRIPT, '<script>');
  for (const [whole, tag = '', attributes = ''] of markup.matchAll(TAG)) {
    let own = seen.get(whole);
    if (!own) {
      own = namesInTag(tag, attributes);
      if (seen.size < SEEN_AT_MOST) seen.set(whole, own);
    }
    for (const name of own) names.add(name);
  }
  return names;
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

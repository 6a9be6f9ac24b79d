/**
 * The share of a page's styles that the page can use. A sheet is read once (`readSheet`); `fitSheets`
 * then drops what no element of a page can match, and the custom properties, keyframes and
 * registrations that nothing left asks for. What it cannot judge stays.
 */
import { parse as parseSelector, type Selector } from 'css-what';
import postcss, { type AtRule, type ChildNode, type Declaration, type Rule } from 'postcss';
import { customProperties } from './page-names.ts';

/** What an element can be known by: `card` of a class, `#main`, `<h1`, `[href`. */
export type Has = (name: string) => boolean;

/** Names of which all, or any, must be on the page. */
type Need = string | { any: Need[] } | { all: Need[] };

interface Chosen {
  text: string;
  need: Need;
}

/** A sheet taken apart: what is decided on, and text that stays as it is. */
type Part =
  | { kind: 'text'; text: string }
  | { kind: 'declaration'; text: string; sets: string | null; asks: string[]; moves: string }
  | { kind: 'rule'; selectors: Chosen[]; together: boolean; parts: Part[] }
  | { kind: 'block'; head: string; layer: string | null; asks: string[]; parts: Part[] }
  | { kind: 'keyframes'; name: string; text: string; asks: string[] }
  | { kind: 'registration'; name: string; text: string };

export type Sheet = readonly Part[];

/** Attributes that scripts and browsers set on a page that did not have them. */
const ADDED = /^(aria-.*|data-theme|data-session|open|hidden|inert|disabled|popover)$/;
/** What must be there for a pseudo-element to exist. */
const PSEUDO_ELEMENTS: Record<string, Need> = {
  placeholder: { any: ['<input', '<textarea'] },
  'file-selector-button': '<input',
};
const ONE_OF = new Set(['is', 'where', 'matches', 'has']);
/** A browser that does not know one of a list's selectors drops the whole list. */
const MAY_BE_UNKNOWN = /:-|::(?!before|after|marker|backdrop|placeholder|selection)/;

const ALWAYS: Need = { all: [] };

function needOfStep(step: Selector): Need {
  switch (step.type) {
    case 'tag':
      return `<${step.name.toLowerCase()}`;
    case 'attribute': {
      if (step.name === 'class' && step.action === 'element') return step.value;
      if (step.name === 'id' && step.action === 'equals') return `#${step.value}`;
      const name = step.name.toLowerCase();
      return ADDED.test(name) ? ALWAYS : `[${name}`;
    }
    case 'pseudo':
      return ONE_OF.has(step.name) && Array.isArray(step.data)
        ? { any: step.data.map((steps) => ({ all: steps.map(needOfStep) })) }
        : ALWAYS;
    case 'pseudo-element':
      return PSEUDO_ELEMENTS[step.name] ?? ALWAYS;
    default:
      return ALWAYS;
  }
}

function needOf(selector: string): Need {
  try {
    const [steps = []] = parseSelector(selector.replace(/(?<!\\)&/g, ':scope'));
    return { all: steps.map(needOfStep) };
  } catch {
    return ALWAYS;
  }
}

function isMet(need: Need, has: Has): boolean {
  if (typeof need === 'string') return has(need);
  return 'any' in need
    ? need.any.some((each) => isMet(each, has))
    : need.all.every((each) => isMet(each, has));
}

function* namesOf(need: Need): Generator<string> {
  if (typeof need === 'string') yield need;
  else for (const each of 'any' in need ? need.any : need.all) yield* namesOf(each);
}

function declarationPart(declaration: Declaration): Part {
  const { prop, value } = declaration;
  const own = prop.startsWith('--');
  return {
    kind: 'declaration',
    text: `${prop}:${value}${declaration.important ? '!important' : ''}`,
    sets: own ? prop : null,
    asks: customProperties(value),
    moves: own || prop.startsWith('animation') ? value : '',
  };
}

function rulePart(rule: Rule): Part {
  return {
    kind: 'rule',
    selectors: rule.selectors.map((text) => ({ text, need: needOf(text) })),
    together: MAY_BE_UNKNOWN.test(rule.selector),
    parts: partsOf(rule.nodes),
  };
}

function atRulePart(atRule: AtRule): Part {
  const { name, params, nodes } = atRule;
  const text = atRule.toString();
  if (name === 'property') return { kind: 'registration', name: params, text };
  if (name === 'keyframes')
    return { kind: 'keyframes', name: params, text, asks: customProperties(text) };
  const groups = ['media', 'supports', 'layer', 'container', 'starting-style', 'scope'];
  if (!nodes || !groups.includes(name)) return { kind: 'text', text: nodes ? text : `${text};` };
  const layer = name === 'layer' ? params : null;
  const head = `@${name}${params === '' ? '' : ` ${params}`}`;
  return { kind: 'block', head, layer, asks: customProperties(params), parts: partsOf(nodes) };
}

function partsOf(nodes: readonly ChildNode[]): Part[] {
  return nodes.flatMap((node): Part[] => {
    if (node.type === 'decl') return [declarationPart(node)];
    if (node.type === 'rule') return [rulePart(node)];
    if (node.type === 'atrule') return [atRulePart(node)];
    return [];
  });
}

/** Takes a sheet apart; costs some milliseconds. */
export function readSheet(css: string): Sheet {
  return partsOf(postcss.parse(css).nodes);
}

/** A selector as it is written, with the names that it asks for and the layer that it is in. */
interface Written {
  text: string;
  names: string[];
  layer: string | null;
}

/** Every selector of these parts. */
export function* selectorsOf(parts: Sheet, layer: string | null = null): Generator<Written> {
  for (const part of parts) {
    if (part.kind === 'rule')
      for (const { text, need } of part.selectors) yield { text, names: [...namesOf(need)], layer };
    const within = part.kind === 'block' ? (part.layer ?? layer) : layer;
    if ('parts' in part) yield* selectorsOf(part.parts, within);
  }
}

/** Every name that a selector of these parts asks for. */
export function namesAskedFor(sheet: Sheet): Set<string> {
  return new Set([...selectorsOf(sheet)].flatMap(({ names }) => names));
}

/** The parts whose selectors can match, without empty rules and blocks. */
function matching(parts: readonly Part[], has: Has): Part[] {
  return parts.flatMap((part): Part[] => {
    if (part.kind === 'rule') {
      const met = part.selectors.filter(({ need }) => isMet(need, has));
      if (met.length === 0) return [];
      const selectors = part.together ? part.selectors : met;
      return [{ ...part, selectors, parts: matching(part.parts, has) }];
    }
    if (part.kind === 'block') return [{ ...part, parts: matching(part.parts, has) }];
    return [part];
  });
}

interface Asked {
  properties: Set<string>;
  keyframes: Set<string>;
}

const wordsOf = (text: string) => text.match(/[\w-]+/g) ?? [];

/** Custom properties and keyframes that these parts ask for, directly or by one another. */
function whatIsAsked(sheets: readonly (readonly Part[])[], outside: Iterable<string>): Asked {
  const properties = new Set(outside);
  const moves = new Set<string>();
  const keyframes = new Set<string>();
  const visit = (part: Part) => {
    if (part.kind === 'declaration') {
      if (part.sets !== null && !properties.has(part.sets)) return;
      for (const name of part.asks) properties.add(name);
      for (const word of wordsOf(part.moves)) moves.add(word);
    } else if (part.kind === 'keyframes' && moves.has(part.name)) {
      keyframes.add(part.name);
      for (const name of part.asks) properties.add(name);
    } else if (part.kind === 'block') {
      for (const name of part.asks) properties.add(name);
      part.parts.forEach(visit);
    } else if (part.kind === 'rule') {
      part.parts.forEach(visit);
    }
  };
  // A property may be asked for by one that stands before it: until nothing new is found.
  for (let before = -1; before !== properties.size + moves.size + keyframes.size; ) {
    before = properties.size + moves.size + keyframes.size;
    for (const sheet of sheets) sheet.forEach(visit);
  }
  return { properties, keyframes };
}

/** Gives a selector as a page has it, where classes have other names there. */
export type Rename = (selector: string) => string;

/** Writes what is asked for; a layer that is empty keeps its place among the others. */
function write(parts: readonly Part[], asked: Asked, rename: Rename): string {
  let text = '';
  let open = false;
  for (const part of parts) {
    if (part.kind === 'declaration') {
      if (part.sets !== null && !asked.properties.has(part.sets)) continue;
      text += `${open ? ';' : ''}${part.text}`;
      open = true;
      continue;
    }
    const written = writeBlock(part, asked, rename);
    if (written === '') continue;
    text += `${open ? ';' : ''}${written}`;
    open = false;
  }
  return text;
}

type Block = Exclude<Part, { kind: 'declaration' }>;

function writeBlock(part: Block, asked: Asked, rename: Rename): string {
  switch (part.kind) {
    case 'rule': {
      const inner = write(part.parts, asked, rename);
      const selectors = part.selectors.map(({ text }) => rename(text));
      return inner === '' ? '' : `${selectors.join(',')}{${inner}}`;
    }
    case 'block': {
      const inner = write(part.parts, asked, rename);
      if (inner !== '') return `${part.head}{${inner}}`;
      return part.layer ? `${part.head};` : '';
    }
    case 'keyframes':
      return asked.keyframes.has(part.name) ? part.text : '';
    case 'registration':
      return asked.properties.has(part.name) ? part.text : '';
    default:
      return part.text;
  }
}

/**
 * The sheets of a page without what it cannot use, in their order.
 * @param has whether the page, or a script that it loads, knows a name
 * @param outside custom properties that the page itself or its scripts ask for
 * @param rename where classes have other names on the page
 */
export function fitSheets(
  sheets: readonly Sheet[],
  has: Has,
  outside: Iterable<string>,
  rename: Rename = (selector) => selector,
): string[] {
  const kept = sheets.map((sheet) => matching(sheet, has));
  const asked = whatIsAsked(kept, outside);
  return kept.map((parts) => write(parts, asked, rename));
}

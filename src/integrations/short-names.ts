/**
 * Short names for Tailwind's classes and for custom properties in built pages. A page names some two hundred of them, each in its
 * styles and again in its HTML: with two letters each, it weighs a kilobyte less as it is sent. Classes
 * that we named ourselves (`card`, `prose`) keep their names.
 */
import { type Rename, type Sheet, selectorsOf } from './fit-styles.ts';
import { decoded } from './page-names.ts';

/** Whether something beside the styles of a page, such as a script, knows a class by its name. */
type Known = (name: string) => boolean;

/** What becomes of the classes of pages that have their sheets and scripts in common. */
export interface Names {
  inSelector: Rename;
  /** The value of a class attribute with the short names in it. */
  inAttribute(value: string): string;
}

/** A class in a selector, with what is escaped in it. */
const CLASS = /\.((?:[\w-]|\\.)+)/g;
/** What a selector looks for inside a class attribute: `fill-` of `[class*="fill-"]`. */
const FRAGMENT = /\[class[*^$|~]?=["']?([^"'\]]+)/g;

const unescaped = (text: string) => text.replace(/\\(.)/g, '$1');

const found = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(([, each = '']) => each);

/** The classes of Tailwind's layer. One whose escapes are not plain (`\32 xl`) is left out. */
function utilitiesOf(sheet: Sheet): string[] {
  return [...selectorsOf(sheet)].flatMap(({ text, names, layer }) =>
    layer === 'utilities'
      ? found(text, CLASS)
          .map(unescaped)
          .filter((name) => names.includes(name))
      : [],
  );
}

const AFTER_FIRST = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** A, B … Z, Aa, Ab …: nobody writes a class that begins with a capital. */
function shortName(index: number): string {
  let name = '';
  let rest = index;
  while (rest >= 26) {
    rest -= 26;
    name = `${AFTER_FIRST[rest % AFTER_FIRST.length]}${name}`;
    rest = Math.floor(rest / AFTER_FIRST.length);
  }
  return `${String.fromCharCode(65 + rest)}${name}`;
}

/** Makes the names of one build, in which a class has the same short name on every page. */
export function shortNames() {
  const short = new Map<string, string>();
  const learned = new Map<Sheet, string[]>();

  /** Gives the classes of a sheet their names, and what its selectors look for inside them. */
  function learn(sheet: Sheet): string[] {
    const known = learned.get(sheet);
    if (known) return known;
    for (const name of utilitiesOf(sheet)) {
      if (!short.has(name)) short.set(name, shortName(short.size));
    }
    const fragments = [...selectorsOf(sheet)].flatMap(({ text }) => found(text, FRAGMENT));
    learned.set(sheet, fragments);
    return fragments;
  }

  return (sheets: readonly Sheet[], known: Known): Names => {
    const fragments = sheets.flatMap(learn);
    const decided = new Map<string, string>();
    const values = new Map<string, string>();
    const nameOf = (name: string): string => {
      let made = decided.get(name);
      if (made === undefined) {
        const kept = known(name) || fragments.some((each) => name.includes(each));
        made = (kept ? undefined : short.get(name)) ?? name;
        decided.set(name, made);
      }
      return made;
    };
    const shortened = (each: string) => {
      const name = decoded(each);
      const made = nameOf(name);
      return made === name ? each : made;
    };
    return {
      inSelector: (text) =>
        text.replace(CLASS, (whole, escaped: string) => {
          const name = unescaped(escaped);
          const made = nameOf(name);
          return made === name ? whole : `.${made}`;
        }),
      inAttribute(value) {
        let made = values.get(value);
        if (made === undefined) {
          made = value.split(/\s+/).map(shortened).join(' ');
          values.set(value, made);
        }
        return made;
      },
    };
  };
}

/** A custom property, and not the second half of a class such as `card--wide`. */
const PROPERTY = /(?<![\w-])--[a-z][\w-]*/gi;

/**
 * Makes the names of custom properties of one build, which are the same on every page. What it gives
 * writes styles with short ones, but for those that something beside the styles names: all of
 * `--color-line`, or how it begins (`--color-`).
 */
export function shortProperties() {
  const short = new Map<string, string>();
  return (styles: string, known: readonly string[]): string => {
    const kept = new Set(known);
    const beginnings = known.filter((name) => name.endsWith('-'));
    return styles.replace(PROPERTY, (name) => {
      if (kept.has(name) || beginnings.some((each) => name.startsWith(each))) return name;
      const made = short.get(name) ?? `--${shortName(short.size)}`;
      short.set(name, made);
      return made;
    });
  };
}

/** A worked example: the figures a text prints, how each follows from the others, and what an adviser asks. */
import { names, read } from '../content-files.ts';

/** A computed figure. A number has to round to what the text prints; `about` allows more. */
type Value = number | { value: number; within: number };

/** What a competent adviser asks before anyone acts on the example. */
const QUESTIONS = {
  pays: 'Does it pay?',
  everyMonth: 'Can it be paid every month?',
  badCase: 'Does it survive a bad case?',
  ownRules: 'Does it follow our own rules, and agree with our other texts?',
};
type Question = keyof typeof QUESTIONS;

interface Work {
  /**
   * The words around each figure, with `#` where it stands, and what it has to be: several for
   * several `#`. Words without `#` have to be there, and what they say has to be true.
   */
  figures: Record<string, Value | boolean | Value[]>;
  /** The answers to at least one question, and whether each is true; or why there's nothing to decide. */
  asks: Partial<Record<Question, Record<string, boolean>>> | string;
}

/** One number for each `#` in the words; only one of them is the number itself. */
type Numbers<Words extends string> = Words extends `${string}#${infer Rest}`
  ? [number, ...Numbers<Rest>]
  : [];
type Given<Inputs extends Record<string, string>> = {
  [Name in keyof Inputs]: Numbers<Inputs[Name]> extends [number] ? number : Numbers<Inputs[Name]>;
};

interface WorkedExample {
  path: string;
  given: Record<string, string>;
  stated: readonly string[];
  work(given: Record<string, number | number[]>): Work;
}

/**
 * Registers the example of a text.
 * @param path within content/
 * @param given its inputs: words of the text with `#` where a figure stands, which is read from there
 * @param stated the words around figures that nothing follows from, such as a legal limit
 */
export function example<const Inputs extends Record<string, string>>(entry: {
  path: string;
  given: Inputs;
  stated?: readonly string[];
  work(given: Given<Inputs>): Work;
}): WorkedExample {
  return { stated: [], ...entry, work: (given) => entry.work(given as Given<Inputs>) };
}

export const about = (value: number, within: number) => ({ value, within });

const NUMBER = String.raw`[−+-]?\$?\d+(?:,\d{3})*(?:\.\d+)?`;
/** The figures that an entry has to account for: dollars, percentages, cells, chart and calculator values. */
const FIGURES = [
  String.raw`[−+]?\$\d+(?:,\d{3})*(?:\.\d+)?`,
  String.raw`[\d.,]*\d(?=%| percent)`,
  String.raw`(?<=\| )${NUMBER}(?= \|)`,
  String.raw`(?<=value: |values: \[|values: \[[-\d., ]*, |=\{)-?[\d.]*\d`,
].map((pattern) => new RegExp(pattern, 'g'));

/** A file of content/ without links, emphasis, table rules and line breaks. */
const wordsOf = (path: string) =>
  read(path)
    .replace(/\]\([^)]*\)/g, ']')
    .replaceAll('**', '')
    .replace(/\|(\s*:?-+:?\s*\|)+/g, '')
    .replace(/\s+/g, ' ');

const numberOf = (printed: string) => Number(printed.replace(/[$,+]/g, '').replace(/^[−-]/, '-'));

/** The figures at each `#` of the words, as printed, or what's wrong: they have to be there and to agree. */
function findAt(path: string, words: string): string[] | string {
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const pattern = new RegExp(escaped.replaceAll('#', `(${NUMBER})`), 'g');
  const found = [...wordsOf(path).matchAll(pattern)].map(([, ...figures]) => figures);
  const [first] = found;
  if (!first) return `It doesn’t say “${words}”`;
  if (found.some((figures) => figures.join() !== first.join())) {
    return `It says “${words}” with different figures: add words around it`;
  }
  return first;
}

function printedAt(path: string, words: string): string[] {
  const found = findAt(path, words);
  if (typeof found === 'string') throw new Error(`${path}: ${found}`);
  return found;
}

/** A figure of a text; its words have to be there. */
export const figureIn = (path: string, words: string) => numberOf(printedAt(path, words)[0] ?? '');

/** Whether a text has these words. */
export const says = (path: string, words: string) => typeof findAt(path, words) !== 'string';

/** What the text prints instead of a value, or nothing where it holds. */
function misprint(printed: string, expected: Value): string | undefined {
  const decimals = /\.(\d+)/.exec(printed)?.[1]?.length ?? 0;
  const { value, within } =
    typeof expected === 'number' ? about(expected, 0.5 / 10 ** decimals) : expected;
  if (Math.abs(value - numberOf(printed)) <= within + 1e-9) return undefined;
  return `${printed} should be ${value.toLocaleString('en-US')}`;
}

/** Recomputes an example: what doesn't follow, which questions it fails, which figures nobody accounts for. */
export function recompute({ path, given, stated, work }: WorkedExample) {
  const accounted = new Set<number>();
  const account = (printed: string[]) => {
    for (const figure of printed) accounted.add(Math.abs(numberOf(figure)));
    return printed;
  };
  const inputs = Object.entries(given).map(([name, words]) => {
    const figures = account(printedAt(path, words)).map(numberOf);
    return [name, figures.length === 1 ? Number(figures[0]) : figures] as const;
  });
  for (const words of stated) {
    printedAt(path, words);
    account([...words.matchAll(new RegExp(NUMBER, 'g'))].map(([figure]) => figure));
  }
  const { figures, asks } = work(Object.fromEntries(inputs));
  const wrong = Object.entries(figures).flatMap(([words, expected]) => {
    const found = findAt(path, words);
    if (typeof found === 'string') return [found];
    const printed = account(found);
    if (typeof expected === 'boolean') return expected ? [] : [`“${words}” isn’t true`];
    const values = [expected].flat();
    if (values.length !== printed.length) return [`“${words}” needs ${printed.length} values`];
    return printed.flatMap((figure, index) => {
      const wrongly = misprint(figure, values[index] ?? Number.NaN);
      return wrongly ? [`“${words}”: ${wrongly}`] : [];
    });
  });
  return { wrong, failed: failedQuestions(asks), unaccounted: unaccountedIn(path, accounted) };
}

function failedQuestions(asks: Work['asks']): string[] {
  if (typeof asks === 'string') return [];
  const answers = (Object.keys(QUESTIONS) as Question[]).flatMap((question) =>
    Object.entries(asks[question] ?? {}).map(([answer, holds]) => ({ question, answer, holds })),
  );
  if (answers.length === 0) return ['Ask a question of the decision, or say why there is none'];
  return answers.flatMap(({ question, answer, holds }) =>
    holds ? [] : [`${QUESTIONS[question]} It isn’t true that “${answer}”`],
  );
}

/** The figures of a text that aren't among the accounted ones, as printed. */
export function unaccountedIn(path: string, accounted: ReadonlySet<number>): string[] {
  const words = wordsOf(path);
  const printed = FIGURES.flatMap((pattern) => [...words.matchAll(pattern)].map(([each]) => each));
  return [...new Set(printed)].filter((each) => !accounted.has(Math.abs(numberOf(each))));
}

/** The texts whose figures need an entry. */
export const textsWithExamples = () =>
  ['blog', 'case-studies', 'pages', 'toolbox'].flatMap((folder) =>
    names(folder)
      .map((file) => `${folder}/${file}`)
      .filter((path) => unaccountedIn(path, new Set()).length > 0),
  );

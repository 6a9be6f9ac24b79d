/** Worked examples: a text's figures, how each follows from others, and an adviser's questions. */
import { FIGURE, figuresIn, isPrinted, numberOf, plainText } from '#lib/content/figures.ts';
import { names, read } from '../content-files.ts';

/** A computed figure. A number has to round to the printed one; `about` allows more. */
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
   * Maps words of the text, with `#` for each figure, to the figure's expected value; an array for
   * several `#`. Words without `#` map to whether they're true. All words have to be in the text.
   */
  figures: Record<string, Value | boolean | Value[]>;
  /** Answers to at least one question, and whether each is true; or why there's no decision. */
  asks: Partial<Record<Question, Record<string, boolean>>> | string;
}

/** A tuple with a number for each `#` in the words. `Given` unwraps a single number. */
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
 * Defines the example of a text.
 * @param path relative to content/
 * @param given its inputs: words of the text with `#` for each figure, which is read from the text
 * @param stated words with figures that aren't computed or used, such as a legal limit
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

/** Figures to account for: dollars, percentages, table cells, chart and calculator values. */
const FIGURES = [
  String.raw`[−+]?\$\d+(?:,\d{3})*(?:\.\d+)?`,
  String.raw`[\d.,]*\d(?=%| percent)`,
  String.raw`(?<=\| )${FIGURE}(?= \|)`,
  String.raw`(?<=value: |values: \[|values: \[[-\d., ]*, |=\{)-?[\d.]*\d`,
].map((pattern) => new RegExp(pattern, 'g'));

const wordsOf = (path: string) => plainText(read(path));

/** The figures printed for each `#`, or an error if words are missing or figures contradict. */
const findAt = (path: string, words: string) => figuresIn(wordsOf(path), words);

function printedAt(path: string, words: string): string[] {
  const found = findAt(path, words);
  if (typeof found === 'string') throw new Error(`${path}: ${found}`);
  return found;
}

/** The first figure in these words of a text. @throws if the text doesn't contain them */
export const figureIn = (path: string, words: string) => numberOf(printedAt(path, words)[0] ?? '');

/** Whether a text contains these words, where `#` is any figure. */
export const says = (path: string, words: string) => typeof findAt(path, words) !== 'string';

/** What's wrong with a printed figure, or undefined if it matches. */
function misprint(printed: string, expected: Value): string | undefined {
  const value = typeof expected === 'number' ? expected : expected.value;
  const matches =
    typeof expected === 'number'
      ? isPrinted(printed, expected)
      : Math.abs(value - numberOf(printed)) <= expected.within + 1e-9;
  if (matches) return undefined;
  return `${printed} should be ${value.toLocaleString('en-US')}`;
}

/** Recomputes an example: its wrong figures, failed questions, and unaccounted figures. */
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
    account([...words.matchAll(new RegExp(FIGURE, 'g'))].map(([figure]) => figure));
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

/** A text's figures, as printed, that no entry accounts for. */
export function unaccountedIn(path: string, accounted: ReadonlySet<number>): string[] {
  const words = wordsOf(path);
  const printed = FIGURES.flatMap((pattern) => [...words.matchAll(pattern)].map(([each]) => each));
  return [...new Set(printed)].filter((each) => !accounted.has(Math.abs(numberOf(each))));
}

/** The texts that need an entry, because they contain figures. */
export const textsWithExamples = () =>
  ['blog', 'case-studies', 'pages', 'toolbox'].flatMap((folder) =>
    names(folder)
      .map((file) => `${folder}/${file}`)
      .filter((path) => unaccountedIn(path, new Set()).length > 0),
  );

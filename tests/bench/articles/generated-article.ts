/** Generated articles: the same on every machine, and as long and varied as real ones. */
import { randomFrom } from '#backend/local/demo/builders.ts';

const DAY_MS = 86_400_000;
const NEWEST = Date.UTC(2026, 10, 1);
/** Three a day, so that ten thousand of them span about nine years. */
const PER_DAY = 3;
const SECTIONS = 6;

const listOf = (text: string) => text.split(' ');
const AREAS = listOf('web-design growth-strategy sales-marketing operations-workflows');
const TAGS = listOf(
  'cash customers hiring lenders loans marketing planning pricing records seasons suppliers taxes',
);
const LINKS = listOf(
  '/pricing /services /contact?topic=coaching /case-studies/operations-workflows',
);

type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

const SYLLABLES = listOf('ba ce di fo gu la me ni po ru sa te vi wo ka le mi no pu ra');
const SHORT = listOf('the a of to and in is it that for on with as at by or not one');
const vocabulary = randomFrom(1);
const LONG = times(4_000, () =>
  times(2 + Math.floor(vocabulary() * 3), () => pick(vocabulary, SYLLABLES)).join(''),
);

// Some words are common and most are rare, as in natural language.
const word = (random: Random) =>
  random() < 0.45 ? pick(random, SHORT) : LONG[Math.floor(LONG.length * random() ** 3)];
const words = (random: Random, count: number) => times(count, () => word(random)).join(' ');
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const title = (random: Random, count: number) => capital(words(random, count));
const sentence = (random: Random) => `${title(random, 7 + Math.floor(random() * 10))}.`;
const dollars = (random: Random) =>
  `$${(100 + Math.floor(random() * 9_000)).toLocaleString('en-US')}`;

function paragraph(random: Random): string {
  const sentences = times(4, () => sentence(random));
  if (random() < 0.25) sentences.push(`See [${words(random, 3)}](${pick(random, LINKS)}).`);
  if (random() < 0.2) sentences.push(`**${title(random, 4)}.**`);
  return sentences.join(' ');
}

const list = (random: Random, mark: string) =>
  times(4, () => `${mark} ${sentence(random)}`).join('\n');
const box = (random: Random, name: string, content: string) =>
  `<${name} title="${title(random, 4)}">\n\n${content}\n\n</${name}>`;

function table(random: Random): string {
  const rows = times(5, () => `| ${title(random, 2)} | ${dollars(random)} | ${dollars(random)} |`);
  return ['| | Before | After |', '|---|---:|---:|', ...rows].join('\n');
}

function chart(random: Random): string {
  const value = () => `{ label: '${title(random, 1)}', value: ${Math.floor(random() * 1_000)} }`;
  const data = times(6, value).join(', ');
  return `<Chart kind="bars" unit="$" title="${title(random, 5)}" data={[${data}]} />`;
}

/** What real articles contain besides paragraphs, and how often. */
const PIECES: [share: number, make: (random: Random) => string][] = [
  [0.8, table],
  [0.8, (random) => box(random, 'Example', paragraph(random))],
  [0.5, (random) => list(random, '1.')],
  [0.5, (random) => list(random, '-')],
  [0.4, (random) => box(random, 'Callout', sentence(random))],
  [0.35, (random) => box(random, 'Checklist', list(random, '- [ ]'))],
  [0.25, chart],
  [0.15, () => '<Calculator kind="break-even" fixed={4200} price={38} variable={14} />'],
  [0.15, () => '<Canvas />'],
];

/** The components that generated articles use. */
export const COMPONENTS = ['Example', 'Callout', 'Checklist', 'Chart', 'Calculator', 'Canvas'];

/** The name and text of the generated article with this number, from 0. */
export function generatedArticle(index: number): { name: string; text: string } {
  const random = randomFrom(index + 2);
  const day = new Date(NEWEST - Math.floor(index / PER_DAY) * DAY_MS).toISOString().slice(0, 10);
  const head = [
    `title: ${title(random, 7).slice(0, 80).trim()} ${index}`,
    `description: ${title(random, 16).slice(0, 180).trim()}.`,
    'author: The coaching team',
    `published_on: '${day}'`,
    `tags: [${[...new Set(times(3, () => pick(random, TAGS)))].join(', ')}]`,
    ...(random() < 0.5 ? [`area: ${pick(random, AREAS)}`] : []),
  ];
  const pieces = PIECES.filter(([share]) => random() < share).map(([, make]) => make(random));
  const sections = Array.from({ length: SECTIONS }, (_, section) => {
    const paragraphs = times(3, () => paragraph(random));
    const own = pieces.filter((_piece, place) => place % SECTIONS === section);
    return [`## ${title(random, 5)}`, ...paragraphs, ...own].join('\n\n');
  });
  return {
    name: `generated-${index}.mdx`,
    text: `---\n${head.join('\n')}\n---\n\n${paragraph(random)}\n\n${sections.join('\n\n')}\n`,
  };
}

/** Articles that nobody wrote: the same ones on every machine, as long and as rich as real ones. */

const DAY_MS = 86_400_000;
const NEWEST = Date.UTC(2026, 10, 1);
/** Three a day, so that ten thousand of them span some nine years. */
const PER_DAY = 3;
const SECTIONS = 6;
const PARAGRAPHS = 3;
const SENTENCES = 4;

const AREAS = ['web-design', 'growth-strategy', 'sales-marketing', 'operations-workflows'];
const TAGS = [
  'cash',
  'customers',
  'hiring',
  'lenders',
  'loans',
  'marketing',
  'planning',
  'pricing',
  'records',
  'seasons',
  'suppliers',
  'taxes',
];
const LINKS = [
  '/pricing',
  '/services',
  '/contact?topic=coaching',
  '/case-studies/operations-workflows',
];

/** Numbers from 0 up to 1 that look random and are the same for the same seed (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Random = () => number;

const pick = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

const SYLLABLES = 'ba ce di fo gu la me ni po ru sa te vi wo ka le mi no pu ra'.split(' ');
const SHORT = 'the a of to and in is it that for on with as at by or not one'.split(' ');

function vocabulary(): string[] {
  const random = numbers(1);
  return Array.from({ length: 4_000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(random, SYLLABLES)).join(''),
  );
}
const LONG = vocabulary();

// Some words are common and most are rare, as in a language.
const word = (random: Random) =>
  random() < 0.45
    ? pick(random, SHORT)
    : (LONG[Math.floor(LONG.length * random() ** 3)] ?? pick(random, LONG));

const words = (random: Random, count: number) =>
  Array.from({ length: count }, () => word(random)).join(' ');

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const sentence = (random: Random) => `${capital(words(random, 7 + Math.floor(random() * 10)))}.`;

const dollars = (random: Random) =>
  `$${(100 + Math.floor(random() * 9_000)).toLocaleString('en-US')}`;

function paragraph(random: Random): string {
  const sentences = Array.from({ length: SENTENCES }, () => sentence(random));
  if (random() < 0.25) sentences.push(`See [${words(random, 3)}](${pick(random, LINKS)}).`);
  if (random() < 0.2) sentences.push(`**${capital(words(random, 4))}.**`);
  return sentences.join(' ');
}

const list = (random: Random, mark: string, count: number) =>
  Array.from({ length: count }, () => `${mark} ${sentence(random)}`).join('\n');

function table(random: Random): string {
  const rows = Array.from(
    { length: 5 },
    () => `| ${capital(words(random, 2))} | ${dollars(random)} | ${dollars(random)} |`,
  );
  return ['| | Before | After |', '|---|---:|---:|', ...rows].join('\n');
}

function chart(random: Random): string {
  const data = Array.from({ length: 6 }, () => ({
    label: capital(words(random, 1)),
    value: Math.floor(random() * 1_000),
  }));
  const shown = data.map(({ label, value }) => `{ label: '${label}', value: ${value} }`).join(', ');
  return `<Chart kind="bars" unit="$" title="${capital(words(random, 5))}" data={[${shown}]} />`;
}

/** What real articles hold besides paragraphs, and how often. */
const PIECES: [share: number, make: (random: Random) => string][] = [
  [0.8, table],
  [
    0.8,
    (random) =>
      `<Example title="${capital(words(random, 4))}">\n\n${paragraph(random)}\n\n</Example>`,
  ],
  [0.5, (random) => list(random, '1.', 4)],
  [0.5, (random) => list(random, '-', 4)],
  [
    0.4,
    (random) =>
      `<Callout title="${capital(words(random, 3))}">\n\n${sentence(random)}\n\n</Callout>`,
  ],
  [
    0.35,
    (random) =>
      `<Checklist title="${capital(words(random, 3))}">\n\n${list(random, '- [ ]', 4)}\n\n</Checklist>`,
  ],
  [0.25, chart],
  [0.15, () => '<Calculator kind="break-even" fixed={4200} price={38} variable={14} />'],
  [0.15, () => '<Canvas />'],
];

/** The components that generated articles use. */
export const COMPONENTS = ['Example', 'Callout', 'Checklist', 'Chart', 'Calculator', 'Canvas'];

/** The name and the text of the generated article of that number, from 0. */
export function generatedArticle(index: number): { name: string; text: string } {
  const random = numbers(index + 2);
  const day = new Date(NEWEST - Math.floor(index / PER_DAY) * DAY_MS).toISOString().slice(0, 10);
  const tags = [...new Set(Array.from({ length: 3 }, () => pick(random, TAGS)))];
  const head = [
    `title: ${capital(words(random, 7)).slice(0, 80).trim()} ${index}`,
    `description: ${capital(words(random, 16)).slice(0, 180).trim()}.`,
    'author: The coaching team',
    `published_on: '${day}'`,
    `tags: [${tags.join(', ')}]`,
    ...(random() < 0.5 ? [`area: ${pick(random, AREAS)}`] : []),
  ];
  const pieces = PIECES.filter(([share]) => random() < share).map(([, make]) => make(random));
  const sections = Array.from({ length: SECTIONS }, (_, section) => {
    const paragraphs = Array.from({ length: PARAGRAPHS }, () => paragraph(random));
    const own = pieces.filter((_piece, place) => place % SECTIONS === section);
    return [`## ${capital(words(random, 5))}`, ...paragraphs, ...own].join('\n\n');
  });
  return {
    name: `generated-${index}.mdx`,
    text: `---\n${head.join('\n')}\n---\n\n${paragraph(random)}\n\n${sections.join('\n\n')}\n`,
  };
}

import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import type { Figure, Groups } from './report.ts';

/** A row of the README's table: the figures whose names match, of which the worst is shown. */
interface Row {
  what: string;
  group: RegExp;
  figure: RegExp;
}

const OWNERS = /^Pages for owners$/;
const ROWS: Row[] = [
  {
    what: 'files of 39 kB a second, of 100',
    group: /^Serving files: 100 pages$/,
    figure: /^ours, .+median/,
  },
  {
    what: '… as a share of nginx',
    group: /^Serving files: 100 pages$/,
    figure: /^ours to nginx, m/,
  },
  {
    what: '… of 10,000, with memory for 1,200',
    group: /^Serving files: 10,000 pages$/,
    figure: /^ours to nginx, median/,
  },
  {
    what: '`/dashboard` a second, 16 requests at a time',
    group: OWNERS,
    figure: /^\/dashboard, pages/,
  },
  { what: '… 95 of 100 within', group: OWNERS, figure: /^\/dashboard, ms, 95/ },
  { what: 'the slowest screen a second', group: /^Pages for/, figure: /pages a second/ },
  {
    what: 'a list of 10,000 rows to one of 100, the slowest',
    group: /^Opening screens/,
    figure: /many to few/,
  },
  {
    what: 'a message on another’s screen, 95 of 100 within',
    group: /^From send to screen, 1 listener/,
    figure: /^send_message to screen, 95/,
  },
  {
    what: '… on 200 screens',
    group: /^From send to screen, 200/,
    figure: /^send_message to screen, 95/,
  },
  {
    what: 'memory of the server after 100,000 requests',
    group: /^Memory of the server/,
    figure: /^after 100,000/,
  },
  {
    what: 'JavaScript until the first answer of the quiz',
    group: /^Visitors’ pages/,
    figure: /business-skills-quiz/,
  },
  { what: 'the heaviest screen’s JavaScript', group: /^Screens, as sent/, figure: /JavaScript/ },
  {
    what: 'hydrating the slowest screen, 4 times slower processor',
    group: /^Hydration/,
    figure: /./,
  },
  {
    what: 'a click to the next question, 98 of 100 within',
    group: /^From a click/,
    figure: /98 of 100/,
  },
];

const START = '<!-- The table of `npm run bench -- readme`: -->\n';
const END = '<!-- End of the table. -->\n';

/** Writes a table of the newest figures and of this machine into the README. */
export async function writeReadme(groups: Groups): Promise<void> {
  const readme = await readFile('README.md', 'utf8');
  const [before, after] = [readme.indexOf(START), readme.indexOf(END)];
  if (before < 0 || after < before) throw new Error('The README has no place for the table.');
  const lines = ROWS.flatMap((row) => {
    const worst = worstOf(row, groups);
    return worst ? [`| ${row.what} | ${text(worst)} | ${promise(worst)} |`] : [];
  });
  const table = ['', machine(), '', '| | measured | budget |', '| --- | --: | --: |', ...lines, ''];
  const parts = [readme.slice(0, before), START, `${table.join('\n')}\n`, readme.slice(after)];
  await writeFile('README.md', parts.join(''));
  await promisify(execFile)('npm', ['run', 'format', 'README.md']);
}

function worstOf({ group, figure }: Row, groups: Groups): Figure | undefined {
  const found = Object.entries(groups)
    .filter(([title]) => group.test(title))
    .flatMap(([, figures]) => figures.filter(({ what }) => figure.test(what)));
  const more = found.some(({ least }) => least !== undefined);
  return found.toSorted((a, b) => (more ? a.value - b.value : b.value - a.value))[0];
}

const DIGITS: Partial<Record<Figure['unit'], number>> = { times: 2 };

const number = (value: number, unit: Figure['unit']) =>
  value.toLocaleString('en-US', { maximumFractionDigits: DIGITS[unit] ?? (value < 20 ? 1 : 0) });

const text = ({ value, unit }: Figure) =>
  `${number(value, unit)}${unit === '' ? '' : unit === 'times' ? ' ×' : ` ${unit}`}`;

const promise = ({ budget, least }: Figure) =>
  budget !== undefined ? `at most ${budget}` : least !== undefined ? `at least ${least}` : '';

function machine(): string {
  const [core] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return `Measured on ${day.format()} with Node ${process.versions.node} on ${cpus().length} virtual cores (${core?.model.trim()}) with ${memory} GB of memory, the browsers and clients on the same machine.`;
}

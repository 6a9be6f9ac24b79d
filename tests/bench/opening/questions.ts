import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { routes } from '#lib/routing/routes.ts';
import { addressesOf } from '../../fixtures/addresses.ts';
import { type Figure, figure } from '../report.ts';
import { BAKERY, FORECAST } from '../site.ts';

/** Budget: requests to the database before a screen's first paint, including authentication. */
const QUESTIONS = 3;
const BUSINESS = `/dashboard/businesses/${BAKERY}`;

/** Screens of one record, and those that a URL with a query opens. */
const RECORDS = [
  `/dashboard/projects/${FORECAST}`,
  BUSINESS,
  `${BUSINESS}/edit`,
  `${BUSINESS}/plan`,
  '/dashboard/projects?view=board',
  '/dashboard/toolbox?item=break-even',
];
/** Pages, with a pattern for the link to open from each, because ids aren't known in advance. */
const LINKED: [string, RegExp][] = [
  ['/dashboard/skills', /\/dashboard\/skills\/quiz\/[0-9a-f-]{36}/],
  ['/dashboard/messages', /\/dashboard\/messages\/conversations\/[0-9a-f-]{36}/],
];

/** Settings that make a site log its pages' requests to the backend. */
export const countingSettings = (file: string): Record<string, string> => ({
  QUESTIONS_FILE: file,
  NODE_OPTIONS: `--import ${path.join(import.meta.dirname, 'count-questions.ts')}`,
});

/** How many backend requests each of an owner's screens makes; `cookie` is the owner's. */
export async function questions(site: string, cookie: string, file: string): Promise<Figure[]> {
  const open = async (address: string) => {
    const answer = await fetch(site + address, { headers: { cookie }, redirect: 'manual' });
    return { status: answer.status, html: await answer.text() };
  };
  const plain = routes
    .filter(({ guard, rendering }) => guard === 'auth' && rendering === 'on-demand')
    .flatMap(addressesOf);
  const linked = await Promise.all(
    LINKED.map(async ([from, kind]) => kind.exec((await open(from)).html)?.[0] ?? from),
  );
  const figures: Figure[] = [];
  for (const address of [...plain, ...RECORDS, ...linked]) {
    await writeFile(file, '');
    // Skip redirects.
    if ((await open(address)).status !== 200) continue;
    const asked = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    const what = address.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');
    figures.push({ ...figure(what, asked.length, '', QUESTIONS), least: 1 });
  }
  return figures;
}

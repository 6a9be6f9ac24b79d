import { routes } from '#lib/routing/routes.ts';
import { addressesOf } from '../fixtures/addresses.ts';
import { BAKERY, FORECAST } from './site.ts';

const BUSINESS = `/dashboard/businesses/${BAKERY}`;

/** Screens of one record, and those that a URL with a query opens. */
const RECORDS = [
  `/dashboard/projects/${FORECAST}`,
  BUSINESS,
  `/admin/businesses/${BAKERY}`,
  `${BUSINESS}/edit`,
  `${BUSINESS}/plan`,
  `${BUSINESS}/forecast`,
  '/dashboard/projects?view=board',
  '/dashboard/toolbox?item=break-even',
];
/** Pages, with a pattern for the link to open from each, because ids aren't known in advance. */
const LINKED: [string, RegExp][] = [
  ['/dashboard/skills', /\/dashboard\/skills\/quiz\/[0-9a-f-]{36}/],
  ['/dashboard/coaching?view=table', /\/dashboard\/coaching\/[0-9a-f-]{36}/],
  ['/dashboard/messages', /\/dashboard\/messages\/conversations\/[0-9a-f-]{36}/],
  ['/admin/people', /\/admin\/people\/[0-9a-f-]{36}/],
  ['/admin/coaching', /\/admin\/coaching\/[0-9a-f-]{36}/],
];

/** Roles of the demo people whose screens are measured. */
export const ROLES = ['owner', 'coach', 'admin'] as const;

/** Opens a page as a person, whose cookies are given, without following a redirect. */
export async function openScreen(url: string, cookie: string) {
  const answer = await fetch(url, { headers: { cookie }, redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}

/** The addresses of every screen that a demo person can open, except those that redirect. */
export async function screensOf(site: string, cookie: string): Promise<string[]> {
  const plain = routes
    .filter(
      ({ guard, rendering }) => ['auth', 'admin'].includes(guard) && rendering === 'on-demand',
    )
    .flatMap(addressesOf);
  const linked = await Promise.all(
    LINKED.map(
      async ([from, kind]) => kind.exec((await openScreen(site + from, cookie)).html)?.[0],
    ),
  );
  const found: string[] = [];
  for (const address of [...plain, ...RECORDS, ...linked.filter((each) => each !== undefined)]) {
    if ((await openScreen(site + address, cookie)).status === 200) found.push(address);
  }
  return found;
}

/** An address without ids, for a table. */
export const nameOf = (address: string): string =>
  address.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '…');

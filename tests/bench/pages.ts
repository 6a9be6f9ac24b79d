import path from 'node:path';
import { keepAsking } from './keep-asking.ts';
import type { BenchPart } from './parts.ts';
import { type Figure, figure, spread } from './report.ts';
import { nameOf, screensOf } from './signed-in-screens.ts';
import { type Bench, cookieOf, openBench, processorTimeOf, serverPid } from './site.ts';

const WARM_UP_MS = 1_500;
const MEASURED_MS = 4_000;
/** The least pages per second, and the most ms that 95 of 100 take. */
const DASHBOARD = 200;
const SCREEN = 120;
const LATEST = 100;

/** What people of each role open, besides the owner, who opens everything. */
const BY_ROLE: Record<string, string[]> = {
  'coach@demo.test': ['/dashboard', '/dashboard/coaching', '/dashboard/messages'],
  'admin@demo.test': ['/dashboard', '/admin', '/admin/messages'],
};

/** How many pages a second every screen rendered on demand reaches, with many requests at once. */
export const pages: BenchPart = async ({ scratch, settings, show }) => {
  const bench = await openBench(path.join(scratch, 'pages'), settings);
  const { url } = bench.site;
  try {
    const visitor = ['/login', '/register', '/recover'];
    show('Pages for visitors', await screens(bench, '', visitor));
    const owner = await cookieOf(bench, 'owner@demo.test');
    show('Pages for owners', await screens(bench, owner, await screensOf(url, owner)));
    for (const [email, addresses] of Object.entries(BY_ROLE)) {
      const cookie = await cookieOf(bench, email);
      const title = `Pages for ${email.startsWith('coach') ? 'coaches' : 'admins'}`;
      show(title, await screens(bench, cookie, addresses));
    }
  } finally {
    await bench.close();
  }
};

async function screens(bench: Bench, cookie: string, addresses: string[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  const pid = await serverPid(bench);
  const loads = addresses.map((address) => ({ address, url: bench.site.url + address, cookie }));
  // All before the first: what they share is compiled by then, as in a site that has run for a while.
  for (const load of loads) await keepAsking(load, WARM_UP_MS);
  for (const { address, ...load } of loads) {
    const used = await processorTimeOf(pid);
    const from = performance.now();
    const times = await keepAsking(load, MEASURED_MS);
    const rate = times.length / ((performance.now() - from) / 1_000);
    const { node, postgres } = await processorTimeOf(pid);
    const [, late] = spread(`${nameOf(address)}, ms`, times);
    figures.push({
      ...figure(`${nameOf(address)}, pages a second`, rate),
      least: address === '/dashboard' ? DASHBOARD : SCREEN,
    });
    if (late) figures.push({ ...late, budget: address === '/dashboard' ? LATEST : undefined });
    // The machine's speed varies; what a page costs in Node and PostgreSQL varies less.
    const name = `${nameOf(address)}, processor time`;
    figures.push(figure(`${name} of Node`, (node - used.node) / times.length, 'ms'));
    figures.push(figure(`${name} of PostgreSQL`, (postgres - used.postgres) / times.length, 'ms'));
  }
  return figures;
}

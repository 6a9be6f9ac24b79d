import path from 'node:path';
import { keepAsking, type Load } from './keep-asking.ts';
import type { BenchPart } from './parts.ts';
import { type Figure, figure, spread } from './report.ts';
import { nameOf, screensOf } from './signed-in-screens.ts';
import { type Bench, cookieOf, openBench, processorTimeOf, serverPid } from './site.ts';

const WARM_UP_MS = 1_500;
const MEASURED_MS = 2_000;
/** The machine's speed varies from minute to minute, so each screen is measured again after all others. */
const ROUNDS = 2;
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

/** One screen and what was measured of it so far: ms of each request, and of the time and the processors together. */
interface Screen extends Load {
  address: string;
  times: number[];
  ms: number;
  node: number;
  postgres: number;
}

async function measure(screen: Screen, pid: number): Promise<void> {
  const before = await processorTimeOf(pid);
  const from = performance.now();
  screen.times.push(...(await keepAsking(screen, MEASURED_MS)));
  screen.ms += performance.now() - from;
  const after = await processorTimeOf(pid);
  screen.node += after.node - before.node;
  screen.postgres += after.postgres - before.postgres;
}

async function screens(bench: Bench, cookie: string, addresses: string[]): Promise<Figure[]> {
  const pid = await serverPid(bench);
  const all = addresses.map((address): Screen => {
    const url = bench.site.url + address;
    return { address, url, cookie, times: [], ms: 0, node: 0, postgres: 0 };
  });
  // All before the first: what they share is compiled by then, as in a site that has run for a while.
  for (const screen of all) await keepAsking(screen, WARM_UP_MS);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const screen of all) await measure(screen, pid);
  }
  return all.flatMap(figuresOf);
}

function figuresOf({ address, times, ms, node, postgres }: Screen): Figure[] {
  const isDashboard = address === '/dashboard';
  const [, late] = spread(`${nameOf(address)}, ms`, times);
  // The machine's speed varies; what a page costs in Node and PostgreSQL varies less.
  const name = `${nameOf(address)}, processor time`;
  return [
    {
      ...figure(`${nameOf(address)}, pages a second`, times.length / (ms / 1_000)),
      least: isDashboard ? DASHBOARD : SCREEN,
    },
    ...(late ? [{ ...late, budget: isDashboard ? LATEST : undefined }] : []),
    figure(`${name} of Node`, node / times.length, 'ms'),
    figure(`${name} of PostgreSQL`, postgres / times.length, 'ms'),
  ];
}

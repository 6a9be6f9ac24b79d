import { Agent, get } from 'node:http';
import path from 'node:path';
import { encodeSession } from '#lib/supabase.ts';
import { holdTokens } from '../fixtures/token-holders.ts';
import { nameOf, ownersScreens } from './owners-screens.ts';
import type { BenchPart } from './parts.ts';
import { type Figure, figure, spread } from './report.ts';
import { type Bench, openBench } from './site.ts';

/** How many requests are under way at any time. */
const AT_ONCE = 16;
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
    show('Pages for owners', await screens(bench, owner, await ownersScreens(url, owner)));
    for (const [email, addresses] of Object.entries(BY_ROLE)) {
      const cookie = await cookieOf(bench, email);
      const title = `Pages for ${email.startsWith('coach') ? 'coaches' : 'admins'}`;
      show(title, await screens(bench, cookie, addresses));
    }
  } finally {
    await bench.close();
  }
};

/** The cookies of a demo person with a new session. */
async function cookieOf({ sql, keys, site }: Bench, email: string): Promise<string> {
  const people = await sql<{ id: string }[]>`select id from auth.users where email = ${email}`;
  const holders = await holdTokens(
    { sql, keys, siteUrl: site.url },
    people.map(({ id }) => id),
  );
  const [{ token = '' } = {}] = holders;
  const session = {
    access_token: token,
    refresh_token: 'not-used',
    expires_at: Math.floor(Date.now() / 1000) + 3_600,
  };
  return encodeSession(session)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ');
}

async function screens(bench: Bench, cookie: string, addresses: string[]): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const address of addresses) {
    const load = { url: bench.site.url + address, cookie };
    await keepAsking(load, WARM_UP_MS);
    const from = performance.now();
    const times = await keepAsking(load, MEASURED_MS);
    const rate = times.length / ((performance.now() - from) / 1_000);
    const [, late] = spread(`${nameOf(address)}, ms`, times);
    figures.push({
      ...figure(`${nameOf(address)}, pages a second`, rate),
      least: address === '/dashboard' ? DASHBOARD : SCREEN,
    });
    if (late) figures.push({ ...late, budget: address === '/dashboard' ? LATEST : undefined });
  }
  return figures;
}

/** Requests a page over and over, several at once; returns how long each took, in ms. */
async function keepAsking(load: { url: string; cookie: string }, ms: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const times: number[] = [];
  const until = performance.now() + ms;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (performance.now() < until) times.push(await opens(load, agent));
    }),
  );
  agent.destroy();
  return times;
}

/** Milliseconds from a page's request to its last byte. */
function opens({ url, cookie }: { url: string; cookie: string }, agent: Agent): Promise<number> {
  const from = performance.now();
  return new Promise((resolve, reject) => {
    const headers = { cookie, 'accept-encoding': 'gzip, deflate, br' };
    const asked = get(url, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) reject(new Error(`${url} answered ${answer.statusCode}`));
      answer.on('data', () => {});
      answer.on('end', () => resolve(performance.now() - from));
      answer.on('error', reject);
    });
    asked.on('error', reject);
  });
}

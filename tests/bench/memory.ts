import path from 'node:path';
import getPort from 'get-port';
import { routes } from '#lib/routing/routes.ts';
import { addressesOf } from '../fixtures/addresses.ts';
import { keptBy } from './heap.ts';
import { askInTurn } from './keep-asking.ts';
import type { BenchPart } from './parts.ts';
import { figure, median } from './report.ts';
import { screensOf } from './signed-in-screens.ts';
import { cookieOf, memoryOf, openBench, serverPid } from './site.ts';

const REQUESTS = 100_000;
/** Readers' pages for each page of a signed-in person. */
const READ = 6;
/** The most memory in MB. */
const MOST = 250;
/**
 * How much more memory the second half of the requests may take, and how much more the server may keep after a
 * collection half as many requests later, which says whether anything leaks (decision 089).
 */
const GROWTH = 1.05;
/** A collection also drops compiled code. After so many requests, V8 has compiled again what they need. */
const UNTIL_COMPILED = 25_000;
/** Memory goes up and down by 10 MB from one second to the next: the median of this many looks counts. */
const LOOKS = 5;
/** Requests before each look, about a second's. */
const BETWEEN_LOOKS = 1_000;

/** The memory of the server after many requests for all kinds of pages. */
export const memory: BenchPart = async ({ scratch, settings, show }) => {
  const debugPort = await getPort({ host: '127.0.0.1' });
  const bench = await openBench(path.join(scratch, 'memory'), {
    ...settings,
    NODE_OPTIONS: `--inspect-port=127.0.0.1:${debugPort}`,
  });
  try {
    const { url } = bench.site;
    const pid = await serverPid(bench);
    const cookie = await cookieOf(bench, 'owner@demo.test');
    const reading = routes
      .filter(({ rendering, path: address }) => rendering === 'prerendered' && address !== '/')
      .flatMap(addressesOf)
      .map((address) => ({ url: url + address, cookie: '' }));
    const screens = (await screensOf(url, cookie)).map((address) => ({
      url: url + address,
      cookie,
    }));
    const mixed = screens.flatMap((screen, index) => [
      screen,
      ...Array.from(
        { length: READ },
        (_, at) => reading[(index * READ + at) % reading.length] ?? screen,
      ),
    ]);
    const started = await memoryOf(pid);
    const memoryAfter = async (requests: number) => {
      await askInTurn(mixed, requests - LOOKS * BETWEEN_LOOKS);
      const looks: number[] = [];
      while (looks.length < LOOKS) {
        await askInTurn(mixed, BETWEEN_LOOKS);
        looks.push(await memoryOf(pid));
      }
      return median(looks);
    };
    const half = await memoryAfter(REQUESTS / 2);
    const all = await memoryAfter(REQUESTS / 2);
    await keptBy(pid, debugPort);
    await askInTurn(mixed, UNTIL_COMPILED);
    const kept = await keptBy(pid, debugPort);
    await askInTurn(mixed, REQUESTS / 2);
    const keptLater = await keptBy(pid, debugPort);
    show('Memory of the server', [
      figure('after the start', started / 1024, 'MB'),
      figure(`after ${(REQUESTS / 2).toLocaleString('en-US')} requests`, half / 1024, 'MB', MOST),
      figure(`after ${REQUESTS.toLocaleString('en-US')} requests`, all / 1024, 'MB', MOST),
      figure('the second half to the first', all / half, 'times', GROWTH),
      figure('of it kept after a collection', kept, 'MB'),
      figure('kept after half as many requests again', keptLater / kept, 'times', GROWTH),
    ]);
  } finally {
    await bench.close();
  }
};

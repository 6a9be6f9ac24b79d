import path from 'node:path';
import { type Browser, type BrowserContextOptions, chromium } from '@playwright/test';
import { findBrowser } from '../fixtures/browser.ts';
import type { BenchPart } from './parts.ts';
import { below, type Figure, figure, median } from './report.ts';
import { nameOf, ROLES, screensOf } from './signed-in-screens.ts';
import { type Bench, cookieOf, openBench } from './site.ts';

/** How much slower the processor is made to hydrate; the time for it, in ms. */
const SLOWER = 4;
const HYDRATION = 100;
/** Runs of each screen; the median counts. One that's near its budget runs more often: it varies by a tenth. */
const ROUNDS = 3;
const ROUNDS_NEAR = 9;
const NEAR = 0.8 * HYDRATION;
/** Only screens whose addresses have this in them, all by default: `SCREENS=messages`. */
const SCREENS = process.env.SCREENS ?? '';
/** From a click to the next question, in ms: two frames at 60 Hz. */
const NEXT_QUESTION = 33.4;
const CLICKS = 120;

/**
 * Marks in the trace, with the islands that don't work before them: a screen's own, then those of the
 * frame that all screens share. What runs until the trace stops doesn't count.
 */
const MARKS = {
  'screen-hydrated': 'astro-island[ssr]:not([client="visible"], [client="rest"])',
  'frame-hydrated': 'astro-island[ssr]:not([client="visible"])',
};

/**
 * Runs in the page, before its own scripts: sets each mark once its islands have hydrated and the
 * browser is idle, which it isn't before React has rendered them, and calls `hydrated` after the last.
 */
function reportHydration(marks: Record<string, string>): void {
  const waiting = Object.entries(marks);
  const look = () => {
    const [mark, pending] = waiting[0] ?? [];
    if (!mark || !pending || document.querySelector(pending)) return;
    waiting.shift();
    requestIdleCallback(() => {
      performance.mark(mark);
      if (waiting.length > 0) look();
      else Reflect.get(window, 'hydrated')();
    });
  };
  // The event doesn't bubble.
  document.addEventListener('astro:hydrate', look, { capture: true });
  // A screen may have no islands of its own.
  document.addEventListener('DOMContentLoaded', look);
}

interface TraceEvent {
  name: string;
  /** When it began, in microseconds. */
  ts: number;
  /** The thread's own time, in microseconds; not counting what else the machine does. */
  tdur?: number;
  args: { data?: { url?: string } };
}

/** React's chunk, by the name that astro.config.mjs gives it. */
const REACT = /\/_astro\/react\.[^/]+\.js$/;

interface Hydration {
  screen: number;
  frame: number;
}

/**
 * The time that React works until the islands of a screen have hydrated, with their first effects and
 * what those render, and from then until those of its frame have, both in ms of processor time. Loading
 * and evaluating scripts isn't part of it.
 */
async function timeHydration(
  browser: Browser,
  options: BrowserContextOptions,
  url: string,
): Promise<Hydration> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    const { promise: hydrated, resolve } = Promise.withResolvers<void>();
    await page.exposeBinding('hydrated', () => resolve());
    await page.addInitScript(reportHydration, MARKS);
    await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing'] });
    await page.goto(url, { waitUntil: 'commit' });
    await hydrated;
    const trace = (await browser.stopTracing()).toString();
    const { traceEvents } = JSON.parse(trace) as { traceEvents: TraceEvent[] };
    const [end = Number.NaN, last = Number.NaN] = Object.keys(MARKS).map(
      (mark) => traceEvents.find(({ name }) => name === mark)?.ts,
    );
    const worked = (from: number, until: number) =>
      traceEvents
        .filter(({ name, ts, args }) => {
          const isReact = name === 'FunctionCall' && REACT.test(args.data?.url ?? '');
          return isReact && ts >= from && ts < until;
        })
        .reduce((sum, { tdur = 0 }) => sum + tdur / 1_000, 0);
    return { screen: worked(0, end), frame: worked(end, last) };
  } finally {
    await context.close();
  }
}

/** The rest of a session's cookie. */
const COOKIE = { path: '/', expires: -1, httpOnly: false, secure: false, sameSite: 'Lax' } as const;

const cookiesOf = (url: string, cookie: string) =>
  cookie.split('; ').map((pair) => {
    const at = pair.indexOf('=');
    return {
      ...COOKIE,
      name: pair.slice(0, at),
      value: pair.slice(at + 1),
      domain: new URL(url).hostname,
    };
  });

/** Each screen once, for the first role that can open it, and the frame of each role's slowest. */
async function timeScreens(browser: Browser, bench: Bench): Promise<Figure[]> {
  const { url } = bench.site;
  const figures: Figure[] = [];
  const seen = new Set<string>();
  for (const role of ROLES) {
    const cookie = await cookieOf(bench, `${role}@demo.test`);
    const storageState = { cookies: cookiesOf(url, cookie), origins: [] };
    const frames: number[] = [];
    for (const address of await screensOf(url, cookie)) {
      if (seen.has(address) || !address.includes(SCREENS)) continue;
      seen.add(address);
      const times: Hydration[] = [];
      const time = () => median(times.map((each) => each.screen));
      while (times.length < (time() > NEAR ? ROUNDS_NEAR : ROUNDS)) {
        times.push(await timeHydration(browser, { storageState }, url + address));
      }
      const screen = time();
      figures.push(figure(`${role} ${nameOf(address)}`, screen, 'ms', HYDRATION));
      frames.push(median(times.map((each) => each.frame)));
    }
    if (frames.length > 0) {
      figures.push(figure(`${role}, the frame around them`, Math.max(...frames), 'ms', HYDRATION));
    }
  }
  return figures;
}

/**
 * Runs in the page: `window.nextQuestion` is from then on a promise of the ms from the next click
 * to the first task after the frame that shows another question. Event Timing isn't used because
 * it rounds to 8 ms, reports late, and leaves out what is shorter than 16.
 */
function awaitNextQuestion(): void {
  const { promise, resolve } = Promise.withResolvers<number>();
  Reflect.set(window, 'nextQuestion', promise);
  const shown = () => document.querySelector('h1')?.textContent;
  // What the link in the intro opens may still be on its way, and isn't what this click shows.
  const start = ({ timeStamp: clicked }: MouseEvent) => {
    const title = shown();
    const observer = new MutationObserver(() => {
      if (shown() === title) return;
      observer.disconnect();
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now() - clicked);
        port2.postMessage(null);
      });
    });
    observer.observe(document, { subtree: true, childList: true, characterData: true });
  };
  document.addEventListener('click', start, { capture: true, once: true });
}

/** Answers a visitor's quiz by mouse; returns how long each click on "Next" took to be painted. */
async function timeClicks(browser: Browser, url: string): Promise<number[]> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(`${url}/dashboard/skills/quiz`);
    await page.locator('#quiz[data-live]').waitFor();
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    const times: number[] = [];
    const next = page.getByRole('button', { name: 'Next' });
    while (await next.isVisible()) {
      // The keyboard's way: a click would go on by itself.
      await page.locator('main').getByRole('radio').nth(2).press('Space');
      await page.evaluate(awaitNextQuestion);
      await next.click();
      times.push(await page.evaluate(() => Reflect.get(window, 'nextQuestion')));
    }
    return times;
  } finally {
    await context.close();
  }
}

/** How long screens take to hydrate on a slow processor, and the quiz to show the next question. */
export const hydration: BenchPart = async ({ scratch, settings, show }) => {
  const bench = await openBench(path.join(scratch, 'hydration'), settings);
  const browser = await chromium.launch(await findBrowser());
  try {
    const screens = await timeScreens(browser, bench);
    show(`Hydration on a ${SLOWER} times slower processor`, screens);
    const clicks: number[] = [];
    while (clicks.length < CLICKS) clicks.push(...(await timeClicks(browser, bench.site.url)));
    show('From a click to the next question', [
      figure(`of ${clicks.length} clicks, median`, median(clicks), 'ms'),
      figure(`of ${clicks.length} clicks, 98 of 100`, below(clicks, 0.98), 'ms', NEXT_QUESTION),
    ]);
  } finally {
    await browser.close();
    await bench.close();
  }
};

import path from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { findBrowser } from '../fixtures/browser.ts';
import { KB, type Weighed, weighIslands, weighPages } from './built-pages.ts';
import type { BenchPart } from './parts.ts';
import { type Figure, figure, isOver, printTable } from './report.ts';
import { nameOf, openScreen, ROLES, screensOf } from './signed-in-screens.ts';
import { type Bench, cookieOf, openBench } from './site.ts';

/**
 * Budgets for every page without React, in kB with brotli, which every current browser accepts:
 * HTML and CSS on a first visit, and the HTML of a further page, whose CSS is cached.
 */
const FIRST_VISIT = 16;
const FURTHER_PAGE = 9;
const FONTS = 45;
/** JavaScript before any interaction, in kB. */
const SCRIPT = { reading: 1, form: 5 };
/** JavaScript up to the first answer on a page with an island, in kB. */
const FIRST_ANSWER = 75;
/** On-demand pages that visitors open, with the same island as a prerendered one. */
const RENDERED_ISLANDS = ['/dashboard/skills/quiz'];
/** JavaScript that a signed-in person's screen needs to work, in kB. */
const SCREEN = 120;

/** JavaScript that a visitor's page has loaded by the first answer, in kB as transferred. */
async function weighIsland(browser: Browser, url: string, page: string): Promise<Figure> {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const sizes: Promise<number>[] = [];
  let isAnswered = false;
  tab.on('requestfinished', (request) => {
    // What loads after the answer wasn't needed for it.
    if (isAnswered || request.resourceType() !== 'script') return;
    sizes.push(request.sizes().then((size) => size.responseBodySize));
  });
  await tab.goto(url + page, { waitUntil: 'networkidle' });
  const start = tab.locator('main').getByRole('link', { name: 'Start', exact: true });
  if (await start.count()) await start.click();
  const answer = tab.locator('main').getByRole('radio').first();
  isAnswered = true;
  if (await answer.count()) await answer.check({ force: true });
  const total = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / KB;
  await context.close();
  return figure(`${page}  JavaScript to the first answer`, total, 'kB', FIRST_ANSWER);
}

/** JavaScript that each screen's islands need, without what they load later or on use. */
async function weighScreens(bench: Bench, client: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const role of ROLES) {
    const cookie = await cookieOf(bench, `${role}@demo.test`);
    for (const address of await screensOf(bench.site.url, cookie)) {
      const { html } = await openScreen(bench.site.url + address, cookie);
      const weight = await weighIslands(client, html);
      figures.push(figure(`${role} ${nameOf(address)}  JavaScript`, weight, 'kB', SCREEN));
    }
  }
  return figures;
}

const figuresOf = ({ page, kind, html, brotli, gzip, script, fonts }: Weighed): Figure[] =>
  kind === 'island'
    ? []
    : [
        figure(`${page}  first visit, HTML and CSS, brotli`, brotli, 'kB', FIRST_VISIT),
        figure(`${page}  first visit, HTML and CSS, gzip`, gzip, 'kB'),
        figure(`${page}  further page, HTML`, html, 'kB', FURTHER_PAGE),
        figure(`${page}  JavaScript`, script, 'kB', SCRIPT[kind]),
        figure(`${page}  fonts`, fonts, 'kB', FONTS),
      ];

function printPages(pages: Weighed[]): void {
  const rows = pages.map((weighed) => [
    weighed.page,
    weighed.kind,
    ...[weighed.brotli, weighed.gzip, weighed.html, weighed.script, weighed.fonts].map((kB) =>
      kB.toFixed(2),
    ),
    figuresOf(weighed).some(isOver) ? 'OVER' : weighed.gzip > FIRST_VISIT ? 'by gzip' : '',
  ]);
  const heads = ['page', 'kind', 'first', 'by gzip', 'further', 'script', 'fonts', ''];
  printTable(
    `Built pages in kB: HTML and CSS of a first visit (of ${FIRST_VISIT}), HTML of a further page (of ${FURTHER_PAGE}); script of ${SCRIPT.reading}, ${SCRIPT.form} with a form; fonts of ${FONTS}`,
    [heads, ...rows],
    [2, 3, 4, 5, 6],
  );
}

/** The transfer size of each page. */
export const weights: BenchPart = async ({ build, scratch, settings, keep, show }) => {
  const pages = await weighPages(build.client);
  printPages(pages);
  keep('Built pages, as sent', pages.flatMap(figuresOf));

  const bench = await openBench(path.join(scratch, 'weights'), settings);
  const browser = await chromium.launch(await findBrowser());
  const islands: Figure[] = [];
  const built = pages.filter(({ kind }) => kind === 'island').map(({ page }) => page);
  try {
    for (const page of [...built, ...RENDERED_ISLANDS]) {
      islands.push(await weighIsland(browser, bench.site.url, page));
    }
    show('Visitors’ pages with islands, as sent', islands);
    show('Screens, as sent', await weighScreens(bench, build.client));
  } finally {
    await browser.close();
    await bench.close();
  }
};

// `npm run bench`: prints what was promised beside what is, and fails over budget.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBuild } from '#server/build.ts';
import { projectRoot } from '#server/settings.ts';
import { startSite } from '../e2e/site-process.ts';
import { findBrowser } from '../fixtures/browser.ts';
import { type Figure, overBudget, print, save } from './report.ts';
import { weighQuiz, weighReadingPages } from './weights.ts';

const QUIZ_PAGES = ['/pages/business-skills-quiz', '/dashboard/skills/quiz'];
/** Seconds; a later start is promised within 10. */
const LATER_START = 10;

const scratch = await mkdtemp(path.join(tmpdir(), 'trellis-bench-'));
const seconds = (from: number) => (performance.now() - from) / 1_000;

try {
  const log = (line: string) => process.stdout.write(`${line}\n`);
  const build = await ensureBuild({ projectRoot, dataDir: scratch, log });
  const settings = { DATA_DIR: path.join(scratch, 'data'), DATABASE_URL: '', DEMO: '1' };

  const firstFrom = performance.now();
  await (await startSite(settings)).stop();
  const first = seconds(firstFrom);
  const laterFrom = performance.now();
  const site = await startSite(settings);
  const later = seconds(laterFrom);

  const browser = await chromium.launch(await findBrowser());
  const quiz: Figure[] = [];
  for (const page of QUIZ_PAGES) quiz.push(await weighQuiz(browser, site.url, page));
  await browser.close();
  await site.stop();

  const groups = {
    'Reading pages, as sent': await weighReadingPages(build.client, QUIZ_PAGES),
    'The quiz, as sent': quiz,
    'Starting (built before)': [
      { what: 'first start and stop, with demo data', value: first, unit: 's' },
      { what: 'later start', value: later, unit: 's', budget: LATER_START },
    ] satisfies Figure[],
  };
  for (const [title, figures] of Object.entries(groups)) print(title, figures);
  await save(groups);
  const over = overBudget(groups);
  if (over.length > 0) {
    process.stdout.write(`\n${over.length} over budget.\n`);
    process.exitCode = 1;
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

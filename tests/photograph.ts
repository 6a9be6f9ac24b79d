/**
 * Takes screenshots for the site's own pages and the press, as a visitor and owner@demo.test see
 * the product at a device pixel ratio of 2, and renders the logo for light and dark backgrounds.
 * Run it against a site with demo data after a visible change:
 * `npx node tests/photograph.ts http://127.0.0.1:4321`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium, type Page } from '@playwright/test';
import sharp from 'sharp';
import { parse } from 'yaml';
import { logo } from '#integrations/og-card.ts';
import { findBrowser } from './fixtures/browser.ts';

interface Shot {
  /** The output path, without extension. */
  file: string;
  theme: 'light' | 'dark';
  /** The viewport's size in CSS pixels; the screenshot shows all of it. */
  width: number;
  height: number;
  open: (page: Page) => Promise<void>;
}

const site = process.argv[2] ?? 'http://127.0.0.1:4321';
const file = (path: string) => new URL(`../${path}.png`, import.meta.url).pathname;

async function signIn(page: Page): Promise<void> {
  await page.goto(`${site}/login`);
  await page.getByLabel('Email').fill('owner@demo.test');
  await page.getByLabel('Password', { exact: true }).fill('demo-Passw0rd!');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL(/dashboard/);
}

async function results(page: Page): Promise<void> {
  await signIn(page);
  await page.goto(`${site}/dashboard/skills`);
  await page.getByRole('link', { name: 'What it means and what to do' }).click();
  await page.getByRole('heading', { name: 'Your results', level: 1 }).waitFor();
}

async function dashboard(page: Page): Promise<void> {
  await signIn(page);
  await page.goto(`${site}/dashboard`);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

async function question(page: Page): Promise<void> {
  await page.goto(`${site}/pages/business-skills-quiz`);
  await page.waitForLoadState('networkidle');
  // The screenshot shows the seventh question, about the bank balance, so answer the first six.
  for (const key of ['2', '1', '3', '2', '1', '3']) {
    const heading = await page.getByRole('heading', { level: 1 }).textContent();
    await page.keyboard.press(key);
    await page.getByRole('button', { name: 'Next' }).click();
    await page
      .getByRole('heading', { level: 1 })
      .filter({ hasNotText: heading ?? '' })
      .waitFor();
  }
  await page.keyboard.press('2');
}

const size = { width: 1024, height: 800 };
const words = readFileSync(new URL('../content/site.yaml', import.meta.url), 'utf8');
const { product } = parse(words) as { product: string };
const light = { theme: 'light' as const, ...size };
const dark = { theme: 'dark' as const, ...size };
const shots: Shot[] = [
  { file: 'src/assets/results', ...light, open: results },
  { file: 'src/assets/results-dark', ...dark, open: results },
  { file: 'src/assets/question', ...light, open: question },
  { file: 'src/assets/question-dark', ...dark, open: question },
  { file: 'public/press/results', ...light, open: results },
  { file: 'public/press/dashboard', ...light, open: dashboard },
  { file: 'public/press/dashboard-dark', ...dark, open: dashboard },
];

const browser = await chromium.launch(await findBrowser());
for (const { open, theme, width, height, ...shot } of shots) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: theme,
    deviceScaleFactor: 2,
    reducedMotion: 'reduce',
  });
  await open(page);
  await page.waitForLoadState('networkidle');
  const seen = await page.screenshot({ animations: 'disabled' });
  // 256 colors are enough for flat areas, and make the file a quarter of the size.
  const made = sharp(seen).png({ palette: true, colors: 256, effort: 10 });
  const { size: bytes } = await made.toFile(file(shot.file));
  process.stdout.write(`${shot.file}.png: ${Math.round(bytes / 1024)} kB\n`);
  await page.close();
}
await browser.close();

for (const theme of ['light', 'dark'] as const) {
  const drawn = await logo(product, theme);
  const name = `public/press/logo-${theme}`;
  writeFileSync(new URL(`../${name}.svg`, import.meta.url), drawn);
  await sharp(Buffer.from(drawn), { density: 288 }).png({ palette: true }).toFile(file(name));
  process.stdout.write(`${name}: svg and png\n`);
}

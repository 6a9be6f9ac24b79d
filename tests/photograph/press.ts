/**
 * The pictures of the press kit and of texts, which show whole screens: PNG files, since their
 * readers put them into documents, and the logo for light and dark backgrounds.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import sharp from 'sharp';
import { parse } from 'yaml';
import { logo } from '#integrations/og-card.ts';
import { openCamera, openResults, signIn, type Theme } from './camera.ts';

interface Shot {
  /** The output path, without extension. */
  file: string;
  theme: Theme;
  open: (page: Page, site: string) => Promise<Locator | undefined>;
}

const file = (path: string) => new URL(`../../${path}.png`, import.meta.url).pathname;

const results: Shot['open'] = async (page, site) => {
  await openResults(page, site);
  return undefined;
};
const dashboard: Shot['open'] = async (page, site) => {
  await signIn(page, site, 'owner');
  await page.goto(`${site}/dashboard`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return undefined;
};

const shots: Shot[] = [
  { file: 'src/assets/results', theme: 'light', open: results },
  { file: 'src/assets/results-dark', theme: 'dark', open: results },
  { file: 'public/press/results', theme: 'light', open: results },
  { file: 'public/press/dashboard', theme: 'light', open: dashboard },
  { file: 'public/press/dashboard-dark', theme: 'dark', open: dashboard },
];

/** Takes them all, from a site with demo data at this address. */
export async function takePress(site: string, log: (line: string) => void): Promise<void> {
  const camera = await openCamera();
  try {
    for (const shot of shots) {
      const seen = await camera.take(
        { site, theme: shot.theme, width: 1024, height: 800 },
        shot.open,
      );
      // 256 colors are enough for flat areas, and make the file a quarter of the size.
      const made = sharp(seen).png({ palette: true, colors: 256, effort: 10 });
      const { size } = await made.toFile(file(shot.file));
      log(`${shot.file}.png: ${Math.round(size / 1024)} kB`);
    }
  } finally {
    await camera.close();
  }
  const words = readFileSync(new URL('../../content/site.yaml', import.meta.url), 'utf8');
  const { product } = parse(words) as { product: string };
  for (const theme of ['light', 'dark'] as const) {
    const drawn = await logo(product, theme);
    const name = `public/press/logo-${theme}`;
    writeFileSync(new URL(`../../${name}.svg`, import.meta.url), drawn);
    await sharp(Buffer.from(drawn), { density: 288 }).png({ palette: true }).toFile(file(name));
    log(`${name}: svg and png`);
  }
}

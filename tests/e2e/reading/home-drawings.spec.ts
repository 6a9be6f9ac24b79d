import type { Locator } from '@playwright/test';
import sharp from 'sharp';
import { cardColors } from '#integrations/card-colors.ts';
import { expect, test } from '../support/harness.ts';

test.use({ changesDemo: false });

/** A plant's colors, by their token names in styles/tokens.css. */
const ROLES = ['lattice', 'stem', 'leaf-deep', 'leaf', 'leaf-light', 'accent', 'clay'];
const DRAWING = 'section:has(h1) svg';
/** The tolerance per color channel, as browsers round differently. */
const CLOSE = 3;

/** How many of an element's pixels have each color, given as `#rrggbb`. */
async function paintedIn(element: Locator, colors: string[]): Promise<number[]> {
  const picture = await element.screenshot({ scale: 'css' });
  const { data, info } = await sharp(picture)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const wanted = colors.map((color) => Buffer.from(color.slice(1), 'hex'));
  const counts = colors.map(() => 0);
  for (let at = 0; at < data.length; at += info.channels) {
    for (const [index, color] of wanted.entries()) {
      const near = [0, 1, 2].every(
        (channel) => Math.abs((data[at + channel] ?? 0) - (color[channel] ?? 0)) <= CLOSE,
      );
      if (near) counts[index] = (counts[index] ?? 0) + 1;
    }
  }
  return counts;
}

for (const theme of ['light', 'dark'] as const) {
  test(`The drawing of the home page has the colors of the ${theme} theme`, async ({ page }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: theme });
    await page.goto('/');
    const colors = ROLES.map(cardColors(undefined, theme));
    const counts = await paintedIn(page.locator(DRAWING), [...colors, '#000000']);
    const painted = Object.fromEntries([...ROLES, 'black'].map((role, n) => [role, counts[n]]));
    for (const role of ROLES) expect(painted[role], role).toBeGreaterThan(40);
    expect(painted.black).toBe(0);
  });
}

test('A reader sees the scenes of their theme, and only those', async ({ page }) => {
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await page.goto('/');
    const shown = page.locator('main img[src*="/_astro/"][data-shown-in]:visible');
    await expect(shown).toHaveCount(5);
    for (const scene of await shown.all()) {
      await scene.scrollIntoViewIfNeeded();
      await expect(scene).toHaveAttribute('data-shown-in', theme);
      await expect(scene).toHaveJSProperty('complete', true);
      expect(await scene.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
        0,
      );
    }
  }
});

test('Pictures below the screen are there when a page is printed', async ({ page }) => {
  await page.goto('/');
  await page.pdf();
  const missing = await page
    .locator('main img:is([data-shown-in=light], :not([data-shown-in]))')
    .evaluateAll((images: HTMLImageElement[]) =>
      images.filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
    );
  expect(missing).toEqual([]);
});

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './harness.ts';

/**
 * What axe finds wrong on a page, as it looks once nothing changes its colour any more: what is on its
 * way to another theme, or to being usable, has colours that nobody chose.
 */
export async function violationsOn(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
): Promise<Awaited<ReturnType<AxeBuilder['analyze']>>['violations']> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(still);
  });
  return (await choose(new AxeBuilder({ page })).analyze()).violations;
}

/** Nothing on the page is hard to use, by day and by night. */
export async function silentInBothThemes(page: Page): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = await violationsOn(page);
    expect(violations, colorScheme).toEqual([]);
  }
}

import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect } from './harness.ts';

type Violations = Awaited<ReturnType<AxeBuilder['analyze']>>['violations'];

interface Axe {
  run(context: object, options: object): Promise<{ violations: Violations }>;
}

declare global {
  interface Window {
    axe: Axe;
  }
}

/** One element for each rule that passes is enough: handing over all of them is slow. */
const BRIEFLY = { resultTypes: ['violations' as const] };
/** The rules about colors: all that the dark theme changes. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/** What axe finds on a page, with transitions off: colors in between aren't anyone's choice. */
async function violationsOn(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
): Promise<Violations> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(still);
  });
  // In the page itself: it has no frames of other sites, and no second page needs to be opened.
  const axe = new AxeBuilder({ page }).setLegacyMode().options(BRIEFLY);
  return (await choose(axe).analyze()).violations;
}

/** What axe finds on a page in the light and in the dark theme. */
export async function findInBothThemes(
  page: Page,
  choose?: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await violationsOn(page, choose);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  // The page has axe by now.
  const dark = await page.evaluate(
    async (options) => (await window.axe.run({ exclude: ['iframe'] }, options)).violations,
    { ...BRIEFLY, runOnly: { type: 'rule', values: OF_COLORS } },
  );
  const lines = (theme: string, violations: Violations) =>
    violations.map(
      ({ id, nodes }) => `${theme}: ${id}: ${nodes.map((node) => node.html).join(' ')}`,
    );
  return [...lines('light', light), ...lines('dark', dark)];
}

/** Axe finds nothing on the page, in the theme it has. */
export async function checkAccessibility(page: Page, message?: string): Promise<void> {
  expect(await violationsOn(page), message).toEqual([]);
}

/** Axe finds nothing on the page in either theme. */
export async function checkBothThemes(page: Page, message?: string): Promise<void> {
  expect.soft(await findInBothThemes(page), message).toEqual([]);
}

/** Nothing makes the page scroll sideways; with a width, in a window of that width. */
export async function checkWidth(page: Page, width?: number, message?: string): Promise<void> {
  if (width) await page.setViewportSize({ width, height: 700 });
  const beyond = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  // The page is laid out again some time after the window has changed.
  await expect
    .poll(beyond, { message: message ?? 'pixels beyond the window' })
    .toBeLessThanOrEqual(0);
}

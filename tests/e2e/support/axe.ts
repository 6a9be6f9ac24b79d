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

/** Transferring every element that passes is slow, so only violations are reported in full. */
const BRIEFLY = { resultTypes: ['violations' as const] };
/** The color rules, which are the only ones that the dark theme can affect. */
const OF_COLORS = ['color-contrast', 'link-in-text-block'];

/** Runs axe with transitions off, because colors mid-transition aren't by design. */
async function violationsOn(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
): Promise<Violations> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(still);
  });
  // Legacy mode runs in the page itself: there are no cross-origin frames that need a second page.
  const axe = new AxeBuilder({ page }).setLegacyMode().options(BRIEFLY);
  return (await choose(axe).analyze()).violations;
}

/** Runs axe in the light and dark themes. */
export async function findInBothThemes(
  page: Page,
  choose?: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await violationsOn(page, choose);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  // Axe is already injected into the page.
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

/** Expects axe to find nothing on the page, in its current theme. */
export async function checkAccessibility(page: Page, message?: string): Promise<void> {
  expect(await violationsOn(page), message).toEqual([]);
}

/** Expects axe to find nothing on the page in either theme. */
export async function checkBothThemes(page: Page, message?: string): Promise<void> {
  expect.soft(await findInBothThemes(page), message).toEqual([]);
}

/** Expects the page not to scroll sideways, at the given viewport width if there's one. */
export async function checkWidth(page: Page, width?: number, message?: string): Promise<void> {
  if (width) await page.setViewportSize({ width, height: 700 });
  const beyond = () =>
    page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
  // Layout happens some time after the resize, so poll.
  await expect
    .poll(beyond, { message: message ?? 'pixels beyond the window' })
    .toBeLessThanOrEqual(0);
}

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

/** Of what is right one element of each rule is enough: to hand over all takes longer than to look. */
const BRIEFLY = { resultTypes: ['violations' as const] };
/** The rules of axe that look at colours: all that the dark theme changes. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What axe finds wrong on a page, as it looks once nothing changes its colour any more: what is on its
 * way to another theme, or to being usable, has colours that nobody chose.
 */
export async function violationsOn(
  page: Page,
  choose: (axe: AxeBuilder) => AxeBuilder = (axe) => axe,
): Promise<Violations> {
  await page.evaluate(() => {
    const still = new CSSStyleSheet();
    still.replaceSync('*, ::before, ::after { transition: none !important }');
    document.adoptedStyleSheets.push(still);
  });
  // In the page itself: it has no frames of other sites, and no other page need be opened.
  const axe = new AxeBuilder({ page }).setLegacyMode().options(BRIEFLY);
  return (await choose(axe).analyze()).violations;
}

/** What axe finds on a page, with the theme in which it finds it. */
export async function foundInBothThemes(
  page: Page,
  choose?: (axe: AxeBuilder) => AxeBuilder,
): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  const light = await violationsOn(page, choose);
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  // axe is in the page by now.
  const dark = await page.evaluate(
    async (options) => {
      return (await window.axe.run({ exclude: ['iframe'] }, options)).violations;
    },
    { ...BRIEFLY, runOnly: { type: 'rule', values: OF_COLOURS } },
  );
  const say = (theme: string, violations: Violations) =>
    violations.map(
      ({ id, nodes }) => `${theme}: ${id}: ${nodes.map((node) => node.html).join(' ')}`,
    );
  return [...say('light', light), ...say('dark', dark)];
}

/** Nothing on the page is hard to use, by day and by night. */
export async function silentInBothThemes(page: Page): Promise<void> {
  expect(await foundInBothThemes(page)).toEqual([]);
}

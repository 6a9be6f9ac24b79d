import type { Page } from '@playwright/test';
import { routes } from '#lib/routing/routes.ts';
import { addressesOf } from '../../fixtures/addresses.ts';
import { expect, holdScripts, test } from '../support/harness.ts';

test.use({ changesDemo: false });

/**
 * The controls in view that React doesn't know, such as a button in a row of a list with `onlyLinks`:
 * nothing would happen when they're pressed.
 */
const deadControls = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('astro-island:not([ssr]) :is(button, input, select, textarea)')]
      .filter(
        (control) =>
          control.checkVisibility() &&
          // What Astro renders into an island isn't React's.
          !control.closest('astro-slot, astro-static-slot') &&
          // Rows leave these to one handler for all of them.
          !control.matches('tbody :is([data-check], [data-press]:enabled)') &&
          !Object.keys(control).some((key) => key.startsWith('__reactFiber$')),
      )
      .map(({ outerHTML }) => outerHTML),
  );

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(
    page.locator('astro-island[ssr]:not([client="visible"], [client="rest"])'),
  ).toHaveCount(0);
}

for (const [as, guard] of [
  ['owner', 'auth'],
  ['coach', 'auth'],
  ['admin', 'admin'],
] as const) {
  test.describe(`Every control works on the screens of the demo ${as}`, () => {
    test.use({ as });
    const addresses = routes
      .filter((route) => route.guard === guard && route.rendering === 'on-demand')
      .flatMap(addressesOf);

    test('from the first time it’s pressed', async ({ page }) => {
      test.setTimeout(60_000 + addresses.length * 5_000);
      for (const address of addresses) {
        await open(page, address);
        // An island is React's a moment after Astro says so.
        await expect.poll(() => deadControls(page), address).toEqual([]);
      }
    });
  });
}

test.describe('A list that only leads elsewhere', () => {
  test.use({ as: 'admin' });

  test('can’t hide a button that does nothing', async ({ page }) => {
    await open(page, '/admin/people');
    await page
      .locator('tbody td')
      .first()
      .evaluate((cell) => cell.append(document.createElement('button')));
    await expect.poll(() => deadControls(page)).toEqual(['<button></button>']);
  });
});

test.describe('Rows that one handler serves', () => {
  test.use({ as: 'admin' });

  test('are selected as they were checked, before the scripts arrive and after', async ({
    page,
  }) => {
    const arrive = await holdScripts(page);
    await page.goto('/admin/jobs', { waitUntil: 'commit' });
    const boxes = page
      .getByRole('table', { name: 'Jobs' })
      .getByRole('checkbox', { name: /^Select (?!all)/ });
    await boxes.nth(0).check();
    await boxes.nth(1).check();
    await boxes.nth(2).check();
    await boxes.nth(2).uncheck();
    arrive();
    await expect(page.getByText('2 selected', { exact: true })).toBeVisible();
    // With Shift, all between the last one and this.
    await boxes.nth(0).uncheck();
    await boxes.nth(3).click({ modifiers: ['Shift'] });
    await expect(page.getByText('4 selected', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Clear selection' }).click();
    await expect(boxes.nth(1)).not.toBeChecked();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await expect(boxes.nth(3)).toBeChecked();
  });
});

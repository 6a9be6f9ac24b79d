import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

test.use({ as: 'admin' });

const LISTS = [
  '/admin/people',
  '/admin/businesses',
  '/admin/quiz',
  '/admin/projects',
  '/admin/orders',
  '/admin/newsletter',
  '/admin/contacts-summary',
  '/admin/toolbox',
  '/admin/coaching',
  '/admin/engagement-results',
];

/** Which cells of each row of the page's lists are shown, by their places, and how far they reach. */
const shownOn = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll('main table[role="table"] tbody tr')];
    const cells = rows.map((row) =>
      [...row.children].flatMap((cell, place) => (cell.checkVisibility() ? [place] : [])),
    );
    const edges = rows.flatMap((row) =>
      [...row.children].map((cell) => cell.getBoundingClientRect().right),
    );
    return { cells, right: Math.max(...edges) };
  });

for (const path of LISTS) {
  test(`On a tablet, nothing is missing that a phone shows: ${path}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(path);
    const onPhone = await shownOn(page);
    expect(onPhone.cells.length).toBeGreaterThan(0);
    for (const width of [768, 1024]) {
      await page.setViewportSize({ width, height: 900 });
      const { cells, right } = await shownOn(page);
      const missing = onPhone.cells.map((places, row) =>
        places.filter((place) => !cells[row]?.includes(place)),
      );
      expect(missing.flat(), `at ${width}`).toEqual([]);
      expect(right, `at ${width}`).toBeLessThan(width);
    }
    if (path === '/admin/businesses') {
      const row = page.getByRole('row', { name: /Acequia Coffee/ });
      await expect(row.getByRole('cell', { name: /^Last quiz: \w+ \d+, \d{4}$/ })).toBeVisible();
      await page.setViewportSize({ width: 768, height: 900 });
      await checkAccessibility(page);
    }
  });
}

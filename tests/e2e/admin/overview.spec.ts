import { checkAccessibility } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

test.use({ as: 'admin' });

test('An admin sees what waits, the figures and which pages are read', async ({ page }) => {
  await page.goto('/admin');
  const today = page.getByRole('region', { name: 'To do today' });
  await expect(today.getByRole('listitem').first()).toBeVisible();
  const figures = page.getByRole('region', { name: 'Figures' });
  await expect(figures.getByRole('term')).toHaveText([
    'People',
    'Businesses',
    'Finished quizzes',
    'Open coaching',
    'Sessions held',
    'Open projects',
    'Contacts',
    'Orders',
  ]);
  await expect(figures.getByText(/joined in 7 days, \d+ in 12 weeks/)).toBeVisible();

  const views = page.getByRole('region', { name: 'Page views' });
  const shown = views.getByRole('figure');
  await expect(shown.getByRole('heading')).toHaveText(/^All pages: [\d,]+ views$/);
  const total = await shown.getByRole('heading').textContent();
  await views.getByRole('link', { name: '90 days' }).click();
  await expect(views.getByRole('link', { name: '90 days' })).toHaveAttribute(
    'aria-current',
    'true',
  );
  await expect(shown.getByRole('heading')).not.toHaveText(total ?? '');
  await views.getByRole('link', { name: 'Pricing', exact: true }).click();
  await expect(shown.getByRole('heading')).toHaveText(/^Pricing: [\d,]+ views$/);
  await expect(page).toHaveURL(/days=90&route=%2Fpricing/);
  await checkAccessibility(page);
  await views.getByRole('link', { name: 'Show all pages' }).click();
  await expect(shown.getByRole('heading')).toHaveText(/^All pages/);
});

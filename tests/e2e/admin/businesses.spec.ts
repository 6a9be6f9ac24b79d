import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ as: 'admin', expectedConsole: CUT });

test('An admin finds businesses, and archives several and undoes it', async ({ page, site }) => {
  await page.goto('/admin');
  const figures = page.getByRole('region', { name: 'Figures' });
  const total = await figures.getByRole('link', { name: 'Businesses' }).evaluate(
    // The figure right after its label.
    (link) => link.closest('div')?.querySelector('dd')?.textContent,
  );
  await figures.getByRole('link', { name: 'Businesses' }).click();
  await expect(page.getByText(new RegExp(`(of|^) ?${total} businesses$`))).toBeVisible();
  const table = page.getByRole('table', { name: 'Businesses' });
  await checkAccessibility(page);

  await page.getByLabel('Search by name, city, postal code or industry').fill('cycl');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(table.getByRole('row', { name: /Park Street Cycles/ })).toBeVisible();
  await page.getByLabel('Search by name, city, postal code or industry').fill('');
  await page.getByLabel('Sort by').selectOption('Name');
  await expect(page).toHaveURL(/sort=name/);
  await expect(table).not.toHaveAttribute('aria-busy', 'true');

  for (const name of ['Mesilla Print Works', 'Park Street Cycles']) {
    await table.getByRole('row', { name }).getByRole('checkbox').check();
  }
  await page.getByRole('button', { name: 'Archive', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Archive 2 businesses?' });
  const archive = dialog.getByRole('button', { name: 'Archive', exact: true });
  await archive.click();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  // What was typed stays if the request fails.
  await dialog.getByLabel('Reason').fill('Both have closed');
  await page.route('**/rpc/archive_businesses', (route) => route.abort());
  await archive.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toHaveValue('Both have closed');
  await page.unroute('**/rpc/archive_businesses');
  await archive.click();
  await expect(page.getByText('2 businesses archived.', { exact: true })).toBeVisible();
  const archived = () => site.sql`select name from public.businesses where archived_at is not null`;
  expect(await archived()).toHaveLength(2);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('Undone: 2 businesses active again.', { exact: true })).toBeVisible();
  expect(await archived()).toEqual([]);
});

test('An admin opens a business, merges it into another, and undoes that', async ({
  page,
  elsewhere,
  site,
}) => {
  await page.goto('/admin/businesses?q=park+street');
  await page.getByRole('link', { name: 'Park Street Cycles' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Park Street Cycles');
  await expect(page.getByRole('region', { name: 'Members' })).toContainText('owner2@demo.test');
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Merge into another business' }).click();
  const dialog = page.getByRole('dialog', { name: /^Merge Park Street Cycles/ });
  await dialog.getByLabel('Find the business to keep').fill('mesilla');
  await dialog.getByRole('radio', { name: /Mesilla Print Works/ }).check();
  await expect(dialog.getByText('What moves to Mesilla Print Works')).toBeVisible();
  await checkAccessibility(page);
  await dialog.getByLabel('Reason').fill('Added twice under two names');
  await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
  await expect(
    page.getByText('Park Street Cycles is now part of Mesilla Print Works.', { exact: true }),
  ).toBeVisible();
  await expect(page.getByText('Merged into Mesilla Print Works', { exact: true })).toBeVisible();
  await site.mail('owner2@demo.test', /is now part of Mesilla Print Works/);

  const [{ id }] = (await site.sql`
    select id from public.businesses where name = 'Park Street Cycles'`) as [{ id: string }];
  const owner = await elsewhere('owner2');
  await owner.goto(`${site.url}/dashboard/businesses/${id}`);
  await expect(owner.getByText('This business is now part of Mesilla Print Works')).toBeVisible();

  await page.getByRole('button', { name: /^Undo the merge/ }).click();
  const undoing = page.getByRole('dialog', { name: /^Undo the merge of Park Street Cycles/ });
  await undoing.getByLabel('Reason').fill('They are two after all');
  await undoing.getByRole('button', { name: 'Undo the merge' }).click();
  await expect(page.getByRole('button', { name: 'Merge into another business' })).toBeVisible();
  await owner.reload();
  await expect(owner.getByRole('link', { name: 'Edit', exact: true })).toBeVisible();

  await page.getByRole('link', { name: /^Audit log for/ }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /Undid a merge of businesses/ })).toContainText(
    'They are two after all',
  );
});

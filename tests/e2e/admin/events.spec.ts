import { checkBothThemes } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';

// The refusal of a place that there isn't.
test.use({ as: 'admin', expectedConsole: /status of 500/ });

test('An admin sees who comes, cancels someone with a reason, and the next in line is offered the place', async ({
  page,
  site,
}) => {
  await page.goto('/admin/events');
  const events = page.getByRole('table', { name: 'Events' });
  const row = events.getByRole('row', { name: /Online office hours/ }).first();
  await expect(row).toContainText('8 of 8');
  await checkBothThemes(page);
  await row.getByRole('link').click();

  const table = page.getByRole('table', { name: 'People' });
  const waiting = table.getByRole('row', { name: /Waiting, number 1/ });
  await waiting.getByRole('button', { name: /Give a place/ }).click();
  await expect(page.getByText(/All 8 places are taken/).first()).toBeVisible();
  await checkBothThemes(page);

  await table.getByRole('button', { name: 'Cancel Luz Moreno' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel the place of Luz Moreno?' });
  await dialog.getByLabel('Reason').fill('You called us.');
  await dialog.getByRole('button', { name: 'Cancel the place' }).click();
  await expect(dialog).toBeHidden();
  await expect(table.getByRole('row', { name: /Luz Moreno/ })).toContainText('Canceled');
  const removed = await site.mail('luz.moreno@demo.test', /We had to cancel your place/);
  expect(removed.text).toContain('You called us.');
  await expect(table.getByRole('row', { name: /Offered a place/ })).toHaveCount(1);
  await site.mail('theo.chavez@demo.test', /A place is free/);
});

test('An admin cancels an event, and everyone with a place gets the reason', async ({
  page,
  site,
}) => {
  await page.goto('/admin/events?q=cash');
  const events = page.getByRole('table', { name: 'Events' });
  await events.getByRole('link').first().click();
  await page.getByRole('button', { name: 'Cancel the event' }).click();
  const dialog = page.getByRole('dialog', { name: 'Cancel this event?' });
  await dialog.getByLabel('Reason').fill('The building has no heat.');
  await dialog.getByRole('button', { name: 'Cancel the event' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('This event is canceled')).toBeVisible();
  const mail = await site.mail('owner@demo.test', /Canceled: Cash and pricing/);
  expect(mail.text).toContain('The building has no heat.');
  await page.goto('/events/monthly-workshop-albuquerque');
  await expect(page.locator('option').first()).toHaveText(/Canceled$/);
});

test('An admin marks who came', async ({ page }) => {
  await page.goto('/admin/events?show=past');
  await page.getByRole('table', { name: 'Events' }).getByRole('link').first().click();
  const row = page.getByRole('row', { name: /Luz Moreno/ });
  const came = row.getByRole('button', { name: /^Came/ });
  await expect(came).toHaveAttribute('aria-pressed', 'true');
  await came.click();
  await expect(came).toHaveAttribute('aria-pressed', 'false');
  await page.reload();
  await expect(came).toHaveAttribute('aria-pressed', 'false');
});

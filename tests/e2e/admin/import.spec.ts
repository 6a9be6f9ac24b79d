import { readFile } from 'node:fs/promises';
import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: false, expectedConsole: CUT });

const LIST = `Mail address,First name,Last name,Company,Town
ida@import.test,Ida,Import,Import Inks,Taos
ivo at import,Ivo,Import,Ivo’s Inks,Taos
`;

test('An admin imports a list: its columns, a check, the import, and the refused rows', async ({
  page,
  site,
}) => {
  await page.goto('/admin/contacts-summary');
  await page.getByRole('link', { name: 'Import a list' }).click();
  await expect(page.getByRole('button', { name: 'Choose a CSV file' })).toBeEnabled();
  await checkAccessibility(page);
  const choose = (text: string) =>
    page
      .getByLabel('CSV file')
      .setInputFiles({ name: 'clients.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await choose('\n');
  await expect(page.getByRole('alert')).toContainText('needs a first line');
  await choose(LIST);

  await expect(page.getByLabel('Company')).toHaveValue('business');
  await page.getByRole('button', { name: 'Check the rows' }).click();
  await expect(page.getByRole('alert')).toHaveText('Choose the column with the email addresses.');
  await page.getByLabel('Mail address').selectOption('Email');
  await checkAccessibility(page);
  // A lost connection doesn't lose the file or its columns.
  await page.route('**/rpc/import_contacts', (route) => route.abort());
  await page.getByRole('button', { name: 'Check the rows' }).click();
  await expect(page.getByText('We couldn’t check the rest')).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Continue' }).click();

  await expect(page.getByText('1 new contact and 1 new business.')).toBeVisible();
  const rows = page.getByRole('list', { name: 'Rows' }).getByRole('listitem');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('“ivo at import” isn’t an email address.');
  await checkAccessibility(page);
  expect(await site.sql`select from public.contacts where email = 'ida@import.test'`).toEqual([]);

  await page.getByLabel(/Email the owners/).check();
  await page.getByRole('button', { name: 'Import 1 row' }).click();
  await expect(page.getByRole('heading', { name: 'Imported' })).toBeVisible();
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download the refused rows' }).click();
  const file = await readFile(await (await downloading).path(), 'utf8');
  expect(file).toContain('ivo at import,Ivo,Import,Ivo’s Inks,Taos,3,“ivo at import” isn’t');
  await site.mail('ida@import.test', /Import Inks is ready for you/);

  // The same file again adds nothing.
  await page.getByRole('button', { name: 'Import another file' }).click();
  await choose(LIST);
  await page.getByLabel('Mail address').selectOption('Email');
  await page.getByRole('button', { name: 'Check the rows' }).click();
  await expect(page.getByText('1 row is already there, and 1 is refused.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Import 0 rows' })).toBeDisabled();
});

import { checkAccessibility } from '../support/axe.ts';
import { addFiles, NO_PICTURE, PRICES, saveFile, tooLarge } from '../support/files.ts';
import { CUT, expect, test } from '../support/harness.ts';
import { createPair } from '../support/pair.ts';
import { createProject } from '../support/project-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('Files are sent, refused and removed', async ({ page, site, signIn, elsewhere }, testInfo) => {
  const pair = await createPair(site);
  await signIn(page, pair.owner.email);
  const address = await createProject(site, 'Papers for the bank', pair.owner.email);
  await page.goto(address);
  await expect(page.getByRole('button', { name: 'Add files' })).toBeEnabled();
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 32)]);
  const files = page.getByRole('region', { name: 'Files' });
  await addFiles(page, await tooLarge(testInfo));
  await expect(files.getByText('This file is 21.0 MB, and the limit is 20 MB.')).toBeVisible();
  await addFiles(page, [
    { name: 'forecast für März.pdf', mimeType: 'application/pdf', buffer: pdf },
    NO_PICTURE,
    { name: 'nothing.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
  ]);
  await expect(files.getByRole('button', { name: 'Download forecast für März.pdf' })).toBeVisible();
  await expect(files.getByText('We can’t accept this kind of file')).toBeVisible();
  await expect(files.getByText('This file is empty.')).toBeVisible();
  await checkAccessibility(page);
  for (const name of ['photo.png', 'film.pdf', 'nothing.txt']) {
    await files.getByRole('button', { name: `Dismiss ${name}` }).click();
  }

  // If the connection is lost, the file is uploaded once it's back, and only once.
  await page.route('**/storage/v1/object/project-files/**', (route) =>
    route.abort('connectionfailed'),
  );
  await addFiles(page, PRICES);
  await expect(files.getByRole('alert')).toContainText('We couldn’t reach the server');
  // Leaving now would lose the file.
  const leaving = page.waitForEvent('dialog');
  await page.close({ runBeforeUnload: true });
  const asked = await leaving;
  expect(asked.type()).toBe('beforeunload');
  await asked.dismiss();
  await page.unroute('**/storage/v1/object/project-files/**');
  await files.getByRole('button', { name: 'Try again' }).click();
  await expect(files.getByRole('button', { name: `Download ${PRICES.name}` })).toHaveCount(1);

  await saveFile(files, 'forecast für März.pdf');

  const coach = await elsewhere(pair.coach.email);
  await coach.goto(address);
  await expect(coach.getByRole('button', { name: 'Download forecast für März.pdf' })).toBeVisible();
  await expect(coach.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  await expect(coach.getByRole('button', { name: 'Mark as planned' })).toHaveCount(0);
  await coach.getByRole('button', { name: 'Edit' }).click();
  await expect(coach.getByLabel('Title')).toHaveCount(0);
  await coach.getByLabel('Outcome').fill('The loan is decided by March.');
  await coach.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(coach.getByText('The loan is decided by March.')).toBeVisible();
  await checkAccessibility(coach);

  await files.getByRole('button', { name: 'Remove forecast für März.pdf' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(files.getByRole('button', { name: 'Download forecast für März.pdf' })).toHaveCount(
    0,
  );
  await expect(files.getByRole('heading')).toBeFocused();
  await expect(files.getByRole('status')).toHaveText('1 file');
  await page.reload();
  await expect(files.getByRole('button', { name: /^Download / })).toHaveCount(1);
});

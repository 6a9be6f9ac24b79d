import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import { addFiles, NO_PICTURE, PRICES, saveFile, tooLarge } from '../support/files.ts';
import { CUT, expect, test } from '../support/harness.ts';
import { canWrite, field, hasArrived, message, messages, openBoth } from '../support/pair.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** A 400 by 300 pixel image, drawn by the browser itself. */
async function picture(page: Page): Promise<Buffer> {
  const drawn = await page.evaluate(() => {
    const canvas = document.createElement('canvas');
    canvas.width = 400;
    canvas.height = 300;
    const context = canvas.getContext('2d');
    if (context) {
      context.fillStyle = 'green';
      context.fillRect(40, 40, 200, 100);
    }
    return canvas.toDataURL('image/png');
  });
  return Buffer.from(drawn.split(',')[1] ?? '', 'base64');
}

const waiting = (page: Page) => page.getByRole('list', { name: 'Attached files' });

test('Files go with a message, or are refused', async ({ page, site, elsewhere }, testInfo) => {
  const { other, address } = await openBoth(page, site, elsewhere);
  await addFiles(page, await tooLarge(testInfo));
  await expect(waiting(page).getByText('This file is 21.0 MB, and the limit is')).toBeVisible();
  await addFiles(page, NO_PICTURE);
  await expect(waiting(page).getByText('We can’t accept this kind of file')).toBeVisible();
  await field(page).fill('Nothing of it goes out');
  await field(page).press('Enter');
  await expect(page.getByText('One of the files didn’t upload.')).toBeVisible();
  await expect(field(page)).toHaveValue('Nothing of it goes out');
  for (const name of ['film.pdf', 'photo.png']) {
    await waiting(page)
      .getByRole('button', { name: `Remove ${name}` })
      .click();
  }
  await expect(waiting(page)).toBeHidden();
  await expect(field(page)).toBeFocused();

  // If the connection is lost during the upload, a button retries it.
  let cut = true;
  await page.route('**/storage/v1/object/message-files/**', (route) =>
    cut && route.request().method() === 'POST' ? route.abort('connectionfailed') : route.fallback(),
  );
  await addFiles(page, [
    { name: 'oven.png', mimeType: 'image/png', buffer: await picture(page) },
    PRICES,
  ]);
  await expect(waiting(page).getByRole('button', { name: 'Try again' })).toHaveCount(2);
  await expect(page.getByRole('status').getByText('2 files attached.')).toBeAttached();
  cut = false;
  await waiting(page).getByRole('button', { name: 'Try again' }).first().click();
  await expect(waiting(page).getByRole('alert')).toHaveCount(0);
  await expect(waiting(page).getByRole('progressbar')).toHaveCount(0);

  // Uploaded but unsent files are still there after a reload, and so is the text.
  await page.reload();
  await canWrite(page);
  await expect(waiting(page).getByRole('listitem')).toHaveCount(2);
  await field(page).fill('The oven, and what we ask');
  await field(page).press('Enter');
  await hasArrived(page, 'The oven, and what we ask');
  await expect(waiting(page)).toBeHidden();

  const heard = message(other, 'The oven, and what we ask');
  const shown = heard.getByRole('img', { name: 'oven.png' });
  await expect(shown).toBeVisible();
  expect(await shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(400);
  await heard.getByRole('button', { name: /Show the picture/ }).click();
  const dialog = other.getByRole('dialog', { name: 'oven.png' });
  await expect(dialog.getByRole('img', { name: 'oven.png' })).toBeVisible();
  await checkAccessibility(other);
  await other.keyboard.press('Escape');
  await expect(dialog).toBeHidden();

  await saveFile(heard, PRICES.name);

  // Deleting the message deletes its files as well.
  await message(page, 'The oven, and what we ask')
    .getByRole('button', { name: /^Actions/ })
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Delete…' }).press('Enter');
  await page
    .getByRole('dialog', { name: 'Delete this message?' })
    .getByRole('button', { name: 'Delete', exact: true })
    .click();
  await expect(messages(other).getByText('This message was deleted.')).toBeVisible();
  await other.goto(address);
  await expect(messages(other).getByText('This message was deleted.')).toBeVisible();
  await expect(other.getByRole('img', { name: 'oven.png' })).toHaveCount(0);
});

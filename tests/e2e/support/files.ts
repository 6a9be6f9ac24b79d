import { writeFile } from 'node:fs/promises';
import type { FileChooser, Locator, Page, TestInfo } from '@playwright/test';
import { expect } from './harness.ts';

/** Presses a button and takes these files from the disk. */
export async function chooseFiles(
  button: Locator,
  files: Parameters<FileChooser['setFiles']>[0],
): Promise<void> {
  const opened = button.page().waitForEvent('filechooser');
  await button.click();
  await (await opened).setFiles(files);
}

/** Adds files to a project or to a message. */
export const addFiles = (page: Page, files: Parameters<typeof chooseFiles>[1]) =>
  chooseFiles(page.getByRole('button', { name: 'Add files' }), files);

/** A page that calls itself a picture. */
export const NO_PICTURE = {
  name: 'photo.png',
  mimeType: 'image/png',
  buffer: Buffer.from('<script>alert(1)</script>'),
};

export const PRICES = {
  name: 'prices für März.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('loaf,4.50\nrye,6.00\n'),
};

/** Where a file lies that is one byte too large: as bytes in memory it would take longer to hand over. */
export async function tooLarge(testInfo: TestInfo): Promise<string> {
  const path = testInfo.outputPath('film.pdf');
  await writeFile(path, Buffer.alloc(20 * 1024 * 1024 + 1, 37));
  return path;
}

/** Saves a file that is listed here: under its own name, by a link that lasts a minute at most. */
export async function saveFile(list: Locator, name: string): Promise<void> {
  const page = list.page();
  const saving = page.waitForEvent('download');
  const signing = page.waitForResponse('**/storage/v1/object/sign/**');
  await list.getByRole('button', { name: `Download ${name}` }).click();
  expect((await saving).suggestedFilename()).toBe(name);
  const asked = JSON.parse((await signing).request().postData() ?? '{}') as { expiresIn: number };
  expect(asked.expiresIn).toBeLessThanOrEqual(60);
}

import { writeFile } from 'node:fs/promises';
import type { FileChooser, Locator, Page, TestInfo } from '@playwright/test';
import { expect } from './harness.ts';

/** Clicks a button and chooses these files in the browser's file dialog. */
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

/** HTML that claims to be an image. */
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

/** The path of a file that's one byte too large. On disk, because passing a buffer takes longer. */
export async function tooLarge(testInfo: TestInfo): Promise<string> {
  const path = testInfo.outputPath('film.pdf');
  await writeFile(path, Buffer.alloc(20 * 1024 * 1024 + 1, 37));
  return path;
}

/** Downloads a listed file, and checks its name and that its link lasts a minute at most. */
export async function saveFile(list: Locator, name: string): Promise<void> {
  const page = list.page();
  const saving = page.waitForEvent('download');
  const signing = page.waitForResponse('**/storage/v1/object/sign/**');
  await list.getByRole('button', { name: `Download ${name}` }).click();
  expect((await saving).suggestedFilename()).toBe(name);
  const asked = JSON.parse((await signing).request().postData() ?? '{}') as { expiresIn: number };
  expect(asked.expiresIn).toBeLessThanOrEqual(60);
}

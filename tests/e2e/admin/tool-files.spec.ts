import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { checkBothThemes } from '../support/axe.ts';
import { chooseFiles, NO_PICTURE } from '../support/files.ts';
import { expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: true });

const LIST = {
  name: 'price_list.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from('Loaf,4.50\nRye,6.00\n'),
};
const MORE = { ...LIST, name: 'More.csv' };
/** A video of 20 seconds. */
const film = async () => ({
  name: 'film.webm',
  mimeType: 'video/webm',
  buffer: await readFile(
    new URL('../../../src/backend/local/demo/break-even.webm', import.meta.url),
  ),
});
const captions = (end: string) => ({
  name: 'film.vtt',
  mimeType: 'text/vtt',
  buffer: Buffer.from(
    `WEBVTT\n\n00:00.000 --> 00:04.000\nA loaf sells for $6.\n\n00:10.000 --> ${end}\nThe rest pays the rent.\n`,
  ),
});

/** Waits until the draft is saved with this in it. */
const savedWith = (page: Page, words: string) =>
  page.waitForResponse(
    (answer) =>
      answer.url().endsWith('/rpc/save_tool_draft') &&
      answer.ok() &&
      answer.request().postData()?.includes(words) === true,
  );

test('An admin adds files and a video with captions, and everyone downloads and plays them', async ({
  page,
  site,
  elsewhere,
}) => {
  const run = test.info().repeatEachIndex;
  const slug = `loaf-video-${run}`;
  // The demo has one in every state.
  await page.goto('/admin/toolbox?state=archived');
  await expect(page.getByText('Printed ad checklist')).toBeVisible();
  await page.goto('/admin/toolbox?review=due');
  await expect(page.getByText('Ask for a review')).toBeVisible();
  await page.getByRole('button', { name: 'Write a tool' }).click();
  await page.waitForURL(/\/admin\/toolbox\/[0-9a-f-]{36}$/);
  await page.getByLabel('Title').fill(`Loaf video ${run}`);
  await page.getByLabel('Summary').fill('What a loaf has to pay for.');
  await page.getByLabel('Kind').selectOption('video');
  await page.getByLabel('Format').fill('Video');
  await page.getByLabel('Minutes').fill('1');
  const text = savedWith(page, 'Watch it first');
  await page.getByRole('textbox', { name: 'Text', exact: true }).fill('Watch it first.');
  await text;

  // Files, the second one moved before the first by the keyboard.
  const files = page.getByRole('region', { name: 'Files to download' });
  const add = files.getByRole('button', { name: 'Add files' });
  await chooseFiles(add, [NO_PICTURE]);
  await expect(files.getByRole('alert')).toContainText('We can’t accept this kind of file');
  await files.getByRole('button', { name: /^Dismiss/ }).click();
  await chooseFiles(add, [LIST, MORE]);
  await expect(files.getByLabel('Name of file 1')).toHaveValue('price_list');
  await expect(files.getByLabel('Name of file 2')).toHaveValue('More');
  await files.getByLabel('Name of file 1').fill('Price list');
  const moved = savedWith(page, 'Price list');
  await files.getByRole('button', { name: 'Move up More' }).press('Enter');
  await expect(files.getByLabel('Name of file 1')).toHaveValue('More');
  await moved;

  // Without a video, then without captions, it isn't published.
  const publish = page.getByRole('button', { name: 'Publish', exact: true });
  const video = page.getByRole('region', { name: 'Video', exact: true });
  await publish.click();
  await expect(video.getByRole('alert')).toContainText('Add the video');
  await chooseFiles(video.getByRole('button', { name: 'Add a video' }), await film());
  await expect(video.getByText('0:20 long')).toBeVisible();
  await publish.click();
  await expect(video.getByText('Add captions, so that everyone can follow')).toBeVisible();
  const choose = video.getByRole('button', { name: /captions file$/ });
  await chooseFiles(choose, captions('00:30.000'));
  await expect(video.getByText(/ends after the video, which is 20 seconds/)).toBeVisible();
  const whole = savedWith(page, '00:18.000');
  await chooseFiles(choose, captions('00:18.000'));
  await expect(video.getByText('2 captions, until 0:18')).toBeVisible();
  await whole;
  await checkBothThemes(page);
  await publish.click();
  const first = page.getByRole('dialog', { name: 'Publish this tool?' });
  await first.getByRole('button', { name: 'Publish it' }).click();
  await expect(first).toBeHidden();

  // A visitor downloads a file under its name, and loads nothing of the video before it plays.
  const visitor = await elsewhere(null);
  const loaded: string[] = [];
  visitor.on('request', (request) => {
    if (request.url().includes('/toolbox/files/')) loaded.push(request.url());
  });
  await visitor.goto(`${site.url}/toolbox/${slug}`);
  const download = visitor.waitForEvent('download');
  await visitor.getByRole('link', { name: 'Price list' }).click();
  expect((await download).suggestedFilename()).toBe('Price list.csv');
  const player = visitor.getByLabel(`Video: Loaf video ${run}`);
  await expect(player).toBeVisible();
  const source = await player.locator('source').getAttribute('src');
  // Browsers may read the captions, which are small.
  expect(loaded.filter((url) => url.endsWith(`${source}`))).toEqual([]);
  const at = await player.evaluate(async (element: HTMLVideoElement) => {
    element.muted = true;
    await element.play();
    element.currentTime = 15;
    await new Promise((done) => element.addEventListener('seeked', done, { once: true }));
    return element.currentTime;
  });
  expect(at).toBeGreaterThanOrEqual(15);
  await expect
    .poll(() =>
      player.evaluate((element: HTMLVideoElement) => element.textTracks[0]?.activeCues?.length),
    )
    .toBe(1);
  await visitor.getByText('Transcript').click();
  await expect(visitor.getByText('The rest pays the rent.')).toBeVisible();
  await checkBothThemes(visitor);

  // The next version begins with the same files; without one, the first version keeps it.
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(files.getByLabel('Name of file 2')).toHaveValue('Price list');
  const fewer = savedWith(page, 'More');
  await files.getByRole('button', { name: 'Remove Price list' }).click();
  await fewer;
  await publish.click();
  const second = page.getByRole('dialog', { name: 'Publish version 2?' });
  await second.getByLabel('What’s different').fill('Without the price list.');
  await second.getByRole('button', { name: 'Publish it' }).click();
  await expect(second).toBeHidden();
  await visitor.reload();
  await expect(visitor.getByRole('link', { name: 'More', exact: true })).toBeVisible();
  await expect(visitor.getByRole('link', { name: 'Price list' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Compare version 1' }).click();
  await expect(page.getByRole('dialog').getByText(/Removed: File: Price list/)).toBeVisible();
});

import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openProfile } from '../support/authenticator.ts';
import { checkAccessibility } from '../support/axe.ts';
import { chooseFiles, tooLarge } from '../support/files.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** A picture of one color, as a camera might make it. */
const photograph = (width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#2f6f4f' } })
    .jpeg()
    .toBuffer();

const section = (page: Page, name: string) => page.getByRole('region', { name });

const pictureButton = (page: Page) =>
  page.getByRole('button', { name: /^Choose (a|another) picture$/ });
const choosePicture = (page: Page, buffer: Buffer) =>
  chooseFiles(pictureButton(page), { name: 'me.jpg', mimeType: 'image/jpeg', buffer });

test("A person's contact details are there on the next visit", async ({ page, site }) => {
  await openProfile(page, site, 'reachable');
  const about = section(page, 'About you');
  await about.getByLabel('What we call you').fill('Mari');
  await about.getByLabel('Telephone').fill('ring twice');
  await about.getByRole('combobox', { name: 'Languages' }).selectOption('Spanish');
  await about.getByRole('combobox', { name: 'Languages' }).selectOption('English');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(about.getByLabel('Telephone')).toHaveAccessibleDescription(/Enter a phone number/);
  await expect(about.getByLabel('Telephone')).toBeFocused();
  await about.getByLabel('Telephone').fill('+1 505 555 0199');
  // What was typed stays when the request fails.
  await page.route('**/rest/v1/profiles*', (route) => route.abort());
  await page.keyboard.press('Enter');
  await expect(about.getByText('We could not reach the server.')).toBeVisible();
  await page.unroute('**/rest/v1/profiles*');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.').first()).toBeVisible();

  await page.reload();
  await expect(about.getByLabel('What we call you')).toHaveValue('Mari');
  await expect(about.getByLabel('Telephone')).toHaveValue('+1 505 555 0199');
  await expect(about.getByRole('listitem')).toHaveText(['Spanish', 'English']);
  await checkAccessibility(page);
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Mari');
});

test('Typing while saving, or saving in two tabs, loses nothing', async ({
  page,
  site,
  context,
}) => {
  await openProfile(page, site, 'two-tabs');
  const about = section(page, 'About you');
  const other = await context.newPage();
  await other.goto('/dashboard/profile');
  const saved = Promise.withResolvers<void>();
  await page.route('**/rest/v1/profiles*', async (route) => {
    await saved.promise;
    await route.continue();
  });
  await about.getByLabel('Telephone').fill('+1 505 555 0199');
  const sending = page.waitForRequest('**/rest/v1/profiles*');
  await about.getByRole('button', { name: 'Save' }).click();
  await sending;
  await about.getByLabel('What we call you').fill('Liv');
  saved.resolve();
  await expect(page.getByText('Saved.').first()).toBeVisible();
  await expect(about.getByLabel('What we call you')).toHaveValue('Liv');

  const elsewhere = section(other, 'About you');
  await expect(elsewhere.getByLabel('Telephone')).toHaveValue('');
  await elsewhere.getByLabel('Your name').fill('Olivia Two');
  await elsewhere.getByRole('button', { name: 'Save' }).click();
  await expect(other.getByText('Saved.').first()).toBeVisible();

  await page.unroute('**/rest/v1/profiles*');
  const second = page.waitForResponse('**/rest/v1/profiles*');
  await about.getByRole('button', { name: 'Save' }).click();
  expect((await second).ok()).toBe(true);
  await other.reload();
  await expect(elsewhere.getByLabel('Your name')).toHaveValue('Olivia Two');
  await expect(elsewhere.getByLabel('Telephone')).toHaveValue('+1 505 555 0199');
  await expect(elsewhere.getByLabel('What we call you')).toHaveValue('Liv');
});

test('A person crops a picture for their coach', async ({ page, signIn, elsewhere }, testInfo) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('button', { name: 'Choose a picture' })).toBeEnabled();
  await choosePicture(page, Buffer.from('<svg onload="alert(1)"/>'));
  await expect(page.getByText('This is no picture that we can use.').first()).toBeVisible();
  await chooseFiles(pictureButton(page), await tooLarge(testInfo));
  await expect(page.getByText('larger than 15 MB').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // A picture whose upload fails is retried without choosing it again.
  await page.route('**/storage/v1/object/avatars/**', (route) => route.abort());
  await choosePicture(page, await photograph());
  const dialog = page.getByRole('dialog', { name: 'Cut your picture' });
  await dialog.getByLabel('Size').press('ArrowRight');
  await dialog.getByRole('button', { name: 'Use this picture' }).click();
  await expect(page.getByText('The picture did not arrive').first()).toBeVisible();
  await page.unroute('**/storage/v1/object/avatars/**');
  await page.getByRole('button', { name: 'Send it again' }).click();
  await expect(page.getByText('Your picture is shown from now on.').first()).toBeVisible();
  const picture = section(page, 'Picture');
  const shown = picture.locator('img');
  await expect(shown).toHaveAttribute('src', /^\/image\?url=.*avatars.*&w=96&q=80$/);
  const first = (await shown.getAttribute('src')) ?? '';
  // Here and in the navigation.
  await expect(page.locator(`img[src="${first}"]`)).toHaveCount(2);

  const answer = await page.request.get(first);
  expect(answer.status()).toBe(200);
  expect(answer.headers()['cache-control']).toBe('private, max-age=3600');
  const { width, height, exif } = await sharp(await answer.body()).metadata();
  // The file holds nothing of where and when it was taken.
  expect({ width, height, exif }).toEqual({ width: 96, height: 96, exif: undefined });
  // Visitors, and people who don't work with them, get a 404.
  for (const who of [null, 'owner']) {
    const stranger = await elsewhere(who);
    expect((await stranger.request.get(first)).status()).toBe(404);
  }

  // The next one takes its place, and the old one is gone from the store.
  await choosePicture(page, await photograph(400, 700));
  await dialog.getByRole('button', { name: 'Use this picture' }).click();
  await expect(shown).not.toHaveAttribute('src', first);
  await expect.poll(async () => (await page.request.get(first)).status()).toBe(404);

  await picture.getByRole('button', { name: 'Take it away' }).click();
  await expect(shown).toHaveCount(0);
  await expect(
    page.getByText('Your picture is taken away.', { exact: true }).first(),
  ).toBeVisible();
  await expect(picture.getByRole('button', { name: 'Choose a picture' })).toBeFocused();
  await page.reload();
  await expect(picture.locator('img')).toHaveCount(0);
});

test('A person says who they are, and takes all of it back', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/profile');
  const form = section(page, 'Who you are, if you like to say');
  await expect(form).toContainText('Nobody reads what you say here');
  await form.getByLabel('Age').selectOption('35 to 44');
  await form.getByLabel('Hispanic or Latino').check();
  await form.getByRole('button', { name: 'Save what I said' }).click();
  await expect(page.getByText('Saved.').first()).toBeVisible();
  await page.reload();
  await expect(form.getByLabel('Age')).toHaveValue('35-44');
  await expect(form.getByLabel('Hispanic or Latino')).toBeChecked();
  await form.getByRole('button', { name: 'Take all of it back' }).click();
  await expect(page.getByText('Taken back.').first()).toBeVisible();
  await expect(form.getByLabel('Age')).toHaveValue('');
});

import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { openProfile } from '../support/authenticator.ts';
import { checkAccessibility, checkBothThemes } from '../support/axe.ts';
import { chooseFiles, tooLarge } from '../support/files.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** A JPEG in one color, in place of a photo from a camera. */
const photograph = (width = 900, height = 600) =>
  sharp({ create: { width, height, channels: 3, background: '#2f6f4f' } })
    .jpeg()
    .toBuffer();

const section = (page: Page, name: string) => page.getByRole('region', { name });

const pictureButton = (page: Page) =>
  page.getByRole('button', { name: /^(Choose a|Change) photo$/ });
const choosePicture = (page: Page, buffer: Buffer) =>
  chooseFiles(pictureButton(page), { name: 'me.jpg', mimeType: 'image/jpeg', buffer });

test("A person's contact details are there on the next visit", async ({ page, site }) => {
  await openProfile(page, site, 'reachable');
  const about = section(page, 'About you');
  await about.getByLabel('Preferred name').fill('Mari');
  await about.getByLabel('Phone').fill('ring twice');
  await about.getByRole('combobox', { name: 'Languages' }).selectOption('Spanish');
  await about.getByRole('combobox', { name: 'Languages' }).selectOption('English');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(about.getByLabel('Phone')).toHaveAccessibleDescription(/Enter a phone number/);
  await expect(about.getByLabel('Phone')).toBeFocused();
  await about.getByLabel('Phone').fill('+1 505 555 0199');
  // If the request fails, the input stays.
  await page.route('**/rest/v1/profiles*', (route) => route.abort());
  await page.keyboard.press('Enter');
  await expect(about.getByText('We couldn’t reach the server.')).toBeVisible();
  await page.unroute('**/rest/v1/profiles*');
  await about.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.').first()).toBeVisible();

  await page.reload();
  await expect(about.getByLabel('Preferred name')).toHaveValue('Mari');
  await expect(about.getByLabel('Phone')).toHaveValue('+1 505 555 0199');
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
  await about.getByLabel('Phone').fill('+1 505 555 0199');
  const sending = page.waitForRequest('**/rest/v1/profiles*');
  await about.getByRole('button', { name: 'Save' }).click();
  await sending;
  await about.getByLabel('Preferred name').fill('Liv');
  saved.resolve();
  await expect(page.getByText('Saved.').first()).toBeVisible();
  await expect(about.getByLabel('Preferred name')).toHaveValue('Liv');

  const elsewhere = section(other, 'About you');
  await expect(elsewhere.getByLabel('Phone')).toHaveValue('');
  await elsewhere.getByLabel('Your name').fill('Olivia Two');
  await elsewhere.getByRole('button', { name: 'Save' }).click();
  await expect(other.getByText('Saved.').first()).toBeVisible();

  await page.unroute('**/rest/v1/profiles*');
  const second = page.waitForResponse('**/rest/v1/profiles*');
  await about.getByRole('button', { name: 'Save' }).click();
  expect((await second).ok()).toBe(true);
  await other.reload();
  await expect(elsewhere.getByLabel('Your name')).toHaveValue('Olivia Two');
  await expect(elsewhere.getByLabel('Phone')).toHaveValue('+1 505 555 0199');
  await expect(elsewhere.getByLabel('Preferred name')).toHaveValue('Liv');
});

test('A person crops a picture for their coach', async ({ page, signIn, elsewhere }, testInfo) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('button', { name: 'Choose a photo' })).toBeEnabled();
  await choosePicture(page, Buffer.from('<svg onload="alert(1)"/>'));
  await expect(page.getByText('We can’t use this file.').first()).toBeVisible();
  await chooseFiles(pictureButton(page), await tooLarge(testInfo));
  await expect(page.getByText('larger than 15 MB').first()).toBeVisible();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  // A failed upload can be retried without choosing the picture again.
  await page.route('**/storage/v1/object/avatars/**', (route) => route.abort());
  await choosePicture(page, await photograph());
  const dialog = page.getByRole('dialog', { name: 'Crop your photo' });
  await dialog.getByLabel('Zoom').press('ArrowRight');
  await dialog.getByRole('button', { name: 'Use this photo' }).click();
  await expect(page.getByText('The upload didn’t finish').first()).toBeVisible();
  await page.unroute('**/storage/v1/object/avatars/**');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByText('Your photo is now showing.').first()).toBeVisible();
  const picture = section(page, 'Photo');
  const shown = picture.locator('img');
  await expect(shown).toHaveAttribute('src', /^\/image\?url=.*avatars.*&w=96&q=80$/);
  const first = (await shown.getAttribute('src')) ?? '';
  // Once in this section and once in the navigation.
  await expect(page.locator(`img[src="${first}"]`)).toHaveCount(2);

  // Where it can't be loaded, the initials under it are seen.
  await page.route('**/image?*', (route) => route.abort());
  await page.reload();
  await expect(page.locator(`img[src="${first}"]`)).toHaveCount(2);
  for (const image of await page.locator(`img[src="${first}"]`).all())
    await expect(image).toBeHidden();
  await page.unroute('**/image?*');
  await page.reload();
  await expect(shown).toBeVisible();

  const answer = await page.request.get(first);
  expect(answer.status()).toBe(200);
  expect(answer.headers()['cache-control']).toBe('private, max-age=3600');
  const { width, height, exif } = await sharp(await answer.body()).metadata();
  // The file contains no metadata about where and when it was taken.
  expect({ width, height, exif }).toEqual({ width: 96, height: 96, exif: undefined });
  // Visitors, and people who don't work with them, get a 404.
  for (const who of [null, 'owner']) {
    const stranger = await elsewhere(who);
    expect((await stranger.request.get(first)).status()).toBe(404);
  }

  // The next picture replaces it, and the old one is deleted from storage.
  await choosePicture(page, await photograph(400, 700));
  await dialog.getByRole('button', { name: 'Use this photo' }).click();
  await expect(shown).not.toHaveAttribute('src', first);
  await expect.poll(async () => (await page.request.get(first)).status()).toBe(404);

  await picture.getByRole('button', { name: 'Remove photo' }).click();
  await expect(shown).toHaveCount(0);
  await expect(page.getByText('Photo removed.', { exact: true }).first()).toBeVisible();
  await expect(picture.getByRole('button', { name: 'Choose a photo' })).toBeFocused();
  await page.reload();
  await expect(picture.locator('img')).toHaveCount(0);
});

test('A person says who they are, and deletes it again', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/profile/sharing');
  const form = section(page, 'Demographics (optional)');
  await expect(form).toContainText('Nobody reads your answers');
  await form.getByLabel('Age').selectOption('35 to 44');
  await form.getByLabel('Hispanic or Latino').check();
  await form.getByRole('button', { name: 'Save my answers' }).click();
  await expect(page.getByText('Saved.').first()).toBeVisible();
  await page.reload();
  await expect(form.getByLabel('Age')).toHaveValue('35-44');
  await expect(form.getByLabel('Hispanic or Latino')).toBeChecked();
  await form.getByRole('button', { name: 'Delete my answers' }).click();
  await expect(page.getByText('Answers deleted.').first()).toBeVisible();
  await expect(form.getByLabel('Age')).toHaveValue('');
});

test('A person goes from section to section, and old links still lead there', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/profile');
  const sections = page.getByRole('navigation', { name: 'Sections of profile' });
  for (const [name, heading] of [
    ['Sign-in', 'Two-step sign-in'],
    ['Notifications', 'Emails'],
    ['Privacy', 'Who sees what'],
    ['Data', 'Delete your account'],
  ] as const) {
    await sections.getByRole('link', { name }).click();
    await expect(sections.getByRole('link', { name })).toHaveAttribute('aria-current', 'page');
    await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    await checkBothThemes(page);
  }
  await page.goBack();
  await expect(page).toHaveURL(/\/dashboard\/profile\/sharing$/);
  await page.goto('/dashboard/profile#second-factor');
  await expect(page).toHaveURL(/\/dashboard\/profile\/security#second-factor$/);
});

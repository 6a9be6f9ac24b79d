import type { Page } from '@playwright/test';
import { demoPassword } from '#backend/local/demo/accounts.ts';
import { SESSION_COOKIE } from '#lib/session-cookie.ts';
import { signInHere } from '../support/account-steps.ts';
import { Authenticator, addApp, openProfile } from '../support/authenticator.ts';
import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, loseSession, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** The user's own profile row, as REST returns it to this page's session. */
async function ownRows(page: Page): Promise<unknown> {
  const { publishableKey } = await (await page.request.get('/app-config.json')).json();
  const cookies = (await page.context().cookies()).filter(({ value }) => value !== '');
  const chunks = cookies
    .filter(({ name }) => name.startsWith(SESSION_COOKIE))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ value }) => value)
    .join('');
  const json = Buffer.from(chunks.replace(/^base64-/, ''), 'base64url').toString();
  const answer = await page.request.get('/rest/v1/profiles?select=full_name', {
    headers: { apikey: publishableKey, authorization: `Bearer ${JSON.parse(json).access_token}` },
  });
  return answer.json();
}

test('With an app nothing private opens without a code', async ({ page, site, elsewhere }) => {
  const email = await openProfile(page, site, 'enrols', '/security');
  const before = await elsewhere(email);

  await page.getByRole('button', { name: 'Add an authenticator app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add an authenticator app' });
  const picture = dialog.getByRole('img', { name: 'QR code' });
  // Dark on light, or cameras can't read it.
  await expect(picture.locator('rect')).toHaveCSS('fill', 'rgb(255, 255, 255)');
  await expect(picture.locator('path')).toHaveCSS('fill', 'rgb(0, 0, 0)');
  await expect(dialog.getByRole('link', { name: /Open the app/ })).toHaveAttribute(
    'href',
    /^otpauth:\/\/totp\/.*secret=/,
  );
  await checkAccessibility(page);
  const app = new Authenticator(site, (await dialog.locator('code').textContent()) ?? '');

  await dialog.getByLabel('Code', { exact: true }).fill('12');
  await dialog.getByRole('button', { name: 'Add this app' }).click();
  await expect(dialog.getByText('Enter the six-digit code.')).toBeVisible();
  await dialog.getByLabel('Code', { exact: true }).fill(app.wrong());
  await dialog.getByRole('button', { name: 'Add this app' }).click();
  await expect(dialog.getByText('That isn’t the current code.')).toBeVisible();
  await page.route('**/auth/v1/factors/**', (route) => route.abort('connectionfailed'));
  const code = await app.code();
  await dialog.getByLabel('Code', { exact: true }).fill(code);
  await dialog.getByRole('button', { name: 'Add this app' }).click();
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t reach the server');
  await expect(dialog.getByLabel('Code', { exact: true })).toHaveValue(code);
  await page.unroute('**/auth/v1/factors/**');
  await dialog.getByRole('button', { name: 'Add this app' }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page.getByRole('heading', { name: 'If you lose your phone' })).toBeVisible();

  // The other browser never entered a code, so it's signed out.
  await before.goto('/dashboard/profile');
  await expect(before.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await signInHere(before, email);
  await expect(before.getByRole('heading', { name: 'One more step' })).toBeVisible();
  for (const path of ['/dashboard', '/dashboard/profile', '/dashboard/businesses']) {
    await before.goto(path);
    await expect(before.getByRole('heading', { name: 'One more step' })).toBeVisible();
  }
  expect(await ownRows(before)).toEqual([]);
  await before.getByLabel('Code').fill(app.wrong());
  await before.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(before.getByText('That isn’t the current code')).toBeVisible();
  await before.getByLabel('Code').fill(await app.code());
  await before.getByRole('button', { name: 'Sign in', exact: true }).click();
  await before.waitForURL((url) => url.pathname === '/dashboard/businesses');
  expect(await ownRows(before)).toEqual([{ full_name: 'Rosa Marsh' }]);
});

test('A second app replaces a lost one', async ({ page, site, elsewhere }) => {
  const email = await openProfile(page, site, 'two-apps', '/security');
  const first = await addApp(page, site);
  const second = await addApp(page, site);
  await expect(page.getByRole('button', { name: 'Remove Authenticator app 2' })).toBeVisible();

  const phone = await elsewhere(email);
  await phone.goto('/dashboard/profile/security');
  await phone.getByLabel('Code').fill(await second.code());
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await phone.waitForURL((url) => url.pathname === '/dashboard/profile/security');

  await phone.getByRole('button', { name: 'Remove Authenticator app 1' }).click();
  const dialog = phone.getByRole('dialog', { name: 'Remove this app?' });
  await dialog.getByLabel('Code').fill(first.wrong());
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog.getByText('That isn’t the current code.')).toBeVisible();
  await dialog.getByLabel('Code').fill(await second.code());
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(phone.getByRole('button', { name: /^Remove Authenticator app/ })).toHaveCount(1);

  await phone.getByRole('button', { name: /^Remove Authenticator app/ }).click();
  await dialog.getByLabel('Code').fill(await second.code());
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(phone.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible();
  await phone.reload();
  await expect(phone.getByRole('heading', { name: 'Two-step sign-in' })).toBeVisible();
  await expect(phone.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible();
});

test('Replacing a forgotten password takes the app’s code', async ({ page, site, elsewhere }) => {
  const email = await openProfile(page, site, 'forgets', '/security');
  const app = await addApp(page, site);

  const phone = await elsewhere(null);
  await phone.goto('/recover');
  await phone.getByLabel('Email').fill(email);
  await phone.getByRole('button', { name: 'Send the link' }).click();
  await phone.goto(site.linkIn(await site.mail(email, /new password/i)));
  await phone.getByRole('button', { name: 'Choose a new password' }).click();
  await expect(phone.getByLabel('Code')).toBeVisible();
  // The link is used up, but the page it opened still asks for the code.
  await phone.reload();
  await phone.getByLabel('Code').fill(await app.code());
  await phone.getByRole('button', { name: 'Continue' }).click();
  await phone.getByLabel('Password', { exact: true }).fill('seven-quiet-rivers');
  await phone.getByRole('button', { name: 'Save' }).click();
  await phone.waitForURL((url) => url.pathname === '/dashboard');
});

test('A session that ends is resumed in place with password and code', async ({ page, site }) => {
  await openProfile(page, site, 'in-place', '/security');
  const app = await addApp(page, site);
  await loseSession(page);
  await page.getByRole('button', { name: 'Add another app' }).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(demoPassword);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.getByLabel('Code').fill(app.wrong());
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog.getByText('That isn’t the current code.')).toBeVisible();
  await dialog.getByLabel('Code').fill(await app.code());
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Add another app' }).click();
  await expect(page.getByRole('dialog', { name: 'Add an authenticator app' })).toBeVisible();
});

test('A recovery code signs in without the lost phone, once', async ({ page, site, elsewhere }) => {
  const email = await openProfile(page, site, 'recovers', '/security');
  await addApp(page, site);
  await expect(page.getByText(/^10 of the ten codes from .* are left\.$/)).toBeVisible();
  await page.getByRole('button', { name: 'Make new codes' }).click();
  const sure = page.getByRole('dialog', { name: 'Make new recovery codes?' });
  await sure.getByRole('button', { name: 'Make new codes' }).click();
  const dialog = page.getByRole('dialog', { name: 'Recovery codes' });
  await expect(dialog.getByRole('listitem')).toHaveCount(10);
  await checkAccessibility(page);
  const code = (await dialog.getByRole('listitem').first().textContent()) ?? '';
  await expect(dialog.getByRole('link', { name: 'Download' })).toHaveAttribute(
    'href',
    new RegExp(code),
  );
  await dialog.getByRole('button', { name: 'I’ve saved them' }).click();

  const phone = await elsewhere(null);
  await phone.goto('/login');
  await signInHere(phone, email);
  await phone.getByRole('button', { name: 'Can’t get to the app?' }).click();
  const field = phone.getByLabel('Recovery code');
  await expect(field).toBeFocused();
  await checkAccessibility(phone);
  await field.fill('1234');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(phone.getByText('A recovery code has 12 letters and digits.')).toBeVisible();
  await field.fill('0000-0000-0000');
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(
    phone.getByText('That isn’t one of your codes, or you’ve used it before.'),
  ).toBeVisible();
  await field.fill(code.toLowerCase());
  await phone.getByRole('button', { name: 'Sign in', exact: true }).click();
  await phone.waitForURL((url) => url.pathname === '/dashboard/profile/security');
  await expect(phone.getByRole('button', { name: 'Add an authenticator app' })).toBeVisible();
  await site.mail(email, /recovery code/i);
  // The other browser was signed out.
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

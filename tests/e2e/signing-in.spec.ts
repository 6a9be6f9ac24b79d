import { newAddress, PASSWORD, register, signInHere, signOut } from './support/account-steps.ts';
import { expect, test } from './support/harness.ts';

// A refusal is an answer of 4xx, which the browser writes into its console by itself, as it does a
// connection that a story cuts.
test.use({
  expectedConsole:
    /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_CONNECTION_FAILED)/,
});

test('A wrong password is told beside the field, alike for a known and an unknown address', async ({
  page,
}) => {
  const words = 'This email and password do not fit together.';
  await page.goto('/login');
  await signInHere(page, 'owner@demo.test', 'not-the-password');
  await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('owner@demo.test');
  await page.goto('/login');
  await signInHere(page, newAddress('nobody'), 'not-the-password');
  await expect(page.getByText(words)).toBeVisible();
});

test('A visitor who opens a guarded page signs in and comes back to it', async ({ page }) => {
  await page.goto('/dashboard/businesses?from=mail');
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard%2Fbusinesses%3Ffrom%3Dmail$/);
  await signInHere(page, 'owner@demo.test', 'demo-Passw0rd!');
  await expect(page).toHaveURL(/\/dashboard\/businesses\?from=mail$/);
  // Signed in, the home page and the sign-in page lead on.
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('Someone signs in with a code from the mail', async ({ page, site }) => {
  await page.goto('/login?next=/dashboard/profile');
  await page.getByRole('button', { name: 'Mail me a code instead' }).click();
  await page.getByLabel('Email').fill('coach2@demo.test');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const mail = await site.mail('coach2@demo.test', /is your code/);
  const code = /\d{6}/.exec(mail.subject)?.[0] ?? '';
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('wrong or has expired')).toBeVisible();
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/profile');
});

test('A code for an address without an account is promised alike, and never sent', async ({
  page,
  site,
}) => {
  const email = newAddress('nobody');
  await page.goto('/login');
  await page.getByRole('button', { name: 'Mail me a code instead' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('a mail with six digits is on its way')).toBeVisible();
  expect(await site.mails(email)).toEqual([]);
});

test('A forgotten password is replaced from the mail, and the old one no longer works', async ({
  page,
  site,
}) => {
  const email = await register(page, site, 'forgetful');
  await page.context().clearCookies();
  await page.goto('/recover');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('Look in your mail')).toBeVisible();
  await expect(page.locator(':focus')).toContainText('Look in your mail');
  await page.goto(site.linkIn(await site.mail(email, /new password/i)));
  await page.getByRole('button', { name: 'Choose a new password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  // The link is spent; what it opened is not.
  await page.reload();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is your present password')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('seven-quiet-rivers');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');

  await signOut(page);
  await page.goto('/login');
  await signInHere(page, email, PASSWORD);
  await expect(page.getByText('do not fit together')).toBeVisible();
  await signInHere(page, email, 'seven-quiet-rivers');
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

test('Whoever is simply signed in gives the present password for a new one', async ({
  page,
  site,
}) => {
  await register(page, site, 'left-open');

  await page.goto('/update-password');
  await page.getByLabel('New password').fill('whoever-sat-down-here');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter your present password.')).toBeVisible();
  await page.getByLabel('Present password').fill('a-guess-of-a-stranger');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('This is not your present password.')).toBeVisible();
  await expect(page.getByLabel('New password')).toHaveValue('whoever-sat-down-here');
  await page.getByLabel('Present password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

test('Signing in in one tab takes another one along', async ({ page, context }) => {
  await page.goto('/login?next=/dashboard/profile');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  const second = await context.newPage();
  await second.goto('/login');
  await signInHere(second, 'owner@demo.test', 'demo-Passw0rd!');
  await second.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
});

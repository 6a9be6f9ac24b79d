import { demoPassword } from '#backend/local/demo/accounts.ts';
import { newAddress, register, signInHere, signOut } from '../support/account-steps.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('A wrong password gets the same answer for unknown addresses', async ({ page }) => {
  const words = 'That email and password don’t match.';
  await page.goto('/login');
  await signInHere(page, 'owner@demo.test', 'not-the-password');
  await expect(page.getByText(words)).toBeVisible();
  await expect(page.getByLabel('Email')).toHaveValue('owner@demo.test');
  await page.goto('/login');
  await signInHere(page, newAddress('nobody'), 'not-the-password');
  await expect(page.getByText(words)).toBeVisible();
});

test('A visitor signs in, returns to the page, and has the cookie', async ({ page, context }) => {
  await page.goto('/dashboard/businesses?from=mail');
  await expect(page).toHaveURL(/\/login\?next=%2Fdashboard%2Fbusinesses%3Ffrom%3Dmail$/);
  await signInHere(page, 'owner@demo.test');
  await expect(page).toHaveURL(/\/dashboard\/businesses\?from=mail$/);
  // When signed in, the home page and the sign-in page redirect to the dashboard.
  await page.goto('/');
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto('/login');
  await expect(page).toHaveURL(/\/dashboard$/);

  const cookies = (await context.cookies()).filter(({ name }) =>
    name.startsWith('trellis-session'),
  );
  expect(cookies.length).toBeGreaterThan(0);
  for (const { path, sameSite, httpOnly, secure, value, expires } of cookies) {
    expect([path, sameSite, httpOnly, secure]).toEqual(['/', 'Lax', false, false]);
    expect(value.length).toBeLessThanOrEqual(3180);
    expect((expires - Date.now() / 1000) / 86_400).toBeCloseTo(400, 0);
  }
});

test('Someone signs in with a code, which only an account gets', async ({ page, site }) => {
  const unknown = newAddress('nobody');
  for (const email of [unknown, 'coach2@demo.test']) {
    await page.goto('/login?next=/dashboard/profile');
    await page.getByRole('button', { name: 'Email me a code instead' }).click();
    // Both steps have a field of this name.
    await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send the code' }).click();
    await expect(page.getByText('we’ve emailed a six-digit code')).toBeVisible();
  }
  const mail = await site.mail('coach2@demo.test', /is your Trellis code/);
  expect(await site.mails(unknown)).toEqual([]);
  const code = /\d{6}/.exec(mail.subject)?.[0] ?? '';
  await page.getByLabel('Code').fill(code === '111111' ? '222222' : '111111');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(page.getByText('wrong or has expired')).toBeVisible();
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/profile');
});

test('A forgotten password is replaced from the email', async ({ page, site }) => {
  const email = await register(page, site, 'forgetful');
  await page.context().clearCookies();
  await page.goto('/recover');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByText('Check your email')).toBeVisible();
  await expect(page.locator(':focus')).toContainText('Check your email');
  await page.goto(site.linkIn(await site.mail(email, /new password/i)));
  await page.getByRole('button', { name: 'Choose a new password' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
  // The link is used up, but the page it opened still works.
  await page.reload();
  await page.getByLabel('Password', { exact: true }).fill(demoPassword);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('That’s your current password')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('seven-quiet-rivers');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');

  await signOut(page);
  await page.goto('/login');
  await signInHere(page, email);
  await expect(page.getByText('email and password don’t match')).toBeVisible();
  await signInHere(page, email, 'seven-quiet-rivers');
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

test('A signed-in person needs the current password to set a new one', async ({ page, site }) => {
  await register(page, site, 'left-open');

  await page.goto('/update-password');
  await page.getByLabel('New password').fill('whoever-sat-down-here');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter your current password.')).toBeVisible();
  await page.getByLabel('Current password').fill('a-guess-of-a-stranger');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('That isn’t your current password.')).toBeVisible();
  await expect(page.getByLabel('New password')).toHaveValue('whoever-sat-down-here');
  await page.getByLabel('Current password').fill(demoPassword);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
});

test('Signing in in one tab takes another one along', async ({ page, context }) => {
  await page.goto('/login?next=/dashboard/profile');
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeEnabled();
  const second = await context.newPage();
  await second.goto('/login');
  await signInHere(second, 'owner@demo.test');
  await second.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page).toHaveURL(/\/dashboard\/profile$/);
});

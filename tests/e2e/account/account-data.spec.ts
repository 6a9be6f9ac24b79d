import { readFile } from 'node:fs/promises';
import { strFromU8, unzipSync } from 'fflate';
import { demoPassword } from '#backend/local/demo/accounts.ts';
import { newAddress, signInHere } from '../support/account-steps.ts';
import { addApp, openProfile } from '../support/authenticator.ts';
import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('Changing the password signs out other devices', async ({ page, site, elsewhere }) => {
  const email = await openProfile(page, site, 'password', '/security');
  const other = await elsewhere(email);

  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  const save = dialog.getByRole('button', { name: 'Save' });
  await dialog.getByLabel('Current password').fill('not-my-password');
  await dialog.getByLabel('New password').fill('short');
  await save.click();
  await expect(dialog.getByText('Use at least 10 characters.')).toBeVisible();
  await dialog.getByLabel('New password').fill('river-lantern-quartz');
  await save.click();
  await expect(dialog.getByText('That isn’t your current password.')).toBeVisible();
  await page.route('**/auth/v1/token**', (route) => route.abort('connectionfailed'));
  await dialog.getByLabel('Current password').fill(demoPassword);
  await save.click();
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t reach the server');
  await expect(dialog.getByLabel('New password')).toHaveValue('river-lantern-quartz');
  await page.unroute('**/auth/v1/token**');
  await save.click();
  await expect(dialog).toBeHidden();
  await site.mail(email, /password was changed/);

  await page.reload();
  await expect(
    page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem'),
  ).toHaveCount(1);
  await other.goto('/dashboard/profile');
  await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
});

test('An email address changes once both emails are confirmed', async ({ page, site }) => {
  const email = await openProfile(page, site, 'address', '/security');
  const fresh = newAddress('fresh');
  await page.getByRole('button', { name: 'Change email' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change email' });
  await dialog.getByLabel('New email').fill(email);
  await dialog.getByRole('button', { name: 'Send both emails' }).click();
  await expect(dialog.getByText('That’s already your email.')).toBeVisible();
  await dialog.getByLabel('New email').fill(fresh);
  await dialog.getByRole('button', { name: 'Send both emails' }).click();
  await expect(page.getByText(`Waiting for ${fresh}`)).toBeVisible();
  await page.getByRole('button', { name: 'Send both emails again' }).click();
  await expect(page.getByRole('alert')).toContainText('Wait a minute');
  // The page for it does the same for everyone who's signed in, as often.
  await page.goto('/admin/resend-verification');
  await expect(page.getByText(`You asked to change your email to ${fresh}.`)).toBeVisible();
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Send both emails again' }).click();
  await expect(page.getByText(/Wait a minute/)).toBeVisible();

  for (const address of [email, fresh]) {
    await page.goto(site.linkIn(await site.mail(address, /new email/)));
    await page.getByRole('button', { name: 'Confirm the change' }).click();
    await page.waitForURL((url) => url.pathname !== '/confirm');
  }
  await page.goto('/dashboard/profile/security');
  await expect(page.getByRole('region', { name: 'Signing in' })).toContainText(fresh);
  await expect(page.getByText('Waiting for')).toHaveCount(0);
});

test('A person signs out other devices, one or all', async ({ page, site, elsewhere }) => {
  const email = await openProfile(page, site, 'devices', '/security');
  const others = [
    await elsewhere(email, { userAgent: 'Mozilla/5.0 (X11; Linux x64) Firefox/140.0' }),
    await elsewhere(email, { userAgent: 'Mozilla/5.0 (Macintosh) Version/26 Safari/605' }),
  ];
  await page.reload();
  const devices = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem');
  await expect(devices).toHaveCount(3);
  await expect(devices.first()).toContainText('(this device)');
  await page.route('**/rpc/end_session', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: /^Sign out Firefox on Linux/ }).click();
  await expect(devices.getByRole('alert')).toContainText('We couldn’t reach the server');
  await page.unroute('**/rpc/end_session');
  await page.getByRole('button', { name: /^Sign out Firefox on Linux/ }).click();
  await expect(devices).toHaveCount(2);
  await page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  await expect(devices).toHaveCount(1);
  await expect(page.getByRole('heading', { name: 'Signed-in devices' })).toBeFocused();
  for (const other of others) {
    await other.goto('/dashboard');
    await expect(other.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  }
  await page.reload();
  await expect(devices).toHaveCount(1);
});

test('An archive has all of a person’s data, and can be retried', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/profile/data');
  const section = page.getByRole('region', { name: 'Download your data' });
  await page.route('**/rpc/export_account', (route) => route.abort('connectionfailed'));
  await section.getByRole('button', { name: 'Download my data' }).click();
  await expect(section.getByRole('alert')).toContainText('We couldn’t reach the server');
  await page.unroute('**/rpc/export_account');
  await section.getByRole('button', { name: 'Try again' }).click();
  const link = section.getByRole('link', { name: 'Download archive' });
  const arriving = page.waitForEvent('download');
  await link.click();
  const archive = unzipSync(await readFile(await (await arriving).path()));
  const everything = JSON.parse(strFromU8(archive['everything.json'] ?? new Uint8Array()));
  expect(everything.account.email).toBe('owner@demo.test');
  expect(everything.tables.attempts.length).toBeGreaterThan(0);
  expect(strFromU8(archive['tables/profiles.csv'] ?? new Uint8Array())).toContain('full_name');
  expect(JSON.stringify(everything)).not.toContain('owner2@demo.test');
});

test('Deleting an account takes the password, and can be undone', async ({ page, site }) => {
  const email = await openProfile(page, site, 'stays', '/data');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await checkAccessibility(page);
  const go = dialog.getByRole('button', { name: 'Delete in 30 days' });
  await go.click();
  await expect(dialog.getByText('Enter your password.')).toBeVisible();
  await dialog.getByLabel('Your password').fill('not-my-password');
  await go.click();
  await expect(dialog.getByText('That isn’t your password.')).toBeVisible();
  await page.route('**/rpc/request_account_deletion', (route) => route.abort('connectionfailed'));
  await dialog.getByLabel('Your password').fill(demoPassword);
  await go.click();
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t reach the server');
  await page.unroute('**/rpc/request_account_deletion');
  await go.click();
  await expect(dialog).toBeHidden();
  await site.mail(email, /delete your account on/);

  for (const path of ['/dashboard/toolbox', '/dashboard/skills/quiz', '/dashboard']) {
    await page.goto(path);
    await expect(page.getByText(/^Your account will be deleted on/), path).toBeVisible();
  }
  const keep = page.getByRole('button', { name: 'Keep my account' });
  await page.route('**/rpc/keep_account', (route) => route.abort('connectionfailed'));
  await keep.click();
  await expect(page.getByRole('alert')).toContainText('We couldn’t reach the server');
  await page.unroute('**/rpc/keep_account');
  await keep.click();
  await expect(page.getByText(/^Your account will be deleted on/)).toBeHidden();
  await site.mail(email, /You’re keeping your account/);
  await page.goto('/dashboard/profile/data');
  await expect(page.getByRole('button', { name: 'Delete my account' })).toBeVisible();
});

test('Deleting takes the app’s code; in 30 days the account is gone', async ({ page, site }) => {
  const email = await openProfile(page, site, 'goes', '/security');
  const app = await addApp(page, site);
  await page.goto('/dashboard/profile/data');
  await page.getByRole('button', { name: 'Delete my account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  await dialog.getByLabel('Code').fill(app.wrong());
  await dialog.getByRole('button', { name: 'Delete in 30 days' }).click();
  await expect(dialog.getByText('That isn’t the current code.')).toBeVisible();
  await dialog.getByLabel('Code').fill(await app.code());
  await dialog.getByRole('button', { name: 'Delete in 30 days' }).click();
  await expect(dialog).toBeHidden();

  await site.sql`
    update public.account_deletions set requested_at = now() - interval '30 days', due_at = now() - interval '1 second'
    where user_id = (select id from auth.users where email = ${email})`;
  await site.sql`select private.delete_due_accounts()`;
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  await signInHere(page, email);
  await expect(page.getByText('That email and password don’t match.')).toBeVisible();
  await site.mail(email, /We’ve deleted your account/);
});

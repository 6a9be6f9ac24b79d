import { createPerson } from '#backend/local/demo/builders.ts';
import { within } from '../../fixtures/database.ts';
import { newAddress } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: false, expectedConsole: CUT });

test('An admin finds someone, makes them a coach, and blocks and unblocks them', async ({
  page,
  site,
  elsewhere,
}) => {
  await page.goto('/admin/people');
  const table = page.getByRole('table', { name: 'People' });
  await expect(table.getByRole('row')).toHaveCount(26);
  await checkAccessibility(page);
  await page.getByLabel('Search by name, email or business').fill('owner2@');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/q=owner2/);
  await table.getByRole('link').click();

  const heading = page.getByRole('heading', { level: 1 });
  const state = heading.locator('+ p');
  await expect(state).toHaveText('Owner · Active');
  const name = (await heading.textContent()) ?? '';
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Make a coach' }).click();
  const dialog = page.getByRole('dialog', { name: `Make ${name} a coach?` });
  const make = dialog.getByRole('button', { name: 'Make a coach' });
  await make.click();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  // What was typed stays if the request fails.
  await dialog.getByLabel('Reason').fill('Joins us as a coach in Taos');
  await page.route('**/rpc/set_staff_role', (route) => route.abort());
  await make.click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toHaveValue('Joins us as a coach in Taos');
  await page.unroute('**/rpc/set_staff_role');
  await make.click();
  await expect(page.getByText(`${name} is now a coach.`, { exact: true })).toBeVisible();
  await expect(state).toHaveText('Coach · Active');

  // A coach takes so many clients, which an admin says.
  const most = page.getByLabel('Most clients at the same time');
  await most.fill('many');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Enter a number from 0 to 200')).toBeVisible();
  await most.fill('12');
  await page.getByLabel('People management').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await page.reload();
  await expect(most).toHaveValue('12');
  await expect(page.getByLabel('People management')).toBeChecked();
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Block', exact: true }).click();
  const blocking = page.getByRole('dialog', { name: `Block ${name}?` });
  await blocking.getByLabel('Reason').fill('Left the organization');
  await blocking.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(state).toHaveText('Coach · Blocked');
  const other = await elsewhere(null);
  await other.goto(`${site.url}/login`);
  await other.getByLabel('Email').fill('owner2@demo.test');
  await other.getByLabel('Password', { exact: true }).fill('demo-Passw0rd!');
  await other.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(other.getByText('This account is closed.')).toBeVisible();

  await page.getByRole('button', { name: 'Unblock' }).click();
  const unblocking = page.getByRole('dialog', { name: `Unblock ${name}?` });
  await unblocking.getByLabel('Reason').fill('It was a mistake');
  await unblocking.getByRole('button', { name: 'Unblock' }).click();
  await expect(state).toHaveText('Coach · Active');

  await page.getByRole('link', { name: /^Audit log for/ }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /Blocked an account/ })).toContainText(
    'Left the organization',
  );
  await expect(log.getByRole('row', { name: /Changed a role/ })).toContainText('coach in Taos');
});

test('An admin sees who the service reaches, and sends a confirmation again', async ({
  page,
  site,
}) => {
  const email = newAddress('unconfirmed');
  await createPerson(within(site.sql), { email, fullName: 'Nina Newcomer', confirmed: false });

  await page.goto('/admin/resend-verification');
  await expect(page.getByText('You sign in with admin@demo.test')).toBeVisible();
  await checkAccessibility(page);
  await page.getByRole('link', { name: 'People who haven’t confirmed their email' }).click();
  await page.getByRole('button', { name: 'Who we reach' }).click();
  const reach = page.getByRole('dialog', { name: 'Who we reach' });
  await expect(
    reach.getByText(/people answered at least one|Fewer than five people/),
  ).toBeVisible();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');

  await page.getByRole('table', { name: 'People' }).getByRole('link', { name: 'Nina' }).click();
  await page.getByRole('button', { name: 'Send the confirmation again' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send the confirmation email again?' });
  await dialog.getByLabel('Reason').fill('She called; it never arrived');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(
    page.getByText('Nina Newcomer gets the email in a moment.', { exact: true }),
  ).toBeVisible();
  const confirmation = await site.mail(email, /confirm/i);
  await page.goto(site.linkIn(confirmation));
  await expect(page.getByRole('button', { name: 'Confirm and sign in' })).toBeVisible();
});

import type { Page } from '@playwright/test';
import {
  confirmFromMail,
  fillRegistration,
  newAddress,
  register,
} from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { addColleague, BUSINESS, openBusiness, ready } from '../support/business-steps.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** Invites an address on a business's page. */
async function invite(page: Page, address: string): Promise<void> {
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await page.getByLabel('Their email').fill(address);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

test('An invited person registers from the email and joins', async ({ page, site, elsewhere }) => {
  const owner = await openBusiness(page, site, 'Ash Gardens');
  await invite(page, 'nobody');
  await expect(page.getByText('An email address looks like name@example.com.')).toBeVisible();
  await invite(page, owner);
  await expect(page.getByText('That’s your own address.')).toBeVisible();
  const address = newAddress('guest');
  await invite(page, address);
  const invited = page.getByRole('list', { name: 'Invited' });
  await expect(invited.getByText(address, { exact: true })).toBeVisible();
  const again = page.getByRole('button', { name: `Send again to ${address}` });
  await again.click();
  await expect(page.getByText('Sent again.', { exact: true }).first()).toBeVisible();
  await again.click();
  await expect(page.getByText('We just sent this one.')).toBeVisible();

  const link = site.linkIn(await site.mail(address, /invites you to Ash Gardens/));
  const guest = await elsewhere(null);
  await guest.goto(link);
  await guest.waitForURL((url) => url.pathname === '/login');
  await guest.getByRole('link', { name: /create an account/i }).click();
  await fillRegistration(guest, address);
  await confirmFromMail(guest, site, address);
  await guest.waitForURL((url) => url.pathname === '/dashboard/businesses/invitation');
  await expect(guest.getByRole('heading', { name: 'Join Ash Gardens?' })).toBeVisible();
  await checkAccessibility(guest);
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await guest.waitForURL(BUSINESS);
  await expect(guest.getByRole('heading', { name: 'Ash Gardens' })).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Archive this business' })).toHaveCount(0);
  await guest.goto(link);
  await expect(
    guest.getByRole('heading', { name: 'You’ve already joined Ash Gardens' }),
  ).toBeVisible();
  await site.mail(owner, /has joined Ash Gardens/);

  // From the next request on, the removed member can't find the business.
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  expect((await guest.goto(page.url()))?.status()).toBe(404);
});

test('An invited person joins or declines from their list', async ({ page, site, elsewhere }) => {
  const guest = await elsewhere(null);
  const address = await register(guest, site, 'listed');
  for (const name of ['Hazel Hardware', 'Rowan Repairs']) {
    await openBusiness(page, site, name);
    await invite(page, address);
    await expect(page.getByRole('list', { name: 'Invited' })).toContainText(address);
  }

  await guest.goto('/dashboard');
  const asked = guest.getByRole('region', { name: 'You’re invited' });
  await expect(asked.getByRole('listitem')).toHaveCount(2);
  await asked.getByRole('link', { name: 'Join or decline' }).click();
  await guest.waitForURL('**/dashboard/businesses');
  const invited = guest.getByRole('list', { name: 'You’re invited' });
  await expect(invited.getByRole('listitem')).toHaveCount(2);
  await expect(guest.getByRole('heading', { name: 'Name your business' })).toBeVisible();
  const decline = guest.getByRole('button', { name: 'Decline Rowan Repairs' });
  await expect(decline).toBeEnabled();
  await checkAccessibility(guest);
  await guest.route('**/rest/v1/rpc/decline_my_invitation', (route) =>
    route.abort('connectionfailed'),
  );
  await decline.click();
  await expect(guest.getByRole('alert')).toContainText('We couldn’t reach the server');
  await guest.unroute('**/rest/v1/rpc/decline_my_invitation');
  await decline.click();
  await expect(invited.getByRole('listitem')).toHaveCount(1);
  await expect(guest.getByRole('heading', { name: 'You’re invited' })).toBeFocused();

  await guest.getByRole('button', { name: 'Join Hazel Hardware' }).click();
  await guest.waitForURL(BUSINESS);
  await expect(guest.getByRole('heading', { name: 'Hazel Hardware' })).toBeVisible();
  await guest.goto('/dashboard/businesses');
  await expect(guest.getByRole('link', { name: 'Hazel Hardware' })).toBeVisible();
  await expect(guest.getByRole('heading', { name: 'You’re invited' })).toHaveCount(0);
});

test('An invitation tells others nothing of the business', async ({ page, site, elsewhere }) => {
  await openBusiness(page, site, 'Secret Larch');
  const address = newAddress('meant');
  await invite(page, address);
  const link = site.linkIn(await site.mail(address, /Secret Larch/));
  const stranger = await elsewhere('owner2');
  await stranger.goto(link);
  await expect(
    stranger.getByRole('heading', { name: 'This invitation is for a different email address' }),
  ).toBeVisible();
  await expect(stranger.getByText('owner2@demo.test').first()).toBeVisible();
  await expect(stranger.getByText('Secret Larch')).toHaveCount(0);
  await expect(stranger.getByRole('button', { name: 'Join', exact: true })).toHaveCount(0);

  await page.getByRole('button', { name: `Cancel the invitation to ${address}` }).click();
  await expect(page.getByRole('heading', { name: 'Members' })).toBeFocused();
  await expect(page.getByText(address, { exact: true })).toHaveCount(0);
  await stranger.goto('/dashboard/businesses/invitation?token=made-up');
  await expect(
    stranger.getByRole('heading', { name: 'This invitation no longer works' }),
  ).toBeVisible();
});

test('A business is handed over; then the other one decides', async ({ page, site, elsewhere }) => {
  await openBusiness(page, site, 'Yew Clay');
  const heir = await elsewhere(await addColleague(site, 'Yew Clay'));
  await heir.goto(page.url());
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: /^Make owner/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Make owner' }).click();
  await expect(page.getByRole('button', { name: 'Archive this business' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Leave this business' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/businesses');
  await expect(page.getByRole('heading', { name: 'Name your business' })).toBeVisible();
  await heir.reload();
  await ready(heir);
});

import {
  confirmFromMail,
  fillRegistration,
  newAddress,
  register,
} from './support/account-steps.ts';
import { violationsOn } from './support/axe.ts';
import { addBusiness, BUSINESS, ready } from './support/business-steps.ts';
import { expect, test } from './support/harness.ts';

// A connection that a story cuts and a refusal are written into the console by the browser itself.
test.use({
  changesDemo: false,
  expectedConsole:
    /Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_FAILED))/,
});

test('An owner invites somebody without an account, who registers from the mail and joins', async ({
  page,
  browser,
  site,
}) => {
  const owner = await register(page, site, 'invites');
  await addBusiness(page, 'Ash Gardens');
  const guestAddress = newAddress('guest');
  const field = page.getByLabel('Their email');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeEnabled();
  await field.fill('nobody');
  await send.click();
  await expect(page.getByText('An email address looks like name@example.com.')).toBeVisible();
  await field.fill(owner);
  await send.click();
  await expect(page.getByText('This is your own address.')).toBeVisible();
  await field.fill(guestAddress);
  await send.click();
  const invited = page.getByRole('list', { name: 'Invited' });
  await expect(invited.getByText(guestAddress, { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Send again to ${guestAddress}` }).click();
  await expect(page.getByText('Sent again.', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: `Send again to ${guestAddress}` }).click();
  await expect(page.getByText('This was sent a short while ago.')).toBeVisible();

  const mail = await site.mail(guestAddress, /invites you to Ash Gardens/);
  const link = site.linkIn(mail);

  const guest = await (await browser.newContext({ baseURL: site.url })).newPage();
  await guest.goto(link);
  await guest.waitForURL((url) => url.pathname === '/login');
  await guest.getByRole('link', { name: /create an account/i }).click();
  await fillRegistration(guest, guestAddress);
  await confirmFromMail(guest, site, guestAddress);
  await guest.waitForURL((url) => url.pathname === '/dashboard/businesses/invitation');
  await expect(guest.getByRole('heading', { name: 'Join Ash Gardens?' })).toBeVisible();
  expect(await violationsOn(guest)).toEqual([]);
  await guest.getByRole('button', { name: 'Join', exact: true }).click();
  await guest.waitForURL(BUSINESS);
  await expect(guest.getByRole('heading', { name: 'Ash Gardens' })).toBeVisible();
  await expect(guest.getByRole('button', { name: 'Archive this business' })).toHaveCount(0);
  await guest.goto(link);
  await expect(guest.getByRole('heading', { name: 'You have joined Ash Gardens' })).toBeVisible();
  await site.mail(owner, /has joined Ash Gardens/);

  // Who is removed does not find it any more, from the next request on.
  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  expect((await guest.goto(page.url()))?.status()).toBe(404);
  await guest.context().close();
});

test('Somebody who is invited sees it on their first page, and joins from their list of businesses or says no there', async ({
  page,
  browser,
  site,
}) => {
  const context = await browser.newContext({ baseURL: site.url });
  const guest = await context.newPage();
  const address = await register(guest, site, 'listed');
  await register(page, site, 'lists');
  for (const name of ['Hazel Hardware', 'Rowan Repairs']) {
    await addBusiness(page, name);
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
    await page.getByLabel('Their email').fill(address);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByRole('list', { name: 'Invited' })).toContainText(address);
  }

  await guest.goto('/dashboard');
  const asked = guest.getByRole('region', { name: 'You are invited' });
  await expect(asked.getByRole('listitem')).toHaveCount(2);
  await asked.getByRole('link', { name: 'Join, or say no' }).click();
  await guest.waitForURL('**/dashboard/businesses');
  const invited = guest.getByRole('list', { name: 'You are invited' });
  await expect(invited.getByRole('listitem')).toHaveCount(2);
  await expect(guest.getByText('No business yet')).toBeVisible();
  const decline = guest.getByRole('button', { name: 'No, thank you to Rowan Repairs' });
  await expect(decline).toBeEnabled();
  expect(await violationsOn(guest)).toEqual([]);
  await guest.route('**/rest/v1/rpc/decline_my_invitation', (route) =>
    route.abort('connectionfailed'),
  );
  await decline.click();
  await expect(guest.getByRole('alert')).toContainText('We could not reach the server');
  await guest.unroute('**/rest/v1/rpc/decline_my_invitation');
  await decline.click();
  await expect(invited.getByRole('listitem')).toHaveCount(1);
  await expect(guest.getByRole('heading', { name: 'You are invited' })).toBeFocused();

  await guest.getByRole('button', { name: 'Join Hazel Hardware' }).click();
  await guest.waitForURL(BUSINESS);
  await expect(guest.getByRole('heading', { name: 'Hazel Hardware' })).toBeVisible();
  await guest.goto('/dashboard/businesses');
  await expect(guest.getByRole('link', { name: 'Hazel Hardware' })).toBeVisible();
  await expect(guest.getByRole('heading', { name: 'You are invited' })).toHaveCount(0);
  await context.close();
});

test('An invitation that somebody else opens says nothing of the business', async ({
  page,
  site,
  elsewhere,
}) => {
  await register(page, site, 'wrong-reader');
  await addBusiness(page, 'Secret Larch');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  const address = newAddress('meant');
  await page.getByLabel('Their email').fill(address);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const link = site.linkIn(await site.mail(address, /Secret Larch/));
  const stranger = await elsewhere('owner2');
  await stranger.goto(link);
  await expect(
    stranger.getByRole('heading', { name: 'This invitation is for another address' }),
  ).toBeVisible();
  await expect(stranger.getByText('owner2@demo.test').first()).toBeVisible();
  await expect(stranger.getByText('Secret Larch')).toHaveCount(0);
  await expect(stranger.getByRole('button', { name: 'Join', exact: true })).toHaveCount(0);

  await page.getByRole('button', { name: `Take back the invitation of ${address}` }).click();
  await expect(page.getByRole('heading', { name: 'Members' })).toBeFocused();
  await expect(page.getByText(address, { exact: true })).toHaveCount(0);
  await stranger.goto('/dashboard/businesses/invitation?token=made-up');
  await expect(
    stranger.getByRole('heading', { name: 'This invitation no longer works' }),
  ).toBeVisible();
});

test('A business is handed over; then the other one decides', async ({ page, browser, site }) => {
  await register(page, site, 'hands-over');
  await addBusiness(page, 'Yew Clay');
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  const address = newAddress('heir');
  const heir = await (await browser.newContext({ baseURL: site.url })).newPage();
  await heir.goto('/register');
  await fillRegistration(heir, address);
  await confirmFromMail(heir, site, address);
  await heir.waitForURL((url) => url.pathname === '/dashboard');
  await page.getByLabel('Their email').fill(address);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await heir.goto(site.linkIn(await site.mail(address, /Yew Clay/)));
  await heir.getByRole('button', { name: 'Join', exact: true }).click();
  await heir.waitForURL(BUSINESS);

  await page.reload();
  await ready(page);
  await page.getByRole('button', { name: /^Make owner/ }).click();
  await page.getByRole('button', { name: 'Hand the business over' }).click();
  await expect(page.getByRole('button', { name: 'Archive this business' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Leave this business' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/businesses');
  await expect(page.getByText('No business yet')).toBeVisible();
  await heir.reload();
  await ready(heir);
  await heir.context().close();
});

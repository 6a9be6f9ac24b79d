import type { Page } from '@playwright/test';
import { asPerson } from '../../fixtures/database.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { expect, type Site, test } from '../support/harness.ts';
import { createSomeone } from '../support/program-steps.ts';

const title = (page: Page) => page.getByRole('heading', { level: 1 });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** Fills in who pays, and goes to the test payment page. */
async function checkOut(page: Page): Promise<void> {
  await page.getByLabel('State').selectOption('US-NM');
  await page.getByLabel('Address').fill('1 Main Street\nTaos, NM 87571');
  await press(page, 'Go to payment');
  await expect(title(page)).toHaveText('Pay for your order');
}

const orderOf = async (site: Site, email: string): Promise<string> => {
  const [row] = await site.sql`
    select o.id from public.orders o join auth.users u on u.id = o.buyer_id
    where u.email = ${email} order by o.created_at desc limit 1`;
  return row?.id;
};

test('An owner buys a pack: a declined card, another one, and later one whose tab was closed', async ({
  page,
  site,
  signIn,
  elsewhere,
}) => {
  const buyer = await createSomeone(site, 'buyer', 'Linden Books');
  await signIn(page, buyer.email);
  await page.goto('/pricing');
  await page.getByRole('link', { name: 'Buy a session pack' }).click();
  // Nothing is called the total before the tax is known.
  await expect(page.getByText('Choose your state to see the tax')).toBeVisible();
  await expect(page.getByText('Total', { exact: true })).toHaveCount(0);
  await page.getByLabel('State').selectOption('US-NM');
  await expect(page.getByText('Total', { exact: true })).toBeVisible();
  await checkBothThemes(page, 'order form');
  await checkOut(page);
  await checkBothThemes(page, 'payment page');
  await press(page, 'Try a card that’s declined');
  await expect(page.getByRole('alert')).toContainText('This card was declined');
  await press(page, 'Pay with a test card');
  await expect(title(page)).toHaveText('Your order is paid');
  await page.reload();
  await expect(title(page)).toHaveText('Your order is paid');
  await checkBothThemes(page, 'paid');
  const returned = page.url();
  await page.getByRole('link', { name: 'Your receipt' }).click();
  await expect(page.getByRole('heading', { name: /^Receipt/ })).toBeVisible();
  await expect(page.getByText('3 of 3 sessions left')).toBeVisible();
  await expect(page.getByText('Test: nothing was charged')).toBeVisible();
  expect((await site.mail(buyer.email, /received your payment/)).text).toContain('$298.89');

  // Nobody else learns anything from its address.
  const stranger = await elsewhere(null);
  await stranger.goto(returned);
  await expect(title(stranger)).toHaveText('Sign in to see your order');
  const other = await elsewhere((await createSomeone(site, 'other', 'Elm Cafe')).email);
  await other.goto(returned);
  await expect(title(other)).toHaveText('We can’t find this order');

  // Another order, whose tab is closed; it's paid a day later without JavaScript.
  await page.goto('/dashboard/orders/new?plan=session-pack');
  await checkOut(page);
  const order = await orderOf(site, buyer.email);
  await page.getByRole('link', { name: 'Back to your order' }).click();
  await expect(title(page)).toHaveText('Your order isn’t paid');
  const later = await elsewhere(buyer.email, { javaScriptEnabled: false });
  await later.goto(`/checkout/cancel?order=${order}`);
  await press(later, 'Pay now');
  await later.getByRole('link', { name: 'Go to the payment page' }).click();
  await press(later, 'Pay from a bank account, which takes days');
  await expect(title(later)).toHaveText('We’re waiting for the bank');
  await later.goto(`/checkout/cancel?order=${order}`);
  await expect(title(later)).toHaveText('We’re waiting for the bank');
  await page.goto(`/dashboard/orders/${order}`);
  await expect(page.getByText('It’s being paid.')).toBeVisible();
});

test('Whoever buys by purchase order reads what came of it, without JavaScript too', async ({
  site,
  elsewhere,
}) => {
  const buyer = await createSomeone(site, 'office', 'Pine Lumber');
  const order = crypto.randomUUID();
  const said = { plan: 'session-pack', every: 'once', quantity: 12, method: 'purchase_order' };
  const office = { business_id: null, name: 'Rosa', address: '1 Main Street', region: 'US-CO' };
  await asPerson(
    site.sql,
    buyer,
    (tx) => tx`
      select create_order(${order}, ${tx.json({ ...said, ...office, expected_minor: 28_500 })})`,
  );
  const page = await elsewhere(buyer.email, { javaScriptEnabled: false });
  const states: [state: string, path: string, words: RegExp][] = [
    ['quoted', 'success', /^Your quote Q-\d{4}-\d{4} is ready$/],
    ['expired', 'failure', /^Your quote has expired$/],
    ['quoted', 'success', /^Your quote /],
    ['po_received', 'success', /^We have your purchase order$/],
    ['canceled', 'failure', /^This order was canceled$/],
  ];
  for (const [state, path, words] of states) {
    await site.sql`update public.orders set state = ${state} where id = ${order} and state <> ${state}`;
    for (const from of ['success', 'failure']) {
      await page.goto(`/purchase/${from}?order=${order}`);
      await expect(title(page)).toHaveText(words);
      expect(new URL(page.url()).pathname).toBe(`/purchase/${path}`);
    }
  }
  await page.goto(`/checkout/success?order=${order}`);
  await expect(title(page)).toHaveText('This order was canceled');
  const stranger = await elsewhere(null);
  await stranger.goto(`/purchase/success?order=${order}`);
  await expect(title(stranger)).toHaveText('Sign in to see your order');
  await checkBothThemes(stranger, 'purchase');
});

test('An owner becomes a member, renews, is declined, cancels, and an admin refunds and ends it', async ({
  page,
  site,
  signIn,
  elsewhere,
}) => {
  const member = await createSomeone(site, 'member', 'Ash Pottery');
  await signIn(page, member.email);
  await page.goto('/pricing');
  await page.getByRole('link', { name: 'Start a membership' }).click();
  await page.getByLabel('How often you pay').selectOption('Yearly, $790');
  await expect(page.getByText('Choose your state to see the tax')).toBeVisible();
  await page.getByLabel('State').selectOption('US-NM');
  await expect(page.getByText('Total a year')).toBeVisible();
  await page.getByLabel('How often you pay').selectOption('Monthly, $79');
  await expect(page.getByText('your card is charged $82.85 until you cancel')).toBeVisible();
  await checkOut(page);
  await press(page, 'Pay with a test card');
  await expect(title(page)).toHaveText('Your order is paid');

  await page.goto('/dashboard/orders');
  await expect(page.getByRole('heading', { name: 'Membership for Ash Pottery' })).toBeVisible();
  await expect(page.getByText(/^It renews on .+ for \$82\.85 a month\.$/)).toBeVisible();
  await expect(page.getByText('One session is left.')).toBeVisible();
  await checkBothThemes(page, 'orders');
  await checkWidth(page, 360);
  await page.getByRole('link', { name: 'Manage' }).click();
  const manage = () => press(page, 'Change the card, cancel or resume');
  const back = () => page.getByRole('link', { name: 'Back to your order' }).click();
  await manage();
  await expect(title(page)).toHaveText('Your memberships');
  await checkBothThemes(page, 'portal');
  await press(page, 'Skip to the end of the period');
  await back();
  await expect(
    page.getByRole('rowheader', { name: /^Paid on \w+ \d+, \d{4}: card, through / }),
  ).toHaveCount(2);
  await checkBothThemes(page, 'membership');
  await manage();
  await press(page, 'Skip there, and decline the renewal');
  await back();
  await expect(page.getByText('Your card was declined for $82.85 a month.')).toBeVisible();
  await press(page, 'Enter another card');
  await press(page, 'Pay the declined renewal');
  await press(page, 'Cancel at the end of the period');
  await back();
  await expect(
    page.getByText(/^It ends on .+, and your card isn’t charged again\.$/),
  ).toBeVisible();
  await site.mail(member.email, /^We couldn’t renew your membership/);
  await site.mail(member.email, /^Your membership ends on /);

  // Members buy extra sessions.
  await page.goto('/dashboard/orders/new?plan=extra-session');
  await expect(page.getByLabel('What')).toHaveValue('extra-session');
  await expect(page.getByRole('definition').filter({ hasText: '$85' }).first()).toBeVisible();

  const admin = await elsewhere('admin');
  const order = await orderOf(site, member.email);
  await admin.goto(`/admin/orders/${order}`);
  await press(admin, 'Refund');
  const dialog = admin.getByRole('dialog');
  await expect(dialog.getByText('$82.85 can be refunded.')).toBeVisible();
  await press(admin, 'All that’s left');
  await expect(dialog.getByText('This withdraws 1 month')).toBeVisible();
  await dialog.getByLabel('Reason').fill('Charged by mistake');
  await checkBothThemes(admin, 'refund');
  await press(admin, 'Refund it');
  await expect(dialog).toBeHidden();
  await expect(admin.getByText('refunded $82.85')).toBeVisible();
  await press(admin, 'End the membership');
  await dialog.getByLabel('Now').check();
  await dialog.getByLabel('Reason').fill('They asked by phone');
  await press(admin, 'End it');
  await expect(dialog).toBeHidden();
  await site.mail(member.email, /^We’ve sent you a refund/);
  await site.mail(member.email, /^Your membership has ended/);
  await page.goto(`/dashboard/orders/${order}`);
  await expect(page.getByText('It has ended, and your card isn’t charged')).toBeVisible();
  await page.goto(`/checkout/success?order=${order}`);
  await expect(title(page)).toHaveText('Part of your payment went back to you');
});

test.describe('With a membership', () => {
  // The order that's refused, as the browser notes it.
  test.use({ expectedConsole: /^Failed to load resource: .* status of 500/ });

  test('A member manages the membership of the demo, and can’t buy a second one', async ({
    page,
    signIn,
    elsewhere,
  }) => {
    await signIn(page, 'owner2');
    await page.goto('/dashboard/orders/new?plan=membership');
    await page.getByLabel('State').selectOption('US-CO');
    await page.getByLabel('Address').fill('310 Park Street\nDenver, CO 80203');
    await press(page, 'Go to payment');
    await expect(page.getByText('This business already has a membership.')).toBeVisible();
    await page.goto('/dashboard/orders');
    await expect(
      page.getByRole('heading', { name: 'Membership for Park Street Cycles' }),
    ).toBeVisible();
    await page.getByRole('link', { name: 'Manage' }).click();
    await press(page, 'Change the card, cancel or resume');
    await expect(title(page)).toHaveText('Your memberships');
    await press(page, 'Cancel at the end of the period');
    await page.getByRole('link', { name: 'Back to your order' }).click();
    await expect(
      page.getByText(/^It ends on .+, and your card isn’t charged again\.$/),
    ).toBeVisible();
    const admin = await elsewhere('admin');
    await admin.goto('/admin/orders');
    const row = admin.getByRole('row').filter({ hasText: 'Park Street Cycles' });
    await expect(row.filter({ hasText: '$79 (test)' })).toBeVisible();
  });
});

test('A canceled order’s payment page can’t be paid on anymore', async ({ page, site, signIn }) => {
  const buyer = await createSomeone(site, 'canceling', 'Fir Kilns');
  await signIn(page, buyer.email);
  await page.goto('/dashboard/orders/new?plan=session-pack');
  await checkOut(page);
  const payment = page.url();
  await page.goto(`/dashboard/orders/${await orderOf(site, buyer.email)}`);
  await press(page, 'Cancel the order');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Cancel the order' }).click();
  await expect(dialog).toBeHidden();
  // A background job closes it.
  await expect(async () => {
    await page.goto(payment);
    await expect(title(page)).toHaveText('This payment page is closed', { timeout: 100 });
  }).toPass();
});

test('An admin changes a price, and everyone reads the new one', async ({ page, elsewhere }) => {
  const admin = await elsewhere('admin');
  await admin.goto('/admin/orders');
  await admin.getByRole('link', { name: 'Prices' }).click();
  await admin.getByRole('button', { name: 'Change the price of Membership, $79 a month' }).click();
  await admin.getByLabel('New price, in dollars').fill('75');
  await admin.getByLabel('Reason').fill('A fair in town');
  await press(admin, 'Change it');
  await expect(admin.getByText('Membership: $75 a month')).toBeVisible();
  await checkBothThemes(admin, 'prices');
  await checkWidth(admin, 360);
  await page.goto('/pricing');
  const card = page
    .getByRole('listitem')
    .filter({ has: page.getByText('Membership', { exact: true }) });
  await expect(card.getByText('$75')).toBeVisible();
  await expect(card.getByText('$110 less than paying monthly')).toBeVisible();
  await expect(page.getByText('A price has changed since this page was written.')).toBeVisible();
  // What's free has no price that could change, and still says so.
  await expect(page.getByText('$0 for one account')).toBeVisible();
  await checkBothThemes(page, 'changed price');
});

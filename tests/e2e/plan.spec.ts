import type { Page } from '@playwright/test';
import { confirmFromMail, newAddress, PASSWORD, register } from './support/account-steps.ts';
import { violationsOn } from './support/axe.ts';
import { expect, goOffline, loseSession, type Site, test } from './support/harness.ts';

test.use({
  changesDemo: false,
  expectedConsole:
    /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_FAILED))/,
});

const PLAN = /\/dashboard\/businesses\/[0-9a-f-]{36}\/plan$/;
const box = (page: Page, title: string) => page.getByRole('textbox', { name: title, exact: true });
const saved = (page: Page) =>
  expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

/** An account of its own with a business, on its empty plan; gives the email. */
async function openPlan(page: Page, site: Site, name: string): Promise<string> {
  const email = await register(page, site, name);
  await page.goto('/dashboard/businesses/new');
  await page.getByLabel('Business name').fill('Marsh Bakery');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await page.goto('/dashboard/businesses');
  await page.getByRole('link', { name: 'Marsh Bakery', exact: true }).click();
  await page.getByRole('link', { name: 'Write the plan' }).click();
  await page.waitForURL(PLAN);
  await expect(box(page, 'Offer')).toBeEditable();
  return email;
}

/** Invites somebody to the business of this plan and opens the plan for them, elsewhere. */
async function colleague(page: Page, site: Site, name: string): Promise<Page> {
  const address = newAddress(name);
  const plan = page.url();
  await page.goto(plan.replace(/\/plan$/, ''));
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeEnabled();
  await page.getByLabel('Their email').fill(address);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  const link = site.linkIn(await site.mail(address, /Marsh Bakery/));
  const context = await page.context().browser()?.newContext({ baseURL: site.url });
  const other = await context?.newPage();
  if (!other) throw new Error('There is no browser.');
  await other.goto('/register');
  await other.getByLabel('Your name').fill('Cole League');
  await other.getByLabel('Email').fill(address);
  await other.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await other.getByRole('button', { name: 'Create account' }).click();
  await expect(other.getByRole('heading', { name: 'Look in your mail' })).toBeVisible();
  await confirmFromMail(other, site, address);
  await other.waitForURL((url) => url.pathname === '/dashboard');
  await other.goto(link);
  await other.getByRole('button', { name: 'Join', exact: true }).click();
  await other.waitForURL(/\/dashboard\/businesses\/[0-9a-f-]{36}$/);
  await page.goto(plan);
  await other.goto(plan);
  for (const each of [page, other]) await expect(box(each, 'Offer')).toBeEditable();
  return other;
}

/** How many sheets of paper a page takes. */
async function sheets(page: Page, format: 'Letter' | 'A4'): Promise<number> {
  const margin = { top: '12mm', right: '12mm', bottom: '12mm', left: '12mm' };
  const file = await page.pdf({ format, margin });
  return file.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
}

test('An owner writes a plan that is saved as they type, and brings an older version back', async ({
  page,
  site,
}) => {
  await openPlan(page, site, 'writes');
  await box(page, 'Offer').fill('Bread from 5 a.m.');
  await saved(page);
  await box(page, 'Problem').fill('x'.repeat(401));
  await expect(page.getByText(/on one page: 1 too many/).first()).toBeVisible();
  await box(page, 'Problem').fill('Early shifts find no bread.');
  await saved(page);
  await page.reload();
  await expect(box(page, 'Offer')).toHaveValue('Bread from 5 a.m.');
  await expect(box(page, 'Problem')).toHaveValue('Early shifts find no bread.');
  await expect(box(page, 'Offer')).toBeEditable();

  // Another day, another page: a second version.
  await box(page, 'Offer').fill('Cake.');
  await saved(page);
  await page.getByRole('button', { name: 'History of Offer' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('listitem')).toHaveCount(2);
  await expect(dialog.getByRole('listitem').first()).toContainText('Rosa Marsh');
  expect(await violationsOn(page)).toEqual([]);
  await page.route('**/rpc/restore_plan_version', (route) => route.abort('connectionfailed'));
  await dialog.getByRole('button', { name: /^Bring this back/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('We could not reach the server');
  await page.unroute('**/rpc/restore_plan_version');
  await dialog.getByRole('button', { name: /^Bring this back/ }).click();
  await expect(dialog).toBeHidden();
  await expect(box(page, 'Offer')).toHaveValue('Bread from 5 a.m.');
  await page.reload();
  await expect(box(page, 'Offer')).toHaveValue('Bread from 5 a.m.');
});

test('History that cannot be read says so and is read on another try', async ({ page, site }) => {
  await openPlan(page, site, 'history');
  await page.route('**/rpc/list_plan_versions', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'History of Team' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.unroute('**/rpc/list_plan_versions');
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(dialog.getByText('Nothing was written here yet.')).toBeVisible();
});

test('Two people write at once: different fields are both kept, in the same one both versions show', async ({
  page,
  site,
}) => {
  await openPlan(page, site, 'two');
  const other = await colleague(page, site, 'two-other');

  await box(page, 'Problem').fill('Early shifts find no bread.');
  await saved(page);
  await box(other, 'Customer').fill('Nurses and drivers.');
  await saved(other);

  await box(page, 'Offer').fill('Bread.');
  await saved(page);
  await box(other, 'Offer').fill('Cake.');
  const choice = other.getByRole('alert', { name: 'Offer: two versions' });
  await expect(choice).toContainText('Rosa Marsh');
  await expect(choice).toContainText('Bread.');
  await expect(choice).toContainText('Cake.');
  expect(await violationsOn(other)).toEqual([]);

  // Not even closing the tab loses the second one's words.
  await other.reload();
  await expect(choice).toContainText('Cake.');
  await choice.getByRole('button', { name: 'Put both in Offer' }).click();
  await expect(box(other, 'Offer')).toBeFocused();
  await saved(other);
  await expect(box(other, 'Offer')).toHaveValue('Bread.\nCake.');

  await page.reload();
  await expect(box(page, 'Offer')).toHaveValue('Bread.\nCake.');
  await expect(box(page, 'Customer')).toHaveValue('Nurses and drivers.');
  await expect(box(page, 'Problem')).toHaveValue('Early shifts find no bread.');
  await expect(box(page, 'Offer')).toBeEditable();

  // The first one, who has seen nothing of it yet, is asked as well.
  await box(other, 'Offer').fill('Cake and coffee.');
  await saved(other);
  await box(page, 'Offer').fill('Rolls.');
  const back = page.getByRole('alert', { name: 'Offer: two versions' });
  await back.getByRole('button', { name: 'Take theirs in Offer' }).click();
  await expect(box(page, 'Offer')).toHaveValue('Cake and coffee.');
  await box(page, 'Offer').fill('Cake, coffee and rolls.');
  await saved(page);
  await other.context().close();
});

test('Written without a connection, a plan waits in the browser, over a closed tab too', async ({
  page,
  context,
  site,
}) => {
  await openPlan(page, site, 'offline');
  const address = page.url();
  await goOffline(page);
  await box(page, 'Costs').fill('Rent and flour.');
  await expect(page.getByRole('status').getByText('Not sent yet')).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toHaveCount(0);
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  const sent = later.waitForResponse(
    (answer) => answer.url().includes('/rpc/save_plan_field') && answer.ok(),
  );
  await later.goto('/dashboard');
  await sent;
  await later.goto(address);
  await expect(box(later, 'Costs')).toHaveValue('Rent and flour.');
});

test('A session that ends while a plan is written is opened again in place', async ({
  page,
  site,
}) => {
  await openPlan(page, site, 'session');
  await loseSession(page);
  await box(page, 'Team').fill('Rosa bakes, Cole drives.');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await saved(page);
  await page.reload();
  await expect(box(page, 'Team')).toHaveValue('Rosa bakes, Cole drives.');
});

test('A plan prints on one page, however full it is', async ({ page, site }) => {
  await openPlan(page, site, 'prints');
  const all = await page.locator('main').getByRole('textbox').all();
  expect(all).toHaveLength(14);
  for (const text of [
    'Somebody outside the business can explain it back to us. '.repeat(8).slice(0, 400),
    'W'.repeat(400),
    `${'A line\n'.repeat(9)}${'and more of it '.repeat(21)}`,
  ]) {
    for (const each of all) await each.fill(text);
    expect(await sheets(page, 'Letter'), `Letter, ${text.slice(0, 12)}`).toBe(1);
    expect(await sheets(page, 'A4'), `A4, ${text.slice(0, 12)}`).toBe(1);
  }
});

test('The blank plan is for everybody and prints on one page', async ({ page }) => {
  await page.goto('/admin/one-page-business-plan-template');
  await expect(page.getByRole('heading', { name: 'Riskiest assumption' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Print the blank' })).toBeVisible();
  for (const format of ['Letter', 'A4'] as const) expect(await sheets(page, format)).toBe(1);
});

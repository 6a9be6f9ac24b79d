import type { Page } from '@playwright/test';
import postgres from 'postgres';
import { register, signInHere } from './support/account-steps.ts';
import { violationsOn } from './support/axe.ts';
import { addBusiness, BUSINESS, ready } from './support/business-steps.ts';
import { expect, goOffline, loseSession, test } from './support/harness.ts';

// A connection that a story cuts and a refusal are written into the console by the browser itself.
test.use({
  expectedConsole:
    /Failed to load resource: the server responded with a status of [45]\d\d|net::ERR_(INTERNET_DISCONNECTED|CONNECTION_FAILED)/,
});

test('An owner adds a business that is saved as they type, and goes on where they were', async ({
  page,
  site,
}) => {
  await register(page, site, 'types');
  await page.goto('/dashboard/businesses/new');
  await page.getByLabel('Postal code').fill('87104');
  await page.getByLabel('Business name').fill('Marsh Bakery');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/businesses\/[0-9a-f-]{36}\/edit$/);
  await page.getByLabel('What would help most?').fill('Winter.');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  // Nothing was pressed. It is all there, and the form that opens is the one to go on with.
  await page.reload();
  await expect(page.getByLabel('Business name')).toHaveValue('Marsh Bakery');
  await expect(page.getByLabel('Postal code')).toHaveValue('87104');
  await expect(page.getByLabel('What would help most?')).toHaveValue('Winter.');
  await page.goto('/dashboard/businesses');
  await expect(page.getByRole('listitem').filter({ hasText: 'Marsh Bakery' })).toBeVisible();
});

test('A business typed without a connection waits in the browser and arrives by itself', async ({
  page,
  context,
  site,
}) => {
  await register(page, site, 'offline-new');
  await page.goto('/dashboard/businesses/new');
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled();
  await goOffline(page);
  await page.getByLabel('Business name').fill('Marsh Catering');
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await page.close();
  await context.setOffline(false);
  const later = await context.newPage();
  const sent = later.waitForResponse(
    (answer) => answer.url().includes('/rpc/create_business') && answer.ok(),
  );
  await later.goto('/dashboard');
  await sent;
  await later.goto('/dashboard/businesses');
  await expect(later.getByRole('link', { name: 'Marsh Catering', exact: true })).toBeVisible();
});

test('An owner edits a business; what does not fit is said beside its field', async ({
  page,
  site,
}) => {
  await register(page, site, 'edits');
  await addBusiness(page, 'Fig Repairs');
  await expect(page.getByText('Only the name is known')).toBeVisible();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Website').fill('no address');
  await expect(page.getByText('A web address looks like www.example.com.')).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Something is not saved')).toBeVisible();

  // Also what was refused is still there when the page is opened again.
  await page.reload();
  await expect(page.getByLabel('Website')).toHaveValue('no address');
  await page.getByLabel('Website').fill('fig.example');
  await page.getByLabel('Industry').selectOption('Retail and repair');
  await page.getByLabel('Trading since').fill('2019-03-05');
  expect(await violationsOn(page)).toEqual([]);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL(BUSINESS);
  await expect(page.getByText('Retail and repair')).toBeVisible();
  await expect(page.getByText('March 5, 2019')).toBeVisible();
  await expect(page.getByRole('link', { name: 'fig.example' })).toBeVisible();
});

test('A session that ends while a business is edited is opened again in place', async ({
  page,
  site,
}) => {
  await register(page, site, 'expires');
  await addBusiness(page, 'Elm Press');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled();
  await loseSession(page);
  await page.getByLabel('City').fill('Taos');
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill('plum-harbor-lantern');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('City')).toHaveValue('Taos');
});

test('Two who edit the same field see both versions, and those of other fields keep theirs', async ({
  page,
  browser,
  site,
}) => {
  const email = await register(page, site, 'two-editors');
  await addBusiness(page, 'Pine Tiles');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled();
  const other = await (await browser.newContext({ baseURL: site.url })).newPage();
  await other.goto(`/login?next=${new URL(page.url()).pathname}`);
  await signInHere(other, email);
  await other.waitForURL(/\/edit$/);
  await expect(other.getByRole('button', { name: 'Save' })).toBeEnabled();
  const saved = (where: Page) =>
    expect(where.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  await page.getByLabel('City').fill('Taos');
  await saved(page);
  await other.getByLabel('Telephone').fill('+1 505 555 0114');
  await saved(other);
  await other.getByLabel('City').fill('Santa Fe');
  const choice = other.getByRole('alert', { name: 'City: two versions' });
  await expect(choice).toContainText('Taos');
  await expect(choice).toContainText('Santa Fe');
  expect(await violationsOn(other)).toEqual([]);
  // Save goes nowhere while a choice is open.
  await other.getByRole('button', { name: 'Save' }).click();
  await expect(choice).toBeVisible();
  await choice.getByRole('button', { name: 'Keep mine in City' }).click();
  await saved(other);
  await expect(other.getByLabel('City')).toBeFocused();
  await page.reload();
  await expect(page.getByLabel('City')).toHaveValue('Santa Fe');
  await expect(page.getByLabel('Telephone')).toHaveValue('+1 505 555 0114');
  await other.context().close();
});

test('An owner adds figures and corrects them, and sees them as lines and as a table', async ({
  page,
  site,
}) => {
  await register(page, site, 'figures');
  await addBusiness(page, 'Oak Joinery');
  await ready(page);
  await expect(page.getByText('No figures yet')).toBeVisible();
  const dialog = page.getByRole('dialog');
  const add = async (day: string, revenue: string) => {
    await page.getByRole('button', { name: 'Add figures' }).first().click();
    await dialog.getByLabel('Day').fill(day);
    await dialog.getByLabel('Revenue a year').fill(revenue);
    await dialog.getByRole('button', { name: 'Save' }).click();
  };

  await page.getByRole('button', { name: 'Add figures' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter at least one figure')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.route('**/rest/v1/rpc/add_snapshot', (route) => route.abort('connectionfailed'));
  await add('2025-12-31', '120,000');
  await expect(dialog.getByText('Not saved')).toBeVisible();
  await expect(dialog.getByLabel('Revenue a year')).toHaveValue('120,000');
  await page.unroute('**/rest/v1/rpc/add_snapshot');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await add('2026-06-30', '$150,500.50');
  await expect(dialog).toBeHidden();

  const row = (day: string) => page.getByRole('row').filter({ hasText: day });
  await expect(row('June 30, 2026')).toContainText('$150,500.50');
  await expect(row('June 30, 2026').getByText('unknown')).toHaveCount(3);
  await expect(page.getByRole('figure').filter({ hasText: 'Revenue and profit' })).toBeVisible();

  await page.getByRole('button', { name: 'Correct December 31, 2025' }).click();
  await expect(dialog.getByLabel('Revenue a year')).toHaveValue('120,000');
  await dialog.getByLabel('Revenue a year').fill('118,000');
  expect(await violationsOn(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row('December 31, 2025')).toContainText('$118,000');
  await expect(row('December 31, 2025')).toContainText('Corrected');
  await page.reload();
  await expect(row('December 31, 2025')).toContainText('$118,000');
  // On a tablet the whole table is seen, its last button too.
  await page.setViewportSize({ width: 768, height: 900 });
  const table = page.getByRole('region', { name: 'Figures by day' });
  expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  expect(await violationsOn(page)).toEqual([]);
});

test('Going through the form by keyboard, nothing that has the focus is hidden behind the bar', async ({
  page,
  site,
}) => {
  await register(page, site, 'keyboard');
  await addBusiness(page, 'Keyboard Kiosk');
  const edit = page.getByRole('link', { name: 'Edit', exact: true });
  await edit.click();
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled();
  /** Whether the middle of what has the focus lies behind something else. */
  const hidden = () =>
    page.evaluate(() => {
      const focused = document.activeElement as HTMLElement;
      const { left, top, width, height } = focused.getBoundingClientRect();
      const there = document.elementFromPoint(left + width / 2, top + height / 2);
      const seen = there !== null && (focused.contains(there) || there.contains(focused));
      return seen ? '' : focused.outerHTML.slice(0, 120);
    });
  for (const size of [
    { width: 1280, height: 640 },
    { width: 360, height: 640 },
  ]) {
    await page.setViewportSize(size);
    await page.getByLabel('Business name').focus();
    for (let steps = 0; steps < 20; steps += 1) {
      await expect.poll(hidden).toBe('');
      await page.keyboard.press('Tab');
    }
  }
});

test('An archived business is read and not changed, and comes back as it was', async ({
  page,
  site,
}) => {
  await register(page, site, 'archives');
  await addBusiness(page, 'Old Mill');
  const address = page.url();
  await page.goto('/dashboard/projects/new');
  await page.getByLabel('Title').fill('A second oven');
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  const project = page.url();
  await page.goto(address);
  await ready(page);
  await page.getByRole('button', { name: 'Archive this business' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive it' }).click();
  await expect(page.getByText(/^Archived on/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0);
  expect(await violationsOn(page)).toEqual([]);

  await page.goto('/dashboard/businesses');
  await expect(page.getByText('No business yet')).toBeVisible();
  await page.getByRole('link', { name: '1 archived business' }).click();
  await expect(page.getByRole('heading', { name: 'Archived businesses' })).toBeVisible();
  await page.goto(`${address}/edit`);
  await expect(page).toHaveURL(address);
  await page.goto(`${address}/plan`);
  await expect(page.getByText('its plan can be read and not changed')).toBeVisible();
  await page.goto(project);
  await expect(page.getByText('Its projects can be read and not changed.')).toBeVisible();
  await expect(page.getByText('No files yet.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  expect(await violationsOn(page)).toEqual([]);
  await page.goto(address);
  await page.getByRole('button', { name: 'Bring it back' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Bring it back' }).click();
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible();
  await expect(page.getByText(/^Archived on/)).toHaveCount(0);
});

test('Somebody else’s business is not there, nor its form, nor its plan', async ({
  page,
  signIn,
  elsewhere,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/businesses');
  await page.getByRole('link', { name: 'Delgado Bakery', exact: true }).click();
  await page.waitForURL(BUSINESS);
  const address = page.url();
  for (const persona of ['owner2', 'coach2', 'admin'] as const) {
    const stranger = await elsewhere(persona);
    for (const part of ['', '/edit', '/plan']) {
      expect((await stranger.goto(address + part))?.status(), persona + part).toBe(404);
      await expect(stranger.getByText('Delgado')).toHaveCount(0);
    }
  }
  // The coach reads it and changes nothing.
  const coach = await elsewhere('coach');
  await coach.goto(address);
  await expect(coach.getByText('You read this as the coach.')).toBeVisible();
  await expect(coach.getByRole('button', { name: 'Add figures' })).toHaveCount(0);
  await expect(coach.getByText('Luis Delgado')).toHaveCount(0);
  expect(await violationsOn(coach)).toEqual([]);
  expect((await coach.goto(`${address}/edit`))?.status()).toBe(404);
  await coach.goto(`${address}/plan`);
  await expect(coach.getByText('Sourdough, rolls and pan dulce').first()).toBeVisible();
  await expect(coach.getByRole('textbox')).toHaveCount(0);
  expect(await violationsOn(coach)).toEqual([]);
});

test('A long list of businesses has pages', async ({ page, site, signIn }) => {
  const sql = postgres(site.databaseUrl, { max: 1 });
  const [owner] = await sql`select id from auth.users where email = 'owner2@demo.test'`;
  await sql`
    with made as (
      insert into public.businesses (id, name)
      select gen_random_uuid(), 'Orchard ' || to_char(n, 'FM00') from generate_series(1, 24) n
      returning id
    )
    insert into public.business_members (business_id, user_id, role)
    select id, ${owner?.id}, 'owner' from made`;
  await signIn(page, 'owner2');
  await page.goto('/dashboard/businesses');
  await expect(page.getByText('Page 1 of 2, 25 businesses')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Orchard/ })).toHaveCount(20);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Park Street Cycles', exact: true })).toBeVisible();
  expect(await violationsOn(page)).toEqual([]);
  await page.goto('/dashboard/businesses?page=9');
  await expect(page.getByText('This page of the list is empty')).toBeVisible();
  await sql`
    update public.businesses set archived_at = now() where name like 'Orchard%'`;
  await sql.end();
});

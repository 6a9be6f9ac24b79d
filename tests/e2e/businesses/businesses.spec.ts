import type { Page } from '@playwright/test';
import { register } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { BUSINESS, openBusiness, ready } from '../support/business-steps.ts';
import { CUT, expect, goOffline, test } from '../support/harness.ts';
import { createProject } from '../support/project-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('An owner adds a business, which is saved as they type', async ({ page, site }) => {
  await register(page, site, 'types');
  await page.goto('/dashboard/businesses/new');
  await page.getByLabel('Postal code').fill('87104');
  await page.getByLabel('Business name').fill('Marsh Bakery');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/businesses\/[0-9a-f-]{36}\/edit$/);
  await page.getByLabel('What would help most?').fill('Winter.');
  await expect(page.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  // Everything is saved without clicking anything, and a reload opens the same form.
  await page.reload();
  await expect(page.getByLabel('Business name')).toHaveValue('Marsh Bakery');
  await expect(page.getByLabel('Postal code')).toHaveValue('87104');
  await expect(page.getByLabel('What would help most?')).toHaveValue('Winter.');
  await page.goto('/dashboard/businesses');
  const row = page.getByRole('listitem').filter({ hasText: 'Marsh Bakery' });
  await expect(row.getByText('87104')).toBeVisible();
  await expect(row.getByText('No plan or forecast yet')).toBeVisible();
});

test('A business typed offline is sent by the next page', async ({ page, context, site }) => {
  await register(page, site, 'offline-new');
  await page.goto('/dashboard/businesses/new');
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

test('An owner edits a business; errors are shown beside their fields', async ({ page, site }) => {
  await openBusiness(page, site, 'Fig Repairs');
  await expect(page.getByText('Just a name so far')).toBeVisible();
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await page.getByLabel('Website').fill('no address');
  await expect(page.getByText('A web address looks like www.example.com.')).toBeVisible();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('Something isn’t saved')).toBeVisible();

  // Even rejected input is still there when the page is reopened.
  await page.reload();
  await expect(page.getByLabel('Website')).toHaveValue('no address');
  await page.getByLabel('Website').fill('fig.example');
  await page.getByLabel('Industry').selectOption('Retail and repair');
  await page.getByLabel('In business since').fill('2019-03-05');
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL(BUSINESS);
  await expect(page.getByText('Retail and repair')).toBeVisible();
  await expect(page.getByText('March 5, 2019')).toBeVisible();
  await expect(page.getByRole('link', { name: 'fig.example' })).toBeVisible();
});

test('Two people who edit one field see both versions', async ({ page, site, elsewhere }) => {
  const email = await openBusiness(page, site, 'Pine Tiles');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  const other = await elsewhere(email);
  await page.waitForURL(/\/edit$/);
  await other.goto(page.url());
  for (const each of [page, other]) {
    await expect(each.getByRole('button', { name: 'Done' })).toBeEnabled();
  }
  const saved = (where: Page) =>
    expect(where.getByRole('status').getByText('Saved', { exact: true })).toBeVisible();

  await page.getByLabel('City').fill('Taos');
  await saved(page);
  await other.getByLabel('Phone').fill('+1 505 555 0114');
  await saved(other);
  await other.getByLabel('City').fill('Santa Fe');
  const choice = other.getByRole('alert', { name: 'City: two versions' });
  await expect(choice).toContainText('Taos');
  await expect(choice).toContainText('Santa Fe');
  await checkAccessibility(other);
  // Done does nothing while a conflict is unresolved.
  await other.getByRole('button', { name: 'Done' }).click();
  await expect(choice).toBeVisible();
  await choice.getByRole('button', { name: 'Keep mine in City' }).click();
  await saved(other);
  await expect(other.getByLabel('City')).toBeFocused();
  await page.reload();
  await expect(page.getByLabel('City')).toHaveValue('Santa Fe');
  await expect(page.getByLabel('Phone')).toHaveValue('+1 505 555 0114');
});

test('An owner adds and corrects figures, as lines and as a table', async ({ page, site }) => {
  await openBusiness(page, site, 'Oak Joinery');
  await ready(page);
  await expect(page.getByText('No figures yet')).toBeVisible();
  const dialog = page.getByRole('dialog');
  const add = async (day: string, revenue: string) => {
    await page.getByRole('button', { name: 'Add figures' }).first().click();
    await dialog.getByLabel('Date').fill(day);
    await dialog.getByLabel('Annual revenue').fill(revenue);
    await dialog.getByRole('button', { name: 'Save' }).click();
  };

  await page.getByRole('button', { name: 'Add figures' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter at least one figure')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await page.route('**/rest/v1/rpc/add_snapshot', (route) => route.abort('connectionfailed'));
  await add('2025-12-31', '120,000');
  await expect(dialog.getByText('Not saved')).toBeVisible();
  await expect(dialog.getByLabel('Annual revenue')).toHaveValue('120,000');
  await page.unroute('**/rest/v1/rpc/add_snapshot');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await add('2026-06-30', '$150,500.50');
  await expect(dialog).toBeHidden();

  const row = (day: string) => page.getByRole('row').filter({ hasText: day });
  await expect(row('June 30, 2026')).toContainText('$150,500.50');
  await expect(row('June 30, 2026').getByText('unknown')).toHaveCount(3);
  await expect(page.getByRole('figure').filter({ hasText: 'revenue and profit' })).toBeVisible();

  await page.getByRole('button', { name: 'Edit December 31, 2025' }).click();
  await expect(dialog.getByLabel('Annual revenue')).toHaveValue('120,000');
  await dialog.getByLabel('Annual revenue').fill('118,000');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(row('December 31, 2025')).toContainText('$118,000');
  await expect(row('December 31, 2025')).toContainText('Edited');
  await page.reload();
  await expect(row('December 31, 2025')).toContainText('$118,000');
  // On a tablet the whole table is visible, including its last button.
  await page.setViewportSize({ width: 768, height: 900 });
  const table = page.getByRole('region', { name: 'Figures by date' });
  expect(await table.evaluate((each) => each.scrollWidth - each.clientWidth)).toBe(0);
  await checkAccessibility(page);
});

test('By keyboard, no focused field is hidden behind the bar', async ({ page, site }) => {
  await openBusiness(page, site, 'Keyboard Kiosk');
  await page.getByRole('link', { name: 'Edit', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Done' })).toBeEnabled();
  /** Whether something else covers the center of the focused element. */
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

test('An archived business is read-only until it is restored', async ({ page, site }) => {
  const email = await openBusiness(page, site, 'Old Mill');
  const address = page.url();
  const project = await createProject(site, 'A second oven', email);
  await ready(page);
  await page.getByRole('button', { name: 'Archive this business' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Archive it' }).click();
  await expect(page.getByText(/^Archived on/)).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0);
  await checkAccessibility(page);

  await page.goto('/dashboard/businesses');
  await expect(page.getByRole('heading', { name: 'Name your business' })).toBeVisible();
  await page.getByRole('link', { name: '1 archived business' }).click();
  await expect(page.getByRole('heading', { name: 'Archived businesses' })).toBeVisible();
  await page.goto(`${address}/edit`);
  await expect(page).toHaveURL(address);
  await page.goto(`${address}/plan`);
  await expect(page.getByText('its plan is read-only')).toBeVisible();
  await page.goto(project);
  await expect(page.getByText('Its projects are read-only.')).toBeVisible();
  await expect(page.getByText('No files yet.')).toBeVisible();
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0);
  await checkAccessibility(page);
  await page.goto(address);
  await page.getByRole('button', { name: 'Restore it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Restore it' }).click();
  await expect(page.getByRole('link', { name: 'Edit', exact: true })).toBeVisible();
  await expect(page.getByText(/^Archived on/)).toHaveCount(0);
});

test('A coach reads a client’s business and plan, read-only', async ({ page, site, signIn }) => {
  const [bakery] = await site.sql`select id from public.businesses where name = 'Delgado Bakery'`;
  const address = `/dashboard/businesses/${bakery?.id}`;
  await signIn(page, 'coach');
  await page.goto('/dashboard/businesses');
  const row = page.getByRole('listitem').filter({ hasText: 'Delgado Bakery' });
  await expect(row.getByText('Maria Delgado')).toBeVisible();
  await expect(row.getByText('Plan 7 of 14')).toBeVisible();
  await expect(row.getByText(/^Forecast saved /)).toBeVisible();
  await page.goto(address);
  await expect(page.getByText('You’re viewing this as the coach.')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add figures' })).toHaveCount(0);
  await expect(page.getByText('Luis Delgado')).toHaveCount(0);
  await checkAccessibility(page);
  expect((await page.goto(`${address}/edit`))?.status()).toBe(404);
  await page.goto(`${address}/plan`);
  await expect(page.getByText('7 of 14 boxes filled in.')).toBeVisible();
  await expect(page.getByText('Sourdough, rolls and pan dulce').first()).toBeVisible();
  await expect(page.getByText(/^Not written yet: Channels; Milestones;/)).toBeVisible();
  await expect(page.getByRole('textbox')).toHaveCount(0);
  await checkAccessibility(page);
  // What a client hasn't started says so, and who to ask.
  const [plumbing] = await site.sql`
    select id from public.businesses where name = 'High Desert Plumbing'`;
  for (const sheet of ['plan', 'forecast']) {
    await page.goto(`/dashboard/businesses/${plumbing?.id}/${sheet}`);
    await expect(page.getByText(`Nadia Haddad hasn’t started the ${sheet}`)).toBeVisible();
    await expect(page.getByRole('link', { name: 'Message Nadia' })).toBeVisible();
    await expect(page.getByRole('button', { name: 'Print on one page' })).toHaveCount(0);
  }
});

test('A long list of businesses has pages', async ({ page, site }) => {
  const email = await register(page, site, 'many', 'Park Street Farm');
  const [owner] = await site.sql`select id from auth.users where email = ${email}`;
  await site.sql`
    with made as (
      insert into public.businesses (id, name)
      select gen_random_uuid(), 'Orchard ' || to_char(n, 'FM00') from generate_series(1, 24) n
      returning id
    )
    insert into public.business_members (business_id, user_id, role)
    select id, ${owner?.id}, 'owner' from made`;
  await page.goto('/dashboard/businesses');
  await expect(page.getByText('Page 1 of 2, 25 businesses')).toBeVisible();
  await expect(page.getByRole('link', { name: /^Orchard/ })).toHaveCount(20);
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(page.getByText('Page 2 of 2')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Park Street Farm', exact: true })).toBeVisible();
  await checkAccessibility(page);
  await page.goto('/dashboard/businesses?page=9');
  await expect(page.getByText('This page is empty')).toBeVisible();
});

import type { Page } from '@playwright/test';
import { awake, CUT, expect, goOffline, holdScripts, test } from '../support/harness.ts';

/** Menus are loaded after the page; these tests decide when. */
const MENU = '**/_astro/MenuList*.js';

// The browser logs requests that a test aborts, or that fail without a connection.
test.use({
  as: 'owner',
  changesDemo: false,
  expectedConsole: CUT,
});

const savedViews = (page: Page) => page.getByRole('button', { name: 'Saved views' });
/** There are no saved views yet, so this is the only item that can be chosen. */
const firstItem = (page: Page) => page.getByRole('menuitem', { name: 'Save this view…' });

test('A menu opened before its code arrives opens once it has, unless the focus moved on', async ({
  page,
}) => {
  const arrive = await holdScripts(page, MENU);
  await page.goto('/dashboard/projects');
  const button = savedViews(page);
  await expect(button).toHaveAttribute('aria-haspopup', 'menu');
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  // It's there, but disabled, before the page is hydrated.
  await expect(button).toBeEnabled();
  await button.press('ArrowDown');
  await expect(page.getByRole('menu')).toHaveCount(0);
  arrive();
  await expect(page.getByRole('menu', { name: 'Saved views' })).toBeVisible();
  await expect(firstItem(page)).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(button).toBeFocused();
  await expect(button).toHaveAttribute('aria-expanded', 'false');
  await button.press('Enter');
  await expect(firstItem(page)).toBeFocused();

  const arriveLate = await holdScripts(page, MENU);
  await page.reload();
  await button.click();
  const search = page.getByLabel('Search');
  await search.focus();
  arriveLate();
  await awake(page);
  await expect(search).toBeFocused();
  await expect(page.getByRole('menu')).toHaveCount(0);
  await button.click();
  await expect(page.getByRole('menu', { name: 'Saved views' })).toBeVisible();
});

test('What is opened for the first time without a connection is there', async ({
  page,
  context,
}) => {
  const loaded = page.waitForResponse(MENU);
  await page.goto('/dashboard/projects?view=board');
  await (await loaded).finished();
  await goOffline(page);
  await page
    .getByRole('button', { name: /^Move / })
    .first()
    .click();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
  await context.setOffline(false);
});

test('A menu that can’t be loaded says so, and what can be done', async ({ page, context }) => {
  await page.route(MENU, (route) => route.abort());
  await page.goto('/dashboard/projects');
  await awake(page);
  await savedViews(page).click();
  const notice = page.getByText('This didn’t load');
  await expect(notice.first()).toBeVisible();
  await expect(savedViews(page)).toHaveAttribute('aria-expanded', 'false');
  await goOffline(page);
  await savedViews(page).click();
  await expect(page.getByText('Go online once to open this.').first()).toBeVisible();
  await context.setOffline(false);
  await page.unroute(MENU);
  await page.getByRole('button', { name: 'Reload' }).click();
  await savedViews(page).click();
  await expect(page.getByRole('menu', { name: 'Saved views' })).toBeVisible();
});

test('A form opened before its code arrives opens once it has, unless the focus moved on', async ({
  page,
}) => {
  await page.goto('/dashboard/projects');
  const arrive = await holdScripts(page, '**/_astro/EditForm*.js');
  await page.getByRole('region', { name: 'Results' }).getByRole('link').first().click();
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  const title = page.getByLabel('Title');
  await expect(edit).toBeEnabled();
  await edit.press('Enter');
  await expect(edit).toBeFocused();
  arrive();
  await expect(title).toBeFocused();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await expect(edit).toBeFocused();

  const arriveLate = await holdScripts(page, '**/_astro/EditForm*.js');
  await page.reload();
  await expect(edit).toBeEnabled();
  await edit.press('Enter');
  const update = page.getByLabel('New update');
  await update.pressSequentially('Called Ann');
  arriveLate();
  await awake(page);
  await expect(update).toBeFocused();
  await expect(update).toHaveValue('Called Ann');
  await edit.click();
  await expect(title).toBeVisible();
  await expect(update).toHaveValue('Called Ann');
});

test('The security settings’ forms open before their code arrives, and without a connection', async ({
  page,
  context,
}) => {
  const arrive = await holdScripts(page, '**/_astro/SecurityForms*.js');
  await page.goto('/dashboard/profile/security');
  await page.getByRole('button', { name: 'Change email' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  arrive();
  await expect(page.getByLabel('New email')).toBeFocused();
  await page.keyboard.press('Escape');
  await goOffline(page);
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByLabel('Current password')).toBeVisible();
  await context.setOffline(false);
});

import type { Page } from '@playwright/test';
import { violationsOn } from './support/axe.ts';
import { expect, goOffline, test } from './support/harness.ts';

test.use({ expectedConsole: /status of (401|404)|net::ERR_(INTERNET_DISCONNECTED|FAILED)/ });

const tools = (page: Page) => page.getByRole('region', { name: /^(Everything|What fits)$/ });

test('An owner finds a tool by skill and by words, and reads it', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/toolbox');
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(12);
  // A choice shows at once when scripts run by then; before, the button does it.
  await expect(page.getByRole('button', { name: /^Save: / }).first()).toBeEnabled();
  await page.getByLabel('Skill').selectOption('Financial projection');
  await expect(page).toHaveURL(/area=financial-projection/);
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(2);
  await expect(page.getByRole('status').filter({ hasText: 'tools' })).toHaveText('2 tools');
  await page.getByLabel('Search').fill('forecast tax');
  await page.keyboard.press('Enter');
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveText('12-month cash forecast');
  await page.goBack();
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(2);
  await page.getByRole('link', { name: '12-month cash forecast' }).click();

  await expect(
    page.getByRole('heading', { name: '12-month cash forecast', level: 1 }),
  ).toBeVisible();
  const table = page.getByRole('table').nth(1);
  await expect(table.getByRole('columnheader')).toHaveText(['April', 'May', 'June', 'July']);
  await expect(table.getByRole('cell', { name: '14,500' })).toHaveCSS('text-align', 'right');
  expect(await page.locator('article [style]').count()).toBe(0);
  const violations = await violationsOn(page);
  expect(violations).toEqual([]);
});

test('A keyboard goes through the choices of a filter before it asks', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/toolbox');
  await expect(page.getByRole('button', { name: /^Save: / }).first()).toBeEnabled();
  const yours = page.getByLabel('Yours');
  await page.getByLabel('Level').focus();
  await page.keyboard.press('Tab');
  await expect(yours).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(yours).toHaveValue('open');
  await page.keyboard.press('ArrowDown');
  await expect(yours).toHaveValue('saved');
  await expect(yours).toBeFocused();
  await page.getByRole('button', { name: 'Search', exact: true }).press('Enter');
  await expect(page).toHaveURL(/mark=saved/);
});

test('What nothing fits says so, and leads back', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/toolbox?q=submarine&level=strong');
  await expect(page.getByText('No tool fits all of that')).toBeVisible();
  await expect(page.getByLabel('Search')).toHaveValue('submarine');
  await page.getByRole('link', { name: 'See all tools' }).click();
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(12);
  await page.goto('/dashboard/toolbox?mark=saved');
  await expect(page.getByText('Nothing is saved yet')).toBeVisible();
});

test('An owner sees tools for weak skills first, and a finished one gives way to the next', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/toolbox');
  const named = page.getByRole('region', { name: 'For what your results name' });
  await expect(named.getByRole('listitem')).toHaveCount(3);
  const first = named.getByRole('listitem').first();
  const name = await first.getByRole('heading', { level: 3 }).textContent();
  const done = first.getByRole('button', { name: /^Mark as done/ });
  await expect(done).toBeEnabled();
  const marked = page.waitForResponse('**/rpc/mark_tool');
  await done.press('Enter');
  expect((await marked).status()).toBe(204);
  await expect(done).toHaveAttribute('aria-pressed', 'true');
  const save = first.getByRole('button', { name: /^Save/ });
  await save.press('Space');
  await expect(save).toHaveAttribute('aria-pressed', 'true');
  // The server has both: they are there after a reload, which shows the next tool. Other stories of
  // this owner may have finished others.
  await expect
    .poll(async () => {
      await page.goto('/dashboard/toolbox?mark=done');
      return tools(page).getByRole('heading', { level: 3 }).allTextContents();
    })
    .toContain(name);
  await page.goto('/dashboard/toolbox');
  await expect(named.getByRole('heading', { level: 3 }).first()).not.toHaveText(name ?? '');
});

test('A calculator answers with a person’s own figures, and has them again the next time', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/toolbox?item=break-even');
  const card = page.getByRole('region', { name: 'Break-even with your figures' });
  const answer = card.getByRole('status');
  await card.getByLabel('Fixed costs a month').fill('6,000');
  await expect(answer).toContainText('once the 2 fields are filled in');
  await card.getByLabel('Price of one sale').fill('20');
  await card.getByLabel('Cost of one sale').fill('eight');
  await expect(card.getByLabel('Cost of one sale')).toHaveAccessibleDescription(/digits only/);
  await expect(answer).toContainText('Mend the field above');
  await card.getByLabel('Cost of one sale').fill('8');
  await expect(answer).toContainText('500 sales a month');
  await page.reload();
  await expect(card.getByRole('status')).toContainText('500 sales a month');
});

test('Every item can be opened, and a link to its place in the list finds it', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'coach');
  await page.goto('/dashboard/toolbox');
  const hrefs = await page
    .locator('main a[href*="?item="]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  expect(new Set(hrefs).size).toBe(12);
  for (const href of hrefs) {
    const answer = await page.goto(href);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible();
  }
  await page.goto('/dashboard/toolbox#role-sheet');
  await expect(page.locator('#role-sheet')).toBeInViewport();
});

test('An item that does not exist is not found, and an unknown skill hides nothing', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  const unknown = await page.goto('/dashboard/toolbox?item=no-such-thing');
  expect(unknown?.status()).toBe(404);
  await page.goto('/dashboard/toolbox?area=astrology');
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(12);
});

/** Starts a copy of the website check for the owner's business. */
async function startCopy(page: Page): Promise<string> {
  await page.goto('/dashboard/toolbox?item=website-check');
  await page.getByRole('button', { name: /^(Fill it in for|Start another copy)/ }).click();
  await page.waitForURL(/\?copy=/);
  return page.url();
}

const saved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved/ });

/** Types a name, and waits until the server has it. */
async function nameIt(page: Page, name: string): Promise<void> {
  const answer = page.waitForResponse('**/rpc/save_tool_copy');
  await page.getByLabel('Name of this copy').fill(name);
  expect((await answer).status()).toBe(200);
  await expect(saved(page)).toBeVisible();
}

test('An owner fills in a copy for the business, by keyboard, and it is there on another device', async ({
  page,
  signIn,
  browser,
}) => {
  await signIn(page, 'owner');
  const address = await startCopy(page);
  const name = page.getByLabel('Name of this copy');
  await name.fill('Website check, fall');
  const box = page.getByRole('checkbox').first();
  const task = (await box.getAttribute('aria-label')) ?? '';
  await box.focus();
  await page.keyboard.press('Space');
  await expect(box).toBeChecked();
  const cell = page.getByRole('textbox', { name: /, People who meet it$/ }).first();
  await cell.fill('Our own words | with a bar');
  // One more entry is typed where it stands; when it is taken out again, the keyboard goes on there.
  const more = page.getByRole('button', { name: /^Add an entry/ }).first();
  await more.press('Enter');
  await expect(page.locator('textarea:focus')).toHaveAccessibleName(/^Words of entry \d+ under/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(more).toBeFocused();
  await expect(saved(page)).toBeVisible();
  const violations = await violationsOn(page);
  expect(violations).toEqual([]);

  const other = await browser.newContext();
  const elsewhere = await other.newPage();
  await signIn(elsewhere, 'owner');
  await elsewhere.goto('/dashboard/toolbox');
  await elsewhere.getByRole('link', { name: 'Website check, fall' }).click();
  await expect(elsewhere).toHaveURL(address);
  await expect(elsewhere.getByRole('checkbox', { name: task }).first()).toBeChecked();
  await expect(elsewhere.locator('textarea', { hasText: 'with a bar' })).toHaveValue(
    'Our own words | with a bar',
  );
  await other.close();
});

test('What is typed without a connection is kept, and saved when it is back', async ({
  page,
  signIn,
  context,
}) => {
  await signIn(page, 'owner');
  await startCopy(page);
  // Everything that saving needs is loaded by then.
  await nameIt(page, 'Before the tunnel');
  await goOffline(page);
  await page.getByLabel('Name of this copy').fill('In the tunnel');
  await expect(page.getByText('kept in this browser')).toBeVisible();
  await context.setOffline(false);
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Name of this copy')).toHaveValue('In the tunnel');
});

test('A tab that was closed before it could save loses nothing', async ({
  page,
  signIn,
  context,
}) => {
  await signIn(page, 'owner');
  const address = await startCopy(page);
  await context.route('**/rest/v1/rpc/save_tool_copy', (route) => route.abort());
  await page.getByLabel('Name of this copy').fill('Typed and closed');
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await page.close();
  await context.unroute('**/rest/v1/rpc/save_tool_copy');
  const next = await context.newPage();
  await next.goto(address);
  await expect(next.getByLabel('Name of this copy')).toHaveValue('Typed and closed');
  await expect(saved(next)).toBeVisible();
});

test('Two who fill in one copy at once never overwrite each other silently', async ({
  page,
  signIn,
  browser,
}) => {
  await signIn(page, 'owner');
  const address = await startCopy(page);
  const other = await browser.newContext();
  const second = await other.newPage();
  await signIn(second, 'owner');
  await second.goto(address);
  await nameIt(page, 'The first is faster');
  await second.getByLabel('Name of this copy').fill('The second is slower');
  await expect(second.getByText('saved changes while you were typing')).toBeVisible();
  await second.getByText('Look at the version of').click();
  await expect(second.getByText('The first is faster', { exact: true })).toBeVisible();
  await expect(second.getByLabel('Name of this copy')).toHaveValue('The second is slower');
  await second.getByRole('button', { name: 'Take theirs' }).click();
  await expect(second.getByLabel('Name of this copy')).toHaveValue('The first is faster');
  await expect(saved(second)).toBeVisible();
  await other.close();
});

test('A copy of another business is not found, nor an id that is none', async ({
  page,
  signIn,
  browser,
}) => {
  await signIn(page, 'owner');
  const address = await startCopy(page);
  const other = await browser.newContext();
  const stranger = await other.newPage();
  await signIn(stranger, 'owner2');
  expect((await stranger.goto(address))?.status()).toBe(404);
  expect((await stranger.goto('/dashboard/toolbox?copy=not-an-id'))?.status()).toBe(404);
  await other.close();
});

test('A copy that is removed is gone from the list', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await startCopy(page);
  await nameIt(page, 'Not needed after all');
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('button', { name: 'Remove it' }).click();
  await page.waitForURL(/\/dashboard\/toolbox$/);
  await expect(page.getByRole('link', { name: 'Not needed after all' })).toHaveCount(0);
});

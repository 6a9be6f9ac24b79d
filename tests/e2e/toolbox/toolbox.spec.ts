import type { Page } from '@playwright/test';
import { checkAccessibility, checkWidth } from '../support/axe.ts';
import {
  awake,
  CUT,
  expect,
  goOffline,
  type Site,
  test,
  typeOnceEnabled,
} from '../support/harness.ts';

test.use({ as: 'owner', expectedConsole: CUT });

/** How many tools a page of the list has. */
const A_PAGE = 24;

/** The tools that people see: those of content/ and what the demo's admin published. */
const published = ({ sql }: Site) =>
  sql<{ area: string }[]>`
    select area_key as area from public.toolbox_items where state = 'published'`;

const tools = (page: Page) => page.getByRole('region', { name: /^(All|Matching) tools$/ });

test('An owner finds a tool by skill and by words, and reads it', async ({ page, site }) => {
  const inSkill = (await published(site)).filter(({ area }) => area === 'financial-projection');
  await page.goto('/dashboard/toolbox');
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(A_PAGE);
  // Once hydrated, a choice applies immediately; before that, the button applies it.
  await awake(page);
  await page.getByLabel('Skill', { exact: true }).selectOption('Financial projection');
  await expect(page).toHaveURL(/area=financial-projection/);
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(inSkill.length);
  await expect(page.getByRole('status').filter({ hasText: 'tools' })).toHaveText(
    `${inSkill.length} tools`,
  );
  await page.getByLabel('Search').fill('forecast license');
  await page.keyboard.press('Enter');
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveText([
    '12-month cash forecast',
  ]);
  await page.goBack();
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(inSkill.length);
  await page.getByRole('link', { name: '12-month cash forecast' }).click();

  await expect(
    page.getByRole('heading', { name: '12-month cash forecast', level: 1 }),
  ).toBeVisible();
  const table = page.getByRole('table').nth(1);
  await expect(table.getByRole('columnheader')).toHaveText(['April', 'May', 'June', 'July']);
  await expect(table.getByRole('cell', { name: '14,500' })).toHaveCSS('text-align', 'right');
  expect(await page.locator('article [style]').count()).toBe(0);
  await checkAccessibility(page);
});

test('On a phone, one tap chooses a skill, and its tools are rows with their buttons', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard/toolbox');
  const skills = page.getByRole('navigation', { name: 'Skills' });
  await skills.getByRole('link', { name: 'Operations' }).click();
  await expect(page).toHaveURL(/area=operations-workflows/);
  const chosen = skills.getByRole('link', { name: 'Operations' });
  await expect(chosen).toHaveAttribute('aria-current', 'true');
  await expect(chosen).toBeInViewport();
  const row = tools(page).getByRole('listitem').filter({ hasText: 'Supplier comparison' });
  await expect(row.getByRole('button', { name: 'Save: Supplier comparison' })).toBeVisible();
  expect((await row.boundingBox())?.height).toBeLessThan(130);
  await checkWidth(page);
  await checkAccessibility(page);
});

test('A keyboard goes through a filter; an empty result says so', async ({ page }) => {
  await page.goto('/dashboard/toolbox?q=submarine&level=strong');
  await expect(page.getByText('No tools match')).toBeVisible();
  await expect(page.getByLabel('Search')).toHaveValue('submarine');
  await page.getByRole('link', { name: 'See all tools' }).click();
  await expect(tools(page).getByRole('heading', { level: 3 })).toHaveCount(A_PAGE);

  await awake(page);
  const yours = page.getByLabel('Status');
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
  await expect(page.getByText('Nothing saved yet')).toBeVisible();
});

test('An owner sees tools for weak skills first, until they’re done', async ({ page, signIn }) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/toolbox');
  const named = page.getByRole('region', { name: 'Recommended from your results' });
  await expect(named.getByRole('listitem')).toHaveCount(3);
  const first = named.getByRole('listitem').first();
  const name = (await first.getByRole('heading', { level: 3 }).textContent()) ?? '';
  const press = async (button: RegExp, key: string) => {
    await awake(page);
    const marked = page.waitForResponse('**/rpc/mark_tool');
    await first.getByRole('button', { name: button }).press(key);
    await expect(first.getByRole('button', { name: button })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    expect((await marked).status()).toBe(204);
  };
  await press(/^Save/, 'Space');
  await page.goto('/dashboard');
  const saved = page.getByRole('region', { name: 'Saved tools' });
  await expect(saved.getByRole('link', { name })).toBeVisible();
  await page.goto('/dashboard/toolbox');
  await press(/^Mark as done/, 'Enter');
  await page.goto('/dashboard');
  await expect(saved).toHaveCount(0);
  await page.goto('/dashboard/toolbox?mark=done');
  await expect(tools(page).getByRole('heading', { level: 3, name })).toBeVisible();
  await page.goto('/dashboard/toolbox');
  await expect(named.getByRole('heading', { level: 3 }).first()).not.toHaveText(name);
});

test('A calculator answers with a person’s figures and keeps them', async ({ page }) => {
  await page.goto('/dashboard/toolbox?item=break-even');
  const card = page.getByRole('region', { name: 'Break-even with your numbers' });
  const answer = card.locator('output');
  for (const label of ['Price of one sale', 'Cost of one sale'])
    await card.getByLabel(label).fill('');
  await card.getByLabel('Fixed costs per month').fill('6,000');
  await expect(answer).toContainText('once the 2 blank fields are filled in');
  await card.getByLabel('Price of one sale').fill('20');
  await card.getByLabel('Cost of one sale').fill('eight');
  await expect(card.getByLabel('Cost of one sale')).toHaveAccessibleDescription(/digits only/);
  await expect(answer).toContainText('Fix the field above');
  await card.getByLabel('Cost of one sale').fill('8');
  await expect(answer).toContainText('500 sales a month');
  await expect(card.getByText(/^Saved/)).toBeVisible();
  await page.reload();
  await expect(answer).toContainText('500 sales a month');
});

test('Every item opens, and a link finds its place in the list', async ({ page, site, signIn }) => {
  await signIn(page, 'coach');
  // An unknown skill filters nothing out.
  const hrefs = new Set<string>();
  for (const place of ['', '&page=2']) {
    await page.goto(`/dashboard/toolbox?area=astrology${place}`);
    for (const link of await page.locator('main a[href*="?item="]').all()) {
      hrefs.add((await link.getAttribute('href')) ?? '');
    }
  }
  expect(hrefs.size).toBe((await published(site)).length);
  for (const href of hrefs) {
    const answer = await page.request.get(href);
    expect([answer.status(), await answer.text()], href).toEqual([
      200,
      expect.stringContaining('<h2'),
    ]);
  }
  expect((await page.goto('/dashboard/toolbox?item=no-such-thing'))?.status()).toBe(404);
  await page.goto('/dashboard/toolbox#one-to-one-agenda');
  await expect(page.locator('#one-to-one-agenda')).toBeInViewport();
});

/** Starts a copy of the website check for the owner's business; returns its URL. */
async function startCopy(page: Page): Promise<string> {
  await page.goto('/dashboard/toolbox?item=website-check');
  await page.getByRole('button', { name: /^(Fill it in for|Start another copy)/ }).click();
  await page.waitForURL(/\?copy=/);
  return page.url();
}

const saved = (page: Page) => page.getByRole('status').filter({ hasText: /^Saved/ });

/** Types a name, and waits until it's saved. */
async function nameIt(page: Page, name: string): Promise<void> {
  const answer = page.waitForResponse('**/rpc/save_tool_copy');
  await page.getByLabel('Name of this copy').fill(name);
  expect((await answer).status()).toBe(200);
  await expect(saved(page)).toBeVisible();
}

test('An owner fills in a copy, on two devices, and removes it', async ({ page, elsewhere }) => {
  const address = await startCopy(page);
  const name = page.getByLabel('Name of this copy');
  await name.fill('Website check, fall');
  const box = page.getByRole('checkbox').first();
  const task = (await box.getAttribute('aria-label')) ?? '';
  await box.focus();
  await page.keyboard.press('Space');
  await expect(box).toBeChecked();
  const cell = page.getByRole('textbox', { name: /, Run into it$/ }).first();
  await cell.fill('Our own words | with a bar');
  // A new entry gets the focus; when it's removed, the button that added it does.
  const more = page.getByRole('button', { name: /^Add an item/ }).first();
  await more.press('Enter');
  await expect(page.locator('textarea:focus')).toHaveAccessibleName(/^Text of item \d+ under/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(more).toBeFocused();
  await expect(saved(page)).toBeVisible();
  await checkAccessibility(page);

  const other = await elsewhere('owner');
  await other.goto('/dashboard/toolbox');
  await other.getByRole('link', { name: 'Website check, fall' }).click();
  await expect(other).toHaveURL(address);
  await expect(other.getByRole('checkbox', { name: task }).first()).toBeChecked();
  await expect(other.locator('textarea', { hasText: 'with a bar' })).toHaveValue(
    'Our own words | with a bar',
  );
  await other.getByRole('button', { name: 'Remove', exact: true }).click();
  await other.getByRole('button', { name: 'Remove it', exact: true }).click();
  await other.waitForURL(/\/dashboard\/toolbox$/);
  await expect(other.getByRole('link', { name: 'Website check, fall' })).toHaveCount(0);
});

test('What is typed offline is saved once the connection is back', async ({ page, context }) => {
  await startCopy(page);
  // After a first save, every script that saving needs is loaded.
  await nameIt(page, 'Before the tunnel');
  await goOffline(page);
  await page.getByLabel('Name of this copy').fill('In the tunnel');
  await expect(page.getByText('kept in this browser')).toBeVisible();
  await context.setOffline(false);
  await expect(saved(page)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Name of this copy')).toHaveValue('In the tunnel');
});

test('What is typed the moment that a copy can be edited is saved', async ({ page }) => {
  const address = await startCopy(page);
  await typeOnceEnabled(page, 'Name of this copy', 'Typed at once');
  await page.goto(address);
  await expect(page.getByRole('status').filter({ hasText: /^Saved$/ })).toBeVisible();
  const other = await page.context().newPage();
  await other.goto(address);
  await expect(other.getByLabel('Name of this copy')).toHaveValue('Typed at once');
});

test('Two people who fill in one copy see each other’s versions', async ({ page, elsewhere }) => {
  const address = await startCopy(page);
  const second = await elsewhere('owner');
  await second.goto(address);
  await nameIt(page, 'The first is faster');
  await second.getByLabel('Name of this copy').fill('The second is slower');
  await expect(second.getByText('saved changes while you were typing')).toBeVisible();
  await second.getByText('See their version').click();
  await expect(second.getByText('The first is faster', { exact: true })).toBeVisible();
  await expect(second.getByLabel('Name of this copy')).toHaveValue('The second is slower');
  await second.getByRole('button', { name: 'Keep theirs' }).click();
  await expect(second.getByLabel('Name of this copy')).toHaveValue('The first is faster');
  await expect(saved(second)).toBeVisible();
});

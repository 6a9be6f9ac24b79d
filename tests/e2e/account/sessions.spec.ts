import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { startCuttingProxy } from '../../fixtures/cutting-proxy.ts';
import { createTestDatabase } from '../../fixtures/database.ts';
import { register, signInHere, signOut } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { addBusiness } from '../support/business-steps.ts';
import { CUT, expect, holdScripts, loseSession, signInAgain, test } from '../support/harness.ts';
import { field, openOwn } from '../support/pair.ts';
import { addTask, openProject } from '../support/project-steps.ts';
import { startQuiz } from '../support/quiz-steps.ts';
import { addSession } from '../support/session.ts';
import { startSite } from '../support/site-process.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('Signing out in one tab signs out all tabs', async ({ page, context, site }) => {
  await startQuiz(page, site, 'leaves');
  const second = await context.newPage();
  await second.goto('/dashboard/profile');
  await expect(second.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  const third = await context.newPage();
  await third.goto('/dashboard');
  await signOut(third);
  for (const each of [page, second]) await expect(each).toHaveURL(/\/login$/);
  const held = (await context.cookies()).map(({ name }) => name);
  expect(held.filter((name) => name.startsWith('trellis-session'))).toEqual([]);
  await second.goBack();
  await expect(second).toHaveURL(/\/login/);
});

test('A session that ends is resumed in place, with what was typed', async ({ page, site }) => {
  const email = await register(page, site, 'typing');
  await page.goto('/dashboard/profile');
  await page.getByLabel('Your name').fill('Typed and not saved yet');
  await loseSession(page);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await signInAgain(page);
  await expect(page.getByLabel('Your name')).toHaveValue('Typed and not saved yet');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: /Typed and not saved yet/ })).toBeVisible();

  // The session ends on the server, which the page only learns from its next request.
  await site.sql`
    delete from auth.sessions s using auth.users u where s.user_id = u.id and u.email = ${email}`;
  await page.getByLabel('Your name').fill('Typed after that');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await signInAgain(page);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: /Typed after that/ })).toBeVisible();
});

test('A page of a browser that never has time is awake all the same', async ({ page, signIn }) => {
  // As Chromium does on an inactive page: idle callbacks without a timeout wait for minutes.
  await page.addInitScript(() => {
    window.requestIdleCallback = (task, { timeout } = {}) =>
      timeout ? window.setTimeout(task, timeout) : 0;
    window.cancelIdleCallback = (timer) => window.clearTimeout(timer);
  });
  await signIn(page, 'owner');
  await page.goto('/dashboard');
  await expect(page.locator('astro-island[client="rest"]')).not.toHaveCount(0);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
});

test('An owner switches between two businesses, and the choice stays', async ({ page, site }) => {
  const email = await register(page, site, 'two', 'Marsh Bakery');
  await addBusiness(site, email, 'Marsh Catering');
  await page.goto('/dashboard');
  await page.getByRole('button', { name: 'Business: Marsh Bakery' }).click();
  await page.getByRole('button', { name: 'Marsh Catering', exact: true }).click();
  await page.getByRole('button', { name: 'Business: Marsh Catering' }).click();
  await page.getByRole('button', { name: 'Marsh Bakery', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Business: Marsh Bakery' })).toBeVisible();
  // On a phone it's in the drawer.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard/profile');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Business: Marsh Bakery' }).click();
  await page.getByRole('button', { name: 'Marsh Catering', exact: true }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('button', { name: 'Business: Marsh Catering' })).toBeVisible();
});

test('A button pressed before the scripts arrive works once they do', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  const arrive = await holdScripts(page);
  await page.goto('/dashboard/businesses', { waitUntil: 'commit' });
  const businesses = page.getByRole('button', { name: /^Business: / });
  await businesses.click();
  await expect(businesses).toHaveAttribute('aria-expanded', 'false');
  arrive();
  await expect(page.getByRole('link', { name: 'Add a business' })).toBeVisible();
  // Toggled only once; from now on, clicks take effect directly.
  await expect(businesses).toHaveAttribute('aria-expanded', 'true');
  await businesses.press('Enter');
  await expect(businesses).toHaveAttribute('aria-expanded', 'false');

  // A menu opens when its button is pressed down, not when it's released.
  const arriveAtBoard = await holdScripts(page);
  await page.goto('/dashboard/projects?view=board', { waitUntil: 'commit' });
  await page
    .getByRole('button', { name: /^Move / })
    .first()
    .click();
  arriveAtBoard();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
});

test('What is typed or chosen before the scripts arrive counts', async ({ page, site }) => {
  const { address: project } = await openProject(page, site, 'Begun on a slow line');
  await addTask(page, 'Sweep');
  const arrive = await holdScripts(page);

  // A checked box stays checked, and is saved.
  await page.goto(project, { waitUntil: 'commit' });
  const sweep = page.getByRole('checkbox', { name: 'Sweep' });
  await sweep.check();
  const stored = page.waitForResponse('**/rest/v1/rpc/set_project_task_state');
  arrive();
  expect((await stored).ok()).toBe(true);
  await expect(page.getByText('1 of 1 done')).toBeVisible();
  await expect(sweep).toBeChecked();

  // Search words and a choice filter the list, and the cursor stays where it was.
  const arriveAtList = await holdScripts(page);
  await page.goto('/dashboard/projects', { waitUntil: 'commit' });
  const found = page.getByRole('region', { name: 'Results' });
  await page.getByLabel('Status').selectOption('All');
  await page.getByLabel('Search').pressSequentially('slo line');
  for (const _ of ' line') await page.keyboard.press('ArrowLeft');
  arriveAtList();
  await expect(page).toHaveURL(/status=all/);
  await expect(page).toHaveURL(/q=slo\+line/);
  await page.keyboard.type('w');
  await expect(page).toHaveURL(/q=slow\+line/);
  await expect(found.getByRole('link')).toHaveText(['Begun on a slow line']);
  await expect(page.getByLabel('Status')).toHaveValue('all');

  // Deleted text counts like typed text.
  const arriveAgain = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('Search').fill('');
  arriveAgain();
  await expect(page).not.toHaveURL(/q=/);
  await expect(page.getByLabel('Search')).toHaveValue('');
});

test('A message begun before the scripts arrive becomes a draft', async ({ page, site }) => {
  const { address } = await openOwn(page, site);
  const arrive = await holdScripts(page);
  await page.goto(address, { waitUntil: 'commit' });
  const words = field(page);
  await words.pressSequentially('Begun early');
  const stored = page.waitForResponse('**/rest/v1/rpc/save_message_draft');
  arrive();
  expect((await stored).ok()).toBe(true);
  await expect(words).toHaveValue('Begun early');
  await page.reload();
  await expect(words).toHaveValue('Begun early');

  const arriveAtList = await holdScripts(page);
  await page.goto('/dashboard/messages', { waitUntil: 'commit' });
  const search = page.getByRole('searchbox', { name: 'Search people and messages' });
  await search.pressSequentially('giraffe');
  arriveAtList();
  await expect(page.getByText('Nothing found for “giraffe”')).toBeVisible();
  await expect(search).toHaveValue('giraffe');
});

test('An admin sees the figures, a coach their clients', async ({ page }) => {
  await page.goto('/login');
  await signInHere(page, 'admin@demo.test');
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByText('Businesses', { exact: true }).last()).toBeVisible();
  await signOut(page);
  await page.goto('/login');
  await signInHere(page, 'coach@demo.test');
  await expect(page).toHaveURL(/\/dashboard\/coaching$/);

  // A coach doesn't see what's only for owners.
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links.first()).toHaveText('Today');
  await expect(links.nth(1)).toHaveText('Clients');
  await expect(links.filter({ hasText: /^(Home|Skills|Overview)$/ })).toHaveCount(0);
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'About you', exact: true })).toBeVisible();
  await page.goto('/dashboard/profile/sharing');
  await expect(page.getByRole('heading', { name: 'Who sees what' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Demographics (optional)' })).toHaveCount(0);
  await page.goto('/dashboard/profile/notifications');
  await expect(page.getByLabel('Unread messages')).toBeVisible();
  await expect(page.getByLabel('Activity in my businesses')).toHaveCount(0);
});

test('While the database is away, pages say so and people stay signed in', async ({ browser }) => {
  const database = await createTestDatabase('demo');
  const behind = new URL(database.url);
  const line = await startCuttingProxy({ target: Number(behind.port), seed: 1, mode: 'through' });
  behind.port = new URL(line.url).port;
  const dataDir = await mkdtemp(path.join(process.env.TEST_SCRATCH ?? '/tmp', 'away-'));
  const site = await startSite({
    DATABASE_URL: behind.href,
    DATA_DIR: dataDir,
    DEMO: '1',
    SMTP_URL: '',
  });
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const heading = page.getByRole('heading', { level: 1 });
  await addSession(page, site, 'owner@demo.test');
  await page.goto('/dashboard/projects/new');
  await page.getByLabel('Title').fill('Typed while it was away');
  await expect(page.getByRole('button', { name: 'Create project' })).toBeEnabled();

  line.mode('cut');
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByText('We can’t reach our database right now')).toBeVisible();
  await expect(page.getByLabel('Title')).toHaveValue('Typed while it was away');
  const answer = await page.goto('/dashboard/projects');
  expect([answer?.status(), answer?.headers()['retry-after']]).toEqual([503, '15']);
  expect(await answer?.headerValue('set-cookie')).toBeNull();
  await expect(heading).toHaveText('We’ll be right back');
  await checkAccessibility(page);
  // Toggles that can't be read have their defaults: registration is open.
  const visitor = await browser.newContext({ baseURL: site.url });
  const form = await visitor.newPage();
  await form.goto('/register');
  await expect(form.getByRole('button', { name: 'Create account' })).toBeVisible();
  await visitor.close();

  line.mode('through');
  await expect(heading).toHaveText('Projects');
  await context.close();
  await site.stop();
  await line.close();
  await database.drop();
});

test('Signing out works without scripts', async ({ elsewhere }) => {
  const page = await elsewhere('owner', { javaScriptEnabled: false });
  await page.goto('/logout');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await expect(page.getByRole('heading', { name: 'You’re signed out' })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveURL(/\/login\?next=/);
});

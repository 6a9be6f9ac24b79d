import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';
import { demoPassword } from '#backend/local/demo/demo.ts';
import { startCuttingProxy } from '../fixtures/cutting-proxy.ts';
import { createTestDatabase } from '../fixtures/database.ts';
import { PASSWORD, register, signInHere, signOut } from './support/account-steps.ts';
import { expect, holdScripts, loseSession, test } from './support/harness.ts';
import { field, openOwn } from './support/pair.ts';
import { addTask, newProject, silentAxe } from './support/project-steps.ts';
import { addSession } from './support/session.ts';
import { startSite } from './support/site-process.ts';

// A refusal is an answer of 4xx, which the browser writes into its console by itself, as it does a
// connection that a story cuts.
test.use({
  expectedConsole:
    /Failed to load resource: (the server responded with a status of 4\d\d|net::ERR_CONNECTION_FAILED)/,
});

test('Signing out in one tab signs out all tabs, and nothing private is left', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard');
  const second = await context.newPage();
  await second.goto('/dashboard/profile');
  await expect(second.getByLabel('Your name')).toBeEnabled();
  await expect(second.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  await signOut(page);
  await expect(second).toHaveURL(/\/login$/);
  const held = (await context.cookies()).map(({ name }) => name);
  expect(held.filter((name) => name.startsWith('trellis-session'))).toEqual([]);
  await second.goBack();
  await expect(second).toHaveURL(/\/login/);
});

test('A session that ends while someone types is opened again in place', async ({ page, site }) => {
  await register(page, site, 'typing');
  await page.goto('/dashboard/profile');
  await page.getByLabel('Your name').fill('Typed and not saved yet');
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeEnabled();
  await loseSession(page);
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByLabel('Your name')).toHaveValue('Typed and not saved yet');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('link', { name: /Typed and not saved yet/ })).toBeVisible();
});

test('A form keeps what was typed when the connection is lost, and is sent afterwards', async ({
  page,
  context,
  site,
}) => {
  await register(page, site, 'offline');
  await page.goto('/dashboard/businesses/new');
  await page.getByLabel('Business name').fill('Marsh Bakery');
  await expect(page.getByRole('button', { name: 'Save' })).toBeEnabled();
  await page.route('**/rest/v1/rpc/create_business', (route) => route.abort('connectionfailed'));
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Not sent yet')).toBeVisible();
  await expect(page.getByLabel('Business name')).toHaveValue('Marsh Bakery');
  await page.unroute('**/rest/v1/rpc/create_business');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard');
  await expect(page.getByRole('button', { name: /Marsh Bakery/ })).toBeVisible();
  expect((await context.cookies()).map(({ name }) => name)).toContain('trellis-business');
});

test('A page of a browser that never has time is awake all the same', async ({ page, signIn }) => {
  // Chromium does this on a page where nothing happens: a callback without a limit waits for minutes.
  await page.addInitScript(() => {
    window.requestIdleCallback = (task, { timeout } = {}) =>
      timeout ? window.setTimeout(task, timeout) : 0;
    window.cancelIdleCallback = (timer) => window.clearTimeout(timer);
  });
  await signIn(page, 'owner');
  await page.goto('/dashboard');
  await expect(page.locator('astro-island[client="idle"]')).not.toHaveCount(0);
  await expect(page.locator('astro-island[ssr]')).toHaveCount(0);
});

test('An owner switches between two businesses, and the choice stays', async ({ page, site }) => {
  await register(page, site, 'two');
  for (const name of ['Marsh Bakery', 'Marsh Catering']) {
    await page.goto('/dashboard/businesses/new');
    await page.getByLabel('Business name').fill(name);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL((url) => url.pathname === '/dashboard');
  }
  await page.getByRole('button', { name: 'Business: Marsh Catering' }).click();
  await page.getByRole('button', { name: 'Marsh Bakery', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Business: Marsh Bakery' })).toBeVisible();
  // On a phone the same stands in the drawer.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/dashboard/profile');
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: 'Business: Marsh Bakery' }).click();
  await page.getByRole('button', { name: 'Marsh Catering', exact: true }).click();
  await page.getByRole('button', { name: 'Menu' }).click();
  await expect(page.getByRole('button', { name: 'Business: Marsh Catering' })).toBeVisible();
});

test('A button that is pressed before the scripts are there does it when they are', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  const arrive = await holdScripts(page);
  await page.goto('/dashboard/businesses', { waitUntil: 'commit' });
  const businesses = page.getByRole('button', { name: /^Business: / });
  await businesses.click();
  await expect(businesses).toHaveAttribute('aria-expanded', 'false');
  arrive();
  await expect(page.getByRole('link', { name: 'Add a business' })).toBeVisible();
  // Once, and from now on at once.
  await expect(businesses).toHaveAttribute('aria-expanded', 'true');
  await businesses.press('Enter');
  await expect(businesses).toHaveAttribute('aria-expanded', 'false');

  // A menu opens where its button is pressed down, and not where it is let go.
  const arriveAtBoard = await holdScripts(page);
  await page.goto('/dashboard/projects?view=board', { waitUntil: 'commit' });
  await page
    .getByRole('button', { name: /^Move / })
    .first()
    .click();
  arriveAtBoard();
  await expect(page.getByRole('menuitem').first()).toBeVisible();
});

test('What is typed, chosen or ticked before the scripts are there counts when they are', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  const project = await newProject(page, 'Begun on a slow line');
  await addTask(page, 'Sweep');
  const arrive = await holdScripts(page);

  // A box is ticked: it stays so, and is stored.
  await page.goto(project, { waitUntil: 'commit' });
  const sweep = page.getByRole('checkbox', { name: 'Sweep' });
  await sweep.check();
  const stored = page.waitForResponse('**/rest/v1/rpc/set_project_task_state');
  arrive();
  expect((await stored).ok()).toBe(true);
  await expect(page.getByText('1 of 1 done')).toBeVisible();
  await expect(sweep).toBeChecked();

  // Words and a choice narrow the list, and whoever types on does it where they were.
  const arriveAtList = await holdScripts(page);
  await page.goto('/dashboard/projects', { waitUntil: 'commit' });
  const found = page.getByRole('region', { name: 'Found' });
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

  // What is taken away counts like what is written.
  const arriveAgain = await holdScripts(page);
  await page.reload({ waitUntil: 'commit' });
  await page.getByLabel('Search').fill('');
  arriveAgain();
  await expect(page).not.toHaveURL(/q=/);
  await expect(page.getByLabel('Search')).toHaveValue('');
});

test('A message that is begun before the scripts are there is kept as a draft', async ({
  page,
  site,
}) => {
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
  await expect(page.getByText('Nothing is found for “giraffe”')).toBeVisible();
  await expect(search).toHaveValue('giraffe');
});

test('An admin sees the figures, a coach their clients', async ({ page }) => {
  await page.goto('/login');
  await signInHere(page, 'admin@demo.test', demoPassword);
  await expect(page).toHaveURL(/\/admin$/);
  await expect(page.getByText('Businesses', { exact: true }).last()).toBeVisible();
  await signOut(page);
  await page.goto('/login');
  await signInHere(page, 'coach@demo.test', demoPassword);
  await expect(page).toHaveURL(/\/dashboard\/coaching$/);

  // What is of owners only is not in a coach's way.
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
  await expect(links.first()).toHaveText('Clients');
  await expect(links.filter({ hasText: /^(Home|Skills|Overview)$/ })).toHaveCount(0);
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'About you', exact: true })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Who you are, if you like to say' })).toHaveCount(
    0,
  );
  await expect(page.getByLabel('Reminders of what I set out to do')).toHaveCount(0);
});

test('The session cookie is what it is specified to be', async ({ page, context }) => {
  await page.goto('/login');
  await signInHere(page, 'owner@demo.test', demoPassword);
  await page.waitForURL((url) => url.pathname === '/dashboard');
  const cookies = (await context.cookies()).filter(({ name }) =>
    name.startsWith('trellis-session'),
  );
  expect(cookies.length).toBeGreaterThan(0);
  for (const { path, sameSite, httpOnly, secure, value, expires } of cookies) {
    expect([path, sameSite, httpOnly, secure]).toEqual(['/', 'Lax', false, false]);
    expect(value.length).toBeLessThanOrEqual(3180);
    expect((expires - Date.now() / 1000) / 86_400).toBeCloseTo(400, 0);
  }
});

test('While the database is away a signed-in page says so, opens by itself later, and nobody is signed out', async ({
  browser,
}) => {
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
  await addSession(page, site, { email: 'owner@demo.test', password: demoPassword });
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
  await silentAxe(page);

  line.mode('through');
  await expect(heading).toHaveText('Projects');
  await context.close();
  await site.stop();
  await line.close();
  await database.drop();
});

test('Signing out works without scripts', async ({ browser, site, signIn }) => {
  const plain = await browser.newContext({ baseURL: site.url, javaScriptEnabled: false });
  const quiet = await plain.newPage();
  await signIn(quiet, 'owner');
  await quiet.goto('/logout');
  await quiet.getByRole('button', { name: 'Sign out' }).click();
  await expect(quiet.getByRole('heading', { name: 'You are signed out' })).toBeVisible();
  await quiet.goto('/dashboard');
  await expect(quiet).toHaveURL(/\/login\?next=/);
  await plain.close();
});

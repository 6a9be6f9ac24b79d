import type { Page } from '@playwright/test';
import { CUT, expect, holdScripts, test } from '../support/harness.ts';
import { openProject } from '../support/project-steps.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** A little more than the time between two checks for a newer build. */
const A_LOOK = '05:01';
const OFFER = 'A newer version is ready';

/** Advances the clock past the next check for a build, and the idle moment after it. */
async function looks(page: Page): Promise<void> {
  // The island that checks is hydrated on idle, which depends on the page's clock as well.
  await page.clock.runFor('00:03');
  await expect(page.locator('astro-island[client="idle"][ssr]')).toHaveCount(0);
  // More than once, because an island counts as hydrated a little before its timer starts.
  await expect(async () => {
    const [answer] = await Promise.all([
      page.waitForResponse('**/builds/latest.json', { timeout: 3_000 }),
      page.clock.fastForward(A_LOOK),
    ]);
    await answer.body();
  }).toPass();
  // The page reads the response in real time; the idle moment after it depends on its clock.
  await page.evaluate(() => 0);
  await page.clock.runFor('00:03');
}

/** Makes the site report a newer build from now on. */
async function isBuiltAnew(page: Page): Promise<void> {
  await page.route('**/builds/latest.json', (route) =>
    route.fulfill({ json: { id: 'newer', timestamp: Date.now() } }),
  );
}

test('An owner is offered a reload when there is a newer build', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.clock.install();
  await page.goto('/dashboard');
  await page.waitForLoadState('networkidle');
  await looks(page);
  await expect(page.getByText(OFFER)).toHaveCount(0);
  await isBuiltAnew(page);
  await looks(page);
  await expect(page.getByText(OFFER, { exact: true })).toBeVisible();
  // It stays longer than other notices.
  await page.clock.runFor('00:30');
  await expect(page.getByText(OFFER, { exact: true })).toBeVisible();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload' }).click();
  await loaded;
  await expect(page.getByText(OFFER, { exact: true })).toHaveCount(0);
});

test('Someone who is typing, even before the scripts, is asked later', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.clock.install();
  const arrive = await holdScripts(page);
  await page.goto('/dashboard/profile', { waitUntil: 'commit' });
  const name = page.getByLabel('Your name');
  const before = await name.inputValue();
  await name.fill('Somebody Else');
  arrive();
  await expect(page.locator('astro-island[client="load"][ssr]')).toHaveCount(0);
  await isBuiltAnew(page);
  await looks(page);
  await expect(page.getByText(OFFER, { exact: true })).toHaveCount(0);
  await expect(name).toHaveValue('Somebody Else');
  await name.fill(before);
  await page.clock.runFor('00:05');
  await expect(page.getByText(OFFER, { exact: true })).toBeVisible();
});

test('A closed tab’s task is sent before the offer', async ({ page, context, site }) => {
  await openProject(page, site, 'A new oven');
  await context.route('**/rest/v1/rpc/add_project_task', (route) =>
    route.abort('internetdisconnected'),
  );
  await page.getByLabel('New task').fill('Measure the door');
  await page.getByRole('button', { name: 'Add task' }).click();
  await expect(page.getByRole('list', { name: 'Tasks being saved' })).toContainText('Measure');
  await page.close();

  const next = await context.newPage();
  await next.clock.install();
  await next.goto('/dashboard');
  await next.waitForLoadState('networkidle');
  await isBuiltAnew(next);
  await looks(next);
  await expect(next.getByText(OFFER)).toHaveCount(0);
  await context.unroute('**/rest/v1/rpc/add_project_task');
  const sent = next.waitForResponse('**/rest/v1/rpc/add_project_task');
  // The pending task is sent as soon as the browser is back online.
  await next.evaluate(() => void window.dispatchEvent(new Event('online')));
  expect((await sent).ok()).toBe(true);
  await next.clock.runFor('00:05');
  await expect(next.getByText(OFFER, { exact: true })).toBeVisible();
});

test('A visitor in the first look is offered it too', async ({ page }) => {
  await page.clock.install();
  await page.goto('/pages/business-skills-quiz');
  await page.clock.runFor('00:01');
  await page.waitForLoadState('networkidle');
  await isBuiltAnew(page);
  await looks(page);
  await expect(page.getByText(OFFER)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Reload' })).toBeVisible();
  await page.getByRole('button', { name: 'Later' }).click();
  await looks(page);
  await expect(page.getByText(OFFER)).toHaveCount(0);
});

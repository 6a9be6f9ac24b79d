import type { Page } from '@playwright/test';
import { expect, holdScripts, test } from './support/harness.ts';
import { newProject } from './support/project-steps.ts';
import { ATTEMPT, CUT, quizIsLive, startQuiz } from './support/quiz-steps.ts';

/** Seconds that a page is open when it looks whether there is a newer build. */
const A_LOOK = 301;
/** Shorter than a request may take, whose time would be up at once by the page's clock. */
const STEP = 5;
const OFFER = 'A newer version is ready';

/** Lets the time until the next look pass, and the quiet moment after it. */
async function looks(page: Page): Promise<void> {
  let isAsked = false;
  const answered = page.waitForEvent('requestfinished', (request) =>
    request.url().endsWith('/builds/latest.json'),
  );
  page.on('request', (request) => {
    isAsked ||= request.url().endsWith('/builds/latest.json');
  });
  // What looks is an island that waits for an idle moment, which comes by the page's clock as well.
  await page.clock.runFor('00:03');
  await expect(page.locator('astro-island[client="idle"][ssr]')).toHaveCount(0);
  for (let passed = 0; passed < A_LOOK && !isAsked; passed += STEP) {
    await page.clock.runFor(STEP * 1_000);
  }
  await answered;
  // The answer is read in real time; the moment after it passes by the page's clock.
  await page.evaluate(() => 0);
  await page.clock.runFor('00:03');
}

/** What waits is sent at once, as by a browser that has its connection back. */
const connectionIsBack = (page: Page) =>
  page.evaluate(() => void window.dispatchEvent(new Event('online')));

/** From now on the site says that it was built anew. */
async function isBuiltAnew(page: Page): Promise<void> {
  await page.route('**/builds/latest.json', (route) =>
    route.fulfill({ json: { id: 'newer', timestamp: Date.now() } }),
  );
}

test('Every page and the newest build agree on its name', async ({ request }) => {
  const latest = (await (await request.get('/builds/latest.json')).json()) as { id: string };
  const meta = await request.get(`/builds/meta/${latest.id}.json`);
  const { id, prerendered } = (await meta.json()) as { id: string; prerendered: string[] };
  expect(id).toBe(latest.id);
  expect(prerendered).toContain('/about');
  for (const address of ['/', '/login', '/pages/business-skills-quiz']) {
    const html = await (await request.get(address)).text();
    expect(html).toContain(`<meta name="build" content="${latest.id}"`);
  }
});

test('An owner is offered a reload when the site was built anew', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.clock.install();
  await page.goto('/dashboard');
  await page.waitForLoadState('networkidle');
  await looks(page);
  await expect(page.getByText(OFFER)).toHaveCount(0);
  await isBuiltAnew(page);
  await looks(page);
  await expect(page.getByText(OFFER, { exact: true })).toBeVisible();
  // Longer than other notices stay.
  await page.clock.runFor('00:30');
  await expect(page.getByText(OFFER, { exact: true })).toBeVisible();
  const loaded = page.waitForEvent('load');
  await page.getByRole('button', { name: 'Reload' }).click();
  await loaded;
  await expect(page.getByText(OFFER, { exact: true })).toHaveCount(0);
});

test('Somebody who is typing is asked afterwards, also when they began before the scripts were there', async ({
  page,
  signIn,
}) => {
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
  await name.fill(before);
  await page.clock.runFor('00:05');
  await expect(page.getByText(OFFER, { exact: true })).toBeVisible();
});

test.describe('In a tab that was closed', () => {
  test.use({ expectedConsole: CUT });

  test('a task that was not sent goes out from the dashboard, and the offer comes after it', async ({
    page,
    context,
    signIn,
  }) => {
    await signIn(page, 'owner');
    await newProject(page, 'A new oven');
    await context.route('**/rest/v1/rpc/add_project_task', (route) =>
      route.abort('internetdisconnected'),
    );
    await page.getByLabel('New task').fill('Measure the door');
    await page.getByRole('button', { name: 'Add task' }).click();
    await expect(page.getByRole('list', { name: 'Tasks on their way' })).toContainText('Measure');
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
    await connectionIsBack(next);
    expect((await sent).ok()).toBe(true);
    await next.clock.runFor('00:05');
    await expect(next.getByText(OFFER, { exact: true })).toBeVisible();
  });
});

test.describe('In the quiz', () => {
  test.use({ expectedConsole: CUT });

  test('an answer that is not sent yet comes first', async ({ page, site }) => {
    await startQuiz(page, site, 'newer-build');
    expect(new URL(page.url()).pathname).toMatch(ATTEMPT);
    await page.clock.install();
    await page.reload();
    await page.clock.runFor('00:01');
    await quizIsLive(page);
    await page.waitForLoadState('networkidle');
    await isBuiltAnew(page);
    await page.route('**/rest/v1/**', (route) => route.abort('internetdisconnected'));
    await page.keyboard.press('3');
    await expect(page.getByText('Not sent yet')).toBeVisible();
    await looks(page);
    await expect(page.getByText(OFFER)).toHaveCount(0);
    await page.unroute('**/rest/v1/**');
    await connectionIsBack(page);
    await expect(page.getByText('Saved', { exact: true })).toBeVisible();
    await page.clock.runFor('00:05');
    await expect(page.getByText(OFFER)).toBeVisible();
    await page.getByRole('button', { name: 'Later' }).click();
    await looks(page);
    await expect(page.getByText(OFFER)).toHaveCount(0);
  });
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
});

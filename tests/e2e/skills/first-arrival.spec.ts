import {
  confirmFromMail,
  fillRegistration,
  newAddress,
  useAnswers,
} from '../support/account-steps.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';
import { ATTEMPT, pressAndGoOn, quizIsLive } from '../support/quiz-steps.ts';

test.use({ changesDemo: false, viewport: { width: 360, height: 640 } });

test('On a phone, a visitor goes from the home page to a first project', async ({ page, site }) => {
  await page.goto('/');
  await page.locator('main a[href="/pages/business-skills-quiz"]').first().click();
  await quizIsLive(page);
  for (let i = 0; i < 8; i += 1) await pressAndGoOn(page, String(i % 4));
  await page.getByRole('link', { name: 'Create an account to save your results' }).click();
  const email = newAddress('arrival');
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await useAnswers(page, /^Use the answers from this browser\?$/);
  await page.waitForURL(ATTEMPT);

  // The results they earned, a form for the business, and what the rest of the quiz takes and adds.
  await expect(page.getByRole('heading', { level: 1, name: 'Your results' })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Eight skills' })).toBeVisible();
  const rest = page.getByRole('link', { name: /^Answer the other \d+ questions$/ });
  await expect(rest).toHaveAttribute('href', '/dashboard/skills/quiz');
  await expect(page.getByText(/take about \d+ minutes and keep the answers so far/)).toBeVisible();
  const form = page.getByRole('region', { name: 'What’s your business called?' });
  await form.getByLabel('Business name').scrollIntoViewIfNeeded();
  await expect(form.getByLabel('Business name')).toBeEditable();
  await checkBothThemes(page);
  await checkWidth(page);

  // What's chosen before there's a business is kept, here through the list of projects.
  const work = page.getByRole('link', { name: /^Work on this/ }).first();
  const href = (await work.getAttribute('href')) ?? '';
  await work.click();
  await page.waitForURL((url) => url.pathname === '/dashboard/projects/new');
  await expect(page.getByText('What you chose to work on comes next')).toBeVisible();
  // The choice is kept without waiting for the page's script.
  await page.goto('/dashboard/projects');
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await expect(page.getByText('Give the business a name.')).toBeVisible();
  await expect(page.getByLabel('Business name')).toBeFocused();
  const created = page.waitForResponse('**/rest/v1/rpc/create_business');
  await page.getByLabel('Industry').selectOption('Food and drink');
  await page.getByLabel('Stage').selectOption('Growing');
  await page.getByLabel('Business name').fill('Marsh Bakery');
  expect((await created).ok()).toBe(true);
  await checkBothThemes(page);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.waitForURL((url) => url.pathname + url.search === href);
  await expect(page.getByText('From your quiz')).toBeVisible();
  await expect(page.getByLabel('Title')).not.toHaveValue('');
  const [business] = await site.sql`
    select b.industry, b.stage, count(t.id)::int as attempts
    from public.businesses b join public.attempts t on t.business_id = b.id
    where b.name = 'Marsh Bakery' group by b.id`;
  // The results moved to it: the first look, and the quiz that's open.
  expect(business).toEqual({ industry: 'Food and drink', stage: 'Growing', attempts: 2 });

  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  await expect(page.getByRole('heading', { level: 1 })).not.toBeEmpty();
  await checkWidth(page);
});

test('A new owner names the business right on their results', async ({ page, site }) => {
  await page.goto('/pages/business-skills-quiz');
  await quizIsLive(page);
  for (let i = 0; i < 8; i += 1) await pressAndGoOn(page, '2');
  await page.getByRole('link', { name: 'Create an account to save your results' }).click();
  const email = newAddress('named');
  await fillRegistration(page, email);
  await confirmFromMail(page, site, email);
  await useAnswers(page, /^Use the answers from this browser\?$/);
  await page.waitForURL(ATTEMPT);
  const address = page.url();
  const form = page.getByRole('region', { name: 'What’s your business called?' });
  await form.getByLabel('Business name').scrollIntoViewIfNeeded();
  const created = page.waitForResponse('**/rest/v1/rpc/create_business');
  await form.getByLabel('Business name').fill('Fern Tile');
  expect((await created).ok()).toBe(true);
  const saved = page.waitForResponse('**/rest/v1/rpc/save_business_fact');
  await form.getByLabel('Stage').selectOption('Starting');
  expect((await saved).ok()).toBe(true);
  await form.getByRole('button', { name: 'Save and continue' }).click();
  await expect(form).toHaveCount(0);
  await expect(page).toHaveURL(address);
  await expect(page.getByText('First look · Fern Tile')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByLabel('Business name')).toHaveCount(0);
});

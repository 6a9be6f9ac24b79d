import type { Page } from '@playwright/test';
import type { Sql } from 'postgres';
import { register } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { expect, test } from '../support/harness.ts';
import { ATTEMPT, pressAndGoOn, quizIsLive } from '../support/quiz-steps.ts';

// Some tests here make a page fail on the server.
test.use({
  changesDemo: false,
  expectedConsole: /Failed to load resource: the server responded with a status of 5\d\d/,
});

const next = (page: Page) => page.getByText('What to do next').locator('..');

test('Someone new reads what this is for and starts the quiz there', async ({ page, site }) => {
  await register(page, site, 'first-visit');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Rosa');
  await expect(page.getByRole('heading', { name: 'How it works' })).toBeVisible();
  await expect(page.locator('main').getByLabel('Business name')).toBeVisible();
  // No section is empty.
  for (const name of ['Projects', 'Saved tools', 'Your coach', 'Coming up', 'Cash']) {
    await expect(page.getByRole('heading', { name })).toHaveCount(0);
  }
  await checkAccessibility(page);
  // Pages that need a business have a form for its name, in words for an owner rather than a coach.
  for (const list of [
    '/dashboard/projects',
    '/dashboard/projects/new',
    '/dashboard/coaching',
    '/dashboard/businesses',
    '/dashboard/skills/compared',
    '/dashboard/toolbox?item=role-sheet',
  ]) {
    await page.goto(list);
    await expect(page.locator('main').getByLabel('Business name'), list).toBeVisible();
    await expect(page.getByText(/clients? /), list).toHaveCount(0);
  }
  await page.goto('/dashboard');
  await next(page).getByRole('link', { name: 'Start the quiz' }).click();
  await page.getByRole('button', { name: 'Start the quiz' }).click();
  await page.waitForURL(ATTEMPT);
  await quizIsLive(page);
  const stored = page.waitForResponse('**/rest/v1/answers**');
  await pressAndGoOn(page, '3');
  expect((await stored).ok()).toBe(true);
  await page.goto('/dashboard');
  await expect(next(page).getByRole('link', { name: 'Continue' })).toBeVisible();
  await expect(next(page)).toContainText('answered 1 of 32 questions');
});

test('An owner sees one thing to do with its reason, and opens it', async ({ page, signIn }) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard');
  await expect(next(page).getByRole('heading')).toHaveText(/^Ask the insurance agent/);
  await expect(next(page)).toContainText(/due (\w+, in \d days|today|tomorrow)/);
  await expect(next(page)).toContainText('what you chose to do in business planning');
  await expect(page.getByRole('table', { name: 'Your eight skills' }).getByRole('row')).toHaveCount(
    9,
  );
  // What's shown as the next step isn't repeated, and a session has its day and time.
  const coming = page.getByRole('region', { name: 'Coming up' });
  await expect(coming.getByText('Ask the insurance agent')).toHaveCount(0);
  const session = coming.getByRole('listitem').filter({ hasText: 'Session with Ruth Abara' });
  await expect(session).toContainText(/^[A-Z][a-z]+ at \d{1,2}:\d\d [AP]M/);
  // Figures have their history, in words too.
  const finance = page.getByRole('table', { name: 'Your eight skills' }).getByRole('row', {
    name: /^Financial projection/,
  });
  await expect(finance.getByText(/^\d+, then \d+/)).toBeAttached();
  await expect(page.getByRole('region', { name: 'Cash' })).toContainText(
    'the lowest of the 12 months',
  );
  await expect(page.getByRole('region', { name: 'Your coach' })).toContainText(
    /Ruth Abara.*You meet /,
  );
  const projects = page.getByRole('region', { name: 'Projects' });
  await expect(projects.getByRole('listitem')).toHaveCount(4);
  await expect(projects.getByText(/^Next: /).first()).toBeVisible();
  await expect(projects.getByRole('progressbar').first()).toBeVisible();
  await checkAccessibility(page);
  await next(page).getByRole('link').click();
  await expect(page).toHaveURL(/\/dashboard\/skills#focus$/);
});

/** Replaces the body of the dashboard's procedure; the returned function restores it. */
async function replaceDashboard(sql: Sql, body: string): Promise<() => Promise<unknown>> {
  const [row] = await sql`
    select pg_get_functiondef('public.get_home(uuid)'::regprocedure) as definition`;
  await sql.unsafe(`
    create or replace function public.get_home(p_business_id uuid) returns json
    language plpgsql stable security definer set search_path = '' as
    $$ begin ${body} end $$`);
  return () => sql.unsafe(row?.definition);
}

for (const [what, body] of [
  ['A database that fails', "raise exception 'away' using errcode = 'XX000';"],
  ['An answer that does not fit', "return '{}';"],
] as const) {
  test(`${what} shows a page with a reference to the log`, async ({ page, site, signIn }) => {
    await signIn(page, 'owner');
    const restore = await replaceDashboard(site.sql, body);
    expect((await page.goto('/dashboard'))?.status()).toBe(500);
    await expect(page).toHaveTitle(/Internal Server Error/);
    await expect(page.getByText('away')).toHaveCount(0);
    const reference = await page.locator('main code').textContent();
    expect(site.output()).toContain(`"reference":"${reference}","path":"/dashboard"`);
    await restore();
    expect((await page.goto('/dashboard'))?.status()).toBe(200);
  });
}

test('A coach and an admin are led to their work', async ({ page, signIn, elsewhere }) => {
  await signIn(page, 'coach');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { name: /to do|late|due today/ })).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'All clients' }).click();
  await page.waitForURL('**/dashboard/coaching');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Clients');
  const admin = await elsewhere('admin');
  await admin.goto('/dashboard');
  await next(admin).getByRole('link', { name: 'Overview' }).click();
  await admin
    .getByRole('main')
    .getByRole('link', { name: 'People who wrote to support, unread' })
    .click();
  await admin.waitForURL('**/dashboard/messages?show=support');
});

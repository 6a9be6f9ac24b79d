import type { Page } from '@playwright/test';
import { connect } from '../fixtures/connection.ts';
import { register } from './support/account-steps.ts';
import { silentInBothThemes } from './support/axe.ts';
import { expect, test } from './support/harness.ts';
import { ATTEMPT, pressAndGoOn, quizIsLive } from './support/quiz-steps.ts';

test.use({
  expectedConsole:
    /Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_INTERNET_DISCONNECTED)/,
});

const next = (page: Page) => page.getByText('What to do next').locator('..');

test('Somebody new reads what this is for, and begins the quiz from there', async ({
  page,
  site,
}) => {
  await register(page, site, 'first-visit');
  await page.goto('/dashboard');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Welcome, Rosa');
  await expect(page.getByRole('heading', { name: 'How it goes' })).toBeVisible();
  await expect(page.locator('main').getByRole('link', { name: 'Add your business' })).toBeVisible();
  // Nothing stands there empty.
  for (const name of ['Projects', 'Saved tools', 'Your coach', 'What you work on']) {
    await expect(page.getByRole('heading', { name })).toHaveCount(0);
  }
  await silentInBothThemes(page);
  // A list that needs a business says so, in the words of an owner.
  for (const list of ['/dashboard/projects', '/dashboard/projects/new', '/dashboard/coaching']) {
    await page.goto(list);
    const add = page.locator('main').getByRole('link', { name: 'Add your business' });
    await expect(add, list).toBeVisible();
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
  await expect(next(page).getByRole('link', { name: 'Go on' })).toBeVisible();
  await expect(next(page)).toContainText('1 of 32 questions are answered');
});

test('An owner sees one thing to do with its reason, and it leads there', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard');
  await expect(next(page).getByRole('heading')).toHaveText(
    'Do what you set out to do in business planning',
  );
  await expect(next(page)).toContainText(/Due in \d days: Ask the insurer/);
  await expect(page.getByRole('table', { name: 'Your eight skills' }).getByRole('row')).toHaveCount(
    9,
  );
  await expect(
    page.getByRole('region', { name: 'What you work on' }).getByRole('listitem'),
  ).toHaveCount(2);
  await expect(page.getByRole('region', { name: 'Your coach' })).toContainText('Ruth Abara');
  const projects = page.getByRole('region', { name: 'Projects' });
  await expect(projects.getByRole('listitem')).toHaveCount(4);
  await expect(projects.getByText(/^Next: /).first()).toBeVisible();
  await silentInBothThemes(page);
  await next(page).getByRole('link').click();
  await expect(page).toHaveURL(/\/dashboard\/skills#focus$/);
});

test('A tool that is saved stands on the dashboard, and leaves it when it is done', async ({
  page,
  site,
  signIn,
}) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard');
  const tools = page.getByRole('region', { name: 'Saved tools' });
  await expect(tools).toHaveCount(0);
  const sql = connect(site.databaseUrl, 1);
  const mark = (done: boolean) => sql`
    insert into public.toolbox_marks (user_id, item_id, saved_at, done_at)
    select u.id, i.id, now(), ${done ? new Date() : null}::timestamptz
    from auth.users u, public.toolbox_items i
    where u.email = 'owner2@demo.test' and i.slug = 'break-even'
    on conflict (user_id, item_id) do update set done_at = excluded.done_at`;
  await mark(false);
  await page.reload();
  await expect(tools.getByRole('link', { name: /break-even/i })).toBeVisible();
  await mark(true);
  await sql.end();
  await page.reload();
  await expect(tools).toHaveCount(0);
});

/** Lets the procedure of the dashboard do something else for a while; what it gives undoes that. */
async function replaceDashboard(databaseUrl: string, body: string): Promise<() => Promise<void>> {
  const sql = connect(databaseUrl, 1);
  const [row] = await sql`
    select pg_get_functiondef('public.get_dashboard(uuid)'::regprocedure) as definition`;
  await sql.unsafe(`
    create or replace function public.get_dashboard(p_business_id uuid) returns jsonb
    language plpgsql stable security invoker set search_path = '' as
    $$ begin ${body} end $$`);
  return async () => {
    await sql.unsafe(row?.definition);
    await sql.end();
  };
}

test('A database that does not answer gives a page that says so, and the next try works', async ({
  page,
  site,
  signIn,
}) => {
  await signIn(page, 'owner');
  const restore = await replaceDashboard(
    site.databaseUrl,
    "raise exception 'away' using errcode = 'XX000';",
  );
  const answer = await page.goto('/dashboard');
  expect(answer?.status()).toBe(500);
  await expect(page).toHaveTitle(/Internal Server Error/);
  await expect(page.getByText('away')).toHaveCount(0);
  await restore();
  expect((await page.goto('/dashboard'))?.status()).toBe(200);
});

test('A page that fails while it is being rendered ends in the page for failures, with a reference that is in the log', async ({
  page,
  site,
  signIn,
}) => {
  await signIn(page, 'owner');
  // Nothing of what the screen expects is there.
  const restore = await replaceDashboard(site.databaseUrl, "return '{}';");
  const answer = await page.goto('/dashboard');
  expect(answer?.status()).toBe(500);
  await expect(page).toHaveTitle(/Internal Server Error/);
  const reference = await page.locator('main code').textContent();
  expect(site.output()).toContain(`"reference":"${reference}","path":"/dashboard"`);
  await restore();
});

test('A coach and an admin without a business of their own are led to their work', async ({
  page,
  browser,
  site,
  signIn,
}) => {
  await signIn(page, 'coach');
  await page.goto('/dashboard');
  await expect(next(page).getByRole('link', { name: 'Your clients' })).toBeVisible();
  const context = await browser.newContext({ baseURL: site.url });
  const admin = await context.newPage();
  await signIn(admin, 'admin');
  await admin.goto('/dashboard');
  await next(admin).getByRole('link', { name: 'Overview' }).click();
  await admin.getByRole('main').getByRole('link', { name: 'Unread messages' }).click();
  await admin.waitForURL('**/dashboard/messages');
  await context.close();
});

import type { Page } from '@playwright/test';
import { checkBothThemes } from '../support/axe.ts';
import { awake, CUT, expect, goOffline, signInAgain, test } from '../support/harness.ts';

test.use({ as: 'owner', expectedConsole: CUT });

const card = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'What you’re working on' })
    .getByRole('region', { name, exact: true });
const what = (page: Page) => page.getByLabel('What will you do?');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

/** Opens the skills page and waits for hydration. */
async function openSkills(page: Page): Promise<void> {
  await page.goto('/dashboard/skills');
  await awake(page);
}

test('An owner works on an area as a project, filled in with steps and a measure', async ({
  page,
  site,
}) => {
  // The demo's owner has projects in several areas already.
  await site.sql`update public.projects set area_key = null where area_key is not null`;
  await openSkills(page);
  await page.getByRole('link', { name: 'Work on this: financial projection' }).click();
  await page.waitForURL((url) => url.pathname === '/dashboard/projects/new');
  await awake(page);
  await expect(page.getByText('From your quiz')).toBeVisible();
  await expect(page.getByLabel('Title')).not.toBeEmpty();
  await expect(page.getByLabel('Outcome')).toHaveValue(/We can say: “We /);
  await expect(page.getByLabel('Baseline')).toHaveValue(/^Financial projection scored \d+/);
  const steps = page.getByLabel('Steps');
  await expect(steps).not.toBeEmpty();
  await checkBothThemes(page);

  await steps.fill(`Call the bank\n${'a'.repeat(201)}`);
  await page.getByRole('button', { name: 'Create project' }).click();
  await expect(page.getByText('Keep each step to 200 characters.')).toBeVisible();
  await steps.fill('Call the bank\n\nEnter four weeks');
  // The project is stored, but its second step is lost: it's sent again, and nothing is made twice.
  let failed = false;
  await page.route('**/rpc/add_project_task', async (route) => {
    if (failed || !route.request().postData()?.includes('Enter four weeks'))
      return route.continue();
    failed = true;
    return route.abort('connectionfailed');
  });
  await page.getByRole('button', { name: 'Create project' }).click();
  await page.waitForURL(/\/dashboard\/projects\/[0-9a-f-]{36}$/);
  for (const step of ['Call the bank', 'Enter four weeks']) {
    await expect(page.getByText(step, { exact: true })).toHaveCount(1);
  }

  await openSkills(page);
  const working = page.getByRole('region', { name: 'What you’re working on' });
  const project = working.getByRole('list', { name: 'Projects' }).getByRole('listitem');
  await expect(project.filter({ hasText: 'Financial projection' })).toContainText(
    '0 of 2 steps done',
  );
  await expect(page.getByRole('link', { name: 'Work on this: financial projection' })).toHaveCount(
    0,
  );
});

test('An owner finishes an action chosen before, and goes on', async ({ page, site }) => {
  await openSkills(page);
  const mine = card(page, 'Business planning');
  await mine.getByRole('button', { name: /^Edit/ }).click();
  await what(page).fill('');
  await page.getByLabel('By when?').fill('2020-01-01');
  await save(page).click();
  await expect(page.getByText('Say what you’ll do.')).toBeVisible();
  await expect(page.getByText('Choose a date within the next year.')).toBeVisible();
  await what(page).fill('Work out a price for wholesale');
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('By when?').fill(soon);
  // Offline, the input stays.
  await goOffline(page);
  await save(page).click();
  await expect(page.getByRole('alert').getByText('Not saved')).toBeVisible();
  await expect(what(page)).toHaveValue('Work out a price for wholesale');
  await page.context().setOffline(false);
  await save(page).click();
  await expect(mine.getByText('Work out a price for wholesale')).toBeVisible();
  await expect(mine.getByRole('heading')).toBeFocused();

  await mine.getByRole('button', { name: /^Edit/ }).click();
  await page.getByLabel('Remind me by email').check();
  // If the session ended on the server, the user can sign in again in place.
  await site.sql`
    delete from auth.sessions s using auth.users u
    where u.id = s.user_id and u.email = 'owner@demo.test'`;
  await save(page).click();
  await signInAgain(page);
  await expect(what(page)).toHaveValue('Work out a price for wholesale');
  await save(page).click();
  await expect(mine.getByText('no reminders')).toHaveCount(0);

  await mine.getByRole('button', { name: /^Done/ }).click();
  await expect(page.getByText('Marked as done', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(mine.getByRole('button', { name: /^Done/ })).toBeVisible();
  const settled = page.waitForResponse('**/rest/v1/rpc/settle_focus_action');
  await mine.getByRole('button', { name: /^Done/ }).click();
  await settled;
  await mine.getByRole('button', { name: /^Choose the next action/ }).click();
  await what(page).fill('Show it to Ruth');
  await save(page).click();
  await expect(mine.getByText('Show it to Ruth')).toBeVisible();

  await page.reload();
  await expect(mine.getByText('Show it to Ruth')).toBeVisible();
  await expect(mine.getByText(/^Actions so far: \d done/)).toBeVisible();

  await mine.getByRole('button', { name: /^Stop working on/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(mine).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'What you’re working on' })).toBeFocused();
  await page.getByText('Areas you’ve worked on before').click();
  await expect(page.getByText(/\d done$/).first()).toBeVisible();
});

test('An owner compares two attempts, without scripts too', async ({ page, elsewhere }) => {
  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'See what changed' }).click();
  const changed = page.getByRole('region', { name: 'What’s changed' });
  await expect(changed.getByText(/of eight areas improved:/)).toBeVisible();
  const improved = changed.getByRole('group').filter({ hasText: 'Improved' }).first();
  await expect(improved.getByText(/answer steps up, \d+ to \d+/)).toBeVisible();
  await expect(improved.getByText('Earlier', { exact: true }).first()).toBeHidden();
  await improved.locator('summary').click();
  await expect(improved.getByText('Earlier', { exact: true }).first()).toBeVisible();
  const first = await changed.getByLabel('Earlier').locator('option').last().getAttribute('value');

  for (const each of [page, await elsewhere('owner', { javaScriptEnabled: false })]) {
    await each.goto('/dashboard/skills/over-time');
    await expect(
      each.getByRole('table', { name: 'Scores by area and date, newest first' }),
    ).toBeVisible();
    const there = each.getByRole('region', { name: 'What’s changed' });
    await there.getByLabel('Earlier').selectOption(first);
    await there.getByRole('button', { name: 'Compare' }).click();
    await expect(each).toHaveURL(new RegExp(`earlier=${first}`));
    await expect(there.getByLabel('Earlier')).toHaveValue(first ?? '');
    // The oldest one is from before the questions changed, so nothing is said to be better or worse.
    await expect(there.getByText(/^The first result is from version 1 of the quiz/)).toBeVisible();
    await expect(there.getByText(/improved|No clear change/i)).toHaveCount(0);
  }
  await checkBothThemes(page);
  // An address from before the page was divided.
  await page.goto(`/dashboard/skills?earlier=${first}`);
  await expect(page).toHaveURL(new RegExp(`/dashboard/skills/over-time\\?earlier=${first}$`));
});

test('An owner compares with similar businesses', async ({ page, site, elsewhere }) => {
  await page.goto('/dashboard/skills/compared');
  const beside = page.getByRole('region', { name: 'Compared with businesses like yours' });
  const rows = beside.getByRole('table').getByRole('row', { name: /\d–\d/ });
  await expect(rows).toHaveCount(9);
  await expect(rows.first()).toHaveText(/^Overall\d+\d+\d+–\d+$/);
  await expect(beside.getByText(/^You score above the middle in/)).toBeVisible();
  await checkBothThemes(page);
  // On a phone each chart is below its numbers.
  const drawing = beside.locator('td svg').filter({ visible: true });
  await expect(drawing).toHaveCount(9);
  await page.setViewportSize({ width: 360, height: 780 });
  await expect(drawing).toHaveCount(9);
  const numbers = await rows.first().boundingBox();
  const chart = await drawing.first().boundingBox();
  expect(chart?.y).toBeGreaterThan((numbers?.y ?? 0) + 10);
  expect(chart?.width).toBeGreaterThan(240);

  await site.sql`delete from public.benchmarks where true`;
  await page.reload();
  await expect(beside.getByText(/Fewer than 20 businesses/)).toBeVisible();
  const stranger = await elsewhere('owner2');
  await stranger.goto('/dashboard/skills/compared');
  await expect(stranger.getByText('Take the full quiz first')).toBeVisible();
});

test('An email reminds of an action a week before', async ({ page, site }) => {
  await site.sql`
    update public.profiles set time_zone = 'Etc/GMT' || case
      when extract(hour from now() at time zone 'UTC')::int between 9 and 22 then ''
      when extract(hour from now() at time zone 'UTC')::int < 9 then '-10' else '+10' end
    where user_id = (select id from auth.users where email = 'owner@demo.test')`;
  await site.sql`
    update public.focus_actions set due_on = current_date + 6, created_at = now() - interval '30 days'
    where state = 'open' and focus_area_id in (
      select f.id from public.focus_areas f where f.area_key = 'sales-marketing' and f.state = 'open')`;
  await site.sql`update private.jobs set run_at = now() where kind = 'remind_of_focus_actions'`;
  await site.sql`select private.tick()`;
  const mail = await site.mail('owner@demo.test', /^One week left: sales and marketing/);
  await page.goto(site.linkIn(mail));
  await expect(page.getByRole('heading', { name: 'What you’re working on' })).toBeInViewport();
});

test('A person with hundreds of attempts reads them by pages', async ({ page, site, signIn }) => {
  await site.sql.begin(async (tx) => {
    await tx`alter table public.attempts disable trigger user`;
    await tx`
      insert into public.attempts (
        id, user_id, business_id, version_id, kind, state, started_at, expires_at
      )
      select gen_random_uuid(), t.user_id, t.business_id, t.version_id, 'full', 'expired',
        now() - make_interval(days => 200 + n), now() - make_interval(days => 20 + n)
      from generate_series(1, 300) n, (
        select a.* from public.attempts a join auth.users u on u.id = a.user_id
        where u.email = 'owner2@demo.test' and a.kind = 'first_look'
      ) t`;
    await tx`alter table public.attempts enable trigger user`;
  });
  await signIn(page, 'owner2');
  await page.goto('/dashboard/skills/over-time');
  const table = page.getByRole('table', { name: 'Quizzes, newest first' });
  await expect(table.getByRole('row')).toHaveCount(21);
  const last = await table.getByRole('row').last().textContent();
  await page.getByRole('link', { name: 'Earlier quizzes' }).click();
  await expect(page).toHaveURL(/before=.+#attempts$/);
  await expect(table.getByRole('row')).toHaveCount(21);
  expect(await table.getByRole('row').nth(1).textContent()).not.toBe(last);
  await page.getByRole('link', { name: 'Latest quizzes' }).click();
  await expect(table.getByRole('row', { name: /First look/ })).toBeVisible();
});

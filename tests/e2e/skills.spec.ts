import type { Page } from '@playwright/test';
import { connect } from '../fixtures/connection.ts';
import { violationsOn } from './support/axe.ts';
import { expect, goOffline, test } from './support/harness.ts';

// Refusals and a connection that a story cuts are written into the console by the browser itself.
test.use({
  expectedConsole:
    /Failed to load resource: (the server responded with a status of [45]\d\d|net::ERR_CONNECTION_FAILED|net::ERR_INTERNET_DISCONNECTED)/,
});

const card = (page: Page, name: string) =>
  page.getByRole('region', { name: 'What you work on' }).getByRole('region', { name, exact: true });
const what = (page: Page) => page.getByLabel('What will you do?');
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

/** The skills page, ready to be pressed. */
async function openSkills(page: Page, query = ''): Promise<void> {
  await page.goto(`/dashboard/skills${query}`);
  await expect(
    page.getByRole('button', { name: /^(Done|Work on this|Choose the next)/ }).first(),
  ).toBeEnabled();
}

async function isAccessible(page: Page): Promise<void> {
  const violations = await violationsOn(page);
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)).toEqual([]);
}

test('An owner chooses an area, says what to do, does it, and chooses what comes next', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await openSkills(page);
  await page.getByRole('button', { name: 'Work on this: financial projection' }).click();
  await expect(what(page)).toBeFocused();
  // It begins from the weakest practice.
  await expect(what(page)).not.toBeEmpty();
  await isAccessible(page);

  await what(page).fill('');
  await page.getByLabel('By when?').fill('2020-01-01');
  await save(page).click();
  await expect(page.getByText('Say what you will do.')).toBeVisible();
  await expect(page.getByText('Choose a day from today on, within a year.')).toBeVisible();

  await what(page).fill('Work out break-even for the counter');
  const soon = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('By when?').fill(soon);
  await save(page).click();
  const mine = card(page, 'Financial projection');
  await expect(mine.getByText('Work out break-even for the counter')).toBeVisible();
  // Whoever goes by keyboard goes on where something new stands.
  await expect(mine.getByRole('heading')).toBeFocused();
  await expect(page.getByRole('button', { name: /^Work on this/ })).toHaveCount(0);

  await mine.getByRole('button', { name: /^Change/ }).click();
  await what(page).fill('Work out break-even for counter and wholesale');
  await page.getByLabel('Remind me by mail').uncheck();
  await save(page).click();
  await expect(mine.getByText('no reminders')).toBeVisible();

  await mine.getByRole('button', { name: /^Done/ }).click();
  await expect(page.getByText('Done, and written down', { exact: true })).toBeVisible();
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
  await expect(mine.getByText('Actions so far: 1 done')).toBeVisible();
  await isAccessible(page);

  await mine.getByRole('button', { name: /^Stop working on/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop', exact: true }).click();
  await expect(mine).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'What you work on' })).toBeFocused();
  await page.getByText('Areas that you worked on before').click();
  await expect(page.getByText(/1 done$/)).toBeVisible();
});

test('A recommendation in the results leads to its form, and then says that it is worked on', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'What it means and what to do' }).click();
  const recommended = page.getByRole('region', { name: 'What to work on' });
  await expect(recommended.getByText('You work on this').first()).toBeVisible();
  await recommended
    .getByRole('link', { name: /^Work on this/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/dashboard\/skills\?work=.+#focus$/);
  await expect(what(page)).not.toBeEmpty();
});

test('What was typed stays while the connection is gone, and is stored once', async ({
  page,
  context,
  signIn,
}) => {
  await signIn(page, 'owner');
  await openSkills(page);
  await page
    .getByRole('button', { name: /^Work on this/ })
    .first()
    .click();
  await what(page).fill('Ask the accountant');
  await goOffline(page);
  await save(page).click();
  await expect(page.getByRole('alert').getByText('Not saved')).toBeVisible();
  await expect(what(page)).toHaveValue('Ask the accountant');
  await context.setOffline(false);

  // The answer is lost on its way, not the question: sent again, it is not made twice.
  await page.route('**/rest/v1/rpc/choose_focus_area', async (route) => {
    await route.fetch();
    await route.abort('connectionfailed');
  });
  await save(page).click();
  await expect(page.getByRole('alert').getByText('Not saved')).toBeVisible();
  await page.unroute('**/rest/v1/rpc/choose_focus_area');
  await save(page).click();
  await expect(page.getByRole('listitem').getByText('Ask the accountant')).toHaveCount(1);
  await page.reload();
  await expect(page.getByRole('listitem').getByText('Ask the accountant')).toHaveCount(1);
});

test('A step that does not arrive is taken back and can be tried again', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await openSkills(page);
  const mine = card(page, 'Business planning');
  await page.route('**/rest/v1/rpc/settle_focus_action', (route) =>
    route.abort('connectionfailed'),
  );
  await mine.getByRole('button', { name: /^Drop/ }).click();
  await expect(page.getByText('It stays as it was', { exact: true })).toBeVisible();
  await expect(mine.getByRole('button', { name: /^Drop/ })).toBeVisible();
  await page.unroute('**/rest/v1/rpc/settle_focus_action');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(mine.getByText('Actions so far: 1 dropped')).toBeVisible();
  await mine.getByText('Actions so far: 1 dropped').click();
  await mine.getByRole('button', { name: 'Open again' }).click();
  await expect(mine.getByRole('button', { name: /^Drop/ })).toBeVisible();
});

test('A session that ends under somebody’s hands is taken up again, and nothing typed is lost', async ({
  page,
  site,
  signIn,
}) => {
  await signIn(page, 'owner');
  await openSkills(page);
  const mine = card(page, 'Sales and marketing');
  await mine.getByRole('button', { name: /^Change/ }).click();
  await what(page).fill('Raise two prices, and write to the four');
  const sql = connect(site.databaseUrl, 1);
  await sql`
    delete from auth.sessions s using auth.users u
    where u.id = s.user_id and u.email = 'owner@demo.test'`;
  await sql.end();
  await save(page).click();
  const dialog = page.getByRole('dialog', { name: 'Sign in again' });
  await expect(dialog).toBeVisible();
  await dialog.getByLabel('Password', { exact: true }).fill('demo-Passw0rd!');
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(what(page)).toHaveValue('Raise two prices, and write to the four');
  await save(page).click();
  await expect(mine.getByText('Raise two prices, and write to the four')).toBeVisible();
});

test('Two devices of one owner: what was settled on one is not changed on the other', async ({
  page,
  signIn,
  elsewhere,
}) => {
  await signIn(page, 'owner');
  await openSkills(page);
  const other = await elsewhere('owner');
  await openSkills(other);
  const name = 'Business planning';
  await card(page, name)
    .getByRole('button', { name: /^Change/ })
    .click();
  await what(page).fill('Ask two insurers');
  const answered = other.waitForResponse('**/rest/v1/rpc/settle_focus_action');
  await card(other, name).getByRole('button', { name: /^Done/ }).click();
  expect((await answered).ok()).toBe(true);
  await save(page).click();
  await expect(page.getByText('This action is settled. Open it again to change it.')).toBeVisible();
  await expect(what(page)).toHaveValue('Ask two insurers');
});

test('An owner compares two attempts and reads which answers made the difference', async ({
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/skills');
  const changed = page.getByRole('region', { name: 'What has changed' });
  await expect(changed.getByText(/of eight areas improved:/)).toBeVisible();
  const improved = changed.getByRole('group').filter({ hasText: 'Improved' }).first();
  await expect(improved.getByText(/answer steps up, \d+ to \d+/)).toBeVisible();
  await expect(improved.getByText('Before', { exact: true }).first()).toBeVisible();

  const first = await changed.getByLabel('Earlier').locator('option').last().getAttribute('value');
  await changed.getByLabel('Earlier').selectOption(first);
  await changed.getByRole('button', { name: 'Compare' }).click();
  await expect(page).toHaveURL(new RegExp(`earlier=${first}`));
  await expect(changed.getByLabel('Earlier')).toHaveValue(first ?? '');
  await isAccessible(page);
});

test('Somebody else’s attempt, a malformed id and an open quiz are not compared', async ({
  page,
  site,
  signIn,
}) => {
  const sql = connect(site.databaseUrl, 1);
  const [other] = await sql`
    select t.id from public.attempts t join auth.users u on u.id = t.user_id
    where u.email = 'nadia@demo.test' and t.state = 'submitted' limit 1`;
  await sql.end();
  await signIn(page, 'owner');
  for (const query of [`earlier=${other?.id}`, 'later=not-an-id', `before=${'x'.repeat(36)}`]) {
    const answer = await page.goto(`/dashboard/skills?${query}`);
    expect(answer?.status(), query).toBe(404);
  }
  expect((await page.goto(`/dashboard/skills/quiz/${other?.id}`))?.status()).toBe(404);
});

test('Everything but the buttons is there without scripts, comparing included', async ({
  browser,
  site,
  page,
  signIn,
}) => {
  await signIn(page, 'owner');
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: site.url,
    storageState: await page.context().storageState(),
  });
  const quiet = await plain.newPage();
  await quiet.goto('/dashboard/skills');
  await expect(quiet.getByRole('table', { name: 'Your eight skills' })).toBeVisible();
  await expect(quiet.getByText('Raise', { exact: false }).first()).toBeVisible();
  const changed = quiet.getByRole('region', { name: 'What has changed' });
  await changed.getByLabel('Earlier').selectOption({ index: 2 });
  await changed.getByRole('button', { name: 'Compare' }).click();
  await expect(changed.getByLabel('Earlier')).toHaveValue(/-/);
  await expect(quiet).toHaveURL(/earlier=/);
  await plain.close();
});

test('An owner sees how businesses like theirs do, and another one why not', async ({
  page,
  site,
  signIn,
  elsewhere,
}) => {
  await signIn(page, 'owner');
  await page.goto('/dashboard/skills');
  const beside = page.getByRole('region', { name: 'Beside businesses like yours' });
  const rows = beside.getByRole('table').getByRole('row');
  await expect(rows).toHaveCount(10);
  await expect(rows.nth(1)).toHaveText(/^Overall\d+\d+\d+–\d+$/);
  // The words explain what is there: the drawing on a desk, the numbers alone on a phone.
  const drawing = beside.locator('td svg').first();
  await expect(drawing).toBeVisible();
  await expect(beside.getByText('the dot is you')).toBeVisible();
  await page.setViewportSize({ width: 360, height: 780 });
  await expect(drawing).toBeHidden();
  await expect(beside.getByText('the dot is you')).toBeHidden();
  await expect(beside.getByText('the range that the middle half of them fall in')).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 800 });

  const sql = connect(site.databaseUrl, 1);
  await sql`delete from public.benchmarks where true`;
  await page.reload();
  await expect(beside.getByText(/Fewer than 20 businesses/)).toBeVisible();
  await sql`delete from public.benchmark_businesses where true`;
  await sql`select private.refresh_benchmarks()`;
  await sql.end();
  await page.reload();
  await expect(rows).toHaveCount(10);
  const stranger = await elsewhere('owner2');
  await stranger.goto('/dashboard/skills');
  await expect(stranger.getByRole('heading', { name: 'Beside businesses like yours' })).toHaveCount(
    0,
  );
});

test('What the coach sees ends with a tick on the skills page, and begins again with it', async ({
  page,
  signIn,
  elsewhere,
}) => {
  const coach = await elsewhere('coach');
  await coach.goto('/dashboard/coaching');
  await coach.getByRole('link', { name: /^Results of .*Delgado Bakery/ }).click();
  await expect(coach.getByRole('heading', { name: 'What has changed' })).toBeVisible();
  await expect(coach.getByText('The owner works on this.').first()).toBeVisible();
  await expect(coach.getByRole('navigation', { name: 'Other results' })).toBeVisible();
  await expect(coach.getByRole('link', { name: /^Work on this/ })).toHaveCount(0);
  await isAccessible(coach);
  const address = coach.url();

  await signIn(page, 'owner');
  await page.goto('/dashboard/skills');
  const sharing = page.getByRole('checkbox', { name: 'Let my coach read my submitted results' });
  await expect(sharing).toBeEnabled();
  await page.route('**/rest/v1/rpc/set_results_shared', (route) => route.abort('connectionfailed'));
  await sharing.click();
  await expect(page.getByText('Sharing stays as it was', { exact: true })).toBeVisible();
  await expect(sharing).toBeChecked();
  await page.unroute('**/rest/v1/rpc/set_results_shared');
  const stored = () => page.waitForResponse('**/rest/v1/rpc/set_results_shared');
  let answered = stored();
  await sharing.uncheck();
  expect((await answered).ok()).toBe(true);
  expect((await coach.goto(address))?.status()).toBe(404);
  answered = stored();
  await sharing.check();
  expect((await answered).ok()).toBe(true);
  expect((await coach.goto(address))?.status()).toBe(200);
});

test('A mail reminds of an action a week before, once, and leads to it', async ({
  page,
  site,
  signIn,
}) => {
  const sql = connect(site.databaseUrl, 1);
  await sql`
    update public.profiles set time_zone = 'Etc/GMT' || case
      when extract(hour from now() at time zone 'UTC')::int between 9 and 22 then ''
      when extract(hour from now() at time zone 'UTC')::int < 9 then '-10' else '+10' end
    where user_id = (select id from auth.users where email = 'owner@demo.test')`;
  await sql`
    update public.focus_actions set due_on = current_date + 6, created_at = now() - interval '30 days'
    where state = 'open' and focus_area_id in (
      select f.id from public.focus_areas f where f.area_key = 'sales-marketing' and f.state = 'open')`;
  for (const _ of [1, 2]) {
    await sql`update private.jobs set run_at = now() where kind = 'remind_of_focus_actions'`;
    await sql`select private.tick()`;
  }
  await sql.end();
  const mail = await site.mail('owner@demo.test', /^A week left: sales and marketing/);
  const all = await site.mails('owner@demo.test');
  expect(all.filter(({ subject }) => subject.startsWith('A week left'))).toHaveLength(1);
  await signIn(page, 'owner');
  await page.goto(site.linkIn(mail));
  await expect(page.getByRole('heading', { name: 'What you work on' })).toBeInViewport();
});

test('Somebody with hundreds of attempts reads twenty at a time', async ({
  page,
  site,
  signIn,
}) => {
  const sql = connect(site.databaseUrl, 1);
  await sql.begin(async (tx) => {
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
  await sql.end();
  await signIn(page, 'owner2');
  await page.goto('/dashboard/skills');
  const table = page.getByRole('table', { name: 'Attempts, newest first' });
  await expect(table.getByRole('row')).toHaveCount(21);
  const last = await table.getByRole('row').last().textContent();
  await page.getByRole('link', { name: 'Earlier ones' }).click();
  await expect(page).toHaveURL(/before=.+#attempts$/);
  await expect(table.getByRole('row')).toHaveCount(21);
  expect(await table.getByRole('row').nth(1).textContent()).not.toBe(last);
  await page.getByRole('link', { name: 'The newest' }).click();
  await expect(table.getByRole('row', { name: /First look/ })).toBeVisible();
});

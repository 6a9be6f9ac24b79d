import type { Locator, Page } from '@playwright/test';
import { checkAccessibility, checkBothThemes, checkWidth } from '../support/axe.ts';
import {
  closeSession,
  createAccepted,
  createActive,
  createAssigned,
  createCoach,
  createSession,
} from '../support/client-steps.ts';
import { awake, CUT_FROM_WORKER, expect, goOffline, type Site, test } from '../support/harness.ts';

test.use({ expectedConsole: CUT_FROM_WORKER });

const DAY = 24 * 60;
/** The most clicks, taps and filled fields in a coach's usual day. */
const MOST = 12;

/** Counts each click and each field that's filled. */
function counting() {
  let count = 0;
  return {
    tap: async (on: Locator) => {
      count += 1;
      await on.click();
    },
    fill: async (field: Locator, text: string) => {
      count += 1;
      await field.fill(text);
    },
    count: () => count,
  };
}

const stateOf = async ({ sql }: Site, id: string) => {
  const [row] = await sql`select state from public.coaching_sessions where id = ${id}`;
  return row?.state;
};
const engagementOf = async ({ sql }: Site, id: string) => {
  const [row] = await sql`select state, coach_id from public.engagements where id = ${id}`;
  return row;
};
const summary = (page: Page) => page.getByLabel(/^Summary for/);
const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
/** What's kept of sessions in this browser. */
const kept = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes(':session:')).length);

test('A coach’s usual day takes at most 12 interactions', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach, { business: 'Wren Tools' });
  const session = await createSession(site, coach, client, -4 * DAY);
  await signIn(page, coach.email);
  const { tap, fill, count } = counting();
  await page.goto('/dashboard/projects');
  await tap(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Today' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('1 thing is late');
  await expect(page.getByText('Write up the session')).toBeVisible();
  await checkBothThemes(page, 'today');
  await checkWidth(page, 320);
  await page.setViewportSize({ width: 390, height: 800 });

  await tap(page.getByRole('link', { name: /^Write it up.*Wren Tools/ }));
  await expect(save(page)).toBeEnabled();
  await tap(page.getByRole('checkbox', { name: 'Sales' }));
  await fill(summary(page), 'Six of the twenty haven’t bought since spring.');
  await fill(page.getByLabel('Private note'), 'Ask about the lease.');
  await fill(page.getByRole('textbox', { name: 'Action 1' }), 'Call the six');
  await tap(page.getByRole('button', { name: 'In two weeks' }));
  await checkBothThemes(page, 'closing a session');
  await checkWidth(page, 320);
  await tap(save(page));
  await expect(page.getByRole('heading', { name: 'Saved' })).toBeFocused();
  await tap(page.getByRole('link', { name: 'Back to today' }));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Nothing’s due today');
  expect(count()).toBeLessThanOrEqual(MOST);

  expect(await stateOf(site, session)).toBe('completed');
  const planned = await site.sql`
    select from public.coaching_sessions
    where engagement_id = ${client.engagementId} and state = 'scheduled' and starts_at > now()`;
  expect(planned).toHaveLength(1);
  expect(await kept(page)).toBe(0);
});

test('A session that’s written down offline arrives once, from any page', async ({
  page,
  site,
  signIn,
}) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach, { business: 'Offline Frames' });
  const session = await createSession(site, coach, client, -90);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/sessions/${session}`);
  await goOffline(page);
  await summary(page).fill('We talked about the shop window.');
  await page.getByLabel('Private note').fill('Only for me.');
  await page.getByRole('textbox', { name: 'Action 1' }).fill('Measure the window');
  await expect(page.getByText('Kept in this browser until you save or sign out.')).toBeVisible();
  await save(page).click();
  await expect(page.getByText('It’s kept in this browser, and we’ll keep trying')).toBeVisible();
  expect(await stateOf(site, session)).toBe('scheduled');

  const context = page.context();
  await page.close();
  await context.setOffline(false);
  const other = await context.newPage();
  await other.goto('/dashboard/projects');
  await expect.poll(() => stateOf(site, session)).toBe('completed');
  await expect.poll(() => kept(other)).toBe(0);
  const actions = await site.sql`
    select body from public.coaching_actions where session_id = ${session}`;
  expect(actions.map(({ body }) => body)).toEqual(['Measure the window']);
  await other.goto(`/dashboard/coaching/${client.engagementId}`);
  await expect(other.getByText('Only for me.')).toBeVisible();
  await expect(other.getByText('Only you can read this').first()).toBeVisible();
});

test('A session whose answer is lost is stored once', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach);
  const session = await createSession(site, coach, client, -90);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/sessions/${session}`);
  await expect(save(page)).toBeEnabled();
  let tries = 0;
  await page.route('**/rest/v1/rpc/close_session', async (route) => {
    tries += 1;
    if (tries > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await summary(page).fill('We talked.');
  await page.getByRole('textbox', { name: 'Action 1' }).fill('Call');
  await save(page).click();
  await expect(page.getByRole('heading', { name: 'Saved' })).toBeVisible({ timeout: 20_000 });
  const actions = await site.sql`
    select from public.coaching_actions where session_id = ${session}`;
  expect([tries, actions.length]).toEqual([2, 1]);
});

test('What a coach types survives a reload, and signing out removes it', async ({
  page,
  site,
  signIn,
}) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach, { business: 'Draft Tools' });
  const session = await createSession(site, coach, client, -90);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/sessions/${session}`);
  await expect(save(page)).toBeEnabled();
  await page.getByLabel('Private note').fill('Half a thought');
  await page.reload();
  await expect(page.getByLabel('Private note')).toHaveValue('Half a thought');
  // Without a summary it isn't saved.
  await save(page).click();
  await expect(summary(page)).toBeFocused();
  await expect(page.getByText('Write a line or two.')).toBeVisible();
  await page.goto('/dashboard');
  await expect(page.getByText('You’ve started writing it up')).toBeVisible();
  expect(await kept(page)).toBe(1);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL('**/logout');
  await expect.poll(() => kept(page)).toBe(0);
});

test('A coach corrects a summary and a private note', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach);
  const session = await closeSession(site, coach, client, 2);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/sessions/${session}`);
  await checkBothThemes(page, 'a closed session');
  await summary(page).fill('We listed all customers.');
  await page.getByRole('button', { name: 'Save the summary' }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  await page.getByLabel('Note', { exact: true }).fill('The lease is settled.');
  const noteSaved = page.waitForResponse('**/rpc/save_session_note');
  await page.getByRole('button', { name: 'Save the note' }).click();
  expect((await noteSaved).ok()).toBe(true);
  await page.goto(`/dashboard/coaching/${client.engagementId}`);
  await expect(page.getByText('We listed all customers.')).toBeVisible();
  await expect(page.getByText('The lease is settled.')).toBeVisible();
});

test('A coach gives back a session that shouldn’t count', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createAccepted(site, coach);
  const id = await closeSession(site, coach, client, 3);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/sessions/${id}`);
  await page.getByRole('button', { name: 'Don’t count this session' }).click();
  const dialog = page.getByRole('dialog', { name: 'Don’t count this session?' });
  await dialog.getByRole('button', { name: 'Don’t count it' }).click();
  await expect(dialog.getByText('Say why in a few words.')).toBeVisible();
  await dialog.getByLabel('Why').fill('It wasn’t a good fit.');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Don’t count it' }).click();
  await expect(page.getByText('Counts as one of')).toHaveCount(0);
  await page.goto(`/dashboard/coaching/${client.engagementId}`);
  await expect(page.getByText('20 sessions left')).toBeVisible();
});

test('A coach accepts with one tap, and offers times', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createAssigned(site, coach, { business: 'Late Print' });
  await site.sql`
    update public.engagements set assigned_at = now() - interval '12 days'
    where id = ${client.engagementId}`;
  await signIn(page, coach.email);
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /^Accept.*Late Print/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(/late/);
  expect(await engagementOf(site, client.engagementId)).toMatchObject({ state: 'accepted' });

  await page.goto(`/dashboard/coaching/${client.engagementId}`);
  await expect(page.getByRole('heading', { name: /^Get in touch/ })).toBeVisible();
  await checkBothThemes(page, 'a client');
  await checkWidth(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Log a contact' }).first().click();
  const contact = page.getByRole('dialog', { name: 'Log a contact' });
  await contact.getByRole('radio', { name: 'No answer' }).check();
  await contact.getByRole('button', { name: 'Log it' }).click();
  await expect(page.getByText('1 of 3 attempts, 0 of 10 days')).toBeVisible();

  await page.getByRole('button', { name: 'Plan a session' }).first().click();
  const plan = page.getByRole('dialog', { name: /^Plan a session/ });
  await checkAccessibility(page);
  await plan.getByRole('button', { name: 'Send the times' }).click();
  await expect(page.getByText('Waiting for Olga Wren to pick a time')).toBeVisible();
  await page.getByRole('button', { name: 'Withdraw the times' }).click();
  await expect(page.getByText('Waiting for Olga Wren to pick a time')).toHaveCount(0);
});

test('A coach declines with a reason, by keyboard', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createAssigned(site, coach);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/${client.engagementId}`);
  await awake(page);
  await page.getByRole('button', { name: 'Decline' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: /^Decline/ });
  await dialog.getByLabel('Why').focus();
  await page.keyboard.type('I don’t know the trade.');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/dashboard/coaching');
  expect(await engagementOf(site, client.engagementId)).toEqual({
    state: 'requested',
    coach_id: null,
  });
});

test('A coach schedules, moves and cancels a session', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createAccepted(site, coach);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/${client.engagementId}`);
  await page.getByRole('button', { name: 'Plan a session' }).first().click();
  const plan = page.getByRole('dialog', { name: /^Plan a session/ });
  await plan.getByRole('radio', { name: 'We agreed on a time' }).check();
  await plan.getByRole('button', { name: 'Schedule it' }).click();
  await expect(page.getByRole('heading', { name: /^Next session/ })).toBeVisible();

  await page.getByRole('button', { name: /^Move/ }).click();
  const move = page.getByRole('dialog', { name: 'Move the session' });
  await move.getByLabel('Time').fill('16:15');
  await move.getByRole('button', { name: 'Move it' }).click();
  await expect(page.getByText(/, 4:15 PM/).first()).toBeVisible();

  await page.getByRole('button', { name: /^Cancel/ }).click();
  const cancel = page.getByRole('dialog', { name: /^Cancel the session/ });
  await cancel.getByLabel('Why').fill('A cold');
  await cancel.getByRole('button', { name: 'Cancel the session' }).click();
  await expect(page.getByText('· Canceled')).toBeVisible();
});

test('A coach pauses, picks up again and completes', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/${client.engagementId}`);
  await awake(page);
  const more = async (name: string) => {
    await page.getByRole('button', { name: 'More steps' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  await more('Pause coaching');
  await page.getByRole('dialog').getByRole('button', { name: 'Pause it' }).click();
  await page.getByRole('button', { name: 'Pick it up again' }).click();
  await expect(page.getByRole('button', { name: 'Pick it up again' })).toHaveCount(0);
  await more('Complete coaching');
  const dialog = page.getByRole('dialog', { name: 'Complete coaching' });
  await dialog.getByLabel('Closing summary').fill('They know their customers now.');
  await dialog.getByRole('button', { name: 'Complete it' }).click();
  await expect(page.getByText('They know their customers now.').first()).toBeVisible();
  expect(await engagementOf(site, client.engagementId)).toMatchObject({ state: 'completed' });
  await checkAccessibility(page);
  await page.getByRole('button', { name: 'Pick it up again' }).click();
  await expect(page.getByText('In progress')).toBeVisible();
});

test('A coach recommends a tool, adds an action and ticks it off', async ({
  page,
  site,
  signIn,
}) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach);
  await signIn(page, coach.email);
  await page.goto(`/dashboard/coaching/${client.engagementId}`);
  await page.getByRole('button', { name: 'Recommend something' }).click();
  const recommend = page.getByRole('dialog', { name: 'Recommend something' });
  const tool = recommend.getByRole('group', { name: 'Tool' }).getByRole('radio').first();
  await tool.check();
  await recommend.getByLabel('Note').fill('Before Friday.');
  await recommend.getByRole('button', { name: 'Recommend it' }).click();
  await expect(page.getByText('Not answered yet')).toBeVisible();

  await page.getByRole('button', { name: 'Add an action' }).click();
  const action = page.getByRole('dialog', { name: 'Add an action' });
  await action.getByLabel('What’s to be done').fill('Send the price list');
  await action.getByRole('radio', { name: 'You' }).check();
  await action.getByRole('button', { name: 'Add it' }).click();
  await page.getByRole('checkbox', { name: 'Send the price list' }).click();
  await expect(page.getByText('1 done or dropped')).toBeVisible();
});

test('A coach finds clients on the board and in the table', async ({ page, site, signIn }) => {
  const coach = await createCoach(site);
  for (let n = 0; n < 13; n += 1) {
    await createAssigned(site, coach, { business: `Shop number ${n}` });
  }
  const active = await createActive(site, coach, { business: 'Juniper Frames' });
  await closeSession(site, coach, active, 20);
  await signIn(page, coach.email);
  await page.goto('/dashboard/coaching');
  const column = page.getByRole('region', { name: /^New request/ });
  await expect(column.getByRole('article')).toHaveCount(12);
  await checkBothThemes(page, 'the board');
  await checkWidth(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await column.getByRole('link', { name: /^Show all 13/ }).click();
  await expect(page.getByText('13 clients')).toBeVisible();
  await checkBothThemes(page, 'the table');
  await page.getByLabel('State').selectOption('open');
  await page.getByLabel('Search by business or owner').fill('juniper');
  await expect(page.getByText('1 client', { exact: true })).toBeVisible();
  await expect(page).toHaveURL(/q=juniper/);
  await page.getByRole('link', { name: 'Juniper Frames' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Juniper Frames');
});

test('A coach writes a profile, takes time off and hands clients over', async ({
  page,
  site,
  signIn,
}) => {
  const coach = await createCoach(site);
  const client = await createActive(site, coach, { business: 'Wren Handover' });
  await signIn(page, coach.email);
  await page.goto('/dashboard/coaching/settings');
  await checkBothThemes(page, 'settings');
  await page.getByLabel('About you').fill('Ran a print shop for twelve years.');
  await page.getByRole('checkbox', { name: 'Sales and marketing' }).check();
  await page.getByLabel('Industries you know').fill('Retail, Print');
  await page.getByLabel('Most clients at the same time').fill('6');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved.', { exact: true })).toBeVisible();
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  await page.getByLabel('First day').fill(day);
  await page.getByLabel('Last day').fill(day);
  await page.getByRole('button', { name: 'Add time off' }).click();
  await page.getByRole('button', { name: /^Remove/ }).click();
  await expect(page.getByRole('button', { name: /^Remove/ })).toHaveCount(0);
  await page.getByRole('button', { name: 'Hand over my clients' }).click();
  const dialog = page.getByRole('dialog', { name: 'Hand over your clients' });
  await dialog.getByLabel('Wren Handover').fill('Likes to start with the numbers.');
  await dialog.getByRole('button', { name: 'Hand over', exact: true }).click();
  await expect(page.getByText('The admins have your notes')).toBeVisible();
  const notes = await site.sql`
    select note from public.handovers where engagement_id = ${client.engagementId}`;
  expect(notes.map(({ note }) => note)).toEqual(['Likes to start with the numbers.']);
  await page.reload();
  await expect(page.getByLabel('Industries you know')).toHaveValue('Print, Retail');
});

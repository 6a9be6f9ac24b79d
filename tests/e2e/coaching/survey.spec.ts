import type { Page } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, holdScripts, type Site, test } from '../support/harness.ts';
import { asAdmin } from '../support/pair.ts';

test.use({ expectedConsole: CUT });

const ADDRESS = '/engagement-survey';

const statement = (page: Page, name: string) => page.getByRole('group', { name });
const send = (page: Page) => page.getByRole('button', { name: 'Send' });

test('A client answers the public survey by keyboard', async ({ page, site }) => {
  await page.goto(ADDRESS);
  await expect(page.getByText('This survey is anonymous')).toBeVisible();
  await awake(page);
  await checkAccessibility(page);

  await send(page).click();
  await expect(page.getByRole('alert')).toContainText('Answer at least one question');

  await statement(page, 'I understood what we were working toward')
    .getByRole('radio', { name: '3' })
    .focus();
  await page.keyboard.press('Space');
  await page.keyboard.press('ArrowRight');
  await statement(page, 'How likely are you').getByRole('radio', { name: '9' }).check();
  const trust = statement(page, 'I felt respected');
  await trust.getByRole('radio', { name: '2' }).check();
  await trust.getByRole('button', { name: 'Clear this answer' }).click();
  await expect(trust.getByRole('radio', { checked: true })).toHaveCount(0);
  await page.getByLabel('What helped most?').fill('The break-even sheet');
  await page.getByLabel('What should we do differently?').fill('x'.repeat(2_001));
  await send(page).click();
  await expect(page.getByText('Keep it to 2,000 characters. That’s 1 too many.')).toBeVisible();
  await expect(page.getByLabel('What should we do differently?')).toBeFocused();
  await page.getByLabel('What should we do differently?').fill('Start at 8');

  await page.reload();
  await expect(page.getByLabel('What helped most?')).toHaveValue('The break-even sheet');
  await expect(statement(page, 'I understood').getByRole('radio', { name: '4' })).toBeChecked();

  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeFocused();
  const [stored] = await site.sql`
    select agreement[1] as first, agreement[6] as cleared, recommend, comments[1] as helped, invited
    from public.survey_responses where comments[2] = 'Start at 8'`;
  expect(stored).toEqual({
    first: 4,
    cleared: null,
    recommend: 9,
    helped: 'The break-even sheet',
    invited: false,
  });
  await page.reload();
  await expect(page.getByLabel('What helped most?')).toHaveValue('');
});

/** Invites a demo client; the email. */
async function inviteOwner(site: Site) {
  const [engagement] = await site.sql`
    select e.id from public.engagements e join auth.users u on u.id = e.owner_id
    where u.email = 'owner@demo.test' and e.state = 'active'`;
  await asAdmin(site.sql, (tx) => tx`select invite_to_survey(${engagement?.id})`);
  return site.mail('owner@demo.test', /How was your coaching/);
}

/** The address of a personal link for browsers without JavaScript, as the email has it. */
const plainPathIn = (text: string) => /\/engagement-survey\/[0-9a-f]{64}/.exec(text)?.[0] ?? '';

test('Without JavaScript, a personal link works too: what doesn’t fit comes back, and it’s used once', async ({
  site,
  elsewhere,
}) => {
  const path = plainPathIn((await inviteOwner(site)).text);
  const page = await elsewhere(null, { javaScriptEnabled: false });
  const answer = await page.goto(path);
  expect(answer?.headers()).toMatchObject({
    'cache-control': 'private, no-store',
    'referrer-policy': 'strict-origin',
    'x-robots-tag': 'noindex',
  });
  await expect(page.getByText('This survey is anonymous')).toBeVisible();
  // Only the form has the secret, and sends it in its body.
  const secret = path.replace('/engagement-survey/', '');
  expect(await page.locator(`a[href*="${secret}"]`).count()).toBe(0);

  await statement(page, 'My coach came prepared').getByRole('radio', { name: '4' }).check();
  await page.getByLabel('What helped most?').fill('x'.repeat(2_001));
  await send(page).click();
  await expect(page.getByText('That’s 1 too many.')).toBeVisible();
  await expect(
    statement(page, 'My coach came prepared').getByRole('radio', { name: '4' }),
  ).toBeChecked();
  await page.getByLabel('What helped most?').fill('The second visit');
  await send(page).click();
  await expect(page).toHaveURL(/\/engagement-survey\/thanks$/);
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  const stored = await site.sql`
    select agreement[5] as prepared, invited, engagement_id from public.survey_responses
    where comments[1] = 'The second visit'`;
  expect(stored).toEqual([{ prepared: 4, invited: true, engagement_id: null }]);

  await page.goto(path);
  await expect(page.getByRole('heading', { name: 'You’ve already answered' })).toBeVisible();
  await site.sql`delete from public.survey_invitations`;
});

test('Without JavaScript, anyone answers the public survey, and a closed one says so with their words', async ({
  site,
  elsewhere,
}) => {
  const page = await elsewhere(null, { javaScriptEnabled: false });
  await page.goto(ADDRESS);
  await send(page).click();
  await expect(page.getByText('Answer at least one question.')).toBeVisible();
  await statement(page, 'How likely are you').getByRole('radio', { name: '8' }).check();
  await page.getByLabel('What helped most?').fill('No scripts');
  await site.sql`update public.surveys set state = 'closed', closed_at = now() where state = 'open'`;
  await send(page).click();
  await expect(page.getByText('No survey is open right now')).toBeVisible();
  await expect(page.getByLabel('What you wrote')).toHaveValue('No scripts');

  await site.sql`update public.surveys set state = 'open', closed_at = null`;
  await page.goto(ADDRESS);
  await statement(page, 'How likely are you').getByRole('radio', { name: '8' }).check();
  await page.getByLabel('What helped most?').fill('No scripts');
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  const stored = await site.sql`
    select recommend from public.survey_responses where comments[1] = 'No scripts'`;
  expect(stored).toEqual([{ recommend: 8 }]);
});

test('What’s answered before the scripts are there counts', async ({ page }) => {
  const release = await holdScripts(page);
  await page.goto(ADDRESS, { waitUntil: 'commit' });
  await statement(page, 'I felt respected').getByRole('radio', { name: '5' }).check();
  await page.getByLabel('What helped most?').fill('Early');
  release();
  await awake(page);
  await expect(statement(page, 'I felt respected').getByRole('radio', { name: '5' })).toBeChecked();
  await expect(page.getByRole('button', { name: 'Clear this answer' })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('What helped most?')).toHaveValue('Early');
});

test('A link that doesn’t work anymore says so, and a closed survey asks nothing', async ({
  page,
  site,
}) => {
  await page.goto(`${ADDRESS}#invitation=${'0'.repeat(64)}`);
  await expect(page.getByText('Your personal link doesn’t work anymore')).toBeVisible();
  await checkAccessibility(page);
  await page.goto(`${ADDRESS}/${'0'.repeat(64)}`);
  await expect(page.getByText('Your personal link doesn’t work anymore')).toBeVisible();
  await site.sql`update public.surveys set state = 'closed', closed_at = now() where state = 'open'`;
  await page.reload();
  await expect(page.getByRole('heading', { name: 'No survey is open right now' })).toBeVisible();
  await site.sql`update public.surveys set state = 'open', closed_at = null`;
});

test('A personal link works once, and its answers are anonymous', async ({ page, site }) => {
  const link = site.linkIn(await inviteOwner(site));
  await page.goto(link);
  await awake(page);
  await statement(page, 'I felt respected').getByRole('radio', { name: '5' }).check();
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();

  const rows = await site.sql`
    select engagement_id from public.survey_responses where invited and agreement[6] = 5`;
  expect(rows).toEqual([{ engagement_id: null }]);
  await page.goto('/about');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'You’ve already answered' })).toBeVisible();
});

test('A response whose answer is lost is kept, and stored once', async ({ page, site }) => {
  await page.goto(ADDRESS);
  await awake(page);
  await page.getByLabel('What helped most?').fill('Being listened to');
  // The response is lost: the server has stored the answers, but the browser doesn't know.
  await page.route('**/rpc/submit_survey_response', async (route) => {
    await route.fetch();
    await route.abort('connectionfailed');
  });
  await send(page).click();
  await expect(page.getByRole('alert')).toContainText('We couldn’t send your answers');
  await page.unrouteAll();
  await page.reload();
  await expect(page.getByLabel('What helped most?')).toHaveValue('Being listened to');
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
  const stored = await site.sql`
    select id from public.survey_responses where comments[1] = 'Being listened to'`;
  expect(stored).toHaveLength(1);
});

import type { Page } from '@playwright/test';
import { CUT, expect, test } from '../support/harness.ts';
import { asAdmin } from '../support/pair.ts';

test.use({ expectedConsole: CUT });

const ADDRESS = '/engagement-survey';

const statement = (page: Page, name: string) => page.getByRole('group', { name });
const send = (page: Page) => page.getByRole('button', { name: 'Send' });

test('A client answers the public survey by keyboard', async ({ page, site }) => {
  await page.goto(ADDRESS);
  await expect(page.getByText('This survey is anonymous')).toBeVisible();
  await expect(send(page)).toBeEnabled();

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

test('A personal link works once, and its answers are anonymous', async ({ page, site }) => {
  const [engagement] = await site.sql`
    select e.id from public.engagements e join auth.users u on u.id = e.owner_id
    where u.email = 'owner@demo.test' and e.state = 'active'`;
  await asAdmin(site.sql, (tx) => tx`select invite_to_survey(${engagement?.id})`);
  const link = site.linkIn(await site.mail('owner@demo.test', /How was your coaching/));
  await page.goto(link);
  await statement(page, 'I felt respected').getByRole('radio', { name: '5' }).check();
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();

  const rows = await site.sql`select engagement_id from public.survey_responses where invited`;
  expect(rows).toEqual([{ engagement_id: null }]);
  await page.goto('/about');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'You’ve already answered' })).toBeVisible();
});

test('A response whose answer is lost is kept, and stored once', async ({ page, site }) => {
  await page.goto(ADDRESS);
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

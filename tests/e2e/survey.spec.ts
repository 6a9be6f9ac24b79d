import type { Page } from '@playwright/test';
import postgres from 'postgres';
import { asPerson } from '../fixtures/database.ts';
import { expect, type Site, test } from './support/harness.ts';

const ADDRESS = '/engagement-survey';

const statement = (page: Page, name: string) => page.getByRole('group', { name });
const send = (page: Page) => page.getByRole('button', { name: 'Send' });

/** Asks the database of this site something. */
async function inDatabase<T>(site: Site, ask: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(site.databaseUrl, { max: 1, onnotice: () => {} });
  try {
    return await ask(sql);
  } finally {
    await sql.end();
  }
}

/** An admin invites the client of the demo coach. */
const inviteClient = (site: Site) =>
  inDatabase(site, async (sql) => {
    const [admin] = await sql`select id, email from auth.users where email = 'admin@demo.test'`;
    const [engagement] = await sql`
      select e.id from public.engagements e join auth.users u on u.id = e.owner_id
      where u.email = 'owner@demo.test' and e.state = 'active'`;
    await asPerson(
      sql,
      { userId: admin?.id, email: admin?.email },
      (tx) => tx`select invite_to_survey(${engagement?.id})`,
    );
  });

test('A client answers the public survey by keyboard, is told what is promised, and loses nothing', async ({
  page,
  site,
}) => {
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
  await expect(page.getByText('Keep this to 2,000 characters: 1 too many.')).toBeVisible();
  await expect(page.getByLabel('What should we do differently?')).toBeFocused();
  await page.getByLabel('What should we do differently?').fill('Start at 8');

  await page.reload();
  await expect(page.getByLabel('What helped most?')).toHaveValue('The break-even sheet');
  await expect(statement(page, 'I understood').getByRole('radio', { name: '4' })).toBeChecked();

  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeFocused();
  const [stored] = await inDatabase(
    site,
    (sql) => sql`
      select agreement[1] as first, agreement[6] as cleared, recommend, comments[1] as helped, invited
      from public.survey_responses where comments[2] = 'Start at 8'`,
  );
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

test('A personal link works once, and its answers lead back to nobody', async ({ page, site }) => {
  await inviteClient(site);
  const link = site.linkIn(await site.mail('owner@demo.test', /How was the help/));
  await page.goto(link);
  await statement(page, 'I felt respected').getByRole('radio', { name: '5' }).check();
  await send(page).click();
  await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();

  const rows = await inDatabase(
    site,
    (sql) => sql`select engagement_id from public.survey_responses where invited`,
  );
  expect(rows).toEqual([{ engagement_id: null }]);
  await page.goto('/about');
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'You have answered already' })).toBeVisible();
});

test.describe('With a connection that is cut', () => {
  test.use({ expectedConsole: /net::ERR_CONNECTION_FAILED/ });

  test('A client is told that nothing was sent, and sends the same answers later, once', async ({
    page,
    site,
  }) => {
    await page.goto(ADDRESS);
    await page.getByLabel('What helped most?').fill('Being listened to');
    await page.route('**/rpc/submit_survey_response', (route) => route.abort('connectionfailed'));
    await send(page).click();
    await expect(page.getByRole('alert')).toContainText('Your answers were not sent');
    await expect(page.getByLabel('What helped most?')).toHaveValue('Being listened to');

    // The answer is lost on its way back: the server has it, the browser does not know.
    await page.unroute('**/rpc/submit_survey_response');
    await page.route('**/rpc/submit_survey_response', async (route) => {
      await route.fetch();
      await route.abort('connectionfailed');
    });
    await send(page).click();
    await expect(page.getByRole('alert')).toContainText('Your answers were not sent');
    await page.unroute('**/rpc/submit_survey_response');
    await page.reload();
    await expect(page.getByLabel('What helped most?')).toHaveValue('Being listened to');
    await send(page).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    const [stored] = await inDatabase(
      site,
      (sql) => sql`
        select count(*)::int as times from public.survey_responses
        where comments[1] = 'Being listened to'`,
    );
    expect(stored).toEqual({ times: 1 });
  });
});

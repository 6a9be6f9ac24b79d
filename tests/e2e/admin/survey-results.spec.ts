import { readFile } from 'node:fs/promises';
import { responseOf, storeResponses } from '../../fixtures/survey-results.ts';
import { checkAccessibility, checkWidth } from '../support/axe.ts';
import { awake, expect, type Site, test } from '../support/harness.ts';

test.use({ as: 'admin' });

const PATH = '/admin/engagement-results';

async function openSurveyId({ sql }: Site): Promise<string> {
  const [row] = await sql<{ id: string }[]>`select id from public.surveys where state = 'open'`;
  return row?.id ?? '';
}

/** Adds responses by personal links, whose comments start with a formula. */
async function add(site: Site, count: number) {
  const responses = Array.from({ length: count }, (_, place) =>
    responseOf({
      invited: true,
      agreement: [5, 4, null, 4, 3, 5, 2, 4, 4, 5],
      recommend: place % 2 ? 10 : 8,
      comments: [`=1+${place}`, null],
    }),
  );
  await storeResponses(site.sql, await openSurveyId(site), responses);
}

test('An admin opens a survey, and sees nothing of four answers, five at once, and the index from thirty', async ({
  page,
  site,
}) => {
  await page.goto(PATH);
  await awake(page);
  const [before] = await site.sql`select title from public.surveys where state = 'open'`;
  await page.getByRole('button', { name: 'Open a new survey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Open a new survey' });
  await dialog.getByRole('radio', { name: /^Confidential/ }).check();
  await dialog.getByLabel('Compare answers by').selectOption('Coach');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Open survey' }).click();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  await dialog.getByLabel('Reason').fill('A new year');
  await dialog.getByRole('button', { name: 'Open survey' }).click();
  await expect(page).toHaveURL(/survey=/);
  await expect(page.getByText(/confidential, compared by coach/)).toBeVisible();
  const [after] = await site.sql`select title, privacy from public.surveys where state = 'open'`;
  expect(after).toEqual({ title: before?.title, privacy: 'confidential' });
  await expect(page.getByText('Not shown: fewer than five')).toBeVisible();
  await checkAccessibility(page);

  await add(site, 4);
  await page.reload();
  await expect(page.getByText('Not shown: fewer than five')).toBeVisible();

  await add(site, 1);
  await page.reload();
  const glance = page.getByRole('region', { name: 'At a glance' });
  await expect(glance).toContainText('not shown: fewer than 30');
  await expect(glance.getByText('5', { exact: true })).toBeVisible();
  const ratings = page.getByRole('table', { name: 'Ratings of each statement' });
  await expect(ratings.getByRole('row', { name: /^1\. I understood/ })).toContainText('100%');
  // Nobody rated the third.
  await expect(ratings.getByRole('row', { name: /^3\. I always/ })).toContainText('Not shown');
  await checkAccessibility(page);

  await add(site, 4);
  await page.reload();
  await expect(glance.getByText('5', { exact: true })).toBeVisible();
});

test('From thirty responses there’s an index, and the file has what’s on the screen', async ({
  page,
  site,
}) => {
  const survey = await openSurveyId(site);
  await add(site, 40);
  await storeResponses(
    site.sql,
    survey,
    Array.from({ length: 6 }, () => responseOf()),
  );
  await page.goto(PATH);
  await awake(page);
  await expect(
    page.getByRole('table', { name: 'Results by link' }).getByRole('row', { name: /Public/ }),
  ).toContainText('6');
  await expect(page.getByRole('region', { name: 'At a glance' })).not.toContainText('not shown');
  // On a phone each statement's figures are below it, not off the screen.
  await page.setViewportSize({ width: 360, height: 740 });
  const favorable = page
    .getByRole('table', { name: 'Ratings of each statement' })
    .getByRole('row', { name: /^1\. I understood/ })
    .getByText('100%', { exact: true });
  await favorable.scrollIntoViewIfNeeded();
  const box = await favorable.boundingBox();
  expect(box && box.x + box.width).toBeLessThanOrEqual(360);
  await checkWidth(page, 360);
  await checkAccessibility(page);

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ]);
  const csv = await readFile(await download.path(), 'utf8');
  expect(csv).toContain('Part,About,Figure,Value');
  expect(csv).toMatch(/Statement,I understood what we were working toward,Favorable,100%/);
  // A comment that a spreadsheet would run is only text.
  expect(csv).toMatch(/,'=1\+\d/);
  const [read] = await site.sql`
    select count(*)::int as count from public.audit_log where action = 'survey_results.read'`;
  expect(read?.count).toBeGreaterThan(0);

  await page
    .getByRole('navigation', { name: 'Link' })
    .getByRole('link', { name: 'Public' })
    .click();
  await expect(page).toHaveURL(/link=public/);
  await expect(
    page.getByRole('region', { name: 'At a glance' }).getByText('6', { exact: true }),
  ).toBeVisible();
});

test('An admin closes a survey with a reason', async ({ page, site }) => {
  await page.goto(PATH);
  await awake(page);
  await page.getByRole('button', { name: 'Close the survey' }).click();
  const dialog = page.getByRole('dialog', { name: 'Close the survey?' });
  await dialog.getByLabel('Reason').fill('We have heard enough');
  await dialog.getByRole('button', { name: 'Close the survey' }).click();
  await expect(page.getByRole('button', { name: 'Close the survey' })).toHaveCount(0);
  const open = await site.sql`select 1 from public.surveys where state = 'open'`;
  expect(open).toHaveLength(0);
  await site.sql`
    update public.surveys set state = 'open', closed_at = null
    where id = (select id from public.surveys order by opened_at desc limit 1)`;
});

test('Nobody else opens the results', async ({ elsewhere }) => {
  for (const who of ['owner', 'coach']) {
    const page = await elsewhere(who);
    const answer = await page.goto(PATH);
    expect(answer?.status()).toBe(403);
  }
});

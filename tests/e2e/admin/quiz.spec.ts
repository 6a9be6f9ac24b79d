import { readFile } from 'node:fs/promises';
import { asPerson } from '../../fixtures/database.ts';
import { createMember, newAddress } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, type Site, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: false, expectedConsole: CUT });

/** Creates an owner who has finished the quiz with the best answer to everything. */
async function createFinisher(site: Site, fullName: string, businessName: string) {
  const member = await createMember(site.sql, {
    email: newAddress('finisher'),
    fullName,
    businessName,
  });
  const attempt = crypto.randomUUID();
  await asPerson(site.sql, { userId: member.id, email: member.email }, async (tx) => {
    await tx`select start_attempt(${attempt}, (get_quiz() ->> 'id')::uuid)`;
    await tx`
      insert into answers (attempt_id, version_id, question_key, value, applies)
      select ${attempt}, (get_quiz() ->> 'id')::uuid, q ->> 'key', 4, true
      from json_array_elements(get_quiz() -> 'questions') q`;
    await tx`select finish_attempt(${attempt})`;
  });
  return { ...member, attempt };
}

test('An admin opens the finished quizzes from the overview, and finds one without its score', async ({
  page,
  site,
}) => {
  await createFinisher(site, 'Fenna Found', 'Found Furniture');
  await page.goto('/admin');
  await page.getByRole('main').getByRole('link', { name: 'Finished quizzes' }).click();
  await expect(page).toHaveURL(/\/admin\/quiz\?state=submitted$/);
  await expect(page.getByLabel('State')).toHaveValue('submitted');
  const table = page.getByRole('table', { name: 'Quizzes' });
  await expect(table.getByRole('row')).toHaveCount(26);
  await checkAccessibility(page);

  await page.getByLabel('Search by business or person').fill('found fenna');
  await expect(table.getByRole('row')).toHaveCount(2);
  await expect(page).toHaveURL(/q=found/);
  const row = table.getByRole('row', { name: /Found Furniture/ });
  await expect(row).toContainText('Fenna Found');
  await expect(row).toContainText(/Full quiz, version \d/);
  await expect(row).not.toContainText('100');

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^quizzes/);
  const [head = ''] = (await readFile(await file.path(), 'utf8')).split(/\r?\n/);
  expect(head.replace('\ufeff', '')).toBe(
    'Business,Person,Quiz,State,Why it was set aside,Started,Finished',
  );

  await page.getByLabel('Version', { exact: true }).selectOption({ index: 1 });
  await expect(page).toHaveURL(/version=/);
  await expect(row).toBeVisible();
  await page.getByLabel('Finished since').fill('2099-01-01');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Show all' }).click();
  await expect(page.getByLabel('Search by business or person')).toHaveValue('');
  await expect(page).toHaveURL(/\/admin\/quiz$/);
  await expect(table.getByRole('row')).toHaveCount(26);
});

test('An admin sets a quiz aside by keyboard, and its owner reads why', async ({
  page,
  site,
  elsewhere,
}) => {
  const owner = await createFinisher(site, 'Vera Vale', 'Vale Velvet');
  await page.goto('/admin/quiz?q=vale+velvet');
  const table = page.getByRole('table', { name: 'Quizzes' });
  const row = table.getByRole('row', { name: /Vale Velvet/ });
  const open = row.getByRole('button', { name: 'Set aside the quiz of Vale Velvet' });
  await expect(open).toBeEnabled();
  await open.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Set the quiz of Vale Velvet aside?' });
  await expect(dialog.getByLabel('Reason')).toBeFocused();
  await checkAccessibility(page);
  const confirm = dialog.getByRole('button', { name: 'Set it aside' });
  await confirm.press('Enter');
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  // What was typed stays if the request fails.
  await dialog.getByLabel('Reason').fill('It was a demo at the county fair');
  await page.route('**/rpc/void_attempt', (route) => route.abort());
  await confirm.press('Enter');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toHaveValue('It was a demo at the county fair');
  await page.unroute('**/rpc/void_attempt');
  await confirm.press('Enter');
  await expect(page.getByText('The quiz is set aside.', { exact: true })).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('Set aside');
  await expect(row).toContainText('It was a demo at the county fair');
  await expect(row.getByRole('button')).toHaveCount(0);
  await expect(page.getByRole('heading', { name: 'Quizzes', exact: true })).toBeFocused();
  await checkAccessibility(page);

  const theirs = await elsewhere(owner.email);
  await theirs.goto(site.linkIn(await site.mail(owner.email, /quiz results aside/)));
  await expect(theirs).toHaveURL(new RegExp(`/dashboard/skills/quiz/${owner.attempt}$`));
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText('This result was set aside');
  await expect(theirs.getByText('It was a demo at the county fair')).toBeVisible();

  await page.goto('/admin/audit?action=attempt.void&q=vale+velvet');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /Set a quiz aside/ })).toContainText(
    'It was a demo at the county fair',
  );
});

test.describe('When another admin was first', () => {
  // The refusal is in the console.
  test.use({ expectedConsole: /responded with a status of 500/ });

  test('the dialog says that the quiz is set aside already', async ({ page, site }) => {
    const { attempt } = await createFinisher(site, 'Tess Twice', 'Twice Textiles');
    await page.goto('/admin/quiz?q=twice+textiles');
    const row = page.getByRole('table', { name: 'Quizzes' }).getByRole('row', { name: /Twice/ });
    await row.getByRole('button', { name: /^Set aside/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('A second opinion');
    const [admin] = await site.sql`
    select id as "userId", email from auth.users where email = 'admin@demo.test'`;
    await asPerson(
      site.sql,
      { userId: admin?.userId, email: admin?.email },
      (tx) => tx`select void_attempt(${attempt}, 'The first opinion')`,
    );
    await dialog.getByRole('button', { name: 'Set it aside' }).click();
    await expect(dialog.getByRole('alert')).toContainText('Only a finished quiz can be set aside.');
  });
});

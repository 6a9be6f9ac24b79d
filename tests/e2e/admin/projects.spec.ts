import { createMember, newAddress } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: false, expectedConsole: CUT });

test('An admin finds a project of any business, saves the view, and opens the project', async ({
  page,
}) => {
  await page.goto('/dashboard/projects');
  await page.getByRole('link', { name: 'See all projects' }).click();
  const table = page.getByRole('table', { name: 'Projects' });
  const rows = table.getByRole('row');
  await expect(table).toBeVisible();
  await checkAccessibility(page);
  const all = await rows.count();

  await page.getByLabel('Status').selectOption('All');
  await expect(page).toHaveURL(/status=all/);
  await expect.poll(() => rows.count()).toBeGreaterThan(all);
  await page.getByLabel('Sort by').selectOption('Due date');
  await page.getByLabel('Search by project or business').fill('delgado');
  await expect(page).toHaveURL(/q=delgado/);
  await expect(rows.nth(1)).toContainText('Delgado Bakery');
  await page.getByLabel('Coach').selectOption('Ruth Abara');
  await expect(page).toHaveURL(/coach=/);

  await page.getByRole('button', { name: 'Views' }).click();
  await page.getByRole('menuitem', { name: 'Save this view…' }).click();
  const saving = page.getByRole('dialog');
  await saving.getByLabel('Name').fill('The bakery');
  await saving.getByRole('button', { name: 'Save' }).click();
  await expect(saving).toBeHidden();

  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).click();
  expect((await download).suggestedFilename()).toMatch(/^all-projects/);

  await page.goto('/admin/projects?status=all&q=delgado');
  const first = rows.nth(1).getByRole('link').first();
  const title = (await first.textContent()) ?? '';
  await rows.nth(1).getByRole('link', { name: 'Delgado Bakery' }).click();
  await page.getByRole('link', { name: /in the list$/ }).click();
  await expect(page.getByText('Show those of all businesses')).toBeVisible();
  await table.getByRole('link', { name: title }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  // The page is the owner's, and speaks to an admin as one.
  await page.getByLabel('New update').focus();
  await expect(page.getByText('The business’s members and coach can read it.')).toBeVisible();
  await page.getByRole('link', { name: 'Delgado Bakery' }).click();
  await expect(page).toHaveURL(/\/admin\/businesses\//);
  await page.goBack();
  await page.getByRole('main').getByRole('link', { name: 'Projects' }).click();
  await expect(page).toHaveURL(/\/admin\/projects$/);
});

test('An admin moves the due dates of several projects, by keyboard alone, and undoes it', async ({
  page,
  site,
}) => {
  const { id } = await createMember(site.sql, {
    email: newAddress('dated'),
    fullName: 'Dina Dated',
    businessName: 'Dated Dairy',
  });
  await site.sql`
    insert into public.projects (id, business_id, title, due_on)
    select gen_random_uuid(), m.business_id, p.title, p.due_on::date
    from public.business_members m,
      (values ('Cold room', '2030-01-15'), ('Milk round', null)) as p (title, due_on)
    where m.user_id = ${id}`;
  const dues = async () =>
    (
      await site.sql`
        select due_on::text as due_on from public.projects
        where title in ('Cold room', 'Milk round') order by title`
    ).map(({ due_on }) => due_on);

  await page.goto('/admin/projects?q=dated+dairy');
  const table = page.getByRole('table', { name: 'Projects' });
  for (const title of ['Cold room', 'Milk round']) {
    await table.getByRole('row', { name: title }).getByRole('checkbox').press('Space');
  }
  await page.getByRole('button', { name: 'Change due date' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Change the due date of 2 projects' });
  await expect(dialog.getByLabel('Due')).toBeFocused();
  await checkAccessibility(page);
  await dialog.getByLabel('Due').fill('2031-02-28');
  // What was chosen stays if the request fails.
  await page.route('**/rpc/set_due_dates', (route) => route.abort());
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Due')).toHaveValue('2031-02-28');
  await page.unroute('**/rpc/set_due_dates');
  await dialog.getByRole('button', { name: 'Change' }).press('Enter');
  await expect(page.getByText('Due date of 2 projects changed.', { exact: true })).toBeVisible();
  expect(await dues()).toEqual(['2031-02-28', '2031-02-28']);
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect(page.getByText('Undone: 2 projects due as before.', { exact: true })).toBeVisible();
  expect(await dues()).toEqual(['2030-01-15', null]);
  await page.goto('/admin/audit?action=project.edit&q=dated+dairy');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /Edited a project: Cold room/ }).first()).toContainText(
    'Due: 2031-02-28, now 2030-01-15',
  );
});

import { readFile } from 'node:fs/promises';
import { createMember, newAddress } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';

test.use({ as: 'admin', changesDemo: false, expectedConsole: CUT });

test('An admin searches the log by person, day and kind, and downloads it', async ({
  page,
  site,
}) => {
  const { id, name } = await createMember(site.sql, {
    email: newAddress('logged'),
    fullName: 'Lou Logged',
  });
  await site.sql`
    insert into public.audit_log (at, action, entity, entity_id, reason, details)
    values
      ('2020-05-01T12:00Z', 'account.block', 'user', ${id}, '=cmd()', '{}'),
      ('2020-05-02T12:00Z', 'person.read', 'user', ${id}, null, '{}'),
      ('2020-05-03T12:00Z', 'staff_role.set', 'user', ${id}, 'hired',
        '{"before": "owner", "after": "coach"}')`;
  await page.goto(`/admin/audit?person=${id}&to=2020-12-31`);
  const table = page.getByRole('table', { name: 'Audit log' });
  await expect(page.getByText('Only what’s about one person')).toBeVisible();
  await expect(table.getByRole('row')).toHaveCount(4);
  await checkAccessibility(page);
  await page.getByLabel('Show', { exact: true }).selectOption('Only changes');
  await expect(table.getByRole('row')).toHaveCount(3);
  await expect(table.getByRole('row', { name: /Changed a role/ })).toContainText(
    'owner, now coach',
  );
  await page.getByLabel('To', { exact: true }).fill('2020-05-02');
  await expect(page).toHaveURL(/to=2020-05-02/);
  await expect(table.getByRole('row')).toHaveCount(2);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: /CSV/ }).click();
  const file = await readFile(await (await download).path(), 'utf8');
  expect(file).toContain("'=cmd()");
  await page.getByLabel('From', { exact: true }).fill('2020-05-02');
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('link', { name: 'Their page' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});

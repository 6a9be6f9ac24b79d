import type { Page } from '@playwright/test';
import { WrikeStandIn } from '../../fixtures/wrike/stand-in.ts';
import { checkBothThemes } from '../support/axe.ts';
import { test as base, CUT, expect } from '../support/harness.ts';

const test = base.extend<object, { wrike: WrikeStandIn }>({
  wrike: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's shape
    async ({}, use) => {
      const wrike = await new WrikeStandIn().open();
      wrike.add('Clients', wrike.add('Coaching'));
      await use(wrike);
      await wrike.close();
    },
    { scope: 'worker' },
  ],
  siteSettings: async ({ wrike }, use) =>
    use({ WRIKE_TOKEN: wrike.token, WRIKE_API_BASE: wrike.url }),
});
test.use({ as: 'admin', changesDemo: true, expectedConsole: CUT });

const mirrors = (page: Page) => page.getByRole('table', { name: 'Projects copied to Wrike' });
const folders = (page: Page) => page.getByRole('table', { name: 'Folders' });

test('An admin connects Wrike, finds a folder, tries a test project there and deletes it again', async ({
  page,
  wrike,
}) => {
  await page.goto('/admin');
  await page.getByRole('navigation').getByRole('link', { name: 'Wrike' }).first().click();
  await expect(page.getByText('We haven’t checked yet')).toBeVisible();
  await page.getByText('How to connect Wrike').click();
  await expect(page.getByText('WRIKE_TOKEN')).toBeVisible();
  await expect(page.getByText('No projects yet')).toBeVisible();
  await checkBothThemes(page);

  // A token of another data center.
  wrike.fault = () => ({ status: 300 });
  await page.getByRole('button', { name: 'Check the connection' }).click();
  await expect(page.getByText(/isn’t in the data center of/)).toBeVisible();
  wrike.fault = () => null;
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('Wrike is connected.', { exact: true })).toBeVisible();
  await expect(page.getByText('Alder Alliance')).toBeVisible();

  await page.getByRole('button', { name: 'List the folders' }).click();
  const clients = folders(page).getByRole('row', { name: /Clients/ });
  await expect(clients).toContainText('Folder in Coaching');
  await page.getByLabel('Search by a folder’s name').fill('nothing like it');
  await expect(page.getByText('No folder has this name.')).toBeVisible();
  await page.getByLabel('Search by a folder’s name').fill('cli');
  await expect(folders(page).getByRole('row')).toHaveCount(2);
  await checkBothThemes(page);

  await clients.getByRole('button', { name: 'Create a test project in Clients' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText('Create a test project in Clients?');
  await dialog.getByRole('button', { name: 'Create it' }).click();
  await expect(dialog).toBeHidden();
  const row = mirrors(page).getByRole('row', { name: /Test project/ });
  await expect(row).toContainText('Up to date');
  await expect(row.getByRole('link', { name: /Open in Wrike/ })).toHaveAttribute(
    'href',
    /^https:\/\/www\.wrike\.com\//,
  );
  expect(wrike.projects()).toHaveLength(1);
  // Without a list that's being read again, which is dimmed.
  await page.reload();
  await expect(row).toContainText('Up to date');
  await checkBothThemes(page);

  await row.getByRole('button', { name: 'Delete in Wrike' }).click();
  await dialog.getByRole('button', { name: 'Delete in Wrike' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toHaveCount(0);
  expect(wrike.projects()).toEqual([]);
});

test('An admin mirrors a project, its business sees that, and each change follows until it’s stopped', async ({
  page,
  site,
  wrike,
  signIn,
}) => {
  await page.goto('/admin/wrike-test');
  await page.getByRole('button', { name: /^Check (the connection|again)$/ }).click();
  await expect(page.getByText('Wrike is connected.', { exact: true })).toBeVisible();
  const asked = page.waitForResponse((answer) =>
    Boolean(answer.request().postData()?.includes('list_folders')),
  );
  await page.getByRole('button', { name: /^List (the folders|them again)$/ }).click();
  await asked;
  const listing = () => site.sql`select from private.wrike_settings where listing is not null`;
  await expect.poll(async () => (await listing()).length).toBe(0);
  // Without a list that's being read again, which is dimmed.
  await page.reload();
  const [project] = await site.sql`
    select p.id, p.title from public.projects p join public.businesses b on b.id = p.business_id
    where b.name = 'Delgado Bakery' and p.status = 'in_progress' limit 1`;
  const { id, title } = project ?? {};
  await folders(page)
    .getByRole('row', { name: /Clients/ })
    .getByRole('button', { name: 'Mirror a project in Clients' })
    .click();
  const dialog = page.getByRole('dialog', { name: 'Mirror a project in Clients' });
  await dialog.getByRole('button', { name: 'Mirror it' }).click();
  await expect(dialog.getByLabel('Find the project')).toBeVisible();
  await dialog.getByLabel('Find the project').fill(title);
  await dialog.getByRole('button', { name: 'Mirror it' }).click();
  await expect(dialog.getByText('Choose a project.')).toBeVisible();
  await dialog.getByRole('radio', { name: title }).check();
  await dialog.getByText('What each status is in Wrike').click();
  await expect(dialog.getByText('Off track')).toBeVisible();
  await checkBothThemes(page);
  // If the request fails, the dialog says so and nothing is lost.
  await page.route('**/rpc/mirror_in_wrike', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Mirror it' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await page.unroute('**/rpc/mirror_in_wrike');
  await dialog.getByRole('button', { name: 'Mirror it' }).click();
  await expect(dialog).toBeHidden();
  const row = mirrors(page).getByRole('row', { name: title });
  await expect(row).toContainText('Up to date');
  const [there] = wrike.projects();
  expect(there?.title).toBe(title);
  const [counted] = await site.sql`
    select count(*)::int as n from public.project_tasks where project_id = ${id} and removed_at is null`;
  expect(wrike.titles(there?.id ?? '')).toHaveLength(counted?.n);

  // A change here is sent without anybody's doing, and a refusal says why.
  await site.sql`update public.projects set title = 'bad title' where id = ${id}`;
  await page.goto('/admin/wrike-test?state=refused');
  const refused = mirrors(page).getByRole('row', { name: /bad title/ });
  await expect(async () => {
    await page.reload();
    await expect(refused).toContainText('Parameter title is invalid', { timeout: 500 });
  }).toPass();
  await page.goto('/admin');
  await expect(page.getByRole('link', { name: /Projects that Wrike refused/ })).toBeVisible();
  await site.sql`update public.projects set title = ${title} where id = ${id}`;
  await expect.poll(() => wrike.projects()[0]?.title).toBe(title);

  await page.goto('/admin/wrike-test');
  await row.getByRole('button', { name: 'Stop' }).click();
  const confirm = page.getByRole('dialog');
  await confirm.getByRole('button', { name: 'Stop' }).click();
  await expect(confirm).toBeHidden();
  await expect(row).toContainText('Not updated anymore');
  await row.getByRole('button', { name: 'Continue' }).click();
  await confirm.getByRole('button', { name: 'Continue' }).click();
  await expect(confirm).toBeHidden();
  await expect(row).toContainText('Up to date');
  await page.goto('/admin/audit?action=wrike.mirror');
  await expect(
    page.getByRole('table', { name: 'Audit log' }).getByRole('row', { name: /Mirrored a project/ }),
  ).toHaveCount(1);

  await signIn(page, 'owner');
  await page.goto(`/dashboard/projects/${id}`);
  await expect(page.getByText('Our team has a copy of this project in Wrike')).toBeVisible();
  await checkBothThemes(page);
});

import { HubSpotStandIn } from '../../fixtures/hubspot/stand-in.ts';
import { checkAccessibility } from '../support/axe.ts';
import { test as base, CUT, expect } from '../support/harness.ts';

const test = base.extend<object, { hubspot: HubSpotStandIn }>({
  hubspot: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the first parameter's shape
    async ({}, use) => {
      const hubspot = await new HubSpotStandIn().open();
      await use(hubspot);
      await hubspot.close();
    },
    { scope: 'worker' },
  ],
  siteSettings: async ({ hubspot }, use) =>
    use({ HUBSPOT_TOKEN: hubspot.token, HUBSPOT_API_BASE: hubspot.url }),
});
test.use({ as: 'admin', changesDemo: true, expectedConsole: CUT });

test('An admin connects HubSpot, sees what sending would change, sends it and replays what was refused', async ({
  page,
  site,
  hubspot,
}) => {
  await site.sql`delete from public.contacts where newsletter = 'subscribed'`;
  const subscribe = (email: string, name: string) => site.sql`
    insert into public.contacts (email, name, newsletter, consented_at, consent_wording)
    values (${email}, ${name}, 'subscribed', now(), 'Send it.')`;
  await subscribe('ann@hubspot.test', 'Ann Lee');
  await subscribe('ben@hubspot.test', 'Ben');
  await subscribe('odd@hubspot.test', 'Odd One');
  hubspot.add('contacts', { email: 'ben@hubspot.test', firstname: 'Benjamin' });
  hubspot.idType.hasUniqueValue = false;

  await page.goto('/admin');
  await page.getByRole('navigation').getByRole('link', { name: 'HubSpot' }).first().click();
  await expect(page.getByText('We haven’t checked yet')).toBeVisible();
  await page.getByText('How to connect HubSpot').click();
  await expect(page.getByText('HUBSPOT_TOKEN')).toBeVisible();
  await checkAccessibility(page);
  // A property that can't take our ID.
  await page.getByRole('button', { name: 'Check the connection' }).click();
  await expect(page.getByText('Nothing is sent to HubSpot.')).toBeVisible();
  await expect(page.getByRole('row', { name: /Contact: Our ID/ })).toContainText(
    'Its values have to be unique',
  );
  await expect(page.getByRole('button', { name: 'Start a dry run' })).toHaveCount(0);
  hubspot.idType.hasUniqueValue = true;
  await page.getByRole('button', { name: 'Check again' }).click();
  await expect(page.getByText('HubSpot is connected.')).toBeVisible();

  // When they agreed is sent, too.
  await page.getByRole('button', { name: 'Change the fields' }).click();
  const dialog = page.getByRole('dialog', { name: 'Which property gets which field?' });
  await dialog.getByLabel('Contact: Agreed to the newsletter on').selectOption('agreed_on');
  await dialog.getByLabel('Contact: Last name').selectOption({ label: 'email (email)' });
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toContainText('a HubSpot property of its own');
  await checkAccessibility(page);
  await dialog.getByLabel('Contact: Last name').selectOption('lastname');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row', { name: /Agreed to the newsletter on/ })).toContainText(
    'It fits',
  );

  await page.getByRole('button', { name: 'Start a dry run' }).click();
  await expect(page.getByText(/found 2 new, 1 changed and 0 that HubSpot has/)).toBeVisible();
  expect(hubspot.writes).toEqual([]);
  const table = page.getByRole('table', { name: 'Records' });
  const row = (name: RegExp) => table.getByRole('row', { name });
  await expect(row(/ben@hubspot.test/)).toContainText('firstname: Benjamin → Ben');
  await expect(row(/ann@hubspot.test/)).toContainText('lastname: Lee');
  await checkAccessibility(page);

  await page.getByRole('button', { name: 'Send these' }).click();
  await expect(page.getByText('HubSpot has everything but what it refused.')).toBeVisible();
  await expect(row(/ben@hubspot.test/)).toContainText('In HubSpot');
  await expect(row(/odd@hubspot.test/)).toContainText('Property values were not valid: odd.');
  expect(hubspot.contacts.size).toBe(2);
  expect(hubspot.find('contacts', 'email', 'ben@hubspot.test')?.properties.firstname).toBe('Ben');
  await checkAccessibility(page);

  // Whoever subscribes from now on is sent without anybody's doing.
  await subscribe('cal@hubspot.test', 'Cal');
  await expect.poll(() => hubspot.contacts.size).toBe(3);

  await site.sql`update public.contacts set email = 'okay@hubspot.test' where email = 'odd@hubspot.test'`;
  await expect.poll(() => hubspot.contacts.size).toBe(4);
  await page.goto('/admin/contacts-summary?q=okay');
  await expect(page.getByRole('row', { name: /okay@hubspot.test/ })).toContainText('In HubSpot');
  await page.getByRole('link', { name: 'Odd One' }).click();
  await expect(page.getByText('In HubSpot')).toBeVisible();
});

test('An admin stops sending and continues, and runs refused records again', async ({
  page,
  site,
  hubspot,
}) => {
  await site.sql`update private.hubspot_settings set state = 'live', previewed_at = now()`;
  await site.sql`
    insert into public.contacts (email, name, newsletter, consented_at, consent_wording)
    values ('bad@hubspot.test', 'Bad', 'subscribed', now(), 'Send it.')`;
  await page.goto('/admin/hubspot-sync?state=refused');
  const refused = page.getByRole('table', { name: 'Records' }).getByRole('row', { name: /bad@/ });
  await expect(async () => {
    await page.reload();
    await expect(refused).toContainText('Property values were not valid: bad.', { timeout: 500 });
  }).toPass();
  await page.getByRole('button', { name: 'Stop' }).click();
  await expect(page.getByText('Sending is stopped.')).toBeVisible();

  // If the request fails, it stays refused and the page says so.
  await refused.getByRole('checkbox').check();
  await page.route('**/rpc/replay_hubspot', (route) => route.abort());
  await page.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('We couldn’t send them again', { exact: true })).toBeVisible();
  await page.unroute('**/rpc/replay_hubspot');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(refused).toHaveCount(0);
  await expect(page.getByText(/1 record waits/)).toBeVisible();
  await checkAccessibility(page);

  const before = hubspot.requests.length;
  await page.getByRole('button', { name: 'Continue sending' }).click();
  await expect(page.getByText('HubSpot refused 1 record')).toBeVisible();
  await expect(refused).toContainText('Property values were not valid: bad.');
  expect(hubspot.requests.length).toBeGreaterThan(before);
  await page.goto('/admin/audit?action=hubspot.stop');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /Stopped sending to HubSpot/ })).toHaveCount(1);
});

import { ACCOUNT_CHANNEL } from '#lib/session-cookie.ts';
import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, test } from '../support/harness.ts';
import { canWrite } from '../support/pair.ts';

test.use({ as: 'admin', changesDemo: true, expectedConsole: CUT });

test('An admin closes registration with a reason, and opens it again', async ({
  page,
  site,
  elsewhere,
}) => {
  const visitor = await elsewhere(null);
  await page.goto('/admin/toggles');
  const table = page.getByRole('table', { name: 'Toggles' });
  const row = table.getByRole('row', { name: /Registration/ });
  await expect(row).toContainText('Everyone');
  await checkAccessibility(page);

  await row.getByRole('button', { name: 'Change' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change “Registration”' });
  await dialog.getByLabel('On for a share of people').check();
  await dialog.getByLabel('Percent of people').fill('200');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Enter a number from 1 to 99.')).toBeVisible();
  await expect(dialog.getByText('Say why, for the audit log.')).toBeVisible();
  await checkAccessibility(page);
  await dialog.getByLabel('Off for everyone').check();
  await dialog.getByLabel('Owner').selectOption('Me');
  await dialog.getByLabel('Look at it by').fill('2020-01-31');
  await dialog.getByLabel('Reason').fill('We’re full until spring');
  // What was typed stays if the request fails.
  await page.route('**/rpc/set_toggle', (route) => route.abort());
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByRole('alert')).toBeVisible();
  await expect(dialog.getByLabel('Reason')).toHaveValue('We’re full until spring');
  await page.unroute('**/rpc/set_toggle');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText('We’re full until spring');

  await visitor.goto(`${site.url}/register`);
  await expect(visitor.getByRole('heading', { name: 'Registration is closed' })).toBeVisible();
  await checkAccessibility(visitor);
  // Without toggles, the default holds.
  await site.sql`alter function public.toggles_on() rename to toggles_away`;
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Create an account' })).toBeVisible();
  await site.sql`alter function public.toggles_away() rename to toggles_on`;

  await page.goto('/admin');
  await page.getByRole('link', { name: 'Toggles to look at again' }).click();
  await expect(table.getByRole('row')).toHaveCount(2);
  await row.getByRole('button', { name: 'Change' }).click();
  await dialog.getByLabel('On for everyone').check();
  await dialog.getByLabel('Look at it by').fill('');
  await dialog.getByLabel('Reason').fill('Spring is here');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('No matches')).toBeVisible();
  await visitor.reload();
  await expect(visitor.getByRole('heading', { name: 'Create an account' })).toBeVisible();

  await page.getByRole('link', { name: 'who changed what' }).click();
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /Changed a toggle/ })).toHaveCount(2);
});

test('What a toggle turned off isn’t there for a moment, and a lost database changes nothing', async ({
  site,
  elsewhere,
}) => {
  const set = (audience: string) =>
    site.sql`update private.toggles set audience = ${audience} where key = 'message-files'`;
  const [{ id }] = (await site.sql`
    select p.conversation_id as id from public.conversation_participants p
    join auth.users u on u.id = p.user_id
    where u.email = 'owner@demo.test' and p.left_at is null limit 1`) as [{ id: string }];
  const address = `${site.url}/dashboard/messages/conversations/${id}`;
  const owner = await elsewhere('owner');
  // Everything that's ever drawn on the page, from its first element on.
  await owner.addInitScript(() => {
    new MutationObserver(() => {
      if (document.querySelector('[aria-label="Add files"]')) Reflect.set(window, 'drawn', true);
    }).observe(document, { childList: true, subtree: true });
  });
  const wasDrawn = () => owner.evaluate(() => Reflect.get(window, 'drawn') === true);
  const sent = async () => (await owner.request.get(address)).text();

  await set('off');
  expect(await sent()).not.toContain('Add files');
  await owner.goto(address);
  await canWrite(owner);
  expect(await wasDrawn()).toBe(false);

  await set('everyone');
  expect(await sent()).toContain('Add files');
  await owner.goto(address);
  await canWrite(owner);
  await expect(owner.getByRole('button', { name: 'Add files' })).toBeEnabled();
  // The page keeps what it was rendered with while nothing can be read.
  await awake(owner);
  await owner.route('**/rpc/session_context', (route) => route.abort());
  const failed = owner.waitForEvent('requestfailed');
  await owner.evaluate(
    (name) => new BroadcastChannel(name).postMessage('changed'),
    ACCOUNT_CHANNEL,
  );
  await failed;
  await expect(owner.getByRole('button', { name: 'Add files' })).toBeEnabled();
});

import type { Page } from '@playwright/test';
import { register } from '../support/account-steps.ts';
import { checkAccessibility } from '../support/axe.ts';
import { awake, CUT, expect, test } from '../support/harness.ts';
import { assignCoach } from '../support/pair.ts';

test.use({ expectedConsole: CUT });

const sharing = (page: Page) => page.getByRole('checkbox', { name: /^Let .+ read my results$/ });

test('An owner requests a coach and sees what happens next', async ({ page, signIn }) => {
  await signIn(page, 'owner2');
  await page.goto('/dashboard/coaching?areas=business-planning');
  await expect(page.getByRole('checkbox', { name: 'Business planning' })).toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Web design' })).not.toBeChecked();
  await page.getByRole('checkbox', { name: 'Growth strategy' }).check();
  const note = page.getByLabel('What would you like help with?');
  const send = page.getByRole('button', { name: 'Ask for a coach' });
  await expect(send).toBeEnabled();

  await note.fill('x'.repeat(2001));
  await send.click();
  await expect(page.getByText('Keep the note to 2,000 characters.')).toBeVisible();

  // When the connection is lost, everything typed and checked is still there.
  await note.fill('Winter. We live from April to October.');
  await sharing(page).check();
  await page.route('**/rest/v1/rpc/request_coaching', (route) => route.abort('connectionfailed'));
  await send.click();
  await expect(page.getByRole('alert').getByText('Not sent')).toBeVisible();
  await expect(note).toHaveValue('Winter. We live from April to October.');
  await expect(page.getByRole('checkbox', { name: 'Growth strategy' })).toBeChecked();
  await page.unroute('**/rest/v1/rpc/request_coaching');
  await send.click();

  const heading = page.getByRole('heading', { name: 'We’re looking for a coach' });
  await expect(heading).toBeFocused();
  await expect(send).toHaveCount(0);
  await page.reload();
  await expect(heading).toBeVisible();
  await expect(page.getByText('Growth strategy, Business planning')).toBeVisible();
  await expect(page.getByText('Winter. We live from April to October.')).toBeVisible();
  await expect(sharing(page)).toBeChecked();
  await checkAccessibility(page);
});

test('A coach reads results only while shared', async ({ page, signIn, elsewhere }) => {
  const coach = await elsewhere('coach');
  await coach.goto('/dashboard/coaching');
  await coach.getByRole('link', { name: 'Delgado Bakery' }).click();
  await expect(coach.getByRole('heading', { level: 1 })).toHaveText('Delgado Bakery');
  await checkAccessibility(coach);
  const client = coach.url();
  await coach.getByRole('link', { name: /^Results from/ }).click();
  await expect(coach.getByRole('heading', { name: 'Maria Delgado’s results' })).toBeVisible();
  await expect(coach.getByText('Area by area')).toBeVisible();
  await expect(coach.getByRole('heading', { name: 'What’s changed' })).toBeVisible();
  await expect(coach.getByText('The owner is working on this.').first()).toBeVisible();
  await expect(coach.getByRole('navigation', { name: 'Other results' })).toBeVisible();
  await expect(coach.getByRole('button', { name: /^Swap/ })).toHaveCount(0);
  await expect(coach.getByRole('link', { name: /Ask a coach|^Work on this/ })).toHaveCount(0);
  await checkAccessibility(coach);
  const address = coach.url();

  await signIn(page, 'owner');
  await page.goto('/dashboard/skills');
  await page.getByRole('link', { name: 'Change that' }).click();
  await expect(page).toHaveURL(/\/dashboard\/skills\/sharing$/);
  await expect(sharing(page)).toBeEnabled();
  await checkAccessibility(page);
  await page.route('**/rest/v1/rpc/set_results_shared', (route) => route.abort('connectionfailed'));
  await sharing(page).click();
  await expect(page.getByText('Sharing wasn’t changed', { exact: true })).toBeVisible();
  await expect(sharing(page)).toBeChecked();
  await page.unrouteAll();
  const stored = () => page.waitForResponse('**/rest/v1/rpc/set_results_shared');
  let answered = stored();
  await sharing(page).uncheck();
  expect((await answered).ok()).toBe(true);
  expect((await coach.goto(address))?.status()).toBe(404);
  await coach.goto(client);
  await expect(coach.getByText('Doesn’t share results.')).toBeVisible();
  await expect(coach.getByRole('link', { name: /^Results from/ })).toHaveCount(0);

  // The same setting is on the coaching page.
  await page.goto('/dashboard/coaching');
  await expect(sharing(page)).toBeEnabled();
  answered = stored();
  await sharing(page).check();
  expect((await answered).ok()).toBe(true);
  expect((await coach.goto(address))?.status()).toBe(200);
});

test('An owner withdraws, and the coach loses the client', async ({ page, site, elsewhere }) => {
  await register(page, site, 'withdraws', 'Juniper Frames');
  await page.goto('/dashboard/coaching');
  const ask = page.getByRole('button', { name: 'Ask for a coach' });
  await expect(ask).toBeEnabled();
  await ask.click();
  await expect(page.getByRole('button', { name: 'Withdraw request' })).toBeVisible();
  const [request] = await site.sql`
    select e.id, c.id as coach from public.engagements e
    join public.businesses b on b.id = e.business_id and b.name = 'Juniper Frames'
    join auth.users c on c.email = 'coach@demo.test'`;
  await assignCoach(site.sql, request?.id, request?.coach);
  const coach = await elsewhere('coach');
  await coach.goto('/dashboard/coaching');
  await expect(coach.getByRole('heading', { name: 'Juniper Frames' })).toBeVisible();

  await page.reload();
  const withdraw = page.getByRole('button', { name: 'Withdraw from coaching' });
  const dialog = page.getByRole('dialog', { name: 'Withdraw from coaching?' });
  await awake(page);
  await withdraw.click();
  await expect(dialog).toContainText('Ruth Abara will hear of it');
  await checkAccessibility(page);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect(withdraw).toBeFocused();

  await page.route('**/rest/v1/rpc/withdraw_coaching', (route) => route.abort('connectionfailed'));
  await withdraw.click();
  const yes = dialog.getByRole('button', { name: 'Withdraw from coaching' });
  await yes.click();
  await expect(dialog.getByRole('alert')).toContainText('We couldn’t reach the server');
  await page.unroute('**/rest/v1/rpc/withdraw_coaching');
  await yes.click();
  await expect(page.getByRole('heading', { name: 'You withdrew from coaching' })).toBeFocused();
  await expect(ask).toBeVisible();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'You withdrew from coaching' })).toBeVisible();

  await coach.reload();
  await expect(coach.getByRole('heading', { name: 'Clients', exact: true })).toBeVisible();
  await expect(coach.getByText('Juniper Frames')).toHaveCount(0);
  await site.mail('coach@demo.test', /^Juniper Frames has withdrawn from coaching$/);
});

test('A coach without clients reads why it’s empty', async ({ page, signIn, elsewhere }) => {
  await signIn(page, 'coach2');
  await page.goto('/dashboard/coaching');
  await expect(page.getByText('No clients yet')).toBeVisible();
  const admin = await elsewhere('admin');
  await admin.goto('/dashboard/coaching');
  await expect(admin.getByText('There’s nothing here for admins')).toBeVisible();
});

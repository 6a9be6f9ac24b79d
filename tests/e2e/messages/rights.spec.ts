import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';
import {
  assignCoach,
  canWrite,
  createPair,
  field,
  hasArrived,
  message,
  messages,
  openBoth,
  say,
} from '../support/pair.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** A replaced coach loses access within this many milliseconds. */
const AT_ONCE = 5_000;

/** Like PostgREST, our REST interface responds 500 if a procedure raises P0002 (not found). */
const NOT_FOUND = new RegExp(`${CUT.source}|the server responded with a status of 500`);

test.describe('Someone who is replaced', () => {
  test.use({ expectedConsole: NOT_FOUND });

  test('A replaced coach loses the conversation', async ({ page, site, signIn, elsewhere }) => {
    const pair = await createPair(site);
    const { coach: next } = await createPair(site);
    const owner = await elsewhere(pair.owner.email);
    await owner.goto(`/dashboard/messages?to=engagement:${pair.engagementId}`);
    await owner.waitForURL(/conversations\//);
    await canWrite(owner);
    await say(owner, 'Between us and the oven');
    await hasArrived(owner, 'Between us and the oven');
    await signIn(page, pair.coach.email);
    await page.goto(`/dashboard/coaching/${pair.engagementId}`);
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Message/ })
      .first()
      .click();
    await page.waitForURL(owner.url());
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Wren Tools/);
    await canWrite(page);
    await expect(message(page, 'Between us and the oven')).toBeVisible();
    await expect(page.getByText(/active now/).first()).toBeVisible();

    await assignCoach(site.sql, pair.engagementId, next.id);
    await expect(page.getByText('You’re no longer in this conversation.')).toBeVisible({
      timeout: AT_ONCE,
    });
    await expect(field(page)).toHaveCount(0);
    await say(owner, 'Not for the one before');
    await hasArrived(owner, 'Not for the one before');
    await expect(page.getByText('Not for the one before')).toHaveCount(0);
    expect((await page.goto(owner.url()))?.status()).toBe(404);
  });
});

test('A blocked person can’t write until they are unblocked', async ({ page, site, elsewhere }) => {
  const { pair, other } = await openBoth(page, site, elsewhere);
  await say(other, 'Buy now');
  await expect(message(page, 'Buy now')).toBeVisible();
  await page.getByRole('button', { name: 'About this conversation' }).click();
  await page.getByRole('menuitem', { name: `Block ${pair.coach.name}…` }).click();
  const sure = page.getByRole('dialog', { name: `Block ${pair.coach.name}?` });
  await expect(sure).toBeVisible();
  await checkAccessibility(page);
  await sure.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(field(page)).toHaveCount(0);
  const unblock = page.getByRole('button', { name: 'Unblock' });
  await expect(unblock).toBeVisible();
  await expect(other.getByText('You can’t write here.')).toBeVisible();
  await expect(field(other)).toHaveCount(0);
  await expect(message(other, 'Buy now')).toBeVisible();

  await unblock.click();
  await expect(field(page)).toBeFocused();
  await other.reload();
  await canWrite(other);
  await say(other, 'Sorry about that');
  await expect(message(page, 'Sorry about that')).toBeVisible();
});

test('An admin reads a reported message by its report alone', async ({ page, site, elsewhere }) => {
  const { other, address } = await openBoth(page, site, elsewhere);
  await say(other, 'This is a threat about your oven');
  await message(page, 'This is a threat about your oven')
    .getByRole('button', { name: /^Actions/ })
    .focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Report…' }).press('Enter');
  const report = page.getByRole('dialog', { name: 'Report this message?' });
  await report.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(report.getByText('Choose what’s wrong with it.')).toBeVisible();
  await report.getByLabel('It’s abusive or threatening').check();
  await report.getByLabel('Anything else we should know?').fill('He said so before');
  await checkAccessibility(page);
  await report.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(
    page.getByText('Reported. Our staff will look at it.', { exact: true }),
  ).toBeVisible();

  const admin = await elsewhere('admin');
  // Its URL doesn't work for an admin, who isn't a participant.
  expect((await admin.goto(address))?.status()).toBe(404);
  await admin.goto('/admin/messages');
  const row = admin.getByRole('listitem').filter({ hasText: 'He said so before' });
  await expect(row).toContainText('Reported by Olga Wren');
  await expect(admin.getByText('threat about your oven')).toHaveCount(0);
  await row.getByRole('button', { name: /^Read the conversation/ }).click();
  const reading = admin.getByRole('dialog', { name: 'Reported message' });
  await expect(reading.getByRole('blockquote')).toHaveText('This is a threat about your oven');
  await checkAccessibility(admin);
  const looked = await site.sql`
    select count(*)::int as times from public.audit_log where action = 'message_report.read'`;
  expect(looked[0]?.times).toBeGreaterThan(0);
  await reading.getByRole('button', { name: 'Resolve' }).click();
  await expect(reading.getByText('Choose an outcome.')).toBeVisible();
  await reading.getByLabel('Remove the message').check();
  await reading.getByLabel('Reason').fill('A threat');
  await reading.getByRole('button', { name: 'Resolve' }).click();
  await expect(row).toHaveCount(0);
  await expect(messages(page).getByText('This message was deleted.')).toBeVisible();
  await admin.goto('/admin/messages?state=settled');
  await expect(admin.getByRole('listitem').filter({ hasText: 'He said so before' })).toContainText(
    'Message removed',
  );
});

test('Notifications of messages are chosen in the profile', async ({ page, site, signIn }) => {
  const pair = await createPair(site);
  // Headless browsers don't support notifications, so stub the permission.
  await page.addInitScript(() => {
    const permission = localStorage.getItem('story-permission') ?? 'denied';
    Object.assign(window, {
      Notification: { permission, requestPermission: async () => permission },
    });
  });
  await signIn(page, pair.owner.email);
  await page.goto('/dashboard/profile/notifications');
  const unread = page.getByRole('checkbox', { name: 'Unread messages' });
  const withWords = page.getByRole('checkbox', { name: 'Message text' });
  await expect(unread).toBeChecked();
  let saved = page.waitForResponse('**/rest/v1/rpc/save_notification_settings');
  await withWords.uncheck();
  expect((await saved).ok()).toBe(true);
  saved = page.waitForResponse('**/rest/v1/rpc/save_notification_settings');
  await unread.uncheck();
  expect((await saved).ok()).toBe(true);
  // A setting that can't be saved is reverted.
  await page.route('**/rpc/save_notification_settings', (route) => route.abort());
  await withWords.click();
  await expect(page.getByText('Your change wasn’t saved').first()).toBeVisible();
  await expect(withWords).not.toBeChecked();
  await page.unrouteAll();
  await page.getByRole('checkbox', { name: 'Play a sound' }).check();
  const notification = page.getByRole('checkbox', { name: 'Show a notification' });
  await notification.click();
  await expect(page.getByText('Your browser is blocking notifications.')).toBeVisible();
  await expect(notification).not.toBeChecked();
  await page.evaluate(() => localStorage.setItem('story-permission', 'granted'));
  await page.reload();
  await notification.click();
  await expect(notification).toBeChecked();
  await page.reload();
  await expect(unread).not.toBeChecked();
  await expect(withWords).not.toBeChecked();
  await expect(page.getByRole('checkbox', { name: 'Play a sound' })).toBeChecked();
  await expect(notification).toBeChecked();
});

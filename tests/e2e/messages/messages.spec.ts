import type { Page } from '@playwright/test';
import { checkAccessibility, checkWidth } from '../support/axe.ts';
import { CUT, expect, test } from '../support/harness.ts';
import {
  canWrite,
  createPair,
  field,
  hasArrived,
  message,
  messages,
  openBoth,
  openDirect,
  openOwn,
  say,
} from '../support/pair.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

/** Opens a message's menu and chooses an action, with the keyboard alone. */
async function act(page: Page, text: string, action: string) {
  await message(page, text)
    .getByRole('button', { name: /^Actions/ })
    .focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: action });
  await expect(item).toBeVisible();
  await item.press('Enter');
}

test('Two people write, reply, edit and delete', async ({ page, site, elsewhere }) => {
  const { other } = await openBoth(page, site, elsewhere);
  await expect(page.getByText('Active now', { exact: true })).toBeVisible();
  await expect(other.getByText('Active now', { exact: true })).toBeVisible();

  await field(page).pressSequentially('Good mor');
  await expect(other.getByText('Olga is typing…')).toBeVisible();
  await say(page, 'Good morning, Carl');
  await expect(message(other, 'Good morning, Carl')).toBeVisible();
  await expect(other.getByText('Olga is typing…')).toBeHidden();
  await expect(message(page, 'Good morning, Carl')).toContainText('Read');

  // Line breaks are kept, and URLs are links.
  await field(other).fill('One');
  await field(other).press('Shift+Enter');
  await field(other).pressSequentially('two https://example.com/a?b=1.');
  await field(other).press('Enter');
  const link = message(page, 'two').getByRole('link', { name: 'https://example.com/a?b=1' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
  await expect(page.getByRole('log', { name: 'New messages' })).toContainText('Carl Finch: One');

  // The up arrow in an empty field edits the user's last message.
  await field(other).press('ArrowUp');
  const own = other.getByRole('textbox', { name: 'Your message' });
  await expect(own).toHaveValue('One\ntwo https://example.com/a?b=1.');
  await own.fill('Twelve');
  await own.press('Enter');
  await expect(message(other, 'Twelve')).toContainText('edited');
  await expect(other.getByRole('status').getByText('Edited.')).toBeAttached();
  await expect(field(other)).toBeFocused();
  await expect(message(page, 'Twelve')).toContainText('edited');
  await expect(messages(page).getByText('two https')).toHaveCount(0);

  await act(page, 'Twelve', 'Reply');
  await expect(page.getByText('Reply to Carl Finch')).toBeVisible();
  await expect(field(page)).toBeFocused();
  await say(page, 'Thirteen, I think');
  const answer = message(other, 'Thirteen, I think');
  await expect(answer.getByRole('link', { name: /In reply to Carl Finch Twelve/ })).toBeVisible();
  await answer.getByRole('link', { name: /In reply to/ }).press('Enter');
  await expect(other.locator('li:focus')).toContainText('Twelve');

  await act(page, 'Good morning, Carl', 'Delete…');
  const sure = page.getByRole('dialog', { name: 'Delete this message?' });
  await expect(sure).toBeVisible();
  await sure.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(messages(page).getByText('You deleted this message.')).toBeVisible();
  await expect(field(page)).toBeFocused();
  await expect(messages(other).getByText('This message was deleted.')).toBeVisible();
  await expect(messages(other).getByText('Good morning, Carl')).toHaveCount(0);

  await checkAccessibility(page);
  await checkWidth(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
});

test('Unread messages show until they’re read', async ({ page, site, signIn, elsewhere }) => {
  const pair = await createPair(site);
  const coach = await elsewhere(pair.coach.email);
  const address = await openDirect(coach, pair.owner);
  await say(coach, 'Have you called the supplier?');
  await hasArrived(coach, 'Have you called the supplier?');

  await signIn(page, pair.owner.email);
  const joined = page.waitForEvent('websocket').then((socket) =>
    socket.waitForEvent('framereceived', ({ payload }) => {
      const said = String(payload);
      return said.includes(`person:${pair.owner.id}`) && said.includes('"status":"ok"');
    }),
  );
  await page.goto('/dashboard');
  await expect(page).toHaveTitle(/^\(1\) Dashboard/);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Messages 1 unread' })).toBeVisible();
  const place = page.getByRole('region', { name: 'Unread messages' });
  await expect(place.getByRole('link', { name: 'Carl Finch' })).toBeVisible();
  await expect(place).toContainText('Have you called the supplier?');

  // Live, on a page that isn't about messages.
  await joined;
  await say(coach, 'Or written to them?');
  await expect(page).toHaveTitle(/^\(2\) Dashboard/);
  await expect(nav.getByRole('link', { name: 'Messages 2 unread' })).toBeVisible();

  await nav.getByRole('link', { name: /Messages/ }).click();
  await page.waitForURL('**/dashboard/messages');
  const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
  await expect(row).toHaveText(/Carl Finch.*Or written to them\?.*2 unread/);
  await say(coach, 'Call me back');
  await expect(row).toHaveText(/Call me back.*3 unread/);
  await checkAccessibility(page);
  await checkWidth(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });

  await row.click();
  await page.waitForURL(address);
  await expect(messages(page).getByText('New', { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^Carl Finch/);
  await expect(nav.getByRole('link', { name: 'Messages', exact: true })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveTitle(/^Dashboard/);
  await expect(page.getByRole('region', { name: 'Unread messages' })).toHaveCount(0);
});

test('A person without messages sees who to write to', async ({ page, site, signIn }) => {
  const pair = await createPair(site);
  await signIn(page, pair.owner.email);
  await page.goto('/dashboard/messages');
  await expect(page.getByText('No messages yet')).toBeVisible();
  const people = page.getByRole('list', { name: 'People you can message' });
  await expect(people.getByRole('link')).toHaveText([
    /Carl Finch.*Your coach/,
    /Coaching: Wren Tools/,
    /Support/,
  ]);
  await checkAccessibility(page);
  await checkWidth(page, 320);
  await page.setViewportSize({ width: 1280, height: 800 });
  await people.getByRole('link', { name: /Support/ }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Support');
  await canWrite(page);
  await say(page, 'Where do I change my address?');

  // From the list, by searching for the same person.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Messages' })
    .click();
  await page.waitForURL('**/dashboard/messages');
  await page.getByRole('button', { name: 'New message' }).click();
  const dialog = page.getByRole('dialog', { name: 'New message' });
  await expect(dialog.getByRole('link')).toHaveCount(3);
  await dialog.getByLabel('Search').fill('carl');
  await expect(dialog.getByRole('link')).toHaveCount(1);
  await checkAccessibility(page);
  await dialog.getByRole('link', { name: /Carl Finch/ }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Carl Finch');

  // And from the coaching page, next to the coach's name.
  await page.goto('/dashboard/coaching');
  await page.getByRole('link', { name: 'Message Carl Finch' }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Coaching: Wren Tools/);
});

test('Everything in a conversation is reached by the keyboard', async ({ page, site }) => {
  await openOwn(page, site);
  await say(page, 'First of three');
  await say(page, 'Second of three');
  await say(page, 'Third of three');
  await expect(
    message(page, 'Third of three').getByRole('button', { name: /^Actions/ }),
  ).toBeAttached();

  // All messages are a single tab stop; arrow keys move between them.
  await page.getByRole('region', { name: /^Conversation/ }).focus();
  await page.keyboard.press('Tab');
  await expect(
    message(page, 'Third of three').getByRole('button', { name: /^Actions/ }),
  ).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(
    message(page, 'Second of three').getByRole('button', { name: /^Actions/ }),
  ).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Reply' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(
    message(page, 'Second of three').getByRole('button', { name: /^Actions/ }),
  ).toBeFocused();

  // The conversation's menu, and an item in it.
  const about = page.getByRole('button', { name: 'About this conversation' });
  await about.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'People in this conversation' }).press('Enter');
  const people = page.getByRole('dialog', { name: 'People in this conversation' });
  await expect(people.getByText('Olga Wren (you)')).toBeVisible();
  await checkAccessibility(page);
  await page.keyboard.press('Escape');
  await expect(people).toBeHidden();
  await expect(about).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Mute' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Muted');

  // A dialog, opened with a button and closed again.
  const begin = page.getByRole('button', { name: 'New message' });
  await begin.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'New message' });
  await expect(dialog.getByLabel('Search')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(begin).toBeFocused();

  // A message that's too long is rejected with its count, and isn't lost.
  await field(page).fill('x'.repeat(4_600));
  await expect(page.getByText('400 characters left')).toBeVisible();
  await field(page).fill('x'.repeat(5_003));
  await expect(page.getByText('3 characters too many')).toBeVisible();
  await field(page).press('Enter');
  await expect(page.getByRole('alert')).toContainText('3 characters too long');
  await expect(field(page)).toHaveValue('x'.repeat(5_003));
  await checkAccessibility(page);
});

import type { Page } from '@playwright/test';
import { silentInBothThemes } from './support/axe.ts';
import { expect, test } from './support/harness.ts';
import {
  CUT,
  canWrite,
  enter,
  field,
  makePair,
  message,
  messages,
  onAnotherComputer,
  openBoth,
  openDirect,
  openOwn,
  say,
} from './support/pair.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

async function staysWithin(page: Page) {
  await page.setViewportSize({ width: 320, height: 640 });
  await expect
    .poll(() =>
      page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      ),
    )
    .toBeLessThanOrEqual(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}

/** Opens what can be done with a message, by the keyboard alone. */
async function act(page: Page, text: string, action: string) {
  await message(page, text)
    .getByRole('button', { name: /^Actions/ })
    .focus();
  await page.keyboard.press('Enter');
  const item = page.getByRole('menuitem', { name: action });
  await expect(item).toBeVisible();
  await item.press('Enter');
}

test('Two people write to each other live: who is here, who types, what is read, changed, answered and deleted', async ({
  page,
  browser,
  site,
}) => {
  const { other } = await openBoth(page, browser, site);
  await expect(page.getByText('Active now', { exact: true })).toBeVisible();
  await expect(other.getByText('Active now', { exact: true })).toBeVisible();

  await field(page).pressSequentially('Good mor');
  await expect(other.getByText('Olga is writing …')).toBeVisible();
  await say(page, 'Good morning, Carl');
  await expect(message(other, 'Good morning, Carl')).toBeVisible();
  await expect(other.getByText('Olga is writing …')).toBeHidden();
  await expect(message(page, 'Good morning, Carl')).toContainText('Read');

  // A line of its own, and an address that is a link.
  await field(other).fill('One');
  await field(other).press('Shift+Enter');
  await field(other).pressSequentially('two https://example.com/a?b=1.');
  await field(other).press('Enter');
  const link = message(page, 'two').getByRole('link', { name: 'https://example.com/a?b=1' });
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer nofollow ugc');
  await expect(page.getByRole('log', { name: 'New messages' })).toContainText('Carl Finch: One');

  // The key for upwards in an empty field changes the last of one's own.
  await field(other).press('ArrowUp');
  const own = other.getByRole('textbox', { name: 'Your message' });
  await expect(own).toHaveValue('One\ntwo https://example.com/a?b=1.');
  await own.fill('Twelve');
  await own.press('Enter');
  await expect(message(other, 'Twelve')).toContainText('edited');
  await expect(other.getByRole('status').getByText('Changed.')).toBeAttached();
  await expect(field(other)).toBeFocused();
  await expect(message(page, 'Twelve')).toContainText('edited');
  await expect(messages(page).getByText('two https')).toHaveCount(0);

  await act(page, 'Twelve', 'Reply');
  await expect(page.getByText('Answer to Carl Finch')).toBeVisible();
  await expect(field(page)).toBeFocused();
  await say(page, 'Thirteen, I think');
  const answer = message(other, 'Thirteen, I think');
  await expect(answer.getByRole('link', { name: /In answer to Carl Finch Twelve/ })).toBeVisible();
  await answer.getByRole('link', { name: /In answer to/ }).press('Enter');
  await expect(other.locator('li:focus')).toContainText('Twelve');

  await act(page, 'Good morning, Carl', 'Delete …');
  const sure = page.getByRole('dialog', { name: 'Delete this message?' });
  await expect(sure).toBeVisible();
  await sure.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
  await expect(messages(page).getByText('You deleted this message.')).toBeVisible();
  await expect(field(page)).toBeFocused();
  await expect(messages(other).getByText('This message was deleted.')).toBeVisible();
  await expect(messages(other).getByText('Good morning, Carl')).toHaveCount(0);

  await silentInBothThemes(page);
  await staysWithin(page);
  await other.context().close();
});

test('What is unread stands in the navigation, in the title, on the dashboard and in the list, and goes when it is read', async ({
  page,
  browser,
  site,
}) => {
  const pair = await makePair(site);
  const coach = await onAnotherComputer(browser, site, pair.coach);
  const address = await openDirect(coach, pair.owner);
  await say(coach, 'Have you called the supplier?');

  await enter(page, site, pair.owner);
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

  // Live, on a page that has nothing else to do with messages.
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
  await silentInBothThemes(page);
  await staysWithin(page);

  await row.click();
  await page.waitForURL(address);
  await expect(messages(page).getByText('New', { exact: true })).toBeVisible();
  await expect(page).toHaveTitle(/^Carl Finch/);
  await expect(nav.getByRole('link', { name: 'Messages', exact: true })).toBeVisible();
  await page.goto('/dashboard');
  await expect(page).toHaveTitle(/^Dashboard/);
  await expect(page.getByRole('region', { name: 'Unread messages' })).toHaveCount(0);
  await coach.context().close();
});

test('Somebody without messages reads whom they may write to, and begins from there', async ({
  page,
  site,
}) => {
  const pair = await makePair(site);
  await enter(page, site, pair.owner);
  await page.goto('/dashboard/messages');
  await expect(page.getByText('No messages yet')).toBeVisible();
  const people = page.getByRole('list', { name: 'Whom you can write to' });
  await expect(people.getByRole('link')).toHaveText([
    /Carl Finch.*Your coach/,
    /Coaching: Wren Tools/,
    /Support/,
  ]);
  await silentInBothThemes(page);
  await staysWithin(page);
  await people.getByRole('link', { name: /Support/ }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Support');
  await canWrite(page);
  await say(page, 'Where do I change my address?');

  // From the list: the same people, searched.
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Messages' })
    .click();
  await page.waitForURL('**/dashboard/messages');
  await page.getByRole('button', { name: 'New message' }).click();
  const dialog = page.getByRole('dialog', { name: 'Write to' });
  await expect(dialog.getByRole('link')).toHaveCount(3);
  await dialog.getByLabel('Search').fill('carl');
  await expect(dialog.getByRole('link')).toHaveCount(1);
  await silentInBothThemes(page);
  await dialog.getByRole('link', { name: /Carl Finch/ }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Carl Finch');

  // And from where the coach is named.
  await page.goto('/dashboard/coaching');
  await page.getByRole('link', { name: 'Write to Carl Finch' }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Coaching: Wren Tools/);
});

test('A conversation that is somebody else’s, or none, is a page that is not there', async ({
  page,
  browser,
  site,
  signIn,
}) => {
  const pair = await makePair(site);
  const coach = await onAnotherComputer(browser, site, pair.coach);
  const address = new URL(await openDirect(coach, pair.owner)).pathname;
  await say(coach, 'Between the two of us');
  await signIn(page, 'owner');
  for (const path of [
    address,
    '/dashboard/messages/conversations/not-a-uuid',
    '/dashboard/messages/conversations/0198f0a0-1111-7222-8333-444455556666',
  ]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(404);
    await expect(page.getByText(`Page not found: ${path}`)).toBeVisible();
    await expect(page.getByText('Between the two of us')).toHaveCount(0);
  }
  // Nor can they begin one with whom they do not work.
  await page.goto(`/dashboard/messages?to=direct:${pair.coach.id}`);
  await expect(page.getByRole('alert')).toContainText('not among those you may write to');
  await coach.context().close();
});

test('Everything in a conversation is reached by the keyboard', async ({ page, site }) => {
  await openOwn(page, site);
  await say(page, 'First of three');
  await say(page, 'Second of three');
  await say(page, 'Third of three');
  await expect(
    message(page, 'Third of three').getByRole('button', { name: /^Actions/ }),
  ).toBeAttached();

  // One stop of the tab key for all of them; arrows go from one to the next.
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

  // The menu of the conversation, and a choice in it.
  const about = page.getByRole('button', { name: 'About this conversation' });
  await about.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Who takes part' }).press('Enter');
  const people = page.getByRole('dialog', { name: 'Who takes part' });
  await expect(people.getByText('Olga Wren (you)')).toBeVisible();
  await silentInBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(people).toBeHidden();
  await expect(about).toBeFocused();
  await page.keyboard.press('Enter');
  await page.getByRole('menuitem', { name: 'Mute' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Muted');

  // A dialog that a button opens, and left again.
  const begin = page.getByRole('button', { name: 'New message' });
  await begin.press('Enter');
  await expect(page.getByRole('dialog', { name: 'Write to' }).getByLabel('Search')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(begin).toBeFocused();

  // A message that is too long is refused with its count, and stays.
  await field(page).fill('x'.repeat(4_600));
  await expect(page.getByText('400 letters left')).toBeVisible();
  await field(page).fill('x'.repeat(5_003));
  await expect(page.getByText('3 letters too many')).toBeVisible();
  await field(page).press('Enter');
  await expect(page.getByRole('alert')).toContainText('3 letters too long');
  await expect(field(page)).toHaveValue('x'.repeat(5_003));
  await silentInBothThemes(page);
});

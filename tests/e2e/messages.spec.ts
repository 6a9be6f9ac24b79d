import type { Page } from '@playwright/test';
import { violationsOn } from './axe.ts';
import { expect, test } from './harness.ts';
import {
  CUT,
  canWrite,
  enter,
  field,
  hasArrived,
  inDatabase,
  makePair,
  message,
  messages,
  onAnotherComputer,
  openBoth,
  openDirect,
  openOwn,
  say,
  writeMany,
} from './pair.ts';

test.use({ expectedConsole: CUT });

const THEMES = ['light', 'dark'] as const;

async function silentAxe(page: Page) {
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const violations = await violationsOn(page);
    expect(violations, colorScheme).toEqual([]);
  }
}

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

  await silentAxe(page);
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

  await enter(page, pair.owner);
  await page.goto('/dashboard');
  await expect(page).toHaveTitle(/^\(1\) Dashboard/);
  const nav = page.getByRole('navigation', { name: 'Main' });
  await expect(nav.getByRole('link', { name: 'Messages 1 unread' })).toBeVisible();
  const place = page.getByRole('region', { name: 'Unread messages' });
  await expect(place.getByRole('link', { name: 'Carl Finch' })).toBeVisible();
  await expect(place).toContainText('Have you called the supplier?');

  // Live, on a page that has nothing else to do with messages.
  await say(coach, 'Or written to them?');
  await expect(page).toHaveTitle(/^\(2\) Dashboard/);
  await expect(nav.getByRole('link', { name: 'Messages 2 unread' })).toBeVisible();

  await nav.getByRole('link', { name: /Messages/ }).click();
  await page.waitForURL('**/dashboard/messages');
  const row = page.getByRole('list', { name: 'Conversations' }).getByRole('link');
  await expect(row).toHaveText(/Carl Finch.*Or written to them\?.*2 unread/);
  await say(coach, 'Call me back');
  await expect(row).toHaveText(/Call me back.*3 unread/);
  await silentAxe(page);
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
  await enter(page, pair.owner);
  await page.goto('/dashboard/messages');
  await expect(page.getByText('No messages yet')).toBeVisible();
  const people = page.getByRole('list', { name: 'Whom you can write to' });
  await expect(people.getByRole('link')).toHaveText([
    /Carl Finch.*Your coach/,
    /Coaching: Wren Tools/,
    /Support/,
  ]);
  await silentAxe(page);
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
  await silentAxe(page);
  await dialog.getByRole('link', { name: /Carl Finch/ }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Carl Finch');

  // And from where the coach is named.
  await page.goto('/dashboard/coaching');
  await page.getByRole('link', { name: 'Write to Carl Finch' }).click();
  await page.waitForURL(/conversations\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Coaching: Wren Tools/);
});

test('A search finds conversations and, below them, messages, and opens one where it stands', async ({
  page,
  browser,
  site,
}) => {
  const { pair, address } = await openOwn(page, site);
  await say(page, 'The blue heron invoice is paid');
  await hasArrived(page, 'The blue heron invoice is paid');
  // So much was written since that it is not on the page.
  await writeMany(site, address, pair, 120);
  await page.goto('/dashboard/messages');
  const search = page.getByLabel('Search people and messages');
  await search.fill('heron');
  const hits = page.getByRole('list', { name: 'Messages that were found' });
  await expect(hits.getByRole('link')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Conversations', exact: true })).toHaveCount(0);
  await search.fill('finch');
  await expect(
    page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link'),
  ).toHaveCount(1);
  await search.fill('giraffe');
  await expect(page.getByText('Nothing is found for “giraffe”')).toBeVisible();

  // The connection is lost: it is said, and searched again when it is back.
  await page.context().setOffline(true);
  await search.fill('heron');
  await expect(page.getByRole('alert').getByText('The list could not be read')).toBeVisible();
  await page.context().setOffline(false);
  await expect(hits.getByRole('link')).toHaveCount(1);

  await hits.getByRole('link').click();
  await page.waitForURL(/at=1$/);
  await expect(message(page, 'The blue heron invoice is paid')).toBeInViewport();
  await page.getByRole('button', { name: 'To the newest' }).click();
  await expect(message(page, 'Line 120 and so on')).toBeInViewport();

  // Back up: what is older comes as one goes, and the place is kept.
  const thread = page.getByRole('region', { name: /^Conversation/ });
  await thread.focus();
  await expect
    .poll(async () => {
      await thread.evaluate((element) => element.scrollBy(0, -2_000));
      return message(page, 'The blue heron invoice is paid').count();
    })
    .toBe(1);

  // Without scripts a search is a form that asks the page.
  const plain = await browser.newContext({
    baseURL: site.url,
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const unscripted = await plain.newPage();
  await unscripted.goto('/dashboard/messages?q=heron');
  await expect(unscripted.getByText('blue heron invoice')).toBeVisible();
  await unscripted.goto(address);
  await expect(message(unscripted, 'Line 120 and so on')).toBeVisible();
  await plain.close();
});

test('A message that a link names stays in view while newer ones come in below it', async ({
  page,
  site,
}) => {
  const { pair, address } = await openOwn(page, site);
  await say(page, 'The first of many');
  await hasArrived(page, 'The first of many');
  await writeMany(site, address, pair, 120);
  // A busy machine: what the page wants to do with its next picture is done a second later.
  await page.addInitScript(() => {
    window.requestAnimationFrame = (draw) =>
      Number(setTimeout(() => draw(performance.now()), 1_000));
    window.cancelAnimationFrame = (id) => clearTimeout(id);
  });
  await page.goto(`${address}?at=1`);
  const named = message(page, 'The first of many');
  await expect(named).toBeFocused();
  // It is marked for longer than all of that takes.
  const mark = named.locator('.ring-focus');
  await expect(mark).toBeVisible();
  await expect(mark).toHaveCount(0);
  await expect(named).toBeInViewport();
  // Newer ones come in below as the reader goes on, and move nothing.
  const thread = page.getByRole('region', { name: /^Conversation/ });
  await thread.evaluate((element) => element.scrollTo(0, -300));
  await expect(message(page, 'Line 90 and so on')).toBeAttached();
  await expect(message(page, 'Line 90 and so on')).not.toBeInViewport();
});

test('A conversation opens at its end where all that is new fits on a phone', async ({
  page,
  site,
}) => {
  const { pair, address } = await openOwn(page, site);
  await writeMany(site, address, pair, 40);
  await inDatabase(
    site,
    (sql) => sql`
      update public.conversation_participants p set read_seq = c.last_seq - 3, unread = 1
      from public.conversations c
      where c.id = p.conversation_id and c.id = ${address.split('/').at(-1) ?? ''}
        and p.user_id = ${pair.owner.id}`,
  );
  await page.setViewportSize({ width: 360, height: 600 });
  await page.goto(address);
  await canWrite(page);
  await expect(messages(page).getByText('New', { exact: true })).toBeInViewport();
  await expect(message(page, 'Line 40')).toBeInViewport({ ratio: 1 });
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

test('New messages below are counted for whoever reads further up, and one stroke leads there', async ({
  page,
  browser,
  site,
}) => {
  const { other } = await openBoth(page, browser, site);
  for (let line = 1; line <= 22; line += 1) await say(page, `Up ${line}.`);
  await expect(message(other, 'Up 22.')).toBeVisible();
  const thread = other.getByRole('region', { name: /^Conversation/ });
  await thread.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await expect(message(other, 'Up 1.')).toBeInViewport();
  await expect(other.getByRole('button', { name: 'To the newest' })).toBeVisible();
  const before = await message(other, 'Up 1.').boundingBox();
  await say(page, 'First below');
  await expect(other.getByRole('button', { name: '1 new message' })).toBeVisible();
  await say(page, 'Second below');
  const button = other.getByRole('button', { name: '2 new messages' });
  await expect(button).toBeVisible();
  // What they read has not moved.
  const after = await message(other, 'Up 1.').boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  await button.click();
  await expect(message(other, 'Second below')).toBeInViewport();
  await expect(button).toBeHidden();
  await expect(message(page, 'Second below')).toContainText('Read');
  await other.context().close();
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
  await silentAxe(page);
  await page.keyboard.press('Escape');
  await expect(people).toBeHidden();
  await about.press('Enter');
  await page.getByRole('menuitem', { name: 'Mute' }).press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Muted');

  // A message that is too long is refused with its count, and stays.
  await field(page).fill('x'.repeat(4_600));
  await expect(page.getByText('400 letters left')).toBeVisible();
  await field(page).fill('x'.repeat(5_003));
  await expect(page.getByText('3 letters too many')).toBeVisible();
  await field(page).press('Enter');
  await expect(page.getByRole('alert')).toContainText('3 letters too long');
  await expect(field(page)).toHaveValue('x'.repeat(5_003));
  await silentAxe(page);
});

test('A conversation of a thousand messages is read back to its beginning, and only what is in view is drawn', async ({
  page,
  site,
}) => {
  test.setTimeout(120_000);
  const { pair, address } = await openOwn(page, site);
  await writeMany(site, address, pair, 1000);
  await page.reload();
  await canWrite(page);
  const thread = page.getByRole('region', { name: /^Conversation/ });
  const rows = messages(page).getByRole('listitem');
  const line = (n: number) => messages(page).getByText(new RegExp(`^Line ${n} `));
  await expect(line(1000)).toBeInViewport();
  const first = () =>
    thread.evaluate((element) => {
      element.scrollBy(0, -1_000_000);
      return Number(element.querySelector<HTMLElement>('[data-seq]')?.dataset.seq);
    });
  await expect.poll(first, { timeout: 60_000, intervals: [100] }).toBe(1);
  await expect(line(1)).toBeInViewport();
  await expect(page.getByText('This is where it begins')).toBeVisible();
  // Of a thousand rows only those around what is in view are on the page.
  await expect.poll(() => rows.count()).toBeLessThan(120);
  const places = await thread
    .locator('[data-seq]')
    .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset.seq)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));

  await thread.evaluate((element) => element.scrollBy(0, 1_500));
  await expect(line(1)).not.toBeInViewport();
  await page.getByRole('button', { name: 'To the newest' }).click();
  await expect(line(1000)).toBeInViewport();
  await say(page, 'One more than a thousand');
  await expect(message(page, 'One more than a thousand')).toBeInViewport();
  await silentAxe(page);
});

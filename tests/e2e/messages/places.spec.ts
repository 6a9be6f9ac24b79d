import { checkAccessibility } from '../support/axe.ts';
import { CUT, expect, goOffline, test } from '../support/harness.ts';
import {
  canWrite,
  hasArrived,
  message,
  messages,
  openOwn,
  say,
  writeMany,
} from '../support/pair.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

test('A search finds conversations and messages', async ({ page, site, elsewhere }) => {
  const { pair, address } = await openOwn(page, site);
  await say(page, 'The blue heron invoice is paid');
  await hasArrived(page, 'The blue heron invoice is paid');
  // So many messages follow it that it isn't on the page.
  await writeMany(site, address, pair, 120);
  await page.goto('/dashboard/messages');
  const search = page.getByLabel('Search people and messages');
  await search.fill('heron');
  const hits = page.getByRole('list', { name: 'Matching messages' });
  await expect(hits.getByRole('link')).toHaveCount(1);
  await expect(page.getByRole('list', { name: 'Conversations', exact: true })).toHaveCount(0);
  await search.fill('finch');
  await expect(
    page.getByRole('list', { name: 'Conversations', exact: true }).getByRole('link'),
  ).toHaveCount(1);
  await search.fill('giraffe');
  await expect(page.getByText('Nothing found for “giraffe”')).toBeVisible();

  // Offline, the search shows an error, and runs again once the connection is back.
  await goOffline(page);
  await search.fill('heron');
  await expect(page.getByRole('alert').getByText('couldn’t load your conversations')).toBeVisible();
  await page.context().setOffline(false);
  await expect(hits.getByRole('link')).toHaveCount(1);

  await hits.getByRole('link').click();
  await page.waitForURL(/at=1$/);
  await expect(message(page, 'The blue heron invoice is paid')).toBeInViewport();
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(message(page, 'Line 120 and so on')).toBeInViewport();

  // Scrolling up loads older messages and keeps the scroll position.
  const thread = page.getByRole('region', { name: /^Conversation/ });
  await thread.focus();
  await expect
    .poll(async () => {
      await thread.evaluate((element) => element.scrollBy(0, -2_000));
      return message(page, 'The blue heron invoice is paid').count();
    })
    .toBe(1);

  // Without scripts, the search is a form that loads the page with a query.
  const unscripted = await elsewhere(pair.owner.email, { javaScriptEnabled: false });
  await unscripted.goto('/dashboard/messages?q=heron');
  await expect(unscripted.getByText('blue heron invoice')).toBeVisible();
  await unscripted.goto(address);
  await expect(message(unscripted, 'Line 120 and so on')).toBeVisible();
});

test('A linked message stays in view while newer ones load below it', async ({ page, site }) => {
  const { pair, address } = await openOwn(page, site);
  await say(page, 'The first of many');
  await hasArrived(page, 'The first of many');
  await writeMany(site, address, pair, 120);
  // Simulates a busy machine: animation frames run a second late.
  await page.addInitScript(() => {
    window.requestAnimationFrame = (draw) =>
      Number(setTimeout(() => draw(performance.now()), 1_000));
    window.cancelAnimationFrame = (id) => clearTimeout(id);
  });
  await page.goto(`${address}?at=1`);
  const named = message(page, 'The first of many');
  await expect(named).toBeFocused();
  // The highlight lasts longer than all of that takes.
  const mark = named.locator('.ring-focus');
  await expect(mark).toBeVisible();
  await expect(mark).toHaveCount(0);
  await expect(named).toBeInViewport();
  // Newer messages load below while the user scrolls, without shifting anything.
  const thread = page.getByRole('region', { name: /^Conversation/ });
  await thread.evaluate((element) => element.scrollTo(0, -300));
  await expect(message(page, 'Line 90 and so on')).toBeAttached();
  await expect(message(page, 'Line 90 and so on')).not.toBeInViewport();
});

test('A conversation whose new messages fit a phone opens at its end', async ({ page, site }) => {
  const { pair, address } = await openOwn(page, site);
  // Leave the page first, as it would receive them and mark them as read.
  await page.goto('about:blank');
  await writeMany(site, address, pair, 40);
  await site.sql`
    update public.conversation_participants p set read_seq = c.last_seq - 3, unread = 1
    from public.conversations c
    where c.id = p.conversation_id and c.id = ${address.split('/').at(-1) ?? ''}
      and p.user_id = ${pair.owner.id}`;
  await page.setViewportSize({ width: 360, height: 600 });
  await page.goto(address);
  await canWrite(page);
  await expect(messages(page).getByText('New', { exact: true })).toBeInViewport();
  await expect(message(page, 'Line 40')).toBeInViewport({ ratio: 1 });
});

test('New messages below the view are counted', async ({ page, site, elsewhere }) => {
  const { pair, address } = await openOwn(page, site);
  await writeMany(site, address, pair, 22);
  const other = await elsewhere(pair.coach.email);
  await other.goto(address);
  await canWrite(other);
  const up = other.getByText(/^Line 1 /);
  const thread = other.getByRole('region', { name: /^Conversation/ });
  await thread.evaluate((element) => element.scrollTo({ top: -element.scrollHeight }));
  await expect(up).toBeInViewport();
  await expect(other.getByRole('button', { name: 'Jump to latest' })).toBeVisible();
  const before = await up.boundingBox();
  await say(page, 'First below');
  await expect(other.getByRole('button', { name: '1 new message' })).toBeVisible();
  await say(page, 'Second below');
  const button = other.getByRole('button', { name: '2 new messages' });
  await expect(button).toBeVisible();
  // What they're reading hasn't moved.
  const after = await up.boundingBox();
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
  await button.click();
  await expect(message(other, 'Second below')).toBeInViewport();
  await expect(button).toBeHidden();
  await expect(message(page, 'Second below')).toContainText('Read');
});

test('Of a thousand messages only those in view are rendered', async ({ page, site }) => {
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
  await expect(page.getByText('The conversation starts here')).toBeVisible();
  // Of a thousand rows, only those around the viewport are in the DOM.
  await expect.poll(() => rows.count()).toBeLessThan(120);
  const places = await thread
    .locator('[data-seq]')
    .evaluateAll((all) => all.map((each) => Number((each as HTMLElement).dataset.seq)));
  expect(places).toEqual(places.toSorted((a, b) => a - b));

  await thread.evaluate((element) => element.scrollBy(0, 1_500));
  await expect(line(1)).not.toBeInViewport();
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect(line(1000)).toBeInViewport();
  await say(page, 'One more than a thousand');
  await expect(message(page, 'One more than a thousand')).toBeInViewport();
  await checkAccessibility(page);
});

import type { Page } from '@playwright/test';
import { register } from '../support/account-steps.ts';
import { checkBothThemes, checkWidth } from '../support/axe.ts';
import { openBusiness, ready } from '../support/business-steps.ts';
import { awake, CUT, expect, holdScripts, type Site, test } from '../support/harness.ts';

test.use({ changesDemo: false, expectedConsole: CUT });

const bell = (page: Page, unread: number) =>
  page.getByRole('link', {
    name: unread > 0 ? `Notifications, ${unread} unread` : 'Notifications',
    exact: true,
  });
const popover = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
const markAll = (page: Page) => page.getByRole('button', { name: 'Mark all as read' });

/** Notifies someone of several things, as the product does. */
const notify = ({ sql }: Site, email: string, titles: readonly string[]) =>
  sql`
    select private.notify(u.id, 'coaching', t, t, 'About ' || t, '/dashboard/toolbox')
    from auth.users u, unnest(${titles as string[]}::text[]) t where u.email = ${email}`;

test('What happens is counted at the bell, opened from it, and read in both tabs', async ({
  page,
  site,
  elsewhere,
}) => {
  const guest = await elsewhere(null);
  const address = await register(guest, site, 'guest');
  const owner = await openBusiness(page, site, 'Bell Hardware');
  await ready(page);
  await page.getByLabel('Their email').fill(address);
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByRole('list', { name: 'Invited' })).toContainText(address);
  const other = await page.context().newPage();
  await other.goto('/dashboard/projects');
  await expect(bell(other, 0)).toBeVisible();

  await guest.goto('/dashboard/businesses');
  await guest.getByRole('button', { name: 'Join Bell Hardware' }).click();
  await guest.waitForURL(/\/dashboard\/businesses\/[0-9a-f-]{36}$/);
  await expect(bell(other, 1)).toBeVisible();
  await bell(page, 1).click();
  const news = popover(page).getByRole('link', { name: /Rosa Marsh has joined Bell Hardware/ });
  await expect(news).toContainText('Unread: ');
  await expect(popover(page)).toBeFocused();
  await checkBothThemes(page);
  await page.keyboard.press('Escape');
  await expect(popover(page)).toHaveCount(0);
  await expect(bell(page, 1)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(news).toBeVisible();
  await bell(page, 1).click();
  await expect(popover(page)).toHaveCount(0);

  await bell(page, 1).click();
  await news.click();
  await page.waitForURL(/\/dashboard\/businesses\/[0-9a-f-]{36}#members$/);
  await expect(bell(page, 0)).toBeVisible();
  await expect(bell(other, 0)).toBeVisible();
  await site.mail(owner, /has joined Bell Hardware/);
  expect((await site.mails(owner)).filter(({ subject }) => /joined/.test(subject))).toHaveLength(1);
});

test('All are read at once, in both tabs, and the popover shows what arrives while it’s open', async ({
  page,
  site,
}) => {
  const email = await register(page, site, 'owner', 'Many Bells');
  await notify(site, email, ['first', 'second']);
  const other = await page.context().newPage();
  await other.goto('/dashboard/notifications');
  await page.goto('/dashboard');
  await awake(page);
  await bell(page, 2).click();
  await expect(popover(page).getByRole('listitem')).toHaveCount(2);
  await notify(site, email, ['third']);
  await expect(popover(page).getByRole('listitem')).toHaveCount(3);
  await expect(other.getByRole('main').getByRole('listitem')).toHaveCount(3);
  await expect(bell(other, 3)).toBeVisible();

  const failing = '**/rest/v1/rpc/mark_notifications_read';
  await page.route(failing, (route) => route.abort('connectionfailed'));
  await markAll(page).click();
  await expect(popover(page).getByRole('alert')).toContainText('We couldn’t reach the server');
  await page.unroute(failing);
  await markAll(page).click();
  await expect(bell(page, 0)).toBeVisible();
  await expect(markAll(page)).toHaveCount(0);
  await expect(bell(other, 0)).toBeVisible();
  await expect(other.getByRole('main').getByText('Unread: ')).toHaveCount(0);
  await popover(page).getByRole('link', { name: 'All notifications' }).click();
  await page.waitForURL('**/dashboard/notifications');
});

test('A list that can’t be loaded says so, and is loaded again', async ({ page, site }) => {
  await register(page, site, 'owner', 'No Bells');
  await page.goto('/dashboard');
  const failing = '**/rest/v1/rpc/list_notifications';
  await page.route(failing, (route) => route.abort('connectionfailed'));
  await awake(page);
  await bell(page, 0).click();
  await expect(popover(page)).toContainText('We couldn’t load your notifications');
  await page.unroute(failing);
  await popover(page).getByRole('button', { name: 'Try again' }).click();
  await expect(popover(page)).toContainText('You have no notifications yet.');
  // Next to the popover, which covers the middle of the page's head.
  await page.getByRole('main').click({ position: { x: 700, y: 6 } });
  await expect(popover(page)).toHaveCount(0);
  await page.goto('/dashboard/notifications');
  await expect(page.getByText('No notifications yet')).toBeVisible();
});

test('Before its scripts arrive, the bell leads to a page that lists all of them', async ({
  page,
  site,
}) => {
  const email = await register(page, site, 'owner', 'Early Bells');
  await notify(
    site,
    email,
    Array.from({ length: 30 }, (_, n) => `number ${n + 1}`),
  );
  await holdScripts(page);
  const soon = { waitUntil: 'commit' } as const;
  await page.goto('/dashboard', soon);
  // The phone's bell comes first in the page, and is there until the styles hide it.
  const inSidebar = page.getByRole('complementary', { name: 'Navigation and account' });
  await inSidebar.getByRole('link', { name: 'Notifications, 30 unread' }).click();
  await page.waitForURL('**/dashboard/notifications', soon);
  const list = page.getByRole('main').getByRole('listitem');
  await expect(list).toHaveCount(25);
  await page.getByRole('link', { name: 'Next page' }).click();
  await expect(list).toHaveCount(5);
  await list.first().getByRole('link').click();
  await page.waitForURL('**/dashboard/toolbox', soon);
  await expect(bell(page, 29)).toBeVisible();
});

test('On a phone, the bell is in the header and its list fits', async ({ page, site }) => {
  await page.setViewportSize({ width: 360, height: 700 });
  const email = await register(page, site, 'owner', 'Small Bells');
  await notify(site, email, ['a long title that goes on and on '.repeat(5)]);
  await page.goto('/dashboard');
  await awake(page);
  await page
    .getByRole('banner')
    .getByRole('link', { name: /^Notifications/ })
    .click();
  await expect(popover(page).getByRole('listitem')).toHaveCount(1);
  await checkWidth(page, 320);
  await checkBothThemes(page);
  await page.goto('/dashboard/notifications');
  await awake(page);
  await checkWidth(page, 320);
  await checkBothThemes(page);
});

import type { BrowserContext } from '@playwright/test';
import { checkAccessibility } from '../support/axe.ts';
import { expect, type Site, test } from '../support/harness.ts';

test.use({ as: 'owner' });

const TWO_HOURS = 2 * 60 * 60;

/** Sets the cookie as it was two hours ago. */
async function leftTwoHoursAgo({ sql, url }: Site, context: BrowserContext): Promise<void> {
  const [person] = await sql`select id from auth.users where email = 'owner@demo.test'`;
  const value = `${person?.id}.${Math.floor(Date.now() / 1_000) - TWO_HOURS}.`;
  await context.addCookies([
    { name: 'trellis-visit', value, domain: new URL(url).hostname, path: '/dashboard' },
  ]);
}

test('An owner reads what’s changed since they were here, and it’s still there after a reload', async ({
  page,
  context,
  site,
}) => {
  await page.goto('/dashboard');
  const lately = page.getByRole('region', { name: 'Recently' });
  await expect(lately.getByRole('listitem').first()).toBeVisible();
  // Everything else happened longer ago.
  await site.sql`update public.notifications set created_at = created_at - interval '1 day'`;
  await leftTwoHoursAgo(site, context);
  await page.reload();
  await expect(page.getByText('Nothing’s changed since you were last here')).toBeVisible();
  await site.sql`
    select private.notify(id, 'coaching', 'news', 'Ruth answered', 'B', '/dashboard/toolbox')
    from auth.users where email = 'owner@demo.test'`;
  await page.reload();
  const news = page.getByRole('region', { name: 'Since you were last here' });
  await expect(news.getByRole('listitem')).toHaveText([/^Ruth answered/]);
  await checkAccessibility(page);
  await news.getByRole('link', { name: 'Ruth answered' }).click();
  await expect(page).toHaveURL(/\/dashboard\/toolbox$/);
});

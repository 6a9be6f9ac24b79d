import type { Page } from '@playwright/test';
import { createServerClient } from '@supabase/ssr';
import { demoPassword } from '#backend/local/demo/accounts.ts';
import { SESSION_COOKIE, SESSION_COOKIE_SECONDS } from '#lib/session-cookie.ts';

/**
 * Signs in a person with the demo's password by setting the cookies that the form would have set.
 * The page is empty afterward: a sign-in page that's still open would go on by itself once there's
 * a session, and interrupt the test's next step.
 */
export async function addSession(page: Page, site: { url: string }, email: string): Promise<void> {
  if (page.url() !== 'about:blank') await page.goto('about:blank');
  const userAgent = await page.evaluate(() => navigator.userAgent);
  const answer = await fetch(`${site.url}/app-config.json`);
  const { supabaseUrl, publishableKey } = await answer.json();
  const { promise: written, resolve: write } =
    Promise.withResolvers<{ name: string; value: string }[]>();
  const client = createServerClient(supabaseUrl, publishableKey, {
    cookieOptions: { name: SESSION_COOKIE },
    cookies: { getAll: () => [], setAll: write },
    global: { headers: { 'User-Agent': userAgent } },
  });
  const { error } = await client.auth.signInWithPassword({ email, password: demoPassword });
  if (error) throw error;
  const expires = Math.floor(Date.now() / 1_000) + SESSION_COOKIE_SECONDS;
  const cookies = await written;
  // Large sessions are split into several cookies, so an earlier one could leave some behind.
  await page.context().clearCookies({ name: new RegExp(`^${SESSION_COOKIE}`) });
  await page.context().addCookies(
    cookies.map(({ name, value }) => ({
      name,
      value: encodeURIComponent(value),
      url: site.url,
      expires,
      sameSite: 'Lax' as const,
    })),
  );
}

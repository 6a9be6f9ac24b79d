import { expect, test } from 'vitest';
import { getProfile } from '#data/profiles.ts';
import type { ServerConfig } from '#lib/app-config.ts';
import { collectCalls } from '#lib/batch.ts';
import { encodeSession } from '#lib/session-cookie.ts';
import type { Db } from '#lib/supabase.ts';
import { createBackendFetch } from '#server/backend-fetch.ts';
import { openVisit } from '#session/session.ts';
import { openSite, SITE } from './site.ts';

const site = await openSite();
const { browser, id } = await site.person('rosa@example.com');
const config: ServerConfig = {
  supabaseUrl: SITE,
  publishableKey: site.keys.publishableKey,
  siteUrl: SITE,
  publicSupabaseUrl: undefined,
  fetch: createBackendFetch(site.gateway),
};
const { data } = await browser.auth.getSession();
if (!data.session) throw new Error('Not signed in');
const cookie = encodeSession(data.session)
  .map(({ name, value }) => `${name}=${value}`)
  .join('; ');

/** Opens a page as the server does, which remembers tokens that it has verified. */
async function open() {
  const calls = (db: Db) => collectCalls(db, () => [getProfile(db)]);
  const request = new Request(`${SITE}/dashboard/profile`, { headers: { cookie } });
  const { session, db, setCookies } = await openVisit(request, config, calls);
  return { session, setCookies, profile: session && (await getProfile(db)) };
}

test('A page shows an edit, a new role and a sign-out at once', async () => {
  expect((await open()).session).toMatchObject({ userId: id, role: 'owner' });

  await site.sql`update public.profiles set full_name = 'Rosa Marsh' where user_id = ${id}`;
  const edited = await open();
  expect([edited.session?.fullName, edited.profile?.full_name]).toEqual([
    'Rosa Marsh',
    'Rosa Marsh',
  ]);

  await site.sql`insert into public.staff_roles (user_id, role) values (${id}, 'coach')`;
  expect((await open()).session?.role).toBe('coach');
  await site.sql`delete from public.staff_roles where user_id = ${id}`;
  expect((await open()).session?.role).toBe('owner');

  await browser.auth.signOut();
  const after = await open();
  expect(after.session).toBeNull();
  expect(after.setCookies[0]).toMatch(/^trellis-session=;/);
});

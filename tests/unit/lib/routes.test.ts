import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Role } from '#domain/person.ts';
import { hrefFor } from '#lib/routing/href.ts';
import { dashboardLinks, footerGroups, headerLinks } from '#lib/routing/navigation.ts';
import {
  homeOf,
  isErrorPage,
  isOutsideTable,
  match,
  pathForLogs,
  placeholderFor,
  routes,
} from '#lib/routing/routes.ts';
import { isUuid } from '#lib/routing/uuid.ts';

const PAGES = new URL('../../../src/pages/', import.meta.url);

/** Endpoints of signed-in people are guarded by their rows, as pages are; those with a secret have one for logs. */
const isGuarded = (file: string) => /^(dashboard|admin|confirm)\/.*\.ts$/.test(file);

/** The files in `pages/`, with the URL paths that Astro serves them at. */
function pagePaths(): { path: string; file: string }[] {
  return readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.astro') || isGuarded(file))
    .map((file) => ({
      file,
      path: `/${file.replace(/\.(astro|ts)$/, '').replace(/(^|\/)index$/, '')}`,
    }));
}

/** The only public page under /admin. */
const BLANK_PLAN = '/admin/one-page-business-plan-template';
const ID = '0198f0a0-1111-7222-8333-444455556666';

const withValues = (path: string) =>
  path
    .replace('[id]', ID)
    .replace('[slug]', 'cash-flow-in-a-bad-month')
    .replace('[language]', 'es')
    .replace('[token]', 'ab'.repeat(32));

describe('The table of pages', () => {
  test('Every row has its page, and every page its row', () => {
    const files = pagePaths()
      .map(({ path }) => path)
      .filter((path) => !isErrorPage(path) && !isOutsideTable(path));
    const rows = routes.map(({ path }) => path);
    expect({
      missingInRoutesTs: files.filter((path) => !rows.includes(path)),
      missingInPages: rows.filter((path) => !files.includes(path)),
      twice: rows.filter((path, place) => rows.indexOf(path) !== place),
    }).toEqual({ missingInRoutesTs: [], missingInPages: [], twice: [] });
  });

  test('A page that its row calls on-demand has `export const prerender = false`, no other has', () => {
    const renderings = new Map(routes.map((route) => [route.path, route.rendering]));
    for (const { path, file } of pagePaths()) {
      if (!renderings.has(path)) continue;
      const onDemand = /export const prerender = false/.test(
        readFileSync(new URL(file, PAGES), 'utf8'),
      );
      const rendering = onDemand ? 'on-demand' : 'prerendered';
      expect([path, rendering]).toEqual([path, renderings.get(path)]);
    }
  });

  test('Each row is found by its own path', () => {
    for (const route of routes) expect(match(withValues(route.path))?.route).toBe(route);
  });

  test('Only pages rendered on demand have a guard, and all private ones have', () => {
    for (const { path, guard, rendering } of routes) {
      if (guard === 'auth' || guard === 'admin')
        expect([path, rendering]).toEqual([path, 'on-demand']);
      if (path === BLANK_PLAN) continue;
      if (/^\/(dashboard|admin)/.test(path) && path !== '/dashboard/skills/quiz') {
        expect([path, guard]).not.toEqual([path, 'none']);
      }
      // Everyone asks there for their own email again.
      const expected = path === '/admin/resend-verification' ? 'auth' : 'admin';
      if (path.startsWith('/admin')) expect([path, guard]).toEqual([path, expected]);
    }
  });

  test('A slash at the end makes no difference, a slash more does', () => {
    expect(match('/dashboard/')?.route.path).toBe('/dashboard');
    expect(match('/dashboard//')).toBeNull();
    expect(match('//dashboard')).toBeNull();
  });

  test('A malformed id fits no page', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), (id) => {
        const found = match(`/dashboard/skills/quiz/${encodeURIComponent(id)}`);
        return isUuid(id) ? found !== null : found === null || found.params.id === undefined;
      }),
    );
  });

  test('An address is written from its row, and refuses what does not fit', () => {
    expect(hrefFor('/dashboard/skills/quiz/[id]', { id: ID })).toBe(`/dashboard/skills/quiz/${ID}`);
    expect(() => hrefFor('/dashboard/skills/quiz/[id]', { id: '../admin' })).toThrow();
    // @ts-expect-error: a page that isn't in the table has no address.
    hrefFor('/no-such-page');
  });

  test('A page view is counted without the values of its path', () => {
    expect(placeholderFor(`/dashboard/skills/quiz/${ID}`)).toBe('/dashboard/skills/quiz/[id]');
    expect(placeholderFor('/rosa@example.com')).toBe('unknown');
  });

  test('A secret in an address is neither counted nor logged', () => {
    const secret = 'ab'.repeat(32);
    expect(placeholderFor(`/engagement-survey/${secret}`)).toBe('/engagement-survey/[token]');
    expect(pathForLogs(`/engagement-survey/${secret}`)).toBe('/engagement-survey/[token]');
    expect(pathForLogs(`/dashboard/projects/${ID}`)).toBe(`/dashboard/projects/${ID}`);
  });

  test('Each role finds its own work in the navigation, and nothing that is empty for it', () => {
    const labels = (role: Role) => dashboardLinks[role].map(({ label }) => label);
    expect(labels('owner').join()).toBe(
      'Home,Skills,Projects,Messages,Toolbox,Coaching,Businesses,Orders',
    );
    expect(labels('coach').join()).toBe('Today,Clients,Projects,Messages,Toolbox,Businesses');
    expect(labels('admin').join()).toBe('Messages,Toolbox');
  });

  test('A visitor finds at most six links in the header, and each of them again in the footer', () => {
    expect(headerLinks.length).toBeLessThanOrEqual(6);
    const footer = footerGroups.flatMap(({ links }) => links);
    expect(footer).toEqual(expect.arrayContaining(headerLinks));
  });

  test('Everyone who signs in lands on a page that their role may open', () => {
    expect(homeOf('owner')).toBe('/dashboard');
    expect(homeOf('coach')).toBe('/dashboard/coaching');
    expect(homeOf('admin')).toBe('/admin');
  });
});

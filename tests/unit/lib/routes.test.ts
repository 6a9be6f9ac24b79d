import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  footerGroups,
  homeOf,
  hrefFor,
  isErrorPage,
  isOutsideTable,
  isUuid,
  match,
  navLinks,
  placeholderFor,
  routes,
} from '#lib/routes.ts';

const PAGES = new URL('../../../src/pages/', import.meta.url);

/** The paths of the files in `pages/`, as Astro serves them. */
function pagePaths(): { path: string; file: string }[] {
  return readdirSync(PAGES, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.astro'))
    .map((file) => ({
      file,
      path: `/${file.replace(/\.astro$/, '').replace(/(^|\/)index$/, '')}`,
    }));
}

/** The one page below /admin that is for everybody. */
const BLANK_PLAN = '/admin/one-page-business-plan-template';

const withValues = (path: string) =>
  path
    .replace('[id]', '0198f0a0-1111-7222-8333-444455556666')
    .replace('[slug]', 'cash-flow-in-a-bad-month');

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
      if (path.startsWith('/admin')) expect([path, guard]).toEqual([path, 'admin']);
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
    const id = '0198f0a0-1111-7222-8333-444455556666';
    expect(hrefFor('/dashboard/skills/quiz/[id]', { id })).toBe(`/dashboard/skills/quiz/${id}`);
    expect(() => hrefFor('/dashboard/skills/quiz/[id]', { id: '../admin' })).toThrow();
    expect(() => hrefFor('/no-such-page')).toThrow();
  });

  test('A page view is counted without the values of its path', () => {
    expect(placeholderFor('/dashboard/skills/quiz/0198f0a0-1111-7222-8333-444455556666')).toBe(
      '/dashboard/skills/quiz/[id]',
    );
    expect(placeholderFor('/rosa@example.com')).toBe('unknown');
  });

  test('Navigation links to pages, and shows an owner nothing of the admin', () => {
    for (const place of ['header', 'footer', 'dashboard', 'admin'] as const) {
      for (const { href } of navLinks(place, 'admin')) expect(match(href)).not.toBeNull();
    }
    expect(navLinks('admin', 'owner')).toEqual([]);
    expect(navLinks('admin', 'admin')).not.toEqual([]);
  });

  test('Each role finds its own work in the navigation, and nothing that is empty for it', () => {
    const labels = (role: 'owner' | 'coach' | 'admin') =>
      navLinks('dashboard', role).map(({ label }) => label);
    expect(labels('owner')).toEqual([
      'Home',
      'Skills',
      'Projects',
      'Messages',
      'Toolbox',
      'Coaching',
      'Businesses',
    ]);
    expect(labels('coach')).toEqual(['Clients', 'Projects', 'Messages', 'Toolbox', 'Businesses']);
    expect(labels('admin')).toEqual(['Messages', 'Toolbox']);
  });

  test('A visitor finds at most six links in the header, and each of them again in the footer', () => {
    const header = navLinks('header').map(({ href }) => href);
    const footer = navLinks('footer');
    expect(header.length).toBeLessThanOrEqual(6);
    expect(footer.map(({ href }) => href)).toEqual(expect.arrayContaining(header));
    for (const heading of footerGroups) {
      expect(footer.filter(({ group }) => group === heading).length, heading).toBeGreaterThan(1);
    }
  });

  test('Everyone who signs in lands on a page that their role may open', () => {
    expect(homeOf('owner')).toBe('/dashboard');
    expect(homeOf('coach')).toBe('/dashboard/coaching');
    expect(homeOf('admin')).toBe('/admin');
  });
});

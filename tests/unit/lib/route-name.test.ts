import { expect, test } from 'vitest';
import { routeName } from '#lib/routing/route-name.ts';
import { routes } from '#lib/routing/routes.ts';

test('A page is known by its title, and by its address if that has a parameter', () => {
  expect(routeName('/about')).toBe('About');
  expect(routeName('/blog/[slug]')).toBe('Article (/blog/…)');
  expect(routeName('/[language]/pages/[slug]')).toBe('Page in another language');
  expect(routeName('')).toBe('All pages');
  expect(routeName('unknown')).toBe('Addresses that don’t exist');
});

test('Pages that share a title are told apart', () => {
  expect(routeName('/toolbox')).toBe('Toolbox');
  expect(routeName('/dashboard/toolbox')).toBe('Toolbox (signed in)');
  expect(routeName('/dashboard/coaching')).toBe('Coaching (signed in)');
  expect(routeName('/admin/coaching')).toBe('Coaching (admin)');
  const signedIn = routes
    .map(({ path }) => path)
    .filter((path) => /^\/(dashboard|admin)/.test(path));
  expect(new Set(signedIn.map(routeName)).size).toBe(signedIn.length);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loginHref, safeNext } from '#lib/routing/next-path.ts';
import { match, routes } from '#lib/routing/routes.ts';

const ID = '0198f0a0-1111-7222-8333-444455556666';

describe('Where a person goes after signing in', () => {
  test.each([
    ['/dashboard', '/dashboard'],
    ['/dashboard/skills/quiz?claim=abc_-9', '/dashboard/skills/quiz?claim=abc_-9'],
    [`/dashboard/skills/quiz/${ID}`, `/dashboard/skills/quiz/${ID}`],
    ['/dashboard#skills', '/dashboard#skills'],
    ['/dashboard/x/../skills', '/dashboard/skills'],
    ['/', '/'],
  ])('A person comes back to %s', (next, expected) => {
    expect(safeNext(next, null)).toBe(expected);
  });

  test.each([
    ['another site', 'https://evil.example/dashboard'],
    ['another site without a scheme', '//evil.example/dashboard'],
    ['another site behind a backslash', '/\\evil.example'],
    ['another site behind two backslashes', '\\\\evil.example'],
    ['another site behind an encoded slash', '/%2fevil.example'],
    ['another site behind an encoded slash in capitals', '/%2Fevil.example/dashboard'],
    ['another site behind an encoded backslash', '/%5cevil.example'],
    ['another site behind dots', '/.//evil.example'],
    ['another site behind encoded dots', '/%2e//evil.example'],
    ['a tab that browsers drop', '/\t/evil.example'],
    ['a line break that browsers drop', '/\n/evil.example'],
    ['a space before it', ' /dashboard'],
    ['a script', 'javascript:alert(1)'],
    ['a script after a slash', '/javascript:alert(1)'],
    ['a name and password', 'https://site.invalid@evil.example/'],
    ['an @ after the slash', '/@evil.example'],
    ['no path', 'dashboard'],
    ['signing out', '/logout'],
    ['signing out with a slash at the end', '/logout/'],
    ['signing out through dots', '/dashboard/../logout'],
    ['signing out in an encoding', '/log%6Fut'],
    ['a page that there is not', '/nothing/here'],
    ['a malformed id', '/dashboard/skills/quiz/1'],
    ['nothing', ''],
    ['a text without end', `/dashboard?q=${'a'.repeat(3000)}`],
  ])('A link cannot lead to %s', (_, next) => {
    expect(safeNext(next, '/fallback')).toBe('/fallback');
  });

  test.each([
    ['https://our.example/dashboard?claim=a#b', '/dashboard?claim=a#b'],
    ['https://our.example//evil.example', null],
    ['https://our.example.evil.example/dashboard', null],
    ['https://our.example@evil.example/dashboard', null],
    ['https://our.example/logout', null],
    ['http://our.example/dashboard', null],
    ['/dashboard', '/dashboard'],
  ])(
    'A mail of hosted Auth, which writes whole addresses, leads from %s to %s',
    (next, expected) => {
      expect(safeNext(next, null, 'https://our.example')).toBe(expected);
    },
  );

  test('Whatever stands in next, a person stays on a page of this site and signed in', () => {
    const bits = fc.constantFrom(
      ...'/\\@:?#%.&= \t\n'.split(''),
      '//',
      '/\\',
      '%2f',
      '%5c',
      '%00',
      '..',
      'javascript:',
      'https://',
      'evil.example',
      'dashboard',
      'logout',
      'admin',
      'site.invalid',
      '\u2028',
      '\u00ad',
      ID,
    );
    const tricks = fc.array(fc.oneof(bits, fc.string({ maxLength: 4 })), { maxLength: 12 });
    fc.assert(
      fc.property(tricks, (parts) => {
        const next = safeNext(`/${parts.join('')}`, null);
        if (next === null) return true;
        const url = new URL(next, 'https://trellis.example');
        const found = match(url.pathname);
        return (
          url.origin === 'https://trellis.example' &&
          !next.startsWith('//') &&
          found !== null &&
          found.route.path !== '/logout'
        );
      }),
      { numRuns: 5000 },
    );
  });

  test('Every guarded page can be come back to', () => {
    for (const { path, guard } of routes) {
      if (guard !== 'auth' && guard !== 'admin') continue;
      const page = path.replace('[id]', ID);
      expect(safeNext(page, null)).toBe(page);
    }
  });

  test('The address of the sign-in page carries where to come back to, and nothing else', () => {
    expect(loginHref('/dashboard?x=1&y=2')).toBe('/login?next=%2Fdashboard%3Fx%3D1%26y%3D2');
    expect(loginHref('//evil.example')).toBe('/login');
    expect(loginHref(null)).toBe('/login');
  });
});

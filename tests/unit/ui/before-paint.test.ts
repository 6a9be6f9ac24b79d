import { describe, expect, test } from 'vitest';
import { speculationRules } from '#layouts/before-paint.ts';
import { type Route, routes } from '#lib/routing/routes.ts';

type Condition =
  | { and: Condition[] }
  | { not: Condition }
  | { href_matches: string }
  | { selector_matches: string };

/**
 * Whether a browser prefetches the URL, according to
 * https://wicg.github.io/nav-speculation/speculation-rules.html
 */
function holds(condition: Condition, href: string): boolean {
  if ('and' in condition) return condition.and.every((each) => holds(each, href));
  if ('not' in condition) return !holds(condition.not, href);
  // This visitor has no session, which the selector requires.
  if ('selector_matches' in condition) return false;
  const base = 'https://site.example';
  return new URLPattern(condition.href_matches, base).test(href, base);
}

const { prefetch } = JSON.parse(speculationRules) as { prefetch: { where: Condition }[] };
const fetchedEarly = (href: string) => prefetch.some(({ where }) => holds(where, href));

const address = ({ path }: Route) =>
  path.replace('[id]', '0198f0a0-1111-7222-8333-444455556666').replace('[slug]', 'cash-flow');

describe('Before a link is pressed', () => {
  test('every built page may be fetched', () => {
    // The blank plan, the survey, the newsletter and the toolbox are beside pages that may be made on
    // demand, so they're left out.
    const built = routes
      .filter(
        ({ rendering, path }) =>
          rendering === 'prerendered' &&
          !/^\/(admin|engagement-survey|newsletter|toolbox)(\/|$)/.test(path),
      )
      .map(address);
    expect(built.filter((each) => !fetchedEarly(each))).toEqual([]);
  });

  test('no page is fetched that is made for who asks', () => {
    const asked = routes.filter(({ rendering }) => rendering === 'on-demand').map(address);
    expect(asked.filter(fetchedEarly)).toEqual([]);
    expect(fetchedEarly('/login?next=%2Fdashboard')).toBe(false);
    expect(fetchedEarly('/dashboard/toolbox?item=break-even')).toBe(false);
  });

  test.each([
    '/logout',
    '/events.ics',
    '/events/online-office-hours.ics',
    '/rss.xml',
    '/press/logo.svg',
    '/functions/v1/contact',
    '/_local/mailbox',
    'https://other.example/',
  ])('%s is left alone', (href) => {
    expect(fetchedEarly(href)).toBe(false);
  });

  test('a page whose name only begins like a private one is fetched', () => {
    expect(fetchedEarly('/administration')).toBe(true);
    expect(fetchedEarly('/blog/login-pages-that-work')).toBe(true);
  });
});

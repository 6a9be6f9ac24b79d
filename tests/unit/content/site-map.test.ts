import { expect, test } from 'vitest';
import { mayBeFound } from '#integrations/site-map.ts';

test('A page is in the site map unless it asks search engines to leave it out', () => {
  expect(mayBeFound('<head><link rel="canonical" href="/about"></head>')).toBe(true);
  expect(mayBeFound('<head><meta name="robots" content="noindex"></head>')).toBe(false);
  expect(mayBeFound('<head><meta name="robots" content="nofollow, noindex"></head>')).toBe(false);
});

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { writeCookie } from '#lib/browser/write-cookie.ts';
import { chooseBusiness } from '#lib/business-choice.ts';

/** A browser that writes cookies asynchronously, as Chromium does. Reading waits for the writes. */
let written: string[];

beforeEach(() => {
  const onTheirWay: string[] = [];
  written = [];
  vi.stubGlobal('location', { protocol: 'https:' });
  vi.stubGlobal('document', {
    set cookie(line: string) {
      onTheirWay.push(line);
    },
    get cookie() {
      written.push(...onTheirWay.splice(0));
      return written.join('; ');
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
});

test('A cookie is written before the next page can be asked for', () => {
  writeCookie('a=1; Path=/');
  expect(written).toEqual(['a=1; Path=/']);
});

test('The chosen business is known to the next page, over https only where this page is', () => {
  chooseBusiness('0198f0a0-1111-7222-8333-444455556666');
  expect(written).toHaveLength(1);
  expect(written[0]).toMatch(/^trellis-business=0198f0a0-1111-7222-8333-444455556666; Path=\/; /);
  expect(written[0]).toMatch(/; SameSite=Lax; Secure$/);
});

import { combineChunks, createChunks, stringFromBase64URL, stringToBase64URL } from '@supabase/ssr';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeSession, encodeSession, SESSION_COOKIE } from '#lib/session-cookie.ts';

const PREFIX = 'base64-';

/** Sessions with names in any script, from shorter than a cookie to several cookies long. */
const sessions = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat({ max: 9000 }))
  .map(([name, length]) => ({
    access_token: 'a.b-c.d_e',
    refresh_token: 'r',
    user: { name, rest: 'x'.repeat(length) },
  }));

const reader = (cookies: readonly { name: string; value: string }[]) => (name: string) =>
  cookies.find((each) => each.name === name)?.value;

/** These @supabase/ssr 0.12 encodes wrongly: it keeps 16 bits of a code point. */
const HIGH = /[\u{20000}-\u{10ffff}]/u;

test('Sessions are written as @supabase/ssr writes them, and each reads the other’s', async () => {
  await fc.assert(
    fc.asyncProperty(sessions, async (session) => {
      const json = JSON.stringify(session);
      const theirs = createChunks(SESSION_COOKIE, PREFIX + stringToBase64URL(json));
      const ours = encodeSession(session);
      expect(decodeSession(reader(ours))).toEqual(session);
      fc.pre(!HIGH.test(session.user.name));
      expect(ours).toEqual(theirs);
      expect(decodeSession(reader(theirs))).toEqual(JSON.parse(json));
      const read = await combineChunks(SESSION_COOKIE, (name) => reader(ours)(name) ?? null);
      expect(JSON.parse(stringFromBase64URL(read?.slice(PREFIX.length) ?? ''))).toEqual(session);
    }),
  );
});

test('What just fits is one cookie, and what’s a little longer is two', () => {
  const lengthsOf = (size: number) =>
    encodeSession({ access_token: 'a'.repeat(size), refresh_token: '' }).map(
      ({ value }) => value.length,
    );
  const lengths = Array.from({ length: 40 }, (_, more) => lengthsOf(2320 + more));
  // No text is 3,173 characters of base64url, which with their prefix would be 3,180.
  expect(lengths).toContainEqual([3179]);
  expect(lengths.find((each) => each.length === 2)).toEqual([3180, 1]);
});

test('A chunk that’s missing leaves nothing to read', () => {
  const long = { access_token: 'a.b.c', refresh_token: 'r'.repeat(9000) };
  const [, ...others] = encodeSession(long);
  expect(decodeSession(reader(others))).toBeNull();
  expect(decodeSession(reader(encodeSession(long).slice(0, -1)))).toBeNull();
});

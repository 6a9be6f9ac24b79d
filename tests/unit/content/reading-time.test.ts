import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readingMinutes, readingWords } from '#lib/content/reading-time.ts';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

test('230 words take a minute, and 1,150 take five', () => {
  expect(readingMinutes(words(230))).toBe(1);
  expect(readingMinutes(words(1150))).toBe(5);
});

test('Nothing takes less than a minute to read', () => {
  expect(readingMinutes('')).toBe(1);
  expect(readingMinutes('One line.')).toBe(1);
});

test('Addresses of links, marks and components are not read', () => {
  const marks = Array.from({ length: 400 }, () => '[word](https://example.com/a b c d)').join(' ');
  expect(readingMinutes(marks)).toBe(readingMinutes(words(400)));
  expect(readingMinutes(`${words(230)} <Canvas filled={{ customers: 'a', value: 'b' }} />`)).toBe(
    1,
  );
  expect(readingMinutes(`| ${words(100)} |\n|---|---:|\n| ${words(130)} |`)).toBe(1);
});

test('More words never take less time', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(5000), (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)];
      expect(readingMinutes(words(more))).toBeGreaterThanOrEqual(readingMinutes(words(less)));
    }),
  );
});

test('One minute is not called minutes', () => {
  expect(readingWords(words(100))).toBe('1 minute to read');
  expect(readingWords(words(1000))).toBe('4 minutes to read');
});

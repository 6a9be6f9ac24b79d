import { expect, test } from 'vitest';
import { readingMinutes, readingWords } from '#lib/content/reading-time.ts';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

test.each([
  [words(230), '1-minute read'],
  [words(1000), '4-minute read'],
  [words(1150), '5-minute read'],
  ['', '1-minute read'],
])('230 words take a minute, and nothing takes less', (text, time) => {
  expect(readingWords(text)).toBe(time);
});

test('Addresses of links, marks and components are not read', () => {
  const marks = Array.from({ length: 400 }, () => '[word](https://example.com/a b c d)').join(' ');
  expect(readingMinutes(marks)).toBe(readingMinutes(words(400)));
  expect(readingMinutes(`${words(230)} <Canvas filled={{ customers: 'a', value: 'b' }} />`)).toBe(
    1,
  );
  expect(readingMinutes(`| ${words(100)} |\n|---|---:|\n| ${words(130)} |`)).toBe(1);
});

import { expect, test } from 'vitest';
import { byteRange, contentRange } from '#domain/byte-range.ts';

test('A part of a file is found by its first and last byte, or from its end', () => {
  expect(byteRange('bytes=0-', 10)).toEqual({ first: 0, last: 9 });
  expect(byteRange('bytes=2-4', 10)).toEqual({ first: 2, last: 4 });
  expect(byteRange('bytes=8-99', 10)).toEqual({ first: 8, last: 9 });
  expect(byteRange('bytes=-3', 10)).toEqual({ first: 7, last: 9 });
  expect(byteRange('bytes=-99', 10)).toEqual({ first: 0, last: 9 });
});

test('Beyond its end there’s nothing', () => {
  for (const header of ['bytes=10-', 'bytes=10-12', 'bytes=-0', 'bytes=-00']) {
    expect(byteRange(header, 10), header).toBe('outside');
  }
  expect(byteRange('bytes=0-', 0)).toBe('outside');
  expect(contentRange('outside', 10)).toBe('bytes */10');
  expect(contentRange({ first: 2, last: 4 }, 10)).toBe('bytes 2-4/10');
});

test('Anything else means the whole file', () => {
  for (const header of [
    null,
    '',
    'bytes=-',
    'bytes=4-2',
    'bytes=0-1,4-5',
    'lines=1-2',
    'bytes=a-',
  ]) {
    expect(byteRange(header, 10), String(header)).toBeNull();
  }
});

import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed, encodingFor } from '#lib/encoding.ts';

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.5', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['deflate', 'identity'],
  ['*', 'br'],
  ['', 'identity'],
])('A browser that accepts “%s” gets a file as %s', (accepted, encoding) => {
  expect(encodingFor(accepted)).toBe(encoding);
});

const page = new TextEncoder().encode('<p>A page</p>'.repeat(200));
const html = { 'Content-Type': 'text/html; charset=utf-8' };

test.each([
  ['gzip, br', 'br', brotliDecompressSync],
  ['gzip', 'gzip', gunzipSync],
])('A page for a browser that accepts “%s” is sent as %s', (accepted, encoding, open) => {
  const headers = new Headers(html);
  const body = compressed(page, headers, accepted);
  expect([headers.get('Content-Encoding'), headers.get('Vary')]).toEqual([
    encoding,
    'Accept-Encoding',
  ]);
  expect(new Uint8Array(open(body))).toEqual(page);
});

test('What is small, or compressed already, is sent as it is', () => {
  for (const [body, type] of [
    [page.slice(0, 500), 'text/html'],
    [page, 'image/png'],
  ] as const) {
    const headers = new Headers({ 'Content-Type': type });
    expect(compressed(body, headers, 'gzip')).toBe(body);
    expect(headers.has('Content-Encoding')).toBe(false);
  }
});

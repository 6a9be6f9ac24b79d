import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textParts } from '#features/messages/thread/text-parts.ts';

const links = (text: string) => textParts(text).flatMap(({ href }) => href ?? []);

describe('Addresses in a text', () => {
  test.each([
    ['See https://example.com/a.', ['https://example.com/a']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['http://example.com?x=1&y=2, and more', ['http://example.com/?x=1&y=2']],
    ['“https://example.com/ü”', ['https://example.com/%C3%BC']],
    ['https://a.example https://b.example', ['https://a.example/', 'https://b.example/']],
  ])('are links without the sentence around them: %s', (text, expected) => {
    expect(links(text)).toEqual(expected);
  });

  test.each([
    'javascript:alert(1)',
    'data:text/html,<b>x</b>',
    'https://',
    'ftp://example.com',
    'https://bank.example@evil.example/',
    'example.com',
  ])('are no links where they lead nowhere, or hide where: %s', (text) => {
    expect(links(text)).toEqual([]);
  });

  test('change nothing of the text, and lead to http and https alone', () => {
    const text = fc.oneof(
      fc.string(),
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.constantFrom(' ', '(', ').', 'https://', 'javascript:', '\n'),
    );
    fc.assert(
      fc.property(fc.array(text), (pieces) => {
        const whole = pieces.join('');
        const parts = textParts(whole);
        expect(parts.map((part) => part.text).join('')).toBe(whole);
        for (const { href } of parts) if (href !== null) expect(href).toMatch(/^https?:\/\//);
      }),
    );
  });

  test('take no longer for a text that is made to take long: the page waits for it', () => {
    const hostile = [
      `https://a${')'.repeat(4_990)}`,
      `https://a${'.)'.repeat(2_490)}`,
      `https://a${'!'.repeat(2_400)}b${')'.repeat(2_500)}`,
    ];
    for (let times = 0; times < 40; times += 1) for (const text of hostile) textParts(text);
  });
});

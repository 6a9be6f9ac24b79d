import { describe, expect, test } from 'vitest';
import { checkedKind, isPicture, kindOf } from '#lib/files/file-kind.ts';
import { ORDER_FILES, sizeText } from '#lib/files/file-text.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const archive = (part: string) => bytes(`PK\u0003\u0004…[Content_Types].xml…${part}`);

describe('What a file is', () => {
  test.each([
    ['application/pdf', bytes('%PDF-1.7 …'), 'anything.txt'],
    ['image/png', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0]), 'photo.exe'],
    ['image/jpeg', new Uint8Array([0xff, 0xd8, 0xff, 0xe0]), 'photo'],
    ['image/webp', bytes('RIFF\u0000\u0000\u0000\u0000WEBPVP8 '), 'photo.png'],
    ['text/csv', bytes('loaf,4.50\nrye,6.00'), 'prices.CSV'],
    ['text/plain', bytes('Grüße'), 'notes.md'],
  ])('%s is told by its content', (kind, content, name) => {
    expect(kindOf(content, name)).toBe(kind);
  });

  test('Office files are told apart by their parts', () => {
    expect(kindOf(archive('word/document.xml'), 'a.xlsx')).toMatch(/wordprocessingml\.document$/);
    expect(kindOf(archive('xl/workbook.xml'), 'a')).toMatch(/spreadsheetml\.sheet$/);
    expect(kindOf(archive('ppt/presentation.xml'), 'a')).toMatch(/presentation$/);
  });

  test.each([
    ['a page that calls itself a picture', bytes('<script>'), 'photo.png'],
    ['a program', new Uint8Array([0x4d, 0x5a, 0, 0]), 'setup.pdf'],
    ['an archive of anything', bytes('PK\u0003\u0004 virus.exe'), 'a.docx'],
    ['bytes that are no text', new Uint8Array([0xc3, 0x28]), 'notes.txt'],
    ['text with a zero in it', new Uint8Array([65, 0, 66]), 'notes.txt'],
    ['a drawing that can run scripts', bytes('<svg onload="alert(1)"/>'), 'logo.svg'],
  ])('%s is refused', (_what, content, name) => {
    expect(kindOf(content, name)).toBeNull();
  });
});

describe('What is taken', () => {
  test('A file that fits is known by its content', async () => {
    expect(await checkedKind(new File(['loaf,4.50'], 'prices.csv', { type: 'x/y' }))).toBe(
      'text/csv',
    );
  });

  test.each([
    ['This file is empty.', new File([], 'nothing.txt')],
    ['the limit is 20 MB', new File([new Uint8Array(20 * 1024 * 1024 + 1)], 'film.pdf')],
    ['We can’t accept this kind of file. We take: PDF,', new File(['<script>'], 'photo.png')],
  ])('“%s” is said of one that does not', async (words, file) => {
    await expect(checkedKind(file)).rejects.toMatchObject({
      kind: 'invalid',
      message: expect.stringContaining(words),
    });
  });

  test('A purchase order is a PDF or a picture of up to 10 MB', async () => {
    const pdf = new File(['%PDF-1.7'], 'order.pdf');
    expect(await checkedKind(pdf, ORDER_FILES)).toBe('application/pdf');
    const large = new File(['%PDF-1.7', new Uint8Array(10 * 1024 * 1024)], 'order.pdf');
    await expect(checkedKind(large, ORDER_FILES)).rejects.toThrow('the limit is 10 MB');
    await expect(checkedKind(new File(['a,b'], 'order.csv'), ORDER_FILES)).rejects.toThrow(
      'We take: PDF, PNG or JPEG.',
    );
  });

  test('A picture of a person is a PNG, a JPEG or a WebP, whatever it is called', async () => {
    const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
    expect(await isPicture(new File([jpeg], 'me.txt'))).toBe(true);
    expect(await isPicture(new File(['RIFF\u0000\u0000\u0000\u0000WEBPVP8 '], 'me'))).toBe(true);
    for (const text of ['', '%PDF-1.7', '<svg onload="alert(1)"/>', 'RIFF....AVI ']) {
      expect(await isPicture(new File([text], 'me.png')), text).toBe(false);
    }
  });
});

test('A size is short', () => {
  expect([sizeText(512), sizeText(20_500), sizeText(1_440_000)]).toEqual([
    '512 bytes',
    '21 kB',
    '1.4 MB',
  ]);
});

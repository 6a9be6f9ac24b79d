import { describe, expect, test } from 'vitest';
import { isNarrowed, queryOf, readFilter, writeFilter } from '#data/project-query.ts';
import { dueWords, moveWords, shortDay } from '#features/projects/project-words.ts';
import { kindOf, sizeText } from '#lib/file-kind.ts';

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

describe('The address of the list', () => {
  test('says what was chosen, and nothing where nothing was', () => {
    const blank = readFilter(new URLSearchParams());
    expect(writeFilter(blank)).toBe('');
    const filter = { ...blank, words: 'cash & flow', status: 'done', sort: 'due' } as const;
    expect(readFilter(new URLSearchParams(writeFilter(filter)))).toEqual(filter);
    expect([isNarrowed(blank), isNarrowed(filter)]).toEqual([false, true]);
  });

  test('that means nothing is read as not said', () => {
    const filter = readFilter(
      new URLSearchParams('status=lost&sort=luck&view=tree&area=Robert%27;--'),
    );
    expect(filter).toEqual({ status: 'open', area: '', words: '', sort: 'changed', view: 'table' });
    expect(queryOf(filter, null).statuses).not.toContain('done');
    expect(queryOf({ ...filter, view: 'board' }, null).statuses).toContain('done');
  });
});

describe('How things are worded', () => {
  test('A day that has passed is late while there is something to do', () => {
    expect(dueWords('2026-11-18', '2026-11-21', true)).toEqual({
      text: 'Was due Nov 18',
      late: true,
    });
    expect(dueWords('2026-11-18', '2026-11-21', false).late).toBe(false);
    expect(dueWords('2026-11-21', '2026-11-21', true).text).toBe('Due today');
    expect(shortDay('2027-01-02', '2026-11-21')).toBe('Jan 2, 2027');
  });

  test('A step is called by where it comes from', () => {
    expect(moveWords('planned', 'in_progress')).toBe('Start');
    expect(moveWords('blocked', 'in_progress')).toBe('Go on');
    expect(moveWords('done', 'in_progress')).toBe('Take up again');
  });

  test('A size is short', () => {
    expect([sizeText(512), sizeText(20_500), sizeText(1_440_000)]).toEqual([
      '512 bytes',
      '21 kB',
      '1.4 MB',
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import { countText, titleWith } from '#lib/browser/unread-title.ts';
import { wantedOf, writeHref } from '#lib/routing/write-href.ts';

const ID = '0198f0a0-1111-7222-8333-444455556666';

describe('The address of a conversation that is wanted', () => {
  test('is read as it was written', () => {
    for (const [kind, id] of [
      ['direct', ID],
      ['engagement', ID],
      ['project', ID],
      ['support', null],
    ] as const) {
      const to = new URL(writeHref(kind, id), 'http://site.invalid').searchParams.get('to');
      expect(wantedOf(to)).toEqual({ kind, subjectId: id });
    }
  });

  test.each([null, '', 'direct', 'direct:', 'direct:me', `nobody:${ID}`, 'project:../../x'])(
    'is none of ours: %s',
    (to) => {
      expect(wantedOf(to)).toBeNull();
    },
  );
});

describe('The title of a page', () => {
  test('says how many messages are unread, and no more than once', () => {
    expect(titleWith(3, 'Projects · Trellis')).toBe('(3) Projects · Trellis');
    expect(titleWith(4, '(3) Projects')).toBe('(4) Projects');
    expect(titleWith(0, '(99+) Projects')).toBe('Projects');
    expect(titleWith(100, 'Projects')).toBe('(99+) Projects');
    expect(titleWith(0, '(draft) Projects')).toBe('(draft) Projects');
    expect(countText(99)).toBe('99');
  });
});

import { describe, expect, test } from 'vitest';
import { type RowRules, threadRows } from '#features/messages/thread/thread-rows.ts';

type Said = [sent_at: string, seq: number | null, author_id?: string | null];

const denver = { timeZone: 'America/Denver', today: '2026-11-21', newFrom: null };

/** Each row as text: a day, `new`, or a message's seq with its place (first, last) in its group. */
function lines(said: Said[], rules: Partial<RowRules> = {}) {
  const messages = said.map(([sent_at, seq, author_id = 'a'], index) => {
    return { id: `${index}`, seq, author_id, sent_at };
  });
  const rows = threadRows(messages, { ...denver, ...rules });
  expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length);
  return rows.map((row) => {
    if (row.kind !== 'message') return row.kind === 'day' ? row.text : 'new';
    return `${row.message.seq}${row.first ? ' first' : ''}${row.last ? ' last' : ''}`;
  });
}

describe('The rows of a conversation', () => {
  test('have a mark for each day of the reader', () => {
    // The evening of the 20th in Denver, but the 21st in UTC.
    const late: Said = ['2026-11-21T04:00:00Z', 2];
    expect(lines([['2026-11-12T12:00:00Z', 1], late, ['2026-11-21T15:00:00Z', 3]])).toEqual([
      'November 12, 2026',
      '1 first last',
      'Yesterday',
      '2 first last',
      'Today',
      '3 first last',
    ]);
    expect(lines([late], { timeZone: 'Asia/Tokyo' })[0]).toBe('Today');
  });

  test('show below them what waits since the day before', () => {
    expect(
      lines([
        ['2026-11-21T15:00:00Z', 2],
        ['2026-11-20T20:01:00Z', null],
        ['2026-11-20T21:00:00Z', null],
        // Written half an hour before the previous one, so it isn't in the same group.
        ['2026-11-20T20:30:00Z', null],
      ]),
    ).toEqual([
      'Today',
      '2 first last',
      'Yesterday',
      ...Array.from({ length: 3 }, () => 'null first last'),
    ]);
  });

  test('put together what one person wrote without a pause', () => {
    expect(
      lines([
        ['2026-11-21T15:00:00Z', 1],
        ['2026-11-21T15:02:00Z', 2],
        ['2026-11-21T15:03:00Z', 3, 'b'],
        ['2026-11-21T15:20:00Z', 4, 'b'],
        // Messages from deleted accounts may be from two people.
        ['2026-11-21T15:21:00Z', 5, null],
        ['2026-11-21T15:21:30Z', 6, null],
      ]),
    ).toEqual(['Today', '1 first', '2 last', ...[3, 4, 5, 6].map((seq) => `${seq} first last`)]);
  });

  test('have one mark above the new ones, below the mark of their day', () => {
    const said: Said[] = [
      ['2026-11-20T20:00:00Z', 1],
      ['2026-11-21T15:00:00Z', 2],
      ['2026-11-21T15:01:00Z', 3],
      ['2026-11-21T15:02:00Z', null],
    ];
    const shown = ['Yesterday', '1 first last', 'Today', 'new', '2 first', '3', 'null last'];
    expect(lines(said, { newFrom: 2 })).toEqual(shown);
  });
});

import { describe, expect, test } from 'vitest';
import { threadRows } from '#features/messages/thread/thread-rows.ts';

const at = (sent_at: string, seq: number | null, author_id: string | null = 'a') => ({
  id: `${seq ?? 'waiting'}-${sent_at}`,
  seq,
  author_id,
  sent_at,
});
const denver = { timeZone: 'America/Denver', today: '2026-11-21', newFrom: null };

describe('The rows of a conversation', () => {
  test('have a mark for each day of the reader', () => {
    // Late on the 20th in Denver, the 21st in Greenwich.
    const rows = threadRows(
      [at('2026-11-12T12:00:00Z', 1), at('2026-11-21T04:00:00Z', 2), at('2026-11-21T15:00:00Z', 3)],
      denver,
    );
    expect(rows.flatMap((row) => (row.kind === 'day' ? row.text : []))).toEqual([
      'November 12, 2026',
      'Yesterday',
      'Today',
    ]);
    const elsewhere = threadRows([at('2026-11-21T04:00:00Z', 2)], {
      ...denver,
      timeZone: 'Asia/Tokyo',
    });
    expect(elsewhere[0]).toMatchObject({ kind: 'day', text: 'Today' });
  });

  test('stand each by a name of its own, also with a message that waits since the day before', () => {
    const rows = threadRows(
      [
        at('2026-11-20T20:00:00Z', 1),
        at('2026-11-21T15:00:00Z', 2),
        at('2026-11-20T20:01:00Z', null),
        at('2026-11-20T21:00:00Z', null),
        at('2026-11-20T20:30:00Z', null),
      ],
      denver,
    );
    const keys = rows.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(rows.flatMap((row) => (row.kind === 'day' ? row.text : []))).toEqual([
      'Yesterday',
      'Today',
      'Yesterday',
    ]);
    // What was written half an hour earlier does not go on from it.
    expect(rows.at(-1)).toMatchObject({ kind: 'message', first: true });
  });

  test('put together what one person wrote in one go', () => {
    const rows = threadRows(
      [
        at('2026-11-21T15:00:00Z', 1),
        at('2026-11-21T15:02:00Z', 2),
        at('2026-11-21T15:03:00Z', 3, 'b'),
        at('2026-11-21T15:20:00Z', 4, 'b'),
        at('2026-11-21T15:21:00Z', 5, null),
        at('2026-11-21T15:21:30Z', 6, null),
      ],
      denver,
    );
    const shape = rows.flatMap((row) =>
      row.kind === 'message' ? [[row.message.seq, row.first, row.last]] : [],
    );
    expect(shape).toEqual([
      [1, true, false],
      [2, false, true],
      [3, true, true],
      [4, true, true],
      // Accounts that are gone may have been two.
      [5, true, true],
      [6, true, true],
    ]);
  });

  test('have one line where the new ones begin, after the mark of their day', () => {
    const rows = threadRows(
      [
        at('2026-11-20T20:00:00Z', 1),
        at('2026-11-21T15:00:00Z', 2),
        at('2026-11-21T15:01:00Z', 3),
        at('2026-11-21T15:02:00Z', null),
      ],
      { ...denver, newFrom: 2 },
    );
    expect(rows.map(({ kind }) => kind)).toEqual([
      'day',
      'message',
      'day',
      'new',
      'message',
      'message',
      'message',
    ]);
    expect(rows[1]).toMatchObject({ last: true });
  });

  test('are none where nothing is written', () => {
    expect(threadRows([], denver)).toEqual([]);
  });
});

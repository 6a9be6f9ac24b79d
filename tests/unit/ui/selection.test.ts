import { describe, expect, test } from 'vitest';
import { checkAll, checkRow, NOTHING, type Selection } from '#ui/table/selection.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

const check = (now: Selection, id: string, how: { isChecked?: boolean; isRange?: boolean } = {}) =>
  checkRow(now, ORDER, { id, isChecked: true, isRange: false, ...how });

const idsOf = ({ ids }: Selection) => [...ids].sort();

describe('the rows that a person checks', () => {
  test('One row is checked and unchecked', () => {
    const checked = check(NOTHING, 'b');
    expect(idsOf(checked)).toEqual(['b']);
    expect(idsOf(check(checked, 'b', { isChecked: false }))).toEqual([]);
  });

  test('With Shift, all rows from the last one change, in both directions', () => {
    const down = check(check(NOTHING, 'b'), 'd', { isRange: true });
    expect(idsOf(down)).toEqual(['b', 'c', 'd']);
    const up = check(check(NOTHING, 'd'), 'a', { isRange: true });
    expect(idsOf(up)).toEqual(['a', 'b', 'c', 'd']);
    const fewer = check(down, 'c', { isChecked: false, isRange: true });
    expect(idsOf(fewer)).toEqual(['b']);
  });

  test('With Shift and no row before, or one that has left the page, only that row changes', () => {
    expect(idsOf(check(NOTHING, 'c', { isRange: true }))).toEqual(['c']);
    const left = check({ ids: new Set(['x']), last: 'x' }, 'c', { isRange: true });
    expect(idsOf(left)).toEqual(['c', 'x']);
  });

  test('All rows are checked and unchecked, and a range doesn’t begin with a row from before', () => {
    const all = checkAll(check(NOTHING, 'b'), ORDER, true);
    expect(idsOf(all)).toEqual(ORDER);
    expect(idsOf(check(all, 'd', { isChecked: false, isRange: true }))).toEqual([
      'a',
      'b',
      'c',
      'e',
    ]);
    expect(idsOf(checkAll(all, ORDER, false))).toEqual([]);
  });
});

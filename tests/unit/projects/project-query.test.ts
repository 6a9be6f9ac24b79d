import { describe, expect, test } from 'vitest';
import { isNarrowed, queryOf, readFilter, writeFilter } from '#data/project-query.ts';

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

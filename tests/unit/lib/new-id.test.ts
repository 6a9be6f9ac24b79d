import { expect, test } from 'vitest';
import { idsByWords, newId } from '#lib/new-id.ts';

test('Ids are UUIDs of version 4, and none comes twice', () => {
  const ids = Array.from({ length: 500 }, newId);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(500);
});

test('What is sent again has the id of the first try, what was changed since has its own', () => {
  const idOf = idsByWords();
  const first = idOf({ revenue: '48,600' });
  expect(idOf({ revenue: '48,600' })).toBe(first);
  expect(idOf({ revenue: '48,700' })).not.toBe(first);
  expect(idsByWords()({ revenue: '48,600' })).not.toBe(first);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placesAround, readPages } from '#data/keyset.ts';
import type { ListPage, Place } from '#domain/list.ts';

interface Row {
  id: string;
  key: string;
}

const compare = (a: { key: string; id: string }, b: { key: string; id: string }) =>
  a.key === b.key ? (a.id < b.id ? -1 : Number(a.id > b.id)) : a.key < b.key ? -1 : 1;

/** The page a keyset-paginated procedure returns. To go back, it reads backward, then reverses. */
function pageOf(table: readonly Row[], size: number, place: Place | null): ListPage<Row> {
  const backward = place?.way === 'before';
  const sorted = table.toSorted((a, b) => (backward ? compare(b, a) : compare(a, b)));
  const found = sorted.filter(
    (row) => !place || (backward ? compare(row, place) < 0 : compare(row, place) > 0),
  );
  const rows = found.slice(0, size);
  if (backward) rows.reverse();
  return { rows, count: null, ...placesAround(rows, place, found.length > size) };
}

// Only a few keys, so that many rows share one.
const tables = fc.uniqueArray(
  fc.record({ id: fc.uuid(), key: fc.constantFrom('', 'a', 'b', 'ä') }),
  { selector: ({ id }) => id, maxLength: 40 },
);
const sizes = fc.integer({ min: 1, max: 12 });

describe('Pages of a list', () => {
  test('leave nothing out and repeat nothing, and lead back the same way', () => {
    fc.assert(
      fc.property(tables, sizes, (table, size) => {
        const pages = [pageOf(table, size, null)];
        for (let next = pages[0]?.next; next; next = pages.at(-1)?.next) {
          pages.push(pageOf(table, size, next));
        }
        expect(pages.flatMap(({ rows }) => rows)).toEqual(table.toSorted(compare));
        expect(pages[0]?.previous).toBeNull();
        for (const [index, { previous }] of pages.entries()) {
          if (index === 0) continue;
          const back = pageOf(table, size, previous);
          expect(back.rows).toEqual(pages[index - 1]?.rows);
          expect(back.previous === null).toBe(index === 1);
        }
      }),
    );
  });

  test('keep their place while rows before them come and go', () => {
    fc.assert(
      fc.property(tables, tables, sizes, (table, others, size) => {
        const first = pageOf(table, size, null);
        if (!first.next) return;
        const last = first.rows.at(-1) as Row;
        const known = new Set(table.map(({ id }) => id));
        const before = others.filter((row) => !known.has(row.id) && compare(row, last) < 0);
        const changed = [...table.filter(({ id }) => id !== first.rows[0]?.id), ...before];
        expect(pageOf(changed, size, first.next).rows).toEqual(
          pageOf(table, size, first.next).rows,
        );
      }),
    );
  });

  test('are read one after another, up to a limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        sizes,
        fc.integer({ min: 1, max: 50 }),
        async (table, size, most) => {
          const read: Row[] = [];
          const pages = readPages(async (place) => pageOf(table, size, place), most);
          let step = await pages.next();
          for (; !step.done; step = await pages.next()) read.push(...step.value);
          expect(read).toEqual(table.toSorted(compare).slice(0, most));
          expect(step.value).toEqual({ isComplete: table.length <= most });
        },
      ),
    );
  });
});

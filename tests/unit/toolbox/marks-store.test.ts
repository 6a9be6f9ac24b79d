import { expect, test } from 'vitest';
import { createMarksStore } from '#features/toolbox/marks-store.ts';
import { AppError } from '#lib/errors.ts';

test('A mark is shown at once, and as it is stored once everything that was pressed is answered', async () => {
  const fails = [true, false, false, true];
  const again: (() => void)[] = [];
  const { $marks, put } = createMarksStore([{ slug: 'canvas', saved_at: null, done_at: null }], {
    async mark() {
      await Promise.resolve();
      if (fails.shift()) throw new AppError('network');
    },
    failed: (_error, retry) => again.push(retry),
  });
  void put('canvas', 'saved', true);
  void put('canvas', 'saved', false);
  const last = put('canvas', 'saved', true);
  expect($marks.get().canvas).toEqual({ saved: true, done: false });
  await last;
  expect($marks.get().canvas).toEqual({ saved: true, done: false });
  await put('canvas', 'done', true);
  expect($marks.get().canvas).toEqual({ saved: true, done: false });
  expect(again).toHaveLength(2);
});

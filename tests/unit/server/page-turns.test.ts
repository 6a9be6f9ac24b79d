import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTurns } from '#server/page-turns.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Work that ends when it's told to. */
function pages(names: string, most: number) {
  const inTurn = createTurns(most, 250);
  const begun: string[] = [];
  const works = Array.from(names, (name) => {
    const work = Promise.withResolvers<string>();
    const done = inTurn(() => {
      begun.push(name);
      return work.promise;
    });
    return { ...work, done };
  });
  return { begun, works, inTurn };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('Pages are made a few at a time, in the order in which they were asked for', async () => {
  const { begun, works } = pages('abcde', 2);
  await settle();
  expect(begun.join('')).toBe('ab');
  works[1]?.resolve('B');
  expect(await works[1]?.done).toBe('B');
  await settle();
  expect(begun.join('')).toBe('abc');
  works[0]?.resolve('A');
  works[2]?.resolve('C');
  await settle();
  expect(begun.join('')).toBe('abcde');
});

test('A page that fails ends its turn', async () => {
  const { begun, works } = pages('ab', 1);
  const failed = expect(works[0]?.done).rejects.toThrow('broken');
  works[0]?.reject(new Error('broken'));
  await failed;
  await settle();
  expect(begun.join('')).toBe('ab');
});

test('Slow pages hold up others for a moment only', async () => {
  const { begun, works, inTurn } = pages('abcd', 2);
  await vi.advanceTimersByTimeAsync(249);
  expect(begun.join('')).toBe('ab');
  await vi.advanceTimersByTimeAsync(1);
  expect(begun.join('')).toBe('abcd');
  // Four are being made now, so the next waits until fewer than two are.
  const late = inTurn(() => 'e');
  works[0]?.resolve('');
  works[1]?.resolve('');
  works[2]?.resolve('');
  expect(await late).toBe('e');
  expect(vi.getTimerCount()).toBe(0);
});

import { expect, test } from 'vitest';
import { collectCalls } from '#lib/batch.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import { dbAnswering } from '../../fixtures/db-answering.ts';

test('Collected calls are not sent; what fails before its call is left out', async () => {
  const db = dbAnswering({ rpc: () => expect.unreachable() });
  const calls = collectCalls(db, () => [
    rpc(db, 'get_plan', ignored, { p_business_id: 'current' }),
    Promise.reject(new Error('before its call')),
    rpc(db, 'get_quiz', ignored),
  ]);
  expect(calls).toEqual([
    { name: 'get_plan', args: { p_business_id: 'current' } },
    { name: 'get_quiz', args: {} },
  ]);
  const thrown = () => {
    throw new Error('a filter that cannot be read');
  };
  expect(collectCalls(db, thrown)).toEqual([]);
  // Afterward, calls are sent again.
  await expect(rpc(db, 'get_quiz', ignored)).rejects.toThrow();
});

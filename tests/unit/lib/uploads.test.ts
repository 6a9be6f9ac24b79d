import { describe, expect, test, vi } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { createUploads, isWaiting, type ReadyFile } from '#lib/files/uploads.ts';

const csv = (name: string) => new File(['loaf,4.50'], name);

/** Uploads that the test completes or fails one by one. */
function uploadsWith() {
  const asked: (ReadyFile & { arrive: () => void; fail: (error: AppError) => void })[] = [];
  const arrived: string[] = [];
  const signedOut = vi.fn();
  const uploads = createUploads<string>({
    signedOut,
    store: (ready) =>
      new Promise((resolve, reject) => {
        asked.push({ ...ready, arrive: () => resolve(ready.file.name), fail: reject });
      }),
    arrived: (_id, stored) => arrived.push(stored),
  });
  const nth = async (count: number) => {
    await vi.waitFor(() => expect(asked).toHaveLength(count));
    return asked[count - 1] as (typeof asked)[number];
  };
  return { uploads, asked, nth, arrived, signedOut };
}

describe('Files on their way', () => {
  test('go one after another, and say how far each has come', async () => {
    const { uploads, nth, arrived } = uploadsWith();
    const done = uploads.add([csv('a.csv'), csv('b.csv')]);
    const first = await nth(1);
    expect(first).toMatchObject({ type: 'text/csv', file: { name: 'a.csv' } });
    first.onProgress(4);
    // The request body is larger than the file, so more bytes are sent than the file has.
    expect(uploads.$uploads.get().map(({ sent, size }) => [sent, size])).toEqual([
      [4, 9],
      [0, 9],
    ]);
    first.onProgress(200);
    expect(uploads.$uploads.get()[0]?.sent).toBe(9);
    void uploads.add([csv('c.csv')]);
    first.arrive();
    (await nth(2)).arrive();
    await done;
    expect(arrived).toEqual(['a.csv', 'b.csv']);
    (await nth(3)).arrive();
    await uploads.settled();
    expect(uploads.$uploads.get().map(({ stored }) => stored)).toEqual(['a.csv', 'b.csv', 'c.csv']);
    expect(uploads.$uploads.get().some(isWaiting)).toBe(false);
  });

  test('that do not fit are refused in words, and trying again would not help', async () => {
    const { uploads, asked } = uploadsWith();
    await uploads.add([new File([], 'nothing.txt'), new File(['<script>'], 'photo.png')]);
    expect(uploads.$uploads.get().map(({ problem }) => problem)).toEqual([
      { text: 'This file is empty.', again: false },
      { text: expect.stringContaining('We can’t accept this kind of file'), again: false },
    ]);
    uploads.retry();
    await uploads.settled();
    expect(asked).toEqual([]);
    expect(uploads.$uploads.get().some(isWaiting)).toBe(false);
  });

  test('that did not arrive go again when somebody says so, and once however often they do', async () => {
    const { uploads, asked, nth, arrived } = uploadsWith();
    void uploads.add([csv('prices.csv')]);
    (await nth(1)).fail(new AppError('network'));
    await uploads.settled();
    const [lost] = uploads.$uploads.get();
    expect(lost).toMatchObject({ problem: { text: expect.any(String), again: true } });
    expect(lost && isWaiting(lost)).toBe(true);
    uploads.retry();
    uploads.retry();
    // A retry keeps the id, so that the file isn't stored twice.
    expect((await nth(2)).id).toBe(asked[0]?.id);
    uploads.retry();
    asked[1]?.arrive();
    await uploads.settled();
    expect(asked).toHaveLength(2);
    expect(arrived).toEqual(['prices.csv']);
  });

  test('wait for whoever has been signed out', async () => {
    const { uploads, nth, signedOut } = uploadsWith();
    void uploads.add([csv('prices.csv')]);
    (await nth(1)).fail(new AppError('signed-out'));
    await uploads.settled();
    expect(signedOut).toHaveBeenCalledOnce();
    expect(uploads.$uploads.get()[0]?.problem?.again).toBe(true);
  });

  test('are taken out again, the one that is being sent and one that waits', async () => {
    const { uploads, asked, nth } = uploadsWith();
    const done = uploads.add([csv('a.csv'), csv('b.csv'), csv('c.csv')]);
    const first = await nth(1);
    for (const { id } of uploads.$uploads.get().slice(0, 2)) uploads.drop(id);
    expect(first.signal.aborted).toBe(true);
    first.fail(new AppError('network'));
    (await nth(2)).arrive();
    await done;
    expect(asked.map(({ file }) => file.name)).toEqual(['a.csv', 'c.csv']);
    expect(uploads.$uploads.get().map(({ name }) => name)).toEqual(['c.csv']);
  });
});

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { fetchWithDownloads, limitSilence } from '#lib/silence.ts';

describe('A stored file', () => {
  const FILE = 'http://127.0.0.1:4321/storage/v1/object/message-files/x';
  /** A response whose body gets another four bytes with each call of `come`. */
  function slowFile(stop: AbortSignal) {
    let parts: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        parts = controller;
        stop.addEventListener('abort', () => controller.error(stop.reason));
      },
    });
    return { answer: new Response(body), come: () => parts?.enqueue(new Uint8Array(4)), parts };
  }
  const asked = async () => {
    let file: ReturnType<typeof slowFile> | undefined;
    const fetch = vi.fn(async (_input: unknown, init?: RequestInit) => {
      file = slowFile(init?.signal as AbortSignal);
      return file.answer;
    });
    const answer = await fetchWithDownloads({ fetch, timeout: 1, silence: 1_000 })(FILE);
    if (!file) throw new Error('Not asked');
    return { ...file, answer };
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return () => vi.useRealTimers();
  });

  test('may take long on a slow line, as long as it comes', async () => {
    const { answer, come, parts } = await asked();
    const bytes = answer.arrayBuffer();
    for (let part = 0; part < 9; part += 1) {
      await vi.advanceTimersByTimeAsync(900);
      come();
    }
    await vi.advanceTimersByTimeAsync(900);
    parts?.close();
    expect((await bytes).byteLength).toBe(36);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('that stops coming ends', async () => {
    const { answer, come } = await asked();
    const bytes = answer.arrayBuffer();
    const ended = expect(bytes).rejects.toThrow('No data was received');
    come();
    await vi.advanceTimersByTimeAsync(900);
    await vi.advanceTimersByTimeAsync(200);
    await ended;
  });

  test('that is being sent may be silent for so long and no longer', () => {
    const { signal, restart, stop } = limitSilence(1_000);
    vi.advanceTimersByTime(900);
    restart();
    vi.advanceTimersByTime(900);
    expect(signal.aborted).toBe(false);
    vi.advanceTimersByTime(100);
    expect(signal.aborted).toBe(true);
    stop();
  });
});

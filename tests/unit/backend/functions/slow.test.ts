import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createFunctions } from '#backend/local/gateway/functions.ts';
import { withTimeout } from '#backend/local/gateway/timeout.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'functions-'));
  await mkdir(join(folder, 'functions/endless'), { recursive: true });
  await writeFile(
    join(folder, 'functions/endless/index.ts'),
    'export default { fetch: () => new Promise(() => {}) };\n',
  );
});
afterAll(async () => {
  vi.useRealTimers();
  await rm(folder, { recursive: true, force: true });
});

test('A function that never ends is answered for before the gateway gives the request up', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const logged: string[] = [];
  const functions = createFunctions({ folder, settings: {}, log: (line) => logged.push(line) });
  const request = new Request('http://127.0.0.1:4321/functions/v1/endless', { method: 'POST' });
  const gateway = { ms: 8_500, error: () => new Error('Given up') };
  const answered = withTimeout(functions.run('endless', request), gateway);
  while (vi.getTimerCount() < 2) await new Promise(setImmediate);
  await vi.advanceTimersByTimeAsync(8_500);
  const answer = await answered;
  expect(answer.status).toBe(546);
  expect(await answer.json()).toMatchObject({ code: 'WORKER_LIMIT' });
  expect(logged.join()).toContain('Function endless failed');
});

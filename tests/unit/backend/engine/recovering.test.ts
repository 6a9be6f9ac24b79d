import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { keepRunning, readPidFile } from '#backend/local/postgres/process.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const cluster = temporaryFolder();
afterEach(() => void vi.useRealTimers());

/** A fake server whose PID file is that of a PostgreSQL server replaying its write-ahead log. */
const RECOVERS = `#!/bin/sh
printf '%s\\n' $$ . . 5432 . . . starting > "$2/postmaster.pid"
exec sleep 60
`;

async function until(isSo: () => unknown): Promise<void> {
  while (!(await isSo())) await wait(5);
}

test('A server that replays its log for hours is waited for, and operators hear that it goes on', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const program = join(cluster(), 'server');
  await writeFile(program, RECOVERS, { mode: 0o755 });
  const logged: string[] = [];
  const starting = keepRunning({
    cluster: cluster(),
    program,
    settings: [],
    user: { setpriv: false },
    logFile: join(cluster(), 'log'),
    log: (line) => logged.push(line),
  });
  await until(() => readPidFile(cluster()));
  for (let minute = 1; minute <= 180; minute += 1) {
    vi.advanceTimersByTime(60_001);
    await until(() => logged.length === minute);
  }
  expect(logged.at(-1)).toContain('still recovering (180 min so far)');

  const file = join(cluster(), 'postmaster.pid');
  await writeFile(file, (await readFile(file, 'utf8')).replace('starting', 'ready'));
  const server = await starting;
  expect(logged).toHaveLength(180);
  await server.stop();
});

import { constants, promises } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { projectRoot } from '#backend/local/project-root.ts';
import { ensureBuild } from '#server/build.ts';

test('What was built before is served from a clone that nobody can write into any more', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'trellis-sealed-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  // A container image is built as root and runs as another user. The test itself may run as root,
  // which can write anywhere, so it fakes the refusal.
  const { access } = promises;
  vi.spyOn(promises, 'access').mockImplementation(async (file, mode) => {
    if (mode === constants.W_OK) throw new Error('EACCES');
    return access(file, mode);
  });
  const log = vi.fn();
  const { client } = await ensureBuild({ projectRoot, dataDir, log });
  expect(client).toBe(process.env.TEST_BUILT_SITE);
  expect(log).not.toHaveBeenCalled();
});

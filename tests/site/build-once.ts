import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { projectRoot } from '#backend/local/project-root.ts';
import { ensureBuild } from '#server/build.ts';

/** Builds the site once per test run. The browser tests and `npm start` then reuse that build. */
export default async function buildOnce(): Promise<() => Promise<void>> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'trellis-site-'));
  const { client } = await ensureBuild({
    projectRoot,
    dataDir: scratch,
    log: (line) => process.stdout.write(`${line}\n`),
  });
  process.env.TEST_BUILT_SITE = client;
  return async () => {
    delete process.env.TEST_BUILT_SITE;
    await rm(scratch, { recursive: true, force: true });
  };
}

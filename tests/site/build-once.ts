import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureBuild } from '#server/build.ts';
import { projectRoot } from '#server/settings.ts';

/** Once for a run: the built site. The stories, and `npm start`, use the same one after it. */
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

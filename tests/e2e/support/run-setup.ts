import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { seedDemo } from '#backend/local/demo/demo.ts';
import { projectRoot } from '#backend/local/project-root.ts';
import { ensureBuild } from '#server/build.ts';
import { ensureBundle } from '#server/bundle.ts';
import { findBrowser } from '../../fixtures/browser.ts';
import startTestCluster from '../../fixtures/cluster.ts';
import { ensureTemplate } from '../../fixtures/database.ts';

/** Runs once: finds a browser, builds the site, and starts a cluster with its template database. */
export default async function runSetup(): Promise<() => Promise<void>> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'trellis-e2e-'));
  const [browser, stopCluster] = await Promise.all([
    findBrowser(),
    startTestCluster(),
    ensureBuild({
      projectRoot,
      dataDir: scratch,
      log: (line) => process.stdout.write(`${line}\n`),
    }),
    ensureBundle(),
  ]);
  await ensureTemplate('demo', async ({ url }) => {
    await seedDemo(url);
  });
  process.env.TEST_BROWSER = JSON.stringify(browser);
  process.env.TEST_SCRATCH = scratch;
  return async () => {
    await stopCluster();
    await rm(scratch, { recursive: true, force: true });
  };
}

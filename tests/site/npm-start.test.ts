import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import getPort from 'get-port';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { projectRoot } from '#backend/local/project-root.ts';
import { serverPid } from '../fixtures/connection.ts';
import { makeQuickFolder } from '../fixtures/quick-folder.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await makeQuickFolder('npm-start');
});
afterEach(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));

/** Runs `npm start` as from a terminal, without the environment variables of this test run. */
async function startNpm(more: NodeJS.ProcessEnv = {}) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(npm_|NODE_|TEST|VITEST)/.test(name),
  );
  const port = await getPort({ host: '127.0.0.1' });
  const settings = { PORT: String(port), DATA_DIR: dataDir, DEMO: '0', ...more };
  const npm = spawn('npm', ['start'], {
    cwd: projectRoot,
    env: { ...Object.fromEntries(own), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => (said += chunk));
  return {
    npm,
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    ready: () => vi.waitFor(() => expect(said).toMatch(/ready in/), { timeout: 60_000 }),
    /** Resolves when npm and every process that shares its output have exited. */
    ended: once(npm, 'close'),
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** The id of the process that owns the data folder. */
async function sitePid(): Promise<number> {
  const owner = JSON.parse(await readFile(path.join(dataDir, 'owner.json'), 'utf8'));
  return (owner as { pid: number }).pid;
}

/** Expects the database to have stopped and the data folder to be free. */
async function expectAllGone(database: number | undefined): Promise<void> {
  expect(database && isAlive(database)).toBe(false);
  const folder = await takeDataFolder(dataDir);
  folder.release();
}

/** On exit, the site prints its file and the React files that it ran, not those only scanned for exports. */
const SAY_WHAT_RAN = `import { createRequire } from 'node:module';
  process.on('exit', () => {
    const { cache } = createRequire('file:///');
    const run = Object.keys(cache).filter((name) => cache[name].loaded);
    const react = run.filter((name) => /[\\\\/]react(-dom)?[\\\\/]cjs/.test(name));
    if (react.length > 0) process.stderr.write('Loaded ' + [process.argv[1], ...react].join(' ') + '\\n');
  });`;

describe('The site that `npm start` runs', () => {
  test("renders with React's production build, and ends with its database when it is told to or npm is killed", async () => {
    const endings: [who: 'npm' | 'node', signal: NodeJS.Signals][] = [
      ['npm', 'SIGINT'],
      ['npm', 'SIGKILL'],
      // Closing a terminal sends this signal.
      ['node', 'SIGHUP'],
    ];
    for (const [who, signal] of endings) {
      const site = await startNpm({
        NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(SAY_WHAT_RAN)}`,
      });
      await site.ready();
      expect((await fetch(`${site.url}/login`)).status).toBe(200);
      const database = await serverPid(dataDir);
      process.kill((who === 'npm' ? site.npm.pid : await sitePid()) ?? 0, signal);
      await site.ended;
      await expectAllGone(database);
      const [, files = ''] = /^Loaded (.*)$/m.exec(site.said()) ?? [];
      const loaded = files.split(' ').map((name) => path.basename(name));
      // The bundle: Node has no TypeScript to compile.
      expect(loaded[0]).toBe('main.mjs');
      expect(loaded).toContain('react.production.js');
      expect(loaded.filter((name) => name.includes('development'))).toEqual([]);
    }
  }, 120_000);

  test('ends with its database when npm is told to end while it still starts', async () => {
    const site = await startNpm();
    let database: number | undefined;
    await vi.waitFor(
      async () => {
        database = await serverPid(dataDir);
        expect(database).toBeDefined();
      },
      { timeout: 60_000, interval: 5 },
    );
    site.npm.kill('SIGTERM');
    await site.ended;
    await vi.waitFor(() => expectAllGone(database), { timeout: 10_000 });
  }, 90_000);
});

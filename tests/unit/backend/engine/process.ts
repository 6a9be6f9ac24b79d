import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import { afterAll } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { startPostgres } from '#backend/local/postgres/postgres.ts';
import { type Backend, type BackendSettings, startBackend } from '#backend/local/start.ts';
import { connect } from '../../../fixtures/connection.ts';
import { ensureFolder } from '../../../fixtures/database.ts';
import { makeQuickFolder } from '../../../fixtures/quick-folder.ts';

const run = promisify(execFile);
const child = fileURLToPath(new URL('./child.ts', import.meta.url));
/** The script with the project's command-line commands. */
export const commandsFile = fileURLToPath(import.meta.resolve('#backend/local/commands.ts'));

/** Flags that some Node versions before 24 need to run TypeScript files. */
export const typeStripping = [
  '--experimental-strip-types',
  '--disable-warning=ExperimentalWarning',
];

/** Starts a backend in this process, without scheduled jobs. */
export const start = (dataDir: string, more: Partial<BackendSettings> = {}): Promise<Backend> =>
  startBackend({ dataDir, siteUrl: 'http://127.0.0.1:4321', demo: false, tick: false, ...more });

/** Runs one of the project's commands on a data folder; rejects with its `stderr` and `code`. */
export const command = (dataDir: string, words: string[], more: NodeJS.ProcessEnv = {}) =>
  run(process.execPath, [...typeStripping, commandsFile, ...words], {
    env: { ...process.env, DATA_DIR: dataDir, DATABASE_URL: '', ...more },
  });

/** A backend in a separate process. */
export interface Site {
  process: ChildProcess;
  /** Everything it has written to stdout. */
  said(): string;
  /** Everything it has written to stderr. */
  complained(): string;
  /** Resolves when it's up; rejects with its stderr if it exits before that. */
  ready: Promise<void>;
  /** Sends this signal and waits until the process has exited. */
  end(signal: NodeJS.Signals): Promise<void>;
  /** Resolves when the process has exited. */
  gone: Promise<void>;
}

/** Starts a backend in a separate process. With `rows`, it inserts rows, printing their numbers. */
export function startSite(
  dataDir: string,
  options: { demo?: boolean; rows?: boolean; env?: NodeJS.ProcessEnv; uid?: number } = {},
): Site {
  const { demo = false, rows = false, env = process.env, uid } = options;
  const words = [child, dataDir, demo ? 'demo' : 'plain', rows ? 'rows' : ''];
  const started = spawn(process.execPath, [...typeStripping, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env,
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  let said = '';
  let complained = '';
  started.stderr.on('data', (chunk: Buffer) => {
    complained += chunk.toString();
  });
  const gone = new Promise<void>((resolve) => started.once('close', () => resolve()));
  const ready = new Promise<void>((resolve, reject) => {
    started.once('error', reject);
    started.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.startsWith('ready')) resolve();
    });
    void gone.then(() => reject(new Error(`It ended before it was up. ${complained}`)));
  });
  // Tests that kill a site during startup don't await this, so the rejection would be unhandled.
  ready.catch(() => {});
  return {
    process: started,
    said: () => said,
    complained: () => complained,
    ready,
    gone,
    async end(signal) {
      started.kill(signal);
      await gone;
    },
  };
}

/**
 * Returns a function that creates temporary folders, to be removed after the file's tests: empty
 * ones, or copies of a data folder that a site has run on, with or without demo data.
 */
export function temporaryFolders(): (content?: 'plain' | 'demo') => Promise<string> {
  const made: string[] = [];
  afterAll(async () => {
    for (const folder of made) await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return async (content) => {
    const folder = await makeQuickFolder('engine');
    made.push(folder);
    if (!content) return folder;
    const prepared = await ensureFolder(content, async (empty) =>
      (await start(empty, { demo: content === 'demo' })).close(),
    );
    // `-a` keeps the files' owners: under root, the server runs as another user.
    await run('cp', ['-a', `${prepared}/.`, folder]);
    return folder;
  };
}

/** Queries the database in a data folder that no site is using. */
export async function ask<Answer>(
  dataDir: string,
  question: (sql: Sql) => Promise<Answer>,
): Promise<Answer> {
  const folder = await takeDataFolder(dataDir);
  const server = await startPostgres({ folder: dataDir });
  const sql = connect(server.url, 1);
  try {
    return await question(sql);
  } finally {
    await sql.end();
    await server.stop();
    folder.release();
  }
}

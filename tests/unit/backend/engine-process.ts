import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const child = fileURLToPath(new URL('./engine-child.ts', import.meta.url));

/** What Node versions before 24 need to run the project's own files. */
export const typeStripping = [
  '--experimental-strip-types',
  '--disable-warning=ExperimentalWarning',
];

/** A backend in a process of its own. */
export interface Site {
  process: ChildProcess;
  /** All that it has said on its standard output. */
  said(): string;
  /** All that it has said on its standard error. */
  complained(): string;
  /** Resolves when it is up; rejects with what it complained about when it ended before. */
  ready: Promise<void>;
  /** Resolves when the process is gone. */
  gone: Promise<void>;
}

/** Starts a backend on a data folder. */
export function startSite(
  dataDir: string,
  options: { args?: string[]; env?: NodeJS.ProcessEnv; uid?: number; program?: string } = {},
): Site {
  const { args = [], env = process.env, uid, program = process.execPath } = options;
  const started = spawn(program, [...typeStripping, child, dataDir, ...args], {
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
  // Who kills a site on purpose does not wait for it.
  ready.catch(() => {});
  return { process: started, said: () => said, complained: () => complained, ready, gone };
}

/** Folders that a test made; `clear` removes them. */
export function temporaryFolders(): { make(): Promise<string>; clear(): Promise<void> } {
  const made: string[] = [];
  return {
    async make() {
      const folder = await mkdtemp(join(tmpdir(), 'engine-'));
      made.push(folder);
      return folder;
    },
    async clear() {
      for (const folder of made.splice(0)) {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      }
    },
  };
}

/** The process number of the database server that a folder notes, or undefined. */
export async function serverPid(dataDir: string): Promise<number | undefined> {
  const text = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  return Number(text.split('\n')[0]) || undefined;
}

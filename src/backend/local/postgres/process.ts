import { type ChildProcess, execFile } from 'node:child_process';
import { open, readdir, readFile, readlink, realpath, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import getPort from 'get-port';
import { DataFolderError } from './data-folder.ts';
import { type ServerUser, startAs } from './server-user.ts';

interface ServerParts {
  cluster: string;
  logFile: string;
  program: string;
  user: ServerUser;
  settings: string[];
  beforeRestart?: (() => Promise<void>) | undefined;
  log: (line: string) => void;
}

/** How long to keep trying to start a server that keeps exiting, in ms. */
const PATIENCE = 60_000;
/** How often the log says that a server is still starting, in ms. */
const LOG_EVERY = 60_000;
/** Signals that stop a server, and how long (ms) to wait after each. WAL makes a hard kill safe. */
const SIGNALS = [
  ['SIGINT', 2_500],
  ['SIGQUIT', 500],
  ['SIGKILL', PATIENCE],
] as const;
/** When a server starts, its log file is emptied if it's longer than this, in bytes. */
const LONGEST_LOG = 5_000_000;
/** The first pause before a server is restarted, in ms; each one is twice the last. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 5_000;
/** Once a server has run this long, in ms, the pauses start over. */
const WELL_AFTER = 500;

/**
 * Starts a server and restarts it on the same port whenever it exits on its own. Throws if the
 * first start fails.
 */
export async function keepRunning(
  parts: ServerParts,
): Promise<{ port: number; stop(): Promise<void> }> {
  const { cluster, log } = parts;
  const stopping = new AbortController();
  const { signal } = stopping;
  let pause = FIRST_PAUSE;
  let restarting: Promise<void> | undefined;

  let { child, port } = await launch(parts, undefined, signal);
  watch();

  function watch(): void {
    const since = performance.now();
    const startAgain = () => {
      const wasWell = performance.now() - since > WELL_AFTER;
      if (wasWell) pause = FIRST_PAUSE;
      if (!signal.aborted) restarting = restart(wasWell);
    };
    if (hasEnded(child)) startAgain();
    else child.once('exit', startAgain);
  }

  async function rest(): Promise<void> {
    await wait(pause, undefined, { signal }).catch(() => {});
    pause = Math.min(pause * 2, LONGEST_PAUSE);
  }

  async function restart(now: boolean): Promise<void> {
    log(`The database server stopped unexpectedly and is being restarted; see ${parts.logFile}`);
    if (!now) await rest();
    while (!signal.aborted) {
      try {
        await endWorkers(parts);
        await stopLeftOver(cluster, log);
        await parts.beforeRestart?.();
        ({ child } = await launch(parts, port, signal));
        watch();
        log('The database server is running again');
        return;
      } catch (error) {
        if (signal.aborted) return;
        log(`${(error as Error).message}\nTrying again.`);
        await rest();
      }
    }
  }

  return {
    port,
    async stop() {
      stopping.abort();
      await restarting;
      const kill = (name: NodeJS.Signals) => child.kill(name);
      await end(kill, () => hasEnded(child));
      await endWorkers(parts);
    },
  };
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null;

/** Waits until a condition is true, but at most `longest` ms. Returns whether it is. */
async function until(isTrue: () => boolean | Promise<boolean>, longest: number): Promise<boolean> {
  const deadline = performance.now() + longest;
  while (!(await isTrue())) {
    if (performance.now() > deadline) return false;
    await wait(10);
  }
  return true;
}

async function end(
  kill: (signal: NodeJS.Signals) => unknown,
  hasEnded: () => boolean | Promise<boolean>,
): Promise<void> {
  for (const [signal, longest] of SIGNALS) {
    if (await hasEnded()) return;
    kill(signal);
    await until(hasEnded, longest);
  }
}

/** Sends a signal. Returns whether the process exists. */
function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Kills leftover processes of a dead server: one that hangs holds memory the next server needs. */
async function endWorkers(parts: ServerParts): Promise<void> {
  const areGone = async () => (await processesOf(parts)).length === 0;
  if (await until(areGone, 100)) return;
  for (const pid of await processesOf(parts)) signalProcess(pid, 'SIGKILL');
  await until(areGone, 1_000);
}

/** The processes of the server's program whose working directory is its cluster; only on Linux. */
async function processesOf({ cluster, program }: ServerParts): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const [here, own] = await Promise.all([realpath(cluster), realpath(program)]);
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const are = await Promise.all(
    names.map(async (name) => {
      const folder = await readlink(`/proc/${name}/cwd`).catch(() => undefined);
      return folder === here && (await readlink(`/proc/${name}/exe`).catch(() => '')) === own;
    }),
  );
  return names.filter((_, n) => are[n]).map(Number);
}

/**
 * Starts the server; gives up after five attempts or a minute, or once `signal` is aborted. As long
 * as the server is alive, it may take any time it needs: replaying its WAL can take hours.
 * @throws {DataFolderError} with the end of its log.
 */
async function launch(
  parts: ServerParts,
  givenPort: number | undefined,
  signal: AbortSignal,
): Promise<{ child: ChildProcess; port: number }> {
  const { cluster, log, logFile, program, user, settings } = parts;
  const size = (await stat(logFile).catch(() => null))?.size ?? 0;
  if (size > LONGEST_LOG) await truncate(logFile);
  const before = size > LONGEST_LOG ? 0 : size;

  // Retries, because another program may take the port before the server does, and because a killed
  // server's last processes may still hold its shared memory for a moment.
  const began = performance.now();
  for (let attempt = 1; ; attempt += 1) {
    const port = givenPort ?? (await getPort({ host: '127.0.0.1' }));
    const output = await open(logFile, 'a', 0o600);
    const child = startAs(user, program, ['-D', cluster, ...flagsOf(port, settings)], {
      stdio: ['ignore', output.fd, output.fd],
      cwd: '/',
      endWithParent: 'INT',
      // Ctrl-C reaches a whole process group; the server has to stop after the site, not along with it.
      detached: true,
    });
    let gone = false;
    child.once('exit', () => (gone = true));
    child.once('error', () => (gone = true));
    let logged = performance.now();
    while (!gone) {
      const now = await readPidFile(cluster);
      if (now?.pid === child.pid && now?.ready) {
        await output.close();
        return { child, port };
      }
      if (signal.aborted) child.kill('SIGQUIT');
      if (performance.now() - logged > LOG_EVERY) {
        logged = performance.now();
        const minutes = Math.floor((logged - began) / 60_000);
        log(`The database server is still recovering (${minutes} min so far); see ${logFile}`);
      }
      await wait(10);
    }
    await output.close();
    if (attempt === 5 || performance.now() - began > PATIENCE || signal.aborted) {
      const text = (await readFile(logFile, 'utf8')).slice(before);
      throw new DataFolderError(`The database server didn't start.\n${text.slice(-2000)}`);
    }
    await wait(200 * attempt);
  }
}

function flagsOf(port: number, settings: string[]): string[] {
  return [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'log_checkpoints=off',
    'log_connections=',
    // A statement may contain what a person sent; its error is logged without it.
    'log_min_error_statement=panic',
    'log_line_prefix=%m ',
    ...settings,
  ].flatMap((setting) => ['-c', setting]);
}

/**
 * Stops the server that a killed owner of this folder left behind, and removes its
 * `postmaster.pid`: PostgreSQL would mistake any other process with that ID for a server.
 */
export async function stopLeftOver(cluster: string, log: (line: string) => void): Promise<void> {
  const found = await readPidFile(cluster);
  if (!found) return;
  if (await isServerOf(found.pid, cluster)) {
    log(`Stopping the database server that an earlier run left behind (process ${found.pid})`);
    await end(
      (signal) => signalProcess(found.pid, signal),
      async () => !(await isServerOf(found.pid, cluster)),
    );
  }
  await rm(join(cluster, 'postmaster.pid'), { force: true });
}

/** Reads a server's `postmaster.pid`: process ID (line 1), port (line 4) and state (line 8). */
export async function readPidFile(
  cluster: string,
): Promise<{ pid: number; port: number; ready: boolean } | undefined> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => undefined);
  const lines = text?.split('\n') ?? [];
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/** Whether a process is the server of this cluster, and not another process that reuses its ID. */
export async function isServerOf(pid: number, cluster: string): Promise<boolean> {
  if (!signalProcess(pid, 0)) return false;
  if (process.platform === 'linux') {
    const [folder, here] = await Promise.all([
      readlink(`/proc/${pid}/cwd`).catch(() => undefined),
      realpath(cluster).catch(() => cluster),
    ]);
    return folder === here;
  }
  return new Promise((resolve) => {
    execFile('ps', ['-o', 'command=', '-p', String(pid)], (error, out) =>
      resolve(!error && out.includes('postgres') && out.includes(cluster)),
    );
  });
}

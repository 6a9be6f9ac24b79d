import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The user that runs PostgreSQL, which refuses root. See decisions/011-who-runs-postgres.md. */
export interface ServerUser {
  /** Undefined when the server runs as the user of this process. */
  ids?: { uid: number; gid: number };
  /** The capability that lets the user traverse folders closed to others; only if needed. */
  capability?: 'dac_read_search' | 'dac_override';
  /** Whether util-linux's setpriv is installed, which also ends the server with its parent. */
  setpriv: boolean;
}

const privilegeSetter = 'setpriv';

/**
 * Decides who runs the server of a cluster. The cluster doesn't have to exist yet; its folder
 * `parent` does.
 * @throws if root finds no user who can reach the folder and the program; the message says what to
 * do.
 */
export async function chooseServerUser(
  cluster: string,
  parent: string,
  postgres: string,
): Promise<ServerUser> {
  const setpriv = await hasPrivilegeSetter();
  if (process.getuid?.() !== 0) return { setpriv };

  const ids = await owner(cluster);
  const user: ServerUser = { ids, setpriv };
  // The paths are arguments, so their text is never run as part of the script.
  const script = ['-c', 'cd "$1" && exec "$2" --version', 'probe', parent, postgres];
  if (await succeeds(user, script)) return user;
  for (const capability of setpriv ? (['dac_read_search', 'dac_override'] as const) : []) {
    const able: ServerUser = { ...user, capability };
    if (await succeeds(able, script)) return able;
  }
  throw new Error(
    `PostgreSQL doesn't run as root, and user ${ids.uid}, who runs it instead, can't reach ` +
      `${parent} and ${postgres}. Install util-linux (setpriv), or move the folder to a place ` +
      'other users can enter (or set DATA_DIR to one), or start as an ordinary user.',
  );
}

async function succeeds(user: ServerUser, script: string[]): Promise<boolean> {
  const { code } = await runAs(user, '/bin/sh', script).catch(() => ({ code: null }));
  return code === 0;
}

/** Whether a program can be started so that it ends when this process is killed. */
export async function hasPrivilegeSetter(): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  return promisify(execFile)(privilegeSetter, ['--version']).then(
    () => true,
    () => false,
  );
}

/**
 * Starts a program as that user. It gets the signal `endWithParent` when this process exits or,
 * with setpriv, is killed.
 */
export function startAs(
  user: ServerUser,
  program: string,
  args: string[],
  options: SpawnOptions & { endWithParent?: 'INT' | 'KILL' } = {},
): ChildProcess {
  const { endWithParent = 'KILL', ...spawnOptions } = options;
  const child = spawnAs(user, program, args, spawnOptions, endWithParent);
  const end = () => child.kill(`SIG${endWithParent}`);
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  child.once('error', () => process.off('exit', end));
  return child;
}

function spawnAs(
  user: ServerUser,
  program: string,
  args: string[],
  spawnOptions: SpawnOptions,
  endWithParent: string,
): ChildProcess {
  if (!user.setpriv) return spawn(program, args, { ...spawnOptions, ...user.ids });
  const flags = ['--pdeathsig', endWithParent];
  if (user.ids) {
    flags.push(`--reuid=${user.ids.uid}`, `--regid=${user.ids.gid}`, '--clear-groups');
  }
  if (user.capability) {
    // Without this bit, access(2) ignores capabilities; PostgreSQL calls it to find its programs.
    flags.push('--securebits=+no_setuid_fixup');
    flags.push(`--inh-caps=+${user.capability}`, `--ambient-caps=+${user.capability}`);
  }
  return spawn(privilegeSetter, [...flags, '--', program, ...args], spawnOptions);
}

/** Runs a program as that user until it exits. Returns its exit code and output. */
export async function runAs(
  user: ServerUser,
  program: string,
  args: string[],
  options: Pick<SpawnOptions, 'cwd' | 'env'> = {},
): Promise<{ code: number | null; output: string }> {
  const child = startAs(user, program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}

export async function giveTo(user: ServerUser, path: string): Promise<void> {
  if (user.ids) await chown(path, user.ids.uid, user.ids.gid);
}

/** An existing cluster keeps its owner; a new one belongs to `postgres`, or else to `nobody`. */
async function owner(cluster: string): Promise<{ uid: number; gid: number }> {
  const existing = await stat(cluster).catch(() => undefined);
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const passwd = await readFile('/etc/passwd', 'utf8').catch(() => '');
  for (const name of ['postgres', 'nobody']) {
    const entry = passwd.split('\n').find((line) => line.startsWith(`${name}:`));
    const [, , uid, gid] = entry?.split(':') ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return { uid: 65_534, gid: 65_534 };
}

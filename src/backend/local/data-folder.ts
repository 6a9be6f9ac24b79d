import { mkdir, open, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** This data folder cannot be used as it is; the sentence says why and what to do. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

/** A data folder that this process owns until `release`. */
export interface DataFolder {
  path: string;
  release(): void;
}

interface Owner {
  pid: number;
  since: string;
}

/**
 * Makes this process the one owner of a data folder, which is made when it does not exist.
 *
 * The lock is the kernel's (a POSIX lock, taken through SQLite because Node has no call for it), so
 * it ends with its process however that ends: SIGKILL, a reboot, a container that is started again
 * or a process number that someone else has by now never leave a lock behind. `owner.json` beside it
 * is only there to name the owner.
 *
 * @throws {DataFolderError} when another process owns the folder.
 */
export async function takeDataFolder(path: string): Promise<DataFolder> {
  // As root the server runs as somebody else, who must be able to pass through this folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  await mkdir(path, { recursive: true, mode });

  const lock = new DatabaseSync(join(path, 'owner.lock'));
  try {
    lock.exec('pragma busy_timeout = 250; pragma journal_mode = memory; begin exclusive');
  } catch (error) {
    lock.close();
    if (!isLocked(error)) throw error;
    throw new DataFolderError(await inUse(path));
  }
  const owner: Owner = { pid: process.pid, since: new Date().toISOString() };
  await writeAtomically(join(path, 'owner.json'), `${JSON.stringify(owner)}\n`);
  return { path, release: () => lock.close() };
}

/** Writes a file that is either the whole new one or the old one, readable by its owner alone. */
export async function writeAtomically(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, path);
}

/** Makes sure that the names in a folder are on the disk, and not only in memory. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * What the system said about a file, in a sentence that says what to do.
 *
 * @returns undefined for an error that is of another kind.
 */
export function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const { code = '', path = 'a file' } = error as NodeJS.ErrnoException;
  const user = process.getuid ? `the user that runs this (${process.getuid()})` : 'this user';
  const sentences: Record<string, string> = {
    ENOSPC: `The disk is full, so ${path} could not be written. Make room and try again.`,
    EDQUOT: `The disk space of ${user} is used up, so ${path} could not be written.`,
    EROFS: `${path} is on a disk that can only be read. Choose another folder.`,
    EACCES: `${path} may not be used by ${user}. Change its owner, or choose another folder.`,
    EPERM: `${path} may not be changed by ${user}. Change its owner, or choose another folder.`,
    ENOENT: `${path} is missing. Restore it from a backup, or choose another folder.`,
    ENOTDIR: `${path} can't be used: a part of it is a file where a folder should be.`,
    EEXIST: `${path} is a file where a folder should be. Choose another folder.`,
    EISDIR: `${path} is a folder where a file should be. Move it away and try again.`,
    EIO: `${path} could not be read or written: the disk reports an error.`,
  };
  return sentences[code];
}

/** Whether something exists at this path. */
export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** SQLITE_BUSY, the answer to a lock that another process holds. */
function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

async function inUse(path: string): Promise<string> {
  const owner = await readFile(join(path, 'owner.json'), 'utf8')
    .then((text) => JSON.parse(text) as Owner)
    .catch(() => undefined);
  const who = owner ? `process ${owner.pid}, since ${owner.since}` : 'another process';
  return (
    `The data folder ${path} is in use by ${who}. ` +
    'Stop that one first, or set DATA_DIR to another folder.'
  );
}

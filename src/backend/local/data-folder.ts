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

import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';

/** SQLite's error codes for a lock that another process holds, and for a file it can't use. */
const BUSY = 5;
const CANNOT_OPEN = 14;
const NOT_A_DATABASE = 26;

/** Thrown when a data folder can't be used as it is; the message says why, and what to do. */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

export interface DataFolder {
  path: string;
  release(): void;
}

const ownerSchema = v.object({ pid: v.number(), since: v.string() });

/**
 * Makes this process the only owner of a data folder, which is created if it doesn't exist. Both
 * locks are the kernel's, so they end with their process. One is on a file (a POSIX lock, taken
 * through SQLite because Node has no call for it) and works across containers. The other is on a
 * name, which holds even if the file is deleted or replaced.
 * @throws {DataFolderError} if another process owns the folder, or it can't be used.
 */
export async function takeDataFolder(path: string): Promise<DataFolder> {
  try {
    return await take(path);
  } catch (error) {
    const sentence = explainSystemError(error);
    throw sentence ? new DataFolderError(sentence) : error;
  }
}

async function take(path: string): Promise<DataFolder> {
  // Under root, the server runs as another user, who has to be able to traverse this folder.
  const mode = process.getuid?.() === 0 ? 0o711 : 0o700;
  await mkdir(path, { recursive: true, mode });
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);

  const releaseName = await lockName(path);
  if (!releaseName) throw new DataFolderError(await inUse(path));
  try {
    const lock = await lockFile(path);
    const owner = { pid: process.pid, since: new Date().toISOString() };
    await writeAtomically(join(path, 'owner.json'), `${JSON.stringify(owner)}\n`);
    const release = () => {
      lock.close();
      releaseName();
    };
    return { path, release };
  } catch (error) {
    releaseName();
    throw error;
  }
}

/**
 * Locks a name made from a folder's device and inode, on Linux and Windows only. Containers don't
 * see each other's names.
 * @returns a function that releases it; undefined if this or another process already has it.
 */
async function lockName(folder: string): Promise<(() => void) | undefined> {
  const prefix = { linux: '\0', win32: '\\\\.\\pipe\\' }[process.platform as string];
  if (prefix === undefined) return () => {};
  const { dev, ino } = await stat(folder, { bigint: true });
  const server = createServer((socket) => socket.destroy()).unref();
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (['EADDRINUSE', 'EACCES'].includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    server.listen({ path: `${prefix}folder-${dev}-${ino}` }, () => resolve(() => server.close()));
  });
}

async function lockFile(path: string): Promise<DatabaseSync> {
  const file = join(path, 'owner.lock');
  let lock: DatabaseSync | undefined;
  try {
    lock = new DatabaseSync(file);
    lock.exec('pragma busy_timeout = 250; pragma journal_mode = memory; begin exclusive');
    return lock;
  } catch (error) {
    lock?.close();
    const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : undefined;
    if (code === BUSY) throw new DataFolderError(await inUse(path));
    if (code === NOT_A_DATABASE || code === CANNOT_OPEN) {
      throw new DataFolderError(
        `${file} can't be used as a lock: something else was written to it. Make sure no other ` +
          'process uses this folder, not even in another container. Then remove the file and ' +
          'start again.',
      );
    }
    throw error;
  }
}

/**
 * Writes a file that only its owner can read, and flushes it to the disk. Removes the file if
 * writing fails.
 */
export async function writeWhole(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  algorithm = 'sha256',
): Promise<{ size: number; hash: string }> {
  const hash = createHash(algorithm);
  let size = 0;
  const file = await open(path, 'w', 0o600);
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      // Unlike `write`, it continues until everything is written, or throws.
      await file.writeFile(chunk);
      size += chunk.byteLength;
    }
    await file.sync();
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return { size, hash: hash.digest('hex') };
}

/** Writes a file that only its owner can read, and that's always either the old or the new one. */
export async function writeAtomically(path: string, content: string): Promise<void> {
  const draft = `${path}.${process.pid}.draft`;
  await writeFile(draft, content, { mode: 0o600, flush: true });
  await rename(draft, path);
}

/** Reads a JSON file. Throws a ValiError if it doesn't match the schema. */
export async function readJson<Output>(
  path: string,
  schema: v.GenericSchema<unknown, Output>,
): Promise<Output> {
  return v.parse(v.pipe(v.string(), v.parseJson(), schema), await readFile(path, 'utf8'));
}

/** Flushes the names of a folder's files to the disk. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Explains a file system error, and what to do about it; undefined for other errors. */
export function explainSystemError(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('syscall' in error)) return undefined;
  const { code = '', path = 'a file' } = error as NodeJS.ErrnoException;
  const user = process.getuid ? `the user running this (${process.getuid()})` : 'this user';
  const sentences: Record<string, string> = {
    ENOSPC: `The disk is full, so ${path} couldn't be written. Free up space and try again.`,
    EDQUOT: `${path} couldn't be written: ${user} has no disk space left. Free some and try again.`,
    EROFS: `${path} is on a read-only disk. Choose another folder.`,
    EACCES: `${path} can't be used by ${user}. Change its owner, or choose another folder.`,
    EPERM: `${path} can't be changed by ${user}. Change its owner, or choose another folder.`,
    ENOENT: `${path} is missing. Restore it from a backup, or choose another folder.`,
    ENOTDIR: `${path} can't be used: a part of it is a file where a folder should be.`,
    EEXIST: `${path} is a file where a folder should be. Choose another folder.`,
    EISDIR: `${path} is a folder where a file should be. Move it away and try again.`,
    EIO: `${path} couldn't be read or written: the disk reported an error. Check the disk.`,
  };
  return sentences[code];
}

export async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => null)) !== null;
}

async function inUse(path: string): Promise<string> {
  const owner = await readJson(join(path, 'owner.json'), ownerSchema).catch(() => undefined);
  const who = owner ? `process ${owner.pid}, since ${owner.since}` : 'another process';
  return (
    `The data folder ${path} is in use by ${who}. ` +
    'Stop that one first, or set DATA_DIR to another folder.'
  );
}

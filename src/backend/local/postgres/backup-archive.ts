import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { createTarDecoder, createTarPacker } from 'modern-tar';
import * as v from 'valibot';
import { syncFolder, writeWhole } from './data-folder.ts';

/** Thrown when a backup can't be made or used; the message is for the person at the shell. */
export class BackupError extends Error {
  override name = 'BackupError';
}

const manifestSchema = v.object({
  format: v.literal(1),
  version: v.string(),
  /** Major version of PostgreSQL; no other one can read the database. */
  postgres: v.string(),
  madeAt: v.string(),
  /** SHA-256 of each file, by its name in the archive. */
  files: v.record(v.string(), v.string()),
});
export type Manifest = v.InferOutput<typeof manifestSchema>;

const MANIFEST = 'manifest.json';
const DRAFT = '.unfinished-';
const CHUNK = 1024 * 1024;
/** Gzip's fastest level: backups run while people use the site. */
const LEVEL = 1;

/** A backup that's being written. There's no file at its path until `finish`. */
export type ArchiveWriter = Awaited<ReturnType<typeof createArchive>>;

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Opens a gzipped tar archive that only its owner can read, and removes what killed backups of the
 * same name left behind.
 * @param beforeChunk is awaited before each megabyte; if it throws, the backup fails.
 */
export async function createArchive(path: string, beforeChunk = async () => {}) {
  await removeDrafts(path);
  const draft = path + DRAFT + process.pid;
  const { readable, controller } = createTarPacker();
  const files: Record<string, string> = {};
  const written = pipeline(
    readable as AsyncIterable<Uint8Array>,
    createGzip({ level: LEVEL }),
    createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }),
  );
  written.catch((error) => controller.error(error));

  async function add(name: string, size: number, chunks: Chunks) {
    const hash = createHash('sha256');
    const body = controller.add({ name, size, type: 'file', mode: 0o600 }).getWriter();
    for await (const chunk of chunks) {
      await beforeChunk();
      hash.update(chunk);
      await body.write(chunk);
    }
    await body.close();
    files[name] = hash.digest('hex');
  }
  const addText = async (name: string, text: string) => {
    const bytes = new TextEncoder().encode(text);
    await add(name, bytes.length, bytes.length > 0 ? [bytes] : []);
  };

  return {
    async addFolder(name: string) {
      await controller.add({ name: `${name}/`, size: 0, type: 'directory', mode: 0o700 }).close();
    },
    addText,
    /** Adds a file at its current size, zero-filled if it shrinks. Throws ENOENT if it's gone. */
    async addFile(name: string, source: string) {
      const opened = await open(source, 'r');
      try {
        const { size } = await opened.stat();
        await add(name, size, contentOf(opened, size));
      } finally {
        await opened.close();
      }
    },
    /** Writes the manifest and renames the archive to its final name. Returns its size in bytes. */
    async finish(facts: Omit<Manifest, 'format' | 'files'>): Promise<number> {
      await addText(MANIFEST, JSON.stringify({ format: 1, ...facts, files }));
      controller.finalize();
      await written;
      const { size } = await stat(draft);
      await rename(draft, path);
      await syncFolder(dirname(path));
      return size;
    },
    async abort() {
      controller.error(new Error('The backup was canceled'));
      await written.catch(() => {});
      await rm(draft, { force: true });
    },
  };
}

/** Removes what killed backups of this name left behind. */
async function removeDrafts(path: string): Promise<void> {
  const folder = dirname(path);
  for (const name of await readdir(folder)) {
    if (name.startsWith(basename(path) + DRAFT)) await rm(join(folder, name), { force: true });
  }
}

/** Yields exactly `size` bytes of a file that others may be writing to. */
async function* contentOf(file: FileHandle, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < size; ) {
    const chunk = new Uint8Array(Math.min(CHUNK, size - at));
    const { bytesRead } = await file.read(chunk, 0, chunk.length, at);
    at += bytesRead || chunk.length;
    yield bytesRead ? chunk.subarray(0, bytesRead) : chunk;
  }
}

/**
 * Unpacks a backup into an empty folder.
 * @throws {BackupError} if the archive isn't a backup, is incomplete or was altered.
 */
export async function unpackArchive(path: string, folder: string): Promise<Manifest> {
  const found: Record<string, string> = {};
  let manifest: Manifest | undefined;
  const unpack = async (chunks: AsyncIterable<Uint8Array>) => {
    const decoder = createTarDecoder({ strict: true });
    const fed = feed(decoder.writable, chunks);
    for await (const { header, body } of decoder.readable) {
      const name = header.name.replace(/\/$/, '');
      if (header.type === 'directory') {
        await mkdir(inside(folder, name), { recursive: true, mode: 0o700 });
        await body.cancel();
      } else if (name === MANIFEST) {
        manifest = v.parse(manifestSchema, await new Response(body).json());
      } else if (header.type === 'file') {
        const target = inside(folder, name);
        await mkdir(dirname(target), { recursive: true, mode: 0o700 });
        found[name] = (await writeWhole(target, body)).hash;
      } else {
        throw new BackupError(`${path} isn't a backup: it holds ${name}, which isn't a file.`);
      }
    }
    await fed;
  };

  try {
    await pipeline(createReadStream(path), createGunzip(), unpack);
  } catch (error) {
    // A system error, such as a full disk, isn't about the archive.
    if (error instanceof BackupError || (error as Error & { syscall?: string }).syscall)
      throw error;
    throw new BackupError(
      `${path} isn't a complete backup (${(error as Error).message}). Copy it again, or use ` +
        'another backup.',
    );
  }
  if (!manifest) throw new BackupError(`${path} isn't a backup: it has no ${MANIFEST}.`);
  const names = new Set([...Object.keys(found), ...Object.keys(manifest.files)]);
  for (const name of names) {
    if (found[name] === manifest.files[name]) continue;
    throw new BackupError(
      `${path} has changed since it was made: ${name} is missing or different. Use another backup.`,
    );
  }
  return manifest;
}

/** Writes chunks to a stream. If reading them fails, the stream's reader gets the error. */
async function feed(stream: WritableStream<Uint8Array>, chunks: AsyncIterable<Uint8Array>) {
  const writer = stream.getWriter();
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {});
  }
}

/** The path of an archive's file; throws a BackupError if it would be outside the folder. */
function inside(folder: string, name: string): string {
  const parts = name.split('/');
  if (parts.some((part) => part === '' || part === '..' || part === '.' || part.includes('\\'))) {
    throw new BackupError(`This isn't a backup: it names a file outside its folder, ${name}.`);
  }
  return join(folder, ...parts);
}

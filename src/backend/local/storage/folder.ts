import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import * as v from 'valibot';
import { type ByteRange, byteRange } from '#domain/byte-range.ts';
import { readJson, writeWhole } from '../postgres/data-folder.ts';

/** The metadata of a stored file; lite's `ObjectMetadata`. */
export interface StoredFacts {
  cacheControl: string;
  contentLength: number;
  size: number;
  mimetype: string;
  eTag: string;
  lastModified: Date;
  contentRange?: string;
}

const noteSchema = v.object({
  /** Name of the file with the content. */
  content: v.string(),
  cacheControl: v.string(),
  mimetype: v.string(),
  size: v.number(),
  eTag: v.string(),
});
type Note = v.InferOutput<typeof noteSchema>;

interface Conditions {
  ifNoneMatch?: string;
}

/** The part of a file that a request asks for; the adapter adds what it found. */
export interface PartWish {
  /** The request's `Range` and `If-Range` headers. */
  range: string | null;
  ifRange: string | null;
  /** The part that's sent, and the whole file's size in bytes; null for a whole file. */
  found: { part: ByteRange | 'outside'; size: number } | null;
}

type Body = ReadableStream<Uint8Array> | Uint8Array;

/** Keeps uploaded files in a folder, as the storage adapter for lite's `App`. */
export type StorageFolder = ReturnType<typeof createStorageFolder>;

/**
 * Creates the adapter. It stores each upload as two files: the content under a random name, and a
 * small note that points to it, named by the hash of bucket and path. So no path that a user chose
 * becomes a path on the disk.
 * @param isStored whether the database has a row for a file.
 */
export function createStorageFolder(
  folder: string,
  isStored: (bucket: string, key: string) => Promise<boolean>,
) {
  const files = new StoredFiles(folder, isStored);
  return {
    driver: null,

    /** Runs a request that may store a file; `may` says whether it can replace an existing one. */
    replacing: <Answer>(may: boolean, work: () => Answer): Answer => files.replacing.run(may, work),

    /** Runs a request that reads a part of a file, which lite 0.10.0 doesn't support. */
    readingPart: <Answer>(wish: PartWish, work: () => Answer): Answer => files.wish.run(wish, work),

    async getObject(bucket: string, key: string, _version?: string, headers?: Conditions) {
      const { note, path, facts } = await files.find(bucket, key);
      if (headers?.ifNoneMatch === note.eTag) return { httpStatusCode: 304, metadata: facts };
      const part = files.partOf(note);
      const file =
        part === null || part === 'outside'
          ? createReadStream(path)
          : createReadStream(path, { start: part.first, end: part.last });
      // Wait for it, so that a file that can't be opened fails before the response starts.
      await once(file, 'open');
      const body = Readable.toWeb(file) as ReadableStream;
      return { httpStatusCode: 200, metadata: facts, body };
    },

    uploadObject(
      bucket: string,
      key: string,
      _version: string | undefined,
      body: unknown,
      mimetype: string,
      cacheControl: string,
    ) {
      return files.store(bucket, key, body as Body, { mimetype, cacheControl });
    },

    deleteObject: (bucket: string, key: string) => files.remove(bucket, key),

    async deleteObjects(bucket: string, keys: string[]) {
      for (const key of keys) await files.remove(bucket, key);
    },

    async copyObject(bucket: string, key: string, _version: unknown, to: string, toKey: string) {
      const { note, path } = await files.find(bucket, key);
      const body = new Uint8Array(await readFile(path));
      const { eTag, lastModified } = await files.store(to, toKey, body, note);
      return { httpStatusCode: 200, eTag, lastModified };
    },

    headObject: async (bucket: string, key: string) => (await files.find(bucket, key)).facts,

    privateAssetUrl: async (bucket: string, key: string) =>
      `file://${(await files.find(bucket, key)).path}`,
  };
}

class StoredFiles {
  /** Whether the current request may replace an existing file. */
  readonly replacing = new AsyncLocalStorage<boolean>();
  /** The part of a file that the current request asks for. */
  readonly wish = new AsyncLocalStorage<PartWish>();
  readonly #folder: string;
  readonly #isStored: (bucket: string, key: string) => Promise<boolean>;

  constructor(folder: string, isStored: (bucket: string, key: string) => Promise<boolean>) {
    this.#folder = folder;
    this.#isStored = isStored;
  }

  #notePath(bucket: string, key: string): string {
    return join(this.#folder, notePath(bucket, key));
  }

  #contentPath(content: string): string {
    return join(this.#folder, contentPath(content));
  }

  #readNote(bucket: string, key: string): Promise<Note> {
    return readJson(this.#notePath(bucket, key), noteSchema);
  }

  /** @throws with code ENOENT if there's no such file. */
  async find(bucket: string, key: string) {
    const note = await this.#readNote(bucket, key);
    const path = this.#contentPath(note.content);
    return { note, path, facts: factsOf(note, (await stat(path)).mtime) };
  }

  /** The part of a file that the current request asks for; null for all of it. */
  partOf({ size, eTag }: Note): ByteRange | 'outside' | null {
    const wish = this.wish.getStore();
    // A part of a file that changed doesn't fit the rest.
    if (!wish || (wish.ifRange !== null && wish.ifRange !== eTag)) return null;
    const part = byteRange(wish.range, size);
    if (part !== null) wish.found = { part, size };
    return part;
  }

  async store(
    bucket: string,
    key: string,
    body: Body,
    { mimetype, cacheControl }: Pick<Note, 'mimetype' | 'cacheControl'>,
  ): Promise<StoredFacts> {
    const content = randomUUID();
    const path = this.#contentPath(content);
    await mkdir(dirname(path), { recursive: true });
    const chunks = body instanceof Uint8Array ? [body] : body;
    const { size, hash } = await writeWhole(path, chunks, 'md5');
    // lite checks permissions only before the upload. Without this check, a slow upload would
    // replace a file that was stored in the meantime and that others may have seen already.
    if (this.replacing.getStore() === false && (await this.#isStored(bucket, key))) {
      await rm(path, { force: true });
      throw new Error('Another file was stored here while this one was being uploaded');
    }
    const note: Note = { content, size, eTag: `"${hash}"`, mimetype, cacheControl };
    const target = this.#notePath(bucket, key);
    await mkdir(dirname(target), { recursive: true });
    const previous = await this.#readNote(bucket, key).catch(() => null);
    const draft = `${target}.${randomUUID()}`;
    await writeWhole(draft, [new TextEncoder().encode(JSON.stringify(note))]);
    await rename(draft, target);
    if (previous) await rm(this.#contentPath(previous.content), { force: true });
    return factsOf(note, new Date());
  }

  async remove(bucket: string, key: string): Promise<void> {
    const note = await this.#readNote(bucket, key).catch(() => null);
    if (!note) return;
    await rm(this.#notePath(bucket, key), { force: true });
    await rm(this.#contentPath(note.content), { force: true });
  }
}

const contentPath = (content: string) => join('content', content.slice(0, 2), content);

export function notePath(bucket: string, key: string): string {
  const name = createHash('sha256').update(`${bucket}\n${key}`).digest('hex');
  return join('notes', name.slice(0, 2), `${name}.json`);
}

/** Every file of a storage folder, with the paths of its note and content below the folder. */
export async function* listStoredFiles(
  folder: string,
): AsyncGenerator<{ note: string; text: string; content: string; size: number }> {
  const names = await readdir(join(folder, 'notes'), { recursive: true }).catch(unlessMissing([]));
  for (const name of names) {
    // A draft of a note ends in a random part instead.
    if (!name.endsWith('.json')) continue;
    const note = join('notes', name);
    const text = await readFile(join(folder, note), 'utf8').catch(unlessMissing(''));
    if (text === '') continue;
    const { content, size } = v.parse(v.pipe(v.string(), v.parseJson(), noteSchema), text);
    yield { note, text, content: contentPath(content), size };
  }
}

function unlessMissing<Value>(value: Value) {
  return (error: NodeJS.ErrnoException): Value => {
    if (error.code === 'ENOENT') return value;
    throw error;
  };
}

function factsOf(note: Note, lastModified: Date): StoredFacts {
  const { cacheControl, mimetype, size, eTag } = note;
  return { cacheControl, mimetype, size, contentLength: size, eTag, lastModified };
}

import { hash } from 'node:crypto';
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { lookup, mimes } from 'mrmime';
import sirv from 'sirv';
import { type Encoding, encodingFor } from '#lib/encoding.ts';
import { OFFICE_TYPES } from '#lib/files/office-types.ts';

// sirv looks its types up in the same list.
Object.assign(mimes, OFFICE_TYPES);

/** Memory for files, in bytes. */
const MEMORY = 48 * 1024 * 1024;
/** Larger files are streamed from the disk. */
const LARGEST = 1024 * 1024;
/** What a file takes in memory besides its content, roughly. */
const OVERHEAD = 1024;
const HASHED_FILE = /^\/_astro\//;
const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** The headers of a file as Node takes them: name, value, name, value … */
interface FileHeaders {
  etag: string;
  headers: string[];
  /** The headers of a 304. */
  unchanged: string[];
  /** Of the content, in bytes. */
  size: number;
}

interface CachedFile extends FileHeaders {
  body: Buffer;
}

type Next = () => void | Promise<void>;

export interface StaticFiles {
  /** Whether there's a file at a path. */
  has(pathname: string): boolean;
  /** Serves a file that needs nothing else; false if there's none, or if the request needs more. */
  serveAtOnce(req: IncomingMessage, res: ServerResponse): boolean;
  /** Serves a file, or calls `next` if there's none. Headers that are already set stay. */
  serve(req: IncomingMessage, res: ServerResponse, next: Next): void | Promise<void>;
}

/**
 * Serves the files of a build, which never change: another build has another folder. Files in use
 * are kept in memory with ready-made headers; large files and parts of files come from the disk.
 *
 * Reading is synchronous, as in nginx: handing a small file to another thread takes four times as
 * long as reading it.
 * @param options.headers sent with every file
 * @param options.isPlain whether all that a path ever answers is its file
 * @param options.memory for files in use, in bytes
 */
export function createStaticFiles(
  folder: string,
  options: {
    headers: readonly [string, string][];
    isPlain?: (pathname: string) => boolean;
    memory?: number;
  },
): StaticFiles {
  const { headers, isPlain = () => true, memory = MEMORY } = options;
  const names = listFiles(folder);
  const files = filesByPath(names);
  const plain = new Set([...files.keys()].filter(isPlain));
  // In `dev` mode, sirv looks at the disk for each request; otherwise it would list it again here.
  const fromDisk = sirv(folder, {
    dev: true,
    etag: true,
    setHeaders: (res, pathname) => {
      if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', cacheControl(pathname));
    },
  });
  const find = createFinder(folder, { names, files, headers, memory });

  return {
    has: (pathname) => files.has(pathname),

    serveAtOnce(req, res) {
      const { method, url = '' } = req;
      if (!plain.has(url) || req.headers.range) return false;
      if (method !== 'GET' && method !== 'HEAD') return false;
      const file = findSafely(() => find(url, req));
      if (file === undefined || file === 'large') return false;
      if (hasEtag(req.headers['if-none-match'], file.etag)) {
        res.writeHead(304, file.unchanged).end();
      } else {
        res.writeHead(200, file.headers).end(method === 'HEAD' ? undefined : file.body);
      }
      return true;
    },

    serve(req, res, next) {
      const file = find(pathOf(req.url), req);
      if (!file) return next();
      if (file === 'large' || req.headers.range) return fromDisk(req, res, next);
      // A response that also clears a session is private, and has its Cache-Control already.
      const isPrivate = res.hasHeader('Cache-Control');
      const isKnown = !isPrivate && hasEtag(req.headers['if-none-match'], file.etag);
      const sent = isKnown ? file.unchanged : file.headers;
      for (let at = 0; at < sent.length; at += 2) {
        const [header = '', value = ''] = sent.slice(at, at + 2);
        if (!res.hasHeader(header)) res.setHeader(header, value);
      }
      res.writeHead(isKnown ? 304 : 200);
      res.end(isKnown || req.method === 'HEAD' ? undefined : file.body);
    },
  };
}

interface FinderOptions {
  names: ReadonlySet<string>;
  /** The names by the paths they're served at. */
  files: ReadonlyMap<string, string>;
  headers: readonly [string, string][];
  memory: number;
}

/** Finds files by path, and keeps those in use in memory. */
function createFinder(folder: string, { names, files, headers, memory }: FinderOptions) {
  const cache = new LRUCache<string, CachedFile>({
    maxSize: memory,
    sizeCalculation: ({ body }) => body.length + OVERHEAD,
  });
  // Kept for every file that was ever read, so that reading it again takes half as long.
  const described = new Map<string, FileHeaders>();

  /** The file at a path, in the encoding that a request prefers; undefined if it's gone. */
  return function find(pathname: string, req: IncomingMessage): CachedFile | 'large' | undefined {
    const name = files.get(pathname);
    if (name === undefined) return undefined;
    const wanted = encodingFor(req.headers['accept-encoding'] as string | undefined);
    const encoding = names.has(name + SUFFIX[wanted]) ? wanted : 'identity';
    const key = `${pathname} ${encoding}`;
    const known = cache.get(key);
    if (known) return known;
    const file = path.join(folder, name + SUFFIX[encoding]);
    const readFirst = (): CachedFile | 'large' => {
      if (statSync(file).size > LARGEST) return 'large';
      const body = readFileSync(file);
      const varies = names.has(`${name}.br`) || names.has(`${name}.gz`);
      const facts = headersOf(body, { pathname, name, encoding, varies, headers });
      described.set(key, facts);
      return { ...facts, body };
    };
    try {
      const found = readAgain(file, described.get(key)) ?? readFirst();
      if (found !== 'large') cache.set(key, found);
      return found;
    } catch (error) {
      // Removed since the start: that's a 404.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

/** Undefined if a file can't be read: `serve` will try again, where a failure has a reference. */
function findSafely<Found>(find: () => Found): Found | undefined {
  try {
    return find();
  } catch {
    return undefined;
  }
}

/** The names of all files in a folder and below, except hidden ones. */
function listFiles(folder: string): Set<string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  return new Set(names.filter((name) => !/(^|[\\/])\.(?!well-known[\\/])/.test(name)));
}

/** Every path that a file is served at: its own and, for a page, the one without `.html`. */
function filesByPath(names: ReadonlySet<string>): Map<string, string> {
  const files = new Map<string, string>();
  for (const name of names) {
    if (/\.(br|gz)$/.test(name)) continue;
    const own = `/${name.split(path.sep).join('/')}`;
    files.set(own, name);
    if (own.endsWith('.html')) {
      files.set(own.replace(/(\/index)?\.html$/, '') || '/', name);
    }
  }
  return files;
}

/** A file whose headers are known, without asking for its size; undefined if that has changed. */
function readAgain(file: string, known: FileHeaders | undefined): CachedFile | undefined {
  if (!known) return undefined;
  const body = Buffer.allocUnsafeSlow(known.size);
  const descriptor = openSync(file, 'r');
  try {
    const read = readSync(descriptor, body, 0, known.size, null);
    return read === known.size ? { ...known, body } : undefined;
  } finally {
    closeSync(descriptor);
  }
}

function headersOf(
  body: Buffer,
  file: {
    pathname: string;
    name: string;
    encoding: Encoding;
    varies: boolean;
    headers: readonly [string, string][];
  },
): FileHeaders {
  const { pathname, name, encoding, varies } = file;
  const etag = `W/"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const type = lookup(name) ?? 'application/octet-stream';
  const vary = [...(pathname === '/' ? ['Cookie'] : []), ...(varies ? ['Accept-Encoding'] : [])];
  const unchanged = [
    ...file.headers.flat(),
    'Cache-Control',
    cacheControl(pathname),
    'ETag',
    etag,
    ...(vary.length > 0 ? ['Vary', vary.join(', ')] : []),
  ];
  return {
    etag,
    size: body.length,
    unchanged,
    headers: [
      ...unchanged,
      'Content-Type',
      type === 'text/html' ? 'text/html;charset=utf-8' : type,
      'Content-Length',
      String(body.length),
      ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
    ],
  };
}

const cacheControl = (pathname: string): string =>
  HASHED_FILE.test(pathname)
    ? 'public, max-age=31536000, immutable'
    : 'public, max-age=0, must-revalidate';

/** Whether a request's If-None-Match names this version of a file. */
function hasEtag(asked: string | undefined, etag: string): boolean {
  if (asked === undefined) return false;
  if (asked === etag) return true;
  const bare = etag.slice(2);
  return asked.split(',').some((each) => [etag, bare, '*'].includes(each.trim()));
}

/** The decoded path of a URL; empty if it can't be decoded. */
function pathOf(url = '/'): string {
  const raw = url.split('?', 1)[0] ?? '/';
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    return '';
  }
}

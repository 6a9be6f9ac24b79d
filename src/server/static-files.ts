import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { lookup } from 'mrmime';
import sirv from 'sirv';
import { type Encoding, encodingFor } from '#lib/encoding.ts';

/** Memory for files, in bytes. */
const MEMORY = 48 * 1024 * 1024;
/** Larger files are streamed from the disk. */
const LARGEST = 1024 * 1024;
/** What a file takes in memory besides its content, roughly. */
const OVERHEAD = 1024;
const HASHED_FILE = /^\/_astro\//;
const SUFFIX: Record<Encoding, string> = { br: '.br', gzip: '.gz', identity: '' };

/** A file in memory, with its headers as Node takes them: name, value, name, value … */
interface CachedFile {
  etag: string;
  body: Buffer;
  headers: string[];
  /** The headers of a 304. */
  unchanged: string[];
}

type Next = () => void | Promise<void>;

export interface StaticFiles {
  /** Serves a file that's in memory; false if it isn't, or if the request needs more. */
  serveCached(req: IncomingMessage, res: ServerResponse): boolean;
  /** Serves a file, or calls `next` if there's none. Headers that are already set stay. */
  serve(req: IncomingMessage, res: ServerResponse, next: Next): Promise<void>;
}

/**
 * Serves the files of a build, which never change: another build has another folder. Files in use
 * are kept in memory with ready-made headers, and a file that the browser already has costs nothing
 * more. Large files and parts of files come from the disk.
 * @param headers sent with every file
 */
export function createStaticFiles(
  folder: string,
  headers: readonly [string, string][],
  memory = MEMORY,
): StaticFiles {
  const names = listFiles(folder);
  const files = filesByPath(names);
  // In `dev` mode, sirv looks at the disk for each request; otherwise it would list it again here.
  const fromDisk = sirv(folder, {
    dev: true,
    etag: true,
    setHeaders: (res, pathname) => {
      if (!res.hasHeader('Cache-Control')) res.setHeader('Cache-Control', cacheControl(pathname));
    },
  });

  const read = async (key: string): Promise<CachedFile | 'large' | undefined> => {
    const [pathname = '', wanted = 'identity'] = key.split(' ') as [string, Encoding];
    const name = files.get(pathname) ?? '';
    const encoding = names.has(name + SUFFIX[wanted]) ? wanted : 'identity';
    const file = path.join(folder, name + SUFFIX[encoding]);
    try {
      if ((await stat(file)).size > LARGEST) return 'large';
      const varies = names.has(`${name}.br`) || names.has(`${name}.gz`);
      return cachedFile(await readFile(file), { pathname, name, encoding, varies, headers });
    } catch (error) {
      // Removed since the start: that's a 404, and not remembered.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  const cache = new LRUCache<string, CachedFile | 'large'>({
    maxSize: memory,
    sizeCalculation: (file) => (file === 'large' ? 0 : file.body.length) + OVERHEAD,
    fetchMethod: read,
  });
  const keyOf = (pathname: string, req: IncomingMessage) =>
    `${pathname} ${encodingFor(req.headers['accept-encoding'] as string | undefined)}`;

  return {
    serveCached(req, res) {
      if (req.method !== 'GET' && req.method !== 'HEAD') return false;
      // The home page depends on the cookie.
      if (req.headers.range !== undefined || req.url === '/' || req.url === undefined) return false;
      const file = cache.get(keyOf(req.url, req));
      if (file === undefined || file === 'large') return false;
      const isKnown = hasEtag(req.headers['if-none-match'], file.etag);
      if (isKnown) res.writeHead(304, file.unchanged).end();
      else {
        res.writeHead(200, file.headers);
        if (req.method === 'HEAD') res.end();
        else res.end(file.body);
      }
      return true;
    },

    async serve(req, res, next) {
      const pathname = pathOf(req.url);
      if (!files.has(pathname)) return next();
      const file = await cache.fetch(keyOf(pathname, req));
      if (!file) return next();
      if (file === 'large' || req.headers.range !== undefined) return fromDisk(req, res, next);
      // A response that also clears a session is private, and has its Cache-Control already.
      const isPrivate = res.hasHeader('Cache-Control');
      for (let at = 0; at < file.headers.length; at += 2) {
        const [header = '', value = ''] = file.headers.slice(at, at + 2);
        if (!res.hasHeader(header)) res.setHeader(header, value);
      }
      if (!isPrivate && hasEtag(req.headers['if-none-match'], file.etag)) {
        for (const header of ['Content-Type', 'Content-Length', 'Content-Encoding']) {
          res.removeHeader(header);
        }
        res.writeHead(304).end();
        return;
      }
      res.end(req.method === 'HEAD' ? undefined : file.body);
    },
  };
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

function cachedFile(
  body: Buffer,
  file: {
    pathname: string;
    name: string;
    encoding: Encoding;
    varies: boolean;
    headers: readonly [string, string][];
  },
): CachedFile {
  const { pathname, name, encoding, varies } = file;
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
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
    body,
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

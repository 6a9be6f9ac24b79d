import { jwtVerify } from 'jose';
import { type Database, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { answerAuth, OPEN_AUTH_PATHS } from '../auth/auth.ts';
import { tooManyRequests } from '../auth/limits.ts';
import type { AuthContext } from '../auth/session.ts';
import type { AccessClaims } from '../auth/tokens.ts';
import { type DiskSpace, outOfSpaceResponse, type Room } from '../postgres/disk-space.ts';
import type { StorageFolder } from '../storage/folder.ts';
import {
  answerStorage,
  asPart,
  isOpenStoragePath,
  isUpload,
  LARGEST_UPLOAD,
  partWish,
  replacedBy,
} from '../storage/storage.ts';
import { type Identity, unauthorizedResponse } from './caller.ts';
import { UNKNOWN_ADDRESS } from './client-address.ts';
import { notFound, type Service } from './errors.ts';
import type { Functions } from './functions.ts';
import type { Lite } from './lite.ts';

export interface ServiceRequest {
  path: string;
  /** As it came: its body may have been read. */
  request: Request;
  /** Copies it with a plain URL and its body; to be called once. */
  copy: () => Request;
  /** The body, if it has been read. */
  text?: string | undefined;
  identity: Identity;
  address: string;
  /** Whether a page that this server is rendering asks, which only reads the response's text. */
  isFromPage: boolean;
}

export type Services = Record<Service, (asked: ServiceRequest) => Promise<Response>>;

interface ServiceDeps {
  auth: AuthContext;
  lite: Lite;
  functions: Functions;
  storage: StorageFolder;
  /** Whether the database has a row for a file. */
  isStored: (bucket: string, key: string) => Promise<boolean>;
  /** Disk space for files; without it, there's always enough. */
  fileSpace: DiskSpace | undefined;
  roomOf: (service: Service) => Promise<Room>;
  /** Signs links to files. */
  jwtSecret: string;
}

export function createServices(deps: ServiceDeps): Services {
  const { auth, lite, functions, roomOf } = deps;
  return {
    auth: async ({ path, copy, identity, address }) => {
      if (identity.kind !== 'known' && !OPEN_AUTH_PATHS.has(path)) {
        return unauthorizedResponse('auth', identity);
      }
      const claims = identity.kind === 'known' ? identity.claims : null;
      return answerAuth(auth, path, copy(), { claims, address });
    },
    rest: async ({ path, request, copy, text, identity, address: from, isFromPage }) => {
      if (identity.kind !== 'known') return unauthorizedResponse('rest', identity);
      if (path === '/' || path === '') return notFound();
      // Procedures don't apply rate limits to a caller without an address.
      const address = from === UNKNOWN_ADDRESS ? undefined : from;
      const { caller } = identity;
      const readOnly = (await roomOf('rest')) !== 'enough';
      return (
        (await lite.call({ path, request, text, caller, address, readOnly, isFromPage })) ??
        lite.fetch(copy(), caller, address, readOnly)
      );
    },
    storage: createStorageService(deps),
    // Realtime has only sockets, which `upgrade` handles.
    realtime: async () => notFound(),
    functions: async ({ path, copy, identity, address }) => {
      const name = path.split('/')[1] ?? '';
      if (functions.needsKey(name) && identity.kind !== 'known') {
        return unauthorizedResponse('functions', identity);
      }
      // Functions apply rate limits by this header, so the caller's own value must not reach them.
      const request = copy();
      const headers = new Headers(request.headers);
      headers.delete('x-forwarded-for');
      if (address !== UNKNOWN_ADDRESS) headers.set('x-forwarded-for', address);
      const isFull = (await roomOf('functions')) !== 'enough';
      return functions.run(name, new Request(request, { headers }), isFull);
    },
  };
}

/** How many files one user can upload at once. Each is read into memory before it's stored. */
const MOST_UPLOADS = 4;

function createStorageService(deps: ServiceDeps): Services['storage'] {
  const { auth, lite, storage, isStored, fileSpace, jwtSecret } = deps;
  const uploads = new Map<string, number>();
  return async ({ path, copy, identity }) => {
    const request = copy();
    const known = identity.kind === 'known' ? identity : null;
    if (identity.kind !== 'known' && !isOpenStoragePath(path)) {
      return unauthorizedResponse('storage', identity);
    }
    const refusal =
      (await refuseLink(path, new URL(request.url), jwtSecret)) ??
      (await refuseEndedSession(auth.db, known?.claims ?? null));
    if (refusal) return refusal;
    const caller = known?.caller ?? null;
    const replaced = replacedBy(path, request);
    const replaces = replaced !== null && (await isStored(replaced.bucket, replaced.key));
    const store = () =>
      answerStorage(path, request, caller?.role, (inner) =>
        storage.replacing(replaces, () => lite.fetch(inner, caller)),
      );
    const wish = partWish(request);
    const answer = async () =>
      wish ? asPart(await storage.readingPart(wish, store), wish) : store();
    if (!isUpload(path, request.method)) return answer();
    const sender = known?.claims?.sub ?? '';
    const running = uploads.get(sender) ?? 0;
    if (sender && running >= MOST_UPLOADS) throw tooManyRequests();
    uploads.set(sender, running + 1);
    const size = Number(request.headers.get('content-length') ?? LARGEST_UPLOAD);
    let release: (() => void) | null = () => {};
    try {
      if (fileSpace) release = await fileSpace.claim(size);
      return release ? await answer() : outOfSpaceResponse();
    } finally {
      release?.();
      const left = (uploads.get(sender) ?? 1) - 1;
      if (left > 0) uploads.set(sender, left);
      else uploads.delete(sender);
    }
  };
}

/** Rejects an expired or invalid link, for which lite 0.10.0 would respond 500; otherwise null. */
async function refuseLink(path: string, url: URL, secret: string): Promise<Response | null> {
  const token = url.searchParams.get('token');
  if (token === null || !/^\/(object|render\/image)\/sign\//.test(path)) return null;
  try {
    await jwtVerify(token, new TextEncoder().encode(secret), { algorithms: ['HS256'] });
    return null;
  } catch (error) {
    const { message } = error as Error;
    return Response.json({ statusCode: '400', error: 'InvalidJWT', message }, { status: 400 });
  }
}

/** Rejects a caller whose session has ended although the token is still valid; otherwise null. */
async function refuseEndedSession(
  db: Database,
  claims: AccessClaims | null,
): Promise<Response | null> {
  if (!claims) return null;
  const session = await queryOne(db)`
    select from auth.sessions where id = ${claims.session_id} and user_id = ${claims.sub}`;
  if (session) return null;
  const message = 'Your session has ended. Sign in again.';
  return Response.json({ statusCode: '401', error: 'Unauthorized', message }, { status: 401 });
}

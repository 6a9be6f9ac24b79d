import { answerAuth, OPEN_AUTH_PATHS } from '../auth/auth.ts';
import type { AuthContext } from '../auth/session.ts';
import { type DiskSpace, outOfSpaceResponse, type Room } from '../postgres/disk-space.ts';
import { refuseEndedSession, refuseLink } from '../storage/access.ts';
import type { StorageFolder } from '../storage/folder.ts';
import {
  answerStorage,
  isOpenStoragePath,
  isUpload,
  LARGEST_UPLOAD,
  replacedBy,
} from '../storage/storage.ts';
import { createUploadLimit } from '../storage/upload-limit.ts';
import { type Identity, unauthorizedResponse } from './caller.ts';
import { UNKNOWN_ADDRESS } from './client-address.ts';
import { notFound, type Service } from './errors.ts';
import type { Functions } from './functions.ts';
import type { Lite } from './lite.ts';

/** A request to a service: its path there, who sent it, and from which address. */
export interface ServiceRequest {
  path: string;
  request: Request;
  identity: Identity;
  /** The client's address, or UNKNOWN_ADDRESS. */
  address: string;
}

export type Services = Record<Service, (asked: ServiceRequest) => Promise<Response>>;

interface ServiceDeps {
  auth: AuthContext;
  lite: Lite;
  functions: Functions;
  storage: StorageFolder;
  /** Whether the database knows a file under a path. */
  isStored: (bucket: string, key: string) => Promise<boolean>;
  /** Where files go; without it there is always enough room. */
  fileSpace: DiskSpace | undefined;
  roomOf: (service: Service) => Promise<Room>;
  /** That links to files are signed with. */
  jwtSecret: string;
}

/** The services behind the gateway. */
export function createServices(deps: ServiceDeps): Services {
  const { auth, lite, functions, roomOf } = deps;
  return {
    auth: async ({ path, request, identity, address }) => {
      if (identity.kind !== 'known' && !OPEN_AUTH_PATHS.has(path)) {
        return unauthorizedResponse('auth', identity);
      }
      const claims = identity.kind === 'known' ? identity.claims : null;
      return answerAuth(auth, path, request, { claims, address });
    },
    rest: async ({ path, request, identity, address }) => {
      if (identity.kind !== 'known') return unauthorizedResponse('rest', identity);
      if (path === '/' || path === '') return notFound();
      // Procedures don't count a caller without an address.
      const known = address === UNKNOWN_ADDRESS ? undefined : address;
      return lite.fetch(request, identity.caller, known, (await roomOf('rest')) !== 'enough');
    },
    storage: createStorageService(deps),
    // Only sockets, which come in by `upgrade`.
    realtime: async () => notFound(),
    functions: async ({ path, request, identity, address }) => {
      const name = path.split('/')[1] ?? '';
      if (functions.needsKey(name) && identity.kind !== 'known') {
        return unauthorizedResponse('functions', identity);
      }
      // Functions count by it: what the caller wrote there doesn't matter.
      const headers = new Headers(request.headers);
      headers.delete('x-forwarded-for');
      if (address !== UNKNOWN_ADDRESS) headers.set('x-forwarded-for', address);
      const isFull = (await roomOf('functions')) !== 'enough';
      return functions.run(name, new Request(request, { headers }), isFull);
    },
  };
}

function createStorageService(deps: ServiceDeps): Services['storage'] {
  const { auth, lite, storage, isStored, fileSpace, jwtSecret } = deps;
  const limitUploads = createUploadLimit();
  return async ({ path, request, identity }) => {
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
    const answer = () =>
      answerStorage(path, request, caller?.role, (inner) =>
        storage.replacing(replaces, () => lite.fetch(inner, caller)),
      );
    if (!isUpload(path, request.method)) return answer();
    const size = Number(request.headers.get('content-length') ?? LARGEST_UPLOAD);
    const release = fileSpace ? await fileSpace.claim(size) : () => {};
    if (!release) return outOfSpaceResponse();
    const sender = known?.claims?.sub;
    return (sender ? limitUploads(sender, answer) : answer()).finally(release);
  };
}

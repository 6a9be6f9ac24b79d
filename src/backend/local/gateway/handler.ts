import { AuthError, authErrorResponse } from '../auth/errors.ts';
import type { Tokens } from '../auth/tokens.ts';
import type { Keys } from '../keys.ts';
import { goesOnWhenFull, outOfSpaceResponse, type Room } from '../postgres/disk-space.ts';
import { createRateLimit } from '../realtime/limits.ts';
import { isUpload } from '../storage/storage.ts';
import { BODY_TIMEOUT, bodyLimit, checkAddress, limitBody, readBody } from './body.ts';
import { crossSiteResponse, identify, isCrossSite } from './caller.ts';
import {
  isUnavailable,
  notFound,
  responseToError,
  type Service,
  TooLate,
  tooLarge,
} from './errors.ts';
import type { Services } from './services.ts';
import { withTimeout } from './timeout.ts';

/** How long a request waits for its response once its whole body has arrived, in ms. */
const LONGEST_WAIT = 8_500;

interface HandlerDeps {
  services: Services;
  keys: Keys;
  tokens: Tokens;
  siteUrl: string;
  addressOf: (request: Request, remoteAddress: string) => string;
  roomOf: (service: Service) => Promise<Room>;
  bodyTimeout?: number | undefined;
  log: (line: string) => void;
}

interface RequestInfo {
  remoteAddress: string;
  /** The body, if the request comes without it: from a page, which has it as text. */
  text?: string | undefined;
}

type Handler = (request: Request, info: RequestInfo) => Promise<Response>;

/** Handles requests below the five Supabase paths; every other request gets a 404. */
export function createHandler(deps: HandlerDeps): Handler {
  const { services, siteUrl, roomOf, log } = deps;
  // While the database is unreachable, every request fails: logging one a second is enough.
  const mayLog = createRateLimit(1);

  function failed(error: unknown, request: Request, path: string, service: Service): Response {
    const where = `${request.method} ${path}`;
    const response = responseToError(error, service);
    if (response) {
      if (isUnavailable(error) && mayLog()) log(`${where}: ${reasonOf(error)}`);
      return response;
    }
    if (!request.signal.aborted) log(`${where} failed: ${(error as Error).stack ?? error}`);
    const sentence = 'Something went wrong on our end. Try again.';
    return authErrorResponse(new AuthError(500, 'unexpected_failure', sentence));
  }

  async function answer(request: Request, info: RequestInfo): Promise<Response> {
    const url = new URL(request.url);
    url.pathname = plainPath(url.pathname);
    const [, name = '', path = ''] = /^\/([a-z]+)\/v1(\/.*)?$/.exec(url.pathname) ?? [];
    if (!Object.hasOwn(services, name)) return notFound();
    const service = name as Service;
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 });
    if (isCrossSite(request, siteUrl)) return crossSiteResponse();

    const limit = bodyLimit(service, path, request.method);
    if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge().toResponse();
    const room = await roomOf(service);
    if (room !== 'enough' && !goesOnWhenFull(service, path, request.method, room)) {
      return outOfSpaceResponse();
    }
    try {
      checkAddress(url);
      return await ask(deps, { service, path, url, request, limit, ...info });
    } catch (error) {
      return failed(error, request, url.pathname, service);
    }
  }

  return async (request, info) => sameOrigin(await answer(request, info));
}

async function ask(
  { services, keys, tokens, addressOf, bodyTimeout = BODY_TIMEOUT }: HandlerDeps,
  asked: RequestInfo & {
    service: Service;
    path: string;
    url: URL;
    request: Request;
    limit: number;
  },
): Promise<Response> {
  const { service, path, url, request, limit, remoteAddress, text } = asked;
  const identity = await identify(request, url, keys, tokens);
  // lite would take the key for a filter. `delete` rewrites the query string, so only when needed.
  if (url.searchParams.has('apikey')) url.searchParams.delete('apikey');
  const isFile = service === 'storage' && isUpload(path, request.method);
  // Without a valid key, the body isn't read, except by the two services with keyless endpoints.
  const isRead = identity.kind === 'known' || service === 'auth' || service === 'functions';
  const whole = Promise.withResolvers<void>();
  const time = {
    ms: bodyTimeout,
    for: isFile ? 'each part' : 'whole',
    whole: whole.resolve,
  } as const;
  const read =
    isRead && !isFile
      ? await readBody(request, url, limit, time, service === 'storage', text)
      : { copy: () => limitBody(request, url, limit, time) };
  const address = addressOf(request, remoteAddress);
  const isFromPage = text !== undefined;
  const answer = services[service]({ path, identity, address, request, isFromPage, ...read });
  return withTimeout(answer, {
    ms: LONGEST_WAIT,
    error: () => new TooLate('no answer in time'),
    // The time doesn't start until the body is there: an upload may take as long as it needs.
    from: whole.promise,
  });
}

function reasonOf(error: unknown): string {
  const { message, code } = error as NodeJS.ErrnoException;
  const reason = message || code || '';
  return error instanceof TooLate ? reason : `the database can't be reached (${reason})`;
}

/**
 * Decodes letters, digits, `-` and `_` in a path, so that our checks see the same path as lite,
 * which takes `/object/%73ign` for `/object/sign`.
 */
function plainPath(pathname: string): string {
  return pathname.replace(/%(2d|3\d|[46][1-9a-f]|[57][0-9a]|5f)/gi, (coded) =>
    decodeURIComponent(coded),
  );
}

/** Removes CORS headers: the site shares the backend's origin, and other sites get no access. */
function sameOrigin(response: Response): Response {
  const { headers } = response;
  try {
    headers.set('x-content-type-options', 'nosniff');
  } catch {
    // Those of `fetch` and of redirects can't be changed.
    return sameOrigin(new Response(response.body, response));
  }
  for (const name of [...headers.keys()]) {
    if (name.startsWith('access-control-')) headers.delete(name);
  }
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  return response;
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, RequestError } from '@hono/node-server';
import onHeaders from 'on-headers';
import { ownOrigin } from '#lib/app-config.ts';
import { type Redirect, redirectTarget } from '#lib/content/redirects.ts';
import type { Fetch } from '#lib/http.ts';
import { demoRefusal, sendDemoRefusal } from './demo-guard.ts';
import { failCurrentRequest, isolateFailures } from './isolate-failures.ts';
import { createTurns } from './page-turns.ts';
import { createStaticFiles, type StaticFiles } from './static-files.ts';
import { createToolPages, currentToolPage, isToolPage, knownToolPage } from './tool-pages.ts';

type Answer = (request: Request, info: { remoteAddress: string }) => Promise<Response>;

/** The handler type of Astro's adapter. */
type NodeHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  next?: () => void | Promise<void>,
  locals?: object,
) => void | Promise<void>;

export interface HandlerParts {
  siteUrl: string;
  publishableKey: string;
  /** The origin of a hosted Supabase; undefined if the backend shares this origin. */
  supabaseUrl: string | undefined;
  /** Handles the five Supabase paths, if the backend is embedded. */
  backend: Answer | undefined;
  mailbox: Answer | undefined;
  /** Handles /dev/emails, outside production. */
  mailPreviews?: Answer | undefined;
  payments?: Answer | undefined;
  /**
   * Handles `/` with a session cookie. Returns a redirect, a response that only clears the cookies
   * of an ended session, or null.
   */
  home: (request: Request) => Promise<Response | null>;
  /** Whether the built page of a tool, or of all tools, still says what's published. */
  isToolAsBuilt?: ((slug: string | undefined) => Promise<boolean>) | undefined;
  healthy: () => Promise<boolean>;
  /** Whether the disk has free space. Below the reserve, the site is read-only. */
  hasRoom?: (() => Promise<boolean>) | undefined;
  /** Whether there are accounts with a publicly known password. */
  demoAccounts: boolean;
  redirects: readonly Redirect[];
  /** The folder of built files; undefined in development, where `pages` handles everything. */
  files: string | undefined;
  /** Astro's handler for pages rendered on demand. */
  pages: NodeHandler;
  /** Sends the pages' requests to the embedded backend; undefined if there is none. */
  backendFetch?: Fetch | undefined;
}

/**
 * Pages rendered at a time, and the longest that one waits for its turn, in ms. With the embedded
 * database, one is rendered while another is asking. A hosted one is further away.
 */
const PAGES_AT_ONCE = { embedded: 2, hosted: 4 };
const LONGEST_TURN = 250;

const SUPABASE_PATH = /^\/(auth|rest|storage|realtime|functions)\/v1(\/|$)/;
const FUNCTION_PATH = /^\/functions\/v1\/[a-z][a-z0-9-]*$/;
const SESSION_COOKIE = /(^|;\s*)trellis-session(\.0)?=/;
const POLICY = 'Content-Security-Policy';

export function isRealtimePath(address = ''): boolean {
  return address.startsWith('/realtime/v1/');
}

/**
 * Headers that a `<meta>` can't set, or that depend on the backend. A browser enforces this policy
 * and the page's own, so there's no default-src: only the page knows its inline scripts' hashes.
 */
function securityHeaders(parts: HandlerParts): [string, string][] {
  const backend = parts.supabaseUrl ? ` ${parts.supabaseUrl}` : '';
  // Not every browser counts a WebSocket to the same origin as 'self'.
  const sockets = (parts.supabaseUrl ?? parts.siteUrl).replace(/^http/, 'ws');
  const policy = [
    `connect-src 'self'${backend} ${sockets}`,
    `img-src 'self' data: blob:${backend}`,
    `media-src 'self' blob:${backend}`,
    "object-src 'none'",
    "frame-src 'none'",
    "worker-src 'self'",
    "base-uri 'self'",
    `form-action 'self'${backend}`,
    "frame-ancestors 'none'",
  ].join('; ');
  const headers: [string, string][] = [
    [POLICY, policy],
    ['X-Content-Type-Options', 'nosniff'],
    ['Referrer-Policy', 'same-origin'],
    ['Cross-Origin-Opener-Policy', 'same-origin'],
    ['Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=(self)'],
  ];
  if (parts.siteUrl.startsWith('https:')) {
    headers.push(['Strict-Transport-Security', 'max-age=31536000; includeSubDomains']);
  }
  return headers;
}

/**
 * Whether a request could change data and isn't from our own pages: its Origin is missing or is
 * another site's. The requested host counts as ours, like `siteUrl`.
 */
function isForeign(req: IncomingMessage, siteUrl: string): boolean {
  if (['GET', 'HEAD', 'OPTIONS'].includes(req.method ?? '')) return false;
  const origin = URL.parse(req.headers.origin ?? '');
  return origin === null || (origin.origin !== siteUrl && origin.host !== req.headers.host);
}

function json(body: unknown, status = 200): Response {
  return Response.json(body, { status, headers: { 'Cache-Control': 'no-store' } });
}

/** A request that can't be parsed is the client's error; anything else is ours. */
function errorHandler(error: unknown): Response | undefined {
  if (error instanceof RequestError) return new Response(null, { status: 400 });
  failCurrentRequest(error);
  return undefined;
}

/** Adapts a Fetch-style handler to Node's request listener. */
function listener(answer: Answer): RequestListener {
  return getRequestListener(
    (request, { incoming }) =>
      answer(request, { remoteAddress: incoming.socket.remoteAddress ?? '' }),
    { overrideGlobalObjects: false, errorHandler },
  );
}

/** Sends our policy along with the page's own, which Astro sets just before the headers go out. */
function keepBothPolicies(res: ServerResponse): void {
  const ours = res.getHeader(POLICY);
  onHeaders(res, () => {
    const theirs = res.getHeader(POLICY);
    if (theirs !== ours) res.setHeader(POLICY, [String(ours), String(theirs)]);
  });
}

/** The one listener of the port: health, config, embedded backend, mailbox, files and pages. */
export function createRequestHandler(parts: HandlerParts): RequestListener {
  const headers = securityHeaders(parts);
  const backend = parts.backend && listener(parts.backend);
  const ownPath = createOwnPaths(parts);
  // The home page depends on the cookie. Some files are only for web servers without this handler.
  const isPlain = (pathname: string) =>
    pathname !== '/' &&
    !SUPABASE_PATH.test(pathname) &&
    ownPath(pathname) === undefined &&
    !isToolPage(pathname) &&
    redirectTarget(parts.redirects, pathname, '') === null;
  const files =
    parts.files === undefined ? undefined : createStaticFiles(parts.files, { headers, isPlain });
  const page = createPageHandler(parts, files);

  const answer = isolateFailures((req, res) => {
    const refusal = parts.demoAccounts ? demoRefusal(req) : null;
    if (refusal) return sendDemoRefusal(res, refusal);
    const { url = '/', method = 'GET' } = req;
    const pathname = url.split('?', 1)[0] ?? '/';
    if (SUPABASE_PATH.test(pathname) && backend) return backend(req, res);
    for (const [name, value] of headers) res.setHeader(name, value);
    const own = ownPath(pathname);
    if (own) return own(req, res);
    if (isForeign(req, parts.siteUrl)) {
      return res.writeHead(403, { 'Content-Type': 'text/plain' }).end('Only from our own pages');
    }
    const target = redirectOf(parts, method, pathname, url.slice(pathname.length));
    if (target) return res.writeHead(...target).end();
    if (pathname === '/' && SESSION_COOKIE.test(req.headers.cookie ?? '')) {
      return sendHome(parts, page, req, res);
    }
    return page(req, res);
  });

  // A file is served before anything else, which is only about what has no file.
  return (req, res) => {
    const mayServe = !parts.demoAccounts || demoRefusal(req) === null;
    if (!(mayServe && files?.serveAtOnce(req, res))) answer(req, res);
  };
}

function createOwnPaths(parts: HandlerParts): (pathname: string) => RequestListener | undefined {
  const mailbox = parts.mailbox && exceptByProxy(listener(parts.mailbox));
  const payments = parts.payments && exceptByProxy(listener(parts.payments));
  const mailPreviews = parts.mailPreviews && exceptByProxy(listener(parts.mailPreviews));
  const health = listener(async () => {
    const ok = await parts.healthy().catch(() => false);
    if (!ok) return json({ status: 'failing' }, 503);
    // Still 200, because reading works. A 503 would take the whole site out of rotation.
    const hasRoom = (await parts.hasRoom?.()) ?? true;
    return json({ status: hasRoom ? 'ok' : 'disk full' });
  });
  const appConfig = listener(async (request) =>
    json({
      supabaseUrl: parts.supabaseUrl ?? ownOrigin(new URL(request.url), parts.siteUrl),
      publishableKey: parts.publishableKey,
    }),
  );
  return (pathname) => {
    if (pathname === '/healthz') return health;
    if (pathname === '/app-config.json') return appConfig;
    if (pathname.startsWith('/_local/payments/')) return payments;
    if (/^\/dev\/emails(\/|$)/.test(pathname)) return mailPreviews;
    return /^\/_local\/mailbox([./]|$)/.test(pathname) ? mailbox : undefined;
  };
}

/**
 * Keeps pages that are only for this machine from a proxy with default settings: it's on this
 * machine, too, and nothing but its HTTP/1.0 tells it apart from a browser.
 */
const exceptByProxy =
  (handler: RequestListener): RequestListener =>
  (req, res) => {
    if (req.httpVersion !== '1.0') return handler(req, res);
    sendNothing(res);
  };

function sendNothing(res: ServerResponse): void {
  res.writeHead(404, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' });
  res.end('Not found');
}

function createPageHandler(parts: HandlerParts, files: StaticFiles | undefined): NodeHandler {
  const { backendFetch } = parts;
  const isAsBuilt = parts.isToolAsBuilt && createToolPages(parts.isToolAsBuilt);
  const most = parts.backend ? PAGES_AT_ONCE.embedded : PAGES_AT_ONCE.hosted;
  const inTurn = createTurns(most, LONGEST_TURN);
  return async (req, res) => {
    const render = () => {
      keepBothPolicies(res);
      // Nobody waits for the page of someone who has left.
      const left = new Promise<void>((resolve) => void res.once('close', resolve));
      // Without a `next`, the adapter renders the 404 page.
      const page = () => parts.pages(req, res, undefined, { backendFetch });
      return inTurn(async () => {
        if (!res.destroyed) await Promise.race([left, page()]);
      });
    };
    if (req.method !== 'GET' && req.method !== 'HEAD') return render();
    const [pathname = '/', ...query] = (req.url ?? '/').split('?');
    const known = knownToolPage(pathname);
    if (known) return void res.writeHead(308, { Location: [known, ...query].join('?') }).end();
    if (isAsBuilt && isToolPage(pathname)) {
      // In development, there are no files to look for.
      const isBuilt = (files?.has(pathname) ?? true) && (await isAsBuilt(pathname));
      if (!isBuilt) {
        const current = currentToolPage(pathname);
        if (current === null) return sendNothing(res);
        req.url = [current, ...query].join('?');
        return render();
      }
    }
    return files ? files.serve(req, res, render) : render();
  };
}

/** The status and headers of a redirect; null if this request isn't redirected. */
function redirectOf(
  { supabaseUrl, redirects }: HandlerParts,
  method: string,
  pathname: string,
  query: string,
): [status: number, headers: Record<string, string>] | null {
  if (supabaseUrl && method === 'POST' && FUNCTION_PATH.test(pathname)) {
    // Built pages post to their own origin, wherever the functions are. 307 resends the form data.
    return [307, { Location: supabaseUrl + pathname + query }];
  }
  if (pathname.length > 1 && pathname.endsWith('/')) {
    // Exactly one leading slash, because browsers read `//host` and `/\host` as another site.
    return [308, { Location: `/${pathname.replace(/^[/\\]+|[/\\]+$/g, '')}${query}` }];
  }
  const elsewhere = redirectTarget(redirects, pathname, query);
  return elsewhere !== null && (method === 'GET' || method === 'HEAD')
    ? [302, { Location: elsewhere, 'Cache-Control': 'no-store' }]
    : null;
}

/** Redirects a signed-in person; if the session is over, clears it and serves the built page. */
async function sendHome(
  parts: HandlerParts,
  page: NodeHandler,
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const request = new Request(new URL('/', parts.siteUrl), {
    headers: { cookie: req.headers.cookie ?? '' },
  });
  // The home page is for everyone, so it must still load if the backend fails.
  const answer = await parts.home(request).catch(() => null);
  if (!answer) return page(req, res);
  res.setHeader('Cache-Control', 'private, no-store');
  res.setHeader('Vary', 'Cookie');
  for (const cookie of answer.headers.getSetCookie()) res.appendHeader('Set-Cookie', cookie);
  const location = answer.headers.get('location');
  if (!location) return page(req, res);
  res.writeHead(302, { Location: location }).end();
}

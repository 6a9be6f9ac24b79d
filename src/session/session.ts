/** Server-side sessions, for the middleware and the HTTP server. Independent of Astro. */
import type { ServerConfig } from '../lib/app-config.ts';
import { serverConfig } from '../lib/app-config.ts';
import type { Call } from '../lib/batch.ts';
import { CHOSEN_COOKIE } from '../lib/chosen-work.ts';
import { AppError, type ErrorKind } from '../lib/errors.ts';
import { patientFetch } from '../lib/http.ts';
import { loginHref } from '../lib/routing/next-path.ts';
import type { Route } from '../lib/routing/routes.ts';
import { homeOf } from '../lib/routing/routes.ts';
import { serverClient, serverDeadline } from '../lib/server-client.ts';
import {
  cookieLine,
  decodeSession,
  encodeSession,
  hasSessionCookie,
  isSession,
  isSessionCookie,
  parseCookies,
  proofsOf,
  SESSION_COOKIE_SECONDS,
} from '../lib/session-cookie.ts';
import type { Db, Session } from '../lib/supabase.ts';
import type { SessionFacts } from './session-facts.ts';
import { BUSINESS_COOKIE, openPage, readFacts } from './session-facts.ts';

/** Renew a session that expires within this time, as browsers do (auth-js: 3 ticks of 30 s). */
const MARGIN_SECONDS = 90;
/** How long the auth service accepts a refresh token again after its first use. */
const REUSE_MS = 10_000;
const REFRESH_TIMEOUT_MS = 10_000;

/** One request: its database client, the person, and the cookies to send back. */
export interface Visit {
  db: Db;
  session: SessionFacts | null;
  /** `Set-Cookie` lines. */
  setCookies: string[];
  /** Set if there's a session that couldn't be verified. */
  trouble: AppError | null;
  /** To be called when the request is done. */
  end: () => void;
}

type Renewal = { state: 'renewed'; session: Session } | { state: 'gone' } | { state: 'unknown' };

const renewals = new Map<string, Promise<Renewal>>();

/** Sends a request to the auth service. */
const sendTo = ({ fetch }: ServerConfig) => patientFetch({ timeout: REFRESH_TIMEOUT_MS, fetch });

async function renew(config: ServerConfig, refreshToken: string): Promise<Renewal> {
  try {
    const answer = await sendTo(config)(
      `${config.supabaseUrl}/auth/v1/token?grant_type=refresh_token`,
      {
        method: 'POST',
        headers: { apikey: config.publishableKey, 'content-type': 'application/json' },
        body: JSON.stringify({ refresh_token: refreshToken }),
      },
    );
    if (answer.status >= 500 || answer.status === 429 || answer.status === 408) {
      return { state: 'unknown' };
    }
    if (!answer.ok) return { state: 'gone' };
    const session: unknown = await answer.json();
    if (!isSession(session)) return { state: 'unknown' };
    const expiresAt = session.expires_at ?? nowSeconds() + session.expires_in;
    return { state: 'renewed', session: { ...session, expires_at: expiresAt } };
  } catch {
    return { state: 'unknown' };
  }
}

/** Shares one renewal among all requests to this process with the same refresh token. */
function renewOnce(config: ServerConfig, refreshToken: string): Promise<Renewal> {
  const running = renewals.get(refreshToken);
  if (running) return running;
  const renewal = renew(config, refreshToken);
  renewals.set(refreshToken, renewal);
  void renewal.then(({ state }) => {
    if (state === 'unknown') renewals.delete(refreshToken);
    else setTimeout(() => renewals.delete(refreshToken), REUSE_MS).unref?.();
  });
  return renewal;
}

const UNKNOWN = { state: 'unknown' } as const;

/** The result, or `late` after the deadline. The result may still serve later requests. */
function before<T, Late>(deadline: AbortSignal, coming: Promise<T>, late: Late): Promise<T | Late> {
  const { promise, resolve } = Promise.withResolvers<Late>();
  const passed = () => resolve(late);
  if (deadline.aborted) passed();
  deadline.addEventListener('abort', passed);
  return Promise.race([coming, promise]).finally(() =>
    deadline.removeEventListener('abort', passed),
  );
}

const nowSeconds = () => Math.floor(Date.now() / 1000);
const endsWithin = (session: Session, seconds: number) =>
  (session.expires_at ?? 0) - nowSeconds() < seconds;

function keepLines(names: Iterable<string>, session: Session, secure: boolean): string[] {
  const chunks = encodeSession(session);
  const kept = new Set(chunks.map(({ name }) => name));
  return [
    ...[...names]
      .filter((name) => isSessionCookie(name) && !kept.has(name))
      .map((name) => cookieLine(name, '', 0, secure)),
    ...chunks.map(({ name, value }) => cookieLine(name, value, SESSION_COOKIE_SECONDS, secure)),
  ];
}

/** `Set-Cookie` lines that delete this browser's session. */
function clearLines(cookieHeader: string | null, secure: boolean): string[] {
  return [...parseCookies(cookieHeader).keys()]
    .filter((name) => isSessionCookie(name) || [BUSINESS_COOKIE, CHOSEN_COOKIE].includes(name))
    .map((name) => cookieLine(name, '', 0, secure));
}

/** Whether the site's cookies are `Secure`, which they are if its public URL is https. */
export function isSecure(config: ServerConfig): boolean {
  return new URL(config.siteUrl).protocol === 'https:';
}

/**
 * Identifies who sent a request. If the session is over, that's a visitor; if the backend doesn't
 * respond, a visitor with `trouble`.
 * @param callsOf the calls that the page will make, to send along with the one for the session
 */
export async function openVisit(
  request: Request,
  config: ServerConfig = serverConfig(),
  callsOf: (db: Db) => Call[] = () => [],
): Promise<Visit> {
  const header = request.headers.get('cookie');
  const { signal: deadline, end } = serverDeadline();
  const visitor = (setCookies: string[], trouble: AppError | null = null): Visit => ({
    db: serverClient(config, null, deadline),
    session: null,
    setCookies,
    trouble,
    end,
  });
  if (!hasSessionCookie(header)) return visitor([]);

  const secure = isSecure(config);
  const cookies = parseCookies(header);
  const chosen = cookies.get(BUSINESS_COOKIE) ?? null;
  const over = () => visitor(clearLines(header, secure));
  let session = decodeSession((name) => cookies.get(name));
  if (!session) return over();

  let setCookies: string[] = [];
  let renewed = false;
  const tryRenewal = async (held: Session): Promise<'renewed' | 'gone' | 'unknown'> => {
    const renewal = await before(deadline, renewOnce(config, held.refresh_token), UNKNOWN);
    if (renewal.state === 'renewed') {
      session = renewal.session;
      setCookies = keepLines(cookies.keys(), renewal.session, secure);
      renewed = true;
    }
    return renewal.state;
  };

  if (endsWithin(session, MARGIN_SECONDS)) {
    const outcome = await tryRenewal(session);
    // If renewing failed, the current token still works until it expires.
    if (outcome !== 'renewed' && endsWithin(session, 0)) {
      return outcome === 'gone' ? over() : visitor([], new AppError('network'));
    }
  }

  for (;;) {
    const reading = await readVisit(
      serverClient(config, session.access_token, deadline),
      chosen,
      callsOf,
    );
    if (reading.state === 'known') {
      return { db: reading.db, session: reading.facts, setCookies, trouble: null, end };
    }
    if (reading.state === 'unknown') return { ...visitor(setCookies), trouble: reading.error };
    // The token was rejected before it expired: keys changed, or the session was ended elsewhere.
    if (renewed) return over();
    const outcome = await tryRenewal(session);
    if (outcome === 'gone') return over();
    if (outcome === 'unknown') return visitor([], new AppError('network'));
  }
}

/** Kinds of errors that loading the session by itself would run into as well. */
const ENDS_VISIT = new Set<ErrorKind>(['network', 'signed-out']);

type Reading =
  | { state: 'known'; db: Db; facts: SessionFacts }
  | { state: 'refused' }
  | { state: 'unknown'; error: AppError };

async function readVisit(
  db: Db,
  chosen: string | null,
  callsOf: (db: Db) => Call[],
): Promise<Reading> {
  const calls = callsOf(db);
  try {
    const facts = await (calls.length === 0
      ? readFacts(db, chosen)
      : openPage(db, calls, chosen).catch((error: unknown) => {
          // If one of the page's calls failed, the guard decides first, and then the page calls again.
          if (error instanceof AppError && ENDS_VISIT.has(error.kind)) throw error;
          return readFacts(db, chosen);
        }));
    return facts ? { state: 'known', db, facts } : { state: 'refused' };
  } catch (error) {
    if (error instanceof AppError && error.kind === 'signed-out') return { state: 'refused' };
    return {
      state: 'unknown',
      error:
        error instanceof AppError ? error : new AppError('unexpected', undefined, { cause: error }),
    };
  }
}

/** Auth's methods for opening an emailed link or entering an emailed code. */
const BY_MAIL = new Set(['otp', 'magiclink', 'recovery']);

/** The hour that Auth waives the current password, less ten minutes to fill in the form. */
const BY_MAIL_SECONDS = 50 * 60;

/** Whether the person signed in by email recently, most likely to reset their password. */
export async function cameByMail(request: Request): Promise<boolean> {
  const cookies = parseCookies(request.headers.get('cookie'));
  const session = decodeSession((name) => cookies.get(name));
  const since = nowSeconds() - BY_MAIL_SECONDS;
  return (
    session !== null &&
    proofsOf(session).some(({ method, timestamp }) => BY_MAIL.has(method) && timestamp > since)
  );
}

export type Decision =
  | { kind: 'go' }
  | { kind: 'redirect'; to: string }
  | { kind: 'forbidden' }
  | { kind: 'trouble'; error: AppError };

/** What a page's guard decides. `path`, with its query, is where to return after signing in. */
export function decide(route: Route, visit: Visit, path: string): Decision {
  if (route.guard === 'none') return { kind: 'go' };
  if (route.guard === 'home') {
    const { session } = visit;
    return session ? { kind: 'redirect', to: landingOf(session) } : { kind: 'go' };
  }
  if (visit.trouble) return { kind: 'trouble', error: visit.trouble };
  if (!visit.session || visit.session.secondFactor === 'required') {
    return { kind: 'redirect', to: loginHref(path) };
  }
  if (route.guard === 'admin' && visit.session.role !== 'admin') return { kind: 'forbidden' };
  return { kind: 'go' };
}

/** Where a signed-in person lands: their role's home page, or the prompt for the second factor. */
export function landingOf(session: SessionFacts): string {
  return session.secondFactor === 'required' ? '/login' : homeOf(session.role);
}

/**
 * For the HTTP server: the response for a signed-in person who opens `/`. Without `Location`, it
 * only carries cookies to send with the built page; null if that page needs none.
 */
export async function homeFor(
  request: Request,
  config: ServerConfig = serverConfig(),
): Promise<Response | null> {
  if (!hasSessionCookie(request.headers.get('cookie'))) return null;
  const visit = await openVisit(request, config);
  visit.end();
  if (!visit.session && visit.setCookies.length === 0) return null;
  const headers = new Headers({ 'Cache-Control': 'private, no-store', Vary: 'Cookie' });
  for (const line of visit.setCookies) headers.append('Set-Cookie', line);
  if (visit.session) headers.set('Location', landingOf(visit.session));
  return new Response(null, { status: visit.session ? 302 : 204, headers });
}

/**
 * Ends a request's session and redirects to the page that confirms it, even if the auth service
 * doesn't respond.
 */
export async function endSession(
  request: Request,
  config: ServerConfig = serverConfig(),
): Promise<Response> {
  const header = request.headers.get('cookie');
  const cookies = parseCookies(header);
  const session = decodeSession((name) => cookies.get(name));
  if (session) {
    await sendTo(config)(`${config.supabaseUrl}/auth/v1/logout?scope=local`, {
      method: 'POST',
      headers: { apikey: config.publishableKey, authorization: `Bearer ${session.access_token}` },
    }).catch(() => {});
  }
  const headers = new Headers({ Location: '/logout' });
  for (const line of clearLines(header, isSecure(config))) headers.append('Set-Cookie', line);
  return new Response(null, { status: 303, headers });
}

/** The person on a guarded page. Throws if the page has no guard, which is a bug. */
export function signedIn(locals: { session: SessionFacts | null }): SessionFacts {
  if (!locals.session)
    throw new Error('This page needs a row with a guard in lib/routing/routes.ts.');
  return locals.session;
}

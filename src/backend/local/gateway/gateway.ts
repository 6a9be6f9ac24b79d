import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { connect, isDatabaseAway } from '#backend/supabase/functions/_shared/connection.ts';
import { removeDueFiles } from '#backend/supabase/functions/_shared/file-removal.ts';
import { isOutOfSpace } from '#backend/supabase/functions/_shared/out-of-space.ts';
import { answerAuth, OPEN_AUTH_PATHS } from '../auth/auth.ts';
import { AuthError, authErrorResponse } from '../auth/errors.ts';
import { createLimits } from '../auth/limits.ts';
import { ensureAuthTables } from '../auth/schema.ts';
import type { AuthContext } from '../auth/session.ts';
import { createTokens } from '../auth/tokens.ts';
import type { Keys } from '../keys.ts';
import { createMailbox } from '../mail/mailbox.ts';
import { createMailSender, type MailSender, readBrand } from '../mail/sender.ts';
import { type DiskSpace, goesOnWhenFull, outOfSpaceResponse } from '../postgres/disk-space.ts';
import { createRateLimit, type RealtimeLimits } from '../realtime/limits.ts';
import { createRealtime } from '../realtime/realtime.ts';
import { refuseEndedSession, refuseLink } from '../storage/access.ts';
import { createStorageFolder } from '../storage/folder.ts';
import {
  answerStorage,
  isOpenStoragePath,
  isUpload,
  LARGEST_UPLOAD,
  replacedBy,
} from '../storage/storage.ts';
import { createUploadLimit } from '../storage/upload-limit.ts';
import { awayResponse, inTime, type Service, TooLate } from './away.ts';
import {
  BadRequest,
  BODY_TIMEOUT,
  BodyTooLarge,
  BodyTooSlow,
  badRequest,
  bodyLimit,
  checkAddress,
  limitBody,
  readBody,
  tooLarge,
  tooSlow,
} from './body.ts';
import { type Asker, askerOf, fromElsewhere, isFromElsewhere, refusalOf } from './caller.ts';
import { clientAddress, proxies, UNKNOWN_ADDRESS } from './client-address.ts';
import { createFunctions } from './functions.ts';
import { createLite, STATEMENT_TIMEOUT } from './lite.ts';
import { isLoopbackName } from './loopback.ts';

export interface GatewaySettings {
  /** Database that is prepared and migrated. */
  databaseUrl: string;
  keys: Keys;
  /** Origin of the site: issuer of tokens, aim of mailed links. */
  siteUrl: string;
  /** Folder for uploaded files; `<dataDir>/storage`. */
  storageDir: string;
  /** The room for the database and for files; without it there is always enough. */
  space?: { database?: DiskSpace | undefined; files: DiskSpace } | undefined;
  /** Where mail goes; without it mail is kept for the mailbox. */
  smtpUrl?: string | undefined;
  /** The `supabase` folder with functions; the project's own unless a test says otherwise. */
  supabaseDir?: string;
  /** The environment, for functions that read more than the gateway sets. */
  functionSettings?: Record<string, string | undefined>;
  /** Proxies that name their clients: addresses and networks. */
  trustedProxies?: readonly string[] | undefined;
  /** What one client of Realtime may take, where a test wants less. */
  realtimeLimits?: Partial<RealtimeLimits>;
  /** How long a body may take, or the next part of a file, in ms, where a test wants less. */
  bodyTimeout?: number | undefined;
  log?: (line: string) => void;
}

export interface Gateway {
  /** Answers the five Supabase paths; everything else is 404. */
  fetch(request: Request, info: { remoteAddress: string }): Promise<Response>;
  /** Answers /_local/mailbox and its JSON; undefined when mail really goes out, or others come in. */
  mailbox?: (request: Request, info: { remoteAddress: string }) => Promise<Response>;
  /** Takes over a connection that asks to become Realtime's socket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** Sends sockets away, who come back to the next process; a server cannot close before. */
  closeSockets(): void;
  /** Removes files that nobody may see any more and says how many; for the tick. */
  removeDueFiles(): Promise<number>;
  /** Forgets what is known of the tables; call it after a migration. */
  schemaChanged(): Promise<void>;
  /** Finishes what it is doing and lets go of the database. */
  close(): Promise<void>;
}

/** Longest time that one statement of the mail sender may take, in ms. */
const MAIL_TIMEOUT = 30_000;

type Info = { remoteAddress: string };
type Route = (path: string, request: Request, asker: Asker, info: Info) => Promise<Response>;

/** Starts the gateway in front of lite, Auth, functions and mail over a migrated database. */
export async function createGateway(settings: GatewaySettings): Promise<Gateway> {
  const { keys, siteUrl } = settings;
  const addresses = {
    isProxy: proxies(settings.trustedProxies),
    isPublic: isBehindProxy(siteUrl),
  };
  const addressOf = (request: Request, remoteAddress: string) =>
    clientAddress(request, remoteAddress, addresses);
  const log = settings.log ?? (() => {});
  const { space } = settings;
  const roomOf = async (name: string) =>
    (await (name === 'storage' ? space?.files : space?.database)?.room()) ?? 'enough';
  const supabaseDir =
    settings.supabaseDir ?? fileURLToPath(new URL('../../supabase', import.meta.url));

  const { databaseUrl } = settings;
  const db = connect(databaseUrl, {
    max: 8,
    name: 'trellis-auth',
    statementTimeout: STATEMENT_TIMEOUT,
  });
  await ensureAuthTables(db);
  const mailDb = connect(databaseUrl, {
    max: 4,
    name: 'trellis-mail',
    statementTimeout: MAIL_TIMEOUT,
  });
  const mail: MailSender = await createMailSender({
    db: mailDb,
    databaseUrl,
    siteUrl,
    smtpUrl: settings.smtpUrl,
    hasRoom: async () => (await roomOf('rest')) === 'enough',
    log,
  });
  const tokens = await createTokens(keys, siteUrl);
  const auth: AuthContext = {
    db,
    tokens,
    limits: createLimits(db),
    siteUrl,
    pepper: keys.jwtSecret,
    mailQueued: mail.wake,
  };
  const isStored = async (bucket: string, key: string) =>
    (
      await sql`select from storage.objects where bucket_id = ${bucket} and name = ${key}`.execute(
        db,
      )
    ).rows.length > 0;
  const storage = createStorageFolder(settings.storageDir, isStored);
  const uploads = createUploadLimit();
  const lite = await createLite({
    databaseUrl: settings.databaseUrl,
    keys,
    siteUrl,
    storage,
    log,
  });
  const brand = await readBrand(siteUrl);
  const functions = createFunctions({
    folder: supabaseDir,
    settings: {
      ...settings.functionSettings,
      SUPABASE_URL: siteUrl,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SUPABASE_SECRET_KEY: keys.secretKey,
      SUPABASE_DB_URL: settings.databaseUrl,
      SITE_URL: siteUrl,
      SMTP_URL: settings.smtpUrl,
      MAIL_PRODUCT: brand.product,
      MAIL_ORGANISATION: brand.organisation,
      MAIL_ADDRESS: brand.email,
    },
    log,
  });

  const realtimeDb = connect(settings.databaseUrl, {
    max: 3,
    name: 'trellis-realtime',
    statementTimeout: STATEMENT_TIMEOUT,
  });
  const realtime = await createRealtime({
    databaseUrl: settings.databaseUrl,
    db: realtimeDb,
    keys,
    tokens,
    siteUrl,
    limits: settings.realtimeLimits,
    addressOf,
    log,
  });

  const services: Record<Service, Route> = {
    auth: async (path, request, asker, info) => {
      if (asker.kind !== 'known' && !OPEN_AUTH_PATHS.has(path)) return refusalOf('auth', asker);
      const address = addressOf(request, info.remoteAddress);
      const claims = asker.kind === 'known' ? asker.claims : null;
      return answerAuth(auth, path, request, { claims, address });
    },
    rest: async (path, request, asker, info) => {
      if (asker.kind !== 'known') return refusalOf('rest', asker);
      if (path === '/' || path === '') return notFound();
      const address = addressOf(request, info.remoteAddress);
      // Procedures don't count a caller without an address.
      const known = address === UNKNOWN_ADDRESS ? undefined : address;
      return lite.fetch(request, asker.caller, known, (await roomOf('rest')) !== 'enough');
    },
    storage: async (path, request, asker) => {
      const open = isOpenStoragePath(path);
      if (asker.kind !== 'known' && !open) return refusalOf('storage', asker);
      const refusal =
        (await refuseLink(path, new URL(request.url), keys.jwtSecret)) ??
        (await refuseEndedSession(db, asker.kind === 'known' ? asker.claims : null));
      if (refusal) return refusal;
      const caller = asker.kind === 'known' ? asker.caller : null;
      const replaced = replacedBy(path, request);
      const replaces = replaced !== null && (await isStored(replaced.bucket, replaced.key));
      const reply = () =>
        answerStorage(path, request, caller?.role, (inner) =>
          storage.replacing(replaces, () => lite.fetch(inner, caller)),
        );
      if (!isUpload(path, request.method)) return reply();
      const size = Number(request.headers.get('content-length') ?? LARGEST_UPLOAD);
      const giveBack = space ? await space.files.claim(size) : () => {};
      if (!giveBack) return outOfSpaceResponse();
      const sender = asker.kind === 'known' && asker.claims?.sub;
      return (sender ? uploads(sender, reply) : reply()).finally(giveBack);
    },
    // Only sockets, which come in by `upgrade`.
    realtime: async () => notFound(),
    functions: async (path, request, asker, info) => {
      const name = path.split('/')[1] ?? '';
      if (functions.needsKey(name) && asker.kind !== 'known') return refusalOf('functions', asker);
      // Functions count by it: what the caller wrote there doesn't matter.
      const headers = new Headers(request.headers);
      headers.delete('x-forwarded-for');
      const address = addressOf(request, info.remoteAddress);
      if (address !== UNKNOWN_ADDRESS) headers.set('x-forwarded-for', address);
      const isFull = (await roomOf('functions')) !== 'enough';
      return functions.run(name, new Request(request, { headers }), isFull);
    },
  };

  // While the database is away every request fails: logging one a second is enough.
  const mayComplain = createRateLimit(1);

  async function answer(request: Request, info: Info): Promise<Response> {
    const url = new URL(request.url);
    url.pathname = plainPath(url.pathname);
    const [, name = '', path = ''] = /^\/([a-z]+)\/v1(\/.*)?$/.exec(url.pathname) ?? [];
    const route = Object.hasOwn(services, name) ? services[name as Service] : undefined;
    if (!route) return notFound();
    if (request.method === 'OPTIONS') return new Response(null, { status: 204 });

    if (isFromElsewhere(request, siteUrl)) return fromElsewhere();

    const limit = bodyLimit(name, path, request.method);
    if (Number(request.headers.get('content-length') ?? 0) > limit) return tooLarge();
    const room = await roomOf(name);
    if (room !== 'enough' && !goesOnWhenFull(name, path, request.method, room)) {
      return outOfSpaceResponse();
    }
    try {
      checkAddress(url);
      const asker = await askerOf(request, url, keys, tokens);
      // A key in the address is no filter of a question.
      if (url.searchParams.has('apikey')) url.searchParams.delete('apikey');
      const isFile = name === 'storage' && isUpload(path, request.method);
      const pause = isFile ? ('each part' as const) : ('whole' as const);
      let isWhole = () => {};
      const whole = new Promise<void>((resolve) => {
        isWhole = resolve;
      });
      const time = { ms: settings.bodyTimeout ?? BODY_TIMEOUT, for: pause, whole: isWhole };
      const sent = limitBody(request, url, limit, time);
      // Of someone without a key, nothing is read: only these two have answers for them.
      const reads = asker.kind === 'known' || name === 'auth' || name === 'functions';
      const read = reads && !isFile ? await readBody(sent, name === 'storage') : sent;
      const answered = route(path, read, asker, info);
      return await inTime(answered, whole);
    } catch (error) {
      if (error instanceof BodyTooLarge || (error as Error).cause instanceof BodyTooLarge) {
        return tooLarge();
      }
      if (error instanceof BodyTooSlow || (error as Error).cause instanceof BodyTooSlow) {
        return tooSlow();
      }
      if (isOutOfSpace(error)) return outOfSpaceResponse();
      if (error instanceof BadRequest) return badRequest(error.message);
      if (error instanceof AuthError) return authErrorResponse(error);
      if (error instanceof TooLate || isDatabaseAway(error)) {
        const reason = (error as Error).message || (error as NodeJS.ErrnoException).code;
        const what =
          error instanceof TooLate ? reason : `the database can't be reached (${reason})`;
        if (mayComplain()) log(`${request.method} ${url.pathname}: ${what}`);
        return awayResponse(name as Service);
      }
      if (!request.signal.aborted)
        log(`${request.method} ${url.pathname} failed: ${(error as Error).stack ?? error}`);
      return authErrorResponse(
        new AuthError(500, 'unexpected_failure', 'Something went wrong on our side. Try again.'),
      );
    }
  }

  const mailbox =
    settings.smtpUrl || isBehindProxy(siteUrl)
      ? undefined
      : createMailbox({ db: mailDb, send: mail.sendDue });
  return {
    async fetch(request, info) {
      return sameOrigin(await answer(request, info));
    },
    ...(mailbox ? { mailbox } : {}),
    upgrade: realtime.upgrade,
    closeSockets: realtime.closeSockets,
    removeDueFiles: () =>
      removeDueFiles(mailDb, async (bucket, paths) => {
        await storage.deleteObjects(bucket, paths);
        await sql`
          delete from storage.objects where bucket_id = ${bucket} and name = any(${paths})`.execute(
          db,
        );
      }),
    schemaChanged: lite.schemaChanged,
    async close() {
      await Promise.all([mail.close(), realtime.close()]);
      await Promise.all([lite.close(), db.destroy(), mailDb.destroy(), realtimeDb.destroy()]);
    },
  };
}

/**
 * Whether people come in by a proxy, which this machine cannot be told from: left to its defaults,
 * nginx calls from loopback, by a loopback name and with no header that says for whom.
 */
function isBehindProxy(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl);
  return !isLoopbackName(hostname) && !['0.0.0.0', '[::]'].includes(hostname);
}

/**
 * A path with each letter, digit, hyphen and low line written as itself: `/object/%73ign` is what lite
 * takes it for, also to whoever looks at a path before lite does.
 */
function plainPath(pathname: string): string {
  return pathname.replace(/%(2d|3\d|[46][1-9a-f]|[57][0-9a]|5f)/gi, (coded) =>
    decodeURIComponent(coded),
  );
}

/** The site and its backend are one origin, so nobody else is let in from another site's page. */
function sameOrigin(response: Response): Response {
  const headers = new Headers(response.headers);
  for (const name of [...headers.keys()]) {
    if (name.startsWith('access-control-')) headers.delete(name);
  }
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  headers.set('x-content-type-options', 'nosniff');
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}

function notFound(): Response {
  return Response.json({ code: 'NOT_FOUND', message: 'Not found' }, { status: 404 });
}

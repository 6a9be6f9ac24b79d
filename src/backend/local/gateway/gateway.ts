import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { connect, type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { mailJobs } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import {
  fileRemovalJobs,
  type RemoveObject,
} from '#backend/supabase/functions/_shared/jobs/remove-file.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { createLimits } from '../auth/limits.ts';
import type { AuthContext } from '../auth/session.ts';
import { createTokens } from '../auth/tokens.ts';
import { startJobs } from '../jobs.ts';
import type { Keys } from '../keys.ts';
import { readBrand } from '../mail/brand.ts';
import { createMailbox } from '../mail/mailbox.ts';
import type { DiskSpace } from '../postgres/disk-space.ts';
import type { RealtimeLimits } from '../realtime/limits.ts';
import { createRealtime } from '../realtime/realtime.ts';
import { createStorageFolder, type StorageFolder } from '../storage/folder.ts';
import { clientAddress, isLoopbackName, proxies } from './client-address.ts';
import type { Service } from './errors.ts';
import { createFunctions } from './functions.ts';
import { createHandler } from './handler.ts';
import { createLite, STATEMENT_TIMEOUT } from './lite.ts';
import { createServices } from './services.ts';

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
  /** Does the jobs of a kind that are due and says how many. */
  runDueJobs(kind: string): Promise<number>;
  /** Forgets what is known of the tables; call it after a migration. */
  schemaChanged(): Promise<void>;
  /** Finishes what it is doing and lets go of the database. */
  close(): Promise<void>;
}

/** Longest time that one statement of the jobs' worker may take, in ms. */
const JOBS_TIMEOUT = 30_000;

/** Starts the gateway in front of lite, Auth, functions and mail over a migrated database. */
export async function createGateway(settings: GatewaySettings): Promise<Gateway> {
  const { keys, siteUrl } = settings;
  const log = settings.log ?? (() => {});
  const { space } = settings;
  const roomOf = async (name: Service) =>
    (await (name === 'storage' ? space?.files : space?.database)?.room()) ?? 'enough';
  const addressOf = addressesOf(settings);
  const { databaseUrl } = settings;
  const db = connect(databaseUrl, {
    max: 8,
    name: 'trellis-auth',
    statementTimeout: STATEMENT_TIMEOUT,
  });
  const tokens = await createTokens(keys, siteUrl);
  const auth: AuthContext = {
    db,
    tokens,
    limits: createLimits(db),
    siteUrl,
    pepper: keys.jwtSecret,
    mailQueued: () => jobs.wake(),
  };
  const isStored = isStoredIn(db);
  const storage = createStorageFolder(settings.storageDir, isStored);
  const lite = await createLite({
    databaseUrl: settings.databaseUrl,
    keys,
    siteUrl,
    storage,
    log,
  });
  const jobsDb = connect(databaseUrl, {
    max: 4,
    name: 'trellis-jobs',
    statementTimeout: JOBS_TIMEOUT,
  });
  const mail = await openMail(settings);
  const jobs = await startJobs({
    db: jobsDb,
    databaseUrl,
    kinds: jobKinds({ ...mail.deps, removeObject: removeObjectFrom(storage, jobsDb) }),
    // What can't be noted as done would be done twice.
    isReady: async ({ freesSpace }) => {
      const room = await roomOf('rest');
      return room === 'enough' || (freesSpace === true && room === 'little');
    },
    log,
  });
  const functions = await openFunctions(settings, log);
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

  const services = createServices({
    auth,
    lite,
    functions,
    storage,
    isStored,
    fileSpace: space?.files,
    roomOf,
    jwtSecret: keys.jwtSecret,
  });
  const { bodyTimeout } = settings;
  const fetch = createHandler({
    services,
    keys,
    tokens,
    siteUrl,
    addressOf,
    roomOf,
    bodyTimeout,
    log,
  });

  const mailbox =
    settings.smtpUrl || isBehindProxy(siteUrl)
      ? undefined
      : createMailbox({ db: jobsDb, send: () => jobs.runDue('mail') });
  return {
    fetch,
    ...(mailbox ? { mailbox } : {}),
    upgrade: realtime.upgrade,
    closeSockets: realtime.closeSockets,
    runDueJobs: jobs.runDue,
    schemaChanged: lite.schemaChanged,
    async close() {
      await Promise.all([jobs.close(), realtime.close()]);
      mail.close();
      await Promise.all([lite.close(), db.destroy(), jobsDb.destroy(), realtimeDb.destroy()]);
    },
  };
}

/** Where requests come from, by the proxies of the settings. */
function addressesOf({ trustedProxies, siteUrl }: GatewaySettings) {
  const rules = { isProxy: proxies(trustedProxies), isPublic: isBehindProxy(siteUrl) };
  return (request: Request, remoteAddress: string) => clientAddress(request, remoteAddress, rules);
}

function isStoredIn(db: Database) {
  return async (bucket: string, key: string) => {
    const rows = await query(db)`
      select from storage.objects where bucket_id = ${bucket} and name = ${key}`;
    return rows.length > 0;
  };
}

/** Mails as jobs: sent over SMTP, or kept in their rows for the mailbox. */
async function openMail({ smtpUrl, siteUrl }: GatewaySettings) {
  const brand = await readBrand(siteUrl);
  const smtp = smtpUrl ? smtpDelivery(smtpUrl, brand) : null;
  const deliver = smtp?.deliver ?? (async () => {});
  return {
    deps: { brand, deliver, keepMail: !smtp },
    close: () => smtp?.close(),
  };
}

function removeObjectFrom(storage: StorageFolder, db: Database): RemoveObject {
  return async (bucket, path) => {
    await storage.deleteObjects(bucket, [path]);
    await query(db)`delete from storage.objects where bucket_id = ${bucket} and name = ${path}`;
  };
}

async function openFunctions(settings: GatewaySettings, log: (line: string) => void) {
  const { siteUrl, keys, supabaseDir } = settings;
  const brand = await readBrand(siteUrl);
  return createFunctions({
    folder: supabaseDir ?? fileURLToPath(new URL('../../supabase', import.meta.url)),
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
}

/**
 * Whether people come in by a proxy, which this machine cannot be told from: left to its defaults,
 * nginx calls from loopback, by a loopback name and with no header that says for whom.
 */
function isBehindProxy(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl);
  return !isLoopbackName(hostname) && !['0.0.0.0', '[::]'].includes(hostname);
}

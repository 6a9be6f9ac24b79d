import { connect, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { jobKinds } from '#backend/supabase/functions/_shared/jobs/kinds.ts';
import type { JobKind } from '#backend/supabase/functions/_shared/jobs/worker.ts';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { withSettings } from '#backend/supabase/functions/_shared/settings.ts';
import { Limits } from '../auth/limits.ts';
import { createTokens } from '../auth/tokens.ts';
import { startJobs } from '../jobs.ts';
import type { Keys } from '../keys.ts';
import { readBrand } from '../mail/brand.ts';
import { createMailbox } from '../mail/mailbox.ts';
import { createMailPreviews } from '../mail/previews.ts';
import type { DiskSpace, Room } from '../postgres/disk-space.ts';
import type { RealtimeLimits } from '../realtime/limits.ts';
import { createRealtime } from '../realtime/realtime.ts';
import { createStorageFolder, type StorageFolder } from '../storage/folder.ts';
import { createAddressOf, isLoopbackName } from './client-address.ts';
import type { Service } from './errors.ts';
import { createFunctions } from './functions.ts';
import { createHandler } from './handler.ts';
import { createLite, STATEMENT_TIMEOUT as statementTimeout } from './lite.ts';
import { createServices } from './services.ts';

export interface GatewaySettings {
  databaseUrl: string;
  keys: Keys;
  siteUrl: string;
  storageDir: string;
  /** Watches disk space for the database and for files; without it, there's always enough. */
  space?: { database?: DiskSpace | undefined; files: DiskSpace } | undefined;
  /** The mail server for outgoing email; without it, the local mailbox shows the emails. */
  smtpUrl?: string | undefined;
  /** The `supabase` folder with the functions; defaults to the project's own. */
  supabaseDir?: string;
  /** Environment variables for functions that read more than the gateway sets. */
  functionSettings?: Record<string, string | undefined>;
  trustedProxies?: readonly string[] | undefined;
  /** Limits of one Realtime client, for tests that need lower ones. */
  realtimeLimits?: Partial<RealtimeLimits>;
  /** How long a body may take, or each chunk of a file, in ms, for tests that need less. */
  bodyTimeout?: number | undefined;
  log?: (line: string) => void;
}

/** Statement timeout of the job worker, in ms. */
const JOBS_TIMEOUT = 30_000;

export type Gateway = Awaited<ReturnType<typeof createGateway>>;

/** Starts the gateway in front of lite, Auth, functions and email over a migrated database. */
export async function createGateway(settings: GatewaySettings) {
  const { databaseUrl, keys, siteUrl, space, bodyTimeout, log = () => {} } = settings;
  const site = { databaseUrl, keys, siteUrl, log };
  const db = connect(databaseUrl, { max: 8, name: 'trellis-auth', statementTimeout });
  const realtimeDb = connect(databaseUrl, { max: 3, name: 'trellis-realtime', statementTimeout });
  const roomOf = async (service: Service) =>
    (await (service === 'storage' ? space?.files : space?.database)?.room()) ?? 'enough';
  const isPublic = isBehindProxy(siteUrl);
  const addressOf = createAddressOf(settings.trustedProxies, isPublic);
  const isStored = async (bucket: string, key: string) =>
    (await queryOne(db)`
      select from storage.objects where bucket_id = ${bucket} and name = ${key}`) !== undefined;

  const tokens = await createTokens(keys, siteUrl);
  const storage = createStorageFolder(settings.storageDir, isStored);
  const lite = await createLite({ ...site, storage });
  const brand = await readBrand(siteUrl);
  const jobs = await openJobs(settings, { brand, storage, roomOf, log });
  const limits = settings.realtimeLimits;
  const realtime = await createRealtime({ ...site, db: realtimeDb, tokens, limits, addressOf });
  const mailQueued = jobs.wake;
  const pepper = keys.jwtSecret;
  const services = createServices({
    auth: { db, tokens, limits: new Limits(db), siteUrl, pepper, mailQueued },
    lite,
    functions: createFunctions(functionOptions(settings, brand, log)),
    storage,
    isStored,
    fileSpace: space?.files,
    roomOf,
    jwtSecret: keys.jwtSecret,
  });
  return {
    /** Handles requests below the five Supabase paths; every other request gets a 404. */
    fetch: createHandler({ ...site, services, tokens, addressOf, roomOf, bodyTimeout }),
    /** Serves /_local/mailbox and its JSON; undefined if the site is public or sends real email. */
    mailbox: isPublic ? undefined : jobs.mailbox,
    /** Serves /dev/emails; undefined if the site is public. */
    mailPreviews: isPublic ? undefined : createMailPreviews(brand),
    /** Handles an HTTP upgrade to a Realtime socket. */
    upgrade: realtime.upgrade,
    /** Disconnects sockets, so that the server can close; they reconnect to the next process. */
    closeSockets: realtime.closeSockets,
    /** Runs the due jobs of a kind and returns how many. */
    runDueJobs: jobs.runDue,
    /** Clears the cached schema; call it after a migration. */
    schemaChanged: lite.schemaChanged,
    async close() {
      await Promise.all([jobs.close(), realtime.close()]);
      await Promise.all([lite.close(), db.destroy(), realtimeDb.destroy()]);
    },
  };
}

/** Loads the mail library, which takes 3 MB, only where there's a mail server. */
async function openSmtp(url: string, brand: MailBrand) {
  const { smtpDelivery } = await import('#backend/supabase/functions/_shared/mail/smtp.ts');
  return smtpDelivery(url, brand);
}

/** Starts the job worker, which sends emails over SMTP or leaves them in rows for the mailbox. */
async function openJobs(
  { databaseUrl, smtpUrl, functionSettings }: GatewaySettings,
  deps: {
    brand: MailBrand;
    storage: StorageFolder;
    roomOf: (service: Service) => Promise<Room>;
    log: (line: string) => void;
  },
) {
  const { brand, storage, roomOf, log } = deps;
  const db = connect(databaseUrl, { max: 4, name: 'trellis-jobs', statementTimeout: JOBS_TIMEOUT });
  const smtp = smtpUrl ? await openSmtp(smtpUrl, brand) : null;
  const kinds = jobKinds({
    brand,
    deliver: smtp?.deliver ?? (async () => {}),
    keepMail: !smtp,
    async removeObject(bucket, path) {
      await storage.deleteObjects(bucket, [path]);
      await query(db)`delete from storage.objects where bucket_id = ${bucket} and name = ${path}`;
    },
  });
  // With a full disk, a job couldn't be marked done and would run twice.
  const isReady = async ({ freesSpace }: JobKind) => {
    const room = await roomOf('rest');
    return room === 'enough' || (freesSpace === true && room === 'little');
  };
  const inSettings = kinds.map((kind) => ({
    ...kind,
    run: (...given: Parameters<JobKind['run']>) =>
      withSettings(functionSettings ?? {}, () => kind.run(...given)),
  }));
  const jobs = await startJobs({ db, databaseUrl, kinds: inSettings, isReady, log });
  return {
    ...jobs,
    mailbox: smtp ? undefined : createMailbox({ db, send: () => jobs.runDue('mail') }),
    async close() {
      await jobs.close();
      smtp?.close();
      await db.destroy();
    },
  };
}

function functionOptions(
  { siteUrl, keys, databaseUrl, smtpUrl, ...settings }: GatewaySettings,
  brand: MailBrand,
  log: (line: string) => void,
) {
  return {
    folder: settings.supabaseDir,
    settings: {
      ...settings.functionSettings,
      SUPABASE_URL: siteUrl,
      SUPABASE_PUBLISHABLE_KEY: keys.publishableKey,
      SUPABASE_SECRET_KEY: keys.secretKey,
      SUPABASE_DB_URL: databaseUrl,
      SITE_URL: siteUrl,
      SMTP_URL: smtpUrl,
      MAIL_PRODUCT: brand.product,
      MAIL_ORGANISATION: brand.organisation,
      MAIL_ADDRESS: brand.email,
    },
    log,
  };
}

/** Whether a proxy is in front. By default, nginx connects from loopback and names no client. */
function isBehindProxy(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl);
  return !isLoopbackName(hostname) && !['0.0.0.0', '[::]'].includes(hostname);
}

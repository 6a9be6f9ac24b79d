import { fileURLToPath } from 'node:url';
import { connect, query, queryOne } from '#backend/supabase/functions/_shared/connection.ts';
import { mailJobs } from '#backend/supabase/functions/_shared/jobs/mail.ts';
import { fileRemovalJobs } from '#backend/supabase/functions/_shared/jobs/remove-file.ts';
import type { MailBrand } from '#backend/supabase/functions/_shared/mail/layout.ts';
import { smtpDelivery } from '#backend/supabase/functions/_shared/mail/smtp.ts';
import { Limits } from '../auth/limits.ts';
import type { AuthContext } from '../auth/session.ts';
import { createTokens } from '../auth/tokens.ts';
import { startJobs } from '../jobs.ts';
import type { Keys } from '../keys.ts';
import { readBrand } from '../mail/brand.ts';
import { createMailbox } from '../mail/mailbox.ts';
import type { DiskSpace } from '../postgres/disk-space.ts';
import type { RealtimeLimits } from '../realtime/limits.ts';
import { createRealtime } from '../realtime/realtime.ts';
import { createStorageFolder } from '../storage/folder.ts';
import { createAddressOf, isLoopbackName } from './client-address.ts';
import type { Service } from './errors.ts';
import { createFunctions } from './functions.ts';
import { createHandler } from './handler.ts';
import { createLite, STATEMENT_TIMEOUT } from './lite.ts';
import { createServices } from './services.ts';

export interface GatewaySettings {
  databaseUrl: string;
  keys: Keys;
  siteUrl: string;
  storageDir: string;
  /** The room for the database and for files; without it there is always enough. */
  space?: { database?: DiskSpace | undefined; files: DiskSpace } | undefined;
  /** Where mail goes; without it mail is kept for the mailbox. */
  smtpUrl?: string | undefined;
  /** The `supabase` folder with functions; the project's own unless a test says otherwise. */
  supabaseDir?: string;
  /** The environment, for functions that read more than the gateway sets. */
  functionSettings?: Record<string, string | undefined>;
  trustedProxies?: readonly string[] | undefined;
  /** What one client of Realtime may take, where a test wants less. */
  realtimeLimits?: Partial<RealtimeLimits>;
  /** How long a body may take, or the next part of a file, in ms, where a test wants less. */
  bodyTimeout?: number | undefined;
  log?: (line: string) => void;
}

/** Longest time that one statement of the jobs' worker may take, in ms. */
const JOBS_TIMEOUT = 30_000;

export type Gateway = Awaited<ReturnType<typeof createGateway>>;

/** Starts the gateway in front of lite, Auth, functions and mail over a migrated database. */
export async function createGateway(settings: GatewaySettings) {
  const { databaseUrl, keys, siteUrl, space, bodyTimeout, log = () => {} } = settings;
  const open = (name: string, max: number, statementTimeout = STATEMENT_TIMEOUT) =>
    connect(databaseUrl, { name: `trellis-${name}`, max, statementTimeout });
  const [db, jobsDb, realtimeDb] = [
    open('auth', 8),
    open('jobs', 4, JOBS_TIMEOUT),
    open('realtime', 3),
  ];
  const roomOf = async (service: Service) =>
    (await (service === 'storage' ? space?.files : space?.database)?.room()) ?? 'enough';
  const isPublic = isBehindProxy(siteUrl);
  const addressOf = createAddressOf(settings.trustedProxies, isPublic);
  const isStored = async (bucket: string, key: string) =>
    (await queryOne(db)`
      select from storage.objects where bucket_id = ${bucket} and name = ${key}`) !== undefined;

  const tokens = await createTokens(keys, siteUrl);
  const storage = createStorageFolder(settings.storageDir, isStored);
  const lite = await createLite({ databaseUrl, keys, siteUrl, storage, log });
  const brand = await readBrand(siteUrl);
  const smtp = settings.smtpUrl ? smtpDelivery(settings.smtpUrl, brand) : null;
  const mail = mailJobs({ brand, deliver: smtp?.deliver ?? (async () => {}), keep: !smtp });
  const fileRemoval = fileRemovalJobs(async (bucket, path) => {
    await storage.deleteObjects(bucket, [path]);
    await query(jobsDb)`delete from storage.objects where bucket_id = ${bucket} and name = ${path}`;
  });
  const kinds = [
    // A mail that can't be noted as sent would go out twice.
    { ...mail, isReady: async () => (await roomOf('rest')) === 'enough' },
    // What is removed makes room.
    { ...fileRemoval, isReady: async () => (await roomOf('rest')) !== 'none' },
  ];
  const jobs = await startJobs({ db: jobsDb, databaseUrl, kinds, log });
  const auth: AuthContext = {
    db,
    tokens,
    limits: new Limits(db),
    siteUrl,
    pepper: keys.jwtSecret,
    mailQueued: jobs.wake,
  };
  const limits = settings.realtimeLimits;
  const realtime = await createRealtime({
    databaseUrl,
    db: realtimeDb,
    keys,
    tokens,
    siteUrl,
    limits,
    addressOf,
    log,
  });
  const functions = createFunctions(functionOptions(settings, brand, log));
  const fileSpace = space?.files;
  const { jwtSecret } = keys;
  const services = createServices({
    auth,
    lite,
    functions,
    storage,
    isStored,
    fileSpace,
    roomOf,
    jwtSecret,
  });
  const send = () => jobs.runDue('mail');
  return {
    /** Answers the five Supabase paths; everything else is 404. */
    fetch: createHandler({ services, keys, tokens, siteUrl, addressOf, roomOf, bodyTimeout, log }),
    /** Answers /_local/mailbox and its JSON; undefined when mail really goes out, or others come in. */
    mailbox: smtp || isPublic ? undefined : createMailbox({ db: jobsDb, send }),
    /** Takes over a connection that asks to become Realtime's socket. */
    upgrade: realtime.upgrade,
    /** Sends sockets away, which come back to the next process; a server cannot close before. */
    closeSockets: realtime.closeSockets,
    /** Does the jobs of a kind that are due and says how many. */
    runDueJobs: jobs.runDue,
    /** Forgets what is known of the tables; call it after a migration. */
    schemaChanged: lite.schemaChanged,
    async close() {
      await Promise.all([jobs.close(), realtime.close()]);
      smtp?.close();
      await Promise.all([lite.close(), db.destroy(), jobsDb.destroy(), realtimeDb.destroy()]);
    },
  };
}

function functionOptions(
  { siteUrl, keys, databaseUrl, smtpUrl, ...settings }: GatewaySettings,
  brand: MailBrand,
  log: (line: string) => void,
) {
  return {
    folder: settings.supabaseDir ?? fileURLToPath(new URL('../../supabase', import.meta.url)),
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

/** Whether people come in by a proxy, which may look like this machine itself: by default, nginx does. */
function isBehindProxy(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl);
  return !isLoopbackName(hostname) && !['0.0.0.0', '[::]'].includes(hostname);
}

import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connect, query } from '#backend/supabase/functions/_shared/connection.ts';
import { hasAccounts, hasDemoAccounts } from './demo/accounts.ts';
import { createDemo } from './demo/create.ts';
import { portraits } from './demo/portraits.ts';
import { storeFiles } from './demo/stored-files.ts';
import { demoToolFiles } from './demo/tool-files.ts';
import { isLoopbackName } from './gateway/client-address.ts';
import { createGateway, type Gateway } from './gateway/gateway.ts';
import { withTimeout } from './gateway/timeout.ts';
import { type Keys, loadKeys } from './keys.ts';
import { openStandIn, type StandIn } from './payments/stand-in.ts';
import { forget, NEVER_OPEN } from './postgres/bootstrap.ts';
import {
  DataFolderError,
  exists,
  explainSystemError,
  takeDataFolder,
} from './postgres/data-folder.ts';
import {
  type Ballast,
  createBallast,
  createDiskSpace,
  type DiskSpace,
} from './postgres/disk-space.ts';
import { checkExternalDatabase, ownExternalDatabase } from './postgres/external-database.ts';
import { OtherEdition, prepareDatabase } from './postgres/migrate.ts';
import { holdsOnlyDemoData, moveOldDatabase } from './postgres/old-database.ts';
import { startPostgres } from './postgres/postgres.ts';
import { refuseUnfinishedRestore } from './postgres/restore.ts';
import { seed } from './seed.ts';
import { startTick } from './tick.ts';

export interface BackendSettings {
  /** The folder with the database, keys and uploaded files; one process owns it at a time. */
  dataDir: string;
  siteUrl: string;
  /** A PostgreSQL server, 15 or newer, to use instead of the embedded one. */
  databaseUrl?: string | undefined;
  /** Whether an empty database gets demo people and businesses. */
  demo: boolean;
  /** The mail server for outgoing email; without it, the local mailbox shows the emails. */
  smtpUrl?: string | undefined;
  trustedProxies?: readonly string[];
  /** Bytes to keep free on the disk; the default depends on the volume's size. */
  diskReserve?: number | undefined;
  log?: (line: string) => void;
  /** Called when another process takes over the database at `databaseUrl`: this one has to exit. */
  lost?: (why: string) => void;
  /** Whether the schedule runs in this process; true by default. */
  tick?: boolean;
}

export interface Backend
  extends Pick<Gateway, 'fetch' | 'mailbox' | 'mailPreviews' | 'upgrade' | 'closeSockets'> {
  publishableKey: string;
  /** Serves the test payment page; undefined if the site is public or has a payment company. */
  payments: StandIn['page'] | undefined;
  /** Connects to the application's database as the owner of its data. */
  databaseUrl: string;
  healthy(): Promise<boolean>;
  hasRoom(): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Starts the embedded stack. If a start is interrupted at any point, the next one resumes it.
 * @throws {DataFolderError} when the folder or database is in use, isn't usable, was made by
 * another edition of the project, or has demo accounts although `demo` is false.
 */
export async function startBackend(settings: BackendSettings): Promise<Backend> {
  const { log = () => {} } = settings;
  const dataDir = resolve(settings.dataDir);
  const cleanup = createCleanup();
  const space = watchSpace(dataDir, settings);
  const start: Start = { settings, dataDir, space, cleanup, log };
  try {
    const isFirst = !settings.databaseUrl && !(await exists(join(dataDir, 'postgres')));
    const refusal = await space.refusalToStart(isFirst ? FIRST_START : 0);
    if (refusal) throw new DataFolderError(refusal);

    const folder = await takeDataFolder(dataDir);
    cleanup.add(() => folder.release());
    await refuseUnfinishedRestore(dataDir);

    const ballast = createBallast(dataDir, space);
    const databaseUrl = await openDatabase(start, ballast);
    await seed(databaseUrl, { log });
    await seedOrRefuseDemo(start, databaseUrl);
    if (!settings.databaseUrl && !isFirst && !(await exists(join(dataDir, 'keys.json')))) {
      log(`${dataDir} had no keys.json, so it gets new keys. Everyone has to sign in again.`);
    }
    return await serve(start, databaseUrl, ballast);
  } catch (error) {
    await cleanup.run();
    const sentence = explainSystemError(error);
    throw sentence ? new DataFolderError(sentence) : error;
  }
}

interface Start {
  settings: BackendSettings;
  dataDir: string;
  space: DiskSpace;
  cleanup: ReturnType<typeof createCleanup>;
  log: (line: string) => void;
}

/** Closes what was opened so far, in reverse order, also when a later step of the start fails. */
function createCleanup() {
  const steps: (() => Promise<void> | void)[] = [];
  const clients: (() => Promise<void>)[] = [];
  return {
    add: (step: () => Promise<void> | void) => void steps.push(step),
    /** Adds a database client. All clients are closed at the same time, before the database. */
    addClient: (close: () => Promise<void>) => void clients.push(close),
    async run() {
      const closed = Promise.allSettled(clients.splice(0).map((close) => close()));
      // A client that hangs mustn't keep the database running or the folder locked.
      await Promise.race([closed, wait(CLOSE_TIMEOUT, undefined, { ref: false })]);
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}

/** Opens and migrates the database; returns its address. */
async function openDatabase(
  { settings, dataDir, space, cleanup, log }: Start,
  ballast: Ballast,
): Promise<string> {
  const { databaseUrl } = settings;
  if (databaseUrl) {
    await checkExternalDatabase(databaseUrl);
    cleanup.add(await ownExternalDatabase(databaseUrl, settings.lost ?? log));
    await bringUpToDate(databaseUrl, false);
    return databaseUrl;
  }
  const openServer = async () =>
    startPostgres({
      folder: dataDir,
      settings: await space.databaseSettings(),
      beforeRestart: ballast.giveUp,
      log,
    });
  let server = await openServer();
  cleanup.add(() => server.stop());
  if ((await bringUpToDate(server.url, settings.demo)) === 'other demo data') {
    await server.stop();
    const place = await moveOldDatabase(dataDir);
    log(
      'The migrations were edited, so the demo data is created again. The old data is in ' +
        `${place}, and nothing removes it: delete that folder when you no longer need it, or set ` +
        'DATA_DIR to it and run the version that made it.',
    );
    server = await openServer();
    await prepareDatabase(server.url);
  }
  return server.url;
}

async function seedOrRefuseDemo(start: Start, databaseUrl: string): Promise<void> {
  const { settings, dataDir, log } = start;
  if (settings.demo) {
    const storage = join(dataDir, 'storage');
    const isEmpty = !(await hasAccounts(databaseUrl));
    if (isEmpty && (await createDemo(databaseUrl, storage))) log('Created the demo data');
    const files = [...Object.values(await demoToolFiles()), ...portraits];
    await storeFiles(databaseUrl, storage, files);
  } else if (await hasDemoAccounts(databaseUrl)) {
    throw new DataFolderError(
      `The database of ${dataDir} has demo accounts with a password everyone knows, so the ` +
        "site doesn't start without DEMO=1. Set DATA_DIR (or DATABASE_URL) to another place.",
    );
  }
}

async function serve(start: Start, databaseUrl: string, ballast: Ballast): Promise<Backend> {
  const { settings, dataDir, space, cleanup, log } = start;
  const isEmbedded = !settings.databaseUrl;
  const keys = await loadKeys(dataDir);
  const standIn = await openTestPayments(start, databaseUrl, keys, (request) =>
    gateway.fetch(request, { remoteAddress: '127.0.0.1' }),
  );
  const gateway = await createGateway({
    databaseUrl,
    keys,
    siteUrl: settings.siteUrl,
    storageDir: join(dataDir, 'storage'),
    space: { files: space, database: isEmbedded ? space : undefined },
    smtpUrl: settings.smtpUrl,
    functionSettings: { ...process.env, ...standIn?.settings },
    trustedProxies: settings.trustedProxies,
    log,
  });
  cleanup.addClient(gateway.close);
  if (settings.tick !== false) {
    const room = isEmbedded ? space.room : async () => 'enough' as const;
    const afterwards = async () => {
      if (isEmbedded) await ballast.keep();
    };
    cleanup.addClient(startTick({ databaseUrl, room, afterwards, log }).stop);
  }

  const db = connect(databaseUrl, { max: 1, statementTimeout: HEALTH_TIMEOUT });
  cleanup.addClient(() => db.destroy());
  await forget(db, NEVER_OPEN);
  const late = { ms: HEALTH_TIMEOUT, error: () => new Error('No answer in time') };
  return {
    ...gateway,
    payments: standIn?.page,
    publishableKey: keys.publishableKey,
    databaseUrl,
    hasRoom: async () => (await space.room()) === 'enough',
    healthy: () =>
      withTimeout(query(db)`select 1`, late).then(
        () => true,
        () => false,
      ),
    close: cleanup.run,
  };
}

/** Opens the stand-in for Stripe, for a site on this machine that has no account there. */
async function openTestPayments(
  { settings, cleanup, log }: Start,
  databaseUrl: string,
  keys: Keys,
  deliver: (request: Request) => Promise<Response>,
): Promise<StandIn | null> {
  const { siteUrl } = settings;
  if (process.env.STRIPE_SECRET_KEY || !isLoopbackName(new URL(siteUrl).hostname)) return null;
  const db = connect(databaseUrl, { max: 2, name: 'trellis-test-payments' });
  const standIn = await openStandIn({ db, siteUrl, secret: keys.jwtSecret, deliver, log });
  cleanup.addClient(async () => {
    await standIn.close();
    await db.destroy();
  });
  return standIn;
}

/**
 * Migrates the database. Rejects one made by another edition, unless it holds only demo data and
 * may be moved away.
 */
async function bringUpToDate(
  databaseUrl: string,
  mayMoveAway: boolean,
): Promise<'up to date' | 'other demo data'> {
  try {
    await prepareDatabase(databaseUrl);
    return 'up to date';
  } catch (error) {
    // Insufficient privilege: PostgreSQL's message says what the role isn't allowed to do.
    if ((error as { code?: string }).code === '42501') {
      throw new DataFolderError(`The database can't be set up: ${(error as Error).message}`);
    }
    if (!(error instanceof OtherEdition)) throw error;
    if (mayMoveAway && (await holdsOnlyDemoData(databaseUrl))) return 'other demo data';
    throw new DataFolderError(
      `${error.message} It may hold more than demo data, so nothing was changed. Run the version ` +
        'that made it, or set DATA_DIR (or DATABASE_URL) to another place.',
    );
  }
}

/** Space the first start requires, in bytes: twice what a new database with demo data takes. */
const FIRST_START = 150 * 1024 * 1024;

/** Watches the disks the embedded stack writes to; an external database has its own. */
function watchSpace(
  dataDir: string,
  { databaseUrl, diskReserve, log }: BackendSettings,
): DiskSpace {
  const cluster = ['postgres', 'postgres/pg_wal'].map((name) => join(dataDir, name));
  return createDiskSpace({
    folders: [dataDir, join(dataDir, 'storage'), ...(databaseUrl ? [] : cluster)],
    reserve: diskReserve,
    log: log ?? (() => {}),
  });
}

/** How long closing waits for database clients, in ms. */
const CLOSE_TIMEOUT = 2_000;

/** Timeout of a health check, in ms. */
const HEALTH_TIMEOUT = 2_000;

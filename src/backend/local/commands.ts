// Commands for the shell: `admin <email>`, `jobs`, `backup`, `restore`, `types [--check]`, `migration <name>`, `advisors`, `check`, `seed`.

import { dirname, join, resolve } from 'node:path';
import { loadEnvFile } from 'node:process';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { connect, type Database, query } from '#backend/supabase/functions/_shared/connection.ts';
import { makeBackup } from './postgres/backup.ts';
import { exists, explainSystemError, readJson, takeDataFolder } from './postgres/data-folder.ts';
import { createDiskSpace } from './postgres/disk-space.ts';
import { findRunningPostgres, type PostgresServer, startPostgres } from './postgres/postgres.ts';
import { restoreBackup } from './postgres/restore.ts';
import {
  checkAdvisors,
  checkTypes,
  say,
  withThrowAwayDatabase,
  writeMigration,
  writeTypes,
} from './postgres/types.ts';
import { seed } from './seed.ts';

const usage = `Usage:
  admin <email>     makes this account an admin, whether or not the site is running
  jobs failed       lists jobs that have stopped (emails, files to remove), and why
  jobs replay <id>  runs one of them again; "all" runs all of them
  backup <file>     writes all data to one file, whether or not the site is running
  restore <file>    unpacks a backup into DATA_DIR, which must be empty or not exist
  seed              loads content/ into the database (the site also does this when it starts)
  types [--check]   writes src/lib/database.types.ts, or says whether it's up to date
  migration <name>  drafts the migration that brings a database in line with schemas/
  advisors          asks the Supabase advisors about the migrations
  check             types --check and advisors`;

/** Thrown when a command can't run. Its message is printed without a stack trace. */
class CommandError extends Error {}

const commands: Record<string, (args: string[]) => Promise<void>> = {
  async admin([email]) {
    if (!email?.includes('@'))
      throw new CommandError("Give the account's email address: npm run admin -- <email>");
    await withOwner((db) => query(db)`select private.make_admin(${email})`);
    say(`${email} is an admin now.`);
  },

  async jobs([what, id = '']) {
    if (what === 'failed') return withOwner(listFailedJobs);
    const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
    if (what !== 'replay' || (id !== 'all' && !isId)) {
      throw new CommandError(
        'Say what to do: npm run jobs -- failed, or npm run jobs -- replay <id> (or all)',
      );
    }
    await withOwner(async (db) => {
      const rows = await query<{ count: string }>(db)`
        select private.replay_jobs(${isId ? id : null}) as count`;
      say(
        `${count(Number(rows[0]?.count), 'job')} will run again as soon as the site is running. Emails with expired links are left out.`,
      );
    });
  },

  async backup([file]) {
    if (!file) throw new CommandError('Name the new file: npm run backup -- <file>');
    if (process.env.DATABASE_URL) {
      throw new CommandError(
        'The database is at DATABASE_URL, so its own server has to back it up. Copy keys.json ' +
          `and the folder storage from ${dataFolder()} right after each backup.`,
      );
    }
    const path = resolve(file);
    const megabytes = Number.parseInt(process.env.DISK_RESERVE_MB ?? '', 10);
    const space = createDiskSpace({
      folders: [dirname(path)],
      reserve: Number.isNaN(megabytes) ? undefined : megabytes * 1024 * 1024,
      log: say,
    });
    const [dataDir, version] = [dataFolder(), await productVersion()];
    const report = await withServer(({ superuserUrl }) =>
      makeBackup({ dataDir, superuserUrl, file: path, version, space }),
    );
    say(
      `${path} contains everything saved before ${report.madeAt}: the database, ${count(report.storedFiles, 'stored file')}, ` +
        `keys and passwords (${(report.size / 1e6).toFixed(1)} MB). Keep it safe: anyone who has ` +
        'it can read and change everything.',
    );
  },

  async restore([file]) {
    if (!file) throw new CommandError('Name the backup: npm run restore -- <file>');
    if (process.env.DATABASE_URL) {
      throw new CommandError(
        'The database is at DATABASE_URL, so its own server has to restore it. Unset ' +
          'DATABASE_URL to restore a backup of the embedded database.',
      );
    }
    const report = await restoreBackup(dataFolder(), resolve(file), say);
    const { manifest, missingFiles } = report;
    say(
      `${dataFolder()} contains the site as it was on ${manifest.madeAt}, made by version ` +
        `${manifest.version}: ${count(report.accounts, 'account')}, ` +
        `${count(report.rows, 'row')} in ${report.tables} tables, ` +
        `${count(report.storedFiles, 'stored file')}. Everything was read and checked.`,
    );
    if (missingFiles > 0) {
      say(`${count(missingFiles, 'file')} listed in the database had no content in the backup.`);
    }
  },

  async seed() {
    await withDatabase((databaseUrl) => seed(databaseUrl, { log: say }));
  },

  async types(args) {
    await withThrowAwayDatabase(args.includes('--check') ? checkTypes : writeTypes);
  },

  async migration([name = '']) {
    if (!/^[a-z][a-z0-9_]*$/.test(name)) {
      throw new CommandError('Say what changes: npm run db:migration -- add_phone');
    }
    await withThrowAwayDatabase((databaseUrl) => writeMigration(databaseUrl, name));
  },

  async advisors() {
    await withThrowAwayDatabase(checkAdvisors);
  },

  async check() {
    await withThrowAwayDatabase(async (databaseUrl) => {
      await checkTypes(databaseUrl);
      await checkAdvisors(databaseUrl);
    });
  },
};

async function listFailedJobs(db: Database): Promise<void> {
  const rows = await query<Record<'id' | 'at' | 'what' | 'reason', string>>(db)`
    select id, coalesce(last_error, '') as reason,
      kind || coalesce((select ' ' || string_agg(value, ' ') from jsonb_each_text(payload)), '') as what,
      to_char(created_at at time zone 'utc', 'YYYY-MM-DD HH24:MI "UTC"') as at
    from private.jobs
    where state = 'failed' or every is not null and last_error is not null
    order by created_at desc`;
  for (const job of rows) say(`${job.id}  ${job.at}  ${job.what}\n    ${job.reason}`);
  say(rows.length === 0 ? 'No failed jobs.' : `${rows.length} in all.`);
}

/** Queries the site's database as the owner of its data. */
async function withOwner(ask: (db: Database) => Promise<unknown>): Promise<void> {
  await withDatabase(async (databaseUrl) => {
    const db = connect(databaseUrl, { max: 1 });
    try {
      await ask(db);
    } finally {
      await db.destroy();
    }
  });
}

const dataFolder = () => resolve(process.env.DATA_DIR || '.data');

const packageFile = fileURLToPath(new URL('../../../package.json', import.meta.url));

async function productVersion(): Promise<string> {
  return (await readJson(packageFile, v.object({ version: v.string() }))).version;
}

const count = (n: number, thing: string) => `${n} ${thing}${n === 1 ? '' : 's'}`;

/** Runs `fn` on the site's database: the one at DATABASE_URL, or else the embedded server's. */
async function withDatabase(fn: (databaseUrl: string) => Promise<void>): Promise<void> {
  if (process.env.DATABASE_URL) return fn(process.env.DATABASE_URL);
  return withServer(({ url }) => fn(url));
}

/** Runs `fn` on the embedded server: the one that's running, or one started just for `fn`. */
async function withServer<Result>(
  fn: (server: Pick<PostgresServer, 'url' | 'superuserUrl'>) => Promise<Result>,
): Promise<Result> {
  const dataDir = dataFolder();
  const running = await findRunningPostgres(dataDir);
  const superuserUrl = running && (await findRunningPostgres(dataDir, 'supabase_admin'));
  if (running && superuserUrl) return fn({ url: running, superuserUrl });

  if (!(await exists(join(dataDir, 'postgres')))) {
    throw new CommandError(`There's no database in ${dataDir} yet. Start the site once: npm start`);
  }
  const folder = await takeDataFolder(dataDir);
  try {
    const server = await startPostgres({ folder: dataDir, log: say });
    try {
      return await fn(server);
    } finally {
      await server.stop();
    }
  } finally {
    folder.release();
  }
}

const [name = '', ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!command) {
  process.stderr.write(`${usage}\n`);
  process.exit(2);
}
try {
  loadEnvFile();
} catch {
  // There's no .env file, which is fine.
}
try {
  await command(args);
} catch (error) {
  // P0002 (no data found): the database's message says that the account or job doesn't exist.
  const said = error as Error & { code?: string };
  const sentence = explainSystemError(error);
  const known =
    said instanceof CommandError ||
    ['CheckFailed', 'DataFolderError', 'BackupError'].includes(said.name) ||
    said.code === 'P0002';
  process.stderr.write(`${sentence ?? (known ? said.message : said.stack)}\n`);
  process.exit(1);
}

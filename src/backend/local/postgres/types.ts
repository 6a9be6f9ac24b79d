import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { connect, query } from '#backend/supabase/functions/_shared/connection.ts';
import { takeDataFolder } from './data-folder.ts';
import { applySchemas, migrationsFolder, prepareDatabase } from './migrate.ts';
import { startPostgres } from './postgres.ts';

const run = promisify(execFile);
const typesFile = fileURLToPath(new URL('../../../lib/database.types.ts', import.meta.url));
const projectFolder = fileURLToPath(new URL('../../../..', import.meta.url));
/** The folder whose `supabase/` holds config.toml and migrations. */
const workdir = fileURLToPath(new URL('../..', import.meta.url));

class CheckFailed extends Error {
  override name = 'CheckFailed';
}

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Settings that make a server fast at the risk of losing its data. */
export const throwAwaySettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'];

/** Runs `fn` with a server in a temporary folder, whose database is migrated and empty. */
export async function withThrowAwayDatabase(
  fn: (databaseUrl: string) => Promise<void>,
): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'throw-away-database-'));
  const folder = await takeDataFolder(path);
  try {
    const server = await startPostgres({ folder: path, settings: throwAwaySettings });
    try {
      await prepareDatabase(server.url);
      await fn(server.url);
    } finally {
      await server.stop();
    }
  } finally {
    folder.release();
    await rm(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Writes the row and procedure types of the migrations to `src/lib/database.types.ts`. */
export async function writeTypes(databaseUrl: string): Promise<void> {
  await writeFile(typesFile, await generateTypes(databaseUrl));
  say(`Wrote ${typesFile}`);
}

/**
 * Drafts the migration from what the existing migrations create to what schemas/ declares. It
 * doesn't cover data.
 * @param name what changes, such as `add_phone`.
 */
export async function writeMigration(databaseUrl: string, name: string): Promise<void> {
  const declaredUrl = new URL(databaseUrl);
  declaredUrl.pathname = '/declared';
  const migrated = connect(databaseUrl, { max: 1 });
  const declared = connect(declaredUrl.href, { max: 1 });
  try {
    await query(migrated)`create database declared`;
    await applySchemas(declared);
  } finally {
    await Promise.all([migrated.destroy(), declared.destroy()]);
  }
  const between = [`--from=${databaseUrl}`, `--to=${declaredUrl.href}`];
  const diff = await supabase(['db', 'diff', '--use-pg-delta', ...between]);
  // Drops grants to the owner, who has all privileges on their own objects anyway.
  const draft = diff.replace(/^(?:REVOKE|GRANT) .* (?:FROM|TO) "postgres";\n*/gm, '').trim();
  if (!draft) return say('The migrations match schemas/. Nothing to write.');
  const last = Math.max(
    ...(await readdir(migrationsFolder)).map((file) => Number.parseInt(file, 10)),
  );
  const now = Number(new Date().toISOString().replace(/\D/g, '').slice(0, 14));
  const file = join(migrationsFolder, `${Math.max(now, last + 1)}_${name}.sql`);
  await writeFile(file, `${draft}\n`);
  say(
    `Wrote ${file}. Read it, and add what has to happen to rows: new rows in tables such ` +
      'as private.write_limits, updates of rows that people have.',
  );
}

/** @throws {CheckFailed} if the committed types don't match the migrations. */
export async function checkTypes(databaseUrl: string): Promise<void> {
  const committed = await readFile(typesFile, 'utf8').catch(() => '');
  if (committed !== (await generateTypes(databaseUrl))) {
    throw new CheckFailed('src/lib/database.types.ts is out of date. Run `npm run db:types`.');
  }
  say('The database types are up to date.');
}

/** @throws {CheckFailed} with what the Supabase advisors found, from warnings up. */
export async function checkAdvisors(databaseUrl: string): Promise<void> {
  try {
    await supabase(['db', 'advisors', `--remote=${databaseUrl}`, '--fail-on', 'warn']);
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    throw new CheckFailed(`The advisors found something.\n${stdout}${stderr}`);
  }
  say('The advisors found nothing.');
}

async function generateTypes(databaseUrl: string): Promise<string> {
  const types = await supabase(['gen', 'types', 'typescript', `--remote=${databaseUrl}`]);
  const heading = '// Written by `npm run db:types` from the migrations. Never edit it by hand.\n';
  return withNullableArguments(await format(heading + types));
}

/** Lets every argument of a procedure be null, which the CLI's types leave out. */
function withNullableArguments(types: string): Promise<string> {
  return format(types.replace(/\b(p_\w+\??: [^;}]+?)(?=;| })/g, '$1 | null'));
}

/** Runs the project's Supabase CLI without telemetry; returns its output. */
async function supabase(args: string[]): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    [programOf('supabase', 'supabase'), ...args, '--workdir', workdir],
    {
      env: {
        ...process.env,
        DO_NOT_TRACK: '1',
        SUPABASE_TELEMETRY_DISABLED: '1',
        // Otherwise the CLI's output would include a warning that the server has no TLS.
        PGSSLMODE: 'disable',
      },
      maxBuffer: 50_000_000,
    },
  );
  return stdout;
}

function format(code: string): Promise<string> {
  const flags = ['format', '--stdin-file-path=types.ts', '--config-path=tests/lint.json'];
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [programOf('@biomejs/biome', 'biome'), ...flags],
      { cwd: projectFolder, maxBuffer: 50_000_000 },
      (error, formatted) => (error ? reject(error) : resolve(formatted)),
    );
    child.stdin?.end(code);
  });
}

function programOf(name: string, program: string): string {
  const require = createRequire(import.meta.url);
  const manifest = require.resolve(`${name}/package.json`);
  const { bin } = require(manifest) as { bin: Record<string, string> };
  return join(dirname(manifest), bin[program] ?? '');
}

import { readFile } from 'node:fs/promises';
import { sql } from 'kysely';
import type { Database } from '#backend/supabase/functions/_shared/connection.ts';
import { bootstrap } from './bootstrap.ts';

const folder = new URL('../../supabase/', import.meta.url);

/** The files of schemas/ in the order of config.toml, each with its text. */
export async function readSchemas(): Promise<{ file: string; text: string }[]> {
  const config = await readFile(new URL('config.toml', folder), 'utf8');
  const list = /^schema_paths = \[\n(.*?)^\]/ms.exec(config)?.[1] ?? '';
  const files = [...list.matchAll(/^ {2}"\.\/(.+)",$/gm)].map(([, file = '']) => file);
  return Promise.all(
    files.map(async (file) => ({ file, text: await readFile(new URL(file, folder), 'utf8') })),
  );
}

/**
 * Brings an empty database to what schemas/ says, without any migration: the measure that a test holds
 * the migrations to, and what `npm run db:migration` compares them with.
 */
export async function applySchemas(db: Database): Promise<void> {
  await bootstrap(db);
  for (const { file, text } of await readSchemas()) {
    await sql
      .raw(text)
      .execute(db)
      .catch((error: Error) => {
        throw new Error(`${file}: ${error.message}`, { cause: error });
      });
  }
}

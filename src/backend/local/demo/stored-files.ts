/** Files of the demo: their rows come with the demo, their contents with each start. */
import {
  connect,
  type Database,
  query,
  queryOne,
} from '#backend/supabase/functions/_shared/connection.ts';
import { createStorageFolder } from '../storage/folder.ts';
import type { BuiltPerson } from './builders.ts';

export interface StoredFile {
  bucket: string;
  path: string;
  /** The MIME type. */
  type: string;
  read: () => Promise<Uint8Array>;
}

/** Adds the row of a file, as if this person had uploaded it. */
export async function addStoredFile(
  db: Database,
  { bucket, path, type }: StoredFile,
  size: number,
  owner: BuiltPerson,
): Promise<void> {
  await query(db)`
    insert into storage.objects (bucket_id, name, owner, metadata)
    values (
      ${bucket}, ${path}, ${owner.id},
      jsonb_build_object('size', ${size}::int, 'mimetype', ${type}::text)
    )`;
}

/**
 * Stores the contents of the files that the database knows and the folder doesn't have.
 * @param folder where the storage service keeps files
 */
export async function storeFiles(
  databaseUrl: string,
  folder: string,
  files: readonly StoredFile[],
): Promise<void> {
  const storage = createStorageFolder(folder, async () => false);
  const db = connect(databaseUrl, { max: 1 });
  try {
    for (const { bucket, path, type, read } of files) {
      const known = await queryOne<{ found: boolean }>(db)`
        select exists (
          select from storage.objects where bucket_id = ${bucket} and name = ${path}
        ) as found`;
      if (!known?.found) continue;
      const isThere = await storage.headObject(bucket, path).then(
        () => true,
        () => false,
      );
      if (!isThere)
        await storage.uploadObject(bucket, path, undefined, await read(), type, 'no-cache');
    }
  } finally {
    await db.destroy();
  }
}

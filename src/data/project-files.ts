/** Project files: announced, stored in a private bucket, and opened by one-minute links. */
import { dataOf } from '#lib/errors.ts';
import { linkToFile, uploadFile } from '#lib/files/stored-files.ts';
import type { ReadyFile } from '#lib/files/uploads.ts';
import { ignored, rpc } from '#lib/rpc.ts';
import type { BrowserDb, Db } from '#lib/supabase.ts';
import { type ProjectFile, projectFile } from './projects.ts';

const BUCKET = 'project-files';

/**
 * Announces a file, uploads it and confirms the upload. Trying again with the same id resumes where
 * it stopped. Throws an AppError.
 */
export async function createProjectFile(
  db: BrowserDb,
  projectId: string,
  { id, file, type, onProgress, signal }: ReadyFile,
): Promise<ProjectFile> {
  const { path } = await rpc(db, 'begin_project_file', projectFile, {
    p_id: id,
    p_project_id: projectId,
    p_name: file.name,
    p_type: type,
    p_size: file.size,
  });
  await uploadFile(db, { bucket: BUCKET, path, body: file, type, onProgress, signal });
  return rpc(db, 'finish_project_file', projectFile, { p_id: id });
}

/** A download link, valid for a minute. Throws an AppError. */
export function getProjectFileLink(db: Db, file: ProjectFile): Promise<string> {
  return linkToFile(db, BUCKET, file);
}

/** Removes a file: the stored object first, so that none is orphaned. Idempotent. */
export async function removeProjectFile(db: Db, file: ProjectFile): Promise<void> {
  dataOf(await db.storage.from(BUCKET).remove([file.path]));
  await rpc(db, 'remove_project_file', ignored, { p_id: file.id });
}

/** Files of a project: announced, stored in a private bucket, opened by links that last a minute. */
import { dataOf, toAppError } from '#lib/errors.ts';
import { linkToFile, uploadFile } from '#lib/files/stored-files.ts';
import type { ReadyFile } from '#lib/files/uploads.ts';
import type { Db } from '#lib/supabase.ts';
import type { ProjectFile } from './projects.ts';

const BUCKET = 'project-files';

/**
 * Announces a file, sends it and says that it is there. Trying again with the same id goes on where
 * it stopped. Throws an AppError.
 */
export async function createProjectFile(
  db: Db,
  projectId: string,
  { id, file, type, onProgress, signal }: ReadyFile,
): Promise<ProjectFile> {
  const { path } = dataOf(
    await db.rpc('begin_project_file', {
      p_id: id,
      p_project_id: projectId,
      p_name: file.name,
      p_type: type,
      p_size: file.size,
    }),
  ) as unknown as ProjectFile;
  await uploadFile(db, { bucket: BUCKET, path, body: file, type, onProgress, signal });
  return dataOf(await db.rpc('finish_project_file', { p_id: id })) as unknown as ProjectFile;
}

/** A link that saves a file for a minute. Throws an AppError. */
export function getProjectFileLink(db: Db, file: ProjectFile): Promise<string> {
  return linkToFile(db, BUCKET, file);
}

/** Takes a file away: the object first, so that nothing is left over. Twice is once. */
export async function removeProjectFile(db: Db, file: ProjectFile): Promise<void> {
  dataOf(await db.storage.from(BUCKET).remove([file.path]));
  const { error, status } = await db.rpc('remove_project_file', { p_id: file.id });
  if (error) throw toAppError(error, status);
}

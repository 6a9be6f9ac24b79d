/** Files of a project: announced, stored in a private bucket, opened by links that last a minute. */
import { AppError, dataOf, toAppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { uploadFile } from '#lib/upload.ts';
import type { ProjectFile } from './projects.ts';

const BUCKET = 'project-files';

/** Seconds for which a link opens a file. */
const LINK_SECONDS = 60;

/** Bytes that a file may have; the bucket holds to the same. */
export const FILE_BYTES = 20 * 1024 * 1024;

export interface NewFile {
  /** Made by the sender, so that trying again stores once. */
  id: string;
  projectId: string;
  file: Blob;
  name: string;
  /** What it is by its content, not by its name. */
  type: string;
}

/**
 * Announces a file, sends it and says that it is there. Trying again with the same id goes on where
 * it stopped. Throws an AppError.
 */
export async function createProjectFile(
  db: Db,
  file: NewFile,
  onProgress: (sent: number) => void,
  signal?: AbortSignal,
): Promise<ProjectFile> {
  const { path } = dataOf(
    await db.rpc('begin_project_file', {
      p_id: file.id,
      p_project_id: file.projectId,
      p_name: file.name,
      p_type: file.type,
      p_size: file.file.size,
    }),
  ) as unknown as ProjectFile;
  try {
    await uploadFile(db, {
      ...{ bucket: BUCKET, path, body: file.file, type: file.type, onProgress },
      ...(signal ? { signal } : {}),
    });
  } catch (thrown) {
    // It lies there already: the answer of the try before was lost. Finishing tells whether it is whole.
    if (toAppError(thrown).kind !== 'conflict') throw thrown;
  }
  return dataOf(await db.rpc('finish_project_file', { p_id: file.id })) as unknown as ProjectFile;
}

/** A link that opens a file for a minute, under its own name, as something to save. */
export async function getFileLink(db: Db, file: ProjectFile): Promise<string> {
  const { data, error } = await db.storage.from(BUCKET).createSignedUrl(file.path, LINK_SECONDS);
  if (error) throw toAppError(error);
  if (!data?.signedUrl) throw new AppError('not-found');
  const link = new URL(data.signedUrl);
  // Not its option `download`: storage-js 2.119 encodes that name twice.
  link.searchParams.set('download', file.name);
  return link.href;
}

/** Takes a file away: the object first, so that nothing is left over. Twice is once. */
export async function removeProjectFile(db: Db, file: ProjectFile): Promise<void> {
  const taken = await db.storage.from(BUCKET).remove([file.path]);
  if (taken.error) throw toAppError(taken.error);
  const { error, status } = await db.rpc('remove_project_file', { p_id: file.id });
  if (error) throw toAppError(error, status);
}

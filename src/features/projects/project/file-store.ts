/** One project's files: the stored ones, and the ones being uploaded. */
import { atom } from 'nanostores';
import { createProjectFile, getProjectFileLink, removeProjectFile } from '#data/project-files.ts';
import type { ProjectFile } from '#data/projects.ts';
import { type AttemptDeps, createAttempt } from '#lib/attempt.ts';
import { createUploads } from '#lib/files/uploads.ts';

export type FileStore = ReturnType<typeof createFileStore>;

export function createFileStore(
  deps: AttemptDeps,
  projectId: string,
  files: readonly ProjectFile[],
) {
  const $files = atom(files);
  const $busy = atom<ReadonlySet<string>>(new Set());
  const attempt = createAttempt(deps);
  const without = (id: string) => $files.get().filter((each) => each.id !== id);
  const { $uploads, add, retry, drop } = createUploads<ProjectFile>({
    signedOut: deps.signedOut,
    store: async (file) => createProjectFile(await deps.db(), projectId, file),
    arrived(id, stored) {
      drop(id);
      $files.set([stored, ...without(id)]);
    },
  });

  async function busy(id: string, work: () => Promise<unknown>): Promise<void> {
    if ($busy.get().has(id)) return;
    $busy.set(new Set([...$busy.get(), id]));
    await work();
    $busy.set(new Set([...$busy.get()].filter((each) => each !== id)));
  }

  /** Downloads a file through a link that's valid for a minute. */
  const download = (file: ProjectFile): Promise<void> =>
    busy(file.id, () =>
      attempt(
        `We couldn’t open “${file.name}”`,
        async (db) => location.assign(await getProjectFileLink(db, file)),
        () => void download(file),
      ),
    );

  const remove = (file: ProjectFile): Promise<void> =>
    busy(file.id, () =>
      attempt(
        `We couldn’t remove “${file.name}”`,
        async (db) => {
          await removeProjectFile(db, file);
          $files.set(without(file.id));
        },
        () => void remove(file),
      ),
    );

  return { $files, $uploads, $busy, add, retry, drop, download, remove };
}

/** The files of one project: those that are there, and those that are on their way. */
import { atom } from 'nanostores';
import { createProjectFile, getProjectFileLink, removeProjectFile } from '#data/project-files.ts';
import type { ProjectFile } from '#data/projects.ts';
import { createErrorReporter } from '#lib/classify-error.ts';
import type { AppError } from '#lib/errors.ts';
import { createUploads } from '#lib/files/uploads.ts';
import type { Db } from '#lib/supabase.ts';

interface FileDeps {
  db: () => Promise<Db>;
  signedOut: () => void;
  failed: (what: string, error: AppError, again: () => void) => void;
  /** Opens a link to a file that is saved and not shown. */
  follow: (link: string) => void;
}

export type FileStore = ReturnType<typeof createFileStore>;

/** Makes the store of one page. */
export function createFileStore(
  deps: FileDeps,
  initial: { projectId: string; files: ProjectFile[] },
) {
  const $files = atom<readonly ProjectFile[]>(initial.files);
  const $busy = atom<ReadonlySet<string>>(new Set());
  const { $uploads, add, retry, drop } = createUploads<ProjectFile>({
    signedOut: deps.signedOut,
    store: async (file) => createProjectFile(await deps.db(), initial.projectId, file),
    arrived(id, stored) {
      drop(id);
      $files.set([stored, ...$files.get().filter((each) => each.id !== id)]);
    },
  });

  const reportError = createErrorReporter(deps);

  async function busy(id: string, work: () => Promise<void>): Promise<void> {
    if ($busy.get().has(id)) return;
    $busy.set(new Set([...$busy.get(), id]));
    try {
      await work();
    } finally {
      $busy.set(new Set([...$busy.get()].filter((each) => each !== id)));
    }
  }

  /** Saves a file to the reader's device, by a link that lasts a minute. */
  function download(file: ProjectFile): Promise<void> {
    return busy(file.id, async () => {
      try {
        deps.follow(await getProjectFileLink(await deps.db(), file));
      } catch (thrown) {
        deps.failed(
          `“${file.name}” was not opened`,
          reportError(thrown),
          () => void download(file),
        );
      }
    });
  }

  /** Takes a file away for good. */
  function remove(file: ProjectFile): Promise<void> {
    return busy(file.id, async () => {
      try {
        await removeProjectFile(await deps.db(), file);
        $files.set($files.get().filter((each) => each.id !== file.id));
      } catch (thrown) {
        deps.failed(`“${file.name}” is still there`, reportError(thrown), () => void remove(file));
      }
    });
  }

  return { $files, $uploads, $busy, add, retry, drop, download, remove };
}

/** Creates the archive: tracks its state and progress, and resumes after a failure. */
import { atom } from 'nanostores';
import { type Export, exportAccount, getFile, type StoredFile } from '#data/account.ts';
import type { AppError } from '#lib/errors.ts';
import type { Db } from '#lib/supabase.ts';
import { reportError } from '#stores/session.ts';
import type { Progress } from './archive.ts';

export type ExportState =
  | { state: 'idle' }
  | { state: 'reading' }
  | ({ state: 'packing' } & Progress)
  | { state: 'ready'; name: string; archive: Blob }
  | { state: 'failed'; error: AppError };

/** Creates the store for one page. */
export function createExportStore(db: () => Promise<Db>) {
  const $export = atom<ExportState>({ state: 'idle' });
  /** What we fetched before a failure; a retry continues from there. */
  let everything: Export | null = null;
  const contents = new Map<string, Uint8Array | null>();

  async function read(file: StoredFile): Promise<Uint8Array | null> {
    const key = `${file.bucket}/${file.path}`;
    const known = contents.get(key);
    if (known !== undefined) return known;
    const content = await getFile(await db(), file);
    contents.set(key, content);
    return content;
  }

  return {
    $export,
    async make(): Promise<void> {
      const now = $export.get().state;
      if (now === 'reading' || now === 'packing') return;
      $export.set({ state: 'reading' });
      try {
        everything ??= await exportAccount(await db());
        const { makeArchive } = await import('./archive.ts');
        const archive = await makeArchive(everything, read, (progress) =>
          $export.set({ state: 'packing', ...progress }),
        );
        const name = `everything-about-me-${everything.made_at.slice(0, 10)}.zip`;
        everything = null;
        contents.clear();
        $export.set({ state: 'ready', name, archive });
      } catch (thrown) {
        $export.set({ state: 'failed', error: reportError(thrown) });
      }
    },
  };
}

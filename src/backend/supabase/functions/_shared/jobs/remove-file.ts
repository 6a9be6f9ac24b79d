import type { JobKind } from './worker.ts';

/** Removes an object of a bucket, content and row; one that is gone already does not matter. */
export type RemoveObject = (bucket: string, path: string, signal: AbortSignal) => Promise<void>;

/** The longest that removing one file may take, in ms. */
const TIME_LIMIT = 20_000;

/** Jobs that remove files that nobody may see any more; nothing of them stays. */
export function fileRemovalJobs(remove: RemoveObject): JobKind {
  return {
    name: 'remove_file',
    timeLimit: TIME_LIMIT,
    lease: '1 minute',
    freesSpace: true,
    async run({ payload }, _db, signal) {
      await remove(String(payload.bucket), String(payload.path), signal);
      return 'forget';
    },
  };
}

import type { JobKind } from './worker.ts';

/** Removes an object from a bucket, content and row; it's fine if it's already gone. */
export type RemoveObject = (bucket: string, path: string, signal: AbortSignal) => Promise<void>;

/** Timeout of one removal, in ms. */
const TIME_LIMIT = 20_000;

/** Jobs that remove files nobody can see anymore. Their rows are deleted when they're done. */
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

/** disk_full, as PostgreSQL and PostgREST call it. */
export const DISK_FULL = '53100';

/** What people read of it; in the browser src/lib/errors.ts says the same. */
export const OUT_OF_SPACE =
  'Our server is out of space and can’t save anything. Keep this page open and try again later.';

/** Whether an error of the database or of a file says that there is no room to write. */
export function isOutOfSpace(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === DISK_FULL || code === 'ENOSPC';
}

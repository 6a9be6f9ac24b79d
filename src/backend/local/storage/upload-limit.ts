import { tooManyRequests } from '../auth/limits.ts';

/** How many files one person may be sending at once. Each is read into memory before it's stored. */
const MOST_UPLOADS = 4;

/** Runs uploads, of which each person may have a few at once. */
export type UploadLimit = <T>(personId: string, upload: () => Promise<T>) => Promise<T>;

/** @throws AuthError with status 429 when a person is sending as many files already */
export function createUploadLimit(): UploadLimit {
  const running = new Map<string, number>();
  return async (personId, upload) => {
    const others = running.get(personId) ?? 0;
    if (others >= MOST_UPLOADS) throw tooManyRequests();
    running.set(personId, others + 1);
    try {
      return await upload();
    } finally {
      const left = (running.get(personId) ?? 1) - 1;
      if (left > 0) running.set(personId, left);
      else running.delete(personId);
    }
  };
}

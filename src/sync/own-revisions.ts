import { AppError } from '#lib/errors.ts';

/** How many of the newest versions of a text are compared. */
const RECENT = 10;

/** What the database answers to a save: whether it's saved, and the text as it's stored now. */
export interface Saving<Stored extends { revision: number }> {
  saved: boolean;
  stored: Stored;
}

/** Saves a value over a revision; `save` sends it. Throws an AppError `conflict` if someone else has changed it. */
export type RevisionSaver<Text, Stored extends { revision: number }> = (
  id: string,
  change: { value: Text; revision: number },
  save: (revision: number) => Promise<Saving<Stored>>,
) => Promise<Stored>;

/**
 * Saves whole texts that several people write. If the response to a save was lost, the stored
 * revision is newer than the one the next save is based on, although it's this page's own; then it's
 * saved again over that one.
 * @param isSame whether a text that was sent is the stored one, which the database has tidied.
 * @returns a function that throws an AppError `conflict` if someone else has changed the text.
 */
export function createRevisionSaver<Text, Stored extends { revision: number }>(
  isSame: (sent: Text, stored: Stored) => boolean,
): RevisionSaver<Text, Stored> {
  const recent = new Map<string, Text[]>();
  return async (id, { value, revision }, save) => {
    const own = [...(recent.get(id) ?? []), value].slice(-RECENT);
    recent.set(id, own);
    const first = await save(revision);
    if (first.saved) return first.stored;
    const isOwn = own.some((each) => isSame(each, first.stored));
    const second = isOwn ? await save(first.stored.revision) : first;
    if (second.saved) return second.stored;
    throw new AppError('conflict', 'Someone else changed this in the meantime.');
  };
}

import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { exists } from './data-folder.ts';
import type { DiskSpace } from './disk-space.ts';

const MB = 1024 * 1024;

/** What a database needs to start after it died: its lock, and a segment or two of its log. */
const SIZE = 32 * MB;

/** A file that takes up room, to be deleted when the database needs that room to start. */
export interface Ballast {
  /** Writes the file where it isn't there and there is room enough. */
  keep(): Promise<void>;
  /** Removes it where there is hardly any room left. */
  giveUp(): Promise<void>;
}

/** @param folder where to put the file, on the database's volume. */
export function createBallast(folder: string, space: DiskSpace): Ballast {
  const path = join(folder, 'ballast');
  return {
    async keep() {
      if (await exists(path)) return;
      const giveBack = await space.claim(SIZE);
      if (!giveBack) return;
      const draft = `${path}.draft`;
      try {
        await write(draft);
        await rename(draft, path);
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      } finally {
        giveBack();
      }
    },
    async giveUp() {
      if ((await space.room()) === 'none') await rm(path, { force: true });
    },
  };
}

/** Random bytes: file systems that compress would make nothing of zeros. */
async function write(path: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    for (let written = 0; written < SIZE; written += MB) await file.writeFile(randomBytes(MB));
    await file.sync();
  } finally {
    await file.close();
  }
}

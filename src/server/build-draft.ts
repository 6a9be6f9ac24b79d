import { randomUUID } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';

const PREFIX = 'unfinished-';
/** No build takes this long; a folder that is older belongs to one that was killed. */
const LONGEST_MS = 3_600_000;

/** Whether a folder beside the builds is one that isn't finished. */
export function isDraft(name: string): boolean {
  return name.startsWith(PREFIX);
}

/**
 * Names a folder for a new build, and removes those of builds that were killed, once they are too old
 * to be running, in this or another container.
 */
export async function openDraft(dist: string): Promise<string> {
  await fs.mkdir(dist, { recursive: true });
  const drafts = (await fs.readdir(dist)).filter(isDraft).map((name) => path.join(dist, name));
  for (const draft of drafts) {
    const stats = await fs.stat(draft).catch(() => undefined);
    if (!stats || Date.now() - stats.mtimeMs < LONGEST_MS) continue;
    await fs.rm(draft, { recursive: true, force: true });
  }
  return path.join(dist, PREFIX + randomUUID());
}

import { randomUUID } from 'node:crypto';
import { promises as fs } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { hasHeldNames, holdName } from '#backend/local/postgres/held-name.ts';

const PREFIX = 'unfinished-';
/** Where no held name tells whether a build still runs: none takes this long. */
const LONGEST_MS = 3_600_000;

/** Whether a folder beside the builds is one that isn't finished. */
export function isDraft(name: string): boolean {
  return name.startsWith(PREFIX);
}

/** A folder that a build is made in, by this process alone. */
export interface BuildDraft {
  path: string;
  /** Removes the folder where the build was not moved to its place. */
  remove(): Promise<void>;
}

/**
 * Names a folder for a new build, and removes those of builds that were killed. One that runs in
 * another process holds the name of its folder and isn't disturbed; nor is one of another container,
 * whose names aren't seen here, until it is too old to be running.
 */
export async function openDraft(dist: string): Promise<BuildDraft> {
  await fs.mkdir(dist, { recursive: true });
  const left = (await fs.readdir(dist)).filter(isDraft);
  await Promise.all(left.map((name) => removeLeft(dist, name)));
  const id = PREFIX + randomUUID();
  const letGo = await holdName(id);
  const folder = path.join(dist, `${id}@${hostname()}`);
  return {
    path: folder,
    async remove() {
      await fs.rm(folder, { recursive: true, force: true });
      letGo?.();
    },
  };
}

async function removeLeft(dist: string, name: string): Promise<void> {
  const folder = path.join(dist, name);
  const [id = '', machine] = name.split('@');
  if (!hasHeldNames || machine !== hostname()) {
    const stats = await fs.stat(folder).catch(() => undefined);
    if (!stats || Date.now() - stats.mtimeMs < LONGEST_MS) return;
  }
  const letGo = await holdName(id);
  if (!letGo) return;
  await fs.rm(folder, { recursive: true, force: true });
  letGo();
}

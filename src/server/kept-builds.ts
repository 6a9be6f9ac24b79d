import { createHash, randomUUID } from 'node:crypto';
import { promises as fs } from 'node:fs';
import path from 'node:path';
import { exists } from '#backend/local/postgres/data-folder.ts';

/** Builds older than this are deleted, but never the last three: a site may still run from one. */
const KEPT_MS = 7 * 24 * 3_600_000;
const KEPT_AT_LEAST = 3;
/** Name of a build: its fingerprint. */
const BUILD = /^[0-9a-f]{16}$/;
/** Name prefix of an unfinished build. */
const DRAFT = 'unfinished-';
/** No build takes this long, so an older draft belongs to one that was killed. */
const LONGEST_MS = 3_600_000;

async function listFiles(root: string, entry: string, without: string[]): Promise<string[]> {
  if (without.includes(entry)) return [];
  const stats = await fs.stat(path.join(root, entry)).catch(() => undefined);
  if (!stats) return [];
  if (stats.isFile()) return [entry];
  const names = (await fs.readdir(path.join(root, entry))).sort();
  const nested = await Promise.all(
    names.map((name) => listFiles(root, `${entry}/${name}`, without)),
  );
  return nested.flat();
}

/**
 * The name of what's built from these files and folders of the project: 16 hex digits that change
 * when their content or their names do.
 * @param without files and folders below them that don't count
 */
export async function fingerprint(
  root: string,
  sources: readonly string[],
  without: string[],
): Promise<string> {
  const hash = createHash('sha256');
  const listed = await Promise.all(sources.map((entry) => listFiles(root, entry, without)));
  const files = listed.flat();
  const contents = await Promise.all(files.map((file) => fs.readFile(path.join(root, file))));
  for (const [index, file] of files.entries()) {
    hash.update(`\0${file}\0`).update(contents[index] ?? '');
  }
  return hash.digest('hex').slice(0, 16);
}

/** Picks a folder for a new build, and removes drafts too old to still be running. */
export async function openDraft(dist: string): Promise<string> {
  await fs.mkdir(dist, { recursive: true });
  const drafts = (await fs.readdir(dist))
    .filter((name) => name.startsWith(DRAFT))
    .map((name) => path.join(dist, name));
  for (const draft of drafts) {
    const stats = await fs.stat(draft).catch(() => undefined);
    if (!stats || Date.now() - stats.mtimeMs < LONGEST_MS) continue;
    await fs.rm(draft, { recursive: true, force: true });
  }
  return path.join(dist, DRAFT + randomUUID());
}

async function removeOldBuilds(dist: string): Promise<void> {
  const names = (await fs.readdir(dist)).filter((name) => BUILD.test(name));
  const aged = await Promise.all(
    names.map(async (name) => ({ name, at: (await fs.stat(path.join(dist, name))).mtimeMs })),
  );
  const old = aged
    .toSorted((a, b) => b.at - a.at)
    .slice(KEPT_AT_LEAST)
    .filter(({ at }) => Date.now() - at > KEPT_MS);
  await Promise.all(
    old.map(({ name }) => fs.rm(path.join(dist, name), { recursive: true, force: true })),
  );
}

/**
 * Builds into a temporary folder that's renamed to `place` when it's complete, and removes old builds
 * beside it.
 * @throws what `build` throws, or an error of the file system
 */
export async function buildInDraft(
  place: string,
  build: (draft: string) => Promise<void>,
): Promise<void> {
  const dist = path.dirname(place);
  const draft = await openDraft(dist);
  try {
    await build(draft);
    // If another process has built the same in the meantime, use that build.
    await fs.rename(draft, place).catch(async (error) => {
      if (!(await exists(place))) throw error;
    });
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
  await removeOldBuilds(dist);
}

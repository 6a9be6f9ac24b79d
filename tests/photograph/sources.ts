import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from '#backend/local/project-root.ts';
import type { Scene } from './scene-list.ts';

/** What is known of a scene's pictures; `src/assets/scenes/scenes.json` has it for each. */
export interface Taken {
  /** Their size in CSS pixels. */
  width: number;
  height: number;
  /** The hash of the sources that they were photographed from. */
  sources: string;
}

export const scenesFolder = path.join(projectRoot, 'src/assets/scenes');
export const takenFile = path.join(scenesFolder, 'scenes.json');

/** What is known of each scene's pictures, by the scene's name. */
export const readTaken = (): Record<string, Taken> => JSON.parse(readFileSync(takenFile, 'utf8'));

/** The files of a source, which may be a folder. Throws if there's no such file or folder. */
function filesOf(source: string): string[] {
  const at = path.join(projectRoot, source);
  if (!statSync(at).isDirectory()) return [source];
  const names = readdirSync(at, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(projectRoot, path.join(entry.parentPath, entry.name)))
    .sort();
}

/** A hash of everything that a scene's sources say: it changes with any of them. */
export function hashOfSources({ sources }: Pick<Scene, 'sources'>): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf)) {
    hash.update(`${file}\0`).update(readFileSync(path.join(projectRoot, file)));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The names of the scenes whose sources have changed since they were photographed. */
export function outdated(scenes: readonly Scene[], taken = readTaken()): string[] {
  return scenes
    .filter((scene) => taken[scene.name]?.sources !== hashOfSources(scene))
    .map(({ name }) => name);
}

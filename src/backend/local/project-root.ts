import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder that holds package.json. This file runs from `src` and from a bundle. */
function findProject(folder: string): string {
  const parent = path.dirname(folder);
  if (parent === folder || existsSync(path.join(folder, 'package.json'))) return folder;
  return findProject(parent);
}

/** The folder that holds package.json. */
export const projectRoot = findProject(path.dirname(fileURLToPath(import.meta.url)));

/** A file or folder of the project, such as `content/site.yaml`. */
export const inProject = (place: string): string => path.join(projectRoot, place);

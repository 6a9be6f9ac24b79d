import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files of a folder that Git has or would add, so that a new file counts before it's added. */
export function projectFiles(folder: string): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', folder];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));
}

/**
 * Who can import what, from the most particular row to the most general one. Each place is a folder or
 * file below `src`; `*` stands for any one name, and in the right column `self` for the folder on the left.
 */
export type Layers = { from: string; may: string[] }[];

/** Reads the table "Who can import what" of the README. */
export function readLayers(readme: string): Layers {
  const section = readme.split('### Who can import what')[1]?.split('\n#')[0] ?? '';
  const rows = [...section.matchAll(/^\| (`.+?) +\| (.+?) +\|$/gm)].flatMap(([, left, right]) =>
    placesIn(left).map((from) => ({
      from,
      may: placesIn(right).map((place) => (place === 'self' ? from : place)),
    })),
  );
  return rows.toSorted((a, b) => b.from.split('/').length - a.from.split('/').length);
}

const placesIn = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place);

/** Whether a file is in a place; gives what the first `*` of the place stands for. */
function isIn(place: string, file: string): { name: string | undefined } | null {
  const pattern = place
    .split('/')
    .map((part) => part.replaceAll('.', '\\.').replaceAll('*', '([^/]+)'))
    .join('/');
  const found = new RegExp(`^${pattern}($|/)`).exec(file);
  return found && { name: found[1] };
}

/** What a file imports, as it is written there. Of an Astro file it reads frontmatter and scripts. */
export function importsOf(file: string, text: string): string[] {
  const code = file.endsWith('.astro')
    ? [...text.matchAll(/^---\n(.*?)^---$|<script[^>]*>(.*?)<\/script>/gms)]
        .map(([, frontmatter, script]) => frontmatter ?? script ?? '')
        .join('\n')
    : text;
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
}

/**
 * Looks for imports that the table does not allow.
 *
 * @param file below `src`, as in `features/quiz/quiz-store.ts`
 * @returns a sentence for each
 */
export function refusedImports(layers: Layers, file: string, text: string): string[] {
  const row = layers.find(({ from }) => isIn(from, file));
  if (!row) return [`src/${file} has no row in the README's "Who can import what".`];
  const own = isIn(row.from, file);
  return importsOf(file, text).flatMap((specifier) => {
    const isRelative = specifier.startsWith('.');
    if (!isRelative && !specifier.startsWith('#')) return [];
    const target = isRelative
      ? path.posix.join(path.posix.dirname(file), specifier)
      : specifier.slice(1);
    // Words and pictures aren't code.
    if (target.startsWith('../content/')) return [];
    const isAllowed = row.may.some((place) => {
      const there = isIn(place, target);
      return there && (place !== row.from || there.name === own?.name);
    });
    if (isAllowed) return [];
    return [
      `src/${file} imports ${target}, but the README lets ${row.from} import only ${row.may.join(', ')}.`,
    ];
  });
}

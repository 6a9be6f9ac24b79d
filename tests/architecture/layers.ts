import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

export const root = fileURLToPath(new URL('../../', import.meta.url));

/** A folder's files that Git tracks or doesn't ignore: a new file counts before it's added. */
export function projectFiles(folder: string): string[] {
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', folder];
  return execFileSync('git', list, { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((file) => file !== '' && existsSync(path.join(root, file)));
}

/**
 * Who can import what, from the most specific row to the most general. Each place is a folder or
 * file below `src`; `*` matches any one name, and `self` on the right means the folder on the left.
 */
export type Layers = { from: string; may: string[] }[];

/** Parses the table "Who can import what" in the README. */
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

/** Whether a file is in a place; `name` is what the place's first `*` matched. Null if it isn't. */
function isIn(place: string, file: string): { name: string | undefined } | null {
  const pattern = place
    .split('/')
    .map((part) => part.replaceAll('.', '\\.').replaceAll('*', '([^/]+)'))
    .join('/');
  const found = new RegExp(`^${pattern}($|/)`).exec(file);
  return found && { name: found[1] };
}

/** A file's import specifiers, as written; for Astro files, from frontmatter and scripts. */
export function importsOf(file: string, text: string): string[] {
  const code = file.endsWith('.astro')
    ? [...text.matchAll(/^---\n(.*?)^---$|<script[^>]*>(.*?)<\/script>/gms)]
        .map(([, frontmatter, script]) => frontmatter ?? script ?? '')
        .join('\n')
    : text;
  return ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
}

/**
 * Finds imports that the table doesn't allow.
 *
 * @param file below `src`, as in `features/quiz/quiz-store.ts`
 * @returns an error message for each
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
    // Content (text and pictures) isn't code.
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

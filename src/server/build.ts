import { constants, promises as fs } from 'node:fs';
import path from 'node:path';
import { exists } from '#backend/local/postgres/data-folder.ts';
import { hasPrivilegeSetter, runAs } from '#backend/local/postgres/server-user.ts';
import type { AppConfig } from '#lib/app-config.ts';
import { precompress } from './build-compress.ts';
import { buildInDraft, fingerprint } from './kept-builds.ts';
import { readRedirects, writeRedirectPages } from './redirects.ts';
import type { Settings } from './settings.ts';

/** Everything that affects the built site, apart from OUTSIDE_THE_BUILD. */
const SOURCES = [
  'package-lock.json',
  'astro.config.mjs',
  'tsconfig.json',
  'content',
  'public',
  'src',
] as const;
/** Files that neither the site nor its server is made from. */
export const UNUSED = [
  'src/backend/supabase/.temp',
  'src/backend/supabase/migrations',
  'src/backend/supabase/schemas',
  'src/decisions',
];
const OUTSIDE_THE_BUILD = [...UNUSED, 'src/backend/local', 'src/server'];

/** The folder to build in: the project or, if it's read-only, a copy below the data folder. */
function buildRoot(projectRoot: string, dataDir: string): Promise<string> {
  return fs.access(projectRoot, constants.W_OK).then(
    () => projectRoot,
    () => path.join(dataDir, 'build'),
  );
}

/** Copies the sources of a build to a folder, with links to the installed packages. */
export async function copySources(projectRoot: string, root: string): Promise<void> {
  await fs.mkdir(root, { recursive: true });
  for (const entry of [...SOURCES, 'package.json']) {
    await fs.rm(path.join(root, entry), { recursive: true, force: true });
    await fs.cp(path.join(projectRoot, entry), path.join(root, entry), { recursive: true });
  }
  // Link each package, not the whole folder: Vite and Astro write their caches into node_modules.
  const modules = path.join(root, 'node_modules');
  const installed = path.join(projectRoot, 'node_modules');
  await fs.rm(modules, { recursive: true, force: true });
  await fs.mkdir(modules);
  for (const name of await fs.readdir(installed)) {
    if (name.startsWith('.')) continue;
    await fs.symlink(path.join(installed, name), path.join(modules, name));
  }
}

/** Runs `astro build`, and passes the build id in the environment. */
async function runAstro(root: string, id: string, outDir: string): Promise<void> {
  const astro = path.join(root, 'node_modules/astro/bin/astro.mjs');
  // With setpriv, the build ends along with this process, even if that's killed.
  const user = { setpriv: await hasPrivilegeSetter() };
  const { code, output } = await runAs(
    user,
    process.execPath,
    [astro, 'build', '--outDir', outDir],
    {
      cwd: root,
      env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1', NODE_ENV: 'production', BUILD_ID: id },
    },
  );
  if (code !== 0) throw new Error(`The site couldn't be built.\n${output.trim()}`);
}

/** Writes `app-config.json` for plain web servers; `null` means that there's no backend. */
export async function writeAppConfig(client: string, backend?: Settings['backend']): Promise<void> {
  const config: AppConfig | null =
    backend?.kind === 'supabase'
      ? { supabaseUrl: backend.url, publishableKey: backend.publishableKey }
      : null;
  await fs.writeFile(path.join(client, 'app-config.json'), JSON.stringify(config));
}

export interface Build {
  /** The folder of static files. */
  client: string;
  /** The module that handles pages rendered on demand. */
  handler: string;
}

const buildIn = (place: string): Build => ({
  client: path.join(place, 'client'),
  handler: path.join(place, 'server', 'entry.mjs'),
});

/**
 * Builds the site if its sources have changed, in a temporary folder that's renamed when complete.
 * @throws Error with Astro's output if the build fails, or with the problems of the redirects
 */
export async function ensureBuild(options: {
  projectRoot: string;
  dataDir: string;
  log: (line: string) => void;
}): Promise<Build> {
  const id = await fingerprint(options.projectRoot, SOURCES, OUTSIDE_THE_BUILD);
  const root = await buildRoot(options.projectRoot, options.dataDir);
  const place = path.join(root, 'dist', id);
  // A read-only project, such as a Docker image's, may already contain this build.
  for (const known of [path.join(options.projectRoot, 'dist', id), place]) {
    if (await exists(known)) return buildIn(known);
  }
  options.log('Building the site (about half a minute, once for each change) …');
  const redirects = await readRedirects(options.projectRoot);
  if (root !== options.projectRoot) await copySources(options.projectRoot, root);
  await buildInDraft(place, async (draft) => {
    await runAstro(root, id, draft);
    const client = path.join(draft, 'client');
    await writeAppConfig(client);
    await writeRedirectPages(client, redirects);
    await precompress(client);
  });
  return buildIn(place);
}

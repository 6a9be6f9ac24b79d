import { createHash, randomUUID } from 'node:crypto';
import { constants, promises as fs } from 'node:fs';
import path from 'node:path';
import { exists } from '#backend/local/postgres/data-folder.ts';
import { hasPrivilegeSetter, runAs } from '#backend/local/postgres/server-user.ts';
import type { AppConfig } from '#lib/app-config.ts';
import { precompress } from './build-compress.ts';
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
const OUTSIDE_THE_BUILD = [
  'src/backend/local',
  'src/backend/supabase/.temp',
  'src/backend/supabase/migrations',
  'src/backend/supabase/schemas',
  'src/decisions',
  'src/server',
];
/** Builds older than this are deleted, but never the last three: a site may still run from one. */
const KEPT_MS = 7 * 24 * 3_600_000;
const KEPT_AT_LEAST = 3;

async function listFiles(root: string, entry: string): Promise<string[]> {
  if (OUTSIDE_THE_BUILD.includes(entry)) return [];
  const stats = await fs.stat(path.join(root, entry)).catch(() => undefined);
  if (!stats) return [];
  if (stats.isFile()) return [entry];
  const names = (await fs.readdir(path.join(root, entry))).sort();
  const nested = await Promise.all(names.map((name) => listFiles(root, `${entry}/${name}`)));
  return nested.flat();
}

async function fingerprint(root: string): Promise<string> {
  const hash = createHash('sha256');
  const files = (await Promise.all(SOURCES.map((entry) => listFiles(root, entry)))).flat();
  for (const file of files) {
    hash.update(`\0${file}\0`).update(await fs.readFile(path.join(root, file)));
  }
  return hash.digest('hex');
}

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

/** Name prefix of an unfinished build. */
const DRAFT = 'unfinished-';
/** No build takes this long, so an older draft belongs to one that was killed. */
const LONGEST_MS = 3_600_000;

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

async function removeOldBuilds(dist: string): Promise<void> {
  const names = (await fs.readdir(dist)).filter((name) => !name.startsWith(DRAFT));
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
 * Builds the site if its sources have changed, in a temporary folder that's renamed when complete.
 * @throws Error with Astro's output if the build fails, or with the problems of the redirects
 */
export async function ensureBuild(options: {
  projectRoot: string;
  dataDir: string;
  log: (line: string) => void;
}): Promise<Build> {
  const id = (await fingerprint(options.projectRoot)).slice(0, 16);
  const root = await buildRoot(options.projectRoot, options.dataDir);
  const dist = path.join(root, 'dist');
  const place = path.join(dist, id);
  // A read-only project, such as a Docker image's, may already contain this build.
  for (const known of [path.join(options.projectRoot, 'dist', id), place]) {
    if (await exists(known)) return buildIn(known);
  }
  options.log('Building the site (about half a minute, once for each change) …');
  const redirects = await readRedirects(options.projectRoot);
  if (root !== options.projectRoot) await copySources(options.projectRoot, root);
  const draft = await openDraft(dist);
  try {
    await runAstro(root, id, draft);
    const client = path.join(draft, 'client');
    await writeAppConfig(client);
    await writeRedirectPages(client, redirects);
    await precompress(client);
    // If another process has built the same in the meantime, use that build.
    await fs.rename(draft, place).catch(async (error) => {
      if (!(await exists(place))) throw error;
    });
  } finally {
    await fs.rm(draft, { recursive: true, force: true });
  }
  await removeOldBuilds(dist);
  return buildIn(place);
}

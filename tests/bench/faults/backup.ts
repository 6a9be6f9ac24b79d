/** Makes backups while people write, and restores them next to the running site. */
import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { projectRoot } from '#backend/local/project-root.ts';
import { startSite } from '../../e2e/support/site-process.ts';
import type { BenchContext } from '../parts.ts';
import { figure, none } from '../report.ts';
import { compare, Load, readFile, WRITERS } from './load.ts';
import { askDatabase, type HurtSite, openHurtSite } from './site.ts';

/** Milliseconds of load before each backup. */
const BEFORE = 2_000;
/** How many stored files to read from each restored site. */
const FILES = 20;

/** Runs one of the project's commands; returns the seconds it took, or throws its output. */
async function command(env: Record<string, string>, ...args: string[]): Promise<number> {
  const from = performance.now();
  const file = path.join(projectRoot, 'src/backend/local/commands.ts');
  const options = { cwd: projectRoot, env: { ...process.env, ...env } };
  await promisify(execFile)(process.execPath, [file, ...args], options);
  return (performance.now() - from) / 1_000;
}

/** Makes one backup and restores it; returns what the copy lacks, and how long both took. */
async function backUpAndRestore(
  site: HurtSite,
  load: Load,
  name: string,
  settings: Record<string, string>,
) {
  const acknowledged = new Map(load.stored);
  const [file, folder] = [`${name}.tar.gz`, `${name}-restored`];
  const made = await command({ ...settings, DATA_DIR: site.dataDir }, 'backup', file);
  const { size } = await stat(file);
  const restored = await command({ ...settings, DATA_DIR: folder }, 'restore', file);
  // Sessions are only valid for the site that issued them, so the copy runs under its URL.
  const more = { DATA_DIR: folder, SITE_URL: site.target.url };
  const copy = await startSite({ ...settings, ...more });
  try {
    const { lost, doubled } = await askDatabase(folder, (sql) => compare(sql, acknowledged));
    const target = { ...site.target, url: copy.url };
    const files = [...acknowledged].filter(([, kind]) => kind === 'storage').slice(-FILES);
    let missing = 0;
    for (const [id] of files) {
      if ((await readFile(target, site.people, id)) !== id) missing += 1;
    }
    const counts = { writes: acknowledged.size, lost, doubled, files: files.length, missing };
    return { ...counts, size, made, restored };
  } finally {
    await copy.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    await rm(file, { force: true });
  }
}

/** Makes backups of a site under load, and restores each. */
export async function backups(context: BenchContext, count: number): Promise<void> {
  const { scratch, settings, show } = context;
  const site = await openHurtSite(path.join(scratch, 'faults-backup'), settings, WRITERS);
  const copies: Awaited<ReturnType<typeof backUpAndRestore>>[] = [];
  try {
    const load = new Load(site);
    for (let n = 0; n < count; n += 1) {
      await wait(BEFORE);
      const name = path.join(scratch, `backup-${n}`);
      copies.push(await backUpAndRestore(site, load, name, settings));
    }
    await load.stop();
  } finally {
    await site.process().stop('SIGKILL');
  }
  const all = (key: keyof (typeof copies)[number]) => copies.map((copy) => copy[key]);
  const sum = (key: keyof (typeof copies)[number]) => all(key).reduce((a, b) => a + b, 0);
  show('Backups made under load and restored', [
    figure('times', count),
    { ...figure('writes acknowledged before them', sum('writes')), least: 1 },
    none('of them lost', sum('lost')),
    none('writes that are there twice', sum('doubled')),
    { ...figure('stored files read from the copies', sum('files')), least: 1 },
    none('of them missing or changed', sum('missing')),
    figure('size of the largest one', Math.max(...all('size')) / 1e6, 'MB'),
    figure('making one, longest', Math.max(...all('made')), 's'),
    figure('restoring one, longest', Math.max(...all('restored')), 's'),
  ]);
}

/** A backup is made while people write, and restored beside it. */
import { execFile } from 'node:child_process';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import getPort from 'get-port';
import { projectRoot } from '#server/settings.ts';
import { startSite } from '../../e2e/support/site-process.ts';
import type { Figure, Groups } from '../report.ts';
import { compare, type Ledger, readFile, startLoad, type Target } from './load.ts';
import type { SeriesContext } from './series.ts';
import { askDatabase, type HurtSite, openHurtSite } from './site.ts';

const run = promisify(execFile);
const LOAD = { writers: 12, readers: 6 };
/** Milliseconds of load before each backup. */
const BEFORE = 2_000;
/** Stored files that are read from the restored site, each time. */
const FILES = 20;

/** What the restored copies lack, and how long it took, in ms. */
interface Tally {
  made: number[];
  restored: number[];
  acknowledged: number;
  lost: number;
  doubled: number;
  files: number;
  missingFiles: number;
  size: number;
}

/** Runs one of the project's commands, as an operator does; throws what it complains about. */
async function command(env: Record<string, string>, ...args: string[]): Promise<number> {
  const from = performance.now();
  const file = path.join(projectRoot, 'src/backend/local/commands.ts');
  await run(process.execPath, [file, ...args], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
  });
  return performance.now() - from;
}

/**
 * Makes backups of a site under load, and restores each.
 */
export async function backups({ scratch, settings, times, tell }: SeriesContext): Promise<Groups> {
  const count = times('backup', 3);
  if (count === 0) return {};
  const site = await openHurtSite(path.join(scratch, 'faults-backup'), settings, LOAD.writers);
  const load = startLoad(site.target, site.people, LOAD);
  const tally: Tally = {
    made: [],
    restored: [],
    acknowledged: 0,
    lost: 0,
    doubled: 0,
    files: 0,
    missingFiles: 0,
    size: 0,
  };
  try {
    for (let n = 0; n < count; n += 1) {
      await wait(BEFORE);
      await backUpAndRestore(site, load.ledger, path.join(scratch, `backup-${n}`), settings, tally);
    }
    await load.stop();
  } finally {
    await site.process().stop('SIGKILL');
  }
  const title = 'Backups made under load and restored';
  const figures = figuresOf(tally);
  tell(title, figures);
  return { [title]: figures };
}

async function backUpAndRestore(
  site: HurtSite,
  ledger: Ledger,
  name: string,
  settings: Record<string, string>,
  tally: Tally,
): Promise<void> {
  const acknowledged = new Map(ledger.stored);
  const file = `${name}.tar.gz`;
  const folder = `${name}-restored`;
  tally.made.push(await command({ ...settings, DATA_DIR: site.dataDir }, 'backup', file));
  tally.size = (await stat(file)).size;
  tally.restored.push(await command({ ...settings, DATA_DIR: folder }, 'restore', file));
  const port = String(await getPort({ host: '127.0.0.1' }));
  // Sessions are good for the site that opened them, whose address this one takes over.
  const restored = await startSite({
    ...settings,
    DATA_DIR: folder,
    PORT: port,
    SITE_URL: site.target.url,
  });
  try {
    const { lost, doubled } = await askDatabase(folder, (sql) =>
      compare(sql, { ...ledger, stored: acknowledged }),
    );
    tally.acknowledged += acknowledged.size;
    tally.lost += lost.length;
    tally.doubled += doubled;
    const target: Target = { ...site.target, url: restored.url };
    const files = [...acknowledged].filter(([, kind]) => kind === 'storage').slice(-FILES);
    for (const [id] of files) {
      tally.files += 1;
      if ((await readFile(target, site.people, id)) !== id) tally.missingFiles += 1;
    }
  } finally {
    await restored.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    await rm(file, { force: true });
  }
}

function figuresOf(tally: Tally): Figure[] {
  const seconds = (values: number[]) => Math.max(...values) / 1_000;
  return [
    { what: 'times', value: tally.made.length, unit: '' },
    { what: 'writes acknowledged before them', value: tally.acknowledged, unit: '', least: 1 },
    { what: 'of them lost', value: tally.lost, unit: '', budget: 0 },
    { what: 'writes that are there twice', value: tally.doubled, unit: '', budget: 0 },
    { what: 'stored files read from the copies', value: tally.files, unit: '', least: 1 },
    { what: 'of them missing or changed', value: tally.missingFiles, unit: '', budget: 0 },
    { what: 'size of the last one', value: tally.size / 1e6, unit: 'MB' },
    { what: 'making one, longest', value: seconds(tally.made), unit: 's' },
    { what: 'restoring one, longest', value: seconds(tally.restored), unit: 's' },
  ];
}

/** The disk is filled while people write, and freed again. */
import { execFile } from 'node:child_process';
import { open, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Figure, Groups } from '../report.ts';
import { callAtOnce, compare, PATIENCE, startLoad } from './load.ts';
import type { SeriesContext } from './series.ts';
import { type HurtSite, openHurtSite } from './site.ts';

const run = promisify(execFile);
const MB = 1024 * 1024;

/** A disk that writers don't fill themselves while this runs. */
const SIZE = 1200 * MB;
const LOAD = { writers: 12, readers: 6 };
/** What somebody else leaves of the disk, in turn; with the last one the database is killed as well. */
const TURNS = [
  { left: 20 * MB, kills: false },
  { left: 0, kills: false },
  { left: 0, kills: true },
];
/** Milliseconds of load on a full disk and, after it, on one with room. */
const FULL_FOR = 4_000;
const FREE_FOR = 2_000;
/** Calls that all succeed on a full disk: reading goes on. */
const AT_ONCE = 60;

/** A small file system in a file of its own, or why there can't be one. */
async function makeDisk(scratch: string) {
  const [image, folder] = [path.join(scratch, 'disk.img'), path.join(scratch, 'disk')];
  await writeFile(image, '');
  await truncate(image, SIZE);
  await run('mkfs.ext4', ['-q', '-m', '0', image]);
  await run('mkdir', ['-p', folder]);
  await run('mount', ['-o', 'loop', image, folder]);
  return {
    folder,
    async remove() {
      await run('umount', ['--lazy', folder]);
      await rm(image, { force: true });
    },
  };
}

/** Takes what is free of a disk, but for so many bytes. */
async function fill(folder: string, left: number): Promise<void> {
  const filler = await open(path.join(folder, 'filler'), 'a');
  const chunk = Buffer.alloc(MB, 1);
  try {
    for (;;) {
      const { bavail, bsize } = await statfs(folder);
      const more = Math.min(chunk.length, bavail * bsize - left);
      if (more <= 0) return;
      await filler.write(chunk.subarray(0, more));
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    await filler.close();
  }
}

/**
 * Fills and frees the disk of a site under load.
 */
export async function fullDisk({ scratch, settings, times, tell }: SeriesContext): Promise<Groups> {
  const count = times('disk', 12);
  if (count === 0) return {};
  let disk: Awaited<ReturnType<typeof makeDisk>>;
  try {
    disk = await makeDisk(scratch);
  } catch (error) {
    const said = (error as Error).message.split('\n')[0];
    process.stdout.write(`The disk isn't filled: no small one can be made here (${said})\n`);
    return {};
  }
  try {
    const site = await openHurtSite(path.join(disk.folder, 'data'), settings, LOAD.writers);
    try {
      const title = 'The disk filled and freed under load';
      const figures = await fillAndFree(site, disk.folder, count);
      tell(title, figures);
      return { [title]: figures };
    } finally {
      await site.process().stop('SIGKILL');
    }
  } finally {
    await disk.remove();
  }
}

async function fillAndFree(site: HurtSite, folder: string, count: number): Promise<Figure[]> {
  const [person] = site.people;
  if (!person) throw new Error('Nobody asks.');
  const load = startLoad(site.target, site.people, LOAD);
  const back: number[] = [];
  const reading: number[] = [0];
  let [unread, unsaid, restarted] = [0, 0, 0];
  let server = await site.postmaster();
  for (let n = 0; n < count; n += 1) {
    await wait(FREE_FOR);
    const { left, kills } = TURNS[n % TURNS.length] ?? { left: 0, kills: false };
    await fill(folder, left);
    if (kills && server) {
      if ((await site.postmaster()) !== server) restarted += 1;
      process.kill(server, 'SIGKILL');
      const killed = performance.now();
      while (
        (await callAtOnce(site.target, person, 1)) < 1 &&
        performance.now() - killed < 30_000
      ) {
        await wait(20);
      }
      reading.push(performance.now() - killed);
      server = await site.postmaster();
    }
    await wait(FULL_FOR / 2);
    if ((await callAtOnce(site.target, person, AT_ONCE)) < AT_ONCE) unread += 1;
    if ((await healthOf(site)) !== 'disk full') unsaid += 1;
    await wait(FULL_FOR / 2);
    const from = performance.now();
    const before = load.ledger.stored.size;
    await rm(path.join(folder, 'filler'));
    while (load.ledger.stored.size === before && performance.now() - from < 60_000) await wait(20);
    back.push(performance.now() - from);
    process.stdout.write(`\r  disk: ${n + 1} of ${count} `);
  }
  process.stdout.write('\n');
  if ((await site.postmaster()) !== server) restarted += 1;
  await wait(FREE_FOR);
  const ledger = await load.stop();
  const { lost, doubled } = await site.ask((sql) => compare(sql, ledger));
  for (const line of [...ledger.hung, ...new Set(ledger.refused), ...new Set(ledger.leaks)].slice(
    0,
    10,
  )) {
    process.stdout.write(`  ${line}\n`);
  }
  const zero = (what: string, value: number): Figure => ({ what, value, unit: '', budget: 0 });
  return [
    { what: 'times', value: count, unit: '' },
    { what: 'acknowledged writes', value: ledger.stored.size, unit: '' },
    zero('of them lost', lost.length),
    zero('writes that are there twice', doubled),
    zero('writes that no retry got through', ledger.open.size),
    zero('refusals that nobody expected', ledger.refused.length),
    zero('answers that tell of the inside', ledger.leaks.length),
    zero('answers after 10 s or more', ledger.hung.length),
    { what: 'longest answer', value: ledger.longest / 1_000, unit: 's', budget: PATIENCE / 1_000 },
    zero(`full disks on which not all of ${AT_ONCE} readers were served`, unread),
    zero('full disks of which /healthz said nothing', unsaid),
    zero('times that the database server died by itself', restarted),
    {
      what: 'until people could read again, where it was killed, longest',
      value: Math.max(...reading) / 1_000,
      unit: 's',
      budget: 10,
    },
    {
      what: 'until people could save again, longest',
      value: Math.max(...back) / 1_000,
      unit: 's',
      budget: 10,
    },
    ...[...ledger.statuses]
      .sort(([a], [b]) => a - b)
      .map(([status, value]) => ({
        what: status === 0 ? 'broken or refused connections' : `answers with ${status}`,
        value,
        unit: '' as const,
      })),
  ];
}

async function healthOf(site: HurtSite): Promise<string> {
  const answer = await fetch(`${site.target.url}/healthz`, {
    signal: AbortSignal.timeout(PATIENCE),
  })
    .then((found) => found.json() as Promise<{ status: string }>)
    .catch(() => ({ status: 'no answer' }));
  return answer.status;
}

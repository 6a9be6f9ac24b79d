/** Fills the disk while people write, and frees it again. */
import { execFile } from 'node:child_process';
import { open, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverPid } from '../../fixtures/connection.ts';
import type { BenchContext } from '../parts.ts';
import { type Figure, figure, none } from '../report.ts';
import { allSucceed, Load, PATIENCE, WRITERS } from './load.ts';
import { type HurtSite, openHurtSite, until } from './site.ts';

const run = promisify(execFile);
const MB = 1024 * 1024;

/** Large enough that the writers alone don't fill it. */
const SIZE = 1200 * MB;
/** How much space to leave in each turn; in the last one, the database is killed as well. */
const TURNS = [
  { left: 20 * MB, kills: false },
  { left: 0, kills: false },
  { left: 0, kills: true },
];
/** Milliseconds of load while the disk is full, and while it has space. */
const FULL_FOR = 4_000;
const FREE_FOR = 2_000;
/** Concurrent reads that must all succeed while the disk is full. */
const AT_ONCE = 60;

/** Creates a small file system in a file; throws if the machine doesn't allow that. */
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

/** Fills a disk, except for `left` bytes. */
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

/** Repeatedly fills and frees the disk of a site under load. */
export async function fullDisk(context: BenchContext, count: number): Promise<void> {
  const disk = await makeDisk(context.scratch).catch((error: Error) => {
    const [reason] = error.message.split('\n');
    context.log(`The disk isn't filled: no small one can be made here (${reason})`);
  });
  if (!disk) return;
  try {
    const site = await openHurtSite(path.join(disk.folder, 'data'), context.settings, WRITERS);
    try {
      const figures = await fillAndFree(site, disk.folder, count);
      context.show('The disk filled and freed under load', figures);
    } finally {
      await site.process().stop('SIGKILL');
    }
  } finally {
    await disk.remove();
  }
}

async function fillAndFree(site: HurtSite, folder: string, count: number): Promise<Figure[]> {
  const load = new Load(site);
  const [saving, reading]: [number[], number[]] = [[], [0]];
  let [unread, unsaid, restarted] = [0, 0, 0];
  let server = await serverPid(site.dataDir);
  const noteRestart = async () => {
    if ((await serverPid(site.dataDir)) !== server) restarted += 1;
  };
  for (let n = 0; n < count; n += 1) {
    await wait(FREE_FOR);
    const { left, kills } = TURNS[n % TURNS.length] ?? { left: 0, kills: false };
    await fill(folder, left);
    if (kills && server) {
      await noteRestart();
      const killed = server;
      process.kill(killed, 'SIGKILL');
      const isBack = async () => {
        server = await serverPid(site.dataDir);
        return server !== undefined && server !== killed && (await allSucceed(site, 1));
      };
      reading.push(await until(isBack));
    }
    await wait(FULL_FOR / 2);
    if (!(await allSucceed(site, AT_ONCE))) unread += 1;
    if ((await healthOf(site)) !== 'disk full') unsaid += 1;
    await wait(FULL_FOR / 2);
    const before = load.stored.size;
    await rm(path.join(folder, 'filler'));
    saving.push(await until(async () => load.stored.size > before));
    process.stdout.write(`\r  disk: ${n + 1} of ${count} `);
  }
  process.stdout.write('\n');
  await noteRestart();
  await wait(FREE_FOR);
  await load.stop();
  const longest = (values: number[]) => Math.max(...values) / 1_000;
  return [
    figure('times', count),
    ...(await load.figures()),
    none(`full disks on which not all of ${AT_ONCE} readers were served`, unread),
    none('full disks of which /healthz said nothing', unsaid),
    none('times that the database server died by itself', restarted),
    figure('until people could read after it was killed, longest', longest(reading), 's', 10),
    figure('until people could save again, longest', longest(saving), 's', 10),
  ];
}

async function healthOf(site: HurtSite): Promise<string> {
  const signal = AbortSignal.timeout(PATIENCE);
  return fetch(`${site.target.url}/healthz`, { signal })
    .then((found) => found.json() as Promise<{ status: string }>)
    .then(
      ({ status }) => status,
      () => 'no answer',
    );
}

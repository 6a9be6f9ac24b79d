import { randomBytes } from 'node:crypto';
import type { StatsFs } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DISK_FULL, OUT_OF_SPACE } from '#backend/supabase/functions/_shared/connection.ts';
import { exists, writeWhole } from './data-folder.ts';

const MB = 1024 * 1024;

/** Limits, in bytes, of the default reserve, which is a tenth of the volume. */
const MOST_RESERVE = 256 * MB;
const LEAST_RESERVE = 64 * MB;
/** After a full disk, this many times the reserve is enough, so that the state doesn't flap. */
const BACK_AT = 1.1;
/** How long a disk check is reused, in ms; one takes a twentieth of a millisecond. */
const LOOK_AGAIN = 250;

/**
 * What the disk has space for: `enough` for everything; `little`, below the reserve, for reading
 * and sessions; `none`, below half of it, for reading only. The rest is for the database, which
 * stops when it can't write.
 */
export type Room = 'enough' | 'little' | 'none';

/** The bytes that are free for the site, and the size of the whole volume. */
export interface Volume {
  free: number;
  size: number;
}

export type DiskSpace = ReturnType<typeof createDiskSpace>;

/**
 * Watches the free space where the site writes: in folders on one or more volumes.
 * @param options.reserve bytes to keep free; by default it depends on the volume's size.
 * @param options.look measures the folders' fullest volume; tests can replace it.
 */
export function createDiskSpace(options: {
  folders: readonly string[];
  reserve?: number | undefined;
  look?: () => Promise<Volume>;
  log: (line: string) => void;
}) {
  const { folders, log, look: ask = () => fullestOf(folders) } = options;
  const where = folders[0] ?? '';
  let claimed = 0;
  let last: Room = 'enough';
  let seen: { at: number; volume: Promise<Volume> } | undefined;

  async function look() {
    const now = performance.now();
    if (!seen || now - seen.at > LOOK_AGAIN) seen = { at: now, volume: ask() };
    const volume = await seen.volume;
    const usual = Math.min(MOST_RESERVE, Math.max(LEAST_RESERVE, volume.size / 10));
    return { ...volume, reserve: options.reserve ?? usual };
  }

  return {
    async room(): Promise<Room> {
      const { free, reserve } = await look();
      const enough = free >= (last === 'enough' ? reserve : reserve * BACK_AT);
      const room = enough ? 'enough' : free >= reserve / 2 ? 'little' : 'none';
      if ((room === 'enough') !== (last === 'enough')) log(roomChanged(room, free, where, reserve));
      last = room;
      return room;
    },
    /** Reserves bytes. Returns a function to release them, or null if there's too little space. */
    async claim(bytes: number): Promise<(() => void) | null> {
      const { free, reserve } = await look();
      if (free - claimed - bytes < reserve) return null;
      claimed += bytes;
      return () => {
        claimed -= bytes;
        bytes = 0;
        // The next check has to see what was stored.
        seen = undefined;
      };
    },
    /** Message for the operator if a start that writes `needed` bytes lacks space; else null. */
    async refusalToStart(needed: number): Promise<string | null> {
      const { free, reserve } = await look();
      const least = reserve / 2 + needed;
      return free >= least ? null : tooFullToStart(where, free, least);
    },
    /** Message for the operator if `needed` more bytes would use up the reserve; else null. */
    async refusalToWrite(needed: number): Promise<string | null> {
      const { free, reserve } = await look();
      return free - claimed - needed >= reserve ? null : noRoom(where, free, needed, reserve);
    },
    /** Database settings that limit the write-ahead log (WAL) to a sixteenth of a small volume. */
    async databaseSettings(): Promise<string[]> {
      const log = Math.max(64, Math.floor((await look()).size / 16 / MB));
      // PostgreSQL's defaults are 1 GB and 80 MB.
      return log < 1024 ? [`max_wal_size=${log}MB`, 'min_wal_size=32MB'] : [];
    },
  };
}

const inMegabytes = (bytes: number) => `${Math.floor(bytes / MB)} MB`;

function roomChanged(room: Room, free: number, where: string, reserve: number): string {
  return room === 'enough'
    ? `The disk has room again (${inMegabytes(free)} free in ${where}), so people can save`
    : `The disk is full (${inMegabytes(free)} free in ${where}, less than the reserve of ${inMegabytes(reserve)}): people can read, but can't save anything until you free up space`;
}

function tooFullToStart(where: string, free: number, least: number): string {
  return (
    `The disk is too full to start: ${inMegabytes(free)} are free in ${where}, and ` +
    `${inMegabytes(least)} are needed. Free up space, or set DISK_RESERVE_MB to less.`
  );
}

function noRoom(where: string, free: number, needed: number, reserve: number): string {
  return (
    `There isn't enough room in ${where}: ${inMegabytes(free)} are free, ` +
    (needed > 0 ? `about ${inMegabytes(needed)} are needed, ` : '') +
    `and ${inMegabytes(reserve)} have to stay free (DISK_RESERVE_MB). Free up space, or ` +
    'choose a folder on another disk.'
  );
}

/** The volume with the least free space among those that the folders are on. */
async function fullestOf(folders: readonly string[]): Promise<Volume> {
  const volumes: Volume[] = [];
  for (const folder of folders) {
    const found = await nearest(folder);
    if (found) volumes.push({ free: found.bavail * found.bsize, size: found.blocks * found.bsize });
  }
  const least = volumes.sort((a, b) => a.free - b.free)[0];
  return least ?? { free: Number.POSITIVE_INFINITY, size: Number.POSITIVE_INFINITY };
}

async function nearest(folder: string): Promise<StatsFs | null> {
  try {
    return await statfs(folder);
  } catch {
    const parent = dirname(folder);
    return parent === folder ? null : nearest(parent);
  }
}

/** Whether to serve a request on a full disk: if it only reads, or keeps someone signed in. */
export function goesOnWhenFull(service: string, path: string, method: string, room: Room): boolean {
  if (['GET', 'HEAD'].includes(method)) return true;
  // The database rejects writes itself, and functions have their own error message.
  if (service === 'rest' || service === 'functions') return true;
  if (service === 'storage') return /^\/object\/(sign|list|info)\b/.test(path);
  if (service !== 'auth') return false;
  return room === 'little' && /^\/(token|logout|factors\/[^/]+\/(challenge|verify))$/.test(path);
}

/** The response when nothing can be saved, in the formats of all services: 507 Insufficient Storage. */
export function outOfSpaceResponse(): Response {
  const body = {
    code: DISK_FULL,
    message: OUT_OF_SPACE,
    details: null,
    hint: null,
    error_code: DISK_FULL,
    msg: OUT_OF_SPACE,
    statusCode: '507',
    error: 'InsufficientStorage',
  };
  const headers = { 'cache-control': 'no-store', 'retry-after': '30' };
  return Response.json(body, { status: 507, headers });
}

/** What a database needs to start after a crash, in bytes: a lock file and a WAL segment or two. */
const BALLAST = 32 * MB;

export type Ballast = ReturnType<typeof createBallast>;

/** A file in `folder` that reserves space; it's deleted when the database needs that to start. */
export function createBallast(folder: string, space: DiskSpace) {
  const path = join(folder, 'ballast');
  return {
    /** Writes the file if it's missing and there's enough space. */
    async keep(): Promise<void> {
      if (await exists(path)) return;
      const giveBack = await space.claim(BALLAST);
      if (!giveBack) return;
      // Random bytes, because a compressing file system stores zeros in almost no space.
      const megabytes = Array.from({ length: BALLAST / MB }, () => randomBytes(MB));
      const draft = `${path}.draft`;
      try {
        await writeWhole(draft, megabytes);
        await rename(draft, path);
      } finally {
        giveBack();
      }
    },
    /** Removes the file if there's hardly any space left. */
    async giveUp(): Promise<void> {
      if ((await space.room()) === 'none') await rm(path, { force: true });
    },
  };
}

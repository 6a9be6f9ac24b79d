import { randomBytes } from 'node:crypto';
import type { StatsFs } from 'node:fs';
import { rename, rm, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DISK_FULL, OUT_OF_SPACE } from '#backend/supabase/functions/_shared/connection.ts';
import { exists, writeWhole } from './data-folder.ts';

const MB = 1024 * 1024;

/** The reserve where no setting names one: a tenth of a small volume, and at most so many bytes. */
const MOST_RESERVE = 256 * MB;
const LEAST_RESERVE = 64 * MB;
/** How far above the reserve there is room again, so that the site doesn't go back and forth. */
const BACK_AT = 1.1;
/** How long a disk check is valid, in ms; it takes a twentieth of one. */
const LOOK_AGAIN = 250;

/**
 * Whether there is room on the disk: for everything; below the reserve for reading and for sessions;
 * below half of it for reading alone. The rest is for the database, which stops where it can't write.
 */
export type Room = 'enough' | 'little' | 'none';

/** Bytes that are free for the site, and of the whole volume. */
export interface Volume {
  free: number;
  size: number;
}

export type DiskSpace = ReturnType<typeof createDiskSpace>;

/**
 * Watches the room that is left where the site writes: in folders on one or several volumes.
 * @param options.reserve bytes that stay free; undefined leaves it to the size of the volume.
 * @param options.look asks the fullest volume of the folders, where a test wants another.
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
    /** Reserves this many bytes. Returns a function to release them, or null if there isn't enough space. */
    async claim(bytes: number): Promise<(() => void) | null> {
      const { free, reserve } = await look();
      if (free - claimed - bytes < reserve) return null;
      claimed += bytes;
      return () => {
        claimed -= bytes;
        bytes = 0;
        // What was stored shows at the next look.
        seen = undefined;
      };
    },
    /** What to tell an operator when there isn't enough room for a start that writes so many bytes; else null. */
    async refusalToStart(needed: number): Promise<string | null> {
      const { free, reserve } = await look();
      const least = reserve / 2 + needed;
      return free >= least ? null : tooFullToStart(where, free, least);
    },
    /** What to tell an operator when so many bytes more would take from the reserve; else null. */
    async refusalToWrite(needed: number): Promise<string | null> {
      const { free, reserve } = await look();
      return free - claimed - needed >= reserve ? null : noRoom(where, free, needed, reserve);
    },
    /** Settings of a database that keeps its log (WAL) to a sixteenth of a small volume. */
    async databaseSettings(): Promise<string[]> {
      const log = Math.max(64, Math.floor((await look()).size / 16 / MB));
      // PostgreSQL's own are 1 GB and 80 MB.
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

/** The one with the least room of the volumes that these folders are on. */
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

/** Whether a request is answered on a full disk: it only reads, or keeps someone signed in. */
export function goesOnWhenFull(service: string, path: string, method: string, room: Room): boolean {
  if (['GET', 'HEAD'].includes(method)) return true;
  // The database decides what writes, and a function says what is wrong in its own words.
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

/** What a database needs to start after it died, in bytes: its lock, and a segment or two of its log. */
const BALLAST = 32 * MB;

export type Ballast = ReturnType<typeof createBallast>;

/** A file in `folder` that takes up room, to be deleted when the database needs that room to start. */
export function createBallast(folder: string, space: DiskSpace) {
  const path = join(folder, 'ballast');
  return {
    /** Writes the file where it isn't there and there is room enough. */
    async keep(): Promise<void> {
      if (await exists(path)) return;
      const giveBack = await space.claim(BALLAST);
      if (!giveBack) return;
      // Random bytes: file systems that compress would make nothing of zeros.
      const megabytes = Array.from({ length: BALLAST / MB }, () => randomBytes(MB));
      const draft = `${path}.draft`;
      try {
        await writeWhole(draft, megabytes);
        await rename(draft, path);
      } finally {
        giveBack();
      }
    },
    /** Removes it where there is hardly any room left. */
    async giveUp(): Promise<void> {
      if ((await space.room()) === 'none') await rm(path, { force: true });
    },
  };
}

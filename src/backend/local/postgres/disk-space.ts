import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DISK_FULL, OUT_OF_SPACE } from '#backend/supabase/functions/_shared/connection.ts';

const MB = 1024 * 1024;

/** The reserve where no setting names one: a tenth of a small volume, and at most so many bytes. */
const MOST_RESERVE = 256 * MB;
const LEAST_RESERVE = 64 * MB;
/** How far above the reserve there is room again, so that the site doesn't go back and forth. */
const BACK_AT = 1.1;
/** A look at the disk holds for so long, in ms; it takes a twentieth of one. */
const LOOK_AGAIN = 250;

/**
 * Whether there is room on the disk: for everything; below the reserve for reading and for sessions;
 * below half of it for reading alone. The rest is for the database, which stops where it can't write.
 */
export type Room = 'enough' | 'little' | 'none';

/** Bytes that are free for the site, and bytes of the whole volume. */
export interface Volume {
  free: number;
  size: number;
}

export interface DiskSpace {
  room(): Promise<Room>;
  /**
   * Sets room aside for a file until it is stored.
   * @param bytes its size.
   * @returns what gives the room back, or null where the file would take from the reserve.
   */
  claim(bytes: number): Promise<(() => void) | null>;
  /**
   * What to tell an operator when there isn't enough room to start; null when there is.
   * @param needed bytes that the start writes.
   */
  refusalToStart(needed: number): Promise<string | null>;
  /**
   * What to tell an operator when so many bytes more would take from the reserve; null otherwise.
   * @param needed bytes; 0 asks whether some were taken from it already.
   */
  refusalToWrite(needed: number): Promise<string | null>;
  /** Settings of a database that keeps its log (WAL) to a sixteenth of a small volume. */
  databaseSettings(): Promise<string[]>;
}

/**
 * Watches the room that is left where the site writes.
 * @param options.folders where it writes, which may be on several volumes. One that isn't there yet counts as
 *   the folder that it will be in.
 * @param options.reserve bytes that stay free; undefined leaves it to the size of the volume.
 * @param options.look asks the fullest volume of the folders, where a test wants another.
 * @param options.log is told when the room ends, and when there is some again.
 */
export function createDiskSpace(options: {
  folders: readonly string[];
  reserve?: number | undefined;
  look?: () => Promise<Volume>;
  log: (line: string) => void;
}): DiskSpace {
  const { folders, log } = options;
  const ask = options.look ?? (() => fullestOf(folders));
  const where = folders[0] ?? '';
  let claimed = 0;
  let last: Room = 'enough';
  let seen: { at: number; volume: Promise<Volume> } | undefined;

  function look(): Promise<Volume> {
    const now = performance.now();
    if (!seen || now - seen.at > LOOK_AGAIN) seen = { at: now, volume: ask() };
    return seen.volume;
  }
  const reserveOf = ({ size }: Volume) =>
    options.reserve ?? Math.min(MOST_RESERVE, Math.max(LEAST_RESERVE, size / 10));

  return {
    async room() {
      const volume = await look();
      const reserve = reserveOf(volume);
      const enough = volume.free >= (last === 'enough' ? reserve : reserve * BACK_AT);
      const room = enough ? 'enough' : volume.free >= reserve / 2 ? 'little' : 'none';
      if ((room === 'enough') !== (last === 'enough')) {
        log(roomChanged(room, inMegabytes(volume.free), where, inMegabytes(reserve)));
      }
      last = room;
      return room;
    },
    async claim(bytes) {
      const volume = await look();
      if (volume.free - claimed - bytes < reserveOf(volume)) return null;
      claimed += bytes;
      return () => {
        claimed -= bytes;
        bytes = 0;
        // What was stored shows at the next look.
        seen = undefined;
      };
    },
    async refusalToStart(needed) {
      const volume = await look();
      const least = reserveOf(volume) / 2 + needed;
      if (volume.free >= least) return null;
      return (
        `The disk is too full to start: ${inMegabytes(volume.free)} are free in ${where}, and ` +
        `${inMegabytes(least)} are needed. Free up space, or set DISK_RESERVE_MB to less.`
      );
    },
    async refusalToWrite(needed) {
      const volume = await look();
      const reserve = reserveOf(volume);
      if (volume.free - claimed - needed >= reserve) return null;
      return (
        `There isn't enough room in ${where}: ${inMegabytes(volume.free)} are free, ` +
        (needed > 0 ? `about ${inMegabytes(needed)} are needed, ` : '') +
        `and ${inMegabytes(reserve)} have to stay free (DISK_RESERVE_MB). Free up space, or ` +
        'choose a folder on another disk.'
      );
    },
    databaseSettings: async () => walSettings(await look()),
  };
}

const inMegabytes = (bytes: number) => `${Math.floor(bytes / MB)} MB`;

function roomChanged(room: Room, free: string, where: string, reserve: string): string {
  return room === 'enough'
    ? `The disk has room again (${free} free in ${where}), so people can save`
    : `The disk is full (${free} free in ${where}, less than the reserve of ${reserve}): people can read, but can't save anything until you free up space`;
}

function walSettings({ size }: Volume): string[] {
  const log = Math.max(64, Math.floor(size / 16 / MB));
  // PostgreSQL's own are 1 GB and 80 MB.
  return log < 1024 ? [`max_wal_size=${log}MB`, 'min_wal_size=32MB'] : [];
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

/** The answer to what can't be saved, in the words of each service at once: 507 Insufficient Storage. */
export function outOfSpaceResponse(): Response {
  return Response.json(
    {
      code: DISK_FULL,
      message: OUT_OF_SPACE,
      details: null,
      hint: null,
      error_code: DISK_FULL,
      msg: OUT_OF_SPACE,
      statusCode: '507',
      error: 'InsufficientStorage',
    },
    { status: 507, headers: { 'cache-control': 'no-store', 'retry-after': '30' } },
  );
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { createDiskSpace } from '#backend/local/postgres/disk-space.ts';

const MB = 1024 * 1024;
const GB = 1024 * MB;

afterEach(() => void vi.useRealTimers());

/** A volume whose free bytes the test sets. `with` lets the cached measurement expire. */
function open({ size = 100 * GB, reserve = undefined as number | undefined } = {}) {
  vi.useFakeTimers({ toFake: ['performance'] });
  const volume = { free: size, size };
  const said: string[] = [];
  let looks = 0;
  const space = createDiskSpace({
    folders: ['/data'],
    reserve,
    look: async () => {
      looks += 1;
      return { ...volume };
    },
    log: (line) => said.push(line),
  });
  return {
    space,
    said,
    looks: () => looks,
    async with(free: number) {
      volume.free = free;
      vi.advanceTimersByTime(300);
      return space.room();
    },
  };
}

test.each<[string, number[], string[]]>([
  [
    'Below the reserve sessions go on, below half of it only reading, and it ends by itself',
    [257, 255, 127, 0, 300],
    ['enough', 'little', 'none', 'none', 'enough'],
  ],
  [
    'A disk near the limit doesn’t go back and forth',
    [255, 258, 282, 258],
    ['little', 'little', 'enough', 'enough'],
  ],
])('%s', async (_, megabytes, rooms) => {
  const disk = open();
  const found: string[] = [];
  for (const free of megabytes) found.push(await disk.with(free * MB));
  expect(found).toEqual(rooms);
});

test('The operator reads once that it is full, and once that there is room again', async () => {
  const disk = open();
  for (const free of [GB, 100 * MB, 90 * MB, 250 * MB, GB, GB]) await disk.with(free);
  expect(disk.said).toEqual([
    "The disk is full (100 MB free in /data, less than the reserve of 256 MB): people can read, but can't save anything until you free up space",
    'The disk has room again (1024 MB free in /data), so people can save',
  ]);
});

test('A small volume keeps a tenth in reserve, and a setting decides over both', async () => {
  const small = open({ size: GB });
  expect(await small.with(103 * MB)).toBe('enough');
  expect(await small.with(102 * MB)).toBe('little');
  const smallest = open({ size: 300 * MB });
  expect(await smallest.with(63 * MB)).toBe('little');
  const set = open({ reserve: 2 * GB });
  expect(await set.with(GB + 500 * MB)).toBe('little');
});

test('Files that are being stored share what is left above the reserve', async () => {
  const disk = open();
  await disk.with(356 * MB);
  const { space } = disk;
  const first = await space.claim(60 * MB);
  expect(first).not.toBeNull();
  expect(await space.claim(60 * MB)).toBeNull();
  const second = await space.claim(40 * MB);
  expect(second).not.toBeNull();
  first?.();
  first?.();
  expect(await space.claim(60 * MB)).not.toBeNull();
  expect(await space.claim(1 * MB)).toBeNull();
});

test('However many people write, the disk is looked at four times a second', async () => {
  const disk = open();
  await Promise.all(Array.from({ length: 100 }, () => disk.space.room()));
  expect(disk.looks()).toBe(1);
  await disk.with(GB);
  expect(disk.looks()).toBe(2);
});

test('A start without room is refused in a sentence that names the folder and the setting', async () => {
  const disk = open();
  await disk.with(120 * MB);
  expect(await disk.space.refusalToStart(0)).toBe(
    'The disk is too full to start: 120 MB are free in /data, and 128 MB are needed. Free up space, or set DISK_RESERVE_MB to less.',
  );
  await disk.with(200 * MB);
  expect(await disk.space.refusalToStart(0)).toBeNull();
  expect(await disk.space.refusalToStart(150 * MB)).toContain('278 MB are needed');
});

test('The database’s log is kept small on a small volume', async () => {
  expect(await open({ size: 300 * MB }).space.databaseSettings()).toContain('max_wal_size=64MB');
  expect(await open({ size: 4 * GB }).space.databaseSettings()).toContain('max_wal_size=256MB');
  expect(await open({ size: 100 * GB }).space.databaseSettings()).toEqual([]);
});

test('A folder that isn’t there yet counts as the one that it will be in', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-space-'));
  const of = (path: string, reserve: number) =>
    createDiskSpace({ folders: [join(folder, path)], reserve, log: () => {} }).room();
  try {
    expect(await of('not/there/yet', 1)).toBe('enough');
    expect(await of('not/there/yet', 1e18)).toBe('none');
  } finally {
    await rm(folder, { recursive: true });
  }
});

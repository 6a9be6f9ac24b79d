import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBallast, type DiskSpace, type Room } from '#backend/local/postgres/disk-space.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const SIZE = 32 * 1024 * 1024;

const folder = temporaryFolder();

const open = (disk: { room: Room; left: number }) =>
  createBallast(folder(), {
    room: async () => disk.room,
    claim: async (bytes) => (bytes <= disk.left ? () => {} : null),
  } as DiskSpace);
const size = () =>
  stat(join(folder(), 'ballast')).then(
    (found) => found.size,
    () => 0,
  );

test('The ballast takes room while there is some, and gives it up when there is none left', async () => {
  const disk: { room: Room; left: number } = { room: 'enough', left: SIZE };
  const ballast = open(disk);
  await ballast.keep();
  await ballast.keep();
  expect(await size()).toBe(SIZE);
  for (disk.room of ['enough', 'little'] as const) await ballast.giveUp();
  expect(await size()).toBe(SIZE);
  disk.room = 'none';
  await ballast.giveUp();
  await ballast.giveUp();
  expect(await size()).toBe(0);
});

test('It takes nothing of the reserve', async () => {
  await open({ room: 'enough', left: SIZE - 1 }).keep();
  expect(await size()).toBe(0);
});

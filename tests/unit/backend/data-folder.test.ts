import { mkdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { startSite, temporaryFolders } from './engine-process.ts';

const folders = temporaryFolders();
afterAll(folders.clear);

let dataDir: string;
beforeEach(async () => {
  dataDir = await folders.make();
});

/** What a site says that doesn't start. */
async function refusal(folder: string): Promise<string> {
  const site = startSite(folder);
  await site.gone;
  expect(site.process.exitCode).toBe(1);
  expect(site.complained()).toContain('DataFolderError: ');
  return site.complained();
}

const damages: [string, (lock: string) => Promise<unknown>][] = [
  ['deleted', unlink],
  ['overwritten', (lock) => writeFile(lock, 'Nobody is here. '.repeat(500))],
  ['replaced by another file', (lock) => unlink(lock).then(() => writeFile(lock, 'Not a lock'))],
  ['replaced by a folder', (lock) => unlink(lock).then(() => mkdir(lock))],
  ['moved away', (lock) => rename(lock, `${lock}.old`)],
];

test.runIf(['linux', 'win32'].includes(process.platform)).each(damages)(
  'Whose lock file is %s while they run keeps the folder',
  async (_, damage) => {
    const owner = await takeDataFolder(dataDir);
    await damage(join(dataDir, 'owner.lock'));
    expect(await refusal(dataDir)).toContain(`is in use by process ${process.pid}, since `);
    owner.release();
  },
);

test('A killed owner leaves no lock behind, whatever becomes of the file', async () => {
  const site = startSite(dataDir);
  await site.ready;
  site.process.kill('SIGKILL');
  await site.gone;
  (await takeDataFolder(dataDir)).release();
  await unlink(join(dataDir, 'owner.lock'));
  (await takeDataFolder(dataDir)).release();
  // Let go, it can be taken again in the same process.
  (await takeDataFolder(dataDir)).release();
}, 60_000);

test('A lock file that is none is named, and removing it helps', async () => {
  const lock = join(dataDir, 'owner.lock');
  for (const spoil of [() => writeFile(lock, 'x'.repeat(5_000)), () => mkdir(lock)]) {
    await spoil();
    await expect(takeDataFolder(dataDir)).rejects.toMatchObject({
      name: 'DataFolderError',
      message: expect.stringMatching(/owner\.lock can't be used as a lock.*remove the file/s),
    });
    await rm(lock, { recursive: true });
    (await takeDataFolder(dataDir)).release();
    await rm(lock);
  }
});

test('A file where the folder should be is named', async () => {
  const file = join(dataDir, 'file');
  await writeFile(file, '');
  expect(await refusal(file)).toContain(`${file} is a file where a folder should be`);
  expect(await refusal(join(file, 'data'))).toContain('a part of it is a file where a folder');
});

let damaged: string;
beforeAll(async () => {
  damaged = await folders.make();
  const site = startSite(damaged);
  await site.ready;
  site.process.kill('SIGTERM');
  await site.gone;
}, 120_000);

test.each([
  ['postgres/PG_VERSION', 'Put it back from a backup'],
  ['postgres-passwords.json', 'Put it back from a backup'],
  ['postgres/global/pg_control', "The database server didn't start"],
])(
  'A data folder without its %s is refused with a sentence, and left as it is',
  async (name, sentence) => {
    const path = join(damaged, name);
    await rename(path, `${path}.away`);
    expect(await refusal(damaged)).toContain(sentence);
    await rename(`${path}.away`, path);
  },
);

test.each(['keys.json', 'postgres-passwords.json'])(
  'A data folder whose %s is spoiled is refused with a sentence',
  async (name) => {
    const path = join(damaged, name);
    await rename(path, `${path}.away`);
    await writeFile(path, '{"half": ');
    expect(await refusal(damaged)).toMatch(
      /doesn't contain (this site's keys|the database's passwords)/,
    );
    await rename(`${path}.away`, path);
  },
);

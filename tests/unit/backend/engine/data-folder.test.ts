import { mkdir, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { takeDataFolder } from '#backend/local/postgres/data-folder.ts';
import { start, startSite, temporaryFolders } from './process.ts';

const makeFolder = temporaryFolders();
let dataDir: string;
beforeEach(async () => {
  dataDir = await makeFolder();
});

/** Returns the message of the error when a site fails to start on a folder. */
async function refusal(folder: string): Promise<string> {
  const error = await start(folder).then(
    () => expect.fail('It started'),
    (thrown: Error) => thrown,
  );
  expect(error.name).toBe('DataFolderError');
  return error.message;
}

const damages: [string, (lock: string) => Promise<unknown>][] = [
  ['deleted', unlink],
  ['overwritten', (lock) => writeFile(lock, 'Nobody is here. '.repeat(500))],
  ['replaced by another file', (lock) => unlink(lock).then(() => writeFile(lock, 'Not a lock'))],
  ['replaced by a folder', (lock) => unlink(lock).then(() => mkdir(lock))],
  ['moved away', (lock) => rename(lock, `${lock}.old`)],
];

test.runIf(['linux', 'win32'].includes(process.platform)).each(damages)(
  'A site whose lock file is %s while it runs keeps the folder',
  async (_, damage) => {
    const owner = await takeDataFolder(dataDir);
    await damage(join(dataDir, 'owner.lock'));
    expect(await refusal(dataDir)).toContain(`is in use by process ${process.pid}, since `);
    owner.release();
  },
);

test('A killed owner leaves no lock behind, whatever becomes of the file', async () => {
  const site = startSite(damaged);
  await site.ready;
  await site.end('SIGKILL');
  (await takeDataFolder(damaged)).release();
  await unlink(join(damaged, 'owner.lock'));
  (await takeDataFolder(damaged)).release();
  // After a release, the same process can take the folder again.
  (await takeDataFolder(damaged)).release();
});

test('A lock file that is none is named, and removing it helps', async () => {
  const lock = join(dataDir, 'owner.lock');
  for (const spoil of [() => writeFile(lock, 'x'.repeat(5_000)), () => mkdir(lock)]) {
    await spoil();
    expect(await refusal(dataDir)).toMatch(/owner\.lock can't be used as a lock.*remove the file/s);
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
  damaged = await makeFolder('plain');
});

test.each([
  ['postgres/PG_VERSION', undefined, 'Restore it from a backup'],
  ['postgres-passwords.json', undefined, 'Restore it from a backup'],
  ['postgres/global/pg_control', undefined, "The database server didn't start"],
  ['keys.json', '{"half": ', "doesn't contain this site's keys"],
  ['postgres-passwords.json', '{"half": ', "doesn't contain the database's passwords"],
])(
  'A data folder whose %s is gone or spoiled (%s) is refused with a sentence, and left as it is',
  async (name, content, sentence) => {
    const path = join(damaged, name);
    await rename(path, `${path}.away`);
    if (content) await writeFile(path, content);
    expect(await refusal(damaged)).toContain(sentence);
    await rename(`${path}.away`, path);
  },
);

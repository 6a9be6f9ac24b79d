import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadKeys } from '#backend/local/keys.ts';
import { temporaryFolder } from '../../../fixtures/temporary-folder.ts';

const folder = temporaryFolder();

test('Keys that cannot be read are never replaced in silence', async () => {
  const half = '{"publishableKey":"half';
  await writeFile(join(folder(), 'keys.json'), half);
  await expect(loadKeys(folder())).rejects.toThrow(/doesn't contain this site's keys/);
  expect(await readFile(join(folder(), 'keys.json'), 'utf8')).toBe(half);
});

test('A folder gets its keys once, for its owner alone, and no two folders share one', async () => {
  const first = await loadKeys(folder());
  expect(await loadKeys(folder())).toEqual(first);
  expect((await stat(join(folder(), 'keys.json'))).mode & 0o777).toBe(0o600);
  expect(await readdir(folder())).toEqual(['keys.json']);
  await rm(join(folder(), 'keys.json'));
  const other = await loadKeys(folder());
  expect(other.secretKey).not.toBe(first.secretKey);
  expect(other.signingKey.d).not.toBe(first.signingKey.d);
});

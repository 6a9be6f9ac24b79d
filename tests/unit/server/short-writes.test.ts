import { open, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createArchive, unpackArchive } from '#backend/local/postgres/backup-archive.ts';
import { createStorageFolder } from '#backend/local/storage/folder.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const content = new TextEncoder().encode('All of it. '.repeat(1_000));
const folder = temporaryFolder();

/** Makes each write call store only half its bytes, as a nearly full disk may. */
beforeEach(async () => {
  const file = await open(join(folder(), 'probe'), 'w');
  const handles = Object.getPrototypeOf(file) as { write(bytes: Uint8Array): Promise<unknown> };
  await file.close();
  const { write } = handles;
  vi.spyOn(handles, 'write').mockImplementation(function (this: unknown, bytes) {
    return write.call(this, bytes.subarray(0, Math.ceil(bytes.length / 2)));
  });
});
afterEach(() => void vi.restoreAllMocks());

test('A stored file is whole also where the disk takes it in pieces', async () => {
  const storage = createStorageFolder(join(folder(), 'storage'), async () => false);
  await storage.uploadObject('avatars', 'me', undefined, content, 'text/plain', '');
  const { body, metadata } = await storage.getObject('avatars', 'me');
  const stored = new Uint8Array(await new Response(body).arrayBuffer());
  expect(stored).toEqual(content);
  expect(metadata.size).toBe(stored.length);
});

test('A restored file is whole also where the disk takes it in pieces', async () => {
  const source = join(folder(), 'source');
  await writeFile(source, content);
  const archive = await createArchive(join(folder(), 'backup'));
  await archive.addFile('postgres/table', source);
  await archive.finish({ version: '0', postgres: '18', madeAt: '2026-01-01T00:00:00Z' });
  await unpackArchive(join(folder(), 'backup'), join(folder(), 'restored'));
  const restored = join(folder(), 'restored/postgres/table');
  expect((await stat(restored)).size).toBe(content.length);
  expect(await readFile(restored, 'utf8')).toBe(new TextDecoder().decode(content));
});

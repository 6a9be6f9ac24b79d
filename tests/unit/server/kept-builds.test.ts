import { mkdir, readdir, rename, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { buildInDraft, fingerprint, openDraft } from '#server/kept-builds.ts';
import { temporaryFolder } from '../../fixtures/temporary-folder.ts';

const dist = temporaryFolder();
const project = temporaryFolder();

test('A build that runs elsewhere is left alone; one that was killed is removed when it is too old to run', async () => {
  await mkdir(join(dist(), '0123456789abcdef/client'), { recursive: true });
  const [running, killed] = [await openDraft(dist()), await openDraft(dist())];
  for (const folder of [running, killed]) await mkdir(join(folder, 'client'), { recursive: true });
  const longAgo = Date.now() / 1_000 - 2 * 3_600;
  for (const folder of [killed, join(dist(), '0123456789abcdef')]) {
    await utimes(folder, longAgo, longAgo);
  }
  await openDraft(dist());
  expect((await readdir(dist())).sort()).toEqual(['0123456789abcdef', basename(running)]);
});

test('What is built has another name once a file that it is made from changes, moves or goes', async () => {
  const write = (place: string, text: string) => writeFile(join(project(), place), text);
  const name = () =>
    fingerprint(project(), ['src', 'lock.json', 'missing.json'], ['src/decisions']);
  await mkdir(join(project(), 'src/decisions'), { recursive: true });
  await mkdir(join(project(), 'src/server'));
  await write('src/server/main.ts', 'start()');
  await write('lock.json', '{}');
  const before = await name();
  expect(before).toMatch(/^[0-9a-f]{16}$/);

  await write('src/decisions/001.md', 'It was decided.');
  await write('README.md', 'Read me.');
  expect(await name()).toBe(before);

  await write('src/server/main.ts', 'stop()');
  const changed = await name();
  await write('lock.json', '{ }');
  const installed = await name();
  await rename(join(project(), 'src/server/main.ts'), join(project(), 'src/server/serve.ts'));
  const moved = await name();
  expect(new Set([before, changed, installed, moved]).size).toBe(4);
});

test('Of old builds the last three stay, a failed one leaves nothing, and what is no build is left alone', async () => {
  const folder = join(dist(), 'kept');
  const names = ['1', '2', '3', '4'].map((digit) => digit.repeat(16));
  const daysAgo = Date.now() / 1_000 - 9 * 24 * 3_600;
  for (const [index, name] of [...names, 'server'].entries()) {
    await mkdir(join(folder, name), { recursive: true });
    await utimes(join(folder, name), daysAgo + index, daysAgo + index);
  }
  const failing = buildInDraft(join(folder, '5'.repeat(16)), async (draft) => {
    await mkdir(draft);
    throw new Error('It cannot be built.');
  });
  await expect(failing).rejects.toThrow('It cannot be built.');
  expect((await readdir(folder)).sort()).toEqual([...names, 'server']);

  await buildInDraft(join(folder, '6'.repeat(16)), async (draft) => {
    await mkdir(draft);
    await writeFile(join(draft, 'main.mjs'), 'start()');
  });
  expect((await readdir(folder)).sort()).toEqual(
    ['3', '4', '6'].map((d) => d.repeat(16)).concat('server'),
  );
  expect(await readdir(join(folder, '6'.repeat(16)))).toEqual(['main.mjs']);
});
